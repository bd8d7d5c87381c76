/*
 * figure.c - figures requested by options: size, view, and poses drawn into one.
 */
#include "cli/options/figure.h"

#include "cli/options/targets.h"
#include "cli/report/report.h"
#include "figures/figure.h"

#include <stdlib.h>

static text_option title_given, size_given, view_given;

const struct poptOption title_options[] = {
    OPTION_TEXT("title", title_given, "TEXT", "written above the figure"),
    OPTION_END,
};

const struct poptOption view_options[] = {
    OPTION_TEXT("view", view_given, "\"AZIMUTH ELEVATION\"",
                "where it is seen from, as angles; default: chosen from the model"),
    OPTION_END,
};

const struct poptOption size_options[] = {
    OPTION_TEXT("size", size_given, "\"WIDTH HEIGHT\"",
                "in points, or pixels for PNG; default: 720 540"),
    OPTION_END,
};

const struct poptOption figure_options[] = {
    OPTION_TABLE(title_options),
    OPTION_TABLE(size_options),
    OPTION_TABLE(view_options),
    OPTION_END,
};

const char *figure_title(void)
{
    return option_text(title_given);
}

lb_drawing figure_given(const char *path)
{
    double numbers[2];
    lb_drawing drawing = lb_drawing_default();
    drawing.title = figure_title();
    if (size_given != NULL) {
        argument_numbers("--size", option_text(size_given), "width height", 2, numbers);
        drawing.width = numbers[0];
        drawing.height = numbers[1];
    }
    if (view_given != NULL) {
        argument_numbers("--view", option_text(view_given), "azimuth elevation", 2, numbers);
        angles_remark("--view", numbers, 2);
        drawing.azimuth = numbers[0] * angle_unit();
        drawing.elevation = numbers[1] * angle_unit();
    }
    require(figure_check(path, drawing.width, drawing.height, why()));
    return drawing;
}

/* ---- figures beside rows -------------------------------------------------- */

text_option figure_file;
/* what its options are */
static lb_drawing wanted;

void figure_prepare(const struct poptOption *looks)
{
    if (figure_file == NULL)
        option_none_given(looks, "without --figure");
    else
        wanted = figure_given(option_text(figure_file));
}

const char *figure_wanted(lb_drawing *drawing)
{
    *drawing = wanted;
    return option_text(figure_file);
}

/* ---- poses ---------------------------------------------------------------- */

int figure_shown(int count)
{
    return count < FIGURE_POSES ? count : FIGURE_POSES;
}

int figure_pick(int count, int i)
{
    return count <= FIGURE_POSES ? i : (int)((long long)i * (count - 1) / (FIGURE_POSES - 1));
}

void figure_draw(const lb_model *model, const lb_drawing *drawing, const char *path)
{
    require(lb_draw(model, drawing, path, why()));
}
