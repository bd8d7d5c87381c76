/*
 * general_parts.h - what the files of the solver for general arms share.
 */
#ifndef LIMBER_IK_CLOSED_GENERAL_PARTS_H
#define LIMBER_IK_CLOSED_GENERAL_PARTS_H

#include "ik/closed/general.h"

/*
 * det M has at most 8 harmonics for order 3 and 12 for order 4; so many samples leave three
 * more that must vanish, and fill whole lanes.
 */
enum { GENERAL_SAMPLES_3 = 24, GENERAL_SAMPLES_4 = 32 };

/*
 * Round a zero: of these only half, and one more, are different. So many leave eleven numbers that
 * must vanish: of three, all may be a hundred times less than the noise that they stand for, by
 * chance.
 */
enum { GENERAL_SAMPLES_NEAR = 46 };

/* One target's equations in one ordering, and the determinant of one order. */
typedef struct general_problem {
    kernel_loop loop; /* with its target */
    kernel_elimination elimination;
    double equations[GENERAL_EQUATIONS][GENERAL_STRIDE]; /* in {1, cos, sin} of joints 1, 2, 3 */
    kernel_resultant resultant;
    kernel_series series; /* its determinant, the greatest harmonic scaled to 1 */
    double scale;         /* by this */
    double noise;         /* the greatest harmonic that must vanish; 1: all is noise */
    double independence;  /* the shortest equation's length before all were made equal, or the
                             share that is left of the columns that were eliminated */
} general_problem;

/* A zero of a determinant, or a place where none can be excluded. */
typedef struct general_zero {
    double angle;
    double width; /* it is not farther off than this */
    int most;     /* zeros here at most: 1 where the determinant changes its sign, 2 where it is
                     a parabola lost in noise, 0 where that is not known */
    /* of a parabola |f''| is at least `bend`, and it is not farther off than
       sharp_width + sqrt(2 |f| / bend), f its value here; 0: not known */
    double bend, sharp_width;
    bool seen;     /* its null vectors are known, */
    bool excluded; /* and none of them can be a solution's, */
    bool hidden;   /* but of a zero that noise hides by less than rounding may make of it */
} general_zero;

typedef struct general_zeros {
    general_zero at[GENERAL_MAX_ITEMS];
    int count;
    bool truncated; /* more than that, or regions left unexamined */
    bool lacking;   /* rounding may have taken two zeros away where they meet */
} general_zeros;

/* Null vectors to start from: three at most for each place that is looked at. */
typedef struct general_candidates {
    kernel_candidate at[3 * GENERAL_MAX_ITEMS];
    int count;
    bool truncated;
} general_candidates;

/* The 14 features of the line through p along l: six that a turn about z leaves, four pairs. */
void general_line_features(lb_vec3 p, lb_vec3 l, double out[GENERAL_FEATURES]);

/*
 * The arm whose loop is cut elsewhere: joints first .. 5, then 0 .. first - 1 where the target
 * puts them. It reaches *cut_target with the same angles. Its orderings have no noise found.
 * Returns false, and no arm, where the target is so far away that numbers do not hold it.
 */
bool general_cut(const general_arm *general, int first, const lb_transform *tip_in_base,
                 general_arm *cut, lb_transform *cut_target);

/* Eliminates the outer joints of an ordering for one target. */
void general_eliminate(const general_arm *general, const kernel_general_ops *ops,
                       const general_ordering *ordering, const lb_transform *tip_in_base,
                       general_problem *problem);

/* Finds the determinant's series for order 3 or 4; returns its noise. */
double general_sample(const general_arm *general, const kernel_general_ops *ops, int order,
                      general_problem *problem);

/*
 * Fits a series, its greatest harmonic scaled to 1, to `count` samples all round the circle,
 * whose cosines and sines are given, and *scale, which they were multiplied by; returns the
 * greatest harmonic above `harmonics`.
 */
double general_fit(const double *values, const double *cosines, const double *sines, int count,
                   int harmonics, kernel_series *series, double *scale);

/* Finds every real zero of a problem's determinant, in [0, 2 pi), ascending. Those that are not
   known well are looked at again, each time for one of *looks; below 0: more were wanted. */
void general_isolate(const general_arm *general, const kernel_general_ops *ops,
                     const general_problem *problem, int *looks, general_zeros *zeros);

/*
 * Looks at the neighbourhoods of chosen zeros again, where the determinant has far less noise than
 * its series. Returns false where nothing is won; new zeros have not been seen.
 */
bool general_zoom(const general_arm *general, const kernel_general_ops *ops,
                  const general_problem *problem, const bool *chosen, general_zeros *zeros);

/*
 * Finds places to start from for every zero that has not been seen and may be a solution. Parabolas
 * become as narrow as the determinant's own value there makes them.
 */
void general_find_candidates(const kernel_general_ops *ops, const general_problem *problem,
                             general_zeros *zeros, general_candidates *out);

#endif
