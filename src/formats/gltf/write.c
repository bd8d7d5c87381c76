/*
 * write.c - a glTF or GLB with other animations.
 *
 * The JSON that was read is copied and edited, so that all else stays. New numbers go behind those
 * of buffer 0, which is the binary chunk of a GLB; where its bytes are not here they get a buffer
 * of their own.
 */
#include "formats/gltf/curve.h"

#include "base/memory.h"
#include "base/require.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    const lb_gltf *gltf;
    lb_allocator memory;
    json_t *json;
    unsigned char *bytes; /* of the buffer that grows */
    size_t size, room;
    int buffer;  /* which it is */
    bool failed; /* jansson has found no memory */
    lb_error *error;
} writing;

static lb_status no_memory(const writing *w)
{
    return lb_error_set(w->error, LB_OUT_OF_MEMORY, 0, "out of memory");
}

/* ---- JSON ---------------------------------------------------------------- */

/* the array `key`, made where there is none */
static json_t *array_of(writing *w, const char *key)
{
    json_t *array = json_object_get(w->json, key);
    if (array == NULL && json_object_set_new(w->json, key, array = json_array()) != 0) {
        w->failed = true;
        return NULL;
    }
    return array;
}

/* adds a value, which may be NULL for want of memory, at the end; its index */
static int append(writing *w, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        w->failed = true;
    return (int)json_array_size(array) - 1;
}

static void set(writing *w, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        w->failed = true;
}

/* ---- numbers ------------------------------------------------------------- */

/* room for more bytes, from a multiple of four on; NULL: there is none */
static unsigned char *grow(writing *w, size_t size)
{
    size_t begin = (w->size + 3) / 4 * 4;
    if (begin + size > w->room) {
        size_t room = 2 * (begin + size);
        unsigned char *larger = memory_take(&w->memory, room, 1);
        if (larger == NULL)
            return NULL;
        if (w->size > 0)
            memcpy(larger, w->bytes, w->size);
        memory_release(&w->memory, w->bytes);
        w->bytes = larger;
        w->room = room;
    }
    w->size = begin + size;
    return w->bytes + begin;
}

/* an accessor of `count` elements of floats, which are put into the buffer; -1: no memory */
static int add_accessor(writing *w, const float *numbers, int count, int components)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    size_t size = (size_t)count * (size_t)components * 4;
    unsigned char *at = grow(w, size);
    if (at == NULL)
        return -1;
    for (size_t i = 0; i < size / 4; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int k = 0; k < 4; k++)
            at[4 * i + (size_t)k] = (unsigned char)(bits >> (8 * k));
    }
    int view = append(w, array_of(w, "bufferViews"),
                      json_pack("{s:i, s:I, s:I}", "buffer", w->buffer, "byteOffset",
                                (json_int_t)(at - w->bytes), "byteLength", (json_int_t)size));
    json_t *accessor = json_pack("{s:i, s:i, s:s, s:i}", "bufferView", view, "componentType", 5126,
                                 "type", types[components], "count", count);
    // times need their bounds
    if (components == 1) {
        set(w, accessor, "min", json_pack("[f]", (double)numbers[0]));
        set(w, accessor, "max", json_pack("[f]", (double)numbers[count - 1]));
    }
    return append(w, array_of(w, "accessors"), accessor);
}

/* ---- animations ---------------------------------------------------------- */

/* An animation that is being made. */
typedef struct making {
    gltf_curves curves;
    json_t *channels, *samplers;
    int times;      /* the accessor */
    float *numbers; /* room for four for each key */
} making;

static lb_status add_channel(writing *w, making *m, int node, gltf_path path)
{
    static const char *const paths[] = {"translation", "rotation"};
    lb_status status = gltf_curve_values(&m->curves, node, path, m->numbers);
    if (status != LB_OK)
        return status;
    int values =
        add_accessor(w, m->numbers, lb_clip_count(m->curves.clip), path == GLTF_ROTATION ? 4 : 3);
    if (values < 0)
        return no_memory(w);
    bool steps = lb_clip_interpolation(m->curves.clip) == LB_INTERPOLATION_STEP;
    int sampler = append(w, m->samplers,
                         json_pack("{s:i, s:i, s:s}", "input", m->times, "output", values,
                                   "interpolation", steps ? "STEP" : "LINEAR"));
    append(w, m->channels,
           json_pack("{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node", node, "path",
                     paths[path]));
    return LB_OK;
}

/* a channel for all that moves; of what rests, one, because an animation needs it */
static lb_status add_channels(writing *w, making *m)
{
    lb_status status = gltf_curve_times(&m->curves, m->numbers);
    int count = lb_clip_count(m->curves.clip), joint = -1;
    if (status != LB_OK)
        return status;
    m->times = add_accessor(w, m->numbers, count, 1);
    if (m->times < 0)
        return no_memory(w);
    for (int n = 0; n < w->gltf->node_count && status == LB_OK; n++) {
        joint = m->curves.places[n] >= 0 && joint < 0 ? n : joint;
        for (gltf_path path = GLTF_PLACE; path <= GLTF_ROTATION && status == LB_OK; path++)
            if (gltf_curve_moves(&m->curves, n, path))
                status = add_channel(w, m, n, path);
    }
    if (status == LB_OK && json_array_size(m->channels) == 0 && joint < 0)
        return lb_error_set(w->error, LB_BAD_MODEL, 0,
                            "the file has no joints: no animation moves a node of it, and no skin "
                            "has one");
    if (status == LB_OK && json_array_size(m->channels) == 0)
        status = add_channel(w, m, joint, GLTF_ROTATION);
    return status;
}

/* puts an animation in the place of one of its name, or behind the others */
static void enter(writing *w, const char *name, json_t *animation)
{
    json_t *all = array_of(w, "animations");
    for (size_t i = 0; i < json_array_size(all); i++)
        if (strcmp(gltf_text(json_array_get(all, i), "name"), name) == 0) {
            w->failed = json_array_set_new(all, i, animation) != 0 || w->failed;
            return;
        }
    append(w, all, animation);
}

static lb_status add_animation(writing *w, const lb_gltf_animation *animation)
{
    making m = {.channels = json_array(), .samplers = json_array()};
    lb_status status = gltf_curves_open(&m.curves, w->gltf, animation, &w->memory, w->error);
    if (status == LB_OK) {
        m.numbers =
            memory_take(&w->memory, (size_t)lb_clip_count(animation->clip), 4 * sizeof(float));
        status = m.numbers == NULL ? no_memory(w) : add_channels(w, &m);
        gltf_curves_close(&m.curves);
        memory_release(&w->memory, m.numbers);
    }
    if (status != LB_OK) {
        json_decref(m.channels);
        json_decref(m.samplers);
        return status;
    }
    enter(w, animation->name,
          json_pack("{s:s, s:o, s:o}", "name", animation->name, "channels", m.channels, "samplers",
                    m.samplers));
    return w->failed ? no_memory(w) : LB_OK;
}

/* ---- buffers ------------------------------------------------------------- */

/* begins with the bytes of buffer 0, or with none for a new buffer */
static lb_status start_buffer(writing *w)
{
    const gltf_buffer *first = w->gltf->buffer_count > 0 ? w->gltf->buffers : NULL;
    bool extends = first != NULL && first->bytes != NULL;
    w->buffer = extends ? 0 : w->gltf->buffer_count;
    if (!extends)
        return LB_OK;
    unsigned char *at = grow(w, first->size);
    if (at == NULL)
        return no_memory(w);
    memcpy(at, first->bytes, first->size);
    return LB_OK;
}

/* a data: URI of some bytes; NULL for want of memory */
static json_t *data_uri(const writing *w, const unsigned char *bytes, size_t size)
{
    static const char head[] = "data:application/octet-stream;base64,";
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = memory_take(&w->memory, sizeof head + (size + 2) / 3 * 4, 1);
    if (text == NULL)
        return NULL;
    memcpy(text, head, sizeof head - 1);
    char *at = text + sizeof head - 1;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i < 3 ? size - i : 3;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            *at++ = k > left ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    *at = '\0';
    json_t *uri = json_string_nocheck(text);
    memory_release(&w->memory, text);
    return uri;
}

/* buffers that were beside the file are in it from now on */
static void embed_others(writing *w)
{
    json_t *array = json_object_get(w->json, "buffers");
    for (int i = 0; i < w->gltf->buffer_count; i++) {
        json_t *object = json_array_get(array, (size_t)i);
        const gltf_buffer *buffer = &w->gltf->buffers[i];
        bool embedded = strncmp(gltf_text(object, "uri"), "data:", 5) == 0;
        if (i != w->buffer && buffer->bytes != NULL && !embedded)
            set(w, object, "uri", data_uri(w, buffer->bytes, buffer->size));
    }
}

/* the buffer that has grown: the chunk of a GLB, or embedded */
static void end_buffer(writing *w, bool chunk)
{
    json_t *array = array_of(w, "buffers");
    if (w->buffer == (int)json_array_size(array))
        append(w, array, json_object());
    json_t *object = json_array_get(array, (size_t)w->buffer);
    set(w, object, "byteLength", json_integer((json_int_t)w->size));
    if (chunk)
        json_object_del(object, "uri");
    else
        set(w, object, "uri", data_uri(w, w->bytes, w->size));
}

/* ---- the file ------------------------------------------------------------ */

static bool put_word(lb_gltf_sink *sink, void *user, uint32_t word)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
    return sink(user, bytes, sizeof bytes);
}

static bool put_chunk(lb_gltf_sink *sink, void *user, const char *type, const void *bytes,
                      size_t size, char filler)
{
    const char fill[4] = {filler, filler, filler, filler};
    size_t padded = (size + 3) / 4 * 4;
    return put_word(sink, user, (uint32_t)padded) && sink(user, type, 4) &&
           (size == 0 || sink(user, bytes, size)) &&
           (padded == size || sink(user, fill, padded - size));
}

static bool put_glb(const writing *w, const char *text, bool chunk, lb_gltf_sink *sink, void *user)
{
    size_t json = strlen(text), size = 12 + 8 + (json + 3) / 4 * 4;
    if (chunk)
        size += 8 + (w->size + 3) / 4 * 4;
    return sink(user, "glTF", 4) && put_word(sink, user, 2) &&
           put_word(sink, user, (uint32_t)size) && put_chunk(sink, user, "JSON", text, json, ' ') &&
           (!chunk || put_chunk(sink, user, "BIN\0", w->bytes, w->size, 0));
}

static lb_status put_file(writing *w, bool binary, lb_gltf_sink *sink, void *user)
{
    // only the first buffer is a chunk
    bool chunk = binary && w->buffer == 0 && w->size > 0;
    if (w->size > 0)
        end_buffer(w, chunk);
    embed_others(w);
    char *text = w->failed ? NULL : json_dumps(w->json, JSON_REAL_PRECISION(17) | JSON_COMPACT);
    if (text == NULL)
        return no_memory(w);
    bool large = binary && strlen(text) + w->size > UINT32_MAX - 64;
    bool done = !large && (binary ? put_glb(w, text, chunk, sink, user)
                                  : sink(user, text, strlen(text)) && sink(user, "\n", 1));
    free(text);
    if (large)
        return lb_error_set(w->error, LB_UNSUPPORTED, 0, "a GLB holds less than 4 GB");
    return done ? LB_OK : lb_error_set(w->error, LB_FILE_ERROR, 0, "the file cannot be written");
}

static lb_status write_all(writing *w, const lb_gltf_animation *animations, int count,
                           const lb_gltf_write_options *options, lb_gltf_sink *sink, void *user)
{
    w->json = json_deep_copy(w->gltf->json);
    if (w->json == NULL)
        return no_memory(w);
    if (options->only_these)
        json_object_del(w->json, "animations");
    lb_status status = start_buffer(w);
    for (int i = 0; i < count && status == LB_OK; i++) {
        status = REQUIRE(w->error, {animations[i].name, "name"}, {animations[i].clip, "clip"});
        if (status == LB_OK)
            status = add_animation(w, &animations[i]);
    }
    return status == LB_OK ? put_file(w, options->binary, sink, user) : status;
}

lb_status lb_gltf_write(const lb_gltf *gltf, const lb_gltf_animation *animations, int count,
                        const lb_gltf_write_options *options, lb_gltf_sink *sink, void *user,
                        lb_error *error)
{
    lb_gltf_write_options given = options == NULL ? (lb_gltf_write_options){0} : *options;
    lb_status status = REQUIRE(error, {gltf, "gltf"}, {sink == NULL ? NULL : "", "sink"});
    if (status == LB_OK && (count < 0 || (count > 0 && animations == NULL)))
        status =
            lb_error_set(error, LB_INVALID_ARGUMENT, 0, "%d animations, but none are given", count);
    if (status != LB_OK)
        return status;
    writing w = {.gltf = gltf, .memory = memory_allocator(given.allocator), .error = error};
    status = write_all(&w, animations, count, &given, sink, user);
    json_decref(w.json);
    memory_release(&w.memory, w.bytes);
    return status;
}
