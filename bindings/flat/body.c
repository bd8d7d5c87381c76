/* body.c - whole bodies: many tasks on one tree. */
#include "binding.h"

#include <stdlib.h>

/* NULL beyond the last */
const char *EXPORT(body_kind_text)(int kind)
{
    return kind < LB_BODY_KIND_COUNT ? lb_body_kind_text((lb_body_kind)kind) : NULL;
}

/* NULL beyond the last */
const char *EXPORT(body_reason_text)(int reason)
{
    return reason < LB_BODY_REASON_COUNT ? lb_body_reason_text((lb_body_reason)reason) : NULL;
}

static lb_vec3 vector_from(const double *n)
{
    return lb_vec3_make(n[0], n[1], n[2]);
}

/* in the order that binding.h says */
static lb_body_task read_task(const double *n)
{
    lb_body_task task = lb_body_task_make((lb_body_kind)n[0], (int)n[1]);
    task.base = (int)n[2];
    task.tool = transform_from(n + 3);
    task.axis = vector_from(n + 15);
    task.first = (int)n[18];
    task.last = (int)n[19];
    task.joint = (int)n[20];
    task.level = (int)n[21];
    task.weight = n[22];
    task.box = vector_from(n + 23);
    task.cone = n[26];
    task.vertex_count = (int)n[27];
    task.vertices = (const double(*)[2])(n + 28);
    return task;
}

/* options: position tolerance, rotation tolerance, iterations, length, posture, restarts */
static lb_body_options read_options(const double *n)
{
    lb_body_options o = lb_body_options_default();
    o.position_tolerance = n[0];
    o.rotation_tolerance = n[1];
    o.iterations = (int)n[2];
    o.length = n[3];
    o.posture = n[4];
    o.restarts = (int)n[5];
    return o;
}

lb_body *EXPORT(body_create)(const lb_model *model, const double *numbers, int n,
                             const double *option_numbers)
{
    lb_body *body = NULL;
    lb_body_options options = read_options(option_numbers);
    lb_body_task *tasks = calloc((size_t)n + 1, sizeof *tasks);
    if (tasks) {
        for (int i = 0; i < n; i++)
            tasks[i] = read_task(numbers + (size_t)BODY_TASK_NUMBERS * (size_t)i);
        lb_body_create(model, tasks, n, &options, NULL, &body, &binding_error);
    } else {
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    }
    free(tasks);
    return body;
}

void EXPORT(body_release)(lb_body *body)
{
    lb_body_release(body);
}

/* a target of 12 numbers; of a joint task its values. A status */
int EXPORT(body_set_target)(lb_body *body, int task, const double *numbers)
{
    lb_transform target = transform_from(numbers);
    return (int)lb_body_set_target(body, task, &target);
}

int EXPORT(body_set_value)(lb_body *body, int task, const double *value)
{
    return (int)lb_body_set_value(body, task, value);
}

int EXPORT(body_set_weight)(lb_body *body, int task, double weight)
{
    return (int)lb_body_set_weight(body, task, weight);
}

int EXPORT(body_set_limits)(lb_body *body, int joint, int value, double lower, double upper)
{
    return (int)lb_body_set_limits(body, joint, value, lower, upper);
}

int EXPORT(body_hold)(lb_body *body, int task, const double *q)
{
    return (int)lb_body_hold(body, task, q);
}

/* outcome, iterations, tasks reached; then of each of n tasks: reached, position and rotation error
 */
void EXPORT(body_solve)(lb_body *body, int n, const double *start, double *q, double *result)
{
    lb_body_result r;
    lb_body_solve(body, start, q, &r);
    const lb_body_outcome *outcomes = lb_body_outcomes(body);
    result[0] = r.outcome;
    result[1] = r.iterations;
    result[2] = r.reached;
    for (int i = 0; i < n; i++) {
        result[3 + 3 * i] = outcomes[i].reached;
        result[4 + 3 * i] = outcomes[i].position_error;
        result[5 + 3 * i] = outcomes[i].rotation_error;
    }
}

/* why a task of the last solve is as it is: the reason, and its text */
int EXPORT(body_explain)(lb_body *body, int task, char *text, int size)
{
    return (int)lb_body_explain(body, task, text, (size_t)size);
}
