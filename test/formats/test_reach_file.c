/*
 * test_reach_file.c - maps of reach in files by the calls of the library: records are those of
 * lb_reach_map_solve, what is there stays, parts are joined. The program's and Python's tests see
 * more of the format (test_cli_map, test_command.py).
 */
#include "support_load.h"

#include <limber/formats/reach_file.h>

enum { FIELDS = LB_REACH_SOLUTIONS | LB_REACH_LIMIT_MARGIN, RECORD = 4 + 4 + 2 };

static bool accept(void *user, const double *q)
{
    (void)user;
    (void)q;
    return true;
}

static lb_reach_map *make_map(const lb_model *model, double cell, lb_solution_filter *filter)
{
    lb_reach_map *map = NULL;
    lb_task task = lb_task_make(lb_model_find_link(model, "tool0"), LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    options.cell = cell;
    options.orientations = 72;
    options.contents = FIELDS;
    options.filter = filter;
    assert_made(lb_reach_map_create(model, &task, &options, NULL, &map, &cause), cause);
    return map;
}

/* decides a part in a new file */
static void make_part(const char *path, lb_reach_map *map, size_t part, size_t parts)
{
    lb_reach_file *file = NULL;
    assert_made(lb_reach_file_open(path, map, part, parts, true, &file, &cause), cause);
    for (size_t i = 0; i < lb_reach_file_tiles(file); i++)
        assert_made(lb_reach_file_decide(file, map, i, &cause), cause);
    assert_refused(lb_reach_file_decide(file, map, lb_reach_file_tiles(file), &cause),
                   LB_INVALID_ARGUMENT, &cause, "no tile");
    assert_made(lb_reach_file_close(file, &cause), cause);
}

TEST(parts_make_the_array_of_all_records)
{
    owned_model *model = test_load("ur5");
    owned_reach_map *map = make_map(model, 0.5, NULL);
    const char *const parts[] = {"reach2.npy", "reach1.npy"};
    unsigned char expected[LB_REACH_HEADER_MAX], record[RECORD];
    make_part(parts[1], map, 1, 2);
    make_part(parts[0], map, 2, 2);
    assert_made(lb_reach_file_join(parts, 2, "reach.npy", &cause), cause);
    size_t size = lb_reach_record_header(map, expected);
    assert_int_equal(lb_reach_record_size(map), RECORD);
    FILE *file = fopen("reach.npy", "rb");
    unsigned char found[LB_REACH_HEADER_MAX];
    assert_non_null(file);
    assert_int_equal(fread(found, 1, size, file), size);
    assert_memory_equal(found, expected, size);
    for (size_t i = 0; i < lb_reach_map_count(map); i++) {
        lb_reach_cell cell = lb_reach_map_solve(map, i, NULL);
        lb_reach_record_solve(map, i, record);
        assert_int_equal(record[RECORD - 2] + 256 * record[RECORD - 1], cell.reached);
        assert_int_equal(fread(found, 1, RECORD, file), RECORD);
        assert_memory_equal(found, record, RECORD);
    }
    assert_int_equal(fread(found, 1, 1, file), 0);
    fclose(file);
}

TEST(other_maps_are_refused)
{
    owned_model *model = test_load("ur5");
    owned_reach_map *map = make_map(model, 0.5, NULL), *other = make_map(model, 0.7, NULL);
    owned_reach_map *filtered = make_map(model, 0.5, accept);
    lb_reach_file *file = NULL;
    make_part("reach.npy", map, 1, 1);
    assert_refused(lb_reach_file_open("reach.npy", other, 1, 1, false, &file, &cause), LB_BAD_VALUE,
                   &cause, "differs in count, cell");
    assert_refused(lb_reach_file_open("reach.npy", map, 1, 2, false, &file, &cause), LB_BAD_VALUE,
                   &cause, "differs in part");
    assert_refused(lb_reach_file_open("reach.npy", filtered, 1, 1, true, &file, &cause),
                   LB_UNSUPPORTED, &cause, "nothing describes it");
    assert_refused(lb_reach_file_open("reach.npy", map, 3, 2, true, &file, &cause),
                   LB_INVALID_ARGUMENT, &cause, "no part 3 of 2");
    assert_refused(lb_reach_file_open("reach.dat", map, 1, 1, true, &file, &cause), LB_UNSUPPORTED,
                   &cause, "must end in .npy");
    assert_made(lb_reach_file_open("reach.npy", map, 1, 1, false, &file, &cause), cause);
    assert_refused(lb_reach_file_decide(file, other, 0, &cause), LB_INVALID_ARGUMENT, &cause,
                   "the map is another");
    assert_made(lb_reach_file_close(file, &cause), cause);
}

static int drop_files(void)
{
    static const char *const names[] = {"reach", "reach1", "reach2"};
    char path[20];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s.npy", names[i]);
        remove(path);
        snprintf(path, sizeof path, "%s.json", names[i]);
        remove(path);
    }
    return 0;
}

TEST_FIXTURE(NULL, drop_files)
