/*
 * container.c - the JSON of a glTF or GLB, and the bytes of its buffers.
 *
 * Source: glTF 2.0, sections 3.6.1 (buffers), 4 (GLB); RFC 2397 and RFC 4648 (data: URIs, base64).
 */
#include "formats/gltf/gltf.h"

#include "base/memory.h"
#include "base/text.h"
#include "formats/file.h"

#include <stdint.h>
#include <string.h>

/* ---- the container ------------------------------------------------------ */

/* a word of four bytes, the lowest first */
static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

enum { GLB_HEAD = 12, CHUNK_HEAD = 8 };

/* "JSON" and "BIN" with a zero */
#define CHUNK_JSON UINT32_C(0x4E4F534A)
#define CHUNK_BIN UINT32_C(0x004E4942)

/* The chunks of a GLB. */
typedef struct glb_chunks {
    const unsigned char *json, *binary;
    size_t json_size, binary_size;
} glb_chunks;

static lb_status refuse_container(const gltf_reader *reader, const char *message)
{
    return lb_error_set(reader->error, LB_SYNTAX_ERROR, 0, "%s", message);
}

/* JSON comes first, one binary chunk may follow, others have no meaning here */
static lb_status find_chunks(const gltf_reader *reader, const unsigned char *bytes, size_t size,
                             glb_chunks *chunks)
{
    *chunks = (glb_chunks){NULL, NULL, 0, 0};
    for (size_t at = GLB_HEAD; at < size;) {
        if (size - at < CHUNK_HEAD)
            return refuse_container(reader, "the GLB ends inside the head of a chunk");
        size_t length = word_at(bytes + at);
        uint32_t type = word_at(bytes + at + 4);
        at += CHUNK_HEAD;
        if (length > size - at)
            return lb_error_set(reader->error, LB_SYNTAX_ERROR, 0,
                                "a chunk of %zu bytes begins at byte %zu, where %zu are left",
                                length, at, size - at);
        if ((chunks->json == NULL) != (type == CHUNK_JSON))
            return refuse_container(reader, "the first chunk of a GLB, and no other one, is JSON");
        if (type == CHUNK_JSON) {
            chunks->json = bytes + at;
            chunks->json_size = length;
        } else if (type == CHUNK_BIN && chunks->binary == NULL) {
            chunks->binary = bytes + at;
            chunks->binary_size = length;
        }
        at += length;
    }
    return chunks->json != NULL ? LB_OK : refuse_container(reader, "the GLB has no chunk of JSON");
}

static lb_status read_glb(gltf_reader *reader, const unsigned char *bytes, size_t size,
                          glb_chunks *chunks)
{
    if (size < GLB_HEAD)
        return refuse_container(reader, "the GLB ends inside its head");
    if (word_at(bytes + 4) != 2)
        return lb_error_set(reader->error, LB_UNSUPPORTED, 0,
                            "GLB of version %u; version 2 is read", (unsigned)word_at(bytes + 4));
    if (word_at(bytes + 8) > size || word_at(bytes + 8) < GLB_HEAD)
        return lb_error_set(reader->error, LB_SYNTAX_ERROR, 0,
                            "the GLB's head says %u bytes, and there are %zu",
                            (unsigned)word_at(bytes + 8), size);
    reader->gltf->binary = true;
    return find_chunks(reader, bytes, word_at(bytes + 8), chunks);
}

static lb_status parse_json(gltf_reader *reader, const char *text, size_t size)
{
    json_error_t said;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    // some writers pad with zeros
    while (size > 0 && text[size - 1] == '\0')
        size--;
    reader->gltf->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &said);
    if (reader->gltf->json != NULL)
        return LB_OK;
    if (json_error_code(&said) == json_error_out_of_memory || said.text[0] == '\0')
        return gltf_no_memory(reader);
    return lb_error_set(reader->error, LB_SYNTAX_ERROR, said.line,
                        "this is not well-formed JSON: %s", said.text);
}

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

static lb_status check_asset(gltf_reader *reader)
{
    const json_t *json = reader->gltf->json, *required, *asset = json_object_get(json, "asset");
    const char *version = gltf_text(asset, "version");
    int count;
    if (!json_is_object(json) || !json_is_object(asset))
        return lb_error_set(reader->error, LB_SYNTAX_ERROR, 0,
                            "this is no glTF: there is no object 'asset' in it");
    if (strncmp(version, "2.", 2) != 0)
        return lb_error_set(reader->error, LB_UNSUPPORTED, 0,
                            "asset.version is '%.20s'; glTF 2 is read", version);
    lb_status status = gltf_array(reader, json, "extensionsRequired", &required, &count);
    for (int i = 0; i < count && status == LB_OK; i++) {
        const char *name = json_string_value(json_array_get(required, (size_t)i));
        if (name == NULL || !is_harmless(name))
            status = lb_error_set(reader->error, LB_UNSUPPORTED, 0,
                                  "extensionsRequired: '%.80s' is not read; export without it",
                                  name == NULL ? "" : name);
    }
    reader->gltf->info.generator = gltf_text(asset, "generator");
    return status;
}

lb_status gltf_read_container(gltf_reader *reader, const void *bytes, size_t size)
{
    glb_chunks chunks = {bytes, NULL, size, 0};
    lb_status status = LB_OK;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0)
        status = read_glb(reader, bytes, size, &chunks);
    reader->chunk = chunks.binary;
    reader->chunk_size = chunks.binary_size;
    reader->gltf->size = size;
    if (status == LB_OK)
        status = parse_json(reader, (const char *)chunks.json, chunks.json_size);
    return status == LB_OK ? check_asset(reader) : status;
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
    if (buffer->bytes == NULL)
        return gltf_no_memory(reader);
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

enum { PATH_SIZE = 1024 };

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* the path that a relative URI means, beside `file`; false: it is none, or too long */
static bool path_of(const char *file, const char *uri, char path[PATH_SIZE])
{
    const char *slash = strrchr(file, '/');
    size_t used = slash == NULL ? 0 : (size_t)(slash - file) + 1;
    if (used >= PATH_SIZE || *uri == '/' || *uri == '\\' || strchr(uri, ':') != NULL)
        return false;
    memcpy(path, file, used);
    for (; *uri != '\0' && used + 1 < PATH_SIZE; uri++) {
        int high = uri[0] == '%' ? hex_digit(uri[1]) : -1;
        int low = high >= 0 ? hex_digit(uri[2]) : -1;
        path[used++] = low >= 0 ? (char)(16 * high + low) : *uri;
        uri += low >= 0 ? 2 : 0;
    }
    path[used] = '\0';
    return *uri == '\0';
}

static lb_status read_file(const gltf_reader *reader, const gltf_place *place, const char *uri,
                           gltf_buffer *buffer)
{
    char path[PATH_SIZE], *text;
    lb_error why = {.status = LB_OK};
    size_t size;
    if (reader->file == NULL)
        return gltf_refuse(reader, LB_UNSUPPORTED, place,
                           "it is in the file '%.100s', which is read only beside a .gltf that is "
                           "a file; save as .glb",
                           uri);
    if (!path_of(reader->file, uri, path))
        return gltf_refuse(reader, LB_UNSUPPORTED, place,
                           "'%.100s' is no relative path; save the buffer beside the file", uri);
    if (file_read(path, &reader->gltf->allocator, &text, &size, &why) != LB_OK)
        return gltf_refuse(reader, why.status, place, "'%.150s' %.150s", path, why.message);
    buffer->bytes = (unsigned char *)text;
    if (size < buffer->size)
        return gltf_refuse(reader, LB_SYNTAX_ERROR, place,
                           "byteLength is %zu, but '%.100s' has %zu bytes", buffer->size, path,
                           size);
    return LB_OK;
}

/* ---- buffers ------------------------------------------------------------- */

static lb_status read_chunk(const gltf_reader *reader, const gltf_place *place, gltf_buffer *buffer)
{
    if (reader->chunk_size < buffer->size)
        return gltf_refuse(reader, LB_SYNTAX_ERROR, place,
                           "byteLength is %zu, but the GLB's binary chunk has %zu bytes",
                           buffer->size, reader->chunk_size);
    buffer->bytes = memory_take(&reader->gltf->allocator, buffer->size, 1);
    if (buffer->bytes == NULL)
        return gltf_no_memory(reader);
    memcpy(buffer->bytes, reader->chunk, buffer->size);
    return LB_OK;
}

static lb_status read_buffer(const gltf_reader *reader, const json_t *object, int index)
{
    gltf_buffer *buffer = &reader->gltf->buffers[index];
    gltf_place place = gltf_place_of("buffers", (size_t)index);
    const char *uri = json_string_value(json_object_get(object, "uri"));
    double size = -1;
    lb_status status = gltf_whole(reader, &place, object, "byteLength", 1, 9e15, &size);
    if (status != LB_OK)
        return status;
    buffer->size = (size_t)size;
    // a buffer without bytes matters to extensions alone, unless an accessor needs it
    if (uri == NULL)
        return index == 0 && reader->chunk != NULL ? read_chunk(reader, &place, buffer) : LB_OK;
    status = strncmp(uri, "data:", 5) == 0 ? read_data(reader, &place, uri, buffer)
                                           : read_file(reader, &place, uri, buffer);
    reader->gltf->size += status == LB_OK ? buffer->size : 0;
    return status;
}

lb_status gltf_read_buffers(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    const json_t *array;
    int count;
    lb_status status = gltf_array(reader, gltf->json, "buffers", &array, &count);
    if (status != LB_OK)
        return status;
    gltf->buffers = memory_take(&gltf->allocator, (size_t)count, sizeof *gltf->buffers);
    if (gltf->buffers == NULL)
        return gltf_no_memory(reader);
    for (gltf->buffer_count = 0; gltf->buffer_count < count && status == LB_OK;
         gltf->buffer_count++)
        status = read_buffer(reader, json_array_get(array, (size_t)gltf->buffer_count),
                             gltf->buffer_count);
    return status;
}
