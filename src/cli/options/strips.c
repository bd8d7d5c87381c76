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

/* whether an option says that a motion is drawn: those of files of motion are for models, too */
static bool is_not_wanted(void *user, const struct poptOption *option)
{
    (void)user;
    return !option_is_given(option);
}

bool strip_wanted(const char *name)
{
    return !option_each(own_options, is_not_wanted, NULL) || captures_built_in(name);
}

/* ---- one row --------------------------------------------------------------- */

/* What is drawn of one motion. */
typedef struct strip_source {
    motion motion;
    feet feet;
} strip_source;

/* a file of motion, or a model and what moves it */
static bool read_motion(const char *name, const char *moved_by, motion *out)
{
    double given = 0;
    if (moved_by == NULL)
        return motion_read(name, "--motion", NULL, 0, false, out);
    // the other motion may have times of its own
    if (lb_motion_find(moved_by) >= LB_MOTION_LAFAN1 && !motion_source_rate(&given))
        return false;
    return motion_read(moved_by, "--motion", name, given, false, out);
}

/* the links that --path names */
static bool find_paths(const lb_model *model, lb_strip_row *row)
{
    int count = option_count(paths_given);
    if (count > LB_STRIP_PATHS)
        return complain("--path: %d links; %d at most", count, LB_STRIP_PATHS);
    for (int i = 0; i < count; i++) {
        int link = select_tip(model, "--path", paths_given[i]);
        if (link < 0)
            return false;
        row->paths[row->path_count++] = link;
    }
    return true;
}

/* What is given of a motion. */
typedef struct strip_given {
    const char *name, *moved_by, *contacts, *normal;
    const char *normal_option;
} strip_given;

/* the ground is as it is given, else where the contacts of a file rest */
static bool find_ground(const strip_given *given, lb_strip_row *row)
{
    return given->normal != NULL || given->contacts == NULL || row->contacts == NULL ||
           succeeds(lb_contacts_find_ground(row->contacts, row->clip, &row->ground_normal, why()));
}

static bool read_row(const strip_given *given, strip_source *source, lb_strip_row *row)
{
    lb_vec3 normal = {0, 0, 0};
    if (given->normal != NULL && !argument_normal(given->normal_option, given->normal, &normal))
        return false;
    if (!read_motion(given->name, given->moved_by, &source->motion) ||
        !feet_find(&source->motion, given->contacts, 0, normal, &source->feet))
        return false;
    row->ground_normal = given->normal != NULL ? normal : lb_vec3_make(0, 0, 1);
    row->clip = source->motion.clip;
    row->contacts = feet_spans(source->feet.contacts) > 0 ? source->feet.contacts : NULL;
    row->label = file_name(given->name);
    return find_ground(given, row);
}

/* ---- the strip -------------------------------------------------------------- */

static bool read_strip(const char *path, lb_strip *strip)
{
    lb_drawing drawing;
    if (!option_none_given(size_options, "with a strip of motion") ||
        !figure_given(path, &drawing) || !options_read(own_options, strip))
        return false;
    strip->title = drawing.title;
    strip->azimuth = drawing.azimuth;
    strip->elevation = drawing.elevation;
    if (strip->overlaid && animate)
        return complain("--overlay and --animate cannot both be given");
    return paths_given == NULL || strip->overlaid ||
           complain("--path has no effect without --overlay");
}

/* the part that is shown lies within the first clip */
static bool check_times(const lb_strip *strip)
{
    const lb_clip *clip = strip->rows[0].clip;
    double begin = isnan(strip->begin) ? lb_clip_begin(clip) : strip->begin;
    double end = isnan(strip->end) ? lb_clip_end(clip) : strip->end;
    return (begin <= end && begin >= lb_clip_begin(clip) && end <= lb_clip_end(clip)) ||
           complain("--begin, --end: %g to %g s is not within the motion's %g to %g s", begin, end,
                    lb_clip_begin(clip), lb_clip_end(clip));
}

static bool draw_rows(lb_strip *strip, lb_strip_row *rows, const char *path)
{
    strip->rows = rows;
    if (!check_times(strip) || !find_paths(lb_clip_model(rows[0].clip), &rows[0]))
        return false;
    lb_status status =
        animate ? lb_draw_animation(strip, path, why()) : lb_draw_strip(strip, path, why());
    return succeeds(status);
}

bool strip_draw(const char *name, const char *path)
{
    strip_source sources[2] = {0};
    lb_strip_row rows[2] = {0};
    lb_strip strip = lb_strip_default();
    const strip_given first = {name, option_text(motion_given), option_text(contacts_given),
                               option_text(normal_given), "--ground-normal"};
    const strip_given second = {option_text(below_given), option_text(below_motion_given),
                                option_text(below_contacts_given), option_text(below_normal_given),
                                "--below-ground-normal"};
    if (second.name == NULL &&
        (second.moved_by != NULL || second.contacts != NULL || second.normal != NULL))
        return complain("--below-%s has no effect without --below MODEL",
                        second.moved_by != NULL   ? "motion"
                        : second.contacts != NULL ? "contacts"
                                                  : "ground-normal");
    bool done = read_strip(path, &strip) && read_row(&first, &sources[0], &rows[0]) &&
                (second.name == NULL || read_row(&second, &sources[1], &rows[1]));
    strip.row_count = second.name != NULL ? 2 : 1;
    done = done && draw_rows(&strip, rows, path);
    for (int i = 0; i < 2; i++) {
        feet_release(&sources[i].feet);
        motion_release(&sources[i].motion);
    }
    return done;
}
