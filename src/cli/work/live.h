/*
 * live.h - motion that is read and written line by line while it happens.
 */
#ifndef CLI_WORK_LIVE_H
#define CLI_WORK_LIVE_H

#include "cli/options/models.h"

#include <limber/retarget.h>

/*
 * Reads rows of the source's values from standard input, and writes a row of the target's for each
 * as soon as it is known. The first row may have names, of which one is "time"; without names a row
 * is the time and all values in their order. False after a complaint.
 */
bool live_retarget(const motion *source, const motion *target, const lb_retarget_options *options);

#endif
