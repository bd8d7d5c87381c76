/*
 * gltf_text.h - small glTF files for tests: nodes as text, animated by arrays that are embedded.
 */
#ifndef TEST_FORMATS_GLTF_TEXT_H
#define TEST_FORMATS_GLTF_TEXT_H

#include "harness.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that grows. */
typedef struct gltf_text {
    char nodes[1024], views[4096], accessors[4096], channels[2048], samplers[2048];
    unsigned char bytes[4096];
    size_t size;
    int view_count, accessor_count, channel_count;
} gltf_text;

static inline gltf_text gltf_text_start(const char *nodes)
{
    gltf_text text = {.size = 0};
    snprintf(text.nodes, sizeof text.nodes, "%s", nodes);
    return text;
}

static inline void gltf_text_add(char *list, size_t size, const char *item)
{
    size_t used = strlen(list);
    int length = snprintf(list + used, size - used, "%s%s", used > 0 ? "," : "", item);
    assert_true(length > 0 && used + (size_t)length < size);
}

static inline int gltf_text_view(gltf_text *text, const void *bytes, size_t size)
{
    char item[128];
    assert_true(text->size + size + 4 <= sizeof text->bytes);
    memcpy(text->bytes + text->size, bytes, size);
    snprintf(item, sizeof item, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", text->size,
             size);
    gltf_text_add(text->views, sizeof text->views, item);
    text->size += (size + 3) / 4 * 4;
    return text->view_count++;
}

static inline int gltf_text_accessor(gltf_text *text, const void *bytes, size_t size, int component,
                                     const char *type, int count, bool normalized)
{
    char item[256];
    snprintf(item, sizeof item,
             "{\"bufferView\":%d,\"componentType\":%d,\"type\":\"%s\",\"count\":%d%s}",
             gltf_text_view(text, bytes, size), component, type, count,
             normalized ? ",\"normalized\":true" : "");
    gltf_text_add(text->accessors, sizeof text->accessors, item);
    return text->accessor_count++;
}

/* `count` zeros of three numbers, but for one element and the one after it */
static inline int gltf_text_sparse(gltf_text *text, const float *two, int count, int first,
                                   int components)
{
    char item[512];
    unsigned char indices[2] = {(unsigned char)first, (unsigned char)(first + components - 1)};
    int at = gltf_text_view(text, indices, sizeof indices);
    snprintf(item, sizeof item,
             "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":%d,\"sparse\":{\"count\":2,"
             "\"indices\":{\"bufferView\":%d,\"componentType\":5121},"
             "\"values\":{\"bufferView\":%d}}}",
             count, at, gltf_text_view(text, two, 6 * sizeof *two));
    gltf_text_add(text->accessors, sizeof text->accessors, item);
    return text->accessor_count++;
}

static inline void gltf_text_curve(gltf_text *text, int node, const char *path, const char *how,
                                   int input, int output)
{
    char item[256];
    snprintf(item, sizeof item, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
             text->channel_count++, node, path);
    gltf_text_add(text->channels, sizeof text->channels, item);
    snprintf(item, sizeof item, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", input,
             output, how);
    gltf_text_add(text->samplers, sizeof text->samplers, item);
}

/* a curve of floats: its times, and `numbers` numbers of values */
static inline void gltf_text_channel(gltf_text *text, int node, const char *path, const char *how,
                                     const float *times, int keys, const float *values, int numbers)
{
    bool rotates = strcmp(path, "rotation") == 0;
    int width = rotates ? 4 : 3;
    int input =
        gltf_text_accessor(text, times, (size_t)keys * sizeof *times, 5126, "SCALAR", keys, false);
    int output = gltf_text_accessor(text, values, (size_t)numbers * sizeof *values, 5126,
                                    rotates ? "VEC4" : "VEC3", numbers / width, false);
    gltf_text_curve(text, node, path, how, input, output);
}

/* bytes as base64, with a zero behind; release with free() */
static inline char *gltf_text_base64(const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *data = malloc(2 * size + 8), *at = data;
    for (size_t i = 0; i < size; i += 3) {
        unsigned three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < size ? bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *at++ = i + k > size ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    *at = '\0';
    return data;
}

/* the whole file; release with free() */
static inline char *gltf_text_end(const gltf_text *text, size_t *size)
{
    size_t room = 4 * sizeof *text;
    char *out = malloc(room), *data = gltf_text_base64(text->bytes, text->size);
    int length =
        snprintf(out, room,
                 "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[%s],\"buffers\":[{\"byteLength\":%zu,"
                 "\"uri\":\"data:application/octet-stream;base64,%s\"}],\"bufferViews\":[%s],"
                 "\"accessors\":[%s],\"animations\":[{\"name\":\"made\",\"channels\":[%s],"
                 "\"samplers\":[%s]}]}",
                 text->nodes, text->size, data, text->views, text->accessors, text->channels,
                 text->samplers);
    assert_true(length > 0 && (size_t)length < room);
    *size = (size_t)length;
    free(data);
    return out;
}

#endif
