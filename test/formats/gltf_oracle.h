/*
 * gltf_oracle.h - glTF's animations evaluated by a way of their own: JSON by jansson, all arrays
 * decoded to doubles, 4 x 4 matrices, libm. It shares nothing with the library.
 */
#ifndef TEST_FORMATS_GLTF_ORACLE_H
#define TEST_FORMATS_GLTF_ORACLE_H

#include "harness.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORACLE_BUFFERS = 8 };

typedef struct oracle {
    json_t *json;
    unsigned char *buffers[ORACLE_BUFFERS];
    double (*world)[16]; /* of each node, row by row */
    double (*turned)[9]; /* the product of the rotations alone */
    int nodes;
} oracle;

/* ---- files -------------------------------------------------------------- */

static inline unsigned char *oracle_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

static inline unsigned char *oracle_base64(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *bytes = malloc(strlen(text) + 4);
    size_t used = 0;
    for (; text[0] != '\0' && text[0] != '='; text += 4) {
        uint32_t four = 0;
        for (int i = 0; i < 4; i++) {
            const char *digit = text[i] == '=' ? digits : strchr(digits, text[i]);
            four = four << 6 | (uint32_t)(digit - digits);
        }
        bytes[used++] = (unsigned char)(four >> 16);
        bytes[used++] = (unsigned char)(four >> 8);
        bytes[used++] = (unsigned char)four;
        if (text[2] == '=' || text[3] == '=')
            break;
    }
    return bytes;
}

/* of a file's bytes; `path` is where its buffers are beside */
static inline oracle oracle_open(const char *path, const unsigned char *bytes, size_t size)
{
    oracle o = {.json = NULL};
    const unsigned char *json = bytes, *chunk = NULL;
    size_t length = size;
    uint32_t word;
    if (memcmp(bytes, "glTF", 4) == 0) {
        memcpy(&word, bytes + 12, 4);
        json = bytes + 20;
        length = word;
        chunk = json + length + 8;
    }
    json_error_t error;
    o.json = json_loadb((const char *)json, length, 0, &error);
    assert_non_null(o.json);
    json_t *buffers = json_object_get(o.json, "buffers");
    for (size_t i = 0; i < json_array_size(buffers); i++) {
        const char *uri = json_string_value(json_object_get(json_array_get(buffers, i), "uri"));
        size_t all =
            (size_t)json_integer_value(json_object_get(json_array_get(buffers, i), "byteLength"));
        char beside[1024];
        if (uri == NULL) {
            o.buffers[i] = malloc(all);
            memcpy(o.buffers[i], chunk, all);
        } else if (strncmp(uri, "data:", 5) == 0) {
            o.buffers[i] = oracle_base64(strchr(uri, ',') + 1);
        } else {
            snprintf(beside, sizeof beside, "%.*s%s", (int)(strrchr(path, '/') - path) + 1, path,
                     uri);
            o.buffers[i] = oracle_file(beside, &all);
        }
    }
    o.nodes = (int)json_array_size(json_object_get(o.json, "nodes"));
    o.world = calloc((size_t)o.nodes, sizeof *o.world);
    o.turned = calloc((size_t)o.nodes, sizeof *o.turned);
    return o;
}

static inline void oracle_close(oracle *o)
{
    json_decref(o->json);
    for (int i = 0; i < ORACLE_BUFFERS; i++)
        free(o->buffers[i]);
    free(o->world);
    free(o->turned);
}
#define owned_oracle __attribute__((cleanup(oracle_close))) oracle

/* ---- arrays ------------------------------------------------------------- */

static inline int oracle_member(const json_t *object, const char *key)
{
    return (int)json_number_value(json_object_get(object, key));
}

static inline double oracle_component(const unsigned char *at, int type, int normalized)
{
    int8_t b;
    int16_t s;
    uint16_t us;
    uint32_t ui;
    float f;
    switch (type) {
    case 5120:
        memcpy(&b, at, 1);
        return normalized ? fmax(b / 127.0, -1) : b;
    case 5121:
        return normalized ? *at / 255.0 : *at;
    case 5122:
        memcpy(&s, at, 2);
        return normalized ? fmax(s / 32767.0, -1) : s;
    case 5123:
        memcpy(&us, at, 2);
        return normalized ? us / 65535.0 : us;
    case 5125:
        memcpy(&ui, at, 4);
        return ui;
    default:
        memcpy(&f, at, 4);
        return (double)f;
    }
}

static inline int oracle_size(int type)
{
    return type <= 5121 ? 1 : type <= 5123 ? 2 : 4;
}

/* where an object with bufferView and byteOffset begins, and its view's stride */
static inline const unsigned char *oracle_view(const oracle *o, const json_t *object, int *stride)
{
    json_t *view = json_array_get(json_object_get(o->json, "bufferViews"),
                                  (size_t)oracle_member(object, "bufferView"));
    *stride = oracle_member(view, "byteStride");
    return o->buffers[oracle_member(view, "buffer")] + oracle_member(view, "byteOffset") +
           oracle_member(object, "byteOffset");
}

/* all numbers of an accessor; release with free() */
static inline double *oracle_array(const oracle *o, int index, int *count, int *width)
{
    json_t *a = json_array_get(json_object_get(o->json, "accessors"), (size_t)index);
    const char *type = json_string_value(json_object_get(a, "type"));
    int component = oracle_member(a, "componentType"), stride = 0;
    int normalized = json_is_true(json_object_get(a, "normalized"));
    *width = strcmp(type, "SCALAR") == 0 ? 1 : type[3] - '0';
    *width *= type[0] == 'M' ? *width : 1;
    *count = oracle_member(a, "count");
    double *numbers = calloc((size_t)(*count * *width), sizeof *numbers);
    if (json_object_get(a, "bufferView") != NULL) {
        const unsigned char *at = oracle_view(o, a, &stride);
        stride = stride == 0 ? *width * oracle_size(component) : stride;
        for (int i = 0; i < *count; i++)
            for (int k = 0; k < *width; k++)
                numbers[i * *width + k] = oracle_component(
                    at + i * stride + k * oracle_size(component), component, normalized);
    }
    json_t *sparse = json_object_get(a, "sparse");
    for (int i = 0; i < oracle_member(sparse, "count"); i++) {
        json_t *indices = json_object_get(sparse, "indices");
        int kind = oracle_member(indices, "componentType");
        const unsigned char *where = oracle_view(o, indices, &stride) + i * oracle_size(kind);
        const unsigned char *values = oracle_view(o, json_object_get(sparse, "values"), &stride);
        int which = (int)oracle_component(where, kind, 0);
        for (int k = 0; k < *width; k++)
            numbers[which * *width + k] = oracle_component(
                values + (i * *width + k) * oracle_size(component), component, normalized);
    }
    return numbers;
}

/* ---- curves ------------------------------------------------------------- */

static inline void oracle_unit(double *q)
{
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= size;
}

static inline void oracle_slerp(double *a, double *b, double u, double *out)
{
    oracle_unit(a);
    oracle_unit(b);
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = dot < 0 ? -1 : 1, angle = acos(fmin(fabs(dot), 1));
    double p = angle < 1e-9 ? 1 - u : sin((1 - u) * angle) / sin(angle);
    double r = angle < 1e-9 ? u : sin(u * angle) / sin(angle);
    for (int i = 0; i < 4; i++)
        out[i] = p * a[i] + sign * r * b[i];
    oracle_unit(out);
}

/* the value of a sampler */
static inline void oracle_sample(const oracle *o, const json_t *sampler, int rotates, double time,
                                 double *out)
{
    int keys, one, count, width;
    owned double *times = oracle_array(o, oracle_member(sampler, "input"), &keys, &one);
    owned double *values = oracle_array(o, oracle_member(sampler, "output"), &count, &width);
    json_t *given = json_object_get(sampler, "interpolation");
    const char *how = given == NULL ? "LINEAR" : json_string_value(given);
    int cubic = strcmp(how, "CUBICSPLINE") == 0, k = 0;
    while (k + 1 < keys && times[k + 1] <= time)
        k++;
    const double *a = values + (cubic ? 3 * k + 1 : k) * width;
    memcpy(out, a, (size_t)width * sizeof *out);
    if (time > times[k] && k + 1 < keys && strcmp(how, "STEP") != 0) {
        double step = times[k + 1] - times[k], u = (time - times[k]) / step;
        const double *b = values + (cubic ? 3 * k + 4 : k + 1) * width;
        double from[4] = {0}, to[4] = {0};
        memcpy(from, a, (size_t)width * sizeof *a);
        memcpy(to, b, (size_t)width * sizeof *b);
        if (cubic)
            for (int i = 0; i < width; i++)
                out[i] = (1 + 2 * u) * (1 - u) * (1 - u) * a[i] +
                         u * (1 - u) * (1 - u) * step * a[width + i] + u * u * (3 - 2 * u) * b[i] +
                         u * u * (u - 1) * step * b[i - width];
        else if (rotates)
            oracle_slerp(from, to, u, out);
        else
            for (int i = 0; i < width; i++)
                out[i] = (1 - u) * a[i] + u * b[i];
    }
    if (rotates)
        oracle_unit(out);
}

/* ---- matrices ----------------------------------------------------------- */

static inline void oracle_numbers(const json_t *node, const char *key, double *numbers, int count)
{
    json_t *array = json_object_get(node, key);
    for (int i = 0; array != NULL && i < count; i++)
        numbers[i] = json_number_value(json_array_get(array, (size_t)i));
}

static inline void oracle_turn(const double *q, double *m)
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(m, rows, sizeof rows);
}

/* the local matrix of a node, and its rotation, of a matrix that of its columns */
static inline void oracle_local(const oracle *o, int animation, int index, double time, double *m,
                                double *turn)
{
    json_t *node = json_array_get(json_object_get(o->json, "nodes"), (size_t)index);
    double t[3] = {0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, given[16];
    if (json_object_get(node, "matrix") != NULL) {
        oracle_numbers(node, "matrix", given, 16);
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++)
                m[4 * r + c] = given[4 * c + r];
        for (int c = 0; c < 3; c++) {
            double size = sqrt(m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
            for (int r = 0; r < 3; r++)
                turn[3 * r + c] = m[4 * r + c] / size;
        }
        return;
    }
    oracle_numbers(node, "translation", t, 3);
    oracle_numbers(node, "rotation", q, 4);
    oracle_numbers(node, "scale", s, 3);
    json_t *a = json_array_get(json_object_get(o->json, "animations"), (size_t)animation);
    json_t *channels = json_object_get(a, "channels"), *channel;
    size_t c;
    json_array_foreach(channels, c, channel)
    {
        json_t *target = json_object_get(channel, "target");
        json_t *sampler = json_array_get(json_object_get(a, "samplers"),
                                         (size_t)oracle_member(channel, "sampler"));
        const char *path = json_string_value(json_object_get(target, "path"));
        if (json_object_get(target, "node") == NULL || oracle_member(target, "node") != index)
            continue;
        if (strcmp(path, "translation") == 0)
            oracle_sample(o, sampler, 0, time, t);
        else if (strcmp(path, "rotation") == 0)
            oracle_sample(o, sampler, 1, time, q);
        else if (strcmp(path, "scale") == 0)
            oracle_sample(o, sampler, 0, time, s);
    }
    oracle_unit(q);
    oracle_turn(q, turn);
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++)
            m[4 * r + k] = turn[3 * r + k] * s[k];
        m[4 * r + 3] = t[r];
    }
    m[12] = m[13] = m[14] = 0;
    m[15] = 1;
}

static inline void oracle_walk(oracle *o, int animation, int index, double time,
                               const double *above, const double *turned_above)
{
    double m[16], turn[9];
    oracle_local(o, animation, index, time, m, turn);
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += above[4 * r + k] * m[4 * k + c];
            o->world[index][4 * r + c] = sum;
        }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += turned_above[3 * r + k] * turn[3 * k + c];
            o->turned[index][3 * r + c] = sum;
        }
    json_t *children = json_object_get(
        json_array_get(json_object_get(o->json, "nodes"), (size_t)index), "children");
    for (size_t i = 0; i < json_array_size(children); i++)
        oracle_walk(o, animation, (int)json_number_value(json_array_get(children, i)), time,
                    o->world[index], o->turned[index]);
}

/* the matrices of all nodes at a time; animation -1: at rest. The file's y is the world's z. */
static inline void oracle_pose(oracle *o, int animation, double time)
{
    static const double up[16] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    static const double turned_up[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    json_t *nodes = json_object_get(o->json, "nodes");
    owned char *is_child = calloc((size_t)o->nodes, 1);
    for (int i = 0; i < o->nodes; i++) {
        json_t *children = json_object_get(json_array_get(nodes, (size_t)i), "children");
        for (size_t k = 0; k < json_array_size(children); k++)
            is_child[(int)json_number_value(json_array_get(children, k))] = 1;
    }
    for (int i = 0; i < o->nodes; i++)
        if (!is_child[i])
            oracle_walk(o, animation, i, time, up, turned_up);
}

#endif
