/*
 * kinematics.h - forward kinematics, frames, Jacobians.
 *
 * An lb_state is the working memory of one thread. It holds one configuration and its link
 * transforms. Create it once and update it many times; only creating allocates.
 *
 * Everything here is of the tree: loops (loops.h) are not read. lb_assembly_velocities turns a
 * Jacobian into that of a linkage.
 *
 * Stable.
 */
#ifndef LIMBER_KINEMATICS_H
#define LIMBER_KINEMATICS_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The world. Every `link` below may be LB_WORLD, the frame in which the root arc places the root.
 * Any other index without a link, LB_NO_LINK for example, stops at an assertion in debug builds. In
 * release builds transforms are then the identity, points and directions unchanged and Jacobians
 * zero.
 */
enum { LB_WORLD = -1 };

typedef struct lb_state lb_state;

/* Creates a state at the neutral configuration. The model must outlive it. */
lb_status lb_state_create(const lb_model *model, const lb_allocator *allocator, lb_state **state);
void lb_state_release(lb_state *state);
const lb_model *lb_state_model(const lb_state *state);
/* The configuration of the last update, nq numbers. */
const double *lb_state_configuration(const lb_state *state);

/*
 * Forward kinematics: computes all link transforms for q (nq numbers) in one pass from the root. q
 * is not checked: see lb_configuration_validate.
 */
void lb_state_update(lb_state *state, const double *q);
/* T_world_link of each link, depth first. */
const lb_transform *lb_state_transforms(const lb_state *state);

/* T_a_b, where a and b are links or LB_WORLD. */
lb_transform lb_state_transform(const lb_state *state, int a, int b);
/* Converts a point or a direction from frame `from` to frame `to`. */
lb_vec3 lb_state_point(const lb_state *state, int from, int to, lb_vec3 point);
lb_vec3 lb_state_direction(const lb_state *state, int from, int to, lb_vec3 direction);

/*
 * Traverses the tree as in Parent 2012, section 5.1: calls `visit` for each link, depth first, with
 * composite = T_world_link (which the children inherit) and data_offset = T_link_data (which places
 * this link's data and is not inherited). Draw the data with composite * data_offset. Stops early
 * if visit returns false.
 */
typedef bool lb_visit(void *user, int link, const lb_transform *composite,
                      const lb_transform *data_offset);
void lb_state_traverse(const lb_state *state, lb_visit *visit, void *user);

/* ---- Jacobians ---------------------------------------------------------- */

typedef enum lb_axes {
    LB_AXES_WORLD, /* Rows along the world's axes. */
    LB_AXES_LINK   /* Rows along the link's own axes. */
} lb_axes;

/*
 * The 6 x nv Jacobian of `point` (in the frame of `link`), row major: rows 0-2 are linear, 3-5
 * angular velocity. J * v is the point's velocity for v as listed with the joint kinds in model.h.
 * A mimic joint adds to the column of the joint that it follows. Eq. 5.15-5.17 (see ik.h), for
 * every joint kind.
 */
void lb_state_jacobian(const lb_state *state, int link, lb_vec3 point, lb_axes axes,
                       double jacobian[/* 6 * nv */]);
/*
 * As lb_state_jacobian for n links at once, stacked: 6n x nv. `points` is NULL (origins) or n
 * points.
 */
void lb_state_jacobians(const lb_state *state, const int links[/* n */],
                        const lb_vec3 points[/* n, or NULL */], int n, lb_axes axes,
                        double jacobian[/* n * 6 * nv */]);

/* ---- masses ------------------------------------------------------------- */

/*
 * Computes the centre of mass in world axes and, unless `jacobian` is NULL, its 3 x nv Jacobian.
 * Returns the total mass in kilograms. If no link has mass, all of them are 0.
 */
double lb_state_center_of_mass(const lb_state *state, lb_vec3 *center,
                               double jacobian[/* 3 * nv, or NULL */]);

/* ---- singularities ------------------------------------------------------ */

/*
 * Singular values s_1 >= s_2 .. >= s_k of a Jacobian, in the directions that the link can have in
 * some configuration: those of a plane if all joints turn about parallel axes, those of the axes if
 * joints slide. k = min(directions, columns). Columns are those of the joints between root and link
 * that are not locked; a mimic joint counts as the joint that it follows, once. A link that nothing
 * moves has k = 0, rank 0, an infinite condition and otherwise zeros.
 */
typedef struct lb_singularity {
    int rank;              /* How many singular values are above tolerance * s_1. */
    double condition;      /* s_1 / s_k. Infinite: s_k is 0. */
    double manipulability; /* Product of the singular values (Yoshikawa 1985). */
    double values[6];      /* s_1 .. s_k, then zeros. */
    /* Unit direction of the motion that is hardest: left vector of s_k. If several directions
       are impossible, as always with fewer joints than directions, it is one of them. */
    double weakest[6];
} lb_singularity;

/*
 * Analyses the Jacobian of the link's `point` (in the link's frame), with rows along the world's
 * axes. `length` is the weight of a rotation, metres per radian: it scales the angular rows; 0
 * leaves them out, and weakest[3..5] are 0. `tolerance` is relative; 1e-9 is sensible: rounding
 * leaves about 1e-16, and a ratio below 1e-9 needs joints a billion times as fast as the tip.
 * Returns LB_INVALID_ARGUMENT if `length` is negative or not finite or `tolerance` is negative,
 * LB_BAD_VALUE if the configuration is not finite; *out is then unset.
 */
lb_status lb_state_singularity(const lb_state *state, int link, lb_vec3 point, double length,
                               double tolerance, lb_singularity *out);

/*
 * The velocity ellipsoid of a point (manipulability ellipsoid, Yoshikawa 1985): its velocities, in
 * the world, while the squares of the joints' velocities (rad/s, m/s) sum to at most 1. It is the
 * image of the unit ball under the linear rows J of the Jacobian, whose singular values are the
 * lengths of its axes.
 */
typedef struct lb_ellipsoid {
    lb_vec3 center; /* Where the point is, world, metres. */
    /* Semi-axes at right angles, longest first, m/s: for a singular value s with left vector u,
       s u. Those of directions in which the point cannot move are 0. */
    lb_vec3 axes[3];
} lb_ellipsoid;

/*
 * Computes the velocity ellipsoid of the link's `point` (in the link's frame). With `damping`
 * lambda > 0 each axis is s^2 / (s^2 + lambda^2) of its length: what comes of the velocities on the
 * ellipsoid when damped least squares (Eq. 5.24) is asked for them. Locked joints stand
 * still. Returns LB_INVALID_ARGUMENT if `damping` is negative or not finite, LB_BAD_VALUE if the
 * configuration is not finite; *out is then unset.
 */
lb_status lb_state_velocity_ellipsoid(const lb_state *state, int link, lb_vec3 point,
                                      double damping, lb_ellipsoid *out);

#ifdef __cplusplus
}
#endif

#endif
