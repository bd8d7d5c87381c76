/*
 * tasks.c - reads the tasks of limber pose.
 */
#include "cli/options/targets.h"

#include "base/suggest.h"
#include "cli/options/models.h"
#include "cli/report/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* What a complaint is about. */
typedef struct reading {
    const lb_model *model;
    const char *path;
    int task;
} reading;

static bool refuse(const reading *r, const char *key, const char *wanted)
{
    return complain("%s: task %d: \"%s\" must be %s", r->path, r->task, key, wanted);
}

/* ---- values ---------------------------------------------------------------- */

/* `count` numbers */
static bool read_numbers(const reading *r, const json_t *value, const char *key, int count,
                         const char *wanted, double *numbers)
{
    if (!json_is_array(value) || json_array_size(value) != (size_t)count)
        return refuse(r, key, wanted);
    for (int i = 0; i < count; i++) {
        const json_t *number = json_array_get(value, (size_t)i);
        if (!json_is_number(number))
            return refuse(r, key, wanted);
        numbers[i] = json_number_value(number);
    }
    return true;
}

static bool read_vector(const reading *r, const json_t *value, const char *key, lb_vec3 *vector)
{
    double x[3];
    if (!read_numbers(r, value, key, 3, "a list of three numbers", x))
        return false;
    *vector = lb_vec3_make(x[0], x[1], x[2]);
    return true;
}

static bool read_number(const reading *r, const json_t *value, const char *key, double *number)
{
    if (!json_is_number(value))
        return refuse(r, key, "a number");
    *number = json_number_value(value);
    return true;
}

/* a link by name, or the world */
static bool read_link(const reading *r, const json_t *value, const char *key, int *link)
{
    if (!json_is_string(value))
        return refuse(r, key, "the name of a link");
    const char *name = json_string_value(value);
    *link = select_is_world(r->model, name) ? LB_WORLD : lb_model_find_link(r->model, name);
    if (*link != LB_NO_LINK)
        return true;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_model_link_count(r->model); i++)
        suggest_consider(&nearest, lb_model_link(r->model, i)->name);
    return complain("%s: task %d: no link '%s'%s", r->path, r->task, name,
                    suggest_phrase(&nearest));
}

static bool read_joint(const reading *r, const json_t *value, int *joint)
{
    if (!json_is_string(value))
        return refuse(r, "joint", "the name of a joint");
    const char *name = json_string_value(value);
    *joint = lb_model_find_joint(r->model, name);
    if (*joint >= 0)
        return true;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_model_joint_count(r->model); i++)
        suggest_consider(&nearest, lb_model_joint(r->model, i)->name);
    return complain("%s: task %d: no joint '%s'%s", r->path, r->task, name,
                    suggest_phrase(&nearest));
}

/* axes from roll, pitch and yaw or from a quaternion, the origin kept */
static bool read_turn(const reading *r, const json_t *value, const char *key, lb_transform *at)
{
    double x[4];
    lb_quat turn;
    if (strcmp(key, "rpy") == 0) {
        if (!read_numbers(r, value, key, 3, "a list of three numbers", x))
            return false;
        turn = lb_quat_from_rpy(x[0], x[1], x[2]);
    } else {
        if (!read_numbers(r, value, key, 4, "a list of four numbers, w x y z", x))
            return false;
        turn = (lb_quat){x[0], x[1], x[2], x[3]};
        if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0)
            return refuse(r, key, "a quaternion that is not zero");
    }
    *at = lb_transform_from_quat(lb_quat_normalize(turn), at->p);
    return true;
}

static bool read_vertices(const reading *r, const json_t *value, double (*vertices)[2], int *count)
{
    const char *wanted = "a list of 3 to 16 pairs [x, y]";
    size_t size = json_array_size(value);
    if (!json_is_array(value) || size < 3 || size > LB_BODY_VERTICES)
        return refuse(r, "vertices", wanted);
    for (size_t i = 0; i < size; i++)
        if (!read_numbers(r, json_array_get(value, i), "vertices", 2, wanted, vertices[i]))
            return false;
    *count = (int)size;
    return true;
}

/* one value of a joint, or a list of them */
static bool read_value(const reading *r, const json_t *value, task_target *target)
{
    int count = json_is_array(value) ? (int)json_array_size(value) : 1;
    target->values = count;
    if (!json_is_array(value))
        return read_number(r, value, "value", target->value);
    if (count < 1 || count > LB_JOINT_MAX_NQ)
        return refuse(r, "value", "a number or the joint's list of numbers");
    return read_numbers(r, value, "value", count, "a list of numbers", target->value);
}

/* ---- tasks ----------------------------------------------------------------- */

static bool read_kind(const reading *r, const json_t *value, lb_body_kind *kind)
{
    if (!json_is_string(value))
        return refuse(r, "kind", "the name of a kind");
    *kind = lb_body_kind_find(json_string_value(value));
    if (*kind < LB_BODY_KIND_COUNT)
        return true;
    suggest nearest = suggest_start(json_string_value(value));
    for (int i = 0; i < LB_BODY_KIND_COUNT; i++)
        suggest_consider(&nearest, lb_body_kind_text((lb_body_kind)i));
    return complain("%s: task %d: no kind '%s'%s", r->path, r->task, json_string_value(value),
                    suggest_phrase(&nearest));
}

static bool read_level(const reading *r, const json_t *value, int *level)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) >= LB_BODY_LEVELS)
        return refuse(r, "level", "0, 1, 2 or 3");
    *level = (int)json_integer_value(value);
    return true;
}

/* the keys of links and joints; *known: it is one of them */
static bool read_names(const reading *r, const char *key, const json_t *value, lb_body_task *task,
                       bool *known)
{
    const struct {
        const char *key;
        int *link;
    } links[] = {{"link", &task->link},
                 {"base", &task->base},
                 {"first", &task->first},
                 {"last", &task->last}};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strcmp(key, links[i].key) == 0)
            return read_link(r, value, key, links[i].link);
    if (strcmp(key, "joint") == 0)
        return read_joint(r, value, &task->joint);
    *known = false;
    return true;
}

/* the keys of numbers */
static bool read_sizes(const reading *r, const char *key, const json_t *value, lb_body_task *task,
                       bool *known)
{
    const struct {
        const char *key;
        double *number;
    } numbers[] = {{"weight", &task->weight},
                   {"cone", &task->cone},
                   {"distance", &task->distance},
                   {"position_tolerance", &task->position_tolerance},
                   {"rotation_tolerance", &task->rotation_tolerance}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(key, numbers[i].key) == 0)
            return read_number(r, value, key, numbers[i].number);
    const struct {
        const char *key;
        lb_vec3 *vector;
    } vectors[] = {{"axis", &task->axis},
                   {"box", &task->box},
                   {"tool_position", &task->tool.p},
                   {"first_point", &task->first_point},
                   {"last_point", &task->last_point}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (strcmp(key, vectors[i].key) == 0)
            return read_vector(r, value, key, vectors[i].vector);
    *known = false;
    return true;
}

/* the keys of the target */
static bool read_target(const reading *r, const char *key, const json_t *value, task_target *target,
                        bool *known)
{
    if (strcmp(key, "position") == 0) {
        target->placed = true;
        return read_vector(r, value, key, &target->at.p);
    }
    if (strcmp(key, "rpy") == 0 || strcmp(key, "quaternion") == 0) {
        if (target->turned)
            return refuse(r, key,
                          "left out where the other of \"rpy\" and \"quaternion\" is given");
        target->turned = true;
        return read_turn(r, value, key, &target->at);
    }
    if (strcmp(key, "value") == 0)
        return read_value(r, value, target);
    *known = false;
    return true;
}

static bool read_key(const reading *r, const char *key, const json_t *value, task_list *list)
{
    lb_body_task *task = &list->tasks[r->task];
    bool known = true;
    if (strcmp(key, "kind") == 0)
        return true;
    if (strcmp(key, "level") == 0)
        return read_level(r, value, &task->level);
    if (strcmp(key, "tool_rpy") == 0)
        return read_turn(r, value, "rpy", &task->tool);
    if (strcmp(key, "vertices") == 0) {
        task->vertices = (const double(*)[2])list->vertices[r->task];
        return read_vertices(r, value, list->vertices[r->task], &task->vertex_count);
    }
    bool fine = read_names(r, key, value, task, &known);
    if (known)
        return fine;
    known = true;
    fine = read_sizes(r, key, value, task, &known);
    if (known)
        return fine;
    known = true;
    fine = read_target(r, key, value, &list->targets[r->task], &known);
    if (!known)
        complain("%s: task %d: there is no key \"%s\"; docs/format.md lists them", r->path, r->task,
                 key);
    return known && fine;
}

/* the names that a kind cannot do without */
static bool has_names(const reading *r, const json_t *object, lb_body_kind kind)
{
    static const char *const joint[] = {"joint", NULL}, *const link[] = {"link", NULL};
    static const char *const pole[] = {"link", "first", "last", NULL}, *const none[] = {NULL};
    bool whole =
        kind == LB_BODY_CENTER_OF_MASS || kind == LB_BODY_SUPPORT || kind == LB_BODY_DISTANCE;
    const char *const *needed = kind == LB_BODY_JOINT  ? joint
                                : kind == LB_BODY_POLE ? pole
                                : whole                ? none
                                                       : link;
    for (; *needed != NULL; needed++)
        if (json_object_get(object, *needed) == NULL)
            return complain("%s: task %d (%s): \"%s\" is missing", r->path, r->task,
                            lb_body_kind_text(kind), *needed);
    return true;
}

/* as many values as the joint has, and rotations that are some */
static bool check_value(const reading *r, const lb_body_task *task, const task_target *target)
{
    if (target->values == 0 || task->joint < 0)
        return true;
    const lb_joint *joint = lb_model_joint(r->model, task->joint);
    int count = lb_joint_kind_nq(joint->kind);
    if (target->values != count)
        return complain("%s: task %d: \"value\" has %d number%s, but joint '%s' has %d (%s)",
                        r->path, r->task, target->values, target->values == 1 ? "" : "s",
                        joint->name, count, lb_joint_kind_text(joint->kind));
    // a quaternion is what a ball has, and what a floating joint ends in
    const double *q = target->value + count - 4;
    bool turns = joint->kind == LB_JOINT_BALL || joint->kind == LB_JOINT_FLOATING;
    if (turns && !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0))
        return refuse(r, "value", "a list whose quaternion is not zero");
    return true;
}

static bool read_task(const reading *r, const json_t *object, task_list *list)
{
    if (!json_is_object(object))
        return complain("%s: task %d is not an object", r->path, r->task);
    lb_body_kind kind = LB_BODY_KIND_COUNT;
    if (!read_kind(r, json_object_get(object, "kind"), &kind))
        return false;
    if (!has_names(r, object, kind))
        return false;
    list->tasks[r->task] = lb_body_task_make(kind, -1);
    list->tasks[r->task].distance = list->usual_distance;
    list->targets[r->task].at = LB_TRANSFORM_IDENTITY;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (!read_key(r, key, value, list))
            return false;
    }
    return check_value(r, &list->tasks[r->task], &list->targets[r->task]);
}

static bool read_all(const lb_model *model, const char *path, const json_t *root, task_list *list)
{
    const json_t *tasks = json_object_get(root, "tasks");
    if (!json_is_array(tasks) || json_array_size(tasks) == 0)
        return complain("%s: it must be an object with a list of \"tasks\"", path);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)root, key, value)
    {
        if (strcmp(key, "tasks") != 0)
            return complain("%s: there is no key \"%s\"; the only one is \"tasks\"", path, key);
    }
    list->count = (int)json_array_size(tasks);
    list->tasks = allocate_or_exit((size_t)list->count, sizeof *list->tasks);
    list->targets = allocate_or_exit((size_t)list->count, sizeof *list->targets);
    list->vertices = allocate_or_exit((size_t)list->count, sizeof *list->vertices);
    for (int t = 0; t < list->count; t++) {
        const reading r = {model, path, t};
        if (!read_task(&r, json_array_get(tasks, (size_t)t), list))
            return false;
    }
    return true;
}

bool tasks_read(const lb_model *model, const char *path, double usual_distance, task_list *list)
{
    json_error_t error;
    lb_error unread;
    char *text;
    size_t size;
    *list = (task_list){.usual_distance = usual_distance};
    if (!complain_unless(file_read(path, NULL, &text, &size, &unread), &unread))
        return false;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!root && error.line > 0)
        return complain("%s:%d: %s", path, error.line, error.text);
    if (!root)
        return complain("%s: %s", path, error.text);
    bool fine = read_all(model, path, root, list);
    json_decref(root);
    if (!fine)
        tasks_release(list);
    return fine;
}

bool tasks_have_distance(const task_list *list, double *most)
{
    bool any = false;
    *most = 0;
    for (int t = 0; t < list->count; t++) {
        if (list->tasks[t].kind != LB_BODY_DISTANCE)
            continue;
        any = true;
        if (list->tasks[t].distance > *most)
            *most = list->tasks[t].distance;
    }
    return any;
}

void tasks_keep_apart(task_list *list, lb_collision *collision)
{
    for (int t = 0; t < list->count; t++)
        list->tasks[t].collision = collision;
}

void tasks_release(task_list *list)
{
    free(list->tasks);
    free(list->targets);
    free(list->vertices);
    *list = (task_list){0};
}

/* ---- targets ---------------------------------------------------------------- */

/* a target's origin and axes; of what the file does not give, those that are there */
static lb_status aim(lb_body *body, int t, const task_target *target)
{
    if (target->values > 0)
        return lb_body_set_value(body, t, target->value);
    if (target->turned) {
        lb_transform held = lb_body_target(body, t), at = target->at;
        if (!target->placed)
            at.p = held.p;
        return lb_body_set_target(body, t, &at);
    }
    return target->placed ? lb_body_set_point(body, t, target->at.p) : LB_OK;
}

bool tasks_aim(const task_list *list, const char *path, lb_body *body, const double *start)
{
    for (int t = 0; t < list->count; t++) {
        lb_body_hold(body, t, start);
        lb_status status = aim(body, t, &list->targets[t]);
        if (status != LB_OK)
            return complain("%s: task %d: its target: %s", path, t, lb_status_text(status));
    }
    return true;
}
