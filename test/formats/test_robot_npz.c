/*
 * test_robot_npz.c - motion of robots as .npz: what is written is read, velocities agree with
 * differences, columns are found by name, and damaged archives are refused.
 */
#include <limber/formats/load.h>
#include <limber/formats/robot_npz.h>
#include <limber/kinematics.h>

#include "formats/motion/robot.h"
#include "formats/npy.h"
#include "formats/zip.h"
#include "support.h"
#include "support_load.h"

enum { FRAMES = 40, RATE = 50 };

static lb_error error;
static lb_model *model;
static lb_clip *clip;
static unsigned char *bytes;
static size_t size;

/* a smooth motion of the Panda, whose fingers mimic, as if it could walk */
static int make_motion(void)
{
    model = test_load_moving("panda");
    int nq = lb_model_nq(model);
    double times[FRAMES], *keys = calloc((size_t)(FRAMES * nq), sizeof *keys);
    for (int i = 0; i < FRAMES; i++) {
        double *q = keys + i * nq, t = times[i] = i / (double)RATE;
        lb_configuration_neutral(model, q);
        q[0] = t;
        q[1] = 0.3 * lb_sin(2 * t);
        lb_quat turn = lb_quat_from_rpy(0.2 * t, 0.1, 0.5 * lb_sin(t));
        memcpy(q + 3, (double[]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
        for (int k = 7; k < nq; k++)
            q[k] += 0.4 * lb_sin(t + k);
    }
    lb_status status =
        lb_clip_create(model, times, keys, FRAMES, LB_INTERPOLATION_LINEAR, NULL, &clip, &error);
    free(keys);
    void *made = NULL;
    if (status == LB_OK)
        status = lb_robot_npz_write(clip, NULL, NULL, &made, &size, &error);
    bytes = made;
    if (status == LB_UNSUPPORTED) {
        print_message("skipped: %s\n", error.message);
        exit(77);
    }
    return status == LB_OK ? 0 : -1;
}

static int drop_motion(void)
{
    free(bytes);
    lb_clip_release(clip);
    lb_model_release(model);
    return 0;
}

static lb_clip *load_or_fail(const void *archive, size_t length, const lb_load_options *options)
{
    lb_clip *read = NULL;
    assert_made(lb_robot_npz_load_memory("m.npz", archive, length, model, options, &read, &error),
                error);
    return read;
}

static void check_same(const lb_clip *read)
{
    assert_int_equal(lb_clip_count(read), FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        assert_near(lb_clip_times(read)[i], lb_clip_times(clip)[i], 1e-12);
        for (int k = 0; k < lb_model_nq(model); k++)
            assert_near(lb_clip_key(read, i)[k], lb_clip_key(clip, i)[k], 2e-7);
    }
}

TEST(what_is_written_is_read)
{
    lb_load_options strict = {.strict = true};
    owned_clip *read = load_or_fail(bytes, size, &strict);
    check_same(read);
    // and written again it is the same, bit for bit
    owned void *again = NULL;
    size_t length;
    assert_ok(lb_robot_npz_write(read, NULL, NULL, &again, &length, &error));
    assert_int_equal(length, size);
}

/* values at limits that single precision has not are written inside them */
TEST(limits_are_kept_in_single_precision)
{
    owned double *q = calloc((size_t)lb_model_nq(model), 2 * sizeof *q);
    const double times[] = {0, 0.02};
    owned_clip *ends = NULL, *read = NULL;
    owned void *archive = NULL;
    size_t length;
    int limited = 0;
    for (int side = 0; side < 2; side++) {
        double *row = q + side * lb_model_nq(model);
        memcpy(row, lb_clip_key(clip, 0), (size_t)lb_model_nq(model) * sizeof *row);
        for (int j = 0; j < lb_model_joint_count(model); j++) {
            const lb_joint *joint = lb_model_joint(model, j);
            double limit = side ? joint->upper[0] : joint->lower[0];
            if (lb_joint_kind_nq(joint->kind) == 1 && isfinite(limit)) {
                row[lb_model_joint_q(model, j)] = limit;
                limited += (double)(float)limit != limit;
            }
        }
    }
    assert_true(limited > 2);
    assert_ok(lb_clip_create(model, times, q, 2, LB_INTERPOLATION_LINEAR, NULL, &ends, NULL));
    assert_ok(lb_robot_npz_write(ends, NULL, NULL, &archive, &length, &error));
    read = load_or_fail(archive, length, NULL);
    for (int k = 0; k < 2; k++)
        assert_made(lb_configuration_validate(model, lb_clip_key(read, k), 0, &error), error);
}

/* ---- files without an archive --------------------------------------------- */

/* Files as a program with an archiver of its own has them. */
typedef struct taken_files {
    lb_robot_npz_file list[ROBOT_NPZ_ARRAYS];
    int count, most; /* as many are taken before the sink ends the writing */
} taken_files;

static bool take_file(void *user, const lb_robot_npz_file *file)
{
    taken_files *taken = user;
    if (taken->count == taken->most)
        return false;
    size_t letters = strlen(file->name) + 1;
    void *copy = malloc(file->size), *name = malloc(letters);
    memcpy(copy, file->bytes, file->size);
    memcpy(name, file->name, letters);
    taken->list[taken->count++] = (lb_robot_npz_file){name, copy, file->size};
    return true;
}

static void drop_files(taken_files *taken)
{
    for (int i = 0; i < taken->count; i++) {
        free((void *)taken->list[i].bytes);
        free((void *)taken->list[i].name);
    }
    taken->count = 0;
}

TEST(files_need_no_archive)
{
    taken_files taken = {.most = ROBOT_NPZ_ARRAYS};
    lb_clip *read = NULL;
    assert_ok(lb_robot_npz_write_files(clip, NULL, NULL, take_file, &taken, &error));
    assert_int_equal(taken.count, ROBOT_NPZ_ARRAYS);
    // in any order, beside what is none of them
    taken.list[JOINT_VEL].name = strcpy((char *)taken.list[JOINT_VEL].name, "other.npy");
    lb_robot_npz_file first = taken.list[0];
    taken.list[0] = taken.list[JOINT_POS];
    taken.list[JOINT_POS] = first;
    assert_ok(lb_robot_npz_load_files("m", taken.list, taken.count, model, NULL, &read, &error));
    check_same(read);
    lb_clip_release(read);
    // the last are the names; without the first there is no joint_pos
    assert_refused(
        lb_robot_npz_load_files("m", taken.list + 1, taken.count - 1, model, NULL, &read, &error),
        LB_NOT_FOUND, &error, "joint_pos");
    assert_null(read);
    drop_files(&taken);
    // a sink may end the writing
    taken.most = 4;
    assert_int_equal(lb_robot_npz_write_files(clip, NULL, NULL, take_file, &taken, &error),
                     LB_FILE_ERROR);
    assert_int_equal(taken.count, 4);
    drop_files(&taken);
    assert_int_equal(lb_robot_npz_write_files(clip, NULL, NULL, NULL, NULL, &error),
                     LB_INVALID_ARGUMENT);
    assert_int_equal(lb_robot_npz_load_files("m", NULL, 0, model, NULL, &read, &error),
                     LB_INVALID_ARGUMENT);
}

/* ---- arrays ------------------------------------------------------------- */

/* All arrays of an archive; texts stay where they are. */
typedef struct archive {
    unsigned char *bytes[ROBOT_NPZ_ARRAYS];
    size_t sizes[ROBOT_NPZ_ARRAYS];
    npy_array arrays[ROBOT_NPZ_ARRAYS];
} archive;

static lb_status keep(void *user, const zip_file *file, lb_error *why)
{
    archive *to = user;
    for (int i = 0; i < ROBOT_NPZ_ARRAYS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.npy", robot_npz_arrays[i]);
        if (strcmp(name, file->name) != 0)
            continue;
        to->bytes[i] = malloc(file->size);
        to->sizes[i] = file->size;
        memcpy(to->bytes[i], file->bytes, file->size);
        return npy_parse(to->bytes[i], file->size, &to->arrays[i], why);
    }
    return LB_NOT_FOUND;
}

static archive open_archive(void)
{
    archive all = {0};
    assert_ok(zip_read(bytes, size, NULL, keep, &all, &error));
    return all;
}

static void close_archive(archive *all)
{
    for (int i = 0; i < ROBOT_NPZ_ARRAYS; i++)
        free(all->bytes[i]);
}

static double number(const archive *all, int which, int frame, int column)
{
    const npy_array *array = &all->arrays[which];
    size_t row = array->count / FRAMES;
    return npy_element(array, (size_t)frame * row + (size_t)column);
}

static lb_quat body_turn(const archive *all, int frame, int body)
{
    return (lb_quat){
        number(all, BODY_QUAT, frame, 4 * body), number(all, BODY_QUAT, frame, 4 * body + 1),
        number(all, BODY_QUAT, frame, 4 * body + 2), number(all, BODY_QUAT, frame, 4 * body + 3)};
}

/* central differences of places and rotations; their error is that of the step and of floats */
TEST(velocities_are_differences)
{
    archive all = open_archive();
    int bodies = (int)all.arrays[BODY_POS].shape[1];
    // seven links, the base and two fingers
    assert_int_equal(bodies, 10);
    assert_true(npy_element(&all.arrays[FPS], 0) == RATE);
    for (int i = 1; i + 1 < FRAMES; i++)
        for (int b = 0; b < bodies; b++) {
            for (int k = 3 * b; k < 3 * b + 3; k++)
                assert_near(number(&all, BODY_LIN_VEL, i, k),
                            (number(&all, BODY_POS, i + 1, k) - number(&all, BODY_POS, i - 1, k)) *
                                RATE / 2,
                            2e-3);
            lb_quat turned = lb_quat_multiply(body_turn(&all, i + 1, b),
                                              lb_quat_conjugate(body_turn(&all, i - 1, b)));
            lb_vec3 rate = lb_vec3_scale(lb_quat_log(turned), RATE / 2.0);
            assert_near(number(&all, BODY_ANG_VEL, i, 3 * b), rate.x, 2e-3);
            assert_near(number(&all, BODY_ANG_VEL, i, 3 * b + 1), rate.y, 2e-3);
            assert_near(number(&all, BODY_ANG_VEL, i, 3 * b + 2), rate.z, 2e-3);
        }
    close_archive(&all);
}

/* the archive again, some arrays left out, `swapped` joints exchanged, names and all */
static void *rebuild(archive *all, unsigned left_out, bool swapped, size_t *length)
{
    zip_writer zip;
    zip_begin(&zip, NULL);
    for (int i = 0; i < ROBOT_NPZ_ARRAYS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.npy", robot_npz_arrays[i]);
        if ((left_out >> i & 1) != 0)
            continue;
        npy_array *array = &all->arrays[i];
        size_t item = npy_item(array),
               columns = i == JOINT_NAMES ? array->count : (size_t)array->shape[1];
        for (size_t f = 0;
             swapped && (i == JOINT_POS || i == JOINT_NAMES) && f < array->count / columns; f++) {
            unsigned char kept[1024], *row = (unsigned char *)array->bytes + f * columns * item;
            memcpy(kept, row, item);
            memcpy(row, row + 2 * item, item);
            memcpy(row + 2 * item, kept, item);
        }
        zip_open(&zip, name);
        zip_put(&zip, all->bytes[i], all->sizes[i]);
        zip_close(&zip);
    }
    assert_ok(zip_end(&zip, &error));
    *length = zip.size;
    return zip.bytes;
}

static void count_warning(void *user, const lb_error *warning)
{
    assert_non_null(strstr(warning->message, "joint_names"));
    ++*(int *)user;
}

TEST(columns_are_found_by_name)
{
    archive all = open_archive();
    size_t length;
    int warnings = 0;
    lb_load_options options = {.warn = count_warning, .user = &warnings};
    void *swapped = rebuild(&all, 0, true, &length);
    lb_clip *read = load_or_fail(swapped, length, &options);
    check_same(read);
    assert_int_equal(warnings, 0);
    lb_clip_release(read);
    free(swapped);
    close_archive(&all);

    // without names in the model's order, with a warning; refused where reading is strict
    all = open_archive();
    void *unnamed =
        rebuild(&all, 1u << JOINT_NAMES | 1u << BODY_NAMES | 1u << JOINT_VEL, false, &length);
    read = load_or_fail(unnamed, length, &options);
    check_same(read);
    assert_int_equal(warnings, 1);
    lb_clip_release(read);
    options.strict = true;
    assert_int_equal(
        lb_robot_npz_load_memory("m.npz", unnamed, length, model, &options, &read, &error),
        LB_BAD_MODEL);
    free(unnamed);
    close_archive(&all);
}

TEST(what_is_missing_is_said)
{
    static const int needed[] = {FPS, JOINT_POS, BODY_POS, BODY_QUAT};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        archive all = open_archive();
        size_t length;
        lb_clip *read = NULL;
        void *without = rebuild(&all, 1u << needed[i], false, &length);
        assert_refused(
            lb_robot_npz_load_memory("m.npz", without, length, model, NULL, &read, &error),
            LB_NOT_FOUND, &error, robot_npz_arrays[needed[i]]);
        assert_null(read);
        free(without);
        close_archive(&all);
    }
}

/* ---- hostile archives --------------------------------------------------- */

TEST(damaged_archives_are_refused)
{
    lb_clip *read = NULL;
    // cut off anywhere it has no directory
    for (size_t cut = 0; cut < size; cut += 1 + size / 400) {
        owned unsigned char *part = malloc(cut + 1);
        memcpy(part, bytes, cut);
        assert_int_not_equal(
            lb_robot_npz_load_memory("m.npz", part, cut, model, NULL, &read, &error), LB_OK);
        assert_true(error.message[0] != '\0');
    }
    // a byte changed: refused, or read where it does not matter
    owned unsigned char *copy = malloc(size);
    for (size_t at = 0; at < size; at += at < 400 || at + 1200 > size ? 1 : 61) {
        memcpy(copy, bytes, size);
        copy[at] ^= 0x55;
        lb_status status =
            lb_robot_npz_load_memory("m.npz", copy, size, model, NULL, &read, &error);
        assert_true((status == LB_OK) == (read != NULL));
        assert_true(status == LB_OK || error.message[0] != '\0');
        lb_clip_release(read);
    }
}

TEST(failing_allocations_are_said)
{
    ALLOCATIONS_FAIL (run, 100) {
        lb_load_options options = {.allocator = &run.allocator};
        owned_clip *read = NULL;
        run.status = lb_robot_npz_load_memory("m.npz", bytes, size, model, &options, &read, &error);
    }
    ALLOCATIONS_FAIL (run, 100) {
        void *made = NULL;
        size_t length;
        run.status = lb_robot_npz_write(clip, NULL, &run.allocator, &made, &length, &error);
        run.allocator.release(run.allocator.user, made);
    }
}

TEST_FIXTURE(make_motion, drop_motion)
