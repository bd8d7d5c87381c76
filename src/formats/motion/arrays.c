/* arrays.c - the arrays of a motion by their names. */
#include "formats/motion/arrays.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

int arrays_find(const named_arrays *set, const char *name, size_t length)
{
    for (int i = 0; i < set->count; i++)
        if (set->names[i] != NULL && strlen(set->names[i]) == length &&
            memcmp(set->names[i], name, length) == 0)
            return i;
    return -1;
}

bool arrays_has(const named_arrays *set, int which)
{
    return set->owned[which] != NULL;
}

lb_status arrays_refuse(const named_arrays *set, int which, lb_status status, const char *message,
                        lb_error *error)
{
    return lb_error_set(error, status, 0, "%s: %.300s", set->names[which], message);
}

/* ---- keeping ------------------------------------------------------------ */

static lb_status take_copy(named_arrays *set, int which, const void *bytes, size_t size,
                           lb_error *error)
{
    if (arrays_has(set, which))
        return arrays_refuse(set, which, LB_SYNTAX_ERROR, "it is in the file twice", error);
    set->owned[which] = memory_take(&set->memory, size, 1);
    TRY(require_memory(error, set->owned[which]));
    if (size > 0)
        memcpy(set->owned[which], bytes, size);
    return LB_OK;
}

lb_status arrays_keep_npy(named_arrays *set, int which, const void *npy, size_t size,
                          lb_error *error)
{
    lb_error why = {.status = LB_OK};
    TRY(take_copy(set, which, npy, size, error));
    lb_status status = npy_parse(set->owned[which], size, &set->arrays[which], &why);
    return status == LB_OK ? LB_OK : arrays_refuse(set, which, status, why.message, error);
}

lb_status arrays_keep_file(named_arrays *set, const char *name, const void *bytes, size_t size,
                           lb_error *error)
{
    int which = text_ends(name, ".npy", false) ? arrays_find(set, name, strlen(name) - 4) : -1;
    return which < 0 ? LB_OK : arrays_keep_npy(set, which, bytes, size, error);
}

lb_status arrays_copy(named_arrays *set, int which, const npy_array *array, lb_error *error)
{
    TRY(take_copy(set, which, array->bytes, array->count * npy_item(array), error));
    set->arrays[which] = *array;
    set->arrays[which].bytes = set->owned[which];
    return LB_OK;
}

/* ---- what is in them ------------------------------------------------------ */

lb_status arrays_check(const named_arrays *set, int which, bool numbers, lb_error *error)
{
    if (!arrays_has(set, which))
        return arrays_refuse(set, which, LB_NOT_FOUND, "there is no such array in the file", error);
    if ((set->arrays[which].type[1] != 'U') != numbers)
        return arrays_refuse(
            set, which, LB_BAD_VALUE,
            numbers ? "it has texts instead of numbers" : "it has numbers, not names", error);
    return LB_OK;
}

lb_status arrays_rate(const named_arrays *set, int which, double *rate, lb_error *error)
{
    TRY(arrays_check(set, which, true, error));
    const npy_array *array = &set->arrays[which];
    *rate = array->count == 1 ? npy_element(array, 0) : 0;
    return *rate > 1e-9 && *rate < 1e9
               ? LB_OK
               : arrays_refuse(set, which, LB_BAD_VALUE, "it is not one number of frames a second",
                               error);
}

lb_status arrays_check_frames(const named_arrays *set, int which, int dimensions, size_t least,
                              size_t most, int *frames, lb_error *error)
{
    const npy_array *array = &set->arrays[which];
    TRY(arrays_check(set, which, true, error));
    if (*frames == 0 && array->shape[0] <= INT_MAX)
        *frames = (int)array->shape[0];
    size_t columns = *frames > 0 ? array->count / (size_t)*frames : 0;
    if (*frames > 0 && array->dimensions > 1 && array->dimensions <= dimensions &&
        array->shape[0] == *frames && columns >= least && columns <= most)
        return LB_OK;
    return REFUSE_VALUE(
        error, "%s: its shape is (%lld, %lld), where %d frames of %zu numbers%s are wanted",
        set->names[which], (long long)array->shape[0], (long long)array->shape[1], *frames, least,
        most > least ? " or some more" : "");
}

lb_status arrays_row(const named_arrays *set, int which, int row, size_t first, int count,
                     double *out, lb_error *error)
{
    const npy_array *array = &set->arrays[which];
    size_t columns = array->count / (size_t)array->shape[0];
    for (int i = 0; i < count; i++) {
        out[i] = npy_element(array, (size_t)row * columns + first + (size_t)i);
        if (!(fabs(out[i]) <= LB_LENGTH_MAX))
            return REFUSE_VALUE(error, "%s: frame %d has what is no number below 1e15",
                                set->names[which], row);
    }
    return LB_OK;
}

lb_status arrays_check_unit(const named_arrays *set, int which, int row, const double quat[4],
                            lb_error *error)
{
    double size = 0;
    for (int i = 0; i < 4; i++)
        size += quat[i] * quat[i];
    // floats leave less
    return fabs(size - 1) < 0.02 ? LB_OK
                                 : REFUSE_VALUE(error, "%s: frame %d: a quaternion of length %.3g",
                                                set->names[which], row, sqrt(size));
}
