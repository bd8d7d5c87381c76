/*
 * test_names.c - the table of names against a plain list, and the time that hostile names take.
 */
#include "model/names.h"
#include "support.h"
#include "support_growth.h"

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

TEST(names_are_found_as_in_a_list)
{
    enum { NAMES = 300 };
    static char names[NAMES][LONGEST];
    lb_random random = test_seed(81);
    for (int round = 0; round < 50; round++) {
        name_table table;
        owned void *block = start(&table, NAMES);
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
    }
}

/* each name the beginning of the next: the deepest tree */
TEST(prefixes_of_each_other_are_distinguished)
{
    enum { NAMES = 500 };
    static char names[NAMES][NAMES];
    name_table table;
    owned void *block = start(&table, NAMES);
    for (int i = 0; i < NAMES; i++) {
        memset(names[i], 'a', (size_t)i);
        assert_int_equal(name_table_add(&table, names[i], i), -1);
    }
    for (int i = 0; i < NAMES; i++)
        assert_int_equal(name_table_find(&table, names[i]), i);
}

/* ---- time ---------------------------------------------------------------- */

/*
 * Names whose FNV-1a hashes (Fowler, Noll, Vo) end in 16 bits of zero: a hash table by the usual
 * hash is as slow as a list with such names. 0x100000001b3 ends in 0x01b3.
 */
enum { NAMES = 32000 };

static char names[NAMES][LONGEST];

static uint16_t hash_on(uint16_t hash, char c)
{
    return (uint16_t)((hash ^ (unsigned char)c) * 0x01b3u);
}

/* those that begin with a number and have two letters behind it, the last of which makes the hash
   zero; returns how many names there are then */
static int add_colliding_names(uint32_t number, int count)
{
    char digits[LONGEST];
    uint16_t begun = 0x2325;
    int length = snprintf(digits, LONGEST, "%u", number);
    for (int i = 0; i < length; i++)
        begun = hash_on(begun, digits[i]);
    for (char letter = 'a'; letter <= 'z' && count < NAMES; letter++) {
        uint16_t last = hash_on(begun, letter);
        if (last < 'a' || last > 'z')
            continue;
        char *name = memcpy(names[count++], digits, (size_t)length);
        name[length] = letter;
        name[length + 1] = (char)last;
        name[length + 2] = '\0';
    }
    return count;
}

/* for every test that needs them */
static int make_colliding_names(void)
{
    int count = 0;
    for (uint32_t number = 0; count < NAMES; number++)
        count = add_colliding_names(number, count);
    return 0;
}

/* 2 ms for all names; compared one with the other they take 2 s */
static clock_t time_table(int count)
{
    name_table table;
    owned void *block = start(&table, (size_t)count);
    clock_t before = clock();
    for (int i = 0; i < count; i++)
        assert_int_equal(name_table_add(&table, names[i], i), -1);
    for (int i = 0; i < count; i++)
        assert_int_equal(name_table_find(&table, names[i]), i);
    clock_t ticks = clock() - before;
    return ticks;
}

TEST(colliding_hashes_take_linear_time)
{
    assert_grows_linearly(time_table, NAMES);
}

/* of links and joints alike, each two joints hanging from one before: 60 ms for all names; by a
   table of usual hashes 7 s */
static clock_t time_model(int count)
{
    owned lb_link *links = calloc((size_t)count, sizeof *links);
    owned lb_joint *joints = calloc((size_t)count, sizeof *joints);
    assert_true(links != NULL && joints != NULL);
    for (int i = 0; i < count; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_FIXED;
        joints[i].name = names[i];
        joints[i].parent = names[i / 2];
        joints[i].child = names[i + 1 < count ? i + 1 : i];
    }
    const lb_model_source source = {.name = "many",
                                    .root = LB_TRANSFORM_IDENTITY,
                                    .links = links,
                                    .link_count = count,
                                    .joints = joints,
                                    .joint_count = count - 1};
    owned_model *model = NULL;
    clock_t before = clock();
    assert_int_equal(lb_model_build(&source, NULL, &model, NULL), LB_OK);
    for (int i = 0; i < count; i++)
        assert_true(lb_model_find_link(model, names[i]) >= 0);
    clock_t ticks = clock() - before;
    return ticks;
}

TEST(models_of_colliding_names_take_linear_time)
{
    assert_grows_linearly(time_model, NAMES);
}

TEST_FIXTURE(make_colliding_names, NULL)
