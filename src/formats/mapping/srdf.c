/*
 * srdf.c - SRDF: groups, end effectors, named states and pairs that may touch.
 *
 * Source: http://wiki.ros.org/srdf, and srdfdom where that page is silent.
 */
#include <limber/formats/srdf.h>

#include "base/error.h"
#include "base/memory.h"
#include "formats/mapping/element.h"
#include "model/names.h"

#include <string.h>

/* A joint's values in a state. */
typedef struct state_value {
    int state, joint, count;
    double values[LB_JOINT_MAX_NQ];
} state_value;

struct lb_srdf {
    memory_pool pool; /* of all else */
    const lb_model *model;
    lb_srdf_group *groups;
    lb_srdf_end_effector *end_effectors;
    lb_srdf_state *states;
    state_value *values;
    lb_srdf_pair *pairs;
    bool *members;          /* group by group, one for each joint */
    name_table group_names; /* to their indices */
    char *texts;
    size_t text_used;
    int group_count, end_effector_count, state_count, value_count, pair_count;
};

/* more groups times joints than any robot has */
enum { MAX_MEMBERS = 1 << 26 };

/* groups within groups, deeper than anyone nests them */
enum { MAX_NESTING = 64 };

/* ---- memory --------------------------------------------------------------- */

typedef struct srdf_counts {
    size_t groups, subgroups, end_effectors, states, values, pairs, texts;
} srdf_counts;

static size_t text_size(const tree_node *node, const char *name)
{
    const char *text = tree_attribute(node, name);
    return text == NULL ? 1 : strlen(text) + 1;
}

static srdf_counts count_all(const tree_node *root)
{
    srdf_counts counts = {0};
    for (const tree_node *node = root->first; node != NULL; node = node->next) {
        bool state = strcmp(node->name, "group_state") == 0;
        bool group = strcmp(node->name, "group") == 0;
        counts.groups += group;
        counts.subgroups += group ? (size_t)tree_count(node, "group") : 0;
        counts.end_effectors += strcmp(node->name, "end_effector") == 0;
        counts.states += state;
        counts.values += state ? (size_t)tree_count(node, "joint") : 0;
        counts.pairs += strcmp(node->name, "disable_collisions") == 0;
        counts.texts += text_size(node, "name") + text_size(node, "reason");
    }
    return counts;
}

/* room for all that the file has */
static lb_status take_room(lb_srdf *srdf, const tree_node *root, const lb_allocator *memory,
                           lb_error *error)
{
    srdf_counts counts = count_all(root);
    size_t joints = (size_t)lb_model_joint_count(srdf->model);
    if (joints > 0 && counts.groups + counts.subgroups > MAX_MEMBERS / joints)
        return REFUSE_UNSUPPORTED(
            error,
            "%zu groups, each of which might have any of the model's %zu joints, "
            "are too many",
            counts.groups + counts.subgroups, joints);
    srdf->groups = memory_take(memory, counts.groups, sizeof *srdf->groups);
    srdf->end_effectors = memory_take(memory, counts.end_effectors, sizeof *srdf->end_effectors);
    srdf->states = memory_take(memory, counts.states, sizeof *srdf->states);
    srdf->values = memory_take(memory, counts.values, sizeof *srdf->values);
    srdf->pairs = memory_take(memory, counts.pairs, sizeof *srdf->pairs);
    srdf->members = memory_take(memory, counts.groups * joints, sizeof *srdf->members);
    name_table_create(&srdf->group_names, counts.groups, memory);
    srdf->texts = memory_take(memory, counts.texts, 1);
    return require_memory(error, !memory_pool_failed(memory));
}

void lb_srdf_release(lb_srdf *srdf)
{
    memory_pool_release(srdf);
}

static const char *keep_text(lb_srdf *srdf, const char *text)
{
    if (text == NULL)
        return "";
    char *copy = srdf->texts + srdf->text_used;
    size_t size = strlen(text) + 1;
    srdf->text_used += size;
    return memcpy(copy, text, size);
}

/* ---- names ---------------------------------------------------------------- */

/* the link or joint that an attribute names; -1 with a warning when the model has none such */
static int find_link(const lb_srdf *srdf, const element_place *place, const tree_node *node,
                     const char *attribute)
{
    const char *name = tree_attribute(node, attribute);
    int link = name == NULL ? -1 : lb_model_find_link(srdf->model, name);
    if (link < 0)
        element_warn(place, node, "<%s> %s: the model has no link '%.80s'", node->name, attribute,
                     name == NULL ? "" : name);
    return link < 0 ? -1 : link;
}

static int find_joint(const lb_srdf *srdf, const element_place *place, const tree_node *node)
{
    const char *name = tree_attribute(node, "name");
    int joint = name == NULL ? -1 : lb_model_find_joint(srdf->model, name);
    if (joint < 0)
        element_warn(place, node, "<%s>: the model has no joint '%.80s'", node->name,
                     name == NULL ? "" : name);
    return joint < 0 ? -1 : joint;
}

static int find_group(const lb_srdf *srdf, const element_place *place, const tree_node *node,
                      const char *attribute)
{
    const char *name = tree_attribute(node, attribute);
    int group = name == NULL ? -1 : lb_srdf_find_group(srdf, name);
    if (group < 0)
        element_warn(place, node, "<%s> %s: there is no group '%.80s'", node->name, attribute,
                     name == NULL ? "" : name);
    return group;
}

/* ---- groups --------------------------------------------------------------- */

static bool *members_of(const lb_srdf *srdf, int group)
{
    return srdf->members + (size_t)group * (size_t)lb_model_joint_count(srdf->model);
}

/* the joints between two links: from each up to the first link that is above both; a link's index
   is above that of its parent */
static void add_chain(lb_srdf *srdf, bool *members, int base, int tip)
{
    while (base != tip) {
        int *lower = base > tip ? &base : &tip;
        members[*lower - 1] = true;
        *lower = lb_model_parent(srdf->model, *lower);
    }
}

/* one <link>, <joint>, <passive_joint> or <chain> of a group; <group> comes later */
static void read_member(lb_srdf *srdf, const element_place *place, const tree_node *node,
                        lb_srdf_group *group, bool *members)
{
    if (strcmp(node->name, "joint") == 0 || strcmp(node->name, "passive_joint") == 0) {
        int joint = find_joint(srdf, place, node);
        if (joint >= 0)
            members[joint] = true;
    } else if (strcmp(node->name, "link") == 0) {
        int link = find_link(srdf, place, node, "name");
        if (link > 0)
            members[link - 1] = true;
    } else if (strcmp(node->name, "chain") == 0) {
        int base = find_link(srdf, place, node, "base_link");
        int tip = find_link(srdf, place, node, "tip_link");
        if (base < 0 || tip < 0)
            return;
        // of several chains no one is the group's
        bool first = group->tip == -1;
        group->base = first ? base : -2;
        group->tip = first ? tip : -2;
        add_chain(srdf, members, base, tip);
    }
}

static lb_status read_group(lb_srdf *srdf, element_place *place, const tree_node *node)
{
    const char *name;
    TRY(element_text(place, node, "name", &name));
    place->name = name;
    if (lb_srdf_find_group(srdf, name) >= 0)
        return element_refuse(place, LB_BAD_MODEL, node, "a second group of that name");
    int index = srdf->group_count++;
    srdf->groups[index] = (lb_srdf_group){keep_text(srdf, name), -1, -1};
    name_table_add(&srdf->group_names, srdf->groups[index].name, index);
    for (const tree_node *member = node->first; member != NULL; member = member->next)
        read_member(srdf, place, member, &srdf->groups[index], members_of(srdf, index));
    return LB_OK;
}

/* adds the joints of the groups within a group; true when there was a new one */
static bool add_subgroups(lb_srdf *srdf, const element_place *place, const tree_node *node)
{
    bool grown = false;
    int count = lb_model_joint_count(srdf->model);
    bool *own = members_of(srdf, lb_srdf_find_group(srdf, tree_attribute(node, "name")));
    for (const tree_node *sub = tree_child(node, "group"); sub != NULL; sub = tree_next(sub)) {
        int group = find_group(srdf, place, sub, "name");
        const bool *other = group < 0 ? own : members_of(srdf, group);
        for (int j = 0; j < count; j++) {
            grown = grown || (other[j] && !own[j]);
            own[j] = own[j] || other[j];
        }
    }
    return grown;
}

static lb_status nest_groups(lb_srdf *srdf, element_place *place, const tree_node *root)
{
    bool grown = true;
    for (int pass = 0; grown && pass < MAX_NESTING; pass++) {
        grown = false;
        const tree_node *node = tree_child(root, "group");
        for (; node != NULL; node = tree_next(node)) {
            place->name = tree_attribute(node, "name");
            // what is missing is warned of once
            element_place silent = *place;
            silent.warnings = pass == 0 ? place->warnings : NULL;
            grown = add_subgroups(srdf, &silent, node) || grown;
        }
    }
    if (grown)
        return element_refuse(place, LB_UNSUPPORTED, root, "groups are nested deeper than %d",
                              MAX_NESTING);
    for (int i = 0; i < srdf->group_count; i++) {
        srdf->groups[i].base = srdf->groups[i].base < 0 ? -1 : srdf->groups[i].base;
        srdf->groups[i].tip = srdf->groups[i].tip < 0 ? -1 : srdf->groups[i].tip;
    }
    return LB_OK;
}

/* ---- the rest ------------------------------------------------------------- */

static lb_status read_end_effector(lb_srdf *srdf, element_place *place, const tree_node *node)
{
    const char *name;
    TRY(element_text(place, node, "name", &name));
    place->name = name;
    int link = find_link(srdf, place, node, "parent_link");
    int group = find_group(srdf, place, node, "group"), parent = -1;
    if (tree_attribute(node, "parent_group") != NULL)
        parent = find_group(srdf, place, node, "parent_group");
    if (link < 0 || group < 0)
        return LB_OK;
    srdf->end_effectors[srdf->end_effector_count++] =
        (lb_srdf_end_effector){keep_text(srdf, name), group, link, parent};
    return LB_OK;
}

static lb_status read_value(lb_srdf *srdf, const element_place *place, const tree_node *node)
{
    state_value value = {.state = srdf->state_count, .joint = find_joint(srdf, place, node)};
    if (value.joint < 0)
        return LB_OK;
    value.count = lb_joint_kind_nq(lb_model_joint(srdf->model, value.joint)->kind);
    if (value.count == 0)
        return LB_OK;
    TRY(element_numbers(place, node, "value", value.count, value.values));
    srdf->values[srdf->value_count++] = value;
    return LB_OK;
}

static lb_status read_state(lb_srdf *srdf, element_place *place, const tree_node *node)
{
    const char *name;
    TRY(element_text(place, node, "name", &name));
    place->name = name;
    int group = find_group(srdf, place, node, "group");
    const tree_node *joint = tree_child(node, "joint");
    for (; joint != NULL && group >= 0; joint = tree_next(joint))
        TRY(read_value(srdf, place, joint));
    if (group >= 0)
        srdf->states[srdf->state_count++] = (lb_srdf_state){keep_text(srdf, name), group};
    return LB_OK;
}

static lb_status read_pair(lb_srdf *srdf, element_place *place, const tree_node *node)
{
    place->name = NULL;
    int first = find_link(srdf, place, node, "link1"),
        second = find_link(srdf, place, node, "link2");
    const char *reason = tree_attribute(node, "reason");
    if (first >= 0 && second >= 0)
        srdf->pairs[srdf->pair_count++] = (lb_srdf_pair){first, second, keep_text(srdf, reason)};
    return LB_OK;
}

/* An element of SRDF, and what reads it. */
typedef struct srdf_element {
    const char *name;
    lb_status (*read)(lb_srdf *srdf, element_place *place, const tree_node *node);
} srdf_element;

static lb_status read_all(lb_srdf *srdf, const tree_node *root, const srdf_element *element,
                          lb_error *error, load_warnings *warnings)
{
    const tree_node *node = tree_child(root, element->name);
    for (; node != NULL; node = tree_next(node)) {
        element_place place = {element->name, NULL, error, warnings};
        TRY(element->read(srdf, &place, node));
    }
    return LB_OK;
}

static lb_status read_robot(lb_srdf *srdf, const tree_node *root, lb_error *error,
                            load_warnings *warnings)
{
    // groups come first: the others name them
    static const srdf_element elements[] = {
        {"group", read_group},
        {"end_effector", read_end_effector},
        {"group_state", read_state},
        {"disable_collisions", read_pair},
    };
    element_place place = {"robot", NULL, error, warnings};
    const char *name = tree_attribute(root, "name");
    if (name != NULL && strcmp(name, lb_model_name(srdf->model)) != 0)
        element_warn(&place, root, "it is of the robot '%.80s', the model is '%.80s'", name,
                     lb_model_name(srdf->model));
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        TRY(read_all(srdf, root, &elements[i], error, warnings));
    element_place group = {"group", NULL, error, warnings};
    return nest_groups(srdf, &group, root);
}

lb_status lb_document_srdf(const lb_document *document, const char *path, const lb_model *model,
                           const lb_load_options *options, lb_srdf **srdf, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    load_warnings warnings = {.options = &given, .path = path};
    TRY(REQUIRE_TO_MAKE(srdf, error, {document, "document"}, {path, "path"}, {model, "model"}));
    TRY(mapping_open(document, path, error));
    const tree_node *root = tree_root(document);
    if (root->kind != LB_NODE_ELEMENT || strcmp(root->name, "robot") != 0)
        return lb_error_set(error, LB_BAD_MODEL, root->line,
                            "this is not SRDF: the outermost element is not <robot>");
    lb_allocator memory;
    lb_srdf *made = memory_pool_object(sizeof *made, given.allocator, &memory);
    TRY(require_memory(error, made));
    made->model = model;
    lb_status status = take_room(made, root, &memory, error);
    if (status == LB_OK)
        status = read_robot(made, root, error, &warnings);
    if (status == LB_OK)
        status = warnings_refuse_strict(&warnings, error);
    if (status != LB_OK)
        lb_srdf_release(made);
    else
        *srdf = made;
    return status;
}

/* ---- reading -------------------------------------------------------------- */

int lb_srdf_group_count(const lb_srdf *srdf)
{
    return srdf->group_count;
}

const lb_srdf_group *lb_srdf_group_at(const lb_srdf *srdf, int index)
{
    return index >= 0 && index < srdf->group_count ? &srdf->groups[index] : NULL;
}

int lb_srdf_end_effector_count(const lb_srdf *srdf)
{
    return srdf->end_effector_count;
}

const lb_srdf_end_effector *lb_srdf_end_effector_at(const lb_srdf *srdf, int index)
{
    return index >= 0 && index < srdf->end_effector_count ? &srdf->end_effectors[index] : NULL;
}

int lb_srdf_state_count(const lb_srdf *srdf)
{
    return srdf->state_count;
}

const lb_srdf_state *lb_srdf_state_at(const lb_srdf *srdf, int index)
{
    return index >= 0 && index < srdf->state_count ? &srdf->states[index] : NULL;
}

int lb_srdf_pair_count(const lb_srdf *srdf)
{
    return srdf->pair_count;
}

const lb_srdf_pair *lb_srdf_pair_at(const lb_srdf *srdf, int index)
{
    return index >= 0 && index < srdf->pair_count ? &srdf->pairs[index] : NULL;
}

int lb_srdf_find_group(const lb_srdf *srdf, const char *name)
{
    return name_table_find(&srdf->group_names, name);
}

int lb_srdf_find_state(const lb_srdf *srdf, const char *name, int group)
{
    for (int i = 0; i < srdf->state_count; i++)
        if (strcmp(srdf->states[i].name, name) == 0 &&
            (group < 0 || srdf->states[i].group == group))
            return i;
    return -1;
}

bool lb_srdf_group_has(const lb_srdf *srdf, int group, int joint)
{
    return group >= 0 && group < srdf->group_count && joint >= 0 &&
           joint < lb_model_joint_count(srdf->model) && members_of(srdf, group)[joint];
}

void lb_srdf_apply_state(const lb_srdf *srdf, int state, double *q)
{
    for (int i = 0; i < srdf->value_count; i++) {
        const state_value *value = &srdf->values[i];
        const lb_joint *joint = lb_model_joint(srdf->model, value->joint);
        if (value->state == state && joint->mimic == NULL)
            memcpy(q + lb_model_joint_q(srdf->model, value->joint), value->values,
                   (size_t)value->count * sizeof *q);
    }
}
