/*
 * search.h - one problem being solved: its tries, and what they found.
 *
 * "Local" numbers are those of the reduced problem (reduce.h), `q` those of the model. A search
 * goes through search.c (which try is next, what a try has found), starts.c (which configuration it
 * starts from) and result.c (which solution is returned); query.c and batch.c run the tries.
 */
#ifndef IK_SEARCH_SEARCH_H
#define IK_SEARCH_SEARCH_H

#include "base/memory.h"
#include "ik/plane.h"
#include "ik/search/seed_table.h"
#include "kernel/ops.h"

#include <limber/ik.h>

enum {
    IK_MAX_TRIES = 272,  /* of one solve: sixteen levels, see schedule.c */
    IK_WINDOW = 8,       /* tries whose solutions compete when the nearest is wanted, */
    IK_LONG_WINDOW = 24, /* and with one that is given */
    IK_GIVEN = -1        /* the index of a solution that no try has found, before all tries */
};

/* A solution that has not been verified. */
typedef struct ik_candidate {
    int attempt;     /* the index of its try, or IK_GIVEN */
    double distance; /* from the start, radians and lengths, squared */
    bool unwound;    /* its turns are those nearest to the start; done once: rounding may differ */
    double *local;
} ik_candidate;

/* What is asked; constant once a search has begun. */
typedef struct ik_search_problem {
    const lb_transform *model_targets; /* the caller's; the others are copies */
    lb_transform *targets;             /* as the kernel's problem sees them */
    double *start;                     /* local: inside the limits */
    double *model_start;               /* the same, whole model */
    double beyond_reach;               /* metres by which links are proved to be too short */
} ik_search_problem;

/* The tries: their plan, and how far it is carried out. */
typedef struct ik_search_tries {
    int allowed;
    int budget_shortfall; /* iterations by which the last of these exceeds the budget */
    int level_size;       /* tries of a level */
    int next;             /* the index of the next one */
    int finished;         /* how many have ended */
    int end;              /* tries from this index on no longer matter; INT_MAX: none succeeded */
    int iterations[IK_MAX_TRIES]; /* of each try */
    int extra_iterations;         /* of a descent from the start after all tries have failed */
    int escapes;          /* times that a single try was stuck and went on from `escape_start` */
    double *escape_start; /* local */

    /* starts from the table of seeds: starts.c finds them */
    ik_seed_choice choice;
    int starts_taken;
    bool parallel; /* the tries from now on run side by side and need their starts at once */
    int start_order[SEED_CLASSES];
    double *starts; /* local: one row each */
} ik_search_tries;

/* What the tries found. */
typedef struct ik_search_found {
    unsigned solutions;                          /* bits: the candidates that are solutions */
    ik_candidate candidates[IK_LONG_WINDOW + 1]; /* the last is the one that was given */
    bool refused; /* solutions were found, and the verifier confirmed none of them */
    /* what proves that no configuration inside the limits reaches the target: LB_REASON_REACH, or
       LB_REASON_LIMITS where some outside do; LB_REASON_NONE: nothing does */
    lb_reason proof;
    const double *closest, *level_closest; /* local: the smallest errors so far, of all tries and
                                              of the level; the start before any is finite */
    double *closest_q, *level_closest_q;   /* what these point to otherwise */
    double least_error, level_least_error;
    double last_level_error;
    int level_attempt;     /* the index of the try that level_closest is from */
    int agreeing_levels;   /* consecutive levels that ended at the same error */
    bool still_decreasing; /* the last try used up its budget */
} ik_search_found;

typedef struct ik_search {
    ik_search_problem problem;
    ik_search_tries tries;
    ik_search_found found;
} ik_search;

/* Takes the memory of a search from the arena. `starts`: rows for starts from a table. */
void ik_search_lay_out(ik_search *search, memory_arena *arena, const kernel_problem *problem,
                       int model_nq, int starts);

/*
 * Begins up to ops->width searches; returns a bit for each that is valid: targets rigid, numbers
 * finite. Targets must stay valid until the end. That is enough for a closed form; what a search
 * needs beyond it is made by the second function, of valid ones.
 */
unsigned ik_search_accept_some(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                               const lb_transform *const *targets, const double *const *starts,
                               int count);
void ik_search_ready_some(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches, int count);
/* both for one search; false: it is not valid */
bool ik_search_begin(lb_ik *ik, ik_search *search, const lb_transform *targets,
                     const double *start);

/*
 * By how much the axes and lengths of the arm keep a task's tool from its target; `rounding` of the
 * target's place, in the problem's unit. Places frames elsewhere.
 */
ik_plane_miss ik_search_miss(const lb_ik *ik, const ik_search_problem *problem, int task,
                             double rounding);

/* Forgets the tries of a search that has begun, so that they are made again. */
void ik_search_restart(const lb_ik *ik, ik_search *search);

/* Adds a configuration of the model that solves the problem; up to IK_LONG_WINDOW tries compete
   with it, none if it is surely the nearest. */
void ik_search_give(lb_ik *ik, ik_search *search, const double *q);

/* The next try, for a lane of the kernel; false when there is none at present. */
bool ik_search_next(lb_ik *ik, ik_search *search, int lane, kernel_job *job);
/* Receives the result of a try; returns from which index on tries no longer matter. */
int ik_search_finish(lb_ik *ik, ik_search *search, int attempt, const kernel_result *result);

/* Prepares a search that has begun for a target that nothing reaches: few tries, for the closest.
 */
void ik_search_expect_none(const lb_ik *ik, ik_search *search, lb_reason proof);

/* Whether all numbers of a local configuration are within +-LB_LENGTH_MAX; false for NaN. */
bool ik_search_in_range(const lb_ik *ik, const double *local);

/* Runs jobs by the kernel's descent, or by the method's own steps. */
void ik_search_descend(lb_ik *ik, const kernel_ops *ops, const kernel_feed *feed);

/* Completes the level that a budget cut short: its closest may be the closest of all. */
void ik_search_end_level(const lb_ik *ik, ik_search *search);

/* The budget of a level's last try, and of a single try, in first tries' budgets. */
enum { IK_LONG_BUDGET = 8 };
/* Where the closest configuration is wanted, a descent has stalled below this share. */
#define IK_MIN_DECREASE_LAST 1e-6

/* ---- distance ----------------------------------------------------------- */

/* How far configurations are from the user's start, and the turns nearest to it. */

/* Radians: a descent that moves no joint by as much is taken for the nearest, which of arms whose
   arcs are known it is but for one in a thousand. */
#define IK_NEAR_START 0.2

/*
 * The squared distance from the user's start, radians and lengths by the weights of their joints;
 * *farthest: the largest of one variable, without a weight.
 */
double ik_distance(const lb_ik *ik, const ik_search_problem *problem, const double *local,
                   double *farthest);

/* Changes periodic values by whole turns to be nearest to the user's start. */
void ik_distance_unwind(const lb_ik *ik, const ik_search_problem *problem, double *local);

/* ---- result ---------------------------------------------------------------- */

/* The result of a search: a verified solution, or the closest configuration found. */

/*
 * Ends up to ops->width searches whose tries are made: writes the model's q and the result of each.
 * q may be the start. Returns how many were reached.
 */
int ik_result_write(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches, double *const *q,
                    lb_ik_result *const *results, int count);

/* The result of a problem that is not valid: q becomes the start. */
lb_outcome ik_result_refuse(const lb_ik *ik, const double *start, double *q, lb_ik_result *result);

#endif
