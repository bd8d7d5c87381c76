/*
 * test_bvh_up.c - the up axis and the unit of motions in which a figure falls, crawls or turns
 * over, whatever its skeleton's zero pose is.
 */
#include <limber/formats/bvh.h>

#include "motion/turned.h"
#include "motion/walker.h"

#include <limber/kinematics.h>

enum { SECONDS = 8, RATE = 30, SEEDS = 8 };

/* the rotation of the whole figure at a share of the motion */
typedef lb_quat posing(double share);

static lb_quat about(double x, double y, double angle)
{
    return lb_quat_from_axis_angle(lb_vec3_make(x, y, 0), angle);
}

static lb_quat walks(double share)
{
    return about(0, 1, 0 * share);
}

/* upright for the first third, then within some tenths of a second on its back */
static lb_quat falls(double share)
{
    return about(0, 1, -0.5 * LB_PI * fmin(1, fmax(0, 8 * (share - 0.35))));
}

static lb_quat crawls(double share)
{
    return about(0, 1, 0.5 * LB_PI + 0 * share);
}

/* two cartwheels to the left, which is where it goes */
static lb_quat turns_over(double share)
{
    return about(1, 0, -4 * LB_PI * share);
}

typedef struct posed_keys {
    const lb_model *model;
    posing *posing;
    lb_state *state;
} posed_keys;

/* the lowest joint is on the ground */
static bool posed_key(void *user, int key, double *time, double *q)
{
    const posed_keys *p = user;
    double share = (double)key / (SECONDS * RATE), lowest = INFINITY;
    *time = (double)key / RATE;
    walker_at(p->model, WALKER_T, *time, q);
    lb_quat turn = p->posing(share);
    memcpy(q + 3, (double[]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
    if (p->posing == turns_over)
        q[0] = 0, q[1] = 4 * share;
    lb_state_update(p->state, q);
    for (int i = 1; i < lb_model_link_count(p->model); i++)
        lowest = fmin(lowest, lb_state_transforms(p->state)[i].p.z);
    q[2] -= lowest;
    return true;
}

typedef struct grown {
    char text[1 << 20];
    size_t size;
} grown;

static bool add(void *user, const void *text, size_t size)
{
    grown *to = user;
    assert_true(to->size + size <= sizeof to->text);
    memcpy(to->text + to->size, text, size);
    to->size += size;
    return true;
}

/* the file of a motion by links that are turned at random; 0: as they are */
static void assert_up_is_y(const lb_clip *clip, uint64_t seed)
{
    lb_quat turns[TURNED_JOINTS];
    turned_at_random(seed, turns);
    for (int i = 0; i < TURNED_JOINTS && seed == 0; i++)
        turns[i] = LB_QUAT_IDENTITY;
    owned_model *model = turned_model(lb_clip_model(clip), turns);
    owned_clip *turned = turned_clip(clip, model, turns);
    owned_bvh *made = NULL, *read = NULL;
    static grown file;
    file.size = 0;
    assert_made(lb_bvh_make(turned, NULL, &made, &cause), cause);
    assert_ok(lb_bvh_write(made, NULL, add, &file, NULL, &cause));
    assert_made(lb_bvh_load_memory("m.bvh", file.text, file.size, NULL, &read, &cause), cause);
    lb_bvh_info info = lb_bvh_describe(read);
    if (!info.up_recognised || info.up != LB_BVH_UP_Y)
        fail_msg("turned by seed %d: up is %s", (int)seed, lb_bvh_up_text(info.up));
    assert_true(info.unit_recognised);
    assert_near(info.unit, 0.01, 0);
}

TEST(the_ground_says_what_is_up)
{
    static posing *const all[] = {walks, falls, crawls, turns_over};
    owned_model *figure = walker_model(WALKER_T);
    for (int i = 0; i < 4; i++) {
        owned_state *state = test_state(figure);
        posed_keys keys = {figure, all[i], state};
        owned_clip *clip = test_clip_generate(figure, SECONDS * RATE + 1, posed_key, &keys);
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            assert_up_is_y(clip, seed);
    }
}
