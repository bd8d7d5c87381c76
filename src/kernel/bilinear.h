/*
 * bilinear.h - all roots of equations that are bilinear in two groups of unknowns, by tracking.
 *
 * 2n equations sum c[i][j] y_i z_j = 0 in the complex unknowns y_1 .. y_n and z_1 .. z_n, with
 * y_0 = z_0 = 1, have at most (2n)! / (n! n!) isolated roots (Bernstein 1975; Wampler 2001 for
 * planar linkages). Their coefficients go on a straight line from equations whose roots are known,
 * t = 0, to the wanted ones, t = 1, and each root is tracked along. Paths are side by side in
 * lanes, a lane takes the next path when its own has ended; any width gives the same bits.
 */
#ifndef LIMBER_KERNEL_BILINEAR_H
#define LIMBER_KERNEL_BILINEAR_H

enum {
    BILINEAR_MOST = 3,                  /* n */
    BILINEAR_TERMS = BILINEAR_MOST + 1, /* y_0 .. y_n */
    BILINEAR_UNKNOWNS = 2 * BILINEAR_MOST,
    BILINEAR_PATHS = 20,
    BILINEAR_ORDER = 4 /* of the series by which a step is predicted */
};

typedef struct kernel_complex {
    double x, y;
} kernel_complex;

typedef kernel_complex kernel_bilinear_form[BILINEAR_TERMS][BILINEAR_TERMS]; /* c[i][j] */

/* The equations start + t * rise. */
typedef struct kernel_bilinear {
    int n; /* 2 or 3 */
    kernel_bilinear_form start[BILINEAR_UNKNOWNS], rise[BILINEAR_UNKNOWNS];
} kernel_bilinear;

/* How a path ended. */
typedef enum kernel_path_end {
    PATH_ARRIVED,  /* at t = 1; Newton's last correction was below 1e-10 of the unknowns */
    PATH_SINGULAR, /* at infinity or at a root where others are, as well as that can be told: within
                      1e-7 of t = 1 steps became too short or it is beyond 1e3, or beyond 1e7 within
                      1e-2 */
    PATH_LOST      /* steps became too short before or too many, or it grew beyond 1e7 */
} kernel_path_end;

/* A path: at a root of the start, later at its end. */
typedef struct kernel_path {
    kernel_complex at[BILINEAR_UNKNOWNS]; /* y, then z */
    kernel_path_end end;
    double pivot; /* the smallest of the last factoring, as a share of the largest */
} kernel_path;

/* How carefully paths are tracked. */
typedef struct kernel_care {
    double tolerance; /* what the last term of the series adds in a step, as a share */
    double accepted;  /* Newton's first correction */
    double share;     /* of the way to the nearest singularity */
    int steps;        /* at most, of a path */
} kernel_care;

typedef struct kernel_bilinear_ops {
    int width;
    void (*track)(const kernel_bilinear *system, const kernel_care *care, kernel_path *paths,
                  int count);
} kernel_bilinear_ops;

/* The widest instance that this machine can run and that is at most `width` wide (0: any). */
const kernel_bilinear_ops *kernel_choose_bilinear(int width);

#endif
