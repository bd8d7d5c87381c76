/*
 * plan.h - where each pair of a map is to be at any time: the source, scaled, with its feet and
 * hands held where they rest (feet.c, hands.c), palms where they touch (hands.c), toes flat or bent
 * (toes.c).
 */
#ifndef MOTION_RETARGET_PLAN_H
#define MOTION_RETARGET_PLAN_H

#include "motion/ground.h"
#include "motion/retarget/figure.h"

#include <limber/fk_batch.h>

/* times that are this share of a grid's step apart are the same: roundings of added-up times */
#define RETARGET_SAME_TIME 1e-4

/* ---- feet.c --------------------------------------------------------------- */

/* A time in which the same points of a pair are held. */
typedef struct foot_phase {
    double begin, end;
    unsigned held;                     /* a bit for each point */
    int chain;                         /* that it is of */
    lb_quat flat;                      /* the link's axes where all points are held */
    lb_vec3 anchors[LB_RETARGET_HELD]; /* where the held points are */
} foot_phase;

/* Phases that follow each other without a gap, each with a point in common with the next. */
typedef struct foot_chain {
    int first, count;               /* phases */
    bool raised;                    /* a palm that does not rest on the ground */
    bool moved;                     /* its place is another one than the source's contact says */
    lb_vec3 enter, leave;           /* what the place is moved by at its begin and its end */
    lb_vec3 enter_rate, leave_rate; /* and how that changes there, per second */
} foot_chain;

/* One pair whose points are held: a foot, or a hand with its palm. */
typedef struct foot_plan {
    int pair;
    int points[LB_RETARGET_HELD]; /* of the source's contacts */
    double low;         /* of palms: heights of the source's below which it rests on the ground */
    retarget_sole sole; /* of the target's foot; of palms nothing */
    int phase_count, chain_count;
    foot_phase *phases;
    foot_chain *chains;
} foot_plan;

static inline double chain_begin(const foot_plan *foot, const foot_chain *chain)
{
    return foot->phases[chain->first].begin;
}
static inline double chain_end(const foot_plan *foot, const foot_chain *chain)
{
    return foot->phases[chain->first + chain->count - 1].end;
}

/* ---- hands.c -------------------------------------------------------------- */

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

/* A pair of which nothing but the direction counts, as the source's link has it. */
typedef struct retarget_limb {
    bool is_limb;
    lb_vec3 axis; /* in the source's link, of unit length */
} retarget_limb;

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
    lb_allocator memory; /* a pool's, of all that a run is made of */
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
    retarget_limb limbs[LB_RETARGET_PAIRS];
    lb_state *state; /* of the source */
    retarget_source seen;
    double *q; /* of the source */
} retarget_plan;

/* Where a pair is to be at a time; of one that is a limb only its direction. */
typedef struct retarget_goal {
    lb_quat turn;                    /* the target link's axes */
    lb_vec3 place;                   /* where its target_point is to be */
    lb_vec3 direction;               /* of a limb, where its axis is to point; of unit length */
    lb_vec3 held[LB_RETARGET_HELD];  /* where its held points are to be */
    double hold[LB_RETARGET_HELD];   /* 0: free, 1: held */
    double near[LB_RETARGET_HELD];   /* to the ground: 0 above it, 1 on it */
    bool pressed[LB_RETARGET_HELD];  /* what came to be below the ground: it is to be on it, */
    double raised[LB_RETARGET_HELD]; /* or so high that all of the sole beside it is not below */
} retarget_goal;

lb_status retarget_plan_create(retarget_plan *plan, lb_error *error);
/* A rate near the wanted one at which every key of a clip, or every so many, is on the grid. */
double retarget_fit_rate(const lb_clip *source, double wanted);
/* The pairs of the map and the touches: each has a goal. */
int retarget_goal_count(const retarget_plan *plan);
/* The goals of all pairs of the map, then of all touches, at a time. */
void retarget_goals(retarget_plan *plan, double time, retarget_goal *goals);
/* The same of the first `count` pairs. */
void retarget_goals_of(retarget_plan *plan, double time, int count, retarget_goal *goals);
/* What follows for the first `count` goals from where their links are to be and how far they are
   held: held points, none of them below the ground, and toes. */
void retarget_complete_goals(const retarget_plan *plan, int count, retarget_goal *goals);
/* The sole of a pair's target link, NULL: it is no foot. */
const retarget_sole *retarget_sole_of(const retarget_plan *plan, int pair);
/* Whether a joint of the target moves a point that is held. */
bool retarget_carries_held(const retarget_plan *plan, int joint);

/* ---- goal.c: the source --------------------------------------------------- */

lb_status retarget_source_create(retarget_plan *plan, lb_error *error);
/* Looks up at most RETARGET_AHEAD times that will be wanted in this order. */
void retarget_look_ahead(retarget_plan *plan, const double *times, int count);
/* The source at a time. */
void retarget_look(retarget_plan *plan, double time);
/* There: where the link of a pair is in the world, and its axes. */
const lb_transform *retarget_source_at(const retarget_plan *plan, int pair);
lb_quat retarget_source_turn(const retarget_plan *plan, int pair);

/* The spans of the user's contacts that are of points of `into`, which are of the source; *any:
   there are some. */
lb_status retarget_take_spans(retarget_plan *plan, lb_contacts *into, bool *any, lb_error *error);

/* ---- hands.c -------------------------------------------------------------- */

/* seconds: what is shorter is no contact of a hand */
#define RETARGET_SHORTEST_HAND 0.15

/* Adds the hands that are held to the feet; `feet_given`: the user's contacts are of feet. */
lb_status retarget_plan_hands(retarget_plan *plan, bool feet_given, lb_error *error);

/* ---- feet.c --------------------------------------------------------------- */

/* The axes of a foot with heel and toe, a share of its roll about its long axis taken back. */
lb_quat retarget_roll_back(const ground_plane *ground, const lb_retarget_pair *pair, double share,
                           lb_quat turn);
/* The axes of a foot on the ground that points as `turn` does: soles are along it. */
lb_quat retarget_lay_flat(const ground_plane *ground, const lb_retarget_pair *pair, lb_quat turn);
lb_status retarget_plan_foot(retarget_plan *plan, foot_plan *foot, lb_error *error);
/* How far a point is held: fully in its phases, less before and after them, for `blend` seconds. */
double retarget_hold_share(const foot_plan *foot, int held, double time, double blend);
/* What the holding of a foot makes of its free goal at a time. */
void retarget_hold(const retarget_plan *plan, const foot_plan *foot, double time,
                   retarget_goal *goal);

/* The phase at a time if it begins after another one, -1: none does. */
int retarget_phase_between(const foot_plan *foot, double from, double to);
/* The phase that says where a chain is, and the point of it that does. */
int retarget_chain_base(const retarget_plan *plan, const foot_plan *foot, const foot_chain *chain,
                        int *phase);
/* Puts that point to another place on the ground, and the flat foot into other axes, turned
   upright; returns how far the point was moved. */
double retarget_place_chain(retarget_plan *plan, foot_plan *foot, int chain, lb_vec3 place,
                            lb_quat turn);
/* A foot whose link is where it is when a phase begins rests there in that phase, turned as it is,
   and in those that follow; returns until when that changes the foot's goals. */
double retarget_land_foot(retarget_plan *plan, foot_plan *foot, int phase,
                          const lb_transform *link);

/* Which palms and bones come near to each other, where hands are wanted. */
lb_status retarget_plan_touches(retarget_plan *plan, lb_error *error);
/* Where all palms are to be in the bones' target links (place), and how much that counts (hold[0]);
   the source's state is at the time. */
void retarget_touch_goals(const retarget_plan *plan, retarget_goal *goals);

/* ---- toes.c --------------------------------------------------------------- */

/* The soles of feet; which pairs are toes, where both a toe and its foot are in the map. */
lb_status retarget_plan_soles(retarget_plan *plan, lb_error *error);
/* How far the toes among the first `count` goals lie flat (hold[0]): as the balls of their feet are
   held. */
void retarget_hold_toes(const retarget_plan *plan, double time, int count, retarget_goal *goals);
/* Axes of these toes by those of their feet (turn); the source's state is at the time. */
void retarget_toe_goals(const retarget_plan *plan, int count, retarget_goal *goals);

/* ---- goal.c --------------------------------------------------------------- */

/* The time of a grid point. */
double retarget_grid_time(const retarget_plan *plan, int step);
/* retarget_look_ahead of grid points, from `first` to `last` at most. */
void retarget_look_ahead_steps(retarget_plan *plan, int first, int last);
/* One pair's goal without its feet held, at the time that was looked at last. */
retarget_goal retarget_free_goal(const retarget_plan *plan, int pair);
/* The same of the first `count` pairs. */
void retarget_free_goals(const retarget_plan *plan, int count, retarget_goal *goals);
/* The most that a joint may change from a step to the next without jumping, by how fast those of
   the source are then, as angles or as numbers; `room`: nq + nv numbers of the source. */
double retarget_calm_change(const retarget_plan *plan, int step, bool numbers, double *room);

#endif
