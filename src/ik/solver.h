/*
 * solver.h - what an lb_ik holds.
 *
 * "Local" numbers are the reduced problem's (reduce.h); `q` of a model and of the
 * reduction are never mixed: the one is called q, the other local.
 */
#ifndef IK_SOLVER_H
#define IK_SOLVER_H

#include "ik/closed/finder.h"
#include "ik/iteration.h"
#include "ik/search/seeds.h"
#include "ik/verifier.h"

enum {
    IK_MAX_TRIES = 272, /* of one solve: sixteen levels, see search.c */
    IK_WINDOW = 8,      /* tries whose solutions compete when the nearest is asked for */
    /* a batch begins and answers so many problems at once; others are under way meanwhile */
    IK_BLOCK = 8,
    IK_SEARCHES = KERNEL_MAX_WIDTH + 2 * IK_BLOCK
};

/* by how much rounding may put a value beyond its limit: balls are clamped through quaternions */
#define IK_LIMIT_TOLERANCE 1e-9

/* A solution on its way to be the answer. */
typedef struct ik_candidate {
    int attempt;     /* the index of its try */
    double distance; /* from the start, radians and lengths */
    double *local;
    bool unwound; /* its turns are those nearest to the start; done once, as rounding may differ */
} ik_candidate;

/* One problem being solved: what is asked, which tries were made, what they found. */
typedef struct ik_search {
    /* the question; `given` is the caller's, the others are copies */
    const lb_transform *given;
    lb_transform *targets; /* as the problem sees them */
    double *start;         /* local: inside the limits */
    double *model_start;   /* the same, whole model */
    double beyond;         /* metres that a target is proved to lie out of reach */
    bool proved;           /* no configuration reaches the target, in closed form */

    /* the tries */
    int tries;            /* allowed */
    int budget_shortfall; /* iterations that the last of these lacks of its budget */
    int level_tries;      /* of which a level has */
    int next;             /* the index of the next one */
    int finished;         /* how many have ended */
    int local;            /* single steps made from the start after all tries have failed */
    int end;              /* tries from this index on no longer matter; INT_MAX: none succeeded */
    int freed;            /* times that a try without others was stuck, and went on from `again` */
    double *again;        /* local */
    ik_seed_choice choice;
    int looked;    /* how many of the table's starts were taken */
    bool together; /* the tries from now on are made side by side, and want their starts at once */
    int order[SEED_CLASSES];
    double *starts;               /* local: rows for the table's starts */
    int iterations[IK_MAX_TRIES]; /* of each try */

    /* what they found */
    unsigned found; /* bits: of the candidates, those that are solutions */
    ik_candidate candidates[IK_WINDOW];
    const double *closest, *level_closest; /* local: the best that did not arrive; the level's:
                                              the start while no error was finite, then these */
    double *best, *level_best;
    double least, level_least; /* their errors */
    double last_least;         /* of the level before */
    int level_attempt;         /* the index of the try that level_closest is from */
    int agreeing;              /* levels that ended at the same error */
    bool moving;               /* the last try ended while it still won */
} ik_search;

struct lb_ik {
    lb_allocator allocator;
    const lb_model *model;
    lb_ik_options options;
    const lb_method *method;
    lb_task *tasks;
    int task_count;
    ik_reduction reduction;
    ik_verifier judge;
    ik_seeds seeds;
    bool exact;           /* the arm has a closed form: search/exact.c */
    closed_finder finder; /* then */
    kernel_control control;
    const kernel_ops *ops, *single; /* the kernel at the width asked for, and at width 1 */

    /* working memory */
    ik_search searches[IK_SEARCHES];  /* a single problem uses the first */
    ik_iteration iteration;           /* for methods that the kernel does not do */
    double *neutral;                  /* whole model */
    double *trial;                    /* whole model: what the judge sees */
    double *lane_starts;              /* local: a random start for each lane */
    void *scratch, *verifier_scratch; /* of the kernel, on a cache line */
    void *memory;                     /* one block for all of it */
};

/*
 * The driver (search.c, answer.c). Begin answers false when the question means nothing, or for
 * up to ops->width searches a bit for each that means something; then
 * `next` hands out tries, for a lane of the kernel, until it answers false;
 * `finish` hears of each and answers from which index on tries no longer matter;
 * `end` writes the answer, and q may be the start.
 */
unsigned ik_search_begin_some(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                              const lb_transform *const *targets, const double *const *starts,
                              int count);
bool ik_search_begin(lb_ik *ik, ik_search *search, const lb_transform *targets,
                     const double *start);
bool ik_search_next(lb_ik *ik, ik_search *search, int lane, kernel_job *job);
int ik_search_finish(lb_ik *ik, ik_search *search, int attempt, const kernel_result *answer);
lb_outcome ik_search_end(lb_ik *ik, ik_search *search, double *q, lb_ik_result *result);

/* whether no number of a local configuration is beyond LB_LENGTH_MAX or no number */
bool ik_search_in_range(const lb_ik *ik, const double *local);

/*
 * `end` in two parts, so that many answers can be judged at once: `answer` writes the
 * solutions that are to be judged, of up to ops->width searches, and stops at the first that
 * has none: it answers how many have one. `confirm` hears the errors of one that keeps the limits
 * and fills the result. What one of them refuses goes to `end`.
 */
int ik_search_propose(lb_ik *ik, ik_search *const *searches, double *const *q, int count);
bool ik_search_confirm(lb_ik *ik, ik_search *search, double position, double rotation,
                       lb_ik_result *result);

/* nothing reaches the target: a search that has begun makes few tries, for the closest there is */
void ik_search_expect_none(const lb_ik *ik, ik_search *search);

/* what the tries of up to ops->width searches that have begun will need first */
void ik_search_look(lb_ik *ik, ik_search *const *searches, int count);

/* of a level's last try, and of a try that is alone: this many times the first try's budget */
enum { IK_LONG_BUDGET = 8 };
/* where the closest configuration is wanted a descent has stalled below this share */
#define IK_MIN_DECREASE_LAST 1e-6

/* the level's closest becomes the closest of all if it is */
void ik_search_end_level(const lb_ik *ik, ik_search *search);

/* turns angles by whole turns to where they are nearest to the start */
void ik_search_unwind(const lb_ik *ik, const ik_search *search, double *local);

/* the index of the try that begins at the user's start: the first, but where any solution
   will do those of the table come before */
int ik_search_own_try(const lb_ik *ik);

/* one problem from begin to end: query.c */
lb_outcome ik_search_run(lb_ik *ik, const lb_transform *targets, const double *start, double *q,
                         lb_ik_result *result);

/* runs jobs by the kernel's descent, or by the method's own steps */
void ik_descend(lb_ik *ik, const kernel_ops *ops, const kernel_feed *feed);

/* the result of a question that means nothing: q becomes the start */
lb_outcome ik_refuse(const lb_ik *ik, const double *start, double *q, lb_ik_result *result);

/* one iteration from the first search's start: progress.c */
lb_progress ik_progress(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result);

#endif
