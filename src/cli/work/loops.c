/* loops.c - closing the loops of given poses. */
#include "cli/work/loops.h"

#include "cli/report/report.h"

#include <stdlib.h>

lb_assembly *loops_or_exit(const lb_model *model)
{
    lb_assembly *assembly;
    lb_error error = {0};
    lb_status status = lb_assembly_create(model, NULL, 0, NULL, &assembly, &error);
    exit_if_out_of_memory(status);
    if (status != LB_OK) {
        complain_error(&error);
        exit(EXIT_BAD_INPUT);
    }
    return assembly;
}

static bool complain_open(const lb_model *model, const lb_assembly_result *result, int pose)
{
    if (result->outcome == LB_ASSEMBLY_OPEN)
        return complain("%s: pose %d: its loops do not close from the default values",
                        lb_model_name(model), pose);
    const char *joint = result->joint < 0 ? "" : lb_model_joint(model, result->joint)->name;
    return complain("%s: pose %d: the path from the default values ends after %.4g %% of the way: "
                    "%s%s%s",
                    lb_model_name(model), pose, 100 * result->fraction,
                    lb_assembly_outcome_text(result->outcome), *joint ? " of joint " : "", joint);
}

bool loops_close(lb_assembly *assembly, const lb_model *model, pose_list *poses, int before)
{
    const double *rest = lb_assembly_rest(assembly);
    for (int i = 0; i < poses->count; i++) {
        double *q = poses->q + (size_t)i * (size_t)lb_model_nq(model);
        lb_assembly_result result;
        if (lb_assembly_follow(assembly, rest, q, q, &result) != LB_ASSEMBLED)
            return complain_open(model, &result, before + i + 1);
    }
    return true;
}
