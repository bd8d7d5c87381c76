/* map.c - where the cells of a map are. */
#include "workspace/map.h"

lb_vec3 map_center(const lb_workspace *w, size_t index)
{
    const lb_workspace_grid *grid = &w->grid;
    size_t x = (size_t)grid->count[0], y = (size_t)grid->count[1];
    lb_vec3 at = lb_vec3_make((double)(index % x) + 0.5, (double)(index / x % y) + 0.5,
                              (double)(index / x / y) + 0.5);
    lb_vec3 center = lb_vec3_add(grid->corner, lb_vec3_scale(at, grid->cell));
    if (grid->planar)
        center.z = 0;
    return center;
}
