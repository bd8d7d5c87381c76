/*
 * scene_load.c - scenes from files.
 */
#include <limber/formats/scene.h>

#include "base/memory.h"
#include "base/require.h"
#include "base/text.h"
#include "formats/file.h"
#include "formats/json_parse.h"

static lb_status parse_and_read(const char *path, const char *text, size_t size,
                                const lb_load_options *options, lb_scene **scene, lb_error *error)
{
    lb_document *document;
    if (lb_document_create(options->allocator, &document) != LB_OK)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    lb_status status = json_parse(text, size, NULL, options->allocator, document, error);
    if (status == LB_OK)
        status = lb_document_scene(document, path, options, scene, error);
    lb_document_release(document);
    return status;
}

lb_status lb_scene_load(const char *path, const lb_load_options *options, lb_scene **scene,
                        lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_allocator memory = memory_allocator(given.allocator);
    if (scene != NULL)
        *scene = NULL;
    lb_status status = REQUIRE(error, {path, "path"}, {scene, "scene"});
    if (status != LB_OK)
        return status;
    char *text;
    size_t size;
    if (error != NULL) {
        *error = (lb_error){.status = LB_OK};
        text_format(error->path, sizeof error->path, "%s", path);
    }
    status = file_read(path, &memory, &text, &size, error);
    if (status != LB_OK)
        return status;
    status = parse_and_read(path, text, size, &given, scene, error);
    memory_release(&memory, text);
    return status;
}
