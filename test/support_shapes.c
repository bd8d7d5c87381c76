/*
 * support_shapes.c - models that collide, and distances that share only the measuring of two shapes
 * with lb_collision.
 */
#include "support_shapes.h"

enum { MOST_SHAPES = 4 };

/* ---- shapes ------------------------------------------------------------- */

/* from the link's origin to p */
static lb_geometry capsule_to(lb_vec3 p, double radius)
{
    double length = lb_vec3_length(p);
    lb_geometry capsule = {
        .shape = LB_SHAPE_CAPSULE, .origin = LB_TRANSFORM_IDENTITY, .size = {radius, 0, length}};
    lb_transform *at = &capsule.origin;
    at->z = lb_vec3_scale(p, 1 / length);
    at->x = lb_vec3_perpendicular(at->z);
    at->y = lb_vec3_cross(at->z, at->x);
    at->p = lb_vec3_scale(p, 0.5);
    return capsule;
}

static int add_shapes(const lb_model *model, int link, double radius, lb_geometry *shapes)
{
    int count = 0;
    for (int i = 1; i < lb_model_link_count(model) && count < MOST_SHAPES; i++) {
        lb_vec3 to = lb_model_joint(model, i - 1)->placement.p;
        if (lb_model_parent(model, i) == link && lb_vec3_length(to) > 0.02)
            shapes[count++] = capsule_to(to, radius);
    }
    if (count == 0)
        shapes[count++] = (lb_geometry){
            .shape = LB_SHAPE_SPHERE, .origin = LB_TRANSFORM_IDENTITY, .size = {radius, 0, 0}};
    return count;
}

lb_model *test_with_capsules(const lb_model *model, double radius)
{
    size_t n = (size_t)lb_model_link_count(model);
    owned lb_link *links = calloc(n, sizeof *links);
    owned lb_joint *joints = calloc(n, sizeof *joints);
    owned lb_geometry *shapes = calloc(n * MOST_SHAPES, sizeof *shapes);
    assert_true(links && joints && shapes);
    for (size_t i = 0; i < n; i++) {
        lb_geometry *own = shapes + i * MOST_SHAPES;
        links[i] = *lb_model_link(model, (int)i);
        links[i].collisions = own;
        links[i].collision_count = add_shapes(model, (int)i, radius, own);
        if (i > 0)
            joints[i - 1] = *lb_model_joint(model, (int)i - 1);
    }
    lb_model_source source = {.name = lb_model_name(model),
                              .root = lb_model_root(model),
                              .links = links,
                              .link_count = (int)n,
                              .joints = joints,
                              .joint_count = (int)n - 1};
    lb_model *made = test_build(&source);
    return made;
}

/* ---- distances ---------------------------------------------------------- */

/* shape k of a body, in the world */
static lb_geometry shape_at(const lb_model *model, const lb_scene *scene, const lb_transform *links,
                            int body, int k)
{
    int count = lb_model_link_count(model);
    if (body >= count)
        return scene->obstacles[body - count].geometry;
    lb_geometry shape = lb_model_link(model, body)->collisions[k];
    shape.origin = lb_transform_multiply(&links[body], &shape.origin);
    return shape;
}

double test_least_distance(const lb_model *model, const lb_collision *collision,
                           const lb_scene *scene, const double *q)
{
    owned lb_transform *links = calloc((size_t)lb_model_link_count(model), sizeof *links);
    assert_non_null(links);
    test_forward(model, q, links);
    double least = INFINITY;
    for (int i = 0; i < lb_collision_pair_count(collision); i++) {
        int a, b;
        if (lb_collision_pair_at(collision, i, &a, &b) != LB_PAIR_CHECKED)
            continue;
        for (int k = 0; k < lb_collision_body_shapes(collision, a); k++)
            for (int n = 0; n < lb_collision_body_shapes(collision, b); n++) {
                lb_geometry x = shape_at(model, scene, links, a, k);
                lb_geometry y = shape_at(model, scene, links, b, n);
                lb_proximity nearest;
                least = fmin(least, lb_geometry_distance(&x, NULL, &y, NULL, &nearest));
            }
    }
    return least;
}
