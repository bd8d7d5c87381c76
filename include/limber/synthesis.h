/*
 * synthesis.h - four-bars that guide a plane through given poses.
 *
 *     lb_dyad dyads[LB_SYNTHESIS_DYADS];
 *     lb_four_bar best[10];
 *     int count, found;
 *     lb_dyads_find(poses, 5, NULL, dyads, LB_SYNTHESIS_DYADS, &count, &complete, &error);
 *     lb_four_bars_find(poses, 5, dyads, count, best, 10, &found, &error);
 *     lb_four_bar_model(&best[0], &poses[0], NULL, &model, &error);
 *
 * A dyad is a point of the ground and a point of the coupler that have one distance in all poses
 * (Burmester 1888). Two dyads make a four-bar. Five poses have 0, 2 or 4 dyads, apart from double
 * ones; four poses have a curve of them, and of three poses every point of the coupler has one.
 *
 * Metres and radians; all functions are pure.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_SYNTHESIS_H
#define LIMBER_SYNTHESIS_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LB_SYNTHESIS_POSES = 5,    /* The most poses that have a four-bar in general. */
    LB_SYNTHESIS_SAMPLES = 16, /* The most samples. */
    LB_SYNTHESIS_DYADS = 256   /* The most dyads listed: the square of that. */
};

/* A pose of the coupler in the plane: T_world_coupler. */
typedef struct lb_plane_pose {
    double x, y;  /* Its origin in the world, metres. */
    double angle; /* Its turn, radians. */
} lb_plane_pose;

/* Which dyads of three and four poses are listed. Start from lb_synthesis_options_default(). */
typedef struct lb_synthesis_options {
    /*
     * A point of the coupler, in its own axes, metres. Of three poses moving points are on a square
     * lattice around it, whose side is twice the poses' spread; of four poses they are where lines
     * through this point meet the curve. Default: 0 0.
     */
    double near_x, near_y;
    /* How far both points of a dyad may be from the coupler's origin in the first pose, metres. 0:
       ten times the poses' spread, and of five poses a million times (the default). */
    double reach;
    /* Of three poses points on each side of the lattice, of four the number of lines, 1 to 16. 0: 5
       and 16 (the default). */
    int samples;
} lb_synthesis_options;

lb_synthesis_options lb_synthesis_options_default(void);

/* Two points that have one distance in all poses. */
typedef struct lb_dyad {
    double fixed_x, fixed_y;   /* The fixed pivot, in the world. */
    double moving_x, moving_y; /* The moving pivot, in the coupler's axes. */
    double length;             /* Their distance. */
} lb_dyad;

/*
 * Lists dyads of 3 to 5 poses: up to `capacity`, and *found is how many there are. Each keeps its
 * length to 1e-10 of the poses' spread (the largest distance of an origin from the first one) plus
 * its length. Dyads of five poses are all roots of four bilinear equations, tracked; *complete
 * (NULL: not wanted) is set if the roots pass the check of lb_assembly_all: then every dyad within
 * reach is listed. It is never set for three or four poses, whose dyads are samples. Options NULL
 * means the default.
 *
 * Refused with LB_BAD_VALUE: another number of poses, a number that is not finite, two equal poses,
 * poses of one angle (a parallelogram), poses that turn about one point (a hinge there).
 */
lb_status lb_dyads_find(const lb_plane_pose poses[/* count */], int count,
                        const lb_synthesis_options *options, lb_dyad dyads[/* capacity */],
                        int capacity, int *found, bool *complete, lb_error *error);

/* By Grashof's rule: the shortest and the longest link against the other two. */
#define LB_FOUR_BAR_KIND_LIST(X)                                                                   \
    X(LB_FOUR_BAR_CRANK_ROCKER, "crank-rocker")                                                    \
    X(LB_FOUR_BAR_ROCKER_CRANK, "rocker-crank")                                                    \
    X(LB_FOUR_BAR_DOUBLE_CRANK, "double-crank")                                                    \
    X(LB_FOUR_BAR_DOUBLE_ROCKER, "double-rocker")                                                  \
    X(LB_FOUR_BAR_TRIPLE_ROCKER, "triple-rocker")                                                  \
    X(LB_FOUR_BAR_CHANGE_POINT, "change-point")

/*
 *   crank-rocker   the driving link makes whole turns, the other side link swings
 *   rocker-crank   the other way round
 *   double-crank   both side links make whole turns
 *   double-rocker  both swing, and the coupler makes whole turns
 *   triple-rocker  no link makes whole turns
 *   change-point   it can be flat: the sums are equal to 1e-9
 */
typedef enum lb_four_bar_kind {
#define LB_FOUR_BAR_KIND_ENUM(name, text) name,
    LB_FOUR_BAR_KIND_LIST(LB_FOUR_BAR_KIND_ENUM)
#undef LB_FOUR_BAR_KIND_ENUM
        LB_FOUR_BAR_KIND_COUNT
} lb_four_bar_kind;

/* The text of a kind, never NULL. */
const char *lb_four_bar_kind_text(lb_four_bar_kind kind);

/* A four-bar and how it goes through the poses. */
typedef struct lb_four_bar {
    lb_dyad crank;          /* The side that drives. */
    lb_dyad rocker;         /* The other side. */
    double ground, coupler; /* Lengths of the other two links. */
    lb_four_bar_kind kind;  /* Its class. */
    /* Whether the crank moves it from the first pose to every other without a dead point: they are
       on one branch. */
    bool on_one_branch;
    bool in_order; /* Whether the crank also passes all poses in order, within one turn, one way. */
    /* The least angle between coupler and rocker over the poses, radians, at most a right angle. */
    double transmission;
} lb_four_bar;

/*
 * Judges the four-bars of all pairs of dyads, driven by the side that does better, and lists the
 * best `capacity` of them: first those without defects, then those on one branch, each by the least
 * transmission angle. *found is how many there are. Pairs that share a pivot are none. The dyads
 * must be of these poses, else LB_BAD_VALUE.
 */
lb_status lb_four_bars_find(const lb_plane_pose poses[/* count */], int count,
                            const lb_dyad dyads[/* dyad_count */], int dyad_count,
                            lb_four_bar four_bars[/* capacity */], int capacity, int *found,
                            lb_error *error);

/*
 * Builds a four-bar as a linkage in the plane z = 0: links ground, crank, coupler, rocker and
 * guided, joints drive, pin, pivot and plane, loop elbow. The ground's origin is the crank's fixed
 * pivot. Link "guided" has the given poses in the world; rods are shown. The neutral configuration,
 * all zeros, is at `first`, the first pose.
 */
lb_status lb_four_bar_model(const lb_four_bar *four_bar, const lb_plane_pose *first,
                            const lb_allocator *allocator, lb_model **model, lb_error *error);

/* The joint values of a pose: of drive, pin and pivot, each from -pi to pi. */
void lb_four_bar_values(const lb_four_bar *four_bar, const lb_plane_pose *first,
                        const lb_plane_pose *pose, double q[3]);

#ifdef __cplusplus
}
#endif

#endif
