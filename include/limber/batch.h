/*
 * batch.h - many problems at once, one per lane of the vector registers.
 *
 * The arrays describe all problems; a call solves a range of them. So any job system
 * can split the work: each thread has an lb_ik of its own, made from the same model,
 * tasks and options, and the results are the same bits for any split, number of
 * threads and width, and the same as those of lb_ik_solve for each problem.
 */
#ifndef LIMBER_BATCH_H
#define LIMBER_BATCH_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Row i of each array belongs to problem i. Strides count elements between rows, so
 * that rows can be parts of larger ones; 0 means contiguous rows.
 */
typedef struct lb_batch {
    const lb_transform *targets; /* rows of one T_base_target for each task */
    size_t target_stride;
    const double *starts; /* rows of nq numbers; NULL: the neutral configuration */
    size_t start_stride;
    double *q; /* rows of nq numbers: the results; may be `starts` */
    size_t q_stride;
    lb_ik_result *results; /* one for each problem, or NULL */
} lb_batch;

/* Solves problems begin <= i < end; returns how many were reached. Never allocates. */
size_t lb_batch_solve(lb_ik *ik, const lb_batch *batch, size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
