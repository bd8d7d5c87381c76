/* probe.h - random configurations of an arm, and the box that its tool stays in. */
#ifndef WORKSPACE_PROBE_H
#define WORKSPACE_PROBE_H

#include <limber/ik.h>
#include <limber/loops.h>
#include <limber/task.h>

/* Draws configurations and computes the tool's pose, in axes that suit its motion. */
typedef struct probe {
    const lb_model *model;
    lb_task task;
    lb_state *state;
    lb_assembly *assembly; /* of a model with loops, else NULL */
    lb_random random;
    bool planar;        /* the tool moves in the plane z = 0 of `frame` and rotates about z only */
    lb_transform frame; /* T_base_frame; its axes are the base's where they can be */
    lb_vec3 lower, upper; /* the box of all positions found, in `frame` */
    double *q;            /* nq: the configuration being tried */
    double *drawn;        /* nq: of a linkage before its loops are closed, else q */
    double *rest;         /* nq: neutral */
    double *step;         /* nv */
    double *range;        /* nv: a sensible range of each move; 0: it does not move */
    bool *fixed;          /* nq: keeps its value, as it is locked or not between base and tip */
    /* where the tool was when the box was found, in `frame`, and of a linkage in which
       configurations, nq each */
    lb_vec3 *places;
    double *kept;
    int place_count;
} probe;

/*
 * Finds what moves the tool, whether it stays in a plane, and how far it gets, with memory of a
 * pool. Refuses a tool that nothing moves.
 */
lb_status probe_start(probe *p, const lb_model *model, const lb_task *task, uint64_t seed,
                      const lb_allocator *pool, lb_error *error);

/*
 * p->q becomes a configuration uniform in the limits; of a linkage the assembly that closes from
 * there. Where none does within the limits, p->q stays.
 */
void probe_draw(probe *p);
/* Likewise `from` moved at random, by small and large steps, within the limits. */
void probe_move(probe *p, const double *from);
/* The tool's pose at p->q, in `frame`. */
lb_transform probe_tool(probe *p);
/* The tool's pose at rest, in `frame`; q becomes that. */
lb_transform probe_rest(probe *p);

/* ---- decide ---------------------------------------------------------------- */

/* How far a tool gets at all. */

/* A ball that the tool never leaves, seen from the task's base, metres. */
typedef struct decide_bound {
    lb_vec3 center; /* the first joint that moves the tool */
    double radius;  /* the links laid end to end */
} decide_bound;

/* LB_UNSUPPORTED where there is none: a joint slides without limits or floats. */
lb_status decide_find_bound(const lb_model *model, const lb_task *task,
                            const lb_allocator *allocator, decide_bound *bound, lb_error *error);

/*
 * A point that the last joint leaves where it is, and how far it ever is from the first: nearer
 * than the tool, and where it is the tool's orientation decides, too.
 */
typedef struct decide_wrist {
    lb_vec3 shoulder; /* the first joint that moves the tool, seen from the base */
    lb_vec3 point;    /* seen from the tool */
    double radius; /* metres; INFINITY where joints do not all turn, or the base is no ancestor */
} decide_wrist;

lb_status decide_find_wrist(const lb_model *model, const lb_task *task,
                            const lb_allocator *allocator, decide_wrist *wrist);

#endif
