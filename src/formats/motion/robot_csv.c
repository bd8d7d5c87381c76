/*
 * robot_csv.c - robot motion as tables: LAFAN1's and BONES-SEED's.
 *
 * Both are one list of columns: three of the root's place, then its rotation, then the joints. The
 * list of a kind says how a column's name is made; a row is read column by column into the clip's
 * own memory, so that a long table is there once.
 */
#include <limber/formats/robot_csv.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "formats/block.h"
#include "formats/motion/robot.h"
#include "formats/scan.h"
#include "motion/clip.h"

#include <limits.h>
#include <string.h>

/* A kind: what it is called, and its units. */
typedef struct table_kind {
    const char *text;
    double rate;
    double length, angle; /* metres and radians in one unit */
    int turned;           /* columns of the rotation: a quaternion or three angles */
    bool header;
} table_kind;

#define DEGREE (LB_PI / 180)

/* the header states text and rate; all but BONES-SEED's have metres and radians */
static table_kind kind_of(lb_robot_csv kind)
{
    static const table_kind kinds[LB_ROBOT_CSV_COUNT] = {
#define KIND(name, text, rate) {text, rate, 1, 1, 4, false},
        LB_ROBOT_CSV_LIST(KIND)
#undef KIND
    };
    table_kind made = {.text = ""};
    if (kind < LB_ROBOT_CSV_COUNT)
        made = kinds[kind];
    return kind == LB_ROBOT_CSV_BONES ? (table_kind){made.text, made.rate, 0.01, DEGREE, 3, true}
                                      : made;
}

const char *lb_robot_csv_text(lb_robot_csv kind)
{
    return kind_of(kind).text;
}

double lb_robot_csv_rate(lb_robot_csv kind)
{
    return kind_of(kind).rate;
}

lb_robot_csv_options lb_robot_csv_options_default(void)
{
    return (lb_robot_csv_options){.rate = 0};
}

/* ---- columns ------------------------------------------------------------ */

/* before the joints: the root's place, and its rotation as angles */
static const char *const root_names[] = {"root_translateX", "root_translateY", "root_translateZ",
                                         "root_rotateX",    "root_rotateY",    "root_rotateZ"};

static double joint_unit(const table_kind *kind, const lb_joint *joint)
{
    return joint->kind == LB_JOINT_PRISMATIC ? kind->length : kind->angle;
}

/* ---- reading ------------------------------------------------------------ */

/* A table that is being read. */
typedef struct reading {
    const lb_model *model;
    table_kind kind;
    double rate;
    int root, joints, columns;
    int *joint_of;  /* of each column: a joint's index, ROOT + its place, or IGNORED */
    int *column_of; /* of each joint, then of the root: its column from 1 on, 0: none so far */
    const char *at, *end;
    int line;
    lb_status status; /* why a row is refused */
    lb_error *error;
} reading;

enum { ROOT = INT_MAX - 16, IGNORED = -1 };

/* the next field of the line, without blanks; `*last`: it ends the line */
static size_t next_field(reading *r, const char **text, bool *last)
{
    const char *begin = r->at, *stop;
    while (begin < r->end && (*begin == ' ' || *begin == '\t'))
        begin++;
    for (stop = begin; stop < r->end && *stop != ',' && *stop != '\n' && *stop != '\r';)
        stop++;
    *last = stop == r->end || *stop != ',';
    r->at = *last ? stop : stop + 1;
    while (stop > begin && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    *text = begin;
    return (size_t)(stop - begin);
}

/* to the next line that is not empty; false: there is none */
static bool next_line(reading *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0') {
        r->line += *r->at == '\n' || (*r->at == '\r' && (r->at + 1 == r->end || r->at[1] != '\n'));
        r->at++;
    }
    return r->at < r->end;
}

/*
 * How many rows there are from here on; not all where one with too few columns, which ends the
 * reading, is among them: a number and what ends it are two bytes at least.
 */
static int count_rows(reading r)
{
    int rows = 0;
    size_t whole = ((size_t)(r.end - r.at) + 1) / (2 * (size_t)r.columns) + 1;
    int most = whole < INT_MAX ? (int)whole : INT_MAX;
    while (rows < most && next_line(&r)) {
        rows++;
        while (r.at < r.end && *r.at != '\n' && *r.at != '\r')
            r.at++;
    }
    return rows;
}

/* a column's name: Frame, the root's, a joint's with or without "_dof"; -2: it is none */
static int find_column(const reading *r, const char *name)
{
    char joint[256];
    size_t size = strlen(name);
    int part = text_index(name, root_names, 6);
    if (part >= 0)
        return ROOT + part;
    int found = lb_model_find_joint(r->model, name);
    if (found < 0 && size > 4 && strcmp(name + size - 4, "_dof") == 0) {
        text_format(joint, sizeof joint, "%.*s", (int)(size - 4), name);
        found = lb_model_find_joint(r->model, joint);
    }
    if (found >= 0 && robot_joints_has(r->model, r->root, found))
        return found;
    return strcmp(name, "Frame") == 0 || strcmp(name, "frame") == 0 ? IGNORED : -2;
}

/* every column of the root and of the joints must be there, once */
static lb_status check_columns(const reading *r, int found)
{
    int joints = lb_model_joint_count(r->model);
    for (int c = 0; c < r->columns; c++) {
        int which = r->joint_of[c];
        int *column =
            which < 0 ? NULL : &r->column_of[which >= ROOT ? joints + (which - ROOT) : which];
        if (column != NULL && *column > 0)
            return lb_error_set(r->error, LB_SYNTAX_ERROR, r->line,
                                "columns %d and %d are the same", *column, c + 1);
        if (column != NULL)
            *column = c + 1;
    }
    for (int j = -1; (j = robot_joints_next(r->model, r->root, j)) >= 0;)
        if (r->column_of[j] == 0)
            return lb_error_set(r->error, LB_NOT_FOUND, r->line, "no column '%.80s_dof'",
                                lb_model_joint(r->model, j)->name);
    if (found < 6 + r->joints)
        return lb_error_set(r->error, LB_NOT_FOUND, r->line,
                            "the root's columns root_translateX to root_rotateZ are not all there");
    return LB_OK;
}

static lb_status read_header(reading *r)
{
    bool last = false;
    int found = 0;
    // as many as there can be: one for each value, and Frame
    for (r->columns = 0; !last;) {
        char name[256];
        const char *text;
        size_t size = next_field(r, &text, &last);
        text_format(name, sizeof name, "%.*s", (int)(size < 255 ? size : 255), text);
        if (r->columns == 7 + r->joints)
            return lb_error_set(r->error, LB_SYNTAX_ERROR, r->line,
                                "more than %d columns: Frame, 6 of the root, %d joints",
                                7 + r->joints, r->joints);
        int which = find_column(r, name);
        if (which < IGNORED)
            return robot_joints_refuse(r->model, r->root, r->line, "column ", name, r->error);
        found += which != IGNORED;
        r->joint_of[r->columns++] = which;
    }
    return check_columns(r, found);
}

/* without a header the order is fixed */
static void list_columns(reading *r)
{
    r->columns = 7;
    for (int i = 0; i < 7; i++)
        r->joint_of[i] = ROOT + i;
    for (int j = -1; (j = robot_joints_next(r->model, r->root, j)) >= 0;)
        r->joint_of[r->columns++] = j;
}

static lb_status refuse_number(const reading *r, int column, const char *text, size_t size,
                               const char *fault)
{
    return lb_error_set(r->error, LB_BAD_VALUE, r->line, "column %d: '%.*s' %s", column + 1,
                        (int)(size < 60 ? size : 60), text, fault);
}

/* the numbers of a line: the joints' in q, the root's in `root` */
static lb_status read_numbers(reading *r, double root[7], double *q)
{
    bool last = false;
    int column = 0;
    for (; !last; column++) {
        const char *text;
        double value = 0;
        size_t size = next_field(r, &text, &last);
        if (column == r->columns)
            return lb_error_set(r->error, LB_SYNTAX_ERROR, r->line,
                                "more than %d columns; the model's root and joints have that many",
                                r->columns);
        const char *fault = number_read(text, size, &value);
        if (fault == NULL && fabs(value) > LB_LENGTH_MAX)
            fault = "is beyond 1e15";
        if (fault != NULL)
            return refuse_number(r, column, text, size, fault);
        int which = r->joint_of[column];
        if (which >= ROOT)
            root[which - ROOT] = value;
        else if (which >= 0)
            q[lb_model_joint_q(r->model, which)] =
                value * joint_unit(&r->kind, lb_model_joint(r->model, which));
    }
    if (column < r->columns)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, r->line,
                            "%d columns, where the model's root and joints have %d", column,
                            r->columns);
    return LB_OK;
}

static lb_status set_root(const reading *r, const double root[7], double *q)
{
    lb_quat turn = {root[6], root[3], root[4], root[5]};
    if (r->kind.turned == 3)
        turn = lb_quat_from_rpy(root[3] * r->kind.angle, root[4] * r->kind.angle,
                                root[5] * r->kind.angle);
    double size = turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z;
    // six decimals leave less; more is a column that is no quaternion's
    if (!(fabs(size - 1) < 0.02))
        return lb_error_set(r->error, LB_BAD_VALUE, r->line,
                            "columns 4 to 7 are no quaternion: their length is %.3g", sqrt(size));
    const double length = r->kind.length, place[7] = {root[0] * length,
                                                      root[1] * length,
                                                      root[2] * length,
                                                      turn.w,
                                                      turn.x,
                                                      turn.y,
                                                      turn.z};
    robot_joints_set_place(r->model, r->root, place, q);
    return LB_OK;
}

static bool fill_key(void *user, int key, double *time, double *q)
{
    reading *r = user;
    double root[7] = {0};
    *time = key / r->rate;
    next_line(r);
    r->status = read_numbers(r, root, q);
    if (r->status == LB_OK)
        r->status = set_root(r, root, q);
    return r->status == LB_OK;
}

lb_robot_csv lb_robot_csv_recognise(const char *text, size_t size)
{
    reading r = {.at = text + text_mark(text, size), .end = text + size};
    const char *field;
    bool last = !next_line(&r), found = false;
    double number;
    size_t length = last ? 0 : next_field(&r, &field, &last);
    if (length > 0 && number_read(field, length, &number) == NULL)
        return LB_ROBOT_CSV_LAFAN1;
    while (!last && !found) {
        length = next_field(&r, &field, &last);
        found = length == strlen(root_names[0]) && memcmp(field, root_names[0], length) == 0;
    }
    return found ? LB_ROBOT_CSV_BONES : LB_ROBOT_CSV_RECOGNISE;
}

static lb_status read_table(reading *r, const lb_robot_csv_options *options, lb_clip **clip)
{
    if (!next_line(r))
        return lb_error_set(r->error, LB_SYNTAX_ERROR, 0, "the file is empty");
    lb_robot_csv kind = options->kind;
    if (kind == LB_ROBOT_CSV_RECOGNISE)
        kind = lb_robot_csv_recognise(r->at, (size_t)(r->end - r->at));
    // what is neither is refused by its columns
    if (kind == LB_ROBOT_CSV_RECOGNISE)
        kind = LB_ROBOT_CSV_BONES;
    r->kind = kind_of(kind);
    r->rate = options->rate > 0 ? options->rate : r->kind.rate;
    if (r->kind.header)
        TRY(read_header(r));
    else
        list_columns(r);
    int rows = count_rows(*r);
    if (rows == 0)
        return lb_error_set(r->error, LB_BAD_VALUE, r->line, "there are no frames");
    lb_status status = lb_clip_generate(r->model, rows, fill_key, r, LB_INTERPOLATION_LINEAR,
                                        options->allocator, clip, r->error);
    return r->status != LB_OK ? r->status : status;
}

lb_status lb_robot_csv_load_memory(const char *name, const char *text, size_t size,
                                   const lb_model *model, const lb_robot_csv_options *options,
                                   lb_clip **clip, lb_error *error)
{
    lb_robot_csv_options given = options == NULL ? lb_robot_csv_options_default() : *options;
    reading r = {.model = model, .at = text, .line = 1, .error = error};
    error_begin(error, name);
    TRY(REQUIRE_TO_MAKE(clip, error, {name, "name"}, {text, "text"}, {model, "model"}));
    if (given.kind >= LB_ROBOT_CSV_COUNT)
        return REFUSE_ARGUMENT(error, "there is no kind of table %d", (int)given.kind);
    if (!(given.rate == 0 || (given.rate > 1e-9 && given.rate < 1e9)))
        return REFUSE_ARGUMENT(error, "%g frames a second; it must be between 1e-9 and 1e9",
                               given.rate);
    TRY(robot_joints_check(model, &r.root, &r.joints, error));
    r.at += text_mark(text, size);
    r.end = text + size;
    MEMORY_POOL(memory, given.allocator);
    size_t joints = (size_t)lb_model_joint_count(model);
    r.joint_of = memory_take(&memory, (size_t)r.joints + 8, sizeof *r.joint_of);
    r.column_of = memory_take(&memory, joints + 8, sizeof *r.column_of);
    TRY(require_memory(error, r.joint_of && r.column_of));
    return read_table(&r, &given, clip);
}

/* ---- writing ------------------------------------------------------------ */

enum { FIELD = 320, MOST_NAME = 150 };

/* A joint's column. */
typedef struct joint_column {
    int q;
    double unit;
} joint_column;

typedef struct writing {
    joint_column *joints;
    int root, joint_count; /* the root's place in a configuration */
    text_block out;
} writing;

static void copy_field(writing *w, const char *text, size_t most)
{
    size_t length = strlen(text);
    block_put(&w->out, text, length < most ? length : most);
}

static void put(writing *w, const char *text, const char *more)
{
    // the field stays in one block, as end_row wants it
    block_room(&w->out, FIELD);
    copy_field(w, text, MOST_NAME);
    copy_field(w, more, 50);
    copy_field(w, ",", 1);
}

/* twelve decimals are far below what a robot can do, and keep numbers short */
static void put_number(writing *w, double number)
{
    char *text = block_room(&w->out, NUMBER_TEXT_SIZE + 1);
    size_t size = number_append_rounded(number, text);
    text[size] = ',';
    w->out.used += size + 1;
}

static void end_row(writing *w)
{
    // the row's last comma is still in the block
    w->out.bytes[w->out.used - 1] = '\n';
}

static void put_header(writing *w, const lb_model *model, int root)
{
    put(w, "Frame", "");
    for (int i = 0; i < 6; i++)
        put(w, root_names[i], "");
    for (int j = -1; (j = robot_joints_next(model, root, j)) >= 0;)
        put(w, lb_model_joint(model, j)->name, "_dof");
    end_row(w);
}

static void put_rotation(writing *w, const table_kind *kind, lb_quat turn)
{
    lb_vec3 angles = lb_quat_to_rpy(turn);
    const double quaternion[] = {turn.x, turn.y, turn.z, turn.w};
    const double turns[] = {angles.x / kind->angle, angles.y / kind->angle, angles.z / kind->angle};
    for (int i = 0; i < kind->turned; i++)
        put_number(w, kind->turned == 3 ? turns[i] : quaternion[i]);
}

static void put_key(writing *w, const table_kind *kind, const lb_model *model, const double *q)
{
    double place[7];
    robot_joints_place(model, w->root, q, place);
    for (int i = 0; i < 3; i++)
        put_number(w, place[i] / kind->length);
    put_rotation(w, kind, (lb_quat){place[3], place[4], place[5], place[6]});
    for (int i = 0; i < w->joint_count; i++)
        put_number(w, q[w->joints[i].q] / w->joints[i].unit);
    end_row(w);
}

static void write_table(writing *w, const lb_clip *clip, const table_kind *kind, int root)
{
    const lb_model *model = lb_clip_model(clip);
    w->root = root;
    for (int j = -1; (j = robot_joints_next(model, root, j)) >= 0;)
        w->joints[w->joint_count++] =
            (joint_column){lb_model_joint_q(model, j), joint_unit(kind, lb_model_joint(model, j))};
    if (kind->header)
        put_header(w, model, root);
    for (int i = 0; i < lb_clip_count(clip) && !w->out.failed; i++) {
        if (kind->header)
            put_number(w, i);
        put_key(w, kind, model, lb_clip_key(clip, i));
    }
    block_flush(&w->out);
}

/* whether a joint's column is read as this joint's again */
static bool is_column(const lb_model *model, int root, int joint)
{
    char name[MOST_NAME + sizeof "_dof"], field[sizeof name];
    const char *text, *wanted = lb_model_joint(model, joint)->name;
    bool last;
    if (strlen(wanted) > MOST_NAME)
        return false;
    text_format(name, sizeof name, "%s_dof", wanted);
    reading r = {.model = model, .root = root, .at = name, .end = name + strlen(name)};
    size_t size = next_field(&r, &text, &last);
    text_format(field, sizeof field, "%.*s", (int)size, text);
    return r.at == r.end && find_column(&r, field) == joint;
}

/* a header has names without quotes, cut at no letter */
static lb_status check_names(const lb_model *model, int root, lb_error *error)
{
    for (int j = -1; (j = robot_joints_next(model, root, j)) >= 0;)
        if (!is_column(model, root, j))
            return REFUSE_MODEL(error,
                                "joint '%.160s': a column name cannot contain commas, begin with a "
                                "blank or be longer than %d bytes, nor be another joint's once "
                                "_dof is behind it; write the motion as JSON",
                                lb_model_joint(model, j)->name, MOST_NAME);
    return LB_OK;
}

lb_status lb_robot_csv_write(const lb_clip *clip, lb_robot_csv which, lb_sink *sink, void *user,
                             lb_error *error)
{
    int root, joints;
    TRY(REQUIRE(error, {clip, "clip"}, {sink == NULL ? NULL : "", "sink"}));
    if (which <= LB_ROBOT_CSV_RECOGNISE || which >= LB_ROBOT_CSV_COUNT)
        return REFUSE_ARGUMENT(error, "the kind must be lafan1 or bones");
    TRY(robot_joints_check(lb_clip_model(clip), &root, &joints, error));
    if (lb_clip_count(clip) > 1 && lb_clip_rate(clip, CLIP_EVEN) == 0)
        return REFUSE_VALUE(error,
                            "the clip's keys are not evenly spaced, and the table has no times; "
                            "resample it");
    if (which == LB_ROBOT_CSV_BONES)
        TRY(check_names(lb_clip_model(clip), root, error));
    MEMORY_POOL(memory, NULL);
    table_kind kind = kind_of(which);
    writing w = {.out = {.sink = sink, .user = user}};
    w.joints = memory_take(&memory, (size_t)joints, sizeof *w.joints);
    TRY(require_memory(error, w.joints));
    write_table(&w, clip, &kind, root);
    return w.out.failed ? lb_error_set(error, LB_FILE_ERROR, 0, "the file cannot be written")
                        : LB_OK;
}
