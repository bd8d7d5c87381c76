/*
 * gait.c - a walk as a clip: the numbers checked, one cycle solved, repeated.
 */
#include "motion/gait/gait.h"
#include "motion/contacts.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/spline.h"

#include <string.h>

/* ---- phases -------------------------------------------------------------- */

/*
 * Where pelvis, trunk, arms and feet are at a time of the cycle.
 *
 * A foot turns about one point of its sole at a time: its heel until it is flat, then its toes. In
 * the swing that point goes along the sole from the toes to the heel while its place goes from the
 * one to the next. Both start and end at rest, so the foot's velocity is continuous where its
 * contact begins and ends, whatever its pitch does there.
 */

/* a foot pitches most after this share of its swing, by so much more than where it left the
   ground; it is level, and falling, after that share */
static const double peak_at = 0.14, peak_share = 1.12, level_at = 0.62;
/* slopes of the pitch there, in units of the pitch over the time on that side */
static const double off_slope = 2.2, level_slope = -1.6, strike_slope = 0.6;

static double stretch(double share, double from, double to)
{
    return from + share * (to - from);
}

/* a step from 0 to 1, quicker at first than the smooth one and slower in the end: a foot lands more
   gently than it leaves, or the knee, which is nearly straight then, would stop at once */
static double land(double s)
{
    return s * s * (4.5 - s * (5 - 1.5 * s));
}

/* a value and its rate at a phase */
typedef struct gait_knot {
    double at, value, slope;
} gait_knot;

/* the cubic through a knot and the next one */
static double cubic(const gait_knot *knot, double at)
{
    double h = knot[1].at - knot[0].at, s = (at - knot[0].at) / h, t = 1 - s;
    return smooth_step(t) * knot[0].value + smooth_step(s) * knot[1].value +
           h * s * t * (t * knot[0].slope - s * knot[1].slope);
}

/* of a foot, positive with the heel up, at its own phase from 0 to 1 */
static double foot_pitch(const lb_gait *g, double at)
{
    double swing = 1 - g->toe_off, peak = peak_share * g->toe_pitch;
    double strike = strike_slope * g->heel_pitch / g->flat;
    const gait_knot knots[] = {
        {0, -g->heel_pitch, strike},
        {g->flat, 0, 0},
        {g->heel_off, 0, 0},
        {g->toe_off, g->toe_pitch, off_slope * g->toe_pitch / (g->toe_off - g->heel_off)},
        {stretch(peak_at, g->toe_off, 1), peak, 0},
        {stretch(level_at, g->toe_off, 1), 0, level_slope * peak / ((level_at - peak_at) * swing)},
        {1, -g->heel_pitch, strike}};
    int i = 0;
    while (i < 5 && at >= knots[i + 1].at)
        i++;
    return cubic(&knots[i], at);
}

/* how far the cycle of a side (1 left, -1 right) is before the figure's */
static double gait_offset(int side)
{
    return side < 0 ? 0.5 : 0;
}

/* from heel to heel of one foot, metres */
static double gait_stride(const gait_figure *figure, const lb_gait *gait)
{
    return 2 * gait->step_length * figure->leg;
}

static lb_quat about(double x, double y, double z, double angle)
{
    return lb_quat_from_axis_angle(lb_vec3_make(x, y, z), angle);
}

/* ---- feet -------------------------------------------------------------------- */

static lb_transform place_foot(const gait_figure *f, const lb_gait *g, const gait_part *part,
                               double phase)
{
    double own = phase + gait_offset(part->side), cycle = floor(own), at = own - cycle;
    double stride = gait_stride(f, g);
    lb_quat out = about(0, 0, 1, part->side * g->toe_out), rest = lb_transform_quat(&part->rest);
    lb_quat flat = lb_quat_multiply(out, rest);
    lb_quat turn = lb_quat_multiply(out, lb_quat_multiply(about(0, 1, 0, foot_pitch(g, at)), rest));

    // where heel and toes rest in this cycle
    lb_vec3 sole = lb_vec3_sub(part->toe, part->heel);
    lb_vec3 heel = lb_vec3_make(stride * (cycle - gait_offset(part->side)) + g->heel_lead * f->leg,
                                0.5 * part->side * g->step_width * f->leg, 0);
    lb_vec3 toe = lb_vec3_add(heel, lb_quat_rotate(flat, sole));

    // the point that the foot turns about, in the foot and in the walk
    bool rolls_on_heel = at < 0.5 * (g->flat + g->heel_off);
    lb_vec3 pivot = rolls_on_heel ? part->heel : part->toe, place = rolls_on_heel ? heel : toe;
    if (at > g->toe_off) {
        double s = (at - g->toe_off) / (1 - g->toe_off), rise = 4 * s * (1 - s);
        lb_vec3 next = lb_vec3_add(heel, lb_vec3_make(stride, 0, 0));
        pivot = lb_vec3_sub(part->toe, lb_vec3_scale(sole, smooth_step(s)));
        place = lb_vec3_add(toe, lb_vec3_scale(lb_vec3_sub(next, toe), land(s)));
        place.z = g->clearance * f->leg * rise * rise;
    }
    return lb_transform_from_quat(turn, lb_vec3_sub(place, lb_quat_rotate(turn, pivot)));
}

/* ---- all else ------------------------------------------------------------------ */

/* the angle of a cycle in which something is largest as the left heel comes to rest */
static double angle_of(double phase)
{
    return 2 * LB_PI * phase;
}

/* the middle of both feet on the ground, at which the pelvis is lowest */
static double low_phase(const lb_gait *g)
{
    return 0.5 * (g->toe_off - 0.5);
}

static lb_quat pelvis_turn(const lb_gait *g, double phase)
{
    double list = g->pelvis_list * lb_sin(angle_of(phase - low_phase(g)));
    double turn = -g->pelvis_turn * lb_cos(angle_of(phase));
    return lb_quat_multiply(about(0, 0, 1, turn), about(1, 0, 0, list));
}

static lb_quat chest_turn(const lb_gait *g, double phase)
{
    double turn = g->chest_turn * lb_cos(angle_of(phase));
    return lb_quat_multiply(about(0, 0, 1, turn), about(0, 1, 0, g->lean));
}

static lb_vec3 pelvis_place(const gait_figure *f, const lb_gait *g, double phase)
{
    double low = angle_of(phase - low_phase(g));
    double height = g->pelvis_height - g->pelvis_rise * lb_cos(2 * low);
    return lb_vec3_make(gait_stride(f, g) * phase, f->leg * g->pelvis_sway * lb_sin(low),
                        f->ankles + f->leg * height + f->hips);
}

/* an arm is behind as the leg of its side comes to rest; the elbow bends as it goes forward */
static lb_quat arm_turn(const lb_gait *g, const gait_part *part, double phase)
{
    double forward = -lb_cos(angle_of(phase + gait_offset(part->side)));
    double swing = g->arm_middle + g->arm_swing * forward;
    lb_quat turn = lb_quat_multiply(chest_turn(g, phase), about(0, 1, 0, -swing));
    if (part->move != GAIT_FOREARM)
        return turn;
    double bend = 0.5 * g->elbow * (1 + forward);
    return lb_quat_multiply(turn, lb_quat_from_axis_angle(part->elbow, bend));
}

/* the rotation from rest */
static lb_quat turn_of(const lb_gait *g, const gait_part *part, double phase)
{
    switch (part->move) {
    case GAIT_TRUNK:
        return lb_quat_slerp(pelvis_turn(g, phase), chest_turn(g, phase), part->share);
    case GAIT_UPPER_ARM:
    case GAIT_FOREARM:
        return arm_turn(g, part, phase);
    case GAIT_PELVIS:
        return pelvis_turn(g, phase);
    case GAIT_HEAD:
    case GAIT_FOOT:
        break;
    }
    return LB_QUAT_IDENTITY;
}

/* where a part is at a phase; of all but pelvis and feet the rotation alone */
static lb_transform gait_place(const gait_figure *figure, const lb_gait *gait,
                               const gait_part *part, double phase)
{
    if (part->move == GAIT_FOOT)
        return place_foot(figure, gait, part, phase);
    lb_vec3 at = part->move == GAIT_PELVIS ? pelvis_place(figure, gait, phase) : part->rest.p;
    lb_quat turn = turn_of(gait, part, phase);
    return lb_transform_from_quat(lb_quat_multiply(turn, lb_transform_quat(&part->rest)), at);
}

/* metres and radians; feet are held to well below what can be measured, far above rounding */
#define TOLERANCE 1e-9
/* the pull of the neutral pose on what no part determines: what it moves parts by is below that */
#define POSTURE 1e-13
/* the most keys of a clip: an hour at 300 a second */
#define MOST_KEYS 1000000

/* What makes the keys of a clip. */
typedef struct gait_run {
    lb_allocator memory;           /* a pool's */
    const lb_allocator *allocator; /* of what is made */
    const lb_model *model;
    const lb_gait *gait;
    lb_error *error;
    gait_figure figure;
    lb_body *body;
    int keys;           /* of a cycle */
    double cycle, time; /* seconds: of a cycle, between keys */
    lb_vec3 stride;     /* by which the root's values move in a cycle */
    double *q;          /* nq, keys of them: the first cycle */
} gait_run;

lb_gait lb_gait_default(void)
{
    return (lb_gait){.step_length = 0.69,
                     .cadence = 100,
                     .step_width = 0.16,
                     .heel_lead = 0.268,
                     .toe_out = 0.15,
                     .flat = 0.12,
                     .heel_off = 0.38,
                     .toe_off = 0.62,
                     .heel_pitch = 0.29,
                     .toe_pitch = 0.7,
                     .clearance = 0.07,
                     .pelvis_height = 0.97,
                     .pelvis_rise = 0.006,
                     .pelvis_sway = 0.025,
                     .pelvis_turn = 0.06,
                     .pelvis_list = 0.065,
                     .lean = 0.04,
                     .chest_turn = 0.09,
                     .arm_swing = 0.36,
                     .arm_middle = 0,
                     .elbow = 0.22,
                     .ground = 0,
                     .cycles = 1,
                     .rate = 60};
}

/* ---- what is refused ------------------------------------------------------------- */

typedef struct gait_range {
    const char *name;
    double value, least, most;
} gait_range;

/* every number, with what it may be */
static lb_status check_numbers(const lb_gait *g, lb_error *error)
{
    const double half = 0.5 * LB_PI;
    const gait_range ranges[] = {
        {"step_length", g->step_length, 0, 2},
        {"cadence", g->cadence, 1, 1000},
        {"step_width", g->step_width, 0, 2},
        {"heel_lead", g->heel_lead, -2, 2},
        {"toe_out", g->toe_out, -half, half},
        {"flat", g->flat, 0.01, 0.98},
        {"heel_off", g->heel_off, g->flat + 0.001, 0.99},
        {"toe_off", g->toe_off, g->heel_off + 0.001, 0.99},
        {"heel_pitch", g->heel_pitch, 0, half},
        {"toe_pitch", g->toe_pitch, 0, half},
        {"clearance", g->clearance, 0, 1},
        {"pelvis_height", g->pelvis_height, 0, 1},
        {"pelvis_rise", g->pelvis_rise, 0, 1},
        {"pelvis_sway", g->pelvis_sway, -1, 1},
        {"pelvis_turn", g->pelvis_turn, -half, half},
        {"pelvis_list", g->pelvis_list, -half, half},
        {"lean", g->lean, -half, half},
        {"chest_turn", g->chest_turn, -half, half},
        {"arm_swing", g->arm_swing, -LB_PI, LB_PI},
        {"arm_middle", g->arm_middle, -LB_PI, LB_PI},
        {"elbow", g->elbow, -LB_PI, LB_PI},
        {"ground", g->ground, -LB_LENGTH_MAX, LB_LENGTH_MAX},
        {"cycles", g->cycles, 1, MOST_KEYS},
        {"rate", g->rate, 1, MOST_KEYS},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!(ranges[i].value >= ranges[i].least && ranges[i].value <= ranges[i].most))
            return REFUSE_VALUE(error, "gait: %s is %g; it is %g to %g", ranges[i].name,
                                ranges[i].value, ranges[i].least, ranges[i].most);
    return LB_OK;
}

static lb_status check_root(const lb_model *model, lb_error *error)
{
    if (lb_model_joint_count(model) > 0 && lb_model_joint(model, 0)->kind == LB_JOINT_FLOATING)
        return LB_OK;
    return REFUSE_MODEL(error,
                        "the root of '%s' does not move freely; lb_model_with_root gives it a "
                        "floating joint",
                        lb_model_name(model));
}

/* ---- a pose ------------------------------------------------------------------------ */

static lb_status make_body(gait_run *run)
{
    lb_body_task tasks[GAIT_PARTS];
    lb_body_options options = lb_body_options_default();
    options.position_tolerance = options.rotation_tolerance = TOLERANCE;
    options.posture = POSTURE;
    options.restarts = 0; // a frame follows from the one before
    for (int i = 0; i < run->figure.count; i++) {
        const gait_part *part = &run->figure.parts[i];
        bool placed = part->move == GAIT_PELVIS || part->move == GAIT_FOOT;
        tasks[i] = lb_body_task_make(placed ? LB_BODY_POSE : LB_BODY_ORIENTATION, part->link);
    }
    return lb_body_create(run->model, tasks, run->figure.count, &options, &run->memory, &run->body,
                          run->error);
}

/* the part that is farthest from where it is to be */
static lb_status refuse_pose(const gait_run *run, double phase)
{
    const lb_body_outcome *outcomes = lb_body_outcomes(run->body);
    int worst = 0;
    double most = 0;
    for (int i = 0; i < run->figure.count; i++) {
        double error = fmax(outcomes[i].position_error, outcomes[i].rotation_error);
        if (!outcomes[i].reached && error >= most) {
            most = error;
            worst = i;
        }
    }
    return REFUSE_VALUE(run->error,
                        "gait: at %.3g of the cycle '%s' is %.2g m and %.2g rad from where it is "
                        "to be; shorter steps, a lower pelvis or smaller angles may help",
                        phase, lb_model_link(run->model, run->figure.parts[worst].link)->name,
                        outcomes[worst].position_error, outcomes[worst].rotation_error);
}

static lb_status refuse_place(const gait_run *run, int part, double phase)
{
    return REFUSE_VALUE(run->error,
                        "gait: at %.3g of the cycle '%s' is to be more than %g m away: see the "
                        "ground and the size of the figure",
                        phase, lb_model_link(run->model, run->figure.parts[part].link)->name,
                        LB_LENGTH_MAX);
}

/* every pose is found from the neutral one, so that it depends on its phase alone */
static lb_status solve_key(gait_run *run, int key)
{
    double phase = (double)key / run->keys;
    double *q = &run->q[(size_t)key * (size_t)lb_model_nq(run->model)];
    for (int i = 0; i < run->figure.count; i++) {
        lb_transform at = gait_place(&run->figure, run->gait, &run->figure.parts[i], phase);
        at = lb_transform_multiply(&run->figure.frame, &at);
        if (lb_body_set_target(run->body, i, &at) != LB_OK)
            return refuse_place(run, i, phase);
    }
    lb_configuration_neutral(run->model, q);
    return lb_body_solve(run->body, q, q, NULL) == LB_REACHED ? LB_OK : refuse_pose(run, phase);
}

static lb_status solve_cycle(gait_run *run)
{
    TRY(make_body(run));
    run->q = memory_take(&run->memory, (size_t)run->keys,
                         (size_t)lb_model_nq(run->model) * sizeof *run->q);
    TRY(require_memory(run->error, run->q));
    for (int key = 0; key < run->keys; key++)
        TRY(solve_key(run, key));
    return LB_OK;
}

/* ---- the clip ------------------------------------------------------------------------ */

/* a key of the first cycle, so many strides farther */
static bool set_key(void *user, int key, double *time, double *q)
{
    const gait_run *run = user;
    size_t nq = (size_t)lb_model_nq(run->model);
    int round = key / run->keys;
    *time = key * run->time;
    memcpy(q, &run->q[(size_t)(key % run->keys) * nq], nq * sizeof *q);
    q[0] += round * run->stride.x;
    q[1] += round * run->stride.y;
    q[2] += round * run->stride.z;
    return true;
}

/* what the root's first values change by in a cycle: they are in the axes of its joint */
static void measure_run(gait_run *run)
{
    lb_transform root = lb_model_root(run->model);
    root = lb_transform_multiply(&root, &lb_model_joint(run->model, 0)->placement);
    lb_quat inside = lb_quat_conjugate(lb_transform_quat(&root));
    double length = gait_stride(&run->figure, run->gait);
    run->stride = lb_quat_rotate(inside, lb_vec3_scale(run->figure.frame.x, length));
    run->cycle = 120 / run->gait->cadence;
    run->keys = (int)fmax(4, floor(run->cycle * run->gait->rate + 0.5));
    run->time = run->cycle / run->keys;
}

/* ---- contacts -------------------------------------------------------------------------- */

/* one point of a foot, in each cycle of its own that the clip has a part of */
static lb_status add_spans(const gait_run *run, lb_contacts *contacts, int point, double begin,
                           double end)
{
    double last = run->cycle * run->gait->cycles, offset = gait_offset(point < 2 ? 1 : -1);
    for (int i = 0; i <= run->gait->cycles; i++) {
        double from = fmax(0, (i - offset + begin) * run->cycle);
        double to = fmin(last, (i - offset + end) * run->cycle);
        if (from >= to)
            continue;
        TRY(lb_contacts_add(contacts, point, from, to, run->error));
    }
    return LB_OK;
}

static lb_status make_contacts(const gait_run *run, lb_contacts **contacts)
{
    const lb_gait *g = run->gait;
    TRY(lb_rig_soles(run->model, NULL, run->allocator, contacts, run->error));
    for (int foot = 0; foot < 2; foot++) {
        TRY(add_spans(run, *contacts, 2 * foot, 0, g->heel_off));
        TRY(add_spans(run, *contacts, 2 * foot + 1, g->flat, g->toe_off));
    }
    return LB_OK;
}

/* ---- the call -------------------------------------------------------------------------- */

static lb_status walk(gait_run *run, lb_clip **clip, lb_contacts **contacts)
{
    TRY(gait_find(run->model, run->gait->ground, &run->memory, &run->figure, run->error));
    measure_run(run);
    if ((double)run->keys * run->gait->cycles >= MOST_KEYS)
        return REFUSE_VALUE(run->error, "gait: more than %d keys", MOST_KEYS);
    TRY(solve_cycle(run));
    if (contacts != NULL)
        TRY(make_contacts(run, contacts));
    return lb_clip_generate(run->model, run->keys * run->gait->cycles + 1, set_key, run,
                            LB_INTERPOLATION_LINEAR, run->allocator, clip, run->error);
}

lb_status lb_gait_walk(const lb_model *model, const lb_gait *gait, const lb_allocator *allocator,
                       lb_clip **clip, lb_contacts **contacts, lb_error *error)
{
    if (clip != NULL)
        *clip = NULL;
    if (contacts != NULL)
        *contacts = NULL;
    lb_gait usual = lb_gait_default();
    MEMORY_POOL(memory, allocator);
    gait_run run = {.memory = memory,
                    .allocator = allocator,
                    .model = model,
                    .gait = gait != NULL ? gait : &usual,
                    .error = error};
    TRY(REQUIRE(error, {model, "model"}, {clip, "clip"}));
    TRY(check_numbers(run.gait, error));
    TRY(check_root(model, error));
    lb_status status = walk(&run, clip, contacts);
    return contacts != NULL ? contacts_keep(status, contacts) : status;
}
