/*
 * solve_tips.h - configurations that bring several tips to their targets, solved and written.
 */
#ifndef CLI_OUTPUT_SOLVE_TIPS_H
#define CLI_OUTPUT_SOLVE_TIPS_H

#include "cli/options/table.h"

#include <limber/model.h>

/* How many tips are meant: as often as --tip was given, else those of --group where several targets
   are, else 1. */
int tips_count(text_option given);

/*
 * Solves for several tips at once, by lb_body, from the pose that `start` says and from others: one
 * target each, or the rows of a file with columns for each. Writes the results where the
 * destination's options say. `base` is what --base says. Returns the program's exit status.
 */
int solve_tips(const lb_model *model, int count, text_option given, const char *base,
               const char *start);

#endif
