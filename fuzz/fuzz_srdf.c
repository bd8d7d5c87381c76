/*
 * fuzz_srdf.c - SRDF beside a robot: refused with a message, or groups, end effectors and states
 * whose indices are the model's.
 */
#include "fuzz.h"

#include <limber/formats/load.h>
#include <limber/formats/srdf.h>

#include <math.h>
#include <string.h>

enum { MOST_NQ = 64 };

static void check_groups(const lb_srdf *srdf, const lb_model *model)
{
    int links = lb_model_link_count(model), groups = lb_srdf_group_count(srdf);
    for (int i = 0; i < groups; i++) {
        const lb_srdf_group *group = lb_srdf_group_at(srdf, i);
        FUZZ_CHECK(group->base >= -1 && group->base < links);
        FUZZ_CHECK(group->tip >= -1 && group->tip < links);
        lb_srdf_group_has(srdf, i, 0);
    }
    for (int i = 0; i < lb_srdf_end_effector_count(srdf); i++) {
        const lb_srdf_end_effector *effector = lb_srdf_end_effector_at(srdf, i);
        FUZZ_CHECK(effector->group >= 0 && effector->group < groups);
        FUZZ_CHECK(effector->parent_link >= 0 && effector->parent_link < links);
        FUZZ_CHECK(effector->parent_group >= -1 && effector->parent_group < groups);
    }
    for (int i = 0; i < lb_srdf_pair_count(srdf); i++) {
        const lb_srdf_pair *pair = lb_srdf_pair_at(srdf, i);
        FUZZ_CHECK(pair->link1 >= 0 && pair->link1 < links);
        FUZZ_CHECK(pair->link2 >= 0 && pair->link2 < links);
    }
}

static void check_states(const lb_srdf *srdf, const lb_model *model)
{
    double q[MOST_NQ];
    for (int i = 0; i < lb_srdf_state_count(srdf); i++) {
        lb_configuration_neutral(model, q);
        lb_srdf_apply_state(srdf, i, q);
        for (int k = 0; k < lb_model_nq(model); k++)
            FUZZ_CHECK(isfinite(q[k]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char path[] = "fuzz_srdf.srdf";
    lb_model *model = NULL;
    lb_srdf *srdf = NULL;
    lb_error error = {0};
    if (lb_load("panda", NULL, &model, &error) != LB_OK || !fuzz_write(path, data, size)) {
        lb_model_release(model);
        return 0;
    }
    lb_status status = lb_srdf_load(path, model, NULL, &srdf, &error);
    FUZZ_CHECK((status == LB_OK) == (srdf != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (srdf != NULL) {
        check_groups(srdf, model);
        check_states(srdf, model);
    }
    lb_srdf_release(srdf);
    lb_model_release(model);
    return 0;
}
