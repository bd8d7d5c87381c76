/*
 * clip_json.c - clips as JSON.
 */
#include <limber/formats/clip_json.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"
#include "formats/json_text.h"
#include "formats/motion/motion_json.h"

#include <string.h>

enum { VERSION = 1 };

/* ---- reading ------------------------------------------------------------ */

/* A file that is being read. */
typedef struct reading {
    const lb_model *model;
    const lb_allocator *allocator;
    lb_clip **clip;
    const tree_node *joints, *times, *keys;
    int *places; /* the joint of the model that each joint of the file is */
    int columns; /* numbers in a key */
    lb_interpolation interpolation;
    lb_status status; /* why a key is refused */
    lb_error *error;
} reading;

/* whether a joint has values of its own */
static bool has_values(const lb_model *model, int joint)
{
    return lb_model_joint(model, joint)->mimic == NULL && lb_model_joint_q(model, joint) >= 0;
}

static lb_status refuse_joint(const reading *r, const char *name)
{
    suggest nearest = suggest_start(name);
    for (int j = 0; j < lb_model_joint_count(r->model); j++)
        if (has_values(r->model, j))
            suggest_consider(&nearest, lb_model_joint(r->model, j)->name);
    return lb_error_set(r->error, LB_NOT_FOUND, 0,
                        "joints: the model has no joint '%.80s' that moves%s", name,
                        suggest_phrase(&nearest));
}

/* the places of the file's joints; `taken` has a byte for each joint of the model */
static lb_status find_joints(reading *r, unsigned char *taken)
{
    for (int i = 0; i < tree_array_size(r->joints); i++) {
        const tree_node *object = tree_element(r->joints, i);
        const char *name = tree_text(object, "name"), *kind = tree_text(object, "kind");
        int joint = lb_model_find_joint(r->model, name);
        if (joint < 0 || !has_values(r->model, joint))
            return refuse_joint(r, name);
        const char *own = lb_joint_kind_text(lb_model_joint(r->model, joint)->kind);
        if (strcmp(own, kind) != 0)
            return REFUSE_VALUE(r->error,
                                "joints: '%.80s' is %.30s in the file and %s in the model", name,
                                *kind == '\0' ? "of no kind" : kind, own);
        if (taken[joint] != 0)
            return REFUSE_VALUE(r->error, "joints: '%.80s' is there twice", name);
        taken[joint] = 1;
        r->places[i] = joint;
        r->columns += lb_joint_kind_nq(lb_model_joint(r->model, joint)->kind);
    }
    return LB_OK;
}

static bool refuse_key(reading *r, int key, const char *what)
{
    const tree_node *row = tree_element(r->keys, key);
    r->status = lb_error_set(r->error, LB_BAD_VALUE, row->line, "key %d: %s", key, what);
    return false;
}

static bool fill_key(void *user, int key, double *time, double *q)
{
    reading *r = user;
    const tree_node *row = tree_element(r->keys, key), *when = tree_element(r->times, key);
    char what[64];
    int at = 0;
    if (!tree_is_number(when))
        return refuse_key(r, key, "its time is no number");
    *time = when->number;
    if (row->kind != LB_NODE_ARRAY || row->count != r->columns) {
        text_format(what, sizeof what, "it has %d numbers, the joints have %d",
                    tree_array_size(row), r->columns);
        return refuse_key(r, key, what);
    }
    for (int i = 0; i < tree_array_size(r->joints); i++) {
        int joint = r->places[i], count = lb_joint_kind_nq(lb_model_joint(r->model, joint)->kind);
        for (int k = 0; k < count; k++) {
            const tree_node *number = tree_element(row, at++);
            if (!tree_is_number(number))
                return refuse_key(r, key, "it has what is no number");
            q[lb_model_joint_q(r->model, joint) + k] = number->number;
        }
    }
    return true;
}

static lb_status read_interpolation(reading *r, const tree_node *root)
{
    const char *given = tree_text(root, "interpolation");
    r->interpolation = LB_INTERPOLATION_LINEAR;
    if (*given == '\0')
        return LB_OK;
    for (int i = 0; i < LB_INTERPOLATION_COUNT; i++)
        if (strcmp(lb_interpolation_text((lb_interpolation)i), given) == 0) {
            r->interpolation = (lb_interpolation)i;
            return LB_OK;
        }
    return REFUSE_VALUE(r->error, "interpolation: '%.30s' is not linear, cubic or step", given);
}

static bool is_array(const tree_node *node)
{
    return node != NULL && node->kind == LB_NODE_ARRAY;
}

static lb_status check_members(reading *r, const tree_node *root)
{
    const tree_node *version = tree_member(root, "limber_motion");
    if (!tree_is_number(version) || version->number != VERSION)
        return REFUSE_UNSUPPORTED(r->error,
                                  "\"limber_motion\": 1 is missing: this is no motion as JSON");
    r->joints = tree_member(root, "joints");
    r->times = tree_member(root, "times");
    r->keys = tree_member(root, "keys");
    if (!is_array(r->joints) || !is_array(r->times) || !is_array(r->keys))
        return lb_error_set(r->error, LB_SYNTAX_ERROR, 0,
                            "joints, times and keys must be there, each an array");
    int count = tree_array_size(r->keys), times = tree_array_size(r->times);
    if (count == 0 || count != times)
        return REFUSE_VALUE(r->error, "%d keys for %d times", count, times);
    return read_interpolation(r, root);
}

static lb_status read_motion(void *into, const tree_node *root, lb_error *error)
{
    reading *r = into;
    MEMORY_POOL(memory, r->allocator);
    r->error = error;
    TRY(check_members(r, root));
    r->places = memory_take(&memory, (size_t)tree_array_size(r->joints), sizeof *r->places);
    unsigned char *taken = memory_take(&memory, (size_t)lb_model_joint_count(r->model), 1);
    TRY(require_memory(r->error, r->places && taken));
    TRY(find_joints(r, taken));
    lb_status status = lb_clip_generate(r->model, tree_array_size(r->keys), fill_key, r,
                                        r->interpolation, r->allocator, r->clip, error);
    return r->status != LB_OK ? r->status : status;
}

lb_status lb_clip_json_load_memory(const char *name, const char *text, size_t size,
                                   const lb_model *model, const lb_allocator *allocator,
                                   lb_clip **clip, lb_error *error)
{
    reading r = {.model = model, .allocator = allocator, .clip = clip};
    TRY(REQUIRE_TO_MAKE(clip, error, {name, "name"}, {text, "text"}, {model, "model"}));
    return motion_json_read(&(motion_source){name, NULL, motion_json_text, text, size}, allocator,
                            read_motion, &r, error);
}

lb_status lb_clip_json_load_document(const char *name, const lb_document *document,
                                     const lb_model *model, const lb_allocator *allocator,
                                     lb_clip **clip, lb_error *error)
{
    reading r = {.model = model, .allocator = allocator, .clip = clip};
    TRY(REQUIRE_TO_MAKE(clip, error, {name, "name"}, {document, "document"}, {model, "model"}));
    return motion_json_read(&(motion_source){name, document, NULL, NULL, 0}, allocator, read_motion,
                            &r, error);
}

/* ---- writing ------------------------------------------------------------ */

static void put_joints(json_text *out, const lb_model *model)
{
    json_text_begin(out, "joints", '[', true);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (!has_values(model, j))
            continue;
        json_text_open(out, '{', false);
        json_text_text(out, "name", joint->name);
        json_text_text(out, "kind", lb_joint_kind_text(joint->kind));
        json_text_close(out, '}');
    }
    json_text_close(out, ']');
}

/* joints are in the order of the configuration, so that a key is its numbers */
static void put_clip(json_text *out, const lb_clip *clip)
{
    const lb_model *model = lb_clip_model(clip);
    int count = lb_clip_count(clip);
    json_text_open(out, '{', true);
    json_text_member(out, "limber_motion", VERSION);
    json_text_text(out, "model", lb_model_name(model));
    json_text_text(out, "interpolation", lb_interpolation_text(lb_clip_interpolation(clip)));
    put_joints(out, model);
    json_text_list(out, "times", lb_clip_times(clip), count);
    json_text_begin(out, "keys", '[', true);
    for (int i = 0; i < count; i++)
        json_text_numbers(out, lb_clip_key(clip, i), lb_model_nq(model));
    json_text_close(out, ']');
    json_text_close(out, '}');
    json_text_end(out);
}

lb_status lb_clip_json_write(const lb_clip *clip, const lb_allocator *allocator, char **text,
                             lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(text, error, {clip, "clip"}));
    json_text out = json_text_start(allocator);
    put_clip(&out, clip);
    return json_text_take(&out, text, error);
}
