/*
 * kinds.c - what kind of motion a file holds, by its content.
 *
 * The first bytes decide, of JSON the members of the outermost object. An ending is asked where
 * they could be anything.
 */
#include <limber/formats/motion.h>

#include "base/memory.h"
#include "formats/file.h"
#include "formats/motion/robot.h"
#include "formats/scan.h"

#include <limber/formats/robot_csv.h>

#include <string.h>
#include <strings.h>

const char *lb_motion_kind_text(lb_motion_kind kind)
{
#define TEXT(name, text) text,
    static const char *const texts[LB_MOTION_COUNT] = {LB_MOTION_LIST(TEXT)};
#undef TEXT
    return kind < LB_MOTION_COUNT ? texts[kind] : "";
}

bool lb_motion_has_figure(lb_motion_kind kind)
{
    return kind == LB_MOTION_BVH || kind == LB_MOTION_GLTF || kind == LB_MOTION_GLB ||
           kind == LB_MOTION_SMPL;
}

/* ---- endings ------------------------------------------------------------ */

static const struct {
    const char *ending;
    lb_motion_kind kind;
} endings[] = {{".bvh", LB_MOTION_BVH}, {".gltf", LB_MOTION_GLTF}, {".glb", LB_MOTION_GLB},
               {".vrm", LB_MOTION_GLB}, {".json", LB_MOTION_JSON}, {".npz", LB_MOTION_NPZ},
               {".pkl", LB_MOTION_PKL}, {".csv", LB_MOTION_POSES}, {".npy", LB_MOTION_POSES}};

static lb_motion_kind kind_of_ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i].ending) == 0)
            return endings[i].kind;
    return LB_MOTION_UNKNOWN;
}

lb_motion_kind lb_motion_kind_for(const char *path, const lb_model *model)
{
    int root, joints;
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcasecmp(dot, ".npy") == 0)
        return LB_MOTION_UNKNOWN;
    lb_motion_kind kind = kind_of_ending(path);
    bool robot = kind == LB_MOTION_POSES && model != NULL &&
                 robot_joints_check(model, &root, &joints, NULL) == LB_OK && joints > 0;
    return robot ? LB_MOTION_LAFAN1 : kind;
}

/* ---- contents ----------------------------------------------------------- */

/* where a string ends that begins at `at`: at its closing quote, or at the end of the text */
static size_t skip_string(const char *text, size_t size, size_t at)
{
    for (at++; at < size && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at < size ? at : size;
}

/* the kind that a key of the outermost object says, which ends at `end` and a colon follows */
static lb_motion_kind kind_of_key(const char *text, size_t size, size_t at, size_t end)
{
    static const struct {
        const char *key;
        lb_motion_kind kind;
    } keys[] = {{"\"limber_motion", LB_MOTION_JSON}, {"\"asset", LB_MOTION_GLTF}};
    size_t length = end - at, next = end + 1;
    while (next < size && strchr(" \t\r\n", text[next]) != NULL && text[next] != '\0')
        next++;
    for (size_t i = 0; next < size && text[next] == ':' && i < sizeof keys / sizeof *keys; i++)
        if (length == strlen(keys[i].key) && memcmp(text + at, keys[i].key, length) == 0)
            return keys[i].kind;
    return LB_MOTION_UNKNOWN;
}

static lb_motion_kind find_member(const char *text, size_t size)
{
    lb_motion_kind kind = LB_MOTION_UNKNOWN;
    int depth = 0;
    for (size_t at = 0; at < size && kind == LB_MOTION_UNKNOWN; at++) {
        depth += (text[at] == '{' || text[at] == '[') - (text[at] == '}' || text[at] == ']');
        if (text[at] != '"')
            continue;
        size_t end = skip_string(text, size, at);
        kind = depth == 1 ? kind_of_key(text, size, at, end) : kind;
        at = end;
    }
    return kind;
}

/* whether a field of a line has a blank within, as sentences have, but hardly any name of a joint
 */
static bool has_sentences(const char *line, size_t size)
{
    bool word = false, blank = false;
    for (size_t i = 0; i < size; i++) {
        bool is_blank = line[i] == ' ' || line[i] == '\t', ends = line[i] == ',';
        if (word && blank && !is_blank && !ends)
            return true;
        blank = is_blank && !ends;
        word = (word || !is_blank) && !ends;
    }
    return false;
}

/* the kind of a text that is neither JSON nor XML: its first line has commas between names */
static lb_motion_kind find_table(const char *text, size_t size)
{
    size_t line = 0;
    while (line < size && text[line] != '\n' && text[line] != '\r')
        line++;
    if (memchr(text, ',', line) == NULL || memchr(text, '\0', size) != NULL)
        return LB_MOTION_UNKNOWN;
    lb_robot_csv robot = lb_robot_csv_recognise(text, size);
    if (robot == LB_ROBOT_CSV_RECOGNISE)
        return has_sentences(text, line) ? LB_MOTION_UNKNOWN : LB_MOTION_POSES;
    return robot == LB_ROBOT_CSV_LAFAN1 ? LB_MOTION_LAFAN1 : LB_MOTION_BONES;
}

static bool has_name(const char *bytes, size_t size, const char *name)
{
    size_t length = strlen(name);
    const char *end = bytes + size, *at = bytes;
    while ((at = memchr(at, *name, (size_t)(end - at))) != NULL && (size_t)(end - at) >= length)
        if (memcmp(at++, name, length) == 0)
            return true;
    return false;
}

/* archives and pickles have the names of their arrays as they are; a robot's have its joints */
static lb_motion_kind find_arrays(const char *bytes, size_t size, lb_motion_kind robot)
{
    static const char *const bodies[] = {"pose_body", "body_pose", "poses"};
    bool is_robot = has_name(bytes, size, robot == LB_MOTION_NPZ ? "joint_pos" : "dof_pos");
    for (size_t i = 0; !is_robot && i < sizeof bodies / sizeof *bodies; i++)
        if (has_name(bytes, size, bodies[i]))
            return LB_MOTION_SMPL;
    return robot;
}

lb_motion_kind lb_motion_recognise(const char *name, const void *bytes, size_t size)
{
    static const char hierarchy[] = "HIERARCHY";
    const char *text = bytes;
    lb_motion_kind kind = LB_MOTION_UNKNOWN, named = kind_of_ending(name);
    if (size >= 4 && memcmp(text, "glTF", 4) == 0)
        return LB_MOTION_GLB;
    if (size >= 4 && memcmp(text, "PK\3\4", 4) == 0)
        return find_arrays(text, size, LB_MOTION_NPZ);
    if (size >= 2 && (unsigned char)text[0] == PICKLE_FIRST_BYTE && text[1] >= 2 && text[1] <= 5)
        return find_arrays(text, size, LB_MOTION_PKL);
    if (size >= 6 && memcmp(text + 1, "NUMPY", 5) == 0)
        return (unsigned char)*text == NPY_FIRST_BYTE ? LB_MOTION_POSES : named;
    size_t at = text_blanks(text, size), left = size - at;
    if (left >= sizeof hierarchy - 1 &&
        strncasecmp(text + at, hierarchy, sizeof hierarchy - 1) == 0)
        return LB_MOTION_BVH;
    if (left > 0 && text[at] == '{')
        kind = find_member(text + at, left);
    else if (left > 0 && strchr("<[", text[at]) == NULL)
        kind = find_table(text + at, left);
    // models are JSON, too
    if (kind == LB_MOTION_UNKNOWN && named == LB_MOTION_JSON && left > 0)
        return LB_MOTION_UNKNOWN;
    return kind == LB_MOTION_UNKNOWN ? named : kind;
}

lb_motion_kind lb_motion_find(const char *path)
{
    // more than the first line of any table, and than the members before those of JSON that count
    enum { BEGINNING = 1 << 16 };
    char *text = NULL;
    size_t size = 0;
    file_reader file;
    lb_allocator memory = memory_allocator(NULL);
    if (!file_is_regular(path) || file_open(&file, path, NULL) != LB_OK)
        return LB_MOTION_UNKNOWN;
    text = memory_take(&memory, BEGINNING, 1);
    bool read = text != NULL && file_next(&file, text, BEGINNING, &size, NULL) == LB_OK;
    lb_motion_kind kind = read ? lb_motion_recognise(path, text, size) : LB_MOTION_UNKNOWN;
    bool late =
        read && size == BEGINNING &&
        (kind == LB_MOTION_NPZ || kind == LB_MOTION_PKL || text[text_blanks(text, size)] == '{');
    file_close(&file);
    memory_release(&memory, text);
    if (!late || file_read(path, NULL, &text, &size, NULL) != LB_OK)
        return kind;
    // of a long file of JSON the member may come late, and so may the array of an archive
    kind = lb_motion_recognise(path, text, size);
    memory_release(&memory, text);
    return kind;
}
