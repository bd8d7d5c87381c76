/* derivation.h - Equations 5.16 to 5.31 of Parent 2012 with the numbers of one step in place. */
#ifndef CLI_WORK_DERIVATION_H
#define CLI_WORK_DERIVATION_H

#include "cli/report/formula.h"
#include "cli/work/trace.h"

/* Writes the derivation of the step that a trace has just made. */
void derivation_write(const tracing *t, const formula_page *page);

#endif
