/*
 * test_gltf_hostile.c - glTF and GLB files that are damaged or lie: refused with place and reason.
 */
#include <limber/formats/gltf.h>
#include <limber/formats/load.h>

#include <time.h>

#include "gltf_text.h"
#include "support.h"
#include "support_growth.h"

static lb_error error;

/* loads, makes a clip of each animation and what is drawn; everything is released */
static lb_status use(const void *bytes, size_t size, const lb_allocator *allocator)
{
    lb_gltf *gltf = NULL;
    lb_gltf_options options = {.load = {.allocator = allocator}};
    error = (lb_error){.status = LB_OK};
    lb_status status = lb_gltf_load_memory("h.gltf", bytes, size, &options, &gltf, &error);
    assert_true((status == LB_OK) == (gltf != NULL));
    int count = gltf == NULL ? 0 : lb_gltf_describe(gltf).animations;
    for (int a = 0; a < count && status == LB_OK; a++) {
        owned_clip *clip = NULL;
        status = lb_gltf_clip(gltf, a, allocator, &clip, &error);
        assert_true((status == LB_OK) == (clip != NULL));
    }
    if (status == LB_OK) {
        lb_gltf_looks *looks = NULL;
        status = lb_gltf_looks_create(gltf, allocator, &looks, &error);
        assert_true((status == LB_OK) == (looks != NULL));
        lb_gltf_looks_release(looks);
    }
    lb_gltf_release(gltf);
    assert_true(status == LB_OK || error.message[0] != '\0');
    return status;
}

static const float times[] = {0, 1, 2};
static const float turns[] = {0, 0, 0.6f, 0.8f, 1, 0, 0, 0, 0, 1, 0, 1};
static const unsigned char joints[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
static const float places[] = {0, 0, 1, 2, 0, 1, 4, 0, 0};

/* a file with all that is read: a skin, bones, scales, steps, a sparse array */
static char *sample(size_t *size)
{
    gltf_text text = gltf_text_start("{\"name\":\"a\",\"children\":[1],\"scale\":[2,1,1]},"
                                     "{\"children\":[2],\"translation\":[0,1,0]},"
                                     "{\"mesh\":0,\"skin\":0}");
    gltf_text_channel(&text, 0, "rotation", "LINEAR", times, 3, turns, 12);
    gltf_text_channel(&text, 1, "rotation", "CUBICSPLINE", times, 1, turns, 12);
    int input = gltf_text_accessor(&text, times, sizeof times, 5126, "SCALAR", 3, false);
    gltf_text_curve(&text, 1, "translation", "STEP", input,
                    gltf_text_sparse(&text, places, 3, 0, 2));
    // a skin with a mesh, and a map of bones, at the end
    gltf_text_accessor(&text, places, sizeof places, 5126, "VEC3", 3, false);
    gltf_text_accessor(&text, joints, sizeof joints, 5121, "VEC4", 3, false);
    gltf_text_accessor(&text, turns, 12 * sizeof *turns, 5126, "VEC4", 3, false);
    char *bytes = gltf_text_end(&text, size);
    static const char more[] = ",\"skins\":[{\"joints\":[1,2]}],\"meshes\":[{\"primitives\":[{"
                               "\"attributes\":{\"POSITION\":6,\"JOINTS_0\":7,"
                               "\"WEIGHTS_0\":8}}]}],\"extensions\":{\"VRM\":{"
                               "\"humanoid\":{\"humanBones\":[{\"bone\":\"hips\",\"node\":1}]}}}}";
    bytes = realloc(bytes, *size + sizeof more);
    assert_non_null(bytes);
    memcpy(bytes + *size - 1, more, sizeof more);
    *size += sizeof more - 2;
    return bytes;
}

/* the same as a GLB */
static unsigned char *sample_glb(size_t *size)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"buffers\":[{\"byteLength\":24}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":24}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":2},"
        "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":2}],"
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
        "\"path\":\"translation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]}  ";
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    size_t length = (sizeof json - 1) / 4 * 4;
    uint32_t head[] = {0x46546C67, 2, (uint32_t)(12 + 8 + length + 8 + sizeof numbers),
                       (uint32_t)length, 0x4E4F534A};
    uint32_t chunk[] = {sizeof numbers, 0x004E4942};
    unsigned char *bytes = malloc(head[2]), *at = bytes;
    assert_non_null(bytes);
    memcpy(at, head, sizeof head);
    memcpy(at += sizeof head, json, length);
    memcpy(at += length, chunk, sizeof chunk);
    memcpy(at += sizeof chunk, numbers, sizeof numbers);
    *size = head[2];
    return bytes;
}

/* truncated at every byte: refused, but for blanks at the end */
TEST(truncated_files_are_refused)
{
    size_t size;
    char *text = sample(&size);
    assert_ok(use(text, size, NULL));
    for (size_t cut = 0; cut < size; cut++) {
        owned char *part = malloc(cut + 1);
        memcpy(part, text, cut);
        assert_int_not_equal(use(part, cut, NULL), LB_OK);
    }
    free(text);
    owned unsigned char *glb = sample_glb(&size);
    assert_made(use(glb, size, NULL), error);
    for (size_t cut = 0; cut < size; cut++) {
        owned unsigned char *part = malloc(cut + 1);
        memcpy(part, glb, cut);
        assert_int_not_equal(use(part, cut, NULL), LB_OK);
    }
}

/* any byte changed: read or refused, never more */
TEST(changed_bytes_do_no_harm)
{
    static const unsigned char values[] = {0, 1, '9', '"', '[', '}', '-', 0x7F, 0x80, 0xFF};
    size_t size;
    for (int binary = 0; binary < 2; binary++) {
        owned unsigned char *bytes = binary ? sample_glb(&size) : (unsigned char *)sample(&size);
        for (size_t at = 0; at < size; at++)
            for (size_t k = 0; k < sizeof values; k++) {
                unsigned char kept = bytes[at];
                bytes[at] = values[k];
                use(bytes, size, NULL);
                bytes[at] = kept;
            }
    }
}

TEST(failing_allocations_are_said)
{
    size_t size;
    owned char *text = sample(&size);
    ALLOCATIONS_FAIL (run, 200) {
        run.status = use(text, size, &run.allocator);
    }
}

/* ---- lies --------------------------------------------------------------- */

#define HEAD "{\"asset\":{\"version\":\"2.0\"},"
#define DATA                                                                                       \
    "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAgD8AAABA\"}],"                 \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],"
#define CURVE                                                                                      \
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"               \
    "\"translation\"}}"                                                                            \
    "],\"samplers\":[{\"input\":0,\"output\":1}]}]}"
#define TIMES "{\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":3}"

/* A file, and what is said of it. */
typedef struct lie {
    const char *text, *says;
} lie;

static void check_refused(const lie *lies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lb_status status = use(lies[i].text, strlen(lies[i].text), NULL);
        if (status == LB_OK || strstr(error.message, lies[i].says) == NULL)
            fail_msg("%s\n'%s' is not in '%s'", lies[i].text, lies[i].says, error.message);
        assert_string_equal(error.path, "h.gltf");
    }
}

static const lie nodes[] = {
    {"{}", "no object 'asset'"},
    {"[1]", "no object 'asset'"},
    {"{\"asset\":{\"version\":\"1.0\"},\"nodes\":[{}]}", "glTF 2 is read"},
    {HEAD "\"nodes\":[]}", "there are no nodes"},
    {HEAD "\"nodes\":{}}", "nodes: this is no array"},
    {HEAD "\"extensionsRequired\":[\"KHR_draco\"],\"nodes\":[{}]}", "'KHR_draco' is not read"},
    {HEAD "\"extensionsRequired\":[5],\"nodes\":[{}]}", "extensionsRequired: '' is not read"},
    {HEAD "\"extensionsRequired\":{},\"nodes\":[{}]}", "extensionsRequired: this is no array"},
    {HEAD "\"extensionsRequired\":[\"VRM\",\"KHR_\"],\"nodes\":[{}]}", "'KHR_' is not read"},
    {HEAD "\"nodes\":[{\"children\":[0]}]}", "nodes[0]: it is in a cycle"},
    {HEAD "\"nodes\":[{},{\"children\":[2]},{\"children\":[1]}]}", "nodes[1]: it is in a cycle"},
    {HEAD "\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]}",
     "nodes[1].children: node 2 is a child of node 0 as well"},
    {HEAD "\"nodes\":[{\"children\":[1]}]}", "no index below 1"},
    {HEAD "\"nodes\":[{\"children\":[-1]}]}", "nodes[0].children: element 0"},
    {HEAD "\"nodes\":[{\"children\":[2147483648]}]}", "nodes[0].children: element 0"},
    {HEAD "\"nodes\":[{\"rotation\":[0,0,0,0]}]}",
     "nodes[0].rotation: a quaternion of length 0 is no"},
    {HEAD "\"nodes\":[{},{\"name\":\"b\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"
          "\"scale\":[1,1,1]}]}",
     "nodes[1].matrix: node 'b' has a matrix and a scale"},
    {HEAD "\"nodes\":[{\"scale\":[1,2]}]}", "nodes[0].scale: must be an array of 3"},
    {HEAD "\"nodes\":[{\"translation\":[1,2,1e300]}]}", "no number below 1e15"},
    {HEAD "\"nodes\":[{\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}]}", "0 0 0 1"},
    {HEAD "\"nodes\":[{\"scale\":[1e9,1e9,1e9],\"children\":[1]},{\"translation\":[1e9,0,0]}]}",
     "nodes[1]: the scales above it"},
    {HEAD "\"nodes\":[{}],\"skins\":[{\"joints\":[7]}]}", "skins[0].joints: element 0"},
};

static const lie arrays[] = {
    {HEAD "\"nodes\":[{}],\"buffers\":[{}]}", "buffers[0].byteLength: is missing"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":9,\"uri\":\"data:;base64,AAAA\"}]}",
     "buffers[0]: byteLength is 9, but its data: URI has 3 bytes"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3,\"uri\":\"data:;base64,A*AA\"}]}",
     "buffers[0]: its data: URI is not well-formed base64"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3,\"uri\":\"data:x,AAAA\"}]}",
     "not in base64"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3,\"uri\":\"b.bin\"}]}",
     "buffers[0]: it is in the file 'b.bin'"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3,\"uri\":\"a%20%c3%A9%2.bin%\"}]}",
     "buffers[0]: it is in the file 'a \xc3\xa9%2.bin%'"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3,\"uri\":\"/etc/passwd\"}]}",
     "buffers[0]: '/etc/passwd' is no relative path"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3,\"uri\":\"\\\\host\\\\b.bin\"}]}",
     "is no relative path"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3,\"uri\":\"file:b.bin\"}]}",
     "'file:b.bin' is no relative path"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":9,\"uri\":\"data:;base64,-_+/\"}]}",
     "buffers[0]: byteLength is 9, but its data: URI has 3 bytes"},
    {HEAD "\"nodes\":[{}],\"buffers\":{}}", "buffers: this is no array"},
    {HEAD "\"nodes\":[{}],\"buffers\":[{\"byteLength\":3},{\"byteLength\":0}]}",
     "buffers[1].byteLength: must be a whole number from 1"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[" TIMES "]," CURVE,
     "samplers[0].output: must be a whole number from 0 to 0"},
    {HEAD "\"nodes\":[{}]," CURVE, "animations[0].samplers[0].input: there are no accessors"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[" TIMES "," TIMES "]," CURVE,
     "output: has 1 numbers a key, 3 are wanted"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[" TIMES
               ",{\"componentType\":5126,\"type\":\"VEC3\",\"count\":2147483647}]," CURVE,
     "output: has 2147483647 elements for 3 times"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
               "\"type\":\"SCALAR\",\"count\":2147483647},{}]," CURVE,
     "accessors[0]: it ends at byte 8589934588 of the 12"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
               "\"type\":\"SCALAR\",\"count\":2147483648},{}]," CURVE,
     "accessors[0].count: must be a whole number from 1 to 2147483647"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"componentType\":5126,\"type\":\"SCALAR\","
               "\"count\":2147483647},{\"componentType\":5126,\"type\":\"VEC3\","
               "\"count\":2147483647}]," CURVE,
     "accessors[0]: time 1 is 0, after 0"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
               "\"type\":\"SCALAR\",\"count\":3,\"byteOffset\":4}]," CURVE,
     "accessors[0]: it ends at byte 16"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"bufferView\":1,\"componentType\":5126,"
               "\"type\":\"SCALAR\",\"count\":3}]," CURVE,
     "accessors[0].bufferView: must be a whole number from 0 to 0"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":1,"
               "\"type\":\"SCALAR\",\"count\":3}]," CURVE,
     "componentType 1 is unknown"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
               "\"type\":\"VEC9\",\"count\":3}]," CURVE,
     "type 'VEC9' is unknown"},
    {HEAD "\"buffers\":[{\"byteLength\":12}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],"
          "\"nodes\":[{}],\"accessors\":[" TIMES "]," CURVE,
     "buffers[0] has no bytes"},
    {HEAD "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAgD8AAABA\"}],"
          "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":9007199254740000,\"byteLength\":12}],"
          "\"nodes\":[{}],\"accessors\":[" TIMES "]," CURVE,
     "bufferViews[0].byteOffset"},
    {HEAD "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAgD8AAABA\"}],"
          "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":2147483648,\"byteLength\":12}],"
          "\"nodes\":[{}],\"accessors\":[" TIMES "]," CURVE,
     "bufferViews[0]: it ends at byte 2147483660 of the 12"},
    // one byte too few, in the view and in the buffer
    {HEAD "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAgD8AAABA\"}],"
          "\"bufferViews\":[{\"buffer\":0,\"byteLength\":11}],"
          "\"nodes\":[{}],\"accessors\":[" TIMES "]," CURVE,
     "accessors[0]: it ends at byte 12 of the 11"},
    {HEAD "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAgD8AAABA\"}],"
          "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":1,\"byteLength\":12}],"
          "\"nodes\":[{}],\"accessors\":[" TIMES "]," CURVE,
     "bufferViews[0]: it ends at byte 13 of the 12"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"componentType\":5126,\"type\":\"SCALAR\","
               "\"count\":3,\"sparse\":{\"count\":4}}]," CURVE,
     "sparse"},
    {HEAD DATA "\"nodes\":[{}],\"accessors\":[{\"componentType\":5126,\"type\":\"SCALAR\","
               "\"count\":3,\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":0,"
               "\"componentType\":5121},\"values\":{\"bufferView\":0}}}]," CURVE,
     "accessors[0].sparse.indices: index 1 is 0, after 0"},
    {HEAD DATA "\"nodes\":[{\"name\":\"n\"}],\"accessors\":[" TIMES
               ",{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}],"
               "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
               "\"scale\"}},{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}],"
               "\"samplers\":[{\"input\":0,\"output\":1}]}]}",
     "animations[0]: two channels move the same of node 0 'n'"},
};

TEST(wrong_counts_are_refused_with_their_place)
{
    check_refused(nodes, sizeof nodes / sizeof *nodes);
    check_refused(arrays, sizeof arrays / sizeof *arrays);
}

/* extensions of looks alone change nothing of what is read */
TEST(extensions_of_looks_are_read)
{
    const char *text = HEAD
        "\"extensionsRequired\":[\"KHR_materials_unlit\",\"KHR_texture_transform\",\"VRMC_vrm\","
        "\"KHR_mesh_quantization\",\"EXT_texture_webp\",\"KHR_lights_punctual\"],"
        "\"nodes\":[{\"name\":\"a\"}]}";
    assert_made(use(text, strlen(text), NULL), error);
}

/* by the table of formats, too */
/* the nodes of a glTF with one node and a buffer, as another parser would fill them in */
static lb_document *fill_document(const char *uri)
{
    lb_document *d;
    assert_ok(lb_document_create(NULL, &d));
    lb_document_add(d, LB_NODE_OBJECT, NULL, NULL, 0, 1);
    lb_document_add(d, LB_NODE_OBJECT, "asset", NULL, 0, 1);
    lb_document_add(d, LB_NODE_STRING, "version", "2.0", 0, 1);
    lb_document_close(d);
    lb_document_add(d, LB_NODE_ARRAY, "nodes", NULL, 0, 1);
    lb_document_add(d, LB_NODE_OBJECT, NULL, NULL, 0, 1);
    lb_document_close(d);
    lb_document_close(d);
    lb_document_add(d, LB_NODE_ARRAY, "buffers", NULL, 0, 1);
    lb_document_add(d, LB_NODE_OBJECT, NULL, NULL, 0, 1);
    if (uri != NULL)
        lb_document_add(d, LB_NODE_STRING, "uri", uri, 0, 1);
    lb_document_add(d, LB_NODE_NUMBER, "byteLength", "8.0", 8, 1);
    lb_document_close(d);
    lb_document_close(d);
    lb_document_close(d);
    return d;
}

TEST(other_parsers_fill_in_the_nodes)
{
    static const unsigned char bytes[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    lb_gltf_file files[] = {{"other", bytes, 9}, {"a b.bin", bytes, 8}};
    lb_gltf_options options = {.files = files, .file_count = 2};
    lb_gltf_parts parts = {.chunk = bytes, .chunk_size = sizeof bytes};
    lb_gltf *gltf;
    // in a file beside it, whose URI is escaped; in the chunk
    assert_ok(
        lb_gltf_load_document("d", fill_document("a%20b.bin"), NULL, &options, &gltf, &error));
    assert_int_equal(lb_gltf_describe(gltf).nodes, 1);
    lb_gltf_release(gltf);
    assert_ok(lb_gltf_load_document("d", fill_document(NULL), &parts, NULL, &gltf, &error));
    lb_gltf_release(gltf);
    // a file that is not there, one that is too short, a tree that is not complete, none at all
    assert_refused(
        lb_gltf_load_document("d", fill_document("c.bin"), NULL, &options, &gltf, &error),
        LB_UNSUPPORTED, &error, "buffers[0]: it is in the file 'c.bin'");
    files[1].size = 7;
    assert_int_equal(
        lb_gltf_load_document("d", fill_document("a b.bin"), NULL, &options, &gltf, &error),
        LB_SYNTAX_ERROR);
    assert_null(gltf);
    lb_document *open;
    assert_ok(lb_document_create(NULL, &open));
    lb_document_add(open, LB_NODE_OBJECT, NULL, NULL, 0, 1);
    assert_int_equal(lb_gltf_load_document("d", open, NULL, NULL, &gltf, &error),
                     LB_INVALID_ARGUMENT);
    assert_int_equal(lb_gltf_load_document("d", NULL, NULL, NULL, &gltf, &error),
                     LB_INVALID_ARGUMENT);
}

TEST(containers_are_split)
{
    size_t size;
    lb_gltf_parts parts;
    unsigned char *glb = sample_glb(&size);
    assert_ok(lb_gltf_split("x", glb, size, &parts, &error));
    assert_ptr_equal(parts.json, glb + 20);
    assert_int_equal(parts.chunk_size, 24);
    assert_ptr_equal(parts.chunk, glb + size - 24);
    assert_int_equal(lb_gltf_split("x", glb, 30, &parts, &error), LB_SYNTAX_ERROR);
    free(glb);
    // text is all JSON, but for zeros that pad it
    assert_ok(lb_gltf_split("x", "{}\0\0", 4, &parts, &error));
    assert_int_equal(parts.json_size, 2);
    assert_null(parts.chunk);
}

TEST(models_are_loaded_by_their_ending)
{
    size_t size;
    lb_model *model = NULL;
    owned unsigned char *glb = sample_glb(&size);
    assert_ok(lb_load_memory("x.glb", (char *)glb, size, NULL, &model, &error));
    assert_int_equal(lb_model_link_count(model), 2);
    lb_model_release(model);
    // and by its first bytes
    assert_ok(lb_load_memory("x", (char *)glb, size, NULL, &model, &error));
    lb_model_release(model);
}

/* ---- long chains ---------------------------------------------------------- */

/* a chain whose places all tremble, with one curve for all of them; release with free() */
static char *deep_chain(int depth, int keys, size_t *size)
{
    size_t room = 200 * (size_t)depth + 64 * (size_t)keys + 4096, used = 0;
    char *text = malloc(room);
    unsigned char *data = calloc((size_t)keys, 16);
    assert_true(text != NULL && data != NULL);
    // times, then places
    for (int k = 0; k < keys; k++) {
        float time = (float)k, place[3] = {1e-3f, k % 2 ? 1e-7f * (float)depth * 1e-3f : 0, 0};
        memcpy(data + 4 * (size_t)k, &time, 4);
        memcpy(data + 4 * (size_t)keys + 12 * (size_t)k, place, 12);
    }
    char *coded = gltf_text_base64(data, 16 * (size_t)keys);
    used += (size_t)snprintf(
        text, room,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%d,"
        "\"uri\":\"data:;base64,%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d},{"
        "\"buffer\":0,"
        "\"byteOffset\":%d,\"byteLength\":%d}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"type\":\"SCALAR\",\"count\":%d},{\"bufferView\":1,"
        "\"componentType\":5126,\"type\":\"VEC3\",\"count\":%d}],\"nodes\":[",
        16 * keys, coded, 4 * keys, 4 * keys, 12 * keys, keys, keys);
    for (int i = 0; i + 1 < depth; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 "{\"translation\":[0.001,0,0],\"children\":[%d]},", i + 1);
    used += (size_t)snprintf(text + used, room - used,
                             "{\"translation\":[0.001,0,0]}],\"animations\":[{\"samplers\":"
                             "[{\"input\":0,\"output\":1}],\"channels\":[");
    for (int i = 0; i < depth; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 "%s{\"sampler\":0,\"target\":{\"node\":%d,"
                                 "\"path\":\"translation\"}}",
                                 i > 0 ? "," : "", i);
    used += (size_t)snprintf(text + used, room - used, "]}]}");
    assert_true(used < room);
    free(coded);
    free(data);
    *size = used;
    return text;
}

/* a reading with a clip */
static clock_t time_of_chain(int depth)
{
    size_t size;
    owned char *bytes = deep_chain(depth, 20, &size);
    owned_gltf *gltf = NULL;
    owned_clip *clip = NULL;
    clock_t before = clock();
    assert_ok(lb_gltf_load_memory("d.gltf", bytes, size, NULL, &gltf, &error));
    assert_ok(lb_gltf_clip(gltf, 0, NULL, &clip, &error));
    clock_t taken = clock() - before;
    return taken;
}

/* no node looks at all above it */
TEST(deep_chains_take_time_by_their_length)
{
    assert_grows_linearly(time_of_chain, 8000);
}

static void note_warning(void *user, const lb_error *warning)
{
    bool *found = user;
    *found = *found || strstr(warning->message, "too many keys") != NULL;
}

/* where there are more poses of nodes than a file of its size has any use for, it is said */
TEST(drift_that_is_not_looked_for_is_said)
{
    for (int keys = 20; keys <= 2000; keys *= 100) {
        size_t size;
        bool found = false;
        owned char *bytes = deep_chain(2000, keys, &size);
        owned_gltf *gltf = NULL;
        lb_gltf_options options = {.load = {.warn = note_warning, .user = &found}};
        assert_ok(lb_gltf_load_memory("l.gltf", bytes, size, &options, &gltf, &error));
        assert_int_equal(found, keys == 2000);
    }
}

/* ---- many nodes, and what they share --------------------------------------- */

/* "node_N", "node_N_N" and that with underscores are taken by the nodes before the N-th */
TEST(nodes_without_names_stay_in_their_room)
{
    enum { INDEX = 100020, UNDERSCORES = 15 };
    char *text = malloc(3 * INDEX + 4096), *at = text, name[64];
    assert_non_null(text);
    at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"node_%d\"}", INDEX);
    sprintf(name, "node_%d_%d", INDEX, INDEX);
    for (int i = 0; i < UNDERSCORES; i++, strcat(name, "_"))
        at += sprintf(at, ",{\"name\":\"%s\"}", name);
    for (int i = UNDERSCORES + 1; i <= INDEX; i++)
        at += sprintf(at, ",{}");
    at += sprintf(at, ",{\"name\":\"last\"}]}");
    owned_gltf *gltf = NULL;
    assert_made(lb_gltf_load_memory("n.gltf", text, (size_t)(at - text), NULL, &gltf, &error),
                error);
    const lb_model *model = lb_gltf_model(gltf);
    assert_string_equal(lb_model_link(model, lb_gltf_link(gltf, INDEX))->name, name);
    assert_string_equal(lb_model_link(model, lb_gltf_link(gltf, INDEX + 1))->name, "last");
    free(text);
}

/* a curve of many keys that many channels have: what a short file makes of it is no short work */
TEST(keys_of_many_channels_are_refused)
{
    size_t size;
    lb_gltf *gltf = NULL;
    owned char *bytes = deep_chain(4000, 20000, &size);
    assert_refused(lb_gltf_load_memory("k.gltf", bytes, size, NULL, &gltf, &error), LB_UNSUPPORTED,
                   &error, "animations[0].samplers[0]: the same numbers are used");
}
