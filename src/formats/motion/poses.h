/*
 * poses.h - configurations by the names of their numbers, and tables of them.
 */
#ifndef FORMATS_MOTION_POSES_H
#define FORMATS_MOTION_POSES_H

#include "formats/table.h"

#include <limber/clip.h>
#include <limber/model.h>

/* ---- values ------------------------------------------------------------ */

/*
 * A joint with one value goes by its own name; those of a joint with several are named by a part:
 * "hip.qw", "base.x" (values_parts in values.c has them all). So a configuration is a row of a
 * table with a header.
 */

/* One number of a configuration. */
typedef struct value_slot {
    const lb_joint *joint;
    const char *part; /* "" for a joint with one value */
    bool angular;     /* it is in the unit of angles */
} value_slot;

enum { VALUE_NAME_SIZE = 256 };

/* Fills the slots of a model's configuration, nq of them. */
void values_fill(const lb_model *model, value_slot *slots);
/* "elbow" or "hip.qw". */
const char *value_name(const value_slot *slot, char name[VALUE_NAME_SIZE]);

/*
 * Where in q the value of that name is. Refused, with the remedy in *error: no
 * such joint, a fixed or a mimic joint, a joint with several values.
 */
lb_status values_find(const lb_model *model, const value_slot *slots, const char *name, int *index,
                      lb_error *error);
/* Refuses a joint without values of its own. */
lb_status values_check_joint(const lb_joint *joint, lb_error *error);

/*
 * Brings the quaternions in q to length 1. Counts in *changed those that were
 * off by more than writing six decimals explains. Refused: length zero.
 */
lb_status values_normalize(const lb_model *model, double *q, int *changed, lb_error *error);

/* A quaternion of length 1 from four numbers; the same rules. */
bool quaternion_normalize(double q[4], int *changed);

/* ---- tables ------------------------------------------------------------ */

/*
 * The columns of a .csv are named as above, in any order; what has no column is at
 * its default, a column "time" has the poses' times, and what limber ik and limber animate write
 * besides is passed over. The columns of an array are q, or q behind what limber ik says of it.
 */

/* A table that is being read, a block at a time; release with pose_table_release. */
typedef struct pose_table {
    const lb_model *model;
    row_table rows;
    double angle; /* radians in one unit of its angles */
    value_slot *slots;
    int *places; /* of each column in q, -1: passed over */
    int time;    /* column of the times, -1: there is none */
    int count;   /* poses that were read */
    int changed; /* quaternions that were not of length 1 */
    lb_allocator memory;
} pose_table;

/* Takes the file over and finds the columns. On failure there is nothing to release. */
lb_status pose_table_open(pose_table *table, const lb_model *model, file_reader file,
                          const char *path, double angle, const lb_allocator *allocator,
                          lb_error *error);
/* Reads the next rows, at most `most`, table->rows.rows of them; none at the end. A table without
 * any is refused. */
lb_status pose_table_next(pose_table *table, int most, lb_error *error);
/* The configuration, which begins as the neutral one, of a row read last, and its time where there
 * is a column of them. */
lb_status pose_table_row(pose_table *table, int row, double *q, double *time, lb_error *error);
/* Accepts a table of all zeros. */
void pose_table_release(pose_table *table);

/* All poses of a table as a clip, which has `rate` keys a second where there are no times. */
lb_status pose_table_clip(pose_table *table, double rate, lb_clip **clip, lb_error *error);

/* Writes the keys of a clip as such a .csv, a row each under "time" and the names of values. */
lb_status pose_table_write(const lb_clip *clip, double angle, const lb_allocator *allocator,
                           lb_sink *sink, void *user, lb_error *error);

#endif
