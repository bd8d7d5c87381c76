/*
 * body.h - the plain-C face of the whole-body kernel: many tasks on one tree.
 *
 * A body is a tree of joints, as kernel.h has them, seen as columns: every velocity of every
 * joint is one column with one screw axis, and a ball is three columns in a row. Tasks become
 * rows; the rows of one link are an inertia on it, and all others are extra right-hand sides of
 * one articulated-body sweep (body_sweep.inl). One problem per lane, any width, the same bits.
 */
#ifndef LIMBER_KERNEL_BODY_H
#define LIMBER_KERNEL_BODY_H

#include "kernel/problem.h"

/* ---- the tree ----------------------------------------------------------- */

/*
 * One velocity. Parents precede their children. After them all come slacks, one for each
 * row that may have any value in a range: what the row does less its slack is then its error, and
 * the slack's bounds are the range.
 */
typedef struct kernel_body_column {
    int row;       /* of a slack: the row; -1: it is a velocity */
    int joint;     /* whose velocity it is */
    int parent;    /* the column that carries it, -1: none */
    bool last;     /* no later column, which is none later in the order, has the same parent */
    int axis;      /* of a ball: 0, 1 or 2; of others 2, their z axis */
    bool slides;   /* prismatic */
    int q;         /* the (first) value that it changes */
    int ball;      /* index of the ball, -1: it has one axis */
    int tie;       /* the column whose change it shares (mimic joints), -1: it has its own */
    bool turns;    /* whole turns make no difference */
    double scale;  /* of a one-axis joint: its value is scale * q + offset */
    double weight; /* of the damping: the joint's stiffness */
} kernel_body_column;

/* A ball; its three columns follow each other. */
typedef struct kernel_body_ball {
    kernel_variable limits;
    bool limited;
    int joint, column, q;
} kernel_body_ball;

/* What a joint's frame carries besides tasks. */
typedef struct kernel_body_mass {
    double share;   /* of the whole mass */
    lb_vec3 center; /* in the joint's frame */
} kernel_body_mass;

/* ---- tasks -------------------------------------------------------------- */

typedef enum kernel_body_kind {
    KERNEL_BODY_POSE,   /* the tool's origin along the target's axes, its axes, or both: six rows */
    KERNEL_BODY_LOOK,   /* the tool's axis points to the target's origin: two rows */
    KERNEL_BODY_ALIGN,  /* the tool's axis points along the target's z axis: two rows */
    KERNEL_BODY_POLE,   /* the middle of three points is on the target's side: one row */
    KERNEL_BODY_CENTER, /* the centre of mass at the target's origin, along its axes: three rows */
    KERNEL_BODY_SUPPORT,  /* the centre of mass above a polygon of the target's xy plane: a row for
                             each edge */
    KERNEL_BODY_COUPLING, /* a joint has the value that a polynomial of another's gives: one row */
    KERNEL_BODY_JOINT,    /* a joint has the query's desired value: a row for each velocity */
    KERNEL_BODY_DISTANCE  /* pairs of points that move apart: a row for each, one-sided */
} kernel_body_kind;

enum {
    KERNEL_BODY_PARTS = 3,
    KERNEL_BODY_LEVELS = 5, /* a body's four, and one above them for loops */
    KERNEL_BODY_VERTICES = 16,
    KERNEL_BODY_TERMS = 5,
    KERNEL_BODY_PAIRS = 8 /* of a distance task at a time */
};

/* A point that a joint's frame carries. */
typedef struct kernel_body_point {
    int joint;  /* -1: it is fixed, and `at` is in world axes */
    int column; /* the last one that moves it, -1: none */
    lb_transform at;
} kernel_body_point;

typedef struct kernel_body_task {
    kernel_body_kind kind;
    int level;              /* 0 first */
    kernel_body_point tool; /* of a pole: the middle joint */
    kernel_body_point base; /* what the target is given in; of a pole: the first joint */
    kernel_body_point end;  /* of a pole: the last joint */
    bool in_world;          /* the target is given in world axes */
    bool local;             /* its rows move one link alone: they can be an inertia */
    bool isotropic; /* likewise, on a single level, and of the same weight along all three axes, or
                       across a direction: its rows are summed up (body_isotropic.inl) */
    int row, row_count;  /* its rows */
    lb_vec3 axis;        /* of look and align: unit, in the tool's axes */
    lb_vec3 weights[2];  /* roots of the weights of each row, linear and angular */
    lb_vec3 box;         /* half widths of what is allowed about the target's origin */
    double cone;         /* angle that is allowed about the target's direction or axes */
    double tolerance[2]; /* squares, of distances and angles: reached within */
    double missed[2];    /* likewise: beyond them nothing that verifies it can find it reached */
    int vertex_count;    /* of the polygon, counter-clockwise */
    double vertices[KERNEL_BODY_VERTICES][2];
    int column, columns; /* of a joint task */
    /* of a coupling: the columns, -1 if locked, and values of both joints, and the polynomial */
    int coupled[2], coupled_q[2];
    double polynomial[KERNEL_BODY_TERMS];
    bool counted; /* a solve ends when those that count are within tolerance */
} kernel_body_task;

/* Two points that must be kept apart, in one configuration. */
typedef struct kernel_body_pair {
    int column[2];    /* the last columns that move them, -1: none */
    lb_vec3 point[2]; /* in world axes */
    lb_vec3 normal;   /* unit, from the first to the second */
    double beyond;    /* how much farther apart they must be; negative: the room that is left */
} kernel_body_pair;

/* What one level is solved with: its own rows that no link has alone, then those of levels above.
 */
enum { BODY_OWN_INERTIA = 1, BODY_OWN_FORCES = 2 };

/* right-hand sides are swept by blocks of so many */
enum { BODY_BLOCK = 4 };

typedef struct kernel_body_stage {
    const int *rows; /* `weighted` then `strict` of them */
    int weighted, strict;
    int sides; /* right-hand sides: one and all these rows, rounded up to a whole block */
    /* of each column: BODY_OWN_INERTIA and BODY_OWN_FORCES where the stage puts any on it, or it
       has no children; what children hand on is added there, and stored elsewhere */
    const unsigned char *own;
    /* of each column: the blocks of sides (body_block_bit) that anything at it or beyond has a
       part in; all others are zero there */
    const unsigned *blocks;
} kernel_body_stage;

/* the bit of a side's block; those from the 32nd on share one */
static inline unsigned body_block_bit(int side)
{
    int block = side / BODY_BLOCK;
    return 1u << (block < 31 ? block : 31);
}

/* A row's task, of mimic joints' rows -1. */
typedef struct kernel_body_row {
    int task, level;
    int column, other; /* of a tie: the columns that change alike; of a joint task: the column */
    int slack;         /* the column that takes what is allowed, -1: none */
} kernel_body_row;

typedef struct kernel_body {
    kernel_tree tree;
    lb_transform root; /* T_world_base of the tree */
    int reference;     /* the joint whose origin screws are taken about, -1: the root's */
    const kernel_body_column *columns;
    /* all columns, those nearer to the root first: neighbours are on different limbs, so that no
       column has to wait for the one before */
    const int *order;
    int joint_columns, column_count; /* without the slacks, and with them */
    const kernel_body_ball *balls;
    int ball_count;
    const kernel_body_mass *masses; /* of each joint */
    const int *carriers;            /* of each joint: the last column that moves it, -1: none */
    bool center;                    /* some task needs the centre of mass */
    lb_vec3 standing;      /* what no joint moves: its moment, as a share of the whole mass, */
    double standing_share; /* and that share */
    const kernel_body_task *tasks;
    int task_count;
    const kernel_body_row *rows;
    int row_count, row_capacity, side_capacity;
    /* of a distance task, the pairs that are nearest in a configuration of tree.nq numbers: fills
       up to KERNEL_BODY_PAIRS and returns how many; NULL: there is no such task */
    int (*find_pairs)(void *user, int task, const double *q, kernel_body_pair *pairs);
    void *user;
    int level_count;
    bool closed; /* level 0 is that of loops, which steps close before they are assessed */
    kernel_body_stage stages[KERNEL_BODY_LEVELS];
    const double *stiffness; /* of each column: how much the posture counts; NULL: not at all */
} kernel_body;

/* ---- queries ------------------------------------------------------------ */

/* How the descent goes; body.inl says what these are for. */
typedef struct kernel_body_control {
    int iterations;
    double damping; /* > 0: of every step, in place of what follows the error */
    double far;     /* > 0: a start whose squared error is above this is left as it is */
    double settled; /* > 0: a step that changes no column by more is the last */
} kernel_body_control;

/* Why a descent ended. */
typedef enum kernel_body_end {
    KERNEL_BODY_REACHED, /* every task that counts is within its tolerance */
    KERNEL_BODY_STALLED, /* no step makes any level better */
    KERNEL_BODY_SPENT    /* its iterations are used up */
} kernel_body_end;

typedef struct kernel_body_query {
    const double *start;         /* tree.nq numbers within the bounds; may be q */
    const lb_transform *targets; /* of each task, in its base */
    const double *lower, *upper; /* tree.nq: bounds of each number, not of quaternions */
    /* of each ball, how far it may turn from the start; NULL: any, in all queries side by side */
    const double *reach;
    const double *desired; /* tree.nq: of the posture and of joint tasks */
    /* two for each task, in place of its `weights`, where these are not zero; NULL in all queries
       side by side or in none */
    const lb_vec3 *weights;
    /* results */
    double *q;
    kernel_body_end end;
    bool missed; /* some task that counts is farther off than its `missed` */
    int iterations;
    unsigned char *held; /* of each column: 1 at its lower bound, 2 at its upper one; or NULL */
} kernel_body_query;

/* ---- one instance for each width ---------------------------------------- */

typedef struct kernel_body_ops {
    int width;
    /* bytes of scratch, aligned to 64 */
    size_t (*scratch)(const kernel_body *body);
    /* up to `width` descents side by side */
    void (*solve)(const kernel_body *body, const kernel_body_control *control,
                  kernel_body_query *const *queries, int count, void *scratch);
    /* one step of up to `width` queries, column by column, from their starts: changes[i] has
       column_count numbers; nothing is moved */
    void (*plan)(const kernel_body *body, const kernel_body_control *control,
                 kernel_body_query *const *queries, int count, void *scratch,
                 double *const *changes);
} kernel_body_ops;

/* The widest instance of at most `width` (0: any) that the machine can run. */
const kernel_body_ops *kernel_choose_body(int width);
/* Of width 1 the one that is soonest done, in registers of at most `width` numbers (0: any). */
const kernel_body_ops *kernel_choose_body_single(int width);

#endif
