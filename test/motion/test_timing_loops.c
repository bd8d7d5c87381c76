/*
 * test_timing_loops.c - timed paths of platforms on legs, whose balls and rods follow from loops.
 */
#include <limber/limber.h>
#include <math.h>

#include "owned.h"
#include "support_load.h"

/* metres that loops may be open and the tool be off the path */
#define OFF 1e-6
/* limits of the drives: a second, its square, its cube */
static const double limits[3] = {0.5, 3, 50};

/* the largest distance of the two points that a loop's ball holds together */
static double loops_open(const lb_model *model, const double *q)
{
    lb_transform links[64];
    double most = 0;
    test_forward(model, q, links);
    for (int i = 0; i < lb_model_loop_count(model); i++) {
        const lb_loop *loop = lb_model_loop(model, i);
        const lb_transform *a = &links[lb_model_find_link(model, loop->first)];
        const lb_transform *b = &links[lb_model_find_link(model, loop->second)];
        most = fmax(most, lb_vec3_length(lb_vec3_sub(lb_transform_point(a, loop->first_frame.p),
                                                     lb_transform_point(b, loop->second_frame.p))));
    }
    return most;
}

/* the largest share of a limit that a drive uses, by differences of keys; rest before and after */
static double largest_share(const lb_clip *clip, int q)
{
    double v[4] = {0}, most = 0;
    for (int i = 0; i < 4; i++)
        v[i] = lb_clip_key(clip, 0)[q];
    for (int k = 1; k < lb_clip_count(clip) + 3; k++) {
        const int last = lb_clip_count(clip) - 1;
        memmove(v, v + 1, 3 * sizeof *v);
        v[3] = lb_clip_key(clip, k < last ? k : last)[q];
        most = fmax(most, fabs(v[3] - v[2]) * 1e3 / limits[0]);
        most = fmax(most, fabs(v[3] - 2 * v[2] + v[1]) * 1e6 / limits[1]);
        most = fmax(most, fabs(v[3] - 3 * v[2] + 3 * v[1] - v[0]) * 1e9 / limits[2]);
    }
    return most;
}

/* times a line of the platform, turned on the way if the task is a pose */
static void time_line(const char *name, lb_task_kind kind)
{
    owned_model *model = test_load(name);
    owned_assembly *assembly = NULL;
    lb_task task = lb_task_make(lb_model_find_link(model, "platform"), 0, kind);
    assert_made(lb_assembly_create(model, NULL, 0, NULL, &assembly, &cause), cause);
    const double *rest = lb_assembly_rest(assembly);
    lb_transform points[2] = {test_task_tool(model, &task, rest)};
    points[1] = lb_transform_from_quat(lb_quat_from_rpy(0, kind == LB_TASK_POSE ? 0.1 : 0, 0.2),
                                       lb_vec3_add(points[0].p, lb_vec3_make(0.06, 0.04, -0.03)));
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    owned_path *path = NULL;
    assert_made(lb_path_create(&source, NULL, &path, &cause), cause);
    lb_timing how = lb_timing_default(task, path);
    lb_joint_setting drives[6];
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (strncmp(lb_model_joint(model, j)->name, "drive", 5) == 0 ||
            strncmp(lb_model_joint(model, j)->name, "length", 6) == 0) {
            lb_joint_setting *s = &drives[how.follow.options.joint_count++];
            *s = lb_joint_setting_make(j);
            s->velocity = limits[0], s->acceleration = limits[1], s->jerk = limits[2];
        }
    how.follow.options.joints = drives;
    owned_clip *clip = NULL;
    lb_timing_result result;
    assert_made(lb_timing_make(model, &how, rest, NULL, &clip, &result, &cause), cause);
    assert_int_equal(result.outcome, LB_REACHED);
    double share = 0;
    for (int i = 0; i < how.follow.options.joint_count; i++)
        share = fmax(share, largest_share(clip, lb_model_joint_q(model, drives[i].joint)));
    assert_true(share <= 1 + 1e-5 && share > 0.97);
    lb_vec3 way = lb_vec3_normalize(lb_vec3_sub(points[1].p, points[0].p), points[0].p);
    for (int k = 0; k < lb_clip_count(clip); k++) {
        const double *q = lb_clip_key(clip, k);
        lb_vec3 at = lb_vec3_sub(test_task_tool(model, &task, q).p, points[0].p);
        assert_true(loops_open(model, q) < OFF);
        assert_true(lb_vec3_length(lb_vec3_cross(at, way)) < OFF);
        assert_ok(lb_configuration_validate(model, q, 1e-9, &cause));
    }
    lb_transform end = test_task_tool(model, &task, lb_clip_key(clip, lb_clip_count(clip) - 1));
    assert_near(lb_transform_distance(&end, &points[1]), 0, OFF);
    if (kind == LB_TASK_POSE)
        assert_near(lb_transform_angle(&end, &points[1]), 0, OFF);
}

TEST(a_delta_is_timed_by_its_drives)
{
    time_line("delta", LB_TASK_POSITION);
}

TEST(a_stewart_platform_is_timed_by_its_legs)
{
    time_line("stewart", LB_TASK_POSE);
}
