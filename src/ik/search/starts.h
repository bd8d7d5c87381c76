/*
 * starts.h - which configuration a try starts from, decided by its index alone.
 */
#ifndef IK_SEARCH_STARTS_H
#define IK_SEARCH_STARTS_H

#include "ik/search/search.h"

typedef enum ik_start_kind {
    IK_START_OWN,     /* the user's start */
    IK_START_ESCAPE,  /* the user's start, after a descent from there was stuck */
    IK_START_TABLE,   /* a seed of the table */
    IK_START_CLOSEST, /* the closest configuration of the level */
    IK_START_RANDOM,
} ik_start_kind;

/* Builds the solver's table of seeds; false when there is no memory. */
bool ik_starts_create(lb_ik *ik);

/* How many starts of a search come from the table: rows that its memory must have. */
int ik_starts_rows(const lb_ik *ik);

/* What a try starts from. */
ik_start_kind ik_starts_kind(const lb_ik *ik, const ik_search *search, int attempt);

/*
 * The start of a try, of the kind that ik_starts_kind returns; valid until the same lane's next.
 * Tries from the table come in order.
 */
const double *ik_starts_of(const lb_ik *ik, ik_search *search, int attempt, ik_start_kind kind,
                           int lane);

/*
 * Where a descent of a single try was stuck, its next start is an escape from there; false: there
 * is none.
 */
bool ik_starts_escape(lb_ik *ik, ik_search *search, const double *local);

/* Looks up the first starts of up to ops->width searches that have begun. */
void ik_starts_look_up(lb_ik *ik, ik_search *const *searches, int count);

/* ---- schedule ----------------------------------------------------------- */

/* How many tries a search has, in which levels, and how many iterations each may take. */

/* Plans the tries of a search as far as its budget of iterations allows, the last perhaps in part.
 */
void ik_schedule_plan(const lb_ik *ik, ik_search *search);

/* The level of a try. Most are of the first, which costs no division. */
static inline int ik_schedule_level(const ik_search *search, int attempt)
{
    return attempt < search->tries.level_size ? 0 : attempt / search->tries.level_size;
}

/* Whether a try is the last of its level. */
static inline bool ik_schedule_ends_level(const ik_search *search, int attempt)
{
    int end = (ik_schedule_level(search, attempt) + 1) * search->tries.level_size;
    return search->tries.level_size > 1 && attempt + 1 == end;
}

/*
 * Whether a try goes on from the user's start for as long as the error falls, as a single descent
 * would: where the nearest is wanted, so that the result is never farther than where that ends, and
 * of chains too long for a table of seeds. Not with a budget, which one descent could use up, nor
 * where nothing reaches the target.
 */
bool ik_schedule_exhausts(const lb_ik *ik, const ik_search *search, int attempt);

/* The iterations that a try may take; the last of all has what is left of the whole budget. */
int ik_schedule_budget(const lb_ik *ik, const ik_search *search, int attempt);

#endif
