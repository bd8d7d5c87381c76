/*
 * tasks.c - reads the tasks of limber pose.
 */
#include "cli/options/targets.h"

#include "base/error.h"
#include "base/suggest.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "formats/mapping/json_reader.h"
#include "formats/parse.h"

#include <stdlib.h>
#include <string.h>

/* One reading: over which model, into what. */
typedef struct reading {
    json_reader reader;
    const lb_model *model;
    task_list *list;
    int task; /* that is being read */
} reading;

static task_target *target_of(json_reader *reader)
{
    const reading *r = (const reading *)reader;
    return &r->list->targets[r->task];
}

/* ---- names ----------------------------------------------------------------- */

/* a link by name, or the world */
static lb_status read_link(json_reader *reader, const tree_node *value, void *out)
{
    const lb_model *model = ((reading *)reader)->model;
    const char *name = NULL;
    TRY(reader_text(reader, value, (void *)&name));
    *(int *)out = select_is_world(model, name) ? LB_WORLD : lb_model_find_link(model, name);
    if (*(int *)out != LB_NO_LINK)
        return LB_OK;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_model_link_count(model); i++)
        suggest_consider(&nearest, lb_model_link(model, i)->name);
    return reader_refuse(reader, LB_NOT_FOUND, "no link '%.60s'%s", name, suggest_phrase(&nearest));
}

static lb_status read_joint(json_reader *reader, const tree_node *value, void *out)
{
    const lb_model *model = ((reading *)reader)->model;
    const char *name = NULL;
    TRY(reader_text(reader, value, (void *)&name));
    *(int *)out = lb_model_find_joint(model, name);
    if (*(int *)out >= 0)
        return LB_OK;
    suggest nearest = suggest_start(name);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        suggest_consider(&nearest, lb_model_joint(model, j)->name);
    return reader_refuse(reader, LB_NOT_FOUND, "no joint '%.60s'%s", name,
                         suggest_phrase(&nearest));
}

/* the kind, with which the task begins */
static lb_status read_kind(json_reader *reader, const tree_node *value, void *out)
{
    const char *names[LB_BODY_KIND_COUNT];
    lb_body_task *task = out;
    int kind;
    for (int i = 0; i < LB_BODY_KIND_COUNT; i++)
        names[i] = lb_body_kind_text((lb_body_kind)i);
    TRY(reader_choice(reader, value, "kind", names, LB_BODY_KIND_COUNT, &kind));
    *task = lb_body_task_make((lb_body_kind)kind, -1);
    task->distance = ((reading *)reader)->list->usual_distance;
    return LB_OK;
}

/* ---- values ---------------------------------------------------------------- */

static lb_status read_level(json_reader *reader, const tree_node *value, void *out)
{
    double level = 0;
    TRY(reader_number(reader, value, &level));
    if (!(level >= 0 && level < LB_BODY_LEVELS) || level != floor(level))
        return reader_refuse(reader, LB_BAD_VALUE, "expected 0, 1, 2 or 3");
    *(int *)out = (int)level;
    return LB_OK;
}

/* axes from roll, pitch and yaw, the origin kept */
static lb_status read_rpy(json_reader *reader, const tree_node *value, void *out)
{
    double x[3];
    lb_transform *at = out;
    TRY(reader_array(reader, value, 3, reader_number, x, sizeof *x));
    *at = lb_transform_from_quat(lb_quat_from_rpy(x[0], x[1], x[2]), at->p);
    return LB_OK;
}

static lb_status read_pair(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, 2, reader_number, out, sizeof(double));
}

static lb_status read_vertices(json_reader *reader, const tree_node *value, void *out)
{
    const reading *r = (const reading *)reader;
    double(*vertices)[2] = r->list->vertices[r->task];
    lb_body_task *task = out;
    int count = tree_array_size(value);
    if (count < 3 || count > LB_BODY_VERTICES)
        return reader_refuse(reader, LB_BAD_VALUE, "expected a list of 3 to 16 pairs [x, y]");
    task->vertices = (const double(*)[2])vertices;
    task->vertex_count = count;
    return reader_array(reader, value, -1, read_pair, vertices, sizeof *vertices);
}

/* ---- the target's values ------------------------------------------------- */

static lb_status read_position(json_reader *reader, const tree_node *value, void *out)
{
    task_target *target = target_of(reader);
    (void)out;
    target->placed = true;
    return reader_vec3(reader, value, &target->at.p);
}

static lb_status read_target_rpy(json_reader *reader, const tree_node *value, void *out)
{
    task_target *target = target_of(reader);
    (void)out;
    target->turned = true;
    return read_rpy(reader, value, &target->at);
}

static lb_status read_target_quaternion(json_reader *reader, const tree_node *value, void *out)
{
    double q[4];
    task_target *target = target_of(reader);
    (void)out;
    if (target->turned)
        return reader_refuse(reader, LB_BAD_MODEL, "give one of \"rpy\" and \"quaternion\"");
    TRY(reader_array(reader, value, 4, reader_number, q, sizeof *q));
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        return reader_refuse(reader, LB_BAD_VALUE, "a quaternion of length 0 is no rotation");
    target->turned = true;
    target->at =
        lb_transform_from_quat(lb_quat_normalize((lb_quat){q[0], q[1], q[2], q[3]}), target->at.p);
    return LB_OK;
}

/* as many values as the joint has, and rotations that are some */
static lb_status check_value(json_reader *reader, const lb_body_task *task,
                             const task_target *target)
{
    if (task->joint < 0)
        return LB_OK;
    const lb_joint *joint = lb_model_joint(((reading *)reader)->model, task->joint);
    int count = lb_joint_kind_nq(joint->kind);
    if (target->values != count)
        return reader_refuse(reader, LB_BAD_VALUE, "it has %d number%s, but joint '%s' has %d (%s)",
                             target->values, target->values == 1 ? "" : "s", joint->name, count,
                             lb_joint_kind_text(joint->kind));
    // a quaternion is what a ball has, and what a floating joint ends in
    const double *q = target->value + count - 4;
    bool turns = joint->kind == LB_JOINT_BALL || joint->kind == LB_JOINT_FLOATING;
    if (turns && !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0))
        return reader_refuse(reader, LB_BAD_VALUE, "a quaternion of length 0 is no rotation");
    return LB_OK;
}

/* one value of a joint, or a list of them; the joint is known */
static lb_status read_value(json_reader *reader, const tree_node *value, void *out)
{
    task_target *target = target_of(reader);
    target->values = tree_is_number(value) ? 1 : tree_array_size(value);
    if (target->values < 1 || target->values > LB_JOINT_MAX_NQ)
        return reader_refuse(reader, LB_BAD_VALUE,
                             "expected a number or the joint's list of numbers");
    if (tree_is_number(value))
        TRY(reader_number(reader, value, target->value));
    else
        TRY(reader_array(reader, value, -1, reader_number, target->value, sizeof *target->value));
    return check_value(reader, out, target);
}

/* ---- tasks ----------------------------------------------------------------- */

/* the names that a kind cannot do without */
static lb_status check_names(json_reader *reader, const tree_node *object, lb_body_kind kind)
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
        if (tree_member(object, *needed) == NULL)
            return reader_refuse(reader, LB_BAD_MODEL, "the key \"%s\" is missing (%s)", *needed,
                                 lb_body_kind_text(kind));
    return LB_OK;
}

static lb_status read_task(json_reader *reader, const tree_node *value, void *out)
{
    // the kind comes first, and a joint before its value
    static const reader_field fields[] = {
        {"kind", read_kind, 0, true},
        {"level", read_level, offsetof(lb_body_task, level), false},
        {"link", read_link, offsetof(lb_body_task, link), false},
        {"base", read_link, offsetof(lb_body_task, base), false},
        {"first", read_link, offsetof(lb_body_task, first), false},
        {"last", read_link, offsetof(lb_body_task, last), false},
        {"joint", read_joint, offsetof(lb_body_task, joint), false},
        {"weight", reader_number, offsetof(lb_body_task, weight), false},
        {"cone", reader_number, offsetof(lb_body_task, cone), false},
        {"distance", reader_number, offsetof(lb_body_task, distance), false},
        {"position_tolerance", reader_number, offsetof(lb_body_task, position_tolerance), false},
        {"rotation_tolerance", reader_number, offsetof(lb_body_task, rotation_tolerance), false},
        {"axis", reader_vec3, offsetof(lb_body_task, axis), false},
        {"box", reader_vec3, offsetof(lb_body_task, box), false},
        {"tool_position", reader_vec3, offsetof(lb_body_task, tool.p), false},
        {"tool_rpy", read_rpy, offsetof(lb_body_task, tool), false},
        {"first_point", reader_vec3, offsetof(lb_body_task, first_point), false},
        {"last_point", reader_vec3, offsetof(lb_body_task, last_point), false},
        {"vertices", read_vertices, 0, false},
        {"position", read_position, 0, false},
        {"rpy", read_target_rpy, 0, false},
        {"quaternion", read_target_quaternion, 0, false},
        {"value", read_value, 0, false},
    };
    reading *r = (reading *)reader;
    lb_body_task *task = out;
    r->task = (int)(task - r->list->tasks);
    r->list->targets[r->task].at = LB_TRANSFORM_IDENTITY;
    TRY(reader_object(reader, value, fields, sizeof fields / sizeof *fields, task));
    return check_names(reader, value, task->kind);
}

static lb_status read_tasks(json_reader *reader, const tree_node *value, void *out)
{
    task_list *list = out;
    size_t count = (size_t)tree_array_size(value);
    if (count == 0)
        return reader_refuse(reader, LB_BAD_MODEL, "expected a list of tasks");
    list->count = (int)count;
    list->tasks = allocate_or_exit(count, sizeof *list->tasks);
    list->targets = allocate_or_exit(count, sizeof *list->targets);
    list->vertices = allocate_or_exit(count, sizeof *list->vertices);
    return reader_array(reader, value, -1, read_task, list->tasks, sizeof *list->tasks);
}

task_list tasks_read(const lb_model *model, const char *path, double usual_distance)
{
    static const reader_field fields[] = {{"tasks", read_tasks, 0, true}};
    lb_document *document;
    lb_error *error = why();
    task_list list = {.usual_distance = usual_distance};
    require(parse_file(json_parse, path, &program_memory, &document, error));
    const tree_node *root = tree_root(document);
    reading r = {.reader = {.root = root, .error = error}, .model = model, .list = &list};
    require(reader_object(&r.reader, root, fields, 1, &list));
    return list;
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

void tasks_aim(const task_list *list, const char *path, lb_body *body, const double *start)
{
    for (int t = 0; t < list->count; t++) {
        lb_body_hold(body, t, start);
        lb_status status = aim(body, t, &list->targets[t]);
        if (status != LB_OK)
            refuse("%s: task %d: its target: %s", path, t, lb_status_text(status));
    }
}
