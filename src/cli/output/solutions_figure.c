/*
 * solutions_figure.c - every solution in one figure: the nearest in full, the others as ghosts.
 */
#include "base/text.h"
#include "cli/output/report.h"
#include "cli/output/solutions.h"

#include <stdlib.h>

enum { LABEL_SIZE = 40 };

/* how strongly solutions other than the nearest are drawn */
static const double ghost = 0.3;

static void write_label(const lb_solution *info, bool nearest, char label[LABEL_SIZE])
{
    text_format(label, LABEL_SIZE, "%sbranch %d%s", nearest ? "nearest: " : "", info->branch,
                info->in_limits ? "" : ", outside limits");
}

bool solutions_draw(const solutions *all, lb_drawing *drawing, const char *path)
{
    int count = (int)all->count, shown = figure_shown(count);
    size_t nq = (size_t)lb_model_nq(all->model);
    lb_drawing_pose *poses = allocate_or_exit((size_t)shown, sizeof *poses);
    char(*labels)[LABEL_SIZE] = allocate_or_exit((size_t)shown, sizeof *labels);
    for (int i = 0; i < shown; i++) {
        size_t which = (size_t)figure_pick(count, i);
        poses[i].q = all->q + which * nq;
        poses[i].strength = i == 0 ? 1 : ghost;
        write_label(&all->infos[which], i == 0, labels[i]);
        poses[i].label = all->targets->count == 1 ? labels[i] : NULL;
    }
    if (shown < count)
        remark("%d of %d solutions are drawn, evenly spaced", shown, count);
    drawing->poses = poses;
    drawing->pose_count = shown;
    bool fine = figure_draw(all->model, drawing, path);
    free(labels);
    free(poses);
    return fine;
}
