/*
 * limber.hpp - handles and one exception, for C++11 and later; see formats/load.hpp, too.
 *
 * A handle owns an object, is moved, and converts to the pointer that limber.h takes. What cannot
 * be made throws; an outcome is data. Numbers are a vector, an array or a span, whose size is
 * checked, or a pointer, whose size is not.
 *     limber::model arm(source);  // or one that lb_load made: limber::model arm(loaded);
 *     limber::ik solver(arm, lb_task_make(arm.link("tool"), LB_WORLD, LB_TASK_POSE));
 *     lb_ik_result result = solver.solve(target, start, q);
 */
#ifndef LIMBER_HPP
#define LIMBER_HPP

#include <limber/limber.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber {
/* bit for bit a column-major 3 x 4 matrix, whose columns are x, y, z and p */
static_assert(sizeof(lb_transform) == 96 && offsetof(lb_transform, p) == 72, "12 numbers in a row");

/* What the library refused: the message, which names file, thing and remedy, and the status. */
struct error : std::runtime_error {
    explicit error(const lb_error &why)
        : std::runtime_error(*why.path ? std::string(why.path) + ": " + why.message : why.message),
          status(why.status) {}
    lb_status status;
};

/* Throws unless a call succeeded; `why` as that call filled it. */
inline void check(lb_status status, const lb_error &why) { if (status != LB_OK) throw error(why); }

/* Where numbers are: what has data() and size(), an array, or a pointer to as many as are wanted. */
template <typename T> class numbers {
public:
    numbers(T *at) : at_(at), size_(any) {}
    template <std::size_t Size> numbers(T (&all)[Size]) : at_(all), size_(Size) {}
    template <typename All, typename = decltype(std::declval<All &>().size())>
    numbers(All &&all) : at_(all.data()), size_(all.size()) {}
    /* Throws std::invalid_argument where there are not `count`. */
    T *of(int count) const {
        if (size_ != any && size_ != static_cast<std::size_t>(count))
            throw std::invalid_argument("expected " + std::to_string(count) + " numbers, not " +
                                        std::to_string(size_));
        return at_;
    }
    /* The same, or null. */
    T *of_or_none(int count) const { return at_ != nullptr ? of(count) : nullptr; }
    std::size_t size() const { return size_; }
private:
    enum : std::size_t { any = static_cast<std::size_t>(-1) };
    T *at_;
    std::size_t size_;
};

/* Owns what Release gives back: what was adopted, or what a creating call fills in. */
template <typename T, void (*Release)(T *)> class handle {
public:
    explicit handle(T *owned) : owned_(owned) {}
    template <typename Create> handle(Create create, int) : owned_(nullptr) {
        lb_error why{};
        check(create(&owned_, &why), why);
    }
    handle(handle &&other) noexcept : owned_(other.owned_) { other.owned_ = nullptr; }
    handle &operator=(handle &&other) noexcept { return std::swap(owned_, other.owned_), *this; }
    ~handle() { Release(owned_); }
    operator T *() const noexcept { return owned_; }
private:
    T *owned_;
};

/* Immutable; shared by any number of states and solvers, which it must outlive. */
class model : public handle<lb_model, lb_model_release> {
public:
    explicit model(lb_model *adopted) : handle(adopted) {}
    explicit model(const lb_model_source &source)
        : handle([&](lb_model **made, lb_error *why) {
              return lb_model_build(&source, nullptr, made, why); }, 0) {}
    /* Throws std::invalid_argument for a name that no link has. */
    int link(const std::string &name) const {
        int found = lb_model_find_link(*this, name.c_str());
        return found >= 0 ? found : throw std::invalid_argument("no link '" + name + "'");
    }
};

/* One configuration and its link transforms; of one thread. */
class state : public handle<lb_state, lb_state_release> {
public:
    explicit state(const lb_model *of)
        : handle([&](lb_state **made, lb_error *why) {
              return lb_error_set(why, lb_state_create(of, nullptr, made), 0, "no state"); }, 0) {}
    /* All link transforms for q, nq numbers. */
    void update(numbers<const double> q) {
        lb_state_update(*this, q.of(lb_model_nq(lb_state_model(*this))));
    }
    /* T_a_b, of links or LB_WORLD. */
    lb_transform transform(int a, int b) const { return lb_state_transform(*this, a, b); }
};

/* A solver of one task; of one thread. */
class ik : public handle<lb_ik, lb_ik_release> {
public:
    ik(const lb_model *of, const lb_task &task, const lb_ik_options *options = nullptr)
        : handle([&](lb_ik **made, lb_error *why) {
              return lb_ik_create(of, &task, 1, options, nullptr, made, why); }, 0),
          nq_(lb_model_nq(of)) {}
    /* From start to q, nq numbers each, which may be the same. */
    lb_ik_result solve(const lb_transform &target, numbers<const double> start, numbers<double> q) {
        lb_ik_result result{};
        lb_ik_solve(*this, &target, start.of(nq_), q.of(nq_), &result);
        return result;
    }
private:
    int nq_;
};

/* Distances of a model's links, from each other and from a scene; of one thread. */
class collision : public handle<lb_collision, lb_collision_release> {
public:
    explicit collision(const lb_model *of, const lb_scene *scene = nullptr,
                       const lb_collision_options *how = nullptr)
        : handle([&](lb_collision **made, lb_error *why) {
              return lb_collision_create(of, scene, how, nullptr, made, why); }, 0),
          nq_(lb_model_nq(of)) {}
    /* The least distance for q, nq numbers, and between what. */
    lb_proximity nearest(numbers<const double> q) {
        lb_proximity found{};
        lb_collision_distance(*this, q.of(nq_), &found);
        return found;
    }
    bool free(numbers<const double> q) { return lb_collision_free(*this, q.of(nq_)); }
private:
    int nq_;
};

/* Every solution of one task; of one thread. lb_solutions(all, ...) lists them. */
class solutions : public handle<lb_solutions_solver, lb_solutions_release> {
public:
    solutions(const lb_model *of, const lb_task &task, const lb_solutions_options *how = nullptr)
        : handle([&](lb_solutions_solver **made, lb_error *why) {
              return lb_solutions_create(of, &task, how, nullptr, made, why); }, 0) {}
};

/* The elbow's circle of an arm of seven joints; of one thread. lb_elbow_arcs lists its arcs. */
class elbow : public handle<lb_elbow, lb_elbow_release> {
public:
    elbow(const lb_model *of, const lb_task &task)
        : handle([&](lb_elbow **made, lb_error *why) {
              return lb_elbow_create(of, &task, nullptr, made, why); }, 0), nq_(lb_model_nq(of)) {}
    /* The best elbow for a target, from start to q, nq numbers each, which may be the same. */
    lb_elbow_choice best(const lb_transform &target, lb_elbow_goal goal, numbers<const double> start,
                         numbers<double> q) {
        lb_elbow_choice choice{};
        lb_elbow_best(*this, &target, goal, start.of(nq_), q.of(nq_), &choice);
        return choice;
    }
    /* The joint whose value the angle is; -1: the angle is the elbow's. */
    int joint() const { return lb_elbow_joint(*this); }
private:
    int nq_;
};

/* A way of the tool; immutable, and shared as a model is. */
class path : public handle<lb_path, lb_path_release> {
public:
    explicit path(const lb_path_source &source)
        : handle([&](lb_path **made, lb_error *why) {
              return lb_path_create(&source, nullptr, made, why); }, 0) {}
    double length() const { return lb_path_length(*this); }
    lb_transform at(double share) const { return lb_path_at(*this, share); }
};

/* Follows a path frame by frame; of one thread. */
class follower : public handle<lb_follower, lb_follower_release> {
public:
    follower(const lb_model *of, const lb_follow &how)
        : handle([&](lb_follower **made, lb_error *why) {
              return lb_follower_create(of, &how, nullptr, made, why); }, 0),
          nq_(lb_model_nq(of)) {}
    /* Moves q, nq numbers, to the next frame; false after the last. */
    bool next(numbers<double> q, lb_frame *frame = nullptr) {
        return lb_follower_next(*this, q.of(nq_), frame);
    }
    void rewind() { lb_follower_rewind(*this); }
    int planned_jumps() const { return lb_follower_planned_jumps(*this); }
private:
    int nq_;
};

/* Configurations at times, and the motion between them; immutable, and shared as a model is. */
class clip : public handle<lb_clip, lb_clip_release> {
public:
    explicit clip(lb_clip *adopted)
        : handle(adopted), nq_(lb_model_nq(lb_clip_model(adopted))),
          nv_(lb_model_nv(lb_clip_model(adopted))) {}
    /* A configuration of `keys`, nq numbers each, at each of the times. */
    clip(const lb_model *of, numbers<const double> times, numbers<const double> keys, int count,
         lb_interpolation between = LB_INTERPOLATION_LINEAR)
        : handle([&](lb_clip **made, lb_error *why) {
              return lb_clip_create(of, times.of(count), keys.of(count * lb_model_nq(of)), count,
                                    between, nullptr, made, why); }, 0),
          nq_(lb_model_nq(of)), nv_(lb_model_nv(of)) {}
    double begin() const { return lb_clip_begin(*this); }
    double end() const { return lb_clip_end(*this); }
    void at(double time, numbers<double> q) const { lb_clip_at(*this, time, q.of(nq_)); }
    /* nv numbers each, or null. */
    void rates(double time, numbers<double> velocity, numbers<double> acceleration) const {
        lb_clip_rates(*this, time, velocity.of_or_none(nv_), acceleration.of_or_none(nv_));
    }
private:
    int nq_, nv_;
};

/* The fastest motion along a path within limits of speed and acceleration. */
inline clip timed(const lb_model *of, const lb_timing &how, numbers<const double> start,
                  lb_timing_result *result = nullptr) {
    lb_clip *made = nullptr;
    lb_error why{};
    lb_timing_result found{};
    check(lb_timing_make(of, &how, start.of(lb_model_nq(of)), nullptr, &made, &found, &why), why);
    if (result != nullptr)
        *result = found;
    if (made == nullptr)
        throw std::runtime_error("the path is not followed to its end");
    return clip(made);
}

/* A solver of many tasks on the whole tree; of one thread. */
class body : public handle<lb_body, lb_body_release> {
public:
    body(const lb_model *of, const lb_body_task *tasks, int count,
         const lb_body_options *how = nullptr)
        : handle([&](lb_body **made, lb_error *why) {
              return lb_body_create(of, tasks, count, how, nullptr, made, why); }, 0),
          nq_(lb_model_nq(of)), nv_(lb_model_nv(of)) {}
    /* From start to q, nq numbers each, which may be the same. */
    lb_body_result solve(numbers<const double> start, numbers<double> q) {
        lb_body_result result{};
        lb_body_solve(*this, start.of(nq_), q.of(nq_), &result);
        return result;
    }
    /* One frame of `time` seconds, within the joints' speeds and accelerations; the velocity at its
       beginning, nv numbers, or null. */
    lb_body_result advance(numbers<const double> start, numbers<const double> velocity, double time,
                           numbers<double> q) {
        lb_body_result result{};
        lb_body_advance(*this, start.of(nq_), velocity.of_or_none(nv_), time, q.of(nq_), &result);
        return result;
    }
private:
    int nq_, nv_;
};

/* Joint values at a fixed rate after a target that moves; of one thread. What a loop calls does not
   allocate; it throws for arrays of the wrong size alone. */
class servo : public handle<lb_servo, lb_servo_release> {
public:
    servo(const lb_model *of, const lb_task &task, const lb_servo_options *how = nullptr)
        : handle([&](lb_servo **made, lb_error *why) {
              return lb_servo_create(of, &task, how, nullptr, made, why); }, 0),
          nq_(lb_model_nq(of)), nv_(lb_model_nv(of)) {}
    void reset(numbers<const double> q) {
        lb_error why{};
        check(lb_servo_reset(*this, q.of(nq_), &why), why);
    }
    /* `velocity`: six numbers, or null. */
    void aim(const lb_transform &target, numbers<const double> velocity = nullptr) {
        lb_servo_aim(*this, &target, velocity.of_or_none(6));
    }
    void twist(numbers<const double> six) { lb_servo_twist(*this, six.of(6)); }
    void move(numbers<const double> q) { lb_servo_move(*this, q.of(nq_)); }
    void stop() { lb_servo_stop(*this); }
    /* The next frame: nq numbers, and nv each of velocities and accelerations, or null. */
    lb_servo_frame step(numbers<double> q, numbers<double> v = nullptr,
                        numbers<double> a = nullptr) {
        lb_servo_frame frame{};
        lb_servo_step(*this, q.of(nq_), v.of_or_none(nv_), a.of_or_none(nv_), &frame);
        return frame;
    }
private:
    int nq_, nv_;
};
} // namespace limber
#endif
