/*
 * model.h - the immutable tree of links and joints, and its configurations.
 *
 * A linkage is a tree. Its nodes are links: rigid parts that carry data (shapes
 * to see and to collide with, a user pointer) and a transform that places the data in the link. Its
 * arcs are joints: a constant transform that places the child at rest and a
 * variable one that articulates it. With T_parent_joint the placement and A(q)
 * the articulation,
 *
 *     T_world_child = T_world_parent * T_parent_joint * A(q)
 *
 * and the child link's frame is the joint's frame after articulation.
 *
 * A model is built once from plain arrays and never changes: any number of
 * threads may read it. Links and joints are stored depth first, so that
 *
 *     link 0 is the root, and joint j moves link j + 1,
 *
 * and a parent always comes before its children. Nothing recurses: a chain of
 * 100,000 links works.
 */
#ifndef LIMBER_MODEL_H
#define LIMBER_MODEL_H

#include <limber/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The range of numbers: the longest length in a model, metres, of sizes, origins, placements
 * and values at rest; the farthest finite limit of a joint, metres or radians; and the
 * farthest place of a target and the largest value of a start in inverse kinematics.
 * A million of them in a row are still a length whose square is finite in double precision
 * with 240 decades to spare; beyond it a double no longer resolves a tenth of a metre.
 */
#define LB_LENGTH_MAX 1e15

/* ---- joints (arcs) ------------------------------------------------------ */

/*
 * Every joint kind: name, text, values in q, velocities in v.
 *   revolute    q = angle about `axis`                             v = its rate
 *   continuous  the same without limits; whole turns are equal
 *   prismatic   q = displacement along `axis`
 *   universal   q = angle about `axis`, then about `axis2` as turned by the first
 *   planar      q = displacement along the plane's two axes, then the angle about the
 *               normal `axis`; the plane's axes are `axis2` and axis x axis2
 *   ball        q = unit quaternion w x y z                        v = angular, child axes
 *   floating    q = x y z, then a quaternion w x y z               v = linear in the
 *               joint's frame at rest, then angular in child axes
 */
#define LB_JOINT_KIND_LIST(X)                                                                      \
    X(LB_JOINT_FIXED, "fixed", 0, 0)                                                               \
    X(LB_JOINT_REVOLUTE, "revolute", 1, 1)                                                         \
    X(LB_JOINT_CONTINUOUS, "continuous", 1, 1)                                                     \
    X(LB_JOINT_PRISMATIC, "prismatic", 1, 1)                                                       \
    X(LB_JOINT_UNIVERSAL, "universal", 2, 2)                                                       \
    X(LB_JOINT_PLANAR, "planar", 3, 3)                                                             \
    X(LB_JOINT_BALL, "ball", 4, 3)                                                                 \
    X(LB_JOINT_FLOATING, "floating", 7, 6)

typedef enum lb_joint_kind {
#define LB_JOINT_KIND_ENUM(name, text, nq, nv) name,
    LB_JOINT_KIND_LIST(LB_JOINT_KIND_ENUM)
#undef LB_JOINT_KIND_ENUM
        LB_JOINT_KIND_COUNT
} lb_joint_kind;

enum { LB_JOINT_MAX_NQ = 7, LB_JOINT_MAX_NV = 6 };

/* The text of a kind, and its number of values in q and in v. */
const char *lb_joint_kind_text(lb_joint_kind kind);
int lb_joint_kind_nq(lb_joint_kind kind);
int lb_joint_kind_nv(lb_joint_kind kind);

/*
 * A joint, both as given to lb_model_build and as read back. Start from
 * lb_joint_default(): fixed, placed at the parent's origin, axis z, axis2 x, no
 * limits, weight 1, multiplier 1, value all zero.
 *
 * Fields that a kind does not use are not read, and read back as in lb_joint_default():
 * the axis of a fixed joint may be zero.
 */
typedef struct lb_joint {
    const char *name;   /* unique among joints, not empty */
    const char *parent; /* name of the parent link */
    const char *child;  /* name of the link it moves */
    lb_joint_kind kind;
    lb_transform placement; /* T_parent_joint, at rest */
    lb_vec3 axis;           /* in the joint's frame, any length but zero; see the kinds */
    lb_vec3 axis2;          /* universal and planar alone: made orthogonal to axis */
    /*
     * Limits, +-INFINITY for none, lower <= upper; one pair for each value of
     * revolute, prismatic, universal and planar joints, for the three displacements
     * of a floating one. Of a ball joint, [0] bounds the twist about `axis`, which goes
     * from -pi to pi (limits beyond that wrap around: 2 to 4 includes -3), and
     * upper[1] the swing of `axis` away from rest (lower[1] is not read).
     * Of a mimic joint they only narrow those of the joint it follows, which is
     * read back with what is left.
     */
    double lower[3], upper[3];
    /*
     * The value at rest: the neutral configuration. It may lie outside the limits.
     * Quaternions are normalized, four zeros mean the identity. Not read of a
     * mimic joint.
     */
    double value[LB_JOINT_MAX_NQ];
    double
        weight;  /* stiffness > 0: a joint of weight 2 moves half as far in IK as one of weight 1 */
    bool locked; /* inverse kinematics keeps its value */
    const char *mimic;         /* NULL, or the joint it follows: both of one DOF */
    double multiplier, offset; /* value = multiplier * followed value + offset */
    /* >= 0, INFINITY: no limit, 0: it may not move. A mimic joint's speed bounds both of them */
    double velocity, effort;
} lb_joint;

lb_joint lb_joint_default(void);

/*
 * One row of a Denavit-Hartenberg table; metres and radians. For a revolute row
 * `theta` is the joint's offset, for a prismatic one `d` is. Start from
 * lb_dh_row_default(): revolute, all zero, no limits; limits left at zero would
 * fix the joint.
 *   standard: Rz(theta) Tz(d) Tx(a) Rx(alpha)  (Denavit & Hartenberg 1955)
 *   modified: Rx(alpha) Tx(a) Rz(theta) Tz(d)  (Craig 1986)
 */
typedef struct lb_dh_row {
    lb_joint_kind kind; /* revolute, continuous or prismatic */
    double theta, d, a, alpha;
    double lower, upper; /* of the joint variable, +-INFINITY for none */
} lb_dh_row;

lb_dh_row lb_dh_row_default(void);

/*
 * Turns n >= 1 rows into a model called `name` (NULL: ""), with joints
 * joint_1..joint_n along links base, link_1..link_n. In the standard convention the constant part
 * after joint i's articulation belongs to the placement of joint i + 1, and the last one to a fixed
 * joint "tool" that carries link "tool"; so the model has n + 1 joints there and n in the modified
 * one. *model receives the model; release it with lb_model_release.
 */
struct lb_model;
lb_status lb_model_from_dh(const char *name, const lb_dh_row *rows, int n, bool modified,
                           const lb_allocator *allocator, struct lb_model **model, lb_error *error);

/* ---- links (nodes) ------------------------------------------------------ */

typedef enum lb_shape {
    LB_SHAPE_BOX,      /* size: full edge lengths */
    LB_SHAPE_CYLINDER, /* size.x radius, size.z length along z, centred */
    LB_SHAPE_CAPSULE,  /* as the cylinder, half spheres added at its ends */
    LB_SHAPE_SPHERE,   /* size.x radius */
    LB_SHAPE_MESH      /* mesh: its URI as written in the file; size: scale */
} lb_shape;

/*
 * A shape in a link: one that it shows (a visual, stored and never interpreted), or one that it
 * touches others with (a collision shape, which collision.h measures from).
 */
typedef struct lb_geometry {
    lb_shape shape;
    lb_transform origin; /* T_link_shape */
    lb_vec3 size;        /* 0 to LB_LENGTH_MAX; of a mesh -LB_LENGTH_MAX to LB_LENGTH_MAX */
    const char *mesh;    /* NULL unless a mesh, and then not empty */
    double color[4];     /* red, green, blue, alpha in 0..1; alpha 0: not given */
} lb_geometry;

/*
 * A link, both as given and as read back. Start from lb_link_default(): no
 * mass, no shapes, data_offset = identity.
 */
typedef struct lb_link {
    const char *name;         /* unique among links, not empty */
    const char *bone;         /* what it is in a human figure, by VRM's names, as "leftUpperArm";
                                 NULL: not said. Retargeting prefers it to names */
    lb_transform data_offset; /* T_link_data: places the data, visuals and collision shapes too, in
                                 the link */
    double mass;              /* kilograms, 0: unknown */
    lb_vec3 center;           /* of mass, in the link's frame */
    double inertia[6];        /* xx yy zz xy xz yz about the centre, link axes */
    const lb_geometry *visuals; /* what it looks like */
    int visual_count;
    const lb_geometry *collisions; /* what it touches others with; never taken from the visuals */
    int collision_count;
    void *user; /* stored, never read */
} lb_link;

lb_link lb_link_default(void);

/* ---- building ----------------------------------------------------------- */

/*
 * What a model is built from, in any order; the tree is found by name. All of
 * it is copied. The lines, when given, are those of each joint and link in its
 * file, for error messages; 0: unknown.
 */
typedef struct lb_model_source {
    const char *name;
    lb_transform root; /* the root arc: T_world_root */
    const lb_link *links;
    int link_count; /* >= 1 */
    const lb_joint *joints;
    int joint_count;        /* link_count - 1 */
    const int *joint_lines; /* NULL: none */
    const int *link_lines;  /* NULL: none */
} lb_model_source;

typedef struct lb_model lb_model;

/*
 * Checks and builds. Refused by name: an empty or duplicate name, an unknown
 * parent or child, a link with two parents, several roots, a cycle, a zero or
 * non-finite axis, limits that are NaN or crossed, a mimic joint that follows
 * nothing, itself, a cycle or a joint of several DOF, limits of mimic joints that
 * leave the mimicked joint no value, a non-rigid placement, an unknown shape, a mesh without
 * a name, a length beyond LB_LENGTH_MAX, any other number that is not finite. Axes and quaternions
 * may have any length but zero; the axes of transforms may be off by the rounding of six decimals;
 * all are made exact.
 *
 * Mimic joints may follow mimic joints; all follow one joint in the end. A continuous
 * joint whose mimic joints distinguish whole turns (by limits, a fractional multiplier,
 * or being prismatic) is treated as a revolute one, whose whole turns differ.
 *
 * It makes two allocations and leaves one: the model is a single block. On failure *model is NULL
 * and *error (may be NULL) says which and why.
 */
lb_status lb_model_build(const lb_model_source *source, const lb_allocator *allocator,
                         lb_model **model, lb_error *error);
/*
 * The same model with a root that moves differently: LB_JOINT_FIXED, LB_JOINT_PLANAR (along the
 * world's x and y, about its z) or LB_JOINT_FLOATING. A root link called "world" comes before the
 * old one, and between them a joint "root" where the root arc was, so that with its values at zero
 * everything is where it has been; underscores are added to names that are taken. Where the root
 * already hangs from a planar or floating joint, that joint becomes of the new kind. *out takes a
 * model of its own. Any other kind is LB_INVALID_ARGUMENT.
 */
lb_status lb_model_with_root(const lb_model *model, lb_joint_kind kind,
                             const lb_allocator *allocator, lb_model **out, lb_error *error);
/* NULL is accepted. */
void lb_model_release(lb_model *model);

/* ---- reading ------------------------------------------------------------ */

const char *lb_model_name(const lb_model *model);
lb_transform lb_model_root(const lb_model *model);
int lb_model_link_count(const lb_model *model);
int lb_model_joint_count(const lb_model *model);
/* Length of a configuration q, and of a velocity v; nq >= nv. A mimic joint has neither. */
int lb_model_nq(const lb_model *model);
int lb_model_nv(const lb_model *model);
/* Owned by the model; names are its own copies, axes are of unit length. */
const lb_link *lb_model_link(const lb_model *model, int link);
const lb_joint *lb_model_joint(const lb_model *model, int joint);
/* What no call takes for a link, nor for the world (LB_WORLD, kinematics.h). */
enum { LB_NO_LINK = -2 };
/*
 * Index of a name; of a link LB_NO_LINK when there is none, of a joint -1. The time grows with
 * the name's length alone.
 */
int lb_model_find_link(const lb_model *model, const char *name);
int lb_model_find_joint(const lb_model *model, const char *name);
/* The parent of a link, -1 for the root link. Joint j is attached to the parent of link j + 1. */
int lb_model_parent(const lb_model *model, int link);
/* A link's children: first child and next sibling in depth-first order, -1 for none. */
int lb_model_first_child(const lb_model *model, int link);
int lb_model_next_sibling(const lb_model *model, int link);
/* Where a joint's values start in q and v; of a mimic joint those it follows, of a fixed one -1. */
int lb_model_joint_q(const lb_model *model, int joint);
int lb_model_joint_v(const lb_model *model, int joint);
/* The joint that a mimic joint follows in the end, -1 for any other; value = *m * q + *b. */
int lb_model_joint_mimic(const lb_model *model, int joint, double *multiplier, double *offset);
/* Links without children, in order; `links` may be NULL to count. */
int lb_model_tips(const lb_model *model, int links[/* tips, or NULL */]);
/*
 * The links that targets are most likely meant for: fills up to LB_DEFAULT_TIPS and sets *count, at
 * least 1; the first is what is meant where one is wanted. Links that are named as tools are
 * (tool0, tcp, ee_link ...); where there are none, the ends of arms and legs, hands and feet alike,
 * that are moved by at least half as many joints as the most, and first the one with the most. An
 * arm with fingers ends at the link that carries them: where the tree branches within a third of
 * the arm's length. Heads, and what hangs from an arm before its end, are left out. With valid
 * arguments the one failure is LB_OUT_OF_MEMORY; nothing stays allocated.
 */
enum { LB_DEFAULT_TIPS = 8 };
lb_status lb_model_default_tips(const lb_model *model, const lb_allocator *allocator,
                                int tips[LB_DEFAULT_TIPS], int *count);

/* ---- configurations ----------------------------------------------------- */

/*
 * All take arrays of nq (q) or nv (v) numbers, none NULL; a configuration that goes
 * in and one that comes out may be the same array. Quaternions are normalized where
 * they are read; one of length zero is read as the identity.
 */

/* Each joint at its `value`. */
void lb_configuration_neutral(const lb_model *model, double *q);
/*
 * Uniform in the limits: without limits, angles in [-pi, pi] and displacements in [-1, 1];
 * with one limit alone, over a range of the same width that ends there. A ball's
 * twist is uniform, and its axis on the spherical cap of its swing: without limits
 * all rotations are equally likely.
 */
void lb_configuration_random(const lb_model *model, lb_random *random, double *q);
/* Moves q by v over unit time: q (+) v. Limits are ignored, turns not wrapped. */
void lb_configuration_integrate(const lb_model *model, const double *q, const double *v,
                                double out[/* nq */]);
/* The v that leads from a to b: b = a (+) v, turns by the smaller rotation. */
void lb_configuration_difference(const lb_model *model, const double a[/* nq */],
                                 const double b[/* nq */], double *v);
/* a at t = 0, b at t = 1, the smaller rotation for quaternions and continuous joints. */
void lb_configuration_interpolate(const lb_model *model, const double a[/* nq */],
                                  const double b[/* nq */], double t, double out[/* nq */]);
/*
 * Each value brought to the nearest within its limits, of a ball its twist and its
 * swing; quaternions normalized, NaN stays NaN.
 */
void lb_configuration_clamp(const lb_model *model, const double *q, double out[/* nq */]);
/*
 * LB_OK when every number is finite, every quaternion of unit length to 1e-6 and
 * every value within its limits to `tolerance`; else LB_BAD_VALUE, naming the joint.
 */
lb_status lb_configuration_validate(const lb_model *model, const double *q, double tolerance,
                                    lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
