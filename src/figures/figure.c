/*
 * figure.c - pages: opening, closing and clipping.
 *
 * Every format is a cairo surface. SVG and PNG hold no date, a PDF's is left out
 * and figure_svg.c sees to the names in an SVG, so that all three depend on the
 * drawing alone.
 */
#include "base/text.h"
#include "figures/figure_page.h"

#include "base/error.h"
#include "formats/library.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    figure_format format;
} endings[] = {{".svg", PAGE_SVG}, {".png", PAGE_PNG}, {".pdf", PAGE_PDF}};

/* ---- names -------------------------------------------------------------- */

static figure_format format_of(const char *path)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_ends(path, endings[i].text, true))
            return endings[i].format;
    return PAGE_NONE;
}

/* ---- opening ------------------------------------------------------------ */

static cairo_status_t write_bytes(void *file, const unsigned char *bytes, unsigned int n)
{
    return fwrite(bytes, 1, n, file) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *surface_create(figure *page)
{
    double width = page->width, height = page->height;
    cairo_surface_t *surface = NULL;
    switch (page->format) {
    case PAGE_SVG:
        surface = cairo.svg_surface_create_for_stream(figure_svg_keep, &page->svg, width, height);
        cairo.svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT);
        break;
    case PAGE_PDF:
        surface =
            cairo.pdf_surface_create_for_stream(write_bytes, page->writer.stream, width, height);
        cairo.pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
        break;
    case PAGE_PNG:
    case PAGE_NONE:
        surface = cairo.image_surface_create(CAIRO_FORMAT_RGB24, (int)(width * page->density + 0.5),
                                             (int)(height * page->density + 0.5));
        break;
    }
    return surface;
}

/* shapes of letters as designed: without hinting all formats lay text out alike */
static void set_font_options(cairo_t *cr)
{
    cairo_font_options_t *options = cairo.font_options_create();
    cairo.font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo.font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo.font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo.set_font_options(cr, options);
    cairo.font_options_destroy(options);
}

lb_status figure_check(const char *path, double width, double height, lb_error *error)
{
    bool sized = width >= 1 && width <= figure_max_size && height >= 1 && height <= figure_max_size;
    if (format_of(path) != PAGE_NONE && sized)
        return LB_OK;
    error_set_path(error, path);
    if (format_of(path) == PAGE_NONE)
        return REFUSE_UNSUPPORTED(error, "a figure's file must end in .svg, .png or .pdf");
    return REFUSE_VALUE(error, "a figure of %g x %g: width and height must be 1 to %d", width,
                        height, (int)figure_max_size);
}

static lb_status refuse_memory(lb_error *error, const figure *page)
{
    error_set_path(error, page->writer.path);
    return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for a figure of %g x %g",
                        page->width, page->height);
}

/* white paper, round pens */
static void page_prepare(figure *page)
{
    if (page->format == PAGE_PNG)
        cairo.scale(page->cr, page->density, page->density);
    set_font_options(page->cr);
    figure_set_color(page, FIGURE_PAPER);
    cairo.paint(page->cr);
    cairo.set_line_join(page->cr, CAIRO_LINE_JOIN_ROUND);
}

lb_status figure_open(const char *path, double width, double height, figure **page, lb_error *error)
{
    return figure_open_dense(path, width, height, 1, page, error);
}

lb_status figure_open_dense(const char *path, double width, double height, double density,
                            figure **page, lb_error *error)
{
    *page = NULL;
    double pixels = format_of(path) == PAGE_PNG ? density : 1;
    lb_status status = figure_check(path, width * pixels, height * pixels, error);
    if (status == LB_OK)
        status = cairo_functions_load(error);
    if (status)
        return status;
    figure *p = calloc(1, sizeof *p + strlen(path) + 1);
    if (!p)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for a figure");
    p->width = width;
    p->height = height;
    p->density = density;
    p->format = format_of(path);
    strcpy(p->path, path);

    // the file first: a path that cannot be written shows before the work is done
    status = file_begin(&p->writer, p->path, error);
    if (status) {
        free(p);
        return status;
    }
    p->surface = surface_create(p);
    p->cr = cairo.create(p->surface);
    if (cairo.status(p->cr) != CAIRO_STATUS_SUCCESS) {
        status = refuse_memory(error, p);
        figure_discard(p);
        return status;
    }
    page_prepare(p);
    *page = p;
    return LB_OK;
}

void *figure_allocate(figure *page, size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    page->failed = page->failed || !memory;
    return memory;
}

void figure_fail(figure *page)
{
    page->failed = true;
}

/* ---- closing ------------------------------------------------------------ */

/* everything on the page goes into the file */
static cairo_status_t page_flush(figure *page)
{
    cairo_status_t status = cairo.status(page->cr);
    if (status == CAIRO_STATUS_SUCCESS && page->format == PAGE_PNG)
        status = cairo.surface_write_to_png_stream(page->surface, write_bytes, page->writer.stream);
    cairo.surface_finish(page->surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo.surface_status(page->surface);
    if (status == CAIRO_STATUS_SUCCESS && page->format == PAGE_SVG)
        status = figure_svg_write(&page->svg, page->writer.stream);
    return status;
}

lb_status figure_close(figure *page, lb_error *error)
{
    if (page->failed) {
        lb_status status = refuse_memory(error, page);
        figure_discard(page);
        return status;
    }
    cairo_status_t flushed = page_flush(page);
    // it is the commit that says why the system took no more
    if (flushed == CAIRO_STATUS_SUCCESS || ferror(page->writer.stream)) {
        lb_status status = file_commit(&page->writer, error);
        figure_discard(page);
        return status;
    }
    error_set_path(error, page->path);
    lb_status status = lb_error_set(error, LB_FILE_ERROR, 0, "cannot be written: %s",
                                    cairo.status_to_string(flushed));
    figure_discard(page);
    return status;
}

void figure_discard(figure *page)
{
    if (!page)
        return;
    // the surface first: it still writes into the file
    cairo.surface_finish(page->surface);
    file_discard(&page->writer);
    cairo.destroy(page->cr);
    cairo.destroy(page->under);
    cairo.surface_destroy(page->surface);
    free(page->svg.text);
    free(page);
}

/* ---- the page as a whole ------------------------------------------------ */

double figure_width(const figure *page)
{
    return page->width;
}

double figure_height(const figure *page)
{
    return page->height;
}

void figure_clip(figure *page, figure_rect rect)
{
    cairo.save(page->cr);
    cairo.rectangle(page->cr, rect.x, rect.y, rect.width, rect.height);
    cairo.clip(page->cr);
}

void figure_unclip(figure *page)
{
    cairo.restore(page->cr);
}

/* ---- cairo -------------------------------------------------------------- */

#ifdef LIMBER_CAIRO_FILE

cairo_functions cairo;

lb_status cairo_functions_load(lb_error *error)
{
#define X(name) "cairo_" #name,
    static const char *const names[] = {CAIRO_FUNCTIONS(X)};
#undef X
    static library loaded = {.file = LIMBER_CAIRO_FILE,
                             .names = names,
                             .count = sizeof names / sizeof *names,
                             .functions = &cairo};
    return library_load(&loaded, error);
}

#else

#define X(name) .name = cairo_##name,
cairo_functions cairo = {CAIRO_FUNCTIONS(X)};
#undef X

lb_status cairo_functions_load(lb_error *error)
{
    (void)error;
    return LB_OK;
}

#endif
