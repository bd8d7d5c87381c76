/*
 * captures.c - files of motion.
 *
 * Which they are, and what is in them, lb_motion_open knows.
 */
#include "cli/options/models.h"

#include "cli/options/targets.h"
#include "cli/report/report.h"

#include <limber/formats/load.h>
#include <limber/gait.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static text_option unit_given, clip_given, rest_given, body_given, source_rate_given;
static name_option up_given = {.names = (const char *const[]){"x", "y", "z", NULL}};

const struct poptOption capture_options[] = {
    OPTION_TEXT("unit", unit_given, "UNIT",
                "one unit of length of a file of motion: m, cm, mm, inch, cmu or a number of "
                "metres; default: by the size of the figure (BVH), the metre (glTF)"),
    OPTION_NAME(
        "up", up_given, "AXIS",
        "the axis of such a file that is up: x, y or z; default: by the ground under the figure "
        "(BVH), by the pelvis (SMPL), y (glTF)"),
    OPTION_TEXT("rest-frame", rest_given, "FRAME",
                "of a BVH file: the number of a frame, from 0, that is a rest pose before the "
                "motion; yes: 0, no: none; default: frame 0, with those that a "
                "filter spread it over, if it differs much from what follows"),
    OPTION_TEXT("body", body_given, "FILE",
                "of poses of SMPL: a .npy or .npz with the places J of the body's joints, or a "
                "body model as .npz; default: the proportions of an average person"),
    OPTION_TEXT("clip", clip_given, "NAME",
                "the animation of a glTF, by its name or its number from 0; default: the first"),
    OPTION_END,
};

const struct poptOption motion_options[] = {
    OPTION_TEXT("source-fps", source_rate_given, "N",
                "frames a second of a table that is read and has no times; default: 30 of lafan1 "
                "and of poses, 120 of bones"),
    OPTION_TABLE(source_angle_options),
    OPTION_END,
};

/* whether a text begins with a number */
static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text;
}

/* what --unit and --up say */
static void frame_given(double *metres, lb_bvh_up *axis)
{
    const char *unit = option_text(unit_given);
    if (unit != NULL)
        *metres = lb_bvh_unit(unit);
    if (unit != NULL && *metres == 0 && !is_number(unit))
        refuse("--unit: no unit '%s'; m, cm, mm, inch, cmu or a number of metres", unit);
    if (unit != NULL && *metres == 0)
        *metres = argument_positive("--unit", unit, 0);
    int which = argument_name("--up", &up_given, -1);
    if (which >= 0)
        *axis = (lb_bvh_up)(LB_BVH_UP_X + which);
}

/* what --rest-frame says */
static void rest_wanted(lb_motion_options *options)
{
    const char *text = option_text(rest_given);
    if (text == NULL)
        return;
    options->rest = strcmp(text, "no") == 0 ? LB_BVH_REST_NO : LB_BVH_REST_YES;
    if (strcmp(text, "no") == 0 || strcmp(text, "yes") == 0)
        return;
    if (!is_number(text))
        refuse("--rest-frame: '%s' is not yes, no or the number of a frame", text);
    options->rest_index = argument_count("--rest-frame", text, 0, INT_MAX - 1, 0);
}

/* a figure that no unit makes as large as an adult: what is assumed may be wrong */
static void note_unit(const char *name, lb_bvh_info info)
{
    // where no feet are named nothing is known of the size, and most files are in centimetres
    if (!info.unit_recognised && !info.unit_given && info.up_recognised)
        remark("%s: its unit of length is assumed to be %s, and the figure is then not of an "
               "adult's size: --unit m, cm, mm, inch, cmu or a number of metres says what it is",
               name, info.unit_name);
}

/* ---- files ---------------------------------------------------------------- */

double motion_source_rate(void)
{
    return argument_positive("--source-fps", option_text(source_rate_given), 0);
}

/* a file with a figure of its own; `at_rest`: the figure as its file describes it */
static motion open_file(const char *name, bool at_rest)
{
    lb_motion_options options = lb_motion_options_default();
    options.at_rest = at_rest;
    // poses of SMPL may come without times, which their file then does not refuse
    if (lb_motion_find(name) == LB_MOTION_SMPL)
        options.rate = motion_source_rate();
    option_none_given(joint_options, "with a file of motion");
    if (!at_rest) {
        options.animation = option_text(clip_given);
        options.body = option_text(body_given);
        frame_given(&options.unit, &options.up);
        rest_wanted(&options);
    }
    lb_motion *file = capture_open(name, &options);
    if (!at_rest && file->bvh != NULL)
        note_unit(name, lb_bvh_describe(file->bvh));
    return (motion){.name = name,
                    .model = file->model,
                    .clip = file->clip,
                    .bvh = file->bvh,
                    .gltf = file->gltf,
                    .file = file};
}

lb_motion *capture_open(const char *name, lb_motion_options *options)
{
    lb_motion *made = NULL;
    lb_error error = {0};
    int warnings = 0;
    options->load = load_given(&warnings);
    lb_status status = lb_motion_open(name, options, &made, &error);
    load_report(name, status, &error, warnings);
    if (made->rate_assumed && made->rate > 0)
        remark("%s: no times are in it; %g frames a second are assumed, --source-fps N says "
               "otherwise",
               name, made->rate);
    return made;
}

/* ---- built in ------------------------------------------------------------ */

/* eight steps of the figure, at the rate that most screens have */
enum { WALK_CYCLES = 4, WALK_RATE = 60 };

static void make_walk(motion *out)
{
    int warnings = 0;
    lb_model *model = NULL;
    lb_clip *clip = NULL;
    lb_contacts *contacts = NULL;
    lb_load_options options = load_given(&warnings);
    lb_gait gait = lb_gait_default();
    gait.cycles = WALK_CYCLES;
    gait.rate = WALK_RATE;
    if (options.root == LB_ROOT_AS_READ)
        options.root = LB_ROOT_FLOATING;
    require(lb_load_with_options("human", &options, &model, why()));
    require(lb_gait_walk(model, &gait, &program_memory, &clip, &contacts, why()));
    out->model = model;
    out->clip = clip;
    out->contacts = contacts;
}

const built_in_motion built_in_motions[] = {
    {"walk", "the figure human walks eight steps, 60 keys a second: each stride as the one before",
     "made by lb_gait_walk from a few numbers, not recorded; durations and ranges "
     "near those of Winter, 'Biomechanics and Motor Control of Human Movement', chapters 1 and 3",
     make_walk},
    {NULL, NULL, NULL, NULL}};

/* the built-in motion of a name that no file has; NULL: none */
static const built_in_motion *find_motion(const char *name)
{
    struct stat found;
    if (stat(name, &found) == 0 && !S_ISDIR(found.st_mode))
        return NULL;
    for (const built_in_motion *made = built_in_motions; made->name != NULL; made++)
        if (strcmp(made->name, name) == 0)
            return made;
    return NULL;
}

bool captures_built_in(const char *name)
{
    return find_motion(name) != NULL;
}

/* ---- any ---------------------------------------------------------------- */

motion select_figure(const char *name, bool as_given)
{
    if (lb_motion_has_figure(lb_motion_find(name)))
        return open_file(name, !as_given);
    return (motion){.name = name, .model = select_model(name)};
}

motion select_motion(const char *name)
{
    const built_in_motion *made = find_motion(name);
    motion out = {.name = name};
    if (made == NULL)
        return open_file(name, false);
    option_none_given(capture_options, "with a built-in motion");
    option_none_given(joint_options, "with a built-in motion");
    made->make(&out);
    return out;
}

motion select_capture(const char *name)
{
    if (captures_built_in(name) || lb_motion_has_figure(lb_motion_find(name)))
        return select_motion(name);
    option_none_given(capture_options, "with a file that has no motion");
    return select_figure(name, false);
}
