/*
 * fuzz_map.c - workspaces of extreme arms: refused, or a map whose numbers are sound; one that is
 * solved in two halves, which are merged, is the same as one that is solved at once.
 */
#include "chain.h"

#include <limber/workspace.h>

#include <string.h>

enum { SAMPLES = 200, MOST_SOLVED = 4 };

/* numbers are compared one by one: structs have padding */
static void check_same(const lb_workspace *a, const lb_workspace *b, int index)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(a);
    int i = index % grid->count[0], j = index / grid->count[0] % grid->count[1];
    int k = index / grid->count[0] / grid->count[1];
    lb_workspace_cell x = lb_workspace_at(a, i, j, k), y = lb_workspace_at(b, i, j, k);
    FUZZ_CHECK(x.solved == y.solved && x.reached == y.reached && x.orientations == y.orientations);
    FUZZ_CHECK(x.dexterous == y.dexterous && (!x.dexterous || x.reached));
    FUZZ_CHECK(x.manipulability == y.manipulability && x.manipulability >= 0);
}

/* the map that `map` is, solved by two */
static void check_merged(const lb_model *model, const lb_task *task,
                         const lb_workspace_options *options, const lb_workspace *map, int solved)
{
    lb_workspace *first = NULL, *second = NULL, *other = NULL;
    lb_error error;
    FUZZ_CHECK(lb_workspace_create(model, task, options, NULL, &first, &error) == LB_OK);
    FUZZ_CHECK(lb_workspace_create(model, task, options, NULL, &second, &error) == LB_OK);
    lb_workspace_solve(first, 0, solved / 2);
    lb_workspace_solve(second, solved / 2, solved);
    FUZZ_CHECK(lb_workspace_merge(first, second) == LB_OK);
    for (int i = 0; i < solved; i++)
        check_same(map, first, i);
    // a grid of other cells, unless the tool stays where it is
    lb_workspace_options finer = *options;
    finer.cells = options->cells + 7;
    if (lb_workspace_create(model, task, &finer, NULL, &other, &error) == LB_OK &&
        lb_workspace_get_grid(other)->cell != lb_workspace_get_grid(first)->cell)
        FUZZ_CHECK(lb_workspace_merge(first, other) == LB_INVALID_ARGUMENT);
    lb_workspace_release(other);
    lb_workspace_release(second);
    lb_workspace_release(first);
}

static void check_counts(const lb_workspace *map)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(map);
    lb_workspace_size measured = lb_workspace_measure(map);
    FUZZ_CHECK(measured.reachable_cells <= lb_workspace_count(map));
    FUZZ_CHECK(measured.dexterous_cells <= measured.reachable_cells);
    for (int i = 0; i < grid->count[0]; i++) {
        lb_workspace_cell cell = lb_workspace_at(map, i, 0, 0);
        FUZZ_CHECK(lb_vec3_is_finite(cell.center) && cell.orientations <= grid->orientations);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    lb_model *model = fuzz_chain(&bytes);
    lb_workspace *map = NULL;
    lb_error error;
    if (!model)
        return 0;
    int links = lb_model_link_count(model);
    lb_task task = lb_task_make(fuzz_choice(&bytes, links), LB_WORLD, LB_TASK_POSE);
    lb_workspace_options options = lb_workspace_options_default();
    options.cells = 1 + fuzz_choice(&bytes, 6);
    options.angle = fuzz_choice(&bytes, 4) ? 2 : fuzz_number(&bytes);
    options.seed = fuzz_byte(&bytes);
    options.iterations = 20;
    options.manipulability = fuzz_choice(&bytes, 2) == 0;
    lb_status status = lb_workspace_create(model, &task, &options, NULL, &map, &error);
    FUZZ_CHECK((status == LB_OK) == (map != NULL));
    if (map != NULL) {
        const lb_workspace_grid *grid = lb_workspace_get_grid(map);
        int count = lb_workspace_count(map), solved = count < MOST_SOLVED ? count : MOST_SOLVED;
        FUZZ_CHECK(count == grid->count[0] * grid->count[1] * grid->count[2]);
        lb_workspace_sample(map, SAMPLES);
        // fine grids of orientations take long: a few cells of coarse ones
        if (grid->orientations < 100) {
            lb_workspace_solve(map, 0, solved);
            // of every fourth: each of its maps takes as long as this one
            if (options.seed % 4 == 0)
                check_merged(model, &task, &options, map, solved);
        }
        check_counts(map);
    }
    lb_workspace_release(map);
    lb_model_release(model);
    return 0;
}
