/*
 * clip_main.c - the time of reading and writing BVH files, and of sampling their clips.
 *
 *     build/bench/clip_bench FILE.bvh...
 *
 * Each is done several times and the least time counts: of reading from memory to the clip, of
 * writing the clip to a sink that drops it, and of 1000 samples at times between the frames, per
 * joint of the file.
 */
#include "bench/clock.h"

#include <limber/formats/bvh.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 15, SAMPLE_RUNS = 200, SAMPLES = 1000, MOST_BYTES = 1 << 28 };

typedef struct bytes {
    char *text;
    size_t size;
} bytes;

static bytes read_bytes(const char *path)
{
    bytes made = {malloc(MOST_BYTES), 0};
    FILE *file = fopen(path, "rb");
    if (made.text != NULL && file != NULL)
        made.size = fread(made.text, 1, MOST_BYTES, file);
    if (file != NULL)
        fclose(file);
    return made;
}

static double time_reading(const char *path, const bytes *from, lb_bvh **bvh)
{
    double least = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        lb_error error = {0};
        lb_bvh_release(*bvh);
        double begin = clock_now();
        if (lb_bvh_load_memory(path, from->text, from->size, NULL, bvh, &error) != LB_OK) {
            fprintf(stderr, "%s:%d: %s\n", path, error.line, error.message);
            return 0;
        }
        least = fmin(least, clock_now() - begin);
    }
    return least;
}

static bool drop(void *user, const void *text, size_t size)
{
    (void)text;
    *(size_t *)user += size;
    return true;
}

static double time_writing(const lb_bvh *bvh)
{
    double least = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        size_t size = 0;
        double begin = clock_now();
        lb_bvh_write(bvh, lb_bvh_clip(bvh), drop, &size, NULL, NULL);
        least = fmin(least, clock_now() - begin);
    }
    return least;
}

/* of one sample */
static double time_sampling(const lb_clip *clip)
{
    double *q = malloc(sizeof *q * (size_t)lb_model_nq(lb_clip_model(clip)));
    double least = INFINITY, begin = lb_clip_begin(clip), end = lb_clip_end(clip);
    for (int i = 0; i < SAMPLE_RUNS && q != NULL; i++) {
        double start = clock_now();
        for (int k = 0; k < SAMPLES; k++)
            lb_clip_at(clip, begin + (end - begin) * (k + 0.37) / SAMPLES, q);
        least = fmin(least, clock_now() - start);
    }
    free(q);
    return least / SAMPLES;
}

static void time_file(const char *path)
{
    bytes from = read_bytes(path);
    lb_bvh *bvh = NULL;
    double reading = time_reading(path, &from, &bvh);
    if (bvh != NULL && lb_bvh_clip(bvh) != NULL) {
        lb_bvh_info info = lb_bvh_describe(bvh);
        double writing = time_writing(bvh), sample = time_sampling(lb_bvh_clip(bvh));
        printf("%s: %d frames of %d joints, %.2f MB\n", path, info.frames, info.joints,
               1e-6 * (double)from.size);
        printf("  read   %7.1f MB/s %9.0f frames/s\n", 1e3 * (double)from.size / reading,
               1e9 * info.frames / reading);
        printf("  write  %7.1f MB/s %9.0f frames/s\n", 1e3 * (double)from.size / writing,
               1e9 * info.frames / writing);
        printf("  sample %7.2f ns a joint\n", sample / info.joints);
    }
    lb_bvh_release(bvh);
    free(from.text);
}

int main(int count, char **words)
{
    for (int i = 1; i < count; i++)
        time_file(words[i]);
    return 0;
}
