/*
 * smpl_body.c - where the joints of a body of SMPL are at rest.
 *
 * A file has the places themselves, J, or what a body model has: J_regressor, whose product with
 * the vertices v_template is J, and shapedirs, which move the vertices by the shape, betas (Loper
 * et al., 'SMPL: A Skinned Multi-Person Linear Model', 2015). Without one the proportions are
 * assumed.
 */
#include "formats/motion/smpl.h"

#include "base/error.h"

#include <string.h>

const char *const smpl_body_arrays[SMPL_BODY_ARRAYS] = {"J", "J_regressor", "v_template",
                                                        "shapedirs"};

/*
 * Fractions of the height, a person with the arms to the sides: Winter, 'Biomechanics and Motor
 * Control of Human Movement', figure 4.1 (lengths of segments by height, after Drillis and Contini
 * 1966). Places of joints across the body, in the spine and in the foot are round figures of our
 * own.
 */
static const double proportions[SMPL_BODY + SMPL_HANDS][3] = {
    {0, 0.56, 0},      {0.05, 0.53, 0},    {-0.05, 0.53, 0},    {0, 0.62, 0},
    {0.05, 0.285, 0},  {-0.05, 0.285, 0},  {0, 0.69, 0},        {0.05, 0.039, 0},
    {-0.05, 0.039, 0}, {0, 0.74, 0},       {0.05, 0.015, 0.08}, {-0.05, 0.015, 0.08},
    {0, 0.83, 0},      {0.03, 0.8, 0},     {-0.03, 0.8, 0},     {0, 0.87, 0},
    {0.11, 0.818, 0},  {-0.11, 0.818, 0},  {0.296, 0.818, 0},   {-0.296, 0.818, 0},
    {0.442, 0.818, 0}, {-0.442, 0.818, 0}, {0.496, 0.818, 0},   {-0.496, 0.818, 0}};

/* one number of the shape, 0: the file has none */
static double beta(const smpl_file *file, size_t i)
{
    const npy_array *betas = &file->set.arrays[SMPL_BETAS];
    bool has = arrays_has(&file->set, SMPL_BETAS) && betas->type[1] != 'U' && i < betas->count &&
               (betas->dimensions < 2 || i < (size_t)betas->shape[1]);
    double number = has ? npy_element(betas, i) : 0;
    return fabs(number) < 100 ? number : 0;
}

/* the height is that which GMR assumes of a body's shape */
static void assume_places(smpl_file *file)
{
    double height = fmin(fmax(1.66 + 0.1 * beta(file, 0), 1), 2.5);
    file->count = SMPL_BODY + SMPL_HANDS;
    for (int i = 0; i < file->count; i++) {
        const double *at = proportions[i];
        file->joints[i].place = lb_vec3_scale(lb_vec3_make(at[0], at[1], at[2]), height);
    }
    warnings_add(file->warnings, 0,
                 "the body is not in the file: a figure of %.2f m with the proportions of an "
                 "average person is assumed; --body FILE.npz has the joints' places",
                 height);
}

/* ---- a body model ----------------------------------------------------------- */

/* the shapes of arrays agree; sets how many joints and vertices there are */
static lb_status check_arrays(const named_arrays *set, int64_t *joints, lb_error *error)
{
    bool places = !arrays_has(set, SMPL_REGRESSOR);
    const npy_array *j = &set->arrays[places ? SMPL_J : SMPL_REGRESSOR];
    TRY(arrays_check(set, places ? SMPL_J : SMPL_REGRESSOR, true, error));
    if (!places)
        TRY(arrays_check(set, SMPL_TEMPLATE, true, error));
    const npy_array *v = &set->arrays[SMPL_TEMPLATE], *s = &set->arrays[SMPL_SHAPES];
    *joints = j->shape[0];
    bool known = *joints == SMPL_BODY || *joints == 24 || *joints == 52 || *joints == 55;
    if (j->dimensions != 2 || !known || (places && j->shape[1] != 3))
        return arrays_refuse(set, places ? SMPL_J : SMPL_REGRESSOR, LB_BAD_VALUE,
                             "it has no row for each of 22, 24, 52 or 55 joints", error);
    if (!places && (v->dimensions != 2 || v->shape[0] != j->shape[1] || v->shape[1] != 3))
        return arrays_refuse(set, SMPL_TEMPLATE, LB_BAD_VALUE, "it is no place for each vertex",
                             error);
    if (!places && arrays_has(set, SMPL_SHAPES) &&
        (s->type[1] == 'U' || s->dimensions != 3 || s->shape[0] != v->shape[0] || s->shape[1] != 3))
        return arrays_refuse(set, SMPL_SHAPES, LB_BAD_VALUE, "it is no direction for each vertex",
                             error);
    return LB_OK;
}

/* a coordinate of a vertex of the body's shape */
static double vertex(const smpl_file *file, const named_arrays *set, size_t index)
{
    double sum = npy_element(&set->arrays[SMPL_TEMPLATE], index);
    size_t shapes = arrays_has(set, SMPL_SHAPES) ? (size_t)set->arrays[SMPL_SHAPES].shape[2] : 0;
    for (size_t b = 0; b < shapes && b < 400; b++)
        if (beta(file, b) != 0)
            sum += beta(file, b) * npy_element(&set->arrays[SMPL_SHAPES], index * shapes + b);
    return sum;
}

/* the places of all joints of the file, three numbers each */
static lb_status compute_places(const smpl_file *file, const named_arrays *set, int64_t joints,
                                double *places, lb_error *error)
{
    bool given = !arrays_has(set, SMPL_REGRESSOR);
    size_t vertices = given ? 0 : (size_t)set->arrays[SMPL_REGRESSOR].shape[1];
    for (size_t i = 0; given && i < 3 * (size_t)joints; i++)
        places[i] = npy_element(&set->arrays[SMPL_J], i);
    for (size_t v = 0; v < 3 * vertices; v++) {
        double at = vertex(file, set, v);
        for (size_t j = 0; j < (size_t)joints; j++)
            places[3 * j + v % 3] +=
                npy_element(&set->arrays[SMPL_REGRESSOR], j * vertices + v / 3) * at;
    }
    // a body in millimetres is none
    for (size_t i = 0; i < 3 * (size_t)joints; i++)
        if (!(fabs(places[i]) < 10))
            return arrays_refuse(set, given ? SMPL_J : SMPL_REGRESSOR, LB_BAD_VALUE,
                                 "a joint is not within 10 m", error);
    if (given && beta(file, 0) != 0)
        warnings_add(file->warnings, 0,
                     "betas have no effect: the body has joints J, and no J_regressor");
    return LB_OK;
}

/* the joints that the figure has, in its order; 52 joints are SMPL-H's, 55 SMPL-X's */
static void take_places(smpl_file *file, int64_t joints, const double *places)
{
    int hands = joints == 24 ? SMPL_HANDS : joints > 24 ? SMPL_FINGERS : 0;
    size_t skipped = joints == 55 ? 3 : 0; // jaw and eyes
    file->count = SMPL_BODY + hands;
    for (int i = 0; i < file->count; i++) {
        const double *at = places + 3 * ((size_t)i + (i < SMPL_BODY ? 0 : skipped));
        file->joints[i].place = lb_vec3_make(at[0], at[1], at[2]);
    }
    file->origin = file->joints[0].place;
}

lb_status smpl_place(smpl_file *file, lb_error *error)
{
    double places[3 * 55] = {0};
    int64_t joints = 0;
    named_arrays set = {
        .names = smpl_body_arrays, .count = SMPL_BODY_ARRAYS, .memory = file->set.memory};
    if (file->body == NULL) {
        assume_places(file);
        return LB_OK;
    }
    error_set_path(error, file->body);
    TRY(arrays_read(&set, file->body_bytes, file->body_size, error));
    TRY(check_arrays(&set, &joints, error));
    TRY(compute_places(file, &set, joints, places, error));
    take_places(file, joints, places);
    error_set_path(error, file->warnings->path);
    return LB_OK;
}
