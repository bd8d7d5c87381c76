/*
 * chain.h - the path from a model's root to a tip as a serial chain of one-axis joints.
 *
 * What every library in a comparison gets: the same joints in the same places. Fixed
 * joints are folded into the placements, so they cost nothing.
 */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

#include <limber/task.h>

enum { CHAIN_MOST_JOINTS = 64 };

typedef struct chain_joint {
    bool slides;            /* prismatic; else revolute */
    lb_transform placement; /* T_parent_joint at rest; of the first: T_root_joint */
    lb_vec3 axis;           /* unit, in the joint's frame */
    double lower, upper;    /* +-INFINITY for none */
    int q;                  /* index of its value in the model's q */
} chain_joint;

typedef struct chain {
    int count;
    chain_joint joints[CHAIN_MOST_JOINTS];
    lb_transform tool; /* T_last_tip */
} chain;

/*
 * False where the path from the root to the tip is no such chain: ball or other complex
 * joints, followers, locked joints, none or too many; *reason says which.
 */
bool chain_find(const lb_model *model, int tip, chain *out, const char **reason);

/* The chain's own numbers from the model's, and back; the rest of the model's stay. */
void chain_gather(const chain *path, const double *model_q, double *q);
void chain_scatter(const chain *path, const double *q, double *model_q);

/* T_root_tip by 4x4 matrices and libm. */
lb_transform chain_forward(const chain *path, const double *q);

/* A model of this chain and nothing else: release with lb_model_release, NULL without memory. */
lb_model *chain_model(const chain *path);

/*
 * Turns revolute values by whole turns into their limits where that can be done; true
 * when all values are within.
 */
bool chain_unwind(const chain *path, double *q);

#endif
