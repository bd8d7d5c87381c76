/*
 * poses.h - tables of poses over a model: limber's own .csv, and arrays of NumPy.
 *
 * The columns of a .csv are named as values.h names them, in any order; what has no column is at
 * its default, a column "time" has the poses' times, and what limber ik and limber animate write
 * besides is passed over. The columns of an array are q, or q behind what limber ik says of it.
 */
#ifndef FORMATS_MOTION_POSES_H
#define FORMATS_MOTION_POSES_H

#include "formats/motion/values.h"
#include "formats/table.h"

#include <limber/clip.h>

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
