/*
 * node.c - the forest of a glTF's nodes, the joints of its skins, and VRM's map of bones.
 *
 * Source: glTF 2.0, sections 3.5 (nodes) and 3.7.3 (skins); VRM 0.x, extension VRM (humanoid),
 * https://github.com/vrm-c/vrm-specification; VRM 1.0, extensions VRMC_vrm and VRMC_vrm_animation.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/names.h"

#include <string.h>

/* ---- a node's place ------------------------------------------------------ */

/* the rotation of three axes that are made orthogonal one after the other; false: they lie flat */
static bool rotation_of(const double m[9], lb_quat *rotation)
{
    lb_vec3 x = {m[0], m[3], m[6]}, y = {m[1], m[4], m[7]}, z;
    double long_x = lb_vec3_length(x);
    if (!(long_x > 0))
        return false;
    x = lb_vec3_scale(x, 1 / long_x);
    y = lb_vec3_sub(y, lb_vec3_scale(x, lb_vec3_dot(x, y)));
    double long_y = lb_vec3_length(y);
    if (!(long_y > 0))
        return false;
    y = lb_vec3_scale(y, 1 / long_y);
    z = lb_vec3_cross(x, y);
    lb_transform t = {x, y, z, {0, 0, 0}};
    *rotation = lb_quat_normalize(lb_transform_quat(&t));
    return true;
}

/* a matrix, which the file has column by column, as place, rotation and what is right of it */
static void split_matrix(const double given[16], gltf_node *node)
{
    const double m[9] = {given[0], given[4], given[8], given[1], given[5],
                         given[9], given[2], given[6], given[10]};
    double turned[9];
    node->place = lb_vec3_make(given[12], given[13], given[14]);
    // what has no rotation of its own is all stretch
    if (!rotation_of(m, &node->rotation))
        node->rotation = LB_QUAT_IDENTITY;
    gltf_rotation_matrix(lb_quat_conjugate(node->rotation), turned);
    gltf_multiply(turned, m, node->stretch);
}

static lb_status read_matrix(const gltf_reader *reader, const gltf_place *place,
                             const tree_node *object, gltf_node *node)
{
    double m[16];
    gltf_place inner = gltf_place_in(place, "matrix");
    lb_status status = gltf_numbers(reader, place, object, "matrix", 16, m, &node->has_matrix);
    if (status != LB_OK || !node->has_matrix)
        return status;
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "its last row is not 0 0 0 1");
    split_matrix(m, node);
    return LB_OK;
}

/* a place is given once: as a matrix, or by its parts */
static lb_status check_once(const gltf_reader *reader, const gltf_place *place,
                            const tree_node *object)
{
    static const char *const parts[] = {"translation", "rotation", "scale"};
    gltf_place inner = gltf_place_in(place, "matrix");
    const char *name = tree_text(object, "name");
    for (int i = 0; i < 3 && tree_member(object, "matrix") != NULL; i++)
        if (tree_member(object, parts[i]) != NULL)
            return gltf_refuse(reader, LB_BAD_MODEL, &inner,
                               "node '%.60s' has a matrix and a %s, and a place has one of them; "
                               "remove the matrix, or translation, rotation and scale",
                               name, parts[i]);
    return LB_OK;
}

static lb_status read_place(const gltf_reader *reader, const gltf_place *place,
                            const tree_node *object, gltf_node *node, gltf_rotation_findings *found)
{
    double t[3] = {0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    bool given;
    gltf_place inner = gltf_place_in(place, "rotation");
    TRY(gltf_numbers(reader, place, object, "translation", 3, t, &given));
    TRY(gltf_numbers(reader, place, object, "rotation", 4, r, &given));
    TRY(gltf_numbers(reader, place, object, "scale", 3, s, &given));
    TRY(check_once(reader, place, object));
    TRY(gltf_check_rotation(reader, &inner, -1, r, 0, found));
    node->place = lb_vec3_make(t[0], t[1], t[2]);
    node->rotation = lb_quat_normalize((lb_quat){r[3], r[0], r[1], r[2]});
    for (int i = 0; i < 3; i++)
        node->stretch[4 * i] = s[i];
    return read_matrix(reader, place, object, node);
}

/* ---- the forest ---------------------------------------------------------- */

static lb_status read_children(const gltf_reader *reader, const tree_node *object, int parent)
{
    lb_gltf *gltf = reader->gltf;
    gltf_place place = gltf_place_of("nodes", (size_t)parent);
    gltf_place inner = gltf_place_in(&place, "children");
    const tree_node *children;
    int count;
    TRY(gltf_array(reader, object, "children", &children, &count));
    for (int i = 0; i < count; i++) {
        const tree_node *child = tree_element(children, i);
        double index = tree_is_number(child) ? child->number : -1;
        if (!(index >= 0 && index < gltf->node_count) || floor(index) != index)
            return gltf_refuse(reader, LB_BAD_VALUE, &inner, "element %d is no index below %d", i,
                               gltf->node_count);
        if (gltf->nodes[(int)index].parent >= 0)
            return gltf_refuse(reader, LB_BAD_MODEL, &inner,
                               "node %d is a child of node %d as well; a node has one parent",
                               (int)index, gltf->nodes[(int)index].parent);
        gltf->nodes[(int)index].parent = parent;
    }
    return LB_OK;
}

/* parents before children: depth first, children in the order of their lists */
static lb_status order_nodes(const gltf_reader *reader, int *stack)
{
    lb_gltf *gltf = reader->gltf;
    const tree_node *array = tree_member(gltf->json, "nodes");
    int ordered = 0, depth = 0;
    for (int root = 0; root < gltf->node_count; root++) {
        if (gltf->nodes[root].parent >= 0)
            continue;
        stack[depth++] = root;
        while (depth > 0) {
            int node = stack[--depth];
            gltf->order[ordered++] = node;
            const tree_node *children = tree_member(tree_element(array, node), "children");
            // each node is on the stack once: it has one parent
            for (int i = tree_array_size(children); i-- > 0;)
                stack[depth++] = (int)tree_element(children, i)->number;
        }
    }
    if (ordered == gltf->node_count)
        return LB_OK;
    // who was not met hangs from itself: mark those that were
    for (int i = 0; i < gltf->node_count; i++)
        stack[i] = 0;
    for (int i = 0; i < ordered; i++)
        stack[gltf->order[i]] = 1;
    int lost = 0;
    while (stack[lost] != 0)
        lost++;
    gltf_place place = gltf_place_of("nodes", (size_t)lost);
    return gltf_refuse(reader, LB_BAD_MODEL, &place, "it is in a cycle of children");
}

/* ---- names --------------------------------------------------------------- */

/* room for "node_2147483648" or "_2147483648", both where that is taken, and some underscores */
enum { NUMBER = 16, UNDERSCORES = 16, SUFFIX = 2 * NUMBER + UNDERSCORES };

static size_t name_room(const tree_node *object)
{
    return strlen(tree_text(object, "name")) + SUFFIX;
}

/* a name that the table does not have yet; the world's is in it */
static const char *enter_name(name_table *table, const char *wanted, int index, char *text)
{
    if (*wanted == '\0')
        text_format(text, NUMBER, "node_%d", index);
    else
        strcpy(text, wanted);
    for (int i = 0; name_table_add(table, text, index + 1) >= 0 && i < UNDERSCORES; i++)
        if (i == 0)
            text_format(text + strlen(text), NUMBER, "_%d", index);
        else
            strcat(text, "_");
    return text;
}

static lb_status name_nodes(const gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    const tree_node *array = tree_member(gltf->json, "nodes");
    name_table table;
    size_t size = 1;
    for (int i = 0; i < gltf->node_count; i++)
        size += name_room(tree_element(array, i));
    gltf->names = memory_take(&gltf->allocator, size, 1);
    void *block = name_table_create(&table, (size_t)gltf->node_count + 1, &reader->memory);
    TRY(require_memory(reader->error, gltf->names && block));
    name_table_add(&table, "world", 0);
    char *at = gltf->names;
    for (int i = 0; i < gltf->node_count; i++) {
        const tree_node *object = tree_element(array, i);
        gltf->nodes[i].name = enter_name(&table, tree_text(object, "name"), i, at);
        at += name_room(object);
    }
    return LB_OK;
}

lb_status gltf_read_nodes(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    const tree_node *array;
    gltf_rotation_findings found = {.count = 0};
    int count;
    TRY(gltf_array(reader, gltf->json, "nodes", &array, &count));
    if (count == 0)
        return REFUSE_MODEL(reader->error, "there are no nodes in it");
    gltf->nodes = memory_take(&gltf->allocator, (size_t)count, sizeof *gltf->nodes);
    gltf->order = memory_take(&gltf->allocator, (size_t)count, sizeof *gltf->order);
    int *stack = memory_take(&reader->memory, (size_t)count, sizeof *stack);
    TRY(require_memory(reader->error, gltf->nodes && gltf->order && stack));
    gltf->node_count = count;
    lb_status status = LB_OK;
    for (int i = 0; i < count && status == LB_OK; i++) {
        gltf_place place = gltf_place_of("nodes", (size_t)i);
        gltf->nodes[i].parent = -1;
        status = read_place(reader, &place, tree_element(array, i), &gltf->nodes[i], &found);
    }
    gltf_warn_rotations(reader, "nodes", &found);
    TRY(status);
    for (int i = 0; i < count; i++)
        TRY(read_children(reader, tree_element(array, i), i));
    TRY(order_nodes(reader, stack));
    return name_nodes(reader);
}

/* ---- skins --------------------------------------------------------------- */

static lb_status read_skin(gltf_reader *reader, const tree_node *object, int index)
{
    lb_gltf *gltf = reader->gltf;
    gltf_place place = gltf_place_of("skins", (size_t)index);
    gltf_place inner = gltf_place_in(&place, "joints");
    const tree_node *joints;
    int count;
    TRY(gltf_array(reader, object, "joints", &joints, &count));
    if (count == 0)
        return gltf_refuse(reader, LB_BAD_MODEL, &inner, "a skin needs at least one");
    for (int i = 0; i < count; i++) {
        const tree_node *joint = tree_element(joints, i);
        double node = tree_is_number(joint) ? joint->number : -1;
        if (!(node >= 0 && node < gltf->node_count) || floor(node) != node)
            return gltf_refuse(reader, LB_BAD_VALUE, &inner, "element %d is no index below %d", i,
                               gltf->node_count);
        gltf->nodes[(int)node].wanted = true;
    }
    return LB_OK;
}

lb_status gltf_read_skins(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    const tree_node *array;
    TRY(gltf_array(reader, gltf->json, "skins", &array, &gltf->info.skins));
    for (int i = 0; i < gltf->info.skins; i++)
        TRY(read_skin(reader, tree_element(array, i), i));
    for (int i = 0; i < gltf->node_count; i++)
        gltf->info.skin_joints += gltf->nodes[i].wanted;
    return LB_OK;
}

/* ---- humanoid bones ------------------------------------------------------ */

static lb_status add_bone(gltf_reader *reader, const char *name, const tree_node *object)
{
    lb_gltf *gltf = reader->gltf;
    int node = -1;
    gltf_place place;
    text_format(place.text, sizeof place.text, "humanBones '%.40s'", name);
    TRY(gltf_index(reader, &place, object, "node", "nodes", gltf->node_count, &node));
    gltf->nodes[node].wanted = true;
    gltf->nodes[node].bone = *name != '\0' ? name : NULL;
    gltf->bones[gltf->info.bones++] = (lb_gltf_bone){name, node, -1};
    return LB_OK;
}

lb_status gltf_read_humanoid(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    // the extension that has the map, and what it is called in lb_gltf_info
    static const char *const kinds[][2] = {
        {"VRMC_vrm", "VRM 1.0"}, {"VRM", "VRM 0.x"}, {"VRMC_vrm_animation", "VRM animation"}};
    const tree_node *extensions = tree_member(gltf->json, "extensions"), *found = NULL;
    int kind = -1;
    while (found == NULL && ++kind < 3)
        found = tree_member(extensions, kinds[kind][0]);
    const tree_node *bones = tree_member(tree_member(found, "humanoid"), "humanBones");
    bool named = tree_is_object(bones); // by their keys, else each says its name
    size_t count = named ? (size_t)bones->count : (size_t)tree_array_size(bones);
    gltf->info.humanoid = count == 0 ? "" : kinds[kind][1];
    gltf->bones = memory_take(&gltf->allocator, count, sizeof *gltf->bones);
    TRY(require_memory(reader->error, gltf->bones));
    const tree_node *bone = count == 0 ? NULL : bones->first;
    for (; bone != NULL; bone = bone->next)
        TRY(add_bone(reader, named ? bone->name : tree_text(bone, "bone"), bone));
    return LB_OK;
}
