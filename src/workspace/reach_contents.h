/*
 * reach_contents.h - what configurations a cell's orientations are reached by: how many, how far
 * from limits and singularities, and which are accepted.
 */
#ifndef WORKSPACE_REACH_CONTENTS_H
#define WORKSPACE_REACH_CONTENTS_H

#include <limber/loops.h>
#include <limber/model.h>
#include <limber/reach_map.h>
#include <limber/solutions.h>
#include <limber/task.h>

/* Targets whose solutions are listed side by side. */
enum { REACH_BLOCK = 64 };

typedef struct reach_contents {
    lb_allocator memory; /* a pool's */
    const lb_model *model;
    lb_task task;
    lb_reach_map_options options; /* as given */
    lb_solutions_solver *solver;  /* NULL: what a search has found is all that is known */
    bool closed;                  /* in closed form: it decides what is reached */
    bool listing;                 /* all solutions are listed and count */
    lb_state *state;
    lb_assembly *assembly; /* of a model with loops, else NULL */
    double *measuring;     /* of manipulability_at */
    double *middle;        /* the middle of each joint's range, where solutions are looked near */
    double *q;             /* rows of the solutions of a block, with the next two */
    lb_solution *infos;
    lb_solutions_summary *summaries;
} reach_contents;

/*
 * Finds how an arm's solutions are listed, if they are, with memory of a pool. LB_UNSUPPORTED where
 * the options want what needs that and it cannot be.
 */
lb_status reach_contents_create(reach_contents *contents, const lb_model *model,
                                const lb_task *task, const lb_reach_map_options *options,
                                const lb_allocator *pool, lb_error *error);

/*
 * Decides targets in closed form, and adds what is known of those that are reached to *cell; sets
 * their bits unless `bits` is NULL.
 */
void reach_contents_decide(reach_contents *contents, const lb_transform *targets, int count,
                           unsigned char *bits, lb_reach_cell *cell);

/*
 * Adds to *cell what is known of a target that the configuration `found` reaches. False: no
 * configuration that reaches it is accepted.
 */
bool reach_contents_add(reach_contents *contents, const lb_transform *target, const double *found,
                        lb_reach_cell *cell);

/* What a map was created from. */
const reach_contents *reach_map_contents(const lb_reach_map *map);

/* ---- manipulability -------------------------------------------------------- */

/* How freely a tool moves in a configuration. */

/* How many numbers of working memory are needed. */
size_t manipulability_work(const lb_model *model);

/*
 * The product of the singular values of the Jacobian of the tool's position against the task's
 * base, in the directions that the tool can move in at all, at the state's configuration. Of a
 * linkage, whose `assembly` is given (else NULL), by its independent joints; 0 at a dead point.
 */
double manipulability_at(const lb_state *state, const lb_task *task, lb_assembly *assembly,
                         double *work);

/* ---- margin ------------------------------------------------------------- */

/* How far a configuration is from the limits of its joints. */

/*
 * The least distance of a joint from its nearer limit as a share of half its range: 0 at a limit, 1
 * in the middle. Joints without limits, with several values, locked or mimicking do not count; 1
 * where none does.
 */
double margin_at(const lb_model *model, const double *q);

/* Fills q with the configuration of the largest margin, and of the neutral values of joints that do
   not count. */
void margin_middle(const lb_model *model, double *q);

#endif
