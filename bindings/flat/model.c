/* model.c - models from flat arrays, and configurations. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ------------------------------------------------------------- */

/* a list of strings, each with its zero, one after the other */
static const char *take_string(const char **strings)
{
    const char *string = *strings;
    *strings += strlen(string) + 1;
    return string;
}

static lb_link read_link(const double *n, const char **strings)
{
    lb_link link = lb_link_default();
    link.name = take_string(strings);
    link.data_offset = transform_from(n);
    link.mass = n[12];
    link.center = lb_vec3_make(n[13], n[14], n[15]);
    memcpy(link.inertia, n + 16, sizeof link.inertia);
    return link;
}

static lb_joint read_joint(const double *n, const char **strings)
{
    lb_joint joint = lb_joint_default();
    joint.name = take_string(strings);
    joint.parent = take_string(strings);
    joint.child = take_string(strings);
    joint.mimic = take_string(strings);
    if (joint.mimic[0] == '\0')
        joint.mimic = NULL;
    joint.kind = (lb_joint_kind)n[0];
    joint.placement = transform_from(n + 1);
    joint.axis = lb_vec3_make(n[13], n[14], n[15]);
    joint.axis2 = lb_vec3_make(n[16], n[17], n[18]);
    memcpy(joint.lower, n + 19, sizeof joint.lower);
    memcpy(joint.upper, n + 22, sizeof joint.upper);
    memcpy(joint.value, n + 25, sizeof joint.value);
    joint.weight = n[32];
    joint.locked = n[33] != 0;
    joint.multiplier = n[34];
    joint.offset = n[35];
    joint.velocity = n[36];
    joint.effort = n[37];
    return joint;
}

/*
 * strings: the model's name, each link's, then of each joint its name, parent, child
 * and the joint it follows ("": none). NULL on failure, see error_message.
 */
lb_model *EXPORT(model_build)(const char *strings, const double *root, const double *link_numbers,
                              int link_count, const double *joint_numbers, int joint_count)
{
    lb_model *model = NULL;
    lb_link *links = calloc((size_t)link_count + 1, sizeof *links);
    lb_joint *joints = calloc((size_t)joint_count + 1, sizeof *joints);
    if (links && joints) {
        lb_model_source source = {.root = transform_from(root),
                                  .links = links,
                                  .link_count = link_count,
                                  .joints = joints,
                                  .joint_count = joint_count};
        source.name = take_string(&strings);
        for (int i = 0; i < link_count; i++)
            links[i] = read_link(link_numbers + (size_t)LINK_NUMBERS * (size_t)i, &strings);
        for (int j = 0; j < joint_count; j++)
            joints[j] = read_joint(joint_numbers + (size_t)JOINT_NUMBERS * (size_t)j, &strings);
        lb_model_build(&source, NULL, &model, &binding_error);
    } else {
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    }
    free(links);
    free(joints);
    return model;
}

/* rows of kind, theta, d, a, alpha, lower, upper */
lb_model *EXPORT(model_from_dh)(const char *name, const double *numbers, int n, int modified)
{
    lb_model *model = NULL;
    lb_dh_row *rows = calloc((size_t)n + 1, sizeof *rows);
    if (!rows) {
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
        return NULL;
    }
    for (int i = 0; i < n; i++, numbers += 7)
        rows[i] = (lb_dh_row){(lb_joint_kind)numbers[0],
                              numbers[1],
                              numbers[2],
                              numbers[3],
                              numbers[4],
                              numbers[5],
                              numbers[6]};
    lb_model_from_dh(name, rows, n, modified != 0, NULL, &model, &binding_error);
    free(rows);
    return model;
}

void EXPORT(model_release)(lb_model *model)
{
    lb_model_release(model);
}

/* ---- reading -------------------------------------------------------------- */

/* link count, joint count, nq, nv */
void EXPORT(model_counts)(const lb_model *model, int *out)
{
    out[0] = lb_model_link_count(model);
    out[1] = lb_model_joint_count(model);
    out[2] = lb_model_nq(model);
    out[3] = lb_model_nv(model);
}

const char *EXPORT(model_link_name)(const lb_model *model, int link)
{
    return lb_model_link(model, link)->name;
}

int EXPORT(model_parent)(const lb_model *model, int link)
{
    return lb_model_parent(model, link);
}

const char *EXPORT(model_joint_name)(const lb_model *model, int joint)
{
    return lb_model_joint(model, joint)->name;
}

/* the joint that this one follows in the end, -1: none */
int EXPORT(model_joint_mimic)(const lb_model *model, int joint)
{
    double multiplier, offset;
    return lb_model_joint_mimic(model, joint, &multiplier, &offset);
}

/* where its values start in q, -1: none */
int EXPORT(model_joint_q)(const lb_model *model, int joint)
{
    return lb_model_joint_q(model, joint);
}

int EXPORT(model_joint_v)(const lb_model *model, int joint)
{
    return lb_model_joint_v(model, joint);
}

void EXPORT(model_joint)(const lb_model *model, int joint, double *out)
{
    const lb_joint *j = lb_model_joint(model, joint);
    out[0] = (double)j->kind;
    memcpy(out + 1, &j->placement, sizeof j->placement);
    memcpy(out + 13, &j->axis, sizeof j->axis);
    memcpy(out + 16, &j->axis2, sizeof j->axis2);
    memcpy(out + 19, j->lower, sizeof j->lower);
    memcpy(out + 22, j->upper, sizeof j->upper);
    memcpy(out + 25, j->value, sizeof j->value);
    out[32] = j->weight;
    out[33] = j->locked;
    out[34] = j->multiplier;
    out[35] = j->offset;
    out[36] = j->velocity;
    out[37] = j->effort;
}

/* text of a joint kind, NULL beyond the last; and how many values it has */
const char *EXPORT(kind_text)(int kind)
{
    return kind < LB_JOINT_KIND_COUNT ? lb_joint_kind_text((lb_joint_kind)kind) : NULL;
}

int EXPORT(kind_nq)(int kind)
{
    return lb_joint_kind_nq((lb_joint_kind)kind);
}

/* ---- configurations ------------------------------------------------------- */

void EXPORT(configuration_neutral)(const lb_model *model, double *q)
{
    lb_configuration_neutral(model, q);
}

void EXPORT(configuration_random)(const lb_model *model, lb_random *random, double *q)
{
    lb_configuration_random(model, random, q);
}

void EXPORT(configuration_clamp)(const lb_model *model, const double *q, double *out)
{
    lb_configuration_clamp(model, q, out);
}

void EXPORT(configuration_interpolate)(const lb_model *model, const double *a, const double *b,
                                       double t, double *out)
{
    lb_configuration_interpolate(model, a, b, t, out);
}

void EXPORT(configuration_difference)(const lb_model *model, const double *a, const double *b,
                                      double *v)
{
    lb_configuration_difference(model, a, b, v);
}

void EXPORT(configuration_integrate)(const lb_model *model, const double *q, const double *v,
                                     double *out)
{
    lb_configuration_integrate(model, q, v, out);
}

/* 0, or a status with its message */
int EXPORT(configuration_validate)(const lb_model *model, const double *q, double tolerance)
{
    return (int)lb_configuration_validate(model, q, tolerance, &binding_error);
}
