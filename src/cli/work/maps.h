/*
 * maps.h - maps of what a tool reaches: computed by threads, counted, written for ParaView.
 */
#ifndef CLI_WORK_MAPS_H
#define CLI_WORK_MAPS_H

#include "cli/command.h"
#include "cli/options/arguments.h"
#include "formats/reach/map_file.h"

/* ---- counting --------------------------------------------------------- */

/* What is known of a map: cells that are undecided, reached at all, and in all orientations. */
typedef struct map_counts {
    size_t cells, undecided, reachable, dexterous;
    double questions; /* of the decided cells */
    double reached;   /* of these */
    double solutions;
    double manipulability, limit_margin; /* the largest of any cell */
} map_counts;

/* Counts all cells of a map: of the array that was written to `path`, which *map becomes, or else
   of map, which is held. */
void map_count(const char *path, map_file *map, map_counts *counts);
/* The same in words. */
void map_print(const map_file *map, const map_counts *counts);

/* ---- formats ---------------------------------------------------------- */

/* The ending of --output must be a format's, and an array must have room for its description. */
void map_check_output(const char *path);

/* All of a map, a map_file that is held whole, as VTK's image data, for ParaView. What a stream
   refuses it remembers. */
void map_write_vti(const void *map, FILE *stream);

/* ---- computing -------------------------------------------------------- */

/*
 * A cell is a pure function of its index, so the map does not depend on who computes what.
 */

typedef struct map_job {
    map_file *map;          /* begun, without records */
    lb_reach_map **solvers; /* one for each thread */
    int threads;
    bool replace;       /* what is in `output` is not gone on with */
    const char *output; /* an array is written while it is computed */
    map_counts *counts; /* of the whole, or NULL; by the first process alone */
} map_job;

/* Decides what is undecided and writes it; where the output is no array, *map holds all of it then.
   False after a complaint. */
typedef bool map_computer(const map_job *job);

/* Opens the output for this part of the map; false after a complaint. */
bool map_job_open(const map_job *job, size_t part, size_t parts, lb_reach_file **file);

/* By the threads of this process. */
map_computer map_compute;

/* ---- limber workspace --grid ------------------------------------------ */

/* --grid, --orientations, --contents, --inverse, --avoid-collision, --part and --anew */
extern const struct poptOption lattice_options[];

/* Whether --grid is given. */
bool lattice_given(void);

/*
 * Computes the part of the map that --part names and writes it to `output`; with `report` it says
 * in words what came of it. `name` is what the model was loaded by; `compute` decides the cells.
 * Returns the exit status.
 */
int lattice_run(const char *name, const lb_model *model, const lb_task *task, const char *output,
                const char *iterations, bool report, map_computer *compute);

/* limber workspace with its operands; `compute` decides the cells of --grid. */
int workspace_run(const char *const *operands, map_computer *compute);

#endif
