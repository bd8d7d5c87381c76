/*
 * support_arm.h - a small arm to build from and to spoil.
 *
 *     base - shoulder - upper - elbow - lower - wrist - hand
 *
 * All revolute about z between -2 and 2; its joints stand in lines 11, 12, 13.
 */
#ifndef TEST_SUPPORT_ARM_H
#define TEST_SUPPORT_ARM_H

#include "support.h"

typedef struct test_arm {
    lb_link links[4];
    lb_joint joints[3];
    lb_geometry visuals[2]; /* room; no link has any */
    int lines[3];
    lb_model_source source; /* points into this struct */
} test_arm;

void test_arm_make(test_arm *arm);

#endif
