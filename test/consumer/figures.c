/* figures.c - a user's program that draws an arm built in code; it reads no files. */
#include <limber/figures/draw.h>
#include <limber/limber.h>
#include <stdio.h>

int main(void)
{
    // an ending that is none is refused before anything is drawn
    lb_dh_row row = lb_dh_row_default();
    row.a = 1;
    lb_model *model = NULL;
    lb_error error;
    if (lb_model_from_dh("arm", &row, 1, false, NULL, &model, &error) != LB_OK)
        return 1;
    lb_drawing drawing = lb_drawing_default();
    lb_status refused = lb_draw(model, &drawing, "figure.none", &error);
    printf("%s\n", error.message);
    lb_status drawn = lb_draw(model, &drawing, "figure.svg", &error);
    lb_model_release(model);
    return refused == LB_UNSUPPORTED && drawn == LB_OK ? 0 : 1;
}
