// plus.cpp - a user's program in C++: every header, the macros, and a solve.
#include <limber/figures/draw.h>
#include <limber/formats/json.h>
#include <limber/formats/load.hpp>
#include <limber/limber.h>

#include <cstdio>
#include <vector>

int main()
{
    lb_model *model = nullptr;
    lb_error error{};
    if (lb_load("planar2", nullptr, &model, &error) != LB_OK) {
        std::fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // the identities are values like any other
    const lb_quat none = LB_QUAT_IDENTITY;
    lb_transform target = LB_TRANSFORM_IDENTITY;
    target.p = lb_quat_rotate(none, lb_vec3_make(1, 1, 0));
    bool rigid = lb_transform_is_rigid(&target, 0) && LB_TRANSFORM_IDENTITY.z.z == 1 &&
                 LB_QUAT_IDENTITY.w == 1;

    lb_task task = lb_task_make(lb_model_find_link(model, "tip"), LB_WORLD, LB_TASK_POSITION);
    lb_ik *ik = nullptr;
    if (lb_ik_create(model, &task, 1, nullptr, nullptr, &ik, &error) != LB_OK) {
        std::fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    std::vector<double> q(static_cast<std::size_t>(lb_model_nq(model)));
    lb_configuration_neutral(model, q.data());
    lb_ik_result result{};
    lb_ik_solve(ik, &target, q.data(), q.data(), &result);
    std::printf("%s: %g %g\n", lb_outcome_text(result.outcome), q[0], q[1]);
    lb_ik_release(ik);
    lb_model_release(model);
    rigid = rigid && lb_model_nq(limber::load("planar2")) == 2;
    return rigid && result.outcome == LB_REACHED ? 0 : 1;
}
