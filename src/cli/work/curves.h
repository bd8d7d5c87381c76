/* curves.h - the curves of methods in figures: how they look, and those of others. */
#ifndef CLI_WORK_CURVES_H
#define CLI_WORK_CURVES_H

#include "figures/plot.h"
#include "formats/csv.h"

#include <limber/ik.h>

/* The colour, line and mark of a method; grey of one that has none. */
plot_look curves_look(const lb_method *method);

/* Columns of a file, as limber.lesson saves a race: of each method the error before the first step
   and after every step. */
typedef struct own_curves {
    csv_table table;
    double *y; /* column by column; NaN where a field is empty */
    int steps; /* rows but the first */
} own_curves;

/* So many have looks of their own. */
enum { OWN_CURVES = 15 };

/* No path: none. */
own_curves own_curves_read(const char *path);
/* The curves at `x`, 0, 1 and so on up to at least own->steps; as many as table.columns. */
void own_curves_list(const own_curves *own, const double *x, plot_curve *curves);

#endif
