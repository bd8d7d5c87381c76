/*
 * batch.h - many problems at once, one per lane of the vector registers.
 *
 * The arrays describe all problems; a call solves a range of them, so any job system can split the
 * work. Each thread has an lb_ik of its own, made from one model, one list of tasks and one set of
 * options. Results have the same bits for any split, number of threads and width, and are those of
 * lb_ik_solve for each problem.
 *
 * Stable.
 */
#ifndef LIMBER_BATCH_H
#define LIMBER_BATCH_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Row i of each array belongs to problem i. Strides count elements between rows, so rows can be
 * parts of larger ones.
 */
typedef struct lb_batch {
    const lb_transform *targets; /* Rows of one T_base_target for each task. */
    size_t target_stride;        /* Transforms from row to row. 0: rows follow each other. */
    const double *starts;        /* Rows of nq numbers. Absent: the neutral configuration. */
    size_t start_stride;         /* Numbers from row to row. 0: rows follow each other. */
    double *q;                   /* Rows of nq numbers: the results; may be `starts`. */
    size_t q_stride;             /* Numbers from row to row. 0: rows follow each other. */
    lb_ik_result *results;       /* One for each problem. Absent: not wanted. */
} lb_batch;

/* Solves problems begin <= i < end and returns how many were reached. Never allocates. */
size_t lb_batch_solve(lb_ik *ik, const lb_batch *batch, size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
