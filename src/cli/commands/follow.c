/*
 * follow.c - limber follow: the fastest motion along a path within limits.
 */
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/movement.h"

#include <limber/timing.h>

#include <math.h>
#include <stdlib.h>

static int free_rotation_wanted;

static const struct poptOption timing_options[] = {
    OPTION_FIELD("speed", FIELD_POSITIVE, lb_timing, speed, "M/S",
                 "largest speed of the tip's origin; default: no limit"),
    OPTION_FIELD("acceleration", FIELD_POSITIVE, lb_timing, acceleration, "M/S^2",
                 "largest acceleration of the tip's origin; default: no limit"),
    OPTION_FIELD("jerk", FIELD_POSITIVE, lb_timing, jerk, "M/S^3",
                 "largest jerk of the tip's origin; default: no limit"),
    OPTION_FIELD("angular-speed", FIELD_POSITIVE, lb_timing, angular_speed, "RAD/S",
                 "largest speed of the tip about any axis, with --degrees in degrees a second; "
                 "default: no limit"),
    OPTION_FIELD("rate", FIELD_POSITIVE, lb_timing, rate, "N", "samples a second; default: 1000"),
    OPTION_END,
};

/* What is printed. */
typedef struct timed_path {
    const lb_model *model;
    const lb_clip *clip; /* NULL: the path could not be followed */
    const lb_timing *how;
    lb_timing_result result;
    double length;
} timed_path;

/* ---- writing ---------------------------------------------------------------- */

static void name_sample(const void *results, int i, row *to)
{
    const lb_clip *clip = ((const timed_path *)results)->clip;
    column_number(to, "time", lb_clip_times(clip)[i]);
    column_joints(to, lb_clip_model(clip), lb_clip_key(clip, i));
}

static json_t *json_members(void *results)
{
    const timed_path *t = results;
    const lb_timing_result *r = &t->result;
    return json_pack("{s:s, s:s, s:f, s:f, s:i, s:i, s:f, s:f, s:{s:f, s:f, s:f}}", "model",
                     lb_model_name(t->model), "outcome", lb_outcome_text(r->outcome), "length",
                     t->length, "duration", r->duration, "samples", r->samples, "stops", r->stops,
                     "position_error", r->position_error, "rotation_error", r->rotation_error,
                     "shares_of_limits", "speed", r->velocity, "acceleration", r->acceleration,
                     "jerk", r->jerk);
}

static void write_words(void *results, FILE *stream)
{
    const timed_path *t = results;
    const lb_timing_result *r = &t->result;
    fprintf(stream, "%s: %.4g m in %.3f s, %d samples, %d stop%s on the way\n",
            lb_model_name(t->model), t->length, r->duration, r->samples, r->stops,
            r->stops == 1 ? "" : "s");
    fprintf(stream, "  of their limits speeds use %.1f %%, accelerations %.1f %%, jerks %.1f %%\n",
            100 * r->velocity, 100 * r->acceleration, 100 * r->jerk);
    fprintf(stream, "  off the path by at most %.1e m and %.1e rad\n", r->position_error,
            r->rotation_error);
}

static const destination_forms forms = {
    .rows = &(result_table)ROWS_OF(timed_path, result.samples, name_sample),
    .members = json_members,
    .words = write_words};

/* ---- the command ------------------------------------------------------------ */

enum { EXPLANATION_SIZE = 400 };

/* of the path's end, where it is proved to be out of reach, why; else "" */
static void explain_end(const timed_path *t, char text[EXPLANATION_SIZE])
{
    const lb_follow *follow = &t->how->follow;
    const lb_transform target = lb_path_at(follow->path, 1);
    lb_ik_options options = follow->options;
    options.protocol = LB_PROTOCOL_ANY;
    double *q = allocate_or_exit((size_t)lb_model_nq(t->model), sizeof(double));
    lb_ik *ik = NULL;
    lb_ik_result result;
    lb_configuration_neutral(t->model, q);
    *text = '\0';
    if (lb_ik_create(t->model, &follow->task, 1, &options, &program_memory, &ik, NULL) == LB_OK &&
        lb_ik_solve(ik, &target, q, q, &result) == LB_UNREACHABLE)
        lb_ik_explain(ik, &target, q, &result, text, EXPLANATION_SIZE);
}

/* why there is no motion: the path is not followed to its end, or what follows it is not near
   enough to it, or too fast */
static void remark_end(const timed_path *t)
{
    char why[EXPLANATION_SIZE];
    const lb_timing_result *r = &t->result;
    lb_frame frame = r->frame;
    movement one = {.model = t->model, .frames = &frame, .count = 1};
    const bool ends = frame.result.outcome != LB_REACHED || (frame.index > 0 && frame.jumped);
    explain_end(t, why);
    const char *before = why[0] != '\0' ? "; its end: " : ": ";
    if (why[0] == '\0')
        movement_end(&one, 0, why);
    if (ends)
        remark("the path can be followed to %.1f %% of its time%s%s", floor(1000 * r->share) / 10,
               why[0] != '\0' ? before : "", why);
    else if (r->outcome == LB_STALLED)
        remark("no smooth motion of the joints was found that keeps to the path: the best one is "
               "off by %.1e m and %.1e rad",
               r->position_error, r->rotation_error);
    else
        remark("no motion along the path was found that keeps its limits: of these the last one "
               "that was tried uses speeds %.4g %%, accelerations %.4g %%, jerks %.4g %%",
               100 * r->velocity, 100 * r->acceleration, 100 * r->jerk);
}

static int time_path(const lb_model *model, const lb_timing *how, const double *start)
{
    lb_clip *clip = NULL;
    timed_path t = {.model = model, .how = how, .length = lb_path_length(how->follow.path)};
    require(lb_timing_make(model, how, start, &program_memory, &clip, &t.result, why()));
    t.clip = clip;
    if (clip == NULL) {
        remark_end(&t);
        return EXIT_UNREACHED;
    }
    destination_write(&forms, &t, t.result.samples);
    select_remark();
    return EXIT_DONE;
}

static int run(const char *const *operands)
{
    lb_task task;
    destination_check();
    paths_check();
    if (free_rotation_wanted)
        paths_check_free_rotation();
    if (paths_given() != 1)
        refuse(paths_given() == 0 ? "the path is missing: --to \"x y z\" or --path FILE.csv"
                                  : "of --to and --path only one can be given");
    const lb_model *model = select_model(operands[0]);
    path_choice chosen = path_given(model, !free_rotation_wanted, &task);
    lb_timing how = lb_timing_default(task, chosen.path);
    how.follow.any_start = chosen.any_start;
    how.follow.options.joints = joints_settings(model, &how.follow.options.joint_count);
    options_read(timing_options, &how);
    how.angular_speed *= angle_unit();
    return time_path(model, &how, chosen.start.q);
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(path_goal_options),
    OPTION_FLAG("free-rotation", free_rotation_wanted,
                "with --to without a rotation: let the tip turn on the way"),
    OPTION_TABLE(path_options),
    OPTION_TABLE(timing_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"the UR5's tool in a straight line, at a quarter of a metre a second at most",
     "limber follow ur5 --to \"0.5 -0.2 0.3\" --speed 0.25 \\\n"
     "        --start \"shoulder_lift_joint=-1.4 elbow_joint=1.6 wrist_2_joint=1.2\" --report"},
    {"the Panda's hand through three places, with limits of a file",
     "printf 'x,y,z\\n0.5,-0.2,0.4\\n0.55,0,0.6\\n0.5,0.2,0.4\\n' > path.csv &&\n"
     "    printf '{\"joint_limits\": {\"panda_joint1\": {\"max_jerk\": 50}}}' > j.json &&\n"
     "        limber follow panda --tip panda_hand --path path.csv --shape spline \\\n"
     "        --limits j.json --output motion.csv --json"},
    {NULL, NULL},
};

const command command_follow = {
    COMMAND(follow),
    .synopsis = "MODEL (--to \"X Y Z\" | --path P.csv) [OPTION ...]",
    .summary = "find the fastest motion along a path within limits of joints and tip",
    .details = "Prints a row for each sample under the header time and every joint that moves by\n"
               "itself. The motion begins and ends at rest, stops at corners of a polyline, and\n"
               "never jumps. As differences of samples, speed, acceleration and jerk of every\n"
               "joint and of the tip are within their limits, and the tip is on the path to a\n"
               "micrometre. It is as short as it can be to a percent, or to a few percent where\n"
               "joints suddenly turn far, beside a singular configuration.\n\n"
               "--to without a rotation keeps that of the start, as far as the arm has joints\n"
               "for it; --free-rotation lets the tip turn.\n\n"
               "A joint's speed is that of the model or of --limits, else 1 radian or metre a\n"
               "second; its acceleration that of --limits, else the one that brings it to its\n"
               "speed in 0.25 s; its jerk that of --limits, else the one that brings it to its\n"
               "acceleration in 0.1 s. Joints of a linkage that follow from its loops have only\n"
               "limits that are given. Limits of effort are not used: they bound torques, and\n"
               "torques need dynamics, which limber does not compute. --angular-speed bounds the\n"
               "turn of a wrist whose origin hardly moves. limber draw takes the rows as --poses\n"
               "and limber animate as --keys.\n\n"
               "The exit status is 0 if all of the path is followed, 1 if no motion along\n"
               "it was found (nothing is written then), 2 for bad input.",
    .operands = 1,
};
