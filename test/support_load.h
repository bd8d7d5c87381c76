/*
 * support_load.h - models of files, for tests that have limber_formats.
 */
#ifndef TEST_SUPPORT_LOAD_H
#define TEST_SUPPORT_LOAD_H

#include "support.h"

/* A model that is built in, or a file's; fails the test when there is none. */
lb_model *test_load(const char *name);

/* The same with a root that moves freely: its own, or one of LB_JOINT_FLOATING. */
lb_model *test_load_moving(const char *name);

/* What is done with each of many models; `random` is its own. */
typedef void test_visit(const lb_model *model, lb_random *random);

/* All models that are built in. */
void test_built_in_models(test_visit *visit);

/* Every URDF file of the shared data that loads; skipped aloud where there are none. */
void test_real_robots(test_visit *visit);

#endif
