/* planar_arm.h - arms of hinges in the plane z = 0, for tests of what they reach. */
#ifndef TEST_WORKSPACE_PLANAR_ARM_H
#define TEST_WORKSPACE_PLANAR_ARM_H

#include "support.h"

static inline int tip_of(const lb_model *model)
{
    return lb_model_link_count(model) - 1;
}

/* links in a row that all turn about z */
static inline lb_model *planar_arm(const double *lengths, int count, double lower, double upper)
{
    lb_dh_row rows[8];
    for (int i = 0; i < count; i++)
        rows[i] = (lb_dh_row){.kind = isfinite(lower) ? LB_JOINT_REVOLUTE : LB_JOINT_CONTINUOUS,
                              .a = lengths[i],
                              .lower = lower,
                              .upper = upper};
    lb_model *model = NULL;
    assert_int_equal(lb_model_from_dh("arm", rows, count, false, NULL, &model, NULL), LB_OK);
    return model;
}

#endif
