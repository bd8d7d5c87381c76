/*
 * soak_main.c - inverse kinematics of random and extreme models, for a given time.
 *
 *     soak SOLVES [SECONDS [SEED]]     ends after so many solves, or seconds where SECONDS > 0
 *
 * Each round has a model (embedded, a random tree, a random tree with extreme numbers), one to
 * three tasks, a protocol, a method, a budget, and some hundred targets and starts. They are
 * solved at width 1 as one batch, at widths 2, 4 and 8 in pieces, and a few one by one. Of all:
 *
 *   - every width, every split and the single solve give the same bits;
 *   - `reached` is confirmed by the 4x4 matrices of bench/oracle.h, which share nothing with it;
 *   - every number of q is finite and within the limits, narrower ones of the solver, too;
 *   - what cannot be read is called invalid, and nothing else, and q is then the start;
 *   - what a configuration within the limits has made is never called unreachable;
 *   - what is said of all solutions agrees with the configuration that made the pose, for arms that
 *     attack that (bench/own_poses.h);
 *   - the iterations are within the budget, and each call within CALL_SECONDS of processor time.
 *
 * What breaks one of these is printed with the round's seed, and the program ends with status 1.
 */
#include "soak_model.h"

#include "bench/oracle.h"
#include "bench/own_poses.h"

#include <limber/batch.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_TASKS = 3,
    MOST_PROBLEMS = 1024,
    WIDTHS = 4,
    SINGLES = 8,       /* problems of a round that are solved one by one, too */
    CALL_SECONDS = 60, /* a hundred times what the slowest batch takes here */
    REPORT_SECONDS = 60
};

static const int widths[WIDTHS] = {1, 2, 4, 8};

/* of two sums of the same numbers, in units of the largest of them: some ten joints' roundings */
#define ROUNDING 1e-13
/* what a clamp through a quaternion may leave beyond a limit */
#define LIMIT_TOLERANCE 1e-9

/* One round: its model, its tasks and targets, and the results of width 1. */
typedef struct soak_round {
    unsigned long long seed;
    lb_random random;
    double extreme; /* how often a number is */
    lb_model *model;
    lb_task tasks[MOST_TASKS];
    int count;
    lb_joint_setting setting;
    lb_ik_options options;
    int problems;
    bool neutral; /* no starts are given */
    bool *reachable, *readable;
    lb_transform *targets, *links;
    double *starts, *q, *other;
    lb_ik_result *results, *others;
} soak_round;

static struct {
    long long rounds, solves, reached, unreachable, invalid, extreme;
    own_counts own;
} seen;

/* of the call that runs now, for the signal that ends it */
static volatile unsigned long long running_seed;

static void over_bound(int signal_number)
{
    (void)signal_number;
    char text[128];
    int length = snprintf(text, sizeof text, "seed %llu: a call takes over %d s\n", running_seed,
                          CALL_SECONDS);
    if (write(STDERR_FILENO, text, (size_t)length) < 0)
        _exit(2);
    _exit(1);
}

/* of processor time, so that a busy machine does not count */
static void set_timer(int seconds)
{
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static _Noreturn void complain(const soak_round *r, int problem, const char *what, double by)
{
    fprintf(stderr, "seed %llu, problem %d: %s (%.17g)\n", r->seed, problem, what, by);
    exit(1);
}

/* ---- questions ------------------------------------------------------------ */

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    if (!block) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return block;
}

/* of one joint in four rounds: the middle half of its range */
static void narrow_joint(soak_round *r)
{
    int joints = lb_model_joint_count(r->model);
    int j = joints > 0 ? soak_index(&r->random, joints) : 0;
    if (joints == 0 || !soak_chance(&r->random, 0.25))
        return;
    const lb_joint *joint = lb_model_joint(r->model, j);
    double span = joint->upper[0] - joint->lower[0];
    if (lb_joint_kind_nv(joint->kind) != 1 || joint->mimic || !isfinite(span))
        return;
    r->setting = lb_joint_setting_make(j);
    r->setting.lower[0] = joint->lower[0] + span / 4;
    r->setting.upper[0] = joint->upper[0] - span / 4;
    r->options.joints = &r->setting;
    r->options.joint_count = 1;
}

static void choose_options(soak_round *r)
{
    lb_random *random = &r->random;
    lb_ik_options *o = &r->options;
    *o = lb_ik_options_default();
    o->protocol = (lb_protocol)soak_index(random, 3);
    o->seed = lb_random_next(random);
    o->seeds = soak_index(random, 3) * 64;
    o->closest = soak_chance(random, 0.1);
    o->position_tolerance = soak_chance(random, 0.2) ? 1e-3 : 1e-6;
    o->rotation_tolerance = soak_chance(random, 0.2) ? 1e-9 : 1e-6;
    const int budgets[] = {0, 1, 20, 100};
    o->iterations = budgets[soak_index(random, r->extreme > 0 ? 4 : 2)];
    if (soak_chance(random, 0.15)) {
        // the slow methods have a budget that they afford
        o->method = lb_method_at(soak_index(random, lb_method_count()));
        o->iterations = 50;
    }
    if (soak_chance(random, r->extreme)) {
        o->damping = fabs(soak_number(random, 1, LB_LENGTH_MAX));
        o->step_limit = fabs(soak_number(random, 1, LB_LENGTH_MAX));
    }
    narrow_joint(r);
}

static bool is_place(const lb_vec3 *p)
{
    return fabs(p->x) <= LB_LENGTH_MAX && fabs(p->y) <= LB_LENGTH_MAX &&
           fabs(p->z) <= LB_LENGTH_MAX;
}

/* a start within the limits, now and then outside, now and then no number at all */
static void make_start(soak_round *r, double *start, bool *readable)
{
    lb_random *random = &r->random;
    int nq = lb_model_nq(r->model);
    lb_configuration_random(r->model, random, start);
    if (soak_chance(random, 0.1))
        for (int i = 0; i < nq; i++)
            start[i] += soak_number(random, r->extreme, LB_LENGTH_MAX / 2);
    if (nq > 0 && soak_chance(random, 0.001))
        start[soak_index(random, nq)] = soak_chance(random, 0.5) ? NAN : INFINITY;
    for (int i = 0; i < nq; i++)
        *readable = *readable && fabs(start[i]) <= LB_LENGTH_MAX;
}

/* whether joints that a goal turns may stand elsewhere than where the start has them */
static bool has_locks(const lb_model *model)
{
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->locked)
            return true;
    return false;
}

/* where a configuration has the tools; a little or far off; anywhere; or no frame at all */
static void make_targets(soak_round *r, int problem)
{
    lb_random *random = &r->random;
    lb_transform *targets = &r->targets[problem * r->count];
    double *goal = r->other;
    lb_configuration_random(r->model, random, goal);
    double kind = lb_random_unit(random);
    r->reachable[problem] = kind < 0.8 && r->extreme == 0 && !r->options.joints;
    for (int i = 0; i < r->count; i++) {
        lb_transform *t = &targets[i];
        *t = oracle_tool(r->model, &r->tasks[i], goal, r->links);
        if (kind > 0.95)
            *t = soak_transform(random, 0.2);
        else if (kind > 0.8)
            t->p = lb_vec3_add(t->p, lb_vec3_scale(soak_direction(random), kind > 0.87 ? 1e-4 : 3));
        if (soak_chance(random, 0.002))
            t->p.y = INFINITY;
        if (soak_chance(random, 0.002))
            t->x.x += 1;
        r->readable[problem] =
            r->readable[problem] && is_place(&t->p) && lb_transform_is_rigid(t, 1e-6);
    }
}

static void make_problems(soak_round *r)
{
    size_t nq = (size_t)lb_model_nq(r->model), n = (size_t)r->problems;
    r->reachable = allocate(n, sizeof *r->reachable);
    r->readable = allocate(n, sizeof *r->readable);
    r->targets = allocate(n * (size_t)r->count, sizeof *r->targets);
    r->links = allocate((size_t)lb_model_link_count(r->model), sizeof *r->links);
    r->starts = allocate(n * nq, sizeof *r->starts);
    r->q = allocate(n * nq, sizeof *r->q);
    r->other = allocate(n * nq, sizeof *r->other);
    r->results = allocate(n, sizeof *r->results);
    r->others = allocate(n, sizeof *r->others);
    r->neutral = soak_chance(&r->random, 0.2);
    bool locked = has_locks(r->model);
    for (int i = 0; i < r->problems; i++) {
        double *start = &r->starts[(size_t)i * nq];
        r->readable[i] = true;
        if (r->neutral)
            lb_configuration_neutral(r->model, start);
        else
            make_start(r, start, &r->readable[i]);
        make_targets(r, i);
        r->reachable[i] = r->reachable[i] && r->readable[i] && !locked;
    }
}

/* ---- promises ------------------------------------------------------------- */

/* the largest number that a sum of positions at q has */
static double largest_place(const soak_round *r, const lb_transform *targets)
{
    double most = 1;
    for (int i = 0; i < lb_model_link_count(r->model); i++)
        most = fmax(most, lb_vec3_length(r->links[i].p));
    for (int i = 0; i < r->count; i++)
        most = fmax(most, lb_vec3_length(targets[i].p) + lb_vec3_length(r->tasks[i].tool.p));
    return most;
}

static void check_reached(soak_round *r, int problem, const double *q)
{
    double position, rotation;
    const lb_transform *targets = &r->targets[problem * r->count];
    oracle_errors(r->model, r->tasks, r->count, q, targets, r->links, &position, &rotation);
    double slack = ROUNDING * largest_place(r, targets);
    if (!(position <= r->options.position_tolerance + slack))
        complain(r, problem, "a false `reached`, by metres", position);
    // the chord of an angle is rounded as the axes are
    if (!(rotation <= r->options.rotation_tolerance + 1e-11))
        complain(r, problem, "a false `reached`, by radians", rotation);
}

/* how far numbers as large as these may be off: a mimic joint's product is rounded */
static double limit_slack(const soak_round *r, const double *q)
{
    double most = 1;
    for (int j = 0; j < lb_model_joint_count(r->model); j++) {
        double m = 1, b = 0;
        int at = lb_model_joint_q(r->model, j);
        if (at < 0)
            continue;
        lb_model_joint_mimic(r->model, j, &m, &b);
        most = fmax(most, fabs(m * q[at]) + fabs(b));
    }
    return LIMIT_TOLERANCE + 1e-15 * most;
}

static void check_limits(const soak_round *r, int problem, const double *q)
{
    double excess = oracle_limit_excess(r->model, q);
    if (!(excess <= limit_slack(r, q)))
        complain(r, problem, "a limit is exceeded, or a number not finite, by", excess);
    if (!r->options.joints)
        return;
    double value = q[lb_model_joint_q(r->model, r->setting.joint)];
    if (value < r->setting.lower[0] || value > r->setting.upper[0])
        complain(r, problem, "a narrower limit is exceeded, at", value);
}

static void check_result(soak_round *r, int problem)
{
    size_t nq = (size_t)lb_model_nq(r->model);
    const lb_ik_result *result = &r->results[problem];
    const double *q = &r->q[(size_t)problem * nq], *start = &r->starts[(size_t)problem * nq];
    if ((result->outcome == LB_INVALID) == r->readable[problem])
        complain(r, problem, "invalid, though it can be read, or the reverse", result->outcome);
    if (r->options.iterations > 0 && result->iterations > r->options.iterations)
        complain(r, problem, "over the budget of iterations", result->iterations);
    if ((result->outcome == LB_REACHED || result->outcome == LB_INVALID) !=
        (result->reason == LB_REASON_NONE))
        complain(r, problem, "outcome and reason disagree", result->reason);
    if (result->outcome == LB_INVALID) {
        seen.invalid++;
        if (memcmp(q, start, nq * sizeof *q) != 0)
            complain(r, problem, "invalid, and q is not the start", 0);
        return;
    }
    check_limits(r, problem, q);
    if (result->outcome == LB_REACHED) {
        seen.reached++;
        check_reached(r, problem, q);
    }
    if (result->outcome == LB_UNREACHABLE) {
        seen.unreachable++;
        if (r->reachable[problem])
            complain(r, problem, "what can be reached is called unreachable", 0);
    }
}

static void check_same(const soak_round *r, int problem, const double *q,
                       const lb_ik_result *result, int width)
{
    size_t nq = (size_t)lb_model_nq(r->model);
    const lb_ik_result *a = &r->results[problem], *b = result;
    bool same = a->outcome == b->outcome && a->reason == b->reason &&
                a->iterations == b->iterations && a->tries == b->tries &&
                memcmp(&a->position_error, &b->position_error, sizeof(double)) == 0 &&
                memcmp(&a->rotation_error, &b->rotation_error, sizeof(double)) == 0 &&
                memcmp(&a->beyond_reach, &b->beyond_reach, sizeof(double)) == 0 &&
                memcmp(&r->q[(size_t)problem * nq], q, nq * sizeof *q) == 0;
    if (!same)
        complain(r, problem, "not what width 1 gives, at width", width);
}

/* ---- solving -------------------------------------------------------------- */

static void solve_range(const soak_round *r, lb_ik *ik, double *q, lb_ik_result *results, int begin,
                        int end)
{
    const lb_batch batch = {
        .targets = r->targets, .starts = r->neutral ? NULL : r->starts, .q = q, .results = results};
    set_timer(CALL_SECONDS);
    lb_batch_solve(ik, &batch, (size_t)begin, (size_t)end);
    set_timer(0);
    seen.solves += end - begin;
}

/* one by one, and every other time in place */
static void solve_singles(soak_round *r, lb_ik *ik, int width)
{
    size_t nq = (size_t)lb_model_nq(r->model);
    double *q = r->other;
    for (int k = 0; k < SINGLES; k++) {
        int i = soak_index(&r->random, r->problems);
        lb_ik_result result;
        const double *start = &r->starts[(size_t)i * nq];
        if (k & 1)
            start = memcpy(q, start, nq * sizeof *q);
        set_timer(CALL_SECONDS);
        lb_ik_solve(ik, &r->targets[i * r->count], start, q, &result);
        set_timer(0);
        seen.solves++;
        check_same(r, i, q, &result, width);
    }
}

/* the later part first */
static void solve_pieces(soak_round *r, lb_ik *ik, int width)
{
    size_t nq = (size_t)lb_model_nq(r->model);
    int piece = soak_index(&r->random, r->problems + 1);
    solve_range(r, ik, r->other, r->others, piece, r->problems);
    solve_range(r, ik, r->other, r->others, 0, piece);
    for (int i = 0; i < r->problems; i++)
        check_same(r, i, &r->other[(size_t)i * nq], &r->others[i], width);
}

/* false where the tasks cannot be had of this model */
static bool solve_round(soak_round *r)
{
    for (int w = 0; w < WIDTHS; w++) {
        lb_ik *ik = NULL;
        lb_error error;
        r->options.width = widths[w];
        lb_status status =
            lb_ik_create(r->model, r->tasks, r->count, &r->options, NULL, &ik, &error);
        if (status != LB_OK && w > 0)
            complain(r, 0, error.message, widths[w]);
        if (status != LB_OK)
            return false;
        if (w == 0) {
            make_problems(r);
            solve_range(r, ik, r->q, r->results, 0, r->problems);
            for (int i = 0; i < r->problems; i++)
                check_result(r, i);
        } else {
            solve_pieces(r, ik, widths[w]);
        }
        solve_singles(r, ik, widths[w]);
        lb_ik_release(ik);
    }
    return true;
}

static void run_round(unsigned long long seed)
{
    static const double extremes[] = {0, 0.05, 0.5};
    soak_round r = {.seed = seed, .random = lb_random_seed(seed)};
    running_seed = seed;
    int kind = soak_index(&r.random, 6);
    r.extreme = kind < 4 ? 0 : extremes[kind - 3];
    r.model = kind < 3 ? soak_embedded(&r.random) : soak_tree(&r.random, r.extreme);
    if (!r.model)
        return;
    r.count = soak_chance(&r.random, 0.85) ? 1 : 2 + soak_index(&r.random, 2);
    int base = soak_chance(&r.random, 0.7) ? LB_WORLD
                                           : soak_index(&r.random, lb_model_link_count(r.model));
    for (int i = 0; i < r.count; i++)
        r.tasks[i] = soak_task(&r.random, r.model, base, r.extreme);
    choose_options(&r);
    r.problems = r.extreme > 0 || r.options.method || r.count > 1 ? 128 : MOST_PROBLEMS;
    // a target that a linkage does not reach takes milliseconds
    if (lb_model_loop_count(r.model) > 0)
        r.problems = 16;
    if (solve_round(&r)) {
        seen.rounds++;
        seen.extreme += r.extreme > 0;
    }
    void *blocks[] = {r.reachable, r.readable, r.targets, r.links, r.starts,
                      r.q,         r.other,    r.results, r.others};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    lb_model_release(r.model);
}

enum { OWN_POSES = 256 }; /* of an arm of each kind a round */

/* own poses of arms that attack what is said of all solutions */
static void run_referee(unsigned long long seed)
{
    for (int kind = 0; kind < OWN_KINDS; kind++) {
        lb_random random = lb_random_seed(seed * OWN_KINDS + (unsigned long long)kind);
        own_arm arm;
        bool made = own_arm_make(&random, (own_kind)kind, &arm);
        for (int i = 0; i < OWN_POSES && made; i++) {
            double q[OWN_JOINTS];
            own_arm_draw(&random, &arm, q);
            set_timer(CALL_SECONDS);
            const own_fault fault = own_arm_judge(&random, &arm, q, &seen.own);
            set_timer(0);
            if (fault == OWN_FINE)
                continue;
            fprintf(stderr, "seed %llu, pose %d, %s: %s\n", seed, i, own_kind_text((own_kind)kind),
                    own_fault_text(fault));
            exit(1);
        }
        own_arm_release(&arm);
    }
}

static void report(void)
{
    printf("%lld own poses, %lld listed, of these %lld certified; ", seen.own.poses,
           seen.own.listed, seen.own.certified);
    printf("%lld solves in %lld rounds, %lld of extreme models; of the problems %lld were reached, "
           "%lld proved unreachable, %lld invalid\n",
           seen.solves, seen.rounds, seen.extreme, seen.reached, seen.unreachable, seen.invalid);
    fflush(stdout);
}

int main(int count, char **words)
{
    long long solves = count > 1 ? strtoll(words[1], NULL, 10) : 20000;
    long seconds = count > 2 ? strtol(words[2], NULL, 10) : 0;
    unsigned long long seed = count > 3 ? strtoull(words[3], NULL, 10) : 1;
    time_t begin = time(NULL), reported = begin;
    signal(SIGPROF, over_bound);
    for (;; seed++) {
        time_t now = time(NULL);
        if (seen.solves >= solves || (seconds > 0 && now - begin >= seconds))
            break;
        if (now - reported >= REPORT_SECONDS) {
            report();
            reported = now;
        }
        run_round(seed);
        run_referee(seed);
    }
    report();
    return 0;
}
