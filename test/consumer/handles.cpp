// handles.cpp - a stranger's program with the handles of limber.hpp, in the standard that it is
// given.
#include <limber/limber.hpp>

#include <cstdio>
#include <utility>
#include <vector>

// whether a call throws this
template <typename Thrown, typename Call> static bool throws(Call call)
{
    try {
        call();
    } catch (const Thrown &) {
        return true;
    }
    return false;
}

int main()
{
    lb_dh_row rows[2] = {lb_dh_row_default(), lb_dh_row_default()};
    rows[0].a = rows[1].a = 1;
    lb_model *built = nullptr;
    lb_error why{};
    limber::check(lb_model_from_dh("arm", rows, 2, false, nullptr, &built, &why), why);

    // moved, not copied
    limber::model first(built), arm(std::move(first));
    bool fine = static_cast<lb_model *>(first) == nullptr && static_cast<lb_model *>(arm) == built;

    const lb_task task = lb_task_make(arm.link("tool"), LB_WORLD, LB_TASK_POSITION);
    limber::ik solver(arm, task);
    lb_transform target = LB_TRANSFORM_IDENTITY;
    target.p = lb_vec3_make(1, 1, 0);
    std::vector<double> q{0.1, 0.2};
    limber::state state(arm);
#if __cplusplus >= 202002L
    lb_ik_result result = solver.solve(target, q, q);
    state.update(q);
    std::vector<double> three(3);
    fine = fine && throws<std::invalid_argument>([&] { state.update(three); });
#else
    lb_ik_result result = solver.solve(target, q.data(), q.data());
    state.update(q.data());
#endif
    const lb_transform tool = state.transform(LB_WORLD, task.tip);
    fine = fine && lb_transform_distance(&tool, &target) < 1e-6 && result.outcome == LB_REACHED;

    // refusals are exceptions: a name that no link has, a model without links, a task without tip
    fine = fine && throws<std::invalid_argument>([&] { arm.link("tol"); });
    fine = fine && throws<limber::error>([] { limber::model none{lb_model_source{}}; });
    fine = fine && throws<limber::error>([&] {
               limber::ik none(arm, lb_task_make(LB_NO_LINK, LB_WORLD, LB_TASK_POSE));
           });
    // an elbow to either side; there is no list for a task without tip
    limber::solutions all(arm, task);
    double found[4 * 2] = {0};
    lb_solution infos[4];
    lb_solutions_summary summary;
    fine = fine && lb_solutions(all, &target, nullptr, 4, found, infos, &summary) == 2 &&
           summary.complete && infos[0].branch != infos[1].branch;
    fine = fine && throws<limber::error>([&] {
               limber::solutions none(arm, lb_task_make(LB_NO_LINK, LB_WORLD, LB_TASK_POSE));
           });
    std::printf("%s\n", fine ? "fine" : "wrong");
    return fine ? 0 : 1;
}
