/*
 * closed.h - arms of six joints whose configurations follow in closed form from a pose.
 *
 * Two kinds, distinguished by three of their axes; either may be at the arm's other end:
 *
 *   KERNEL_CLOSED_WRIST     the last three axes meet in a point, and of the three joints
 *                           before them two are parallel or meet; or all three slide
 *   KERNEL_CLOSED_PARALLEL  axes 2, 3 and 4 are parallel, and axes 5 and 6 meet
 *
 * Both are solved by the same three steps, each with two roots: a single joint satisfies an
 * equation A cos q + B sin q = C; two joints carry a point to another (a planar pair, or axes
 * that meet); three carry two directions to two others (a wrist).
 *
 * Sources: Pieper 1968; Paden 1986, "Kinematics and control of robot manipulators", whose
 * subproblems these are.
 */
#ifndef LIMBER_KERNEL_CLOSED_H
#define LIMBER_KERNEL_CLOSED_H

#include <limber/math.h>
#include <stdbool.h>

enum { KERNEL_CLOSED_BRANCHES = 8, KERNEL_CLOSED_JOINTS = 6 };

/*
 * Directions closer to an axis than this, in radians, and points closer to it, as a share of
 * the arm's size, leave the turn about the axis open: any turn moves the pose by less than
 * the 1e-12 that solutions are good to.
 */
#define CLOSED_IN_LINE 1e-12

typedef enum kernel_closed_kind { KERNEL_CLOSED_WRIST, KERNEL_CLOSED_PARALLEL } kernel_closed_kind;

/* How the two joints that are solved together are placed. */
typedef enum kernel_pair {
    KERNEL_PAIR_PLANAR, /* parallel axes */
    KERNEL_PAIR_MEET,   /* axes that meet in a point */
    KERNEL_PAIR_LENGTHS /* all three joints slide: no pair, one linear system */
} kernel_pair;

/*
 * The single joint. It moves a point m to x = A(q)^-1 m, and then the pair carries the
 * anchor to x. Where it comes last of three the roles of target and tool are exchanged: all
 * three axes point the other way, m is the tool's point and the anchor the target's.
 */
typedef struct kernel_single {
    bool is_length, last;
    lb_vec3 axis, point;
    lb_vec3 normal;       /* the planar pair's axis, or where axes meet, seen from `point` */
    lb_vec3 cosine, sine; /* with d = m - point: A = cosine . d, B = sine . d */
    double along;         /* normal . axis */
    double least;         /* A and B below this are rounding errors: the point is on the axis */
    double share;         /* 1 over what A and B are at the arm's full length */
} kernel_single;

/* Two parallel axes b and c: exp_b exp_c anchor = x, in the plane x, y across them. */
typedef struct kernel_planar {
    lb_vec3 x, y;          /* x cross y is b's axis */
    lb_vec3 first, second; /* points on b and c */
    double link[2];        /* second - first, in that plane */
    double sign;           /* -1: c's axis points the other way */
    double share;          /* 1 / (length of the link * the arm's) */
} kernel_planar;

/*
 * Two axes b and c that meet. f is across both; h, f, b and e, f, c are right-handed frames:
 *     c = cosine b - sine h,   e = sine b + cosine h.
 */
typedef struct kernel_meet {
    lb_vec3 b, c, e, f, h;
    lb_vec3 point;
    double cosine, sine; /* of the angle between b and c, sine > 0 */
} kernel_meet;

/* Three axes that meet: R_b R_c R_d = M, of which M d and M u are known (u across d). */
typedef struct kernel_wrist {
    kernel_meet meet;
    double along, radius;     /* d along c, and across it */
    double near_end, far_end; /* 1 - cos and 1 + cos of the extreme angles between b and R_c d */
    double scale;             /* 1 / (sine * radius) */
    double cosine0, sine0;    /* where d is about c, from e to f */
    lb_vec3 u, v;             /* u and d cross u, in the frame e, f, c */
    lb_vec3 d_tip, u_tip;     /* d and u, in the tip's axes */
    lb_vec3 center_tip;       /* where the axes meet, in the tip's frame */
} kernel_wrist;

typedef struct kernel_closed {
    kernel_closed_kind kind;
    kernel_pair pair;
    bool reversed;                   /* all of this describes the arm from its tip to its base */
    int joint[KERNEL_CLOSED_JOINTS]; /* of single, pair b, c, then the wrist; or single, the
                                        first two that are parallel, the third, wrist c, d */
    kernel_single single;
    kernel_planar planar;
    kernel_meet meet;
    kernel_wrist wrist;
    lb_vec3 axes[3]; /* of joints 1 to 3, which turn what comes after them */
    bool lengths[3];
    lb_vec3 anchor;     /* the point that the axes of the wrist meet in */
    lb_vec3 offset;     /* three parallel: the third axis's point from there */
    double third;       /* three parallel: -1: the third points the other way */
    lb_vec3 inverse[3]; /* three lengths: rows of the inverse of their axes */
    double size;        /* metres: the arm's links laid end to end */
} kernel_closed;

/* Bits: joints that nothing determines where the configuration is. */
enum {
    KERNEL_FREE_SINGLE = 1, /* the point lies on the axis of the single joint */
    KERNEL_FREE_PAIR = 2,   /* it lies on the axis of the pair that is nearer to the base */
    KERNEL_FREE_WRIST = 4   /* the wrist's first and last axes are in line */
};

/* Discriminants above this count as zero: what rounding makes of a double root. They are shares
   of lengths that a dozen operations led to. */
#define CLOSED_DOUBLE_ROOT -1e-13
/* Discriminants above this may be what the tolerances make of a double root: bars in line that miss
   the target by less. Below its absolute value a configuration may be a solution by the tolerances
   although exact ones are far away. */
#define CLOSED_NEARLY_ROOT -1e-6
/* radians or metres beyond a limit that may be inside of it: beside a double root an angle is open
   to the root of what rounding makes of the pose */
#define CLOSED_BESIDE 1e-3
/* joints that must be zero may be off by what Newton's method can take back */
#define CLOSED_VANISHED 1e-6
/* Limits may be broken by this, in radians or metres: rounding of an angle's last turn. */
#define CLOSED_LIMIT_TOLERANCE 1e-9

/* What the model says of the arm's joints, in the arm's order. */
typedef struct kernel_ranges {
    double lower[KERNEL_CLOSED_JOINTS], upper[KERNEL_CLOSED_JOINTS]; /* infinite for none */
    double weight[KERNEL_CLOSED_JOINTS]; /* of a radian or metre in distances; 0: no such joint */
    bool is_length[KERNEL_CLOSED_JOINTS];
    bool vanishes[KERNEL_CLOSED_JOINTS]; /* no joint of the model: must be zero */
    double beside; /* the turn nearest to the start is taken, too, where it is this far outside */
} kernel_ranges;

/*
 * What one pose gives: a column for each branch. Branch i takes root (i & 1) of the single joint,
 * (i >> 1 & 1) of the pair and (i >> 2) of the wrist. A margin is the least discriminant of the
 * three, as a share of the arm's length or of a radian: below 0 there is no real solution, and q is
 * that of the discriminant zero. Angles are on the turns that are nearest to the start among those
 * that keep the limits or, where none does, that break them least.
 */
typedef struct kernel_solutions {
    double q[KERNEL_CLOSED_JOINTS][KERNEL_CLOSED_BRANCHES];
    double margin[KERNEL_CLOSED_BRANCHES];
    double
        closest[KERNEL_CLOSED_BRANCHES]; /* the least absolute value of the three discriminants */
    /* what the pair has to cover: the squared distance across parallel axes, or the cosine of the
       angle from b where axes meet; and the cosine of the angle that the wrist has to make */
    double reach[KERNEL_CLOSED_BRANCHES], cosine[KERNEL_CLOSED_BRANCHES];
    double freedom[KERNEL_CLOSED_BRANCHES]; /* KERNEL_FREE bits */
    double lacking[KERNEL_CLOSED_BRANCHES]; /* by how much joints that must be zero are not */
    double square[KERNEL_CLOSED_BRANCHES];  /* of the distance from the start */
    double beyond[KERNEL_CLOSED_BRANCHES];  /* the most that a joint is outside its limits, or 0 */
    double worst[KERNEL_CLOSED_BRANCHES];   /* that joint, -1: none */
} kernel_solutions;

/*
 * Configurations near a singular pose, KERNEL_CLOSED_BRANCHES of them: joints that the pose leaves
 * open, or nearly so, are held where `value` says, and those behind them come as near to the pose
 * as they can. Root r of configuration k is sign[r][k], +-1: of the single joint, the pair, the
 * wrist.
 */
typedef struct kernel_held {
    unsigned which; /* KERNEL_FREE bits */
    double value[3][KERNEL_CLOSED_BRANCHES];
    double sign[3][KERNEL_CLOSED_BRANCHES];
} kernel_held;

typedef struct kernel_members {
    double q[KERNEL_CLOSED_JOINTS][KERNEL_CLOSED_BRANCHES];
    double margin[3][KERNEL_CLOSED_BRANCHES]; /* of each root, 1 where it is held */
    double off[3][KERNEL_CLOSED_BRANCHES];    /* from where it is open: metres, metres, a sine */
    double miss[2][KERNEL_CLOSED_BRANCHES];   /* by what is held: metres, radians */
    double reach[KERNEL_CLOSED_BRANCHES];     /* squared distance that a planar pair has to cover */
    double cosine[KERNEL_CLOSED_BRANCHES];    /* of the angle that a wrist has to make */
    double lacking[KERNEL_CLOSED_BRANCHES], square[KERNEL_CLOSED_BRANCHES];
    double beyond[KERNEL_CLOSED_BRANCHES]; /* as in kernel_solutions */
} kernel_members;

/*
 * What an arm with a closed form is to do while a seventh joint before or behind it turns by h: its
 * wrist's center, last axis and a direction across that, each x[0] + x[1] cos h + x[2] sin h.
 */
typedef struct kernel_turning {
    lb_vec3 center[3], last[3], side[3];
} kernel_turning;

/* samples of one call: whole lanes of any width */
enum { KERNEL_SLICES = 64 };

/* Branches at values of that joint, a column each. */
typedef struct kernel_slices {
    double q[KERNEL_CLOSED_JOINTS][KERNEL_SLICES]; /* what nothing determines is zero */
    double margin[KERNEL_SLICES];                  /* as in kernel_solutions */
    double wrist[KERNEL_SLICES];                   /* that of the wrist */
} kernel_slices;

/* Poses of an arm with a closed form, and what is wanted: rows of the model's numbers. */
typedef struct kernel_closed_batch {
    const lb_transform *const *targets; /* T_base_tip */
    const double *const *starts;
    double *const *q; /* receive the numbers of the arm's joints */
    const int
        *columns; /* of each joint of the arm in these rows; -1: it is no joint of the model */
    bool nearest; /* to the start; else the first in the order of evaluation */
    /* of the nearest: poses of which a branch is one of a family, has a discriminant that is not
       greater than this, or is nearer and nearly a solution, are left out; -1: none are */
    double nearly_open;
    /* where some pose has no result these receive the branches of all poses, and *made is true;
       NULL: they are not wanted */
    kernel_solutions *const *sets;
    bool *made;
} kernel_closed_batch;

/* Branch `b` is a solution, on some turn. */
static inline bool kernel_closed_solves(const kernel_solutions *found, int b)
{
    return found->margin[b] >= CLOSED_DOUBLE_ROOT && found->lacking[b] <= CLOSED_VANISHED;
}

/* It may be one inside the limits, by the tolerances: that is to be confirmed. */
static inline bool kernel_closed_nearly(const kernel_solutions *found, int b)
{
    return found->margin[b] >= CLOSED_NEARLY_ROOT && found->lacking[b] <= CLOSED_VANISHED &&
           (found->worst[b] < 0 || found->beyond[b] <= CLOSED_BESIDE);
}

/* The value of joint i without what rounding leaves beyond its limits. */
static inline double kernel_inside(const kernel_ranges *ranges, int i, double q)
{
    double low = q < ranges->upper[i] ? q : ranges->upper[i];
    return low > ranges->lower[i] ? low : ranges->lower[i];
}

/* The order in which branches are evaluated: of several that are as good the first is chosen. */
static inline const int *kernel_closed_order(const kernel_closed *arm)
{
    static const int wrist[KERNEL_CLOSED_BRANCHES] = {0, 4, 2, 6, 1, 5, 3, 7};
    static const int other[KERNEL_CLOSED_BRANCHES] = {0, 2, 4, 6, 1, 3, 5, 7};
    return arm->kind == KERNEL_CLOSED_WRIST ? wrist : other;
}

#endif
