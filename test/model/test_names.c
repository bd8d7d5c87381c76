/*
 * test_names.c - the table of names against a plain list, and the time that hostile names take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/names.h"
#include "support.h"

enum { LONGEST = 16 };

static void *start(name_table *table, size_t count)
{
    memory_arena arena = {0};
    name_table_lay_out(table, count, &arena);
    void *block = calloc(1, arena.used + 1);
    assert_non_null(block);
    arena = (memory_arena){.block = block};
    name_table_lay_out(table, count, &arena);
    return block;
}

/* few letters, some of them beyond ASCII, so that many names are equal or begin alike */
static void random_name(lb_random *random, char name[LONGEST])
{
    static const char letters[] = "aab\x01\x7f\x80\xff";
    int length = test_random_index(random, LONGEST);
    for (int i = 0; i < length; i++)
        name[i] = letters[test_random_index(random, sizeof letters - 1)];
    name[length] = '\0';
}

/* the first of equal names, -1: none */
static int find_plainly(char names[][LONGEST], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void names_are_found_as_in_a_list(void **state)
{
    (void)state;
    enum { NAMES = 300 };
    static char names[NAMES][LONGEST];
    lb_random random = test_seed(81);
    for (int round = 0; round < 50; round++) {
        name_table table;
        void *block = start(&table, NAMES);
        int count = 0;
        assert_int_equal(name_table_find(&table, "a"), -1);
        for (int i = 0; i < 2 * NAMES && count < NAMES; i++) {
            char name[LONGEST];
            random_name(&random, name);
            int known = find_plainly(names, count, name);
            assert_int_equal(name_table_find(&table, name), known);
            memcpy(names[count], name, LONGEST);
            assert_int_equal(name_table_add(&table, names[count], count), known);
            count += known < 0;
        }
        for (int i = 0; i < count; i++)
            assert_int_equal(name_table_find(&table, names[i]), i);
        free(block);
    }
}

/* each name the beginning of the next: the deepest tree */
static void prefixes_of_each_other_are_distinguished(void **state)
{
    (void)state;
    enum { NAMES = 500 };
    static char names[NAMES][NAMES];
    name_table table;
    void *block = start(&table, NAMES);
    for (int i = 0; i < NAMES; i++) {
        memset(names[i], 'a', (size_t)i);
        assert_int_equal(name_table_add(&table, names[i], i), -1);
    }
    for (int i = 0; i < NAMES; i++)
        assert_int_equal(name_table_find(&table, names[i]), i);
    free(block);
}

/* ---- time ---------------------------------------------------------------- */

/*
 * The next name whose FNV-1a hash (Fowler, Noll, Vo) ends in 16 bits of zero: a hash table by
 * the usual hash is as slow as a list with such names. 0x100000001b3 ends in 0x01b3.
 */
static void next_colliding_name(uint32_t *number, char name[LONGEST])
{
    for (;; (*number)++) {
        uint16_t hash = 0x2325;
        int length = snprintf(name, LONGEST, "%u", *number);
        for (int i = 0; i < length; i++)
            hash = (uint16_t)((hash ^ (unsigned char)name[i]) * 0x01b3u);
        // a last letter makes it zero
        if (hash < 'a' || hash > 'z')
            continue;
        name[length] = (char)hash;
        name[length + 1] = '\0';
        (*number)++;
        return;
    }
}

static void colliding_hashes_take_no_time(void **state)
{
    (void)state;
    enum { NAMES = 20000 };
    static char names[NAMES][LONGEST];
    uint32_t number = 0;
    for (int i = 0; i < NAMES; i++)
        next_colliding_name(&number, names[i]);
    name_table table;
    void *block = start(&table, NAMES);
    clock_t before = clock();
    for (int i = 0; i < NAMES; i++)
        assert_int_equal(name_table_add(&table, names[i], i), -1);
    for (int i = 0; i < NAMES; i++)
        assert_int_equal(name_table_find(&table, names[i]), i);
    // of the processor's time 2 ms; compared one with the other they take 2 s
    assert_true(clock() - before < CLOCKS_PER_SEC);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_as_in_a_list),
        cmocka_unit_test(prefixes_of_each_other_are_distinguished),
        cmocka_unit_test(colliding_hashes_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
