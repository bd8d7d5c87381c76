/* bvh.c - captures of Biovision's format. */
#include "../binding.h"
#include "output.h"

#include <limber/formats/bvh.h>

/*
 * joints, channels, frames, frame time, unit, up (1: x, 2: y, 3: z), whether unit and up are
 * recognised, whether there is a rest pose before the motion, and which frame it is
 */
enum { INFO_NUMBERS = 10 };

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

void EXPORT(bvh_release)(lb_bvh *bvh)
{
    lb_bvh_release(bvh);
}

/* owned by the capture */
const lb_model *EXPORT(bvh_model)(const lb_bvh *bvh)
{
    return lb_bvh_model(bvh);
}

/* owned by the capture; NULL: it has no frames */
const lb_clip *EXPORT(bvh_clip)(const lb_bvh *bvh)
{
    return lb_bvh_clip(bvh);
}

void EXPORT(bvh_info)(const lb_bvh *bvh, double *out)
{
    lb_bvh_info info = lb_bvh_describe(bvh);
    const double numbers[INFO_NUMBERS] = {info.joints,          info.channels,      info.frames,
                                          info.frame_time,      info.unit,          (double)info.up,
                                          info.unit_recognised, info.up_recognised, info.rest_frame,
                                          info.rest_index};
    for (int i = 0; i < INFO_NUMBERS; i++)
        out[i] = numbers[i];
}

const char *EXPORT(bvh_unit_name)(const lb_bvh *bvh)
{
    return lb_bvh_describe(bvh).unit_name;
}

/* the poses of `clip`, NULL: its own; 0, or a status with its message */
int EXPORT(bvh_write)(const lb_bvh *bvh, const lb_clip *clip)
{
    output_begin();
    return (int)lb_bvh_write(bvh, clip, output_put, NULL, NULL, &binding_error);
}
