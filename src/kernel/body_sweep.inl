/*
 * body_sweep.inl - the weighted least squares of a whole tree in one sweep, without a Jacobian.
 *
 * In common axes a row's screw s with error e is an inertia s s^T on its link and a force s e, so
 * that the normal equations of all rows are those of a tree of rigid bodies under forces, with the
 * damping as armature at its joints. They are solved as forward dynamics are (Featherstone 1987,
 * the articulated-body algorithm): from the tips inwards each column's inertia is reduced by what
 * its joint can move, from the root outwards the changes follow. A column that is pinned to a
 * bound hands its inertia on unreduced, and with it the force of its known change.
 *
 * step.inl solves the same least squares in the form that is as large as the task, for arms;
 * ik/methods/damped.c is the textbook's form, of one problem, in plain C.
 *
 * Rows that no single link has (the centre of mass, relative poses, levels above) are right-hand
 * sides of their own. With H = L D L^T the sweep has found u = L^-1 s for each of them, so that
 * s_a^T H^-1 s_b is the sum over columns of u_a u_b / D: their small system needs no sweep back.
 */
#ifndef KERNEL_BODY_SWEEP_INL
#define KERNEL_BODY_SWEEP_INL

#include "kernel/body_rows.inl"

/*
 * A strict row whose pivot is less than this share of its diagonal says hardly more than the rows
 * before it: rounding leaves 1e-16 times the spread of H, which damping holds below 1e7. Such
 * rows, and these alone, are damped, by as much.
 */
#define BODY_DEFICIENT 1e-9

/* what keeps slacks from being anything at all: nothing next to the weight of a row, which is 1 */
#define BODY_SLACK 1e-9

/* ---- screws of columns ------------------------------------------------------ */

LANE_INLINE void find_screw(const kernel_body *body, int c, body_work *w)
{
    const kernel_body_column *column = &body->columns[c];
    const frame *f = &w->frames[column->joint];
    v3 axis = f->z;
    if (column->ball >= 0) {
        v3 a = w->ball_axes[3 * column->ball + column->axis];
        axis = v3_add(v3_add(v3_scale(f->x, a.x), v3_scale(f->y, a.y)), v3_scale(f->z, a.z));
    } else if (column->scale != 1) {
        axis = v3_scale(axis, lane_set(column->scale));
    }
    body_screw *s = &w->screws[c];
    if (column->slides) {
        s->angular.v = v3_zero();
        s->linear.v = axis;
    } else {
        s->angular.v = axis;
        s->linear.v = v3_cross(v3_sub(f->p, w->origin), axis);
    }
}

/* how far a column may go, and what that pins it to */
LANE_INLINE void find_bounds(const kernel_body *body, int c, body_work *w)
{
    const kernel_body_column *column = &body->columns[c];
    if (column->row >= 0) {
        w->low[c] = w->rows[column->row].low;
        w->high[c] = w->rows[column->row].high;
    } else if (column->tie >= 0) {
        w->low[c] = lane_set(-INFINITY);
        w->high[c] = lane_set(INFINITY);
    } else if (column->ball >= 0) {
        w->low[c] = w->ball_low[3 * column->ball + column->axis];
        w->high[c] = w->ball_high[3 * column->ball + column->axis];
    } else {
        w->low[c] = w->lower[column->q] - w->q[column->q];
        w->high[c] = w->upper[column->q] - w->q[column->q];
    }
    lane zero = lane_set(0);
    lane at = lane_select(lane_lt(w->pin[c], zero), w->low[c], w->high[c]);
    // a bound that has gone pins nothing
    lane_mask pinned =
        mask_andnot(lane_lt(lane_abs(at), lane_set(INFINITY)), lane_eq(w->pin[c], zero));
    w->pin[c] = lane_keep(pinned, w->pin[c]);
    w->fix[c] = lane_keep(pinned, at);
}

static void find_screws(const kernel_body *body, body_work *w)
{
    for (int c = 0; c < body->column_count; c++) {
        if (c < body->joint_columns)
            find_screw(body, c, w);
        else
            memset(&w->screws[c], 0, sizeof *w->screws);
        find_bounds(body, c, w);
    }
}

/* ---- loading the tree ------------------------------------------------------- */

LANE_INLINE triple vector_load(const body_vector *from)
{
    return triple_take(&from->v);
}

LANE_INLINE void vector_store(body_vector *to, triple a)
{
    triple_spill(&to->v, a);
}

/* one column of an inertia grows by a screw's part times a number */
LANE_INLINE void vector_grow(body_vector *to, triple a)
{
    vector_store(to, triple_add(vector_load(to), a));
}

LANE_INLINE void add_outer(body_inertia *a, const v3 *angular, const v3 *linear)
{
    const triple p = triple_load(angular), f = triple_load(linear);
    vector_grow(&a->i[0], triple_by_x(p, p));
    vector_grow(&a->i[1], triple_by_y(p, p));
    vector_grow(&a->i[2], triple_by_z(p, p));
    vector_grow(&a->h[0], triple_by_x(p, f));
    vector_grow(&a->h[1], triple_by_y(p, f));
    vector_grow(&a->h[2], triple_by_z(p, f));
    vector_grow(&a->g[0], triple_by_x(f, p));
    vector_grow(&a->g[1], triple_by_y(f, p));
    vector_grow(&a->g[2], triple_by_z(f, p));
    vector_grow(&a->m[0], triple_by_x(f, f));
    vector_grow(&a->m[1], triple_by_y(f, f));
    vector_grow(&a->m[2], triple_by_z(f, f));
}

/* of a turn alone */
LANE_INLINE void add_turn(body_inertia *a, const v3 *angular)
{
    const triple p = triple_load(angular);
    vector_grow(&a->i[0], triple_by_x(p, p));
    vector_grow(&a->i[1], triple_by_y(p, p));
    vector_grow(&a->i[2], triple_by_z(p, p));
}

/* forces of a column: six numbers of a block of sides, then of the next block */
LANE_INLINE lane *column_forces(const body_work *w, int c, int sides)
{
    return w->forces + (size_t)c * 6 * (size_t)sides;
}

LANE_INLINE void add_force(lane *forces, int sides, int side, v3 angular, v3 linear, lane s)
{
    int block = sides == 1 ? 1 : BODY_BLOCK;
    forces += side / block * 6 * block + side % block;
    forces[0] += angular.x * s;
    forces[block] += angular.y * s;
    forces[2 * block] += angular.z * s;
    forces[3 * block] += linear.x * s;
    forces[4 * block] += linear.y * s;
    forces[5 * block] += linear.z * s;
}

/* a task whose rows one link has: an inertia and a force there */
static void load_local(const kernel_body_task *task, int sides, body_work *w)
{
    int c = task->tool.column;
    if (c < 0)
        return;
    if (task->isotropic) {
        const body_row *rows = &w->rows[task->row];
        v3 angular, linear;
        isotropic_force(task, rows, rows, &angular, &linear);
        add_isotropic(task, rows, &w->inertias[c]);
        add_force(column_forces(w, c, sides), sides, 0, angular, linear, lane_set(1));
        return;
    }
    for (int k = 0; k < task->row_count; k++) {
        const body_row *row = &w->rows[task->row + k];
        if (!row_counts(task, k))
            continue;
        if (task->kind == KERNEL_BODY_POSE && k >= 3)
            add_turn(&w->inertias[c], &row->angular[0]);
        else
            add_outer(&w->inertias[c], &row->angular[0], &row->linear[0]);
        add_force(column_forces(w, c, sides), sides, 0, row->angular[0], row->linear[0],
                  row->error);
    }
}

/* a joint task, or the posture, at its own level: armature */
LANE_INLINE void load_armature(int c, lane weight, lane error, int sides, body_work *w)
{
    w->lambda[c] = w->lambda[c] + weight;
    lane *load = w->loads + (size_t)c * (size_t)sides;
    load[0] += weight * error;
}

/* each link pulls at the centre of mass with its share */
static void load_center(const kernel_body *body, v3 direction, int sides, int side, body_work *w)
{
    for (int i = 0; i < body->tree.count; i++) {
        const kernel_body_mass *mass = &body->masses[i];
        if (mass->share <= 0 || body->carriers[i] < 0)
            continue;
        v3 at = w->mass_places[i];
        add_force(column_forces(w, body->carriers[i], sides), sides, side, v3_cross(at, direction),
                  direction, lane_set(mass->share));
    }
}

/* the columns that carry the links of a task's rows */
LANE_INLINE int part_column(const kernel_body_task *task, int part)
{
    const kernel_body_point *points[KERNEL_BODY_PARTS] = {&task->tool, &task->base, &task->end};
    return points[part]->column;
}

LANE_INLINE bool is_center(const kernel_body_task *task)
{
    return task->kind == KERNEL_BODY_CENTER || task->kind == KERNEL_BODY_SUPPORT;
}

/* a row as a right-hand side */
static void load_row(const kernel_body *body, int r, int sides, int side, body_work *w)
{
    const kernel_body_row *info = &body->rows[r];
    const body_row *row = &w->rows[r];
    if (info->task < 0) {
        w->loads[(size_t)info->column * (size_t)sides + (size_t)side] = lane_set(1);
        w->loads[(size_t)info->other * (size_t)sides + (size_t)side] = lane_set(-1);
        return;
    }
    const kernel_body_task *task = &body->tasks[info->task];
    if (info->slack >= 0)
        w->loads[(size_t)info->slack * (size_t)sides + (size_t)side] = lane_set(-1);
    if (task->kind == KERNEL_BODY_COUPLING) {
        for (int k = 0; k < 2; k++)
            if (task->coupled[k] >= 0)
                w->loads[(size_t)task->coupled[k] * (size_t)sides + (size_t)side] =
                    row->linear[k].x;
    } else if (task->kind == KERNEL_BODY_JOINT) {
        w->loads[(size_t)info->column * (size_t)sides + (size_t)side] = row->linear[0].x;
    } else if (task->kind == KERNEL_BODY_DISTANCE) {
        load_pair(r, sides, side, w);
    } else {
        if (is_center(task))
            load_center(body, row->linear[0], sides, side, w);
        for (int part = is_center(task); part < KERNEL_BODY_PARTS; part++)
            if (part_column(task, part) >= 0)
                add_force(column_forces(w, part_column(task, part), sides), sides, side,
                          row->angular[part], row->linear[part], lane_set(1));
    }
}

/* everything of one level, and the rows of those above it */
static void load_stage(const kernel_body *body, int level, body_work *w)
{
    const kernel_body_stage *stage = &body->stages[level];
    int sides = stage->sides, n = body->column_count;
    bool last = level == body->level_count - 1;
    for (int c = 0; c < n; c++) {
        if (stage->own[c] & BODY_OWN_INERTIA)
            memset(&w->inertias[c], 0, sizeof(body_inertia));
        if (stage->own[c] & BODY_OWN_FORCES)
            memset(column_forces(w, c, sides), 0, sizeof(lane) * 6 * (size_t)sides);
    }
    memset(w->loads, 0, sizeof(lane) * (size_t)(n * sides));
    for (int c = 0; c < n; c++)
        w->lambda[c] = c < body->joint_columns ? w->damping[level] * body->columns[c].weight
                                               : lane_set(BODY_SLACK);
    for (int t = 0; t < body->task_count; t++) {
        const kernel_body_task *task = &body->tasks[t];
        if (task->level != level || !task->local)
            continue;
        if (task->kind != KERNEL_BODY_JOINT)
            load_local(task, sides, w);
        for (int k = 0; k < task->columns; k++) {
            const body_row *row = &w->rows[task->row + k];
            lane weight = row->linear[0].x;
            w->lambda[task->column + k] = w->lambda[task->column + k] + weight * weight;
            w->loads[(size_t)(task->column + k) * (size_t)sides] += weight * row->error;
        }
    }
    for (int c = 0; last && body->stiffness && c < body->joint_columns; c++)
        if (body->stiffness[c] > 0)
            load_armature(c, lane_set(body->stiffness[c]), column_error(body, c, w), sides, w);
    for (int i = 0; i < stage->weighted + stage->strict; i++)
        load_row(body, stage->rows[i], sides, 1 + i, w);
}

/* ---- from the tips to the root ---------------------------------------------- */

/* the force that a column's motion requires of its inertia; returns the pivot less the damping */
LANE_INLINE lane find_drive(const body_inertia *a, const body_screw *s, triple *angular,
                            triple *linear)
{
    const triple p = vector_load(&s->angular), f = vector_load(&s->linear);
    triple x = triple_by_x(vector_load(&a->i[0]), p), y = triple_by_x(vector_load(&a->g[0]), p);
    x = triple_add(x, triple_by_y(vector_load(&a->i[1]), p));
    y = triple_add(y, triple_by_y(vector_load(&a->g[1]), p));
    x = triple_add(x, triple_by_z(vector_load(&a->i[2]), p));
    y = triple_add(y, triple_by_z(vector_load(&a->g[2]), p));
    x = triple_add(x, triple_by_x(vector_load(&a->h[0]), f));
    y = triple_add(y, triple_by_x(vector_load(&a->m[0]), f));
    x = triple_add(x, triple_by_y(vector_load(&a->h[1]), f));
    y = triple_add(y, triple_by_y(vector_load(&a->m[1]), f));
    x = triple_add(x, triple_by_z(vector_load(&a->h[2]), f));
    y = triple_add(y, triple_by_z(vector_load(&a->m[2]), f));
    *angular = x;
    *linear = y;
    return triple_sum(triple_add(triple_multiply(x, p), triple_multiply(y, f)));
}

/* `add` is a constant: the parent has something already */
LANE_INLINE void hand_on(body_vector *to, const body_vector *from, triple less, bool add)
{
    triple rest = triple_sub(vector_load(from), less);
    vector_store(to, add ? triple_add(vector_load(to), rest) : rest);
}

/* the inertia less what the column gives way, to its parent */
LANE_INLINE void reduce_inertia(const body_inertia *a, triple angular, triple linear, lane inverse,
                                body_inertia *to, bool add)
{
    const triple p = triple_scale(angular, inverse), f = triple_scale(linear, inverse);
    hand_on(&to->i[0], &a->i[0], triple_by_x(angular, p), add);
    hand_on(&to->i[1], &a->i[1], triple_by_y(angular, p), add);
    hand_on(&to->i[2], &a->i[2], triple_by_z(angular, p), add);
    hand_on(&to->h[0], &a->h[0], triple_by_x(angular, f), add);
    hand_on(&to->h[1], &a->h[1], triple_by_y(angular, f), add);
    hand_on(&to->h[2], &a->h[2], triple_by_z(angular, f), add);
    hand_on(&to->g[0], &a->g[0], triple_by_x(linear, p), add);
    hand_on(&to->g[1], &a->g[1], triple_by_y(linear, p), add);
    hand_on(&to->g[2], &a->g[2], triple_by_z(linear, p), add);
    hand_on(&to->m[0], &a->m[0], triple_by_x(linear, f), add);
    hand_on(&to->m[1], &a->m[1], triple_by_y(linear, f), add);
    hand_on(&to->m[2], &a->m[2], triple_by_z(linear, f), add);
}

/* one block of right-hand sides: loads of the column, then what is handed on to its parent */
LANE_INLINE void reduce_forces(const lane *forces, const lane s[6], const lane u[6], lane inverse,
                               lane *load, lane *to, int block, bool add)
{
    lane shares[BODY_BLOCK];
    for (int r = 0; r < block; r++) {
        lane sum = load[r];
        for (int k = 0; k < 6; k++)
            sum = sum + forces[k * block + r] * s[k];
        load[r] = sum;
        shares[r] = sum * inverse;
    }
    for (int k = 0; to && k < 6; k++)
        for (int r = 0; r < block; r++) {
            lane rest = forces[k * block + r] - u[k] * shares[r];
            to[k * block + r] = add ? to[k * block + r] + rest : rest;
        }
}

LANE_INLINE void reduce_column(const kernel_body *body, int c, int sides, int block,
                               const kernel_body_stage *stage, body_work *w)
{
    const body_screw *motion = &w->screws[c];
    const body_inertia *a = &w->inertias[c];
    const kernel_body_column *column = &body->columns[c];
    int parent = column->parent;
    triple angular, linear;
    lane pivot = w->lambda[c] + find_drive(a, motion, &angular, &linear);
    body_screw *drive = &w->drives[c];
    vector_store(&drive->angular, angular);
    vector_store(&drive->linear, linear);
    lane_mask free = lane_eq(w->pin[c], lane_set(0));
    lane whole = 1 / pivot, inverse = lane_keep(free, whole);
    w->inverse[c] = inverse;
    w->whole[c] = whole;
    const v3 p = motion->angular.v, f = motion->linear.v;
    const lane s[6] = {p.x, p.y, p.z, f.x, f.y, f.z};
    const v3 d = drive->angular.v, e = drive->linear.v;
    const lane u[6] = {d.x, d.y, d.z, e.x, e.y, e.z};
    lane *forces = column_forces(w, c, sides), *load = w->loads + (size_t)c * (size_t)sides;
    lane *to = parent < 0 ? NULL : column_forces(w, parent, sides);
    bool add_forces = parent >= 0 && (!column->last || (stage->own[parent] & BODY_OWN_FORCES));
    for (int r = 0; r < sides; r += block) {
        if (!(stage->blocks[c] & body_block_bit(r)))
            continue;
        lane *at = to ? to + 6 * r : NULL;
        if (add_forces)
            reduce_forces(forces + 6 * r, s, u, inverse, load + r, at, block, true);
        else
            reduce_forces(forces + 6 * r, s, u, inverse, load + r, at, block, false);
    }
    if (parent < 0)
        return;
    // a known change is a force on what carries it
    for (int k = 0; k < 6; k++)
        to[k * block] = to[k * block] - u[k] * w->fix[c];
    if (!column->last || (stage->own[parent] & BODY_OWN_INERTIA))
        reduce_inertia(a, angular, linear, inverse, &w->inertias[parent], true);
    else
        reduce_inertia(a, angular, linear, inverse, &w->inertias[parent], false);
}

static void reduce_tree(const kernel_body *body, const kernel_body_stage *stage, body_work *w)
{
    for (int i = body->column_count - 1; i >= 0; i--) {
        int c = body->order[i];
        if (stage->sides == 1)
            reduce_column(body, c, 1, 1, stage, w);
        else if (stage->sides == BODY_BLOCK)
            reduce_column(body, c, BODY_BLOCK, BODY_BLOCK, stage, w);
        else
            reduce_column(body, c, stage->sides, BODY_BLOCK, stage, w);
    }
}

/* ---- the rows that no link has ---------------------------------------------- */

/* the sums over columns of u_a u_b / D for a block of a's and a block of b's */
LANE_INLINE void find_gram_block(const kernel_body *body, const kernel_body_stage *stage, int a,
                                 int b, body_work *w)
{
    int sides = stage->sides;
    unsigned both = body_block_bit(a) | body_block_bit(b);
    lane sum[BODY_BLOCK][BODY_BLOCK];
    for (int i = 0; i < BODY_BLOCK; i++)
        for (int k = 0; k < BODY_BLOCK; k++)
            sum[i][k] = lane_set(0);
    for (int c = 0; c < body->column_count; c++) {
        const lane *u = w->loads + (size_t)c * (size_t)sides;
        if ((stage->blocks[c] & both) != both)
            continue;
        for (int i = 0; i < BODY_BLOCK; i++) {
            lane share = u[a + i] * w->inverse[c];
            for (int k = 0; k < BODY_BLOCK; k++)
                sum[i][k] = sum[i][k] + share * u[b + k];
        }
    }
    for (int i = 0; i < BODY_BLOCK; i++)
        for (int k = 0; k < BODY_BLOCK; k++)
            w->gram[(a + i) * sides + b + k] = sum[i][k];
}

/* the rows' system; side 0 is what the rows get */
static void find_gram(const kernel_body *body, const kernel_body_stage *stage, body_work *w)
{
    int sides = stage->sides, rows = stage->weighted + stage->strict;
    for (int a = 0; a <= rows; a += BODY_BLOCK)
        for (int b = 0; b <= a; b += BODY_BLOCK)
            find_gram_block(body, stage, a, b, w);
    for (int a = 1; a <= rows; a++)
        for (int c = 0; c < body->column_count; c++)
            w->gram[a * sides] += w->loads[(size_t)c * (size_t)sides + (size_t)a] * w->fix[c];
}

/* what a row is to become: its error, or what the level above has made of it */
LANE_INLINE lane row_aim(const kernel_body_stage *stage, int i, const body_work *w,
                         lane_mask by_levels)
{
    int r = stage->rows[i];
    if (i < stage->weighted)
        return w->rows[r].error;
    return lane_select(by_levels, w->aims[r], w->rows[r].error);
}

/*
 * What rounding leaves of a row that nothing moves, as where both its links are one: its screws
 * cancel to 1e-10 of their size, and what remains is as ready to move as the damping allows.
 */
LANE_INLINE lane row_noise(const kernel_body *body, int r, int level, const body_work *w)
{
    lane size = lane_set(body->rows[r].task < 0);
    for (int part = 0; body->rows[r].task >= 0 && part < KERNEL_BODY_PARTS; part++) {
        v3 p = w->rows[r].angular[part], f = w->rows[r].linear[part];
        size = size + v3_dot(p, p) + v3_dot(f, f);
    }
    return size * 1e-20 / w->damping[level] + 1e-300;
}

/* the multipliers from L^-1 of their right-hand sides */
static void solve_back(int sides, int rows, body_work *w)
{
    lane *y = w->multipliers;
    for (int a = rows; a >= 1; a--) {
        y[a] = y[a] * w->pivots[a];
        for (int b = a + 1; b <= rows; b++)
            y[a] = y[a] - w->gram[b * sides + a] * y[b];
    }
}

/*
 * L D L^T of the rows' system, row by row: those of this level give way with their weight, which
 * is 1 on the diagonal; the others do not, except where they are redundant. Leaves the
 * multipliers, and returns where no strict row contradicts those before it.
 */
static lane_mask solve_rows(const kernel_body *body, int level, lane_mask by_levels, body_work *w)
{
    const kernel_body_stage *stage = &body->stages[level];
    int sides = stage->sides, rows = stage->weighted + stage->strict;
    lane_mask sound = mask_from_bits(MASK_FULL);
    lane *y = w->multipliers;
    for (int a = 1; a <= rows; a++) {
        lane *row = w->gram + a * sides, before = row[a];
        bool weighted = a <= stage->weighted;
        lane rest = row_aim(stage, a - 1, w, by_levels) - row[0];
        // row[b] becomes L D, then L
        lane pivot = weighted ? before + 1 : before;
        for (int b = 1; b < a; b++) {
            const lane *other = w->gram + b * sides;
            lane x = row[b];
            for (int k = 1; k < b; k++)
                x = x - row[k] * other[k];
            row[b] = x;
        }
        for (int b = 1; b < a; b++) {
            lane l = row[b] * w->pivots[b];
            pivot = pivot - l * row[b];
            rest = rest - l * y[b];
            row[b] = l;
        }
        if (!weighted) {
            lane least = before * BODY_DEFICIENT + row_noise(body, stage->rows[a - 1], level, w);
            lane_mask poor = lane_lt(pivot, least);
            // one that contradicts them pulls as hard as it may: that is what releases pins
            lane_mask off = mask_and(poor, lane_gt(lane_abs(rest), lane_set(1e-9)));
            sound = mask_andnot(sound, off);
            pivot = lane_select(poor, least, pivot);
        }
        w->pivots[a] = 1 / pivot;
        y[a] = rest;
    }
    solve_back(sides, rows, w);
    return sound;
}

/* side 0 becomes the sum of all sides */
static void combine_sides(const kernel_body *body, int sides, int rows, body_work *w)
{
    for (int c = 0; c < body->column_count; c++) {
        lane *load = w->loads + (size_t)c * (size_t)sides, sum = load[0];
        for (int a = 1; a <= rows; a++)
            sum = sum + load[a] * w->multipliers[a];
        load[0] = sum;
    }
}

/* ---- from the root to the tips ---------------------------------------------- */

static void find_changes_of_tree(const kernel_body *body, int sides, body_work *w)
{
    for (int i = 0; i < body->column_count; i++) {
        int c = body->order[i], parent = body->columns[c].parent;
        const body_screw *drive = &w->drives[c], *motion = &w->screws[c];
        const v3 still = v3_zero();
        triple angular = triple_load(&still), linear = angular;
        lane load = w->loads[(size_t)c * (size_t)sides];
        if (parent >= 0) {
            angular = vector_load(&w->twists[parent].angular);
            linear = vector_load(&w->twists[parent].linear);
            load =
                load - triple_sum(triple_add(triple_multiply(vector_load(&drive->angular), angular),
                                             triple_multiply(vector_load(&drive->linear), linear)));
        }
        lane wanted = load * w->whole[c];
        lane_mask free = lane_eq(w->pin[c], lane_set(0));
        lane change = lane_select(free, wanted, w->fix[c]);
        w->wanted[c] = wanted;
        w->change[c] = change;
        vector_store(&w->twists[c].angular,
                     triple_add_scaled(angular, vector_load(&motion->angular), change));
        vector_store(&w->twists[c].linear,
                     triple_add_scaled(linear, vector_load(&motion->linear), change));
    }
}

/* w->change at the minimum of one level with what is pinned now */
static lane_mask sweep_stage(const kernel_body *body, int level, lane_mask by_levels, body_work *w)
{
    const kernel_body_stage *stage = &body->stages[level];
    int rows = stage->weighted + stage->strict;
    lane_mask sound = mask_from_bits(MASK_FULL);
    load_stage(body, level, w);
    reduce_tree(body, stage, w);
    if (rows > 0) {
        find_gram(body, stage, w);
        sound = solve_rows(body, level, by_levels, w);
        combine_sides(body, stage->sides, rows, w);
    }
    find_changes_of_tree(body, stage->sides, w);
    return sound;
}

#endif
