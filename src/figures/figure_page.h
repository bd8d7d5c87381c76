/*
 * figure_page.h - what a page is made of; for the files of the toolbox alone.
 */
#ifndef FIGURES_FIGURE_PAGE_H
#define FIGURES_FIGURE_PAGE_H

#include "figures/cairo_functions.h"
#include "figures/figure.h"
#include "formats/file.h"

typedef enum figure_format { PAGE_NONE, PAGE_SVG, PAGE_PNG, PAGE_PDF } figure_format;

/* An SVG's text until it is complete. */
typedef struct figure_svg {
    char *text;
    size_t size, room;
} figure_svg;

/* cairo's writing function; `user` is a figure_svg. */
cairo_status_t figure_svg_keep(void *user, const unsigned char *bytes, unsigned int n);
cairo_status_t figure_svg_write(const figure_svg *svg, FILE *stream);

struct figure {
    double width, height;
    double density; /* pixels a point of a PNG */
    figure_format format;
    file_writer writer;
    figure_svg svg;
    cairo_surface_t *surface;
    cairo_t *cr;
    cairo_t *under; /* while a soft stain is drawn: the page's own context */
    char path[];    /* which the writer points to */
};

static inline void figure_set_color(figure *page, figure_color c)
{
    cairo.set_source_rgba(page->cr, c.r, c.g, c.b, c.a);
}

#endif
