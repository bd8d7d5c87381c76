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
    lb_mesh_list list; /* first: what the caller has */
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
    if (list == NULL)
        return;
    own_list *own = (own_list *)(void *)list;
    lb_allocator allocator = own->allocator;
    for (int i = 0; i < list->count; i++) {
        memory_release(&allocator, (void *)own->meshes[i].points);
        memory_release(&allocator, (void *)own->meshes[i].name);
    }
    memory_release(&allocator, own->meshes);
    memory_release(&allocator, own);
}

static lb_status read_points(reading *r, const char *name, lb_mesh *mesh, lb_error *why)
{
    const lb_allocator *allocator = &r->own->allocator;
    if (!lb_mesh_supported())
        return mesh_read(NULL, allocator, NULL, NULL, why);
    char *file = mesh_find(r->path, name, allocator);
    if (file == NULL)
        return lb_error_set(why, LB_NOT_FOUND, 0,
                            "there is no such file in the folder or those above it");
    lb_vec3 *points = NULL;
    lb_status status = mesh_read(file, allocator, &points, &mesh->count, why);
    mesh->points = points;
    memory_release(allocator, file);
    return status;
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
    char *name = memory_take(&own->allocator, strlen(geometry->mesh) + 1, 1);
    if (status == LB_OUT_OF_MEMORY || name == NULL) {
        memory_release(&own->allocator, (void *)mesh.points);
        memory_release(&own->allocator, name);
        return error_out_of_memory(r->error);
    }
    mesh.name = strcpy(name, geometry->mesh);
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

static own_list *create_list(int room, const lb_allocator *allocator)
{
    own_list *own = memory_take(allocator, 1, sizeof *own);
    if (own == NULL)
        return NULL;
    own->allocator = *allocator;
    own->meshes = memory_take(allocator, (size_t)room, sizeof *own->meshes);
    own->list.meshes = own->meshes;
    if (own->meshes != NULL)
        return own;
    memory_release(allocator, own);
    return NULL;
}

lb_status lb_mesh_list_load(const char *path, const lb_model *model, const lb_scene *scene,
                            const lb_load_options *options, lb_mesh_list **list, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_allocator memory = memory_allocator(given.allocator);
    TRY(REQUIRE_TO_MAKE(list, error, {path, "path"}));
    error_begin(error, path);
    int room = count_shapes(model, scene);
    reading r = {.own = create_list(room, &memory),
                 .path = path,
                 .warnings = {.options = &given, .path = path},
                 .error = error};
    TRY(require_memory(error, r.own));
    void *names = name_table_create(&r.names, (size_t)room, &memory);
    lb_status status = names == NULL ? error_out_of_memory(error) : add_meshes(&r, model, scene);
    memory_release(&memory, names);
    if (status == LB_OK)
        *list = &r.own->list;
    else
        lb_mesh_list_release(&r.own->list);
    return status;
}
