/* arrays_read.c - the arrays of a file: an archive, a pickle, or a single one. */
#include "formats/motion/arrays.h"
#include "formats/zip.h"

#include <string.h>

static lb_status keep_zipped(void *user, const zip_file *file, lb_error *error)
{
    return arrays_keep_file(user, file->name, file->bytes, file->size, error);
}

lb_status arrays_unzip(named_arrays *set, const void *bytes, size_t size, lb_error *error)
{
    return zip_read(bytes, size, &set->memory, keep_zipped, set, error);
}

lb_status arrays_read(named_arrays *set, const void *bytes, size_t size, lb_error *error)
{
    unsigned char first = size > 0 ? *(const unsigned char *)bytes : 0;
    if (first == PICKLE_FIRST_BYTE)
        return pickle_read(bytes, size, set, error);
    if (first == NPY_FIRST_BYTE)
        return arrays_keep_npy(set, 0, bytes, size, error);
    return arrays_unzip(set, bytes, size, error);
}
