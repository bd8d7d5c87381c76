/*
 * suggest.h - the nearest of many names, for messages about unknown ones.
 *
 *     suggest nearest = suggest_start("panda_hnd");
 *     for (...)
 *         suggest_consider(&nearest, name_of(i));
 *     lb_error_set(error, LB_NOT_FOUND, 0, "no link '%s'%s", "panda_hnd",
 *                  suggest_phrase(&nearest));       -> "; did you mean 'panda_hand'?"
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

enum { SUGGEST_PHRASE_SIZE = 160 };

typedef struct suggest {
    const char *name; /* the name looked up */
    const char *best; /* the nearest candidate so far, NULL when none is near enough */
    int distance;     /* its distance from name */
    int alike;        /* letters that both begin with */
    char phrase[SUGGEST_PHRASE_SIZE];
} suggest;

/* `name` and the candidates must outlive the suggest. */
suggest suggest_start(const char *name);

/*
 * Considers one candidate: near means a few typing errors (a wrong, missing, doubled
 * or swapped letter; capitals count for nothing), next best a longer name that
 * contains the name. Of equals the one that begins like the name, then the first, is kept.
 */
void suggest_consider(suggest *nearest, const char *candidate);

/* "; did you mean 'x'?", or "" when no candidate is near. Owned by the suggest. */
const char *suggest_phrase(suggest *nearest);

/*
 * Which of `count` names it is; or -1, and nearest->phrase is "; did you mean 'x'?" or,
 * where none is near, all of them: "; there are x, y and z".
 */
int suggest_choice(suggest *nearest, const char *name, const char *const *names, int count);

#endif
