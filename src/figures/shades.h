/* shades.h - colours that stand for a number from 0 to a top, and the bar that says so. */
#ifndef FIGURES_SHADES_H
#define FIGURES_SHADES_H

#include "figures/figure.h"

/* light to dark, so that they differ in grey, too; `share` 0..1 */
figure_color shade_color(double share);

/* The numbers beside a bar of all colours. */
typedef struct shade_scale {
    double top;   /* what the darkest colour stands for, the last of the marks */
    double step;  /* from mark to mark */
    bool percent; /* they are shares of 1 */
} shade_scale;

void shade_bar(figure *page, figure_rect bar, shade_scale scale);

/* Marks for numbers up to `largest`: the top is the first that is no less. */
shade_scale shade_scale_for(double largest);

#endif
