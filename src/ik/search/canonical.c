/*
 * canonical.c - the same linkage with cheaper placements.
 *
 * Rotations about z and translations along z commute with a joint about or along z. So the rotation
 * R = Rz(a) Rx(alpha) Rz(b) of a placement keeps only Rx: b is added to the joint's own offset (of
 * a prismatic joint it moves on to the joints that it carries), a to the offset of the joint
 * before, if that carries nothing else. The frame slides along its axis until one coordinate of its
 * origin is zero. These are the frames of Denavit and Hartenberg (1955), except that the coordinate
 * is chosen so that nothing is divided by a small number.
 *
 * Joints with negative scale become joints with positive scale about the opposite axis.
 */
#include "ik/reduce.h"

/* sines and coordinates below this are rounding errors of zero */
#define NOISE 1e-15
/* with a sine above this y becomes zero, otherwise z */
#define STEEP 0.5
/* with a sine below this two turns about z, one after the other, are known as one */
#define SLANT 1e-2

static lb_transform turn_z(double angle)
{
    double s, c;
    lb_sincos(angle, &s, &c);
    return (lb_transform){{c, s, 0}, {-s, c, 0}, {0, 0, 1}, {0, 0, 0}};
}

static double clean(double x)
{
    return fabs(x) < NOISE ? 0 : x;
}

/* angles a and b of R = Rz(a) Rx(alpha) Rz(b), both zero if it is a rotation about x already */
static void decompose(const lb_transform *t, double *a, double *b)
{
    *a = *b = 0;
    bool about_x = fabs(t->x.y) < NOISE && fabs(t->x.z) < NOISE && t->x.x > 0;
    if (about_x)
        return;
    double sine = sqrt(t->z.x * t->z.x + t->z.y * t->z.y);
    if (sine < NOISE) {
        // z is kept or reversed: the rotation is about z only
        *b = lb_atan2(t->x.y, t->x.x);
        if (t->z.z < 0)
            *b = -*b;
        return;
    }
    *a = lb_atan2(t->z.x, -t->z.y);
    *b = lb_atan2(t->x.z, t->y.z);
    // each is as good as the sine's share of rounding; their sum is good where z is nearly kept,
    // their difference where it is nearly reversed
    if (sine < SLANT)
        *b = t->z.z > 0 ? lb_atan2(t->x.y - t->y.x, t->x.x + t->y.y) - *a
                        : *a - lb_atan2(t->x.y + t->y.x, t->x.x - t->y.y);
}

/* the remaining rotation about x, without the rounding errors of the products that made it */
static void clean_turn(lb_transform *t)
{
    double c = clean(t->y.y), s = clean(t->y.z);
    // exact for multiples of 90 degrees
    if (c == 0)
        s = s > 0 ? 1 : -1;
    if (s == 0)
        c = c > 0 ? 1 : -1;
    t->x = lb_vec3_make(1, 0, 0);
    t->y = lb_vec3_make(0, c, s);
    t->z = lb_vec3_make(0, -s, c);
}

/* slides the frame along its z axis; returns by how much */
static double slide(lb_transform *t)
{
    double sine = -t->z.y, cosine = t->z.z;
    double shift = fabs(sine) > STEEP ? t->p.y / sine : -t->p.z / cosine;
    t->p = lb_vec3_add(t->p, lb_vec3_scale(t->z, shift));
    t->p = lb_vec3_make(clean(t->p.x), clean(t->p.y), clean(t->p.z));
    return shift;
}

static bool has_axis(const kernel_joint *joint)
{
    return joint->kind == KERNEL_REVOLUTE || joint->kind == KERNEL_PRISMATIC;
}

/* half a turn about x, which reverses z */
static const lb_transform half_turn = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}};

/* reverses the axes of joints with negative scale; `reversed` is what their children are placed in
 */
static void reverse_axes(kernel_joint *joints, int count, lb_transform *reversed)
{
    for (int i = 0; i < count; i++) {
        kernel_joint *joint = &joints[i];
        reversed[i] = LB_TRANSFORM_IDENTITY;
        if (joint->parent >= 0)
            joint->place = lb_transform_multiply(&reversed[joint->parent], &joint->place);
        if (!has_axis(joint) || joint->scale > 0)
            continue;
        joint->place = lb_transform_multiply(&joint->place, &half_turn);
        joint->scale = -joint->scale;
        joint->offset = -joint->offset;
        reversed[i] = half_turn;
    }
}

/* brings one joint's placement into form; `carried` is what its children are placed in */
static void settle(kernel_joint *joints, int i, bool parent_turns, lb_transform *carried)
{
    kernel_joint *joint = &joints[i];
    double a, b;
    *carried = LB_TRANSFORM_IDENTITY;
    if (!has_axis(joint))
        return;
    decompose(&joint->place, &a, &b);
    if (a != 0 && !parent_turns)
        return;
    // a is added to the joint before
    if (a != 0) {
        lb_transform back = turn_z(-a);
        joint->place = lb_transform_multiply(&back, &joint->place);
        joints[joint->parent].offset += a;
    }
    // b is added to the joint itself, or to those that it carries
    if (joint->kind == KERNEL_REVOLUTE)
        joint->offset += b;
    else if (b != 0)
        *carried = turn_z(b);
    lb_transform straight = turn_z(-b);
    joint->place = lb_transform_multiply(&joint->place, &straight);
    clean_turn(&joint->place);
    carried->p.z -= slide(&joint->place);
}

void ik_canonicalize(kernel_joint *joints, int count, const kernel_task *tasks, lb_transform *tools,
                     int task_count, lb_transform *base, lb_transform *carried, int *consumers)
{
    // counts what each joint carries
    int roots = 0;
    for (int i = 0; i < count; i++)
        consumers[i] = 0;
    for (int i = 0; i < count; i++)
        *(joints[i].parent < 0 ? &roots : &consumers[joints[i].parent]) += 1;
    for (int i = 0; i < task_count; i++)
        consumers[tasks[i].frame]++;

    reverse_axes(joints, count, carried);
    for (int i = 0; i < task_count; i++)
        tools[i] = lb_transform_multiply(&carried[tasks[i].frame], &tools[i]);

    // a single first joint's placement becomes part of the base
    if (roots == 1) {
        *base = lb_transform_multiply(base, &joints[0].place);
        joints[0].place = LB_TRANSFORM_IDENTITY;
    }
    for (int i = 0; i < count; i++) {
        int parent = joints[i].parent;
        bool parent_turns =
            parent >= 0 && joints[parent].kind == KERNEL_REVOLUTE && consumers[parent] == 1;
        if (parent >= 0)
            joints[i].place = lb_transform_multiply(&carried[parent], &joints[i].place);
        settle(joints, i, parent_turns, &carried[i]);
        joints[i].form = kernel_form_of(&joints[i].place);
    }
    for (int i = 0; i < task_count; i++)
        tools[i] = lb_transform_multiply(&carried[tasks[i].frame], &tools[i]);
}
