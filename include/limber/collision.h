/*
 * collision.h - distances between the links of a model, and to obstacles around it.
 *
 *     lb_collision *collision;
 *     lb_collision_create(model, NULL, NULL, NULL, &collision, &error);
 *     lb_proximity nearest;
 *     if (lb_collision_distance(collision, q, &nearest) < 0.02)
 *         printf("%s is near %s", lb_collision_body_name(collision, nearest.body_a), ...);
 *
 * Collision shapes of links (lb_link.collisions) and obstacles of a scene are measured; visuals
 * count only if the caller passes them (lb_collision_options.stand_ins). Every shape is convex: a
 * mesh stands for its convex hull, or for a capsule around it (lb_collision_options.fit). The
 * distance of shapes that overlap is negative: the depth, the shortest displacement that separates
 * them.
 *
 * Distances are exact to rounding between shapes of flat sides, spheres and capsules, and within
 * 1e-6 of the shapes' size with a cylinder. Depths of flat sides are within 1e-8 of it, with a
 * cylinder within 1e-5, and those of hulls of more than 500 points that lie deep in each other
 * within 1e-2. test_convex.c proves that of random pairs of every kind. Rounding is some 1e-16 of
 * the shapes' size and distance, wherever they are; but places far from the world's origin are
 * themselves rounded, at 1e15 m to a decimetre. All calls compare the one number that
 * lb_collision_distance returns. Measuring a depth takes 64 kB of stack.
 *
 * An lb_collision belongs to one thread. Creating allocates; measuring never does. Results depend
 * on the model, the scene, the options and the configuration alone, bit for bit, on every machine;
 * nothing is kept from one configuration to the next.
 *
 * Stable.
 */
#ifndef LIMBER_COLLISION_H
#define LIMBER_COLLISION_H

#include <limber/kinematics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes ------------------------------------------------------------- */

/*
 * The points of a mesh; its convex hull counts. <limber/formats/mesh.h> makes them from files. A
 * geometry finds its mesh by name.
 */
typedef struct lb_mesh {
    const char *name; /* The name in lb_geometry.mesh. */
    /* Metres before the geometry's scale, in any order. Points inside the hull are allowed; each
       costs time. */
    const lb_vec3 *points;
    int count; /* How many points, >= 1. */
} lb_mesh;

/* An object that stands still. */
typedef struct lb_obstacle {
    const char *name;     /* For messages: not empty, need not be unique. */
    lb_geometry geometry; /* Its shape; the origin is T_world_shape. */
} lb_obstacle;

/* All objects around a model. The formats library reads them from files: formats/scene.h. */
typedef struct lb_scene {
    const lb_obstacle *obstacles; /* The objects. Absent: none. */
    int obstacle_count;           /* How many objects. 0: none. */
} lb_scene;

/* ---- results ------------------------------------------------------------ */

/*
 * The nearest points of two shapes. Bodies are links by their index, then obstacles: obstacle i is
 * body lb_model_link_count(model) + i. Always
 *
 *     point_b - point_a = distance * normal,  |normal| = 1.
 */
typedef struct lb_proximity {
    double distance;    /* Metres. Negative: depth of the overlap. Infinite: no pair is checked. */
    int body_a, body_b; /* The two bodies, body_a < body_b. -1: no pair. */
    /* Index of each body's shape: in the link's collisions, or in the options' stand_ins if the
       link has none; 0 of an obstacle. */
    int shape_a, shape_b;
    /* Points on the surfaces, in the world, metres. Of an overlap the deepest point of a in b,
       and of b in a. */
    lb_vec3 point_a, point_b;
    lb_vec3 normal; /* Direction from a to b in the world, of unit length. */
} lb_proximity;

/*
 * Measures the distance of two shapes whose origins are transforms from one common frame, in which
 * points and normal are returned, too. Pass the points of a mesh; of any other shape the pointer is
 * not read. Bodies and shapes are set to -1. Sizes and origins must be as lb_model_build checks
 * them.
 */
double lb_geometry_distance(const lb_geometry *a, const lb_mesh mesh_a[/* 1, or NULL */],
                            const lb_geometry *b, const lb_mesh mesh_b[/* 1, or NULL */],
                            lb_proximity *nearest);

/* ---- options ------------------------------------------------------------ */

/*
 * Why a pair of bodies is checked or left out: name, text.
 *   rigid     no joint moves one against the other: parts of one link, or both fixed in the world
 *   adjacent  joined by a loop or by one joint that does not float, links without shapes in between
 *             not counted
 *   disabled  by the options, as SRDF's disabled_collisions
 *   always    links that overlapped, or were nearer than options.always, in 95 % of the samples
 *             at least: shapes that are too large, or neighbours but one; with options.skip_rest
 *             in 20 % of links two joints apart whose shapes nearly touch at rest
 *   never     links that came so near in no sample; left out only if the options say so
 *   rest      links that overlap in the neutral configuration; left out only if the options say so
 */
#define LB_PAIR_LIST(X)                                                                            \
    X(LB_PAIR_CHECKED, "checked")                                                                  \
    X(LB_PAIR_RIGID, "rigid")                                                                      \
    X(LB_PAIR_ADJACENT, "adjacent")                                                                \
    X(LB_PAIR_DISABLED, "disabled")                                                                \
    X(LB_PAIR_ALWAYS, "always")                                                                    \
    X(LB_PAIR_NEVER, "never")                                                                      \
    X(LB_PAIR_REST, "rest")

typedef enum lb_pair_state {
#define LB_PAIR_ENUM(name, text) name,
    LB_PAIR_LIST(LB_PAIR_ENUM)
#undef LB_PAIR_ENUM
        LB_PAIR_STATE_COUNT
} lb_pair_state;

/* The text of a state, never NULL. */
const char *lb_pair_state_text(lb_pair_state state);

/*
 * The convex shape of a mesh: name, text.
 *   hull     the convex hull of its points
 *   capsule  a capsule of small volume that holds all points: for long parts nearly as near and
 *            much faster, for others larger than they are
 */
#define LB_MESH_FIT_LIST(X)                                                                        \
    X(LB_MESH_HULL, "hull")                                                                        \
    X(LB_MESH_CAPSULE, "capsule")

typedef enum lb_mesh_fit {
#define LB_MESH_FIT_ENUM(name, text) name,
    LB_MESH_FIT_LIST(LB_MESH_FIT_ENUM)
#undef LB_MESH_FIT_ENUM
        LB_MESH_FIT_COUNT
} lb_mesh_fit;

/* The text of a fit, never NULL; and the fit of a text, LB_MESH_FIT_COUNT for none. */
const char *lb_mesh_fit_text(lb_mesh_fit fit);
lb_mesh_fit lb_mesh_fit_find(const char *text);

/* A shape of a link, for stand_ins. */
typedef struct lb_link_shape {
    int link;             /* Index of the link. */
    lb_geometry geometry; /* Shape and T_link_shape, as for the link's own shapes. */
} lb_link_shape;

/*
 * The look of links, to stand in for collision shapes that they do not have: formats/looks.h makes
 * it from files. Functions that take it copy both lists.
 */
typedef struct lb_looks {
    const lb_link_shape *shapes; /* Shapes in the order of links. Absent: none. */
    const lb_mesh *meshes;       /* The meshes that they name. Absent: none. */
    int shape_count, mesh_count; /* How many shapes and how many meshes. */
} lb_looks;

/* Two links, in any order. */
typedef struct lb_link_pair {
    int a, b; /* Index of each link. */
} lb_link_pair;

/* Pairs to check, and how. Start from lb_collision_options_default(). */
typedef struct lb_collision_options {
    const lb_mesh *meshes; /* Meshes of the model and of the scene. Absent: none (the default). */
    int mesh_count;        /* How many meshes. Default: 0. */
    /* Leave out shapes without their mesh, and count them (lb_collision_missing). False (the
       default): refuse them by name. */
    bool allow_missing;
    lb_mesh_fit fit; /* Shape of meshes. A capsule takes some milliseconds each. Default: hull. */
    /* Shapes for links without any of their own, or without one whose mesh is there: their
       visuals, for example. In any order. Links that have shapes do not need them, so theirs do
       not count. Absent: none (the default). */
    const lb_link_shape *stand_ins;
    int stand_in_count;           /* How many such shapes. Default: 0. */
    const lb_link_pair *disabled; /* Pairs of links to leave out. Absent: none (the default). */
    int disabled_count;           /* How many pairs. Default: 0. */
    /* How many configurations, uniform in the joints' limits (of a model with loops the assemblies
       that close from there), try links against each other when
       the collision is created, at most 1,000,000. 0: none, and no pair is found to overlap
       always. Default: 1000. */
    int samples;
    /* Distance below which two links count as overlapping in these samples, metres, >= 0. Use it
       to keep a distance that some pairs never have, such as the links to either side of a short
       one. Default: 0. */
    double always;
    /* Leave out pairs of links that overlapped in no sample, as MoveIt's assistant does. It
       makes checks faster and proves nothing: a rare overlap is missed. Default: false. */
    bool skip_never;
    /* The shapes are larger than the links, and some overlaps mean nothing: leave out pairs of
       links that overlap in the neutral configuration, and those that are at most two joints from
       one to the other, nearly touch there (by 5 % of how far the shapes reach from their middles)
       and overlap in 20 % of the samples. Default: false. */
    bool skip_rest;
    /* Leave out pairs of a link that a floating or planar joint moves against the world with what
       stands still there: the ground that a file has is no part of a figure. Default: false. */
    bool skip_ground;
    double margin; /* Distance that free configurations keep at least, metres, >= 0. Default: 0. */
} lb_collision_options;

/* A thousand times the default: some seconds for a robot of thirty links. */
#define LB_COLLISION_SAMPLES_MAX 1000000

lb_collision_options lb_collision_options_default(void);

/* ---- creating ----------------------------------------------------------- */

typedef struct lb_collision lb_collision;

/*
 * Prepares for a model, which must outlive it, in a scene (NULL: none). Everything else is copied.
 * Refused by name: a mesh that is not among the options', obstacles and points that are not finite
 * or beyond LB_LENGTH_MAX, sizes below zero, more than LB_COLLISION_SAMPLES_MAX samples, a pair or
 * a shape of links that do not exist. On failure *collision is NULL and *error (may be NULL) says
 * why. It takes at most as long as options.samples checks; sampling ends early once no pair can
 * change.
 */
lb_status lb_collision_create(const lb_model *model, const lb_scene *scene,
                              const lb_collision_options *options, const lb_allocator *allocator,
                              lb_collision **collision, lb_error *error);
/* NULL is accepted. */
void lb_collision_release(lb_collision *collision);

/*
 * How many bodies there are, links and obstacles; the name of one, NULL for an index out of range.
 */
int lb_collision_body_count(const lb_collision *collision);
const char *lb_collision_body_name(const lb_collision *collision, int body);
/* How many shapes a body has, without missing ones. */
int lb_collision_body_shapes(const lb_collision *collision, int body);
/* How many shapes were left out because their mesh was not given. */
int lb_collision_missing(const lb_collision *collision);

/*
 * Pairs of bodies that both have shapes, at least one of them a link: how many there are, and the
 * state of pair `index` with its bodies *a < *b. For an index out of range: -1 and
 * LB_PAIR_STATE_COUNT.
 */
int lb_collision_pair_count(const lb_collision *collision);
lb_pair_state lb_collision_pair_at(const lb_collision *collision, int index, int *a, int *b);

/* ---- measuring ---------------------------------------------------------- */

/*
 * Measures the least distance over all checked pairs in the configuration q (nq numbers, not
 * checked: see lb_configuration_validate). Fills *nearest, which may be NULL, and returns its
 * distance: INFINITY if no pair is checked. Of equal distances the first pair's counts. NaN in q
 * gives NaN.
 */
double lb_collision_distance(lb_collision *collision, const double *q, lb_proximity *nearest);

/*
 * Whether every checked pair is farther apart than the options' margin. It ends at the first pair
 * that is not, so it is faster than the least distance. NaN in q is never free.
 */
bool lb_collision_free(lb_collision *collision, const double *q);

/* lb_collision_free as a filter of solutions: lb_solutions_options.filter, user = collision. */
bool lb_collision_filter(void *collision, const double *q);

/*
 * Lists checked pairs of bodies at most `distance` apart, by their nearest shapes, in the order of
 * lb_collision_pair_at: fills up to `capacity` of them (NULL if capacity is 0) and returns how many
 * there are.
 */
int lb_collision_near(lb_collision *collision, const double *q, double distance, int capacity,
                      lb_proximity nearest[/* capacity, or NULL */]);

/*
 * Computes how a distance changes with the joints: the nv numbers J^T n, where n is the normal and
 * J the Jacobian of point_b less that of point_a, so that d(distance)/dt = gradient . v for the
 * velocity v. It is exact if the nearest points are unique. `nearest` must be of the configuration
 * that was measured last.
 */
void lb_collision_gradient(lb_collision *collision, const lb_proximity *nearest, double *gradient);

/*
 * Measures rows begin to end - 1 of q (nq numbers each) as lb_collision_distance does: fills
 * nearest[begin] to nearest[end - 1]. Any split into ranges gives the same bits.
 */
void lb_collision_batch(lb_collision *collision, const double q[/* end * nq */], size_t begin,
                        size_t end, lb_proximity nearest[/* end */]);

#ifdef __cplusplus
}
#endif

#endif
