/*
 * kernel.h - the plain-C face of the kernel.
 *
 * The kernel knows nothing of links, names or files: it works on flat trees of
 * one-axis joints and balls. A model compiles to one such tree (all its links);
 * an inverse-kinematics solver reduces that to the joints on the way from base
 * to tips. All kernel code stands in .inl files over a lane type (lane.h), one
 * problem per lane, and is compiled once for each width.
 */
#ifndef LIMBER_KERNEL_H
#define LIMBER_KERNEL_H

#include "kernel/closed.h"

#include <limber/math.h>
#include <limits.h>

/* ---- trees -------------------------------------------------------------- */

typedef enum kernel_kind {
    KERNEL_FIXED,     /* placement alone */
    KERNEL_REVOLUTE,  /* turns about its own z axis */
    KERNEL_PRISMATIC, /* slides along its own z axis */
    KERNEL_BALL       /* four values: a quaternion w x y z */
} kernel_kind;

/*
 * What is known of a placement, so that its zeros cost nothing: one of the rotations,
 * and which coordinates of its translation are not zero.
 */
typedef enum kernel_form {
    KERNEL_ROTATION_NONE,     /* the parent's axes */
    KERNEL_ROTATION_PLUS_90,  /* a quarter turn about the parent's x axis */
    KERNEL_ROTATION_MINUS_90, /* and the other way */
    KERNEL_ROTATION_X,        /* a turn about the parent's x axis: y.y = z.z, z.y = -y.z */
    KERNEL_ROTATION_GENERAL,  /* anything */
    KERNEL_ROTATION = 7,      /* the bits that say which */
    KERNEL_SHIFT_X = 8,
    KERNEL_SHIFT_Y = 16,
    KERNEL_SHIFT_Z = 32
} kernel_form;

/*
 * One frame of a tree and the joint that moves it:
 *     T_base_frame = T_base_parent * place * A(scale * q[q] + offset).
 * Joints that follow another (mimic) share its q and v with a scale and offset
 * of their own. A joint with v < 0 has a value but does not move in IK.
 */
typedef struct kernel_joint {
    int parent; /* index of the parent's frame, -1: the base */
    kernel_kind kind;
    kernel_form form;     /* of `place` */
    bool lean;            /* of its frame nothing but z and p is ever read, and */
    bool passing;         /* nothing at all, but by the joint after it; never a block's last */
    int q;                /* index of its (first) value, -1 for fixed */
    int v;                /* index of its (first) velocity, -1: does not move */
    double scale, offset; /* ball: scale -1 means the conjugate, offset is not read */
    lb_transform place;
} kernel_joint;

enum { KERNEL_BLOCK = 16, KERNEL_MAX_WIDTH = 8, KERNEL_TABLE_CLASSES = 8, KERNEL_TABLE_SIDE = 32 };

/*
 * The joints of a block, KERNEL_BLOCK in a row, that turn: about an axis, with how to
 * get their values from q, side by side (behind them stand angles of zero), and balls,
 * with where their quaternions are.
 */
typedef struct kernel_turns {
    int count;
    int q[KERNEL_BLOCK];
    double scale[KERNEL_BLOCK], offset[KERNEL_BLOCK];
    int ball_count;
    int ball[KERNEL_BLOCK];
} kernel_turns;

/* Parents stand before their children. */
typedef struct kernel_tree {
    const kernel_joint *joints;
    const kernel_turns *turns; /* one for each block */
    int count;
    int nq, nv;
    bool alone; /* no two joints share a velocity; false: that is not known */
} kernel_tree;

/* How many blocks so many joints fill, and what turns in each of them. */
size_t kernel_blocks(int count);
void kernel_turns_of(const kernel_joint *joints, int count, kernel_turns *turns);

/* Marks the joints as passing that no joint needs but the one after them. */
void kernel_find_transient(kernel_joint *joints, int count);

/* The form that fits a placement exactly. */
kernel_form kernel_form_of(const lb_transform *place);

/* ---- problems: what inverse kinematics works on ------------------------- */

/* Something of a tree's configuration that moves: one number, or a ball's quaternion. */
typedef struct kernel_variable {
    bool ball;
    int q, v;            /* first index: 1 and 1 numbers, for a ball 4 and 3 */
    int joint;           /* the joint that it moves; of several, one */
    double lower, upper; /* limits; of a ball: of its twist about `axis` */
    double swing;        /* a ball's widest angle between `axis` and its rest, >= pi: free */
    lb_vec3 axis;        /* a ball's twist axis, unit */
    bool turns;          /* whole turns make no difference to where things are */
    double mobility;     /* > 0: the root of how readily it moves, 1 / sqrt(stiffness weight) */
} kernel_variable;

/* Where a goal wants its tool: at its origin or, open, anywhere on a line or plane through that. */
typedef struct kernel_locus {
    bool open;
    lb_vec3 across[2]; /* unit, in the goal's axes; of a plane the second is zero */
} kernel_locus;

/*
 * One tool that must reach its goal: three rows of position, three of rotation, or
 * six. The tool has the axes of the frame that carries it; how they differ is part
 * of the goal.
 */
typedef struct kernel_task {
    int frame;    /* index in the tree */
    lb_vec3 tool; /* where the tool is in the frame */
    bool position, rotation;
    kernel_locus locus; /* where the position may be */
    bool free;          /* the roll about `axis` does not count */
    lb_vec3 axis;       /* unit, in the frame's axes */
    double weight;      /* of its rows */
    const int *path;    /* the joints between base and frame that move, base first */
    int path_count;
    int row; /* its first row */
} kernel_task;

/*
 * A problem measures ways in its own unit of length, chosen so that one such unit
 * counts as much as one radian; placements, tools, goals and position tolerance
 * are given in it, and so no row ever needs to be scaled.
 */
typedef struct kernel_problem {
    kernel_tree tree;
    const kernel_variable *variables;
    int variable_count;
    const kernel_task *tasks;
    int task_count;
    int rows;     /* over all tasks */
    bool plain;   /* one task, and every variable moves one joint of it */
    double reach; /* of rigid links: no joint's axis is farther from the first tool than this */
    /* what kernel_prepare finds out */
    int arm;      /* joints of an arm, 0: it is none (arm.inl) */
    double noise; /* pivots of the normal equations below this are rounding errors */
} kernel_problem;

/* Fills in what is known of a problem that is otherwise complete. */
void kernel_prepare(kernel_problem *problem);

/* ---- jobs: what the engine is fed with ---------------------------------- */

/* Why a job ended. */
typedef enum kernel_end {
    KERNEL_CONVERGED, /* every task within tolerance */
    KERNEL_STALLED,   /* two iterations won less than the share asked for */
    KERNEL_SPENT      /* its iterations are used up */
} kernel_end;

/* One descent from one start. */
typedef struct kernel_job {
    const double *start;         /* tree.nq numbers inside the limits, valid until a job ends */
    const lb_transform *targets; /* the tasks' goals as the problem sees them, likewise */
    int iterations;              /* budget */
    double win;   /* stalled when two iterations win less than this share; 0: never */
    bool careful; /* never accept a step that loses: go back and take a part of it */
    int tag;      /* the feed's own */
} kernel_job;

/* How it ended. */
typedef struct kernel_result {
    const double *q; /* tree.nq numbers, valid during the call */
    kernel_end end;
    int iterations;
    double error; /* scaled norm over all rows, the measure of the descent */
} kernel_result;

/*
 * Feeds the engine and hears its answers. Lanes are asked for in order 0, 1, ...
 * `next` fills *job or answers false: that lane has nothing more to do. `finish`
 * answers a bit mask of lanes to give up, whose jobs no longer matter; they are
 * offered to `next` again.
 */
typedef struct kernel_feed {
    bool (*next)(void *user, int lane, kernel_job *job);
    unsigned (*finish)(void *user, int lane, const kernel_result *answer);
    void *user;
} kernel_feed;

/*
 * lambda^2, when it follows the error, is this share of its square. Careful descents, which
 * take back what loses, begin with it and change it as they go (Marquardt 1963).
 */
#define KERNEL_DAMPING_SHARE 0.1

/* How the descent steps; see step.inl. */
typedef struct kernel_control {
    double position_tolerance, rotation_tolerance;
    double damping;    /* lambda; 0: from the error */
    double step_limit; /* largest change of a variable in one iteration; 0: none */
    bool raw;          /* single steps are taken as they are, also when they lose */
} kernel_control;

/* ---- goals -------------------------------------------------------------- */

/* How a problem sees a task's targets T_base_goal. */
typedef struct kernel_target_map {
    const lb_transform *base; /* T_problem_base, metres */
    const lb_transform *axes; /* T_tool_frame, the turn alone */
    double scale;             /* the problem's units of length in a metre */
} kernel_target_map;

/* ---- limits ------------------------------------------------------------- */

/* The limits of a row of numbers, infinite where there are none. */
typedef struct kernel_range {
    int count;
    double *lower, *upper;
} kernel_range;

/* ---- starts ------------------------------------------------------------- */

/* Samples of configurations in leaves, by where they bring the tool; ik/seeds.c makes them. */
typedef struct kernel_table {
    const kernel_task *task;
    const kernel_joint *joints;
    int nq;
    int features;    /* numbers that are compared */
    bool turn, roll; /* the first joint's turn about the base is left out; the last one's */
    const kernel_variable *first, *last; /* what turns those */
    const double *q;                     /* rows of nq numbers, limits not yet enforced */
    const lb_vec3 *axes; /* pairs: the tool's x and y, after the first joint's part is taken away */
    const int *fixed;    /* the values of q that are no variable's: locked joints' */
    int fixed_count;
} kernel_table;

enum { KERNEL_FEATURES = 9 }; /* at most */

/* What a table compares of a tool's place. */
typedef struct kernel_place {
    double angle; /* the first joint's part, which is taken away from the rest */
    lb_vec3 x, y;
    float features[KERNEL_FEATURES];
} kernel_place;

/* ---- judging ------------------------------------------------------------ */

/* What an answer must achieve with one tool. */
typedef struct kernel_goal {
    int tip;           /* the frame that carries the tool, -1: it stands still */
    lb_transform tool; /* T_frame_tool, T_world_tool where there is no frame */
    bool bare;         /* that is the identity */
    bool position, rotation;
    kernel_locus locus; /* where the position may be */
    bool free;          /* of the rotation only where `axis` points counts */
    lb_vec3 axis;       /* unit, of the tool */
} kernel_goal;

/* Whom answers must convince: a model's own tree, along the ways to bases and tips alone. */
typedef struct kernel_verifier {
    kernel_tree tree;
    const int *sources; /* tree.nq: where in the model's q each of its values is */
    lb_transform root;  /* T_world_root */
    int base;           /* the frame that carries the base, -1: it stands still */
    lb_transform stand; /* T_frame_base, T_world_base where there is no frame */
    bool bare;          /* that is the identity */
    const kernel_goal *claims;
    int goal_count;
} kernel_verifier;

/* ---- one instance for each width ---------------------------------------- */

typedef struct kernel_ops {
    int width;
    /* bytes of scratch that `descend` needs, aligned to 64 */
    size_t (*scratch)(const kernel_problem *problem);
    /* runs jobs until the feed is dry; problem, control and scratch are the caller's */
    void (*descend)(const kernel_problem *problem, const kernel_control *control,
                    const kernel_feed *feed, void *scratch);
    /* det J J^T of `count` configurations, row by row, of a problem of one task whose locus is a
       point; scratch as for `descend` */
    void (*manipulability_squared)(const kernel_problem *problem, const double *q, int count,
                                   void *scratch, double *agilities);
    /* bytes of scratch that `judge` needs, aligned to 64 */
    size_t (*verifier_scratch)(const kernel_verifier *judge);
    /* the largest errors over all claims of up to `width` answers: of each the model's q and its
       targets T_base_goal; in metres and radians, infinite where they are no numbers */
    void (*judge)(const kernel_verifier *judge, const double *const *q,
                  const lb_transform *const *targets, int count, void *scratch, double *position,
                  double *rotation);
    /* up to `width` targets as a problem sees them; answers a bit for each that is finite and has
       axes that are orthonormal and right-handed */
    unsigned (*transform_targets)(const kernel_target_map *aim, const lb_transform *const *targets,
                                  lb_transform *const *goals, int count);
    /* what a table compares of up to `width` places T_base_tool */
    void (*describe)(const kernel_table *table, const lb_transform *const *places,
                     kernel_place *const *descriptions, int count);
    /* samples turned and rolled to up to `width` goals, on the whole turns nearest to `near`,
       within the limits; answers a bit for each problem whose limits forbid its turns */
    unsigned (*seed_starts)(const kernel_table *table, const int *samples,
                            kernel_place *const *goals, const double *const *near, double *const *q,
                            int count);
    /* up to `width` rows of numbers brought within their limits, NaN stays NaN; answers a bit for
       each whose numbers all are finite; q and `to` may be the same */
    unsigned (*clamp)(const kernel_range *range, const double *const *q, double *const *to,
                      int count);
    /* a bit for each of up to `width` rows whose numbers are finite and within their limits, but
       for a tolerance */
    unsigned (*within)(const kernel_range *range, double tolerance, const double *const *q,
                       int count);
    /* up to `width` configurations by whole turns to where they are nearest to `near` */
    void (*unwind)(const kernel_problem *problem, const double *const *near, double *const *q,
                   int count);
    /* the nearest row of each class of a table, and half of its squared distance from `at` less
       half of |at|^2; `count` rows, a multiple of KERNEL_TABLE_SIDE, half of their squared
       lengths first, then feature by feature; row i is of class i mod classes */
    void (*nearest)(const float *table, int features, int count, const float *at, float *distances,
                    int *rows);
    /* every solution of an arm that has a closed form: of up to `width` poses T_base_tip, and of
       one; `hints` are its joints' values to keep where nothing determines them */
    void (*closed)(const kernel_closed *arm, const lb_transform *const *targets,
                   const double *const *hints, int count, kernel_solutions *const *solutions);
    void (*closed_one)(const kernel_closed *arm, const lb_transform *target, const double *hints,
                       kernel_solutions *solutions);
    /* lb_sincos of a block's angles */
    void (*turns)(const kernel_turns *turns, const double *q, double *sines, double *cosines);
    /* of width 1, NULL elsewhere: kernel_forward */
    void (*forward)(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames);
    /* likewise, how fast a point moves, in the axes that the frames are given in, with the joints
       between the root and the one that carries it: 6 x nv, row major, linear rows first */
    void (*jacobian)(const kernel_tree *tree, int carrier, const lb_transform *frames,
                     const lb_vec3 *point, double *jacobian);
} kernel_ops;

/* The widest instance that this machine can run and that is at most `width` wide (0: any). */
const kernel_ops *kernel_choose(int width);

/*
 * Of width 1 the one that is soonest done, in no wider registers than that width has: arms
 * are better off with more registers, others with what the compiler makes of fewer.
 */
const kernel_ops *kernel_choose_single(int width, bool arm);

/* ---- crowds: forward kinematics of many configurations ------------------- */

/* How a link follows from the frame of its joint. */
typedef enum kernel_displacement {
    KERNEL_LINK_EXACT,   /* it is that frame */
    KERNEL_LINK_SWAPPED, /* the same axes by other names, some of them turned round */
    KERNEL_LINK_TURNED   /* frame * fix */
} kernel_displacement;

/* A link whose transform is wanted. */
typedef struct kernel_output {
    int joint;    /* -1: the root stands where the base is; KERNEL_NO_JOINT ends a list */
    size_t place; /* which of a row's links it is */
    kernel_displacement way;
    int from[3];
    double sign[3];
    lb_transform fix;
    bool moved; /* wanted is link * offset */
    lb_transform offset;
} kernel_output;

enum { KERNEL_NO_JOINT = INT_MAX };

/* What is wanted of every configuration; the tree has the joints for that alone. */
typedef struct kernel_fk_batch {
    kernel_tree tree;
    lb_transform root;
    const kernel_output *outputs; /* in the order of their joints, then `end` */
    size_t output_count;
    kernel_output end, tip; /* the link whose Jacobian is wanted; without a joint: none is */
    lb_vec3 point;          /* of that link, in its frame */
    bool turned;            /* rows along that link's axes, else along the base's */
} kernel_fk_batch;

/* How a transform's numbers follow each other. */
typedef enum kernel_layout {
    KERNEL_COLUMNS_OF_3, /* lb_transform */
    KERNEL_COLUMNS_OF_4, /* with 0 0 0 1 below */
    KERNEL_ROWS_OF_4
} kernel_layout;

/* Rows, one for each configuration, of doubles or floats; strides count these. */
typedef struct kernel_rows {
    const void *q;
    size_t q_stride;
    void *links; /* NULL: none */
    size_t links_stride;
    void *jacobians; /* NULL: none */
    size_t jacobians_stride;
    kernel_layout layout; /* of links */
} kernel_rows;

/* One instance for each width and type. */
typedef struct kernel_fk_batch_ops {
    int width;
    /* bytes of scratch that `forward` needs, aligned to 64 */
    size_t (*scratch)(const kernel_fk_batch *batch);
    /* the configurations begin <= i < end */
    void (*forward)(const kernel_fk_batch *batch, const kernel_rows *rows, size_t begin, size_t end,
                    void *scratch);
} kernel_fk_batch_ops;

/* As kernel_choose; of floats twice as many stand side by side, and four at the least. */
const kernel_fk_batch_ops *kernel_choose_fk_batch(int width, bool floats);

/* ---- width 1: the scalar library ---------------------------------------- */

/* frames[i] = T_base_frame of joint i, for base frame `root`; q has tree->nq numbers. */
void kernel_forward(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames);

/* One joint's frame from that of its parent. */
lb_transform kernel_joint_frame(const kernel_joint *joint, const lb_transform *parent,
                                const double *q);

/*
 * Errors of a problem whose frames are where kernel_forward puts them for the base at
 * the identity: `rows` numbers, times the tasks' weights. True when every task is
 * within tolerance.
 */
bool kernel_measure(const kernel_problem *problem, const kernel_control *control,
                    const lb_transform *frames, const lb_transform *targets, double *error);

/*
 * Its Jacobian there: nv columns of `rows` numbers each, times the tasks' weights. The
 * tools are where the frames carry them or, `arrived`, taken to be on their targets.
 */
void kernel_linearize(const kernel_problem *problem, const lb_transform *frames,
                      const lb_transform *targets, bool arrived, double *jacobian);

/* Both at q, frames (of lean joints z and p alone) included. */
bool kernel_evaluate(const kernel_problem *problem, const kernel_control *control, const double *q,
                     const lb_transform *targets, lb_transform *frames, double *error,
                     double *jacobian);

/*
 * One step of the descent from q (tree.nq numbers), in place; scratch as for the
 * width-1 instance. A step that wins less than its slope promises is shortened, but
 * where control says raw. `share` is lambda's, and what the next step had better have; NULL:
 * the usual. Answers the share of the squared error that it won, 0 where no step wins: q is
 * a minimum.
 */
double kernel_iterate(const kernel_problem *problem, const kernel_control *control,
                      const lb_transform *targets, double *q, double *share, void *scratch);

/*
 * The rows that a way or velocity has for a goal, and which way they point: those along the axes
 * of the base, or across an open locus. And the point of the locus that is nearest to another.
 */
lb_vec3 kernel_locus_rows(const kernel_locus *locus, const lb_transform *goal, lb_vec3 way);
lb_vec3 kernel_locus_displacement(const kernel_locus *locus, const lb_transform *goal,
                                  lb_vec3 rows);
lb_vec3 kernel_locus_nearest(const kernel_locus *locus, const lb_transform *goal, lb_vec3 from);

/* A claim's errors when its tool is at `at`; zero where they do not count. */
void kernel_goal_errors(const kernel_goal *claim, const lb_transform *at,
                        const lb_transform *target, double *position, double *rotation);

/* Brings values inside their limits, and balls (not zero) to unit length. */
void kernel_settle(const kernel_problem *problem, double *q);

/*
 * A Jacobian inside the limits: columns that would push a variable farther out of
 * where it is are cleared, of balls the direction that does; all are scaled with their
 * mobilities. `error` says which way they are pushed.
 */
void kernel_restrain(const kernel_problem *problem, const double *q, const double *error,
                     double *jacobian);

/* Whether a variable has limits at all, and the nearest value inside them, in place: x's own of q.
 */
bool kernel_is_limited(const kernel_variable *x);
void kernel_clamp(const kernel_variable *x, double *q);

/* q (+) step, limits enforced; q and out may be the same. */
void kernel_advance(const kernel_problem *problem, const double *q, const double *step,
                    double *out);

#endif
