/* workspace.c - where a tool can be, by samples. */
#include "../binding.h"

#include <limber/workspace.h>

#include <string.h>

/* cells along the longest side, 0: the library's choice */
lb_workspace *EXPORT(workspace_create)(const lb_model *model, int tip, const double *tool,
                                       int cells)
{
    lb_workspace *workspace = NULL;
    lb_workspace_options options = lb_workspace_options_default();
    options.cells = cells;
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSITION);
    task.tool = transform_from(tool);
    lb_workspace_create(model, &task, &options, NULL, &workspace, &binding_error);
    return workspace;
}

void EXPORT(workspace_release)(lb_workspace *workspace)
{
    lb_workspace_release(workspace);
}

/* tries `count` more configurations; returns how many cells have been reached by now */
int EXPORT(workspace_sample)(lb_workspace *workspace, int count)
{
    lb_workspace_sample(workspace, count);
    return lb_workspace_get_grid(workspace)->reached;
}

/*
 * Fills out[20]: T_base_grid, the least corner in grid axes, the cells' edge, how many cells
 * there are along x, y, z, and the number of orientations.
 */
void EXPORT(workspace_grid)(const lb_workspace *workspace, double *out)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(workspace);
    memcpy(out, &grid->frame, sizeof grid->frame);
    memcpy(out + 12, &grid->corner, sizeof grid->corner);
    out[15] = grid->cell;
    for (int i = 0; i < 3; i++)
        out[16 + i] = grid->count[i];
    out[19] = grid->orientations;
}

/*
 * Decides cell (i, j, k) by inverse kinematics at its centre; returns the share of orientations
 * in which the centre is reached, -1 where it is not reached at all.
 */
double EXPORT(workspace_solve)(lb_workspace *workspace, int i, int j, int k)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(workspace);
    int index = (k * grid->count[1] + j) * grid->count[0] + i;
    lb_workspace_solve(workspace, index, index + 1);
    lb_workspace_cell cell = lb_workspace_at(workspace, i, j, k);
    return cell.reached ? (double)cell.orientations / grid->orientations : -1;
}

/*
 * Fills rows of x, y, z and the share of orientations, for the cells that were
 * reached, `room` of them at most; returns how many there are.
 */
int EXPORT(workspace_cells)(const lb_workspace *workspace, double *out, int room)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(workspace);
    int found = 0;
    for (int i = 0; i < grid->count[0]; i++)
        for (int j = 0; j < grid->count[1]; j++)
            for (int k = 0; k < grid->count[2]; k++) {
                lb_workspace_cell cell = lb_workspace_at(workspace, i, j, k);
                if (cell.samples == 0)
                    continue;
                if (found < room) {
                    memcpy(out + 4 * (size_t)found, &cell.center, sizeof cell.center);
                    out[4 * (size_t)found + 3] = (double)cell.orientations / grid->orientations;
                }
                found++;
            }
    return found;
}
