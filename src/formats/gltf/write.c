/*
 * write.c - a glTF or GLB with other animations.
 *
 * The tree that was read is written again, so that all else stays; the arrays that get more
 * elements are written with those behind the old ones. New numbers go behind those of buffer 0,
 * which is the binary chunk of a GLB; where its bytes are not here they get a buffer of their own.
 */
#include "formats/gltf/gltf.h"

#include "base/bytes.h"
#include "base/error.h"
#include "formats/json_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* New elements of an array, as JSON. */
typedef struct more_elements {
    json_text text;
    int first, count; /* the index of the first one, and how many there are */
} more_elements;

typedef struct writing {
    const lb_gltf *gltf;
    const lb_gltf_write_options *options;
    lb_allocator memory;
    const lb_gltf_animation *given;
    int count;
    char **animations; /* of each that is given its JSON */
    more_elements views, accessors;
    unsigned char *bytes; /* of the buffer that grows */
    size_t size, room;
    int buffer; /* which it is */
    bool chunk; /* it is the chunk of a GLB */
    lb_error *error;
} writing;

/* ---- JSON ---------------------------------------------------------------- */

static more_elements elements_start(const writing *w, const char *array)
{
    more_elements made = {.text = json_text_start(&w->memory)};
    made.first = tree_array_size(tree_member(w->gltf->json, array));
    json_text_open(&made.text, '[', false);
    return made;
}

/* begins the next element, an object; its index in the array */
static int elements_add(more_elements *more)
{
    json_text_open(&more->text, '{', false);
    return more->first + more->count++;
}

/* writes the elements into an array that is open; theirs begin with a bracket */
static void elements_put(json_text *out, const more_elements *more)
{
    if (more->text.status != LB_OK)
        out->status = more->text.status;
    else if (more->count > 0)
        json_text_word(out, more->text.text + 1);
}

static void put_text(json_text *out, const char *key, const char *text)
{
    json_text_text(out, key, text);
}

/* ---- numbers ------------------------------------------------------------- */

/* room for more bytes, from a multiple of four on; NULL: there is none */
static unsigned char *grow(writing *w, size_t size)
{
    size_t begin = (w->size + 3) / 4 * 4;
    unsigned char *bytes =
        memory_grow(&w->memory, w->bytes, w->size, &w->room, begin + size + 1, 1);
    if (bytes == NULL)
        return NULL;
    w->bytes = bytes;
    w->size = begin + size;
    return w->bytes + begin;
}

static int add_view(writing *w, size_t offset, size_t size)
{
    json_text *out = &w->views.text;
    int view = elements_add(&w->views);
    json_text_member(out, "buffer", w->buffer);
    json_text_member(out, "byteOffset", (double)offset);
    json_text_member(out, "byteLength", (double)size);
    json_text_close(out, '}');
    return view;
}

/* an accessor of `count` elements of floats, which are put into the buffer; -1: no memory */
static int add_accessor(writing *w, const float *numbers, int count, int components)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    enum { FLOATS = 5126 };
    size_t size = (size_t)count * (size_t)components * 4;
    unsigned char *at = grow(w, size);
    if (at == NULL)
        return -1;
    for (size_t i = 0; i < size / 4; i++)
        bytes_put(at + 4 * i, bytes_of_float(numbers[i]), 4);
    json_text *out = &w->accessors.text;
    int accessor = elements_add(&w->accessors);
    json_text_member(out, "bufferView", add_view(w, (size_t)(at - w->bytes), size));
    json_text_member(out, "componentType", FLOATS);
    put_text(out, "type", types[components]);
    json_text_member(out, "count", count);
    // times need their bounds
    if (components == 1) {
        json_text_list(out, "min", (double[]){numbers[0]}, 1);
        json_text_list(out, "max", (double[]){numbers[count - 1]}, 1);
    }
    json_text_close(out, '}');
    return accessor;
}

/* ---- animations ---------------------------------------------------------- */

/* An animation that is being made. */
typedef struct making {
    gltf_curves curves;
    more_elements channels, samplers;
    int times;      /* the accessor */
    float *numbers; /* room for four for each key */
} making;

static void put_channel(making *m, int sampler, int node, const char *path)
{
    json_text *out = &m->channels.text;
    elements_add(&m->channels);
    json_text_member(out, "sampler", sampler);
    json_text_begin(out, "target", '{', false);
    json_text_member(out, "node", node);
    put_text(out, "path", path);
    json_text_close(out, '}');
    json_text_close(out, '}');
}

static int put_sampler(making *m, int values)
{
    json_text *out = &m->samplers.text;
    bool steps = lb_clip_interpolation(m->curves.clip) == LB_INTERPOLATION_STEP;
    int sampler = elements_add(&m->samplers);
    json_text_member(out, "input", m->times);
    json_text_member(out, "output", values);
    put_text(out, "interpolation", steps ? "STEP" : "LINEAR");
    json_text_close(out, '}');
    return sampler;
}

static lb_status add_channel(writing *w, making *m, int node, gltf_path path)
{
    static const char *const paths[] = {"translation", "rotation"};
    TRY(gltf_curve_values(&m->curves, node, path, m->numbers));
    int values =
        add_accessor(w, m->numbers, lb_clip_count(m->curves.clip), path == GLTF_ROTATION ? 4 : 3);
    if (values < 0)
        return error_out_of_memory(w->error);
    put_channel(m, put_sampler(m, values), node, paths[path]);
    return LB_OK;
}

/* a channel for all that moves; of what rests, one, because an animation needs it */
static lb_status add_channels(writing *w, making *m)
{
    int count = lb_clip_count(m->curves.clip), joint = -1;
    TRY(gltf_curve_times(&m->curves, m->numbers));
    m->times = add_accessor(w, m->numbers, count, 1);
    if (m->times < 0)
        return error_out_of_memory(w->error);
    for (int n = 0; n < w->gltf->node_count; n++) {
        joint = m->curves.places[n] >= 0 && joint < 0 ? n : joint;
        for (gltf_path path = GLTF_PLACE; path <= GLTF_ROTATION; path++)
            if (gltf_curve_moves(&m->curves, n, path))
                TRY(add_channel(w, m, n, path));
    }
    if (m->channels.count == 0 && joint < 0)
        return REFUSE_MODEL(w->error,
                            "the file has no joints: no animation moves a node of it, and no skin "
                            "has one");
    return m->channels.count == 0 ? add_channel(w, m, joint, GLTF_ROTATION) : LB_OK;
}

static void put_array(json_text *out, const char *key, const more_elements *more)
{
    json_text_begin(out, key, '[', false);
    elements_put(out, more);
    json_text_close(out, ']');
}

static lb_status put_animation(writing *w, const char *name, const making *m, char **text)
{
    json_text out = json_text_start(&w->memory);
    json_text_open(&out, '{', false);
    put_text(&out, "name", name);
    put_array(&out, "channels", &m->channels);
    put_array(&out, "samplers", &m->samplers);
    json_text_close(&out, '}');
    return json_text_take(&out, text, w->error);
}

static lb_status add_animation(writing *w, const lb_gltf_animation *animation, char **text)
{
    // arrays of their own, whose first index is 0
    making m = {.channels = elements_start(w, ""), .samplers = elements_start(w, "")};
    size_t keys = (size_t)lb_clip_count(animation->clip);
    TRY(gltf_curves_open(&m.curves, w->gltf, animation, &w->memory, w->error));
    m.numbers = memory_take(&w->memory, keys, 4 * sizeof(float));
    TRY(require_memory(w->error, m.numbers));
    TRY(add_channels(w, &m));
    return put_animation(w, animation->name, &m, text);
}

/* the last one given that has this name, which counts; -1: none */
static int find_given(const writing *w, const char *name)
{
    int found = -1;
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->given[i].name, name) == 0)
            found = i;
    return found;
}

/* the animations of the file, those of a name that is given in their places, and the others */
static void put_animations(writing *w, json_text *out)
{
    bool *used = memory_take(&w->memory, (size_t)w->count, sizeof *used);
    const tree_node *old = tree_member(w->gltf->json, "animations");
    int kept = w->options->only_these || used == NULL ? 0 : tree_array_size(old);
    if (used == NULL)
        out->status = LB_OUT_OF_MEMORY;
    for (int i = 0; i < kept; i++) {
        const tree_node *animation = tree_element(old, i);
        int given = find_given(w, tree_text(animation, "name"));
        // the first of a name is replaced, further ones stay
        if (given >= 0 && !used[given]) {
            json_text_word(out, w->animations[given]);
            used[given] = true;
        } else {
            json_text_tree(out, animation);
        }
    }
    for (int i = 0; i < w->count && used != NULL; i++)
        if (!used[i] && find_given(w, w->given[i].name) == i)
            json_text_word(out, w->animations[i]);
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
    TRY(require_memory(w->error, at));
    memcpy(at, first->bytes, first->size);
    return LB_OK;
}

/* a data: URI of some bytes, in quotes */
static void put_data(const writing *w, json_text *out, const unsigned char *bytes, size_t size)
{
    static const char head[] = "\"data:application/octet-stream;base64,";
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = memory_take(&w->memory, sizeof head + 1 + (size + 2) / 3 * 4, 1);
    if (text == NULL) {
        out->status = LB_OUT_OF_MEMORY;
        return;
    }
    memcpy(text, head, sizeof head - 1);
    char *at = text + sizeof head - 1;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i < 3 ? size - i : 3;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            *at++ = k > left ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    memcpy(at, "\"", 2);
    json_text_word(out, text);
}

/*
 * A buffer: the one that has grown is the chunk of a GLB or embedded; others that were beside the
 * file are in it from now on. `old` may be NULL.
 */
static void put_buffer(const writing *w, json_text *out, const tree_node *old, int index)
{
    static const gltf_buffer none = {.bytes = NULL};
    bool grown = index == w->buffer && w->size > 0;
    const gltf_buffer *buffer = index < w->gltf->buffer_count ? &w->gltf->buffers[index] : &none;
    bool embedded = strncmp(tree_text(old, "uri"), "data:", 5) == 0;
    bool moves = !grown && buffer->bytes != NULL && !embedded;
    if (!grown && !moves) {
        json_text_tree(out, old);
        return;
    }
    json_text_open(out, '{', false);
    for (const tree_node *member = old == NULL ? NULL : old->first; member != NULL;
         member = member->next) {
        if (strcmp(member->name, "uri") == 0 || strcmp(member->name, "byteLength") == 0)
            continue;
        json_text_key(out, member->name);
        json_text_tree(out, member);
    }
    json_text_member(out, "byteLength", (double)(grown ? w->size : buffer->size));
    if (!(grown && w->chunk)) {
        json_text_key(out, "uri");
        put_data(w, out, grown ? w->bytes : buffer->bytes, grown ? w->size : buffer->size);
    }
    json_text_close(out, '}');
}

static void put_buffers(writing *w, json_text *out)
{
    const tree_node *old = tree_member(w->gltf->json, "buffers");
    int count = tree_array_size(old);
    for (int i = 0; i < count; i++)
        put_buffer(w, out, tree_element(old, i), i);
    if (w->size > 0 && w->buffer == count)
        put_buffer(w, out, NULL, count);
}

/* ---- the tree ------------------------------------------------------------ */

static void put_views(writing *w, json_text *out)
{
    elements_put(out, &w->views);
}

static void put_accessors(writing *w, json_text *out)
{
    elements_put(out, &w->accessors);
}

/* An array of the file that is written anew, or is followed by more. */
typedef struct edited_array {
    const char *key;
    bool all; /* `put` writes the old elements, too */
    void (*put)(writing *w, json_text *out);
} edited_array;

static const edited_array edited_arrays[] = {{"buffers", true, put_buffers},
                                             {"bufferViews", false, put_views},
                                             {"accessors", false, put_accessors},
                                             {"animations", true, put_animations}};

enum { EDITED_ARRAYS = sizeof edited_arrays / sizeof *edited_arrays };

/* whether an array that the file does not have gets elements */
static bool is_needed(const writing *w, const edited_array *edited)
{
    return strcmp(edited->key, "animations") == 0 ? w->count > 0
           : strcmp(edited->key, "buffers") == 0  ? w->size > 0
                                                  : w->accessors.count > 0;
}

static void put_edited(writing *w, json_text *out, const edited_array *edited, const tree_node *old)
{
    json_text_begin(out, edited->key, '[', false);
    for (int i = 0; i < tree_array_size(old) && !edited->all; i++)
        json_text_tree(out, tree_element(old, i));
    edited->put(w, out);
    json_text_close(out, ']');
}

static lb_status put_json(writing *w, char **text)
{
    json_text out = json_text_start(&w->memory);
    bool seen[EDITED_ARRAYS] = {false};
    json_text_open(&out, '{', false);
    for (const tree_node *member = w->gltf->json->first; member != NULL; member = member->next) {
        int which = 0;
        while (which < EDITED_ARRAYS && strcmp(edited_arrays[which].key, member->name) != 0)
            which++;
        if (which < EDITED_ARRAYS) {
            seen[which] = true;
            // an array of animations must not be empty
            if (edited_arrays[which].put != put_animations || !w->options->only_these ||
                w->count > 0)
                put_edited(w, &out, &edited_arrays[which], member);
            continue;
        }
        json_text_key(&out, member->name);
        json_text_tree(&out, member);
    }
    for (int i = 0; i < EDITED_ARRAYS; i++)
        if (!seen[i] && is_needed(w, &edited_arrays[i]))
            put_edited(w, &out, &edited_arrays[i], NULL);
    json_text_close(&out, '}');
    return json_text_take(&out, text, w->error);
}

/* ---- the file ------------------------------------------------------------ */

static bool put_word(lb_sink *sink, void *user, uint32_t word)
{
    unsigned char bytes[4];
    bytes_put(bytes, word, sizeof bytes);
    return sink(user, bytes, sizeof bytes);
}

static bool put_chunk(lb_sink *sink, void *user, const char *type, const void *bytes, size_t size,
                      char filler)
{
    const char fill[4] = {filler, filler, filler, filler};
    size_t padded = (size + 3) / 4 * 4;
    return put_word(sink, user, (uint32_t)padded) && sink(user, type, 4) &&
           (size == 0 || sink(user, bytes, size)) &&
           (padded == size || sink(user, fill, padded - size));
}

static bool put_glb(const writing *w, const char *text, lb_sink *sink, void *user)
{
    size_t json = strlen(text), size = 12 + 8 + (json + 3) / 4 * 4;
    if (w->chunk)
        size += 8 + (w->size + 3) / 4 * 4;
    return sink(user, "glTF", 4) && put_word(sink, user, 2) &&
           put_word(sink, user, (uint32_t)size) && put_chunk(sink, user, "JSON", text, json, ' ') &&
           (!w->chunk || put_chunk(sink, user, "BIN\0", w->bytes, w->size, 0));
}

static lb_status put_file(writing *w, lb_sink *sink, void *user)
{
    bool binary = w->options->binary;
    char *text;
    // only the first buffer is a chunk
    w->chunk = binary && w->buffer == 0 && w->size > 0;
    TRY(put_json(w, &text));
    bool large = binary && strlen(text) + w->size > UINT32_MAX - 64;
    bool done = !large && (binary ? put_glb(w, text, sink, user)
                                  : sink(user, text, strlen(text)) && sink(user, "\n", 1));
    if (large)
        return REFUSE_UNSUPPORTED(w->error, "a GLB holds less than 4 GB");
    return done ? LB_OK : lb_error_set(w->error, LB_FILE_ERROR, 0, "the file cannot be written");
}

static lb_status write_all(writing *w, lb_sink *sink, void *user)
{
    for (int i = 0; i < w->count; i++)
        TRY(REQUIRE(w->error, {w->given[i].name, "name"}, {w->given[i].clip, "clip"}));
    TRY(start_buffer(w));
    for (int i = 0; i < w->count; i++)
        TRY(add_animation(w, &w->given[i], &w->animations[i]));
    return put_file(w, sink, user);
}

lb_status lb_gltf_write(const lb_gltf *gltf, const lb_gltf_animation *animations, int count,
                        const lb_gltf_write_options *options, lb_sink *sink, void *user,
                        lb_error *error)
{
    lb_gltf_write_options given = options == NULL ? (lb_gltf_write_options){0} : *options;
    TRY(REQUIRE(error, {gltf, "gltf"}, {sink == NULL ? NULL : "", "sink"}));
    if (count < 0 || (count > 0 && animations == NULL))
        return REFUSE_ARGUMENT(error, "%d animations, but none are given", count);
    MEMORY_POOL(memory, given.allocator);
    writing w = {.gltf = gltf,
                 .options = &given,
                 .memory = memory,
                 .given = animations,
                 .count = count,
                 .error = error};
    w.views = elements_start(&w, "bufferViews");
    w.accessors = elements_start(&w, "accessors");
    w.animations = memory_take(&w.memory, (size_t)count, sizeof *w.animations);
    TRY(require_memory(error, w.animations));
    return write_all(&w, sink, user);
}
