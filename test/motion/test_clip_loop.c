/*
 * test_clip_loop.c - mirrored clips against mirrored frames of every link, and loops that join.
 */
#include <limber/clip.h>
#include <limber/kinematics.h>

#include "support_load.h"

enum { KEYS = 12, MOST_NQ = 90 };

/* `human` with a root that moves */
static lb_model *load_human(lb_joint_kind root)
{
    lb_model *fixed = test_load("human"), *model = test_with_root(fixed, root);
    lb_model_release(fixed);
    return model;
}

/* the link of that name on the other side */
static int other_side(const lb_model *model, int link)
{
    const char *name = lb_model_link(model, link)->name;
    char other[64];
    if (strncmp(name, "left", 4) == 0)
        snprintf(other, sizeof other, "right%s", name + 4);
    else if (strncmp(name, "right", 5) == 0)
        snprintf(other, sizeof other, "left%s", name + 5);
    else
        return link;
    return lb_model_find_link(model, other);
}

/* M T M for the plane y = 0 */
static lb_transform reflected(lb_transform t)
{
    t.x.y = -t.x.y, t.z.y = -t.z.y, t.p.y = -t.p.y;
    t.y.x = -t.y.x, t.y.z = -t.y.z;
    return t;
}

TEST(links_are_where_the_mirror_shows_them)
{
    lb_random random = test_seed(8);
    owned_model *model = load_human(LB_JOINT_FLOATING);
    owned_clip *clip = test_random_clip(model, KEYS, &random), *mirrored = NULL, *again = NULL;
    owned_state *a = test_state(model);
    owned_state *b = test_state(model);
    assert_ok(lb_clip_mirror(clip, NULL, &mirrored, NULL));
    assert_ok(lb_clip_mirror(mirrored, NULL, &again, NULL));
    for (int i = 0; i < KEYS; i++) {
        lb_state_update(a, lb_clip_key(clip, i));
        lb_state_update(b, lb_clip_key(mirrored, i));
        for (int link = 0; link < lb_model_link_count(model); link++) {
            lb_transform wanted = reflected(lb_state_transforms(a)[other_side(model, link)]);
            assert_transform_near(&lb_state_transforms(b)[link], &wanted, 1e-9);
        }
        double v[MOST_NQ];
        lb_configuration_difference(model, lb_clip_key(clip, i), lb_clip_key(again, i), v);
        for (int k = 0; k < lb_model_nv(model); k++)
            assert_near(v[k], 0, 1e-9);
    }
}

TEST(a_model_without_sides_is_refused)
{
    lb_random random = test_seed(1);
    owned_model *model = test_load("panda");
    lb_clip *clip = test_random_clip(model, KEYS, &random), *mirrored = NULL;
    assert_refused(lb_clip_mirror(clip, NULL, &mirrored, &cause), LB_BAD_MODEL, &cause, "left_");
    assert_null(mirrored);
    lb_clip_release(clip);
}

/* each round is the one before, moved along the ground; and the joint is where both meet */
static void check_rounds(const lb_model *model, const lb_clip *clip, const lb_clip *loop, int count)
{
    owned_state *s = test_state(model);
    lb_transform first[100], move = LB_TRANSFORM_IDENTITY;
    int links = lb_model_link_count(model), gaps = KEYS - 1;
    assert_int_equal(lb_clip_count(loop), gaps * count + 1);
    for (int i = 0; i < gaps; i++) {
        lb_state_update(s, lb_clip_key(loop, i));
        memcpy(first, lb_state_transforms(s), sizeof *first * (size_t)links);
        for (int r = 1; r <= count; r++) {
            if (i > 0 && r == count)
                break;
            lb_state_update(s, lb_clip_key(loop, i + r * gaps));
            const lb_transform *now = lb_state_transforms(s);
            lb_transform back = lb_transform_inverse(&first[1]);
            if (r == 1 && i == 0)
                move = lb_transform_multiply(&now[1], &back);
            for (int l = 1; r == 1 && l < links; l++) {
                lb_transform wanted = lb_transform_multiply(&move, &first[l]);
                assert_transform_near(&now[l], &wanted, 1e-9);
            }
        }
    }
    // along the ground, and about z
    assert_near(move.p.z, 0, 1e-9);
    assert_near(move.z.z, 1, 1e-9);
    assert_near(lb_clip_end(loop) - lb_clip_begin(loop),
                count * (lb_clip_end(clip) - lb_clip_begin(clip)), 1e-9);
}

TEST(rounds_join_without_a_jump)
{
    lb_random random = test_seed(2);
    const lb_joint_kind roots[] = {LB_JOINT_FIXED, LB_JOINT_PLANAR, LB_JOINT_FLOATING};
    for (int i = 0; i < 3; i++) {
        owned_model *model = load_human(roots[i]);
        owned_clip *clip = test_random_clip(model, KEYS, &random), *loop = NULL;
        assert_ok(lb_clip_loop(clip, 3, 0.4, NULL, &loop, NULL));
        check_rounds(model, clip, loop, 3);
    }
}

TEST(wrong_loops_are_refused)
{
    lb_random random = test_seed(2);
    owned_model *model = test_single(LB_JOINT_REVOLUTE);
    lb_clip *clip = test_random_clip(model, KEYS, &random), *loop = NULL;
    assert_int_equal(lb_clip_loop(clip, 0, 0.1, NULL, &loop, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_loop(clip, LB_CLIP_KEYS_MAX, 0.1, NULL, &loop, NULL),
                     LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_loop(clip, 1, 0, NULL, &loop, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_loop(clip, 1, 9, NULL, &loop, NULL), LB_INVALID_ARGUMENT);
    assert_null(loop);
    lb_clip_release(clip);
}
