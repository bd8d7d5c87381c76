/*
 * questions.h - the problems of inverse kinematics: targets and starts.
 *
 * Targets are made by the oracle at random configurations within the limits.
 */
#ifndef BENCH_QUESTIONS_H
#define BENCH_QUESTIONS_H

#include <limber/task.h>

/* Where the search begins, or where the target is. */
typedef enum question_kind {
    QUESTION_RANDOM, /* a random start in limits */
    QUESTION_NEAR,   /* every joint up to 0.02 rad (or m) from where it leads to the target */
    QUESTION_WARM,   /* the same, 0.1 */
    QUESTION_BEYOND, /* out of reach: the target 2 to 4 times as far as it could be */
    QUESTION_TURNED, /* the place of one random pose, the rotation of another: some cannot be had */
    QUESTION_KINDS
} question_kind;

typedef struct questions {
    int count, nq;
    lb_transform *targets;
    double *starts; /* rows of nq */
} questions;

/* Release with questions_release in either case; false without memory. */
bool questions_make(questions *all, const lb_model *model, const lb_task *task, question_kind kind,
                    int count, uint64_t seed);
void questions_release(questions *all);

static inline const double *questions_start(const questions *all, int i)
{
    return all->starts + (size_t)i * (size_t)all->nq;
}

#endif
