/*
 * fuzz_clip_json.c - clips as JSON: refused with a message, or keys that are finite, written and
 * read back as the same numbers and the same text.
 */
#include "checks.h"
#include "fuzz.h"

#include <limber/formats/load.h>

#include <string.h>

/* joints of every kind and one that mimics another; the same for all inputs */
static const lb_model *load_model(void)
{
    static const char text[] =
        "{\"limber\": 1, \"name\": \"all\", \"links\": [{\"name\": \"0\"}, {\"name\": \"1\"}, "
        "{\"name\": \"2\"},"
        " {\"name\": \"3\"}, {\"name\": \"4\"}, {\"name\": \"5\"}, {\"name\": \"6\"},"
        " {\"name\": \"7\"}, {\"name\": \"8\"}, {\"name\": \"9\"}], \"joints\": ["
        "{\"name\": \"f\", \"kind\": \"floating\", \"parent\": \"0\", \"child\": \"1\"},"
        "{\"name\": \"b\", \"kind\": \"ball\", \"parent\": \"1\", \"child\": \"2\"},"
        "{\"name\": \"c\", \"kind\": \"continuous\", \"parent\": \"2\", \"child\": \"3\"},"
        "{\"name\": \"r\", \"kind\": \"revolute\", \"parent\": \"3\", \"child\": \"4\"},"
        "{\"name\": \"u\", \"kind\": \"universal\", \"parent\": \"4\", \"child\": \"5\"},"
        "{\"name\": \"s\", \"kind\": \"prismatic\", \"parent\": \"5\", \"child\": \"6\"},"
        "{\"name\": \"p\", \"kind\": \"planar\", \"parent\": \"6\", \"child\": \"7\"},"
        "{\"name\": \"x\", \"kind\": \"fixed\", \"parent\": \"7\", \"child\": \"8\"},"
        "{\"name\": \"m\", \"kind\": \"revolute\", \"parent\": \"8\", \"child\": \"9\","
        " \"mimic\": {\"joint\": \"r\"}}]}";
    static lb_model *model;
    lb_error error = {0};
    if (model == NULL &&
        lb_load_memory("all.json", text, sizeof text - 1, NULL, &model, &error) != LB_OK)
        fprintf(stderr, "%s\n", error.message);
    FUZZ_CHECK(model != NULL);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_clip *clip = NULL;
    lb_error error = {0};
    lb_status status = lb_clip_json_load_memory("file.json", (const char *)data, size, load_model(),
                                                NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (clip != NULL)
        fuzz_check_clip(clip);
    lb_clip_release(clip);
    return 0;
}
