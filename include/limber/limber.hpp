/*
 * limber.hpp - handles, one exception and spans, for C++11 and later.
 *
 * A handle owns an object, is moved, and converts to the pointer that limber.h takes. What cannot
 * be made throws; an outcome is data. From C++20, numbers are std::span of checked size.
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
#if __cplusplus >= 202002L
#include <span>
#endif

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

/* where `count` numbers are */
#if __cplusplus >= 202002L
template <typename T> using span = std::span<T>;
template <typename T> T *data(std::span<T> values, int count) {
    if (values.size() != static_cast<std::size_t>(count))
        throw std::invalid_argument("expected " + std::to_string(count) + " numbers");
    return values.data();
}
#else
template <typename T> using span = T *;
template <typename T> T *data(T *values, int) { return values; }
#endif

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
    void update(span<const double> q) {
        lb_state_update(*this, data(q, lb_model_nq(lb_state_model(*this))));
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
    lb_ik_result solve(const lb_transform &target, span<const double> start, span<double> q) {
        lb_ik_result result{};
        lb_ik_solve(*this, &target, data(start, nq_), data(q, nq_), &result);
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
    lb_proximity nearest(span<const double> q) {
        lb_proximity found{};
        lb_collision_distance(*this, data(q, nq_), &found);
        return found;
    }
    bool free(span<const double> q) { return lb_collision_free(*this, data(q, nq_)); }
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
    lb_elbow_choice best(const lb_transform &target, lb_elbow_goal goal, span<const double> start,
                         span<double> q) {
        lb_elbow_choice choice{};
        lb_elbow_best(*this, &target, goal, data(start, nq_), data(q, nq_), &choice);
        return choice;
    }
    /* The joint whose value the angle is; -1: the angle is the elbow's. */
    int joint() const { return lb_elbow_joint(*this); }
private:
    int nq_;
};
} // namespace limber
#endif
