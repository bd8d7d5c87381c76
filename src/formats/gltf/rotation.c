/*
 * rotation.c - rotations in a glTF: quaternions, which the format wants of unit length; matrices.
 *
 * Zero has no direction and is refused; any other length is only untidy, and is warned of.
 */
#include "formats/gltf/gltf.h"

#include "base/text.h"

#include <string.h>

/*
 * Four floats that were rounded have a length within 1.2e-7 of 1, and six decimals, as exporters
 * print them, within 1e-6; ten times that.
 */
#define LENGTH_ROUNDING 1e-5

/* a squared length that can be divided by, and whose square root is a float's */
static bool has_direction(double squared)
{
    return squared > 1e-12 && squared < 1e12;
}

double gltf_rotation_rounding(const gltf_view *values)
{
    enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT };
    static const double largest[] = {127, 255, 32767, 65535};
    // four halves of a step along the diagonal of a cube are one step
    if (values->normalized && values->type >= BYTE && values->type <= UNSIGNED_SHORT)
        return fmax(LENGTH_ROUNDING, 1 / largest[values->type - BYTE]);
    return LENGTH_ROUNDING;
}

/* the place of a rotation, in its array where it is in one */
static gltf_place place_of(const gltf_place *place, int element)
{
    gltf_place whole = *place;
    size_t used = strlen(whole.text);
    if (element >= 0)
        text_format(whole.text + used, sizeof whole.text - used, " element %d", element);
    return whole;
}

lb_status gltf_check_rotation(const gltf_reader *reader, const gltf_place *place, int element,
                              const double xyzw[4], double rounding, gltf_rotation_findings *found)
{
    double squared = 0, length;
    for (int i = 0; i < 4; i++)
        squared += xyzw[i] * xyzw[i];
    length = sqrt(squared);
    if (has_direction(squared) && fabs(length - 1) <= fmax(rounding, LENGTH_ROUNDING))
        return LB_OK;
    gltf_place whole = place_of(place, element);
    if (!has_direction(squared))
        return gltf_refuse(reader, LB_BAD_VALUE, &whole,
                           "a quaternion of length %.3g is no rotation; 0, 0, 0, 1 turns nothing",
                           length);
    if (found->count++ == 0) {
        found->first = whole;
        found->length = length;
    }
    return LB_OK;
}

void gltf_warn_rotations(const gltf_reader *reader, const char *what,
                         const gltf_rotation_findings *found)
{
    if (found->count > 0)
        warnings_add(
            reader->warnings, 0,
            "%d rotation%s of %s, as %s of length %.6g, %s not of length 1, now normalised",
            found->count, found->count == 1 ? "" : "s", what, found->first.text, found->length,
            found->count == 1 ? "is" : "are");
}

/* ---- 3 x 3 matrices, row by row: scales and what they become below rotations  */

void gltf_multiply(const double a[9], const double b[9], double out[9])
{
    double product[9];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            product[3 * r + c] =
                a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
    memcpy(out, product, sizeof product);
}

void gltf_rotation_matrix(lb_quat rotation, double out[9])
{
    lb_transform t = lb_transform_from_quat(rotation, lb_vec3_make(0, 0, 0));
    const double rows[9] = {t.x.x, t.y.x, t.z.x, t.x.y, t.y.y, t.z.y, t.x.z, t.y.z, t.z.z};
    memcpy(out, rows, sizeof rows);
}

lb_vec3 gltf_apply(const double m[9], lb_vec3 v)
{
    return lb_vec3_make(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                        m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

bool gltf_invert(const double m[9], double out[9])
{
    double inverse[9] = {
        m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
        m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
        m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    double det = m[0] * inverse[0] + m[1] * inverse[3] + m[2] * inverse[6];
    for (int i = 0; i < 9; i++) {
        out[i] = inverse[i] / det;
        if (out[i] - out[i] != 0)
            return false;
    }
    return true;
}
