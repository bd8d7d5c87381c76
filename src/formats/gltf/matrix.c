/*
 * matrix.c - 3 x 3 matrices, row by row: scales and what they become below rotations.
 */
#include "formats/gltf/gltf.h"

#include <string.h>

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
