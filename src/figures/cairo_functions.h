/*
 * cairo_functions.h - cairo's functions, which are loaded when the first figure is begun:
 * cairo.arc() is cairo_arc().
 */
#ifndef FIGURES_CAIRO_FUNCTIONS_H
#define FIGURES_CAIRO_FUNCTIONS_H

#include <limber/base.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

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

#endif
