/* test_seed_table.c - the table of starts: what it finds for goals that its own samples reach. */
#include "ik/search/seed_table.h"
#include "ik/solver.h"

#include <limber/formats/load.h>

#include "support.h"

enum { GOALS = 200, MOST = 16 };

static const char *const robots[] = {"ur5",     "panda",   "iiwa14",   "kr6",
                                     "crx10ia", "puma560", "stanford", "scara"};

/* a robot's solver for the pose of its first tip, without what it is reduced from */
typedef struct robot {
    lb_model *model;
    lb_ik *ik;
} robot;

static robot open_robot(const char *name)
{
    robot r;
    int tips[MOST];
    assert_int_equal(lb_load(name, NULL, &r.model, NULL), LB_OK);
    lb_model_tips(r.model, tips);
    lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    assert_int_equal(lb_ik_create(r.model, &task, 1, NULL, NULL, &r.ik, NULL), LB_OK);
    return r;
}

static void close_robot(robot *r)
{
    lb_ik_release(r->ik);
    lb_model_release(r->model);
}

/* where a local configuration brings the tool, as goals are given */
static lb_transform tool_at(const lb_ik *ik, const double *q)
{
    const kernel_problem *p = &ik->reduction.problem;
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    lb_transform frames[64];
    kernel_forward(&p->tree, &base, q, frames);
    lb_transform at = frames[p->tasks[0].frame];
    at.p = lb_transform_point(&at, p->tasks[0].tool);
    return at;
}

static bool inside(const kernel_problem *p, const double *q)
{
    for (int i = 0; i < p->variable_count; i++)
        if (q[p->variables[i].q] < p->variables[i].lower ||
            q[p->variables[i].q] > p->variables[i].upper)
            return false;
    return true;
}

static void look(const lb_ik *ik, const lb_transform *goal, ik_seed_choice *choice)
{
    ik_seed_table_look(&ik->seed_table, ik->ops, &goal, &choice, 1);
}

static void take(const lb_ik *ik, ik_seed_choice *choice, const double *near, double *start)
{
    ik_seed_table_take(&ik->seed_table, ik->ops, &choice, &near, &start, 1);
}

/* samples, turned any way that costs nothing, are found again and lead to where they came from */
static void check_found_again(const char *name)
{
    robot r = open_robot(name);
    const ik_seed_table *seeds = &r.ik->seed_table;
    const kernel_table *table = &seeds->table;
    const kernel_problem *p = seeds->problem;
    int nq = p->tree.nq, found = 0, within = 0;
    lb_random random = test_seed(11);
    for (int i = 0; i < GOALS; i++) {
        double q[MOST], start[MOST];
        int sample = test_random_index(&random, seeds->count);
        memcpy(q, table->q + sample * nq, (size_t)nq * sizeof *q);
        if (table->omit_turn)
            q[table->first->q] += lb_random_between(&random, -0.2, 0.2);
        if (table->omit_roll)
            q[table->last->q] += lb_random_between(&random, -0.2, 0.2);
        if (!inside(p, q))
            continue;
        within++;
        ik_seed_choice choice;
        lb_transform goal = tool_at(r.ik, q), at;
        look(r.ik, &goal, &choice);
        take(r.ik, &choice, q, start);
        at = tool_at(r.ik, start);
        // angles are set to 0.0003; a leaf's border may run through rounding
        found += lb_transform_angle(&at, &goal) < 2e-3 && lb_transform_distance(&at, &goal) < 5e-3;
    }
    assert_true(within > GOALS / 4);
    assert_true(found >= within - 2);
    close_robot(&r);
}

TEST(test_found_again)
{
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++)
        check_found_again(robots[i]);
}

/* all eight starts of a random goal are inside the limits, and no two are the same */
static void check_starts(const char *name)
{
    robot r = open_robot(name);
    const kernel_problem *p = r.ik->seed_table.problem;
    lb_random random = test_seed(12);
    for (int i = 0; i < GOALS; i++) {
        double q[MOST], starts[SEED_CLASSES][MOST];
        memset(q, 0, sizeof q);
        ik_sample(p, &random, q, NULL, q);
        lb_transform goal = tool_at(r.ik, q);
        ik_seed_choice choice;
        look(r.ik, &goal, &choice);
        for (int c = 0; c < SEED_CLASSES; c++) {
            take(r.ik, &choice, q, starts[c]);
            assert_true(inside(p, starts[c]));
            for (int other = 0; other < c; other++)
                assert_memory_not_equal(starts[c], starts[other],
                                        (size_t)p->tree.nq * sizeof(double));
        }
    }
    close_robot(&r);
}

TEST(test_starts)
{
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++)
        check_starts(robots[i]);
}
