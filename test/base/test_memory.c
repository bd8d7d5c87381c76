/* test_memory.c - pools, which give back at once what is taken from them, and arrays that grow. */
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

/* an array that grows keeps its elements, and itself where there is no memory */
TEST(an_array_grows)
{
    counter c = {0, 1000};
    lb_allocator from = {count_up, count_down, &c};
    size_t room = 0, rooms = 0;
    int *array = NULL;
    for (size_t n = 0; n < 1000; n++) {
        size_t before = room;
        array = memory_grow(&from, array, n, &room, n + 1, sizeof *array);
        assert_non_null(array);
        assert_true(room > n);
        assert_int_equal(c.now, 1);
        rooms += room != before;
        array[n] = (int)n;
        for (size_t i = 0; i <= n; i += 97)
            assert_int_equal(array[i], (int)i);
    }
    assert_true(rooms < 12);
    c.left = 0;
    size_t full = room;
    assert_null(memory_grow(&from, array, full, &room, full + 1, sizeof *array));
    assert_null(memory_grow(&from, array, full, &room, SIZE_MAX, sizeof *array));
    assert_int_equal(room, full);
    assert_int_equal(array[999], 999);
    memory_release(&from, array);
}
