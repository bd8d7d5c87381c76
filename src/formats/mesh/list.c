/*
 * list.c - the meshes that the shapes of a model and a scene name.
 */
#include <limber/formats/mesh.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/mapping/mapping.h"
#include "formats/mesh/mesh.h"
#include "model/names.h"

#include <string.h>

/* A list that owns the points and a copy of each name. */
typedef struct own_list {
    memory_pool pool;
    lb_mesh_list list; /* what the caller has */
    lb_allocator allocator;
    lb_mesh *meshes;
} own_list;

/* What a list is made from. */
typedef struct reading {
    own_list *own;
    const char *path;
    name_table names; /* that were looked for, whether they were found or not */
    load_warnings warnings;
    lb_error *error;
} reading;

void lb_mesh_list_release(lb_mesh_list *list)
{
    if (list != NULL)
        memory_pool_release((char *)list - offsetof(own_list, list));
}

static lb_status read_points(reading *r, const char *name, lb_mesh *mesh, lb_error *why)
{
    const lb_allocator *allocator = &r->own->allocator;
    if (!lb_mesh_supported())
        return mesh_read(NULL, allocator, NULL, NULL, why);
    MEMORY_POOL(memory, allocator);
    char *file = mesh_find(r->path, name, &memory);
    if (file == NULL)
        return lb_error_set(why, LB_NOT_FOUND, 0,
                            "there is no such file in the folder or those above it");
    lb_vec3 *points = NULL;
    TRY(mesh_read(file, allocator, &points, &mesh->count, why));
    mesh->points = points;
    return LB_OK;
}

/* adds a mesh whose name is new; one that cannot be read is warned of, once */
static lb_status add_mesh(reading *r, const lb_geometry *geometry)
{
    own_list *own = r->own;
    lb_error why = {.status = LB_OK};
    lb_mesh mesh = {0};
    if (geometry->shape != LB_SHAPE_MESH || name_table_add(&r->names, geometry->mesh, 0) >= 0)
        return LB_OK;
    lb_status status = read_points(r, geometry->mesh, &mesh, &why);
    if (status != LB_OK && status != LB_OUT_OF_MEMORY) {
        char line[24] = "";
        own->list.missing++;
        if (why.line > 0)
            text_format(line, sizeof line, "line %d: ", why.line);
        warnings_add(&r->warnings, 0, "mesh '%.180s' is left out, and does not collide: %s%.280s",
                     geometry->mesh, line, why.message);
        return LB_OK;
    }
    mesh.name = memory_take_text(&own->allocator, geometry->mesh);
    TRY(require_memory(r->error, status == LB_OK && mesh.name != NULL));
    own->meshes[own->list.count++] = mesh;
    return LB_OK;
}

static int count_shapes(const lb_model *model, const lb_scene *scene)
{
    int count = scene == NULL ? 0 : scene->obstacle_count;
    for (int i = 0; model != NULL && i < lb_model_link_count(model); i++)
        count += lb_model_link(model, i)->collision_count;
    return count;
}

static lb_status add_meshes(reading *r, const lb_model *model, const lb_scene *scene)
{
    for (int i = 0; model != NULL && i < lb_model_link_count(model); i++) {
        const lb_link *link = lb_model_link(model, i);
        for (int k = 0; k < link->collision_count; k++)
            TRY(add_mesh(r, &link->collisions[k]));
    }
    for (int i = 0; scene != NULL && i < scene->obstacle_count; i++)
        TRY(add_mesh(r, &scene->obstacles[i].geometry));
    return warnings_refuse_strict(&r->warnings, r->error);
}

lb_status lb_mesh_list_load(const char *path, const lb_model *model, const lb_scene *scene,
                            const lb_load_options *options, lb_mesh_list **list, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    MEMORY_POOL(memory, given.allocator);
    TRY(REQUIRE_TO_MAKE(list, error, {path, "path"}));
    error_begin(error, path);
    size_t room = (size_t)count_shapes(model, scene);
    lb_allocator lasting;
    own_list *own = memory_pool_object(sizeof *own, given.allocator, &lasting);
    reading r = {
        .own = own, .path = path, .warnings = {.options = &given, .path = path}, .error = error};
    TRY(require_memory(error, own));
    own->allocator = lasting;
    own->list.meshes = own->meshes = memory_take(&lasting, room, sizeof *own->meshes);
    lb_status status = require_memory(error, name_table_create(&r.names, room, &memory) != NULL &&
                                                 own->meshes != NULL);
    if (status == LB_OK)
        status = add_meshes(&r, model, scene);
    if (status == LB_OK)
        *list = &own->list;
    else
        memory_pool_release(own);
    return status;
}
