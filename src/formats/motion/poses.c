/*
 * poses.c - tables of poses over a model.
 */
#include "formats/motion/poses.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "formats/block.h"

#include <limits.h>
#include <string.h>

/* ---- columns ------------------------------------------------------------ */

/* columns of limber ik's and limber animate's output that are no joint values */
static bool is_account(const char *name)
{
    static const char *const names[] = {
        "target",        "solution", "branch",     "in_limits",      "multiplicity",
        "status",        "distance", "iterations", "position_error", "rotation_error",
        "frame",         "time",     "condition",  "step",           "ended",
        "tool_x",        "tool_y",   "tool_z",     "goal_x",         "goal_y",
        "goal_z",        "begin",    "end",        "elbow_angle",    "margin",
        "manipulability"};
    return text_index(name, names, sizeof names / sizeof *names) >= 0;
}

/* the place in q of every column, -1 for those passed over; and which has the times */
static lb_status find_columns(pose_table *table, lb_error *error)
{
    const csv_table *text = &table->rows.text;
    for (int c = 0; c < text->columns; c++) {
        const char *name = csv_name(text, c);
        table->places[c] = -1;
        if (is_account(name) && lb_model_find_joint(table->model, name) < 0)
            continue;
        lb_status status = values_find(table->model, table->slots, name, &table->places[c], error);
        if (status != LB_OK)
            return lb_error_set(error, status, 1, "%.400s%s", error->message,
                                csv_header_doubt(text, c));
    }
    bool is_joint = lb_model_find_joint(table->model, "time") >= 0;
    table->time = is_joint ? -1 : csv_column(text, "time");
    return LB_OK;
}

/* the columns of an array: q, or q behind what limber ik says of each target */
static lb_status number_columns(pose_table *table, lb_error *error)
{
    enum { ACCOUNT = 4 };
    int columns = table->rows.columns, nq = lb_model_nq(table->model);
    int first = columns == nq + ACCOUNT ? ACCOUNT : 0;
    table->time = -1;
    if (table->rows.array.dimensions > 2 || columns != nq + first)
        return REFUSE_VALUE(error,
                            "its rows have %d numbers; the model's configuration has %d (with what "
                            "limber ik writes before it %d)",
                            columns, nq, nq + ACCOUNT);
    for (int c = 0; c < columns; c++)
        table->places[c] = c - first;
    return LB_OK;
}

/* ---- reading ------------------------------------------------------------ */

lb_status pose_table_open(pose_table *table, const lb_model *model, file_reader file,
                          const char *path, double angle, const lb_allocator *allocator,
                          lb_error *error)
{
    *table = (pose_table){.model = model, .angle = angle, .memory = memory_allocator(allocator)};
    TRY(table_open_source(file, path, allocator, &table->rows, error));
    size_t nq = (size_t)lb_model_nq(model), columns = (size_t)table->rows.columns;
    table->slots = memory_take(&table->memory, nq, sizeof *table->slots);
    table->places = memory_take(&table->memory, columns, sizeof *table->places);
    lb_status status = require_memory(error, table->slots && table->places);
    if (status == LB_OK) {
        values_fill(model, table->slots);
        status = table->rows.is_array ? number_columns(table, error) : find_columns(table, error);
    }
    if (status != LB_OK)
        pose_table_release(table);
    return status;
}

lb_status pose_table_next(pose_table *table, int most, lb_error *error)
{
    TRY(table_next(&table->rows, most, error));
    if (table->rows.rows == 0 && table->count == 0)
        return REFUSE_VALUE(error, "there are no poses%s",
                            table->rows.is_array ? " in it" : " below the header");
    table->count += table->rows.rows;
    return LB_OK;
}

static lb_status read_values(const pose_table *table, int row, double *q, double *time,
                             lb_error *error)
{
    if (table->time >= 0)
        TRY(table_number(&table->rows, row, table->time, time, error));
    for (int c = 0; c < table->rows.columns; c++) {
        double value;
        int place = table->places[c];
        if (place < 0)
            continue;
        TRY(table_number(&table->rows, row, c, &value, error));
        q[place] = table->slots[place].angular ? value * table->angle : value;
    }
    return LB_OK;
}

lb_status pose_table_row(pose_table *table, int row, double *q, double *time, lb_error *error)
{
    TRY(read_values(table, row, q, time, error));
    lb_status status = values_normalize(table->model, q, &table->changed, error);
    if (status != LB_OK)
        table_locate(&table->rows, row, error);
    return status;
}

void pose_table_release(pose_table *table)
{
    table_release(&table->rows);
    if (table->slots != NULL)
        memory_release(&table->memory, table->slots);
    if (table->places != NULL)
        memory_release(&table->memory, table->places);
    memset(table, 0, sizeof *table);
}

/* A table that becomes a clip. */
typedef struct clip_reading {
    pose_table *table;
    double rate;
    lb_status status; /* why a row is refused */
    lb_error *error;
} clip_reading;

static bool fill_key(void *user, int key, double *time, double *q)
{
    clip_reading *r = user;
    *time = key / r->rate;
    r->status = pose_table_row(r->table, key, q, time, r->error);
    return r->status == LB_OK;
}

lb_status pose_table_clip(pose_table *table, double rate, lb_clip **clip, lb_error *error)
{
    clip_reading r = {table, rate, LB_OK, error};
    lb_status status = pose_table_next(table, INT_MAX, error);
    if (status == LB_OK)
        status = lb_clip_generate(table->model, table->rows.rows, fill_key, &r,
                                  LB_INTERPOLATION_LINEAR, &table->memory, clip, error);
    return r.status != LB_OK ? r.status : status;
}

/* ---- writing ------------------------------------------------------------ */

/* a name, in quotes where CSV needs them */
static void put_name(text_block *out, const char *name)
{
    bool quoted = strpbrk(name, ",\"\r\n") != NULL || *name == ' ';
    block_put(out, ",\"", quoted ? 2 : 1);
    for (; *name != '\0'; name++)
        block_put(out, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    block_put(out, "\"", quoted ? 1 : 0);
}

static void put_number(text_block *out, double number)
{
    char text[NUMBER_TEXT_SIZE];
    block_put(out, text, strlen(number_write(number, text)));
}

static void put_rows(text_block *out, const lb_clip *clip, const value_slot *slots, double angle)
{
    int nq = lb_model_nq(lb_clip_model(clip));
    char name[VALUE_NAME_SIZE];
    block_put(out, "time", 4);
    for (int k = 0; k < nq; k++)
        put_name(out, value_name(&slots[k], name));
    block_put(out, "\n", 1);
    for (int i = 0; i < lb_clip_count(clip) && !out->failed; i++) {
        const double *q = lb_clip_key(clip, i);
        put_number(out, lb_clip_times(clip)[i]);
        for (int k = 0; k < nq; k++) {
            block_put(out, ",", 1);
            put_number(out, slots[k].angular ? q[k] / angle : q[k]);
        }
        block_put(out, "\n", 1);
    }
    block_flush(out);
}

lb_status pose_table_write(const lb_clip *clip, double angle, const lb_allocator *allocator,
                           lb_sink *sink, void *user, lb_error *error)
{
    const lb_model *model = lb_clip_model(clip);
    MEMORY_POOL(memory, allocator);
    value_slot *slots = memory_take(&memory, (size_t)lb_model_nq(model), sizeof *slots);
    text_block *out = memory_take(&memory, 1, sizeof *out);
    TRY(require_memory(error, slots && out));
    out->sink = sink;
    out->user = user;
    values_fill(model, slots);
    put_rows(out, clip, slots, angle);
    return out->failed ? lb_error_set(error, LB_FILE_ERROR, 0, "the table could not be written")
                       : LB_OK;
}
