/*
 * gltf.c - an lb_gltf: reading one, what is in it, and its end.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"
#include "base/memory.h"
#include "formats/bvh/bvh.h"

#include <string.h>

lb_gltf_options lb_gltf_options_default(void)
{
    return (lb_gltf_options){.unit = 0};
}

void lb_gltf_release(lb_gltf *gltf)
{
    if (gltf == NULL)
        return;
    lb_model_release(gltf->model);
    lb_document_release(gltf->document);
    memory_pool_release(gltf);
}

/* ---- reading ------------------------------------------------------------ */

static lb_status take_options(lb_gltf *gltf, const lb_gltf_options *options, lb_error *error)
{
    if (!(options->unit == 0 || (options->unit >= 1e-9 && options->unit <= 1e9)))
        return REFUSE_ARGUMENT(error, "unit: %g is not between 1e-9 and 1e9 metres", options->unit);
    if (options->up >= LB_BVH_UP_COUNT)
        return REFUSE_ARGUMENT(error, "up is no known axis");
    if (!(options->tolerance >= 0 && options->tolerance <= 1))
        return REFUSE_ARGUMENT(error, "tolerance: %g is not between 0 and 1", options->tolerance);
    gltf->tolerance = options->tolerance == 0 ? 1e-5 : options->tolerance;
    gltf->info.unit = options->unit == 0 ? 1 : options->unit;
    gltf->info.up = options->up == LB_BVH_UP_RECOGNISE ? LB_BVH_UP_Y : options->up;
    gltf->root = bvh_root(gltf->info.up);
    return LB_OK;
}

static lb_status read_all(gltf_reader *reader, const char *name)
{
    typedef lb_status step(gltf_reader *);
    static step *const steps[] = {gltf_read_asset,      gltf_read_buffers, gltf_read_accessors,
                                  gltf_read_nodes,      gltf_read_skins,   gltf_read_humanoid,
                                  gltf_read_animations, gltf_build_model};
    TRY(take_options(reader->gltf, reader->options, reader->error));
    TRY(mapping_open(reader->gltf->document, name, reader->error));
    reader->gltf->json = tree_root(reader->gltf->document);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        TRY(steps[i](reader));
    reader->gltf->info.nodes = reader->gltf->node_count;
    return mapping_finish(reader->warnings, &reader->gltf->model, reader->error);
}

lb_status gltf_build(gltf_reader given, const char *name, lb_document *document, lb_gltf **gltf,
                     lb_error *error)
{
    const lb_gltf_options *options = given.options;
    load_warnings warnings = {.options = &options->load, .path = name};
    lb_allocator lasting;
    lb_gltf *made = memory_pool_object(sizeof *made, options->load.allocator, &lasting);
    MEMORY_POOL(memory, options->load.allocator);
    double looked = 0;
    *gltf = NULL;
    if (made == NULL) {
        lb_document_release(document);
        return error_out_of_memory(error);
    }
    made->allocator = lasting;
    made->document = document;
    given.gltf = made;
    given.memory = memory;
    given.looked = &looked;
    given.warnings = &warnings;
    given.error = error;
    lb_status status = read_all(&given, name);
    if (status == LB_OK)
        *gltf = made;
    else
        lb_gltf_release(made);
    return status;
}

/* the nodes' places in the configuration are those of the file's own root */
lb_status gltf_check_root(const lb_gltf_options *options, lb_error *error)
{
    if (options->load.root == LB_ROOT_AS_READ)
        return LB_OK;
    return REFUSE_UNSUPPORTED(
        error, "a glTF's nodes move as its animations say, and its root cannot be made %s",
        lb_root_text(options->load.root));
}

lb_status lb_gltf_load_document(const char *name, lb_document *document, const lb_gltf_parts *parts,
                                const lb_gltf_options *options, lb_gltf **gltf, lb_error *error)
{
    lb_gltf_options given = options == NULL ? lb_gltf_options_default() : *options;
    gltf_reader reader = {.find = gltf_find_given, .options = &given};
    error_begin(error, name);
    lb_status status = REQUIRE_TO_MAKE(gltf, error, {name, "name"}, {document, "document"});
    if (status == LB_OK)
        status = gltf_check_root(&given, error);
    if (status != LB_OK) {
        lb_document_release(document);
        return status;
    }
    if (parts != NULL)
        reader.parts = *parts;
    return gltf_build(reader, name, document, gltf, error);
}

/* ---- what is in it ------------------------------------------------------ */

lb_gltf_info lb_gltf_describe(const lb_gltf *gltf)
{
    return gltf->info;
}

const lb_model *lb_gltf_model(const lb_gltf *gltf)
{
    return gltf->model;
}

static const gltf_node *node_at(const lb_gltf *gltf, int node)
{
    return node >= 0 && node < gltf->node_count ? &gltf->nodes[node] : NULL;
}

int lb_gltf_link(const lb_gltf *gltf, int node)
{
    return node_at(gltf, node) == NULL ? -1 : gltf->nodes[node].link;
}

int lb_gltf_joint(const lb_gltf *gltf, int node)
{
    return node_at(gltf, node) == NULL ? -1 : gltf->nodes[node].joint;
}

lb_gltf_bone lb_gltf_bone_at(const lb_gltf *gltf, int index)
{
    bool there = index >= 0 && index < gltf->info.bones;
    return there ? gltf->bones[index] : (lb_gltf_bone){"", -1, -1};
}

int lb_gltf_find_bone(const lb_gltf *gltf, const char *name)
{
    for (int i = 0; i < gltf->info.bones; i++)
        if (strcmp(gltf->bones[i].name, name) == 0)
            return gltf->bones[i].link;
    return -1;
}

static const gltf_animation *animation_at(const lb_gltf *gltf, int animation)
{
    bool there = animation >= 0 && animation < gltf->info.animations;
    return there ? &gltf->animations[animation] : NULL;
}

const char *lb_gltf_animation_name(const lb_gltf *gltf, int animation)
{
    return animation_at(gltf, animation) == NULL ? NULL : gltf->animations[animation].name;
}

int lb_gltf_find_animation(const lb_gltf *gltf, const char *name)
{
    for (int i = 0; i < gltf->info.animations; i++)
        if (strcmp(gltf->animations[i].name, name) == 0)
            return i;
    return -1;
}

void lb_gltf_animation_times(const lb_gltf *gltf, int animation, double *begin, double *end)
{
    const gltf_animation *found = animation_at(gltf, animation);
    *begin = found == NULL ? 0 : found->begin;
    *end = found == NULL ? 0 : found->end;
}
