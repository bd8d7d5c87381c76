/*
 * json_write.c - models as limber JSON.
 *
 * What is at its default is left out. Numbers have as few digits as read back as
 * the same double, and a placement is written in the first of three notations
 * (rpy, quaternion, matrix) that reads back as the same transform.
 */
#include <limber/formats/json.h>

#include "base/error.h"
#include "base/number.h"
#include "formats/json_text.h"
#include "formats/mapping/json_reader.h"

#include <string.h>

/* ---- transforms --------------------------------------------------------- */

static bool same_vec3(lb_vec3 a, lb_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_rotation(const lb_transform *a, const lb_transform *b)
{
    return same_vec3(a->x, b->x) && same_vec3(a->y, b->y) && same_vec3(a->z, b->z);
}

static bool is_identity(const lb_transform *t)
{
    lb_transform identity = LB_TRANSFORM_IDENTITY;
    return same_rotation(t, &identity) && same_vec3(t->p, identity.p);
}

static double round_to_digits(double value, int digits)
{
    char text[NUMBER_TEXT_SIZE];
    // what is below the rounding of an angle was zero before it was a matrix
    if (fabs(value) < 1e-15)
        return 0;
    number_write_digits(value, digits, text);
    number_read(text, strlen(text), &value);
    return value;
}

/*
 * The roll, pitch and yaw that the rotation was made from, as far as they can be
 * found: the shortest decimals near the exact ones that give the same matrix.
 */
static bool find_rpy(const lb_transform *t, double rpy[3])
{
    lb_vec3 exact = lb_quat_to_rpy(lb_transform_quat(t));
    for (int digits = 1; digits <= 17; digits++) {
        rpy[0] = round_to_digits(exact.x, digits);
        rpy[1] = round_to_digits(exact.y, digits);
        rpy[2] = round_to_digits(exact.z, digits);
        lb_transform back = lb_transform_from_quat(lb_quat_from_rpy(rpy[0], rpy[1], rpy[2]), t->p);
        if (same_rotation(&back, t))
            return true;
    }
    return false;
}

static bool find_quaternion(const lb_transform *t, double wxyz[4])
{
    lb_quat q = lb_transform_quat(t);
    lb_transform back = lb_transform_from_quat(lb_quat_normalize(q), t->p);
    memcpy(wxyz, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *wxyz);
    return same_rotation(&back, t);
}

static void put_rotation(json_text *out, const lb_transform *t)
{
    double numbers[4];
    if (find_rpy(t, numbers)) {
        json_text_list(out, "rpy", numbers, 3);
    } else if (find_quaternion(t, numbers)) {
        json_text_list(out, "quaternion", numbers, 4);
    } else {
        json_text_begin(out, "matrix", '[', false);
        json_text_numbers(out, (double[]){t->x.x, t->y.x, t->z.x}, 3);
        json_text_numbers(out, (double[]){t->x.y, t->y.y, t->z.y}, 3);
        json_text_numbers(out, (double[]){t->x.z, t->y.z, t->z.z}, 3);
        json_text_close(out, ']');
    }
}

/* nothing for the identity */
static void put_placement(json_text *out, const char *key, const lb_transform *t)
{
    lb_transform identity = LB_TRANSFORM_IDENTITY;
    if (is_identity(t))
        return;
    json_text_begin(out, key, '{', false);
    if (!same_vec3(t->p, identity.p))
        json_text_list(out, "xyz", &t->p.x, 3);
    if (!same_rotation(t, &identity))
        put_rotation(out, t);
    json_text_close(out, '}');
}

/* ---- links -------------------------------------------------------------- */

static void put_size(json_text *out, const lb_geometry *geometry)
{
    switch (geometry->shape) {
    case LB_SHAPE_BOX:
        json_text_list(out, "size", &geometry->size.x, 3);
        break;
    case LB_SHAPE_CYLINDER:
    case LB_SHAPE_CAPSULE:
        json_text_member(out, "radius", geometry->size.x);
        json_text_member(out, "length", geometry->size.z);
        break;
    case LB_SHAPE_SPHERE:
        json_text_member(out, "radius", geometry->size.x);
        break;
    case LB_SHAPE_MESH:
        json_text_text(out, "mesh", geometry->mesh);
        if (!same_vec3(geometry->size, lb_vec3_make(1, 1, 1)))
            json_text_list(out, "scale", &geometry->size.x, 3);
        break;
    }
}

static void put_geometry(json_text *out, const lb_geometry *geometry)
{
    json_text_open(out, '{', false);
    json_text_text(out, "shape", shape_name(geometry->shape));
    put_size(out, geometry);
    put_placement(out, "placement", &geometry->origin);
    if (geometry->color[3] != 0)
        json_text_list(out, "color", geometry->color, geometry->color[3] == 1 ? 3 : 4);
    json_text_close(out, '}');
}

/* a list of shapes, one a line; an empty one is left out */
static void put_geometries(json_text *out, const char *key, const lb_geometry *geometries,
                           int count)
{
    if (count == 0)
        return;
    json_text_begin(out, key, '[', true);
    for (int i = 0; i < count; i++)
        put_geometry(out, &geometries[i]);
    json_text_close(out, ']');
}

static void put_link(json_text *out, const lb_link *link)
{
    bool has_inertia = false;
    for (int i = 0; i < 6; i++)
        has_inertia = has_inertia || link->inertia[i] != 0;
    json_text_open(out, '{', false);
    json_text_text(out, "name", link->name);
    if (link->bone)
        json_text_text(out, "bone", link->bone);
    put_placement(out, "data_offset", &link->data_offset);
    if (link->mass != 0)
        json_text_member(out, "mass", link->mass);
    if (!same_vec3(link->center, lb_vec3_make(0, 0, 0)))
        json_text_list(out, "center", &link->center.x, 3);
    if (has_inertia)
        json_text_list(out, "inertia", link->inertia, 6);

    put_geometries(out, "visuals", link->visuals, link->visual_count);
    put_geometries(out, "collisions", link->collisions, link->collision_count);
    json_text_close(out, '}');
}

/* ---- joints ------------------------------------------------------------- */

static void put_pair(json_text *out, double lower, double upper)
{
    json_text_numbers(out, (double[]){lower, upper}, 2);
}

static void put_ball_limits(json_text *out, const lb_joint *joint)
{
    json_text_open(out, '{', false);
    if (isfinite(joint->lower[0]) || isfinite(joint->upper[0])) {
        json_text_key(out, "twist");
        put_pair(out, joint->lower[0], joint->upper[0]);
    }
    if (isfinite(joint->upper[1]))
        json_text_member(out, "swing", joint->upper[1]);
    json_text_close(out, '}');
}

static bool has_limits(const lb_joint *joint, int count)
{
    // a ball's swing has no lower bound of its own
    bool limited = isfinite(joint->lower[0]);
    for (int i = 0; i < count; i++)
        limited = limited || isfinite(joint->upper[i]) ||
                  (isfinite(joint->lower[i]) && joint->kind != LB_JOINT_BALL);
    return limited;
}

static void put_limits(json_text *out, const lb_joint *joint)
{
    bool is_ball = joint->kind == LB_JOINT_BALL;
    int count = is_ball ? 2 : (int)strlen(joint_units_of(joint->kind)->limits);
    if (count == 0 || !has_limits(joint, count))
        return;
    json_text_key(out, "limits");
    if (is_ball) {
        put_ball_limits(out, joint);
    } else if (count == 1) {
        put_pair(out, joint->lower[0], joint->upper[0]);
    } else {
        json_text_open(out, '[', false);
        for (int i = 0; i < count; i++)
            put_pair(out, joint->lower[i], joint->upper[i]);
        json_text_close(out, ']');
    }
}

/* nothing where the joint rests anyway */
static void put_value(json_text *out, const lb_joint *joint)
{
    lb_joint rest = *joint;
    draft_rest(&rest);
    int count = lb_joint_kind_nq(joint->kind);
    bool same = true;
    for (int i = 0; i < count; i++)
        same = same && rest.value[i] == joint->value[i];
    if (same)
        return;
    json_text_key(out, "value");
    if (count == 1)
        json_text_number(out, joint->value[0]);
    else
        json_text_numbers(out, joint->value, count);
}

static void put_mimic(json_text *out, const lb_joint *joint)
{
    if (joint->mimic == NULL)
        return;
    json_text_begin(out, "mimic", '{', false);
    json_text_text(out, "joint", joint->mimic);
    if (joint->multiplier != 1)
        json_text_member(out, "multiplier", joint->multiplier);
    if (joint->offset != 0)
        json_text_member(out, "offset", joint->offset);
    json_text_close(out, '}');
}

static void put_axis(json_text *out, const char *key, lb_vec3 axis, lb_vec3 standard)
{
    if (same_vec3(axis, standard))
        return;
    json_text_list(out, key, &axis.x, 3);
}

static void put_joint(json_text *out, const lb_joint *joint)
{
    lb_joint standard = lb_joint_default();
    json_text_open(out, '{', false);
    json_text_text(out, "name", joint->name);
    json_text_text(out, "kind", lb_joint_kind_text(joint->kind));
    json_text_text(out, "parent", joint->parent);
    json_text_text(out, "child", joint->child);

    // how it is placed and moves, on a line of its own
    json_text_break(out);
    put_placement(out, "placement", &joint->placement);
    put_axis(out, "axis", joint->axis, standard.axis);
    put_axis(out, "axis2", joint->axis2, standard.axis2);
    put_limits(out, joint);
    put_value(out, joint);
    if (joint->weight != standard.weight)
        json_text_member(out, "weight", joint->weight);
    json_text_flag(out, "locked", joint->locked);
    json_text_flag(out, "driven", joint->driven);
    json_text_flag(out, "sprung", joint->sprung);
    put_mimic(out, joint);
    if (isfinite(joint->velocity))
        json_text_member(out, "velocity", joint->velocity);
    if (isfinite(joint->effort))
        json_text_member(out, "effort", joint->effort);
    json_text_close(out, '}');
}

/* ---- loops -------------------------------------------------------------- */

static void put_loop(json_text *out, const lb_loop *loop)
{
    int count = LB_LOOP_TERMS;
    json_text_open(out, '{', false);
    json_text_text(out, "name", loop->name);
    json_text_text(out, "kind", lb_loop_kind_text(loop->kind));
    json_text_text(out, "first", loop->first);
    json_text_text(out, "second", loop->second);
    put_placement(out, "first_frame", &loop->first_frame);
    put_placement(out, "second_frame", &loop->second_frame);
    while (count > 1 && loop->polynomial[count - 1] == 0)
        count--;
    if (loop->kind == LB_LOOP_COUPLING)
        json_text_list(out, "polynomial", loop->polynomial, count);
    json_text_close(out, '}');
}

static void put_loops(json_text *out, const lb_model *model)
{
    if (lb_model_loop_count(model) == 0)
        return;
    json_text_begin(out, "loops", '[', true);
    for (int i = 0; i < lb_model_loop_count(model); i++)
        put_loop(out, lb_model_loop(model, i));
    json_text_close(out, ']');
}

/* ---- models ------------------------------------------------------------- */

static void put_model(json_text *out, const lb_model *model)
{
    lb_transform root = lb_model_root(model);
    json_text_open(out, '{', true);
    json_text_member(out, "limber", 1);
    json_text_text(out, "name", lb_model_name(model));
    put_placement(out, "root", &root);

    json_text_begin(out, "links", '[', true);
    for (int i = 0; i < lb_model_link_count(model); i++)
        put_link(out, lb_model_link(model, i));
    json_text_close(out, ']');
    if (lb_model_joint_count(model) > 0) {
        json_text_begin(out, "joints", '[', true);
        for (int i = 0; i < lb_model_joint_count(model); i++)
            put_joint(out, lb_model_joint(model, i));
        json_text_close(out, ']');
    }
    put_loops(out, model);
    json_text_close(out, '}');
    json_text_end(out);
}

lb_status lb_json_write(const lb_model *model, const lb_allocator *allocator, char **text,
                        lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(text, error, {model, "model"}));
    json_text out = json_text_start(allocator);
    put_model(&out, model);
    return json_text_take(&out, text, error);
}
