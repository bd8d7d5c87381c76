/*
 * motion.h - movement through time: paths for a tool, and following them.
 *
 * A linkage is animated by its tool or by its joints. A path gives the tool's target
 * at every time, and a follower solves each frame from the one before. Joints move
 * along a clip: see clip.h.
 *
 *     lb_path *path;
 *     lb_path_create(&(lb_path_source){.kind = LB_PATH_SPLINE, .points = points,
 *                                      .count = 5}, NULL, &path, &error);
 *     lb_follow how = lb_follow_default(task, path, 60);
 *     lb_follower *follower;
 *     lb_follower_create(model, &how, NULL, &follower, &error);
 *     while (lb_follower_next(follower, q, &frame))
 *         draw(q);
 *
 * Creating allocates; evaluating and following never do. Paths are
 * immutable and may be shared between threads; a follower belongs to one.
 */
#ifndef LIMBER_MOTION_H
#define LIMBER_MOTION_H

#include <limber/clip.h>
#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- paths -------------------------------------------------------------- */

/* How a path connects its points: name, text. */
#define LB_PATH_KIND_LIST(X)                                                                       \
    X(LB_PATH_POLYLINE, "polyline") /* straight from point to point; two points: a line */         \
    X(LB_PATH_ARC, "arc")           /* the circle through three points */                          \
    X(LB_PATH_SPLINE, "spline")     /* the smooth cubic curve through all points */

typedef enum lb_path_kind {
#define LB_PATH_KIND_ENUM(name, text) name,
    LB_PATH_KIND_LIST(LB_PATH_KIND_ENUM)
#undef LB_PATH_KIND_ENUM
        LB_PATH_KIND_COUNT
} lb_path_kind;

/* The text of a kind, never NULL. */
const char *lb_path_kind_text(lb_path_kind kind);

/*
 * What a path is made from; fields left out may be zero.
 *
 * Between two points the position moves at constant speed and the axes turn by the
 * smaller rotation: at constant speed (slerp) on polylines and arcs, smoothly through
 * the points on splines. A spline's curvature has no jumps; its parameter are the
 * square roots of the distances (Lee 1989).
 */
typedef struct lb_path_source {
    lb_path_kind kind;
    const lb_transform *points; /* what it passes through, in order; copied */
    int count;                  /* polyline: >= 1; arc: 3; spline: >= 2, none twice in a row */
    bool closed;                /* goes on from the last point to the first: a loop, a circle */
    /*
     * Metres that one radian of rotation counts as, 0 to LB_LENGTH_MAX, so that a segment
     * with a short path but much rotation takes its share of the time. 0: rotation takes
     * no time, unless the path only rotates.
     */
    double turn;
} lb_path_source;

typedef struct lb_path lb_path;

/*
 * Makes a path. Refused, naming the point: too few points for the kind, axes that
 * are not orthonormal or numbers that are not finite, three points of an arc on
 * one line unless the second lies between the others (then it is that line).
 * Release with lb_path_release.
 */
lb_status lb_path_create(const lb_path_source *source, const lb_allocator *allocator,
                         lb_path **path, lb_error *error);
/* NULL is accepted. */
void lb_path_release(lb_path *path);

/* Arc length in metres; of splines to a relative 1e-6. */
double lb_path_length(const lb_path *path);
/* Where the path is after `share` of its time, 0: the beginning, 1: the end; held in between. */
lb_transform lb_path_at(const lb_path *path, double share);
/* The share at which it passes its i-th point, 0 <= i < count. */
double lb_path_share(const lb_path *path, int point);

/* ---- following a path --------------------------------------------------- */

/* What a follower does where no continuous motion leads on: name, text. */
#define LB_ON_JUMP_LIST(X)                                                                         \
    X(LB_JUMP_REPORT, "report") /* the frame says so, and the motion goes on */                    \
    X(LB_JUMP_STOP, "stop")     /* the frame says so, and is the last one */

typedef enum lb_on_jump {
#define LB_ON_JUMP_ENUM(name, text) name,
    LB_ON_JUMP_LIST(LB_ON_JUMP_ENUM)
#undef LB_ON_JUMP_ENUM
        LB_ON_JUMP_COUNT
} lb_on_jump;

/* The text of a choice, never NULL. */
const char *lb_on_jump_text(lb_on_jump choice);

/* How a path is followed. Start from lb_follow_default(). */
typedef struct lb_follow {
    lb_task task;        /* whose target runs along the path, which is seen from the task's base */
    const lb_path *path; /* must outlive the follower */
    /* 1 to LB_FOLLOW_FRAMES_MAX; the first is the path's beginning, the last its end. One call may
       look at all of them, see lb_follower_next: it takes as long as so many solves then */
    int frames;
    /*
     * 0: each frame is solved. n, up to LB_FOLLOW_STEPS_MAX: it gets n steps of the method
     * (lb_ik_step), whether it arrives or not; with 1, following is the integration
     * of V = J v in Parent 2012, one Euler step per frame. The next five are then not read.
     */
    int steps;
    /*
     * False: the first frame is the solution nearest to the q it is given. True: of all
     * solutions of the first frame it is the one that can be followed farthest without a jump;
     * of equals the nearest to that q. The whole path is looked at for that. Has an effect only
     * where all solutions are known, see lb_follower_next.
     */
    bool any_start;
    double jump;        /* the most that a joint may move in a frame, radians or metres; 0: any */
    lb_on_jump on_jump; /* report */
    /*
     * Frames a second, by which no joint moves faster than its lb_joint.velocity; 0: speeds are
     * not limited. The path keeps its time: where a joint is too slow for it the tool leaves it,
     * all joints go straight to a solution that they reach in time, chosen so that the tool is
     * off the path by as little as possible, and the errors of the frames between say by how
     * much. So an arm crosses a wrist singularity, or goes to another branch where its own ends.
     * Of an arm with joints to spare the others first make up for the slow one, as an elbow that
     * moves along its circle, as far as that reaches the goal from the frame before; else its
     * joints go as far towards the frame's configuration as they come. It does not slow down
     * before, nor does a plan of a redundant arm (lb_follower_next) know speeds.
     */
    double rate;
    /*
     * With a rate: off the path by more than this is a jump (`on_jump`), metres, a radian counting
     * options.length; 0.01: crossing a singularity takes less at usual speeds.
     */
    double deviation;
    /*
     * With gains each frame moves towards the desired values as far as the gains say, along
     * the null space where it is solved; a start that solves the first frame stays as it is.
     */
    lb_ik_options options;
} lb_follow;

#define LB_FOLLOW_FRAMES_MAX 1000000
#define LB_FOLLOW_STEPS_MAX 1000000

/* Solves each frame, with lb_ik_options_default(). */
lb_follow lb_follow_default(lb_task task, const lb_path *path, int frames);

/* What ends a continuous motion along a path: name, text. */
#define LB_BRANCH_END_LIST(X)                                                                      \
    X(LB_END_NONE, "none")            /* nothing: the motion goes on */                            \
    X(LB_END_LIMIT, "limit")          /* a joint would leave its limits */                         \
    X(LB_END_SINGULAR, "singularity") /* two branches meet, and there is none beyond */            \
    X(LB_END_STEP, "step")            /* a joint would move by more than lb_follow.jump */         \
    X(LB_END_SPEED, "speed")          /* a joint is too slow, see lb_follow.rate */

typedef enum lb_branch_end {
#define LB_BRANCH_END_ENUM(name, text) name,
    LB_BRANCH_END_LIST(LB_BRANCH_END_ENUM)
#undef LB_BRANCH_END_ENUM
        LB_BRANCH_END_COUNT
} lb_branch_end;

/* The text of an end, never NULL. */
const char *lb_branch_end_text(lb_branch_end end);

/* The result of one frame. */
typedef struct lb_frame {
    int index;         /* 0 .. frames - 1 */
    lb_transform goal; /* T_base_target of this frame */
    /* errors; with steps, `iterations` counts those that were taken */
    lb_ik_result result;
    /*
     * Condition number of the task's Jacobian at q, the greatest stretch by the
     * least; rotation rows count options.length metres a radian (0: what the solver
     * takes). Directions that the arm cannot move in anywhere (out of its plane, say)
     * do not count; INFINITY in a singular configuration.
     */
    double condition;
    double step; /* the most that a joint moved since the frame before, radians or metres */
    /*
     * Whether q jumped here: no continuous motion leads along the path from the frame before, or
     * its step is larger than lb_follow.jump; with lb_follow.rate: whether it begins to move off
     * the path by more than lb_follow.deviation. `ended` is what ended the branch of the frame
     * before, and `joint` the joint that did (of a limit, a step and a speed, else -1). Where a
     * branch ends and no other solution is inside the limits, `ended` says so at that frame, which
     * is not reached, and `jumped` at the frame that the motion goes on from.
     */
    bool jumped;
    lb_branch_end ended;
    int joint;
    /*
     * With lb_follow.rate: the joint whose speed keeps the tool from the goal, -1: none does. Such
     * a frame is not reached (LB_STALLED, LB_REASON_LIMITS).
     */
    int limited;
} lb_frame;

typedef struct lb_follower lb_follower;

/* Refuses what lb_ik_create refuses. The model must outlive the follower. */
lb_status lb_follower_create(const lb_model *model, const lb_follow *how,
                             const lb_allocator *allocator, lb_follower **follower,
                             lb_error *error);
/* NULL is accepted. */
void lb_follower_release(lb_follower *follower);
/* The next frame is the first again. */
void lb_follower_rewind(lb_follower *follower);
/*
 * Moves q (nq numbers, in place) to the next frame: from where it is, the start
 * at first. False, with nothing changed, after the last frame. `frame`
 * may be NULL. A frame that does not arrive leaves the nearest configuration found, and
 * the next frame starts there.
 *
 * Motion is continuous. Where all solutions are known (solutions.h; with the method "lm", the
 * protocol "nearest" and no gains) it is looked at ahead of time:
 * - An arm with no joint to spare is on the branch of the frame before, to where that ends by a
 * limit or a singularity; whether it goes on is decided between frames, so that few frames follow
 * the same branch as many. Only where it ends q jumps: to the solution that can be followed
 * farthest, which takes a look along the rest of the path.
 * - A redundant arm is rehearsed at the first frame: each frame is solved by lb_ik_solve from the
 * one before. Where that jumps, the motion of the spare joint is planned over the whole path, by
 *   sampled solutions, and followed until q is changed by someone else; that takes about
 *   20 milliseconds, longer where an arm has no closed form.
 * Of other arms and methods a frame is solved by lb_ik_solve from the one before. Where that moves
 * a joint by more than 0.1 radians or metres, smaller steps are tried before it is called a jump.
 */
bool lb_follower_next(lb_follower *follower, double q[/* nq, in place */], lb_frame *frame);

#ifdef __cplusplus
}
#endif

#endif
