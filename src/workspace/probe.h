/*
 * probe.h - trying configurations of an arm, and the box that its tool keeps to.
 */
#ifndef WORKSPACE_PROBE_H
#define WORKSPACE_PROBE_H

#include <limber/task.h>

/* Draws configurations and says where the tool is then, in axes that suit its motion. */
typedef struct probe {
    lb_allocator allocator;
    const lb_model *model;
    lb_task task;
    lb_state *state;
    lb_random random;
    bool planar;          /* the tool moves in the plane z = 0 of `frame` and turns about z alone */
    lb_transform frame;   /* T_base_frame; its axes are the base's where they can be */
    lb_vec3 lower, upper; /* the box of all places found, in `frame` */
    double *q;            /* nq: the configuration being tried */
    double *rest;         /* nq: the neutral one */
    double *step;         /* nv */
    double *range;        /* nv: how far it is sensible to move each; 0: it stays */
    bool *fixed;          /* nq: keeps its value, being locked or off the way */
    void *memory;
} probe;

/*
 * Looks what moves the tool, whether it stays in a plane, and how far it gets. Refuses a
 * tool that nothing moves. Release with probe_stop, also after a failure.
 */
lb_status probe_start(probe *p, const lb_model *model, const lb_task *task, uint64_t seed,
                      const lb_allocator *allocator, lb_error *error);
void probe_stop(probe *p);

/* p->q becomes a configuration uniform in the limits. */
void probe_draw(probe *p);
/* p->q becomes `from` moved at random: now a little, now a lot, within the limits. */
void probe_move(probe *p, const double *from);
/* The tool at p->q, seen from `frame`. */
lb_transform probe_tool(probe *p);

#endif
