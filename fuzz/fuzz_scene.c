/*
 * fuzz_scene.c - scenes: refused with a message, or obstacles that the Panda's distances from are
 * numbers, whatever their sizes.
 */
#include "checks.h"
#include "formats/parse.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_document *document = NULL;
    lb_scene *scene = NULL;
    lb_error error = {0};
    // what lb_scene_load does with the bytes of a file
    lb_status status =
        parse_text(json_parse, (const char *)data, size, NULL, NULL, &document, &error);
    FUZZ_CHECK((status == LB_OK) == (document != NULL));
    if (status == LB_OK)
        status = lb_document_scene(document, "file.json", NULL, &scene, &error);
    FUZZ_CHECK((status == LB_OK) == (scene != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    lb_document_release(document);
    if (scene != NULL)
        fuzz_check_scene(scene, fuzz_robot());
    lb_scene_release(scene);
    return 0;
}
