/*
 * fuzz_kinematics.c - forward kinematics, Jacobians and configurations of extreme models: many at
 * once have the bits of one alone at every width, what is brought within the limits is within them.
 */
#include "chain.h"

#include <limber/fk_batch.h>
#include <limber/task.h>

#include <string.h>

enum { MOST_NQ = 64, MOST_LINKS = 16, ROWS = 5 };

/* NaN has many bits that mean the same */
static bool same_numbers(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool same_floats(const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* ---- one configuration ------------------------------------------------------ */

static void check_singularity(const lb_state *state, fuzz_bytes *bytes)
{
    lb_singularity found;
    int link = fuzz_choice(bytes, lb_model_link_count(lb_state_model(state)));
    double length = fuzz_any_number(bytes), tolerance = fuzz_any_number(bytes);
    lb_vec3 point = fuzz_vector(bytes);
    if (lb_state_singularity(state, link, point, length, tolerance, &found) != LB_OK)
        return;
    FUZZ_CHECK(isfinite(length) && length >= 0 && tolerance >= 0);
    FUZZ_CHECK(found.rank >= 0 && found.rank <= 6);
    for (int i = 1; i < 6; i++)
        FUZZ_CHECK(!(found.values[i] > found.values[i - 1]));
    FUZZ_CHECK(!(found.condition < 1) && !(found.manipulability < 0));
}

static void check_task(const lb_state *state, fuzz_bytes *bytes)
{
    double position = -1, rotation = -1;
    int links = lb_model_link_count(lb_state_model(state));
    lb_task task = lb_task_make(fuzz_choice(bytes, links), fuzz_choice(bytes, links + 1) - 1,
                                (lb_task_kind)fuzz_choice(bytes, 3));
    task.free_axis = fuzz_vector(bytes);
    task.free_position = (unsigned)fuzz_choice(bytes, 8);
    task.tool = fuzz_place(bytes);
    lb_transform target = fuzz_place(bytes);
    lb_task_error(state, &task, &target, &position, &rotation);
    FUZZ_CHECK(!(position < 0) && !(rotation < 0));
    lb_mobility mobility = lb_task_mobility(state, &task, &target);
    FUZZ_CHECK(mobility.joints >= 0 && mobility.velocities >= mobility.joints);
    FUZZ_CHECK(mobility.constraints >= 0 && mobility.constraints <= 6);
}

static void check_state(lb_state *state, fuzz_bytes *bytes, const double *q)
{
    const lb_model *model = lb_state_model(state);
    lb_vec3 center;
    lb_state_update(state, q);
    FUZZ_CHECK(lb_state_center_of_mass(state, &center, NULL) >= 0);
    check_singularity(state, bytes);
    check_task(state, bytes);
    // numbers that a model may have; a mimic joint multiplies them
    bool usual = lb_configuration_validate(model, q, INFINITY, NULL) == LB_OK;
    for (int i = 0; i < lb_model_nq(model); i++)
        usual = usual && fabs(q[i]) <= LB_LENGTH_MAX;
    if (usual)
        for (int i = 0; i < lb_model_link_count(model); i++)
            FUZZ_CHECK(lb_vec3_is_finite(lb_state_transforms(state)[i].x));
}

/* clamped, moved, in between */
static void check_configuration(const lb_model *model, fuzz_bytes *bytes, const double *q)
{
    double clamped[MOST_NQ], other[MOST_NQ], between[MOST_NQ], v[MOST_NQ];
    int nq = lb_model_nq(model), nv = lb_model_nv(model);
    bool finite = true;
    for (int i = 0; i < nq; i++)
        finite = finite && isfinite(q[i]);
    lb_configuration_clamp(model, q, clamped);
    FUZZ_CHECK(!finite || lb_configuration_validate(model, clamped, 1e-9, NULL) == LB_OK);
    fuzz_configuration(bytes, model, other);
    lb_configuration_difference(model, clamped, other, v);
    lb_configuration_interpolate(model, clamped, other, fuzz_any_number(bytes), between);
    for (int i = 0; i < nv; i++)
        v[i] = fuzz_any_number(bytes);
    lb_configuration_integrate(model, clamped, v, between);
}

/* ---- many at once ----------------------------------------------------------- */

typedef struct rows {
    double q[ROWS * MOST_NQ];
    float floats[ROWS * MOST_NQ];
    int links[MOST_LINKS];
    lb_transform offsets[MOST_LINKS];
    lb_fk_batch_options options;
} rows;

/* what one width makes of all rows, in two parts */
typedef struct results {
    lb_transform transforms[ROWS * MOST_LINKS];
    double jacobians[ROWS * 6 * MOST_NQ];
    float matrices[ROWS * MOST_LINKS * 16];
} results;

static bool forward(const lb_model *model, const rows *of, int width, size_t split, results *out)
{
    lb_fk_batch *batch = NULL;
    lb_fk_batch_options options = of->options;
    options.width = width;
    if (lb_fk_batch_create(model, &options, NULL, &batch) != LB_OK)
        return false;
    bool tip = options.tip != LB_WORLD;
    const lb_fk_batch_rows in_double = {
        .q = of->q, .transforms = out->transforms, .jacobians = tip ? out->jacobians : NULL};
    const lb_fk_batch_floats in_float = {
        .q = of->floats, .matrices = out->matrices, .matrix = LB_MATRIX_4X4};
    lb_fk_batch_forward(batch, &in_double, 0, split);
    lb_fk_batch_forward(batch, &in_double, split, ROWS);
    lb_fk_batch_forward_float(batch, &in_float, split, ROWS);
    lb_fk_batch_forward_float(batch, &in_float, 0, split);
    lb_fk_batch_release(batch);
    return true;
}

/* a row as the state has it */
static void check_row(lb_state *state, const rows *of, const results *batch, int row)
{
    const lb_model *model = lb_state_model(state);
    const lb_fk_batch_options *o = &of->options;
    int nq = lb_model_nq(model), nv = lb_model_nv(model);
    lb_state_update(state, of->q + (size_t)row * (size_t)nq);
    for (int i = 0; i < o->link_count; i++) {
        lb_transform t = lb_state_transform(state, LB_WORLD, o->links[i]);
        if (o->offsets != NULL)
            t = lb_transform_multiply(&t, &o->offsets[i]);
        FUZZ_CHECK(same_numbers(&t.x.x, &batch->transforms[row * o->link_count + i].x.x, 12));
    }
    if (o->tip == LB_WORLD)
        return;
    double jacobian[6 * MOST_NQ];
    lb_state_jacobian(state, o->tip, o->point, o->axes, jacobian);
    FUZZ_CHECK(same_numbers(jacobian, batch->jacobians + row * 6 * nv, 6 * (size_t)nv));
}

static void check_batch(lb_state *state, fuzz_bytes *bytes)
{
    static results first, second;
    rows of = {.options = lb_fk_batch_options_default()};
    const lb_model *model = lb_state_model(state);
    int nq = lb_model_nq(model), nv = lb_model_nv(model), links = lb_model_link_count(model);
    for (int row = 0; row < ROWS; row++)
        fuzz_configuration(bytes, model, of.q + row * nq);
    for (int i = 0; i < ROWS * nq; i++)
        of.floats[i] = fabs(of.q[i]) < 1e30 ? (float)of.q[i] : 0;
    of.options.links = of.links;
    of.options.link_count = fuzz_choice(bytes, MOST_LINKS + 1);
    for (int i = 0; i < of.options.link_count; i++) {
        of.links[i] = fuzz_choice(bytes, links);
        of.offsets[i] = fuzz_place(bytes);
    }
    of.options.offsets = fuzz_choice(bytes, 2) ? of.offsets : NULL;
    of.options.tip = fuzz_choice(bytes, links + 1) - 1;
    of.options.point = fuzz_vector(bytes);
    of.options.axes = (lb_axes)fuzz_choice(bytes, 2);
    size_t split = (size_t)fuzz_choice(bytes, ROWS + 1);
    if (!forward(model, &of, 1, ROWS, &first))
        return;
    for (int row = 0; row < ROWS; row++)
        check_row(state, &of, &first, row);
    FUZZ_CHECK(forward(model, &of, 1 << fuzz_choice(bytes, 4), split, &second));
    size_t count = ROWS * (size_t)of.options.link_count;
    FUZZ_CHECK(same_numbers(&first.transforms[0].x.x, &second.transforms[0].x.x, 12 * count));
    FUZZ_CHECK(same_floats(first.matrices, second.matrices, 16 * count));
    if (of.options.tip != LB_WORLD)
        FUZZ_CHECK(same_numbers(first.jacobians, second.jacobians, ROWS * 6 * (size_t)nv));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    double q[MOST_NQ];
    lb_model *model = fuzz_model(&bytes);
    lb_state *state = NULL;
    if (model && lb_model_nq(model) <= MOST_NQ && lb_state_create(model, NULL, &state) == LB_OK) {
        fuzz_configuration(&bytes, model, q);
        check_state(state, &bytes, q);
        check_configuration(model, &bytes, q);
        check_batch(state, &bytes);
    }
    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
