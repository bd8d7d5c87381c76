/*
 * targets.c - the targets of inverse kinematics that a user gives.
 */
#include "cli/options/targets.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/report/report.h"
#include "model/range.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option position_given, rpy_given, quaternion_given, targets_file;

const struct poptOption rotation_options[] = {
    OPTION_TEXTS("rpy", rpy_given, "\"R P Y\"",
                 "how the tip shall be turned: roll, pitch, yaw about the base's fixed x, y, z"),
    OPTION_TEXTS("quaternion", quaternion_given, "\"W X Y Z\"", "the same as a quaternion"),
    OPTION_END,
};

const struct poptOption target_options[] = {
    OPTION_TEXTS("position", position_given, "\"X Y Z\"",
                 "where the tip's origin shall be, in metres in the base's frame"),
    OPTION_TABLE(rotation_options),
    OPTION_TEXT(
        "targets", targets_file, "T.csv",
        "many targets, a row each under the header x,y,z,qw,qx,qy,qz or "
        "x,y,z,roll,pitch,yaw; x,y,z alone for positions, the others alone for rotations; "
        "or an array T.npy of 7, 6, 3 or 4 such columns or of matrices, (N, 4, 4), (N, 3, 4) or "
        "a single one; - is standard input"),
    OPTION_END,
};

/* ---- one target --------------------------------------------------------- */

/* only the several tips of limber ik take these options as often as there are tips */
static void check_once(const char *name, text_option option)
{
    if (option_count(option) > 1)
        refuse("%s is given twice", name);
}

/* of the texts of the two options one is NULL, or both are */
static lb_quat read_rotation(const char *rpy, const char *quaternion)
{
    double unit = angle_unit(), q[4] = {1}, angles[3];
    int changed = 0;
    if (rpy != NULL) {
        argument_numbers("--rpy", rpy, "roll pitch yaw", 3, angles);
        angles_remark("--rpy", angles, 3);
        return lb_quat_from_rpy(angles[0] * unit, angles[1] * unit, angles[2] * unit);
    }
    if (quaternion != NULL)
        argument_numbers("--quaternion", quaternion, "w x y z", 4, q);
    if (!quaternion_normalize(q, &changed))
        refuse("--quaternion: a quaternion of length 0 is no rotation");
    if (changed > 0)
        remark("--quaternion: not of length 1, now normalised");
    return (lb_quat){q[0], q[1], q[2], q[3]};
}

static bool is_turned(void)
{
    return rpy_given != NULL || quaternion_given != NULL;
}

static void check_one_way(void)
{
    if (rpy_given != NULL && quaternion_given != NULL)
        refuse("--rpy and --quaternion cannot both be given");
}

bool rotation_given(lb_quat *rotation)
{
    check_one_way();
    check_once("--rpy", rpy_given);
    check_once("--quaternion", quaternion_given);
    *rotation = read_rotation(option_text(rpy_given), option_text(quaternion_given));
    return is_turned();
}

static lb_vec3 read_position(const char *text)
{
    lb_vec3 at = text != NULL ? argument_vector("--position", text) : lb_vec3_make(0, 0, 0);
    if (!range_has_point(at))
        refuse("--position: %g %g %g is farther than %g m", at.x, at.y, at.z, LB_LENGTH_MAX);
    return at;
}

static lb_task_kind kind_of_target(bool placed, bool turned)
{
    return !turned ? LB_TASK_POSITION : !placed ? LB_TASK_ROTATION : LB_TASK_POSE;
}

/* begins with the tips' columns */
static void start(target_source *source, const char *const *names, int tips)
{
    source->names = names;
    source->tip_count = tips;
    source->tips = allocate_or_exit((size_t)tips, sizeof *source->tips);
}

static void read_single(target_source *source)
{
    lb_quat rotation;
    check_once("--position", position_given);
    lb_vec3 position = read_position(option_text(position_given));
    bool turned = rotation_given(&rotation);
    start(source, NULL, 1);
    source->kind = kind_of_target(position_given != NULL, turned);
    source->tips[0].given = lb_transform_from_quat(rotation, position);
}

/* ---- one for each of several tips ---------------------------------------- */

/* an option is given for each tip, or for none */
static void check_for_each(const char *name, text_option option, int tips)
{
    int count = option_count(option);
    if (count != 0 && count != tips)
        refuse("%s: %d for %d tips; give one for each, in the order of --tip", name, count, tips);
}

bool targets_are_several(void)
{
    return option_count(position_given) > 1 || option_count(rpy_given) > 1 ||
           option_count(quaternion_given) > 1;
}

static void read_tips(target_source *source)
{
    int tips = source->tip_count;
    bool placed = position_given != NULL;
    if (targets_file != NULL || (!placed && !is_turned()))
        refuse("several tips: give each its --position, --rpy or --quaternion, or --targets with "
               "columns of all of them");
    check_one_way();
    check_for_each("--position", position_given, tips);
    check_for_each("--rpy", rpy_given, tips);
    check_for_each("--quaternion", quaternion_given, tips);
    for (int i = 0; i < tips; i++) {
        lb_vec3 position = read_position(placed ? position_given[i] : NULL);
        lb_quat rotation = read_rotation(rpy_given != NULL ? rpy_given[i] : NULL,
                                         quaternion_given != NULL ? quaternion_given[i] : NULL);
        source->tips[i].kind = kind_of_target(placed, is_turned());
        source->tips[i].given = lb_transform_from_quat(rotation, position);
    }
}

/* ---- a table of targets ------------------------------------------------- */

static const char *const column_names[TARGET_COLUMNS] = {"x",  "y",  "z",    "qw",    "qx",
                                                         "qy", "qz", "roll", "pitch", "yaw"};

/* every column of the file must be one of ours */
static bool is_tip_column(const target_source *source, const char *name)
{
    for (int i = 0; i < source->tip_count; i++) {
        size_t size = strlen(source->names[i]);
        if (strncmp(name, source->names[i], size) != 0 || name[size] != '.')
            continue;
        if (text_index(name + size + 1, column_names, TARGET_COLUMNS) >= 0)
            return true;
    }
    return false;
}

/* of several tips every column is one of theirs */
static lb_status check_tip_names(const target_source *source, lb_error *error)
{
    const csv_table *table = &source->table.text;
    for (int c = 0; c < table->columns; c++)
        if (!is_tip_column(source, csv_name(table, c)))
            return lb_error_set(error, LB_BAD_VALUE, 1,
                                "unknown column '%s'%s; those of several tips are named '%.40s.x' "
                                "and so on",
                                csv_name(table, c), csv_header_doubt(table, c), source->names[0]);
    return LB_OK;
}

static lb_status check_names(const target_source *source, lb_error *error)
{
    const csv_table *table = &source->table.text;
    for (int c = 0; c < table->columns; c++) {
        if (source->timed && strcmp(csv_name(table, c), "time") == 0)
            continue;
        suggest nearest = suggest_start(csv_name(table, c));
        bool known = false;
        for (int k = 0; k < TARGET_COLUMNS; k++) {
            known = known || strcmp(csv_name(table, c), column_names[k]) == 0;
            suggest_consider(&nearest, column_names[k]);
        }
        if (!known)
            return lb_error_set(error, LB_BAD_VALUE, 1,
                                "unknown column '%s'%s%s targets have x,y,z and qw,qx,qy,qz or "
                                "roll,pitch,yaw",
                                csv_name(table, c), csv_header_doubt(table, c),
                                nearest.best != NULL ? suggest_phrase(&nearest) : ";");
    }
    return LB_OK;
}

enum { TARGET_NAME_SIZE = 256 };

static const char *column_name(const char *tip, int k, char name[TARGET_NAME_SIZE])
{
    snprintf(name, TARGET_NAME_SIZE, "%s%s%s", tip != NULL ? tip : "", tip != NULL ? "." : "",
             column_names[k]);
    return name;
}

/* places of the columns from `first` to before `end`: all or none of them */
static lb_status find_group(const csv_table *table, const char *tip, int first, int end,
                            int places[TARGET_COLUMNS], bool *complete, lb_error *error)
{
    int found = 0, missing = first;
    char name[TARGET_NAME_SIZE];
    for (int k = first; k < end; k++) {
        places[k] = csv_column(table, column_name(tip, k, name));
        if (places[k] >= 0)
            found++;
        else
            missing = k;
    }
    *complete = found == end - first;
    if (found == 0 || *complete)
        return LB_OK;
    return lb_error_set(error, LB_BAD_VALUE, 1, "column '%s' is missing",
                        column_name(tip, missing, name));
}

/* which columns a tip has, and so what its targets say */
static lb_status find_columns(const csv_table *table, const char *tip, target_columns *columns,
                              lb_error *error)
{
    static const int groups[] = {TARGET_PLACE, TARGET_QUATERNION, TARGET_ANGLES, TARGET_COLUMNS};
    bool has[3] = {false, false, false};
    for (int i = 0; i < 3; i++)
        TRY(find_group(table, tip, groups[i], groups[i + 1], columns->places, &has[i], error));
    if (has[1] && has[2])
        return lb_error_set(error, LB_BAD_VALUE, 1,
                            "quaternions and roll,pitch,yaw cannot both be given");
    if (!has[0] && !has[1] && !has[2])
        return lb_error_set(error, LB_BAD_VALUE, 1, "there is no column of the tip '%.100s'", tip);
    columns->kind = kind_of_target(has[0], has[1] || has[2]);
    return LB_OK;
}

/* the same of all tips */
static lb_status find_all(target_source *source, lb_error *error)
{
    const csv_table *table = &source->table.text;
    const char *const *names = source->names;
    lb_status status = names != NULL ? check_tip_names(source, error) : check_names(source, error);
    for (int i = 0; i < source->tip_count && status == LB_OK; i++)
        status = find_columns(table, names != NULL ? names[i] : NULL, &source->tips[i], error);
    return status;
}

/* what the columns of an array are, by their number */
static lb_status number_columns(target_source *source, lb_error *error)
{
    static const struct {
        int columns, first;
        lb_task_kind kind;
    } shapes[] = {{7, TARGET_PLACE, LB_TASK_POSE},
                  {6, TARGET_PLACE, LB_TASK_POSE},
                  {3, TARGET_PLACE, LB_TASK_POSITION},
                  {4, TARGET_QUATERNION, LB_TASK_ROTATION}};
    const npy_reader *array = &source->table.array;
    const int64_t *sizes = array->shape + (array->dimensions == 3);
    target_columns *columns = &source->tips[0];
    columns->kind = LB_TASK_POSE;
    source->matrices = array->dimensions > 1 && sizes[1] == 4 && (sizes[0] == 3 || sizes[0] == 4);
    if (source->matrices && array->dimensions == 2)
        table_join(&source->table);
    if (source->matrices)
        return LB_OK;
    for (int k = 0; k < TARGET_COLUMNS; k++)
        columns->places[k] = -1;
    for (size_t i = 0; array->dimensions < 3 && i < sizeof shapes / sizeof *shapes; i++) {
        if (shapes[i].columns != array->columns)
            continue;
        columns->kind = shapes[i].kind;
        // the last three of six are angles
        for (int c = 0; c < array->columns; c++)
            columns->places[shapes[i].first + c + (array->columns == 6 && c > 2 ? 4 : 0)] = c;
        return LB_OK;
    }
    return REFUSE_VALUE(error,
                        "its rows have %d numbers; targets have 7 (x y z qw qx qy qz), 6 (x y z "
                        "roll pitch yaw), 3, 4 (a quaternion), or are 4 x 4 or 3 x 4 matrices",
                        array->columns);
}

/* the transform of the rows of a matrix */
static lb_status read_matrix(const double m[16], lb_transform *target, lb_error *error)
{
    *target = (lb_transform){
        {m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}, {m[3], m[7], m[11]}};
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
        return REFUSE_VALUE(error, "the matrix's last row is not 0 0 0 1; is it transposed? (four "
                                   "quaternions alone: as CSV)");
    if (!lb_transform_orthonormalize(target))
        return REFUSE_VALUE(
            error, "the matrix has no rotation: its axes are not right-handed, of length "
                   "1 and at right angles to four decimals (three quaternions alone: as CSV)");
    return LB_OK;
}

/* the rotation of a row's numbers, of which one way of giving it is the identity */
static lb_quat rotation_of(target_columns *columns, const double values[TARGET_COLUMNS])
{
    const double *q = values + TARGET_QUATERNION, *angles = values + TARGET_ANGLES;
    double unit = angle_unit();
    for (int k = 0; k < 3; k++)
        if (columns->doubtful == 0 && angle_is_doubtful(angles[k]))
            columns->doubtful = angles[k];
    return columns->places[TARGET_ANGLES] < 0
               ? (lb_quat){q[0], q[1], q[2], q[3]}
               : lb_quat_from_rpy(angles[0] * unit, angles[1] * unit, angles[2] * unit);
}

/* the transform of a row of named or numbered columns */
static lb_status read_columns(const row_table *table, target_columns *columns, int row,
                              lb_transform *target, lb_error *error)
{
    /* what has no column is the identity */
    double values[TARGET_COLUMNS] = {[TARGET_QUATERNION] = 1};
    for (int k = 0; k < TARGET_COLUMNS; k++) {
        int column = columns->places[k];
        TRY(column < 0 ? LB_OK : table_number(table, row, column, &values[k], error));
    }
    lb_status status = LB_OK;
    if (!quaternion_normalize(values + TARGET_QUATERNION, &columns->changed)) {
        status = REFUSE_VALUE(error, "a quaternion of length 0 is no rotation");
        table_locate(table, row, error);
    }
    lb_vec3 position = lb_vec3_make(values[0], values[1], values[2]);
    *target = lb_transform_from_quat(rotation_of(columns, values), position);
    return status;
}

static lb_status read_matrix_row(const row_table *table, int row, lb_transform *target,
                                 lb_error *error)
{
    double m[16] = {[15] = 1};
    for (int k = 0; k < table->columns; k++)
        TRY(table_number(table, row, k, &m[k], error));
    lb_status status = read_matrix(m, target, error);
    if (status != LB_OK)
        table_locate(table, row, error);
    return status;
}

static lb_status read_target(target_source *source, int row, int tip, lb_transform *target,
                             lb_error *error)
{
    const row_table *table = &source->table;
    lb_status status = source->matrices
                           ? read_matrix_row(table, row, target, error)
                           : read_columns(table, &source->tips[tip], row, target, error);
    if (status != LB_OK || range_has_point(target->p))
        return status;
    status = REFUSE_VALUE(error, "a target at %g %g %g is farther than %g m", target->p.x,
                          target->p.y, target->p.z, LB_LENGTH_MAX);
    table_locate(table, row, error);
    return status;
}

/* the columns of one tip, or of several */
static void open_file(target_source *source, const char *path, const char *const *names, int tips)
{
    lb_error *error = why();
    start(source, names, tips);
    require(table_open(path, &program_memory, &source->table, error));
    if (source->table.is_array && names != NULL)
        require(REFUSE_UNSUPPORTED(
            error, "an array has no names of columns, which several tips need: give CSV"));
    require(source->table.is_array ? number_columns(source, error) : find_all(source, error));
    source->kind = source->tips[0].kind;
}

/* a list of so many rows in the place of another; returns its targets */
static lb_transform *make_room(const target_source *source, int rows, target_list *targets)
{
    size_t count = (size_t)rows * (size_t)source->tip_count;
    dispose(targets->targets);
    *targets = (target_list){.kind = source->kind, .count = rows};
    targets->targets = allocate_or_exit(count, sizeof *targets->targets);
    return targets->targets;
}

/* the next rows, into a list that is replaced if there are any */
static lb_status read_rows(target_source *source, int most, target_list *targets, lb_error *error)
{
    lb_status status = table_next(&source->table, most, error);
    int rows = source->table.rows;
    if (status == LB_OK && rows == 0 && source->count == 0)
        return REFUSE_VALUE(error, "there are no targets%s",
                            source->table.is_array ? " in it" : " below the header");
    if (status != LB_OK || rows == 0)
        return status;
    lb_transform *next = make_room(source, rows, targets);
    for (int row = 0; row < rows; row++)
        for (int tip = 0; status == LB_OK && tip < source->tip_count; tip++)
            status = read_target(source, row, tip, next++, error);
    source->count += rows;
    return status;
}

/* what looked odd in all of the file */
static void remark_oddities(const target_source *source)
{
    const char *path = source->table.path;
    for (const target_columns *tip = source->tips; tip < source->tips + source->tip_count; tip++) {
        if (tip->changed > 0)
            remark("%s: %d of %d quaternions not of length 1, now normalised", path, tip->changed,
                   source->count);
        if (tip->doubtful != 0)
            angles_remark(path, &tip->doubtful, 1);
    }
}

static int next_in_file(target_source *source, int most, target_list *targets)
{
    require(read_rows(source, most, targets, why()));
    if (source->table.rows == 0)
        remark_oddities(source);
    return source->table.rows;
}

/* ---- either ------------------------------------------------------------- */

/* whether a target is given by itself */
static bool is_single(void)
{
    return position_given != NULL || is_turned();
}

bool targets_are_given(void)
{
    return is_single() || targets_file != NULL;
}

static void open_named(target_source *source, const char *path)
{
    *source = (target_source){.in_file = true};
    open_file(source, path, NULL, 1);
}

void targets_open_tips(target_source *source, const char *const *names, int count)
{
    const char *path = option_text(targets_file);
    *source = (target_source){.in_file = path != NULL && !is_single()};
    if (!source->in_file) {
        start(source, names, count);
        read_tips(source);
        return;
    }
    if (strcmp(path, "-") == 0)
        refuse("--targets: several tips are read from a file, not from standard input");
    open_file(source, path, names, count);
}

void targets_open(target_source *source)
{
    *source = (target_source){.in_file = false};
    const char *path = option_text(targets_file);
    if (is_single() && path != NULL)
        refuse("--targets and --position, --rpy or --quaternion cannot both be given");
    if (!is_single() && path == NULL)
        refuse("a target is missing: --position \"x y z\" or --targets FILE.csv");
    if (path == NULL)
        read_single(source);
    else
        open_named(source, path);
}

void targets_open_timed(target_source *source)
{
    if (is_single()) {
        targets_open(source);
        return;
    }
    const char *path = option_text(targets_file);
    *source = (target_source){.in_file = true, .timed = true, .time = -INFINITY};
    open_file(source, path != NULL ? path : "-", NULL, 1);
}

bool targets_time(target_source *source, int row, double *time)
{
    const row_table *table = &source->table;
    int column = source->in_file && !table->is_array ? csv_column(&table->text, "time") : -1;
    double least = source->time, most = fmax(least, 0) + TARGETS_APART;
    lb_error error = {0};
    if (column < 0)
        return false;
    require(table_number(table, row, column, time, why()));
    source->time = *time;
    if (*time >= least && *time <= most)
        return true;
    REFUSE_VALUE(&error, "the time %.10g follows that of the row above, %g: %s", *time,
                 fmax(least, 0),
                 *time < least ? "sort the rows" : "more than an hour; subtract the first time");
    table_locate(table, row, &error);
    refuse_error(&error);
}

int targets_next(target_source *source, int most, target_list *targets)
{
    if (source->in_file)
        return next_in_file(source, most, targets);
    if (source->count > 0)
        return 0;
    source->count = 1;
    lb_transform *next = make_room(source, 1, targets);
    for (int i = 0; i < source->tip_count; i++)
        next[i] = source->tips[i].given;
    return 1;
}

/* all of an open source, up to its end */
static target_list read_all(target_source *source)
{
    target_list targets = {.count = 0};
    targets_next(source, INT_MAX, &targets);
    targets_next(source, 1, &targets);
    return targets;
}

target_list targets_given(void)
{
    target_source source;
    targets_open(&source);
    return read_all(&source);
}

target_list targets_from_file(const char *path)
{
    target_source source;
    open_named(&source, path);
    return read_all(&source);
}
