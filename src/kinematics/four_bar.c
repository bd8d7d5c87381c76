/*
 * four_bar.c - four-bars of two dyads: as linkages, and how they go through poses.
 */
#include "base/error.h"
#include "kinematics/planar.h"
#include "math/scalar.h"

#include <limber/synthesis.h>
#include <string.h>

static const char *const kind_texts[] = {
#define KIND_TEXT(name, text) text,
    LB_FOUR_BAR_KIND_LIST(KIND_TEXT)
#undef KIND_TEXT
};

const char *lb_four_bar_kind_text(lb_four_bar_kind kind)
{
    return kind >= 0 && kind < LB_FOUR_BAR_KIND_COUNT ? kind_texts[kind] : "unknown";
}

/* ---- places ------------------------------------------------------------------- */

static planar_point fixed_pivot(const lb_dyad *d)
{
    return (planar_point){d->fixed_x, d->fixed_y};
}

static planar_point moving_pivot(const lb_dyad *d, const lb_plane_pose *pose)
{
    planar_pose at = {.place = {pose->x, pose->y}};
    lb_sincos(pose->angle, &at.turn.y, &at.turn.x);
    return pose_point(&at, (planar_point){d->moving_x, d->moving_y});
}

static planar_point side_at(const lb_dyad *d, const lb_plane_pose *pose)
{
    return point_less(moving_pivot(d, pose), fixed_pivot(d));
}

static double turn_between(planar_point from, planar_point to)
{
    return lb_atan2(point_cross(from, to), point_dot(from, to));
}

void lb_four_bar_values(const lb_four_bar *four_bar, const lb_plane_pose *first,
                        const lb_plane_pose *pose, double q[3])
{
    const lb_dyad *crank = &four_bar->crank, *rocker = &four_bar->rocker;
    q[0] = turn_between(side_at(crank, first), side_at(crank, pose));
    q[1] = lb_wrap_angle(pose->angle - first->angle - q[0]);
    q[2] = turn_between(side_at(rocker, first), side_at(rocker, pose));
}

/* ---- the linkage ----------------------------------------------------------------- */

static lb_transform shift_between(planar_point from, planar_point to)
{
    return lb_transform_translation(to.x - from.x, to.y - from.y, 0);
}

enum { RODS = 5 };

/* a capsule between two points of the plane; one that is too short to show is a ball */
static lb_geometry make_rod(planar_point from, planar_point to, double radius)
{
    planar_point along = point_less(to, from);
    double length = sqrt(point_square(along));
    along = length > 0 ? point_scaled(along, 1 / length) : (planar_point){1, 0};
    return (lb_geometry){.shape = LB_SHAPE_CAPSULE,
                         .origin = {{0, 0, 1},
                                    {along.y, -along.x, 0},
                                    {along.x, along.y, 0},
                                    {(from.x + to.x) / 2, (from.y + to.y) / 2, 0}},
                         .size = {radius, 0, length}};
}

/* the rods of crank, coupler (three of a triangle) and rocker, in that order */
static void make_rods(const lb_four_bar *four_bar, planar_point a, planar_point b,
                      planar_point guided, lb_link *links, lb_geometry rods[RODS])
{
    static const int count[] = {0, 1, 3, 1};
    static const double colors[][4] = {
        {0}, {0.25, 0.45, 0.75, 1}, {0.85, 0.55, 0.2, 1}, {0.45, 0.6, 0.35, 1}};
    const planar_point origin = {0, 0};
    planar_point to_b = point_less(b, a), to_guided = point_less(guided, a);
    double radius = 0.007 * (four_bar->ground + four_bar->crank.length + four_bar->coupler +
                             four_bar->rocker.length);
    rods[0] = make_rod(origin, point_less(a, fixed_pivot(&four_bar->crank)), radius);
    rods[1] = make_rod(origin, to_b, radius);
    rods[2] = make_rod(origin, to_guided, radius);
    rods[3] = make_rod(to_b, to_guided, radius);
    rods[4] = make_rod(origin, point_less(b, fixed_pivot(&four_bar->rocker)), radius);
    for (int i = 1, rod = 0; i < 4; i++) {
        links[i].visuals = rods + rod;
        links[i].visual_count = count[i];
        for (int k = 0; k < count[i]; k++)
            memcpy(rods[rod++].color, colors[i], sizeof colors[i]);
    }
}

lb_status lb_four_bar_model(const lb_four_bar *four_bar, const lb_plane_pose *first,
                            const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    static const char *const links[] = {"ground", "crank", "coupler", "rocker", "guided"};
    static const char *const joints[] = {"drive", "pin", "pivot", "plane"};
    static const int parents[] = {0, 1, 0, 2};
    TRY(REQUIRE_TO_MAKE(model, error, {four_bar, "four_bar"}, {first, "first"}));
    // every frame has the ground's axes in the first pose, but the guided one
    planar_point a = moving_pivot(&four_bar->crank, first);
    planar_point b = moving_pivot(&four_bar->rocker, first);
    planar_point crank = fixed_pivot(&four_bar->crank), rocker = fixed_pivot(&four_bar->rocker);
    planar_point guided = {first->x, first->y};
    lb_link link[5];
    lb_joint joint[4];
    lb_geometry rods[RODS];
    lb_loop elbow = lb_loop_default();
    for (int i = 0; i < 5; i++) {
        link[i] = lb_link_default();
        link[i].name = links[i];
    }
    make_rods(four_bar, a, b, guided, link, rods);
    for (int i = 0; i < 4; i++) {
        joint[i] = lb_joint_default();
        joint[i].kind = i < 3 ? LB_JOINT_CONTINUOUS : LB_JOINT_FIXED;
        joint[i].name = joints[i];
        joint[i].parent = links[parents[i]];
        joint[i].child = links[i + 1];
    }
    joint[0].driven = true;
    joint[1].placement = shift_between(crank, a);
    joint[2].placement = shift_between(crank, rocker);
    joint[3].placement = lb_transform_from_quat(lb_quat_exp(lb_vec3_make(0, 0, first->angle)),
                                                shift_between(a, guided).p);
    elbow.name = "elbow";
    elbow.kind = LB_LOOP_HINGE;
    elbow.first = "coupler";
    elbow.second = "rocker";
    elbow.first_frame = shift_between(a, b);
    elbow.second_frame = shift_between(rocker, b);
    const lb_model_source source = {.name = "four_bar",
                                    .root = shift_between((planar_point){0, 0}, crank),
                                    .links = link,
                                    .link_count = 5,
                                    .joints = joint,
                                    .joint_count = 4,
                                    .loops = &elbow,
                                    .loop_count = 1};
    return lb_model_build(&source, allocator, model, error);
}

/* ---- motion through the poses ------------------------------------------------------ */

/*
 * The crank's way through the poses. The other end of the crank is g^2 + k^2 - 2 g k cos(angle)
 * from the rocker's pivot, squared, which coupler and rocker span while it is between |c - r| and c
 * + r: where the crank has angle 0 or half a turn it may be unable to pass, and nowhere else.
 */
typedef struct crank_way {
    int count;
    double angles[LB_SYNTHESIS_POSES]; /* from the line of the fixed pivots */
    bool same_side;                    /* of coupler and rocker, in all poses */
    bool passes_near, passes_far;      /* at angle 0, at half a turn */
} crank_way;

/* whether the crank gets from one pose to another by turning one way, 1 or -1; *turned grows */
static bool can_turn(const crank_way *w, int from, int to, double way, double *turned)
{
    double start = w->angles[from] * way, by = lb_wrap_angle(w->angles[to] * way - start);
    by += by < 0 ? 2 * LB_PI : 0;
    *turned += by;
    double end = start + by;
    bool near = (start < 0 && end > 0) || end > 2 * LB_PI, far = end > LB_PI;
    return (w->passes_near || !near) && (w->passes_far || !far);
}

static bool passes_in_order(const crank_way *w, double way)
{
    double turned = 0;
    for (int i = 1; i < w->count; i++)
        if (!can_turn(w, i - 1, i, way, &turned) || turned >= 2 * LB_PI)
            return false;
    return w->same_side;
}

static bool reaches_all(const crank_way *w)
{
    double turned = 0;
    for (int i = 1; i < w->count; i++)
        if (!can_turn(w, 0, i, 1, &turned) && !can_turn(w, 0, i, -1, &turned))
            return false;
    return w->same_side;
}

static lb_four_bar_kind classify(const lb_four_bar *b)
{
    const double lengths[] = {b->crank.length, b->ground, b->rocker.length, b->coupler};
    static const lb_four_bar_kind by_shortest[] = {
        LB_FOUR_BAR_CRANK_ROCKER, LB_FOUR_BAR_DOUBLE_CRANK, LB_FOUR_BAR_ROCKER_CRANK,
        LB_FOUR_BAR_DOUBLE_ROCKER};
    int shortest = 0;
    double sum = 0, longest = 0;
    for (int i = 0; i < 4; i++) {
        shortest = lengths[i] < lengths[shortest] ? i : shortest;
        longest = scalar_max(longest, lengths[i]);
        sum += lengths[i];
    }
    // shortest and longest less the other two
    double excess = 2 * (lengths[shortest] + longest) - sum;
    return fabs(excess) < 1e-9 * sum ? LB_FOUR_BAR_CHANGE_POINT
           : excess > 0              ? LB_FOUR_BAR_TRIPLE_ROCKER
                                     : by_shortest[shortest];
}

/* all of a four-bar whose sides are known; false: pivots coincide */
static bool judge_four_bar(const lb_plane_pose *poses, int count, lb_four_bar *b)
{
    const double least = 1e-6;
    crank_way way = {.count = count, .same_side = true};
    double first = 0, size = b->crank.length + b->rocker.length;
    planar_point ground = point_less(fixed_pivot(&b->rocker), fixed_pivot(&b->crank));
    b->ground = sqrt(point_square(ground));
    b->transmission = LB_PI / 2;
    for (int i = 0; i < count; i++) {
        planar_point side = side_at(&b->rocker, &poses[i]);
        planar_point coupler =
            point_less(moving_pivot(&b->rocker, &poses[i]), moving_pivot(&b->crank, &poses[i]));
        double cross = point_cross(coupler, side);
        double angle = lb_atan2(fabs(cross), fabs(point_dot(coupler, side)));
        b->transmission = scalar_min(b->transmission, angle);
        b->coupler = sqrt(point_square(coupler));
        first = i == 0 ? cross : first;
        way.same_side = way.same_side && cross * first > 0;
        way.angles[i] = turn_between(ground, side_at(&b->crank, &poses[i]));
    }
    way.passes_near = fabs(b->ground - b->crank.length) > fabs(b->coupler - b->rocker.length);
    way.passes_far = b->ground + b->crank.length < b->coupler + b->rocker.length;
    b->kind = classify(b);
    b->in_order = passes_in_order(&way, 1) || passes_in_order(&way, -1);
    b->on_one_branch = b->in_order || reaches_all(&way);
    return b->ground > least * size && b->coupler > least * size;
}

/* ---- all of them --------------------------------------------------------------------- */

static bool is_better(const lb_four_bar *a, const lb_four_bar *b)
{
    int first = a->on_one_branch + a->in_order, second = b->on_one_branch + b->in_order;
    return first != second ? first > second : a->transmission > b->transmission;
}

static lb_status check_dyads(const lb_plane_pose *poses, int pose_count, const lb_dyad *dyads,
                             int count, lb_error *error)
{
    double spread = 0;
    for (int j = 1; j < pose_count; j++)
        spread = scalar_max(spread, sqrt(point_square((planar_point){poses[j].x - poses[0].x,
                                                                     poses[j].y - poses[0].y})));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < pose_count; j++) {
            double length = sqrt(point_square(side_at(&dyads[i], &poses[j])));
            if (!(fabs(length - dyads[i].length) <= 1e-9 * (spread + dyads[i].length)))
                return REFUSE_VALUE(error,
                                    "dyad %d has another length in pose %d; take lb_dyads_find's",
                                    i + 1, j + 1);
        }
    return LB_OK;
}

/* puts a four-bar in its place among the best */
static void rank_four_bar(const lb_four_bar *b, lb_four_bar *best, int count, int capacity)
{
    int at = count < capacity ? count : capacity;
    for (; at > 0 && is_better(b, &best[at - 1]); at--)
        if (at < capacity)
            best[at] = best[at - 1];
    if (at < capacity)
        best[at] = *b;
}

lb_status lb_four_bars_find(const lb_plane_pose *poses, int count, const lb_dyad *dyads,
                            int dyad_count, lb_four_bar *four_bars, int capacity, int *found,
                            lb_error *error)
{
    TRY(REQUIRE(error, {poses, "poses"}, {dyads, "dyads"}, {four_bars, "four_bars"},
                {found, "found"}));
    error_begin(error, NULL);
    *found = 0;
    if (count < 1 || count > LB_SYNTHESIS_POSES)
        return REFUSE_VALUE(error, "one to five poses are wanted, there are %d", count);
    TRY(check_dyads(poses, count, dyads, dyad_count, error));
    for (int i = 0; i < dyad_count; i++)
        for (int j = i + 1; j < dyad_count; j++) {
            lb_four_bar b = {.crank = dyads[i], .rocker = dyads[j]};
            lb_four_bar other = {.crank = dyads[j], .rocker = dyads[i]};
            if (!judge_four_bar(poses, count, &b) || !judge_four_bar(poses, count, &other))
                continue;
            rank_four_bar(is_better(&other, &b) ? &other : &b, four_bars, *found, capacity);
            ++*found;
        }
    return LB_OK;
}
