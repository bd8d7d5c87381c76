/*
 * two_bone.c - arms of two bones in closed form.
 *
 * Both are the triangle of base, elbow and target with the law of cosines (Fig. 5.15), put so
 * that nothing cancels: the planar one by half angles,
 *
 *     tan^2(t / 2) = ((a + b)^2 - d^2) / (d^2 - (a - b)^2),
 *
 * whose square roots of negative numbers, taken as zero, are the straight and the
 * folded arm; the one in space over lanes, in kernel/two_bone.inl.
 */
#include "kernel/ops.h"
#include "math/scalar.h"

#include <assert.h>
#include <limber/two_bone.h>
#include <stddef.h>

/* ---- in the plane --------------------------------------------------------- */

static double root(double x)
{
    return sqrt(scalar_max(x, 0));
}

double lb_two_link_solve(double first, double second, double x, double y, int bend,
                         double angles[2])
{
    angles[0] = angles[1] = 0;
    if (!isfinite(x) || !isfinite(y) || !(first >= 0 && second >= 0) || !isfinite(first) ||
        !isfinite(second))
        return NAN;
    // in units of a power of two, which changes no bit: squares neither overflow nor vanish
    int unit;
    frexp(scalar_max(scalar_max(first, second), scalar_max(fabs(x), fabs(y))), &unit);
    first = ldexp(first, -unit), second = ldexp(second, -unit);
    x = ldexp(x, -unit), y = ldexp(y, -unit);
    double d = sqrt(x * x + y * y), far = first + second, near = fabs(first - second);
    double ahead = lb_atan2(y, x);
    // without a triangle the arm is straight
    if (first > 0 && second > 0) {
        double sine, cosine;
        angles[1] = 2 * lb_atan2(root((far - d) * (far + d)), root((d - near) * (d + near)));
        angles[1] = bend < 0 ? -angles[1] : angles[1];
        // the end's direction follows from the rounded angle: near a straight or folded arm the
        // square roots magnify rounding, which then changes only the distance, and that hardly
        // depends on the angle there
        lb_sincos(angles[1], &sine, &cosine);
        ahead -= lb_atan2(second * sine, first + second * cosine);
    }
    angles[0] = ahead;
    return ldexp(d > far ? d - far : d < near ? d - near : 0, unit);
}

/* ---- in space ------------------------------------------------------------- */

lb_two_bone lb_two_bone_default(void)
{
    const lb_transform one = LB_TRANSFORM_IDENTITY;
    return (lb_two_bone){.start = one, .middle = one, .end = one, .soft = 1, .weight = 1};
}

/* the kernel takes arms and quaternions as rows of numbers */
static_assert(offsetof(lb_two_bone, start) == KERNEL_BONES_START * sizeof(double), "start");
static_assert(offsetof(lb_two_bone, middle) == KERNEL_BONES_MIDDLE * sizeof(double), "middle");
static_assert(offsetof(lb_two_bone, target) == KERNEL_BONES_TARGET * sizeof(double), "target");
static_assert(sizeof(lb_two_bone) == KERNEL_BONES_NUMBERS * sizeof(double), "arm");
static_assert(sizeof(lb_quat) == 4 * sizeof(double), "quaternion");

static kernel_two_bones rows_of(const lb_two_bone *arms, size_t count, lb_quat *start,
                                lb_quat *middle, bool *reached)
{
    return (kernel_two_bones){
        .arms = count > 0 ? &arms->start.x.x : NULL,
        .start = count > 0 ? &start->w : NULL,
        .middle = count > 0 ? &middle->w : NULL,
        .reached = reached,
        .count = count,
    };
}

bool lb_two_bone_solve(const lb_two_bone *arm, lb_quat *start, lb_quat *middle)
{
    const kernel_two_bones one = rows_of(arm, 1, start, middle, NULL);
    return kernel_choose_single(0, false)->two_bones(&one) == 1;
}

size_t lb_two_bone_batch(const lb_two_bone *arms, size_t count, lb_quat *start, lb_quat *middle,
                         bool *reached)
{
    const kernel_two_bones all = rows_of(arms, count, start, middle, reached);
    return kernel_choose(0)->two_bones(&all);
}
