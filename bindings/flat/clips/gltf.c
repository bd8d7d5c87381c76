/* gltf.c - glTF and GLB: figures and their animations. */
#include "../binding.h"
#include "output.h"

#include <limber/formats/gltf.h>

#include <stdlib.h>
#include <string.h>

static lb_gltf_parts parts;

/*
 * Finds the parts of a file, which stay where they are, for the next gltf_load(); fills out[2] with
 * where its JSON is and how long. 0, or a status with its message.
 */
int EXPORT(gltf_split)(const char *name, const void *bytes, int size, int *out)
{
    lb_status status = lb_gltf_split(name, bytes, (size_t)size, &parts, &binding_error);
    out[0] = status == LB_OK ? (int)(uintptr_t)parts.json : 0;
    out[1] = status == LB_OK ? (int)parts.json_size : 0;
    return (int)status;
}

/* rows of files beside it: paths follow each other in `paths`, bytes in `bytes` */
static lb_gltf_file *files_from(const char *paths, const char *bytes, const int *sizes, int count)
{
    lb_gltf_file *files = calloc((size_t)count + 1, sizeof *files);
    for (int i = 0; i < count && files != NULL; i++) {
        files[i] = (lb_gltf_file){paths, bytes, (size_t)sizes[i]};
        paths += strlen(paths) + 1;
        bytes += sizes[i];
    }
    return files;
}

/*
 * The file that was split last, whose JSON is the document of these strings and rows (see
 * binding.h), with the files beside it; unit 0: the metre. NULL on failure.
 */
lb_gltf *EXPORT(gltf_load)(const char *strings, const double *rows, int count, const char *paths,
                           const char *bytes, const int *sizes, int file_count, double unit, int up,
                           int strict)
{
    lb_gltf *gltf = NULL;
    const char *path;
    lb_gltf_file *files = files_from(paths, bytes, sizes, file_count);
    lb_document *document = binding_document(strings, rows, count, &path);
    lb_gltf_options options = {.load = binding_load(strict), .unit = unit, .up = (lb_bvh_up)up};
    options.files = files;
    options.file_count = files == NULL ? 0 : file_count;
    if (document != NULL)
        lb_gltf_load_document(path, document, &parts, &options, &gltf, &binding_error);
    free(files);
    return gltf;
}

/* with one more animation unless `clip` is NULL; 0, or a status with its message */
int EXPORT(gltf_write)(const lb_gltf *gltf, const char *name, const lb_clip *clip, int binary,
                       int only_this)
{
    lb_gltf_animation animation = {name, clip};
    lb_gltf_write_options options = {.binary = binary != 0, .only_these = only_this != 0};
    output_begin();
    return (int)lb_gltf_write(gltf, &animation, clip == NULL ? 0 : 1, &options, output_write, NULL,
                              &binding_error);
}
