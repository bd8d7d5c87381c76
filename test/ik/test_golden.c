/*
 * test_golden.c - the results have the bits that bench/golden_table.h says, at every width.
 *
 * bits_<way> compare other compilers, levels and machines with this build.
 */
#include "bench/golden.h"

#include <limber/formats/load.h>

#include "harness.h"

static lb_model *load(const golden_robot *robot)
{
    lb_model *model = NULL;
    assert_int_equal(lb_load(robot->model, NULL, &model, NULL), LB_OK);
    return model;
}

TEST(every_robot_is_found)
{
    int count = 0;
    for (const golden_robot *robot = golden_robots; robot->model; robot++, count++) {
        owned_model *model = load(robot);
        lb_task task = golden_task(robot, model);
        assert_ptr_equal(golden_find(robot->model), robot);
        assert_true(task.tip >= 0);
        assert_int_equal(task.base >= 0, robot->base[0] != '\0');
    }
    assert_int_equal(count, 9);
    assert_null(golden_find("none"));
}

/* the only difference between the widths is how long they take */
TEST(results_have_golden_bits)
{
    int wrong = 0;
    for (const golden_robot *robot = golden_robots; robot->model; robot++) {
        owned_model *model = load(robot);
        for (int width = 0; width <= 8; width = width ? 2 * width : 1) {
            uint64_t hash;
            assert_true(golden_hash(robot, model, width, &hash));
            if (hash == robot->hash)
                continue;
            print_error("%s at width %d: 0x%016llx, not 0x%016llx\n", robot->model, width,
                        (unsigned long long)hash, (unsigned long long)robot->hash);
            wrong++;
        }
    }
    if (wrong > 0)
        fail_msg("%d hashes are wrong; if results are meant to change, see bench/golden.h", wrong);
}

TEST(whole_bodies_have_golden_bits)
{
    int wrong = 0;
    for (const golden_body *row = golden_bodies; row->model; row++) {
        owned_model *model = NULL;
        assert_ptr_equal(golden_find_body(row->model), row);
        assert_int_equal(lb_load(row->model, NULL, &model, NULL), LB_OK);
        for (int width = 0; width <= 8; width = width ? 2 * width : 1) {
            uint64_t hash;
            assert_true(golden_body_hash(row, model, width, &hash));
            if (hash == row->hash)
                continue;
            print_error("bodies of %s at width %d: 0x%016llx, not 0x%016llx\n", row->model, width,
                        (unsigned long long)hash, (unsigned long long)row->hash);
            wrong++;
        }
    }
    if (wrong > 0)
        fail_msg("%d hashes are wrong; if results are meant to change, see bench/golden.h", wrong);
}

/* a hash that nothing can change would prove nothing */
TEST(every_bit_counts)
{
    const double numbers[] = {0.1, -0.0, 1e300};
    uint64_t whole = golden_start();
    golden_add(&whole, numbers, 3);
    for (int i = 0; i < 3; i++) {
        for (int bit = 0; bit < 64; bit++) {
            double changed[3] = {numbers[0], numbers[1], numbers[2]};
            uint64_t pattern, hash = golden_start();
            memcpy(&pattern, &changed[i], sizeof pattern);
            pattern ^= UINT64_C(1) << bit;
            memcpy(&changed[i], &pattern, sizeof pattern);
            golden_add(&hash, changed, 3);
            assert_true(hash != whole);
        }
    }
    assert_true(whole != golden_start());
}
