/*
 * check.c - limber check: what is wrong with a motion.
 */
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <stdlib.h>

static text_option model_given, contacts_given, source_given;
static int json_wanted, frames_wanted;

static const struct poptOption ground_options[] = {
    OPTION_FIELD("ground", FIELD_NUMBER, lb_check_options, ground, "Z",
                 "height of the ground at x = y = 0; default: 0"),
    OPTION_FIELD(
        "ground-normal", FIELD_NORMAL, lb_check_options, ground_normal, "\"X Y Z\"",
        "slope of the ground: a vector perpendicular to it, z up, at most 60 degrees from z; "
        "\"0.1 0 1\" falls by 1 m in 10 m along x; default: level"),
    OPTION_END,
};

static const struct poptOption source_ground_options[] = {
    OPTION_FIELD("source-ground-normal", FIELD_NORMAL, lb_fidelity_options, source_ground_normal,
                 "\"X Y Z\"",
                 "with --source: slope of the ground on which that moves; default: level"),
    OPTION_END,
};

/* the numbers of every frame, and which links are near each other in it */
static void add_frames(json_t *all, const check_facts *facts, const double *values)
{
    json_t *names = json_array(), *rows = json_array(), *near = json_array();
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        append_json(names, json_string(lb_check_text((lb_check_item)i)));
    for (int key = 0; key < lb_clip_count(facts->clip); key++) {
        append_json(rows, json_numbers(&values[key * LB_CHECK_COUNT], LB_CHECK_COUNT));
        append_json(near, check_key_json(facts->clip, facts->links, key));
    }
    set_json(all, "columns", names);
    set_json(all, "each_frame", rows);
    if (check_links_measured(facts->links))
        set_json(all, "each_frame_near", near);
    else
        json_decref(near);
}

static void print_report(const check_facts *facts, const lb_check_report *report,
                         const double *values)
{
    if (!json_wanted) {
        check_report_words(facts, report, stdout);
        return;
    }
    json_t *all = check_report_json(facts, report);
    if (frames_wanted)
        add_frames(all, facts, values);
    print_json(all, JSON_INDENT(2), stdout);
}

/* whether any item is beyond its threshold, or links are nearer than a margin that is given */
static bool is_bad(const check_facts *facts, const lb_check_report *report)
{
    return check_report_is_bad(facts, report) ||
           (facts->links->margin > 0 && check_links_near(facts->links) > 0);
}

/* all measures, printed; without a source it is not measured how like it the motion is */
static int measure(const motion *m, const motion *source, const feet *known,
                   lb_check_options options, check_links *links)
{
    lb_check_report report;
    lb_fidelity_report fidelity;
    lb_fidelity_options beside = lb_fidelity_options_default();
    size_t all_pairs = (size_t)lb_collision_pair_count(links->collision);
    lb_check_pair *pairs = allocate_or_exit(all_pairs, sizeof *pairs);
    double *values =
        allocate_or_exit((size_t)lb_clip_count(m->clip) * LB_CHECK_COUNT, sizeof *values);
    check_facts facts = {m->clip,        known->contacts, known->origin,
                         known->assumed, links,           source != NULL ? &fidelity : NULL};
    links->pairs = pairs;
    options.collision = links->collision;
    options.accelerations = m->accelerations;
    beside.ground_normal = options.ground_normal;
    options_read(source_ground_options, &beside);
    if (source != NULL)
        require(lb_clip_fidelity(m->clip, source->clip, &beside, NULL, NULL, &fidelity, why()));
    require(lb_clip_check_pairs(m->clip, links->collision, links->margin, NULL, pairs, why()));
    require(lb_clip_check(m->clip, known->contacts, &options, NULL, values, &report, why()));
    print_report(&facts, &report, values);
    return is_bad(&facts, &report) ? EXIT_UNREACHED : EXIT_DONE;
}

static int run(const char *const *operands)
{
    const char *beside = option_text(source_given), *model = option_text(model_given);
    lb_check_options options = lb_check_options_default();
    motion source;
    joints_use_srdf();
    if (frames_wanted && !json_wanted)
        refuse("--frames has no effect without --json");
    options_read(ground_options, &options);
    motion m = motion_read(operands[0], "--model", model, motion_source_rate(), true);
    if (beside != NULL)
        source = motion_read(beside, "--source", NULL, 0, false);
    motion_uses_options(beside != NULL ? &source : &m);
    feet known = feet_find(&m, option_text(contacts_given), options.ground, options.ground_normal);
    if (known.missing != NULL)
        remark("nothing is said about feet: %s", known.missing);
    check_links links = {.margin = collisions_margin(0)};
    links.collision = collisions_create_figure(model != NULL ? model : operands[0], m.model, m.gltf,
                                               0, &links.by_looks);
    return measure(&m, beside != NULL ? &source : NULL, &known, options, &links);
}

static const struct poptOption options[] = {
    OPTION_TEXT("model", model_given, "MODEL",
                "model that the motion moves, if it is a table: .csv, .npz, .pkl, .json or .npy"),
    OPTION_TEXT("contacts", contacts_given, "FILE.json",
                "times at which feet rest; default: heels and toes of both feet, detected (of a "
                "built-in motion: known)"),
    OPTION_TEXT("source", source_given, "CLIP",
                "capture that the motion was made of: measure how like it the motion is"),
    OPTION_TABLE(ground_options),
    OPTION_TABLE(source_ground_options),
    OPTION_FLAG("json", json_wanted, "one JSON object, with the root mean squares"),
    OPTION_FLAG("frames", frames_wanted,
                "with --json: the numbers of every frame, and the links that are near"),
    OPTION_TABLE(motion_options),
    OPTION_TABLE(limit_options),
    OPTION_TABLE(collision_options),
    OPTION_TABLE(srdf_options),
    OPTION_TABLE(model_options),
    OPTION_TABLE(capture_options),
    OPTION_END,
};

static const example examples[] = {
    {"two frames of a robot, as training code has them",
     "printf '0,0,1,0,0,0,1,0.1,0.2\\n0,0,1,0,0,0,1,0.2,0.3\\n' >moves.csv &&\n"
     "        limber check moves.csv --model planar2 --source-fps 50"},
    {NULL, NULL},
};

const command command_check = {
    COMMAND(check),
    .synopsis = "CLIP [--model MODEL] [--json [--frames]] [OPTION ...]",
    .summary = "measure the faults of a motion",
    .details = "Measures how far resting feet slide, float above the ground or enter it; jumps\n"
               "of joints; their speed against the limit and their acceleration; values beyond\n"
               "limits; links that overlap. Each fault has its worst value, its place and time,\n"
               "and the number of frames beyond a threshold: 1 mm of slide, penetration and\n"
               "overlap, 1 cm of floating, 0.5 radians of a joint or 12 cm of the root in one\n"
               "frame, or in 1/30 s of a longer one, beside where the speeds before and after\n"
               "lead (at either end of the motion the one that there is, or rest), and limits,\n"
               "of which a millionth is rounding.\n\n"
               "Slide, floating and penetration are those of heel, toe and all shapes of a foot.\n"
               "Rest is detected; --contacts gives it exactly. A foot stands while heel and toe\n"
               "keep the levels on which they rest, without landing and lifting off (0.25 s at\n"
               "most). It may roll and turn: it slides as far as its stillest point goes. A heel\n"
               "or toe alone rests while it is still. If no foot rests in more than a second,\n"
               "the lowest one floats. How exactly feet keep their levels in the motion, by a\n"
               "capture to 1 to 3 cm, is the least slide that counts, 1 mm at least. Figures\n"
               "without shapes of feet and without drawn meshes, such as BVH's, have assumed\n"
               "soles; floating and penetration are not measured.\n\n"
               "Links touch by the shapes with which they collide, capsules in place of meshes.\n"
               "If no link has such a shape, its look stands in: a robot's visuals, the meshes\n"
               "that a glTF draws. Pairs that touch, or are nearer than --margin, are listed,\n"
               "each with its deepest overlap and the time of it; --json --frames adds those of\n"
               "every frame. Pairs that limber collide leaves out, pairs that touch at rest, and\n"
               "the ground of a robot's file are left out. A figure without shapes, such as\n"
               "BVH's, is reported to have none.\n\n"
               "With --source the trunk, the heading, limbs, the path and the heights of both\n"
               "figures' joints are compared, whatever their sizes and axes: at equal times if\n"
               "the motion begins later than 0 and within the source's time, as a piece of it\n"
               "does, else since their first frames. How hands, feet and the head are turned,\n"
               "and bones about themselves, is not compared.\n"
               "Unlike is a mean beyond 15 degrees of the trunk, 20 of a bone or the heading,\n"
               "15 % of the path or of its length, 0.15 legs of the hips' height, 0.1 of the\n"
               "feet's or 0.4 of the hands', 0.1 s without a frame beyond the usual gap, or a\n"
               "jump in one frame by 0.3 radians of a bone or 0.06 legs of the hips that the\n"
               "source does not have. --unit, --up and the like say how the source is read.\n\n"
               "The exit status is 0 if nothing is beyond its threshold and no pair nearer than\n"
               "--margin, 1 if something is, 2 for bad input.",
    .operands = 1,
};
