/*
 * figure_soft.c - soft stains: shadows.
 *
 * The shapes are painted into a small mask, which is blurred by three running
 * means (close to a Gaussian by the central limit theorem; Wells 1986) and laid
 * on the page as a picture.
 */
#include "figures/figure_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* points of the page for each pixel of the mask: it will be blurred anyway */
static const double coarseness = 2.5;
/* so many pixels at most along each side, however large the page */
enum { largest_mask = 600 };

/* ---- the mask ----------------------------------------------------------- */

static double mask_scale(const figure *page)
{
    return fmin(1 / coarseness, largest_mask / fmax(page->width, page->height));
}

void figure_soft(figure *page)
{
    double scale = mask_scale(page);
    cairo_surface_t *mask = cairo.image_surface_create(
        CAIRO_FORMAT_A8, (int)ceil(page->width * scale), (int)ceil(page->height * scale));
    page->under = page->cr;
    page->cr = cairo.create(mask);
    cairo.scale(page->cr, scale, scale);
    cairo.set_line_join(page->cr, CAIRO_LINE_JOIN_ROUND);
    cairo.surface_destroy(mask);
}

/* ---- blurring ----------------------------------------------------------- */

/* n bytes, `step` apart, each replaced by the mean over `reach` neighbours on both sides */
static void mean_line(unsigned char *bytes, int n, int step, int reach, unsigned char *copy)
{
    for (int i = 0; i < n; i++)
        copy[i] = bytes[i * step];
    int sum = 0, width = 2 * reach + 1;
    for (int i = 0; i < reach && i < n; i++)
        sum += copy[i];
    for (int i = 0; i < n; i++) {
        sum += i + reach < n ? copy[i + reach] : 0;
        bytes[i * step] = (unsigned char)((sum + width / 2) / width);
        sum -= i - reach >= 0 ? copy[i - reach] : 0;
    }
}

static void blur_mask(unsigned char *bytes, int width, int height, int stride, int reach)
{
    unsigned char copy[largest_mask + 1];
    for (int pass = 0; pass < 3; pass++) {
        for (int y = 0; y < height; y++)
            mean_line(bytes + y * stride, width, 1, reach, copy);
        for (int x = 0; x < width; x++)
            mean_line(bytes + x, height, stride, reach, copy);
    }
}

/* ---- onto the page ------------------------------------------------------ */

/* a picture of one colour with the mask's opacity; colours are stored times their opacity */
static cairo_surface_t *tint(const unsigned char *mask, int width, int height, int stride,
                             figure_color color)
{
    cairo_surface_t *picture = cairo.image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    if (cairo.surface_status(picture) != CAIRO_STATUS_SUCCESS)
        return picture;
    cairo.surface_flush(picture);
    unsigned char *rows = cairo.image_surface_get_data(picture);
    int row_stride = cairo.image_surface_get_stride(picture);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double a = color.a * mask[y * stride + x];
            uint32_t pixel = (uint32_t)lround(a) << 24 | (uint32_t)lround(a * color.r) << 16 |
                             (uint32_t)lround(a * color.g) << 8 | (uint32_t)lround(a * color.b);
            memcpy(rows + y * row_stride + 4 * x, &pixel, sizeof pixel);
        }
    cairo.surface_mark_dirty(picture);
    return picture;
}

void figure_unsoft(figure *page, figure_color color, double blur)
{
    double scale = mask_scale(page);
    cairo_surface_t *mask = cairo.get_target(page->cr);
    cairo.surface_flush(mask);
    unsigned char *bytes = cairo.image_surface_get_data(mask);
    cairo_t *cr = page->under;
    if (bytes) {
        // three means reach as far as the blur is wide
        int width = cairo.image_surface_get_width(mask);
        int height = cairo.image_surface_get_height(mask);
        int stride = cairo.image_surface_get_stride(mask);
        blur_mask(bytes, width, height, stride, (int)lround(blur * scale / 3));
        cairo_surface_t *picture = tint(bytes, width, height, stride, color);
        cairo.save(cr);
        cairo.scale(cr, 1 / scale, 1 / scale);
        cairo.set_source_surface(cr, picture, 0, 0);
        cairo.paint(cr);
        cairo.restore(cr);
        cairo.surface_destroy(picture);
    }
    cairo.destroy(page->cr);
    page->cr = cr;
    page->under = NULL;
}
