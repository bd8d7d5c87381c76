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
    task_list *list;
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

static bool read_vector(const reading *r, const json_t *value, const char *key, void *vector)
{
    double x[3];
    if (!read_numbers(r, value, key, 3, "a list of three numbers", x))
        return false;
    *(lb_vec3 *)vector = lb_vec3_make(x[0], x[1], x[2]);
    return true;
}

static bool read_number(const reading *r, const json_t *value, const char *key, void *number)
{
    if (!json_is_number(value))
        return refuse(r, key, "a number");
    *(double *)number = json_number_value(value);
    return true;
}

/* the nearest of `count` names is suggested */
static bool refuse_name(const reading *r, const char *what, const char *name, int count,
                        const char *(*name_at)(const reading *r, int i))
{
    suggest nearest = suggest_start(name);
    for (int i = 0; i < count; i++)
        suggest_consider(&nearest, name_at(r, i));
    return complain("%s: task %d: no %s '%s'%s", r->path, r->task, what, name,
                    suggest_phrase(&nearest));
}

static const char *link_name(const reading *r, int i)
{
    return lb_model_link(r->model, i)->name;
}

static const char *joint_name(const reading *r, int i)
{
    return lb_model_joint(r->model, i)->name;
}

static const char *kind_name(const reading *r, int i)
{
    (void)r;
    return lb_body_kind_text((lb_body_kind)i);
}

/* a link by name, or the world */
static bool read_link(const reading *r, const json_t *value, const char *key, void *link)
{
    if (!json_is_string(value))
        return refuse(r, key, "the name of a link");
    const char *name = json_string_value(value);
    int found = select_is_world(r->model, name) ? LB_WORLD : lb_model_find_link(r->model, name);
    *(int *)link = found;
    return found != LB_NO_LINK ||
           refuse_name(r, "link", name, lb_model_link_count(r->model), link_name);
}

static bool read_joint(const reading *r, const json_t *value, const char *key, void *joint)
{
    if (!json_is_string(value))
        return refuse(r, key, "the name of a joint");
    const char *name = json_string_value(value);
    int found = lb_model_find_joint(r->model, name);
    *(int *)joint = found;
    return found >= 0 || refuse_name(r, "joint", name, lb_model_joint_count(r->model), joint_name);
}

/* axes from roll, pitch and yaw or from a quaternion, the origin kept */
static bool read_turn(const reading *r, const json_t *value, const char *key, void *into)
{
    lb_transform *at = into;
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

/* of the tool there are angles alone */
static bool read_tool_turn(const reading *r, const json_t *value, const char *key, void *tool)
{
    (void)key;
    return read_turn(r, value, "rpy", tool);
}

static bool read_vertices(const reading *r, const json_t *value, const char *key, void *into)
{
    const char *wanted = "a list of 3 to 16 pairs [x, y]";
    double(*vertices)[2] = r->list->vertices[r->task];
    lb_body_task *task = &r->list->tasks[r->task];
    size_t size = json_array_size(value);
    (void)into;
    if (!json_is_array(value) || size < 3 || size > LB_BODY_VERTICES)
        return refuse(r, key, wanted);
    for (size_t i = 0; i < size; i++)
        if (!read_numbers(r, json_array_get(value, i), key, 2, wanted, vertices[i]))
            return false;
    task->vertices = (const double(*)[2])vertices;
    task->vertex_count = (int)size;
    return true;
}

static bool read_level(const reading *r, const json_t *value, const char *key, void *level)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) >= LB_BODY_LEVELS)
        return refuse(r, key, "0, 1, 2 or 3");
    *(int *)level = (int)json_integer_value(value);
    return true;
}

/* ---- the target's values ------------------------------------------------- */

static bool read_position(const reading *r, const json_t *value, const char *key, void *into)
{
    task_target *target = &r->list->targets[r->task];
    (void)into;
    target->placed = true;
    return read_vector(r, value, key, &target->at.p);
}

static bool read_axes(const reading *r, const json_t *value, const char *key, void *into)
{
    task_target *target = &r->list->targets[r->task];
    (void)into;
    if (target->turned)
        return refuse(r, key, "left out where the other of \"rpy\" and \"quaternion\" is given");
    target->turned = true;
    return read_turn(r, value, key, &target->at);
}

/* one value of a joint, or a list of them */
static bool read_value(const reading *r, const json_t *value, const char *key, void *into)
{
    task_target *target = &r->list->targets[r->task];
    int count = json_is_array(value) ? (int)json_array_size(value) : 1;
    (void)into;
    target->values = count;
    if (!json_is_array(value))
        return read_number(r, value, key, target->value);
    if (count < 1 || count > LB_JOINT_MAX_NQ)
        return refuse(r, key, "a number or the joint's list of numbers");
    return read_numbers(r, value, key, count, "a list of numbers", target->value);
}

/* ---- tasks ----------------------------------------------------------------- */

static bool read_kind(const reading *r, const json_t *value, lb_body_kind *kind)
{
    if (!json_is_string(value))
        return refuse(r, "kind", "the name of a kind");
    *kind = lb_body_kind_find(json_string_value(value));
    return *kind < LB_BODY_KIND_COUNT ||
           refuse_name(r, "kind", json_string_value(value), LB_BODY_KIND_COUNT, kind_name);
}

/* what each key is read by, and where in the task its value goes; the target's have their own */
static const struct {
    const char *key;
    bool (*read)(const reading *r, const json_t *value, const char *key, void *into);
    size_t at;
} keys[] = {
    {"level", read_level, offsetof(lb_body_task, level)},
    {"link", read_link, offsetof(lb_body_task, link)},
    {"base", read_link, offsetof(lb_body_task, base)},
    {"first", read_link, offsetof(lb_body_task, first)},
    {"last", read_link, offsetof(lb_body_task, last)},
    {"joint", read_joint, offsetof(lb_body_task, joint)},
    {"weight", read_number, offsetof(lb_body_task, weight)},
    {"cone", read_number, offsetof(lb_body_task, cone)},
    {"distance", read_number, offsetof(lb_body_task, distance)},
    {"position_tolerance", read_number, offsetof(lb_body_task, position_tolerance)},
    {"rotation_tolerance", read_number, offsetof(lb_body_task, rotation_tolerance)},
    {"axis", read_vector, offsetof(lb_body_task, axis)},
    {"box", read_vector, offsetof(lb_body_task, box)},
    {"tool_position", read_vector, offsetof(lb_body_task, tool.p)},
    {"tool_rpy", read_tool_turn, offsetof(lb_body_task, tool)},
    {"first_point", read_vector, offsetof(lb_body_task, first_point)},
    {"last_point", read_vector, offsetof(lb_body_task, last_point)},
    {"vertices", read_vertices, 0},
    {"position", read_position, 0},
    {"rpy", read_axes, 0},
    {"quaternion", read_axes, 0},
    {"value", read_value, 0},
};

static bool read_key(const reading *r, const char *key, const json_t *value)
{
    char *task = (char *)&r->list->tasks[r->task];
    // the kind was read before all others
    if (strcmp(key, "kind") == 0)
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i].key) == 0)
            return keys[i].read(r, value, key, task + keys[i].at);
    return complain("%s: task %d: there is no key \"%s\"; docs/format.md lists them", r->path,
                    r->task, key);
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

static bool read_task(const reading *r, const json_t *object)
{
    task_list *list = r->list;
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
        if (!read_key(r, key, value))
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
        const reading r = {model, path, list, t};
        if (!read_task(&r, json_array_get(tasks, (size_t)t)))
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
