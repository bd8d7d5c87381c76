/* own_poses.c - arms and poses that attack what is said of all solutions, and a referee. */
#include "bench/own_poses.h"

#include "bench/oracle.h"

#include <limber/ik.h>
#include <math.h>
#include <string.h>

#define TURN (2 * LB_PI)

const char *own_kind_text(own_kind kind)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {OWN_KIND_LIST(TEXT)};
    return texts[kind];
}

const char *own_fault_text(own_fault fault)
{
    static const char *const texts[] = {OWN_FAULT_LIST(TEXT)};
#undef TEXT
    return texts[fault];
}

/* ---- random numbers ---------------------------------------------------------- */

static int pick(lb_random *random, int count)
{
    return (int)((double)count * lb_random_unit(random));
}

static bool chance(lb_random *random, double share)
{
    return lb_random_unit(random) < share;
}

static double either_sign(lb_random *random, double x)
{
    return chance(random, 0.5) ? x : -x;
}

/* ten to a power between two */
static double power(lb_random *random, int least, int most)
{
    double x = pow(10, least + pick(random, most - least + 1));
    return x * lb_random_between(random, 0.1, 1);
}

static lb_vec3 any_vector(lb_random *random, double length)
{
    lb_vec3 v = {lb_random_between(random, -1, 1), lb_random_between(random, -1, 1),
                 lb_random_between(random, -1, 1)};
    return lb_vec3_scale(v, length);
}

static lb_vec3 any_direction(lb_random *random)
{
    return lb_vec3_normalize(any_vector(random, 1), lb_vec3_make(0, 0, 1));
}

static double eighths(lb_random *random)
{
    return LB_PI / 4 * (pick(random, 9) - 4);
}

/* ---- shapes -------------------------------------------------------------------- */

/* An arm before it is a model: joint i is at place[i] of the one before it; the tool is last. */
typedef struct shape {
    int count;
    lb_transform place[OWN_JOINTS + 1];
    bool slides[OWN_JOINTS];
    double noise; /* 0, or what places are off by, metres and radians */
} shape;

static lb_transform at(double x, double y, double z)
{
    return lb_transform_translation(x, y, z);
}

static lb_transform turned(double x, double y, double z, double angle, double about)
{
    lb_vec3 axis = {about == 0, about == 1, about == 2};
    return lb_transform_from_quat(lb_quat_from_axis_angle(axis, angle), lb_vec3_make(x, y, z));
}

/* a link: mostly of half a metre or so, now and then up to a kilometre */
static double link_length(lb_random *random)
{
    return chance(random, 0.05) ? power(random, 1, 3) : lb_random_between(random, 0.05, 1);
}

/* an offset, often none */
static double offset(lb_random *random)
{
    return chance(random, 0.4) ? 0 : either_sign(random, 0.5 * link_length(random));
}

static void make_parallel(lb_random *random, shape *s)
{
    double upper = link_length(random);
    double fore = chance(random, 0.25) ? upper : link_length(random);
    const lb_transform place[7] = {
        at(0, 0, 0),
        turned(0, 0, offset(random), LB_PI / 2, 0),
        at(either_sign(random, upper), 0, 0),
        at(either_sign(random, fore), 0, 0),
        turned(0, 0, offset(random), LB_PI / 2, 0),
        turned(0, 0, offset(random), -LB_PI / 2, 0),
        at(0, 0, offset(random)),
    };
    memcpy(s->place, place, sizeof place);
}

static void make_wrist(lb_random *random, shape *s)
{
    double bend = chance(random, 0.8) ? LB_PI / 2 : lb_random_between(random, 0.3, 2.8);
    const lb_transform place[7] = {
        at(0, 0, offset(random)),
        turned(offset(random), offset(random), 0, LB_PI / 2, 0),
        at(link_length(random), 0, 0),
        turned(offset(random), -link_length(random), 0, LB_PI / 2, 0),
        turned(0, 0, 0, -bend, 0),
        turned(0, 0, 0, bend, 0),
        at(offset(random), 0, offset(random)),
    };
    memcpy(s->place, place, sizeof place);
    if (chance(random, 0.1))
        s->slides[2] = true;
}

/* the arm from its tip */
static void reverse(shape *s)
{
    shape r = *s;
    for (int i = 0; i <= s->count; i++)
        r.place[i] = lb_transform_inverse(&s->place[s->count - i]);
    for (int i = 0; i < s->count; i++)
        r.slides[i] = s->slides[s->count - 1 - i];
    *s = r;
}

static void make_square(lb_random *random, shape *s)
{
    for (int i = 0; i <= s->count; i++) {
        double step = chance(random, 0.8) ? 2 : 1;
        double angle = LB_PI / 4 * step * (pick(random, 5) - 2);
        s->place[i] = turned(offset(random), chance(random, 0.7) ? 0 : offset(random),
                             offset(random), angle, pick(random, 3));
        if (i < s->count)
            s->slides[i] = chance(random, 0.08);
    }
}

static void make_anything(lb_random *random, shape *s)
{
    for (int i = 0; i <= s->count; i++) {
        lb_vec3 axis = any_direction(random);
        lb_quat turn = lb_quat_from_axis_angle(axis, lb_random_between(random, -LB_PI, LB_PI));
        s->place[i] = lb_transform_from_quat(turn, any_vector(random, link_length(random)));
        if (i < s->count)
            s->slides[i] = chance(random, 0.05);
    }
}

/* moves and turns places by the noise */
static void disturb(lb_random *random, shape *s)
{
    for (int i = 0; i <= s->count; i++) {
        lb_vec3 axis = any_direction(random);
        double angle = chance(random, 0.3) ? 0 : s->noise * lb_random_unit(random);
        lb_vec3 shift = any_vector(random, chance(random, 0.3) ? 0 : s->noise);
        lb_transform by = lb_transform_from_quat(lb_quat_from_axis_angle(axis, angle), shift);
        s->place[i] = lb_transform_multiply(&s->place[i], &by);
    }
}

/* turns each joint's frame about its axis: the same arm, in products that round */
static void turn_frames(lb_random *random, shape *s)
{
    for (int i = 0; i < s->count; i++) {
        const double angle = lb_random_between(random, -LB_PI, LB_PI);
        const lb_transform by = turned(0, 0, 0, angle, 2), back = turned(0, 0, 0, -angle, 2);
        s->place[i] = lb_transform_multiply(&s->place[i], &by);
        s->place[i + 1] = lb_transform_multiply(&back, &s->place[i + 1]);
    }
}

/* writes the angles of each frame with a few digits, as files do */
static void round_angles(lb_random *random, shape *s)
{
    const double unit = pow(10, -3 - pick(random, 4));
    for (int i = 0; i <= s->count; i++) {
        const lb_vec3 rpy = lb_quat_to_rpy(lb_transform_quat(&s->place[i]));
        s->place[i] = lb_transform_from_quat(lb_quat_from_rpy(unit * round(rpy.x / unit),
                                                              unit * round(rpy.y / unit),
                                                              unit * round(rpy.z / unit)),
                                             s->place[i].p);
    }
}

/* an arm of a kind, without noise */
static shape make_exact(lb_random *random, own_kind kind)
{
    shape s = {.count = 6};
    if (kind == OWN_FEW)
        s.count = 1 + pick(random, 5);
    if (kind == OWN_MANY)
        s.count = 7 + pick(random, 2);
    if (kind == OWN_PARALLEL)
        make_parallel(random, &s);
    else if (kind == OWN_WRIST || kind == OWN_SHOULDER)
        make_wrist(random, &s);
    else if (kind == OWN_ANYTHING || (kind == OWN_MANY && chance(random, 0.3)))
        make_anything(random, &s);
    else
        make_square(random, &s);
    if (kind == OWN_SHOULDER || (kind == OWN_PARALLEL && chance(random, 0.2)))
        reverse(&s);
    return s;
}

static shape make_shape(lb_random *random, own_kind kind)
{
    static const own_kind regular[] = {OWN_PARALLEL, OWN_WRIST, OWN_SHOULDER, OWN_SQUARE, OWN_FEW};
    const own_kind of = kind >= OWN_TURNED ? regular[pick(random, 5)] : kind;
    shape s = make_exact(random, of);
    if (kind == OWN_ROUNDED) {
        round_angles(random, &s);
        return s;
    }
    s.noise = chance(random, 0.3) ? 0 : power(random, -13, -4);
    if (s.noise > 0)
        disturb(random, &s);
    if (kind == OWN_TURNED)
        turn_frames(random, &s);
    return s;
}

/* ---- models -------------------------------------------------------------------- */

static void set_limits(lb_random *random, lb_joint *joint)
{
    double a = lb_random_between(random, -LB_PI, LB_PI);
    double b = lb_random_between(random, -LB_PI, LB_PI);
    switch (pick(random, 8)) {
    case 0:
        a = b = chance(random, 0.5) ? eighths(random) : a;
        break;
    case 1:
        a = -LB_PI / 2;
        b = LB_PI / 2;
        break;
    case 2:
        a = -TURN;
        b = TURN;
        break;
    case 3:
    case 4:
        break;
    default:
        a = -LB_PI;
        b = LB_PI;
    }
    joint->lower[0] = fmin(a, b);
    joint->upper[0] = fmax(a, b);
}

static lb_model *build(lb_random *random, const shape *s)
{
    static const char *const names[OWN_JOINTS + 1] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    lb_link links[OWN_JOINTS + 1];
    lb_joint joints[OWN_JOINTS];
    for (int i = 0; i <= s->count; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < s->count; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = s->slides[i] ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE;
        joints[i].placement = s->place[i];
        set_limits(random, &joints[i]);
        if (i > 0 && chance(random, 0.01)) {
            joints[i].mimic = names[pick(random, i)];
            joints[i].multiplier = either_sign(random, 0.5 + 0.5 * pick(random, 2));
            joints[i].lower[0] = -INFINITY;
            joints[i].upper[0] = INFINITY;
        }
    }
    lb_model_source source = {.name = "own",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = s->count + 1,
                              .joints = joints,
                              .joint_count = s->count};
    if (chance(random, 0.3))
        source.root = lb_transform_from_quat(
            lb_quat_from_axis_angle(any_direction(random), lb_random_between(random, -3, 3)),
            any_vector(random, chance(random, 0.1) ? 100 : 1));
    lb_model *model = NULL;
    lb_model_build(&source, NULL, &model, NULL);
    return model;
}

static lb_task make_task(lb_random *random, own_kind kind, const shape *s)
{
    lb_task_kind what = LB_TASK_POSE;
    if (kind == OWN_FEW && chance(random, 0.5))
        what = chance(random, 0.8) ? LB_TASK_POSITION : LB_TASK_ROTATION;
    lb_task task = lb_task_make(s->count, LB_WORLD, what);
    task.tool = s->place[s->count];
    if (what == LB_TASK_POSE && s->count != 6 && chance(random, 0.2))
        task.free_axis = lb_vec3_make(0, 0, 1);
    return task;
}

/* ---- arms ---------------------------------------------------------------------- */

/* the errors of q for a pose */
static double error_of(const own_arm *arm, const double *q, const lb_transform *pose)
{
    lb_transform links[64];
    double position, rotation;
    oracle_errors(arm->model, &arm->task, 1, q, pose, links, &position, &rotation);
    return fmax(arm->task.kind == LB_TASK_ROTATION ? 0 : position,
                arm->task.kind == LB_TASK_POSITION ? 0 : rotation);
}

lb_transform own_arm_pose(const own_arm *arm, const double *q)
{
    lb_transform links[64];
    return oracle_tool(arm->model, &arm->task, q, links);
}

/* numbers that never move the tool, by a look at two configurations */
static void find_idle(own_arm *arm)
{
    for (int i = 0; i < arm->nq; i++) {
        arm->idle[i] = true;
        for (int look = 0; look < 2; look++) {
            double q[OWN_JOINTS];
            for (int k = 0; k < arm->nq; k++)
                q[k] = 0.4 + 0.9 * look + 0.7 * k;
            lb_transform pose = own_arm_pose(arm, q);
            q[i] += 0.7;
            arm->idle[i] = arm->idle[i] && error_of(arm, q, &pose) < 1e-7;
        }
    }
}

static bool read_joints(own_arm *arm)
{
    for (int j = 0; j < lb_model_joint_count(arm->model); j++) {
        const lb_joint *joint = lb_model_joint(arm->model, j);
        int k = lb_model_joint_q(arm->model, j);
        arm->size += lb_vec3_length(joint->placement.p);
        if (k < 0 || k >= arm->nq || joint->mimic)
            continue;
        if (lb_joint_kind_nv(joint->kind) != 1)
            return false;
        arm->is_length[k] = joint->kind == LB_JOINT_PRISMATIC;
        arm->lower[k] = joint->lower[0];
        arm->upper[k] = joint->upper[0];
    }
    arm->size += lb_vec3_length(arm->task.tool.p);
    return true;
}

bool own_arm_of(lb_model *model, const lb_task *task, own_arm *arm)
{
    *arm = (own_arm){.kind = OWN_ANYTHING, .model = model, .task = *task};
    arm->nq = lb_model_nq(model);
    if (arm->nq > OWN_JOINTS || lb_model_link_count(model) > 64 || !read_joints(arm))
        return false;
    find_idle(arm);
    lb_solutions_options all = lb_solutions_options_default();
    all.out_of_limits = true;
    lb_ik_options search = lb_ik_options_default();
    search.seeds = 0;
    if (lb_solutions_create(model, task, &all, NULL, &arm->solver, NULL) != LB_OK)
        arm->solver = NULL;
    for (int p = 0; p < 2; p++) {
        search.protocol = p ? LB_PROTOCOL_NEAREST : LB_PROTOCOL_ANY;
        if (lb_ik_create(model, task, 1, &search, NULL, &arm->searches[p], NULL) != LB_OK)
            arm->searches[p] = NULL;
    }
    return true;
}

bool own_arm_make(lb_random *random, own_kind kind, own_arm *arm)
{
    const shape s = make_shape(random, kind);
    const lb_task task = make_task(random, kind, &s);
    *arm = (own_arm){.model = NULL};
    lb_model *model = build(random, &s);
    if (!model)
        return false;
    bool made = own_arm_of(model, &task, arm);
    arm->kind = kind;
    return made;
}

void own_arm_release(own_arm *arm)
{
    lb_solutions_release(arm->solver);
    for (int p = 0; p < 2; p++)
        lb_ik_release(arm->searches[p]);
    lb_model_release(arm->model);
}

void own_arm_draw(lb_random *random, const own_arm *arm, double *q)
{
    bool corners = chance(random, 0.2);
    for (int i = 0; i < arm->nq; i++) {
        double low = fmax(arm->lower[i], -TURN), high = fmin(arm->upper[i], TURN);
        switch (pick(random, corners ? 3 : 6)) {
        case 0:
            q[i] = low;
            break;
        case 1:
            q[i] = high;
            break;
        case 2:
            q[i] = eighths(random);
            break;
        case 3:
            q[i] = eighths(random) + either_sign(random, power(random, -13, -1));
            break;
        default:
            q[i] = lb_random_between(random, low, high);
        }
        q[i] = fmin(fmax(q[i], arm->lower[i]), arm->upper[i]);
    }
}

/* ---- the referee --------------------------------------------------------------- */

/* a configuration of a list is a solution's when every joint is as near as this: radians, and of
   slides a share of the arm */
#define BOX 1.0001e-3

enum { ROWS = 512 };

/* whether row `a` has the place of q; joints that a family moves do not count in its members */
static bool is_at(const own_arm *arm, const double *a, const double *q, const bool *moves)
{
    for (int i = 0; i < arm->nq; i++) {
        double d = a[i] - q[i];
        if (!arm->is_length[i])
            d = remainder(d, TURN);
        if (!arm->idle[i] && !(moves && moves[i]) &&
            !(fabs(d) <= BOX * (arm->is_length[i] ? arm->size : 1)))
            return false;
    }
    return true;
}

/* What a list has of a configuration. */
typedef struct listing {
    bool listed, inside; /* it, or its family; and that within the limits */
} listing;

static listing look_up(const own_arm *arm, const double *q, const double *rows,
                       const lb_solution *infos, const lb_solutions_summary *summary)
{
    bool moves[OWN_JOINTS] = {false};
    listing found = {false, false};
    for (int k = 0; k < summary->family_count; k++)
        moves[lb_model_joint_q(arm->model, summary->family[k])] = true;
    for (int n = 0; n < summary->listed; n++) {
        bool same = is_at(arm, rows + n * arm->nq, q, infos[n].family ? moves : NULL);
        found.listed = found.listed || same;
        found.inside =
            found.inside ||
            (same && (infos[n].in_limits || infos[n].family || infos[n].multiplicity > 1));
    }
    return found;
}

static own_fault judge_list(const own_arm *arm, const double *q, const lb_transform *pose,
                            const double *start, own_counts *counts)
{
    static _Thread_local double rows[ROWS * OWN_JOINTS];
    static _Thread_local lb_solution infos[ROWS];
    lb_solutions_summary summary;
    lb_solutions(arm->solver, pose, start, ROWS, rows, infos, &summary);
    counts->listed++;
    counts->complete += summary.complete;
    counts->certified += summary.certified;
    counts->families += summary.family_count > 0;
    if (summary.outcome == LB_UNREACHABLE)
        return OWN_UNREACHABLE;
    const bool redundant = lb_solutions_class(arm->solver) == LB_ARM_REDUNDANT;
    if (summary.count == 0 && !redundant && (summary.complete || summary.certified))
        return OWN_EMPTY;
    if (!redundant && own_arm_has_false_family(arm, rows, infos, &summary))
        return OWN_NO_FAMILY;
    const listing found = look_up(arm, q, rows, infos, &summary);
    if (!found.listed && summary.certified)
        return OWN_NOT_CERTIFIED;
    // of redundant arms all are there at the listed values alone
    if (!found.listed && summary.complete && !redundant)
        return OWN_NOT_COMPLETE;
    // beside singular places, where branches meet, the limits are not always found to be kept
    return found.listed && !found.inside && summary.certified && summary.outcome != LB_REACHED
               ? OWN_OUTSIDE
               : OWN_FINE;
}

/* whether a joint of a nearest result is nearer to the start by a whole turn, inside its limits */
static bool is_wound(const own_arm *arm, const lb_transform *pose, const double *start, double *q)
{
    bool wound = false;
    // of what closes no result is called the nearest
    const int count = lb_model_loop_count(arm->model) > 0 ? 0 : arm->nq;
    for (int i = 0; i < count && !wound; i++) {
        const double was = q[i], other = was + (was < start[i] ? TURN : -TURN);
        if (arm->idle[i] || arm->is_length[i] || other < arm->lower[i] || other > arm->upper[i] ||
            fabs(other - start[i]) > fabs(was - start[i]) - 1e-3)
            continue;
        // what follows a joint by a ratio does not come round with it
        q[i] = other;
        const lb_transform now = own_arm_pose(arm, q);
        wound = lb_vec3_length(lb_vec3_sub(now.p, pose->p)) < 1e-6 * arm->size &&
                lb_vec3_length(lb_vec3_sub(now.x, pose->x)) < 1e-5;
        q[i] = was;
    }
    return wound;
}

own_fault own_arm_judge(lb_random *random, const own_arm *arm, const double *q, own_counts *counts)
{
    double start[OWN_JOINTS], found[OWN_JOINTS];
    const lb_transform pose = own_arm_pose(arm, q);
    counts->poses++;
    lb_configuration_random(arm->model, random, start);
    own_fault fault = OWN_FINE;
    if (arm->solver)
        fault = judge_list(arm, q, &pose, start, counts);
    for (int p = 0; p < 2 && fault == OWN_FINE && arm->searches[p]; p++) {
        const lb_outcome outcome = lb_ik_solve(arm->searches[p], &pose, start, found, NULL);
        if (outcome == LB_UNREACHABLE)
            fault = OWN_SEARCH_UNREACHABLE;
        else if (p == 1 && outcome == LB_REACHED && is_wound(arm, &pose, start, found))
            fault = OWN_WOUND;
    }
    return fault;
}
