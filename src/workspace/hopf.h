/*
 * hopf.h - orientations that cover all rotations evenly.
 *
 * Source: A. Yershova, S. Jain, S. LaValle, J. Mitchell, "Generating uniform incremental grids on
 * SO(3) using the Hopf fibration", 2010; the grid on the sphere is HEALPix, K. Gorski et al. 2005,
 * equations 4 to 9.
 */
#ifndef WORKSPACE_HOPF_H
#define WORKSPACE_HOPF_H

#include <limber/math.h>

/* The grid with so many orientations, 72 * 8^level: its level from 0 to 2; -1: there is none. */
int hopf_level(int orientations);

/* Orientation 0 <= k < 72 * 8^level; those about one point of the sphere follow each other. */
lb_quat hopf_orientation(int level, int k);

#endif
