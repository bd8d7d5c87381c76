/*
 * fuzz_collision.c - distances of extreme shapes: refused with a message, or points, normals and
 * depths that agree with each other, the same for one configuration and for many.
 */
#include "chain.h"

#include <limber/collision.h>

#include <string.h>

enum { MOST_NQ = 64, MOST_POINTS = 12, MOST_OBSTACLES = 3, MOST_NEAR = 64, ROWS = 3 };

static lb_vec3 point_of(fuzz_bytes *bytes)
{
    lb_vec3 p = {fuzz_number_within(bytes, LB_LENGTH_MAX), 0, 0};
    p.y = fuzz_number_within(bytes, LB_LENGTH_MAX);
    p.z = fuzz_number_within(bytes, LB_LENGTH_MAX);
    return p;
}

/* ---- what is promised of every result ---------------------------------------- */

static void check_nearest(const lb_proximity *n, double size)
{
    if (n->distance == INFINITY)
        return;
    FUZZ_CHECK(isfinite(n->distance) && fabs(lb_vec3_length(n->normal) - 1) < 1e-9);
    FUZZ_CHECK(lb_vec3_is_finite(n->point_a) && lb_vec3_is_finite(n->point_b));
    // point_b - point_a = distance * normal, to the rounding of shapes of this size
    lb_vec3 along = {n->distance * n->normal.x, n->distance * n->normal.y,
                     n->distance * n->normal.z};
    lb_vec3 off = lb_vec3_sub(lb_vec3_sub(n->point_b, n->point_a), along);
    double most =
        fmax(fabs(n->distance), fmax(lb_vec3_length(n->point_a), lb_vec3_length(n->point_b)));
    FUZZ_CHECK(lb_vec3_length(off) <= 1e-6 * (most + size) + 1e-300);
}

/* how far a shape goes from the origin of its body, and so what its distances are rounded to */
static double size_of(const lb_geometry *shape, const lb_mesh *mesh)
{
    double farthest = 1;
    for (int i = 0; shape->shape == LB_SHAPE_MESH && i < mesh->count; i++)
        farthest = fmax(farthest, lb_vec3_length(mesh->points[i]));
    return lb_vec3_length(shape->origin.p) + farthest * lb_vec3_length(shape->size);
}

/* of two shapes, and of the same two the other way round */
static void check_shapes(fuzz_bytes *bytes)
{
    lb_vec3 points[2][MOST_POINTS];
    lb_mesh meshes[2];
    lb_geometry shapes[2];
    for (int i = 0; i < 2; i++) {
        shapes[i] = fuzz_geometry(bytes);
        meshes[i] = (lb_mesh){"m", points[i], 1 + fuzz_choice(bytes, MOST_POINTS)};
        for (int k = 0; k < meshes[i].count; k++)
            points[i][k] = point_of(bytes);
    }
    double size = fmax(size_of(&shapes[0], &meshes[0]), size_of(&shapes[1], &meshes[1]));
    // what a model would refuse
    if (size > LB_LENGTH_MAX)
        return;
    lb_proximity there, back;
    double a = lb_geometry_distance(&shapes[0], &meshes[0], &shapes[1], &meshes[1], &there);
    double b = lb_geometry_distance(&shapes[1], &meshes[1], &shapes[0], &meshes[0], &back);
    FUZZ_CHECK(a == there.distance && b == back.distance);
    check_nearest(&there, size);
    check_nearest(&back, size);
}

/* ---- a model in a scene ------------------------------------------------------- */

static lb_collision *collision_of(fuzz_bytes *bytes, const lb_model *model, double *size)
{
    lb_vec3 points[MOST_POINTS];
    lb_obstacle obstacles[MOST_OBSTACLES];
    lb_mesh mesh = {"m", points, 1 + fuzz_choice(bytes, MOST_POINTS)};
    int links = lb_model_link_count(model);
    for (int i = 0; i < mesh.count; i++)
        points[i] = point_of(bytes);
    lb_scene scene = {obstacles, fuzz_choice(bytes, MOST_OBSTACLES + 1)};
    *size = 0;
    for (int i = 0; i < scene.obstacle_count; i++) {
        obstacles[i] = (lb_obstacle){"o", fuzz_geometry(bytes)};
        *size = fmax(*size, size_of(&obstacles[i].geometry, &mesh));
    }
    const lb_link_pair pair = {fuzz_choice(bytes, links), fuzz_choice(bytes, links)};
    const lb_link_shape shape = {fuzz_choice(bytes, links), fuzz_geometry(bytes)};
    lb_collision_options options = lb_collision_options_default();
    options.meshes = &mesh;
    options.mesh_count = fuzz_choice(bytes, 2);
    options.allow_missing = fuzz_choice(bytes, 2) == 1;
    options.fit = (lb_mesh_fit)fuzz_choice(bytes, 2);
    options.stand_ins = &shape;
    options.stand_in_count = fuzz_choice(bytes, 2);
    options.disabled = &pair;
    options.disabled_count = fuzz_choice(bytes, 2);
    options.samples = fuzz_choice(bytes, 4) == 0 ? 8 : 0;
    options.skip_never = fuzz_choice(bytes, 4) == 0;
    options.skip_rest = fuzz_choice(bytes, 4) == 0;
    if (fuzz_choice(bytes, 2)) {
        options.always = fuzz_number(bytes);
        options.margin = fuzz_number(bytes);
    }
    *size = fmax(*size, size_of(&shape.geometry, &mesh));
    for (int i = 0; i < links; i++)
        for (int k = 0; k < lb_model_link(model, i)->collision_count; k++)
            *size = fmax(*size, size_of(&lb_model_link(model, i)->collisions[k], &mesh));
    lb_collision *collision = NULL;
    lb_error error = {0};
    lb_status status = lb_collision_create(model, &scene, &options, NULL, &collision, &error);
    FUZZ_CHECK((status == LB_OK) == (collision != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    const double zero[MOST_NQ] = {0};
    if (collision != NULL && lb_collision_free(collision, zero))
        FUZZ_CHECK(lb_collision_distance(collision, zero, NULL) >
                   options.margin - 1e-6 * *size - 1e-300);
    return collision;
}

/* every pair, its state and its bodies */
static void check_pairs(const lb_collision *collision)
{
    int bodies = lb_collision_body_count(collision), a, b;
    for (int i = 0; i < bodies; i++)
        FUZZ_CHECK(lb_collision_body_name(collision, i) != NULL &&
                   lb_collision_body_shapes(collision, i) >= 0);
    for (int i = 0; i < lb_collision_pair_count(collision); i++) {
        lb_pair_state state = lb_collision_pair_at(collision, i, &a, &b);
        FUZZ_CHECK(state < LB_PAIR_STATE_COUNT && a >= 0 && a < b && b < bodies);
    }
}

static void measure(lb_collision *collision, const lb_model *model, fuzz_bytes *bytes, double size)
{
    double q[ROWS * MOST_NQ], gradient[MOST_NQ];
    lb_proximity nearest[ROWS], one, near[MOST_NEAR];
    int nq = lb_model_nq(model);
    for (int row = 0; row < ROWS; row++) {
        fuzz_configuration(bytes, model, q + row * nq);
        // places stay within what a model may have
        lb_configuration_clamp(model, q + row * nq, q + row * nq);
        for (int i = 0; i < nq; i++)
            if (!(fabs(q[row * nq + i]) <= LB_LENGTH_MAX))
                q[row * nq + i] = 0;
    }
    lb_collision_batch(collision, q, 0, ROWS, nearest);
    for (int row = ROWS - 1; row >= 0; row--) {
        double d = lb_collision_distance(collision, q + row * nq, &one);
        FUZZ_CHECK(d == one.distance && d == nearest[row].distance &&
                   one.body_a == nearest[row].body_a && one.body_b == nearest[row].body_b);
        check_nearest(&one, size);
        if (one.body_a < 0)
            continue;
        FUZZ_CHECK(one.body_a < one.body_b);
        lb_collision_gradient(collision, &one, gradient);
        int found = lb_collision_near(collision, q + row * nq, d, MOST_NEAR, near);
        FUZZ_CHECK(found >= 1);
        for (int i = 0; i < found && i < MOST_NEAR; i++)
            FUZZ_CHECK(near[i].distance == d);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    if (fuzz_choice(&bytes, 2)) {
        check_shapes(&bytes);
        return 0;
    }
    lb_model *model = fuzz_chain(&bytes);
    if (model && lb_model_nq(model) <= MOST_NQ) {
        double extent;
        lb_collision *collision = collision_of(&bytes, model, &extent);
        if (collision != NULL) {
            check_pairs(collision);
            measure(collision, model, &bytes, extent);
        }
        lb_collision_release(collision);
    }
    lb_model_release(model);
    return 0;
}
