/*
 * accessor.c - arrays of numbers in a glTF's buffers, read where they lie.
 *
 * Source: glTF 2.0, section 3.6.2: buffer views, accessors, sparse accessors, data types. All that
 * reading an element relies on is checked once, when the file is read.
 */
#include "formats/gltf/gltf.h"

#include "base/bytes.h"
#include "base/error.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* GL's numbers of the component types */
enum {
    TYPE_BYTE = 5120,
    TYPE_UNSIGNED_BYTE = 5121,
    TYPE_SHORT = 5122,
    TYPE_UNSIGNED_SHORT = 5123,
    TYPE_UNSIGNED_INT = 5125,
    TYPE_FLOAT = 5126
};

/* bytes of a component, 0 for a type that there is not */
static size_t size_of(int type)
{
    switch (type) {
    case TYPE_BYTE:
    case TYPE_UNSIGNED_BYTE:
        return 1;
    case TYPE_SHORT:
    case TYPE_UNSIGNED_SHORT:
        return 2;
    case TYPE_UNSIGNED_INT:
    case TYPE_FLOAT:
        return 4;
    default:
        return 0;
    }
}

/* 0 for a type that there is not */
static int components_of(const char *type)
{
    static const struct {
        const char *name;
        int components;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].components;
    return 0;
}

/* ---- reading elements --------------------------------------------------- */

/* one component; integers that are normalised as the specification's 3.11 says */
static double component(const gltf_view *view, const unsigned char *at)
{
    uint32_t bits = (uint32_t)bytes_whole(at, size_of(view->type));
    double whole, most;
    switch (view->type) {
    case TYPE_FLOAT:
        return bytes_real(at, 4);
    case TYPE_BYTE:
        whole = bits > 127 ? (double)bits - 256 : (double)bits, most = 127;
        break;
    case TYPE_SHORT:
        whole = bits > 32767 ? (double)bits - 65536 : (double)bits, most = 32767;
        break;
    case TYPE_UNSIGNED_BYTE:
        whole = bits, most = 255;
        break;
    case TYPE_UNSIGNED_SHORT:
        whole = bits, most = 65535;
        break;
    default:
        return bits;
    }
    return view->normalized ? fmax(whole / most, -1) : whole;
}

static double view_number(const gltf_view *view, int index)
{
    return component(view, view->bytes + (size_t)index * view->stride);
}

/* where a sparse accessor has this element, -1: not among the changed ones */
static int find_changed(const gltf_accessor *accessor, int index)
{
    int low = 0, high = accessor->changed - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        double at = view_number(&accessor->indices, middle);
        if (at == index)
            return middle;
        if (at < index)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

void gltf_element(const gltf_accessor *accessor, int index, double *out)
{
    const gltf_view *view = &accessor->values;
    int changed = accessor->changed > 0 ? find_changed(accessor, index) : -1;
    if (changed >= 0) {
        view = &accessor->changes;
        index = changed;
    }
    size_t size = size_of(view->type);
    for (int i = 0; i < accessor->components; i++)
        out[i] =
            view->bytes == NULL
                ? 0
                : component(view, view->bytes + (size_t)index * view->stride + (size_t)i * size);
}

double gltf_number(const gltf_accessor *accessor, int index)
{
    double number[16];
    gltf_element(accessor, index, number);
    return number[0];
}

/* ---- buffer views ------------------------------------------------------- */

/* A buffer view, and what is to be read from it. */
typedef struct wanted_view {
    int view, type;
    double offset; /* in the view */
    int count, components;
    bool normalized;
} wanted_view;

static lb_status refuse_range(const gltf_reader *reader, const gltf_place *place, double end,
                              double size)
{
    return gltf_refuse(reader, LB_BAD_VALUE, place,
                       "it ends at byte %.0f of the %.0f that are there", end, size);
}

/* the bytes of a buffer view */
static lb_status find_bytes(const gltf_reader *reader, const gltf_place *place, int index,
                            const unsigned char **bytes, double *length, double *stride)
{
    const lb_gltf *gltf = reader->gltf;
    const tree_node *view = tree_element(gltf->views, index);
    gltf_place own = gltf_place_of("bufferViews", (size_t)index);
    int buffer = -1;
    double offset = 0;
    *length = -1;
    *stride = 0;
    TRY(gltf_index(reader, &own, view, "buffer", "buffers", gltf->buffer_count, &buffer));
    TRY(gltf_whole(reader, &own, view, "byteOffset", 0, 9e15, &offset));
    TRY(gltf_whole(reader, &own, view, "byteLength", 1, 9e15, length));
    TRY(gltf_whole(reader, &own, view, "byteStride", 4, 252, stride));
    const gltf_buffer *from = &gltf->buffers[buffer];
    if (from->bytes == NULL)
        return gltf_refuse(reader, LB_UNSUPPORTED, place,
                           "buffers[%d] has no bytes that can be read: no uri and no binary chunk",
                           buffer);
    if (offset + *length > (double)from->size)
        return refuse_range(reader, &own, offset + *length, (double)from->size);
    *bytes = from->bytes + (size_t)offset;
    return LB_OK;
}

/* checks that all elements lie within the view */
static lb_status open_view(const gltf_reader *reader, const gltf_place *place,
                           const wanted_view *wanted, gltf_view *view)
{
    const unsigned char *bytes = NULL;
    double length, stride, element = (double)size_of(wanted->type) * wanted->components;
    TRY(find_bytes(reader, place, wanted->view, &bytes, &length, &stride));
    stride = stride == 0 ? element : stride;
    if (stride < element)
        return gltf_refuse(reader, LB_BAD_VALUE, place,
                           "bufferViews[%d].byteStride is %.0f, less than an element's %.0f bytes",
                           wanted->view, stride, element);
    double end = wanted->offset + stride * (wanted->count - 1.0) + element;
    if (end > length)
        return refuse_range(reader, place, end, length);
    *view = (gltf_view){.bytes = bytes + (size_t)wanted->offset,
                        .stride = (size_t)stride,
                        .type = wanted->type,
                        .normalized = wanted->normalized};
    return LB_OK;
}

/* ---- accessors ---------------------------------------------------------- */

/* the view, offset and component type that an object has */
static lb_status read_wanted(const gltf_reader *reader, const gltf_place *place,
                             const tree_node *object, wanted_view *wanted)
{
    double type = wanted->type > 0 ? wanted->type : -1;
    TRY(gltf_index(reader, place, object, "bufferView", "bufferViews",
                   tree_array_size(reader->gltf->views), &wanted->view));
    TRY(gltf_whole(reader, place, object, "byteOffset", 0, 9e15, &wanted->offset));
    TRY(gltf_whole(reader, place, object, "componentType", 0, 9e15, &type));
    wanted->type = type <= TYPE_FLOAT ? (int)type : 0;
    if (size_of(wanted->type) == 0)
        return gltf_refuse(reader, LB_BAD_VALUE, place, "componentType %.0f is unknown", type);
    return LB_OK;
}

/* the indices of a sparse accessor increase and are among its elements */
static lb_status check_indices(const gltf_reader *reader, const gltf_place *place,
                               const gltf_accessor *accessor)
{
    double before = -1;
    for (int i = 0; i < accessor->changed; i++) {
        double index = view_number(&accessor->indices, i);
        if (!(index > before && index < accessor->count))
            return gltf_refuse(reader, LB_BAD_VALUE, place,
                               "index %d is %.0f, after %.0f; they must increase, below %d", i,
                               index, before, accessor->count);
        before = index;
    }
    return LB_OK;
}

static lb_status read_sparse(const gltf_reader *reader, const gltf_place *place,
                             const tree_node *object, gltf_accessor *accessor, bool normalized)
{
    const tree_node *indices = tree_member(object, "indices");
    const tree_node *values = tree_member(object, "values");
    gltf_place at = gltf_place_in(place, "sparse");
    double count = -1;
    TRY(gltf_whole(reader, &at, object, "count", 1, accessor->count, &count));
    at = gltf_place_in(place, "sparse.indices");
    wanted_view wanted = {.view = -1, .count = (int)count, .components = 1};
    TRY(read_wanted(reader, &at, indices, &wanted));
    if (wanted.type == TYPE_FLOAT || wanted.type == TYPE_BYTE || wanted.type == TYPE_SHORT)
        return gltf_refuse(reader, LB_BAD_VALUE, &at, "componentType must be an unsigned integer");
    TRY(open_view(reader, &at, &wanted, &accessor->indices));
    TRY(gltf_look(reader, &at, count));
    accessor->changed = (int)count;
    TRY(check_indices(reader, &at, accessor));
    at = gltf_place_in(place, "sparse.values");
    wanted = (wanted_view){.view = -1,
                           .type = accessor->values.type,
                           .count = (int)count,
                           .components = accessor->components,
                           .normalized = normalized};
    TRY(read_wanted(reader, &at, values, &wanted));
    return open_view(reader, &at, &wanted, &accessor->changes);
}

lb_status gltf_look(const gltf_reader *reader, const gltf_place *place, double elements)
{
    double most = 32.0 * (double)reader->gltf->size + 1048576;
    *reader->looked += elements;
    if (*reader->looked <= most)
        return LB_OK;
    return gltf_refuse(reader, LB_UNSUPPORTED, place,
                       "the same numbers are used too often: more than %.0f in all, for a file of "
                       "%zu bytes",
                       most, reader->gltf->size);
}

lb_status gltf_open_accessor(const gltf_reader *reader, int index, gltf_accessor *accessor)
{
    const tree_node *object = tree_element(reader->gltf->listed, index);
    gltf_place place = gltf_place_of("accessors", (size_t)index);
    const tree_node *sparse = tree_member(object, "sparse");
    const tree_node *fraction = tree_member(object, "normalized");
    bool normalized = fraction != NULL && fraction->kind == LB_NODE_TRUE;
    double count = -1;
    *accessor = (gltf_accessor){.count = 0};
    TRY(gltf_whole(reader, &place, object, "count", 1, INT_MAX, &count));
    accessor->components = components_of(tree_text(object, "type"));
    if (accessor->components == 0)
        return gltf_refuse(reader, LB_BAD_VALUE, &place, "type '%.20s' is unknown",
                           tree_text(object, "type"));
    accessor->count = (int)count;
    bool backed = tree_member(object, "bufferView") != NULL;
    wanted_view wanted = {
        .count = accessor->count, .components = accessor->components, .normalized = normalized};
    TRY(read_wanted(reader, &place, object, &wanted));
    accessor->values = (gltf_view){.type = wanted.type, .normalized = normalized};
    if (backed)
        TRY(open_view(reader, &place, &wanted, &accessor->values));
    return sparse != NULL ? read_sparse(reader, &place, sparse, accessor, normalized) : LB_OK;
}

/* marks the accessors that animations name: the others may be what only extensions can read */
static void mark_used(const lb_gltf *gltf, bool *used)
{
    const tree_node *animations = tree_member(gltf->json, "animations");
    for (int a = 0; a < tree_array_size(animations); a++) {
        const tree_node *samplers = tree_member(tree_element(animations, a), "samplers");
        for (int s = 0; s < tree_array_size(samplers); s++) {
            const tree_node *sampler = tree_element(samplers, s);
            const tree_node *ends[] = {tree_member(sampler, "input"),
                                       tree_member(sampler, "output")};
            for (int i = 0; i < 2; i++) {
                double index = tree_is_number(ends[i]) ? ends[i]->number : -1;
                if (index >= 0 && index < gltf->accessor_count)
                    used[(size_t)index] = true;
            }
        }
    }
}

lb_status gltf_read_accessors(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    TRY(gltf_array(reader, gltf->json, "accessors", &gltf->listed, &gltf->accessor_count));
    size_t count = (size_t)gltf->accessor_count;
    gltf->accessors = memory_take(&gltf->allocator, count, sizeof *gltf->accessors);
    bool *used = memory_take(&reader->memory, count, sizeof *used);
    TRY(require_memory(reader->error, gltf->accessors && used));
    mark_used(gltf, used);
    for (int i = 0; i < gltf->accessor_count; i++)
        if (used[i])
            TRY(gltf_open_accessor(reader, i, &gltf->accessors[i]));
    return LB_OK;
}
