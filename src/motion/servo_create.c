/*
 * servo_create.c - making a servo: its options, the joints that it moves, its memory.
 */
#include "motion/servo.h"

#include "base/error.h"
#include "base/memory.h"
#include "ik/descent.h"
#include "ik/solver.h"
#include "math/scalar.h"
#include "model/layout.h"
#include "model/view.h"

/* of joints that have no limits, as in timing.h: radians or metres a second, and seconds */
#define SPEED 1
#define TO_SPEED 0.25
/* limits beyond these are mistakes */
#define LEAST 1e-9
#define MOST 1e9
#define PERIOD_LEAST 1e-5
#define PERIOD_MOST 1
#define LANDING_MOST 10
#define LINE_MOST 1000
enum { WINDOW_MOST = 65536 };
/* metres and radians: far below what counts as reached, so that goals of neighbouring frames have
   no noise that the joints would follow */
#define SOLVED 1e-9
/* of one descent; neighbouring frames need two or three */
enum { ITERATIONS = 8 };

lb_servo_options lb_servo_options_default(void)
{
    return (lb_servo_options){.period = 1e-3, .stale = INFINITY, .landing = 0.04};
}

static lb_status check_options(const lb_servo_options *o, lb_error *error)
{
    const struct {
        const char *name;
        double value, least, most;
        bool infinite; /* may be */
    } numbers[] = {{"period", o->period, PERIOD_LEAST, PERIOD_MOST, false},
                   {"stale", o->stale, LEAST, MOST, true},
                   {"landing", o->landing, 0, LANDING_MOST, false},
                   {"line", o->line, 0, LINE_MOST, false}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i].value >= numbers[i].least && numbers[i].value <= numbers[i].most) &&
            !(numbers[i].infinite && numbers[i].value == INFINITY))
            return REFUSE_ARGUMENT(error, "%s is %g but must be a number from %g to %g",
                                   numbers[i].name, numbers[i].value, numbers[i].least,
                                   numbers[i].most);
    if (o->line > 0 && o->line < 1)
        return REFUSE_ARGUMENT(error,
                               "line is %g but must be 0 or at least 1: no line is faster than the "
                               "joints' fastest motion",
                               o->line);
    return LB_OK;
}

/* one number of q; nothing if it does not move by itself */
static lb_status add_axis(lb_servo *s, const model_part *part, lb_error *error)
{
    const lb_joint *joint = lb_model_joint(s->model, part->joint);
    if (joint->locked)
        return LB_OK;
    if (part->kind == MODEL_BALL)
        return REFUSE_UNSUPPORTED(
            error,
            "joint '%s' has a quaternion: a servo moves only joints that turn or "
            "slide; lock it",
            joint->name);
    double speed = isinf(joint->velocity) ? SPEED : joint->velocity;
    s->axes[s->axis_count++] = (servo_axis){.joint = part->joint,
                                            .q = part->q,
                                            .v = part->v,
                                            .lower = part->lower,
                                            .upper = part->upper,
                                            .speed = speed,
                                            .acceleration = INFINITY,
                                            .jerk = INFINITY};
    return LB_OK;
}

static lb_status check_axis(const lb_servo *s, const servo_axis *axis, lb_error *error)
{
    const char *const names[] = {"speed", "acceleration", "jerk"};
    const double values[] = {axis->speed, axis->acceleration, axis->jerk};
    const char *joint = lb_model_joint(s->model, axis->joint)->name;
    for (int i = 0; i < 3; i++)
        if (!(values[i] >= LEAST && (values[i] <= MOST || i == 2)))
            return REFUSE_VALUE(error,
                                "joint '%s': its %s is limited to %g; lock it, or give it a limit "
                                "from %g to %g",
                                joint, names[i], values[i], LEAST, MOST);
    if (2 * axis->acceleration > WINDOW_MOST * axis->jerk * s->options.period)
        return REFUSE_VALUE(error,
                            "joint '%s': with a jerk of %g it takes too long to reach its "
                            "acceleration of %g; raise the jerk or lower the acceleration",
                            joint, axis->jerk, axis->acceleration);
    return LB_OK;
}

/* what moves, its limits, and how many configurations are averaged: the difference of two
   accelerations over `window` frames is at most the jerk */
static lb_status list_axes(lb_servo *s, const lb_joint_setting *settings, int count,
                           lb_error *error)
{
    for (int i = 0; i < s->model->part_count; i++)
        TRY(add_axis(s, &s->model->parts[i], error));
    s->window = 1;
    for (int k = 0; k < s->axis_count; k++) {
        servo_axis *axis = &s->axes[k];
        for (int i = 0; i < count; i++) {
            const lb_joint_setting one = view_setting(s->model, &settings[i]);
            if (one.joint != axis->joint)
                continue;
            axis->acceleration = scalar_min(one.acceleration, axis->acceleration);
            axis->jerk = scalar_min(one.jerk, axis->jerk);
        }
        if (isinf(axis->acceleration))
            axis->acceleration = axis->speed / TO_SPEED;
        TRY(check_axis(s, axis, error));
        double frames = ceil(2 * axis->acceleration / (axis->jerk * s->options.period));
        if (frames > s->window)
            s->window = (int)frames;
    }
    return LB_OK;
}

static lb_status create_solver(lb_servo *s, lb_error *error)
{
    lb_ik_options o = lb_ik_options_default();
    s->position_reached = o.position_tolerance;
    s->rotation_reached = o.rotation_tolerance;
    o.protocol = LB_PROTOCOL_GIVEN;
    o.seeds = 0;
    o.iterations = ITERATIONS;
    o.no_nudge = true;
    o.width = 1;
    o.position_tolerance = o.rotation_tolerance = SOLVED;
    TRY(ik_tree_create(s->model, &s->task, 1, &o, &s->memory, &s->ik, error));
    ik_result_leave_reasons(s->ik);
    return require_memory(error, lb_state_create(s->model, &s->memory, &s->state) == LB_OK);
}

/* every array; false without memory */
static bool take_arrays(lb_servo *s)
{
    const lb_allocator *memory = &s->memory;
    size_t n = (size_t)s->axis_count, nq = (size_t)lb_model_nq(s->model);
    size_t nv = (size_t)lb_model_nv(s->model);
    size_t knots = SERVO_LINE_CELLS + 1;
    servo_line *l = &s->line;
    double *numbers =
        memory_take(memory, 5 * nq + 2 * knots * n + 3 * knots + 13 * n + 12 * nv, sizeof *numbers);
    s->q = numbers;
    s->ring = memory_take(memory, (size_t)s->window * 2 * n, sizeof *s->ring);
    s->motions = memory_take(memory, n, sizeof *s->motions);
    if (!numbers || !s->ring || !s->motions)
        return false;
    double **const arrays[] = {&s->q,          &s->trial,      &s->goal,         &s->next_goal,
                               &s->reached,    &l->x,          &l->squares,      &l->work,
                               &l->first,      &l->bend,       &l->next_bend,    &s->speed,
                               &s->goal_speed, &s->last_speed, &s->aim,          &s->jacobian,
                               &s->sums,       &s->losses,     &l->curve.values, &l->curve.slopes,
                               &s->weights};
    const size_t sizes[] = {nq, nq, nq, nq, nq,      knots, knots, knots + n, n,         n, n,
                            n,  n,  n,  n,  12 * nv, 2 * n, 2 * n, knots * n, knots * n, n};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = numbers;
        numbers += sizes[i];
    }
    l->curve.columns = s->axis_count;
    l->curve.x = l->x;
    return true;
}

static lb_status make(lb_servo *s, lb_error *error)
{
    const lb_joint_setting *settings = s->options.joints;
    int count = s->options.joint_count;
    TRY(view_take(&s->options.joints, &s->options.joint_count, &s->memory, &s->model, &s->view,
                  error));
    TRY(loop_refuse(s->model, LB_WORLD, LB_WORLD, "a servo", error));
    s->axes = memory_take(&s->memory, (size_t)s->model->part_count, sizeof *s->axes);
    TRY(s->axes ? list_axes(s, settings, count, error) : error_out_of_memory(error));
    if (s->has_task)
        TRY(create_solver(s, error));
    TRY(require_memory(error, take_arrays(s)));
    lb_configuration_neutral(s->model, s->q);
    lb_configuration_clamp(s->model, s->q, s->q);
    servo_rest(s);
    return LB_OK;
}

lb_status lb_servo_create(const lb_model *model, const lb_task *task,
                          const lb_servo_options *options, const lb_allocator *allocator,
                          lb_servo **servo, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(servo, error, {model, "model"}));
    const lb_servo_options chosen = options ? *options : lb_servo_options_default();
    TRY(check_options(&chosen, error));
    lb_allocator memory;
    lb_servo *made = memory_pool_object(sizeof *made, allocator, &memory);
    TRY(require_memory(error, made));
    made->memory = memory;
    made->model = model;
    made->options = chosen;
    made->has_task = task != NULL;
    if (task)
        made->task = *task;
    lb_status status = make(made, error);
    if (status == LB_OK)
        *servo = made;
    else
        lb_servo_release(made);
    return status;
}

void lb_servo_release(lb_servo *servo)
{
    memory_pool_release(servo);
}

lb_status lb_servo_reset(lb_servo *servo, const double *q, lb_error *error)
{
    TRY(REQUIRE(error, {servo, "servo"}, {q, "q"}));
    TRY(lb_configuration_validate(servo->model, q, SERVO_ROUNDING, error));
    lb_configuration_clamp(servo->model, q, servo->q);
    servo_rest(servo);
    return LB_OK;
}
