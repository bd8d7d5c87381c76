/*
 * loops_beside.c - loops in a file beside a model: what its keys mean.
 *
 * Source: the robots of https://github.com/Gepetto/example-parallel-robots and their loader.
 */
#include "formats/mapping/mapping.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "formats/mapping/json_reader.h"

#include <string.h>

/* What the reader's draft, a copy of the model, is changed by. */
typedef struct loops_reading {
    const lb_model *model;
    lb_document *document;
    load_warnings *warnings;
    const tree_node *changed; /* the joint whose type comes next */
} loops_reading;

/* ---- loops ---------------------------------------------------------------- */

/* a link, or that which a joint of the name moves: both are frames to the readers of URDF */
static lb_status read_loop_frame(json_reader *reader, const tree_node *value, void *out)
{
    const loops_reading *r = out;
    const char *name = NULL;
    TRY(reader_text(reader, value, (void *)&name));
    int link = lb_model_find_link(r->model, name), joint = lb_model_find_joint(r->model, name);
    if (link < 0 && joint < 0) {
        suggest nearest = suggest_start(name);
        for (int i = 0; i < lb_model_link_count(r->model); i++)
            suggest_consider(&nearest, lb_model_link(r->model, i)->name);
        for (int j = 0; j < lb_model_joint_count(r->model); j++)
            suggest_consider(&nearest, lb_model_joint(r->model, j)->name);
        return reader_refuse(reader, LB_BAD_MODEL, "the model has no link and no joint '%.60s'%s",
                             name, suggest_phrase(&nearest));
    }
    lb_loop *loop = &reader->draft.loops[reader->draft.loop_count - 1];
    *(loop->first == NULL ? &loop->first : &loop->second) =
        lb_model_link(r->model, link < 0 ? joint + 1 : link)->name;
    return LB_OK;
}

static lb_status read_loop_pair(json_reader *reader, const tree_node *value, void *out)
{
    char name[32];
    loops_reading *r = out;
    lb_loop *loop = draft_loop(&reader->draft, value->line);
    loop->kind = LB_LOOP_WELD;
    TRY(reader_array(reader, value, 2, read_loop_frame, r, 0));
    text_format(name, sizeof name, "closed_loop_%d", reader->draft.loop_count);
    loop->name = tree_copy_text(r->document, name);
    return loop->name != NULL ? LB_OK : error_out_of_memory(reader->error);
}

static lb_status read_loop_pairs(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, -1, read_loop_pair, out, 0);
}

static lb_status read_loop_type(json_reader *reader, const tree_node *value, void *out)
{
    static const char *const names[] = {"6d", "3d", "6D", "3D"};
    int choice;
    TRY(reader_choice(reader, value, "type of loop", names, 4, &choice));
    ((lb_loop *)out)->kind = choice % 2 == 0 ? LB_LOOP_WELD : LB_LOOP_BALL;
    return LB_OK;
}

static lb_status read_loop_types(json_reader *reader, const tree_node *value, void *out)
{
    const loops_reading *r = out;
    int before = lb_model_loop_count(r->model);
    return reader_array(reader, value, reader->draft.loop_count - before, read_loop_type,
                        reader->draft.loops + before, sizeof(lb_loop));
}

/* ---- joints ----------------------------------------------------------------- */

/* -1, with a warning: there is none */
static int find_joint_named(const loops_reading *r, int line, const char *name)
{
    int joint = lb_model_find_joint(r->model, name);
    if (joint < 0)
        warnings_add(r->warnings, line, "the model has no joint '%.100s', which is passed over",
                     name);
    return joint;
}

static lb_status read_motor(json_reader *reader, const tree_node *value, void *out)
{
    const loops_reading *r = out;
    const char *name = NULL;
    TRY(reader_text(reader, value, (void *)&name));
    int joint = find_joint_named(r, value->line, name);
    if (joint >= 0)
        reader->draft.joints[joint].driven = true;
    return LB_OK;
}

static lb_status read_motors(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, -1, read_motor, out, 0);
}

/* a joint of another kind in its place, at rest and without limits */
static void change_kind(lb_joint *joint, lb_joint_kind kind)
{
    lb_joint made = lb_joint_default();
    made.name = joint->name;
    made.parent = joint->parent;
    made.child = joint->child;
    made.placement = joint->placement;
    made.driven = joint->driven;
    made.kind = kind;
    *joint = made;
}

static lb_status read_joint_type(json_reader *reader, const tree_node *value, void *out)
{
    static const char *const names[] = {"SPHERICAL", "FIXED",     "UJOINT_XY", "UJOINT_XZ",
                                        "UJOINT_YX", "UJOINT_YZ", "UJOINT_ZX", "UJOINT_ZY"};
    static const lb_joint_kind kinds[] = {LB_JOINT_BALL, LB_JOINT_FIXED, LB_JOINT_UNIVERSAL};
    loops_reading *r = out;
    const char *name = tree_string(r->changed);
    int choice, index = name == NULL ? -1 : find_joint_named(r, r->changed->line, name);
    r->changed = r->changed->next;
    TRY(reader_choice(reader, value, "type of joint", names, 8, &choice));
    if (index < 0)
        return LB_OK;
    lb_joint *joint = &reader->draft.joints[index];
    change_kind(joint, kinds[choice < 2 ? choice : 2]);
    if (choice >= 2) {
        static const lb_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        joint->axis = axes[names[choice][7] - 'X'];
        joint->axis2 = axes[names[choice][8] - 'X'];
    }
    return LB_OK;
}

/* each of the two lists is as long as the other */
static lb_status read_joint_types(json_reader *reader, const tree_node *value, void *out)
{
    loops_reading *r = out;
    const tree_node *names = tree_member(reader->root, "joint_name");
    r->changed = tree_element(names, 0);
    return reader_array(reader, value, tree_array_size(names), read_joint_type, r, 0);
}

static lb_status read_joint_names(json_reader *reader, const tree_node *value, void *out)
{
    const char *name;
    (void)out;
    return reader_array(reader, value, tree_array_size(tree_member(reader->root, "joint_type")),
                        reader_text, (void *)&name, 0);
}

/* ---- balls made of three joints ------------------------------------------- */

/* a passive joint that turns without limits and that no other follows */
static bool turns_freely(const model_draft *draft, const lb_joint *joint)
{
    bool turns = joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS;
    for (int j = 0; turns && j < draft->joint_count; j++)
        turns = draft->joints[j].mimic == NULL || strcmp(draft->joints[j].mimic, joint->name) != 0;
    return turns && isinf(joint->lower[0]) && isinf(joint->upper[0]) && joint->value[0] == 0 &&
           joint->mimic == NULL && !joint->locked && !joint->driven;
}

/* whether two joints turn on one point about axes at right angles, with nothing on the link between
   them: no shape, hardly a mass, no end of a loop, no other child */
static bool are_crossed(const model_draft *draft, const lb_model *model, int joint)
{
    const lb_joint *before = &draft->joints[joint], *after = before + 1;
    const lb_link *link = &draft->links[joint + 1];
    lb_vec3 axis = lb_transform_direction(&after->placement, after->axis);
    for (int i = 0; i < draft->loop_count; i++)
        if (strcmp(draft->loops[i].first, link->name) == 0 ||
            strcmp(draft->loops[i].second, link->name) == 0)
            return false;
    // to the rounding of a file's decimals
    return lb_vec3_length(after->placement.p) < 1e-9 &&
           fabs(lb_vec3_dot(before->axis, axis)) < 1e-9 && link->mass < 1e-5 &&
           link->visual_count + link->collision_count == 0 &&
           lb_model_parent(model, joint + 2) == joint + 1 &&
           lb_model_next_sibling(model, joint + 2) < 0 && turns_freely(draft, before) &&
           turns_freely(draft, after);
}

/* URDF has no balls, and three hinges in place of one have singular postures that it does not */
static void make_balls(model_draft *draft, const lb_model *model)
{
    for (int j = 0; j + 2 < draft->joint_count; j++)
        if (are_crossed(draft, model, j) && are_crossed(draft, model, j + 1))
            for (int k = 0; k < 3; k++)
                change_kind(&draft->joints[j + k], k < 2 ? LB_JOINT_FIXED : LB_JOINT_BALL);
}

/* ---- the whole file ------------------------------------------------------- */

static lb_status read_keys(json_reader *reader, loops_reading *r)
{
    static const reader_field fields[] = {{"closed_loop", read_loop_pairs, 0, true},
                                          {"type", read_loop_types, 0, false},
                                          {"name_mot", read_motors, 0, false},
                                          {"joint_name", read_joint_names, 0, false},
                                          {"joint_type", read_joint_types, 0, false}};
    TRY(reader_object(reader, reader->root, fields, sizeof fields / sizeof *fields, r));
    return reader_unique(reader, reader->root);
}

/* fills the reader's draft with all that the model has, and reads more loops */
static lb_status build_closed(json_reader *reader, loops_reading *r, lb_model **made)
{
    const lb_model *model = r->model;
    model_draft *draft = &reader->draft;
    int loops = tree_array_size(tree_member(reader->root, "closed_loop"));
    draft->source.name = lb_model_name(model);
    draft->source.root = lb_model_root(model);
    for (int i = 0; i < draft->link_room; i++)
        *draft_link(draft, 0) = *lb_model_link(model, i);
    for (int j = 0; j < draft->joint_room; j++)
        *draft_joint(draft, 0) = *lb_model_joint(model, j);
    TRY(draft_loops(draft, lb_model_loop_count(model) + loops, reader->error));
    for (int i = 0; i < lb_model_loop_count(model); i++)
        *draft_loop(draft, 0) = *lb_model_loop(model, i);
    TRY(read_keys(reader, r));
    make_balls(draft, model);
    return draft_build(draft, r->warnings->options->allocator, made, reader->error);
}

lb_status mapping_loops(lb_document *document, const char *path, const lb_load_options *options,
                        lb_model **model, lb_error *error)
{
    load_warnings warnings = {.options = options, .path = path};
    json_reader reader = {.root = tree_root(document), .error = error};
    loops_reading r = {*model, document, &warnings, NULL};
    lb_model *made = NULL;
    MEMORY_POOL(memory, options->allocator);
    lb_status status = mapping_open(document, path, error);
    if (status == LB_OK)
        status = draft_create(&reader.draft, lb_model_link_count(*model),
                              lb_model_joint_count(*model), 0, &memory, error);
    if (status == LB_OK)
        status = build_closed(&reader, &r, &made);
    lb_model_release(*model);
    *model = made;
    return status == LB_OK ? mapping_finish(&warnings, model, error) : status;
}
