/*
 * drawing.c - checks what is to be drawn, chooses the view, and what all views share.
 */
#include "figures/drawing.h"
#include "base/error.h"

#include "figures/planar.h"

#include <stdlib.h>
#include <string.h>

/* ---- checks ------------------------------------------------------------- */

/* the joint that has the i-th value of q */
static const lb_joint *joint_of_value(const lb_model *model, int i)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int first = lb_model_joint_q(model, j);
        if (!joint->mimic && first >= 0 && i >= first && i < first + lb_joint_kind_nq(joint->kind))
            return joint;
    }
    return NULL;
}

static lb_status check_pose(const lb_model *model, const lb_drawing_pose *pose, int index,
                            lb_error *error)
{
    if (!pose->q)
        return REFUSE_ARGUMENT(error, "pose %d: q is NULL", index + 1);
    if (!(pose->strength >= 0 && pose->strength <= 1))
        return REFUSE_VALUE(error, "pose %d: strength %g is not in 0..1", index + 1,
                            pose->strength);
    for (int i = 0; i < lb_model_nq(model); i++) {
        const lb_joint *joint = isfinite(pose->q[i]) ? NULL : joint_of_value(model, i);
        if (joint)
            return REFUSE_VALUE(error, "pose %d: joint '%s': %g is no number to draw", index + 1,
                                joint->name, pose->q[i]);
    }
    return LB_OK;
}

static lb_status check(const lb_model *model, const lb_drawing *what, lb_error *error)
{
    if (what->pose_count < 0 || (what->pose_count > 0 && !what->poses))
        return REFUSE_ARGUMENT(error, "pose_count is %d but poses is %s", what->pose_count,
                               what->poses ? "given" : "NULL");
    if (what->target_count < 0 || (what->target_count > 0 && !what->targets))
        return REFUSE_ARGUMENT(error, "target_count is %d but targets is %s", what->target_count,
                               what->targets ? "given" : "NULL");
    if (what->ellipsoid_count < 0 || (what->ellipsoid_count > 0 && !what->ellipsoids))
        return REFUSE_ARGUMENT(error, "ellipsoid_count is %d but ellipsoids is %s",
                               what->ellipsoid_count, what->ellipsoids ? "given" : "NULL");
    if (what->scene && what->scene->obstacle_count > 0 && !what->scene->obstacles)
        return REFUSE_ARGUMENT(error, "the scene's obstacle_count is %d but obstacles is NULL",
                               what->scene->obstacle_count);
    for (int i = 0; i < what->pose_count; i++) {
        lb_status status = check_pose(model, &what->poses[i], i, error);
        if (status)
            return status;
    }
    if (isinf(what->azimuth) || isinf(what->elevation))
        return REFUSE_VALUE(error,
                            "the viewer's azimuth and elevation must be angles, or NAN to choose");
    return LB_OK;
}

/* farther than this a figure has no scale, and squares of lengths may overflow */
static const double farthest = 1e30;

static bool is_drawable(const lb_ellipsoid *e)
{
    return lb_vec3_length(e->center) < farthest && lb_vec3_length(e->axes[0]) < farthest &&
           lb_vec3_length(e->axes[1]) < farthest && lb_vec3_length(e->axes[2]) < farthest;
}

static lb_status check_places(const drawing *d, lb_error *error)
{
    for (int i = 0; i < d->pose_count; i++) {
        lb_state_update(d->state, d->poses[i].q);
        const lb_transform *links = lb_state_transforms(d->state);
        for (int k = 0; k < d->bones.link_count; k++) {
            const char *name = lb_model_link(d->model, k)->name;
            if (!(lb_vec3_length(links[k].p) < farthest))
                return REFUSE_VALUE(error, "pose %d: link '%s' is too far away to draw", i + 1,
                                    name);
            // a quaternion of zeros makes none
            if (!lb_vec3_is_finite(links[k].x))
                return REFUSE_VALUE(
                    error, "pose %d: link '%s' has no rotation: a quaternion is zero", i + 1, name);
        }
    }
    const lb_drawing *what = d->what;
    for (int i = 0; i < what->target_count; i++)
        if (!(lb_vec3_length(what->targets[i]) < farthest))
            return REFUSE_VALUE(error, "target %d at %g %g %g is no place to draw", i + 1,
                                what->targets[i].x, what->targets[i].y, what->targets[i].z);
    for (int i = 0; i < what->ellipsoid_count; i++)
        if (!is_drawable(&what->ellipsoids[i]))
            return REFUSE_VALUE(error, "ellipsoid %d is no place to draw", i + 1);
    return LB_OK;
}

/* ---- colours ------------------------------------------------------------ */

int drawing_first(const drawing *d, int pose)
{
    const lb_drawing_pose *own = &d->poses[pose];
    for (int i = 0; i < pose && own->label; i++) {
        const lb_drawing_pose *p = &d->poses[i];
        if (p->label && p->strength == own->strength && strcmp(p->label, own->label) == 0)
            return i;
    }
    return pose;
}

figure_color drawing_color(const drawing *d, int pose)
{
    int first = drawing_first(d, pose), before = 0;
    const lb_drawing_pose *own = &d->poses[first];
    for (int i = 0; i < d->pose_count && own->label; i++) {
        const lb_drawing_pose *p = &d->poses[i];
        bool stronger = p->strength > own->strength || (p->strength == own->strength && i < first);
        before += p->label && stronger && drawing_first(d, i) == i;
    }
    return figure_series(before);
}

bool drawing_is_natural(const drawing *d, int pose)
{
    int strong = 0, labelled = 0;
    for (int i = 0; i < d->pose_count; i++) {
        strong += d->poses[i].strength == 1;
        labelled += d->poses[i].label != NULL;
    }
    return d->shaped && (labelled == 0 || (d->poses[pose].strength == 1 && strong == 1));
}

double drawing_fade(const drawing *d, int pose)
{
    return 0.88 * (1 - d->poses[pose].strength);
}

void drawing_order(const drawing *d, int *order)
{
    for (int i = 0; i < d->pose_count; i++) {
        int k = i;
        for (; k > 0 && d->poses[order[k - 1]].strength > d->poses[i].strength; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

/* ---- paths -------------------------------------------------------------- */

static void draw_path(const drawing *d, int tip, drawing_place *place, const void *view)
{
    figure_style line = {.stroke = FIGURE_MUTED, .width = FIGURE_MEDIUM, .dash = 3};
    figure_point last = {0, 0};
    for (int i = 0; i < d->pose_count; i++) {
        lb_state_update(d->state, d->poses[i].q);
        figure_point next = place(view, lb_state_transforms(d->state)[tip].p);
        if (i > 0)
            figure_line(d->page, last, next, line);
        last = next;
    }
}

void drawing_paths(const drawing *d, drawing_place *place, const void *view)
{
    // poses with names are alternatives, not a motion
    bool moving = d->pose_count > 2;
    for (int i = 0; i < d->pose_count; i++)
        moving = moving && d->poses[i].label == NULL;
    for (int i = 0; i < d->bones.link_count && moving; i++)
        if (d->bones.tip[i])
            draw_path(d, i, place, view);
}

/* ---- the view ----------------------------------------------------------- */

/* true when at rest no joint is lower than the root by more than a rod's thickness or two */
static bool is_mounted(const drawing *d)
{
    const lb_transform *links = lb_state_transforms(d->state);
    for (int i = 1; i < d->bones.link_count; i++)
        if (skeleton_parts(lb_model_joint(d->model, i - 1)) ||
            (d->bones.bone[i] && links[i].p.z < links[0].p.z - 0.08 * d->bones.extent))
            return false;
    return true;
}

static bool is_shaped(const lb_model *model)
{
    for (int i = 0; i < lb_model_link_count(model); i++)
        if (skeleton_has_shape(lb_model_link(model, i)))
            return true;
    return false;
}

/* what is known of the model at rest, before its poses are looked at */
static void look(drawing *d)
{
    double azimuth = d->what->azimuth, elevation = d->what->elevation;
    bool placed = !isnan(azimuth) || !isnan(elevation);
    d->mounted = is_mounted(d);

    // three quarters from the front, from a little above
    d->azimuth = isnan(azimuth) ? -0.92 : azimuth;
    d->elevation = isnan(elevation) ? 0.36 : elevation;
    const lb_transform *links = lb_state_transforms(d->state);
    d->in_space = placed || !planar_find(d->model, &d->bones, links, &d->plane);
    d->shaped = is_shaped(d->model);
}

lb_status drawing_start(drawing *d, const lb_model *model, const lb_drawing *what, lb_error *error)
{
    *d = (drawing){
        .model = model, .what = what, .poses = what->poses, .pose_count = what->pose_count};
    lb_status status = check(model, what, error);
    if (status)
        return status;
    d->neutral = malloc(((size_t)lb_model_nq(model) + 1) * sizeof *d->neutral);
    if (!d->neutral || !skeleton_make(&d->bones, model) ||
        lb_state_create(model, NULL, &d->state) != LB_OK)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to draw '%s'",
                            lb_model_name(model));
    if (d->pose_count == 0) {
        lb_configuration_neutral(model, d->neutral);
        d->rest = (lb_drawing_pose){.q = d->neutral, .strength = 1};
        d->poses = &d->rest;
        d->pose_count = 1;
    }
    look(d);
    return check_places(d, error);
}

void drawing_stop(drawing *d)
{
    if (d->state)
        lb_state_release(d->state);
    skeleton_release(&d->bones);
    free(d->neutral);
}
