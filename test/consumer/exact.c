/*
 * exact.c - a fingerprint of the bits of math.h's inline functions, for any compiler and flags.
 *
 * With FUSE defined a product and a sum are written plainly, as a compiler may fuse them: so that
 * the comparison of fingerprints can fail.
 */
#include <limber/math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash = 14695981039346656037u;

static void add(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
}

static void add_vec3(lb_vec3 v)
{
    add(v.x);
    add(v.y);
    add(v.z);
}

static void add_quat(lb_quat q)
{
    add(q.w);
    add(q.x);
    add(q.y);
    add(q.z);
}

/* a number in [-1, 1) from a row that is the same everywhere (Knuth's MMIX) */
static double draw(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / 4503599627370496.0 - 1;
}

static lb_vec3 draw_vec3(void)
{
    double x = draw(), y = draw(), z = draw();
    return lb_vec3_make(x, y, z);
}

int main(void)
{
    for (int i = 0; i < 10000; i++) {
        lb_vec3 a = draw_vec3(), b = draw_vec3(), c = draw_vec3();
        lb_transform t = {a, b, c, draw_vec3()};
        lb_quat p = {draw(), a.x, a.y, a.z}, q = {draw(), b.x, b.y, b.z};
        add(lb_vec3_dot(a, b));
#ifdef FUSE
        add(a.x * c.y + b.z);
#endif
        add(lb_vec3_length(a));
        add_vec3(lb_vec3_cross(a, b));
        add_vec3(lb_vec3_add(lb_vec3_scale(a, b.x), c));
        add_vec3(lb_vec3_sub(lb_vec3_scale(a, b.x), lb_vec3_scale(b, c.x)));
        add_quat(lb_quat_multiply(p, q));
        add_vec3(lb_quat_rotate(p, b));
        add_vec3(lb_transform_direction(&t, a));
        add_vec3(lb_transform_point(&t, b));
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
