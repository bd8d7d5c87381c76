/* tasks.c - a body's tasks: which are refused, and how the kernel sees the others. */
#include "base/error.h"
#include "base/text.h"
#include "ik/body/solver.h"
#include "model/range.h"

#include <string.h>

/* What every kind is made of. */
typedef struct kind_rows {
    kernel_body_kind kernel;
    int rows;
    unsigned position; /* a bit for each of the target's axes along which the origin counts */
    bool rotation;
} kind_rows;

static const kind_rows kinds[LB_BODY_KIND_COUNT] = {
    [LB_BODY_POSITION] = {KERNEL_BODY_POSE, 3, 7, false},
    [LB_BODY_ORIENTATION] = {KERNEL_BODY_POSE, 6, 0, true},
    [LB_BODY_POSE] = {KERNEL_BODY_POSE, 6, 7, true},
    [LB_BODY_ON_LINE] = {KERNEL_BODY_POSE, 3, 3, false},
    [LB_BODY_ON_PLANE] = {KERNEL_BODY_POSE, 3, 4, false},
    [LB_BODY_LOOK_AT] = {KERNEL_BODY_LOOK, 2, 0, true},
    [LB_BODY_DIRECTION] = {KERNEL_BODY_ALIGN, 2, 0, true},
    [LB_BODY_POLE] = {KERNEL_BODY_POLE, 1, 0, true},
    [LB_BODY_CENTER_OF_MASS] = {KERNEL_BODY_CENTER, 3, 7, false},
    [LB_BODY_SUPPORT] = {KERNEL_BODY_SUPPORT, 1, 1, false},
    [LB_BODY_JOINT] = {KERNEL_BODY_JOINT, 1, 0, true},
    [LB_BODY_CONTACT] = {KERNEL_BODY_POSE, 6, 7, true},
    [LB_BODY_DISTANCE] = {KERNEL_BODY_DISTANCE, KERNEL_BODY_PAIRS, 1, false},
};

static const char *const texts[] = {LB_BODY_KIND_LIST(LIST_TEXT)};

const char *lb_body_kind_text(lb_body_kind kind)
{
    return (unsigned)kind < LB_BODY_KIND_COUNT ? texts[kind] : "unknown kind";
}

lb_body_kind lb_body_kind_find(const char *text)
{
    int kind = 0;
    while (kind < LB_BODY_KIND_COUNT && strcmp(texts[kind], text) != 0)
        kind++;
    return (lb_body_kind)kind;
}

lb_body_task lb_body_task_make(lb_body_kind kind, int link)
{
    return (lb_body_task){.kind = kind,
                          .link = link,
                          .base = LB_WORLD,
                          .tool = LB_TRANSFORM_IDENTITY,
                          .axis = {0, 0, 1},
                          .first = -1,
                          .last = -1,
                          .joint = -1,
                          .weight = 1};
}

/* ---- refusing --------------------------------------------------------------- */

static bool is_link(const lb_model *model, int link, int least)
{
    return link >= least && link < model->link_count;
}

static bool is_size(double x)
{
    return x >= 0 && range_has(x);
}

/* what is wrong with the links and joints that a task names; NULL: nothing */
static const char *check_indices(const lb_model *model, const lb_body_task *task)
{
    if (task->kind == LB_BODY_JOINT) {
        if (task->joint < 0 || task->joint >= model->joint_count)
            return "joint must be one of the model's";
        if (model->joint_layouts[task->joint].mimicked_joint >= 0)
            return "the joint follows another one: give that joint the task";
        if (lb_joint_kind_nv(model->joints[task->joint].kind) == 0)
            return "the joint is fixed";
        return NULL;
    }
    if (task->kind == LB_BODY_DISTANCE)
        return body_check_distance(model, task);
    if (!body_is_center(task->kind) && !is_link(model, task->link, 0))
        return "link must be one of the model's";
    if (task->kind == LB_BODY_POLE) {
        bool ends = is_link(model, task->first, 0) && is_link(model, task->last, 0);
        if (!range_has_point(task->first_point) || !range_has_point(task->last_point))
            return "a point is not finite or beyond 1e15 m";
        if (!ends)
            return "first and last must be links";
        return task->base < 0 ? NULL : "the target of a pole is in the world: it takes no base";
    }
    return is_link(model, task->base, -1) ? NULL : "base must be a link or LB_WORLD";
}

/* whether no vertex is to the right of the edge from a to b, but for rounding, and some to its left
 */
static bool is_edge(const lb_body_task *task, const double *a, const double *b)
{
    bool left = false;
    double x = b[0] - a[0], y = b[1] - a[1], length = sqrt(x * x + y * y);
    for (int i = 0; i < task->vertex_count; i++) {
        const double *c = task->vertices[i];
        double u = c[0] - a[0], v = c[1] - a[1], side = x * v - y * u;
        double rounding = 1e-12 * length * sqrt(u * u + v * v);
        if (side < -rounding)
            return false;
        left = left || side > rounding;
    }
    return left;
}

static const char *check_polygon(const lb_body_task *task)
{
    int n = task->vertex_count;
    if (!task->vertices || n < 3 || n > LB_BODY_VERTICES)
        return "a support needs 3 to 16 vertices";
    for (int i = 0; i < n; i++)
        if (!range_has_row(task->vertices[i], 2))
            return "a vertex is not finite or beyond 1e15 m";
    for (int i = 0; i < n; i++)
        if (!is_edge(task, task->vertices[i], task->vertices[(i + 1) % n]))
            return "the vertices must be those of a convex polygon, counter-clockwise, each once";
    return NULL;
}

static const char *check_numbers(const lb_model *model, const lb_body_task *task)
{
    if (!is_size(task->weight))
        return "weight must be at least 0 and at most 1e15";
    if (!is_size(task->distance))
        return "distance must be at least 0 and at most 1e15";
    if (!is_size(task->box.x) || !is_size(task->box.y) || !is_size(task->box.z) ||
        !is_size(task->cone))
        return "box and cone must be at least 0 and at most 1e15";
    if (!is_size(task->position_tolerance) || !is_size(task->rotation_tolerance))
        return "tolerances must be at least 0 and at most 1e15";
    if (task->level < 0 || task->level >= LB_BODY_LEVELS)
        return "level must be 0 to 3";
    bool axis = task->kind == LB_BODY_LOOK_AT || task->kind == LB_BODY_DIRECTION;
    if (axis && lb_vec3_length(lb_vec3_normalize(task->axis, lb_vec3_make(0, 0, 0))) == 0)
        return "axis must be finite and not zero";
    if (!range_has_frame(&task->tool))
        return "tool is not a rigid transform, or beyond 1e15 m";
    if (body_is_center(task->kind)) {
        double mass = 0;
        for (int i = 0; i < model->link_count; i++)
            mass += model->links[i].mass;
        if (!(mass > 0))
            return "no link of the model has a mass";
    }
    return task->kind == LB_BODY_SUPPORT ? check_polygon(task) : NULL;
}

lb_status body_check_task(const lb_model *model, const lb_body_task *task, int index,
                          lb_error *error)
{
    if ((unsigned)task->kind >= LB_BODY_KIND_COUNT)
        return REFUSE_ARGUMENT(error, "task %d: no such kind", index);
    const char *wrong = check_indices(model, task);
    if (!wrong)
        wrong = check_numbers(model, task);
    if (!wrong)
        return LB_OK;
    return REFUSE_VALUE(error, "task %d (%s): %s", index, lb_body_kind_text(task->kind), wrong);
}

/* whether any joint may move what a task is of */
static bool moves_all(const kernel_body_task *task)
{
    return task->kind == KERNEL_BODY_CENTER || task->kind == KERNEL_BODY_SUPPORT ||
           task->kind == KERNEL_BODY_DISTANCE;
}

static bool moves(const lb_body *body, const kernel_body_task *task)
{
    if (task->kind == KERNEL_BODY_JOINT)
        return task->columns > 0;
    if (moves_all(task))
        return body->kernel.column_count > 0;
    // a pole's side is seen from the world, whatever its three points are fixed to
    if (task->kind == KERNEL_BODY_POLE)
        return task->tool.column >= 0 || task->base.column >= 0 || task->end.column >= 0;
    return task->tool.column != task->base.column;
}

lb_status body_check_moving(const lb_body *body, lb_error *error)
{
    for (int i = 0; i < body->given_count; i++)
        if (!moves(body, &body->kernel_tasks[i]))
            return REFUSE_VALUE(error, "task %d (%s): no unlocked joint can change it", i,
                                lb_body_kind_text(body->tasks[i].kind));
    return LB_OK;
}

/* ---- the kernel's tasks ------------------------------------------------------ */

/* what the kernel calls reached: the sine of the half angle is what it measures, and rounding
   differs between its frames and the model's by far less than a millionth of a tolerance */
static double square_of_tolerance(double tolerance, bool angle)
{
    double least = angle ? 2 * lb_sin(0.5 * fmin(tolerance, LB_PI)) : tolerance;
    least *= 1 - 1e-6;
    return least * least;
}

void body_find_roots(const lb_body *body, int t, double weight, lb_vec3 roots[2])
{
    const lb_body_task *task = &body->tasks[t];
    const kind_rows *kind = &kinds[task->kind];
    const kernel_body_task *k = &body->kernel_tasks[t];
    double root = sqrt(weight), along = root / body->length;
    roots[0] = lb_vec3_make(kind->position & 1 ? along : 0, kind->position & 2 ? along : 0,
                            kind->position & 4 ? along : 0);
    double about = kind->rotation ? root : 0;
    // of a slide the joint's own value is metres
    int column = k->kind == KERNEL_BODY_COUPLING ? k->coupled[0] : k->columns > 0 ? k->column : -1;
    if (task->kind == LB_BODY_JOINT && column >= 0 && body->columns[column].slides)
        about = along;
    roots[1] = lb_vec3_make(about, about, about);
}

void body_weigh(lb_body *body, int t)
{
    kernel_body_task *k = &body->kernel_tasks[t];
    body_find_roots(body, t, body->tasks[t].weight, k->weights);
    k->counted = body->tasks[t].weight > 0;
}

/* squares of twice the tolerances; rows add up what an outcome has the largest of */
static void find_missed(kernel_body_task *k, double position, double rotation)
{
    k->missed[0] = 4 * k->row_count * position * position;
    k->missed[1] = 4 * k->row_count * rotation * rotation;
}

/* the columns of a joint task */
static void find_columns(const lb_body *body, const lb_body_task *task, kernel_body_task *k)
{
    const model_joint *joint = &body->model->joint_layouts[task->joint];
    int nq = lb_joint_kind_nq(body->model->joints[task->joint].kind);
    k->columns = 0;
    for (int i = 0; i < body->kernel.joint_columns; i++) {
        const kernel_body_column *column = &body->columns[i];
        if (column->q < joint->q || column->q >= joint->q + nq || column->tie >= 0)
            continue;
        if (k->columns++ == 0)
            k->column = i;
    }
}

/* whether the rows of a task that one link has weigh the same in all directions */
static bool is_isotropic(const lb_body *body, int t)
{
    const kind_rows *kind = &kinds[body->tasks[t].kind];
    bool place = kind->position == 0 || kind->position == (1 | 2 | 4);
    bool summed = kind->kernel == KERNEL_BODY_ALIGN || kind->kernel == KERNEL_BODY_POSE;
    return body->kernel_tasks[t].local && place && summed;
}

/* the columns and values of a coupling */
static void couple(lb_body *body, int t)
{
    const int joints[2] = {body->tasks[t].joint, body->tasks[t].last};
    kernel_body_task *k = &body->kernel_tasks[t];
    k->kind = KERNEL_BODY_COUPLING;
    for (int i = 0; i < 2; i++) {
        k->coupled_q[i] = body->model->joint_layouts[joints[i]].q;
        k->coupled[i] = body->owners[k->coupled_q[i]];
    }
    memcpy(k->polynomial, body->model->loops[body->tasks[t].first].polynomial,
           sizeof k->polynomial);
}

static void make_task(lb_body *body, int t)
{
    const lb_body_task *task = &body->tasks[t];
    kernel_body_task *k = &body->kernel_tasks[t];
    const lb_transform here = LB_TRANSFORM_IDENTITY;
    const double position = body_position_tolerance(body, task);
    const double rotation = body_rotation_tolerance(body, task);
    k->kind = kinds[task->kind].kernel;
    // loops are above all of them
    k->level = task->level + (body->given_count < body->task_count);
    k->axis = lb_vec3_normalize(task->axis, lb_vec3_make(0, 0, 1));
    k->box = task->box;
    // angles are measured as 2 sin(angle / 2); a joint's own value is not
    k->cone = task->kind == LB_BODY_JOINT ? task->cone : 2 * lb_sin(0.5 * fmin(task->cone, LB_PI));
    // how far outside its edges the centre is can be less than how far from the polygon
    bool support = task->kind == LB_BODY_SUPPORT;
    // of loops half is left for rounding
    double share = support ? 0.1 : t < body->given_count ? 1 : 0.5;
    k->tolerance[0] = square_of_tolerance(share * position, false);
    share = t < body->given_count ? 1 : 0.5;
    k->tolerance[1] = square_of_tolerance(share * rotation, task->kind != LB_BODY_JOINT);
    k->tool = k->base = k->end = body_point(body, LB_WORLD, &here);
    k->row_count = kinds[task->kind].rows;
    if (task->kind == LB_BODY_SUPPORT)
        k->row_count = task->vertex_count;
    if (body_is_coupling(body, t)) {
        couple(body, t);
    } else if (task->kind == LB_BODY_JOINT) {
        find_columns(body, task, k);
        k->row_count = k->columns;
    } else if (body_has_link(task->kind)) {
        k->tool = body_point(body, task->link, &task->tool);
    }
    find_missed(k, position, rotation);
    k->in_world = task->base < 0 || task->kind == LB_BODY_POLE || !body_has_target(task->kind);
    if (task->kind == LB_BODY_POLE) {
        lb_transform first = here, last = here;
        first.p = task->first_point;
        last.p = task->last_point;
        k->base = body_point(body, task->first, &first);
        k->end = body_point(body, task->last, &last);
    } else if (body_has_target(task->kind)) {
        k->base = body_point(body, task->base, &here);
    }
    bool spread = moves_all(k) || task->kind == LB_BODY_POLE;
    bool box = task->box.x > 0 || task->box.y > 0 || task->box.z > 0 || task->cone > 0;
    k->local = !spread && !box && k->base.column < 0;
    body_weigh(body, t);
}

/* ---- rows and stages ---------------------------------------------------------- */

/* rows of a pose that its kind has no use for are zero for good */
static bool row_exists(const lb_body_task *task, int k)
{
    const kind_rows *kind = &kinds[task->kind];
    if (kind->kernel != KERNEL_BODY_POSE && kind->kernel != KERNEL_BODY_CENTER)
        return true;
    return k < 3 ? (kind->position >> k & 1) != 0 : kind->rotation;
}

/* whether a row may be anywhere in a range */
static bool has_range(const lb_body_task *task, int k)
{
    const double box[3] = {task->box.x, task->box.y, task->box.z};
    switch (kinds[task->kind].kernel) {
    case KERNEL_BODY_SUPPORT:
    case KERNEL_BODY_DISTANCE:
        return true;
    case KERNEL_BODY_POSE:
    case KERNEL_BODY_CENTER:
        // of a cone it is the first row
        return row_exists(task, k) && (k < 3 ? box[k] > 0 : k == 3 && task->cone > 0);
    case KERNEL_BODY_LOOK:
    case KERNEL_BODY_ALIGN:
        return k == 0 && task->cone > 0;
    case KERNEL_BODY_JOINT:
        return task->cone > 0;
    default:
        return false;
    }
}

/* the slack of the row that comes next, -1 where it needs none */
static int add_slack(lb_body *body, int t, int k)
{
    kernel_body *kernel = &body->kernel;
    if (!has_range(&body->tasks[t], k))
        return -1;
    body->columns[kernel->column_count] = (kernel_body_column){
        .row = kernel->row_count, .joint = -1, .parent = -1, .q = -1, .ball = -1, .tie = -1};
    return kernel->column_count++;
}

static void add_rows(lb_body *body)
{
    kernel_body *k = &body->kernel;
    for (int t = 0; t < body->task_count; t++) {
        kernel_body_task *task = &body->kernel_tasks[t];
        task->row = k->row_count;
        for (int i = 0; i < task->row_count; i++) {
            int slack = add_slack(body, t, i);
            body->rows[k->row_count++] = (kernel_body_row){
                .task = t, .level = task->level, .column = task->column + i, .slack = slack};
        }
    }
    for (int c = 0; c < k->joint_columns; c++)
        if (body->columns[c].tie >= 0)
            body->rows[k->row_count++] = (kernel_body_row){
                .task = -1, .level = -1, .column = c, .other = body->columns[c].tie, .slack = -1};
    k->row_capacity = k->row_count;
}

/* those of one level that no link has alone (`own`), or all of a level */
static int list_level(const lb_body *body, int level, bool own, int *list)
{
    int count = 0;
    for (int r = 0; r < body->kernel.row_count; r++) {
        const kernel_body_row *row = &body->rows[r];
        if (row->level != level)
            continue;
        if (row->task >= 0) {
            const kernel_body_task *task = &body->kernel_tasks[row->task];
            if ((own && task->local) || !row_exists(&body->tasks[row->task], r - task->row))
                continue;
        }
        list[count++] = r;
    }
    return count;
}

static void own(unsigned char *columns, int c, unsigned char what)
{
    if (c >= 0)
        columns[c] |= what;
}

/* which columns a stage puts inertias and forces on */
static void find_own(lb_body *body, int level)
{
    kernel_body *k = &body->kernel;
    kernel_body_stage *stage = &k->stages[level];
    unsigned char *columns = body->own + (size_t)level * (size_t)k->column_count;
    const unsigned char both = BODY_OWN_INERTIA | BODY_OWN_FORCES;
    stage->own = columns;
    // what has no children gets nothing from them
    memset(columns, both, (size_t)k->column_count);
    for (int c = 0; c < k->column_count; c++)
        if (body->columns[c].parent >= 0)
            columns[body->columns[c].parent] = 0;
    for (int t = 0; t < body->task_count; t++) {
        const kernel_body_task *task = &body->kernel_tasks[t];
        if (task->level == level && task->local)
            own(columns, task->tool.column, both);
        if (task->level > level)
            continue;
        own(columns, task->tool.column, BODY_OWN_FORCES);
        own(columns, task->base.column, BODY_OWN_FORCES);
        own(columns, task->end.column, BODY_OWN_FORCES);
        for (int i = 0; moves_all(task) && i < k->tree.count; i++)
            own(columns, body->carriers[i], BODY_OWN_FORCES);
    }
}

static void mark(unsigned *blocks, int c, int side)
{
    if (c >= 0)
        blocks[c] |= body_block_bit(side);
}

/* the columns that a row puts a force or a load on */
static void mark_row(const lb_body *body, const kernel_body_row *row, int side, unsigned *blocks)
{
    if (row->task < 0) {
        mark(blocks, row->column, side);
        mark(blocks, row->other, side);
        return;
    }
    const kernel_body_task *task = &body->kernel_tasks[row->task];
    mark(blocks, row->slack, side);
    for (int k = 0; task->kind == KERNEL_BODY_COUPLING && k < 2; k++)
        mark(blocks, task->coupled[k], side);
    mark(blocks, task->kind == KERNEL_BODY_JOINT ? row->column : -1, side);
    mark(blocks, task->tool.column, side);
    mark(blocks, task->base.column, side);
    mark(blocks, task->end.column, side);
    for (int i = 0; moves_all(task) && i < body->kernel.tree.count; i++)
        mark(blocks, body->carriers[i], side);
}

/* which blocks of sides pass through each column on their way to the root */
static void find_blocks(lb_body *body, int level)
{
    kernel_body *k = &body->kernel;
    kernel_body_stage *stage = &k->stages[level];
    unsigned *blocks = body->passing + (size_t)level * (size_t)k->column_count;
    unsigned char *columns = body->own + (size_t)level * (size_t)k->column_count;
    stage->blocks = blocks;
    // all columns have errors
    for (int c = 0; c < k->column_count; c++)
        blocks[c] = body_block_bit(0);
    for (int i = 0; i < stage->weighted + stage->strict; i++)
        mark_row(body, &body->rows[stage->rows[i]], 1 + i, blocks);
    for (int c = k->column_count - 1; c >= 0; c--)
        if (body->columns[c].parent >= 0)
            blocks[body->columns[c].parent] |= blocks[c];
    // what its last child does not store has to be zero at first
    for (int c = 0; c < k->column_count; c++) {
        int parent = body->columns[c].parent;
        if (parent >= 0 && body->columns[c].last && blocks[parent] != blocks[c])
            own(columns, parent, BODY_OWN_FORCES);
    }
}

/* the columns by their distance from the root, which keeps siblings in their order */
static void find_order(lb_body *body)
{
    kernel_body *k = &body->kernel;
    // sorted by counting; the memory is that of the blocks, which are found later
    unsigned *places = body->passing;
    memset(places, 0, sizeof *places * (size_t)k->column_count);
    for (int c = 0; c < k->column_count; c++) {
        int parent = body->columns[c].parent;
        body->depths[c] = parent < 0 ? 0 : body->depths[parent] + 1;
        places[body->depths[c]]++;
    }
    for (int depth = 0, first = 0; depth < k->column_count; depth++) {
        int count = (int)places[depth];
        places[depth] = (unsigned)first;
        first += count;
    }
    for (int c = 0; c < k->column_count; c++)
        body->order[places[body->depths[c]]++] = c;
    k->order = body->order;
}

/* whether each column is the last of its parent's */
static void find_last(lb_body *body)
{
    int count = body->kernel.column_count;
    // whether a later column has each as its parent; the memory is that of the blocks
    unsigned *has_child = body->passing;
    memset(has_child, 0, sizeof *has_child * (size_t)count);
    for (int c = count - 1; c >= 0; c--) {
        int parent = body->columns[c].parent;
        body->columns[c].last = parent < 0 || !has_child[parent];
        if (parent >= 0)
            has_child[parent] = 1;
    }
}

static void add_stages(lb_body *body)
{
    kernel_body *k = &body->kernel;
    int *list = body->stage_rows;
    for (int level = 0; level < k->level_count; level++) {
        kernel_body_stage *stage = &k->stages[level];
        stage->rows = list;
        stage->weighted = list_level(body, level, true, list);
        // ties come first: they hold whatever the tasks are
        stage->strict = 0;
        for (int above = -1; above < level; above++)
            stage->strict += list_level(body, above, false, list + stage->weighted + stage->strict);
        int sides = 1 + stage->weighted + stage->strict;
        stage->sides = sides > 1 ? (sides + BODY_BLOCK - 1) / BODY_BLOCK * BODY_BLOCK : 1;
        k->side_capacity = stage->sides > k->side_capacity ? stage->sides : k->side_capacity;
        list += stage->weighted + stage->strict;
        find_own(body, level);
        find_blocks(body, level);
    }
}

void body_set_stiffness(lb_body *body, double posture)
{
    kernel_body *k = &body->kernel;
    // the posture is what joints are stiff for; what has a task of its own is not pulled twice
    for (int c = 0; c < k->joint_columns; c++)
        body->stiffness[c] = body->columns[c].tie < 0 ? posture * body->columns[c].weight : 0;
    for (int t = 0; t < body->task_count; t++)
        for (int i = 0; i < body->kernel_tasks[t].columns; i++)
            body->stiffness[body->kernel_tasks[t].column + i] = 0;
    k->stiffness = posture > 0 ? body->stiffness : NULL;
}

void body_make_tasks(lb_body *body)
{
    kernel_body *k = &body->kernel;
    k->level_count = 1;
    k->closed = body->given_count < body->task_count;
    for (int t = 0; t < body->task_count; t++) {
        make_task(body, t);
        if (body->kernel_tasks[t].level >= k->level_count)
            k->level_count = body->kernel_tasks[t].level + 1;
    }
    for (int t = 0; t < body->task_count; t++)
        body->kernel_tasks[t].isotropic = k->level_count == 1 && is_isotropic(body, t);
    for (int t = 0; t < body->task_count; t++) {
        kernel_body_task *task = &body->kernel_tasks[t];
        const lb_body_task *given = &body->tasks[t];
        for (int i = 0; given->kind == LB_BODY_SUPPORT && i < given->vertex_count; i++)
            memcpy(task->vertices[i], given->vertices[i], sizeof task->vertices[i]);
        task->vertex_count = given->kind == LB_BODY_SUPPORT ? given->vertex_count : 0;
        body->tasks[t].vertices = NULL;
        if (given->kind == LB_BODY_DISTANCE) {
            k->find_pairs = body_find_pairs;
            k->user = body;
        }
    }
    k->tasks = body->kernel_tasks;
    k->task_count = body->task_count;
    add_rows(body);
    find_order(body);
    find_last(body);
    k->rows = body->rows;
    add_stages(body);
    body_set_stiffness(body, body->options.posture);
}
