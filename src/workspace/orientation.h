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

/* ---- hopf --------------------------------------------------------------- */

/*
 * Orientations that cover all rotations evenly.
 *
 * Source: A. Yershova, S. Jain, S. LaValle, J. Mitchell, "Generating uniform incremental grids on
 * SO(3) using the Hopf fibration", 2010; the grid on the sphere is HEALPix, K. Gorski et al. 2005,
 * equations 4 to 9.
 */

/* The grid with so many orientations, 72 * 8^level: its level from 0 to 2; -1: there is none. */
int hopf_level(int orientations);

/* Orientation 0 <= k < 72 * 8^level; those about one point of the sphere follow each other. */
lb_quat hopf_orientation(int level, int k);

#endif
