/* orientation.h - cells of equal size that cover all orientations. */
#ifndef WORKSPACE_ORIENTATION_H
#define WORKSPACE_ORIENTATION_H

#include <limber/math.h>

/* Of a plane: sectors of one turn. Of space: directions of the z axis times rolls about it. */
typedef struct orientation_cells {
    bool planar;
    int sectors; /* planar: of the turn; else of the azimuth, and of the roll */
    int bands;   /* else: of the height of the z axis, all of equal area */
    int count;   /* of cells */
} orientation_cells;

/* Cells about `angle` wide. */
orientation_cells orientation_divide(bool planar, double angle);

/* The cell, 0 .. count - 1, of axes seen from the grid's. */
int orientation_cell(const orientation_cells *cells, const lb_transform *axes);

/*
 * Axes in the middle of a cell, their origin at zero. Of a plane they are `rest` turned about z;
 * space does not read it.
 */
lb_transform orientation_center(const orientation_cells *cells, int cell, const lb_transform *rest);

#endif
