/*
 * describe_json.c - a model as JSON.
 */
#include "cli/report/describe.h"

#include "cli/options/select.h"
#include "cli/options/values.h"
#include "cli/report/print_json.h"
#include "cli/report/report.h"

#include <stdlib.h>

static json_t *json_place(const lb_transform *place)
{
    lb_quat rotation = lb_transform_quat(place);
    return json_pack("{s:o, s:o}", "position", json_vector(place->p), "quaternion",
                     json_numbers((double[]){rotation.w, rotation.x, rotation.y, rotation.z}, 4));
}

static json_t *json_mimic(const lb_joint *joint)
{
    if (joint->mimic == NULL)
        return json_null();
    return json_pack("{s:s, s:f, s:f}", "joint", joint->mimic, "multiplier", joint->multiplier,
                     "offset", joint->offset);
}

/* how many pairs of limits a kind of joint has */
static int limit_count(lb_joint_kind kind)
{
    int nv = lb_joint_kind_nv(kind);
    return kind == LB_JOINT_CONTINUOUS ? 0 : kind == LB_JOINT_BALL ? 2 : nv < 3 ? nv : 3;
}

static json_t *json_joint(const lb_model *model, const double *neutral, int j)
{
    const lb_joint *joint = lb_model_joint(model, j);
    int limits = limit_count(joint->kind), start = lb_model_joint_q(model, j);
    int count = joint->mimic == NULL ? lb_joint_kind_nq(joint->kind) : 0;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:f, s:b, s:o, s:o, s:o}", "name",
        joint->name, "kind", lb_joint_kind_text(joint->kind), "parent", joint->parent, "child",
        joint->child, "placement", json_place(&joint->placement), "axis", json_vector(joint->axis),
        "lower", json_numbers(joint->lower, limits), "upper", json_numbers(joint->upper, limits),
        "default", json_numbers(count > 0 ? neutral + start : NULL, count), "weight", joint->weight,
        "locked", joint->locked, "mimic", json_mimic(joint), "velocity",
        json_finite(joint->velocity), "effort", json_finite(joint->effort));
}

static json_t *json_link(const lb_model *model, int i)
{
    const lb_link *link = lb_model_link(model, i);
    int parent = lb_model_parent(model, i);
    return json_pack("{s:s, s:s?, s:f, s:o, s:i, s:i}", "name", link->name, "parent",
                     parent < 0 ? NULL : lb_model_link(model, parent)->name, "mass", link->mass,
                     "center", json_vector(link->center), "visuals", link->visual_count,
                     "collisions", link->collision_count);
}

static json_t *json_tips(const lb_model *model)
{
    int count = lb_model_tips(model, NULL);
    int *tips = allocate_or_exit((size_t)count, sizeof *tips);
    lb_model_tips(model, tips);
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        append_json(array, json_string(lb_model_link(model, tips[i])->name));
    free(tips);
    return array;
}

/* joints, velocities and constraints of a position, a rotation and a pose of the default tip */
static json_t *json_tasks(const lb_model *model)
{
    static const char *const names[] = {"position", "rotation", "pose"};
    json_t *object = json_object();
    lb_state *state = state_or_exit(model);
    for (int kind = LB_TASK_POSITION; kind <= LB_TASK_POSE; kind++) {
        lb_task task = lb_task_make(select_default_tip(model), 0, (lb_task_kind)kind);
        lb_mobility m = lb_task_mobility(state, &task, NULL);
        set_json(object, names[kind],
                 json_pack("{s:i, s:i, s:i}", "joints", m.joints, "velocities", m.velocities,
                           "constraints", m.constraints));
    }
    lb_state_release(state);
    return object;
}

/* the names of a configuration's values, which are the columns of poses */
static json_t *json_values(const lb_model *model)
{
    char name[VALUE_NAME_SIZE];
    value_slot *slots = values_slots(model);
    json_t *array = json_array();
    for (int i = 0; i < lb_model_nq(model); i++)
        append_json(array, json_string(value_name(&slots[i], name)));
    free(slots);
    return array;
}

void describe_json(const capture *c, FILE *stream)
{
    const lb_model *model = c->model;
    json_t *motion = motion_json(c);
    double *neutral = allocate_or_exit((size_t)lb_model_nq(model), sizeof *neutral);
    lb_configuration_neutral(model, neutral);
    json_t *links = json_array(), *joints = json_array();
    for (int i = 0; i < lb_model_link_count(model); i++)
        append_json(links, json_link(model, i));
    for (int j = 0; j < lb_model_joint_count(model); j++)
        append_json(joints, json_joint(model, neutral, j));
    free(neutral);

    lb_transform root = lb_model_root(model);
    json_t *all = json_pack(
        "{s:s, s:i, s:i, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "name", lb_model_name(model),
        "nq", lb_model_nq(model), "nv", lb_model_nv(model), "root", lb_model_link(model, 0)->name,
        "placement", json_place(&root), "tip",
        lb_model_link(model, select_default_tip(model))->name, "tips", json_tips(model), "tasks",
        json_tasks(model), "values", json_values(model), "links", links, "joints", joints);
    if (motion != NULL)
        set_json(all, "motion", motion);
    print_json(all, JSON_COMPACT, stream);
    json_decref(all);
}
