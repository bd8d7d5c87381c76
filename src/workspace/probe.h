/* probe.h - random configurations of an arm, and the box that its tool stays in. */
#ifndef WORKSPACE_PROBE_H
#define WORKSPACE_PROBE_H

#include <limber/task.h>

/* Draws configurations and computes the tool's pose, in axes that suit its motion. */
typedef struct probe {
    lb_allocator allocator;
    const lb_model *model;
    lb_task task;
    lb_state *state;
    lb_random random;
    bool planar;        /* the tool moves in the plane z = 0 of `frame` and rotates about z only */
    lb_transform frame; /* T_base_frame; its axes are the base's where they can be */
    lb_vec3 lower, upper; /* the box of all positions found, in `frame` */
    double *q;            /* nq: the configuration being tried */
    double *rest;         /* nq: neutral */
    double *step;         /* nv */
    double *range;        /* nv: a sensible range of each move; 0: it does not move */
    bool *fixed;          /* nq: keeps its value, as it is locked or not between base and tip */
    void *memory;
} probe;

/*
 * Finds what moves the tool, whether it stays in a plane, and how far it gets. Refuses a tool that
 * nothing moves. Release with probe_stop, also after a failure.
 */
lb_status probe_start(probe *p, const lb_model *model, const lb_task *task, uint64_t seed,
                      const lb_allocator *allocator, lb_error *error);
void probe_stop(probe *p);

/* p->q becomes a configuration uniform in the limits. */
void probe_draw(probe *p);
/* p->q becomes `from` moved at random, by small and large steps, within the limits. */
void probe_move(probe *p, const double *from);
/* The tool's pose at p->q, in `frame`. */
lb_transform probe_tool(probe *p);
/* The tool's pose at rest, in `frame`; q becomes that. */
lb_transform probe_rest(probe *p);

#endif
