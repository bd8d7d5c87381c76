/*
 * bvh.c - what an lb_bvh is read for, and its end.
 */
#include "formats/bvh/bvh.h"

#include "base/memory.h"
#include "base/text.h"

const char *lb_bvh_channel_text(lb_bvh_channel channel)
{
    static const char *const texts[] = {LB_BVH_CHANNEL_LIST(LIST_TEXT)};
    return channel < LB_BVH_CHANNEL_COUNT ? texts[channel] : "";
}

const char *lb_bvh_up_text(lb_bvh_up up)
{
    static const char *const texts[] = {LB_BVH_UP_LIST(LIST_TEXT)};
    return up < LB_BVH_UP_COUNT ? texts[up] : "";
}

lb_bvh_options lb_bvh_options_default(void)
{
    return (lb_bvh_options){.unit = 0};
}

void lb_bvh_release(lb_bvh *bvh)
{
    if (bvh == NULL)
        return;
    lb_clip_release(bvh->tail);
    lb_clip_release(bvh->clip);
    lb_model_release(bvh->model);
    memory_pool_release(bvh);
}

/* ---- what it is --------------------------------------------------------- */

lb_bvh_info lb_bvh_describe(const lb_bvh *bvh)
{
    return bvh->info;
}

const lb_model *lb_bvh_model(const lb_bvh *bvh)
{
    return bvh->model;
}

const lb_clip *lb_bvh_clip(const lb_bvh *bvh)
{
    return bvh->clip;
}

const lb_clip *lb_bvh_motion(const lb_bvh *bvh)
{
    return bvh->tail != NULL ? bvh->tail : bvh->clip;
}

const double *lb_bvh_rest_pose(const lb_bvh *bvh)
{
    return bvh->tail != NULL && bvh->info.rest_given ? lb_clip_key(bvh->clip, bvh->info.rest_index)
                                                     : NULL;
}

const double *lb_bvh_row(const lb_bvh *bvh, int frame)
{
    return frame >= 0 && frame < bvh->frames ? &bvh->rows[(size_t)frame * (size_t)bvh->channels]
                                             : NULL;
}
