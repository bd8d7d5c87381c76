/* test_dh.c - models from Denavit-Hartenberg tables. */
#include "support.h"

enum { TREES = 200 };

/* ---- Denavit-Hartenberg ------------------------------------------------- */

/* One factor of a row, as the papers print it. */
static lb_transform dh_factor(bool about_z, double angle, double distance)
{
    double c = cos(angle), s = sin(angle);
    if (about_z)
        return (lb_transform){{c, s, 0}, {-s, c, 0}, {0, 0, 1}, {0, 0, distance}};
    return (lb_transform){{1, 0, 0}, {0, c, s}, {0, -s, c}, {distance, 0, 0}};
}

TEST(dh_tables_give_their_own_products)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        bool modified = seed % 2;
        lb_dh_row rows[6];
        int n = 1 + test_random_index(&random, 6);
        for (int i = 0; i < n; i++)
            rows[i] = (lb_dh_row){.kind = i % 3 == 1 ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE,
                                  .theta = lb_random_between(&random, -3, 3),
                                  .d = lb_random_between(&random, -1, 1),
                                  .a = lb_random_between(&random, -1, 1),
                                  .alpha = lb_random_between(&random, -3, 3),
                                  .lower = -2,
                                  .upper = 2};
        owned_model *model = NULL;
        assert_int_equal(lb_model_from_dh("table", rows, n, modified, NULL, &model, NULL), LB_OK);
        assert_int_equal(lb_model_joint_count(model), modified ? n : n + 1);
        assert_int_equal(lb_model_nq(model), n);

        // the product of all rows, with the joint's variable added to its own entry
        double q[6];
        lb_configuration_random(model, &random, q);
        lb_transform product = LB_TRANSFORM_IDENTITY;
        for (int i = 0; i < n; i++) {
            bool slides = rows[i].kind == LB_JOINT_PRISMATIC;
            lb_transform z = dh_factor(true, rows[i].theta + (slides ? 0 : q[i]),
                                       rows[i].d + (slides ? q[i] : 0));
            lb_transform x = dh_factor(false, rows[i].alpha, rows[i].a);
            product = lb_transform_multiply(&product, modified ? &x : &z);
            product = lb_transform_multiply(&product, modified ? &z : &x);
        }
        lb_transform links[8];
        test_forward(model, q, links);
        assert_transform_near(&links[lb_model_link_count(model) - 1], &product, 1e-13);
    }
}

TEST(dh_tables_name_their_parts)
{
    lb_dh_row rows[2] = {{.kind = LB_JOINT_REVOLUTE, .lower = -1, .upper = 1},
                         {.kind = LB_JOINT_CONTINUOUS}};
    lb_model *model = NULL;
    lb_error error = {0};
    assert_int_equal(lb_model_from_dh("two", rows, 2, false, NULL, &model, &error), LB_OK);
    assert_string_equal(lb_model_name(model), "two");
    assert_int_equal(lb_model_find_link(model, "base"), 0);
    assert_int_equal(lb_model_find_joint(model, "joint_2"), 1);
    assert_int_equal(lb_model_find_link(model, "link_2"), 2);
    assert_int_equal(lb_model_find_joint(model, "tool"), 2);
    assert_int_equal(lb_model_find_link(model, "tool"), 3);
    lb_model_release(model);

    // and say which row is wrong
    rows[1].alpha = NAN;
    assert_int_equal(lb_model_from_dh("two", rows, 2, true, NULL, &model, &error), LB_BAD_VALUE);
    assert_string_equal(error.message, "row 2: theta, d, a and alpha must be finite");
    rows[1].kind = LB_JOINT_BALL;
    assert_int_equal(lb_model_from_dh("two", rows, 2, true, NULL, &model, &error), LB_BAD_VALUE);
    assert_non_null(strstr(error.message, "row 2: ball joints have no row"));
    assert_int_equal(lb_model_from_dh("two", rows, 0, true, NULL, &model, &error),
                     LB_INVALID_ARGUMENT);
    rows[0].lower = 3;
    assert_int_equal(lb_model_from_dh("two", rows, 1, true, NULL, &model, &error), LB_BAD_VALUE);
    assert_string_equal(error.message, "joint 'joint_1': limit lower 3 is above upper 1");
    assert_null(model);
}

/* a default row bounds nothing, and its joint goes anywhere */
TEST(default_rows_have_no_limits)
{
    lb_dh_row rows[2] = {lb_dh_row_default(), lb_dh_row_default()};
    owned_model *model = NULL;
    rows[0].a = rows[1].a = 1;
    rows[1].kind = LB_JOINT_PRISMATIC;
    assert_int_equal(lb_model_from_dh("two", rows, 2, false, NULL, &model, NULL), LB_OK);
    for (int j = 0; j < 2; j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        assert_int_equal(joint->kind, j == 0 ? LB_JOINT_REVOLUTE : LB_JOINT_PRISMATIC);
        assert_true(joint->lower[0] == -INFINITY && joint->upper[0] == INFINITY);
    }
    const double far[] = {1e3, -1e3};
    double q[2];
    lb_configuration_clamp(model, far, q);
    assert_memory_equal(q, far, sizeof far);
}
