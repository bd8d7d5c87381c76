/*
 * control_loop.cpp - a controller as ros2_control has them, without ROS: it is set up once, starts
 * from the joints that are measured, and is then asked for commands at a fixed rate.
 *
 * What allocates is in configure(), what throws there and in activate(); update() does neither. The
 * servo keeps the limits of every joint in every period, whatever it is told.
 *
 * Prints:
 *     to a target 7 cm away in 0.24 s, off by 0.00 mm
 *     stopped in 0.20 s, no joint over its limits
 */
#include <limber/formats/load.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

class tool_controller
{
  public:
    void configure(const std::string &robot, const std::string &tool, double rate)
    {
        model_.emplace(limber::load(robot));
        // files have limits of position and speed; accelerations are the cell's
        for (int i = 0; i < lb_model_joint_count(*model_); i++) {
            if (lb_model_joint(*model_, i)->kind == LB_JOINT_FIXED)
                continue;
            limits_.push_back(lb_joint_setting_make(i));
            limits_.back().acceleration = 8;
        }
        lb_servo_options how = lb_servo_options_default();
        how.period = 1 / rate;
        how.joints = limits_.data();
        how.joint_count = static_cast<int>(limits_.size());
        servo_.emplace(*model_, lb_task_make(model_->link(tool), LB_WORLD, LB_TASK_POSE), &how);
        command_.resize(static_cast<std::size_t>(lb_model_nq(*model_)));
        velocity_.resize(static_cast<std::size_t>(lb_model_nv(*model_)));
    }

    void activate(const std::vector<double> &measured)
    {
        servo_->reset(measured);
    }
    void aim(const lb_transform &target)
    {
        servo_->aim(target);
    }
    void stop()
    {
        servo_->stop();
    }

    lb_servo_frame update()
    {
        return servo_->step(command_, velocity_);
    }

    const limber::model &model() const
    {
        return *model_;
    }
    const std::vector<double> &command() const
    {
        return command_;
    }
    const std::vector<double> &velocity() const
    {
        return velocity_;
    }

  private:
    std::optional<limber::model> model_;
    std::optional<limber::servo> servo_;
    std::vector<lb_joint_setting> limits_;
    std::vector<double> command_, velocity_;
};

// the largest speed of a joint, as a share of its limit
static double fastest(const tool_controller &controller)
{
    double most = 0;
    for (std::size_t i = 0; i < controller.velocity().size(); i++)
        most =
            std::max(most, std::fabs(controller.velocity()[i]) /
                               lb_model_joint(controller.model(), static_cast<int>(i))->velocity);
    return most;
}

static int run()
{
    const double rate = 500;
    tool_controller controller;
    controller.configure("ur5", "tool0", rate);
    controller.activate({0, -1.4, 1.8, -1.9, -1.5, 0});

    const int tool = controller.model().link("tool0");
    limber::state state(controller.model());
    controller.update();
    state.update(controller.command());
    lb_transform target = state.transform(LB_WORLD, tool);
    target.p = lb_vec3_add(target.p, lb_vec3_make(0.03, -0.06, 0.02));

    controller.aim(target);
    double most = 0;
    int periods = 0;
    while (controller.update().state != LB_SERVO_ARRIVED) {
        most = std::max(most, fastest(controller));
        periods++;
    }
    state.update(controller.command());
    const lb_transform there = state.transform(LB_WORLD, tool);
    std::printf("to a target 7 cm away in %.2f s, off by %.2f mm\n", periods / rate,
                1e3 * lb_transform_distance(&there, &target));

    // somebody enters the cell while it is on its way
    target.p.y += 0.3;
    controller.aim(target);
    for (int i = 0; i < 100; i++)
        controller.update();
    controller.stop();
    periods = 0;
    while (!controller.update().resting) {
        most = std::max(most, fastest(controller));
        periods++;
    }
    std::printf("stopped in %.2f s, %s\n", periods / rate,
                most <= 1 ? "no joint over its limits" : "too fast");
    return most <= 1 ? 0 : 1;
}

int main()
{
    try {
        return run();
    } catch (const std::exception &why) {
        std::fprintf(stderr, "%s\n", why.what());
        return 1;
    }
}
