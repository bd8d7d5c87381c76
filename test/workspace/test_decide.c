/*
 * test_decide.c - bounds of what a tool reaches: no configuration is beyond them.
 */
#include <limber/limber.h>

#include "base/memory.h"
#include "support_load.h"
#include "workspace/probe.h"

/* the farthest that a wrist gets from the shoulder in random configurations, and its bound */
static double farthest(const char *name, const char *tip, const char *base, double *bound)
{
    lb_model *model = test_load(name);
    lb_task task = lb_task_make(lb_model_find_link(model, tip),
                                base ? lb_model_find_link(model, base) : LB_WORLD, LB_TASK_POSE);
    task.tool = lb_transform_from_quat(lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), 0.4),
                                       lb_vec3_make(0.02, 0.01, 0.1));
    lb_allocator memory = memory_allocator(NULL);
    decide_wrist wrist;
    assert_int_equal(decide_find_wrist(model, &task, &memory, &wrist), LB_OK);
    lb_state *state = test_state(model);
    lb_random random = test_seed(23);
    double q[32], most = 0;
    for (int i = 0; i < 20000 && isfinite(wrist.radius); i++) {
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        lb_transform link = lb_state_transform(state, task.base, task.tip);
        lb_transform tool = lb_transform_multiply(&link, &task.tool);
        lb_vec3 place = lb_transform_point(&tool, wrist.point);
        most = fmax(most, lb_vec3_length(lb_vec3_sub(place, wrist.shoulder)));
    }
    lb_state_release(state);
    lb_model_release(model);
    *bound = wrist.radius;
    return most;
}

/* nothing is beyond, and the bound is no idle one: some configuration is near it */
TEST(no_wrist_is_beyond_its_bound)
{
    static const struct {
        const char *name, *tip, *base;
        double near; /* share of the bound that some configuration reaches */
    } robots[] = {{"panda", "panda_hand", NULL, 0.98},
                  {"panda", "panda_hand", "panda_link2", 0.9},
                  {"iiwa14", NULL, NULL, 0.98},
                  {"ur5", "tool0", NULL, 0.9},
                  {"puma560", "flange", NULL, 0.8}};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        owned_model *model = test_load(robots[i].name);
        const char *tip = robots[i].tip;
        int last = lb_model_link_count(model) - 1;
        double bound, most = farthest(robots[i].name, tip ? tip : lb_model_link(model, last)->name,
                                      robots[i].base, &bound);
        if (!(most <= bound + 1e-12) || !(most > robots[i].near * bound))
            fail_msg("%s: %.6f m of %.6f m", robots[i].name, most, bound);
    }
    // a Panda's forearm and upper arm, stretched, and the 88 mm beside its last joint
    double bound;
    farthest("panda", "panda_hand", NULL, &bound);
    double links = sqrt(0.316 * 0.316 + 0.0825 * 0.0825) + sqrt(0.384 * 0.384 + 0.0825 * 0.0825);
    assert_true(fabs(bound - links - 0.088) < 1e-6);
}

/* joints that slide, and a base that is not between root and tip, have none */
TEST(some_chains_have_no_bound)
{
    double bound;
    farthest("stanford", "tool", NULL, &bound);
    assert_true(isinf(bound));
    farthest("panda", "panda_link4", "panda_hand", &bound);
    assert_true(isinf(bound));
}
