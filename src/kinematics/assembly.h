/*
 * assembly.h - what an lb_assembly holds, and the constraints of loops.
 *
 * Everything is without a unit: displacements are shares of `size`, the reach of the longest loop,
 * and so are the velocities of joints that slide. So bounds and norms add what is alike.
 */
#ifndef KINEMATICS_ASSEMBLY_H
#define KINEMATICS_ASSEMBLY_H

#include "kernel/track.h"
#include "model/layout.h"

#include <limber/loops.h>

/* One step of a joint in the chain through a loop, from the second end back to the first. */
typedef struct loop_step {
    int v;                     /* its velocity, of a ball the first of three */
    int turns;                 /* how many rotations it is: 1, 3 of a ball, 0 of a slide */
    int value;                 /* of a slide: its index in q; else -1 */
    double factor;             /* how much it moves with its velocity, without a unit; 0: locked */
    double multiplier, offset; /* of a slide: its displacement = multiplier * value + offset */
    double length; /* from here to the step before it, with all slides at zero, in metres */
} loop_step;

/* Steps of one loop; consecutive. */
typedef struct loop_chain {
    int first, count;
    double gain; /* how much mimic joints add to the second derivatives */
} loop_chain;

/* ---- all assemblies (assembly_all.c) of planar linkages: planar.c ------------- */

enum {
    GROUPS_MOST = 12, /* more dyads have more assemblies, 2^12, than anybody asks for */
    BODIES_MOST = 2 * GROUPS_MOST, /* whose places are not given */
    GROUP_BODIES = 2 * BILINEAR_MOST,
    GROUP_EDGES = 3 * BILINEAR_MOST
};

/* A complex number. */
typedef kernel_complex planar_point;

/* What has become of a body since the reference: z to place + turn * z. */
typedef struct planar_pose {
    planar_point turn, place;
} planar_pose;

/* A joint between two bodies, in the tree or a loop, whose value is not given. */
typedef struct planar_edge {
    int bodies[2];
    int joint, loop; /* -1: it is not one */
    bool slides;
    planar_point points[2]; /* of both bodies; they meet, or the second is on the first's line */
    planar_point along;     /* of what slides: the line's direction, on the first body */
    planar_point turn; /* of what slides: the second body's turn is the first one's times this */
    double sign;       /* of a joint that turns: -1 if it does so against the plane's normal */
} planar_edge;

/* An edge, and whether it is read from its second body. */
typedef struct planar_use {
    int edge;
    bool back;
} planar_use;

/*
 * Bodies that joints hold to known ones and to each other, three joints to two bodies (Assur 1914).
 * The edges of a dyad: from a known body to the first, to the second, and to that from a known one.
 */
typedef struct planar_group {
    int body_count; /* 2, 4 or 6 */
    int bodies[GROUP_BODIES];
    planar_use edges[GROUP_EDGES];
} planar_group;

/* ---- and of platforms: platform.c -------------------------------------------- */

/* A rod between the base and the platform, whose length is given: two axes that meet, or a ball,
   hold it to one of them, its hub, and a ball to the other one. */
typedef struct platform_leg {
    int hub, rod, other;      /* bodies */
    int ball;                 /* an edge */
    int joints[2], values[2]; /* of the axes: joints, and indices in q */
    bool spins;               /* a ball holds it to its hub, too */
    /* at the reference: where the axes meet, the rod's other end and where that should be */
    lb_vec3 center, axes[2], end, target;
} platform_leg;

/* In which order joints become dependent: first those that a coupling sets. */
typedef enum assembly_tier {
    TIER_SET,
    TIER_PASSIVE,
    TIER_SPRUNG,
    TIER_DRIVEN,
    TIER_COUNT
} assembly_tier;

struct lb_assembly {
    lb_allocator allocator;
    const lb_model *model;
    lb_state *state;
    lb_loop_mobility mobility;
    double size;
    int nq, nv, rows, column_count, dependent_count;
    double *scale;       /* of each velocity: size of those that slide, else 1 */
    int *columns;        /* velocities that move loops */
    int *dependent;      /* velocities, in order */
    bool *is_dependent;  /* of each velocity */
    unsigned char *tier; /* of each velocity, an assembly_tier */
    bool *flags;         /* of columns or rows, working memory */
    bool *outside;       /* of each part: beyond its limits where a path began */
    bool *idle;          /* of each loop: a path leaves it as it is, and its rows are zero */
    bool *marked;        /* of each velocity, working memory of a path */
    int *all_dependent;  /* while `dependent` are those of a path */
    loop_chain *chains;
    loop_step *steps;
    bool *redundant;       /* of each row */
    double *rest;          /* nq: the neutral configuration, closed */
    double *q, *trial;     /* nq */
    double *base, *goal;   /* nq: the ends of a path */
    double *before, *best; /* nq */

    /* what all assemblies are found by: groups, or a platform, if it is made of them */
    bool is_grouped, is_platform;
    int body_count, edge_count, group_count;
    int *body_of; /* of each link */
    planar_edge *edges;
    planar_pose *poses; /* of each body */
    planar_group *groups;
    planar_pose *branches; /* rows of all groups, working memory */
    platform_leg legs[PLATFORM_LEGS + 1];
    lb_transform *motions; /* of each body since the reference, in the world */

    /* made by loop_measure */
    double *f, *jacobian; /* rows; rows x nv */
    double error;         /* the largest of f, at least 1 if a rotation is half a turn off */

    /* working memory */
    double *relative;                       /* 2 x 6 x nv */
    double *v, *move, *sum, *way;           /* nv */
    double *basis, *inverse;                /* dependent x rows, dependent x dependent */
    double *part;                           /* dependent + rows */
    double *tangent, *start;                /* dependent + 1 */
    double *correction, *left_over;         /* dependent + 1 */
    double *matrix, *left, *right, *values; /* of singular values */
};

/* ---- constraints (loop_rows.c) ------------------------------------------ */

/* The rows for q, and their derivatives by all velocities, into the assembly. */
void loop_measure(lb_assembly *a, const double *q);

/*
 * A bound of the rows' second derivatives by velocities, at q and wherever no velocity has moved by
 * more than 1 from it. z_i x (z_j x r) is at most the reach from the lower joint.
 */
double loop_curvature(const lb_assembly *a, const double *q);

/* q moved by velocities without a unit. */
void loop_move(const lb_assembly *a, const double *q, const double *v, double *out);

/* ---- least squares (loop_solve.c) --------------------------------------- */

/*
 * Factors the columns of dependent joints, by Gram-Schmidt on all rows. Returns the norm of their
 * pseudoinverse, INFINITY where they are not independent.
 */
double loop_factor(lb_assembly *a);
/* x = - pseudoinverse * b, one number for each dependent joint; b has a number for each row. */
void loop_solve(lb_assembly *a, const double *b, double *x);

/*
 * Picks up to `wanted` vectors that are linearly independent, in the order given: vector i of
 * `length` numbers begins at first[i * step], its numbers are `stride` apart. A vector is taken
 * if more than `share` of it is independent of those taken. Returns how many are picked by now.
 */
typedef struct loop_pick {
    const double *first;
    int step, stride, length, count;
    int wanted, picked;
    bool *taken;   /* by vector, false before */
    double *basis; /* wanted x length */
} loop_pick;
bool loop_pick_vector(loop_pick *pick, int i, double share);

/* The closed configuration near q, in place: see lb_assembly_close. */
bool loop_close(lb_assembly *a, double *q);

/* q moved by the dependent joints alone, by x * by. */
void loop_move_dependent(lb_assembly *a, const double *x, double by, double *q);
/*
 * Newton on the dependent joints, in place; *corrected is the way that they went. The rows measured
 * last are then those of q. False if that does not close the loops.
 */
bool loop_correct(lb_assembly *a, double *q, double *corrected);

/* ---- all assemblies (assembly_all.c) --------------------------------------- */

/* What bodies there are, and which kind of linkage they make, once dependent joints are chosen. */
void assembly_plan(lb_assembly *a);

/* ---- bodies, and what is between them (assembly_edges.c) -------------------- */

/* Lists them in a->edges; false: what is between two follows only in part, or mimics. */
bool edges_list(lb_assembly *a);
bool edge_is_ball(const lb_assembly *a, const planar_edge *e);
/* Whether it is a joint that turns about one axis. */
bool edge_turns(const lb_assembly *a, const planar_edge *e);

/* Assemblies while they are found. */
typedef struct assembly_list {
    double *rows;
    int capacity, found;
    bool certain; /* there are no others */
} assembly_list;

/* Where an edge holds one of its bodies, at the reference. */
lb_vec3 edge_point(const lb_assembly *a, const planar_edge *e, int end);
/* Lists a->trial if it closes, after Newton's steps if need be. */
void assembly_keep(lb_assembly *a, assembly_list *list);
/* A dependent angle to the turn that is inside its limits, if there is one. */
double assembly_turn_inside(const model_part *part, double q);

/* Whether the bodies are of that kind, and its parts. */
bool planar_plan(lb_assembly *a);
bool platform_plan(lb_assembly *a);
/* Lists the assemblies for the reference a->base, whose state is known; false: there is no plane,
   or axes that should meet do not. */
bool planar_list(lb_assembly *a, assembly_list *list);
bool platform_list(lb_assembly *a, assembly_list *list);
/* The motions of the platform since the reference, all for which its legs have their lengths;
 *certain is lost if there may be others. Returns how many. */
int platform_poses(const platform_leg *legs, lb_transform motions[TRACK_PATHS], bool *certain);

/* ---- for other rooms ------------------------------------------------------ */

/*
 * The linkage's Jacobian in place of the tree's, rows x nv at q: columns of independent velocities
 * include what the dependent ones add, whose own columns are 0. False, with nothing changed, at a
 * dead point or where q is not closed.
 */
bool assembly_eliminate(lb_assembly *a, const double *q, int rows, double *jacobian);
/* The assembly of a model with loops; NULL of one without. */
lb_status assembly_of(const lb_model *model, const lb_allocator *allocator, lb_assembly **assembly,
                      lb_error *error);
/* Closes the loops from q, in place; whether they close within all limits. */
bool assembly_settle(lb_assembly *a, double *q);

/* Every row holds: 1e-12, a thousand times the rounding of a chain of a dozen joints. */
#define LOOP_CLOSED 1e-12

#endif
