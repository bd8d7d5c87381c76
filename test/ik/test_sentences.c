/*
 * test_sentences.c - tries to contradict what outcomes, reasons and explanations say.
 *
 * Random problems of every method, on the built-in arms and on random chains of one to eight
 * joints, with budgets, limits, locks, targets within reach, beyond it and off the plane. Each
 * sentence is refuted by numbers of its own: ten times the budget, neighbours inside the limits,
 * descents from there, restarts with other seeds, steps that are taken again. An argument is the
 * number of problems, a second one the seed.
 */
#include "support_load.h"

enum { MOST = 64, TEXT = 2000, NEIGHBOURS = 40, BENDS = 200 };

/* a neighbour or a descent contradicts where it lowers the error by more than this share of it
 */
#define LOWER 1e-3
/* radians and lengths: the farthest neighbour */
#define NEAR 0.1
/* the same: a bend that is to free an arm */
#define BEND 0.2

static int contradicted;
TEST_ARGUMENT(problems, 1, 1000)
TEST_ARGUMENT(first_seed, 2, 1)

/* A problem, what was found and what was said of it. */
typedef struct fixture {
    uint64_t seed;
    lb_random random;
    lb_model *model;
    lb_task task;
    lb_ik_options options;
    lb_joint_setting lock;
    lb_transform target;
    bool own; /* the target is that of a configuration inside the limits */
    double start[MOST], q[MOST];
    lb_ik *ik;
    lb_ik_result result;
    char text[TEXT];
} fixture;

/* ---- problems ------------------------------------------------------------- */

static lb_model *choose_model(lb_random *random)
{
    static const char *const names[] = {"planar2", "planar3", "ur5",     "panda",   "scara",
                                        "kr6",     "iiwa14",  "puma560", "stanford"};
    if (test_random_chance(random, 0.5))
        return test_load(names[test_random_index(random, 9)]);
    test_tree tree = test_tree_default();
    tree.joints = 1 + test_random_index(random, 8);
    tree.branching = tree.locked = 0;
    tree.kinds = TEST_KIND(LB_JOINT_REVOLUTE);
    if (test_random_chance(random, 0.3))
        tree.kinds |= TEST_KIND(LB_JOINT_PRISMATIC);
    if (test_random_chance(random, 0.2))
        tree.kinds |= TEST_KIND(LB_JOINT_BALL);
    return test_tree_build(&tree, random);
}

/* one joint in some problems */
static void choose_lock(fixture *f)
{
    int joint = test_random_index(&f->random, lb_model_joint_count(f->model));
    int q = lb_model_joint_q(f->model, joint);
    if (q < 0 || !test_random_chance(&f->random, 0.15) ||
        lb_joint_kind_nq(lb_model_joint(f->model, joint)->kind) != 1)
        return;
    f->lock = lb_joint_setting_make(joint);
    f->lock.locked = true;
    f->options.joints = &f->lock;
    f->options.joint_count = 1;
}

static void choose_options(fixture *f)
{
    lb_random *random = &f->random;
    f->options = lb_ik_options_default();
    f->options.method = lb_method_at(test_random_index(random, lb_method_count()));
    const double chance = lb_random_unit(random);
    f->options.protocol = chance < 0.7   ? LB_PROTOCOL_GIVEN
                          : chance < 0.9 ? LB_PROTOCOL_NEAREST
                                         : LB_PROTOCOL_ANY;
    static const int budgets[] = {0, 0, 3, 10, 30, 300};
    f->options.iterations = budgets[test_random_index(random, 6)];
    f->options.seeds = 0;
    f->options.no_nudge = test_random_chance(random, 0.3);
    choose_lock(f);
}

/* of a configuration's pose, or moved away from there, or somewhere */
static void choose_target(fixture *f)
{
    lb_random *random = &f->random;
    double goal[MOST], kind = lb_random_unit(random);
    lb_configuration_random(f->model, random, goal);
    f->target = test_task_tool(f->model, &f->task, goal);
    f->own = kind < 0.5 && f->options.joint_count == 0;
    if (kind < 0.5)
        return;
    double away = kind < 0.7 ? 0.05 : kind < 0.9 ? 1 : 20;
    lb_vec3 shift =
        lb_vec3_scale(test_random_direction(random), lb_random_between(random, 0, away));
    // within the plane of planar arms, or off it
    if (test_random_chance(random, 0.6))
        shift.z = 0;
    f->target.p = lb_vec3_add(f->target.p, shift);
    if (test_random_chance(random, 0.2))
        f->target.p = lb_vec3_scale(f->target.p, lb_random_unit(random));
}

/* false where the method cannot do the task */
static bool setup(fixture *f, uint64_t seed)
{
    int tips[MOST];
    memset(f, 0, sizeof *f);
    f->seed = seed;
    f->random = test_seed(seed);
    f->model = choose_model(&f->random);
    lb_model_tips(f->model, tips);
    const lb_task_kind kinds[] = {LB_TASK_POSITION, LB_TASK_POSE, LB_TASK_POSITION,
                                  LB_TASK_ROTATION};
    f->task = lb_task_make(tips[0], 0, kinds[test_random_index(&f->random, 4)]);
    choose_options(f);
    choose_target(f);
    lb_configuration_random(f->model, &f->random, f->start);
    return lb_model_nq(f->model) <= MOST &&
           lb_ik_create(f->model, &f->task, 1, &f->options, NULL, &f->ik, NULL) == LB_OK;
}

static void teardown(fixture *f)
{
    lb_ik_release(f->ik);
    lb_model_release(f->model);
}

/* ---- errors --------------------------------------------------------------- */

static void contradict(const fixture *f, const char *by)
{
    contradicted++;
    print_error("seed %d, %s, %s, %s: %s\n  but %s\n", (int)f->seed, lb_model_name(f->model),
                lb_method_name(f->options.method), lb_outcome_text(f->result.outcome), f->text, by);
}

/* what the solver lowers: lengths in its unit and twice the sine of half the angle */
static double error_at(const fixture *f, const double *q)
{
    double position, rotation;
    test_task_errors(f->model, &f->task, 1, q, &f->target, &position, &rotation);
    double length = position / lb_ik_get_options(f->ik)->length, chord = 2 * sin(rotation / 2);
    return sqrt(length * length + chord * chord);
}

/* the locked joint keeps its value, all others move inside their limits */
static void bring_inside(const fixture *f, double *q)
{
    lb_configuration_clamp(f->model, q, q);
    if (f->options.joint_count > 0) {
        int at = lb_model_joint_q(f->model, f->lock.joint);
        q[at] = f->q[at];
        lb_configuration_clamp(f->model, q, q);
    }
}

static bool is_lower(const fixture *f, double there)
{
    double here = error_at(f, f->q);
    return there < here * (1 - LOWER);
}

/* whether some neighbour inside the limits is nearer to the target */
static bool has_better_neighbour(fixture *f, double farthest)
{
    double v[MOST], moved[MOST];
    for (int i = 0; i < NEIGHBOURS; i++) {
        double radius = farthest * pow(10, lb_random_between(&f->random, -2, 0));
        for (int k = 0; k < lb_model_nv(f->model); k++)
            v[k] = lb_random_between(&f->random, -radius, radius);
        lb_configuration_integrate(f->model, f->q, v, moved);
        bring_inside(f, moved);
        if (is_lower(f, error_at(f, moved)))
            return true;
    }
    return false;
}

/* a solver of the same problem with other settings */
static lb_ik *solver_of(const fixture *f, const char *method, lb_protocol protocol, int iterations)
{
    lb_ik_options options = f->options;
    options.method = lb_method_find(method);
    options.protocol = protocol;
    options.iterations = iterations;
    return test_solver(f->model, &f->task, 1, &options);
}

/* whether a descent of the default method leads on from beside q */
static bool is_freed(fixture *f)
{
    owned_ik *ik = solver_of(f, "lm", LB_PROTOCOL_GIVEN, 300);
    bool lower = false;
    for (int i = 0; i < BENDS && !lower; i++) {
        double v[MOST], q[MOST];
        for (int k = 0; k < lb_model_nv(f->model); k++)
            v[k] = lb_random_between(&f->random, -BEND, BEND);
        lb_configuration_integrate(f->model, f->q, v, q);
        bring_inside(f, q);
        lb_ik_solve(ik, &f->target, q, q, NULL);
        lower = is_lower(f, error_at(f, q));
    }
    return lower;
}

/* whether descents of the default method from 0.03 beside q end at half the error */
static bool leaves_saddle(fixture *f)
{
    owned_ik *ik = solver_of(f, "lm", LB_PROTOCOL_GIVEN, 300);
    double q[MOST], v[MOST], here = error_at(f, f->q);
    bool out = false;
    for (int i = 0; i < NEIGHBOURS && !out; i++) {
        for (int k = 0; k < lb_model_nv(f->model); k++)
            v[k] = lb_random_between(&f->random, -0.03, 0.03);
        lb_configuration_integrate(f->model, f->q, v, q);
        bring_inside(f, q);
        lb_ik_solve(ik, &f->target, q, q, NULL);
        out = error_at(f, q) < here / 2;
    }
    return out;
}

/* ---- sentences ------------------------------------------------------------ */

static bool says(const fixture *f, const char *words)
{
    return strstr(f->text, words) != NULL;
}

static void check_budget(fixture *f)
{
    int used = f->options.iterations > 0 ? f->options.iterations : f->result.iterations;
    double q[MOST];
    owned_ik *ik = solver_of(f, lb_method_name(f->options.method), f->options.protocol, 10 * used);
    if (lb_ik_solve(ik, &f->target, f->start, q, NULL) != LB_REACHED)
        contradict(f, "ten times the budget does not reach it");
}

static void check_unreachable(fixture *f)
{
    if (f->own)
        contradict(f, "a configuration reaches it");
    lb_ik_options options = lb_ik_options_default();
    options.joints = f->options.joints;
    options.joint_count = f->options.joint_count;
    options.protocol = LB_PROTOCOL_ANY;
    options.iterations = 300;
    options.seeds = 64;
    options.seed = f->seed;
    // with seven iterations a try, a method without a proof of its own
    options.method = lb_method_find("damped");
    owned_ik *ik = test_solver(f->model, &f->task, 1, &options);
    lb_ik_result result;
    double q[MOST];
    if (lb_ik_solve(ik, &f->target, f->start, q, &result) == LB_REACHED)
        contradict(f, "restarts reach it");
}

/* reads "joint=value joint=value" from a text into a configuration; returns what follows */
static const char *read_values(const fixture *f, const char *text, double *q)
{
    int read = 0, length = 0;
    char name[64];
    double value;
    while (sscanf(text, " %63[^= ]=%lf%n", name, &value, &length) == 2) {
        int joint = lb_model_find_joint(f->model, name);
        assert_true(joint >= 0);
        q[lb_model_joint_q(f->model, joint)] = value;
        text += length;
        read++;
    }
    return read > 0 ? text : NULL;
}

/* values are printed to six digits */
static bool is_near(const fixture *f, const double *a, const double *b)
{
    double most = 0;
    for (int k = 0; k < lb_model_nq(f->model); k++)
        most = fmax(most, fabs(a[k] - b[k]) / (1 + fabs(b[k])));
    return most < 1e-5;
}

/* "cycle between A and B, n steps a round": steps from q lead to both, and return to A after n */
static void check_cycle(fixture *f)
{
    double a[MOST], b[MOST], q[MOST];
    enum { STEPS = 4000 };
    static bool at_a[STEPS], at_b[STEPS];
    int period = 0;
    bool met = false;
    memcpy(a, f->q, sizeof a);
    memcpy(b, f->q, sizeof b);
    memcpy(q, f->q, sizeof q);
    const char *rest = read_values(f, strstr(f->text, "between ") + 8, a);
    if (rest && strncmp(rest, " and ", 5) == 0 && (rest = read_values(f, rest + 5, b)) != NULL)
        sscanf(rest, ", %d", &period);
    for (int i = 0; i < STEPS; i++) {
        lb_ik_step(f->ik, &f->target, q, NULL);
        at_a[i] = is_near(f, q, a);
        at_b[i] = is_near(f, q, b);
    }
    for (int i = 0; i + period < STEPS && period > 1 && !met; i++)
        for (int k = 1; k < period && at_a[i] && at_a[i + period] && !met; k++)
            met = at_b[i + k];
    if (!met || is_near(f, a, b))
        contradict(f, "the steps do not return");
}

/* "no joint can move 'x' along D" of an axis of the base: no joint moves it that way by a fiftieth
   of what the strongest moves it, inside the limits */
static void check_direction(fixture *f)
{
    const char *text = strstr(f->text, "no joint can move '");
    const char *along = text == NULL ? NULL : strstr(text, "' along ");
    lb_vec3 d = {0, 0, 0};
    char axis;
    if (along == NULL || along[strcspn(along, ".")] == '\0')
        return;
    along += 8;
    double sign = *along == '-' ? -1 : 1;
    if (sscanf(along, "(%lf, %lf, %lf)", &d.x, &d.y, &d.z) != 3) {
        if (sscanf(along + (*along == '-'), "%c", &axis) != 1)
            return;
        d = lb_vec3_make(sign * (axis == 'x'), sign * (axis == 'y'), sign * (axis == 'z'));
    }
    const double step = 1e-4;
    double v[MOST], moved[MOST], most = 0, best = 0;
    const lb_transform here = test_task_tool(f->model, &f->task, f->q);
    for (int k = 0; k < 2 * lb_model_nv(f->model); k++) {
        memset(v, 0, sizeof v);
        v[k / 2] = k % 2 ? -step : step;
        lb_configuration_integrate(f->model, f->q, v, moved);
        const lb_vec3 free = test_task_tool(f->model, &f->task, moved).p;
        bring_inside(f, moved);
        const lb_vec3 inside = test_task_tool(f->model, &f->task, moved).p;
        most = fmax(most, lb_vec3_length(lb_vec3_sub(free, here.p)));
        best = fmax(best, lb_vec3_dot(d, lb_vec3_sub(inside, here.p)));
    }
    if (best > 0.02 * most)
        contradict(f, "a joint moves it that way");
}

static void check_words(fixture *f)
{
    check_direction(f);
    if (says(f, "other steps lower it") && !has_better_neighbour(f, NEAR))
        contradict(f, "no neighbour is nearer");
    if (f->result.outcome == LB_UNREACHABLE || says(f, "Out of reach"))
        check_unreachable(f);
    else if (f->own && says(f, "cannot leave its plane"))
        contradict(f, "a configuration reaches it");
    if (says(f, "more iterations may help"))
        check_budget(f);
    // restarts lead other starts to the same q, so that it does not tell the start
    if (says(f, "more iterations may help") && f->result.tries > 1)
        contradict(f, "the start is not known");
    if ((f->result.reason == LB_REASON_MINIMUM || says(f, "local minimum")) &&
        (has_better_neighbour(f, NEAR) || leaves_saddle(f)))
        contradict(f, "a neighbour is nearer, or a descent from beside it ends nearer");
    if (f->result.outcome == LB_STALLED && f->result.reason == LB_REASON_LIMITS &&
        has_better_neighbour(f, NEAR / 10))
        contradict(f, "a neighbour inside the limits is nearer");
    if (says(f, "a small bend of its joints would free it") && !is_freed(f))
        contradict(f, "no small bend frees it");
    if (says(f, "cycle between"))
        check_cycle(f);
}

/* words about a result that has none, and errors that are not those of q */
static void check_numbers(const fixture *f)
{
    double position, rotation;
    test_task_errors(f->model, &f->task, 1, f->q, &f->target, &position, &rotation);
    assert_near(f->result.position_error, position, 1e-9 * (1 + position));
    bool near = position <= f->options.position_tolerance * (1 + 1e-6) &&
                rotation <= f->options.rotation_tolerance * (1 + 1e-6) + 1e-9;
    if (near != (f->result.outcome == LB_REACHED))
        contradict(f, "the errors say otherwise");
    if (test_limit_excess(f->model, f->q) > 1e-9)
        contradict(f, "it is outside the limits");
}

TEST(no_sentence_is_contradicted)
{
    int said = 0;
    for (int i = 0; i < problems; i++) {
        fixture f;
        if (setup(&f, (uint64_t)(first_seed + i))) {
            lb_ik_solve(f.ik, &f.target, f.start, f.q, &f.result);
            lb_ik_explain(f.ik, &f.target, f.q, &f.result, f.text, sizeof f.text);
            check_numbers(&f);
            check_words(&f);
            said++;
        }
        teardown(&f);
    }
    print_message("%d of %d problems contradicted\n", contradicted, said);
    assert_int_equal(contradicted, 0);
}

/* an arm whose axes are parallel to some digits, one link of it perhaps longer than all others */
static lb_model *noisy_arm(lb_random *random)
{
    lb_joint joints[6];
    int count = 1 + test_random_index(random, 6), longest = test_random_index(random, 6);
    double noise = pow(10, lb_random_between(random, -15, -3));
    lb_transform root = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < count; i++) {
        double length = i == longest ? lb_random_between(random, 0, 20) : lb_random_unit(random);
        lb_vec3 place = {length, 0, lb_random_between(random, -1, 1)};
        lb_vec3 axis = lb_vec3_scale(test_random_direction(random), noise);
        bool slides = test_random_chance(random, 0.15);
        axis.z += slides ? 0 : 1;
        axis.x += slides;
        joints[i] = test_joint(slides ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE, place, axis);
        joints[i].lower[0] = slides ? -1 : -3;
        joints[i].upper[0] = slides ? 1 : 3;
    }
    return test_chain(&root, joints, count);
}

/* the poses of such an arm, with a tool or without, are never proved to be out of reach */
TEST(own_poses_of_noisy_planes_are_in_reach)
{
    for (int i = 0; i < problems; i++) {
        lb_random random = test_seed((uint64_t)(first_seed + i));
        owned_model *model = noisy_arm(&random);
        static const lb_task_kind kinds[] = {LB_TASK_POSITION, LB_TASK_ROTATION, LB_TASK_POSE};
        lb_task task = lb_task_make(lb_model_link_count(model) - 1, 0, kinds[i % 3]);
        lb_ik_options options = lb_ik_options_default();
        options.seeds = 0;
        options.protocol = LB_PROTOCOL_GIVEN;
        options.method = lb_method_find("damped");
        options.position_tolerance = options.rotation_tolerance = 1e-9;
        task.tool.p = lb_vec3_make(lb_random_unit(&random), 0, 0.1);
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (int k = 0; k < 20; k++) {
            double goal[MOST], q[MOST];
            lb_configuration_random(model, &random, goal);
            lb_configuration_random(model, &random, q);
            lb_transform target = test_task_tool(model, &task, goal);
            lb_ik_result result;
            if (lb_ik_solve(ik, &target, q, q, &result) == LB_UNREACHABLE)
                fail_msg("seed %ld: an own pose is unreachable", first_seed + i);
        }
    }
}
