/*
 * scene.c - scenes in limber JSON: what stands around a model.
 */
#include <limber/formats/scene.h>

#include "base/error.h"
#include "base/memory.h"
#include "formats/mapping/json_reader.h"
#include "model/geometry.h"

#include <string.h>

/* ---- reading -------------------------------------------------------------- */

/* The obstacles so far; names and meshes are the document's. */
typedef struct scene_draft {
    lb_obstacle *obstacles; /* as many as the reader's draft has room for shapes */
    int count;
} scene_draft;

/* One object of the list. */
typedef struct scene_object {
    const char *name;
    lb_transform placement;
    int shape_count;
} scene_object;

static lb_status read_object(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"name", reader_text, offsetof(scene_object, name), true},
        {"placement", reader_placement, offsetof(scene_object, placement), false},
        {"shapes", reader_shapes, offsetof(scene_object, shape_count), true},
    };
    scene_draft *draft = out;
    scene_object object = {.placement = LB_TRANSFORM_IDENTITY};
    int first = reader->draft.geometry_count;
    TRY(reader_object(reader, value, fields, sizeof fields / sizeof *fields, &object));
    for (int i = 0; i < object.shape_count; i++) {
        lb_geometry geometry = reader->draft.geometries[first + i];
        const geometry_place place = {"obstacle", object.name, NULL, 0, value->line};
        geometry.origin = lb_transform_multiply(&object.placement, &geometry.origin);
        TRY(geometry_check(&place, &geometry, reader->error));
        draft->obstacles[draft->count++] = (lb_obstacle){object.name, geometry};
    }
    return LB_OK;
}

static lb_status read_objects(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, -1, read_object, out, 0);
}

static lb_status read_scene(json_reader *reader, const tree_node *root, scene_draft *draft)
{
    // angles come first
    static const reader_field fields[] = {
        {"limber", reader_version, 0, false}, {"name", reader_note, 0, false},
        {"summary", reader_note, 0, false},   {"source", reader_note, 0, false},
        {"angles", reader_angles, 0, false},  {"obstacles", read_objects, 0, true},
    };
    return reader_object(reader, root, fields, sizeof fields / sizeof *fields, draft);
}

/* how many shapes the file has; what is no array counts as none */
static int count_shapes(const tree_node *root)
{
    const tree_node *objects = tree_member(root, "obstacles"), *object;
    int count = 0;
    if (tree_array_size(objects) == 0)
        return 0;
    for (object = objects->first; object != NULL; object = object->next)
        count += tree_array_size(tree_member(object, "shapes"));
    return count;
}

/* ---- the result ----------------------------------------------------------- */

/* A scene and what it is made of. */
typedef struct loaded_scene {
    memory_pool pool;
    lb_scene scene; /* what the caller has */
} loaded_scene;

static lb_status finish(const scene_draft *draft, const lb_allocator *allocator, lb_scene **scene,
                        lb_error *error)
{
    lb_allocator memory;
    loaded_scene *made = memory_pool_object(sizeof *made, allocator, &memory);
    TRY(require_memory(error, made));
    lb_obstacle *obstacles = memory_take(&memory, (size_t)draft->count, sizeof *obstacles);
    for (int i = 0; i < draft->count && obstacles != NULL; i++) {
        obstacles[i] = draft->obstacles[i];
        obstacles[i].name = memory_take_text(&memory, obstacles[i].name);
        if (obstacles[i].geometry.mesh != NULL)
            obstacles[i].geometry.mesh = memory_take_text(&memory, obstacles[i].geometry.mesh);
    }
    made->scene = (lb_scene){obstacles, draft->count};
    lb_status status = require_memory(error, !memory_pool_failed(&memory));
    if (status == LB_OK)
        *scene = &made->scene;
    else
        memory_pool_release(made);
    return status;
}

void lb_scene_release(lb_scene *scene)
{
    if (scene != NULL)
        memory_pool_release((char *)scene - offsetof(loaded_scene, scene));
}

/* ---- documents ------------------------------------------------------------ */

static lb_status read_root(const tree_node *root, load_warnings *warnings, lb_scene **scene,
                           lb_error *error)
{
    int room = count_shapes(root);
    json_reader reader = {.root = root, .error = error};
    MEMORY_POOL(memory, warnings->options->allocator);
    TRY(draft_create(&reader.draft, 0, 0, room, &memory, error));
    reader.draft.warnings = warnings;
    scene_draft draft = {.obstacles = memory_take(&memory, (size_t)room, sizeof(lb_obstacle))};
    TRY(require_memory(error, draft.obstacles));
    TRY(read_scene(&reader, root, &draft));
    TRY(warnings_refuse_strict(warnings, error));
    return finish(&draft, warnings->options->allocator, scene, error);
}

lb_status lb_document_scene(const lb_document *document, const char *path,
                            const lb_load_options *options, lb_scene **scene, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    load_warnings warnings = {.options = &given, .path = path};
    TRY(REQUIRE_TO_MAKE(scene, error, {document, "document"}, {path, "path"}));
    TRY(mapping_open(document, path, error));
    return read_root(tree_root(document), &warnings, scene, error);
}
