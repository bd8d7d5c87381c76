/*
 * clip_files.h - motion in files, whatever their format: read over a model, and written.
 */
#ifndef CLI_WORK_CLIP_FILES_H
#define CLI_WORK_CLIP_FILES_H

#include "cli/options/captures.h"

/* Frames a second of a file that has no times: the first that is not 0. */
typedef struct table_rate {
    double given; /* by the user; refused for a file that has times */
    double known; /* of a motion that it belongs to */
    double poses; /* of rows under names of joints, > 0; a robot's table has that of its kind */
} table_rate;

/*
 * Reads a file of motion that names no skeleton of its own: a robot's table or archive, a clip as
 * JSON, or a table of poses; which it is, its first bytes show. False after a complaint.
 */
bool clip_file_read(const char *path, const lb_model *model, const table_rate *rate,
                    lb_clip **made);
/* Whether such a file says where a root is that moves freely, as a robot's do. */
bool clip_file_moves_root(const char *path);

/* The tables that a .csv can be, by the names of --as and in the order of lb_robot_csv. */
#define CLIP_TABLE_NAMES "limber", "lafan1", "bones"
/* No table was chosen: of a robot with a free root lafan1, of anything else limber. */
enum { CLIP_TABLE_BY_MODEL = -1 };

/* What is written. */
typedef struct clip_file {
    const capture *of;     /* the figure: BVH and glTF keep what else is in its file */
    const lb_model *model; /* of the clip */
    const lb_clip *clip;   /* NULL: there is no motion */
    int table;             /* which of CLIP_TABLE_NAMES a .csv is, or CLIP_TABLE_BY_MODEL */
    const char *name;      /* of a glTF's animation, NULL: that of the figure's clip */
} clip_file;

/* Writes to a stream; on failure *error says why. */
typedef lb_status clip_file_writer(const clip_file *file, FILE *stream, lb_error *error);

/* Of each ending how it is written; NULL ends the list. */
typedef struct clip_file_format {
    const char *ending;
    clip_file_writer *write;
} clip_file_format;

extern const clip_file_format clip_file_formats[];

/*
 * The writer for a path's ending, of `others` (ended by NULL, may be NULL) or else of all; NULL
 * after a complaint.
 */
clip_file_writer *clip_file_find(const char *option, const char *path,
                                 const clip_file_format *others);

/*
 * Whether --name, `name` or NULL, has an effect on what a writer writes (NULL: nothing is written):
 * glTF alone has animations with names. False after a complaint.
 */
bool clip_file_check_name(const char *name, clip_file_writer *write);

/* Writes a file whole, or leaves it as it was and complains. */
bool clip_file_write(const char *path, clip_file_writer *write, const clip_file *file);

#endif
