// handles.cpp - a user's program with the handles of limber.hpp, in the standard that it is
// given.
#include <limber/limber.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

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

// an arm of seven joints: the elbow that is the nearest to where it is, is there
static bool finds_elbow()
{
    static const double lengths[7] = {0.34, 0, 0.4, 0, 0.4, 0, 0.1};
    lb_dh_row rows[7];
    for (int i = 0; i < 7; i++) {
        rows[i] = lb_dh_row_default();
        rows[i].d = lengths[i];
        rows[i].alpha = i == 6 ? 0 : i % 2 == 0 ? LB_PI / 2 : -LB_PI / 2;
    }
    lb_model *built = nullptr;
    lb_error why{};
    limber::check(lb_model_from_dh("seven", rows, 7, false, nullptr, &built, &why), why);
    limber::model arm(built);
    const lb_task task = lb_task_make(arm.link("tool"), LB_WORLD, LB_TASK_POSE);
    limber::elbow elbow(arm, task);
    limber::state state(arm);
    std::vector<double> bent{0.1, 0.5, 0.2, 1.2, -0.3, 0.7, 0.4}, back(7);
    state.update(bent);
    const lb_transform target = state.transform(LB_WORLD, task.tip);
    const lb_elbow_choice near = elbow.best(target, LB_ELBOW_NEAREST, bent.data(), back);
    return near.outcome == LB_REACHED && near.value < 1e-4;
}

// motion: a clip, a path that is followed and timed, a whole body, and a servo
static bool moves(const limber::model &arm, const lb_task &task)
{
    const double times[] = {0, 1};
    const std::vector<double> keys{0.2, 0.4, 0.6, 1.2};
    const limber::clip clip(arm, times, keys, 2);
    std::array<double, 2> q{}, v{}, a{};
    clip.at(0.5, q);
    clip.rates(0.5, v, nullptr);
    bool fine = clip.begin() == 0 && clip.end() == 1 && std::fabs(q[1] - 0.8) < 1e-12 &&
                std::fabs(v[0] - 0.4) < 1e-9;

    limber::state state(arm);
    lb_transform points[2];
    for (int i = 0; i < 2; i++) {
        state.update(keys.data() + 2 * i);
        points[i] = state.transform(LB_WORLD, task.tip);
    }
    lb_path_source source{};
    source.points = points;
    source.count = 2;
    const limber::path line(source);
    lb_follow how = lb_follow_default(task, line, 11);
    limber::follower follower(arm, how);
    int frames = 0;
    for (clip.at(0, q); follower.next(q); frames++) {
    }
    state.update(q);
    lb_transform tool = state.transform(LB_WORLD, task.tip);
    fine = fine && frames == 11 && lb_transform_distance(&tool, &points[1]) < 1e-6;
    clip.at(0, q);
    const limber::clip fastest = limber::timed(arm, lb_timing_default(task, line), q);
    fine = fine && fastest.end() > 0;

    lb_body_task wanted = lb_body_task_make(LB_BODY_POSITION, task.tip);
    limber::body body(arm, &wanted, 1);
    lb_body_set_target(body, 0, &points[1]);
    fine = fine && body.solve(q, q).outcome == LB_REACHED;
    body.advance(q, nullptr, 0.01, q);

    limber::servo servo(arm, task);
    clip.at(0, q);
    servo.reset(q);
    servo.aim(points[1]);
    lb_servo_frame frame{};
    for (int i = 0; i < 100000 && frame.state != LB_SERVO_ARRIVED; i++)
        frame = servo.step(q, v, a);
    state.update(q);
    tool = state.transform(LB_WORLD, task.tip);
    return fine && lb_transform_distance(&tool, &points[1]) < 1e-3;
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
    limber::collision touches(arm);
    lb_ik_result result = solver.solve(target, q, q);
    fine = fine && touches.free(q) && touches.nearest(q.data()).body_a == -1;
    state.update(q);
    std::vector<double> three(3);
    fine = fine && throws<std::invalid_argument>([&] { state.update(three); });
#if __cplusplus >= 202002L
    state.update(std::span<const double>(q));
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
    fine = fine && finds_elbow() && throws<limber::error>([&] { limber::elbow none(arm, task); });
    fine = fine && moves(arm, task);
    std::printf("%s\n", fine ? "fine" : "wrong");
    return fine ? 0 : 1;
}
