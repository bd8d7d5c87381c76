/*
 * retarget.h - what retargeting is made of.
 *
 * A `figure` is a model at rest with its roles (align.c). A `plan` says for any time where each
 * pair of the map is to be: it samples the source, scales it and holds the feet (plan.c, feet.c).
 * A `solver` finds configurations of the target for that (solve.c), a `block` many of them side by
 * side (block.c), and a `grid` those that others are between (grid.c).
 */
#ifndef MOTION_RETARGET_RETARGET_H
#define MOTION_RETARGET_RETARGET_H

#include "base/error.h"
#include "base/memory.h"
#include "motion/ground.h"

#include <limber/body.h>
#include <limber/fk_batch.h>
#include <limber/retarget.h>

/* times that are this share of a grid's step apart are the same: roundings of added-up times */
#define RETARGET_SAME_TIME 1e-4

/* Whether a vector is not given. */
static inline bool retarget_is_zero(lb_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* ---- rig.c ---------------------------------------------------------------- */

/* Whether a link hangs from another one, however far down, or is it. */
bool retarget_is_below(const lb_model *model, int from, int link);
/* Whether a foot moves freely beside its leg, as in figures that are animated by their feet. */
bool retarget_is_loose(const lb_model *model, int shank, int foot);

/* ---- joint_center.c ------------------------------------------------------- */

/* Where the joints that turn a link against `from`, which is above it, meet; `links`: the links'
   transforms. */
lb_vec3 retarget_joint_center(const lb_model *model, const lb_transform *links, int from, int tip);

/* ---- align.c -------------------------------------------------------------- */

/* Fills in what `rotation`, points and axis are of every pair that is not aligned; and scales. */
lb_status retarget_align(const lb_model *source, const double *rest, const lb_model *target,
                         const lb_allocator *memory, lb_retarget_map *map, lb_error *error);

/* ---- palm.c --------------------------------------------------------------- */

/* half the thickness of a hand, in lengths of the upper arm */
#define RETARGET_HAND_RADIUS 0.1

/* Both figures at rest, by the pairs of a map. */
typedef struct retarget_rest {
    const lb_retarget_map *map;
    lb_state *states[2];
    const lb_transform *source, *target; /* links */
    double source_arm, target_arm;       /* lengths of an upper arm, the means of both sides */
} retarget_rest;

/* The source rests in a configuration, NULL: as its model does. Release it, whatever came of it. */
lb_status retarget_rest_create(const lb_model *source, const double *q, const lb_model *target,
                               const lb_retarget_map *map, const lb_allocator *memory,
                               retarget_rest *rest, lb_error *error);
void retarget_rest_release(retarget_rest *rest);

/* A palm in the links of its pair. */
typedef struct retarget_palm {
    int pair; /* -1: there is none */
    lb_vec3 source, target;
} retarget_palm;

/* The pair of a role, -1: none. */
int retarget_find_pair(const lb_retarget_map *map, lb_role role);
/* Where the points of a pair are in the world at rest. */
lb_vec3 retarget_source_place(const retarget_rest *rest, int pair);
lb_vec3 retarget_target_place(const retarget_rest *rest, int pair);
/* Fills in the lengths of arms; whether there are two. */
bool retarget_measure_arms(retarget_rest *rest);
/* The palm of a hand, on the hand's pair, else on that of the forearm. */
retarget_palm retarget_find_palm(const retarget_rest *rest, lb_role hand);
/* Makes palms points that may be held, of `fresh` pairs. */
void retarget_hold_palms(retarget_rest *rest, lb_retarget_map *map, const bool *fresh);

/* Whether what a pair holds is a palm, or anything else that rests at any height. */
static inline bool retarget_is_palm(const lb_retarget_pair *pair)
{
    return pair->held_count > 0 && pair->held[0].any_height;
}

/* ---- roles and places ------------------------------------------------------ */

static inline bool retarget_is_toe(lb_role role)
{
    return role == LB_ROLE_LEFT_TOE || role == LB_ROLE_RIGHT_TOE;
}

static inline lb_vec3 retarget_middle(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_scale(lb_vec3_add(a, b), 0.5);
}

/* A point of the world in the link that is at *at. */
static inline lb_vec3 retarget_in_link(const lb_transform *at, lb_vec3 p)
{
    lb_transform inverse = lb_transform_inverse(at);
    return lb_transform_point(&inverse, p);
}

/* ---- sole.c --------------------------------------------------------------- */

/* A foot that stands flat, in the world. */
typedef struct retarget_standing_foot {
    int link;
    lb_vec3 forward;    /* a horizontal direction */
    lb_vec3 ankle;      /* the leg's end */
    double leg;         /* its length, for figures that have nothing of the foot */
    const lb_vec3 *end; /* where the sole ends at the latest, before toes that move; may be NULL */
} retarget_standing_foot;

/*
 * Heel and toe of a foot, in its link: by the shapes of the link and of what is fixed to it, else
 * by a link named as a sole, else by what they look like (NULL: nothing). `at`: the links'
 * transforms at rest. Returns whether the sole's height is known, not assumed by the leg's length.
 */
bool retarget_find_sole(const lb_model *model, const lb_transform *at, const lb_looks *looks,
                        const retarget_standing_foot *foot, lb_vec3 *heel, lb_vec3 *toe);

/* ---- align.c -------------------------------------------------------------- */

/* lb_rig_soles_by_looks(). */
lb_status retarget_soles(const lb_model *model, const double *rest, const lb_looks *looks,
                         const lb_allocator *allocator, lb_contacts **contacts, bool *known,
                         lb_error *error);

/* ---- feet.c --------------------------------------------------------------- */

/* A time in which the same points of a pair are held. */
typedef struct foot_phase {
    double begin, end;
    unsigned held;                     /* a bit for each point */
    lb_quat flat;                      /* the link's axes where all points are held */
    lb_vec3 anchors[LB_RETARGET_HELD]; /* where the held points are */
} foot_phase;

/* Phases that follow each other without a gap, each with a point in common with the next. */
typedef struct foot_chain {
    int first, count;               /* phases */
    bool raised;                    /* a palm that does not rest on the ground */
    lb_vec3 enter, leave;           /* what the place is moved by at its begin and its end */
    lb_vec3 enter_rate, leave_rate; /* and how that changes there, per second */
} foot_chain;

/* One pair whose points are held: a foot, or a hand with its palm. */
typedef struct foot_plan {
    int pair;
    int points[LB_RETARGET_HELD]; /* of the source's contacts */
    double low; /* of palms: heights of the source's below which it rests on the ground */
    int phase_count, chain_count;
    foot_phase *phases;
    foot_chain *chains;
} foot_plan;

/* ---- touch.c -------------------------------------------------------------- */

/* A palm and a bone that it may touch; another palm is a bone without length. */
typedef struct retarget_touch {
    int hand, pair;                         /* pairs: of the palm, of the bone */
    lb_vec3 source_palm, target_palm;       /* in the palm's links */
    lb_vec3 source_bone[2], target_bone[2]; /* in the bone's links */
    double touching, far; /* metres from the source's bone: it weighs all, nothing */
    double first;         /* the share of the bone from which on it counts */
} retarget_touch;

enum { RETARGET_TOUCHES = 20, RETARGET_GOALS = LB_RETARGET_PAIRS + RETARGET_TOUCHES };

/* ---- toes.c --------------------------------------------------------------- */

/* A toe that follows its foot. */
typedef struct retarget_toe {
    int pair, foot; /* pairs of the map */
    lb_vec3 joint;  /* in the foot's target link: where the toe begins */
    lb_quat flat;   /* the toe's axes in the foot's while both lie flat */
    lb_vec3 tip;    /* in the toe's target link, on the sole */
} retarget_toe;

/* ---- plan.c --------------------------------------------------------------- */

/* Poses of the source that are looked up side by side. */
enum { RETARGET_AHEAD = 64 };
typedef struct retarget_source {
    lb_fk_batch *batch;
    double times[RETARGET_AHEAD];
    double *q;            /* rows of its nq */
    lb_transform *at;     /* rows of one for each pair: where its link is, */
    lb_quat *turns;       /* and that one's axes */
    int count, next, row; /* rows; the next one to be wanted; the one looked at, -1: the state */
} retarget_source;

typedef struct retarget_plan {
    lb_allocator memory;
    const lb_clip *source;
    const lb_model *target;
    lb_retarget_map *map; /* of this run: hands that are never held lose their points */
    const lb_retarget_options *options;
    double scale, root_scale;
    bool released;                     /* goals are those without held feet, for now */
    ground_plane source_ground;        /* its height is in base_source */
    double unseen_slope;               /* of it, as in the report */
    ground_plane ground;               /* of the target */
    lb_quat foot_tilt;                 /* from the source's ground to the target's */
    double base_source, base_target;   /* heights that correspond: of ankles that stand */
    double begin, step;                /* the grid of times that all analysis uses */
    int steps;                         /* the last time of the grid is begin + steps * step */
    lb_contacts *contacts;             /* of the source's points, on the grid */
    foot_plan feet[LB_RETARGET_PAIRS]; /* feet first, then hands that are held */
    int foot_count;
    int foot_of[LB_RETARGET_PAIRS]; /* -1: the pair's points are not held */
    retarget_touch touches[RETARGET_TOUCHES];
    int touch_count;
    retarget_toe toes[2];
    int toe_count;
    lb_state *state; /* of the source */
    retarget_source seen;
    double *q; /* of the source */
} retarget_plan;

/* Where a pair is to be at a time. */
typedef struct retarget_goal {
    lb_quat turn;                   /* the target link's axes */
    lb_vec3 place;                  /* where its target_point is to be */
    lb_vec3 held[LB_RETARGET_HELD]; /* where its held points are to be */
    double hold[LB_RETARGET_HELD];  /* 0: free, 1: held */
    double near[LB_RETARGET_HELD];  /* to the ground: 0 above it, 1 on it */
    bool pressed[LB_RETARGET_HELD]; /* what came to be below the ground: it is to be on it */
} retarget_goal;

lb_status retarget_plan_create(retarget_plan *plan, lb_error *error);
void retarget_plan_release(retarget_plan *plan);
/* The pairs of the map and the touches: each has a goal. */
int retarget_goal_count(const retarget_plan *plan);
/* The goals of all pairs of the map, then of all touches, at a time. */
void retarget_goals(retarget_plan *plan, double time, retarget_goal *goals);
/* The same of the first `count` pairs. */
void retarget_goals_of(retarget_plan *plan, double time, int count, retarget_goal *goals);
/* Whether a joint of the target moves a point that is held. */
bool retarget_carries_held(const retarget_plan *plan, int joint);

/* ---- given.c -------------------------------------------------------------- */

/* The spans of the user's contacts that are of points of `into`, which are of the source; *any:
   there are some. */
lb_status retarget_take_spans(retarget_plan *plan, lb_contacts *into, bool *any, lb_error *error);

/* ---- hands.c -------------------------------------------------------------- */

/* seconds: what is shorter is no contact of a hand */
#define RETARGET_SHORTEST_HAND 0.15

/* Adds the hands that are held to the feet; `feet_given`: the user's contacts are of feet. */
lb_status retarget_plan_hands(retarget_plan *plan, bool feet_given, lb_error *error);

/* ---- source.c ------------------------------------------------------------- */

lb_status retarget_source_create(retarget_plan *plan, lb_error *error);
void retarget_source_release(retarget_plan *plan);
/* Looks up at most RETARGET_AHEAD times that will be wanted in this order. */
void retarget_look_ahead(retarget_plan *plan, const double *times, int count);
/* The source at a time. */
void retarget_look(retarget_plan *plan, double time);
/* There: where the link of a pair is in the world, and its axes. */
const lb_transform *retarget_source_at(const retarget_plan *plan, int pair);
lb_quat retarget_source_turn(const retarget_plan *plan, int pair);

/* ---- touch.c -------------------------------------------------------------- */

/* Which palms and bones come near to each other, where hands are wanted. */
lb_status retarget_plan_touches(retarget_plan *plan, lb_error *error);
/* Where all palms are to be in the bones' target links (place), and how much that counts (hold[0]);
   the source's state is at the time. */
void retarget_touch_goals(const retarget_plan *plan, retarget_goal *goals);

/* ---- toes.c --------------------------------------------------------------- */

/* Which pairs are toes, where both a toe and its foot are in the map. */
lb_status retarget_plan_toes(retarget_plan *plan, lb_error *error);
/* Axes of the toes among the first `count` goals by those of their feet (turn), and how far they
   are held (hold[0]); the source's state is at the time. */
void retarget_toe_goals(const retarget_plan *plan, double time, int count, retarget_goal *goals);

/* ---- goal.c --------------------------------------------------------------- */

/* The time of a grid point. */
double retarget_grid_time(const retarget_plan *plan, int step);
/* One pair's goal without its feet held, at the time that was looked at last. */
retarget_goal retarget_free_goal(const retarget_plan *plan, int pair);
/* The same of the first `count` pairs. */
void retarget_free_goals(const retarget_plan *plan, int count, retarget_goal *goals);

/* ---- feet.c --------------------------------------------------------------- */

/* The axes of a foot on the ground that points as `turn` does: soles are along it. */
lb_quat retarget_lay_flat(const ground_plane *ground, const lb_retarget_pair *pair, lb_quat turn);
lb_status retarget_plan_foot(retarget_plan *plan, foot_plan *foot, lb_error *error);
/* How far a point is held: fully in its phases, less before and after them, for `blend` seconds. */
double retarget_hold_share(const foot_plan *foot, int held, double time, double blend);
/* What the holding of a foot makes of its free goal at a time. */
void retarget_hold(const retarget_plan *plan, const foot_plan *foot, double time,
                   retarget_goal *goal);

/* The last chain that begins after one time and not after another, NULL: none does. */
const foot_chain *retarget_chain_between(const foot_plan *foot, double from, double to);
/* The phase that says where a chain is, and the point of it that does. */
int retarget_chain_base(const retarget_plan *plan, const foot_plan *foot, const foot_chain *chain,
                        int *phase);
/* Puts that point to another place on the ground, and the flat foot into other axes, turned
   upright; returns how far the point was moved. */
double retarget_place_chain(retarget_plan *plan, foot_plan *foot, int chain, lb_vec3 place,
                            lb_quat turn);
/* Moves the place of a chain; returns until when that changes the foot's goals. */
double retarget_move_chain(foot_plan *foot, const foot_chain *chain, lb_vec3 by);

/* ---- solve.c -------------------------------------------------------------- */

/* a task that joins a leg and a foot that moves freely beside it, and one that keeps links apart;
   they have no goals. And one of a palm that touches, whose goal is not that of a pair */
enum { RETARGET_JOINED = -2, RETARGET_APART = -3, RETARGET_TOUCHED = -4 };

/* What a task of the solver takes from the goals. */
typedef struct retarget_task {
    lb_body_kind kind;
    int pair, held; /* held: the point, -1: the pair itself, or one of the above */
} retarget_task;

/* position, orientation, direction, and the held points and their heights; legs and their feet;
   what is kept apart; palms that touch */
enum { RETARGET_TASKS = (3 + 2 * LB_RETARGET_HELD) * LB_RETARGET_PAIRS + 3 + RETARGET_TOUCHES };

/*
 * One problem in four settings: to be searched for from afar, and from near by, to put held points
 * exactly where they are to be, and within speed limits.
 */
typedef enum retarget_stage {
    RETARGET_FAR,
    RETARGET_NEAR,
    RETARGET_EXACT,
    RETARGET_FOLLOW,
    RETARGET_STAGES
} retarget_stage;

typedef struct retarget_solver {
    retarget_plan *plan;
    int root;     /* the joint that carries everything */
    int loose[2]; /* feet that move freely beside their legs; 0: none */
    lb_body *bodies[RETARGET_STAGES];
    lb_state *state;
    retarget_task tasks[RETARGET_TASKS];
    int count;
    retarget_goal goals[RETARGET_GOALS];
    lb_transform ground;  /* axes with z along the normal of the target's ground */
    double *neutral;      /* nq, within the limits */
    double reach;         /* metres there from the root pair's point to held points, the mean */
    unsigned char *moved; /* nq: whether some pair depends on the value */
    bool beyond;          /* whether some target was beyond LB_LENGTH_MAX, or not finite */
    int iterations;
} retarget_solver;

/* `posture`: what a radian of it weighs. */
lb_status retarget_solver_create(retarget_plan *plan, double posture, retarget_solver *solver,
                                 lb_error *error);
void retarget_solver_release(retarget_solver *solver);
/* What a task wants at goals of all pairs: its target, and its weight in a stage. */
void retarget_task_target(const retarget_solver *solver, const retarget_goal *goals, int task,
                          lb_transform *target);
/* Whether a target is beyond LB_LENGTH_MAX, or not finite. */
static inline bool retarget_is_beyond(const lb_transform *target)
{
    return !(lb_vec3_dot(target->p, target->p) <= LB_LENGTH_MAX * LB_LENGTH_MAX);
}
double retarget_task_weight(const retarget_solver *solver, const retarget_goal *goals,
                            retarget_stage stage, int task);
/* Goals are those of a time. */
void retarget_aim(retarget_solver *solver, double time);
/* What the posture of a stage pulls to. */
void retarget_set_posture(retarget_solver *solver, retarget_stage stage, const double *q);
/* From a start to the goals; q may be `start`. */
void retarget_descend(retarget_solver *solver, retarget_stage stage, const double *start,
                      double *q);
/* What a configuration leaves of all tasks, by their weights. */
double retarget_cost(retarget_solver *solver, const double *q);
/* Moves the root so that the link of the first pair is at its goal. */
void retarget_place_root(retarget_solver *solver, const retarget_goal *goals, double *q);
/* The first one: from `start` (may be NULL) and fixed starts the best. */
lb_status retarget_solve_first(retarget_solver *solver, double time, const double *start, double *q,
                               lb_error *error);

/* ---- measure.c ------------------------------------------------------------ */

/* a point that is held by this share is held: times at which contacts begin and end are rounded */
#define RETARGET_NEARLY_HELD 0.9999

/* Metres that a held point is from where it is to be, and that any is below the ground, at most. */
typedef struct retarget_feet {
    double off, below;
} retarget_feet;
retarget_feet retarget_measure_feet(retarget_solver *solver, const retarget_goal *goals,
                                    const double *q);
/* The same where the links of all pairs with held points are known, in the order of the pairs. */
retarget_feet retarget_compare_feet(const retarget_solver *solver, const retarget_goal *goals,
                                    const lb_transform *at);
/* Whether all points that goals hold are where they are to be, and none is below the ground. */
bool retarget_is_exact(const retarget_feet *feet);
/* so often that is done in a frame */
enum { RETARGET_PRESSINGS = 3 };
/* Points that are below the ground, the links being as above, are to be on it; whether there are
   any that were not to be so before. */
bool retarget_press_feet(const retarget_solver *solver, retarget_goal *goals,
                         const lb_transform *at);
/* The same of the solver's goals, at a configuration. */
bool retarget_press_pose(retarget_solver *solver, const double *q);

/* ---- block.c -------------------------------------------------------------- */

/* Frames that are solved side by side; what comes of one does not depend on the others. */
typedef struct retarget_block {
    retarget_solver *solver;
    int count, capacity, waiting; /* rows; the first ones wait for others like them */
    retarget_goal *goals;         /* rows of one for each pair and touch */
    lb_transform *targets;        /* rows of one for each task of the solver */
    double *weights;              /* likewise */
    double *q;                    /* rows of nq */
    double **to;                  /* where each row goes in the end */
    int *iterations;
    lb_fk_batch *feet;     /* of the links that have held points */
    lb_transform *feet_at; /* rows of these, in the order of the pairs */
    int feet_count;
    retarget_feet worst; /* of all rows that retarget_block_hold has stored */
} retarget_block;

lb_status retarget_block_create(retarget_solver *solver, retarget_block *block, lb_error *error);
void retarget_block_release(retarget_block *block);
/* Adds a frame that is to be solved into `to`; returns its row, which the start goes to. */
double *retarget_block_add(retarget_block *block, double time, double *to);
/* The goals of a row. */
const retarget_goal *retarget_block_goals(const retarget_block *block, int row);
/* From where they are to the goals. */
void retarget_block_descend(retarget_block *block, retarget_stage stage);
/* Stores the rows and empties the block. */
void retarget_block_finish(retarget_block *block);
/*
 * Puts held points where they are to be, as exactly as that is possible, and stores the rows. Some
 * may wait in the block, which then has room for others, until a call that is the last.
 */
void retarget_block_hold(retarget_block *block, bool last);

/* ---- grid.c --------------------------------------------------------------- */

typedef struct retarget_grid {
    retarget_solver *solver;
    retarget_block *block;
    int steps; /* the last row */
    int parts; /* that are followed from their first steps */
    size_t nq, nv;
    double *q;              /* rows of nq */
    double *arrivals;       /* rows of nq: where each part leads to */
    double *changes;        /* rows of nv: from each row to the next */
    double *guess, *change; /* nq, nv */
    unsigned char *drawn;   /* of each row: whether held feet draw its root away */
    lb_fk_batch *root;      /* of the first pair's link of the target */
} retarget_grid;

lb_status retarget_grid_create(retarget_solver *solver, retarget_block *block, retarget_grid *grid,
                               lb_error *error);
void retarget_grid_release(retarget_grid *grid);
/* All rows, in order from the first one. */
lb_status retarget_grid_solve(retarget_grid *grid, lb_error *error);
/* A fraction of the interval between two rows, along a smooth curve through all rows. */
void retarget_grid_between(retarget_grid *grid, int step, double share, double *q);

/* Where two configurations lead that follow each other a step apart. */
void retarget_grid_extrapolate(retarget_grid *grid, const double *before, const double *now,
                               double *q);
/* The most that a value differs between two configurations; the change is left in grid->change. */
double retarget_grid_distance(const retarget_grid *grid, const double *a, const double *b);
/* Changes from each row to the next, with quaternions of the same sign: of rows first to last. */
void retarget_grid_measure(retarget_grid *grid, int first, int last);
/* The step that a part begins with, or the last one. */
int retarget_grid_part(const retarget_grid *grid, int part);

/* ---- shortest.c ----------------------------------------------------------- */

/* Layers of nodes, one of each to be passed. */
typedef struct retarget_layers {
    int count, width;
    const double *nodes; /* count x width: the cost of each, INFINITY: there is none */
    /* from a node of a layer to one of the next; both are there */
    double (*edge)(void *user, int layer, int from, int to);
    void *user;
    double *sums; /* count x width, for the search */
    int *from;    /* likewise */
} retarget_layers;

/* The cheapest path: the node of each layer; returns its cost. */
double retarget_shortest_path(const retarget_layers *layers, int *path);

/* ---- jump.c --------------------------------------------------------------- */

/* Whether a joint jumps from a step to the next as none of the source does; `room`: nq + nv numbers
   of the source. */
bool retarget_is_jump(const retarget_grid *grid, int step, double *room);
/* Marks all values (nq) of the limbs whose joints jump. */
void retarget_find_limbs(const retarget_grid *grid, int step, unsigned char *limbs);

/* ---- spread.c ------------------------------------------------------------- */

/* Spreads jumps over the frames around them: count keys at `times`. */
lb_status retarget_spread_jumps(retarget_grid *grid, const double *times, double *keys, int count,
                                lb_error *error);

/* ---- branches.c ----------------------------------------------------------- */

/* Where a limb changes over to another solution between two rows: the smoothest path through
   several candidates around it. */
lb_status retarget_smooth_branches(retarget_grid *grid, lb_error *error);

/* ---- reach.c -------------------------------------------------------------- */

/* Shortens contacts at whose begin or end the root is drawn away from its goal. */
lb_status retarget_shorten_contacts(retarget_grid *grid, lb_retarget_report *report,
                                    lb_error *error);
/* Plants feet elsewhere where they draw the root away from its goal; whether there were any. */
bool retarget_move_feet(retarget_grid *grid, lb_retarget_report *report);

/* Puts a chain of a foot to where it comes to be by itself; returns how far it was moved. */
double retarget_free_chain(retarget_grid *grid, int foot, int chain);

/* ---- reach_hands.c -------------------------------------------------------- */

/* Moves palms that do not reach their places; whether there were any. */
bool retarget_move_hands(retarget_grid *grid, lb_retarget_report *report);
/* Releases palms while they are not at their places; *any: there were some. */
lb_status retarget_release_hands(retarget_grid *grid, lb_retarget_report *report, bool *any,
                                 lb_error *error);

/* ---- retarget.c ----------------------------------------------------------- */

/* The map of some options, checked and aligned. */
lb_status retarget_take_map(const lb_retarget_options *options, const lb_model *source,
                            const lb_model *target, const lb_allocator *memory,
                            lb_retarget_map *map, lb_error *error);

/* ---- speed.c -------------------------------------------------------------- */

/* Brings keys (count rows of nq at `times`) within the speed limits, in place; adds to the report.
 */
lb_status retarget_limit_speeds(retarget_plan *plan, const double *times, double *keys, int count,
                                lb_retarget_report *report, lb_error *error);

#endif
