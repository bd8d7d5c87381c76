/*
 * loops.c - closing the loops of the poses that a user gives.
 */
#include "cli/options/targets.h"

#include "base/text.h"
#include "cli/report/report.h"

#include <limber/loops.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

lb_assembly *loops_or_exit(const lb_model *model)
{
    lb_assembly *assembly = NULL;
    if (lb_model_loop_count(model) == 0)
        return NULL;
    lb_status status = lb_assembly_create(model, NULL, 0, &program_memory, &assembly, why());
    exit_if_out_of_memory(status);
    require(status);
    return assembly;
}

bool *loops_dependent(const lb_model *model, const lb_assembly *assembly)
{
    size_t nv = (size_t)lb_model_nv(model);
    bool *dependent = allocate_or_exit(nv, sizeof *dependent);
    int *v = allocate_or_exit(nv, sizeof *v), count = lb_assembly_dependent(assembly, v);
    for (int i = 0; i < count; i++)
        dependent[v[i]] = true;
    dispose(v);
    return dependent;
}

static bool complain_open(const lb_model *model, const lb_assembly_result *result, int pose)
{
    if (result->outcome == LB_ASSEMBLY_OPEN)
        return complain("%s: pose %d: its loops do not close from the default values",
                        lb_model_name(model), pose);
    const char *joint = result->joint < 0 ? "" : lb_model_joint(model, result->joint)->name;
    return complain("%s: pose %d: the path from where the loops close by default ends after %.4g "
                    "%% of the way: "
                    "%s%s%s; values of the dependent joints, too, say which assembly is meant",
                    lb_model_name(model), pose, 100 * result->fraction,
                    lb_assembly_outcome_text(result->outcome), *joint ? " of joint " : "", joint);
}

/* ---- values of dependent joints ------------------------------------------ */

/* three decimals say of a value of a dependent joint which assembly is meant */
static const double given_slack = 1e-3;

/* A pose of which a user gave some numbers, and what the loops make of it. */
typedef struct closing {
    const lb_model *model;
    lb_assembly *assembly;
    const bool *given;   /* of each number; NULL: none of a dependent joint */
    bool *dependent;     /* of each velocity */
    value_slot *slots;   /* of each number */
    double *asked, *way; /* nq */
} closing;

static void end_closing(closing *c)
{
    dispose(c->dependent);
    dispose(c->asked);
    dispose(c->way);
    dispose(c->slots);
}

static bool is_dependent(const closing *c, int j)
{
    const lb_joint *joint = lb_model_joint(c->model, j);
    bool any = false;
    for (int k = 0; joint->mimic == NULL && k < lb_joint_kind_nv(joint->kind); k++)
        any = any || c->dependent[lb_model_joint_v(c->model, j) + k];
    return any;
}

static closing start_closing(lb_assembly *assembly, const lb_model *model, const bool *given)
{
    size_t nq = (size_t)lb_model_nq(model);
    closing c = {.model = model, .assembly = assembly};
    c.dependent = loops_dependent(model, assembly);
    c.asked = allocate_or_exit(nq + 1, sizeof *c.asked);
    c.way = allocate_or_exit(nq + 1, sizeof *c.way);
    c.slots = values_slots(model);
    for (size_t i = 0; given != NULL && i < nq; i++)
        if (given[i] && is_dependent(&c, lb_model_find_joint(model, c.slots[i].joint->name)))
            c.given = given;
    return c;
}

/* how far a number is from the one asked for: of an angle without whole turns, of a quaternion with
   either sign */
static double distance_to(const closing *c, const double *q, int i)
{
    const value_slot *slot = &c->slots[i];
    double d = q[i] - c->asked[i], other = q[i] + c->asked[i];
    if (slot->angular)
        return fabs(d - 2 * LB_PI * round(d / (2 * LB_PI)));
    return slot->part[0] == 'q' ? fmin(fabs(d), fabs(other)) : fabs(d);
}

/* the first number of a dependent joint that was given and that q has otherwise; -1: none */
static int find_other(const closing *c, const double *q)
{
    for (int j = 0; c->given != NULL && j < lb_model_joint_count(c->model); j++) {
        int first = lb_model_joint_q(c->model, j);
        int count = lb_joint_kind_nq(lb_model_joint(c->model, j)->kind);
        for (int i = first; is_dependent(c, j) && i < first + count; i++)
            if (c->given[i] && !(distance_to(c, q, i) <= given_slack))
                return i;
    }
    return -1;
}

/* the independent joint whose velocity a column of E stands for */
static const char *driver_of(const closing *c, const double *e, int columns, int column)
{
    for (int j = 0; j < lb_model_joint_count(c->model); j++) {
        const lb_joint *joint = lb_model_joint(c->model, j);
        for (int k = 0; joint->mimic == NULL && k < lb_joint_kind_nv(joint->kind); k++) {
            int v = lb_model_joint_v(c->model, j) + k;
            if (!c->dependent[v] && e[v * columns + column] == 1)
                return joint->name;
        }
    }
    return "";
}

/* "give 'crank'": the independent joints that move a dependent one at q */
static void name_drivers(const closing *c, const double *q, int joint, char *text, size_t size)
{
    int columns = lb_assembly_mobility(c->assembly).found, nv = lb_model_nv(c->model);
    double *e = allocate_or_exit((size_t)nv * (size_t)columns + 1, sizeof *e);
    bool known = lb_assembly_velocities(c->assembly, q, e);
    const char *last = "";
    *text = '\0';
    for (int column = 0; known && column < columns; column++) {
        bool moves = false;
        for (int k = 0; k < lb_joint_kind_nv(lb_model_joint(c->model, joint)->kind); k++) {
            int v = lb_model_joint_v(c->model, joint) + k;
            moves = moves || (c->dependent[v] && fabs(e[v * columns + column]) > 1e-9);
        }
        const char *name = moves ? driver_of(c, e, columns, column) : last;
        if (strcmp(name, last) != 0)
            text_format(text + strlen(text), size - strlen(text), "%s'%.60s'",
                        *text == '\0' ? "give " : ", ", name);
        last = name;
    }
    if (*text == '\0')
        text_format(text, size,
                    columns == 0 ? "no joint is independent"
                                 : "limber info names the independent joints");
    dispose(e);
}

static bool complain_other(const closing *c, const double *q, int i, int pose)
{
    char name[VALUE_NAME_SIZE], drivers[400];
    const value_slot *slot = &c->slots[i];
    name_drivers(c, q, lb_model_find_joint(c->model, slot->joint->name), drivers, sizeof drivers);
    return complain("%s: pose %d: '%s' follows from the loops and is %.6g there, not %.6g: %s",
                    lb_model_name(c->model), pose, value_name(slot, name), q[i] / value_unit(slot),
                    c->asked[i] / value_unit(slot), drivers);
}

/* ---- closing -------------------------------------------------------------- */

/* closes the loops from all values asked for, which say which assembly is meant */
static bool close_as_asked(closing *c)
{
    return lb_assembly_close(c->assembly, c->asked, c->way, NULL) == LB_ASSEMBLED &&
           lb_assembly_follow(c->assembly, c->way, c->asked, c->way, NULL) == LB_ASSEMBLED &&
           find_other(c, c->way) < 0;
}

/* of all assemblies, where they can be listed, the first that is as asked */
static bool pick_as_asked(closing *c)
{
    size_t nq = (size_t)lb_model_nq(c->model);
    int count = lb_assembly_all(c->assembly, c->asked, NULL, 0, NULL);
    double *rows = allocate_or_exit((size_t)(count > 0 ? count : 0) * nq + 1, sizeof *rows);
    bool found = false;
    if (count > 0)
        lb_assembly_all(c->assembly, c->asked, rows, count, NULL);
    for (int k = 0; k < count && !found; k++) {
        memcpy(c->way, rows + (size_t)k * nq, nq * sizeof *rows);
        found = find_other(c, c->way) < 0;
    }
    dispose(rows);
    return found;
}

/* false: how the path ended, and the number that is another there than was asked for, else -1 */
static bool find_closed(closing *c, double *q, bool any, lb_assembly_result *result, int *other)
{
    size_t size = (size_t)lb_model_nq(c->model) * sizeof *q;
    memcpy(c->asked, q, size);
    lb_assembly_follow(c->assembly, lb_assembly_rest(c->assembly), q, q, result);
    *other = result->outcome == LB_ASSEMBLED ? find_other(c, q) : -1;
    if (result->outcome == LB_ASSEMBLED && *other < 0)
        return true;
    if (!any || c->given == NULL || (!close_as_asked(c) && !pick_as_asked(c)))
        return false;
    memcpy(q, c->way, size);
    return true;
}

static bool close_pose(closing *c, double *q, int pose, bool any)
{
    lb_assembly_result result;
    int other;
    return find_closed(c, q, any, &result, &other) ||
           (other < 0 ? complain_open(c->model, &result, pose) : complain_other(c, q, other, pose));
}

bool loops_close(lb_assembly *assembly, const lb_model *model, pose_list *poses, int before,
                 bool any)
{
    closing c = start_closing(assembly, model, poses->given);
    bool closed = true;
    for (int i = 0; i < poses->count && closed; i++)
        closed =
            close_pose(&c, poses->q + (size_t)i * (size_t)lb_model_nq(model), before + i + 1, any);
    end_closing(&c);
    return closed;
}

bool loops_close_all(const lb_model *model, pose_list *poses, bool any)
{
    lb_assembly *assembly = loops_or_exit(model);
    return assembly == NULL || loops_close(assembly, model, poses, 0, any);
}

void loops_close_given(const lb_model *model, pose_list *poses)
{
    bool some = false;
    for (int i = 0; i < lb_model_nq(model); i++)
        some = some || (poses->given != NULL && poses->given[i]);
    if (some && !loops_close_all(model, poses, true))
        give_up();
}

pose_list start_from_text(const lb_model *model, const char *text)
{
    pose_list start = poses_from_text(model, "--start", text);
    loops_close_given(model, &start);
    return start;
}

bool loops_pick(lb_assembly *assembly, const lb_model *model, const pose_list *poses, int i,
                const double *rows, int count, int before, int *taken)
{
    // rows are exact but for the rounding of Newton's steps
    const double same = 1e-6;
    closing c = start_closing(assembly, model, poses->given);
    const int nq = lb_model_nq(model);
    double *q = allocate_or_exit((size_t)nq, sizeof *q);
    lb_assembly_result result;
    int other;
    memcpy(q, poses->q + (size_t)i * (size_t)nq, (size_t)nq * sizeof *q);
    const bool closed = find_closed(&c, q, true, &result, &other);
    bool found = count == 0;
    for (int k = 0; k < count && !found; k++)
        found = find_other(&c, rows + (size_t)k * (size_t)nq) < 0;
    if (!found)
        complain_other(&c, rows, find_other(&c, rows), before + i + 1);
    memcpy(c.asked, q, (size_t)nq * sizeof *q);
    *taken = -1;
    for (int k = 0; closed && k < count && *taken < 0; k++) {
        *taken = k;
        for (int n = 0; n < nq; n++)
            if (!(distance_to(&c, rows + (size_t)k * (size_t)nq, n) <= same))
                *taken = -1;
    }
    dispose(q);
    end_closing(&c);
    return found;
}
