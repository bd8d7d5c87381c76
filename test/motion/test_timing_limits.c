/*
 * test_timing_limits.c - limits that joints have from those that follow them, and how much memory
 * a path with many corners takes.
 */
#include <limber/timing.h>

#include "rest_to_rest.h"
#include "support.h"

/* slides along x and y, the second twice as far as the first and backwards where it follows it */
static lb_model *make_slides(bool follows)
{
    static const char *const names[] = {"base", "x", "y"};
    lb_joint joints[2];
    for (int i = 0; i < 2; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_PRISMATIC;
        joints[i].name = names[i + 1];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].axis = lb_vec3_make(i == 0, i == 1, 0);
        joints[i].velocity = 0.7;
    }
    joints[1].mimic = follows ? "x" : NULL;
    joints[1].multiplier = -2;
    return test_make("slides", NULL, 0, joints, 2);
}

static lb_path *make_path(const lb_transform *points, int count)
{
    lb_path_source source = {.points = points, .count = count};
    lb_path *path;
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    return path;
}

/* limits of a mimic joint are those of what it follows, so many times smaller */
TEST(mimic_joints_limit_what_they_follow)
{
    owned_model *model = make_slides(true);
    const lb_transform points[2] = {LB_TRANSFORM_IDENTITY, lb_transform_translation(0.3, -0.6, 0)};
    owned_path *path = make_path(points, 2);
    lb_timing how = lb_timing_default(lb_task_make(2, LB_WORLD, LB_TASK_POSITION), path);
    lb_joint_setting setting = lb_joint_setting_make(1);
    setting.acceleration = 1;
    setting.jerk = 20;
    how.follow.options.joints = &setting;
    how.follow.options.joint_count = 1;
    // by the model's speed of the second joint, and then the setting's
    for (int i = 0; i < 2; i++) {
        double start[1] = {0}, shortest = rest_to_rest(0.3, i ? 0.1 : 0.35, 0.5, 10);
        owned_clip *clip = NULL;
        lb_timing_result result;
        setting.velocity = i ? 0.2 : INFINITY;
        assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
        if (result.duration < shortest * (1 - 1e-9) || result.duration > 1.01 * shortest + 1e-3)
            fail_msg("%g s, the shortest are %g s", result.duration, shortest);
    }
}

/* What is allocated, and the most at a time. */
typedef struct usage {
    size_t now, most;
} usage;

enum { HEAD = 64 }; /* before each block: its size */

static void *allocate(void *user, size_t size)
{
    usage *u = user;
    char *block = malloc(HEAD + size);
    if (block == NULL)
        return NULL;
    memcpy(block, &size, sizeof size);
    u->now += size;
    u->most = u->now > u->most ? u->now : u->most;
    return block + HEAD;
}

static void release(void *user, void *memory)
{
    usage *u = user;
    size_t size;
    if (memory == NULL)
        return;
    memcpy(&size, (char *)memory - HEAD, sizeof size);
    u->now -= size;
    free((char *)memory - HEAD);
}

enum { MOST_SPANS = 48 };

/* the most bytes at a time for a zigzag of so many spans, but for the clip's keys */
static size_t bytes_for(const lb_model *model, int spans)
{
    lb_transform points[MOST_SPANS + 1];
    for (int i = 0; i <= spans; i++)
        points[i] = lb_transform_translation(0.01 * i, 0.01 * (i % 2), 0);
    lb_path *path = make_path(points, spans + 1);
    lb_timing how = lb_timing_default(lb_task_make(2, LB_WORLD, LB_TASK_POSITION), path);
    usage used = {0};
    double start[2] = {0};
    lb_allocator counting = {allocate, release, &used};
    lb_clip *clip;
    lb_timing_result result;
    assert_ok(lb_timing_make(model, &how, start, &counting, &clip, &result, NULL));
    assert_int_equal(result.stops, spans - 1);
    lb_clip_release(clip);
    lb_path_release(path);
    assert_int_equal(used.now, 0);
    return used.most - (size_t)result.samples * 3 * sizeof(double);
}

/* what timing.h states; what solving for one part needs is not kept for each */
TEST(corners_need_what_is_stated)
{
    owned_model *model = make_slides(false);
    size_t few = bytes_for(model, MOST_SPANS / 2), many = bytes_for(model, MOST_SPANS);
    size_t stated = (36 + 2 * 4) * 1024, each = (many - few) / (MOST_SPANS / 2);
    print_message("%zu bytes a corner, %zu are stated\n", each, stated);
    assert_true(each <= stated);
}
