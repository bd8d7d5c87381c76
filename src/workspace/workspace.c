/*
 * workspace.c - reachable and dexterous workspace by sampling.
 *
 * Each trial is a configuration; its tool is in a cell of the grid and marks its orientation there.
 * A cell keeps the last configuration that added an orientation; new ones are derived from it, so
 * that both the rim of the reach and rare orientations are found.
 */
#include "base/error.h"
#include "ik/task.h"
#include "model/range.h"
#include "workspace/map.h"
#include "workspace/reach_contents.h"

#include <assert.h>
#include <string.h>

enum { MOST_CELLS = 256, PLANE_CELLS = 100, SPACE_CELLS = 40 };
/* metres: edges of which tolerances are still numbers */
#define LEAST_CELL 1e-300

lb_workspace_options lb_workspace_options_default(void)
{
    return (lb_workspace_options){.cells = 0};
}

/* ---- making ------------------------------------------------------------- */

static lb_status check(const lb_model *model, const lb_task *task, const lb_workspace_options *o,
                       lb_error *error)
{
    if (!task_has_links(model, task))
        return REFUSE_ARGUMENT(error, "there is no such tip or base link");
    if (!range_has_frame(&task->tool))
        return REFUSE_ARGUMENT(
            error, "the tool's numbers must be finite, at most LB_LENGTH_MAX, and its axes "
                   "orthonormal");
    if (o->cells < 0 || o->cells > MOST_CELLS)
        return REFUSE_ARGUMENT(error,
                               "option 'cells' is %d but must be in 1..%d, or 0 for the default",
                               o->cells, MOST_CELLS);
    if (!(o->angle == 0 || (o->angle >= LB_PI / 180 && o->angle <= 2 * LB_PI)))
        return REFUSE_ARGUMENT(error,
                               "option 'angle' is %g but must be in pi/180..2 pi, or 0 for the "
                               "default",
                               o->angle);
    if (o->iterations < 0 || o->iterations > LB_WORKSPACE_ITERATIONS_MAX)
        return REFUSE_ARGUMENT(
            error, "option 'iterations' is %d but must be in 1..%d, or 0 for the default",
            o->iterations, LB_WORKSPACE_ITERATIONS_MAX);
    return LB_OK;
}

/* cells over the box, and one more on each side for what the trials have missed */
static void lay_grid(lb_workspace_grid *grid, const probe *p, int cells)
{
    double extent[3] = {p->upper.x - p->lower.x, p->upper.y - p->lower.y, p->upper.z - p->lower.z};
    double longest = fmax(extent[0], fmax(extent[1], extent[2])), corner[3];
    const double low[3] = {p->lower.x, p->lower.y, p->lower.z};
    *grid = (lb_workspace_grid){.planar = p->planar, .frame = p->frame};

    // a tool that only rotates stays in one cell, of any size; so does one that hardly moves
    grid->cell = longest / cells > LEAST_CELL ? longest / cells : 1;
    for (int i = 0; i < 3; i++) {
        bool flat = p->planar && i == 2;
        grid->count[i] = flat ? 1 : (int)floor(extent[i] / grid->cell + 0.5) + 2;
        corner[i] = low[i] + 0.5 * (extent[i] - grid->count[i] * grid->cell);
    }
    grid->corner = lb_vec3_make(corner[0], corner[1], corner[2]);
}

/* a row of each cell or orientation at a time, so that no product overflows unnoticed */
static bool take_arrays(lb_workspace *w, const lb_workspace_options *wanted)
{
    const lb_allocator *memory = &w->memory;
    size_t row = (size_t)lb_model_nq(w->probe.model) * sizeof(double);
    size_t orientations = (size_t)w->orientations.count;
    if (wanted->manipulability) {
        w->manipulability = memory_take(memory, w->cells, sizeof *w->manipulability);
        w->measuring = memory_take(memory, manipulability_work(w->probe.model), sizeof(double));
    }
    w->cell = memory_take(memory, w->cells, sizeof *w->cell);
    w->seeds = memory_take(memory, w->cells, row);
    w->reached = memory_take(memory, w->cells, sizeof *w->reached);
    w->queue = memory_take(memory, w->probe.assembly ? w->cells : 1, sizeof *w->queue);
    w->marks = memory_take(memory, w->cells, w->mark_bytes);
    w->targets = memory_take(memory, orientations, sizeof *w->targets);
    w->results = memory_take(memory, orientations, sizeof *w->results);
    w->configurations = memory_take(memory, orientations, row);
    return !memory_pool_failed(memory);
}

static lb_status make(lb_workspace *w, const lb_model *model, const lb_task *task,
                      const lb_workspace_options *o, lb_error *error)
{
    TRY(probe_start(&w->probe, model, task, o->seed, &w->memory, error));
    bool planar = w->probe.planar;
    int cells = o->cells > 0 ? o->cells : planar ? PLANE_CELLS : SPACE_CELLS;
    double angle = o->angle > 0 ? o->angle : planar ? LB_PI / 18 : LB_PI / 3;
    lay_grid(&w->grid, &w->probe, cells);
    w->orientations = orientation_divide(planar, angle);
    w->grid.orientations = w->orientations.count;
    w->mark_bytes = ((size_t)w->orientations.count + 7) / 8;
    const int *n = w->grid.count;
    w->cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];

    if (w->cells > INT32_MAX || !take_arrays(w, o))
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0,
                            "out of memory: %d x %d x %d cells of %d orientations are wanted", n[0],
                            n[1], n[2], w->grid.orientations);
    for (int i = 0; i < w->probe.place_count; i++) {
        int index = map_cell_of(&w->grid, w->probe.places[i]);
        if (index >= 0)
            w->cell[index].passed = true;
    }
    return map_create_solvers(w, task, o->iterations, error);
}

lb_status lb_workspace_create(const lb_model *model, const lb_task *task,
                              const lb_workspace_options *options, const lb_allocator *allocator,
                              lb_workspace **workspace, lb_error *error)
{
    const lb_workspace_options usual = lb_workspace_options_default();
    if (!options)
        options = &usual;
    TRY(REQUIRE_TO_MAKE(workspace, error, {model, "model"}, {task, "task"}));
    TRY(check(model, task, options, error));
    lb_allocator memory;
    lb_workspace *made = memory_pool_object(sizeof *made, allocator, &memory);
    TRY(require_memory(error, made));
    made->memory = memory;
    lb_status status = make(made, model, task, options, error);
    if (status == LB_OK)
        *workspace = made;
    else
        lb_workspace_release(made);
    return status;
}

void lb_workspace_release(lb_workspace *workspace)
{
    memory_pool_release(workspace);
}

/* ---- sampling ----------------------------------------------------------- */

/* counts a configuration whose tool is in that cell */
static void mark(lb_workspace *w, int index, const lb_transform *tool, const double *q)
{
    map_cell *c = &w->cell[index];
    if (c->samples == 0)
        w->reached[w->grid.reached++] = index;
    if (c->samples < UINT32_MAX)
        c->samples++;
    if (!c->solved)
        map_keep_manipulability(w, (size_t)index);
    int orientation = orientation_cell(&w->orientations, tool);
    // a cell that is solved keeps what its centre is
    unsigned char *marks = &w->marks[(size_t)index * w->mark_bytes + (size_t)orientation / 8];
    unsigned char bit = (unsigned char)(1u << (orientation % 8));
    if (*marks & bit || c->solved)
        return;
    *marks |= bit;
    c->orientations++;
    w->grid.found++;
    size_t nq = (size_t)lb_model_nq(w->probe.model);
    memcpy(&w->seeds[(size_t)index * nq], q, nq * sizeof *q);
}

/* a cell that has been reached, all equally likely; there is at least one */
static int random_cell(lb_workspace *w)
{
    double at = floor(lb_random_unit(&w->probe.random) * w->grid.reached);
    return w->reached[(int)at];
}

void lb_workspace_sample(lb_workspace *workspace, int count)
{
    lb_workspace *w = workspace;
    size_t nq = (size_t)lb_model_nq(w->probe.model);
    for (int i = 0; i < count; i++) {
        bool uniform = w->grid.samples++ % 2 == 0 || w->grid.reached == 0;
        if (uniform)
            probe_draw(&w->probe);
        else
            probe_move(&w->probe, &w->seeds[(size_t)random_cell(w) * nq]);
        lb_transform tool = probe_tool(&w->probe);
        int index = map_cell_of(&w->grid, tool.p);
        if (index >= 0)
            mark(w, index, &tool, w->probe.q);
    }
}

/* ---- reading ------------------------------------------------------------ */

const lb_workspace_grid *lb_workspace_get_grid(const lb_workspace *workspace)
{
    return &workspace->grid;
}

/* whether no orientation is missing, after so many doublings of a solved cell's */
static bool is_dexterous(const lb_workspace *w, size_t index, int levels)
{
    const map_cell *c = &w->cell[index];
    return c->orientations == w->grid.orientations && (!c->solved || c->levels >= levels);
}

lb_workspace_cell lb_workspace_at(const lb_workspace *workspace, int i, int j, int k)
{
    const lb_workspace_grid *grid = &workspace->grid;
    bool valid = i >= 0 && j >= 0 && k >= 0 && i < grid->count[0] && j < grid->count[1] &&
                 k < grid->count[2];
    assert(valid && "index of a cell");
    if (!valid)
        return (lb_workspace_cell){0};
    size_t row = (size_t)k * (size_t)grid->count[1] + (size_t)j;
    size_t index = row * (size_t)grid->count[0] + (size_t)i;
    const map_cell *c = &workspace->cell[index];
    return (lb_workspace_cell){
        .center = lb_transform_point(&grid->frame, map_center(workspace, index)),
        .samples = c->samples,
        .orientations = c->orientations,
        .solved = c->solved,
        .manipulability = workspace->manipulability ? workspace->manipulability[index] : 0,
        .reached = c->solved ? c->reached : c->samples > 0,
        .dexterous = is_dexterous(workspace, index, MAP_LEVELS)};
}

int lb_workspace_count(const lb_workspace *workspace)
{
    return (int)workspace->cells;
}

/* ---- measuring ----------------------------------------------------------- */

/* Cells of one kind. */
typedef struct region {
    int cells;
    int faces[3]; /* along each axis: of those that are solved, to cells that are not of the kind */
    int rim;      /* those that are not solved and have such faces */
    int passed;   /* solved, not of the kind, but the tool passed somewhere */
    bool solved;  /* all cells of the grid are */
} region;

/* every cell that is reached; levels from 0 on: those that are dexterous so far */
enum { REACHABLE = -1 };

static bool is_inside(const lb_workspace *w, int levels, size_t index)
{
    const map_cell *c = &w->cell[index];
    bool reached = c->solved ? c->reached : c->samples > 0;
    return reached && (levels == REACHABLE || is_dexterous(w, index, levels));
}

/* faces of a cell along an axis; the grid has a margin, so a border cell's own side is one */
static int count_faces(const lb_workspace *w, int levels, size_t index, int axis)
{
    const int *n = w->grid.count;
    const size_t strides[3] = {1, (size_t)n[0], (size_t)n[0] * (size_t)n[1]};
    const int at = (int)(index / strides[axis] % (size_t)n[axis]);
    bool below = at > 0 && is_inside(w, levels, index - strides[axis]);
    bool above = at + 1 < n[axis] && is_inside(w, levels, index + strides[axis]);
    return !below + !above;
}

static region measure(const lb_workspace *w, int levels)
{
    region r = {.solved = true};
    for (size_t i = 0; i < w->cells; i++) {
        const map_cell *c = &w->cell[i];
        bool inside = is_inside(w, levels, i);
        r.solved = r.solved && c->solved;
        r.cells += inside;
        r.passed += !inside && c->solved && c->passed;
        int faces = 0;
        for (int axis = 0; inside && axis < (w->grid.planar ? 2 : 3); axis++) {
            int more = count_faces(w, levels, i, axis);
            r.faces[axis] += c->solved ? more : 0;
            faces += more;
        }
        r.rim += faces > 0 && !c->solved;
    }
    return r;
}

/*
 * A cell that is solved counts by its centre, so the rim may be half a cell from each face. The
 * cuts of neighbouring rows, and those of an arm's symmetric sides, are off together, so they do
 * not average out; what is flat is off along the axis that has the most faces.
 */
static double error_of_centers(const region *r)
{
    return 0.5 * fmax(r->faces[0], fmax(r->faces[1], r->faces[2]));
}

/* A cell of samples may have little more in it than a sample, or be full: on the rim it counts
   half. */
static double count_of(const region *r)
{
    return r->cells - 0.5 * r->rim;
}

static double error_of(const region *r)
{
    return error_of_centers(r) + 0.5 * r->rim;
}

lb_workspace_size lb_workspace_measure(const lb_workspace *workspace)
{
    const lb_workspace_grid *grid = &workspace->grid;
    double unit = grid->cell * grid->cell * (grid->planar ? 1 : grid->cell);
    const region reachable = measure(workspace, REACHABLE);
    const region dexterous = measure(workspace, MAP_LEVELS);
    const region before = measure(workspace, MAP_LEVELS - 1);
    // twice as many orientations have taken this away, and may again
    const double lost = count_of(&before) - count_of(&dexterous);
    // twice the deviation if each cut by the rim were off by itself, by up to half a cell
    const double scatter = 2 * sqrt(error_of_centers(&dexterous) / 6);
    return (lb_workspace_size){
        .reachable = count_of(&reachable) * unit,
        // what is convex and does not have a cell's centre in it has at most half of the cell
        .reachable_error = fmax(error_of(&reachable), 0.5 * reachable.passed) * unit,
        .dexterous = count_of(&dexterous) * unit,
        .dexterous_error = dexterous.solved ? (error_of(&dexterous) + lost) * unit : INFINITY,
        .reachable_cells = reachable.cells,
        .dexterous_cells = dexterous.cells,
        .settled = dexterous.solved && lost <= scatter,
        .orientations = grid->orientations << (dexterous.solved ? MAP_LEVELS : 0)};
}
