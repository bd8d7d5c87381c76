/*
 * strips.c - strips of motion: one clip, and one below it to compare with.
 */

#include "cli/options/arguments.h"
#include "cli/options/figure.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "formats/file.h"

#include <limber/figures/strip.h>

#include <string.h>

static text_option motion_given, below_given, below_motion_given, contacts_given,
    below_contacts_given, paths_given, normal_given, below_normal_given;
static int animate;

static const struct poptOption own_options[] = {
    OPTION_COUNT("frames", lb_strip, frames, 1, LB_STRIP_FRAMES, "N",
                 "of a motion: so many moments side by side, with the times at which feet rest; "
                 "default: 10"),
    OPTION_SET("overlay", lb_strip, overlaid, "all moments in one picture, from faint to full"),
    OPTION_FLAG("animate", animate,
                "a picture that moves: an SVG for pages, over and over; --frames are then the "
                "moments in between, default: 30 a second"),
    OPTION_TEXT("motion", motion_given, "FILE",
                "what moves MODEL: a robot's .csv or .npz, a .json, poses with times"),
    OPTION_TEXT("below", below_given, "MODEL",
                "a second motion below, at the same times and scale: a capture, or a model with "
                "--below-motion"),
    OPTION_TEXT("below-motion", below_motion_given, "FILE", "what moves the model below"),
    OPTION_TEXT("contacts", contacts_given, "FILE.json",
                "when feet rest, as limber retarget --write-contacts writes it; default: detected"),
    OPTION_TEXT("below-contacts", below_contacts_given, "FILE.json", "those of the motion below"),
    OPTION_TEXT("ground-normal", normal_given, "\"X Y Z\"",
                "slope of the ground: a vector perpendicular to it, z up, at most 60 degrees from "
                "z; default: by where the contacts of --contacts rest, else level"),
    OPTION_TEXT("below-ground-normal", below_normal_given, "\"X Y Z\"", "that of the motion below"),
    OPTION_FIELD("begin", FIELD_NUMBER, lb_strip, begin, "SECONDS",
                 "of the part that is shown; default: all"),
    OPTION_FIELD("end", FIELD_NUMBER, lb_strip, end, "SECONDS", "of the part that is shown"),
    OPTION_TEXTS("path", paths_given, "LINK",
                 "with --overlay: draw the path of this link, too; may be repeated"),
    OPTION_END,
};

const struct poptOption strip_options[] = {
    OPTION_TABLE(own_options),
    OPTION_TABLE(motion_options),
    OPTION_TABLE(capture_options),
    OPTION_END,
};

bool strip_wanted(const char *name)
{
    // those of files of motion are for models, too
    return option_any_given(own_options) != NULL || captures_built_in(name);
}

/* ---- one row --------------------------------------------------------------- */

/* a file of motion, or a model and what moves it */
static motion read_motion(const char *name, const char *moved_by)
{
    if (moved_by == NULL)
        return motion_read(name, "--motion", NULL, 0, false);
    // the other motion may have times of its own
    double given = lb_motion_find(moved_by) >= LB_MOTION_LAFAN1 ? motion_source_rate() : 0;
    return motion_read(moved_by, "--motion", name, given, false);
}

/* the links that --path names */
static void find_paths(const lb_model *model, lb_strip_row *row)
{
    int count = option_count(paths_given);
    if (count > LB_STRIP_PATHS)
        refuse("--path: %d links; %d at most", count, LB_STRIP_PATHS);
    for (int i = 0; i < count; i++)
        row->paths[row->path_count++] = select_tip(model, "--path", paths_given[i]);
}

/* What is given of a motion. */
typedef struct strip_given {
    const char *name, *moved_by, *contacts, *normal;
    const char *normal_option;
} strip_given;

static lb_strip_row read_row(const strip_given *given)
{
    lb_vec3 normal = {0, 0, 0};
    if (given->normal != NULL)
        normal = argument_normal(given->normal_option, given->normal);
    motion moved = read_motion(given->name, given->moved_by);
    feet known = feet_find(&moved, given->contacts, 0, normal);
    lb_strip_row row = {.ground_normal = given->normal != NULL ? normal : lb_vec3_make(0, 0, 1),
                        .clip = moved.clip,
                        .contacts = feet_spans(known.contacts) > 0 ? known.contacts : NULL,
                        .label = file_name(given->name)};
    // the ground is as it is given, else where the contacts of a file rest
    if (given->normal == NULL && given->contacts != NULL && row.contacts != NULL)
        require(lb_contacts_find_ground(row.contacts, row.clip, &row.ground_normal, why()));
    return row;
}

/* ---- the strip -------------------------------------------------------------- */

static lb_strip read_strip(const char *path)
{
    option_none_given(size_options, "with a strip of motion");
    lb_drawing drawing = figure_given(path);
    lb_strip strip = lb_strip_default();
    options_read(own_options, &strip);
    strip.title = drawing.title;
    strip.azimuth = drawing.azimuth;
    strip.elevation = drawing.elevation;
    if (strip.overlaid && animate)
        refuse("--overlay and --animate cannot both be given");
    if (paths_given != NULL && !strip.overlaid)
        refuse("--path has no effect without --overlay");
    return strip;
}

/* the part that is shown lies within the first clip */
static void check_times(const lb_strip *strip)
{
    const lb_clip *clip = strip->rows[0].clip;
    double begin = isnan(strip->begin) ? lb_clip_begin(clip) : strip->begin;
    double end = isnan(strip->end) ? lb_clip_end(clip) : strip->end;
    if (!(begin <= end && begin >= lb_clip_begin(clip) && end <= lb_clip_end(clip)))
        refuse("--begin, --end: %g to %g s is not within the motion's %g to %g s", begin, end,
               lb_clip_begin(clip), lb_clip_end(clip));
}

void strip_draw(const char *name, const char *path)
{
    lb_strip_row rows[2] = {0};
    const strip_given first = {name, option_text(motion_given), option_text(contacts_given),
                               option_text(normal_given), "--ground-normal"};
    const strip_given second = {option_text(below_given), option_text(below_motion_given),
                                option_text(below_contacts_given), option_text(below_normal_given),
                                "--below-ground-normal"};
    if (second.name == NULL &&
        (second.moved_by != NULL || second.contacts != NULL || second.normal != NULL))
        refuse("--below-%s has no effect without --below MODEL", second.moved_by != NULL ? "motion"
                                                                 : second.contacts != NULL
                                                                     ? "contacts"
                                                                     : "ground-normal");
    lb_strip strip = read_strip(path);
    rows[strip.row_count++] = read_row(&first);
    if (second.name != NULL)
        rows[strip.row_count++] = read_row(&second);
    strip.rows = rows;
    check_times(&strip);
    find_paths(lb_clip_model(rows[0].clip), &rows[0]);
    require(animate ? lb_draw_animation(&strip, path, why()) : lb_draw_strip(&strip, path, why()));
}
