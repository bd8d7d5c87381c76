/*
 * clip_files.c - motion in files.
 *
 * A format that is written is one row of clip_file_formats, one that is read over a model one of
 * the table `readers`; the first bytes of a file decide.
 */
#include "cli/work/clip_files.h"

#include "base/error.h"
#include "cli/options/arguments.h"
#include "cli/options/poses.h"
#include "cli/options/values.h"
#include "cli/report/report.h"
#include "cli/report/rows.h"
#include "formats/csv.h"
#include "formats/file.h"
#include "formats/robot_joints.h"
#include "motion/clip.h"

#include <limber/formats/clip_json.h>
#include <limber/formats/robot_csv.h>
#include <limber/formats/robot_npz.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading ------------------------------------------------------------ */

/* A whole file that is being read over a model. */
typedef struct whole_file {
    const char *path;
    char *text;
    size_t size;
    const lb_model *model;
    table_rate rate;
} whole_file;

typedef struct file_reading {
    bool (*moves_root)(const whole_file *file);
    bool (*recognise)(const whole_file *file);
    lb_status (*read)(const whole_file *file, lb_clip **made, lb_error *error);
} file_reading;

static void print_warning(void *user, const lb_error *warning)
{
    (void)user;
    remark_error(warning);
}

static lb_status refuse_rate(lb_error *error)
{
    return lb_error_set(error, LB_UNSUPPORTED, 0, "--source-fps: the file has its own times");
}

/* a robot's kinds always have where its root is */
static bool always_moves(const whole_file *file)
{
    (void)file;
    return true;
}

/* of an empty file the name alone is known */
static bool has_ending(const whole_file *file, const char *ending)
{
    const char *dot = strrchr(file->path, '.');
    return dot != NULL && strcasecmp(dot, ending) == 0;
}

static bool is_archive(const whole_file *file)
{
    return has_ending(file, ".npz") || (file->size >= 2 && memcmp(file->text, "PK", 2) == 0);
}

static lb_status read_archive(const whole_file *file, lb_clip **made, lb_error *error)
{
    lb_load_options options = {.warn = print_warning};
    if (file->rate.given > 0)
        return refuse_rate(error);
    return lb_robot_npz_load_memory(file->path, file->text, file->size, file->model, &options, made,
                                    error);
}

static bool is_json(const whole_file *file)
{
    size_t at = file->size >= 3 && memcmp(file->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < file->size && strchr(" \t\r\n", file->text[at]) != NULL && file->text[at] != '\0')
        at++;
    return has_ending(file, ".json") || (at < file->size && file->text[at] == '{');
}

static lb_status read_json(const whole_file *file, lb_clip **made, lb_error *error)
{
    if (file->rate.given > 0)
        return refuse_rate(error);
    return lb_clip_json_load_memory(file->path, file->text, file->size, file->model, NULL, made,
                                    error);
}

/* whether one of its joints is a root that moves freely */
static bool json_moves_root(const whole_file *file)
{
    const char *begin = memchr(file->text, '{', file->size);
    size_t before = begin != NULL ? (size_t)(begin - file->text) : file->size;
    json_t *all = json_loadb(file->text + before, file->size - before, 0, NULL);
    const json_t *joints = json_object_get(all, "joints");
    bool found = false;
    for (size_t i = 0; i < json_array_size(joints) && !found; i++) {
        const char *kind = json_string_value(json_object_get(json_array_get(joints, i), "kind"));
        found = kind != NULL && strcmp(kind, lb_joint_kind_text(LB_JOINT_FLOATING)) == 0;
    }
    json_decref(all);
    return found;
}

/* what a file without times was read as, unless the user said so; a single row has no rate */
static void note_rate(const whole_file *file, const lb_clip *made)
{
    double rate = lb_clip_rate(made, CLIP_EVEN);
    if (file->rate.given == 0 && file->rate.known == 0 && rate > 0)
        remark("%s: no times are in it; %g frames a second are assumed, --source-fps N says "
               "otherwise",
               file->path, rate);
}

static bool is_robot_table(const whole_file *file)
{
    return lb_robot_csv_recognise(file->text, file->size) != LB_ROBOT_CSV_RECOGNISE;
}

static lb_status read_robot_table(const whole_file *file, lb_clip **made, lb_error *error)
{
    double rate = file->rate.given > 0 ? file->rate.given : file->rate.known;
    lb_robot_csv_options options = {.rate = rate};
    lb_status status = lb_robot_csv_load_memory(file->path, file->text, file->size, file->model,
                                                &options, made, error);
    if (status == LB_OK)
        note_rate(file, *made);
    return status;
}

static const file_reading readers[] = {{always_moves, is_archive, read_archive},
                                       {json_moves_root, is_json, read_json},
                                       {always_moves, is_robot_table, read_robot_table}};

/* the row of a file, whose text is then to be released; NULL: it is a table of poses or, with
 *error, a file of another ending that cannot be read */
static const file_reading *find_reader(whole_file *file, lb_error *error)
{
    // poses may come from standard input or a pipe, in blocks: these can be read once
    if (!file_is_regular(file->path))
        return NULL;
    if (file_read(file->path, NULL, &file->text, &file->size, error) != LB_OK) {
        // poses may also be more than is read at once
        if (!has_ending(file, ".npz") && !has_ending(file, ".json"))
            *error = (lb_error){0};
        return NULL;
    }
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i].recognise(file))
            return &readers[i];
    return NULL;
}

/* whether a table of poses has a column that only a root which moves freely has, as limber calls it
 */
static bool poses_move_root(const char *path)
{
    csv_table table = {0};
    bool moves = false;
    // standard input or a pipe can be read once
    if (!file_is_regular(path) || csv_open(path, NULL, &table, NULL) != LB_OK)
        return false;
    for (int i = 0; i < table.columns && !moves; i++)
        moves = strcmp(table.names[i], "root.z") == 0;
    csv_release(&table);
    return moves;
}

bool clip_file_moves_root(const char *path)
{
    whole_file file = {.path = path};
    lb_error error = {0};
    const file_reading *how = find_reader(&file, &error);
    bool moves = how != NULL ? how->moves_root(&file) : poses_move_root(path);
    free(file.text);
    return moves;
}

/* rows under a header of value names, or an array */
static bool read_poses(const whole_file *file, lb_clip **made)
{
    pose_list keys = {0};
    lb_error error = {0};
    angles_of_source(true);
    bool found = poses_from_file(file->model, file->path, &keys);
    angles_of_source(false);
    if (!found)
        return false;
    if (keys.times != NULL && file->rate.given > 0) {
        (void)refuse_rate(&error);
        complain("%s: %s", file->path, error.message);
        poses_release(&keys);
        return false;
    }
    const table_rate *r = &file->rate;
    double rate = r->given > 0 ? r->given : r->known > 0 ? r->known : r->poses;
    double *times = allocate_or_exit((size_t)keys.count, sizeof *times);
    for (int i = 0; i < keys.count; i++)
        times[i] = keys.times != NULL ? keys.times[i] : i / rate;
    bool fine = lb_clip_create(file->model, times, keys.q, keys.count, LB_INTERPOLATION_LINEAR,
                               NULL, made, &error) == LB_OK;
    if (!fine)
        complain("%s: %s", file->path, error.message);
    else if (keys.times == NULL)
        note_rate(file, *made);
    free(times);
    poses_release(&keys);
    return fine;
}

bool clip_file_read(const char *path, const lb_model *model, const table_rate *rate, lb_clip **made)
{
    whole_file file = {.path = path, .model = model, .rate = *rate};
    lb_error error = {0};
    const file_reading *how = find_reader(&file, &error);
    bool poses = how == NULL && error.status == LB_OK, fine = false;
    if (poses)
        fine = read_poses(&file, made);
    else if (how != NULL && angles_of_source_given())
        error.status = lb_error_set(&error, LB_UNSUPPORTED, 0,
                                    "--source-degrees has no effect: the file says what its "
                                    "angles are in");
    else if (how != NULL)
        fine = how->read(&file, made, &error) == LB_OK;
    if (!fine && !poses) {
        snprintf(error.path, sizeof error.path, "%s", path);
        complain_error(&error);
    }
    free(file.text);
    return fine;
}

/* ---- writing ------------------------------------------------------------ */

static bool write_piece(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static lb_status refuse_rest(lb_error *error)
{
    return lb_error_set(error, LB_UNSUPPORTED, 0,
                        "there is no motion to write; --keys FILE gives one");
}

static lb_status check_even(const lb_clip *clip, lb_error *error)
{
    if (lb_clip_count(clip) > 1 && lb_clip_rate(clip, CLIP_EVEN) == 0)
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "the keys are not evenly spaced; --fps N resamples the motion");
    return LB_OK;
}

/* the motion at keys that are evenly spaced, as some formats want them; *own is to be released */
static lb_status make_even(const lb_clip *clip, lb_clip **own, lb_error *error)
{
    *own = NULL;
    lb_status status = check_even(clip, error);
    if (status != LB_OK || lb_clip_interpolation(clip) != LB_INTERPOLATION_LINEAR)
        return status == LB_OK ? lb_clip_even(clip, CLIP_EVEN, NULL, own, error) : status;
    // between keys that are near even times straight lines are the same at either
    *own = clip_evened(clip);
    return *own != NULL ? LB_OK : error_out_of_memory(error);
}

/* of a figure that is from no BVH file, one made of its motion */
static lb_status write_made_bvh(const lb_clip *clip, FILE *stream, lb_error *error)
{
    lb_bvh *made = NULL;
    lb_clip *even;
    lb_status status = make_even(clip, &even, error);
    if (status == LB_OK)
        status = lb_bvh_make(even, NULL, &made, error);
    if (status == LB_OK)
        status = lb_bvh_write(made, NULL, write_piece, stream, NULL, error);
    lb_bvh_release(made);
    lb_clip_release(even);
    return status;
}

static lb_status write_bvh(const clip_file *file, FILE *stream, lb_error *error)
{
    const lb_bvh *of = file->of->bvh;
    if (of == NULL)
        return file->clip == NULL ? refuse_rest(error) : write_made_bvh(file->clip, stream, error);
    lb_status status = file->clip != NULL ? check_even(file->clip, error) : LB_OK;
    return status == LB_OK ? lb_bvh_write(of, file->clip, write_piece, stream, NULL, error)
                           : status;
}

/* the name of the animation that a clip becomes which is not the figure's own */
static const char *animation_name(const clip_file *file)
{
    const char *own = lb_gltf_animation_name(file->of->gltf, file->of->animation);
    return file->name != NULL ? file->name : own != NULL && *own != '\0' ? own : "motion";
}

/* the figure with its animations, and with a clip that is not one of them as one more */
static lb_status write_gltf(const clip_file *file, FILE *stream, bool binary, lb_error *error)
{
    lb_gltf_write_options options = {.binary = binary};
    lb_gltf_animation animation = {.clip = file->clip};
    bool edited = file->clip != file->of->own_clip;
    if (file->of->gltf == NULL)
        return lb_error_set(error, LB_UNSUPPORTED, 0,
                            "only a glTF has the nodes and meshes that a glTF needs; limber "
                            "retarget --to FIGURE.glb moves one");
    if (edited)
        animation.name = animation_name(file);
    return lb_gltf_write(file->of->gltf, &animation, edited ? 1 : 0, &options, write_piece, stream,
                         error);
}

static lb_status write_gltf_text(const clip_file *file, FILE *stream, lb_error *error)
{
    return write_gltf(file, stream, false, error);
}

static lb_status write_glb(const clip_file *file, FILE *stream, lb_error *error)
{
    return write_gltf(file, stream, true, error);
}

static lb_status write_json(const clip_file *file, FILE *stream, lb_error *error)
{
    char *text = NULL;
    if (file->clip == NULL)
        return refuse_rest(error);
    lb_status status = lb_clip_json_write(file->clip, NULL, &text, error);
    if (status == LB_OK)
        fputs(text, stream);
    free(text);
    return status;
}

static lb_status write_npz(const clip_file *file, FILE *stream, lb_error *error)
{
    void *bytes = NULL;
    size_t size;
    lb_clip *even;
    if (file->clip == NULL)
        return refuse_rest(error);
    lb_status status = make_even(file->clip, &even, error);
    if (status == LB_OK)
        status = lb_robot_npz_write(even, NULL, &bytes, &size, error);
    if (status == LB_OK)
        fwrite(bytes, 1, size, stream);
    free(bytes);
    lb_clip_release(even);
    return status;
}

/* ---- tables ------------------------------------------------------------- */

/* whether it is a robot: no captured figure, with a free root and joints of one value */
static bool is_robot(const clip_file *file)
{
    int root, joints;
    return file->of->bvh == NULL && file->of->gltf == NULL &&
           robot_joints_check(file->model, &root, &joints, NULL) == LB_OK && joints > 0;
}

static int count_keys(const void *clip)
{
    return lb_clip_count(clip);
}

static void name_key(const void *clip, int i, row *to)
{
    column_number(to, "time", lb_clip_times(clip)[i]);
    column_joints(to, lb_clip_model(clip), lb_clip_key(clip, i));
}

/* a table is read at the rate of its kind: another one must be known */
static void note_written_rate(const lb_clip *clip, lb_robot_csv kind)
{
    double rate = lb_clip_rate(clip, CLIP_EVEN), usual = lb_robot_csv_rate(kind);
    if (rate > 0 && fabs(rate / usual - 1) > CLIP_EVEN)
        remark("%.6g frames a second are written into a table without times, and %s is read as "
               "%g: add --fps %g to resample it here, or --source-fps %.6g to the command that "
               "reads it",
               rate, lb_robot_csv_text(kind), usual, usual, rate);
}

/* frames of a robot's table are evenly spaced */
static lb_status write_robot_table(const lb_clip *clip, lb_robot_csv kind, FILE *stream,
                                   lb_error *error)
{
    lb_clip *even;
    lb_status status = make_even(clip, &even, error);
    if (status == LB_OK)
        status = lb_robot_csv_write(even, kind, write_piece, stream, error);
    if (status == LB_OK)
        note_written_rate(even, kind);
    lb_clip_release(even);
    return status;
}

static lb_status write_table(const clip_file *file, FILE *stream, lb_error *error)
{
    int kind = file->table;
    if (file->clip == NULL)
        return refuse_rest(error);
    // limber's own has the place of a table that is yet to be recognised
    if (kind == CLIP_TABLE_BY_MODEL)
        kind = is_robot(file) ? LB_ROBOT_CSV_LAFAN1 : LB_ROBOT_CSV_RECOGNISE;
    if (kind != LB_ROBOT_CSV_RECOGNISE)
        return write_robot_table(file->clip, (lb_robot_csv)kind, stream, error);
    table_csv(&(result_table){count_keys, name_key}, file->clip, stream);
    return LB_OK;
}

/* ---- all ---------------------------------------------------------------- */

const clip_file_format clip_file_formats[] = {
    {".csv", write_table},      {".bvh", write_bvh}, {".npz", write_npz}, {".json", write_json},
    {".gltf", write_gltf_text}, {".glb", write_glb}, {".vrm", write_glb}, {NULL, NULL}};

enum { MOST_FORMATS = 16 };

static bool has_row(const clip_file_format *formats, const char *ending)
{
    for (; formats != NULL && formats->ending != NULL; formats++)
        if (strcmp(formats->ending, ending) == 0)
            return true;
    return false;
}

clip_file_writer *clip_file_find(const char *option, const char *path,
                                 const clip_file_format *others)
{
    const char *endings[MOST_FORMATS];
    const clip_file_format *rows[MOST_FORMATS];
    int count = 0, which;
    for (const clip_file_format *f = others; f != NULL && f->ending != NULL; f++)
        rows[count++] = f;
    // the first row of an ending counts
    for (const clip_file_format *f = clip_file_formats; f->ending != NULL; f++)
        if (!has_row(others, f->ending))
            rows[count++] = f;
    for (int i = 0; i < count; i++)
        endings[i] = rows[i]->ending;
    return argument_ending(option, path, endings, count, &which) ? rows[which]->write : NULL;
}

bool clip_file_check_name(const char *name, clip_file_writer *write)
{
    bool named = name == NULL || write == write_gltf_text || write == write_glb;
    if (!named)
        complain("--name has no effect without --output FILE.glb or .gltf: other files have no "
                 "animations with names");
    return named;
}

bool clip_file_write(const char *path, clip_file_writer *write, const clip_file *file)
{
    file_writer writer = {0};
    lb_error error = {0};
    lb_status status = file_begin(&writer, path, &error);
    if (status == LB_OK)
        status = write(file, writer.stream, &error);
    // it is the commit that says why the system took no more
    if (status == LB_OK || (writer.stream != NULL && ferror(writer.stream)))
        status = file_commit(&writer, &error);
    file_discard(&writer);
    return complain_unless(status, &error);
}
