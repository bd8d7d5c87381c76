/*
 * general.h - the numerics that find every solution of a general arm of six joints.
 *
 * ik/closed/general.c reduces the six equations of such an arm to one square matrix M
 * whose entries are a + b cos(x) + c sin(x) in the angle x of one joint and which is
 * singular exactly where a solution may be. What is done with M many times is
 * here: determinants at many angles, the values of their Fourier series, the null
 * vectors at its zeros, and Newton steps in all six joints from there. Angles, zeros
 * and solutions are side by side in lanes; any width gives the same bits.
 */
#ifndef LIMBER_KERNEL_GENERAL_H
#define LIMBER_KERNEL_GENERAL_H

#include <limber/math.h>

enum {
    GENERAL_JOINTS = 6,
    GENERAL_FEATURES = 14, /* functions of a line that are linear in a rigid motion */
    GENERAL_EQUATIONS = 6,
    GENERAL_TERMS = 27,  /* {1, cos, sin} of three angles */
    GENERAL_STRIDE = 32, /* numbers in a row of terms; those behind GENERAL_TERMS are zero */
    GENERAL_MAX_ORDER = 4,
    GENERAL_MAX_HARMONICS = 24,
    GENERAL_DERIVATIVES = 6, /* of a series: its value and five derivatives */
    GENERAL_MAX_ITEMS = 32   /* zeros or candidates of one call */
};

/*
 * M for the second angle y and `order` = n unknowns beside it: 4n x 4n numbers, made of
 * 2n pairs of rows
 *     (g0 + g1 cos y + g2 sin y) * cos(y / 2)  and  (the same) * sin(y / 2)
 * in the columns {cos(y/2), sin(y/2), cos(3y/2), sin(3y/2)} x (n unknowns), with
 *     g_i = part[0][row][i] + part[1][row][i] cos x + part[2][row][i] sin x.
 */
typedef struct kernel_resultant {
    int order; /* 3 or 4 */
    double part[3][2 * GENERAL_MAX_ORDER][3][GENERAL_MAX_ORDER];
} kernel_resultant;

/* A trigonometric polynomial: sum over k of cosine[k] cos(k x) + sine[k] sin(k x). */
typedef struct kernel_series {
    int harmonics; /* the greatest k, <= GENERAL_MAX_HARMONICS */
    double cosine[GENERAL_MAX_HARMONICS + 1], sine[GENERAL_MAX_HARMONICS + 1];
} kernel_series;

/* What bounds a series between the angles where it is evaluated. */
typedef struct kernel_bounds {
    double rest;  /* of the first derivative that is not evaluated, anywhere */
    double noise; /* of a value */
} kernel_bounds;

/* An interval and the zeros of a series. */
typedef enum kernel_interval {
    GENERAL_EMPTY,    /* none */
    GENERAL_MONOTONE, /* one at most: the signs at its ends decide */
    GENERAL_TOUCHING, /* all values are within noise of zero */
    GENERAL_BENT,     /* two at most: f'' changes by less than half of itself */
    GENERAL_OPEN      /* not known: too wide */
} kernel_interval;

/*
 * A null vector of M at x: in the columns cos(y/2) and sin(y/2) alone, n numbers each
 * one after the other, from which the rest follows. Where M lacks two ranks `second`
 * spans the null space together with `first`.
 */
typedef struct kernel_null {
    double first[2 * GENERAL_MAX_ORDER], second[2 * GENERAL_MAX_ORDER];
    /* the last pivot but one, and the one before it, as parts of the first: near zero, two ranks
       are lacking, or three */
    double gap, plane_gap;
    double scale; /* |det M| is at most 2 gap^2 times this */
} kernel_null;

/* An arm and where its last link must be, all in one frame: T(q) = A_0(q[0]) ... A_5(q[5]). */
typedef struct kernel_loop {
    lb_vec3 axis[GENERAL_JOINTS], point[GENERAL_JOINTS]; /* at q = 0 */
    lb_vec3 tip;                                         /* the point whose position counts */
    lb_transform target;                                 /* what T must be */
} kernel_loop;

/*
 * How the angles that M does not hold follow from those that it does. The frame of the
 * loop has the axis of joint 0 as its z axis. The six features of joint 4's axis that do
 * not change with joint 0 are constant + (...) cos q5 + (...) sin q5, and
 *     (cos q5, sin q5) = solve (features - constant);
 * the four complex ones are exp(-i q0) (u + v cos q5 + w sin q5).
 */
typedef struct kernel_elimination {
    double constant[6], solve[2][6];
    double u[4][2], v[4][2], w[4][2];
    lb_vec3 across; /* unit, at right angles to the axis of joint 4 */
} kernel_elimination;

/* A place to start from, and what Newton's method made of it. */
typedef struct kernel_candidate {
    double x;                           /* of joint 1 */
    double null[2 * GENERAL_MAX_ORDER]; /* y is joint 2's, the unknowns are joint 3's */
    double q[GENERAL_JOINTS];           /* filled in, not wrapped */
    double error;                       /* of position and rotation, in the loop's units */
    double conditioning; /* smallest pivot of the Jacobian as a part of its greatest entry */
    double sign;         /* +-1: that of the Jacobian's determinant, columns in the loop's order */
} kernel_candidate;

typedef struct kernel_general_ops {
    int width;
    /* out = combination * features; rows of GENERAL_STRIDE numbers */
    void (*combine)(const double features[GENERAL_FEATURES][GENERAL_STRIDE],
                    const double combination[GENERAL_EQUATIONS][GENERAL_FEATURES],
                    double out[GENERAL_EQUATIONS][GENERAL_STRIDE]);
    /* det M at `count` angles given by their cosines and sines, up to a constant sign */
    void (*determinants)(const kernel_resultant *resultant, const double *cosines,
                         const double *sines, int count, double *values);
    /* a series and its first derivative at `count` angles */
    void (*series)(const kernel_series *series, const double *angles, int count, double *values,
                   double *slopes);
    /* the same with all derivatives, of one angle */
    void (*derivatives)(const kernel_series *series, double angle,
                        double derivatives[GENERAL_DERIVATIVES]);
    /* what is known of the zeros in intervals of half width h about `count` angles */
    void (*classify)(const kernel_series *series, const kernel_bounds *bounds, const double *angles,
                     int count, double h, unsigned char *kinds);
    /* null vectors of M at `count` angles */
    void (*null_vectors)(const kernel_resultant *resultant, const double *angles, int count,
                         kernel_null *nulls);
    /* from null vectors to joint values; fills q */
    void (*recover)(const kernel_loop *loop, const kernel_elimination *elimination, int order,
                    kernel_candidate *candidates, int count);
    /* Newton's method from q until nothing is won any more, or `steps` are used up */
    void (*refine)(const kernel_loop *loop, int steps, kernel_candidate *candidates, int count);
} kernel_general_ops;

/* The widest instance that this machine can run and that is at most `width` wide (0: any). */
const kernel_general_ops *kernel_choose_general(int width);

#endif
