/*
 * retarget.c - limber retarget: a motion of one figure on another.
 */
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/corpus.h"
#include "cli/work/live.h"
#include "motion/clip.h"

#include <limber/formats/motion_json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option target_given, rig_given, map_given, write_map_given, contacts_given,
    write_contacts_given, rate_given, output_given, name_given, report_given;
static name_option table_given = {.names = (const char *const[]){MOTION_TABLES, NULL}};
static int retime, fast, streaming;

static const struct poptOption field_options[] = {
    OPTION_FIELD("scale", FIELD_POSITIVE, lb_retarget_options, scale, "S",
                 "of positions against the root; default: root's"),
    OPTION_FIELD(
        "root-scale", FIELD_POSITIVE, lb_retarget_options, root_scale, "S",
        "of the root's path and height; default: the length of the legs over the source's"),
    OPTION_FIELD("ground", FIELD_NUMBER, lb_retarget_options, ground, "Z",
                 "height of the target's ground at x = y = 0; default: 0"),
    OPTION_FIELD(
        "ground-normal", FIELD_NORMAL, lb_retarget_options, ground_normal, "\"X Y Z\"",
        "slope of the target's ground, a vector perpendicular to it, z up, at most 60 degrees "
        "from z; \"0.1 0 1\" falls by 1 m in 10 m along x; default: that of the source"),
    OPTION_FIELD("source-ground-normal", FIELD_NORMAL, lb_retarget_options, detect.ground_normal,
                 "\"X Y Z\"", "slope of the source's ground; default: found by where feet rest"),
    OPTION_SET(
        "hands", lb_retarget_options, hands,
        "keep palms near what they touch in the source: each other, head, trunk, arms, legs; and "
        "in their places on the ground"),
    OPTION_SET("no-speed-limits", lb_retarget_options, any_speed,
               "joints may be as fast as the motion is"),
    OPTION_FIELD("smooth", FIELD_POSITIVE, lb_retarget_options, smooth, "HZ",
                 "the whole motion is solved as one problem, which follows the source up to this "
                 "frequency; default: 8"),
    OPTION_FIELD("acceleration", FIELD_POSITIVE, lb_retarget_options, acceleration, "A",
                 "largest acceleration of each joint but the root, rad/s^2 or m/s^2; default: that "
                 "of --limits, else any"),
    OPTION_SET("no-contacts", lb_retarget_options, unlocked, "feet are not held on the ground"),
    OPTION_END,
};

/* One run of the command. */
typedef struct retarget_job {
    motion source, target;
    lb_retarget_options options;
    lb_retarget_map map;
    lb_contacts *held; /* of the target */
    lb_clip *slowed;   /* the source, as slow as the target's legs need it; NULL: as it is */
    lb_clip *clip;
    check_links links; /* that are to stay apart; without --margin none */
    lb_motion_kind written_as;
    lb_retarget_report report;
    lb_fidelity_report fidelity;
    bool compared; /* fidelity is known: both figures have legs */
} retarget_job;

/* ---- options ------------------------------------------------------------ */

/* the held points of a map that was found, on the soles that the target draws */
static void find_soles(retarget_job *job)
{
    lb_looks *looks = feet_looks(&job->target);
    lb_contacts *soles = NULL;
    bool known = false;
    if (looks == NULL)
        return;
    require(lb_rig_soles_by_looks(job->target.model, NULL, looks, &program_memory, &soles, &known,
                                  why()));
    if (known)
        lb_retarget_map_set_soles(&job->map, soles);
}

/* how the source stands, by its motion unless a frame of it is given */
static void find_rest(retarget_job *job)
{
    lb_retarget_options *o = &job->options;
    o->rest = job->source.rest;
    // a model that streams stands as it is at rest
    if (o->rest != NULL || job->source.clip == NULL)
        return;
    double *rest = allocate_or_exit((size_t)lb_model_nq(job->source.model), sizeof *rest);
    const lb_retarget_map *map = map_given != NULL ? &job->map : NULL;
    lb_status status = lb_retarget_rest_find(job->source.clip, map, NULL, rest, why());
    // without a figure there is none to be found, and a map says so or aligns what it has
    if (status == LB_BAD_MODEL)
        return;
    require(status);
    o->rest = rest;
}

static void write_map(const retarget_job *job)
{
    char *text = NULL;
    if (write_map_given == NULL)
        return;
    require(lb_retarget_map_write(&job->map, job->source.model, job->target.model, &program_memory,
                                  &text, why()));
    destination_save_text(option_text(write_map_given), text);
}

/* what was found of a map that was refused, to be completed */
static void write_beginning(const retarget_job *job)
{
    if (write_map_given == NULL)
        return;
    write_map(job);
    remark(job->map.count > 0
               ? "%s has the pairs that were found: complete it and give it as --map"
               : "%s has no pair, as none was found: docs/format.md says what it may hold; "
                 "complete it and give it as --map",
           option_text(write_map_given));
}

static void find_map(retarget_job *job)
{
    const lb_model *source = job->source.model, *target = job->target.model;
    find_rest(job);
    lb_status status =
        lb_retarget_map_find(source, job->options.rest, target, NULL, &job->map, why());
    if (!succeeds(status)) {
        if (status == LB_BAD_MODEL)
            write_beginning(job);
        give_up();
    }
    find_soles(job);
}

static void read_map(retarget_job *job)
{
    const char *path = option_text(map_given);
    job->options.map = &job->map;
    if (path == NULL) {
        find_map(job);
        return;
    }
    require(
        lb_retarget_map_load(path, job->source.model, job->target.model, NULL, &job->map, why()));
    find_rest(job);
    if (job->map.realigned)
        remark("%s: its rotations are for bones with other axes; limbs are aligned by their "
               "directions",
               path);
    if (job->map.rescaled)
        remark("%s: its scales are for people; of this capture's figure, which is not of an "
               "adult's size, they are %.3g",
               path, job->map.root_scale);
}

/* what keeps links apart by --margin */
static void read_margin(retarget_job *job)
{
    check_links *links = &job->links;
    const motion *target = &job->target;
    const char *name = option_text(target_given);
    links->margin = collisions_margin(-1);
    if (links->margin < 0) {
        option_none_given(collision_options, "without --margin");
        return;
    }
    links->collision = collisions_create_figure(name, target->model, target->gltf, links->margin,
                                                &links->by_looks);
    job->options.collision = links->collision;
    job->options.distance = links->margin;
    if (!check_links_measured(links))
        refuse("--margin: '%s' has no two links whose shapes could touch", name);
}

static void read_options(retarget_job *job)
{
    lb_retarget_options *o = &job->options;
    *o = lb_retarget_options_default();
    options_read(field_options, o);
    o->rate = motion_made_rate("--fps", rate_given, job->source.clip, o->rate);
    read_margin(job);
    read_map(job);
    o->accelerations = job->target.accelerations;
    // one scale alone is both
    if (o->root_scale > 0 && o->scale == 0)
        o->scale = o->root_scale;
    // a motion that is built in brings its own
    o->contacts = job->source.contacts;
    lb_contacts *given = NULL;
    if (contacts_given == NULL)
        return;
    require(lb_contacts_load(option_text(contacts_given), job->source.model, &program_memory,
                             &given, why()));
    o->contacts = given;
}

/* ---- results ------------------------------------------------------------ */

static void write_contacts(const retarget_job *job)
{
    char *text = NULL;
    if (write_contacts_given == NULL)
        return;
    if (job->held == NULL)
        refuse("--write-contacts: the map holds no points");
    require(lb_contacts_write(job->held, job->target.model, &program_memory, &text, why()));
    destination_save_text(option_text(write_contacts_given), text);
}

static lb_check_report check_result(const retarget_job *job)
{
    lb_check_report report;
    lb_check_options options = lb_check_options_default();
    options.ground = job->options.ground;
    options.accelerations = job->target.accelerations;
    if (job->options.acceleration > 0)
        options.thresholds[LB_CHECK_ACCELERATION] = job->options.acceleration;
    options.ground_normal = job->report.ground_normal;
    require(lb_clip_check(job->clip, job->held, &options, NULL, NULL, &report, why()));
    return report;
}

static double duration(const lb_clip *clip)
{
    return lb_clip_end(clip) - lb_clip_begin(clip);
}

static void write_object(const void *object, FILE *stream)
{
    print_json((json_t *)object, JSON_INDENT(2), stream);
}

static void write_report(const retarget_job *job)
{
    if (report_given == NULL)
        return;
    const lb_check_report check = check_result(job);
    const lb_retarget_report *r = &job->report;
    check_facts facts = {.clip = job->clip, .contacts = job->held, .origin = "retargeted"};
    facts.fidelity = job->compared ? &job->fidelity : NULL;
    json_t *all =
        json_pack("{s:f, s:f, s:i, s:i, s:i, s:i, s:o, s:i, s:i, s:f, s:i}", "scale", r->scale,
                  "root_scale", r->root_scale, "frames", r->frames, "solved_in_order", r->solved,
                  "iterations", r->iterations, "slowed_frames", r->slowed, "fastest",
                  json_finite(r->fastest), "contacts", r->held, "contacts_moved", r->moved,
                  "worst_moved", r->worst_moved, "contacts_shortened", r->shortened);
    if (job->slowed != NULL)
        set_json(all, "seconds_before_retiming", json_real(duration(job->source.clip)));
    set_json(all, "fastest_leg", json_finite(r->fastest_leg));
    set_json(all, "acceleration_over_limit", json_finite(r->acceleration));
    set_json(all, "frames_beyond_acceleration", json_integer(r->accelerated));
    set_json(all, "smoothed", json_boolean(r->smoothed));
    set_json(all, "touches", json_integer(r->touches));
    set_json(all, "hand_contacts", json_integer(r->hands_held));
    set_json(all, "hand_contacts_released", json_integer(r->released));
    set_json(all, "worst_released", json_real(r->worst_released));
    set_json(all, "ground_normal", json_vector(r->ground_normal));
    set_json(all, "source_ground_normal", json_vector(r->source_normal));
    set_json(all, "unseen_slope", json_finite(r->unseen_slope));
    if (job->links.collision != NULL) {
        set_json(all, "near_frames", json_integer(r->near));
        set_json(all, "worst_near", json_real(r->worst_near));
    }
    set_json(all, "check", check_report_json(&facts, &check));
    destination_save(option_text(report_given), write_object, all);
}

/* the motion of the target, as an animation of a glTF called as the source is unless --name */
static void write_motion(const retarget_job *job, const char *source)
{
    const char *given = option_text(name_given);
    if (output_given != NULL)
        motion_write(option_text(output_given), job->written_as, &job->target, job->clip,
                     given != NULL ? given : motion_name(source, &job->source));
}

/* what of the motion is not as in its source; of figures without legs nothing is known */
static void compare(retarget_job *job, const lb_clip *source)
{
    char items[160] = "";
    lb_fidelity_options options = lb_fidelity_options_default();
    options.map = &job->map;
    options.ground_normal = job->report.ground_normal;
    options.source_ground_normal = job->report.source_normal;
    job->compared =
        lb_clip_fidelity(job->clip, source, &options, NULL, NULL, &job->fidelity, NULL) == LB_OK;
    for (int i = 0; job->compared && i < LB_FIDELITY_COUNT; i++)
        if (job->fidelity.items[i].beyond)
            snprintf(items + strlen(items), sizeof items - strlen(items), "%s%s",
                     *items ? ", " : "", lb_fidelity_text((lb_fidelity_item)i));
    if (*items)
        remark("the motion is unlike its source: %s; limber check --source says by how much",
               items);
}

/* what is written begins at 0, contacts as well: tables and BVH have no begin */
static void begin_at_zero(retarget_job *job)
{
    double begin = lb_clip_begin(job->clip);
    if (begin == 0)
        return;
    clip_begin_at(job->clip, 0);
    if (job->held != NULL)
        require(lb_contacts_shift(job->held, -begin, why()));
}

/* ---- a whole clip --------------------------------------------------------- */

/* slows the source down for the target's legs, its contacts with it */
static void slow_down(retarget_job *job)
{
    lb_contacts *contacts = NULL;
    if (job->options.any_speed || job->options.unlocked)
        refuse("--retime cannot be given with %s",
               job->options.any_speed ? "--no-speed-limits" : "--no-contacts");
    require(lb_retarget_slow(job->source.clip, job->target.model, &job->options, &program_memory,
                             &job->slowed, &contacts, why()));
    // the contacts that were given were taken into account
    job->options.contacts = contacts;
    double was = duration(job->source.clip), is = duration(job->slowed);
    if (is > was)
        remark("%.3g s became %.3g s: legs would be too fast", was, is);
    if (job->options.rate == 0)
        job->options.rate = lb_clip_rate(job->source.clip, CLIP_EVEN);
}

static void perform(retarget_job *job, const char *name)
{
    if (fast && option_given(field_options, "smooth"))
        refuse("--fast does not smooth: leave --smooth out");
    if (fast)
        job->options.smooth = 0;
    if (retime)
        slow_down(job);
    const lb_clip *source = job->slowed != NULL ? job->slowed : job->source.clip;
    require(lb_retarget(source, job->target.model, &job->options, &program_memory, &job->clip,
                        &job->held, &job->report, why()));
    remark_source(job->source.clip, job->options.rest);
    if (map_given == NULL)
        remark_left_out(&job->map, job->source.model);
    if (!option_given(field_options, "source-ground-normal"))
        remark_slope(&job->report);
    remark_slow_legs(&job->report, retime);
    remark_accelerations(&job->report);
    if (option_given(field_options, "smooth") && !job->report.smoothed)
        remark("--smooth has no effect: each frame of this figure is solved for itself");
    if (job->report.near > 0)
        remark("in %d of %d frames links are nearer than --margin, by %.2g m at most",
               job->report.near, job->report.frames, job->report.worst_near);
    compare(job, source);
    begin_at_zero(job);
    write_motion(job, name);
    write_map(job);
    write_contacts(job);
    write_report(job);
}

/* the options that name files to write, the motion first */
static const char *const file_names[] = {"--output", "--report", "--write-map", "--write-contacts"};

/* whether there is an output, and each file is written once: the last would take the place of the
   others */
static void check_outputs(void)
{
    const char *const given[] = {option_text(output_given), option_text(report_given),
                                 option_text(write_map_given), option_text(write_contacts_given)};
    int count = 0;
    for (int i = 0; i < 4; i++) {
        count += given[i] != NULL;
        for (int k = 0; k < i; k++)
            if (given[i] != NULL && given[k] != NULL && file_is_same(given[i], given[k]))
                refuse("%s and %s cannot both be written to '%s'", file_names[k], file_names[i],
                       given[i]);
    }
    if (count == 0)
        refuse("no output given; --output FILE.csv takes the motion");
}

/* the kind of the output, which must have --name */
static lb_motion_kind choose_kind(void)
{
    const char *path = option_text(output_given);
    int table = argument_name("--as", &table_given, MOTION_TABLE_BY_MODEL);
    lb_motion_kind kind =
        path != NULL ? motion_written_as("--output", path, table) : LB_MOTION_UNKNOWN;
    motion_check_name(option_text(name_given), kind);
    return kind;
}

/* the source as its file has it, a motion or, where `path` is NULL, the figure of rows that come;
   --root is the target's, which must move */
static void read_both(retarget_job *job, const char *path)
{
    int warnings;
    const char *rig = option_text(rig_given);
    if (load_given(&warnings).root == LB_ROOT_FIXED)
        refuse("--root fixed: a target that does not move cannot follow; planar or floating");
    select_leave_roots(true);
    job->source = path == NULL ? motion_read_figure(rig, "--from")
                               : motion_read(path, "--from", rig, motion_source_rate(), false);
    motion_uses_options(&job->source);
    select_leave_roots(false);
    job->target = motion_open_target(option_text(target_given));
    read_options(job);
}

/* what only a whole clip has */
static const struct poptOption clip_options[] = {
    OPTION_TEXT("output", output_given, "FILE",
                "the motion of the target: .csv, .bvh, .npz, .pkl (GMR), .json, or .glb of a glTF"),
    OPTION_TEXT("name", name_given, "NAME",
                "the animation that a glTF gets; one of this name is replaced; default: the name "
                "of the source's animation or file"),
    OPTION_NAME("as", table_given, "KIND",
                "the table that a .csv is: limber, lafan1 or bones; default: lafan1 for robots"),
    OPTION_TEXT("contacts", contacts_given, "FILE.json",
                "when the source's feet and hands rest; default: feet are detected (built-in "
                "motions: known)"),
    OPTION_TEXT("write-contacts", write_contacts_given, "FILE.json",
                "write when the target's feet and hands rest"),
    OPTION_TEXT(
        "fps", rate_given, "N",
        "frames a second that are written, at most ten million in all; default: as the source"),
    OPTION_FLAG(
        "retime", retime,
        "slow the motion down, which makes it longer, where legs would exceed their speeds"),
    OPTION_FLAG("fast", fast, "each frame for itself, without the smoothing of the whole motion"),
    OPTION_TEXT("report", report_given, "FILE.json",
                "what was done, and the measures of limber check without links"),
    OPTION_TABLE(order_options),
    OPTION_END,
};

/* ---- rows as they come ------------------------------------------------------ */

static void stream_rows(retarget_job *job, const char *operand)
{
    if (strcmp(operand, "-") != 0)
        refuse("--stream reads standard input: give - in place of '%s'", operand);
    if (rig_given == NULL)
        refuse("--stream: --from MODEL names the figure whose rows are read");
    if (option_given(field_options, "smooth"))
        refuse("--stream solves each frame for itself: leave --smooth out");
    option_none_given(clip_options, "with --stream");
    read_both(job, NULL);
    write_map(job);
    live_retarget(&job->source, &job->target, &job->options);
}

/* ---- the command -------------------------------------------------------- */

/* one clip, or rows as they come */
static int run_one(const char *operand)
{
    retarget_job job = {.held = NULL};
    joints_use_srdf();
    if (streaming) {
        stream_rows(&job, operand);
        return EXIT_DONE;
    }
    check_outputs();
    job.written_as = choose_kind();
    read_both(&job, operand);
    perform(&job, operand);
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_TEXTS("to", target_given, "MODEL",
                 "what is to move: a robot, a figure, a BVH file; can be given several times"),
    OPTION_TEXT("from", rig_given, "MODEL",
                "what the motion moves, if it is a table: .csv, .npz, .pkl, .json or .npy"),
    OPTION_FLAG("stream", streaming,
                "read rows of --from, which is a capture or a model, from standard input, and "
                "write a row of the target for each at once"),
    OPTION_TABLE(clip_options),
    OPTION_TABLE(corpus_options),
    OPTION_TEXT("map", map_given, "FILE.json",
                "what follows what; default: by names, else by the tree's shape"),
    OPTION_TEXT("write-map", write_map_given, "FILE.json", "write the map, to be edited"),
    OPTION_TABLE(field_options),
    OPTION_TABLE(collision_options),
    OPTION_TABLE(srdf_options),
    OPTION_TABLE(motion_options),
    OPTION_TABLE(limit_options),
    OPTION_TABLE(model_options),
    OPTION_TABLE(capture_options),
    OPTION_END,
};

static int run(const char *const *operands)
{
    text_option *const files[] = {&output_given, &report_given, &write_map_given,
                                  &write_contacts_given, NULL};
    const corpus all = {operands, target_given, files, file_names, options, run_one};
    if (target_given == NULL)
        refuse("no target given; --to MODEL names it");
    if (!corpus_is(&all)) {
        option_none_given(corpus_options, "with one capture on one model");
        return run_one(operands[0]);
    }
    if (streaming)
        refuse("--stream: one target and no files");
    return corpus_run(&all);
}

static const example examples[] = {
    {"a motion of the built-in figure on itself, and what limber check says",
     "printf 'time,root.x\\n0,0\\n1,0.05\\n' >sway.csv &&\n"
     "        limber retarget sway.csv --from human --to human --fps 30 --output out.csv &&\n"
     "        limber check out.csv --model human"},
    {NULL, NULL},
};

const command command_retarget = {
    COMMAND(retarget),
    .synopsis = "CLIP --to MODEL [--from MODEL] --output FILE [OPTION ...]\n"
                "CLIP ... --to MODEL [--to MODEL ...] --output 'OUT/{model}/{clip}.npz'\n"
                "- --stream --from FIGURE --to MODEL [OPTION ...]",
    .summary = "move a robot or a figure as a capture does",
    .details = "Bones are matched by their names (CMU, Mixamo, LAFAN1, Xsens, SOMA, VRM, SMPL,\n"
               "Unreal and more), else by the shape of the tree; --write-map writes what was\n"
               "found, --map reads it again, or GMR's ik_configs. Limbs take the directions of\n"
               "the source's, whatever its proportions and its rest pose are. Where a foot of\n"
               "the source rests, that of the target stays in its place; joints stay within\n"
               "their limits, in position and in speed. The whole motion is solved as one\n"
               "problem that keeps accelerations low; --fast solves each frame for itself. The\n"
               "same motion at another frame rate gives the same result, but for what its\n"
               "frames leave out.\n\n"
               "The ground may slope: figures stay upright, soles lie in the plane. A motion\n"
               "on a slope is recognised and stays on the same slope unless the target's\n"
               "ground is given; \"0 0 1\" is level. Across a straight path only steep slopes\n"
               "are; the report says from which on (unseen_slope, rise over run).\n\n"
               "With --margin links stay so far apart, and from a --scene, by the shapes that\n"
               "limber check measures, or as far as where they stand, if that is less. Limits\n"
               "come first, and held feet, but for millimetres. Frames in which links come\n"
               "nearer are said.\n\n"
               "--hands keeps palms where they touch: each other, the head, arms, hips or knees,\n"
               "on figures of other proportions, too, and holds those that rest on the ground.\n"
               "Hands on rails, tables or walls are held when --contacts has rows for them.\n\n"
               "How the figure of a capture stands is found from all of its motion: its zero\n"
               "pose and the axes of its links do not matter. A first frame that is a rest\n"
               "pose, as in the CMU captures, is left out; one that --rest-frame names decides\n"
               "how the figure stands. --unit, --up, --body, --clip and --rest-frame are those\n"
               "of the source; --root is the target's, and planar keeps a machine on wheels\n"
               "upright.\n\n"
               "Several captures, on several models, are jobs of their own: {clip} and {model}\n"
               "in --output, --report, --write-map and --write-contacts become their names. What\n"
               "is there and as new as its capture, its model and the files that options name\n"
               "is not written again, so the same line goes on after an end of any kind; other\n"
               "options than before are refused. A job that fails costs itself: the others are\n"
               "done; the end says which, and why.\n\n"
               "--stream retargets while the source moves: each row from standard input (time\n"
               "and values, by the names of a first row or in their order) gives a row at once,\n"
               "which depends on no later one. A capture as --from tells how its figure stands\n"
               "and how high its feet rest; a model stands as it is at rest, on z = 0.\n\n"
               "Of a glTF all animations are kept and the motion is one more, or the one of its\n"
               "name. Poses of SMPL (AMASS's .npz and the like, or a .pkl of such arrays) move a\n"
               "figure of average proportions, unless --body has the joints of the body.\n\n"
               "A .csv is the table without a header that LAFAN1's robots have (x y z,\n"
               "quaternion x y z w, joints) where the target is a robot; a .pkl is GMR's:\n\n"
               "    limber retarget walk.bvh --to g1.urdf --output walk.csv",
    .operands = 1,
    .spare = 1000000,
};
