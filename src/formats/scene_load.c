/*
 * scene_load.c - scenes from files.
 */
#include <limber/formats/scene.h>

#include "base/error.h"
#include "formats/parse.h"

lb_status lb_scene_load(const char *path, const lb_load_options *options, lb_scene **scene,
                        lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    lb_status status = REQUIRE_TO_MAKE(scene, error, {path, "path"});
    if (status == LB_OK)
        status = parse_file(json_parse, path, given.allocator, &document, error);
    if (status != LB_OK)
        return status;
    status = lb_document_scene(document, path, &given, scene, error);
    lb_document_release(document);
    return status;
}
