/*
 * cli/figure.c - poses drawn into a figure.
 */
#include "cli/figure.h"

#include "cli/arguments.h"
#include "cli/report.h"
#include "cli/values.h"

static text_option title_given, size_given, view_given;

const struct poptOption figure_options[] = {
    OPTION_TEXT("title", title_given, "TEXT", "written above the figure"),
    OPTION_TEXT("size", size_given, "\"WIDTH HEIGHT\"",
                "in points, or pixels for PNG; default: 720 540"),
    OPTION_TEXT("view", view_given, "\"AZIMUTH ELEVATION\"",
                "where it is seen from, as angles; default: chosen from the model"),
    OPTION_END,
};

bool figure_given(lb_drawing *drawing)
{
    *drawing = lb_drawing_default();
    drawing->title = option_text(title_given);
    const char *size = option_text(size_given), *view = option_text(view_given);
    double numbers[2];
    if (size != NULL) {
        if (!argument_numbers("--size", size, "width height", 2, numbers))
            return false;
        drawing->width = numbers[0];
        drawing->height = numbers[1];
    }
    if (view != NULL) {
        if (!argument_numbers("--view", view, "azimuth elevation", 2, numbers))
            return false;
        drawing->azimuth = numbers[0] * angle_unit();
        drawing->elevation = numbers[1] * angle_unit();
    }
    return true;
}

int figure_shown(int count)
{
    return count < FIGURE_POSES ? count : FIGURE_POSES;
}

int figure_pick(int count, int i)
{
    return count <= FIGURE_POSES ? i : (int)((long long)i * (count - 1) / (FIGURE_POSES - 1));
}

bool figure_draw(const lb_model *model, const lb_drawing *drawing, const char *path)
{
    lb_error error = {0};
    if (lb_draw(model, drawing, path, &error) == LB_OK)
        return true;
    complain_error(&error);
    return false;
}
