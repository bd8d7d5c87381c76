/*
 * drawn.h - figures that must be drawn, and a figure that walks to draw them of.
 */
#ifndef TEST_FIGURES_DRAWN_H
#define TEST_FIGURES_DRAWN_H

#include "picture.h"
#include "support.h"

#include <limber/figures/draw.h>
#include <limber/figures/strip.h>
#include <limber/formats/load.h>
#include <limber/gait.h>

static inline void draw_model(const lb_model *model, const lb_drawing *drawing, const char *path)
{
    lb_error error = {0};
    if (lb_draw(model, drawing, path, &error) != LB_OK)
        fail_msg("%s: %s: %s", lb_model_name(model), error.path, error.message);
    assert_true(figure_is_sound(path));
}

/* The figure "human" that walks three cycles, and a strip of it. */
typedef struct walker {
    lb_model *model;
    lb_clip *clip;
    lb_contacts *contacts;
    lb_strip_row row;
    lb_strip strip;
} walker;

/* `rate` in frames a second; *w must not move, since its strip points into it */
static inline void walker_start(walker *w, double rate, const char *label)
{
    lb_error error = {0};
    lb_gait gait = lb_gait_default();
    lb_load_options options = {.root = LB_ROOT_FLOATING};
    gait.cycles = 3;
    gait.rate = rate;
    if (lb_load_with_options("human", &options, &w->model, &error) != LB_OK ||
        lb_gait_walk(w->model, &gait, NULL, &w->clip, &w->contacts, &error) != LB_OK)
        fail_msg("%s", error.message);
    w->row = (lb_strip_row){.clip = w->clip, .contacts = w->contacts, .label = label};
    w->strip = lb_strip_default();
    w->strip.rows = &w->row;
    w->strip.row_count = 1;
}

static inline void walker_stop(walker *w)
{
    lb_contacts_release(w->contacts);
    lb_clip_release(w->clip);
    lb_model_release(w->model);
}

#endif
