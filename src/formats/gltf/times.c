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
    if (list->count == list->room) {
        int room = list->room < 512 ? 1024 : 2 * list->room;
        double *larger = memory_take(&list->memory, (size_t)room, sizeof *larger);
        TRY(require_memory(list->error, larger));
        for (int i = 0; i < list->count; i++)
            larger[i] = list->times[i];
        memory_release(&list->memory, list->times);
        list->times = larger;
        list->room = room;
    }
    list->times[list->count++] = time;
    return LB_OK;
}

void gltf_times_release(gltf_times *list)
{
    memory_release(&list->memory, list->times);
    list->times = NULL;
    list->count = list->room = 0;
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
    lb_status status = LB_OK;
    list->animation = index;
    // for each accessor, whether its keys were taken as times and as those of steps
    unsigned char *seen = memory_take(&list->memory, (size_t)gltf->accessor_count, 1);
    TRY(require_memory(list->error, seen));
    list->stepping = animation->count > 0;
    for (int c = 0; c < animation->count; c++)
        list->stepping = list->stepping && channels[c].kind == GLTF_STEP;
    for (int c = 0; c < animation->count && status == LB_OK; c++) {
        bool steps = channels[c].kind == GLTF_STEP;
        unsigned char bit = steps ? 2 : 1;
        if ((seen[channels[c].times] & bit) == 0)
            status = add_keys(list, &gltf->accessors[channels[c].times], steps);
        seen[channels[c].times] |= bit;
    }
    memory_release(&list->memory, seen);
    if (status == LB_OK && animation->count == 0)
        status = gltf_times_add(list, 0);
    if (status == LB_OK)
        sort_times(list);
    return status;
}
