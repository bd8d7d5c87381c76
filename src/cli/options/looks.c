/*
 * looks.c - what the links of a model look like, to stand in for shapes that collide.
 */
#include "cli/options/looks.h"

#include "cli/output/report.h"

#include <stdlib.h>

bool looks_are_needed(const lb_model *model)
{
    for (int i = 0; i < lb_model_link_count(model); i++)
        if (lb_model_link(model, i)->collision_count > 0)
            return false;
    return true;
}

static void gather_visuals(const lb_model *model, looks *out)
{
    int count = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        count += lb_model_link(model, i)->visual_count;
    out->shapes = out->own = allocate_or_exit((size_t)count, sizeof *out->own);
    for (int i = 0; i < lb_model_link_count(model); i++) {
        const lb_link *link = lb_model_link(model, i);
        for (int k = 0; k < link->visual_count; k++)
            out->own[out->shape_count++] = (lb_link_shape){i, link->visuals[k]};
    }
}

/* the meshes that visuals name, found as those of a scene are */
static bool load_meshes(const char *name, const lb_load_options *load, looks *out)
{
    lb_error error = {0};
    lb_obstacle *visuals = allocate_or_exit((size_t)out->shape_count, sizeof *visuals);
    for (int i = 0; i < out->shape_count; i++)
        visuals[i] = (lb_obstacle){.name = name, .geometry = out->own[i].geometry};
    lb_scene scene = {visuals, out->shape_count};
    lb_status status = lb_mesh_list_load(name, NULL, &scene, load, &out->files, &error);
    free(visuals);
    if (status != LB_OK)
        return complain_unless(status, &error);
    out->meshes = out->files->meshes;
    out->mesh_count = out->files->count;
    return true;
}

bool looks_find(const char *name, const lb_model *model, const lb_gltf *gltf,
                const lb_load_options *load, looks *out)
{
    lb_error error = {0};
    *out = (looks){.figure = NULL};
    if (gltf == NULL) {
        gather_visuals(model, out);
        return load_meshes(name, load, out);
    }
    if (!complain_unless(lb_gltf_looks_create(gltf, NULL, &out->figure, &error), &error))
        return false;
    out->shapes = out->figure->shapes;
    out->meshes = out->figure->meshes;
    out->shape_count = out->mesh_count = out->figure->count;
    return true;
}

void looks_release(looks *l)
{
    lb_gltf_looks_release(l->figure);
    lb_mesh_list_release(l->files);
    free(l->own);
}
