/*
 * blocks.h - commands that solve targets block by block: what they are given besides the targets,
 * and how each block is found, drawn and written.
 */
#ifndef CLI_WORK_BLOCKS_H
#define CLI_WORK_BLOCKS_H

#include "cli/options/figure.h"
#include "cli/options/targets.h"
#include "cli/report/destination.h"

/* --start, alone and with --starts; --figure and what it looks like */
extern const struct poptOption start_options[], starts_options[], drawing_options[];

/* What --start says; NULL: nothing. */
const char *blocks_start(void);
/* Opens the starts of targets that are open; false after a complaint. */
bool blocks_read_starts(const lb_model *model, problem_source *problems);

/* The file of --figure, and what its options say of it; NULL: none is wanted. */
const char *blocks_figure(lb_drawing *drawing);
/* Whether the requested figure, if any, can be drawn; call before anything is computed. */
bool blocks_check_figure(void);

/* How many targets are worked on at once: all of them when they are drawn as one. */
int blocks_size(int usual);
/* The same where a target may have a thousand solutions, or two hundred arcs. */
int blocks_size_of_many(void);

/* What is computed of a block of targets, and remarked on when rows of all are written. */
typedef struct block_work {
    const destination_forms *form;
    void (*find)(void *results);
    void (*remark)(const void *results); /* NULL: nothing */
} block_work;

/* Finds and writes block by block, from the first of `count` targets on; false after a complaint.
 */
bool blocks_write(const block_work *work, void *results, problem_source *problems, int count,
                  int most);

/*
 * Runs a command on the targets of one tip: loads the model `name` and opens the targets. Returns
 * the exit status.
 */
typedef int blocks_command(const char *name, const lb_model *model, problem_source *problems);
int blocks_run(const char *name, blocks_command *run);

#endif
