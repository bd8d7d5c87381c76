/*
 * ops.h - the kernel's entry points, one set for each width and instruction set.
 *
 * Kernel code is written once in .inl files over a lane type (simd/lane.h), one problem per lane,
 * and compiled for each width (instances/). Functions that take `count` work on up to `width`
 * problems.
 */
#ifndef KERNEL_OPS_H
#define KERNEL_OPS_H

#include "kernel/closed.h"
#include "kernel/descent.h"
#include "kernel/problem.h"
#include "kernel/tree.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- seed table --------------------------------------------------------- */

/*
 * Samples of configurations, found by where they bring the tool. ik/search/seed_table.c builds
 * the table. Two rotations cost nothing to correct afterwards and are left out of the comparison:
 * that of a first joint about the base's z axis, and that of a last joint about the tool's.
 */

enum {
    KERNEL_TABLE_CLASSES = 8, /* a look-up returns the nearest sample of each class */
    KERNEL_TABLE_SIDE = 32,   /* rows that are compared together */
    KERNEL_MAX_FEATURES = 9
};

typedef struct kernel_table {
    const kernel_task *task;
    const kernel_joint *joints;
    int nq;
    int features;                        /* numbers that are compared */
    bool omit_turn, omit_roll;           /* the first joint's rotation, the last joint's */
    const kernel_variable *first, *last; /* the variables that make those */
    const double *q;                     /* rows of nq numbers, limits not yet enforced */
    const lb_vec3 *axes; /* pairs: the tool's x and y without the first joint's rotation */
    const int *fixed;    /* indices of values that belong to no variable: locked joints */
    int fixed_count;
} kernel_table;

/* What a table compares of a tool's pose. */
typedef struct kernel_key {
    double angle; /* the first joint's rotation, removed from the rest */
    lb_vec3 x, y;
    float features[KERNEL_MAX_FEATURES];
} kernel_key;

/* ---- verifier ----------------------------------------------------------- */

/* What verifies solutions: part of a model's own tree, and what must hold there. */

/* A constant pose relative to a frame of the tree, or to the world. */
typedef struct kernel_offset {
    int frame;         /* -1: the world */
    bool is_identity;  /* of `pose` */
    lb_transform pose; /* T_frame_here, T_world_here */
} kernel_offset;

/* One tool to verify. */
typedef struct kernel_check {
    kernel_offset tool;
    kernel_goal goal; /* its axis in the tool's axes */
} kernel_check;

typedef struct kernel_verifier {
    kernel_tree tree;   /* the joints from the root to bases and tips */
    const int *model_q; /* tree.nq: index of each of its values in the model's q */
    lb_transform root;  /* T_world_root */
    kernel_offset base;
    const kernel_check *checks;
    int check_count;
} kernel_verifier;

/* ---- two bone ----------------------------------------------------------- */

/* Arms of two bones: what the kernel takes of each. */

/* Where the numbers of an arm are, in the order of lb_two_bone: of the end the origin counts. */
enum {
    KERNEL_BONES_START = 0,
    KERNEL_BONES_MIDDLE = 12,
    KERNEL_BONES_TARGET = 36, /* after the end; then bend axis, pole, twist, soft and weight */
    KERNEL_BONES_NUMBERS = 48
};

/* Any number of arms, a row each. */
typedef struct kernel_two_bones {
    const double *arms;     /* rows of KERNEL_BONES_NUMBERS */
    double *start, *middle; /* rows of w x y z: the corrections */
    bool *reached;          /* NULL: not wanted */
    size_t count;
} kernel_two_bones;

/* ---- swivel ------------------------------------------------------------- */

/* Three axes that meet, for rotations that depend on an angle. */

/*
 * Three directions x, y = R z that a rotation R(t) about a fixed axis gives: x[0] + x[1] cos t +
 * x[2] sin t. Of the wrist's last axis d, of u across it, and of d cross u.
 */
typedef struct kernel_swivel {
    lb_vec3 last[3], side[3], other[3];
} kernel_swivel;

/* angles of one call: whole lanes of any width */
enum { KERNEL_SWIVEL_ANGLES = 64 };

/* What three joints are at some angles; the arrays' numbers up to the next multiple of 8 are
   written, too. */
typedef struct kernel_swivelled {
    double q[3][KERNEL_SWIVEL_ANGLES];
    double margin[KERNEL_SWIVEL_ANGLES]; /* below 0: there is no solution, see kernel_solutions */
} kernel_swivelled;

/* ---- ways --------------------------------------------------------------- */

/* Ways of an arm's seven joints, as rows of samples one after the other. */

/* sample 1 is the first; as many places more as the widest instance reads */
enum { KERNEL_WAY_JOINTS = 7, KERNEL_WAY_SAMPLES = 24, KERNEL_WAY_ROOM = KERNEL_WAY_SAMPLES + 12 };

typedef struct kernel_way {
    int count;                     /* of samples */
    double u[KERNEL_WAY_ROOM];     /* where they are; less than the one before where a row begins */
    double inner[KERNEL_WAY_ROOM]; /* 1: within a row, 0: at an end of it */
    double q[KERNEL_WAY_JOINTS][KERNEL_WAY_ROOM];
    double margin[KERNEL_WAY_ROOM];
    double least_margin; /* samples with less do not count */
    double bend_room; /* second derivatives within a cell may be so many times those at its ends */
    double tolerance; /* limits may be broken by this, in radians, */
    double beside;    /* and what breaks them by as much more is told of cells */
    double start[KERNEL_WAY_JOINTS], lower[KERNEL_WAY_JOINTS], upper[KERNEL_WAY_JOINTS];
    double weight[KERNEL_WAY_JOINTS]; /* of a radian in distances */
} kernel_way;

/* What is known of samples, and of the cells between each and the next. */
typedef struct kernel_cells {
    double square[KERNEL_WAY_ROOM];  /* of the distance from the start, infinite outside limits */
    double bound[KERNEL_WAY_ROOM];   /* nothing inside the limits is nearer; infinite: nothing is */
    double nearest[KERNEL_WAY_ROOM]; /* where its straight line is nearest, from 0 to 1 */
    double beside[KERNEL_WAY_ROOM];  /* the bound of a cell that is only beside the limits */
} kernel_cells;

/* ---- rotations ---------------------------------------------------------- */

/* Quaternions of many balls at once: what the kernel's compose takes. */

/* the turns that one rotation is made of */
enum { KERNEL_TURNS = 3 };

/*
 * Rotations that are products of turns about coordinate axes, as captures have them. Arrays are
 * filled up with more entries, of any valid kind, to a multiple of KERNEL_MAX_WIDTH.
 */
typedef struct kernel_turns {
    int count;
    double half_unit;                    /* half of an angle's unit, in radians */
    const int *places;                   /* of each quaternion w x y z in a configuration */
    const int *angles[KERNEL_TURNS];     /* of each turn's angles in a row */
    const double *axes[KERNEL_TURNS][3]; /* of each turn: the x, y and z of its axes */
} kernel_turns;

/* ---- slerp -------------------------------------------------------------- */

/* The rotations between two configurations: what the kernel's slerp takes. */

/* The most terms after the first; with them rotations of up to 54 degrees are exact. Halved twice,
   half a turn is shorter. */
enum { KERNEL_SLERP_TERMS = 12, KERNEL_SLERP_HALVINGS = 2 };

/* Balls of a configuration, and how much of the two ends is in the rotation between them. */
typedef struct kernel_slerp {
    const int *places; /* of each quaternion w x y z in a configuration */
    int count;
    int halvings;                      /* of the way between the ends, before the series */
    bool upper[KERNEL_SLERP_HALVINGS]; /* the half from the middle to the second end is taken */
    int terms; /* after the first, enough for the ball that turns the farthest */
    double leave[KERNEL_SLERP_TERMS + 1], arrive[KERNEL_SLERP_TERMS + 1];
} kernel_slerp;

enum { KERNEL_MAX_WIDTH = 8 };

/* How a problem sees the targets T_base_target of one task. */
typedef struct kernel_target_map {
    const lb_transform *base; /* T_problem_base, metres */
    const lb_transform *axes; /* T_tool_frame, rotation only */
    double scale;             /* the problem's units of length in a metre */
} kernel_target_map;

/* The limits of a row of numbers, infinite where there are none. */
typedef struct kernel_range {
    int count;
    double *lower, *upper;
} kernel_range;

typedef struct kernel_ops {
    int width;
    /* bytes of scratch that `descend` needs, aligned to 64 */
    size_t (*scratch)(const kernel_problem *problem);
    /* runs jobs until the feed has no more; problem, control and scratch are the caller's */
    void (*descend)(const kernel_problem *problem, const kernel_control *control,
                    const kernel_feed *feed, void *scratch);
    /* bytes of scratch that `verify` needs, aligned to 64 */
    size_t (*verifier_scratch)(const kernel_verifier *verifier);
    /* the largest errors over all checks, metres and radians, infinite for NaN; q: the model's,
       targets: T_base_target */
    void (*verify)(const kernel_verifier *verifier, const double *const *q,
                   const lb_transform *const *targets, int count, void *scratch, double *position,
                   double *rotation);
    /* the same of configurations for one target (of each task) side by side: number i of
       configuration k is columns[KERNEL_CLOSED_BRANCHES * i + k], in the order of the verifier's
       tree; all KERNEL_CLOSED_BRANCHES columns are read */
    void (*verify_columns)(const kernel_verifier *verifier, const double *columns,
                           const lb_transform *targets, void *scratch, double *position,
                           double *rotation);
    /* targets as a problem sees them (`seen` NULL: not wanted); returns a bit for each that is
       finite and has orthonormal, right-handed axes */
    unsigned (*transform_targets)(const kernel_target_map *map, const lb_transform *const *targets,
                                  lb_transform *const *seen, int count);
    /* what a table compares of tool poses T_base_tool */
    void (*make_keys)(const kernel_table *table, const lb_transform *const *poses,
                      kernel_key *const *keys, int count);
    /* the nearest row of each class of a table, and half of its squared distance from `at` minus
       half of |at|^2; `count` rows, a multiple of KERNEL_TABLE_SIDE: half of their squared lengths
       first, then feature by feature; row i is of class i mod classes */
    void (*nearest)(const float *table, int features, int count, const float *at, float *distances,
                    int *rows);
    /* samples rotated by the omitted joints to keys of targets, on the whole turns nearest to
       `near`, within the limits; returns a bit for each whose limits prevent that */
    unsigned (*seed_starts)(const kernel_table *table, const int *samples,
                            kernel_key *const *targets, const double *const *near, double *const *q,
                            int count);
    /* rows of numbers brought within their limits, NaN stays NaN; returns a bit for each row whose
       numbers are all finite; q and `to` may be the same */
    unsigned (*clamp)(const kernel_range *range, const double *const *q, double *const *to,
                      int count);
    /* a bit for each row whose numbers are finite and within their limits plus a tolerance */
    unsigned (*within)(const kernel_range *range, double tolerance, const double *const *q,
                       int count);
    /* periodic values changed by whole turns to be nearest to `near` */
    void (*unwind)(const kernel_problem *problem, const double *const *near, double *const *q,
                   int count);
    /* the rotations of a slerp's balls between two configurations; `to` is none of them */
    void (*slerp)(const kernel_slerp *slerp, const double *a, const double *b, double *to);
    /* the rotations that a row of angles is, into a configuration; all of `angles` are read */
    void (*compose)(const kernel_turns *turns, const double *row, double *q);
    /* lb_quat_normalize of the quaternions at some places of a configuration */
    void (*normalize)(const int *places, int count, double *q);
    /* lb_transform_quat of many */
    void (*quats)(const lb_transform *from, size_t count, lb_quat *to);
    /* arms of two bones; returns how many reach their targets */
    size_t (*two_bones)(const kernel_two_bones *arms);
    // what has several branches or angles of one arm in lanes: NULL in kernel_s<N>

    /* every solution of an arm that has a closed form for one pose T_base_tip; `start`, in the
       arm's order, is what turns are near to and what joints that nothing determines keep */
    void (*closed_one)(const kernel_closed *arm, const kernel_ranges *ranges,
                       const lb_transform *target, const double *start,
                       kernel_solutions *solutions);
    /* configurations along what a singular pose leaves open; `start` as for closed_one */
    void (*closed_along)(const kernel_closed *arm, const kernel_ranges *ranges,
                         const lb_transform *target, const double *start, const kernel_held *held,
                         kernel_members *members);
    /* the one that is wanted for each of several poses; returns a bit for each that has one inside
       the limits, and the squares of their distances from the starts */
    unsigned (*closed_pick)(const kernel_closed *arm, const kernel_ranges *ranges,
                            const kernel_closed_batch *batch, int count, double *squares);
    /* closed_one of several poses, from starts that are rows of the model's numbers */
    void (*closed_several)(const kernel_closed *arm, const kernel_ranges *ranges,
                           const kernel_closed_batch *batch, int count,
                           kernel_solutions *const *sets);
    /* 1 to KERNEL_SLICES branches, each at its own value of the joint that turns */
    void (*closed_slices)(const kernel_closed *arm, const kernel_turning *goal,
                          const double *values, const int *branches, int count,
                          kernel_slices *slices);
    /* how near ways can be to a start inside the limits */
    void (*bound_cells)(const kernel_way *way, kernel_cells *cells);
    /* the three joints of axes that meet, for 1 to KERNEL_SWIVEL_ANGLES angles that their rotation
       depends on; sign +-1 selects the root */
    void (*swivel)(const kernel_wrist *wrist, const kernel_swivel *rotation, const double *angles,
                   int count, double sign, kernel_swivelled *out);
    /* det J J^T of `count` (any number) configurations, row by row, of a problem with one task
       whose locus is a point; scratch as for `descend` */
    void (*manipulability_squared)(const kernel_problem *problem, const double *q, int count,
                                   void *scratch, double *squares);

    // width 1 only, NULL elsewhere

    /* kernel_forward */
    void (*forward)(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames);
    /* the Jacobian of a point, in the axes of the frames' base, with respect to the
       joints from the root to the carrier: 6 x nv, row major, linear rows first */
    void (*jacobian)(const kernel_tree *tree, int carrier, const lb_transform *frames,
                     const lb_vec3 *point, double *jacobian);
    /* kernel_iterate */
    double (*iterate)(const kernel_problem *problem, const kernel_control *control,
                      const lb_transform *targets, double *q, double *share, void *scratch);
} kernel_ops;

/* The widest instance that this machine can run and that is at most `width` wide (0: any). */
const kernel_ops *kernel_choose(int width);

/*
 * The fastest instance of width 1 whose registers are not wider than those of `width`. Arms gain
 * from AVX-512's 32 registers, other linkages from what the compiler does with 16.
 */
const kernel_ops *kernel_choose_single(int width, bool arm);

#endif
