/* fuzz_map.c - workspaces of extreme arms: refused, or a map whose numbers are sound. */
#include "chain.h"

#include <limber/workspace.h>

enum { SAMPLES = 200, MOST_SOLVED = 8 };

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
        int count = lb_workspace_count(map);
        FUZZ_CHECK(count == grid->count[0] * grid->count[1] * grid->count[2]);
        lb_workspace_sample(map, SAMPLES);
        // fine grids of orientations take long: a few cells of coarse ones
        if (grid->orientations < 100)
            lb_workspace_solve(map, 0, count < MOST_SOLVED ? count : MOST_SOLVED);
        lb_workspace_size measured = lb_workspace_measure(map);
        FUZZ_CHECK(measured.reachable_cells <= count);
        FUZZ_CHECK(measured.dexterous_cells <= measured.reachable_cells);
        for (int i = 0; i < grid->count[0]; i++) {
            lb_workspace_cell cell = lb_workspace_at(map, i, 0, 0);
            FUZZ_CHECK(lb_vec3_is_finite(cell.center) && cell.orientations <= grid->orientations);
        }
    }
    lb_workspace_release(map);
    lb_model_release(model);
    return 0;
}
