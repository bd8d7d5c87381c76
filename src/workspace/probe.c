/* probe.c - how an arm's tool moves when its joints are moved at random. */
#include "workspace/probe.h"

#include "base/error.h"
#include "base/memory.h"
#include "kinematics/assembly.h"
#include "kinematics/freedom.h"

#include <string.h>

enum {
    DRAWS = 2048, /* uniform trials for the box */
    CLIMBS = 512  /* moves towards each side of it */
};

/*
 * moves are of sizes 1, 1/2, .. 1/2^6 of a joint's range: large jumps and small steps along a rim
 */
enum { SIZES = 7 };

/* ---- joints --------------------------------------------------------------- */

/* marks the joints between a link and the root; those between both and the root cancel */
static void toggle_path(const lb_model *model, int link, bool *moves)
{
    for (; link > 0; link = lb_model_parent(model, link))
        moves[link - 1] = !moves[link - 1];
}

/* a sensible range for one move of a joint's k-th velocity */
static double joint_range(const lb_joint *joint, int k)
{
    bool is_length = joint->kind == LB_JOINT_PRISMATIC ||
                     (joint->kind == LB_JOINT_PLANAR && k < 2) ||
                     (joint->kind == LB_JOINT_FLOATING && k < 3);
    bool limited = joint->kind != LB_JOINT_BALL && k < 3 && isfinite(joint->lower[k]) &&
                   isfinite(joint->upper[k]);
    double usual = is_length ? 2 : LB_PI;
    return limited && (is_length || joint->upper[k] - joint->lower[k] < usual)
               ? joint->upper[k] - joint->lower[k]
               : usual;
}

/* frees the values of a joint, or of the joint that it mimics; true when there are any */
static bool free_joint(probe *p, int joint)
{
    double multiplier, offset;
    int mimicked = lb_model_joint_mimic(p->model, joint, &multiplier, &offset);
    int mover = mimicked < 0 ? joint : mimicked;
    const lb_joint *j = lb_model_joint(p->model, mover);
    int q = lb_model_joint_q(p->model, mover), v = lb_model_joint_v(p->model, mover);
    if (j->locked || q < 0)
        return false;
    for (int k = 0; k < lb_joint_kind_nq(j->kind); k++)
        p->fixed[q + k] = false;
    for (int k = 0; k < lb_joint_kind_nv(j->kind); k++)
        p->range[v + k] = joint_range(j, k);
    return true;
}

/* `moves` has a flag for each joint */
static bool find_movers(probe *p, bool *moves)
{
    bool any = false;
    for (int i = 0; i < lb_model_nq(p->model); i++)
        p->fixed[i] = true;
    toggle_path(p->model, p->task.tip, moves);
    toggle_path(p->model, p->task.base, moves);
    for (int i = 0; i < lb_model_joint_count(p->model); i++)
        if (moves[i] && free_joint(p, i))
            any = true;
    // joints of loops move others
    for (int c = 0; p->assembly && c < p->assembly->column_count; c++)
        for (int i = 0; i < lb_model_joint_count(p->model); i++)
            if (lb_model_joint_v(p->model, i) == p->assembly->columns[c])
                free_joint(p, i);
    return any;
}

/* ---- trials --------------------------------------------------------------- */

/* what was drawn, with the values that are fixed, becomes the configuration */
static void take_drawn(probe *p)
{
    for (int i = 0; i < lb_model_nq(p->model); i++)
        if (p->fixed[i])
            p->drawn[i] = p->rest[i];
    if (p->assembly && assembly_settle(p->assembly, p->drawn))
        memcpy(p->q, p->drawn, sizeof *p->q * (size_t)lb_model_nq(p->model));
}

void probe_draw(probe *p)
{
    lb_configuration_random(p->model, &p->random, p->drawn);
    // loops close from anywhere between there and the rest, seldom from far away
    if (p->assembly)
        lb_configuration_interpolate(p->model, p->rest, p->drawn, lb_random_unit(&p->random),
                                     p->drawn);
    take_drawn(p);
}

void probe_move(probe *p, const double *from)
{
    int size = (int)(lb_random_unit(&p->random) * SIZES);
    double share = ldexp(1, -size);
    for (int i = 0; i < lb_model_nv(p->model); i++) {
        // the sum of three is nearly normally distributed
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += lb_random_between(&p->random, -0.5, 0.5);
        p->step[i] = share * p->range[i] * sum;
    }
    lb_configuration_integrate(p->model, from, p->step, p->drawn);
    lb_configuration_clamp(p->model, p->drawn, p->drawn);
    take_drawn(p);
}

static lb_transform base_tool(probe *p, const double *q)
{
    lb_state_update(p->state, q);
    lb_transform base_tip = lb_state_transform(p->state, p->task.base, p->task.tip);
    return lb_transform_multiply(&base_tip, &p->task.tool);
}

lb_transform probe_tool(probe *p)
{
    lb_transform tool = base_tool(p, p->q);
    return lb_transform_between(&p->frame, &tool);
}

lb_transform probe_rest(probe *p)
{
    memcpy(p->q, p->rest, sizeof(double) * (size_t)lb_model_nq(p->model));
    return probe_tool(p);
}

/* ---- planes ------------------------------------------------------------- */

/* axes with this normal, x and y along the base's where possible */
static lb_transform plane_frame(lb_vec3 normal, lb_vec3 through)
{
    const lb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double along[3] = {fabs(normal.x), fabs(normal.y), fabs(normal.z)};
    int main = along[2] >= along[0] && along[2] >= along[1] ? 2 : along[0] >= along[1] ? 0 : 1;

    // z has the positive direction of the nearest axis of the base; x is then the axis after it
    lb_transform frame = LB_TRANSFORM_IDENTITY;
    frame.z = lb_vec3_dot(normal, axes[main]) < 0 ? lb_vec3_scale(normal, -1) : normal;
    lb_vec3 x = axes[(main + 1) % 3];
    x = lb_vec3_sub(x, lb_vec3_scale(frame.z, lb_vec3_dot(frame.z, x)));
    frame.x = lb_vec3_normalize(x, lb_vec3_perpendicular(frame.z));
    frame.y = lb_vec3_cross(frame.z, frame.x);
    frame.p = lb_vec3_scale(frame.z, lb_vec3_dot(frame.z, through));
    return frame;
}

static void find_plane(probe *p)
{
    lb_vec3 normal;
    freedom f = freedom_find(p->state, p->task.base, p->task.tip);
    p->planar = freedom_is_planar(&f, &normal);
    if (p->planar)
        p->frame = plane_frame(lb_state_direction(p->state, LB_WORLD, p->task.base, normal),
                               base_tool(p, p->rest).p);
}

/* ---- the box ------------------------------------------------------------ */

static double along(lb_vec3 v, int side)
{
    const double values[3] = {v.x, v.y, v.z};
    return side < 3 ? values[side] : -values[side - 3];
}

static void widen(probe *p, lb_vec3 place)
{
    p->lower.x = fmin(p->lower.x, place.x);
    p->lower.y = fmin(p->lower.y, place.y);
    p->lower.z = fmin(p->lower.z, place.z);
    p->upper.x = fmax(p->upper.x, place.x);
    p->upper.y = fmax(p->upper.y, place.y);
    p->upper.z = fmax(p->upper.z, place.z);
}

/* what was tried last */
static lb_vec3 take_place(probe *p)
{
    lb_vec3 place = probe_tool(p).p;
    size_t nq = (size_t)lb_model_nq(p->model);
    widen(p, place);
    if (p->assembly)
        memcpy(p->kept + (size_t)p->place_count * nq, p->q, nq * sizeof *p->q);
    p->places[p->place_count++] = place;
    return place;
}

/* from the configuration `best`, farther and farther to one side; `best` is changed */
static void climb(probe *p, int side, double reached, double *best)
{
    size_t size = sizeof *best * (size_t)lb_model_nq(p->model);
    for (int i = 0; i < CLIMBS; i++) {
        probe_move(p, best);
        lb_vec3 place = take_place(p);
        if (along(place, side) > reached) {
            reached = along(place, side);
            memcpy(best, p->q, size);
        }
    }
}

/* `best` has room for six configurations */
static void find_box(probe *p, double *best)
{
    size_t nq = (size_t)lb_model_nq(p->model);
    double reached[6];
    p->lower = lb_vec3_make(INFINITY, INFINITY, INFINITY);
    p->upper = lb_vec3_scale(p->lower, -1);
    for (int i = 0; i < DRAWS; i++) {
        probe_draw(p);
        lb_vec3 place = take_place(p);
        for (int side = 0; side < 6; side++)
            if (i == 0 || along(place, side) > reached[side]) {
                reached[side] = along(place, side);
                memcpy(&best[(size_t)side * nq], p->q, nq * sizeof *best);
            }
    }
    for (int side = 0; side < 6; side++)
        climb(p, side, reached[side], &best[(size_t)side * nq]);
}

/* ---- making ------------------------------------------------------------- */

lb_status probe_start(probe *p, const lb_model *model, const lb_task *task, uint64_t seed,
                      const lb_allocator *pool, lb_error *error)
{
    *p = (probe){.model = model,
                 .task = *task,
                 .random = lb_random_seed(seed),
                 .frame = LB_TRANSFORM_IDENTITY};
    size_t nq = (size_t)lb_model_nq(model), nv = (size_t)lb_model_nv(model);
    p->q = memory_take(pool, nq, sizeof *p->q);
    p->rest = memory_take(pool, nq, sizeof *p->rest);
    p->step = memory_take(pool, nv, sizeof *p->step);
    p->range = memory_take(pool, nv, sizeof *p->range);
    p->fixed = memory_take(pool, nq, sizeof *p->fixed);
    bool *moves = memory_take(pool, (size_t)lb_model_joint_count(model), sizeof *moves);
    double *best = memory_take(pool, 6 * nq, sizeof *best);
    TRY(assembly_of(model, pool, &p->assembly, error));
    p->places = memory_take(pool, DRAWS + 6 * CLIMBS, sizeof *p->places);
    p->drawn = p->q;
    if (p->assembly) {
        p->drawn = memory_take(pool, nq, sizeof *p->drawn);
        p->kept = memory_take(pool, DRAWS + 6 * CLIMBS, nq * sizeof *p->kept);
    }
    lb_state_create(model, pool, &p->state);
    if (memory_pool_failed(pool))
        return error_out_of_memory(error);
    lb_configuration_neutral(model, p->rest);
    if (p->assembly && !lb_assembly_mobility(p->assembly).closed)
        return REFUSE_UNSUPPORTED(
            error, "the loops of %s do not close from its default values; give it others",
            lb_model_name(model));
    if (p->assembly)
        memcpy(p->rest, lb_assembly_rest(p->assembly), nq * sizeof *p->rest);
    memcpy(p->q, p->rest, nq * sizeof *p->q);
    if (!find_movers(p, moves))
        return REFUSE_ARGUMENT(
            error, "no joint moves link '%s' against its base: its workspace is a point",
            lb_model_link(model, task->tip)->name);
    find_plane(p);
    find_box(p, best);
    return LB_OK;
}
