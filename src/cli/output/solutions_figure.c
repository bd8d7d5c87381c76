/*
 * solutions_figure.c - every solution in one figure: the nearest in full, the others as ghosts.
 */
#include "base/text.h"
#include "cli/output/solutions.h"

static void write_label(const void *user, int i, char label[FIGURE_LABEL_SIZE])
{
    const lb_solution *info = &((const solutions *)user)->infos[i];
    text_format(label, FIGURE_LABEL_SIZE, "%sbranch %d%s", i == 0 ? "nearest: " : "", info->branch,
                info->in_limits ? "" : ", outside limits");
}

bool solutions_draw(const solutions *all, lb_drawing *drawing, const char *path)
{
    return figure_draw_ghosts(all->model, drawing, path, all->q, (int)all->count,
                              all->targets->count == 1 ? write_label : NULL, all);
}
