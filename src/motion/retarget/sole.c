/*
 * sole.c - where a figure's sole is: the lowest points of a foot that stands flat, and of one that
 * is turned in any way.
 */

#include "base/error.h"
#include "motion/contacts.h"
#include "motion/retarget/figure.h"
#include "motion/retarget/plan.h"

#include <string.h>

/* points this near the lowest one are on the sole, metres: soles are a little rounded */
#define SOLE_THICKNESS 0.01

/* What of a foot is low. */
typedef struct sole {
    lb_vec3 forward, left;
    lb_vec3 lowest;                       /* the lowest point so far */
    bool any;                             /* there is one */
    int kind;                             /* of what the points are: see add_all */
    bool counting;                        /* the height is known: extents are gathered */
    double back, front, right, left_most; /* along forward and left */
    retarget_sole *parts;                 /* these are gathered instead; NULL: not */
    lb_transform inside;                  /* from the world to their link */
} sole;

/* a point of the foot in world axes */
static void add_point(sole *s, lb_vec3 p)
{
    if (!s->counting) {
        if (!s->any || p.z < s->lowest.z)
            s->lowest = p;
        s->any = true;
        return;
    }
    if (p.z > s->lowest.z + SOLE_THICKNESS)
        return;
    double along = lb_vec3_dot(p, s->forward), across = lb_vec3_dot(p, s->left);
    s->back = fmin(s->back, along), s->front = fmax(s->front, along);
    s->right = fmin(s->right, across), s->left_most = fmax(s->left_most, across);
}

/* a ball, or a disc about an axis; in world axes */
static void add_part(sole *s, lb_vec3 p, lb_vec3 axis, double radius)
{
    if (s->parts == NULL) {
        add_point(s, lb_vec3_add(p, lb_vec3_make(0, 0, -radius)));
        return;
    }
    // counted first, then stored
    if (s->parts->parts != NULL)
        s->parts->parts[s->parts->count] = (retarget_sole_part){
            lb_transform_point(&s->inside, p), lb_transform_direction(&s->inside, axis), radius};
    s->parts->count++;
    s->any = true;
}

/* balls of spheres and capsules, discs of cylinders (for the lowest point at rest their corners),
   corners of all else */
static void add_shape(sole *s, const lb_transform *link, const lb_geometry *shape)
{
    lb_transform at = lb_transform_multiply(link, &shape->origin);
    double r = shape->size.x;
    lb_vec3 half = lb_vec3_scale(shape->size, 0.5), none = {0, 0, 0};
    bool discs = shape->shape == LB_SHAPE_CYLINDER && s->parts != NULL;
    if (shape->shape == LB_SHAPE_MESH)
        return;
    if (shape->shape == LB_SHAPE_SPHERE)
        add_part(s, at.p, none, r);
    for (int end = -1; end <= 1 && (discs || shape->shape == LB_SHAPE_CAPSULE); end += 2)
        add_part(s, lb_transform_point(&at, lb_vec3_make(0, 0, end * half.z)), discs ? at.z : none,
                 r);
    if (shape->shape == LB_SHAPE_CYLINDER)
        half = lb_vec3_make(r, r, half.z);
    else if (shape->shape != LB_SHAPE_BOX)
        return;
    for (int corner = 0; corner < 8 && !discs; corner++)
        add_part(s,
                 lb_transform_point(&at, lb_vec3_make(corner & 1 ? half.x : -half.x,
                                                      corner & 2 ? half.y : -half.y,
                                                      corner & 4 ? half.z : -half.z)),
                 none, 0);
}
/* whether nothing moves a link against the foot */
static bool is_fixed_to(const lb_model *model, int foot, int link)
{
    for (; link > foot; link = lb_model_parent(model, link))
        if (lb_model_joint(model, link - 1)->kind != LB_JOINT_FIXED)
            return false;
    return link == foot;
}

static void add_shapes(sole *s, const lb_model *model, const lb_transform *at, int foot,
                       bool visuals)
{
    for (int i = foot; i >= 0; i = retarget_next_fixed(model, foot, i)) {
        const lb_link *link = lb_model_link(model, i);
        lb_transform data = lb_transform_multiply(&at[i], &link->data_offset);
        const lb_geometry *shapes = visuals ? link->visuals : link->collisions;
        int count = visuals ? link->visual_count : link->collision_count;
        for (int k = 0; k < count; k++)
            add_shape(s, &data, &shapes[k]);
    }
}

static const lb_mesh *find_mesh(const lb_looks *looks, const char *name)
{
    for (int i = 0; i < looks->mesh_count; i++)
        if (strcmp(looks->meshes[i].name, name) == 0)
            return &looks->meshes[i];
    return NULL;
}

/* what the foot, and what is fixed to it, look like: shapes as above, and points of meshes */
static void add_looks(sole *s, const lb_model *model, const lb_transform *at, int foot,
                      const lb_looks *looks)
{
    for (int i = 0; looks != NULL && i < looks->shape_count; i++) {
        const lb_link_shape *shape = &looks->shapes[i];
        const lb_geometry *g = &shape->geometry;
        if (!is_fixed_to(model, foot, shape->link))
            continue;
        lb_transform data = lb_transform_multiply(&at[shape->link],
                                                  &lb_model_link(model, shape->link)->data_offset);
        const lb_mesh *mesh = g->shape == LB_SHAPE_MESH ? find_mesh(looks, g->mesh) : NULL;
        add_shape(s, &data, g);
        lb_transform placed = lb_transform_multiply(&data, &g->origin);
        for (int k = 0; mesh != NULL && k < mesh->count; k++) {
            lb_vec3 p = mesh->points[k];
            p = lb_vec3_make(p.x * g->size.x, p.y * g->size.y, p.z * g->size.z);
            add_part(s, lb_transform_point(&placed, p), lb_vec3_make(0, 0, 0), 0);
        }
    }
}

/* a link that is fixed to the foot and has "sole" in its name */
static int find_named_sole(const lb_model *model, int foot)
{
    for (int i = foot; i >= 0; i = retarget_next_fixed(model, foot, i))
        if (retarget_name_has(lb_model_link(model, i)->name, "sole"))
            return i;
    return LB_NO_LINK;
}

/* an adult's sole: a thirteenth of the leg's length below the ankle, a tenth of it behind and a
   fifth before it */
static void assume_sole(sole *s, lb_vec3 below, double leg)
{
    s->lowest = below;
    double along = lb_vec3_dot(below, s->forward);
    s->back = along - 0.1 * leg, s->front = along + 0.2 * leg;
    s->right = s->left_most = lb_vec3_dot(below, s->left);
}

/* all points that say where the sole is: of shapes, of visuals, of what it looks like */
static void add_all(sole *s, const lb_model *model, const lb_transform *at, int foot, bool named,
                    const lb_looks *looks)
{
    enum { SHAPES, VISUALS, LOOKS, KINDS };
    bool counting = s->counting;
    // the first kind that has any points, of both rounds
    for (int kind = counting ? s->kind : SHAPES; kind < (named ? VISUALS : KINDS); kind++) {
        s->kind = kind;
        if (kind == LOOKS)
            add_looks(s, model, at, foot, looks);
        else
            add_shapes(s, model, at, foot, kind == VISUALS);
        if (counting || s->any)
            return;
    }
}

bool retarget_find_sole(const lb_model *model, const lb_transform *at, const lb_looks *looks,
                        const retarget_standing_foot *foot, lb_vec3 *heel, lb_vec3 *toe)
{
    lb_vec3 forward = foot->forward;
    sole s = {.forward = forward, .left = lb_vec3_cross(lb_vec3_make(0, 0, 1), forward)};
    int named = find_named_sole(model, foot->link);
    add_all(&s, model, at, foot->link, named >= 0, looks);
    s.counting = true;
    s.back = s.right = INFINITY, s.front = s.left_most = -INFINITY;
    if (s.any)
        add_all(&s, model, at, foot->link, named >= 0, looks);
    else if (named >= 0)
        assume_sole(&s, at[named].p, foot->leg);
    else
        assume_sole(&s, lb_vec3_sub(foot->ankle, lb_vec3_make(0, 0, foot->leg / 13)), foot->leg);
    if (foot->end != NULL && lb_vec3_dot(*foot->end, forward) > s.back)
        s.front = fmin(s.front, lb_vec3_dot(*foot->end, forward));
    lb_vec3 middle = lb_vec3_scale(s.left, 0.5 * (s.right + s.left_most));
    middle.z = s.lowest.z;
    *heel = lb_vec3_add(middle, lb_vec3_scale(forward, s.back));
    *toe = lb_vec3_add(middle, lb_vec3_scale(forward, s.front));
    lb_transform inside = lb_transform_inverse(&at[foot->link]);
    *heel = lb_transform_point(&inside, *heel);
    *toe = lb_transform_point(&inside, *toe);
    return s.any || named >= 0;
}

/* ---- turned feet ------------------------------------------------------------ */

lb_vec3 retarget_sole_point(const retarget_sole *foot, int index, lb_vec3 up)
{
    const retarget_sole_part *part = &foot->parts[index];
    lb_vec3 across = lb_vec3_sub(up, lb_vec3_scale(part->axis, lb_vec3_dot(part->axis, up)));
    double length = part->radius > 0 ? lb_vec3_length(across) : 0;
    if (!(length > 0))
        return part->at;
    return lb_vec3_sub(part->at, lb_vec3_scale(across, part->radius / length));
}

double retarget_sole_height(const retarget_sole *foot, const ground_plane *ground,
                            const lb_transform *link, lb_vec3 *lowest)
{
    double least = INFINITY;
    int part = -1;
    lb_vec3 up = retarget_along_link(link, ground->normal);
    for (int i = 0; foot != NULL && i < foot->count; i++) {
        const retarget_sole_part *p = &foot->parts[i];
        double height = lb_vec3_dot(p->at, up), along = lb_vec3_dot(p->axis, up);
        if (p->radius > 0)
            height -= p->radius * sqrt(fmax(0, 1 - along * along));
        if (height < least)
            least = height, part = i;
    }
    if (part >= 0)
        *lowest = retarget_sole_point(foot, part, up);
    return least + ground_distance(ground, link->p);
}

lb_status retarget_sole_create(const lb_model *model, const lb_transform *at, int link,
                               const lb_allocator *memory, retarget_sole *out)
{
    sole s = {.parts = out, .inside = lb_transform_inverse(&at[link])};
    bool named = find_named_sole(model, link) >= 0;
    *out = (retarget_sole){.count = 0};
    add_all(&s, model, at, link, named, NULL);
    out->parts = memory_take(memory, (size_t)out->count, sizeof *out->parts);
    out->count = 0;
    if (out->parts == NULL)
        return LB_OUT_OF_MEMORY;
    s.counting = true;
    add_all(&s, model, at, link, named, NULL);
    return LB_OK;
}
