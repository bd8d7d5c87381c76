/* model.c - what models are made of, and configurations. */
#include "binding.h"

#include <limber/formats/json.h>

#include <string.h>

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

const char *EXPORT(model_name)(const lb_model *model)
{
    return lb_model_name(model);
}

void EXPORT(model_root)(const lb_model *model, double *out)
{
    lb_transform root = lb_model_root(model);
    memcpy(out, &root, sizeof root);
}

const char *EXPORT(model_link_name)(const lb_model *model, int link)
{
    return lb_model_link(model, link)->name;
}

int EXPORT(model_parent)(const lb_model *model, int link)
{
    return lb_model_parent(model, link);
}

void EXPORT(model_link)(const lb_model *model, int link, double *out)
{
    const lb_link *l = lb_model_link(model, link);
    memcpy(out, &l->data_offset, sizeof l->data_offset);
    out[12] = l->mass;
    memcpy(out + 13, &l->center, sizeof l->center);
    memcpy(out + 16, l->inertia, sizeof l->inertia);
    out[22] = l->visual_count;
}

void EXPORT(model_visual)(const lb_model *model, int link, int index, double *out)
{
    const lb_geometry *visual = &lb_model_link(model, link)->visuals[index];
    out[0] = (double)visual->shape;
    memcpy(out + 1, &visual->origin, sizeof visual->origin);
    memcpy(out + 13, &visual->size, sizeof visual->size);
    memcpy(out + 16, visual->color, sizeof visual->color);
}

/* its URI, NULL unless it is a mesh */
const char *EXPORT(model_visual_mesh)(const lb_model *model, int link, int index)
{
    return lb_model_link(model, link)->visuals[index].mesh;
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

/* ---- more of a model ------------------------------------------------------ */

/* fills up to LB_DEFAULT_TIPS links; returns how many, 0 without memory */
int EXPORT(model_default_tips)(const lb_model *model, int *tips)
{
    int count;
    if (lb_model_default_tips(model, NULL, tips, &count) != LB_OK)
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    return count;
}

/* a model of its own, whose root moves by joints of that kind; NULL on failure */
lb_model *EXPORT(model_with_root)(const lb_model *model, int kind)
{
    lb_model *made = NULL;
    lb_model_with_root(model, (lb_joint_kind)kind, NULL, &made, &binding_error);
    return made;
}

/* limber JSON, for memory_give; NULL on failure */
char *EXPORT(model_json)(const lb_model *model)
{
    char *text = NULL;
    lb_json_write(model, NULL, &text, &binding_error);
    return text;
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
