/*
 * motion.h - movement through time: paths for a tool, and following them.
 *
 * A path gives the tool's target at every time, and a follower solves each frame from the one
 * before. Joints that move by keys are a clip: see clip.h.
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
 * Creating allocates; evaluating and following never do. Paths are immutable and may be shared
 * between threads; a follower belongs to one.
 *
 * Experimental: may change in 0.2.
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
 * The parts of a path; fields left out may be zero.
 *
 * Between two points the position moves at constant speed and the axes turn by the smaller
 * rotation: at constant speed (slerp) on polylines and arcs, smoothly through the points on
 * splines. A spline's curvature has no jumps; its parameter is the sum of the square roots of the
 * distances (Lee 1989).
 */
typedef struct lb_path_source {
    lb_path_kind kind;          /* How the points are connected. */
    const lb_transform *points; /* Points that the path passes through, in order. */
    int count;   /* How many points. Polyline: >= 1; arc: 3; spline: >= 2, none twice in a row. */
    bool closed; /* Whether the path goes on from the last point to the first: a loop, a circle. */
    /* Metres that one radian of rotation counts as, 0 to 1e15, so that a segment with a short
       path but much rotation takes its share of the time. 0: rotation takes no time, unless the
       path only rotates. */
    double turn;
} lb_path_source;

typedef struct lb_path lb_path;

/*
 * Makes a path; the points are copied. Refused, naming the point: too few points for the kind; axes
 * that are not orthonormal; numbers that are not finite; three points of an arc on one line, unless
 * the second lies between the others (then the path is that line). Release with lb_path_release.
 */
lb_status lb_path_create(const lb_path_source *source, const lb_allocator *allocator,
                         lb_path **path, lb_error *error);
/* NULL is accepted. */
void lb_path_release(lb_path *path);

/* Arc length in metres, of splines within a relative 1e-6. */
double lb_path_length(const lb_path *path);
/* Where the path is after `share` of its time, 0: the beginning, 1: the end. Clamped to [0, 1]. */
lb_transform lb_path_at(const lb_path *path, double share);
/* The share at which the path passes point `point`, 0 <= point < count. */
double lb_path_share(const lb_path *path, int point);

/* ---- following a path --------------------------------------------------- */

/* Reaction of a follower if no continuous motion leads on: name, text. */
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
    /* Task whose target runs along the path. The path is seen from the task's base. */
    lb_task task;
    const lb_path *path; /* The path. It must outlive the follower. */
    /* How many frames, 1 to 1,000,000. The first is the path's beginning, the last its end. One
       call may look at all of them (see lb_follower_next) and then takes as long as so many
       solves. */
    int frames;
    /*
     * 0 (the default): each frame is solved. n, up to 1,000,000: each frame gets n steps of the
     * method (lb_ik_step), whether it arrives or not; n = 1 is the integration of V = J v in Parent
     * 2012, one Euler step a frame. With steps, any_start, jump, on_jump, rate and deviation are
     * not read.
     */
    int steps;
    /*
     * False (the default): the first frame is the solution nearest to the q that it is given. True:
     * it is the solution that can be followed farthest without a jump, of equals the nearest to
     * that q; the whole path is looked at for that. If a redundant arm is planned, it is the
     * solution that needs the fewest jumps. It has an effect only if all solutions are known, see
     * lb_follower_next.
     */
    bool any_start;
    /* The most that a joint may move in a frame, radians or metres. 0: any (the default). */
    double jump;
    lb_on_jump on_jump; /* Reaction to a jump. Default: report. */
    /*
     * Frames a second; no joint then moves faster than its speed limit. 0: speeds are not limited
     * (the default). The path keeps its time. If a joint is too slow, the tool leaves the path: all
     * joints go straight to a solution that they reach in time, chosen so that the tool is off the
     * path by as little as possible, and the errors of the frames in between say by how much. So an
     * arm crosses a wrist singularity, or changes to another branch at the end of its own. If an
     * arm has joints to spare, they first make up for the slow one, as an elbow does that moves
     * along its circle, if that reaches the goal from the frame before; else all joints go towards
     * the frame's configuration as far as they come. The plan of a redundant arm
     * (lb_follower_next) looks for a motion that no joint is too slow for; if it jumps, the arm
     * comes back to it as soon as it can. Others do not slow down in advance.
     */
    double rate;
    /* With a rate: being off the path by more than this is a jump, metres, where a radian counts
       options.length. Default: 0.01; crossing a singularity takes less at usual speeds. */
    double deviation;
    /* Options of the solver. With gains each frame moves towards the desired values as far as
       the gains say, along the null space of its solution; a start that solves the first frame
       stays as it is. */
    lb_ik_options options;
} lb_follow;

/* The most frames, and the most steps a frame. */
#define LB_FOLLOW_FRAMES_MAX 1000000
#define LB_FOLLOW_STEPS_MAX 1000000

/* Solves each frame, with lb_ik_options_default(). */
lb_follow lb_follow_default(lb_task task, const lb_path *path, int frames);

/* Ends of a continuous motion along a path: name, text. */
#define LB_BRANCH_END_LIST(X)                                                                      \
    X(LB_END_NONE, "none")            /* nothing: the motion goes on */                            \
    X(LB_END_LIMIT, "limit")          /* a joint would leave its limits */                         \
    X(LB_END_SINGULAR, "singularity") /* two branches meet, and there is none beyond */            \
    X(LB_END_STEP, "step")            /* a joint would move by more than lb_follow.jump */         \
    X(LB_END_SPEED, "speed")          /* a joint is too slow, see lb_follow.rate */                \
    X(LB_END_REACH, "reach")          /* no configuration was found farther on, and no singular    \
                                         one is near */

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
    int index;         /* Index of the frame, 0 to frames - 1. */
    lb_transform goal; /* T_base_target of this frame. */
    /* Errors of this frame. With steps, its iterations are the steps that were taken. */
    lb_ik_result result;
    /*
     * Condition number of the task's Jacobian at q, the greatest stretch by the least. Rotation
     * rows count options.length metres a radian (0: the solver's length). Directions in which the
     * arm can move nowhere (out of its plane, for example) do not count. Of a linkage that closes
     * independent joints alone count. Infinite: a singular configuration.
     */
    double condition;
    double step; /* The most that a joint moved since the frame before, radians or metres. */
    /* Whether q jumped here: no continuous motion leads along the path from the frame before, or
       the step is larger than lb_follow.jump; with lb_follow.rate, whether q begins to move off
       the path by more than lb_follow.deviation. */
    bool jumped;
    /* End of the branch of the frame before. If a branch ends and no other solution is
       inside the limits, `ended` is set at that frame, which is not reached, and `jumped` at the
       frame from which the motion goes on. */
    lb_branch_end ended;
    int joint; /* The joint that ended it by a limit, a step or a speed. -1: none. */
    /* With lb_follow.rate: the joint whose speed keeps the tool from the goal. -1: none does. A
       frame with such a joint is not reached (stalled, at limits). */
    int limited;
} lb_frame;

typedef struct lb_follower lb_follower;

/* Creates a follower. Refuses the input that lb_ik_create refuses. The model must outlive it. */
lb_status lb_follower_create(const lb_model *model, const lb_follow *how,
                             const lb_allocator *allocator, lb_follower **follower,
                             lb_error *error);
/* NULL is accepted. */
void lb_follower_release(lb_follower *follower);
/* Starts again: the next frame is the first. */
void lb_follower_rewind(lb_follower *follower);
/*
 * Moves q (nq numbers, in place) to the next frame from its present value; the first q is the
 * start. Returns false, with nothing changed, after the last frame. `frame` may be NULL. A frame
 * that does not arrive leaves the nearest configuration found, and the next frame starts there.
 *
 * Motion is continuous. If all solutions are known (solutions.h; with the method "lm", the protocol
 * "nearest" and no gains), the follower looks ahead:
 * - An arm without a joint to spare stays on the branch of the frame before, until a limit or a
 * singularity ends it. Ends are found between frames, so few frames follow the same branch as many.
 * From an exactly singular frame, as with a straight wrist, a branch may go on after joints have
 * turned while the tool stays in place; that is no jump, although the step is large.
 * Only at an end does q jump: to the solution that can be followed farthest, which takes a look
 * along the rest of the path.
 * - A redundant arm is rehearsed at the first frame: lb_ik_solve solves each frame from the one
 * before. If that jumps or leaves the path, the motion of the spare joint is planned over the whole
 * path with the fewest jumps that a search finds. If the frames are better then, the plan is
 * followed until the caller changes q. The search knows the arcs of elbow.h at each frame, at no
 * fewer than 193 and no more than 2049 places, what connects them in between, and joint speeds. It
 * takes about 0.3 milliseconds a place. Arms that have no such arcs are planned by solutions at 48
 * values of a joint, at 49 places. Each frame's motion along the plan is confirmed at 15 poses in
 * between, to 0.1 mm; if it is not continuous, the frame says that it jumps.
 * For other arms and methods lb_ik_solve solves a frame from the one before. If that moves a joint
 * by more than 0.1 radians or metres, smaller steps are tried before it is called a jump.
 */
bool lb_follower_next(lb_follower *follower, double q[/* nq, in place */], lb_frame *frame);
/*
 * The number of jumps of the plan that is followed since the first frame: no motion with fewer was
 * found, from the first frame's q or, with any_start, from any. That there is none is proved for 0
 * alone. -1: there is no such plan. Frames may jump more often, see lb_frame.jumped.
 */
int lb_follower_planned_jumps(const lb_follower *follower);

#ifdef __cplusplus
}
#endif

#endif
