/*
 * compile.c - the flat form of a model: parts of q, and the kernel's elements.
 *
 * Let J be a joint's frame at rest and a the axis of a step. With a rotation B that has B z = a, a
 * rotation about or translation along a is B A B^T, where A is the same along z. The element's
 * frame is taken after B A, and B^T becomes part of what follows: the next step's placement or, at
 * the last step, the link's fix. So
 *
 *     place = fix(parent) * T_parent_joint * B,    fix = B^T.
 */
#include "model/build.h"
#include "model/kinds.h"

/* ---- parts -------------------------------------------------------------- */

static model_part_kind part_kind(kernel_kind step, const lb_joint *joint, bool tied)
{
    if (step == KERNEL_PRISMATIC)
        return MODEL_LENGTH;
    if (step == KERNEL_BALL)
        return MODEL_BALL;
    return joint->kind == LB_JOINT_CONTINUOUS && !tied ? MODEL_TURN : MODEL_ANGLE;
}

/* One step's part; its limits are the i-th pair. */
static model_part make_part(const lb_model *model, int joint, int step)
{
    const lb_joint *given = &model->joints[joint];
    const model_joint *layout = &model->joint_layouts[joint];
    kernel_kind kind = kind_of(given->kind)->steps[step].kind;

    // a quaternion is always the last step, so values before it are counted as steps
    model_part part = {
        .kind = part_kind(kind, given, layout->tied),
        .joint = joint,
        .value = step,
        .q = layout->q + step,
        .v = layout->v + step,
        .element = layout->element + step,
        .lower = -INFINITY,
        .upper = INFINITY,
        .swing = INFINITY,
    };
    bool free_ball = kind == KERNEL_BALL && given->kind != LB_JOINT_BALL;
    if (!free_ball && part.kind != MODEL_TURN) {
        part.lower = given->lower[step];
        part.upper = given->upper[step];
    }
    if (given->kind == LB_JOINT_BALL) {
        part.swing = given->upper[1];
        ball_close_twist(&part.lower, &part.upper);
    }
    return part;
}

/* Gives every joint its indices among elements, parts, q and v. */
static void count_places(lb_model *model)
{
    int element = 0, part = 0, q = 0, v = 0;
    for (int j = 0; j < model->joint_count; j++) {
        lb_joint_kind kind = model->joints[j].kind;
        model_joint *layout = &model->joint_layouts[j];
        layout->element = element;
        layout->element_count = kind_of(kind)->step_count;
        element += layout->element_count;
        layout->part = layout->q = layout->v = -1;
        if (layout->mimicked_joint >= 0 || kind == LB_JOINT_FIXED)
            continue;

        layout->part = part;
        layout->part_count = layout->element_count;
        layout->q = q;
        layout->v = v;
        part += layout->part_count;
        q += lb_joint_kind_nq(kind);
        v += lb_joint_kind_nv(kind);
    }
    model->part_count = part;
    model->tree = (kernel_tree){
        .joints = model->elements, .blocks = model->blocks, .count = element, .nq = q, .nv = v};
}

static void make_parts(lb_model *model)
{
    for (int j = 0; j < model->joint_count; j++) {
        const model_joint *layout = &model->joint_layouts[j];
        for (int i = 0; i < layout->part_count; i++)
            model->parts[layout->part + i] = make_part(model, j, i);
    }
}

/* the limits of the parts that are numbers, by index in q */
static void list_limits(lb_model *model)
{
    model->range.count = model->tree.nq;
    for (int i = 0; i < model->tree.nq; i++) {
        model->range.lower[i] = -INFINITY;
        model->range.upper[i] = INFINITY;
    }
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL) {
            model->balls = true;
            continue;
        }
        model->range.lower[part->q] = part->lower;
        model->range.upper[part->q] = part->upper;
    }
}

/* Mimic joints use the q and v of the joint they mimic. */
static void place_followers(lb_model *model)
{
    for (int j = 0; j < model->joint_count; j++) {
        model_joint *layout = &model->joint_layouts[j];
        if (layout->mimicked_joint < 0)
            continue;
        layout->q = model->joint_layouts[layout->mimicked_joint].q;
        layout->v = model->joint_layouts[layout->mimicked_joint].v;
    }
}

/* ---- elements ----------------------------------------------------------- */

/* A rotation that brings z onto an axis, or its reverse. */
typedef struct alignment {
    lb_transform rotation;
    bool identity;
    double sign;
} alignment;

/* exact along the coordinate axes, which most axes are: signed permutations */
static alignment align_z(lb_vec3 a)
{
    const lb_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, origin = {0, 0, 0};
    if (a.x == 0 && a.y == 0)
        return (alignment){LB_TRANSFORM_IDENTITY, true, a.z > 0 ? 1 : -1};
    if (a.y == 0 && a.z == 0)
        return (alignment){{y, lb_vec3_scale(z, a.x > 0 ? 1 : -1), a, origin}, false, 1};
    if (a.z == 0 && a.x == 0)
        return (alignment){{z, lb_vec3_scale(x, a.y > 0 ? 1 : -1), a, origin}, false, 1};

    lb_vec3 across = lb_vec3_perpendicular(a);
    return (alignment){{across, lb_vec3_cross(a, across), a, origin}, false, 1};
}

/*
 * What quaternions and products leave of the zeros of a quarter turn is 2.2e-16. Less than four
 * times that is rounding, no more than one product adds.
 */
#define NOISE 0x1p-50

static double clean(double x)
{
    if (fabs(x) < NOISE)
        return 0;
    return fabs(fabs(x) - 1) < NOISE ? copysign(1, x) : x;
}

static lb_vec3 clean_axis(lb_vec3 a)
{
    return lb_vec3_make(clean(a.x), clean(a.y), clean(a.z));
}

/* without the rounding errors that hide a simple form */
static lb_transform clean_place(const lb_transform *t)
{
    return (lb_transform){clean_axis(t->x), clean_axis(t->y), clean_axis(t->z), t->p};
}

static lb_vec3 step_axis(const lb_joint *joint, kind_axis axis)
{
    switch (axis) {
    case KIND_AXIS:
        return joint->axis;
    case KIND_AXIS2:
        return joint->axis2;
    case KIND_AXIS3:
        return lb_vec3_cross(joint->axis, joint->axis2);
    case KIND_X:
        return lb_vec3_make(1, 0, 0);
    case KIND_Y:
        return lb_vec3_make(0, 1, 0);
    case KIND_Z:
        break;
    }
    return lb_vec3_make(0, 0, 1);
}

/* Axes that are the element's renamed or reversed need no arithmetic. */
static void find_swap(model_link *link)
{
    const lb_vec3 *axes[3] = {&link->fix.x, &link->fix.y, &link->fix.z};
    link->swapped = true;
    for (int i = 0; i < 3; i++) {
        const double a[3] = {axes[i]->x, axes[i]->y, axes[i]->z};
        int k = fabs(a[0]) == 1 ? 0 : fabs(a[1]) == 1 ? 1 : 2;
        link->from[i] = k;
        link->sign[i] = a[k];
        link->swapped =
            link->swapped && fabs(a[k]) == 1 && a[(k + 1) % 3] == 0 && a[(k + 2) % 3] == 0;
    }
}

/* a joint that mimics another with multiplier 0 is fixed at its offset */
static void fix_at_offset(kernel_joint *element)
{
    const double any = 0;
    const lb_transform parent = LB_TRANSFORM_IDENTITY;
    element->q = 0;
    element->place = kernel_joint_frame(element, &parent, &any);
    element->form = kernel_form_of(&element->place);
    element->kind = KERNEL_FIXED;
    element->q = element->v = -1;
    element->scale = 1;
    element->offset = 0;
}

/* Fills one joint's elements, below its parent link, and the child link's fix. */
static void compile_joint(lb_model *model, int j)
{
    const lb_joint *joint = &model->joints[j];
    const model_joint *layout = &model->joint_layouts[j];
    const kind_info *info = kind_of(joint->kind);
    model_link *link = &model->link_layouts[j + 1];
    const model_link *parent = &model->link_layouts[link->parent];

    // the pose that the next step starts from, relative to the element before it
    int above = parent->element;
    bool exact = true;
    lb_transform start =
        parent->exact ? joint->placement : lb_transform_multiply(&parent->fix, &joint->placement);
    for (int i = 0; i < info->step_count; i++) {
        alignment aligned = align_z(step_axis(joint, info->steps[i].axis));
        exact = aligned.identity;
        kernel_joint *element = &model->elements[layout->element + i];
        *element = (kernel_joint){
            .parent = above,
            .kind = info->steps[i].kind,
            .q = layout->q < 0 ? -1 : layout->q + i,
            .v = layout->v < 0 ? -1 : layout->v + i,
            .scale = aligned.sign * layout->multiplier,
            .offset = aligned.sign * layout->offset,
            .place = exact ? start : lb_transform_multiply(&start, &aligned.rotation),
        };
        element->place = clean_place(&element->place);
        element->form = kernel_form_of(&element->place);
        if (layout->mimicked_joint >= 0 && layout->multiplier == 0)
            fix_at_offset(element);
        above = layout->element + i;
        start = lb_transform_inverse(&aligned.rotation);
    }
    link->element = above;
    link->exact = exact;
    link->fix = exact ? LB_TRANSFORM_IDENTITY : start;
    find_swap(link);
}

void compile_model(lb_model *model)
{
    count_places(model);
    make_parts(model);
    list_limits(model);
    place_followers(model);

    // the root link is at the root arc's placement
    model->link_layouts[0].element = -1;
    model->link_layouts[0].exact = true;
    model->link_layouts[0].fix = LB_TRANSFORM_IDENTITY;

    model->direct = true;
    for (int j = 0; j < model->joint_count; j++) {
        compile_joint(model, j);
        model->direct = model->direct && model->link_layouts[j + 1].exact &&
                        model->joint_layouts[j].element_count == 1;
    }
    model->tree.unshared = true;
    for (int j = 0; j < model->joint_count; j++)
        if (model->joint_layouts[j].mimicked_joint >= 0)
            model->tree.unshared = false;
    kernel_fill_blocks(model->elements, model->tree.count, model->blocks);
}
