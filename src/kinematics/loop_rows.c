/*
 * loop_rows.c - the constraints of loops, their derivatives and a bound of the second ones.
 *
 * Of the second frame seen from the first: its origin, and either the direction of its z (where it
 * may turn about it) or twice the vector of its quaternion. Both grow up to half a turn, so that
 * closing does not end half a turn off: the direction for that is scaled where it points back. The
 * derivatives are exact at any distance but half a turn, where they would be zero.
 */
#include "kinematics/assembly.h"
#include "kinematics/state.h"

#include <string.h>

/* the least w at which directions of descent are known: a tenth of a degree from half a turn */
static const double opposed = 1e-3;

enum { HELD_ROTATION = 070, HELD_TURN = 040, HELD_DISPLACEMENT = 007 };

/* ---- one loop ----------------------------------------------------------- */

/* The six components, of which a kind holds some, and what their derivatives need. */
typedef struct loop_frame {
    lb_transform first;  /* T_world_frame */
    lb_transform second; /* T_firstframe_secondframe */
    double f[6];
    double w; /* of the quaternion, or what the direction is divided by */
    bool far; /* the second z points back: a zero there is none */
} loop_frame;

static loop_frame measure_frame(const lb_assembly *a, int i, unsigned held)
{
    const lb_loop *loop = &a->model->loops[i];
    const model_loop *ends = &a->model->loop_layouts[i];
    const lb_transform *links = lb_state_transforms(a->state);
    loop_frame m = {.first = lb_transform_multiply(&links[ends->first], &loop->first_frame)};
    lb_transform second = lb_transform_multiply(&links[ends->second], &loop->second_frame);
    m.second = lb_transform_between(&m.first, &second);
    const lb_transform *t = &m.second;
    m.f[0] = t->p.x / a->size;
    m.f[1] = t->p.y / a->size;
    m.f[2] = t->p.z / a->size;
    if (held & HELD_TURN) {
        lb_quat turned = lb_transform_quat(t);
        m.f[3] = 2 * turned.x;
        m.f[4] = 2 * turned.y;
        m.f[5] = 2 * turned.z;
        m.w = fmax(turned.w, opposed);
    } else {
        m.far = (held & HELD_ROTATION) && t->z.z < 0;
        if (m.far && t->z.z < 2 * opposed * opposed - 1)
            m.second.z = lb_vec3_make(2 * opposed, 0, 2 * opposed * opposed - 1);
        m.w = m.far ? sqrt(1 + t->z.z) : 1;
        m.f[3] = -t->z.y / m.w;
        m.f[4] = t->z.x / m.w;
    }
    return m;
}

/* the components' rates for a velocity of the second frame in the axes of the first */
static void component_rates(const lb_assembly *a, const loop_frame *m, unsigned held,
                            lb_vec3 linear, lb_vec3 turn, double rates[6])
{
    const lb_transform *t = &m->second;
    rates[0] = linear.x / a->size;
    rates[1] = linear.y / a->size;
    rates[2] = linear.z / a->size;
    if (held & HELD_TURN) {
        lb_vec3 across = lb_vec3_cross(turn, lb_vec3_make(m->f[3] / 2, m->f[4] / 2, m->f[5] / 2));
        rates[3] = m->w * turn.x + across.x;
        rates[4] = m->w * turn.y + across.y;
        rates[5] = m->w * turn.z + across.z;
    } else {
        double back = m->far ? (turn.x * t->z.y - turn.y * t->z.x) / (2 * m->w * m->w) : 0;
        rates[3] = (turn.x * t->z.z - turn.z * t->z.x) / m->w - m->f[3] * back;
        rates[4] = (turn.y * t->z.z - turn.z * t->z.y) / m->w - m->f[4] * back;
        rates[5] = 0;
    }
}

static lb_vec3 in_axes(const lb_transform *axes, const double *column, int stride)
{
    lb_vec3 u = {column[0], column[stride], column[2 * stride]};
    return lb_vec3_make(lb_vec3_dot(axes->x, u), lb_vec3_dot(axes->y, u), lb_vec3_dot(axes->z, u));
}

/* fills the rows of a loop from `row` on */
static void measure_loop(lb_assembly *a, int i, int row)
{
    unsigned held = model_loop_held(a->model->loops[i].kind);
    const model_loop *ends = &a->model->loop_layouts[i];
    loop_frame m = measure_frame(a, i, held);
    double *j = a->relative, rates[6];
    relative_jacobian(a->state, ends->first, ends->second, a->model->loops[i].second_frame.p,
                      a->relative + 6 * a->nv, j);
    for (int c = 0; c < a->column_count; c++) {
        int v = a->columns[c];
        component_rates(a, &m, held, in_axes(&m.first, j + v, a->nv),
                        in_axes(&m.first, j + 3 * a->nv + v, a->nv), rates);
        for (int k = 0, r = row; k < 6; k++)
            if (held >> k & 1)
                a->jacobian[r++ * a->nv + v] = rates[k] * a->scale[v];
    }
    for (int k = 0, r = row; k < 6; k++)
        if (held >> k & 1)
            a->f[r++] = m.f[k];
    if (m.far)
        a->error = 1;
}

/* ---- couplings ---------------------------------------------------------- */

/* the polynomial of a coupling's second joint, or one of its derivatives; of their bounds, if
   `largest`, where the value is at most x */
static double polynomial(const lb_loop *loop, int derivative, double x, bool largest)
{
    double sum = 0;
    for (int k = LB_LOOP_TERMS - 1; k >= derivative; k--) {
        double term = largest ? fabs(loop->polynomial[k]) : loop->polynomial[k];
        for (int d = 0; d < derivative; d++)
            term *= k - d;
        sum = sum * x + term;
    }
    return sum;
}

static void measure_coupling(lb_assembly *a, const double *q, int i, int row)
{
    const lb_loop *loop = &a->model->loops[i];
    const model_joint *first = &a->model->joint_layouts[a->model->loop_layouts[i].first];
    const model_joint *second = &a->model->joint_layouts[a->model->loop_layouts[i].second];
    double unit = a->scale[first->v], *j = a->jacobian + row * a->nv, x = q[second->q];
    a->f[row] = (q[first->q] - polynomial(loop, 0, x, false)) / unit;
    if (!a->model->joints[a->model->loop_layouts[i].first].locked)
        j[first->v] = 1;
    if (!a->model->joints[a->model->loop_layouts[i].second].locked)
        j[second->v] -= polynomial(loop, 1, x, false) * a->scale[second->v] / unit;
}

/* ---- all ---------------------------------------------------------------- */

void loop_measure(lb_assembly *a, const double *q)
{
    int row = 0;
    lb_state_update(a->state, q);
    memset(a->jacobian, 0, sizeof(double) * (size_t)a->rows * (size_t)a->nv);
    a->error = 0;
    for (int i = 0; i < a->model->loop_count; i++) {
        lb_loop_kind kind = a->model->loops[i].kind;
        if (a->idle[i])
            memset(a->f + row, 0, sizeof(double) * (size_t)lb_loop_kind_rows(kind));
        else if (kind == LB_LOOP_COUPLING)
            measure_coupling(a, q, i, row);
        else
            measure_loop(a, i, row);
        row += lb_loop_kind_rows(kind);
    }
    for (int r = 0; r < a->rows; r++)
        a->error = fabs(a->f[r]) <= a->error ? a->error : fabs(a->f[r]);
}

void loop_move(const lb_assembly *a, const double *q, const double *v, double *out)
{
    for (int i = 0; i < a->nv; i++)
        a->v[i] = v[i] * a->scale[i];
    lb_configuration_integrate(a->model, q, a->v, out);
}

/* ---- second derivatives ------------------------------------------------- */

static double coupling_curvature(const lb_assembly *a, const double *q, int i)
{
    const model_joint *first = &a->model->joint_layouts[a->model->loop_layouts[i].first];
    const model_joint *second = &a->model->joint_layouts[a->model->loop_layouts[i].second];
    double scale = a->scale[second->v], most = fabs(q[second->q]) + scale;
    return polynomial(&a->model->loops[i], 2, most, true) * scale * scale / a->scale[first->v];
}

static double chain_curvature(const lb_assembly *a, const double *q, int i)
{
    const loop_chain *chain = &a->chains[i];
    unsigned held = model_loop_held(a->model->loops[i].kind);
    double moved = held & HELD_DISPLACEMENT ? 1 : 0;
    // each turn halves a quaternion's derivative: of twice its vector the second one is a half
    double turned = held & HELD_TURN ? 0.25 : held & HELD_ROTATION ? 1 : 0;
    double reach = 0, sum = 0;
    int left = 0;
    for (int s = 0; s < chain->count; s++)
        left += a->steps[chain->first + s].turns;
    for (int s = 0; s < chain->count; s++) {
        const loop_step *step = &a->steps[chain->first + s];
        reach += step->length;
        left -= step->turns;
        if (step->turns > 0) {
            // a pair counts twice, in either order
            double each = turned + moved * (reach / a->size) * (reach / a->size);
            sum += each * step->turns * (step->turns + 2 * left);
        } else {
            sum += step->factor != 0 ? moved * 2 * left : 0;
            if (step->value >= 0)
                reach += fabs(step->multiplier * q[step->value] + step->offset) +
                         fabs(step->factor) * a->size;
        }
    }
    return sqrt(sum) * chain->gain;
}

double loop_curvature(const lb_assembly *a, const double *q)
{
    double sum = 0;
    for (int i = 0; i < a->model->loop_count; i++) {
        if (a->idle[i])
            continue;
        bool coupling = a->model->loops[i].kind == LB_LOOP_COUPLING;
        double bound = coupling ? coupling_curvature(a, q, i) : chain_curvature(a, q, i);
        sum += bound * bound;
    }
    return sqrt(sum);
}
