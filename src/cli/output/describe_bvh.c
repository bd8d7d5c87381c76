/*
 * describe_bvh.c - the motion of a BVH file in words.
 */
#include "cli/output/describe.h"

static void describe_unit(const lb_bvh_info *info, FILE *stream)
{
    fprintf(stream, "unit: %.6g m", info->unit);
    if (*info->unit_name != '\0')
        fprintf(stream, " (%s)", info->unit_name);
    fprintf(stream, ", %s\n",
            info->unit_recognised ? "by the size of the figure" : "given or assumed");
}

void describe_bvh(const lb_bvh *bvh, FILE *stream)
{
    lb_bvh_info info = lb_bvh_describe(bvh);
    fprintf(stream, "motion: %d frame%s of %.12g s", info.frames, info.frames == 1 ? "" : "s",
            info.frame_time);
    if (info.frames > 1)
        fprintf(stream, " (%.5g a second), together %.5g s", 1 / info.frame_time,
                (info.frames - 1) * info.frame_time);
    fprintf(stream, "; %d channels of %d joints\n", info.channels, info.joints);
    describe_unit(&info, stream);
    fprintf(stream, "up: %s, %s\n", lb_bvh_up_text(info.up),
            info.up_recognised ? "from the feet to the hips" : "given or assumed");
    if (info.rest_frame)
        fputs("frame 0 is a rest pose; the motion begins with frame 1\n", stream);
}
