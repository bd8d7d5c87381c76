/* derivation.h - Equations 5.16 to 5.31 of Parent 2012 with the numbers of one step in place. */
#ifndef CLI_WORK_DERIVATION_H
#define CLI_WORK_DERIVATION_H

#include "cli/work/trace.h"

/* Write the derivation of a `step`, the tracing that has just made it, as text or as HTML. */
void derivation_text(const void *step, FILE *stream);
void derivation_html(const void *step, FILE *stream);

#endif
