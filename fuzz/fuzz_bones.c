/*
 * fuzz_bones.c - arms without a model: sweeps over bones that come nearer or say that they do not,
 * two links and two bones whose ends are where they are said to be, a batch with the bits of single
 * arms.
 */
#include "fuzz.h"

#include <limber/bones.h>
#include <limber/model.h>
#include <limber/two_bone.h>

#include <math.h>
#include <string.h>

enum { MOST_BONES = 12, SWEEPS = 50, MOST_ARMS = 9, MOST_ROWS = 8 };

/* ---- bones in the plane ----------------------------------------------------- */

static double distance_of(const lb_bone *bones, int n, double x, double y)
{
    double at_x, at_y;
    lb_bones_end(bones, n, &at_x, &at_y);
    return hypot(at_x - x, at_y - y);
}

static void sweep_bones(fuzz_bytes *bytes)
{
    lb_bone bones[MOST_BONES], before[MOST_BONES];
    lb_bones_options options = lb_bones_options_default();
    int n = 1 + fuzz_choice(bytes, MOST_BONES);
    double x = fuzz_any_number(bytes), y = fuzz_any_number(bytes),
           arrival = fabs(fuzz_any_number(bytes));
    bool finite = isfinite(x) && isfinite(y) && isfinite(arrival);
    double size = fabs(x) + fabs(y);
    for (int i = 0; i < n; i++) {
        bones[i] = (lb_bone){fuzz_any_number(bytes), 0, 0};
        bones[i].y = fuzz_any_number(bytes);
        bones[i].angle = fuzz_any_number(bytes);
        finite = finite && isfinite(bones[i].x) && isfinite(bones[i].y) && isfinite(bones[i].angle);
        size += fabs(bones[i].x) + fabs(bones[i].y);
    }
    if (fuzz_choice(bytes, 2)) {
        options.least_product = fuzz_number(bytes);
        options.trivial_arc = fuzz_number(bytes);
        options.nudge = fuzz_number(bytes);
        finite =
            finite && options.least_product >= 0 && options.trivial_arc >= 0 && options.nudge >= 0;
    }
    for (int i = 0; i < SWEEPS; i++) {
        double was = distance_of(bones, n, x, y);
        memcpy(before, bones, sizeof bones);
        lb_progress progress = lb_bones_step(bones, n, x, y, arrival, &options);
        double is = distance_of(bones, n, x, y);
        if (!finite)
            FUZZ_CHECK(progress == LB_FAILURE &&
                       memcmp(before, bones, sizeof *bones * (size_t)n) == 0);
        if (progress != LB_PROCESSING)
            break;
        // it is measured from the last bone on, and here from the first
        FUZZ_CHECK(is < was + 1e-13 * size);
        for (int k = 0; k < n; k++)
            FUZZ_CHECK(isfinite(bones[k].angle));
    }
}

/* ---- two links -------------------------------------------------------------- */

static void solve_two_links(fuzz_bytes *bytes)
{
    double angles[2] = {-9, -9};
    double first = fuzz_any_number(bytes), second = fuzz_any_number(bytes);
    double x = fuzz_any_number(bytes), y = fuzz_any_number(bytes);
    double beyond = lb_two_link_solve(first, second, x, y, fuzz_choice(bytes, 3) - 1, angles);
    bool valid = first >= 0 && second >= 0 && isfinite(first) && isfinite(second) && isfinite(x) &&
                 isfinite(y);
    FUZZ_CHECK(isfinite(angles[0]) && isfinite(angles[1]));
    FUZZ_CHECK(valid || (isnan(beyond) && angles[0] == 0 && angles[1] == 0));
    // numbers whose squares are not lost
    double most = fmax(fmax(first, second), fmax(fabs(x), fabs(y)));
    if (!valid || most > 1e15)
        return;
    double end_x = first * lb_cos(angles[0]) + second * lb_cos(angles[0] + angles[1]);
    double end_y = first * lb_sin(angles[0]) + second * lb_sin(angles[0] + angles[1]);
    FUZZ_CHECK(fabs(hypot(end_x - x, end_y - y) - fabs(beyond)) <= 1e-7 * most + 1e-300);
}

/* ---- two bones in space ----------------------------------------------------- */

static lb_transform some_place(fuzz_bytes *bytes)
{
    lb_vec3 p = {fuzz_any_number(bytes), 0, 0};
    p.y = fuzz_any_number(bytes);
    p.z = fuzz_any_number(bytes);
    lb_vec3 axis = lb_vec3_normalize(fuzz_vector(bytes), lb_vec3_make(0, 0, 1));
    return lb_transform_from_quat(lb_quat_from_axis_angle(axis, fuzz_number(bytes)), p);
}

static lb_two_bone some_arm(fuzz_bytes *bytes)
{
    lb_two_bone arm = lb_two_bone_default();
    arm.start = some_place(bytes);
    arm.middle = some_place(bytes);
    arm.end = some_place(bytes);
    arm.target = fuzz_vector(bytes);
    if (fuzz_choice(bytes, 2))
        arm.bend_axis = fuzz_vector(bytes);
    if (fuzz_choice(bytes, 2))
        arm.pole = fuzz_vector(bytes);
    if (fuzz_choice(bytes, 4) == 0) {
        arm.twist = fuzz_any_number(bytes);
        arm.soft = fuzz_any_number(bytes);
        arm.weight = fuzz_any_number(bytes);
    }
    return arm;
}

static bool is_unit(lb_quat q)
{
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-9;
}

/* where the end is once both joints have turned */
static lb_vec3 end_of(const lb_two_bone *arm, lb_quat start, lb_quat middle)
{
    lb_transform at_start = lb_transform_from_quat(start, lb_vec3_make(0, 0, 0));
    lb_transform at_middle = lb_transform_from_quat(middle, lb_vec3_make(0, 0, 0));
    lb_transform back = lb_transform_inverse(&arm->start);
    lb_transform elbow = lb_transform_multiply(&back, &arm->middle);
    back = lb_transform_inverse(&arm->middle);
    lb_transform hand = lb_transform_multiply(&back, &arm->end);
    lb_transform turned = lb_transform_multiply(&arm->start, &at_start);
    turned = lb_transform_multiply(&turned, &elbow);
    turned = lb_transform_multiply(&turned, &at_middle);
    return lb_transform_multiply(&turned, &hand).p;
}

static void check_arrived(const lb_two_bone *arm, lb_quat start, lb_quat middle)
{
    lb_vec3 end = end_of(arm, start, middle);
    double most = fmax(fmax(lb_vec3_length(arm->start.p), lb_vec3_length(arm->middle.p)),
                       fmax(lb_vec3_length(arm->end.p), lb_vec3_length(arm->target)));
    FUZZ_CHECK(!(most < 1e15) ||
               lb_vec3_length(lb_vec3_sub(end, arm->target)) <= 1e-6 * most + 1e-12);
}

static void solve_two_bones(fuzz_bytes *bytes)
{
    lb_two_bone arms[MOST_ARMS];
    lb_quat starts[MOST_ARMS], middles[MOST_ARMS], start, middle;
    bool reached[MOST_ARMS];
    size_t count = 1 + (size_t)fuzz_choice(bytes, MOST_ARMS), arrived = 0;
    for (size_t i = 0; i < count; i++)
        arms[i] = some_arm(bytes);
    size_t total = lb_two_bone_batch(arms, count, starts, middles, reached);
    for (size_t i = 0; i < count; i++) {
        bool alone = lb_two_bone_solve(&arms[i], &start, &middle);
        FUZZ_CHECK(alone == reached[i]);
        FUZZ_CHECK(memcmp(&start, &starts[i], sizeof start) == 0);
        FUZZ_CHECK(memcmp(&middle, &middles[i], sizeof middle) == 0);
        FUZZ_CHECK(is_unit(start) && is_unit(middle));
        if (alone)
            check_arrived(&arms[i], start, middle);
        arrived += alone;
    }
    FUZZ_CHECK(total == arrived);
}

/* ---- tables of Denavit and Hartenberg ---------------------------------------- */

static void make_table(fuzz_bytes *bytes)
{
    lb_dh_row rows[MOST_ROWS];
    int n = 1 + fuzz_choice(bytes, MOST_ROWS);
    bool modified = fuzz_choice(bytes, 2) == 1;
    for (int i = 0; i < n; i++) {
        rows[i] = lb_dh_row_default();
        rows[i].kind = (lb_joint_kind)fuzz_choice(bytes, LB_JOINT_KIND_COUNT + 1);
        rows[i].theta = fuzz_any_number(bytes);
        rows[i].d = fuzz_any_number(bytes);
        rows[i].a = fuzz_any_number(bytes);
        rows[i].alpha = fuzz_any_number(bytes);
        rows[i].lower = fuzz_any_number(bytes);
        rows[i].upper = fuzz_any_number(bytes);
    }
    lb_model *model = NULL;
    lb_error error = {0};
    lb_status status = lb_model_from_dh("table", rows, n, modified, NULL, &model, &error);
    FUZZ_CHECK((status == LB_OK) == (model != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    FUZZ_CHECK(model == NULL || lb_model_joint_count(model) == n + !modified);
    lb_model_release(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    switch (fuzz_choice(&bytes, 4)) {
    case 0:
        sweep_bones(&bytes);
        break;
    case 1:
        solve_two_links(&bytes);
        break;
    case 2:
        solve_two_bones(&bytes);
        break;
    default:
        make_table(&bytes);
    }
    return 0;
}
