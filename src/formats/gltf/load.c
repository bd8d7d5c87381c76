/*
 * load.c - glTF from files and from memory, by our parser of JSON.
 */
#include "formats/load.h"

#include "base/error.h"
#include "base/memory.h"
#include "formats/file.h"
#include "formats/gltf/gltf.h"
#include "formats/parse.h"

#include <string.h>

/* a file beside the one that is read */
static lb_status find_beside(const gltf_reader *reader, const gltf_place *place, const char *path,
                             gltf_beside *file)
{
    char whole[2 * GLTF_PATH_SIZE], *text;
    lb_error why = {.status = LB_OK};
    const char *slash = strrchr(reader->file, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - reader->file) + 1;
    if (folder + strlen(path) >= sizeof whole)
        return gltf_refuse(reader, LB_UNSUPPORTED, place, "the path of '%.100s' is too long", path);
    memcpy(whole, reader->file, folder);
    strcpy(whole + folder, path);
    file_identity identity;
    bool regular = file_identify(whole, &identity);
    memcpy(file->identity, (uintmax_t[]){identity.device, identity.number}, sizeof file->identity);
    if (regular && gltf_held(reader, file))
        return LB_OK;
    if (file_read_named(whole, &reader->gltf->allocator, &text, &file->size, &why) != LB_OK)
        return gltf_refuse(reader, why.status, place, "'%.150s' %.150s", whole, why.message);
    file->bytes = (unsigned char *)text;
    return LB_OK;
}

/* `file` is where buffers are beside, or NULL */
static lb_status parse(const char *name, const char *file, const void *bytes, size_t size,
                       const lb_gltf_options *options, lb_gltf **gltf, lb_error *error)
{
    gltf_reader reader = {.file = file, .options = options};
    lb_document *document = NULL;
    *gltf = NULL;
    reader.find = file == NULL ? gltf_find_given : find_beside;
    TRY(lb_gltf_split(name, bytes, size, &reader.parts, error));
    TRY(parse_text(json_parse, reader.parts.json, reader.parts.json_size, NULL,
                   options->load.allocator, &document, error));
    return gltf_build(reader, name, document, gltf, error);
}

static lb_status load_bytes(const char *name, const char *file, const void *bytes, size_t size,
                            const lb_gltf_options *options, lb_gltf **gltf, lb_error *error)
{
    TRY(gltf_check_root(options, error));
    return parse(name, file, bytes, size, options, gltf, error);
}

lb_status lb_gltf_load_memory(const char *name, const void *bytes, size_t size,
                              const lb_gltf_options *options, lb_gltf **gltf, lb_error *error)
{
    lb_gltf_options given = options == NULL ? lb_gltf_options_default() : *options;
    error_begin(error, name);
    TRY(REQUIRE_TO_MAKE(gltf, error, {name, "name"}, {bytes, "bytes"}));
    return load_bytes(name, NULL, bytes, size, &given, gltf, error);
}

lb_status lb_gltf_load(const char *path, const lb_gltf_options *options, lb_gltf **gltf,
                       lb_error *error)
{
    char *bytes;
    size_t size;
    lb_gltf_options given = options == NULL ? lb_gltf_options_default() : *options;
    error_begin(error, path);
    TRY(REQUIRE_TO_MAKE(gltf, error, {path, "path"}));
    MEMORY_POOL(memory, given.load.allocator);
    TRY(file_read(path, &memory, &bytes, &size, error));
    const char *file = strcmp(path, "-") == 0 ? NULL : path;
    return load_bytes(path, file, bytes, size, &given, gltf, error);
}

lb_status gltf_load_model(const char *name, const char *file, const char *text, size_t size,
                          const lb_load_options *options, lb_model **model, lb_error *error)
{
    lb_gltf_options given = {.load = *options};
    lb_gltf *gltf;
    TRY(parse(name, file, text, size, &given, &gltf, error));
    *model = gltf->model;
    gltf->model = NULL;
    lb_gltf_release(gltf);
    return LB_OK;
}
