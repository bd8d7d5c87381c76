/* test_memory.c - pools: an allocator that gives back at once all that is taken from it. */
#include "base/memory.h"

#include "support.h"

/* What is allocated now; after `left` more there is no memory. */
typedef struct counter {
    int now, left;
} counter;

static void *count_up(void *user, size_t size)
{
    counter *c = user;
    if (c->left-- <= 0)
        return NULL;
    c->now++;
    return malloc(size);
}

static void count_down(void *user, void *memory)
{
    counter *c = user;
    c->now -= memory != NULL;
    free(memory);
}

/* arrays are zeroed, apart, and can be released in any order before the rest of them is */
TEST(a_pool_gives_back_what_is_left)
{
    counter c = {0, 1000};
    lb_allocator from = {count_up, count_down, &c};
    lb_random random = lb_random_seed(3);
    for (int round = 0; round < 50; round++) {
        memory_pool pool;
        lb_allocator memory = memory_pool_begin(&pool, &from);
        double *arrays[12];
        c.left = 1000;
        for (int i = 0; i < 12; i++) {
            arrays[i] = memory_take(&memory, 10, sizeof *arrays[i]);
            for (int k = 0; k < 10; k++) {
                assert_true(arrays[i][k] == 0);
                arrays[i][k] = i;
            }
        }
        int left = 12;
        for (int i = 0; i < 12; i++)
            if (lb_random_unit(&random) < 0.5) {
                int which = (7 * i) % 12;
                for (int k = 0; k < 10; k++)
                    assert_true(arrays[which][k] == which);
                memory_release(&memory, arrays[which]);
                left--;
            }
        memory_release(&memory, NULL);
        assert_int_equal(c.now, left);
        assert_false(memory_pool_failed(&memory));
        memory_pool_end(&pool);
        assert_int_equal(c.now, 0);
    }
}

TEST(a_pool_tells_what_it_had_no_memory_for)
{
    counter c = {0, 2};
    lb_allocator from = {count_up, count_down, &c};
    memory_pool pool;
    lb_allocator memory = memory_pool_begin(&pool, &from);
    assert_non_null(memory_take(&memory, 3, 8));
    assert_non_null(memory_take(&memory, 0, 8));
    assert_false(memory_pool_failed(&memory));
    assert_null(memory_take(&memory, 1, 1));
    assert_true(memory_pool_failed(&memory));
    memory_pool_end(&pool);
    assert_int_equal(c.now, 0);
}

TEST(a_pool_has_no_more_than_there_is)
{
    static const size_t sizes[][2] = {
        {SIZE_MAX, 2}, {SIZE_MAX / 2 + 1, 2}, {1, SIZE_MAX}, {1, SIZE_MAX - 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        counter c = {0, 10};
        lb_allocator from = {count_up, count_down, &c};
        memory_pool pool;
        lb_allocator memory = memory_pool_begin(&pool, &from);
        assert_null(memory_take(&memory, sizes[i][0], sizes[i][1]));
        assert_true(memory_pool_failed(&memory));
        memory_pool_end(&pool);
        assert_int_equal(c.now, 0);
    }
}
