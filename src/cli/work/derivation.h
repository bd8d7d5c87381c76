/* derivation.h - Equations 5.16 to 5.31 of Parent 2012 with the numbers of one step in place. */
#ifndef CLI_WORK_DERIVATION_H
#define CLI_WORK_DERIVATION_H

#include "cli/work/trace.h"

/* Writes the derivation of the step that a trace has just made, as text or as a page of HTML. */
void derivation_write(const tracing *t, FILE *stream, bool html);

#endif
