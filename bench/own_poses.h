/*
 * own_poses.h - arms and poses that attack what is said of all solutions, and a referee.
 *
 * Generated arms: of the classes with a closed form, exactly or missed by 1e-13 to 1e-4 as CAD
 * files and calibrations do, with one long link, with axes at multiples of 45 degrees, or any,
 * in frames whose numbers are round or are not;
 * one to eight joints, slides, followers, limits that are one value. A pose that an arm has made
 * itself, at corners of its limits and at singular places, is shown to lb_solutions and lb_ik;
 * whatever they say must agree with the configuration that made it. Forward kinematics is that
 * of oracle.h.
 */
#ifndef BENCH_OWN_POSES_H
#define BENCH_OWN_POSES_H

#include <limber/solutions.h>

enum { OWN_JOINTS = 8 };

/* What an arm is like. */
#define OWN_KIND_LIST(X)                                                                           \
    X(OWN_PARALLEL, "three parallel axes")                                                         \
    X(OWN_WRIST, "spherical wrist")                                                                \
    X(OWN_SHOULDER, "spherical shoulder")                                                          \
    X(OWN_SQUARE, "six axes at multiples of 45 degrees")                                           \
    X(OWN_FEW, "one to five axes at multiples of 45 degrees")                                      \
    X(OWN_MANY, "seven or eight axes")                                                             \
    X(OWN_ANYTHING, "anything")                                                                    \
    X(OWN_TURNED, "frames turned about their axes")                                                \
    X(OWN_ROUNDED, "angles written with 3 to 6 digits")

typedef enum own_kind {
#define OWN_KIND_ENUM(name, text) name,
    OWN_KIND_LIST(OWN_KIND_ENUM)
#undef OWN_KIND_ENUM
        OWN_KINDS
} own_kind;

/* What the referee finds wrong. */
#define OWN_FAULT_LIST(X)                                                                          \
    X(OWN_FINE, "nothing")                                                                         \
    X(OWN_UNREACHABLE, "lb_solutions proves an own pose unreachable")                              \
    X(OWN_SEARCH_UNREACHABLE, "lb_ik proves an own pose unreachable")                              \
    X(OWN_EMPTY, "an own pose has no solution, and that is said to be all")                        \
    X(OWN_NOT_CERTIFIED, "a certified list has neither an own configuration nor its family")       \
    X(OWN_NOT_COMPLETE, "a complete list has neither an own configuration nor its family")         \
    X(OWN_NO_FAMILY, "joints that are said to be free move the tool")                              \
    X(OWN_OUTSIDE, "an own configuration within the limits is listed as outside of them")          \
    X(OWN_WOUND, "a whole turn of one joint brings the nearest result nearer to the start")

typedef enum own_fault {
#define OWN_FAULT_ENUM(name, text) name,
    OWN_FAULT_LIST(OWN_FAULT_ENUM)
#undef OWN_FAULT_ENUM
        OWN_FAULTS
} own_fault;

const char *own_kind_text(own_kind kind);
const char *own_fault_text(own_fault fault);

/* An arm with all that it is asked with. */
typedef struct own_arm {
    own_kind kind;
    lb_model *model;
    lb_task task;
    int nq;
    double size;           /* metres: its links laid end to end */
    bool idle[OWN_JOINTS]; /* numbers of q that never move the tool */
    bool is_length[OWN_JOINTS];
    double lower[OWN_JOINTS], upper[OWN_JOINTS];
    lb_solutions_solver *solver; /* NULL where solutions cannot be listed */
    lb_ik *searches[2];          /* any, and the nearest, without random starts; NULL: none */
} own_arm;

/* Counts of what was said, for reports. */
typedef struct own_counts {
    long long poses, listed, complete, certified, families;
} own_counts;

/* An arm of a kind, or one for a model whose task is given; false: it is refused. */
bool own_arm_make(lb_random *random, own_kind kind, own_arm *arm);
bool own_arm_of(lb_model *model, const lb_task *task, own_arm *arm);
void own_arm_release(own_arm *arm);

/* A configuration within the limits: often at corners, multiples of 45 degrees, or beside them. */
void own_arm_draw(lb_random *random, const own_arm *arm, double *q);

/* Where the tool is. */
lb_transform own_arm_pose(const own_arm *arm, const double *q);

/* Whether joints that a list calls free do not move from one of its members while the tool stays:
   forward kinematics alone decides. */
bool own_arm_has_false_family(const own_arm *arm, const double *rows, const lb_solution *infos,
                              const lb_solutions_summary *summary);

/* Whether what is said of the pose of q can be. */
own_fault own_arm_judge(lb_random *random, const own_arm *arm, const double *q, own_counts *counts);

#endif
