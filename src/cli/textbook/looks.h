/* looks.h - the colour, line and mark of each method: the same in every figure and on the page. */
#ifndef CLI_TEXTBOOK_LOOKS_H
#define CLI_TEXTBOOK_LOOKS_H

#include <limber/ik.h>

#include "figures/plot.h"

/* Of a method that is not in the table: grey. */
plot_look look_of(const lb_method *method);

#endif
