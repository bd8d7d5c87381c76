/*
 * live.c - motion that comes in by standard input line by line, and is retargeted while it happens.
 *
 * The tables of limber are read in blocks; here a row counts at once, and what is written for it
 * does not wait in a buffer.
 */
#include "cli/work/live.h"

#include "base/number.h"
#include "cli/options/targets.h"
#include "cli/report/report.h"
#include "formats/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows from standard input ------------------------------------------- */

enum { TIME = -1 };

struct live_rows {
    const lb_model *model;
    value_slot *slots; /* nq */
    int *places;       /* of each column in q, or TIME */
    int columns, room;
    char *line;
    size_t size;       /* room in the line */
    int number;        /* of the line */
    bool timed, named; /* there must be times; the last line had names */
    double time, *q;
};

/* ---- lines ------------------------------------------------------------------ */

/* the next line without its end; false: there is none */
static bool read_line(live_rows *rows)
{
    size_t used = 0;
    for (;;) {
        if (rows->size - used < 2) {
            rows->size = 2 * rows->size + 256;
            rows->line = resize_or_exit(rows->line, rows->size, 1);
        }
        if (fgets(rows->line + used, (int)(rows->size - used), stdin) == NULL)
            break;
        used += strlen(rows->line + used);
        if (used > 0 && rows->line[used - 1] == '\n')
            break;
    }
    rows->number += used > 0;
    while (used > 0 && strchr("\r\n \t", rows->line[used - 1]) != NULL)
        used--;
    if (rows->line != NULL)
        rows->line[used] = '\0';
    return used > 0 || !feof(stdin);
}

/* the next field of a line, terminated, without blanks; *at is NULL after the last */
static char *next_field(char **at)
{
    char *begin = *at + strspn(*at, " \t"), *comma = strchr(begin, ',');
    char *end = comma != NULL ? comma : begin + strlen(begin);
    *at = comma != NULL ? comma + 1 : NULL;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
    return begin;
}

/* what is wrong with the row read last; false */
static bool live_rows_complain(const live_rows *rows, const char *what)
{
    return complain("standard input, line %d: %s", rows->number, what);
}

/* ---- columns ---------------------------------------------------------------- */

static void add_column(live_rows *rows, int place)
{
    if (rows->columns == rows->room) {
        rows->room = 2 * rows->room + 16;
        rows->places = resize_or_exit(rows->places, (size_t)rows->room, sizeof *rows->places);
    }
    rows->places[rows->columns++] = place;
}

static bool is_taken(const live_rows *rows, int place)
{
    for (int i = 0; i < rows->columns; i++)
        if (rows->places[i] == place)
            return true;
    return false;
}

static bool add_name(live_rows *rows, const char *name)
{
    int place = TIME;
    lb_error error;
    if (strcmp(name, "time") != 0 &&
        values_find(rows->model, rows->slots, name, &place, &error) != LB_OK)
        return live_rows_complain(rows, error.message);
    if (is_taken(rows, place))
        return live_rows_complain(rows, "two columns have the same name");
    add_column(rows, place);
    return true;
}

/* the columns by the first line, which has names, or numbers in their order */
static bool find_columns(live_rows *rows)
{
    double number;
    rows->named = number_read(rows->line, strcspn(rows->line, ", \t"), &number) != NULL;
    for (int i = TIME; !rows->named && i < lb_model_nq(rows->model); i++)
        add_column(rows, i);
    for (char *at = rows->line; rows->named && at != NULL;)
        if (!add_name(rows, next_field(&at)))
            return false;
    return !rows->timed || is_taken(rows, TIME) ||
           live_rows_complain(rows, "there is no column 'time'");
}

/* ---- rows ------------------------------------------------------------------- */

static bool read_row(live_rows *rows)
{
    int column = 0, changed = 0;
    char *at = rows->line;
    lb_error error;
    lb_configuration_neutral(rows->model, rows->q);
    for (; at != NULL && column < rows->columns; column++) {
        char *text = next_field(&at);
        int place = rows->places[column];
        double *value = place == TIME ? &rows->time : &rows->q[place];
        if (number_read(text, strlen(text), value) != NULL)
            return live_rows_complain(rows, "a field is not a number");
        if (place != TIME)
            *value *= value_unit(&rows->slots[place]);
    }
    if (at != NULL || column < rows->columns)
        return live_rows_complain(rows, "it has not as many fields as there are columns");
    return values_normalize(rows->model, rows->q, &changed, &error) == LB_OK ||
           live_rows_complain(rows, error.message);
}

/* ---- all -------------------------------------------------------------------- */

live_rows *live_rows_open(const lb_model *model, bool timed)
{
    live_rows *rows = allocate_or_exit(1, sizeof *rows);
    *rows = (live_rows){.model = model, .slots = values_slots(model), .timed = timed};
    rows->q = allocate_or_exit((size_t)lb_model_nq(model), sizeof *rows->q);
    return rows;
}

live_state live_rows_next(live_rows *rows, double *time, const double **q)
{
    while (read_line(rows)) {
        if (rows->line[0] == '\0')
            continue;
        rows->named = false;
        if (rows->columns == 0 && !find_columns(rows))
            return LIVE_REFUSED;
        if (rows->named)
            return LIVE_NAMES;
        if (!read_row(rows))
            return LIVE_REFUSED;
        *time = rows->time;
        *q = rows->q;
        return LIVE_ROW;
    }
    return LIVE_END;
}

/* ---- retargeting ----------------------------------------------------------- */

static void hand_on(void)
{
    int reason = file_flush(stdout);
    if (reason != 0)
        refuse("standard output: %s", strerror(reason));
}

static void write_heading(const lb_model *model)
{
    char name[VALUE_NAME_SIZE];
    value_slot *slots = values_slots(model);
    printf("time");
    for (int i = 0; i < lb_model_nq(model); i++)
        printf(",%s", value_name(&slots[i], name));
    putchar('\n');
    hand_on();
}

static void write_row(double time, const double *q, int nq)
{
    char text[NUMBER_TEXT_SIZE];
    fputs(number_write_shortest(time, text), stdout);
    for (int i = 0; i < nq; i++)
        printf(",%s", number_write_shortest(q[i], text));
    putchar('\n');
    hand_on();
}

void live_retarget(const motion *source, const motion *target, const lb_retarget_options *options)
{
    int nq = lb_model_nq(target->model);
    double time, *q = allocate_or_exit((size_t)nq, sizeof *q);
    const double *from;
    lb_retarget_stream *stream = NULL;
    require(lb_retarget_stream_create(source->model, source->clip, target->model, options,
                                      &program_memory, &stream, why()));
    angles_of_source(true);
    live_rows *rows = live_rows_open(source->model, true);
    live_state state;
    for (bool headed = false; (state = live_rows_next(rows, &time, &from)) <= LIVE_ROW;) {
        if (!headed)
            write_heading(target->model);
        headed = true;
        if (state != LIVE_ROW)
            continue;
        if (lb_retarget_stream_next(stream, time, from, q, NULL) != LB_OK) {
            live_rows_complain(rows, "its time is before that of the line above, or a place is out "
                                     "of range");
            give_up();
        }
        write_row(time, q, nq);
    }
    if (state == LIVE_REFUSED)
        give_up();
}
