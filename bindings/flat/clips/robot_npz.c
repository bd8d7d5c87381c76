/* robot_npz.c - robot motion as the arrays of an archive, which the package takes apart. */
#include "../binding.h"
#include "output.h"

#include <limber/formats/robot_npz.h>

#include <stdlib.h>
#include <string.h>

/*
 * The files of an archive: names follow each other in `names`, each with its zero, bytes in
 * `bytes`. NULL on failure.
 */
lb_clip *EXPORT(robot_npz_load)(const char *name, const char *names, const char *bytes,
                                const int *sizes, int count, const lb_model *model, int strict)
{
    lb_clip *clip = NULL;
    lb_load_options options = binding_load(strict);
    lb_robot_npz_file *files = calloc((size_t)count + 1, sizeof *files);
    for (int i = 0; i < count && files != NULL; i++) {
        files[i] = (lb_robot_npz_file){names, bytes, (size_t)sizes[i]};
        names += strlen(names) + 1;
        bytes += sizes[i];
    }
    if (files == NULL)
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    else
        lb_robot_npz_load_files(name, files, count, model, &options, &clip, &binding_error);
    free(files);
    return clip;
}

/* a file's name with its zero, the number of its bytes as an int, and these */
static bool put_file(void *user, const lb_robot_npz_file *file)
{
    int size = (int)file->size;
    return output_write(user, file->name, strlen(file->name) + 1) &&
           output_write(user, &size, sizeof size) && output_write(user, file->bytes, file->size);
}

/* 0, or a status with its message */
int EXPORT(robot_npz_write)(const lb_clip *clip, const char *order)
{
    output_begin();
    return (int)lb_robot_npz_write_files(clip, order, NULL, put_file, NULL, &binding_error);
}
