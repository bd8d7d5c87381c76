/*
 * srdf.h - SRDF, MoveIt's additions to a robot: groups, end effectors, named states, and pairs of
 * links whose collisions do not count.
 *
 * Source: http://wiki.ros.org/srdf. An SRDF stands beside the URDF of its robot. It is read for a
 * model that has been loaded; links and joints are that model's.
 *
 *     lb_srdf *srdf;
 *     if (lb_srdf_load("panda.srdf", model, NULL, &srdf, &error) == LB_OK) {
 *         int arm = lb_srdf_find_group(srdf, "panda_arm");
 *         lb_task task = lb_task_make(lb_srdf_group_at(srdf, arm)->tip, ...);
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_FORMATS_SRDF_H
#define LIMBER_FORMATS_SRDF_H

#include <limber/formats/document.h>
#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A group of joints; the links that they move belong to it. */
typedef struct lb_srdf_group {
    const char *name; /* Name of the group. */
    int base, tip;    /* Links at the two ends of its chain. -1: it is no chain, or several. */
} lb_srdf_group;

/* A gripper or tool. */
typedef struct lb_srdf_end_effector {
    const char *name; /* Name of the end effector. */
    int group;        /* The group of its own joints. */
    int parent_link;  /* The link that carries it. */
    int parent_group; /* The group of that link. -1: not given. */
} lb_srdf_end_effector;

/* A named configuration of one group. */
typedef struct lb_srdf_state {
    const char *name; /* Name of the state. */
    int group;        /* The group that it configures. */
} lb_srdf_state;

/* Two links that may touch. */
typedef struct lb_srdf_pair {
    int link1, link2;   /* The two links. */
    const char *reason; /* "Adjacent", "Never" ... Empty: not given. */
} lb_srdf_pair;

/* An SRDF. It never changes; the model must outlive it. */
typedef struct lb_srdf lb_srdf;

/*
 * Reads a file, or a document whose root is <robot>. A group, link or joint that does not exist,
 * and a robot of another name, are warned of and left out; `options` are those for models (NULL:
 * the defaults). On failure *srdf is NULL and *error (may be NULL) names file, line, thing and
 * remedy. Release with lb_srdf_release, which accepts NULL.
 */
lb_status lb_srdf_load(const char *path, const lb_model *model, const lb_load_options *options,
                       lb_srdf **srdf, lb_error *error);
lb_status lb_document_srdf(const lb_document *document, const char *path, const lb_model *model,
                           const lb_load_options *options, lb_srdf **srdf, lb_error *error);
void lb_srdf_release(lb_srdf *srdf);

/*
 * How many of each there are, and one by its index in the order of the file; NULL for an index out
 * of range.
 */
int lb_srdf_group_count(const lb_srdf *srdf);
const lb_srdf_group *lb_srdf_group_at(const lb_srdf *srdf, int index);
int lb_srdf_end_effector_count(const lb_srdf *srdf);
const lb_srdf_end_effector *lb_srdf_end_effector_at(const lb_srdf *srdf, int index);
int lb_srdf_state_count(const lb_srdf *srdf);
const lb_srdf_state *lb_srdf_state_at(const lb_srdf *srdf, int index);
int lb_srdf_pair_count(const lb_srdf *srdf);
const lb_srdf_pair *lb_srdf_pair_at(const lb_srdf *srdf, int index);

/* Index of a group by its name. -1: none. */
int lb_srdf_find_group(const lb_srdf *srdf, const char *name);
/* Index of a state by its name and group (-1: of any group). -1: none. */
int lb_srdf_find_state(const lb_srdf *srdf, const char *name, int group);
/* Whether a group has a joint, by itself, by its chain or by a group in it. */
bool lb_srdf_group_has(const lb_srdf *srdf, int group, int joint);
/* Sets the values of a state in a configuration of nq numbers; all other values stay. */
void lb_srdf_apply_state(const lb_srdf *srdf, int state, double q[/* nq, in place */]);

#ifdef __cplusplus
}
#endif

#endif
