/*
 * live.h - motion that is read and written line by line while it happens.
 */
#ifndef CLI_WORK_LIVE_H
#define CLI_WORK_LIVE_H

#include "cli/options/models.h"

#include <limber/retarget.h>

/* Rows of a model's values from standard input. */
typedef struct live_rows live_rows;

typedef enum live_state {
    LIVE_NAMES, /* of the columns, in the first line; they are good */
    LIVE_ROW,
    LIVE_END,
    LIVE_REFUSED /* after a complaint */
} live_state;

/*
 * The first row may have names, of which one may be "time"; without names a row is the time and all
 * values in their order. `timed`: there must be times.
 */
live_rows *live_rows_open(const lb_model *model, bool timed);
/* Waits for the next line. Of a row: its time (0 without), and the model's values, which stay until
   the next. */
live_state live_rows_next(live_rows *rows, double *time, const double **q);

/*
 * Reads rows of the source's values from standard input, and writes a row of the target's for each
 * as soon as it is known.
 */
void live_retarget(const motion *source, const motion *target, const lb_retarget_options *options);

#endif
