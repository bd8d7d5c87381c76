/*
 * fuzz_place.c - maps of what a tool reaches, places for a robot and rings of planar arms, of
 * extreme and degenerate arms: refused with a message, or cells and places that are where they are
 * said to be, the same from maps made again and at any width, and that agree with all solutions of
 * the arm; what an arm has reached itself is inside.
 */
#include "chain.h"

#include <limber/placement.h>
#include <limber/reach_map.h>
#include <limber/workspace.h>

#include <string.h>

enum { MOST_NQ = 64, MOST_TARGETS = 3, FEW = 72, SOME = 576 };

/* A model in a configuration within its limits, and a task of it. */
typedef struct arm {
    const lb_model *model;
    lb_state *state;
    lb_task task;
    double q[MOST_NQ];
    double farthest; /* of a link from the world's origin, metres */
} arm;

static bool is_resolved(const arm *a)
{
    return a->farthest < 1e4;
}

static bool has_closed_form(lb_arm_class class)
{
    return class == LB_ARM_WRIST || class == LB_ARM_SHOULDER || class == LB_ARM_PARALLEL;
}

/* of the tool in the arm's configuration, seen from the task's base */
static lb_transform tool_of(const arm *a)
{
    lb_transform tip = lb_state_transform(a->state, a->task.base, a->task.tip);
    return lb_transform_multiply(&tip, &a->task.tool);
}

/* ---- maps ----------------------------------------------------------------- */

/* What a filter checks: the tool of what it is shown is in the middle of this cell. */
typedef struct filtering {
    const arm *of;
    const lb_reach_grid *grid;
    lb_state *state;
    lb_vec3 center;
    double threshold;
    bool inverse;
} filtering;

static bool accept(void *user, const double *q)
{
    const filtering *f = user;
    const arm *a = f->of;
    FUZZ_CHECK(lb_configuration_validate(a->model, q, 1e-9, NULL) == LB_OK);
    if (f->grid != NULL && !f->inverse) {
        lb_state_update(f->state, q);
        lb_vec3 tool = lb_state_point(f->state, a->task.tip, a->task.base, a->task.tool.p);
        double off = lb_vec3_length(lb_vec3_sub(tool, f->center));
        FUZZ_CHECK(off <= 1e-8 + 1e-4 * f->grid->cell + 1e-12 * a->farthest);
    }
    return q[0] >= f->threshold;
}

static lb_reach_map_options map_options(fuzz_bytes *bytes)
{
    lb_reach_map_options options = lb_reach_map_options_default();
    options.orientations = fuzz_choice(bytes, 16) ? FEW : fuzz_choice(bytes, 2) ? SOME : 71;
    options.cell = fuzz_choice(bytes, 4) ? 0.25 : fuzz_number(bytes);
    options.iterations = fuzz_choice(bytes, 12);
    options.width = 1 << fuzz_choice(bytes, 4);
    options.inverse = fuzz_choice(bytes, 4) == 0;
    options.contents = (unsigned)fuzz_choice(bytes, 8);
    return options;
}

static void check_grid(const lb_reach_map *map, const lb_reach_map_options *options)
{
    const lb_reach_grid *grid = lb_reach_map_grid(map);
    size_t n = (size_t)grid->count, middle = n / 2;
    FUZZ_CHECK(grid->count > 0 && grid->count % 2 == 1 && lb_reach_map_count(map) == n * n * n);
    FUZZ_CHECK(grid->cell == options->cell && grid->orientations == options->orientations);
    FUZZ_CHECK(lb_vec3_is_finite(grid->center) && grid->radius >= 0 && isfinite(grid->radius));
    // it covers the reach, and no layer of it is beyond
    double half = (double)middle * grid->cell;
    FUZZ_CHECK(half <= grid->radius && grid->radius < half + 1.001 * grid->cell);
    lb_vec3 center = lb_reach_map_center(map, middle * (1 + n + n * n));
    FUZZ_CHECK(memcmp(&center, &grid->center, sizeof center) == 0);
    lb_vec3 last = lb_reach_map_center(map, n * n * n - 1);
    FUZZ_CHECK(last.x == grid->center.x + half && last.z == grid->center.z + half);
}

/* of two unit quaternions 1 or -1 where they are one rotation */
static double cosine(lb_quat a, lb_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

static void check_target(const lb_reach_map *map, size_t cell, int k, bool inverse)
{
    lb_transform target = lb_reach_map_target(map, cell, k);
    lb_quat turn = lb_reach_map_orientation(map, k);
    FUZZ_CHECK(lb_transform_is_rigid(&target, 1e-9));
    FUZZ_CHECK(fabs(cosine(turn, turn) - 1) < 1e-12);
    lb_quat seen = lb_transform_quat(&target);
    seen = inverse ? lb_quat_conjugate(seen) : seen;
    FUZZ_CHECK(fabs(cosine(seen, turn)) > 1 - 1e-12);
    lb_vec3 center = lb_reach_map_center(map, cell);
    FUZZ_CHECK(inverse || memcmp(&target.p, &center, sizeof center) == 0);
}

/* the bits and the count agree, what was not wanted is 0 */
static void check_cell(const lb_reach_cell *cell, const unsigned char *bits, int orientations,
                       unsigned contents)
{
    int set = 0;
    for (int k = 0; k < (orientations + 7) / 8 * 8; k++)
        set += bits[k / 8] >> k % 8 & 1;
    FUZZ_CHECK(cell->reached == set && set <= orientations);
    FUZZ_CHECK(contents & LB_REACH_SOLUTIONS ? cell->solutions >= set : cell->solutions == 0);
    FUZZ_CHECK(cell->manipulability >= 0 && isfinite(cell->manipulability));
    FUZZ_CHECK(cell->limit_margin >= 0 && cell->limit_margin <= 1);
    FUZZ_CHECK((contents & LB_REACH_MANIPULABILITY) || cell->manipulability == 0);
    FUZZ_CHECK((contents & LB_REACH_LIMIT_MARGIN) || cell->limit_margin == 0);
}

/* of arms whose solutions are known: those agree with the cell's orientations */
static void check_solutions(const arm *a, const lb_reach_map *map, size_t cell,
                            const unsigned char *bits)
{
    lb_task task = lb_task_make(a->task.tip, a->task.base, LB_TASK_POSE);
    task.tool = a->task.tool;
    lb_solutions_solver *solver = NULL;
    if (lb_solutions_create(a->model, &task, NULL, NULL, &solver, NULL) != LB_OK)
        return;
    for (int k = 0; k < FEW && has_closed_form(lb_solutions_class(solver)); k += 17) {
        lb_solutions_summary summary;
        lb_transform target = lb_reach_map_target(map, cell, k);
        bool reached = bits[k / 8] >> k % 8 & 1;
        lb_solutions(solver, &target, NULL, 0, NULL, NULL, &summary);
        FUZZ_CHECK(summary.outcome != (reached ? LB_UNREACHABLE : LB_REACHED));
    }
    lb_solutions_release(solver);
}

static void check_map_cell(arm *a, const lb_reach_map_options *options, filtering *f,
                           lb_reach_map *map, lb_reach_map *other, size_t cell)
{
    unsigned char bits[SOME / 8], again[SOME / 8];
    const lb_reach_grid *grid = lb_reach_map_grid(map);
    f->grid = grid;
    f->center = lb_reach_map_center(map, cell);
    check_target(map, cell, grid->orientations / 3, options->inverse);
    lb_reach_cell found = lb_reach_map_solve(map, cell, bits);
    check_cell(&found, bits, grid->orientations, options->contents);
    double off = lb_vec3_length(lb_vec3_sub(f->center, grid->center));
    FUZZ_CHECK(found.reached == 0 || off <= grid->radius * (1 + 1e-12) + 1e-9);
    // a pure function of the cell
    lb_reach_cell second = lb_reach_map_solve(other, cell, again);
    FUZZ_CHECK(memcmp(bits, again, ((size_t)grid->orientations + 7) / 8) == 0);
    FUZZ_CHECK(found.reached == second.reached && found.solutions == second.solutions &&
               found.manipulability == second.manipulability &&
               found.limit_margin == second.limit_margin);
    if (options->filter == NULL && is_resolved(a))
        check_solutions(a, map, cell, bits);
}

static void try_map(arm *a, fuzz_bytes *bytes)
{
    lb_reach_map *map = NULL, *other = NULL;
    lb_error error = {0};
    lb_reach_map_options options = map_options(bytes);
    filtering f = {.of = a, .inverse = options.inverse, .threshold = -INFINITY};
    if (fuzz_choice(bytes, 4) == 0) {
        options.filter = accept;
        options.user = &f;
        f.threshold = fuzz_choice(bytes, 2) ? a->q[0] : -INFINITY;
    }
    lb_status status = lb_reach_map_create(a->model, &a->task, &options, NULL, &map, &error);
    FUZZ_CHECK((status == LB_OK) == (map != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (map == NULL || lb_state_create(a->model, NULL, &f.state) != LB_OK)
        return;
    check_grid(map, &options);
    lb_reach_map_options narrow = options;
    narrow.width = 1;
    FUZZ_CHECK(lb_reach_map_create(a->model, &a->task, &narrow, NULL, &other, &error) == LB_OK);
    size_t count = lb_reach_map_count(map);
    check_map_cell(a, &options, &f, map, other, count / 2);
    check_map_cell(a, &options, &f, map, other, count * fuzz_byte(bytes) / 256);
    lb_state_release(f.state);
    lb_reach_map_release(other);
    lb_reach_map_release(map);
}

/* ---- places --------------------------------------------------------------- */

/* The place of a robot that made the first target, on the lattice. */
typedef struct own_place {
    double x, y;
    bool known;
} own_place;

static lb_placement *make_placement(arm *a, fuzz_bytes *bytes, lb_placement_options *options,
                                    own_place *own, int *count)
{
    lb_transform targets[MOST_TARGETS];
    lb_placement *placement = NULL;
    lb_error error = {0};
    *options = lb_placement_options_default();
    options->cell = fuzz_choice(bytes, 4) ? 0.25 : fuzz_number(bytes);
    options->turns = fuzz_choice(bytes, 4) ? 1 : fuzz_choice(bytes, 8) ? 8 : 361;
    options->height = fuzz_choice(bytes, 4) ? 0 : fuzz_number(bytes);
    *own = (own_place){.known = fuzz_choice(bytes, 4) != 0 && is_resolved(a) &&
                                a->task.tip < lb_model_link_count(a->model) &&
                                options->cell == 0.25 && fabs(options->height) < 1e4};
    *count = 1 + fuzz_choice(bytes, MOST_TARGETS);
    for (int i = 0; i < *count; i++) {
        targets[i] = LB_TRANSFORM_IDENTITY;
        targets[i].p = fuzz_vector(bytes);
    }
    if (own->known) {
        own->x = 0.25 * (fuzz_choice(bytes, 9) - 4);
        own->y = 0.25 * (fuzz_choice(bytes, 9) - 4);
        targets[0] = tool_of(a);
        targets[0].p = lb_vec3_add(targets[0].p, lb_vec3_make(own->x, own->y, options->height));
    }
    lb_status status =
        lb_placement_create(a->model, &a->task, targets, *count, options, NULL, &placement, &error);
    FUZZ_CHECK((status == LB_OK) == (placement != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    return placement;
}

/* a place, the same twice */
static lb_place check_place(lb_placement *placement, size_t index,
                            const lb_placement_options *options, int count)
{
    lb_place place = lb_placement_solve(placement, index);
    lb_place again = lb_placement_solve(placement, index);
    FUZZ_CHECK(place.reached == again.reached && place.margin == again.margin);
    FUZZ_CHECK(place.reached >= 0 && place.reached <= count);
    FUZZ_CHECK(place.margin >= 0 && place.margin <= 1);
    FUZZ_CHECK(lb_transform_is_rigid(&place.robot, 1e-9));
    FUZZ_CHECK(place.robot.p.z == options->height && fabs(place.robot.z.z - 1) < 1e-12);
    return place;
}

/* whether the model's arm is one whose solutions are all known */
static bool is_closed(const arm *a)
{
    lb_solutions_solver *solver = NULL;
    bool closed = lb_solutions_create(a->model, &a->task, NULL, NULL, &solver, NULL) == LB_OK &&
                  has_closed_form(lb_solutions_class(solver));
    lb_solutions_release(solver);
    return closed;
}

static void try_placement(arm *a, fuzz_bytes *bytes)
{
    lb_placement_options options;
    own_place own;
    int targets;
    a->task.base = LB_WORLD;
    a->task.kind = (lb_task_kind)fuzz_choice(bytes, 3);
    lb_placement *placement = make_placement(a, bytes, &options, &own, &targets);
    if (placement == NULL)
        return;
    size_t count = lb_placement_count(placement), turns = (size_t)options.turns;
    FUZZ_CHECK(count > 0 && count % turns == 0);
    lb_place first = check_place(placement, 0, &options, targets);
    lb_place last = check_place(placement, count - 1, &options, targets);
    check_place(placement, count * fuzz_byte(bytes) / 256, &options, targets);
    if (own.known) {
        // the lattice has the place that the target was made from
        lb_vec3 from = first.robot.p, to = last.robot.p;
        FUZZ_CHECK(from.x <= own.x && from.y <= own.y && own.x <= to.x && own.y <= to.y);
        size_t columns = (size_t)((to.x - from.x) / 0.25) + 1;
        size_t column = (size_t)((own.x - from.x) / 0.25), line = (size_t)((own.y - from.y) / 0.25);
        lb_place there =
            check_place(placement, (line * columns + column) * turns, &options, targets);
        FUZZ_CHECK(there.robot.p.x == own.x && there.robot.p.y == own.y);
        FUZZ_CHECK(there.reached > 0 || !is_closed(a));
    }
    lb_placement_release(placement);
}

/* ---- rings ---------------------------------------------------------------- */

static void check_patches(const lb_planar_reach *ring)
{
    lb_planar_reach_patch patches[LB_PLANAR_REACH_PATCHES];
    int count = lb_planar_reach_get_patches(ring, patches);
    FUZZ_CHECK(count >= 0 && count <= LB_PLANAR_REACH_PATCHES);
    for (int i = 0; i < count; i++) {
        FUZZ_CHECK(patches[i].from[0] <= patches[i].to[0]);
        FUZZ_CHECK(patches[i].from[1] <= patches[i].to[1]);
        FUZZ_CHECK(i == 0 || patches[i].from[1] == patches[i - 1].to[1]);
    }
    // together they are all angles of the elbow, unless whole turns are lost in rounding
    double lower = ring->lower[1], upper = ring->upper[1];
    if (upper - lower < 2 * LB_PI && fabs(lower) < 1e6 && upper > lower)
        FUZZ_CHECK(count > 0 && patches[0].from[1] == lower && patches[count - 1].to[1] == upper);
}

static void try_ring(arm *a, fuzz_bytes *bytes)
{
    lb_planar_reach ring;
    if (!lb_planar_reach_find(a->state, &a->task, &ring))
        return;
    FUZZ_CHECK(ring.first > 0 && ring.second > 0 && ring.inner >= 0 && ring.inner <= ring.outer);
    FUZZ_CHECK(ring.lower[0] <= ring.upper[0] && ring.lower[1] <= ring.upper[1]);
    check_patches(&ring);
    lb_planar_reach_reaches(&ring, fuzz_number(bytes), fuzz_bits(bytes));
    if (!is_resolved(a) || ring.outer < 1e-3)
        return;
    FUZZ_CHECK(lb_transform_is_rigid(&ring.plane, 1e-6));
    lb_transform tool = tool_of(a), seen = lb_transform_between(&ring.plane, &tool);
    double slack = 1e-8 * (1 + a->farthest), off = lb_vec3_length(seen.p);
    FUZZ_CHECK(fabs(seen.p.z) <= slack && off <= ring.outer + slack && off >= ring.inner - slack);
    FUZZ_CHECK(lb_planar_reach_reaches(&ring, seen.p.x, seen.p.y));
}

/* ---- one test case -------------------------------------------------------- */

static void attack(arm *a, fuzz_bytes *bytes)
{
    int links = lb_model_link_count(a->model);
    a->task = lb_task_make(links - 1, LB_WORLD, LB_TASK_POSE);
    if (fuzz_choice(bytes, 4) == 0) {
        a->task.tip = fuzz_choice(bytes, links + 1);
        a->task.base = fuzz_choice(bytes, links + 1) - 1;
        a->task.tool.p = fuzz_vector(bytes);
    }
    lb_random random = lb_random_seed(fuzz_byte(bytes));
    lb_configuration_random(a->model, &random, a->q);
    lb_state_update(a->state, a->q);
    a->farthest = lb_vec3_length(a->task.tool.p);
    for (int i = 0; i < links; i++)
        a->farthest = fmax(a->farthest, lb_vec3_length(lb_state_transforms(a->state)[i].p));
    switch (fuzz_choice(bytes, 3)) {
    case 0:
        try_map(a, bytes);
        break;
    case 1:
        try_placement(a, bytes);
        break;
    default:
        try_ring(a, bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    arm a = {0};
    // most of them are degenerate arms
    lb_model *model = fuzz_choice(&bytes, 4) ? fuzz_arm(&bytes) : fuzz_chain(&bytes);
    a.model = model;
    if (model && lb_model_nq(model) >= 1 && lb_model_nq(model) <= MOST_NQ &&
        lb_state_create(model, NULL, &a.state) == LB_OK)
        attack(&a, &bytes);
    lb_state_release(a.state);
    lb_model_release(model);
    return 0;
}
