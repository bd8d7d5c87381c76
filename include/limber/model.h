/*
 * model.h - the immutable tree of links and joints, and its configurations.
 *
 * A linkage is a tree. Its nodes are links: rigid parts that carry data (shapes to show and to
 * collide with, a user pointer) and a transform that places the data in the link. Its arcs are
 * joints: a constant transform that places the child at rest, and a variable one that articulates
 * it. With the placement T_parent_joint and the articulation A(q),
 *
 *     T_world_child = T_world_parent * T_parent_joint * A(q)
 *
 * The child link's frame is the joint's frame after articulation.
 *
 * A model is built once from plain arrays and never changes. Any number of threads may read it.
 * Links and joints are stored depth first, parents before children:
 *
 *     link 0 is the root, and joint j moves link j + 1.
 *
 * Nothing recurses: a chain of 100,000 links works.
 *
 * Stable.
 */
#ifndef LIMBER_MODEL_H
#define LIMBER_MODEL_H

#include <limber/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The range of numbers. No length in a model (size, origin, placement, value at rest) is longer
 * than this in metres, no finite limit of a joint is beyond it in metres or radians, and inverse
 * kinematics takes no target and no start beyond it. A chain of a million such lengths still has a
 * finite square, with 240 decades to spare; beyond it a double no longer resolves a tenth of a
 * metre.
 */
#define LB_LENGTH_MAX 1e15

/* ---- joints (arcs) ------------------------------------------------------ */

/*
 * Every joint kind: name, text, values in q, velocities in v.
 *   revolute    q = angle about `axis`                             v = its rate
 *   continuous  q = angle about `axis` without limits; whole turns are equal
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

/* The text of a kind, never NULL, and its number of values in q and in v. */
const char *lb_joint_kind_text(lb_joint_kind kind);
int lb_joint_kind_nq(lb_joint_kind kind);
int lb_joint_kind_nv(lb_joint_kind kind);

/*
 * A joint, both as given to lb_model_build and as read back. Start from lb_joint_default(): fixed,
 * at the parent's origin, axis z, axis2 x, no limits, weight 1, multiplier 1, all values zero.
 *
 * Fields that a kind does not use are not read, so the axis of a fixed joint may be zero. They read
 * back as in lb_joint_default().
 */
typedef struct lb_joint {
    const char *name;       /* Unique among joints, not empty. */
    const char *parent;     /* Name of the parent link. */
    const char *child;      /* Name of the link that the joint moves. */
    lb_joint_kind kind;     /* Default: fixed. The list of kinds says what each does. */
    lb_transform placement; /* T_parent_joint, at rest. Default: identity. */
    lb_vec3 axis;           /* In the joint's frame, of any length but zero. Default: z. */
    lb_vec3 axis2; /* Of universal and planar joints: made orthogonal to axis. Default: x. */
    /*
     * Limits in radians or metres, lower <= upper. Infinite: none (the default). Revolute,
     * prismatic, universal and planar joints have a pair for each value, a floating joint for its
     * three displacements.
     * Of a ball joint, [0] bounds the twist about `axis`, which goes from -pi to pi (limits beyond
     * that wrap around: 2 to 4 includes -3). upper[1] bounds the swing of `axis` away from rest;
     * lower[1] is not read.
     * Limits of a mimic joint narrow those of the joint that it follows, which reads back with the
     * range that remains.
     */
    double lower[3], upper[3];
    /* The value at rest, as in the neutral configuration. It may lie outside the limits.
       Quaternions are normalized; four zeros mean the identity. Not read of a mimic joint. */
    double value[LB_JOINT_MAX_NQ];
    /* Stiffness, > 0: inverse kinematics moves a joint of weight 2 half as far as one of weight 1.
       Default: 1. */
    double weight;
    bool locked; /* Inverse kinematics keeps its value. Default: false. */
    bool driven; /* A motor moves it: of a loop's joints the others follow first. Default: false. */
    bool sprung; /* A spring holds it: of a loop's joints it follows after those that nothing holds
                    and before driven ones. Default: false. */
    /* Name of the joint that this one follows. Both have one value. Absent: none. */
    const char *mimic;
    /* value = multiplier * followed value + offset. Defaults: 1 and 0. */
    double multiplier, offset;
    /* Largest speed (radians or metres per second) and largest force (newtons or newton metres),
       >= 0. Infinite: no limit (the default). 0: the joint may not move. The speed of a mimic
       joint bounds both joints. */
    double velocity, effort;
} lb_joint;

lb_joint lb_joint_default(void);

/*
 * One row of a Denavit-Hartenberg table. Start from lb_dh_row_default(): revolute, all numbers
 * zero, no limits; limits left at zero would fix the joint.
 *   standard: Rz(theta) Tz(d) Tx(a) Rx(alpha)  (Denavit & Hartenberg 1955)
 *   modified: Rx(alpha) Tx(a) Rz(theta) Tz(d)  (Craig 1986)
 */
typedef struct lb_dh_row {
    lb_joint_kind kind; /* Revolute (the default), continuous or prismatic. */
    /* Angles theta and alpha in radians, lengths d and a in metres. Default: 0. The joint's
       offset is theta of a revolute row and d of a prismatic one. */
    double theta, d, a, alpha;
    /* Limits of the joint's variable, radians or metres. Infinite: none (the default). */
    double lower, upper;
} lb_dh_row;

lb_dh_row lb_dh_row_default(void);

/*
 * Builds a model called `name` (NULL: "") from n >= 1 rows. Its joints are joint_1..joint_n, along
 * links base, link_1..link_n. In the standard convention the constant part after the articulation
 * of joint i belongs to the placement of joint i + 1, and the last one to a fixed joint "tool" with
 * the link "tool". So the model has n + 1 joints there, and n in the modified convention. Release
 * *model with lb_model_release.
 */
struct lb_model;
lb_status lb_model_from_dh(const char *name, const lb_dh_row *rows, int n, bool modified,
                           const lb_allocator *allocator, struct lb_model **model, lb_error *error);

/* ---- links (nodes) ------------------------------------------------------ */

typedef enum lb_shape {
    LB_SHAPE_BOX,      /* `size` has the full edge lengths. */
    LB_SHAPE_CYLINDER, /* size.x is the radius, size.z the length along z; centred. */
    LB_SHAPE_CAPSULE,  /* A cylinder with half spheres added at its ends. */
    LB_SHAPE_SPHERE,   /* size.x is the radius. */
    LB_SHAPE_MESH      /* `mesh` is the URI as written in the file, `size` the scale. */
} lb_shape;

/*
 * A shape in a link. Visuals are for show: stored and never interpreted. Collision shapes are
 * measured by collision.h.
 */
typedef struct lb_geometry {
    lb_shape shape;      /* Which shape it is. */
    lb_transform origin; /* T_link_shape. */
    lb_vec3 size;        /* Metres, 0 to 1e15. Of a mesh the scale, -1e15 to 1e15. */
    const char *mesh;    /* Name of the mesh, not empty. Absent unless the shape is a mesh. */
    double color[4];     /* Red, green, blue and alpha, 0 to 1. Alpha 0: no colour is given. */
} lb_geometry;

/*
 * A link, both as given and as read back. Start from lb_link_default(): no mass, no shapes,
 * data_offset = identity.
 */
typedef struct lb_link {
    const char *name; /* Unique among links, not empty. */
    /* The bone of a human figure that the link is, by VRM's names, such as "leftUpperArm".
       Absent: not said. Retargeting prefers it to names. */
    const char *bone;
    /* T_link_data: places the data, visuals and collision shapes included. Default: identity. */
    lb_transform data_offset;
    double mass;    /* Kilograms. 0: unknown (the default). */
    lb_vec3 center; /* Centre of mass in the link's frame, metres. Default: 0. */
    /* xx yy zz xy xz yz about the centre, along link axes, kg m^2. Default: 0. */
    double inertia[6];
    const lb_geometry *visuals;    /* Shapes to show. */
    int visual_count;              /* How many visuals. Default: 0. */
    const lb_geometry *collisions; /* Shapes to collide with; never taken from the visuals. */
    int collision_count;           /* How many collision shapes. Default: 0. */
    void *user;                    /* Stored, never read. */
} lb_link;

lb_link lb_link_default(void);

/* ---- loops -------------------------------------------------------------- */

/*
 * A linkage that closes is a tree with loops beside it. A loop holds two links together by a frame
 * on each: components of the second frame's place in the first are zero. Forward kinematics does
 * not read loops; loops.h finds the configurations that close them.
 *
 * Every kind of loop: name, text, and which components are held: bits 0 to 2 the displacement
 * along x y z, bits 3 to 5 the rotation about x y z. A hinge turns about the frames' z, a slide
 * moves along it, planar frames share the plane z = 0. A coupling holds two joints by a polynomial.
 */
#define LB_LOOP_KIND_LIST(X)                                                                       \
    X(LB_LOOP_WELD, "weld", 077)                                                                   \
    X(LB_LOOP_HINGE, "hinge", 037)                                                                 \
    X(LB_LOOP_SLIDE, "slide", 073)                                                                 \
    X(LB_LOOP_BALL, "ball", 007)                                                                   \
    X(LB_LOOP_PLANAR, "planar", 034)                                                               \
    X(LB_LOOP_COUPLING, "coupling", 001)

typedef enum lb_loop_kind {
#define LB_LOOP_KIND_ENUM(name, text, held) name,
    LB_LOOP_KIND_LIST(LB_LOOP_KIND_ENUM)
#undef LB_LOOP_KIND_ENUM
        LB_LOOP_KIND_COUNT
} lb_loop_kind;

/* The text of a kind of loop, never NULL, and how many constraints it makes. */
const char *lb_loop_kind_text(lb_loop_kind kind);
int lb_loop_kind_rows(lb_loop_kind kind);

enum { LB_LOOP_TERMS = 5 };

/* A loop, both as given and as read back. Start from lb_loop_default(): a ball between origins. */
typedef struct lb_loop {
    const char *name;   /* Unique among loops, not empty. */
    lb_loop_kind kind;  /* Default: ball. */
    const char *first;  /* Name of a link, of a coupling the name of the joint that it sets. */
    const char *second; /* Name of the other link, of a coupling the joint that it reads. */
    lb_transform first_frame;  /* T_first_frame, not read of a coupling. Default: identity. */
    lb_transform second_frame; /* T_second_frame, not read of a coupling. Default: identity. */
    /* Of a coupling: value of first = sum over k of polynomial[k] * (value of second)^k, radians
       and metres. Default: 0 1 0 0 0. */
    double polynomial[LB_LOOP_TERMS];
} lb_loop;

lb_loop lb_loop_default(void);

/* ---- building ----------------------------------------------------------- */

/*
 * The parts of a model, in any order; the tree is found by name. lb_model_build copies all of them.
 */
typedef struct lb_model_source {
    const char *name;       /* Name of the model. */
    lb_transform root;      /* T_world_root, the root arc. */
    const lb_link *links;   /* The links. */
    int link_count;         /* How many links, >= 1. */
    const lb_joint *joints; /* The joints. */
    int joint_count;        /* How many joints: link_count - 1. */
    /* Line of each joint in its file, for messages; 0: unknown. Absent: no lines. */
    const int *joint_lines;
    /* Line of each link in its file, for messages; 0: unknown. Absent: no lines. */
    const int *link_lines;
    const lb_loop *loops; /* The loops. */
    int loop_count;       /* How many loops. Default: 0. */
    /* Line of each loop in its file, for messages; 0: unknown. Absent: no lines. */
    const int *loop_lines;
} lb_model_source;

typedef struct lb_model lb_model;

/*
 * Checks the parts and builds a model. Refused by name: an empty or duplicate name; an unknown
 * parent or child; a link with two parents; several roots; a cycle; a zero or non-finite axis;
 * limits that are NaN or crossed; a mimic joint that follows nothing, itself, a cycle or a joint of
 * several values; limits of mimic joints that leave the followed joint no value; a placement that
 * is not rigid; an unknown shape; a mesh without a name; a length beyond LB_LENGTH_MAX; any other
 * number that is not finite. Axes and quaternions may have any length but zero, and axes of
 * transforms may be off by the rounding of six decimals; all are made exact.
 *
 * Mimic joints may follow mimic joints; all follow one joint in the end. A continuous joint whose
 * mimic joints distinguish whole turns (by limits, a fractional multiplier, or because they slide)
 * is treated as revolute, where whole turns differ.
 *
 * Refused of a loop: an empty or duplicate name, an unknown link or joint, one link or joint at
 * both ends, a frame that is not rigid, a coupling of joints that do not have one value of their
 * own.
 *
 * Building makes two allocations and leaves one: the model is a single block. On failure *model is
 * NULL and *error (may be NULL) says which part is wrong and why.
 */
lb_status lb_model_build(const lb_model_source *source, const lb_allocator *allocator,
                         lb_model **model, lb_error *error);
/*
 * Copies a model with a root that moves differently: LB_JOINT_FIXED, LB_JOINT_PLANAR (along the
 * world's x and y, about its z) or LB_JOINT_FLOATING; any other kind is LB_INVALID_ARGUMENT. A root
 * link "world" comes before the old root, with a joint "root" between them in place of the root
 * arc. With its values at zero all links are where they were. Underscores are added to names that
 * are taken. If the root already hangs from a planar or floating joint, that joint takes the new
 * kind. Loops are kept. Release *out with lb_model_release.
 */
lb_status lb_model_with_root(const lb_model *model, lb_joint_kind kind,
                             const lb_allocator *allocator, lb_model **out, lb_error *error);
/* NULL is accepted. */
void lb_model_release(lb_model *model);

/* ---- reading ------------------------------------------------------------ */

/* The name of the model, never NULL; T_world_root; how many links and joints there are. */
const char *lb_model_name(const lb_model *model);
lb_transform lb_model_root(const lb_model *model);
int lb_model_link_count(const lb_model *model);
int lb_model_joint_count(const lb_model *model);
/*
 * Length of a configuration q and of a velocity v; nq >= nv. A mimic joint has no entry in either.
 */
int lb_model_nq(const lb_model *model);
int lb_model_nv(const lb_model *model);
/* A link and a joint, owned by the model. Names are the model's copies; axes have unit length. */
const lb_link *lb_model_link(const lb_model *model, int link);
const lb_joint *lb_model_joint(const lb_model *model, int joint);
/* How many loops there are, and one of them, owned by the model; NULL without such a loop. */
int lb_model_loop_count(const lb_model *model);
const lb_loop *lb_model_loop(const lb_model *model, int loop);
/* An index that is neither a link nor the world (LB_WORLD, kinematics.h). */
enum { LB_NO_LINK = -2 };
/*
 * Index of a link or joint by name. If there is none, LB_NO_LINK for a link and -1 for a joint. The
 * time grows with the name's length alone.
 */
int lb_model_find_link(const lb_model *model, const char *name);
int lb_model_find_joint(const lb_model *model, const char *name);
/* The parent of a link, -1 of the root link. Joint j is attached to the parent of link j + 1. */
int lb_model_parent(const lb_model *model, int link);
/* A link's first child and its next sibling in depth-first order; -1: none. */
int lb_model_first_child(const lb_model *model, int link);
int lb_model_next_sibling(const lb_model *model, int link);
/*
 * Where a joint's values start in q and v. Of a mimic joint, where those of the followed joint do;
 * of a fixed one, -1.
 */
int lb_model_joint_q(const lb_model *model, int joint);
int lb_model_joint_v(const lb_model *model, int joint);
/*
 * The joint that a mimic joint follows in the end, -1 of any other joint; value = *multiplier * q +
 * *offset.
 */
int lb_model_joint_mimic(const lb_model *model, int joint, double *multiplier, double *offset);
/*
 * Lists links without children, in order, and returns how many there are. `links` may be NULL to
 * count.
 */
int lb_model_tips(const lb_model *model, int links[/* tips, or NULL */]);
/*
 * Guesses the links that targets are meant for, the most likely first. Fills up to LB_DEFAULT_TIPS
 * and sets *count, at least 1. Links named as tools come first (tool0, tcp, ee_link ...). If there
 * are none, the guess is the ends of arms and legs, hands and feet alike, that at least half as
 * many joints move as the most, beginning with the end that most joints move. An arm with fingers
 * ends at the link that carries them, which is where the tree branches within a third of the arm's
 * length. Heads are left out, and so are parts that hang from an arm before its end. Ends that
 * loops hold are left out, too; where they hold all, it is the platform: the one link that the most
 * joints and loops meet at, three at least. With valid arguments the one failure is
 * LB_OUT_OF_MEMORY; nothing stays allocated. Experimental: may change in 0.2.
 */
enum { LB_DEFAULT_TIPS = 8 };
lb_status lb_model_default_tips(const lb_model *model, const lb_allocator *allocator,
                                int tips[LB_DEFAULT_TIPS], int *count);

/* ---- configurations ----------------------------------------------------- */

/*
 * These functions take arrays of nq (q) or nv (v) numbers, never NULL. An input and an output
 * configuration may be one array. Quaternions are normalized when read; a quaternion of length zero
 * reads as the identity.
 */

/* Sets each joint to its `value`. */
void lb_configuration_neutral(const lb_model *model, double *q);
/*
 * Draws uniformly within the limits. Without limits, angles are in [-pi, pi] and displacements in
 * [-1, 1] m; with one limit alone, the range has that width and ends at the limit. A ball's twist
 * is uniform, and its axis is uniform on the spherical cap of its swing, so without limits all
 * rotations are equally likely.
 */
void lb_configuration_random(const lb_model *model, lb_random *random, double *q);
/* Moves q by v over unit time: q (+) v. Limits are ignored, turns are not wrapped. */
void lb_configuration_integrate(const lb_model *model, const double *q, const double *v,
                                double out[/* nq */]);
/* The v that leads from a to b: b = a (+) v, with turns by the smaller rotation. */
void lb_configuration_difference(const lb_model *model, const double a[/* nq */],
                                 const double b[/* nq */], double *v);
/*
 * Goes from a (t = 0) to b (t = 1), by the smaller rotation for quaternions and continuous joints.
 */
void lb_configuration_interpolate(const lb_model *model, const double a[/* nq */],
                                  const double b[/* nq */], double t, double out[/* nq */]);
/*
 * Brings each value to the nearest within its limits, of a ball its twist and its swing.
 * Quaternions are normalized; NaN stays NaN.
 */
void lb_configuration_clamp(const lb_model *model, const double *q, double out[/* nq */]);
/*
 * Returns LB_OK if every number is finite, every quaternion is of unit length within 1e-6 and every
 * value is within its limits by `tolerance`; else LB_BAD_VALUE, and the message names the joint.
 */
lb_status lb_configuration_validate(const lb_model *model, const double *q, double tolerance,
                                    lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
