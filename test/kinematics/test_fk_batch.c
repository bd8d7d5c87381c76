/*
 * test_fk_batch.c - forward kinematics of many configurations at once.
 *
 * In double a batch must say what an lb_state says, bit for bit, at every width and for
 * every split; in float every width the same, within the bound that fk_batch.h gives.
 */
#include <limber/fk_batch.h>
#include <pthread.h>

#include "model/layout.h"
#include "support_load.h"

/* not a multiple of any width, so that lanes are left over */
enum { TREES = 120, MOST_JOINTS = 24, COUNT = 37, PADDING = 5 };

static const int widths[] = {0, 1, 2, 4, 8};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* what no result is */
#define UNTOUCHED (-12345.5)

static lb_fk_batch *fk_batch_of(const lb_model *model, const lb_fk_batch_options *options)
{
    lb_fk_batch *batch = NULL;
    assert_int_equal(lb_fk_batch_create(model, options, NULL, &batch), LB_OK);
    return batch;
}

/* random configurations, rows `stride` apart; between them is nothing that may be used */
static double *random_rows(const lb_model *model, lb_random *random, size_t stride)
{
    double *q = malloc(sizeof *q * (stride * COUNT + 1));
    assert_non_null(q);
    for (size_t i = 0; i < stride * COUNT; i++)
        q[i] = NAN;
    for (size_t i = 0; i < COUNT; i++)
        lb_configuration_random(model, random, q + i * stride);
    return q;
}

static void *room(size_t count, size_t size)
{
    void *block = malloc((count + 1) * size);
    assert_non_null(block);
    return block;
}

static void fill(double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = UNTOUCHED;
}

static void expect_untouched(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(numbers[i] == UNTOUCHED);
}

/* ---- against an lb_state -------------------------------------------------- */

/* what a batch should return for one row */
static void check_row(lb_state *one, const lb_fk_batch_options *o, const double *q,
                      const lb_transform *links, const double *jacobian, double *expected)
{
    const lb_model *model = lb_state_model(one);
    lb_state_update(one, q);
    int count = o->links ? o->link_count : lb_model_link_count(model);
    for (int i = 0; i < count; i++) {
        lb_transform link = lb_state_transforms(one)[o->links ? o->links[i] : i];
        if (o->offsets)
            link = lb_transform_multiply(&link, &o->offsets[i]);
        assert_memory_equal(&links[i], &link, sizeof link);
    }
    if (o->tip < 0)
        return;
    lb_state_jacobian(one, o->tip, o->point, o->axes, expected);
    assert_memory_equal(jacobian, expected, sizeof(double) * 6 * (size_t)lb_model_nv(model));
}

/* one model and its options at every width, in two ranges, in rows with room between them */
static void check_doubles(const lb_model *model, lb_fk_batch_options o, lb_random *random)
{
    size_t nq = (size_t)lb_model_nq(model), speeds = 6 * (size_t)lb_model_nv(model);
    size_t links = (size_t)(o.links ? o.link_count : lb_model_link_count(model));
    size_t q_stride = nq + PADDING, j_stride = speeds + PADDING, t_stride = links + 1;
    owned double *q = random_rows(model, random, q_stride);
    owned lb_transform *transforms = room(t_stride * COUNT, sizeof *transforms);
    owned double *jacobians = room(j_stride * COUNT, sizeof *jacobians);
    owned double *expected = room(speeds, sizeof *expected);
    owned_state *one = test_state(model);
    for (int w = 0; w < WIDTHS; w++) {
        o.width = widths[w];
        owned_fk_batch *batch = fk_batch_of(model, &o);
        fill(&transforms[0].x.x, 12 * t_stride * COUNT);
        fill(jacobians, j_stride * COUNT);
        lb_fk_batch_rows rows = {
            q, q_stride, transforms, t_stride, o.tip >= 0 ? jacobians : NULL, j_stride};
        size_t split = (size_t)test_random_index(random, COUNT);
        lb_fk_batch_forward(batch, &rows, split, COUNT);
        lb_fk_batch_forward(batch, &rows, 0, split);
        for (size_t i = 0; i < COUNT; i++) {
            check_row(one, &o, q + i * q_stride, transforms + i * t_stride,
                      jacobians + i * j_stride, expected);
            expect_untouched(&transforms[i * t_stride + links].x.x, 12);
            expect_untouched(jacobians + i * j_stride + (o.tip >= 0 ? speeds : 0), PADDING);
        }
    }
}

/* links in any order, some of them twice, with and without offsets, and some Jacobian */
static void check_desired(const lb_model *model, lb_random *random)
{
    int links[8], count = lb_model_link_count(model);
    lb_transform offsets[8];
    for (int i = 0; i < 8; i++) {
        links[i] = test_random_index(random, count);
        offsets[i] = test_random_transform(random);
    }
    lb_fk_batch_options o = lb_fk_batch_options_default();
    check_doubles(model, o, random);
    o.tip = test_random_index(random, count);
    o.point = test_random_direction(random);
    o.axes = LB_AXES_LINK;
    check_doubles(model, o, random);
    o.axes = LB_AXES_WORLD;
    o.links = links;
    o.link_count = test_random_index(random, 9);
    check_doubles(model, o, random);
    o.offsets = offsets;
    o.tip = LB_WORLD;
    check_doubles(model, o, random);
}

TEST(random_trees_are_as_a_state_has_them)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 1 + test_random_index(&random, MOST_JOINTS);
        // also of few values, and of none
        if (seed % 5 == 0)
            wanted.kinds = TEST_KIND(LB_JOINT_FIXED) | TEST_KIND(LB_JOINT_PRISMATIC);
        if (seed % 20 == 0)
            wanted.kinds = TEST_KIND(LB_JOINT_FIXED);
        owned_model *model = test_tree_build(&wanted, &random);
        check_desired(model, &random);
    }
}

/* ---- in float ------------------------------------------------------------- */

/* how many of the kernel's joints lead to a link, and how long the way there can be at q */
static int depth_of(const lb_model *model, int link, const double *q, double *length)
{
    int depth = 0;
    *length = lb_vec3_length(model->root.p);
    for (int e = model->link_layouts[link].element; e >= 0; e = model->tree.joints[e].parent) {
        const kernel_joint *joint = &model->tree.joints[e];
        depth++;
        *length += lb_vec3_length(joint->place.p);
        if (joint->kind == KERNEL_PRISMATIC)
            *length += fabs(joint->scale * q[joint->q]) + fabs(joint->offset);
    }
    return depth;
}

/* angles within a half turn, and numbers that a float has */
static void tame(const lb_model *model, double *q, float *floats)
{
    for (int i = 0; i < model->tree.nq; i++)
        q[i] = remainder(q[i], 2 * LB_PI);
    for (int i = 0; i < model->tree.nq; i++)
        q[i] = floats[i] = (float)q[i];
}

/* the largest share of what fk_batch.h allows */
static double check_matrix(const lb_model *model, int link, const double *q,
                           const lb_transform *exact, const float *matrix, bool square)
{
    const double unit = 0x1p-24;
    double length, most = 0;
    int depth = depth_of(model, link, q, &length);
    const double *numbers = &exact->x.x;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            float actual = square ? matrix[4 * column + row] : matrix[4 * row + column];
            double bound = 16 * (depth + 1) * unit * (column < 3 ? 1 : length);
            double error = fabs(actual - numbers[3 * column + row]);
            assert_true(error <= bound);
            most = fmax(most, bound > 0 ? error / bound : 0);
        }
    for (int column = 0; square && column < 4; column++)
        assert_true(matrix[4 * column + 3] == (column == 3));
    return most;
}

/* every width the same, in two ranges, and near enough to double */
static double check_floats(const lb_model *model, lb_matrix matrix, lb_random *random)
{
    bool square = matrix == LB_MATRIX_4X4;
    size_t nq = (size_t)lb_model_nq(model), links = (size_t)lb_model_link_count(model);
    size_t numbers = links * (square ? 16 : 12), stride = numbers + PADDING;
    owned double *q = random_rows(model, random, nq);
    owned float *floats = room(nq * COUNT, sizeof *floats),
                *first = room(stride * COUNT, sizeof *first);
    owned float *matrices = room(stride * COUNT, sizeof *matrices);
    for (size_t i = 0; i < COUNT; i++)
        tame(model, q + i * nq, floats + i * nq);
    for (int w = 0; w < WIDTHS; w++) {
        lb_fk_batch_options o = lb_fk_batch_options_default();
        o.width = widths[w];
        owned_fk_batch *batch = fk_batch_of(model, &o);
        float *out = w == 0 ? first : matrices;
        for (size_t i = 0; i < stride * COUNT; i++)
            out[i] = (float)UNTOUCHED;
        lb_fk_batch_floats rows = {floats, 0, out, stride, matrix};
        size_t split = (size_t)test_random_index(random, COUNT);
        lb_fk_batch_forward_float(batch, &rows, split, COUNT);
        lb_fk_batch_forward_float(batch, &rows, 0, split);
        assert_memory_equal(out, first, sizeof *out * stride * COUNT);
        for (size_t i = numbers; i < stride * COUNT; i += stride)
            for (size_t k = 0; k < PADDING; k++)
                assert_true(out[i + k] == (float)UNTOUCHED);
    }
    double most = 0;
    owned_state *one = test_state(model);
    for (size_t i = 0; i < COUNT; i++) {
        lb_state_update(one, q + i * nq);
        for (size_t k = 0; k < links; k++)
            most = fmax(most, check_matrix(model, (int)k, q + i * nq, &lb_state_transforms(one)[k],
                                           first + i * stride + k * (square ? 16 : 12), square));
    }
    return most;
}

TEST(floats_of_random_trees_are_near_enough)
{
    double most = 0;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 1 + test_random_index(&random, MOST_JOINTS);
        owned_model *model = test_tree_build(&wanted, &random);
        most = fmax(most, check_floats(model, seed % 2 ? LB_MATRIX_4X4 : LB_MATRIX_3X4, &random));
    }
    print_message("at most %.2f of the bound\n", most);
    // a bound of which nothing is used has no effect
    assert_true(most > 0.01);
}

/* what no float polynomial reaches is left to the library's own sine */
TEST(floats_turn_any_angle)
{
    test_tree wanted = test_tree_default();
    lb_random random = test_seed(8);
    wanted.joints = 1;
    wanted.kinds = TEST_KIND(LB_JOINT_CONTINUOUS);
    wanted.mimic = wanted.locked = 0;
    owned_model *model = test_tree_build(&wanted, &random);
    const float angles[] = {0, 1e4f, -1e6f, 3e9f, 1e30f, -8193, 8192, 65537, INFINITY, NAN};
    enum { ANGLES = sizeof angles / sizeof *angles };
    float matrices[ANGLES][2 * 16];
    owned_fk_batch *batch = fk_batch_of(model, NULL);
    lb_fk_batch_floats rows = {angles, 0, matrices[0], 0, LB_MATRIX_4X4};
    lb_fk_batch_forward_float(batch, &rows, 0, ANGLES);
    owned_state *one = test_state(model);
    for (int i = 0; i < ANGLES; i++) {
        double angle = angles[i];
        lb_state_update(one, &angle);
        const double *exact = &lb_state_transforms(one)[1].x.x;
        for (int k = 0; k < 9; k++) {
            double error = matrices[i][16 + k / 3 * 4 + k % 3] - exact[k];
            assert_true(fabs(error) < 1e-6 || (!isfinite(angle) && isnan(error)));
        }
    }
}

/* a crowd so large that its matrices go past the caches has the bits of its parts, at any place */
TEST(large_crowds_are_the_same)
{
    enum { CROWD = 4000, PART = 100 };
    lb_random random = test_seed(11);
    test_tree wanted = test_tree_default();
    wanted.joints = 60;
    owned_model *model = test_tree_build(&wanted, &random);
    size_t nq = (size_t)lb_model_nq(model), numbers = 16 * (size_t)lb_model_link_count(model);
    owned double *one = room(nq, sizeof *one);
    owned float *q = room(nq * CROWD, sizeof *q), *parts = room(numbers * CROWD, sizeof *parts);
    owned float *block = room(numbers * CROWD + 32, sizeof *block);
    for (size_t i = 0; i < CROWD; i++) {
        lb_configuration_random(model, &random, one);
        tame(model, one, q + i * nq);
    }
    owned_fk_batch *batch = fk_batch_of(model, NULL);
    lb_fk_batch_floats rows = {q, 0, parts, 0, LB_MATRIX_4X4};
    for (size_t i = 0; i < CROWD; i += PART)
        lb_fk_batch_forward_float(batch, &rows, i, i + PART);
    // on a line of the cache, and off it
    float *aligned = block + (64 - (uintptr_t)block % 64) % 64 / sizeof *block;
    for (int shift = 0; shift < 2; shift++) {
        rows.matrices = aligned + shift;
        lb_fk_batch_forward_float(batch, &rows, 0, CROWD - 3);
        assert_memory_equal(rows.matrices, parts, sizeof *parts * numbers * (CROWD - 3));
    }
}

/* ---- real models ---------------------------------------------------------- */

static void check_model(const lb_model *model, lb_random *random)
{
    check_desired(model, random);
    check_floats(model, LB_MATRIX_4X4, random);
    check_floats(model, LB_MATRIX_3X4, random);
}

TEST(built_in_models_too)
{
    test_built_in_models(check_model);
}

TEST(real_robots_too)
{
    test_real_robots(check_model);
}

/* ---- threads -------------------------------------------------------------- */

enum { THREADS = 4 };

/* A part of the work, with a batch of its own. */
typedef struct part {
    const lb_model *model;
    lb_fk_batch_rows rows;
    size_t begin, end;
} part;

static void *do_part(void *user)
{
    const part *p = user;
    lb_fk_batch_options o = lb_fk_batch_options_default();
    lb_fk_batch *batch = NULL;
    if (lb_fk_batch_create(p->model, &o, NULL, &batch) == LB_OK)
        lb_fk_batch_forward(batch, &p->rows, p->begin, p->end);
    lb_fk_batch_release(batch);
    return NULL;
}

TEST(threads_share_a_model)
{
    lb_random random = test_seed(4);
    owned_model *model = test_load("human");
    size_t links = (size_t)lb_model_link_count(model);
    owned double *q = random_rows(model, &random, (size_t)lb_model_nq(model));
    owned lb_transform *whole = room(links * COUNT, sizeof *whole);
    owned lb_transform *parts = room(links * COUNT, sizeof *parts);
    part all = {model, {.q = q, .transforms = whole}, 0, COUNT};
    do_part(&all);
    pthread_t threads[THREADS];
    part jobs[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] = (part){
            model, {.q = q, .transforms = parts}, COUNT * i / THREADS, COUNT * (i + 1) / THREADS};
        assert_int_equal(pthread_create(&threads[i], NULL, do_part, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_memory_equal(whole, parts, sizeof *whole * links * COUNT);
}

/* ---- creating ------------------------------------------------------------- */

TEST(what_does_not_exist_is_refused)
{
    owned_model *model = test_load("ur5");
    const int beyond = lb_model_link_count(model), below = -1, first = 0;
    lb_transform broken = LB_TRANSFORM_IDENTITY;
    broken.p.y = NAN;
    const lb_fk_batch_options usual = lb_fk_batch_options_default();
    lb_fk_batch_options wrong[8];
    for (int i = 0; i < 8; i++)
        wrong[i] = usual;
    wrong[0].links = &beyond;
    wrong[0].link_count = 1;
    wrong[1].links = &below;
    wrong[1].link_count = 1;
    wrong[2].links = &first;
    wrong[2].link_count = -1;
    wrong[3].tip = beyond;
    wrong[4].tip = -2;
    wrong[5].point.x = INFINITY;
    wrong[6].width = 3;
    wrong[7].links = &first;
    wrong[7].link_count = 1;
    wrong[7].offsets = &broken;
    for (int i = 0; i < 8; i++) {
        lb_fk_batch *batch = (lb_fk_batch *)&wrong;
        assert_int_equal(lb_fk_batch_create(model, &wrong[i], NULL, &batch), LB_INVALID_ARGUMENT);
        assert_null(batch);
    }
    lb_fk_batch_release(NULL);
}

TEST(only_creating_allocates)
{
    owned_model *model = test_load("human");
    size_t links = (size_t)lb_model_link_count(model);
    lb_random random = test_seed(3);
    owned double *q = random_rows(model, &random, (size_t)lb_model_nq(model));
    owned lb_transform *transforms = room(links * COUNT, sizeof *transforms);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_fk_batch *batch = NULL;
        failing.status = lb_fk_batch_create(model, NULL, &failing.allocator, &batch);
        assert_int_equal(batch != NULL, failing.status == LB_OK);
        long before = failing.memory.allocations;
        lb_fk_batch_rows rows = {.q = q, .transforms = transforms};
        if (batch)
            lb_fk_batch_forward(batch, &rows, 0, COUNT);
        assert_int_equal(failing.memory.allocations, before);
    }
}
