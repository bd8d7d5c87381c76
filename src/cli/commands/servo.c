/*
 * servo.c - limber servo: targets at their times, joint values at a fixed rate.
 */
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <limber/servo.h>

#include <stdlib.h>
#include <string.h>

/* rows that are written at once, and targets that are read */
enum { BLOCK = 512 };
/* a target that takes longer is given up, seconds */
#define PATIENCE 60
/* frames a second */
#define SLOWEST 1.0
#define FASTEST 1e5

/* The servo's options as they are given. */
typedef struct servo_choice {
    double rate;
    lb_servo_options options;
} servo_choice;

static text_option start_given;

static const struct poptOption servo_options[] = {
    OPTION_FIELD("rate", FIELD_POSITIVE, servo_choice, rate, "N", "frames a second; default: 1000"),
    OPTION_FIELD("stale", FIELD_POSITIVE, servo_choice, options.stale, "S",
                 "stop when no target came for so many seconds; default: never"),
    OPTION_FIELD("landing", FIELD_NUMBER, servo_choice, options.landing, "S",
                 "the least seconds in which a target that moves is met, which filters its noise; "
                 "default: 0.04"),
    OPTION_FIELD("line", FIELD_NUMBER, servo_choice, options.line, "TIMES",
                 "move the tip on straight lines to targets at rest, from where the joints come to "
                 "rest, that take up to so many times the joints' fastest motion, at least 1, as "
                 "1.5; --report and --json say towards how many targets; default: no lines"),
    OPTION_END,
};

/* Frames to be written, and what is said of all. */
typedef struct servo_run {
    const lb_model *model;
    lb_servo *servo;
    double rate;
    lb_task task;
    long frames, targets, missed, lines; /* in all */
    bool lined;                          /* the tool came straight towards the last target */
    bool found;                          /* it has a configuration, as the servo last looked */
    lb_servo_frame last;
    lb_transform target;       /* the last one */
    double position, rotation; /* how far the tool is from it at the end */
    destination to;
    int count;         /* of the block */
    double *q;         /* BLOCK configurations */
    const double *end; /* the last of them, NULL: none */
} servo_run;

/* ---- writing ---------------------------------------------------------------- */

static void name_frame(const void *results, int i, row *to)
{
    const servo_run *r = results;
    column_number(to, "time", (double)(r->frames - r->count + i + 1) / r->rate);
    column_joints(to, r->model, r->q + (size_t)i * (size_t)lb_model_nq(r->model));
}

static json_t *json_members(void *results)
{
    const servo_run *r = results;
    // the goal's, and that of the tool only where it has come there
    bool short_of = r->last.goal.outcome == LB_REACHED && r->last.state != LB_SERVO_ARRIVED;
    return json_pack("{s:s, s:s, s:s, s:f, s:I, s:I, s:I, s:I, s:f, s:f}", "model",
                     lb_model_name(r->model), "state", lb_servo_state_text(r->last.state),
                     "outcome", lb_outcome_text(short_of ? LB_STALLED : r->last.goal.outcome),
                     "duration", (double)r->frames / r->rate, "frames", (json_int_t)r->frames,
                     "targets", (json_int_t)r->targets, "missed", (json_int_t)r->missed, "lines",
                     (json_int_t)r->lines, "position_error", r->position, "rotation_error",
                     r->rotation);
}

static void write_words(void *results, FILE *stream)
{
    const servo_run *r = results;
    fprintf(stream, "%s: %ld target%s in %.3f s, %ld frames; no configuration found for %ld\n",
            lb_model_name(r->model), r->targets, r->targets == 1 ? "" : "s",
            (double)r->frames / r->rate, r->frames, r->missed);
    if (option_given(servo_options, "line"))
        fprintf(stream, "  on a straight line towards %ld of them\n", r->lines);
    fprintf(stream, "  at the end %s, off the target by %.1e m and %.1e rad\n",
            lb_servo_state_text(r->last.state), r->position, r->rotation);
}

static const destination_forms forms = {.rows =
                                            &(result_table)ROWS_OF(servo_run, count, name_frame),
                                        .members = json_members,
                                        .words = write_words};

/* ---- frames ----------------------------------------------------------------- */

static void write_block(servo_run *r)
{
    if (r->count > 0)
        destination_add(&r->to, r);
    r->count = 0;
}

static void step(servo_run *r)
{
    size_t nq = (size_t)lb_model_nq(r->model);
    double *q = r->q + nq * (size_t)r->count++;
    lb_servo_step(r->servo, q, NULL, NULL, &r->last);
    r->end = q;
    r->frames++;
    r->lined = r->lined || r->last.state == LB_SERVO_LINE;
    // a target that is stale is not looked at any more
    if (r->last.state != LB_SERVO_STALE)
        r->found = r->last.goal.outcome == LB_REACHED;
    if (r->count == BLOCK)
        write_block(r);
}

/* frames with the target before this one, until it is this one's time */
static void wait_for(servo_run *r, target_source *source, int index)
{
    double time = 0;
    bool timed = targets_time(source, index, &time);
    while (timed && (double)r->frames / r->rate < time - 0.5 / r->rate)
        step(r);
}

/* counts a target of which no configuration was found, once it is replaced or the last frame is
   over: a descent may take several frames */
static void judge(servo_run *r)
{
    r->missed += r->targets > 0 && !r->found;
    r->lines += r->lined;
    r->lined = false;
}

/* what is between the tool and the last target at the end */
static void measure(servo_run *r)
{
    lb_state *state = state_or_exit(r->model);
    lb_state_update(state, r->end);
    lb_task_error(state, &r->task, &r->target, &r->position, &r->rotation);
}

/* all targets, a frame each, or at their times; then on until the last is reached, or given up for
   stale and the joints rest */
static void follow(servo_run *r, target_source *source)
{
    // rows that are still being written act at once
    const bool streamed = source->table.text.by_line;
    target_list block = {0};
    for (int count; (count = targets_next(source, streamed ? 1 : BLOCK, &block)) > 0;) {
        for (int i = 0; i < count; i++) {
            wait_for(r, source, i);
            judge(r);
            r->target = block.targets[i];
            lb_servo_aim(r->servo, &r->target, NULL);
            step(r);
            r->targets++;
        }
        if (streamed)
            write_block(r);
    }
    for (long i = 0; i < PATIENCE * r->rate; i++) {
        if (r->last.state == LB_SERVO_ARRIVED || r->last.state == LB_SERVO_UNREACHED ||
            (r->last.state == LB_SERVO_STALE && r->last.resting))
            break;
        step(r);
    }
    judge(r);
    if (r->end != NULL)
        measure(r);
    write_block(r);
}

/* ---- the command ------------------------------------------------------------ */

/* at rest at the start, with the rate that is given */
static void create(servo_run *r, lb_task_kind kind)
{
    servo_choice chosen = {.rate = 1000, .options = lb_servo_options_default()};
    chosen.options.joints = joints_settings(r->model, &chosen.options.joint_count);
    r->task = tool_task(r->model, kind);
    options_read(servo_options, &chosen);
    if (!(chosen.rate >= SLOWEST && chosen.rate <= FASTEST))
        refuse("--rate is %g but must be a number from %g to %g", chosen.rate, SLOWEST, FASTEST);
    pose_list start = poses_from_text(r->model, "--start", option_text(start_given));
    chosen.options.period = 1 / chosen.rate;
    r->rate = chosen.rate;
    require(
        lb_servo_create(r->model, &r->task, &chosen.options, &program_memory, &r->servo, why()));
    require(lb_servo_reset(r->servo, start.q, why()));
    r->q = allocate_or_exit((size_t)BLOCK * (size_t)lb_model_nq(r->model), sizeof *r->q);
}

static int run(const char *const *operands)
{
    target_source source;
    destination_check();
    targets_open_timed(&source);
    servo_run r = {.model = select_model(operands[0])};
    create(&r, source.kind);
    destination_open(&r.to, &forms, false);
    follow(&r, &source);
    destination_close(&r.to, &r);
    select_remark();
    return r.missed == 0 && r.last.state == LB_SERVO_ARRIVED ? EXIT_DONE : EXIT_UNREACHED;
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(target_options),
    OPTION_TABLE(tool_options),
    OPTION_TEXT("start", start_given, "\"JOINT=VALUE ...\"",
                "where the joints rest at first; what is not named is at its default"),
    OPTION_TABLE(servo_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"a UR5 moves to a place and stops there, within speed and acceleration",
     "limber servo ur5 --position \"0.4 -0.2 0.4\" --start \"shoulder_lift_joint=-1.4 \\\n"
     "        elbow_joint=1.6 wrist_2_joint=1.2\" --output motion.csv"},
    {"two targets, half a second apart, on straight lines where the arm rests",
     "printf 'time,x,y,z\\n0,0.5,-0.2,0.4\\n0.5,0.5,0.2,0.5\\n' |\n"
     "    limber servo panda --tip panda_hand --line 1.5 --start \"panda_joint4=-2 \\\n"
     "        panda_joint6=1.6\" --json"},
    {NULL, NULL},
};

const command command_servo = {
    COMMAND(servo),
    .synopsis = "MODEL [--targets T.csv | --position \"X Y Z\" [--rpy \"R P Y\"]]\n[OPTION ...]",
    .summary = "follow targets that move, frame by frame within limits of joints",
    .details = "Reads targets, by default from standard input, and prints a row for each frame\n"
               "under the header time and every joint that moves by itself. A target counts\n"
               "for one frame, or, if the targets have a column time, from its time in seconds\n"
               "on, at most an hour after the one before. After the last one frames go on until\n"
               "the joints rest at it. From a pipe or a terminal each target acts at once: the\n"
               "rows up to its own are written before the next one is read.\n\n"
               "Every frame keeps the limits of position, speed, acceleration and jerk of all\n"
               "joints. Targets that come frame by frame are followed; a target at rest is\n"
               "reached in the shortest time that speed and acceleration allow the slowest\n"
               "joint; a limit of jerk adds twice the time in which it reaches the acceleration.\n"
               "From rest no joint goes beyond the goal of a frame, which may take several\n"
               "frames of search to settle; where joints go far for it, beside a singular\n"
               "configuration, the tool itself may swing out. The arm stays on its branch. A\n"
               "target that is out of reach or on another branch is approached as closely as a\n"
               "descent finds.\n\n"
               "A joint's speed is that of the model or of --limits, else 1 radian or metre a\n"
               "second; its acceleration that of --limits, else the one that brings it to its\n"
               "speed in 0.25 s; its jerk that of --limits, else any. limber draw takes the\n"
               "rows as --poses and limber animate as --keys.\n\n"
               "The exit status is 0 if a configuration was found for every target, whether or\n"
               "not there was time to move there, and the joints rest at that of the last one;\n"
               "1 if not; 2 for bad input.",
    .operands = 1,
};
