/*
 * scene.c - from a pose to solids.
 *
 * Links that have shapes of their own are drawn as those. The others, most of
 * whose shapes are meshes in files of their own, become rods between joints;
 * hinges are drums about their axis, balls balls, slides sleeves with a rod.
 * Rods end at a drum's surface, so that no two solids run through each other
 * and the order from back to front is a true one.
 */
#include "figures/spatial.h"

#include <stdlib.h>

/* sizes of joints, in radii of the rod that ends there */
static const double drum_radius = 1.34, drum_length = 2.7, collar_length = 1.5, ball_radius = 1.3;
static const double flange_radius = 2.1, flange_height = 0.45, pedestal_radius = 1.5;

/* ---- growing lists of solids -------------------------------------------- */

void scene_add(scene *list, solid body)
{
    if (list->count == list->room && !list->out_of_memory) {
        int room = list->room ? 2 * list->room : 64;
        solid *at = realloc(list->at, (size_t)room * sizeof *at);
        list->out_of_memory = !at;
        if (at) {
            list->at = at;
            list->room = room;
        }
    }
    if (list->count < list->room)
        list->at[list->count++] = body;
}

double scene_lowest(const scene *list, const solid_ground *slope)
{
    double low = INFINITY;
    for (int i = 0; i < list->count; i++)
        low = fmin(low, solid_lowest(&list->at[i], slope));
    return low;
}

/* ---- a pose at work ----------------------------------------------------- */

/* what a pose is painted with; several labelled poses differ by colour */
typedef struct coat {
    figure_color link, hub, cap, base;
    double tint; /* how far a visual's own colour goes towards the pose's */
} coat;

typedef struct builder {
    const drawing *d;
    const lb_transform *links; /* T_world_link */
    scene *out;
    coat paint;
} builder;

static coat coat_of(const drawing *d, int pose)
{
    static const figure_color metal = {0.85, 0.865, 0.885, 1}, iron = {0.50, 0.53, 0.58, 1};
    figure_color accent = drawing_color(d, pose);
    return (coat){.link = figure_mix(metal, accent, 0.16),
                  .hub = figure_mix(metal, accent, 0.72),
                  .cap = accent,
                  .base = figure_mix(iron, accent, 0.10),
                  .tint = drawing_is_natural(d, pose) ? 0 : 0.45};
}

static bool is_shaped(const builder *b, int link)
{
    return skeleton_has_shape(lb_model_link(b->d->model, link));
}

static double distance(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_sub(a, b));
}

/* the point `distance` from a along the unit vector u */
static lb_vec3 along(lb_vec3 a, lb_vec3 u, double distance)
{
    return lb_vec3_add(a, lb_vec3_scale(u, distance));
}

/* ---- joints ------------------------------------------------------------- */

typedef enum hub_shape { HUB_NONE, HUB_DRUM, HUB_BALL } hub_shape;

/* a joint as it stands in a pose, and what is drawn of it */
typedef struct hub {
    lb_vec3 parent; /* origin of the parent link */
    lb_vec3 elbow;  /* where the rod turns into the joint's axis; `parent` if it is straight */
    lb_vec3 origin; /* of the joint at rest */
    lb_transform frame;
    lb_vec3 axis; /* unit */
    hub_shape shape;
    bool rolls; /* turns the rod it ends about itself: a collar in the rod's middle */
    lb_vec3 center;
    double radius, length;
} hub;

static bool is_hinge(const lb_joint *joint)
{
    return joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS;
}

/*
 * A link between two hinges is bent along the common normal of their axes, as
 * Denavit and Hartenberg drew it, where the offset along the second axis is long
 * enough to matter.
 */
static lb_vec3 find_elbow(const hub *h)
{
    double offset = lb_vec3_dot(lb_vec3_sub(h->origin, h->parent), h->axis);
    double length = distance(h->origin, h->parent);
    lb_vec3 foot = along(h->origin, h->axis, -offset);
    bool bent = fabs(offset) > 0.25 * length && distance(foot, h->parent) > 0.1 * length;
    return bent ? foot : h->parent;
}

static void shape_hinge(hub *h, double rod)
{
    lb_vec3 displacement = lb_vec3_sub(h->origin, h->elbow);
    double length = lb_vec3_length(displacement);
    h->shape = HUB_DRUM;
    h->rolls = length > 4 * rod && fabs(lb_vec3_dot(displacement, h->axis)) > 0.999 * length;
    h->center = h->rolls ? along(h->origin, displacement, -0.5) : h->origin;
    h->radius = drum_radius * rod;
    h->length = (h->rolls ? collar_length : drum_length) * rod;
}

/* a figure on a base has a flange there; one that stands on its own has its root in the air */
static hub flange_of(const builder *b)
{
    const lb_transform *root = &b->links[0];
    double r = b->d->bones.radius[0], height = flange_height * r;
    hub h = {.shape = HUB_NONE};
    if (b->d->mounted && !is_shaped(b, 0))
        h = (hub){.shape = HUB_DRUM,
                  .center = along(root->p, root->z, 0.5 * height),
                  .axis = root->z,
                  .radius = flange_radius * r,
                  .length = height};
    return h;
}

/* a drum that would sink into the flange stands on it */
static void stand_on(hub *h, const hub *flange)
{
    double parallel = lb_vec3_dot(h->axis, flange->axis);
    lb_vec3 from = lb_vec3_sub(h->center, flange->center);
    double up = lb_vec3_dot(from, flange->axis);
    double least = 0.5 * (flange->length + h->length);
    double beside = lb_vec3_length(lb_vec3_sub(from, lb_vec3_scale(flange->axis, up)));
    if (fabs(parallel) > 0.999 && beside < flange->radius && fabs(up) < least)
        h->center = along(h->center, flange->axis, least - up);
}

/* link > 0 */
static hub hub_of(const builder *b, int link, const hub *flange)
{
    const lb_joint *joint = lb_model_joint(b->d->model, link - 1);
    const lb_transform *parent = &b->links[lb_model_parent(b->d->model, link)];
    double rod = b->d->bones.radius[link];
    hub h = {.frame = lb_transform_multiply(parent, &joint->placement), .parent = parent->p};
    bool floats = joint->kind == LB_JOINT_FLOATING;
    h.origin = h.center = floats ? b->links[link].p : h.frame.p;
    h.axis = lb_transform_direction(&h.frame, joint->axis);
    h.elbow = h.parent;
    if (is_hinge(joint)) {
        h.elbow = find_elbow(&h);
        shape_hinge(&h, rod);
        if (flange->shape != HUB_NONE && !h.rolls)
            stand_on(&h, flange);
    } else if (floats || joint->kind == LB_JOINT_BALL || joint->kind == LB_JOINT_UNIVERSAL) {
        h.shape = HUB_BALL;
        h.radius = ball_radius * rod;
    }
    return h;
}

/* the hub that a link's own rods begin at; links fixed upon the flange begin at that */
static hub hub_before(const builder *b, int link, const hub *flange)
{
    const hub none = {.shape = HUB_NONE};
    if (distance(b->links[link].p, b->links[0].p) < flange->length)
        return link > 0 && skeleton_moves(lb_model_joint(b->d->model, link - 1))
                   ? hub_of(b, link, flange)
                   : *flange;
    return link > 0 && b->d->bones.bone[link] ? hub_of(b, link, flange) : none;
}

/*
 * How far from a point on a hub's axis its surface is in direction u, a little
 * less so that no gap shows; of a ball, to where a rod's rim would pierce it.
 */
static double hub_reach(const hub *h, lb_vec3 from, lb_vec3 u)
{
    const double overlap = 0.97, pierced = 0.85;
    if (h->shape == HUB_NONE || h->rolls)
        return 0;
    if (h->shape == HUB_BALL)
        return pierced * h->radius;
    double c = lb_vec3_dot(u, h->axis), s = sqrt(fmax(0, 1 - c * c));
    double offset = lb_vec3_dot(lb_vec3_sub(from, h->center), h->axis);
    double wall = s > 0 ? h->radius / s : INFINITY;
    double end = c != 0 ? (0.5 * h->length - (c > 0 ? offset : -offset)) / fabs(c) : INFINITY;
    return overlap * fmax(0, fmin(wall, end));
}

static void add_drum(builder *b, const hub *h, figure_color wall, figure_color cap)
{
    scene_add(b->out, (solid){.kind = SOLID_ROD,
                              .a = along(h->center, h->axis, -0.5 * h->length),
                              .b = along(h->center, h->axis, 0.5 * h->length),
                              .radius_a = h->radius,
                              .radius_b = h->radius,
                              .flat_a = true,
                              .flat_b = true,
                              .color = wall,
                              .cap = cap});
}

/* ---- rods --------------------------------------------------------------- */

/* one straight piece of a link */
typedef struct piece {
    lb_vec3 a, b;
    double radius_a, radius_b;
    double cut_a, cut_b; /* what hubs take of its ends, which are flat then */
} piece;

static void add_piece(builder *b, const piece *p)
{
    double length = distance(p->a, p->b), rest = length - p->cut_a - p->cut_b;
    if (rest <= 1e-3 * (p->radius_a + p->radius_b))
        return;
    lb_vec3 u = lb_vec3_scale(lb_vec3_sub(p->b, p->a), 1 / length);
    double slope = (p->radius_b - p->radius_a) / length;
    scene_add(b->out, (solid){.kind = SOLID_ROD,
                              .a = along(p->a, u, p->cut_a),
                              .b = along(p->b, u, -p->cut_b),
                              .radius_a = p->radius_a + slope * p->cut_a,
                              .radius_b = p->radius_b - slope * p->cut_b,
                              .flat_a = p->cut_a > 0,
                              .flat_b = p->cut_b > 0,
                              .color = b->paint.link});
}

/* a piece with a collar in its middle is two */
static void add_rolled(builder *b, piece p, const hub *h)
{
    double half = 0.5 * distance(p.a, p.b) - 0.5 * h->length;
    double middle = 0.5 * (p.radius_a + p.radius_b);
    double whole = 2 * half + h->length;
    lb_vec3 u = lb_vec3_scale(lb_vec3_sub(p.b, p.a), 1 / whole);
    piece lower = p, upper = p;
    lower.b = along(p.a, u, whole * 0.5);
    lower.radius_b = middle;
    lower.cut_b = 0.49 * h->length;
    upper.a = lower.b;
    upper.radius_a = middle;
    upper.cut_a = lower.cut_b;
    add_piece(b, &lower);
    add_piece(b, &upper);
}

static lb_vec3 direction(lb_vec3 from, lb_vec3 to)
{
    return lb_vec3_normalize(lb_vec3_sub(to, from), lb_vec3_make(0, 0, 1));
}

/* the rods of the parent link that lead to a joint, `before` being the parent's own joint */
static void add_rods(builder *b, int link, const hub *h, const hub *before)
{
    const skeleton *s = &b->d->bones;
    double to = s->radius[link];
    double from = fmin(s->radius[lb_model_parent(b->d->model, link)], 1.6 * to);
    double first = distance(h->parent, h->elbow), second = distance(h->elbow, h->origin);
    if (first + second <= 0)
        return;
    double middle = from + (to - from) * first / (first + second);
    lb_vec3 ahead = direction(h->parent, first > 0 ? h->elbow : h->origin);
    double start = hub_reach(before, h->parent, ahead);
    double end = hub_reach(h, h->origin, direction(h->origin, h->elbow));

    // up to the elbow, then from there; or all in one
    if (first > 0)
        add_piece(b, &(piece){h->parent, h->elbow, from, middle, start, 0});
    piece last = {h->elbow, h->origin, middle, to, first > 0 ? 0 : start, end};
    if (h->rolls)
        add_rolled(b, last, h);
    else
        add_piece(b, &last);
}

/* ---- slides ------------------------------------------------------------- */

/* a square sleeve at rest and the rod that has come out of it; the last of a chain is a finger */
static void add_slide(builder *b, int link, const hub *h)
{
    double r = b->d->bones.radius[link];
    lb_vec3 to = b->links[link].p, forward = direction(h->parent, h->origin);
    bool finger = b->d->bones.tip[link] && fabs(lb_vec3_dot(forward, h->axis)) < 0.5;

    // the box stands square to the frame it is placed in
    lb_transform frame = {.z = h->axis, .p = h->origin};
    lb_vec3 side = lb_vec3_cross(h->axis, forward);
    frame.x = lb_vec3_normalize(side, lb_vec3_perpendicular(h->axis));
    frame.y = lb_vec3_cross(frame.z, frame.x);
    scene_add(b->out, (solid){.kind = SOLID_BOX,
                              .frame = frame,
                              .size = {2.5 * r, 2.5 * r, finger ? 2.5 * r : 3.4 * r},
                              .color = b->paint.hub});
    add_piece(b, &(piece){h->origin, to, 0.75 * r, 0.75 * r, 0, 0});
    if (finger)
        add_piece(b, &(piece){to, along(to, forward, 4.5 * r), 0.8 * r, 0.6 * r, 0, 0});
}

static void add_joint(builder *b, int link, const hub *h)
{
    const lb_joint *joint = lb_model_joint(b->d->model, link - 1);
    if (joint->kind == LB_JOINT_PRISMATIC)
        add_slide(b, link, h);
    else if (h->shape == HUB_DRUM)
        add_drum(b, h, b->paint.hub, b->paint.cap);
    else if (h->shape == HUB_BALL)
        scene_add(b->out, (solid){.kind = SOLID_BALL,
                                  .a = h->center,
                                  .radius_a = h->radius,
                                  .color = b->paint.hub});
}

/* ---- visuals ------------------------------------------------------------ */

/* a shape as a solid, without a colour; false: a mesh, which is not drawn */
static bool make_solid(const lb_transform *data, const lb_geometry *visual, solid *out)
{
    lb_transform t = lb_transform_multiply(data, &visual->origin);
    double half = 0.5 * visual->size.z, radius = visual->size.x;
    solid body = {.kind = SOLID_ROD, .frame = t, .radius_a = radius, .radius_b = radius};
    body.a = along(t.p, t.z, -half);
    body.b = along(t.p, t.z, half);
    switch (visual->shape) {
    case LB_SHAPE_BOX:
        body.kind = SOLID_BOX;
        body.size = visual->size;
        break;
    case LB_SHAPE_CYLINDER:
        body.flat_a = body.flat_b = true;
        break;
    case LB_SHAPE_CAPSULE:
        break;
    case LB_SHAPE_SPHERE:
        body.kind = SOLID_BALL;
        body.a = t.p;
        break;
    case LB_SHAPE_MESH:
        return false;
    }
    *out = body;
    return true;
}

static void add_visual(builder *b, const lb_transform *data, const lb_geometry *visual)
{
    const double *c = visual->color;
    solid body;
    if (!make_solid(data, visual, &body))
        return;
    body.color = c[3] > 0 ? (figure_color){c[0], c[1], c[2], 1} : b->paint.link;
    body.color = figure_mix(body.color, b->paint.cap, b->paint.tint);
    scene_add(b->out, body);
}

void scene_add_obstacles(scene *list, const drawing *d)
{
    const lb_transform world = LB_TRANSFORM_IDENTITY;
    for (int i = 0; d->what->scene && i < d->what->scene->obstacle_count; i++) {
        const lb_geometry *shape = &d->what->scene->obstacles[i].geometry;
        solid body;
        if (!drawing_has_obstacle(d, shape) || !make_solid(&world, shape, &body))
            continue;
        body.color = drawing_scene_color(shape);
        scene_add(list, body);
    }
}

static void add_visuals(builder *b, int link)
{
    const lb_link *l = lb_model_link(b->d->model, link);
    lb_transform data = lb_transform_multiply(&b->links[link], &l->data_offset);
    for (int i = 0; i < l->visual_count; i++)
        add_visual(b, &data, &l->visuals[i]);
}

/* ---- poses -------------------------------------------------------------- */

/* the lowest that the base itself reaches: its origin, or its shapes' lowest point */
static double base_height(builder *b)
{
    scene shapes = {0};
    scene *out = b->out;
    b->out = &shapes;
    add_visuals(b, 0);
    b->out = out;
    double low = scene_lowest(&shapes, &(solid_ground){0});
    out->out_of_memory = out->out_of_memory || shapes.out_of_memory;
    free(shapes.at);
    return fmin(low, b->links[0].p.z);
}

void scene_add_pedestal(scene *list, const drawing *d, double ground)
{
    builder b = {d, lb_state_transforms(d->state), list, coat_of(d, 0)};
    double r = d->bones.radius[0], top = base_height(&b);
    if (!d->mounted || top - ground < 0.5 * flange_height * r)
        return;
    lb_vec3 root = b.links[0].p;
    scene_add(list, (solid){.kind = SOLID_ROD,
                            .a = {root.x, root.y, ground},
                            .b = {root.x, root.y, top},
                            .radius_a = pedestal_radius * r,
                            .radius_b = pedestal_radius * r,
                            .flat_a = true,
                            .flat_b = true,
                            .color = b.paint.base});
}

void scene_add_pose(scene *list, const drawing *d, int pose)
{
    lb_state_update(d->state, d->poses[pose].q);
    builder b = {d, lb_state_transforms(d->state), list, coat_of(d, pose)};
    hub flange = flange_of(&b);
    if (flange.shape != HUB_NONE)
        add_drum(&b, &flange, b.paint.base, b.paint.base);
    for (int i = 0; i < d->bones.link_count; i++) {
        add_visuals(&b, i);
        if (!d->bones.bone[i])
            continue;
        int parent = lb_model_parent(d->model, i);
        bool shaped = is_shaped(&b, parent);
        hub h = hub_of(&b, i, &flange), before = hub_before(&b, parent, &flange);
        if (!shaped)
            add_rods(&b, i, &h, &before);
        if (!shaped || !is_shaped(&b, i))
            add_joint(&b, i, &h);
    }
}
