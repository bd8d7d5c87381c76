/*
 * track.h - all roots of quadratic equations, by tracking paths from equations whose roots are
 * known.
 *
 * The equations' parameters go on a straight line from a start, t = 0, to the wanted ones, t = 1,
 * and each root of the start is tracked along. Paths are side by side in lanes, a lane takes the
 * next path when its own has ended; any width gives the same bits.
 */
#ifndef LIMBER_KERNEL_TRACK_H
#define LIMBER_KERNEL_TRACK_H

enum {
    TRACK_ORDER = 4,    /* of the series by which a step is predicted */
    TRACK_NUMBERS = 12, /* of a path's end: its unknowns, and room for what is made of them */
    BILINEAR_MOST = 3,  /* n */
    BILINEAR_TERMS = BILINEAR_MOST + 1, /* y_0 .. y_n */
    BILINEAR_UNKNOWNS = 2 * BILINEAR_MOST,
    BILINEAR_PATHS = 20,
    PLATFORM_LEGS = 5,  /* beside the first one */
    PLATFORM_TERMS = 7, /* of a leg: difference, sum, square */
    PLATFORM_UNKNOWNS = 7,
    PLATFORM_PATHS = 40,
    TRACK_UNKNOWNS = PLATFORM_UNKNOWNS, /* at most */
    TRACK_PATHS = PLATFORM_PATHS        /* at most */
};

typedef struct kernel_complex {
    double x, y;
} kernel_complex;

typedef kernel_complex kernel_bilinear_form[BILINEAR_TERMS][BILINEAR_TERMS]; /* c[i][j] */

/*
 * 2n equations sum c[i][j] y_i z_j = 0 in the complex unknowns y_1 .. y_n and z_1 .. z_n, with
 * y_0 = z_0 = 1; the coefficients are start + t * rise. They have at most (2n)! / (n! n!) isolated
 * roots (Bernstein 1975; Wampler 2001 for planar linkages).
 */
typedef struct kernel_bilinear {
    int n; /* 2 or 3 */
    kernel_bilinear_form start[BILINEAR_UNKNOWNS], rise[BILINEAR_UNKNOWNS];
} kernel_bilinear;

/*
 * The poses of a body that is held by six legs of given lengths, as e and g of Study: the rotation
 * of the quaternion e, the place g e* / |e|^2. With the first leg's ends as origins,
 *     g.e = 0,  g.g = square e.e,  and for every other leg with ends a and b  |g + v|^2 = (square +
 *     leg square) e.e,  v = e b - a e.
 * v is linear in e, antisymmetric, and has difference = b - a and sum = a + b as its coefficients;
 * less the second equation the last one is  g.v + v.v / 2 = leg square e.e / 2. The unknowns are
 * e_1 e_2 e_3 and g, with e_0 = 1 - chart . (e_1 e_2 e_3); 40 roots are isolated in general
 * (Raghavan 1993; Wampler 1996). The parameters are start + t * rise, platforms for all t.
 */
typedef struct kernel_platform {
    kernel_complex chart[3];
    kernel_complex start[PLATFORM_LEGS][PLATFORM_TERMS], rise[PLATFORM_LEGS][PLATFORM_TERMS];
    kernel_complex start_square, rise_square;
} kernel_platform;

/* How a path ended. */
typedef enum kernel_path_end {
    PATH_ARRIVED,  /* at t = 1; Newton's last correction was below 1e-10 of the unknowns */
    PATH_SINGULAR, /* at infinity or at a root where others are, as well as that can be told: within
                      1e-7 of t = 1 steps became too short or it is beyond 1e3, beyond 1e7 within
                      1e-2, or steps shrank to a thousandth within 1e-4 */
    PATH_LOST      /* steps became too short before or too many, or it grew beyond 1e7 */
} kernel_path_end;

/* A path: at a root of the start, later at its end. */
typedef struct kernel_path {
    kernel_complex at[TRACK_NUMBERS]; /* y, then z; or e_1 e_2 e_3, then g */
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

typedef struct kernel_track_ops {
    int width;
    void (*bilinear)(const kernel_bilinear *equations, const kernel_care *care, kernel_path *paths,
                     int count);
    void (*platform)(const kernel_platform *equations, const kernel_care *care, kernel_path *paths,
                     int count);
} kernel_track_ops;

/* The widest instance that this machine can run and that is at most `width` wide (0: any). */
const kernel_track_ops *kernel_choose_track(int width);

#endif
