/*
 * animate.c - limber animate: a movement along a path or from key to key.
 */
#include "base/text.h"
#include "cli/options/figure.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/movement.h"

#include <stdlib.h>
#include <string.h>

static text_option keys_file, frames_given, output_given, panels_given;
static const char *const on_jump_names[] = {LB_ON_JUMP_LIST(LIST_TEXT) NULL};
static name_option interpolation_given = {
    .names = (const char *const[]){LB_INTERPOLATION_LIST(LIST_TEXT) NULL}};

enum { USUAL_FRAMES = 21, USUAL_PANELS = 5, MOST_PANELS = 120 };

/* ---- options ------------------------------------------------------------ */

/* along a path, through its points or straight --to a place */
static const struct poptOption follow_options[] = {
    OPTION_TABLE(path_options),
    OPTION_COUNT("steps", lb_follow, steps, 0, LB_FOLLOW_STEPS_MAX, "N",
                 "steps of the method for each frame, in place of a solve"),
    OPTION_FIELD("jump", FIELD_POSITIVE, lb_follow, jump, "RADIANS",
                 "how far a joint may move from frame to frame, with --degrees in degrees, sliding "
                 "joints in metres; default: as far as the motion is continuous"),
    OPTION_CHOICE("on-jump", lb_follow, on_jump, on_jump_names, NULL, "NAME",
                  "at a jump (no continuous motion leads on, or not within --jump): report "
                  "(default) it and go on, or stop"),
    OPTION_FIELD("rate", FIELD_POSITIVE, lb_follow, rate, "N",
                 "frames a second; no joint then moves faster than its speed in the model; "
                 "default: speeds are not limited"),
    OPTION_FIELD("deviation", FIELD_POSITIVE, lb_follow, deviation, "METRES",
                 "with --rate: how far the tip may be off the path before it counts as a jump, a "
                 "radian counting as in --length; default: 0.01"),
    OPTION_TABLE(solver_options),
    OPTION_END,
};

static const struct poptOption key_options[] = {
    OPTION_NAME("interpolation", interpolation_given, "NAME",
                "between keys: cubic (default), linear or step"),
    OPTION_END,
};

static const struct poptOption panel_options[] = {
    OPTION_TEXT("panels", panels_given, "\"I J ...\"",
                "frames in the strip; default: five, evenly spread"),
    OPTION_TABLE(title_options),
    OPTION_TABLE(view_options),
    OPTION_END,
};

/* ---- what is given ------------------------------------------------------ */

/* exactly one way to move is given */
static void check_paths(void)
{
    int given = paths_given() + (keys_file != NULL);
    if (given != 1)
        refuse(given == 0 ? "the destination is missing: --to \"x y z\", --path FILE.csv or --keys "
                            "FILE.csv"
                          : "of --to, --path and --keys only one can be given");
}

/* nothing that would be without effect */
static void check_effects(output_form form)
{
    if (form != FORM_FIGURE)
        option_none_given(panel_options, "unless --output is a strip: .svg, .png or .pdf");
    if (keys_file == NULL) {
        option_none_given(key_options, "without --keys");
    } else {
        option_none_given(follow_options, "with --keys");
        option_none_given(free_options, "with --keys");
    }
    paths_check();
}

/* ---- paths -------------------------------------------------------------- */

/* in the user's unit of angles */
static void read_follow(lb_follow *how)
{
    options_read(follow_options, how);
    if (option_given(follow_options, "jump"))
        angles_remark("--jump", &how->jump, 1);
    how->jump *= angle_unit();
    if (option_given(follow_options, "deviation") && how->rate == 0)
        refuse("--deviation has no effect without --rate");
}

static movement follow(const lb_model *model, int frames)
{
    lb_task task;
    lb_ik_options options = solver_given(model);
    path_choice chosen = path_given(model, false, &task);
    lb_follow how = lb_follow_default(task, chosen.path, frames);
    how.options = options;
    how.any_start = chosen.any_start;
    read_follow(&how);
    return movement_follow(model, &how, chosen.start.q);
}

/* ---- keys --------------------------------------------------------------- */

/* a joint without limits turns by half a turn at most from key to key */
static void remark_turns(const lb_model *model, const pose_list *keys)
{
    const size_t nq = (size_t)lb_model_nq(model);
    for (int i = 1; i < keys->count; i++)
        for (int j = 0; j < lb_model_joint_count(model); j++) {
            const int at = lb_model_joint_q(model, j);
            if (at < 0 || !keys->given[at] || lb_model_joint(model, j)->kind != LB_JOINT_CONTINUOUS)
                continue;
            const double *q = keys->q + (size_t)i * nq + at, turn = *q - q[-(ptrdiff_t)nq];
            if (fabs(turn) <= LB_PI)
                continue;
            remark(
                "'%s' has no limits and turns the shorter way: from key %d to %d by %.4g radians "
                "in place of %.4g; give keys in between",
                lb_model_joint(model, j)->name, i, i + 1, lb_wrap_angle(turn), turn);
            return;
        }
}

static movement play(const lb_model *model, int frames)
{
    lb_clip *clip = NULL;
    lb_task task = tool_task(model, LB_TASK_POSITION);
    int how = argument_name("--interpolation", &interpolation_given, LB_INTERPOLATION_CUBIC);
    pose_list keys = poses_from_file(model, option_text(keys_file));
    remark_turns(model, &keys);
    // closed on the branch of the default values, on which the frames are
    if (!loops_close_all(model, &keys, false))
        give_up();
    // keys without times are a unit apart
    double *times = allocate_or_exit((size_t)keys.count, sizeof *times);
    for (int i = 0; i < keys.count; i++)
        times[i] = keys.times != NULL ? keys.times[i] : i;
    require_for(option_text(keys_file),
                lb_clip_create(model, times, keys.q, keys.count, (lb_interpolation)how,
                               &program_memory, &clip, why()));
    return movement_play(model, &task, clip, frames);
}

/* ---- what is returned --------------------------------------------------- */

/* What a strip shows. */
typedef struct strip_plan {
    lb_drawing drawing;
    int shown[MOST_PANELS], count;
} strip_plan;

/* the frames that get a panel, evenly spread unless they are named; returns how many */
static int choose_panels(int frames, int shown[MOST_PANELS])
{
    const char *text = option_text(panels_given);
    double numbers[MOST_PANELS];
    int count = frames < USUAL_PANELS ? frames : USUAL_PANELS;
    for (int i = 0; i < count; i++)
        shown[i] = count > 1 ? (int)((double)i * (frames - 1) / (count - 1) + 0.5) : 0;
    if (text == NULL)
        return count;
    count = argument_list("--panels", text, MOST_PANELS, numbers);
    if (count == 0 || count > MOST_PANELS)
        refuse("--panels: 1 to %d frames are wanted", MOST_PANELS);
    for (int i = 0; i < count; i++) {
        if (!(numbers[i] >= 0 && numbers[i] < frames && numbers[i] == floor(numbers[i])))
            refuse("--panels: %g is no frame; there are 0 to %d", numbers[i], frames - 1);
        shown[i] = (int)numbers[i];
    }
    return count;
}

static void write_strip(const movement *m, const strip_plan *plan, const char *path)
{
    film_strip strip = movement_strip(m, plan->shown, plan->count);
    film all = {.model = m->model,
                .strips = &strip,
                .strip_count = 1,
                .title = plan->drawing.title,
                .azimuth = plan->drawing.azimuth,
                .elevation = plan->drawing.elevation};
    require(film_draw(&all, path, why()));
}

static void write_csv(const void *m, FILE *stream)
{
    movement_write_csv(m, 1, stream);
}

static void write_json(const void *m, FILE *stream)
{
    movement_write_json(m, stream);
}

/* the frames whose joints are too slow, and how far the tip is off the path in these */
static int remark_slow(const movement *m)
{
    int slow = 0;
    double place = 0, turn = 0;
    for (int i = 0; m->frames != NULL && i < m->count; i++) {
        if (m->frames[i].limited < 0)
            continue;
        slow++;
        place = fmax(place, m->frames[i].result.position_error);
        turn = fmax(turn, m->frames[i].result.rotation_error);
    }
    if (slow > 0)
        remark("joint speeds keep the tip off the path in %d of %d frames, by %.3g m and %.3g %s "
               "at most",
               slow, m->count, place, turn / angle_unit(), angle_unit_name());
    return slow;
}

static void remark_missed(const movement *m)
{
    int missed = movement_missed(m), first = 0;
    if (missed == remark_slow(m))
        return;
    while (m->frames[first].result.outcome == LB_REACHED)
        first++;
    remark("%d of %d frames are not reached, the first is frame %d, off by %.3g m", missed,
           m->count, first, m->frames[first].result.position_error);
}

/* jumps that are said one by one */
enum { JUMPS_SAID = 8 };

/* where the motion jumps, and why, and whether one with fewer jumps is known */
static void remark_each_jump(const movement *m, int jumps)
{
    char why[MOVEMENT_END_SIZE], place[80];
    // with speeds, what jumps is the tool's way off the path and back
    const char *jumps_in = m->rate > 0 ? "leaves the path in" : "jumps in";
    int said = 0;
    for (int i = 0; i < m->count && said < JUMPS_SAID; i++) {
        const lb_frame *f = &m->frames[i];
        if (!f->jumped)
            continue;
        if (m->rate > 0)
            snprintf(place, sizeof place, "frame %d, at %.4g s", i, i / m->rate);
        else
            snprintf(place, sizeof place, "frame %d by %.3g %s", i, f->step / angle_unit(),
                     angle_unit_name());
        movement_end(m, i, why);
        if (said++ == 0)
            remark("the arm %s %d of %d frames, first in %s: %s", jumps_in, jumps, m->count, place,
                   why);
        else
            remark("it %s %s: %s", jumps_in, place, why);
    }
    if (said < jumps)
        remark("it %s %d frames more", jumps_in, jumps - said);
    if (m->planned == jumps)
        remark("no motion with fewer jumps was found");
}

/* the first frame where the motion ended, and what became of it; false: it stopped there */
static bool remark_jumps(const movement *m, int frames)
{
    char why[MOVEMENT_END_SIZE];
    int jumps = movement_jumps(m), first = 0;
    while (first < m->count && (m->frames == NULL || m->frames[first].ended == LB_END_NONE))
        first++;
    if (first == m->count)
        return true;
    movement_end(m, first, why);
    if (m->count < frames)
        remark("stopped in frame %d of %d: %s", first, frames, why);
    else if (!m->frames[first].jumped)
        remark("no continuous motion leads to frame %d: %s", first, why);
    if (m->count == frames && jumps > 0)
        remark_each_jump(m, jumps);
    return m->count == frames;
}

/* ---- the command -------------------------------------------------------- */

static int run(const char *const *operands)
{
    const char *output = option_text(output_given) == NULL ? "-" : option_text(output_given);
    output_form form = argument_output(output, ".json");
    strip_plan plan = {.count = 0};
    check_paths();
    check_effects(form);
    const lb_model *model = select_model(operands[0]);
    int frames = argument_count("--frames", option_text(frames_given), 1, LB_FOLLOW_FRAMES_MAX,
                                USUAL_FRAMES);
    if (form == FORM_FIGURE) {
        plan.drawing = figure_given(output);
        plan.count = choose_panels(frames, plan.shown);
    }
    movement m = (keys_file != NULL ? play : follow)(model, frames);
    if (form == FORM_FIGURE)
        write_strip(&m, &plan, output);
    else
        destination_save(output, form == FORM_OTHER ? write_json : write_csv, &m);
    select_remark();
    if (!option_given(follow_options, "steps") && remark_jumps(&m, frames))
        remark_missed(&m);
    if (strcmp(output, "-") != 0 && console_is_terminal(stdout))
        movement_write_words(&m, stdout);
    return movement_missed(&m) > 0 ? EXIT_UNREACHED : EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(path_goal_options),
    OPTION_TABLE(follow_options),
    OPTION_TEXT(
        "keys", keys_file, "K.csv",
        "key poses to move through, rows as limber fk takes them; a column time has their times"),
    OPTION_TABLE(key_options),
    OPTION_TEXT("frames", frames_given, "N", "how many; default: 21"),
    OPTION_TEXT("output", output_given, "FILE",
                "rows (.csv, .json) or a strip of panels (.svg, .png, .pdf); default: rows on "
                "standard output"),
    OPTION_TABLE(panel_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"planar3 goes straight to a goal, as five panels",
     "limber animate planar3 --to \"-20 5 0\" --frames 21 --output strip.svg"},
    {"the Panda's hand along a smooth path through three places",
     "printf 'x,y,z\\n0.5,-0.2,0.4\\n0.55,0,0.6\\n0.5,0.2,0.4\\n' > path.csv &&\n"
     "        limber animate panda --tip panda_hand --path path.csv --shape spline \\\n"
     "        --frames 60 --output motion.csv"},
    {"key poses with their times, filled in smoothly",
     "printf 'time,shoulder,elbow\\n0,0,0\\n1,0.8,1.2\\n3,-0.4,0.5\\n' > keys.csv &&\n"
     "        limber animate planar2 --keys keys.csv --frames 31 --output keys.json"},
    {NULL, NULL},
};

const command command_animate = {
    COMMAND(animate),
    .synopsis = "MODEL (--to \"X Y Z\" | --path P.csv | --keys K.csv)\n"
                "[--output FILE.(csv|json|svg|png|pdf)] [OPTION ...]",
    .summary = "move a model along a path or from key pose to key pose",
    .details = "Along a path each frame is solved from the one before. Each row has the status,\n"
               "iterations, errors, the condition number of the tip's Jacobian (in the\n"
               "directions in which the model can move at all), the most that a joint moved\n"
               "(as errors in radians or metres, even with --degrees), the place and the goal of\n"
               "the tool in the frame of --base, in which the path is, too, and every joint.\n"
               "limber draw takes the rows as --poses.\n\n"
               "The motion is continuous. An arm whose solutions are all known stays on its\n"
               "branch and jumps only at the branch's end. The column `ended` of that frame then\n"
               "has the reason: limit, singularity, step (farther than --jump), speed, or\n"
               "reach (nothing was found farther on). It\n"
               "goes on with the solution that can be followed farthest. If a redundant arm\n"
               "jumps, it is planned over the whole path with the fewest jumps that a search\n"
               "finds. Each jump is named with its frame and its reason. With --rate no joint\n"
               "is faster than its speed in the model: if one is too slow, the tip leaves the\n"
               "path by as little as possible and comes back, and the frames' errors say how\n"
               "far off it is.\n\n"
               "With --steps 1 each frame is one step of the method towards that frame's goal,\n"
               "as textbooks integrate joint velocities. Frames need not be reached then, and\n"
               "jumps are not looked for.\n\n"
               "The exit status is 0 if all frames are reached, 1 if some are not, 2 for bad\n"
               "input.",
    .choices = &method_choices,
    .operands = 1,
};
