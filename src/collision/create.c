/*
 * create.c - lb_collision_create: check, allocate once, fill, decide the pairs.
 */
#include "collision/layout.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/geometry.h"
#include "model/range.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

const char *lb_pair_state_text(lb_pair_state state)
{
    static const char *const texts[] = {LB_PAIR_LIST(LIST_TEXT)};
    bool known = (int)state >= 0 && state < LB_PAIR_STATE_COUNT;
    return known ? texts[state] : "unknown";
}

static const char *const fits[] = {LB_MESH_FIT_LIST(LIST_TEXT)};

const char *lb_mesh_fit_text(lb_mesh_fit fit)
{
    return (unsigned)fit < LB_MESH_FIT_COUNT ? fits[fit] : "unknown";
}

lb_mesh_fit lb_mesh_fit_find(const char *text)
{
    int fit = 0;
    while (fit < LB_MESH_FIT_COUNT && strcmp(fits[fit], text) != 0)
        fit++;
    return (lb_mesh_fit)fit;
}

lb_collision_options lb_collision_options_default(void)
{
    return (lb_collision_options){.samples = 1000};
}

/* ---- what is given ------------------------------------------------------ */

/* A model, a scene and the options while a collision is made of them. */
typedef struct builder {
    const lb_model *model;
    lb_scene scene;
    lb_collision_options options;
    lb_error *error;
    double *work; /* of fits to meshes */
} builder;

static const lb_mesh *find_mesh(const builder *b, const char *name)
{
    for (int i = 0; i < b->options.mesh_count; i++)
        if (strcmp(b->options.meshes[i].name, name) == 0)
            return &b->options.meshes[i];
    return NULL;
}

static lb_status check_mesh(const builder *b, const lb_mesh *mesh)
{
    if (mesh->name == NULL || mesh->points == NULL || mesh->count < 1)
        return REFUSE_ARGUMENT(b->error, "a mesh without a name or without points");
    for (int i = 0; i < mesh->count; i++)
        if (!range_has_point(mesh->points[i]))
            return REFUSE_VALUE(b->error, "mesh '%s': point %d is not finite or farther than %g m",
                                mesh->name, i + 1, LB_LENGTH_MAX);
    return LB_OK;
}

/* whether the mesh of a shape, if it is one, is there, and stays in range with its scale */
static lb_status check_mesh_of(const builder *b, const geometry_place *at,
                               const lb_geometry *geometry)
{
    if (geometry->shape != LB_SHAPE_MESH)
        return LB_OK;
    const lb_mesh *mesh = find_mesh(b, geometry->mesh);
    const char *list = at->list == NULL ? "" : ": collision shape";
    if (mesh == NULL && !b->options.allow_missing)
        return lb_error_set(b->error, LB_NOT_FOUND, 0,
                            "%s '%s'%s: mesh '%s' is not among the options' meshes; give it or "
                            "set allow_missing",
                            at->kind, at->owner, list, geometry->mesh);
    lb_vec3 s = geometry->size;
    for (int i = 0; mesh != NULL && i < mesh->count; i++) {
        lb_vec3 p = mesh->points[i];
        if (!range_has_point(lb_vec3_make(p.x * s.x, p.y * s.y, p.z * s.z)))
            return REFUSE_VALUE(b->error, "%s '%s'%s: mesh '%s' is larger than %g m with its scale",
                                at->kind, at->owner, list, geometry->mesh, LB_LENGTH_MAX);
    }
    return LB_OK;
}

static lb_status check_obstacle(const builder *b, int i)
{
    const lb_obstacle *obstacle = &b->scene.obstacles[i];
    if (obstacle->name == NULL || obstacle->name[0] == '\0')
        return REFUSE_ARGUMENT(b->error, "obstacle %d has no name", i + 1);
    if (text_has_control(obstacle->name))
        return REFUSE_MODEL(b->error, "obstacle %d: its name has a control character", i + 1);
    geometry_place place = {"obstacle", obstacle->name, NULL, 0, 0};
    lb_status status = geometry_check(&place, &obstacle->geometry, b->error);
    return status != LB_OK ? status : check_mesh_of(b, &place, &obstacle->geometry);
}

static lb_status check_link(const builder *b, const lb_link *link)
{
    geometry_place place = {"link", link->name, "collision", 0, 0};
    for (int i = 0; i < link->collision_count; i++)
        TRY(check_mesh_of(b, &place, &link->collisions[i]));
    return LB_OK;
}

static lb_status check_stand_in(const builder *b, int i)
{
    const lb_link_shape *shape = &b->options.stand_ins[i];
    if (shape->link < 0 || shape->link >= lb_model_link_count(b->model))
        return REFUSE_ARGUMENT(b->error, "stand-in %d is of link %d; there are %d", i + 1,
                               shape->link, lb_model_link_count(b->model));
    geometry_place place = {"link", lb_model_link(b->model, shape->link)->name, "stand-in", 0, 0};
    lb_status status = geometry_check(&place, &shape->geometry, b->error);
    return status != LB_OK ? status : check_mesh_of(b, &place, &shape->geometry);
}

static lb_status check_disabled(const builder *b)
{
    int links = lb_model_link_count(b->model);
    for (int i = 0; i < b->options.disabled_count; i++) {
        lb_link_pair pair = b->options.disabled[i];
        if (pair.a < 0 || pair.b < 0 || pair.a >= links || pair.b >= links)
            return REFUSE_ARGUMENT(b->error, "disabled pair %d has links %d and %d; there are %d",
                                   i + 1, pair.a, pair.b, links);
    }
    return LB_OK;
}

static lb_status check_options(const builder *b)
{
    const lb_collision_options *options = &b->options;
    bool lists = (options->mesh_count == 0 || options->meshes != NULL) &&
                 (options->disabled_count == 0 || options->disabled != NULL) &&
                 (options->stand_in_count == 0 || options->stand_ins != NULL) &&
                 (b->scene.obstacle_count == 0 || b->scene.obstacles != NULL);
    bool counts = options->mesh_count >= 0 && options->disabled_count >= 0 &&
                  options->stand_in_count >= 0 && b->scene.obstacle_count >= 0;
    if (!lists || !counts)
        return REFUSE_ARGUMENT(b->error,
                               "a list is NULL but its count is not 0, or a count is below 0");
    if (options->samples < 0 || options->samples > LB_COLLISION_SAMPLES_MAX)
        return REFUSE_VALUE(b->error, "samples %d must be 0 to %d", options->samples,
                            LB_COLLISION_SAMPLES_MAX);
    if (!(options->margin >= 0 && options->margin <= LB_LENGTH_MAX))
        return REFUSE_VALUE(b->error, "margin %g must be 0 to %g", options->margin, LB_LENGTH_MAX);
    if (!(options->always >= 0 && options->always <= LB_LENGTH_MAX))
        return REFUSE_VALUE(b->error, "always %g must be 0 to %g", options->always, LB_LENGTH_MAX);
    if ((unsigned)options->fit >= LB_MESH_FIT_COUNT)
        return REFUSE_ARGUMENT(b->error, "fit %d is none of the fits", (int)options->fit);
    return check_disabled(b);
}

static lb_status check_all(const builder *b)
{
    lb_status status = check_options(b);
    for (int i = 0; i < b->options.mesh_count && status == LB_OK; i++)
        status = check_mesh(b, &b->options.meshes[i]);
    for (int i = 0; i < lb_model_link_count(b->model) && status == LB_OK; i++)
        status = check_link(b, lb_model_link(b->model, i));
    for (int i = 0; i < b->options.stand_in_count && status == LB_OK; i++)
        status = check_stand_in(b, i);
    for (int i = 0; i < b->scene.obstacle_count && status == LB_OK; i++)
        status = check_obstacle(b, i);
    return status;
}

/* ---- counting and laying out -------------------------------------------- */

typedef struct counts {
    size_t shapes, points, text, pairs, shape_pairs, missing;
    size_t standing; /* shapes of obstacles */
    size_t bodies;   /* that have shapes */
} counts;

/* a shape whose mesh is missing is none */
static bool is_missing(const builder *b, const lb_geometry *geometry)
{
    return geometry->shape == LB_SHAPE_MESH && find_mesh(b, geometry->mesh) == NULL;
}

/* adds a shape, or that it is missing */
static void count_shape(const builder *b, const lb_geometry *geometry, counts *n)
{
    bool missing = is_missing(b, geometry);
    n->missing += missing;
    n->shapes += !missing;
}

static void count_link(const builder *b, int index, counts *n)
{
    const lb_link *link = lb_model_link(b->model, index);
    size_t before = n->shapes;
    for (int i = 0; i < link->collision_count; i++)
        count_shape(b, &link->collisions[i], n);
    bool bare = n->shapes == before;
    for (int i = 0; bare && i < b->options.stand_in_count; i++)
        if (b->options.stand_ins[i].link == index)
            count_shape(b, &b->options.stand_ins[i].geometry, n);
    n->bodies += n->shapes > before;
}

/* at most: every pair of bodies with shapes, every pair of shapes */
static counts count_all(const builder *b)
{
    counts n = {0};
    for (int i = 0; i < b->options.mesh_count; i++)
        n.points += (size_t)b->options.meshes[i].count;
    for (int i = 0; i < lb_model_link_count(b->model); i++)
        count_link(b, i, &n);
    size_t links = n.bodies, link_shapes = n.shapes;
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        size_t before = n.shapes;
        count_shape(b, &b->scene.obstacles[i].geometry, &n);
        n.bodies += n.shapes > before;
        n.text += strlen(b->scene.obstacles[i].name) + 1;
    }
    size_t obstacles = n.bodies - links;
    n.pairs = (links > 0 ? links * (links - 1) / 2 : 0) + links * obstacles;
    n.shape_pairs = link_shapes > 0 ? link_shapes * (link_shapes - 1) / 2 : 0;
    n.standing = n.shapes - link_shapes;
    return n;
}

static void lay_out(lb_collision *c, const builder *b, const counts *n, char **text,
                    memory_arena *arena)
{
    size_t obstacles = (size_t)b->scene.obstacle_count;
    size_t links = (size_t)lb_model_link_count(b->model), bodies = links + obstacles;
    memory_arena_take(arena, 1, sizeof *c);
    c->names = memory_arena_take(arena, obstacles, sizeof *c->names);
    c->first_shape = memory_arena_take(arena, bodies + 1, sizeof *c->first_shape);
    c->shapes = memory_arena_take(arena, n->shapes, sizeof *c->shapes);
    c->places = memory_arena_take(arena, n->shapes, sizeof *c->places);
    c->pairs = memory_arena_take(arena, n->pairs, sizeof *c->pairs);
    c->shape_pairs = memory_arena_take(arena, n->shape_pairs, sizeof *c->shape_pairs);
    c->first_shape_pair = memory_arena_take(arena, links + 1, sizeof *c->first_shape_pair);
    c->meets = memory_arena_take(arena, links, sizeof *c->meets);
    standing_tree *tree = &c->standing;
    tree->shapes = memory_arena_take(arena, n->standing, sizeof *tree->shapes);
    tree->nodes = memory_arena_take(arena, 2 * n->standing, sizeof *tree->nodes);
    tree->marks = memory_arena_take(arena, n->standing / 64 + 1, sizeof *tree->marks);
    tree->found = memory_arena_take(arena, n->standing, sizeof *tree->found);
    c->jacobian = memory_arena_take(arena, 6 * (size_t)lb_model_nv(b->model), sizeof(double));
    c->meshes = memory_arena_take(arena, (size_t)b->options.mesh_count, sizeof *c->meshes);
    c->points = memory_arena_take(arena, n->points, sizeof *c->points);
    *text = memory_arena_text(arena, n->text);
}

/* ---- filling ------------------------------------------------------------ */

/* the meshes with copies of their points; names stay the caller's */
static void copy_meshes(lb_collision *c, const builder *b)
{
    lb_vec3 *points = c->points;
    for (int i = 0; i < b->options.mesh_count; i++) {
        const lb_mesh *given = &b->options.meshes[i];
        memcpy(points, given->points, (size_t)given->count * sizeof *points);
        c->meshes[i] = (lb_mesh){NULL, points, given->count};
        points += given->count;
    }
}

/* adds a shape to the last body; `offset` is where its origin is seen from, in the body's frame */
static void add_shape(lb_collision *c, const builder *b, const lb_geometry *given, int index,
                      const lb_transform *offset)
{
    int body = c->body_count - 1;
    lb_geometry geometry = *given;
    if (is_missing(b, given))
        return;
    const lb_mesh *mesh = NULL;
    if (geometry.shape == LB_SHAPE_MESH)
        mesh = &c->meshes[find_mesh(b, geometry.mesh) - b->options.meshes];
    geometry.origin = rigid_exact(geometry.origin);
    if (mesh != NULL && b->options.fit == LB_MESH_CAPSULE) {
        geometry = capsule_around(&geometry, mesh, b->work);
        mesh = NULL;
    }
    body_shape *shape = &c->shapes[c->shape_count++];
    *shape =
        (body_shape){.link = body < c->link_count ? body : LB_WORLD, .body = body, .index = index};
    lb_transform frame;
    shape->shape = convex_from_geometry(&geometry, mesh, &frame);
    shape->origin = lb_transform_multiply(offset, &frame);
    shape->reach = shape->shape.bound + shape->shape.radius;
    c->first_shape[body + 1] = c->shape_count;
}

/* the next body, without shapes yet */
static void begin_body(lb_collision *c)
{
    int body = c->body_count++;
    c->first_shape[body] = c->first_shape[body + 1] = c->shape_count;
}

/* its own shapes, or what stands in for them */
static void add_link(lb_collision *c, const builder *b, int index)
{
    const lb_link *link = lb_model_link(b->model, index);
    begin_body(c);
    for (int i = 0; i < link->collision_count; i++)
        add_shape(c, b, &link->collisions[i], i, &link->data_offset);
    bool bare = lb_collision_body_shapes(c, index) == 0;
    for (int i = 0; bare && i < b->options.stand_in_count; i++)
        if (b->options.stand_ins[i].link == index)
            add_shape(c, b, &b->options.stand_ins[i].geometry, i, &link->data_offset);
}

static void add_bodies(lb_collision *c, const builder *b, char *text)
{
    const lb_transform identity = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < c->link_count; i++)
        add_link(c, b, i);
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        const lb_obstacle *obstacle = &b->scene.obstacles[i];
        size_t size = strlen(obstacle->name) + 1;
        c->names[i] = memcpy(text, obstacle->name, size);
        text += size;
        begin_body(c);
        add_shape(c, b, &obstacle->geometry, 0, &identity);
    }
    // what stands still is placed once
    for (int i = 0; i < c->shape_count; i++)
        if (c->shapes[i].link == LB_WORLD)
            c->places[i] = place_shape(&c->shapes[i].shape, &c->shapes[i].origin);
}

static void add_pairs(lb_collision *c)
{
    for (int a = 0; a < c->link_count; a++) {
        if (lb_collision_body_shapes(c, a) == 0)
            continue;
        for (int b = a + 1; b < c->body_count; b++)
            if (lb_collision_body_shapes(c, b) > 0)
                c->pairs[c->pair_count++] = (body_pair){.a = a, .b = b};
    }
}

/* the shapes of a checked pair of links; a link is checked against all obstacles or none */
static void add_shape_pairs(lb_collision *c, const body_pair *pair)
{
    if (pair->b >= c->link_count) {
        c->meets[pair->a] = true;
        return;
    }
    for (int a = c->first_shape[pair->a]; a < c->first_shape[pair->a + 1]; a++)
        for (int b = c->first_shape[pair->b]; b < c->first_shape[pair->b + 1]; b++)
            c->shape_pairs[c->shape_pair_count++] =
                (shape_pair){a, b, c->shapes[a].reach + c->shapes[b].reach};
}

static void add_checked(lb_collision *c)
{
    for (int link = 0, i = 0; link < c->link_count; link++) {
        c->first_shape_pair[link] = c->shape_pair_count;
        for (; i < c->pair_count && c->pairs[i].a == link; i++)
            if (c->pairs[i].state == LB_PAIR_CHECKED)
                add_shape_pairs(c, &c->pairs[i]);
    }
    c->first_shape_pair[c->link_count] = c->shape_pair_count;
}

/* ---- creating ----------------------------------------------------------- */

/* meshes as they are, or as capsules around them */
static lb_status add_fitted_bodies(lb_collision *c, const builder *b, char *text)
{
    builder with_work = *b;
    int most = 0;
    for (int i = 0; i < b->options.mesh_count && b->options.fit == LB_MESH_CAPSULE; i++)
        most = b->options.meshes[i].count > most ? b->options.meshes[i].count : most;
    if (most > 0) {
        with_work.work = memory_take(&c->allocator, capsule_work(most), sizeof *with_work.work);
        TRY(require_memory(b->error, with_work.work));
    }
    add_bodies(c, &with_work, text);
    memory_release(&c->allocator, with_work.work);
    return LB_OK;
}

static lb_status fill(lb_collision *c, const builder *b, char *text)
{
    if (lb_state_create(b->model, &c->allocator, &c->state) != LB_OK)
        return error_out_of_memory(b->error);
    copy_meshes(c, b);
    TRY(add_fitted_bodies(c, b, text));
    add_pairs(c);
    lb_status status = pairs_decide(c, &b->options, b->error);
    if (status == LB_OK) {
        add_checked(c);
        standing_build(c);
    }
    return status;
}

static lb_status create(const builder *b, const lb_allocator *allocator, lb_collision **out)
{
    TRY(check_all(b));
    counts n = count_all(b);
    if (n.pairs > INT_MAX || n.shape_pairs > INT_MAX)
        return REFUSE_UNSUPPORTED(b->error, "there are too many shapes");
    lb_collision measured, *c;
    char *text;
    memory_arena arena = {0};
    lay_out(&measured, b, &n, &text, &arena);
    c = memory_arena_block(&arena, allocator);
    TRY(require_memory(b->error, c));
    lay_out(c, b, &n, &text, &arena);
    c->allocator = *allocator;
    c->model = b->model;
    c->find_nearest = nearest_shapes;
    c->measure_least = lb_collision_distance;
    c->margin = b->options.margin;
    c->link_count = lb_model_link_count(b->model);
    c->missing = (int)n.missing;
    lb_status status = fill(c, b, text);
    if (status == LB_OK)
        *out = c;
    else
        lb_collision_release(c);
    return status;
}

lb_status lb_collision_create(const lb_model *model, const lb_scene *scene,
                              const lb_collision_options *options, const lb_allocator *given,
                              lb_collision **collision, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(collision, error, {model, "model"}));
    lb_allocator allocator = memory_allocator(given);
    builder b = {.model = model, .error = error, .options = lb_collision_options_default()};
    if (scene != NULL)
        b.scene = *scene;
    if (options != NULL)
        b.options = *options;
    return create(&b, &allocator, collision);
}

void lb_collision_release(lb_collision *collision)
{
    if (collision == NULL)
        return;
    // the allocator is in the block that it releases
    lb_allocator allocator = collision->allocator;
    lb_state_release(collision->state);
    memory_release(&allocator, collision);
}

/* ---- reading ------------------------------------------------------------ */

int lb_collision_body_count(const lb_collision *collision)
{
    return collision->body_count;
}

const char *lb_collision_body_name(const lb_collision *c, int body)
{
    if (body < 0 || body >= c->body_count)
        return NULL;
    return body < c->link_count ? lb_model_link(c->model, body)->name
                                : c->names[body - c->link_count];
}

int lb_collision_body_shapes(const lb_collision *c, int body)
{
    bool known = body >= 0 && body < c->body_count;
    return known ? c->first_shape[body + 1] - c->first_shape[body] : 0;
}

int lb_collision_missing(const lb_collision *collision)
{
    return collision->missing;
}

int lb_collision_pair_count(const lb_collision *collision)
{
    return collision->pair_count;
}

lb_pair_state lb_collision_pair_at(const lb_collision *c, int index, int *a, int *b)
{
    bool known = index >= 0 && index < c->pair_count;
    assert(known && "index of a pair");
    *a = known ? c->pairs[index].a : -1;
    *b = known ? c->pairs[index].b : -1;
    return known ? c->pairs[index].state : LB_PAIR_STATE_COUNT;
}
