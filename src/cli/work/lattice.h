/*
 * lattice.h - limber workspace --grid: maps of what a tool reaches on a lattice, in parts that any
 * machine may compute.
 */
#ifndef CLI_WORK_LATTICE_H
#define CLI_WORK_LATTICE_H

#include "cli/options/arguments.h"
#include "cli/work/map_file.h"

/* --grid, --orientations, --contents, --inverse, --avoid-collision, --part and --resume */
extern const struct poptOption lattice_options[];

/* Whether --grid is given. */
bool lattice_given(void);

/*
 * Computes the part of the map that --part names and writes it to `output`, from time to time while
 * it is being computed, too; with `report` it says in words what came of it. `name` is what the
 * model was loaded by; `compute` decides the cells. Returns the exit status.
 */
int lattice_run(const char *name, const lb_model *model, const lb_task *task, const char *output,
                const char *iterations, bool report, map_computer *compute);

/* limber workspace with its operands; `compute` decides the cells of --grid. */
int workspace_run(const char *const *operands, map_computer *compute);

#endif
