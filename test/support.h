/*
 * support.h - what many tests need: random trees, an oracle for their frames, and
 * an allocator that fails at a given count.
 *
 * Seeds are fixed: take random numbers from
 * test_seed(), and a failed assert_near says which seed it was.
 */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include "harness.h"

#include <limber/body.h>
#include <limber/clip.h>
#include <limber/ik.h>
#include <limber/kinematics.h>

/* ---- asserting ---------------------------------------------------------- */

/* A generator for this seed, which is printed when an assert_near fails. */
lb_random test_seed(uint64_t seed);

/* |actual - expected| <= tolerance, and neither is NaN. */
#define assert_near(actual, expected, tolerance)                                                   \
    test_assert_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
void test_assert_near(double actual, double expected, double tolerance, const char *what,
                      const char *file, int line);

/* All twelve numbers. */
#define assert_transform_near(actual, expected, tolerance)                                         \
    test_assert_transform_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
void test_assert_transform_near(const lb_transform *actual, const lb_transform *expected,
                                double tolerance, const char *what, const char *file, int line);

/* Builds, or fails the test with the error's message and the seed. Release with lb_model_release.
 */
lb_model *test_build(const lb_model_source *source);

/* The same of links and joints, the root at the world's origin. Links that are NULL have names
   alone: the first joint's parent, and then the child of each joint. */
lb_model *test_make(const char *name, const lb_link *links, int link_count, const lb_joint *joints,
                    int joint_count);

/* The model on a joint of a kind. Both are the caller's. */
lb_model *test_with_root(const lb_model *model, lb_joint_kind root);

/* The model with other links in the place of its own: as many, of the same names. */
lb_model *test_with_links(const lb_model *model, const lb_link *links);

/* The links base and body with one joint between them, "joint", or with one of a kind. */
lb_model *test_single_joint(const lb_joint *given);
lb_model *test_single(lb_joint_kind kind);

/* A chain of at most 16 joints, "j0" and so on from the root "l0" on; their names are not read. */
lb_model *test_chain(const lb_transform *root, const lb_joint *joints, int count);

/* A joint of a kind at a place of the link before it, about or along an axis. */
lb_joint test_joint(lb_joint_kind kind, lb_vec3 place, lb_vec3 axis);

/* Create, or fail the test with the error's message. Release as the library's own. A body whose
   options are NULL makes one descent. */
lb_ik *test_solver(const lb_model *model, const lb_task *tasks, int n,
                   const lb_ik_options *options);
lb_state *test_state(const lb_model *model);
lb_body *test_body(const lb_model *model, const lb_body_task *tasks, int n,
                   const lb_body_options *options);

/* Clips, or fail the test with the error's message. Release with lb_clip_release. */
lb_clip *test_clip(const lb_model *model, const double *times, const double *keys, int count,
                   lb_interpolation how);
/* The same of a function's keys, linear between them. */
lb_clip *test_clip_generate(const lb_model *model, int count, lb_clip_fill *fill, void *user);

/* ---- random things ------------------------------------------------------ */

/* The same bits on every machine: none of these uses libm but sqrt. */

/* Uniform in 0..count-1. */
int test_random_index(lb_random *random, int count);
bool test_random_chance(lb_random *random, double chance);
/* Uniform on the unit sphere. */
lb_vec3 test_random_direction(lb_random *random);
/* A random configuration of which two of the first `joints` joints, of one value each, are at a
   limit; k goes through the pairs. */
void test_corner(const lb_model *model, int joints, int k, lb_random *random, double *q);
lb_quat test_random_quat(lb_random *random);
/* Uniform axes, origin in a cube of two metres. */
lb_transform test_random_transform(lb_random *random);
/* One or two of LB_FREE_X, LB_FREE_Y and LB_FREE_Z. */
unsigned test_random_axes(lb_random *random);
/* A task's target elsewhere along its free axes, by up to so many metres on each: as good a one. */
void test_move_freely(const lb_task *task, double most, lb_random *random, lb_transform *target);

/* Clips of random configurations: a tenth of a second apart from 0 on, linear between them; or at
   these times. */
lb_clip *test_random_clip(const lb_model *model, int count, lb_random *random);
lb_clip *test_random_clip_at(const lb_model *model, const double *times, int count,
                             lb_interpolation how, lb_random *random);

#define TEST_KIND(kind) (1u << (kind))
#define TEST_ALL_KINDS ((1u << LB_JOINT_KIND_COUNT) - 1)

/* What a random tree is to be like; start from test_tree_default(). */
typedef struct test_tree {
    int joints;
    unsigned kinds;     /* TEST_KIND(...) | ...; default all */
    double branching;   /* chance of a joint to hang from any earlier link, not the last; 0.3 */
    double mimic;       /* chance of a joint of one DOF to follow another one; 0.1 */
    double locked;      /* chance to be locked; 0.1 */
    double limited;     /* chance to have limits; 0.5 */
    double off_neutral; /* chance to rest elsewhere than at zero, within the limits; 0.5 */
    bool masses;        /* whether links have masses, the root's always; false */
} test_tree;

test_tree test_tree_default(void);

/*
 * Builds links l0..ln and joints j0..jn-1 in shuffled order; axes and placements
 * now simple, now general. Never fails: asserts. Release with lb_model_release.
 */
lb_model *test_tree_build(const test_tree *wanted, lb_random *random);

/* ---- an oracle ---------------------------------------------------------- */

/* All of it is bench/oracle.h, which shares nothing with the library's own way. */

/* T_world_link of all links for q. */
void test_forward(const lb_model *model, const double *q, lb_transform *links);

/* Where a task's tool is at q: T_base_tool. A target made by this can be reached. */
lb_transform test_task_tool(const lb_model *model, const lb_task *task, const double *q);

/* How far the tasks' tools are from their targets at q: the largest of each. */
void test_task_errors(const lb_model *model, const lb_task *tasks, int n, const double *q,
                      const lb_transform *targets, double *position_error, double *rotation_error);

/* By how much q breaks the worst of all limits; not finite is INFINITY. */
double test_limit_excess(const lb_model *model, const double *q);

/* ---- calls of the library ----------------------------------------------- */

/* A call was refused with this status, and a message that has these words in it. */
void assert_refused(lb_status status, lb_status expected, const lb_error *error, const char *says);

/* ---- memory ------------------------------------------------------------- */

/* An allocator that counts, and fails once `fail_at` allocations have succeeded (-1: never). */
typedef struct test_memory {
    long fail_at;
    long allocations; /* that succeeded */
    long live;        /* not yet released */
} test_memory;

lb_allocator test_memory_allocator(test_memory *memory);

/*
 * Each allocation of some calls fails once:
 *
 *     ALLOCATIONS_FAIL(run, 100)
 *     {
 *         lb_clip *clip = NULL;
 *         run.status = lb_clip_create(..., &run.allocator, &clip, NULL);
 *         lb_clip_release(clip);
 *     }
 *
 * The block is repeated until its status is LB_OK, after less than `most` failures; before that it
 * must be LB_OUT_OF_MEMORY, and nothing may stay allocated.
 */
typedef struct test_failures {
    test_memory memory;
    lb_allocator allocator;
    lb_status status;
    long round, most;
} test_failures;

#define ALLOCATIONS_FAIL(run, most_failures)                                                       \
    for (test_failures run = {.most = most_failures}; test_failures_next(&run);)
bool test_failures_next(test_failures *run);

/* Of a pointer that a function has to set, to NULL at least. */
#define TEST_UNSET ((void *)1)

/* An allocator that adds the size of each allocation to *bytes. */
lb_allocator test_byte_allocator(size_t *bytes);

#endif
