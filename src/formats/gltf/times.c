/*
 * times.c - the times at which the curves of an animation have keys.
 *
 * Each array of keys counts once, however many channels share it. A step among other curves has a
 * second time just before it, at which its value still holds.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>

lb_status gltf_times_add(gltf_times *list, double time)
{
    if (list->count == list->most)
        return REFUSE_UNSUPPORTED(
            list->error, "animation %d: a clip of it has more than %d keys, far more than the file",
            list->animation, list->most);
    size_t count = (size_t)list->count;
    double *times =
        memory_grow(&list->memory, list->times, count, &list->room, count + 1, sizeof *times);
    TRY(require_memory(list->error, times));
    list->times = times;
    list->times[list->count++] = time;
    return LB_OK;
}

/* the largest time that is surely less */
static double just_before(double time)
{
    return time == 0 ? -1e-300 : time - fabs(time) * 2.3e-16;
}

/* the times of one array of keys */
static lb_status add_keys(gltf_times *list, const gltf_accessor *times, bool steps)
{
    for (int i = 0; i < times->count; i++) {
        double time = gltf_number(times, i);
        if (steps && !list->stepping && i > 0)
            TRY(gltf_times_add(list, just_before(time)));
        TRY(gltf_times_add(list, time));
    }
    return LB_OK;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_times(gltf_times *list)
{
    qsort(list->times, (size_t)list->count, sizeof *list->times, compare_times);
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (kept == 0 || list->times[i] > list->times[kept - 1])
            list->times[kept++] = list->times[i];
    list->count = kept;
}

lb_status gltf_times_collect(gltf_times *list, const lb_gltf *gltf, int index)
{
    const gltf_animation *animation = &gltf->animations[index];
    const gltf_channel *channels = gltf->channels + animation->first;
    list->animation = index;
    list->count = 0;
    // for each accessor, whether its keys were taken as times and as those of steps
    unsigned char *seen = memory_take(&list->memory, (size_t)gltf->accessor_count, 1);
    TRY(require_memory(list->error, seen));
    list->stepping = animation->count > 0;
    for (int c = 0; c < animation->count; c++)
        list->stepping = list->stepping && channels[c].kind == GLTF_STEP;
    for (int c = 0; c < animation->count; c++) {
        bool steps = channels[c].kind == GLTF_STEP;
        unsigned char bit = steps ? 2 : 1;
        if ((seen[channels[c].times] & bit) == 0)
            TRY(add_keys(list, &gltf->accessors[channels[c].times], steps));
        seen[channels[c].times] |= bit;
    }
    // there may be many animations
    memory_release(&list->memory, seen);
    if (animation->count == 0)
        TRY(gltf_times_add(list, 0));
    sort_times(list);
    return LB_OK;
}
