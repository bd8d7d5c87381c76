/*
 * figure_page.h - what a page is made of; for the files of the toolbox alone.
 */
#ifndef FIGURES_FIGURE_PAGE_H
#define FIGURES_FIGURE_PAGE_H

#include "figures/figure.h"
#include "formats/file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <limber/base.h>

/* ---- cairo's functions ------------------------------------------------- */

#define CAIRO_FUNCTIONS(X)                                                                         \
    X(arc)                                                                                         \
    X(arc_negative)                                                                                \
    X(clip)                                                                                        \
    X(close_path)                                                                                  \
    X(create)                                                                                      \
    X(destroy)                                                                                     \
    X(fill)                                                                                        \
    X(fill_preserve)                                                                               \
    X(font_options_create)                                                                         \
    X(font_options_destroy)                                                                        \
    X(font_options_set_antialias)                                                                  \
    X(font_options_set_hint_metrics)                                                               \
    X(font_options_set_hint_style)                                                                 \
    X(get_target)                                                                                  \
    X(image_surface_create)                                                                        \
    X(image_surface_get_data)                                                                      \
    X(image_surface_get_height)                                                                    \
    X(image_surface_get_stride)                                                                    \
    X(image_surface_get_width)                                                                     \
    X(line_to)                                                                                     \
    X(move_to)                                                                                     \
    X(new_path)                                                                                    \
    X(new_sub_path)                                                                                \
    X(paint)                                                                                       \
    X(pattern_add_color_stop_rgba)                                                                 \
    X(pattern_create_linear)                                                                       \
    X(pattern_create_radial)                                                                       \
    X(pattern_destroy)                                                                             \
    X(pdf_surface_create_for_stream)                                                               \
    X(pdf_surface_set_metadata)                                                                    \
    X(rectangle)                                                                                   \
    X(restore)                                                                                     \
    X(rotate)                                                                                      \
    X(save)                                                                                        \
    X(scale)                                                                                       \
    X(select_font_face)                                                                            \
    X(set_dash)                                                                                    \
    X(set_font_options)                                                                            \
    X(set_font_size)                                                                               \
    X(set_line_cap)                                                                                \
    X(set_line_join)                                                                               \
    X(set_line_width)                                                                              \
    X(set_source)                                                                                  \
    X(set_source_rgba)                                                                             \
    X(set_source_surface)                                                                          \
    X(show_text)                                                                                   \
    X(status)                                                                                      \
    X(status_to_string)                                                                            \
    X(stroke)                                                                                      \
    X(stroke_preserve)                                                                             \
    X(surface_destroy)                                                                             \
    X(surface_finish)                                                                              \
    X(surface_flush)                                                                               \
    X(surface_mark_dirty)                                                                          \
    X(surface_status)                                                                              \
    X(surface_write_to_png_stream)                                                                 \
    X(svg_surface_create_for_stream)                                                               \
    X(svg_surface_set_document_unit)                                                               \
    X(text_extents)                                                                                \
    X(translate)

typedef struct cairo_functions {
#define X(name) __typeof__(cairo_##name) *name;
    CAIRO_FUNCTIONS(X)
#undef X
} cairo_functions;

extern cairo_functions cairo;

/* Must be called before the others; LB_UNSUPPORTED where there is no cairo. */
lb_status cairo_functions_load(lb_error *error);

/* ---- pages ------------------------------------------------------------- */

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
    bool failed;    /* there was no memory for what is on it */
    char path[];    /* which the writer points to */
};

static inline void figure_set_color(figure *page, figure_color c)
{
    cairo.set_source_rgba(page->cr, c.r, c.g, c.b, c.a);
}

#endif
