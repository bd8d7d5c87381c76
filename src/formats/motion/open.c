/*
 * open.c - motion from files of any kind.
 *
 * A kind is one row of the table `readers`. A regular file is looked at first and then read by its
 * kind; what can be read once, as a pipe, is read into memory.
 */
#define _POSIX_C_SOURCE 200809L

#include <limber/formats/motion.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "formats/file.h"
#include "formats/motion/poses.h"
#include "formats/motion/robot.h"
#include "formats/motion/smpl.h"
#include "formats/parse.h"
#include "model/kinds.h"
#include "motion/clip.h"

#include <limber/formats/clip_json.h>
#include <limber/formats/load.h>
#include <limber/formats/robot_csv.h>

#include <stdlib.h>
#include <string.h>

/* Frames a second of tables without times, but for bones. */
enum { USUAL_RATE = 30 };

/* A motion, and what it owns. */
typedef struct opening {
    lb_motion motion; /* first: it is what users have */
    lb_allocator memory;
    lb_bvh *bvh;
    lb_gltf *gltf;
    lb_model *view, *moving; /* of the model that was given: with limits, with a root that moves */
    lb_joint_limit *limits;
    lb_clip *clip;

    /* while it is opened */
    lb_motion_options given;
    const char *path;
    bool regular;
    char *text; /* all of the file, unless its kind is read from the path */
    size_t size;
    lb_error *error;
} opening;

lb_motion_options lb_motion_options_default(void)
{
    return (lb_motion_options){.rate = 0};
}

/* ---- the model that a table moves --------------------------------------- */

/* a root that is fixed gets a floating one */
static lb_status float_root(opening *o)
{
    if (robot_joints_root(o->motion.model) >= 0)
        return LB_OK;
    TRY(lb_model_with_root(o->motion.model, LB_JOINT_FLOATING, o->given.load.allocator, &o->moving,
                           o->error));
    o->motion.model = o->moving;
    o->motion.root_added = true;
    return LB_OK;
}

/* after its root: the view is of the model that moves */
static lb_status narrow_limits(opening *o)
{
    const lb_model *model = o->motion.model;
    if (o->given.limits == NULL)
        return LB_OK;
    o->limits = memory_take(&o->memory, (size_t)lb_model_joint_count(model), sizeof *o->limits);
    TRY(require_memory(o->error, o->limits));
    TRY(lb_joint_limits_load(o->given.limits, model, &o->given.load, o->limits, o->error));
    TRY(lb_model_with_limits(model, o->limits, o->given.load.allocator, &o->view, o->error));
    o->motion.limits = o->limits;
    o->motion.model = o->view;
    error_set_path(o->error, o->path);
    return LB_OK;
}

/* ---- kinds -------------------------------------------------------------- */

static lb_status refuse_option(const opening *o, const char *option, const char *own)
{
    return REFUSE_UNSUPPORTED(o->error, "%s: the file (%s) has its own %s", option,
                              lb_motion_kind_text(o->motion.kind), own);
}

/* what is given for tables without times, and for poses */
static lb_status refuse_rate(const opening *o)
{
    if (o->given.rate > 0)
        return refuse_option(o, "frames a second, --source-fps", "times");
    return LB_OK;
}

static lb_status read_bvh(opening *o)
{
    lb_bvh_options options = {o->given.load, o->given.unit, o->given.up, o->given.rest,
                              o->given.rest_index};
    TRY(lb_bvh_load_memory(o->path, o->text, o->size, &options, &o->bvh, o->error));
    o->motion.bvh = o->bvh;
    o->motion.model = lb_bvh_model(o->bvh);
    o->motion.rest = lb_bvh_rest_pose(o->bvh);
    if (o->given.at_rest)
        return LB_OK;
    o->motion.clip = o->motion.as_read = lb_bvh_motion(o->bvh);
    if (!lb_bvh_describe(o->bvh).rest_given)
        o->motion.as_read = lb_bvh_clip(o->bvh);
    return LB_OK;
}

/* the index of the animation that is asked for, by name or number; -1 after an error */
static int find_animation(const opening *o, int count)
{
    const char *wanted = o->given.animation;
    int found = lb_gltf_find_animation(o->gltf, wanted);
    char *end;
    long number = strtol(wanted, &end, 10);
    if (found < 0 && *wanted != '\0' && *end == '\0' && number >= 0 && number < count)
        found = (int)number;
    if (found >= 0)
        return found;
    suggest nearest = suggest_start(wanted);
    for (int i = 0; i < count; i++)
        suggest_consider(&nearest, lb_gltf_animation_name(o->gltf, i));
    if (count == 0)
        lb_error_set(o->error, LB_NOT_FOUND, 0, "no animation '%.100s': the file has no animations",
                     wanted);
    else
        lb_error_set(o->error, LB_NOT_FOUND, 0,
                     "no animation '%.100s' among the %d of the file, whose numbers are 0 to %d%s",
                     wanted, count, count - 1, suggest_phrase(&nearest));
    return -1;
}

/* of a regular file by its path: buffers are beside it */
static lb_status read_gltf(opening *o)
{
    lb_gltf_options options = lb_gltf_options_default();
    options.load = o->given.load;
    options.unit = o->given.unit;
    options.up = o->given.up;
    TRY(o->regular ? lb_gltf_load(o->path, &options, &o->gltf, o->error)
                   : lb_gltf_load_memory(o->path, o->text, o->size, &options, &o->gltf, o->error));
    int count = lb_gltf_describe(o->gltf).animations;
    o->motion.gltf = o->gltf;
    o->motion.model = lb_gltf_model(o->gltf);
    if (o->given.at_rest)
        return LB_OK;
    o->motion.animation = o->given.animation != NULL ? find_animation(o, count)
                          : count > 0                ? 0
                                                     : -1;
    if (o->motion.animation < 0)
        return o->given.animation != NULL ? LB_NOT_FOUND : LB_OK;
    return lb_gltf_clip(o->gltf, o->motion.animation, o->given.load.allocator, &o->clip, o->error);
}

/* frames a second of a table without times; 0: those of its kind */
static double table_rate(opening *o)
{
    o->motion.rate_assumed = o->given.rate == 0 && o->given.usual_rate == 0;
    return o->given.rate > 0 ? o->given.rate : o->given.usual_rate;
}

static lb_status read_smpl(opening *o)
{
    MEMORY_POOL(memory, &o->memory);
    load_warnings warnings = {.options = &o->given.load, .path = o->path};
    smpl_file file = {.body = o->given.body, .up = o->given.up, .warnings = &warnings};
    char *body = NULL;
    if (file.body != NULL)
        TRY(file_read(file.body, &memory, &body, &file.body_size, o->error));
    file.body_bytes = body;
    TRY(smpl_open(&file, o->text, o->size, &memory, o->error));
    if (file.rate > 0)
        TRY(refuse_rate(o));
    else if ((file.rate = table_rate(o)) == 0)
        file.rate = USUAL_RATE;
    TRY(smpl_model(&file, &o->memory, &o->moving, o->error));
    o->motion.model = o->moving;
    if (!o->given.at_rest)
        TRY(smpl_clip(&file, o->moving, &o->memory, &o->clip, o->error));
    return warnings_refuse_strict(&warnings, o->error);
}

/* whether one of its joints is a root that moves freely */
static bool has_floating_joint(const lb_document *document)
{
    const tree_node *joints = tree_member(tree_root(document), "joints");
    for (int i = 0; i < tree_array_size(joints); i++) {
        const char *kind = tree_string(tree_member(tree_element(joints, i), "kind"));
        if (kind != NULL && strcmp(kind, lb_joint_kind_text(LB_JOINT_FLOATING)) == 0)
            return true;
    }
    return false;
}

static lb_status read_json(opening *o)
{
    lb_document *document;
    MEMORY_POOL(memory, &o->memory);
    TRY(refuse_rate(o));
    TRY(parse_text(json_parse, o->text, o->size, NULL, &memory, &document, o->error));
    if (has_floating_joint(document))
        TRY(float_root(o));
    TRY(narrow_limits(o));
    return lb_clip_json_load_document(o->path, document, o->motion.model, o->given.load.allocator,
                                      &o->clip, o->error);
}

/* the archives of robots, which move its root */
static lb_status read_robot(opening *o)
{
    TRY(refuse_rate(o));
    TRY(float_root(o));
    TRY(narrow_limits(o));
    const lb_model *model = o->motion.model;
    return o->motion.kind == LB_MOTION_PKL
               ? robot_pkl_read(o->text, o->size, model, o->given.load.allocator, &o->clip,
                                o->error)
               : lb_robot_npz_load_memory(o->path, o->text, o->size, model, &o->given.load,
                                          &o->clip, o->error);
}

static lb_status read_robot_table(opening *o)
{
    lb_robot_csv_options options = {o->given.load.allocator, LB_ROBOT_CSV_LAFAN1, table_rate(o)};
    if (o->motion.kind == LB_MOTION_BONES)
        options.kind = LB_ROBOT_CSV_BONES;
    TRY(float_root(o));
    TRY(narrow_limits(o));
    return lb_robot_csv_load_memory(o->path, o->text, o->size, o->motion.model, &options, &o->clip,
                                    o->error);
}

/* ---- poses -------------------------------------------------------------- */

/* the rows of the file; from memory where it can be read once */
static lb_status open_rows(opening *o, pose_table *table)
{
    file_reader file = {.path = o->path, .own = true};
    lb_status status = LB_OK;
    if (o->regular)
        status = file_open(&file, o->path, o->error);
    else if ((file.stream = fmemopen(o->text, o->size, "rb")) == NULL)
        status = error_out_of_memory(o->error);
    return status == LB_OK
               ? pose_table_open(table, o->motion.model, file, o->path,
                                 o->given.degrees ? LB_PI / 180 : 1, &o->memory, o->error)
               : status;
}

/* whether the header has a column that only a root which moves freely has */
static bool has_root_column(opening *o)
{
    csv_table table = {0};
    bool moves = false;
    if (!o->regular || csv_open(o->path, &o->memory, &table, NULL) != LB_OK)
        return false;
    for (int i = 0; i < table.columns && !moves; i++)
        moves = strcmp(table.names[i], "root.z") == 0;
    csv_release(&table);
    return moves;
}

static void warn_of_quaternions(const opening *o, int changed)
{
    lb_error warning = {.status = LB_OK};
    if (changed == 0 || o->given.load.warn == NULL)
        return;
    error_set_path(&warning, o->path);
    lb_error_set(&warning, LB_OK, 0, "%d quaternion%s not of length 1, now normalised", changed,
                 changed == 1 ? "" : "s");
    o->given.load.warn(o->given.load.user, &warning);
}

static lb_status read_poses(opening *o)
{
    ENDS_BY(pose_table_release) pose_table table = {0};
    if (has_root_column(o))
        TRY(float_root(o));
    TRY(narrow_limits(o));
    TRY(open_rows(o, &table));
    if (table.time >= 0)
        TRY(refuse_rate(o));
    double rate = table.time < 0 ? table_rate(o) : 0;
    TRY(pose_table_clip(&table, rate > 0 ? rate : USUAL_RATE, &o->clip, o->error));
    warn_of_quaternions(o, table.changed);
    return LB_OK;
}

/* ---- all ---------------------------------------------------------------- */

typedef lb_status kind_read(opening *o);

static kind_read *const readers[LB_MOTION_COUNT] = {
    [LB_MOTION_BVH] = read_bvh,           [LB_MOTION_GLTF] = read_gltf,
    [LB_MOTION_GLB] = read_gltf,          [LB_MOTION_JSON] = read_json,
    [LB_MOTION_SMPL] = read_smpl,         [LB_MOTION_PKL] = read_robot,
    [LB_MOTION_NPZ] = read_robot,         [LB_MOTION_LAFAN1] = read_robot_table,
    [LB_MOTION_BONES] = read_robot_table, [LB_MOTION_POSES] = read_poses};

static lb_status refuse_unknown(const opening *o)
{
    bool built_in = !o->regular && lb_embedded_find(o->path) != NULL;
    return REFUSE_UNSUPPORTED(
        o->error,
        "%s no motion: a BVH begins with HIERARCHY, a glTF has \"asset\", JSON "
        "\"limber_motion\", a table numbers or names and commas; .npz, .npy and .pkl "
        "are read, too",
        built_in ? "a built-in model has" : "it holds");
}

/* what has no effect on a kind is refused before it is read */
static lb_status check_options(const opening *o)
{
    const lb_motion_options *given = &o->given;
    lb_motion_kind kind = o->motion.kind;
    bool figure = lb_motion_has_figure(kind);
    if (figure && given->model != NULL)
        return REFUSE_UNSUPPORTED(o->error,
                                  "it has a figure of its own (%s), so it does not move '%.60s'; "
                                  "retargeting makes that follow it",
                                  lb_motion_kind_text(kind), lb_model_name(given->model));
    if (!figure && given->model == NULL)
        return REFUSE_UNSUPPORTED(o->error,
                                  "it is a table of motion (%s); name the model that it moves",
                                  lb_motion_kind_text(kind));
    if (figure && given->rate > 0 && kind != LB_MOTION_SMPL)
        return refuse_rate(o);
    if (kind == LB_MOTION_SMPL && given->unit > 0)
        return refuse_option(o, "unit, --unit", "unit, the metre");
    if (given->body != NULL && kind != LB_MOTION_SMPL)
        return REFUSE_UNSUPPORTED(o->error,
                                  "a body (--body) has no effect: a file of SMPL alone has none");
    if (!figure && (given->unit > 0 || given->up != LB_BVH_UP_RECOGNISE))
        return refuse_option(o, "unit, up", "unit and axes");
    if (given->rest != LB_BVH_REST_RECOGNISE && kind != LB_MOTION_BVH)
        return REFUSE_UNSUPPORTED(o->error,
                                  "a rest frame (--rest-frame) has no effect: a BVH alone has one");
    if (given->animation != NULL && kind != LB_MOTION_GLTF && kind != LB_MOTION_GLB)
        return REFUSE_UNSUPPORTED(
            o->error, "the name of an animation (--clip) has no effect: a glTF alone has "
                      "several");
    if (given->degrees && kind != LB_MOTION_POSES)
        return refuse_option(o, "degrees, --source-degrees", "unit of angles");
    return LB_OK;
}

/* what the file is, and its text where the kind is not read from the path */
static lb_status find_kind(opening *o, const lb_allocator *memory)
{
    lb_motion_kind kind = lb_motion_find(o->path);
    o->regular = file_is_regular(o->path);
    bool by_path = kind == LB_MOTION_GLTF || kind == LB_MOTION_GLB || kind == LB_MOTION_POSES;
    if (!o->regular && lb_embedded_find(o->path) != NULL)
        return refuse_unknown(o);
    if (!o->regular || !by_path) {
        TRY(file_read(o->path, memory, &o->text, &o->size, o->error));
        if (o->size == 0)
            return lb_error_set(o->error, LB_SYNTAX_ERROR, 0, "the file is empty");
    }
    if (!o->regular)
        kind = lb_motion_recognise(o->path, o->text, o->size);
    // over a model anything may be poses, which are refused by their names
    if (kind == LB_MOTION_UNKNOWN && o->given.model != NULL)
        kind = memchr(o->text, '{', o->size) != NULL ? LB_MOTION_JSON : LB_MOTION_POSES;
    o->motion.kind = o->given.kind != LB_MOTION_UNKNOWN ? o->given.kind : kind;
    return o->motion.kind == LB_MOTION_UNKNOWN ? refuse_unknown(o) : LB_OK;
}

static lb_status read_motion(opening *o)
{
    lb_motion *motion = &o->motion;
    MEMORY_POOL(memory, &o->memory);
    TRY(find_kind(o, &memory));
    TRY(check_options(o));
    motion->model = o->given.model;
    TRY(readers[motion->kind](o));
    if (o->clip != NULL)
        motion->clip = motion->as_read = o->clip;
    motion->rate = motion->clip != NULL ? lb_clip_rate(motion->clip, CLIP_EVEN) : 0;
    motion->root_moves = kinds_root_moves(motion->model);
    return LB_OK;
}

lb_status lb_motion_open(const char *path, const lb_motion_options *options, lb_motion **motion,
                         lb_error *error)
{
    lb_error local;
    error = error != NULL ? error : &local;
    if (motion != NULL)
        *motion = NULL;
    error_begin(error, path);
    TRY(REQUIRE(error, {path, "path"}, {motion, "motion"}));
    lb_motion_options given = options == NULL ? lb_motion_options_default() : *options;
    lb_allocator memory = memory_allocator(given.load.allocator);
    opening *o = memory_take(&memory, 1, sizeof *o);
    TRY(require_memory(error, o));
    *o = (opening){.memory = memory, .given = given, .path = path, .error = error};
    o->motion.animation = -1;
    lb_status status = read_motion(o);
    if (status == LB_OK)
        *motion = &o->motion;
    else
        lb_motion_release(&o->motion);
    return status;
}

void lb_motion_release(lb_motion *motion)
{
    opening *o = (opening *)motion;
    if (o == NULL)
        return;
    lb_allocator memory = o->memory;
    lb_clip_release(o->clip);
    lb_model_release(o->view);
    lb_model_release(o->moving);
    memory_release(&memory, o->limits);
    lb_bvh_release(o->bvh);
    lb_gltf_release(o->gltf);
    memory_release(&memory, o);
}
