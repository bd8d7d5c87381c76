/* bvh.c - captures of Biovision's format. */
#include "../binding.h"
#include "output.h"

#include <limber/formats/bvh.h>

/* unit 0: recognised; up as lb_bvh_up, rest as lb_bvh_rest; NULL on failure */
lb_bvh *EXPORT(bvh_load)(const char *name, const char *text, int size, double unit, int up,
                         int rest, int rest_index, int strict)
{
    lb_bvh *bvh = NULL;
    lb_bvh_options options = {.load = binding_load(strict), .unit = unit, .up = (lb_bvh_up)up};
    options.rest = (lb_bvh_rest)rest;
    options.rest_index = rest_index;
    lb_bvh_load_memory(name, text, (size_t)size, &options, &bvh, &binding_error);
    return bvh;
}

/* of any motion; NULL on failure */
lb_bvh *EXPORT(bvh_make)(const lb_clip *clip, double unit, int up)
{
    lb_bvh *bvh = NULL;
    lb_bvh_options options = {.unit = unit, .up = (lb_bvh_up)up};
    lb_bvh_make(clip, &options, &bvh, &binding_error);
    return bvh;
}

/* the poses of `clip`, NULL: its own; 0, or a status with its message */
int EXPORT(bvh_write)(const lb_bvh *bvh, const lb_clip *clip)
{
    output_begin();
    return (int)lb_bvh_write(bvh, clip, output_write, NULL, NULL, &binding_error);
}
