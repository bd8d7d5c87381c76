/*
 * looks.c - what the links of a model look like, to stand in for shapes that collide.
 *
 * Visuals are listed as the obstacles of a scene, so that their meshes are found as those are.
 */
#include "base/error.h"
#include "base/memory.h"

#include <limber/formats/looks.h>

/* The looks, and what owns their shapes and meshes. */
typedef struct own_looks {
    lb_looks looks;
    lb_allocator memory;
    lb_gltf_looks *figure; /* of a glTF */
    lb_mesh_list *files;   /* of visuals */
    lb_link_shape *shapes;
} own_looks;

bool lb_looks_needed(const lb_model *model)
{
    for (int i = 0; i < lb_model_link_count(model); i++)
        if (lb_model_link(model, i)->collision_count > 0)
            return false;
    return true;
}

/* the visuals as shapes of their links */
static lb_status gather_visuals(own_looks *own, const lb_model *model, lb_error *error)
{
    int count = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        count += lb_model_link(model, i)->visual_count;
    own->shapes = memory_take(&own->memory, (size_t)count, sizeof *own->shapes);
    TRY(require_memory(error, own->shapes));
    own->looks.shapes = own->shapes;
    for (int i = 0; i < lb_model_link_count(model); i++) {
        const lb_link *link = lb_model_link(model, i);
        for (int k = 0; k < link->visual_count; k++)
            own->shapes[own->looks.shape_count++] = (lb_link_shape){i, link->visuals[k]};
    }
    return LB_OK;
}

/* the meshes that visuals name */
static lb_status load_meshes(own_looks *own, const char *path, const lb_load_options *options,
                             lb_error *error)
{
    int count = own->looks.shape_count;
    MEMORY_POOL(memory, options != NULL ? options->allocator : NULL);
    lb_obstacle *visuals = memory_take(&memory, (size_t)count, sizeof *visuals);
    TRY(require_memory(error, visuals));
    for (int i = 0; i < count; i++)
        visuals[i] = (lb_obstacle){.name = path, .geometry = own->shapes[i].geometry};
    lb_scene scene = {visuals, count};
    TRY(lb_mesh_list_load(path, NULL, &scene, options, &own->files, error));
    own->looks.meshes = own->files->meshes;
    own->looks.mesh_count = own->files->count;
    return LB_OK;
}

static lb_status load_figure(own_looks *own, const lb_gltf *gltf, lb_error *error)
{
    TRY(lb_gltf_looks_create(gltf, &own->memory, &own->figure, error));
    int count = own->figure->count;
    own->looks = (lb_looks){own->figure->shapes, own->figure->meshes, count, count};
    return LB_OK;
}

/* a glTF that was loaded does not know its file any more */
static lb_status name_file(const char *path, lb_status status, lb_error *error)
{
    if (status != LB_OK && path != NULL)
        error_set_path(error, path);
    return status;
}

lb_status lb_looks_load(const char *path, const lb_model *model, const lb_gltf *gltf,
                        const lb_load_options *options, lb_looks **looks, lb_error *error)
{
    if (looks != NULL)
        *looks = NULL;
    const void *from = gltf != NULL ? (const void *)gltf : path;
    TRY(REQUIRE(error, {from, "path"}, {model, "model"}, {looks, "looks"}));
    lb_allocator memory = memory_allocator(options != NULL ? options->allocator : NULL);
    own_looks *own = memory_take(&memory, 1, sizeof *own);
    TRY(require_memory(error, own));
    own->memory = memory;
    lb_status status = gltf != NULL ? name_file(path, load_figure(own, gltf, error), error)
                                    : gather_visuals(own, model, error);
    if (gltf == NULL && status == LB_OK)
        status = load_meshes(own, path, options, error);
    if (status == LB_OK)
        *looks = &own->looks;
    else
        lb_looks_release(&own->looks);
    return status;
}

void lb_looks_release(lb_looks *looks)
{
    // the looks are the first member
    own_looks *own = (own_looks *)looks;
    if (own == NULL)
        return;
    lb_allocator memory = own->memory;
    lb_gltf_looks_release(own->figure);
    lb_mesh_list_release(own->files);
    memory_release(&memory, own->shapes);
    memory_release(&memory, own);
}
