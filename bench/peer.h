/*
 * peer.h - the interface of a library to compare with.
 *
 * Each peer is a module of its own, peer_<name>.so, that `limber bench` loads when it
 * is there: the program needs none of them. Modules are compiled as their libraries'
 * users compile, with optimisation and for the machine's baseline.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A solver of a peer: a name, and whether it keeps the limits by itself. */
typedef struct peer_solver {
    const char *name;
    bool limits;
} peer_solver;

typedef struct peer {
    const char *name;    /* "KDL" */
    const char *version; /* "1.5.1" */

    /* Takes over a chain; NULL where it cannot. One thread uses the result. */
    void *(*create)(const chain *chain, double position_tolerance, double rotation_tolerance);
    void (*release)(void *self);

    /* T_root_tip at q; and that with the 6 x n Jacobian of the tip, row major, linear first. */
    void (*forward)(void *self, const double *q, lb_transform *tip);
    void (*jacobian)(void *self, const double *q, lb_transform *tip, double *jacobian);

    /* `solver_count` solvers; `solve` makes one try from a start and returns whether it reports
     * success. */
    const peer_solver *solvers;
    int solver_count;
    bool (*solve)(void *self, int solver, const lb_transform *target, const double *start,
                  double *q);
} peer;

/* The one symbol that a module exports. */
const peer *limber_peer(void);

#ifdef __cplusplus
}
#endif

#endif
