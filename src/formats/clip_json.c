/*
 * clip_json.c - clips as JSON.
 */
#include <limber/formats/clip_json.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/require.h"
#include "base/suggest.h"
#include "base/text.h"
#include "formats/file.h"
#include "formats/json_text.h"

#include <jansson.h>

#include <limits.h>
#include <string.h>

enum { VERSION = 1 };

/* ---- reading ------------------------------------------------------------ */

/* A file that is being read. */
typedef struct reading {
    const lb_model *model;
    const json_t *joints, *times, *keys;
    int *places; /* of each joint of the file in the configuration */
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

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static lb_status refuse_joint(const reading *r, const char *name)
{
    suggest nearest = suggest_start(name);
    for (int j = 0; j < lb_model_joint_count(r->model); j++)
        if (has_values(r->model, j))
            suggest_offer(&nearest, lb_model_joint(r->model, j)->name);
    return lb_error_set(r->error, LB_NOT_FOUND, 0,
                        "joints: the model has no joint '%.80s' that moves%s", name,
                        suggest_phrase(&nearest));
}

/* the places of the file's joints; `taken` has a byte for each joint of the model */
static lb_status find_joints(reading *r, unsigned char *taken)
{
    for (size_t i = 0; i < json_array_size(r->joints); i++) {
        const json_t *object = json_array_get(r->joints, i);
        const char *name = text_of(object, "name"), *kind = text_of(object, "kind");
        int joint = lb_model_find_joint(r->model, name);
        if (joint < 0 || !has_values(r->model, joint))
            return refuse_joint(r, name);
        const char *own = lb_joint_kind_text(lb_model_joint(r->model, joint)->kind);
        if (strcmp(own, kind) != 0)
            return lb_error_set(r->error, LB_BAD_VALUE, 0,
                                "joints: '%.80s' is %.30s in the file and %s in the model", name,
                                *kind == '\0' ? "of no kind" : kind, own);
        if (taken[joint] != 0)
            return lb_error_set(r->error, LB_BAD_VALUE, 0, "joints: '%.80s' is there twice", name);
        taken[joint] = 1;
        r->places[i] = joint;
        r->columns += lb_joint_kind_nq(lb_model_joint(r->model, joint)->kind);
    }
    return LB_OK;
}

static bool refuse_key(reading *r, int key, const char *what)
{
    r->status = lb_error_set(r->error, LB_BAD_VALUE, 0, "key %d: %s", key, what);
    return false;
}

static bool fill_key(void *user, int key, double *time, double *q)
{
    reading *r = user;
    const json_t *row = json_array_get(r->keys, (size_t)key);
    const json_t *when = json_array_get(r->times, (size_t)key);
    char what[64];
    size_t at = 0;
    *time = json_number_value(when);
    if (!json_is_number(when))
        return refuse_key(r, key, "its time is no number");
    if (!json_is_array(row) || json_array_size(row) != (size_t)r->columns) {
        text_format(what, sizeof what, "it has %zu numbers, the joints have %d",
                    json_array_size(row), r->columns);
        return refuse_key(r, key, what);
    }
    for (size_t i = 0; i < json_array_size(r->joints); i++) {
        int joint = r->places[i], count = lb_joint_kind_nq(lb_model_joint(r->model, joint)->kind);
        for (int k = 0; k < count; k++) {
            const json_t *number = json_array_get(row, at++);
            if (!json_is_number(number))
                return refuse_key(r, key, "it has what is no number");
            q[lb_model_joint_q(r->model, joint) + k] = json_number_value(number);
        }
    }
    return true;
}

static lb_status read_interpolation(reading *r, const json_t *json)
{
    const char *given = text_of(json, "interpolation");
    r->interpolation = LB_INTERPOLATION_LINEAR;
    if (*given == '\0')
        return LB_OK;
    for (int i = 0; i < LB_INTERPOLATION_COUNT; i++)
        if (strcmp(lb_interpolation_text((lb_interpolation)i), given) == 0) {
            r->interpolation = (lb_interpolation)i;
            return LB_OK;
        }
    return lb_error_set(r->error, LB_BAD_VALUE, 0,
                        "interpolation: '%.30s' is not linear, cubic or step", given);
}

static lb_status check_members(reading *r, const json_t *json)
{
    if (json_number_value(json_object_get(json, "limber_motion")) != VERSION)
        return lb_error_set(r->error, LB_UNSUPPORTED, 0,
                            "\"limber_motion\": 1 is missing: this is no motion as JSON");
    r->joints = json_object_get(json, "joints");
    r->times = json_object_get(json, "times");
    r->keys = json_object_get(json, "keys");
    if (!json_is_array(r->joints) || !json_is_array(r->times) || !json_is_array(r->keys))
        return lb_error_set(r->error, LB_SYNTAX_ERROR, 0,
                            "joints, times and keys must be there, each an array");
    size_t count = json_array_size(r->keys);
    if (count == 0 || count != json_array_size(r->times) || count > INT_MAX)
        return lb_error_set(r->error, LB_BAD_VALUE, 0, "%zu keys for %zu times", count,
                            json_array_size(r->times));
    return read_interpolation(r, json);
}

static lb_status read_motion(reading *r, const json_t *json, const lb_allocator *allocator,
                             lb_clip **clip)
{
    lb_allocator memory = memory_allocator(allocator);
    lb_status status = check_members(r, json);
    if (status != LB_OK)
        return status;
    r->places = memory_take(&memory, json_array_size(r->joints), sizeof *r->places);
    unsigned char *taken = memory_take(&memory, (size_t)lb_model_joint_count(r->model), 1);
    if (r->places == NULL || taken == NULL)
        status = lb_error_set(r->error, LB_OUT_OF_MEMORY, 0, "out of memory");
    if (status == LB_OK)
        status = find_joints(r, taken);
    if (status == LB_OK)
        status = lb_clip_generate(r->model, (int)json_array_size(r->keys), fill_key, r,
                                  r->interpolation, allocator, clip, r->error);
    memory_release(&memory, taken);
    memory_release(&memory, r->places);
    return r->status != LB_OK ? r->status : status;
}

lb_status lb_clip_json_load_memory(const char *name, const char *text, size_t size,
                                   const lb_model *model, const lb_allocator *allocator,
                                   lb_clip **clip, lb_error *error)
{
    reading r = {.model = model, .error = error};
    json_error_t said;
    error_begin(error, name);
    if (clip != NULL)
        *clip = NULL;
    lb_status status =
        REQUIRE(error, {name, "name"}, {text, "text"}, {model, "model"}, {clip, "clip"});
    if (status != LB_OK)
        return status;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &said);
    if (json == NULL)
        return lb_error_set(error, LB_SYNTAX_ERROR, said.line, "this is not well-formed JSON: %s",
                            said.text);
    status = read_motion(&r, json, allocator, clip);
    json_decref(json);
    return status;
}

lb_status lb_clip_json_load(const char *path, const lb_model *model, const lb_allocator *allocator,
                            lb_clip **clip, lb_error *error)
{
    char *text;
    size_t size;
    if (clip != NULL)
        *clip = NULL;
    lb_status status = REQUIRE(error, {path, "path"}, {model, "model"}, {clip, "clip"});
    if (status != LB_OK)
        return status;
    lb_allocator memory = memory_allocator(allocator);
    status = file_read(path, &memory, &text, &size, error);
    if (status != LB_OK)
        return status;
    status = lb_clip_json_load_memory(path, text, size, model, allocator, clip, error);
    memory_release(&memory, text);
    return status;
}

/* ---- writing ------------------------------------------------------------ */

static void put_joints(json_text *out, const lb_model *model)
{
    json_text_key(out, "joints");
    json_text_open(out, '[', true);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (!has_values(model, j))
            continue;
        json_text_open(out, '{', false);
        json_text_key(out, "name");
        json_text_string(out, joint->name);
        json_text_key(out, "kind");
        json_text_string(out, lb_joint_kind_text(joint->kind));
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
    json_text_key(out, "model");
    json_text_string(out, lb_model_name(model));
    json_text_key(out, "interpolation");
    json_text_string(out, lb_interpolation_text(lb_clip_interpolation(clip)));
    put_joints(out, model);
    json_text_key(out, "times");
    json_text_numbers(out, lb_clip_times(clip), count);
    json_text_key(out, "keys");
    json_text_open(out, '[', true);
    for (int i = 0; i < count; i++)
        json_text_numbers(out, lb_clip_key(clip, i), lb_model_nq(model));
    json_text_close(out, ']');
    json_text_close(out, '}');
    json_text_end(out);
}

lb_status lb_clip_json_write(const lb_clip *clip, const lb_allocator *allocator, char **text,
                             lb_error *error)
{
    if (text != NULL)
        *text = NULL;
    lb_status status = REQUIRE(error, {clip, "clip"}, {text, "text"});
    if (status != LB_OK)
        return status;
    json_text out = json_text_start(allocator);
    put_clip(&out, clip);
    return json_text_take(&out, text, error);
}
