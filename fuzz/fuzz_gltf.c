/* fuzz_gltf.c - glTF and GLB files: refused with a message, or poses and clips that are finite. */
#include "fuzz.h"

#include <limber/formats/gltf.h>
#include <math.h>
#include <string.h>

static void check_finite(const double *q, int nq)
{
    for (int i = 0; i < nq; i++)
        FUZZ_CHECK(isfinite(q[i]));
}

static bool add(void *user, const void *bytes, size_t size)
{
    return fuzz_text_add(user, bytes, size);
}

/* what is written with one animation more is read again with it */
static void check_written(const lb_gltf *gltf, const lb_clip *clip, bool binary)
{
    fuzz_text to = {0};
    lb_gltf *again = NULL;
    lb_error error = {0};
    lb_gltf_write_options options = {.binary = binary, .only_these = true};
    lb_status status =
        lb_gltf_write(gltf, &(lb_gltf_animation){"again", clip}, 1, &options, add, &to, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status == LB_OK) {
        status = lb_gltf_load_memory("again.gltf", to.text, to.size, NULL, &again, &error);
        // numbers beyond floats, or places beyond 1e15 m below scales, are refused when read
        FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
        FUZZ_CHECK(again == NULL || lb_gltf_find_animation(again, "again") == 0);
    }
    lb_gltf_release(again);
    free(to.text);
}

/* the clip of an animation: its keys, and what the file gives between them */
static void check_animation(const lb_gltf *gltf, int animation)
{
    lb_clip *clip = NULL;
    lb_error error = {0};
    int nq = lb_model_nq(lb_gltf_model(gltf));
    lb_status status = lb_gltf_clip(gltf, animation, NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (clip == NULL)
        return;
    double *q = malloc(((size_t)nq + 1) * sizeof *q);
    for (int i = 0; i < lb_clip_count(clip); i++)
        check_finite(lb_clip_key(clip, i), nq);
    lb_gltf_at(gltf, animation, lb_clip_begin(clip) / 2 + lb_clip_end(clip) / 2, q);
    check_finite(q, nq);
    free(q);
    check_written(gltf, clip, animation % 2 == 0);
    lb_clip_release(clip);
}

/* what is drawn: finite points, not more than the file has bytes */
static void check_looks(const lb_gltf *gltf, size_t size)
{
    lb_gltf_looks *looks = NULL;
    lb_error error = {0};
    lb_status status = lb_gltf_looks_create(gltf, NULL, &looks, &error);
    FUZZ_CHECK((status == LB_OK) == (looks != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    size_t points = 0;
    for (int i = 0; looks != NULL && i < looks->count; i++) {
        points += (size_t)looks->meshes[i].count;
        for (int k = 0; k < looks->meshes[i].count; k++)
            check_finite(&looks->meshes[i].points[k].x, 3);
    }
    // buffers in the JSON are base64: not larger than the text
    FUZZ_CHECK(points <= 2 * size);
    lb_gltf_looks_release(looks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_gltf *gltf = NULL;
    lb_error error = {0};
    lb_status status = lb_gltf_load_memory("file.gltf", data, size, NULL, &gltf, &error);
    FUZZ_CHECK((status == LB_OK) == (gltf != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    int animations = gltf == NULL ? 0 : lb_gltf_describe(gltf).animations;
    for (int i = 0; i < animations; i++)
        check_animation(gltf, i);
    if (gltf != NULL)
        check_looks(gltf, size);
    lb_gltf_release(gltf);
    return 0;
}
