/*
 * dh.c - models from Denavit-Hartenberg tables.
 *
 * Both conventions write a row as four rotations and translations in a fixed order. What precedes
 * the joint variable is the placement of the row's joint; what follows belongs to the next.
 * Rotations about and translations along z commute, so that the constant theta and d may be on
 * either side.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <limber/model.h>

enum { DH_NAME_SIZE = 24 }; /* "joint_" and any int */

lb_dh_row lb_dh_row_default(void)
{
    return (lb_dh_row){.kind = LB_JOINT_REVOLUTE, .lower = -INFINITY, .upper = INFINITY};
}

/* Rz(theta) Tz(d) or Rx(alpha) Tx(a): a screw along one axis. */
static lb_transform screw(lb_vec3 axis, double angle, double distance)
{
    return lb_transform_from_quat(lb_quat_from_axis_angle(axis, angle),
                                  lb_vec3_scale(axis, distance));
}

static lb_transform screw_z(const lb_dh_row *row)
{
    return screw(lb_vec3_make(0, 0, 1), row->theta, row->d);
}

static lb_transform screw_x(const lb_dh_row *row)
{
    return screw(lb_vec3_make(1, 0, 0), row->alpha, row->a);
}

static lb_status check_row(const lb_dh_row *row, int number, lb_error *error)
{
    if (row->kind != LB_JOINT_REVOLUTE && row->kind != LB_JOINT_CONTINUOUS &&
        row->kind != LB_JOINT_PRISMATIC)
        return REFUSE_VALUE(error,
                            "row %d: %s joints have no row; use revolute, continuous or prismatic",
                            number, lb_joint_kind_text(row->kind));
    if (!isfinite(row->theta) || !isfinite(row->d) || !isfinite(row->a) || !isfinite(row->alpha))
        return REFUSE_VALUE(error, "row %d: theta, d, a and alpha must be finite", number);
    return LB_OK;
}

/* The arrays of a source under construction, and their texts. */
typedef struct dh_source {
    lb_link *links;
    lb_joint *joints;
    char (*names)[DH_NAME_SIZE]; /* of the joints, then of their children */
} dh_source;

static void lay_out(dh_source *s, int joints, memory_arena *arena)
{
    size_t n = (size_t)joints;
    s->links = memory_arena_take(arena, n + 1, sizeof *s->links);
    s->joints = memory_arena_take(arena, n, sizeof *s->joints);
    s->names = memory_arena_take(arena, 2 * n, sizeof *s->names);
}

/* Joint and link i >= 1, attached to the link before. */
static lb_joint *add_joint(dh_source *s, int joints, int i)
{
    char *joint_name = s->names[i - 1], *link_name = s->names[joints + i - 1];
    text_format(joint_name, DH_NAME_SIZE, "joint_%d", i);
    text_format(link_name, DH_NAME_SIZE, "link_%d", i);
    s->links[i] = lb_link_default();
    s->links[i].name = link_name;

    lb_joint *joint = &s->joints[i - 1];
    *joint = lb_joint_default();
    joint->name = joint_name;
    joint->parent = s->links[i - 1].name;
    joint->child = link_name;
    return joint;
}

/* All rows' joints; returns what remains after the last joint. */
static lb_transform fill_rows(dh_source *s, int joints, const lb_dh_row *rows, int n, bool modified)
{
    lb_transform rest = LB_TRANSFORM_IDENTITY;
    s->links[0] = lb_link_default();
    s->links[0].name = "base";
    for (int i = 0; i < n; i++) {
        lb_transform z = screw_z(&rows[i]), x = screw_x(&rows[i]);
        lb_joint *joint = add_joint(s, joints, i + 1);
        joint->kind = rows[i].kind;
        joint->lower[0] = rows[i].lower;
        joint->upper[0] = rows[i].upper;
        joint->placement = modified ? lb_transform_multiply(&x, &z) : rest;
        rest = lb_transform_multiply(&z, &x);
    }
    return rest;
}

lb_status lb_model_from_dh(const char *name, const lb_dh_row *rows, int n, bool modified,
                           const lb_allocator *given, struct lb_model **model, lb_error *error)
{
    TRY(REQUIRE(error, {model, "model"}));
    *model = NULL;
    if (!rows || n < 1 || n == INT32_MAX)
        return REFUSE_ARGUMENT(error, "a table needs at least one row");
    for (int i = 0; i < n; i++)
        TRY(check_row(&rows[i], i + 1, error));

    // one block for the source
    int joints = modified ? n : n + 1;
    lb_allocator allocator = memory_allocator(given);
    dh_source s;
    memory_arena arena = {0};
    lay_out(&s, joints, &arena);
    void *block = memory_arena_block(&arena, &allocator);
    if (!block)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for %d rows", n);
    lay_out(&s, joints, &arena);

    // the standard convention leaves a constant transform after the last joint
    lb_transform rest = fill_rows(&s, joints, rows, n, modified);
    if (!modified) {
        lb_joint *tool = add_joint(&s, joints, joints);
        tool->placement = rest;
        tool->name = tool->child = s.links[joints].name = "tool";
    }
    lb_model_source source = {.name = name,
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = s.links,
                              .link_count = joints + 1,
                              .joints = s.joints,
                              .joint_count = joints};
    lb_status status = lb_model_build(&source, &allocator, model, error);
    memory_release(&allocator, block);
    return status;
}
