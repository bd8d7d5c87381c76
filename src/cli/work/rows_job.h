/*
 * rows_job.h - rows for a long list of targets, solved in tiles and written so that the same
 * command goes on after an end of any kind.
 *
 * Until all rows are there they are in OUT.part, and OUT.state says what the run is and what came
 * of each tile whose rows are there. A tile's rows depend on its targets alone, so a process that
 * is killed loses the tile that it was at.
 */
#ifndef CLI_WORK_ROWS_JOB_H
#define CLI_WORK_ROWS_JOB_H

#include "cli/work/solve.h"

/* Targets of a tile, whatever the number of threads. */
enum { ROWS_TILE = 2 * CSV_BLOCK };

/* The files of a job. */
typedef enum rows_file { ROWS_PART, ROWS_STATE, ROWS_FILES } rows_file;

/* Who works on a job: the processes of limber-mpi, or this process alone. */
typedef struct rows_crew {
    bool (*is_first)(void);
    bool (*agree)(bool fine);                                   /* whether all say so */
    int64_t (*next_tile)(void);                                 /* for this process */
    void (*sum)(int64_t *numbers, int count);                   /* of all */
    bool (*open)(rows_file which, const char *path, bool keep); /* keep: with its bytes */
    bool (*write)(rows_file which, int64_t at, const void *bytes, size_t size);
    void (*close)(void);
} rows_crew;

/* --anew */
extern const struct poptOption rows_job_options[];

/*
 * Whether the targets of this process alone are a job, if they are more than a tile: they are in a
 * file, and so are the rows, without a figure.
 */
bool rows_job_is_possible(const problem_source *problems);

/* Solves the tiles, of which the first is read, and puts the file in its place; NULL: by this
   process alone. False after a complaint. */
bool rows_job_solve(solve *all, problem_source *problems, const rows_crew *crew);

#endif
