/*
 * check_pairs.c - how near each pair of links comes over a clip.
 *
 * Both lists, what lb_collision_near finds in a key and all pairs, are in the same order.
 */
#include "motion/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "collision/layout.h"

#include <limber/check.h>

static void note(lb_check_pair *pair, double distance, int key)
{
    pair->near++;
    pair->touching += distance <= 0;
    if (distance < pair->distance) {
        pair->distance = distance;
        pair->key = key;
    }
}

/* adds what was found in one key, by going along both lists */
static void add_key(const lb_collision *collision, const lb_proximity *found, int count, int key,
                    lb_check_pair *pairs)
{
    int pair = 0, a, b;
    for (int i = 0; i < count; i++) {
        lb_collision_pair_at(collision, pair, &a, &b);
        while (a != found[i].body_a || b != found[i].body_b)
            lb_collision_pair_at(collision, ++pair, &a, &b);
        note(&pairs[pair], found[i].distance, key);
    }
}

lb_status lb_clip_check_pairs(const lb_clip *clip, lb_collision *collision, double margin,
                              const lb_allocator *allocator, lb_check_pair *pairs, lb_error *error)
{
    lb_status status = REQUIRE(error, {clip, "clip"}, {collision, "collision"}, {pairs, "pairs"});
    if (status != LB_OK)
        return status;
    if (!(margin >= 0 && margin <= LB_LENGTH_MAX))
        return lb_error_set(error, LB_BAD_VALUE, 0, "margin %g must be 0 to %g", margin,
                            LB_LENGTH_MAX);
    if (collision->model != lb_clip_model(clip))
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0, "collision is of another model");
    int count = lb_collision_pair_count(collision);
    lb_allocator memory = memory_allocator(allocator);
    lb_proximity *found = memory_take(&memory, (size_t)count, sizeof *found);
    if (found == NULL)
        return error_out_of_memory(error);
    for (int i = 0; i < count; i++)
        pairs[i] = (lb_check_pair){.distance = INFINITY, .key = -1};
    for (int key = 0; key < clip->count; key++) {
        int near = lb_collision_near(collision, clip_key(clip, key), margin, count, found);
        add_key(collision, found, near, key, pairs);
    }
    memory_release(&memory, found);
    return LB_OK;
}
