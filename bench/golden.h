/*
 * golden.h - fingerprints of results, which no compiler, machine or width may change.
 *
 * For each robot a thousand problems are solved under two protocols, and all bits of
 * what comes out go into one hash: configurations, outcomes, counts, errors, and the
 * link transforms and the Jacobian at the result; and then those of a batch, in double
 * and in float. The expected hashes are
 * in golden_table.h. A change of the solver that is meant to change results renews them:
 *
 *     build/bench/golden > golden_table.h && mv golden_table.h bench/
 *     build/bench/golden bodies > golden_body_table.h && mv golden_body_table.h bench/
 *
 * and the commit says why. A change that is meant to be a mere speed-up must not.
 */
#ifndef BENCH_GOLDEN_H
#define BENCH_GOLDEN_H

#include <limber/ik.h>

/* One robot, its task, and the hash of a thousand results. */
typedef struct golden_robot {
    const char *model; /* the embedded model's name */
    const char *base;  /* link names; "" is the world */
    const char *tip;
    lb_task_kind kind;
    uint64_t hash;
} golden_robot;

/* The table, ended by a robot whose model is NULL; and the robot of an embedded model's name. */
extern const golden_robot golden_robots[];
const golden_robot *golden_find(const char *model);

/* The task of a robot, for its model. */
lb_task golden_task(const golden_robot *robot, const lb_model *model);

/*
 * The hash of a robot's results at a width (0: the machine's own). Returns false when
 * there is no memory.
 */
bool golden_hash(const golden_robot *robot, const lb_model *model, int width, uint64_t *hash);

/* A model with a floating root, its tasks (golden_body.c), and the hash of its results. */
typedef struct golden_body {
    const char *model; /* the embedded model's name */
    uint64_t hash;
} golden_body;

/* The table of golden_body_table.h, ended as golden_robots is; and the row of a name, or NULL. */
extern const golden_body golden_bodies[];
const golden_body *golden_find_body(const char *model);

/* The hash of its whole bodies' results, as golden_hash. */
bool golden_body_hash(const golden_body *row, const lb_model *model, int width, uint64_t *hash);

/* FNV-1a over the bits of numbers; start with golden_start(). */
uint64_t golden_start(void);
void golden_add(uint64_t *hash, const double *numbers, size_t count);

#endif
