/*
 * test_linkage_descent.c - what one descent of a closed linkage does, and what is said of it where
 * it does not arrive: refuted by closed configurations nearby, of a drive that is moved.
 */
#include <limber/body.h>

#include "linkages.h"

/* ---- cranks ------------------------------------------------------------------ */

/* A four-bar whose crank makes whole turns, closed from its angles alone. */
typedef struct crank_case {
    four_bar b;
    lb_model *model;
} crank_case;

/* the shortest bar turns against all others if it and the longest are no longer than the rest */
static crank_case draw_crank(lb_random *random, uint64_t seed)
{
    crank_case c = {.b = {.side = seed % 2 ? 1 : -1, .crank = 0.5}};
    double *bars[] = {&c.b.ground, &c.b.coupler, &c.b.rocker};
    double most;
    do {
        most = 0;
        for (int i = 0; i < 3; i++) {
            *bars[i] = lb_random_between(random, 0.6, 2.3);
            most = fmax(most, *bars[i]);
        }
    } while (2 * (c.b.crank + most) > c.b.crank + c.b.ground + c.b.coupler + c.b.rocker - 0.1);
    c.model = make_four_bar(&c.b, 0.4, seed % 3 ? LB_LOOP_HINGE : LB_LOOP_BALL, seed);
    return c;
}

/* the closed configuration of a crank's angle, on the branch of its side */
static void close_crank(const crank_case *c, double u, double q[3])
{
    double pin, pivot;
    angles_of(&c->b, u, &pin, &pivot);
    *value_of(c->model, q, 1) = u;
    *value_of(c->model, q, 2) = pin;
    *value_of(c->model, q, 3) = pivot;
    assert_true(gap(c->model, q) < 1e-9);
}

/* one solve of its joint and one of its coupler's pose, by `turn` from `from` */
static void check_turn(const crank_case *c, int level, double from, double turn)
{
    lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_JOINT, 0),
                             lb_body_task_make(LB_BODY_POSE, lb_model_find_link(c->model, "l2"))};
    lb_body_options options = lb_body_options_default();
    double start[3], goal[3], q[3];
    tasks[0].joint = lb_model_find_joint(c->model, "j1");
    tasks[0].level = tasks[1].level = level;
    options.restarts = 0;
    close_crank(c, from, start);
    close_crank(c, from + turn, goal);
    for (int i = 0; i < 2; i++) {
        lb_body_result result;
        owned_body *body = NULL;
        assert_int_equal(lb_body_create(c->model, &tasks[i], 1, &options, NULL, &body, NULL),
                         LB_OK);
        lb_body_hold(body, 0, goal);
        assert_int_equal(lb_body_solve(body, start, q, &result), LB_REACHED);
        assert_true(result.iterations < 20 && result.loop_error <= 1e-12);
        for (int k = 0; k < 3; k++)
            assert_true(angle_between(q[k], goal[k]) < 1e-5);
    }
}

/* one solve turns a crank by any angle, and keeps the branch */
TEST(cranks_turn_at_once)
{
    lb_random random = test_seed(70);
    for (uint64_t i = 0; i < FEWER(100, 4); i++) {
        crank_case c = draw_crank(&random, i);
        owned_model *model = c.model;
        for (int k = 0; k < 6; k++)
            check_turn(&c, k % 3, lb_random_between(&random, -LB_PI, LB_PI),
                       lb_random_between(&random, -1, 1));
        assert_int_equal(lb_model_nq(model), 3);
    }
}
