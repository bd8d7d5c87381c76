/* slice.c - arms of seven turning joints that have a closed form when one at an end is held. */
#include "ik/closed/slice.h"

#include "ik/closed/newton.h"
#include "math/scalar.h"

/* ---- the arm ---------------------------------------------------------------- */

bool slice_turns_alone(const closed_chain *chain)
{
    bool alone = chain->arm.joints == SLICE_JOINTS && chain->real == SLICE_JOINTS &&
                 chain->count == SLICE_JOINTS;
    for (int i = 0; i < SLICE_JOINTS && alone; i++)
        alone = !chain->arm.is_length[i];
    return alone;
}

/* the roots of single joint and pair are those of find_margins */
static bool has_turning(const closed_arm *rest, kernel_closed *form)
{
    return closed_recognise_turning(rest, CLOSED_EXACT, form) &&
           form->kind == KERNEL_CLOSED_WRIST && form->pair == KERNEL_PAIR_MEET &&
           form->single.last && !form->single.is_length;
}

bool slice_recognise(const closed_chain *chain, slice_arm *arm)
{
    static const int ends[] = {SLICE_JOINTS - 1, 0};
    *arm = (slice_arm){.chain = chain};
    for (int i = 0; i < 2 && slice_turns_alone(chain); i++) {
        const closed_completion rest = closed_chain_hold(chain, ends[i], 0);
        if (!has_turning(&rest.arm, &arm->form))
            continue;
        arm->held = ends[i];
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            arm->joint[j] = rest.place[j];
        const closed_joint *held = &chain->joints[arm->held];
        const bool whole = held->upper - held->lower >= 2 * LB_PI;
        arm->lower = whole ? -LB_PI : held->lower;
        arm->upper = whole ? LB_PI : held->upper;
        // three axes at right angles reach every direction
        arm->certain = arm->form.wrist.near_end + arm->form.wrist.far_end <= -CLOSED_DOUBLE_ROOT;
        return true;
    }
    return false;
}

/* ---- one target ------------------------------------------------------------- */

/* what the other joints must do with the held one at a value */
static void place_at(const slice_arm *arm, const lb_transform *target, double value,
                     lb_vec3 *center, lb_vec3 *last, lb_vec3 *side)
{
    const closed_arm *whole = &arm->chain->arm;
    const kernel_wrist *wrist = &arm->form.wrist;
    closed_arm one = {.joints = 1,
                      .axis = {whole->axis[arm->held]},
                      .point = {whole->point[arm->held]},
                      .home = LB_TRANSFORM_IDENTITY};
    const double back = -value;
    lb_transform moved = closed_forward(&one, &back);
    if (arm->held == 0) {
        moved = lb_transform_multiply(&moved, target);
    } else {
        const lb_transform from = lb_transform_inverse(&whole->home);
        moved = lb_transform_multiply(&from, &moved);
        moved = lb_transform_multiply(target, &moved);
        moved = lb_transform_multiply(&moved, &whole->home);
    }
    if (arm->form.reversed)
        moved = lb_transform_inverse(&moved);
    *center = lb_transform_point(&moved, wrist->center_tip);
    *last = lb_transform_direction(&moved, wrist->d_tip);
    *side = lb_transform_direction(&moved, wrist->u_tip);
}

/* x[0] + x[1] cos h + x[2] sin h of its values at 0, a quarter and half a turn */
static void find_parts(lb_vec3 x[3])
{
    const lb_vec3 first = x[0], quarter = x[1], half = x[2];
    x[0] = lb_vec3_scale(lb_vec3_add(first, half), 0.5);
    x[1] = lb_vec3_scale(lb_vec3_sub(first, half), 0.5);
    x[2] = lb_vec3_sub(quarter, x[0]);
}

void slice_turn(const slice_arm *arm, const lb_transform *target, kernel_turning *turning)
{
    for (int i = 0; i < 3; i++)
        place_at(arm, target, 0.5 * LB_PI * i, &turning->center[i], &turning->last[i],
                 &turning->side[i]);
    find_parts(turning->center);
    find_parts(turning->last);
    find_parts(turning->side);
}

/* ---- turning values --------------------------------------------------------- */

/* What the discriminants of single joint and pair are made of. */
typedef struct slice_roots {
    double a, b;                   /* A cos q + B sin q = C of the single joint, C(h) = */
    double kept[3];                /* kept[0] + kept[1] cos h + kept[2] sin h; */
    double square[3], across[3];   /* likewise |from|^2 and c . from of the pair; */
    double along, cosine, sine;    /* b . to = along + cosine cos q + sine sin q */
    double swing;                  /* of that, by the root of the single joint's discriminant */
    double cosine_pair, sine_pair; /* of the angle between the pair's axes */
} slice_roots;

static slice_roots find_roots(const kernel_closed *form, const kernel_turning *turning)
{
    const kernel_single *j = &form->single;
    const kernel_meet *pair = &form->meet;
    const lb_vec3 d = lb_vec3_sub(form->anchor, j->point);
    const lb_vec3 from = lb_vec3_sub(turning->center[0], pair->point);
    const lb_vec3 *turn = turning->center;
    const double share = lb_vec3_dot(d, j->axis) * lb_vec3_dot(pair->b, j->axis);
    slice_roots r = {.a = lb_vec3_dot(d, j->cosine),
                     .b = lb_vec3_dot(d, j->sine),
                     .square = {lb_vec3_dot(from, from) + lb_vec3_dot(turn[1], turn[1]),
                                2 * lb_vec3_dot(from, turn[1]), 2 * lb_vec3_dot(from, turn[2])},
                     .across = {lb_vec3_dot(from, pair->c), lb_vec3_dot(turn[1], pair->c),
                                lb_vec3_dot(turn[2], pair->c)},
                     .along = lb_vec3_dot(pair->b, lb_vec3_sub(j->point, pair->point)) + share,
                     .cosine = lb_vec3_dot(pair->b, d) - share,
                     .sine = lb_vec3_dot(pair->b, lb_vec3_cross(d, j->axis)),
                     .cosine_pair = pair->cosine,
                     .sine_pair = pair->sine};
    const double length = r.a * r.a + r.b * r.b, swing = r.sine * r.a - r.cosine * r.b;
    r.swing = fabs(swing) > CLOSED_EXACT * form->size * sqrt(length) ? swing / length : 0;
    const double whole = lb_vec3_dot(d, d) + lb_vec3_dot(j->normal, j->normal);
    r.kept[0] = 0.5 * (whole - r.square[0]) - lb_vec3_dot(d, j->axis) * j->along;
    r.kept[1] = -0.5 * r.square[1];
    r.kept[2] = -0.5 * r.square[2];
    return r;
}

static double value_of(const double x[3], double cosine, double sine)
{
    return x[0] + x[1] * cosine + x[2] * sine;
}

/* Discriminants at a value: of the single joint, and of the pair, u + v and u - v for its roots. */
typedef struct slice_margins {
    double single, u, v;
} slice_margins;

static slice_margins find_margins(const slice_roots *r, double cosine, double sine)
{
    const double length = r->a * r->a + r->b * r->b, kept = value_of(r->kept, cosine, sine);
    const double f = value_of(r->across, cosine, sine), square = value_of(r->square, cosine, sine);
    slice_margins m = {.single = length - kept * kept};
    // b . to = middle +- swing * root of `single`
    const double middle = r->along + (r->cosine * r->a + r->sine * r->b) * kept / length;
    m.u = square * r->sine_pair * r->sine_pair - f * f - middle * middle -
          r->swing * r->swing * m.single + 2 * r->cosine_pair * f * middle;
    m.v = 2 * r->swing * (r->cosine_pair * f - middle);
    return m;
}

/* A trigonometric polynomial of degree 4, bounds on its second and third derivatives, and
   on rounding. */
enum { SLICE_DEGREE = 4, SLICE_SAMPLES = 12 };

typedef struct slice_series {
    double constant, cosine[SLICE_DEGREE], sine[SLICE_DEGREE], bend, twist, rounding;
} slice_series;

/* of a dozen operations, as a share of the largest value */
#define SLICE_ROUNDING 4e-15

/* cosine and sine of k twelfths of a turn */
static double twelfth(int k)
{
    static const double half = 0.8660254037844386;
    static const double table[] = {1, half, 0.5, 0, -0.5, -half, -1, -half, -0.5, 0, 0.5, half};
    return table[(k % SLICE_SAMPLES + SLICE_SAMPLES) % SLICE_SAMPLES];
}

/* the product of both roots' discriminants, which has no root in it; u, where they are one */
static slice_series fit_product(const slice_roots *r)
{
    slice_series s = {.constant = 0};
    for (int j = 0; j < SLICE_SAMPLES; j++) {
        const slice_margins m = find_margins(r, twelfth(j), twelfth(j - 3));
        const double both = r->swing == 0 ? m.u : m.u * m.u - m.v * m.v * m.single;
        const double value = both / (0.5 * SLICE_SAMPLES);
        s.constant += 0.5 * value;
        for (int k = 0; k < SLICE_DEGREE; k++) {
            s.cosine[k] += value * twelfth(j * (k + 1));
            s.sine[k] += value * twelfth(j * (k + 1) - 3);
        }
    }
    s.rounding = SLICE_ROUNDING * fabs(s.constant);
    for (int k = 0; k < SLICE_DEGREE; k++) {
        const double most = sqrt(s.cosine[k] * s.cosine[k] + s.sine[k] * s.sine[k]);
        s.rounding += SLICE_ROUNDING * most;
        s.bend += (k + 1) * (k + 1) * most;
        s.twist += (k + 1) * (k + 1) * (k + 1) * most;
    }
    return s;
}

/* value and derivatives at an angle */
typedef struct slice_point {
    double at, value, slope, bend;
} slice_point;

static slice_point series_at(const slice_series *s, double angle)
{
    double sine, cosine, x = 1, y = 0;
    slice_point p = {.at = angle, .value = s->constant};
    lb_sincos(angle, &sine, &cosine);
    for (int k = 0; k < SLICE_DEGREE; k++) {
        const double turned = x * cosine - y * sine;
        y = y * cosine + x * sine;
        x = turned;
        p.value += s->cosine[k] * x + s->sine[k] * y;
        p.slope += (k + 1) * (s->sine[k] * x - s->cosine[k] * y);
        p.bend -= (k + 1) * (k + 1) * (s->cosine[k] * x + s->sine[k] * y);
    }
    return p;
}

static const closed_joint *single_joint(const slice_arm *arm)
{
    return &arm->chain->joints[arm->joint[arm->form.joint[0]]];
}

/* Values at which a branch may begin or end, or its single joint is at a limit. */
typedef struct slice_turns {
    double at[SLICE_TURNS];
    int count;
    int looks; /* intervals that may still be halved: below 0, some values were not found */
} slice_turns;

static void add_turn(slice_turns *turns, double value)
{
    if (turns->count < SLICE_TURNS)
        turns->at[turns->count++] = value;
}

/* Newton's method, kept between two points of opposite signs */
static double polish_zero(const slice_series *s, slice_point low, slice_point high)
{
    slice_point at = low;
    for (int n = 0; n < 60 && high.at - low.at > 1e-15; n++) {
        double next = at.at - at.value / at.slope;
        if (!(next > low.at && next < high.at))
            next = 0.5 * (low.at + high.at);
        const bool still = fabs(next - at.at) < 1e-14;
        at = series_at(s, next);
        if (still)
            break;
        if ((at.value > 0) == (low.value > 0))
            low = at;
        else
            high = at;
    }
    return at.at;
}

/* the zeros beside the only extremum between two points of one sign, whose second derivative keeps
   its sign: none, two, or a double one, on both sides of which a turn is added */
static void add_pair(const slice_series *s, slice_point low, slice_point high, slice_turns *turns)
{
    slice_point at = low;
    for (int n = 0; n < 60; n++) {
        const double next = scalar_clamp(at.at - at.slope / at.bend, low.at, high.at);
        const bool still = fabs(next - at.at) < 1e-15;
        at = series_at(s, next);
        if (still)
            break;
    }
    if (fabs(at.value) <= s->rounding) {
        const double half = sqrt(2 * s->rounding / fabs(at.bend));
        add_turn(turns, at.at - half);
        add_turn(turns, at.at + half);
    } else if ((at.value > 0) != (low.value > 0)) {
        add_turn(turns, polish_zero(s, low, at));
        add_turn(turns, polish_zero(s, at, high));
    }
}

/* an interval is halved so often, to 3e-8 of a turn: nearer zeros stay undecided, and both are
   taken */
enum { SLICE_DEPTH = 22 };

/* the zeros between two points, from low to high; an interval without sign change is left where the
   bound excludes a zero, one with it is decided where the slope keeps its sign */
static void add_zeros(const slice_series *s, slice_point low, slice_point high, slice_turns *turns)
{
    slice_point ends[SLICE_DEPTH + 1];
    int open = 0;
    ends[0] = high;
    while (open >= 0) {
        const slice_point end = ends[open];
        const double width = end.at - low.at, steep = s->bend * width;
        const double most = scalar_max(fabs(low.bend), fabs(end.bend)) + 0.5 * s->twist * width;
        const double sag = 0.125 * scalar_min(s->bend, most) * width * width + s->rounding;
        const bool changes = (low.value > 0) != (end.value > 0);
        const bool monotone = fabs(low.slope) > steep || fabs(end.slope) > steep;
        const bool bends = fabs(low.bend) > s->twist * width;
        const double least = scalar_min(fabs(low.value), fabs(end.value));
        const bool last = open == SLICE_DEPTH, may = !monotone && least <= sag;
        if (changes && (monotone || last)) {
            add_turn(turns, polish_zero(s, low, end));
        } else if (!changes && may && bends) {
            add_pair(s, low, end, turns);
        } else if (!changes && may && last) {
            add_turn(turns, low.at);
            add_turn(turns, end.at);
        } else if ((changes || may) && turns->looks-- > 0) {
            ends[++open] = series_at(s, low.at + 0.5 * width);
            continue;
        }
        low = end;
        open--;
    }
}

/* where the single joint's C is one of some values */
static void add_kept(const slice_roots *r, double kept, slice_turns *turns)
{
    const double swing = sqrt(r->kept[1] * r->kept[1] + r->kept[2] * r->kept[2]);
    const double first = lb_atan2(r->kept[2], r->kept[1]), rest = kept - r->kept[0];
    if (!(fabs(rest) < swing))
        return;
    const double half = lb_atan2(sqrt((swing - rest) * (swing + rest)), rest);
    add_turn(turns, lb_wrap_angle(first + half));
    add_turn(turns, lb_wrap_angle(first - half));
}

/* where its discriminant vanishes, and where it is so far outside its limits */
static void add_single_turns(const slice_arm *arm, const slice_roots *r, double beside,
                             slice_turns *turns)
{
    const closed_joint *joint = single_joint(arm);
    const double length = sqrt(r->a * r->a + r->b * r->b);
    double sine, cosine;
    add_kept(r, length, turns);
    add_kept(r, -length, turns);
    for (int i = 0; i < 2 && joint->upper - joint->lower < 2 * LB_PI; i++) {
        lb_sincos(i == 0 ? joint->lower - beside : joint->upper + beside, &sine, &cosine);
        add_kept(r, r->a * cosine + r->b * sine, turns);
    }
}

/* the parts of a turn that zeros are looked for in first, and how many are halved before it is
   given up: one that has a double zero 22 times */
enum { SLICE_PARTS = 16, SLICE_LOOKS = 400 };

/* all of them between two values and a little beyond, where the first and the last are, sorted: one
   at an end may be the only value at which a branch exists */
static slice_turns find_turns(const slice_arm *arm, const slice_roots *r, double lower,
                              double upper, double beside)
{
    const double first = lower - CLOSED_LIMIT_TOLERANCE, last = upper + CLOSED_LIMIT_TOLERANCE;
    const slice_series s = fit_product(r);
    const int parts = 1 + (int)((upper - lower) * (SLICE_PARTS / (2 * LB_PI)));
    slice_turns all = {.looks = SLICE_LOOKS}, sorted = {.count = 0};
    add_single_turns(arm, r, beside, &all);
    slice_point low = series_at(&s, first);
    for (int i = 0; i <= parts + 1; i++) {
        const slice_point high =
            series_at(&s, i <= parts ? lower + (upper - lower) * i / parts : last);
        add_zeros(&s, low, high, &all);
        low = high;
    }
    add_turn(&sorted, first);
    for (int i = 0; i < all.count && sorted.count < SLICE_TURNS - 1; i++) {
        // the single joint's are of any turn
        double x = all.at[i];
        x += 2 * LB_PI * ceil((first - x) / (2 * LB_PI));
        if (!(x > first && x < last))
            continue;
        int k = sorted.count++;
        for (; sorted.at[k - 1] > x; k--)
            sorted.at[k] = sorted.at[k - 1];
        sorted.at[k] = x;
    }
    add_turn(&sorted, last);
    sorted.looks = all.looks;
    return sorted;
}

/* ---- spans ------------------------------------------------------------------ */

/* the branches of one root of the single joint */
static int add_spans(int root, double begin, double end, slice_span *spans, int count)
{
    for (int rest = 0; rest < 4 && count < SLICE_SPANS; rest++)
        spans[count++] = (slice_span){root | rest << 1, begin, end};
    return count;
}

/* Whether a root of the single joint exists at a value, with the pair's, inside its limits. It can
   stand at these, or be double, all along: that of an elbow does not change with the value. */
static bool exists(const slice_arm *arm, const slice_roots *r, int root, double value)
{
    const closed_joint *joint = single_joint(arm);
    double sine, cosine;
    lb_sincos(value, &sine, &cosine);
    const slice_margins m = find_margins(r, cosine, sine);
    const double length = r->a * r->a + r->b * r->b, size = value_of(r->square, cosine, sine);
    const double swing = sqrt(scalar_max(m.single, 0)) * (root == 0 ? 1 : -1);
    if (!(m.single >= CLOSED_DOUBLE_ROOT * length &&
          m.u + m.v * swing >= CLOSED_DOUBLE_ROOT * size))
        return false;
    const double kept = value_of(r->kept, cosine, sine);
    const double angle = lb_atan2(r->b * kept + r->a * swing, r->a * kept - r->b * swing);
    const double most = joint->upper + CLOSED_LIMIT_TOLERANCE;
    return angle + 2 * LB_PI * floor((most - angle) / (2 * LB_PI)) >=
               joint->lower - CLOSED_LIMIT_TOLERANCE ||
           joint->upper == INFINITY;
}

/* the spans of one root, between turning values */
static int join_spans(const slice_arm *arm, const slice_roots *r, const slice_turns *turns,
                      int root, slice_span *spans, int count)
{
    double begin = INFINITY;
    for (int i = 0; i + 1 < turns->count; i++) {
        const bool some = exists(arm, r, root, 0.5 * (turns->at[i] + turns->at[i + 1]));
        if (some)
            begin = scalar_min(begin, turns->at[i]);
        if (begin < INFINITY && (!some || i + 2 == turns->count)) {
            count = add_spans(root, begin, turns->at[some ? i + 1 : i], spans, count);
            begin = INFINITY;
        }
    }
    return count;
}

int slice_place(const slice_arm *arm, const lb_transform *target, double lower, double upper,
                double beside, kernel_turning *turning, slice_span spans[SLICE_SPANS])
{
    int count = 0;
    slice_turn(arm, target, turning);
    const slice_roots r = find_roots(&arm->form, turning);
    const slice_turns turns = find_turns(arm, &r, lower, upper, beside);
    if (turns.looks < 0)
        return -1;
    for (int root = 0; root < 2; root++)
        count = join_spans(arm, &r, &turns, root, spans, count);
    for (int i = 0; i < count; i++) {
        spans[i].begin = scalar_clamp(spans[i].begin, lower, upper);
        spans[i].end = scalar_clamp(spans[i].end, lower, upper);
    }
    return count;
}
