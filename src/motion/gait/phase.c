/*
 * phase.c - where pelvis, trunk, arms and feet are at a time of the cycle.
 *
 * A foot turns about one point of its sole at a time: its heel until it is flat, then its toes. In
 * the swing that point goes along the sole from the toes to the heel while its place goes from the
 * one to the next. Both start and end at rest, so the foot's velocity is continuous where its
 * contact begins and ends, whatever its pitch does there.
 */
#include "motion/gait/gait.h"
#include "motion/spline.h"

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

double gait_offset(int side)
{
    return side < 0 ? 0.5 : 0;
}

double gait_stride(const gait_figure *figure, const lb_gait *gait)
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

lb_transform gait_place(const gait_figure *figure, const lb_gait *gait, const gait_part *part,
                        double phase)
{
    if (part->move == GAIT_FOOT)
        return place_foot(figure, gait, part, phase);
    lb_vec3 at = part->move == GAIT_PELVIS ? pelvis_place(figure, gait, phase) : part->rest.p;
    lb_quat turn = turn_of(gait, part, phase);
    return lb_transform_from_quat(lb_quat_multiply(turn, lb_transform_quat(&part->rest)), at);
}
