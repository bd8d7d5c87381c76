/* decide.h - what decides whether a pose is reached, and how far a tool gets at all. */
#ifndef WORKSPACE_DECIDE_H
#define WORKSPACE_DECIDE_H

#include <limber/ik.h>

/*
 * *closed: whether every pose is decided in closed form, in a third of a microsecond. The one
 * failure is LB_OUT_OF_MEMORY.
 */
lb_status decide_has_closed_form(const lb_model *model, const lb_task *task,
                                 const lb_allocator *allocator, bool *closed);

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
