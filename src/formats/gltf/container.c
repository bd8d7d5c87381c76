/*
 * container.c - the JSON of a glTF or GLB, and the bytes of its buffers.
 *
 * Source: glTF 2.0, sections 3.6.1 (buffers), 4 (GLB); RFC 2397 and RFC 4648 (data: URIs, base64).
 */
#include "formats/gltf/gltf.h"

#include "base/bytes.h"
#include "base/error.h"

#include <stdint.h>
#include <string.h>

/* ---- the container ------------------------------------------------------ */

/* a word of four bytes, the lowest first */
static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes_whole(bytes, 4);
}

enum { GLB_HEAD = 12, CHUNK_HEAD = 8 };

/* "JSON" and "BIN" with a zero */
#define CHUNK_JSON UINT32_C(0x4E4F534A)
#define CHUNK_BIN UINT32_C(0x004E4942)

static lb_status refuse(lb_error *error, const char *message)
{
    return lb_error_set(error, LB_SYNTAX_ERROR, 0, "%s", message);
}

/* JSON comes first, one binary chunk may follow, others have no meaning here */
static lb_status find_chunks(const unsigned char *bytes, size_t size, lb_gltf_parts *parts,
                             lb_error *error)
{
    *parts = (lb_gltf_parts){.json = NULL};
    for (size_t at = GLB_HEAD; at < size;) {
        if (size - at < CHUNK_HEAD)
            return refuse(error, "the GLB ends inside the head of a chunk");
        size_t length = word_at(bytes + at);
        uint32_t type = word_at(bytes + at + 4);
        at += CHUNK_HEAD;
        if (length > size - at)
            return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                                "a chunk of %zu bytes begins at byte %zu, where %zu are left",
                                length, at, size - at);
        if ((parts->json == NULL) != (type == CHUNK_JSON))
            return refuse(error, "the first chunk of a GLB, and no other one, is JSON");
        if (type == CHUNK_JSON) {
            parts->json = (const char *)bytes + at;
            parts->json_size = length;
        } else if (type == CHUNK_BIN && parts->chunk == NULL) {
            parts->chunk = bytes + at;
            parts->chunk_size = length;
        }
        at += length;
    }
    return parts->json != NULL ? LB_OK : refuse(error, "the GLB has no chunk of JSON");
}

static lb_status split_glb(const unsigned char *bytes, size_t size, lb_gltf_parts *parts,
                           lb_error *error)
{
    if (size < GLB_HEAD)
        return refuse(error, "the GLB ends inside its head");
    if (word_at(bytes + 4) != 2)
        return REFUSE_UNSUPPORTED(error, "GLB of version %u; version 2 is read",
                                  (unsigned)word_at(bytes + 4));
    if (word_at(bytes + 8) > size || word_at(bytes + 8) < GLB_HEAD)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                            "the GLB's head says %u bytes, and there are %zu",
                            (unsigned)word_at(bytes + 8), size);
    return find_chunks(bytes, word_at(bytes + 8), parts, error);
}

lb_status lb_gltf_split(const char *name, const void *bytes, size_t size, lb_gltf_parts *parts,
                        lb_error *error)
{
    error_begin(error, name);
    TRY(REQUIRE(error, {name, "name"}, {bytes, "bytes"}, {parts, "parts"}));
    *parts = (lb_gltf_parts){.json = bytes, .json_size = size};
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0)
        TRY(split_glb(bytes, size, parts, error));
    // some writers pad with zeros
    while (parts->json_size > 0 && parts->json[parts->json_size - 1] == '\0')
        parts->json_size--;
    return LB_OK;
}

/* ---- what the file says of itself ---------------------------------------- */

/* extensions that change nothing of what is read here */
static bool is_harmless(const char *extension)
{
    static const char *const beginnings[] = {"KHR_materials_",        "KHR_texture_", "KHR_lights_",
                                             "KHR_mesh_quantization", "EXT_texture_", "VRM"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(extension, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

lb_status gltf_read_asset(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    const tree_node *wanted, *asset = tree_member(gltf->json, "asset");
    const char *version = tree_text(asset, "version");
    int count;
    if (!tree_is_object(asset))
        return refuse(reader->error, "this is no glTF: there is no object 'asset' in it");
    if (strncmp(version, "2.", 2) != 0)
        return REFUSE_UNSUPPORTED(reader->error, "asset.version is '%.20s'; glTF 2 is read",
                                  version);
    TRY(gltf_array(reader, gltf->json, "extensionsRequired", &wanted, &count));
    for (int i = 0; i < count; i++) {
        const char *name = tree_string(tree_element(wanted, i));
        if (name == NULL || !is_harmless(name))
            return REFUSE_UNSUPPORTED(reader->error,
                                      "extensionsRequired: '%.80s' is not read; export without it",
                                      name == NULL ? "" : name);
    }
    gltf->info.generator = tree_text(asset, "generator");
    gltf->views = tree_member(gltf->json, "bufferViews");
    gltf->size = reader->parts.json_size + reader->parts.chunk_size;
    return LB_OK;
}

/* ---- data in URIs -------------------------------------------------------- */

/* the six bits of a character of base64, -1: it is none */
static int bits_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* decodes what is left of a text; fills at most `room` bytes, false where the text is no base64 */
static bool decode(const char *text, size_t room, unsigned char *bytes, size_t *size)
{
    uint32_t held = 0;
    int count = 0;
    for (*size = 0; *text != '\0' && *text != '='; text++) {
        int bits = bits_of(*text);
        if (bits < 0)
            return false;
        held = (held << 6 | (uint32_t)bits) & 0xFFFFFF;
        count += 6;
        if (count >= 8 && *size < room)
            bytes[(*size)++] = (unsigned char)(held >> (count - 8));
        count -= count >= 8 ? 8 : 0;
    }
    return true;
}

static lb_status read_data(const gltf_reader *reader, const gltf_place *place, const char *uri,
                           gltf_buffer *buffer)
{
    const char *text = strstr(uri, ";base64,");
    if (text == NULL)
        return gltf_refuse(reader, LB_UNSUPPORTED, place, "its data: URI is not in base64");
    text += strlen(";base64,");
    // never more than the text has, whatever byteLength says
    size_t room = strlen(text) / 4 * 3 + 3, size;
    buffer->bytes = memory_take(&reader->gltf->allocator, room, 1);
    TRY(require_memory(reader->error, buffer->bytes));
    if (!decode(text, room, buffer->bytes, &size))
        return gltf_refuse(reader, LB_SYNTAX_ERROR, place,
                           "its data: URI is not well-formed base64");
    if (size < buffer->size)
        return gltf_refuse(reader, LB_SYNTAX_ERROR, place,
                           "byteLength is %zu, but its data: URI has %zu bytes", buffer->size,
                           size);
    return LB_OK;
}

/* ---- files beside -------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* the relative path that a URI means; false: it is none, or too long */
static bool path_of(const char *uri, char path[GLTF_PATH_SIZE])
{
    size_t used = 0;
    if (strchr(uri, ':') != NULL)
        return false;
    for (; *uri != '\0' && used + 1 < GLTF_PATH_SIZE; uri++) {
        int high = uri[0] == '%' ? hex_digit(uri[1]) : -1;
        int low = high >= 0 ? hex_digit(uri[2]) : -1;
        path[used++] = low >= 0 ? (char)(16 * high + low) : *uri;
        uri += low >= 0 ? 2 : 0;
    }
    path[used] = '\0';
    // a slash may be written as %2F
    return *uri == '\0' && *path != '/' && *path != '\\';
}

bool gltf_held(const gltf_reader *reader, gltf_beside *file)
{
    const lb_gltf *gltf = reader->gltf;
    for (int i = 0; i < gltf->beside_count; i++)
        if (memcmp(gltf->beside[i].identity, file->identity, sizeof file->identity) == 0) {
            *file = gltf->beside[i];
            return true;
        }
    return false;
}

lb_status gltf_find_given(const gltf_reader *reader, const gltf_place *place, const char *path,
                          gltf_beside *file)
{
    const lb_gltf_options *options = reader->options;
    for (int i = 0; i < options->file_count; i++) {
        const lb_gltf_file *given = &options->files[i];
        if (strcmp(given->path, path) != 0)
            continue;
        file->identity[0] = (uintmax_t)i;
        if (gltf_held(reader, file))
            return LB_OK;
        file->size = given->size;
        file->bytes = memory_take(&reader->gltf->allocator, given->size, 1);
        TRY(require_memory(reader->error, file->bytes));
        memcpy(file->bytes, given->bytes, given->size);
        return LB_OK;
    }
    return gltf_refuse(reader, LB_UNSUPPORTED, place,
                       "it is in the file '%.100s', which is not here; give both, or save as .glb",
                       path);
}

static lb_status read_file(const gltf_reader *reader, const gltf_place *place, const char *uri,
                           gltf_buffer *buffer)
{
    lb_gltf *gltf = reader->gltf;
    gltf_beside file = {.bytes = NULL};
    char path[GLTF_PATH_SIZE];
    if (!path_of(uri, path))
        return gltf_refuse(reader, LB_UNSUPPORTED, place,
                           "'%.100s' is no relative path; save the buffer beside the file", uri);
    TRY(reader->find(reader, place, path, &file));
    if (!gltf_held(reader, &file)) {
        gltf->beside[gltf->beside_count++] = file;
        gltf->size += file.size;
    }
    buffer->bytes = file.bytes;
    if (file.size < buffer->size)
        return gltf_refuse(reader, LB_SYNTAX_ERROR, place,
                           "byteLength is %zu, but '%.100s' has %zu bytes", buffer->size, path,
                           file.size);
    return LB_OK;
}

/* ---- buffers ------------------------------------------------------------- */

static lb_status read_chunk(const gltf_reader *reader, const gltf_place *place, gltf_buffer *buffer)
{
    if (reader->parts.chunk_size < buffer->size)
        return gltf_refuse(reader, LB_SYNTAX_ERROR, place,
                           "byteLength is %zu, but the GLB's binary chunk has %zu bytes",
                           buffer->size, reader->parts.chunk_size);
    buffer->bytes = memory_take(&reader->gltf->allocator, buffer->size, 1);
    TRY(require_memory(reader->error, buffer->bytes));
    memcpy(buffer->bytes, reader->parts.chunk, buffer->size);
    return LB_OK;
}

static lb_status read_buffer(const gltf_reader *reader, const tree_node *object, int index)
{
    gltf_buffer *buffer = &reader->gltf->buffers[index];
    gltf_place place = gltf_place_of("buffers", (size_t)index);
    const char *uri = tree_string(tree_member(object, "uri"));
    double size = -1;
    TRY(gltf_whole(reader, &place, object, "byteLength", 1, 9e15, &size));
    buffer->size = (size_t)size;
    // a buffer without bytes matters to extensions alone, unless an accessor needs it
    if (uri == NULL)
        return index == 0 && reader->parts.chunk != NULL ? read_chunk(reader, &place, buffer)
                                                         : LB_OK;
    if (strncmp(uri, "data:", 5) != 0)
        return read_file(reader, &place, uri, buffer);
    reader->gltf->size += buffer->size;
    return read_data(reader, &place, uri, buffer);
}

lb_status gltf_read_buffers(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    const tree_node *array;
    int count;
    TRY(gltf_array(reader, gltf->json, "buffers", &array, &count));
    gltf->buffers = memory_take(&gltf->allocator, (size_t)count, sizeof *gltf->buffers);
    gltf->beside = memory_take(&gltf->allocator, (size_t)count, sizeof *gltf->beside);
    TRY(require_memory(reader->error, gltf->buffers && gltf->beside));
    for (int i = 0; i < count; i++) {
        gltf->buffer_count++;
        TRY(read_buffer(reader, tree_element(array, i), i));
    }
    return LB_OK;
}
