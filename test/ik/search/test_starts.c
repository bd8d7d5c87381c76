/* test_starts.c - what each try starts from: by its index alone, the same however tries are run. */
#include "ik/search/starts.h"

#include "ik/solver.h"

#include "support_arm.h"
#include "support_load.h"

enum { MOST_NQ = 128, TRIES = 40, TARGETS = 20 };

static lb_ik *create(const lb_model *model, lb_protocol protocol, int seeds, int width)
{
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = protocol;
    options.seeds = seeds;
    options.width = width;
    return test_solver(model, &task, 1, &options);
}

/* begins a search for a random target that is within reach, from a random start */
static ik_search *begin(lb_ik *ik, lb_random *random, lb_transform *target)
{
    double start[MOST_NQ], goal[MOST_NQ];
    lb_configuration_random(ik->model, random, start);
    lb_configuration_random(ik->model, random, goal);
    *target = test_task_tool(ik->model, &ik->tasks[0], goal);
    ik_search *s = &ik->searches[0];
    assert_true(ik_search_begin(ik, s, target, start));
    return s;
}

/* ---- kinds ---------------------------------------------------------------- */

/* the table at the head of starts.c, for a solve of many levels */
static ik_start_kind documented(lb_protocol protocol, bool table, int level_tries, int attempt)
{
    int own = table && protocol == LB_PROTOCOL_ANY ? SEED_CLASSES : 0;
    if (attempt == own)
        return IK_START_OWN;
    if (level_tries > 1 && attempt % level_tries == level_tries - 1)
        return IK_START_CLOSEST;
    return table && attempt <= SEED_CLASSES ? IK_START_TABLE : IK_START_RANDOM;
}

static void check_kinds(lb_protocol protocol, int seeds)
{
    owned_model *model = test_load("panda");
    owned_ik *ik = create(model, protocol, seeds, 0);
    lb_random random = test_seed(21);
    lb_transform target;
    ik_search *s = begin(ik, &random, &target);
    for (int i = 0; i < TRIES; i++)
        assert_int_equal(ik_starts_kind(ik, s, i),
                         documented(protocol, seeds > 0, s->tries.level_size, i));
}

TEST(kinds_are_as_documented)
{
    const lb_protocol protocols[] = {LB_PROTOCOL_NEAREST, LB_PROTOCOL_ANY, LB_PROTOCOL_GIVEN};
    for (int p = 0; p < 3; p++) {
        check_kinds(protocols[p], 512);
        check_kinds(protocols[p], 0);
    }
}

/* ---- configurations ------------------------------------------------------- */

/* the starts of the first tries, up to the one that goes on from others */
static int first_starts(lb_ik *ik, ik_search *s, int lane, double *starts)
{
    int nq = ik->reduction.problem.tree.nq, i = 0;
    for (; !ik_schedule_ends_level(s, i); i++) {
        const double *start = ik_starts_of(ik, s, i, ik_starts_kind(ik, s, i), lane);
        memcpy(starts + i * nq, start, sizeof(double) * (size_t)nq);
    }
    return i;
}

/* how tries can be run */
typedef struct setting {
    int width;
    bool parallel, batch;
} setting;

static int starts_with(const lb_model *model, lb_protocol protocol, int index, setting how,
                       double *starts)
{
    owned_ik *ik = create(model, protocol, 512, how.width);
    lb_random random = lb_random_seed((uint64_t)index);
    lb_transform target;
    ik_search *s = begin(ik, &random, &target);
    if (how.batch)
        ik_starts_look_up(ik, &s, 1);
    s->tries.parallel = how.parallel;
    int count = first_starts(ik, s, ik->ops->width - 1, starts) * ik->reduction.problem.tree.nq;
    return count;
}

static void check_alike(const char *name, lb_protocol protocol)
{
    static double expected[TRIES * MOST_NQ], starts[TRIES * MOST_NQ];
    static const setting settings[] = {
        {1, true, false}, {1, false, true}, {2, true, false}, {2, false, true},
        {4, true, false}, {4, true, true},  {8, true, false}, {8, true, true},
    };
    owned_model *model = test_load(name);
    for (int n = 0; n < TARGETS; n++) {
        int count = starts_with(model, protocol, n, (setting){1, false, false}, expected);
        assert_true(count > 0);
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
            assert_int_equal(starts_with(model, protocol, n, settings[k], starts), count);
            assert_memory_equal(starts, expected, (size_t)count * sizeof(double));
        }
    }
}

/* arms with and without a table's omitted rotations, and a body of ball joints */
TEST(one_and_many_start_alike)
{
    const char *const models[] = {"ur5", "scara", "human"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        check_alike(models[i], LB_PROTOCOL_NEAREST);
        check_alike(models[i], LB_PROTOCOL_ANY);
    }
}
