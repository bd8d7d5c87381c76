/*
 * test_smpl.c - poses of SMPL: every way in which files name them is one motion, of a figure whose
 * joints are where the body has them; what is missing or damaged is refused by name.
 *
 * test_smpl.py compares the poses with NumPy's evaluation of the body model's equations.
 */
#include <limber/formats/motion.h>

#include <unistd.h>

#include "formats/motion/smpl.h"
#include "formats/zip.h"
#include "support.h"

enum { FRAMES = 3, MOST_PARTS = 12, MOST_NUMBERS = 600 };

/* An array of an archive. */
typedef struct part {
    const char *name;
    int dimensions;
    int64_t shape[NPY_DIMENSIONS];
    double numbers[MOST_NUMBERS];
} part;

typedef struct archive {
    part parts[MOST_PARTS];
    int count;
} archive;

/* ---- files --------------------------------------------------------------- */

static size_t number_count(const part *p)
{
    size_t count = 1;
    for (int i = 0; i < p->dimensions; i++)
        count *= (size_t)p->shape[i];
    return count;
}

/* a part with numbers that depend on their places in a frame of `whole` numbers alone */
static part *add(archive *a, const char *name, int64_t rows, int64_t columns, int first)
{
    part *p = &a->parts[a->count++];
    *p = (part){.name = name, .dimensions = columns > 0 ? 2 : 1, .shape = {rows, columns}};
    for (int64_t r = 0; columns > 0 && r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            p->numbers[r * columns + c] =
                0.4 * lb_sin((double)(r + 1) * 0.7 + (double)(first + c) * 1.3);
    return p;
}

static part *add_number(archive *a, const char *name, double number)
{
    part *p = add(a, name, 1, 0, 0);
    p->numbers[0] = number;
    return p;
}

static void write_archive(const char *path, const archive *a)
{
    zip_writer zip;
    zip_begin(&zip, NULL);
    for (int i = 0; i < a->count; i++) {
        const part *p = &a->parts[i];
        unsigned char header[NPY_HEADER_MOST];
        char name[40];
        snprintf(name, sizeof name, "%s.npy", p->name);
        size_t size = npy_header("'<f8'", false, p->shape, p->dimensions, header);
        zip_open(&zip, name);
        zip_put(&zip, header, size);
        zip_put(&zip, p->numbers, number_count(p) * sizeof(double));
        zip_close(&zip);
    }
    assert_ok(zip_end(&zip, &cause));
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(zip.bytes, 1, zip.size, stream), zip.size);
    assert_int_equal(fclose(stream), 0);
    zip_release(&zip);
}

/* the first frames stand upright where z is up, or y */
static void stand(part *p, bool z_up)
{
    for (int r = 0; r < FRAMES; r++)
        for (int k = 0; k < 3; k++)
            p->numbers[r * p->shape[1] + k] = z_up && k == 0 ? LB_PI / 2 : 0.1 * k;
}

static lb_status open_archive(const archive *a, const lb_motion_options *options,
                              lb_motion **motion, lb_error *error)
{
    lb_motion_options given = options != NULL ? *options : lb_motion_options_default();
    write_archive("poses.dat", a);
    *error = (lb_error){.status = LB_OK};
    lb_status status = lb_motion_open("poses.dat", &given, motion, error);
    unlink("poses.dat");
    return status;
}

static lb_motion *open_or_fail(const archive *a, const lb_motion_options *options)
{
    lb_motion *motion = NULL;
    assert_made(open_archive(a, options, &motion, &cause), cause);
    assert_int_equal(motion->kind, LB_MOTION_SMPL);
    return motion;
}

/* all poses of SMPL-H */
static archive sound_archive(void)
{
    archive a = {.count = 0};
    stand(add(&a, "poses", FRAMES, 156, 0), true);
    add(&a, "trans", FRAMES, 3, 500);
    add_number(&a, "mocap_framerate", 120);
    return a;
}

static void write_places(int joints)
{
    archive body = {.count = 0};
    part *p = add(&body, "J", joints, 3, 700);
    // of all bodies alike, but for the joints between
    for (int i = 0; joints == 55 && i < 3 * 30; i++)
        p->numbers[75 + i] = 0.01 * i;
    for (int i = 0; joints == 52 && i < 3 * 30; i++)
        p->numbers[66 + i] = 0.01 * i;
    write_archive("body.dat", &body);
}

/* ---- names --------------------------------------------------------------- */

static void check_equal(const lb_clip *a, const lb_clip *b)
{
    size_t nq = (size_t)lb_model_nq(lb_clip_model(a));
    assert_int_equal(lb_model_nq(lb_clip_model(b)), nq);
    for (int i = 0; i < FRAMES; i++)
        assert_memory_equal(lb_clip_key(a, i), lb_clip_key(b, i), nq * sizeof(double));
}

TEST(every_name_of_an_array_is_read)
{
    archive whole = sound_archive(), parts = {.count = 0}, others = {.count = 0};
    lb_motion_options options = {.body = "body.dat"};
    write_places(52);
    lb_motion *motion = open_or_fail(&whole, &options);
    assert_int_equal(lb_model_joint_count(motion->model), SMPL_BODY + SMPL_FINGERS);
    assert_near(motion->rate, 120, 1e-9);
    stand(add(&parts, "root_orient", FRAMES, 3, 0), true);
    add(&parts, "pose_body", FRAMES, 63, 3);
    add(&parts, "pose_hand", FRAMES, 90, 66);
    add(&parts, "trans", FRAMES, 3, 500);
    add_number(&parts, "mocap_frame_rate", 120);
    stand(add(&others, "global_orient", FRAMES, 3, 0), true);
    add(&others, "body_pose", FRAMES, 63, 3);
    add(&others, "left_hand_pose", FRAMES, 45, 66);
    add(&others, "right_hand_pose", FRAMES, 45, 111);
    add(&others, "transl", FRAMES, 3, 500);
    add_number(&others, "fps", 120);
    // as GMR writes OMOMO, whose poses lack the root
    add(&parts, "poses", FRAMES, 165, 9);
    for (int k = 0; k < 2; k++) {
        owned_motion *other = open_or_fail(k ? &others : &parts, &options);
        check_equal(motion->clip, other->clip);
    }
    // SMPL-X has a jaw and eyes before the fingers
    archive x = sound_archive();
    part *p = &x.parts[0];
    p->shape[1] = 165;
    for (int r = 0; r < FRAMES; r++)
        for (int c = 0; c < 165; c++)
            p->numbers[165 * r + c] = c < 66    ? whole.parts[0].numbers[156 * r + c]
                                      : c >= 75 ? whole.parts[0].numbers[156 * r + c - 9]
                                                : 9;
    write_places(55);
    lb_motion *other = open_or_fail(&x, &options);
    check_equal(motion->clip, other->clip);
    lb_motion_release(other);
    lb_motion_release(motion);
    unlink("body.dat");
}

/* ---- bodies -------------------------------------------------------------- */

static void keep_warning(void *user, const lb_error *warning)
{
    strcpy(user, warning->message);
}

TEST(a_body_is_assumed_with_a_warning)
{
    char warned[LB_ERROR_MESSAGE_SIZE] = "";
    archive a = sound_archive();
    part *betas = add(&a, "betas", 16, 0, 0);
    betas->numbers[0] = 0.4;
    lb_motion_options options = {.load.warn = keep_warning, .load.user = warned};
    lb_motion *motion = open_or_fail(&a, &options);
    assert_non_null(strstr(warned, "a figure of 1.70 m with the proportions of an average person"));
    lb_state *state = NULL;
    assert_ok(lb_state_create(motion->model, NULL, &state));
    owned double *q = calloc((size_t)lb_model_nq(motion->model), sizeof *q);
    lb_configuration_neutral(motion->model, q);
    lb_state_update(state, q);
    // it stands on the ground, as tall as its head's joint is
    int foot = lb_model_find_link(motion->model, "left_foot");
    int head = lb_model_find_link(motion->model, "head");
    assert_near(lb_state_transform(state, LB_WORLD, foot).p.z, 0, 1e-12);
    assert_near(lb_state_transform(state, LB_WORLD, head).p.z, 1.7 * (0.87 - 0.015), 1e-12);
    // the clip is where the file says
    for (int k = 0; k < 3; k++)
        assert_near(lb_clip_key(motion->clip, 1)[k], a.parts[1].numbers[3 + k], 0);
    lb_state_release(state);
    lb_motion_release(motion);
    options = (lb_motion_options){.load.strict = true};
    assert_int_not_equal(open_archive(&a, &options, &motion, &cause), LB_OK);
    assert_non_null(strstr(cause.message, "is assumed"));
}

/* J = J_regressor (v_template + shapedirs betas) */
TEST(a_body_model_is_evaluated)
{
    enum { VERTICES = 5, SHAPES = 2, JOINTS = 24 };
    static const double betas[SHAPES] = {1.5, -0.5};
    archive body = {.count = 0}, a = sound_archive();
    part *regressor = add(&body, "J_regressor", JOINTS, VERTICES, 0);
    part *vertices = add(&body, "v_template", VERTICES, 3, 9);
    part *shapes = add(&body, "shapedirs", VERTICES, 3 * SHAPES, 2);
    *shapes = (part){.name = shapes->name,
                     .dimensions = 3,
                     .shape = {VERTICES, 3, SHAPES},
                     .numbers = {0.1, 0.2, -0.3, 0.4, 0.5, -0.6, 0.7, 0.8}};
    memcpy(add(&a, "betas", 1, SHAPES, 0)->numbers, betas, sizeof betas);
    write_archive("body.dat", &body);
    lb_motion_options options = {.body = "body.dat", .at_rest = true};
    lb_motion *motion = open_or_fail(&a, &options);
    lb_vec3 places[JOINTS] = {{0, 0, 0}};
    for (int j = 0; j < JOINTS; j++)
        for (int v = 0; v < VERTICES; v++) {
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = vertices->numbers[3 * v + k] +
                        betas[0] * shapes->numbers[(3 * v + k) * SHAPES] +
                        betas[1] * shapes->numbers[(3 * v + k) * SHAPES + 1];
            places[j] = lb_vec3_add(places[j], lb_vec3_scale(lb_vec3_make(at[0], at[1], at[2]),
                                                             regressor->numbers[VERTICES * j + v]));
        }
    int knee = lb_model_find_joint(motion->model, "left_knee");
    lb_vec3 thigh = lb_vec3_sub(places[4], places[1]);
    assert_near(
        lb_vec3_length(lb_vec3_sub(lb_model_joint(motion->model, knee)->placement.p, thigh)), 0,
        1e-12);
    assert_null(motion->clip);
    lb_motion_release(motion);
    unlink("body.dat");
}

/* ---- which axis is up, and times ------------------------------------------- */

TEST(the_axis_that_is_up_is_the_pelvis_own)
{
    for (int k = 0; k < 4; k++) {
        archive a = sound_archive();
        bool z_up = k % 2 == 0, forced = k > 1;
        stand(&a.parts[0], z_up);
        lb_motion_options options = {.up = forced ? LB_BVH_UP_X : LB_BVH_UP_RECOGNISE};
        owned_motion *motion = open_or_fail(&a, &options);
        owned_state *state = NULL;
        assert_ok(lb_state_create(motion->model, NULL, &state));
        lb_state_update(state, lb_clip_key(motion->clip, 0));
        int pelvis = lb_model_find_link(motion->model, "pelvis");
        lb_transform at = lb_state_transform(state, LB_WORLD, pelvis);
        // the body's own y is up in the world, unless an axis is given that is not
        assert_true(forced ? fabs(at.y.z) < 0.3 : at.y.z > 0.9);
        double height = a.parts[1].numbers[forced ? 0 : z_up ? 2 : 1];
        assert_near(at.p.z, height, 1e-12);
    }
}

TEST(who_lies_is_warned_of)
{
    char warned[LB_ERROR_MESSAGE_SIZE] = "";
    archive a = sound_archive();
    for (int i = 0; i < FRAMES; i++)
        memcpy(&a.parts[0].numbers[156 * i], (double[]){0, 0, LB_PI / 2}, 3 * sizeof(double));
    lb_motion_options options = {.load.warn = keep_warning, .load.user = warned};
    lb_motion_release(open_or_fail(&a, &options));
    assert_non_null(strstr(warned, "does not show which axis is up"));
}

TEST(rates_are_the_files_or_given)
{
    archive a = sound_archive(), timeless = sound_archive();
    timeless.count = 2;
    lb_motion_options options = {.usual_rate = 0};
    lb_motion *motion = open_or_fail(&timeless, &options);
    assert_true(motion->rate_assumed);
    assert_near(motion->rate, 30, 1e-9);
    lb_motion_release(motion);
    options.rate = 50;
    motion = open_or_fail(&timeless, &options);
    assert_false(motion->rate_assumed);
    assert_near(motion->rate, 50, 1e-9);
    lb_motion_release(motion);
    assert_refused(open_archive(&a, &options, &motion, &cause), LB_UNSUPPORTED, &cause,
                   "has its own times");
    options = (lb_motion_options){.unit = 0.01};
    assert_refused(open_archive(&a, &options, &motion, &cause), LB_UNSUPPORTED, &cause,
                   "has its own unit");
}

/* ---- refusals --------------------------------------------------------------- */

/* What a part of a sound archive becomes, its number at a place, and what is said of it. */
static const struct {
    int part;
    const char *name;
    int dimensions;
    int64_t shape[2];
    int at; /* -1: no number is another */
    double number;
    const char *says;
} rows[] = {
    {1, "other", 2, {FRAMES, 3}, -1, 0, "trans: there is no such array in the file"},
    {0, "pose_body", 2, {FRAMES, 63}, -1, 0, "root_orient: there is no such array in the file"},
    {0, "poses", 2, {FRAMES, 65}, -1, 0, "(3, 65), where 3 frames of 66 numbers or some more"},
    {0, "poses", 2, {FRAMES, 166}, -1, 0, "poses: its shape is (3, 166)"},
    {0, "poses", 2, {2, 156}, -1, 0, "poses: its shape is (2, 156), where 3 frames"},
    {1, "trans", 2, {0, 3}, -1, 0, "trans: its shape is (0, 3), where 0 frames"},
    {1, "trans", 1, {FRAMES, 3}, -1, 0, "trans: its shape is (3, 1), where 3 frames of 3 numbers"},
    {0, "poses", 2, {FRAMES, 156}, 216, INFINITY, "poses: frame 1 has what is no number below"},
    {0, "poses", 2, {FRAMES, 156}, 1, NAN, "poses: frame 0 has what is no number below 1e15"},
    {1, "trans", 2, {FRAMES, 3}, 8, 1e16, "trans: frame 2 has what is no number below 1e15"},
    {2, "mocap_framerate", 1, {1, 0}, 0, 0, "mocap_framerate: it is not one number of frames"},
    {3, "trans", 2, {FRAMES, 3}, -1, 0, "trans: it is in the file twice"},
    {3, "betas", 1, {3}, 2, NAN, "betas: element 3 is not a finite number"},
};

TEST(wrong_arrays_are_refused_by_name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        archive a = sound_archive();
        lb_motion *motion = NULL;
        lb_error error;
        part *p = &a.parts[rows[i].part];
        a.count = rows[i].part < a.count ? a.count : rows[i].part + 1;
        p->name = rows[i].name;
        p->dimensions = rows[i].dimensions;
        memcpy(p->shape, rows[i].shape, sizeof rows[i].shape);
        if (rows[i].at >= 0)
            p->numbers[rows[i].at] = rows[i].number;
        assert_int_not_equal(open_archive(&a, NULL, &motion, &error), LB_OK);
        assert_null(motion);
        assert_string_equal(error.path, "poses.dat");
        if (strstr(error.message, rows[i].says) == NULL)
            fail_msg("row %zu: \"%s\" is not in \"%s\"", i, rows[i].says, error.message);
    }
}

TEST(wrong_bodies_are_refused_by_name)
{
    static const struct {
        const char *name;
        int64_t rows, columns;
        const char *says;
    } bodies[] = {
        {"J", 23, 3, "J: it has no row for each of 22, 24, 52 or 55 joints"},
        {"J", 24, 2, "J: it has no row"},
        {"K", 24, 3, "J: there is no such array in the file"},
        {"J_regressor", 24, 5, "v_template: there is no such array in the file"},
    };
    archive a = sound_archive();
    lb_motion *motion = NULL;
    lb_motion_options options = {.body = "body.dat"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        archive body = {.count = 0};
        add(&body, bodies[i].name, bodies[i].rows, bodies[i].columns, 0);
        write_archive("body.dat", &body);
        assert_int_not_equal(open_archive(&a, &options, &motion, &cause), LB_OK);
        assert_string_equal(cause.path, "body.dat");
        if (strstr(cause.message, bodies[i].says) == NULL)
            fail_msg("row %zu: \"%s\" is not in \"%s\"", i, bodies[i].says, cause.message);
    }
    archive body = {.count = 0};
    add(&body, "J", 24, 3, 0)->numbers[7] = 11;
    write_archive("body.dat", &body);
    assert_int_not_equal(open_archive(&a, &options, &motion, &cause), LB_OK);
    assert_non_null(strstr(cause.message, "J: a joint is not within 10 m"));
    unlink("body.dat");
    assert_int_equal(open_archive(&a, &options, &motion, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.path, "body.dat");
}

TEST(every_allocation_may_fail)
{
    archive a = sound_archive();
    write_places(52);
    ALLOCATIONS_FAIL (run, 10000) {
        lb_motion_options options = {.load.allocator = &run.allocator, .body = "body.dat"};
        owned_motion *motion = NULL;
        lb_error error;
        run.status = open_archive(&a, &options, &motion, &error);
    }
    unlink("body.dat");
}

/* the reason, or NULL */
static const char *cannot_compress(void)
{
    static lb_error error;
    zip_writer zip;
    zip_begin(&zip, NULL);
    if (zip_end(&zip, &error) == LB_UNSUPPORTED)
        return error.message;
    zip_release(&zip);
    return NULL;
}

TEST_SKIP(cannot_compress())
