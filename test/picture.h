/*
 * picture.h - looking at figures: bytes, pixels of a PNG, shapes of an SVG.
 *
 * For tests of figures alone.
 */
#ifndef TEST_PICTURE_H
#define TEST_PICTURE_H

#include "harness.h"

#include <cairo.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files -------------------------------------------------------------- */

static inline bool file_is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

/* All bytes of a file, which must be there; free them. */
static inline char *file_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static inline bool files_are_equal(const char *a, const char *b)
{
    size_t n, m;
    owned char *p = file_bytes(a, &n), *q = file_bytes(b, &m);
    bool equal = n == m && memcmp(p, q, n) == 0;
    return equal;
}

/* True when the file begins as its ending promises, and an SVG is well-formed. */
static inline bool figure_is_sound(const char *path)
{
    size_t n;
    owned char *bytes = file_bytes(path, &n);
    const char *ending = strrchr(path, '.');
    bool sound = false;
    if (strcmp(ending, ".png") == 0)
        sound = n > 50 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0 &&
                memcmp(bytes + n - 8, "IEND", 4) == 0;
    else if (strcmp(ending, ".pdf") == 0)
        sound = n > 100 && memcmp(bytes, "%PDF-", 5) == 0 && memcmp(bytes + n - 6, "%%EOF", 5) == 0;
    else if (strcmp(ending, ".svg") == 0) {
        xmlDoc *document = xmlReadMemory(bytes, (int)n, path, NULL, XML_PARSE_NONET);
        const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
        sound = root && strcmp((const char *)root->name, "svg") == 0;
        xmlFreeDoc(document);
    }
    return sound;
}

/* ---- pixels ------------------------------------------------------------- */

typedef struct pixel {
    int r, g, b;
} pixel;

static inline cairo_surface_t *picture_open(const char *path)
{
    cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
    return picture;
}

static inline pixel picture_at(cairo_surface_t *picture, int x, int y)
{
    uint32_t word;
    assert_in_range(x, 0, cairo_image_surface_get_width(picture) - 1);
    assert_in_range(y, 0, cairo_image_surface_get_height(picture) - 1);
    memcpy(&word,
           cairo_image_surface_get_data(picture) + y * cairo_image_surface_get_stride(picture) +
               4 * x,
           sizeof word);
    return (pixel){(int)(word >> 16 & 255), (int)(word >> 8 & 255), (int)(word & 255)};
}

/* Within `slack` of r, g, b in 0..1 each. */
static inline bool pixel_is(pixel p, double r, double g, double b, double slack)
{
    double e = 255 * slack;
    return p.r >= 255 * r - e && p.r <= 255 * r + e && p.g >= 255 * g - e && p.g <= 255 * g + e &&
           p.b >= 255 * b - e && p.b <= 255 * b + e;
}

/* How many pixels have that colour, and the middle of them. */
static inline int picture_find(cairo_surface_t *picture, double r, double g, double b, double slack,
                               double *middle_x, double *middle_y)
{
    int count = 0;
    double x_sum = 0, y_sum = 0;
    for (int y = 0; y < cairo_image_surface_get_height(picture); y++)
        for (int x = 0; x < cairo_image_surface_get_width(picture); x++)
            if (pixel_is(picture_at(picture, x, y), r, g, b, slack)) {
                count++;
                x_sum += x + 0.5;
                y_sum += y + 0.5;
            }
    *middle_x = count ? x_sum / count : 0;
    *middle_y = count ? y_sum / count : 0;
    return count;
}

/* The sum over all pixels of how far they are from white: how much is drawn, and how strongly. */
static inline double picture_ink(cairo_surface_t *picture)
{
    double ink = 0;
    for (int y = 0; y < cairo_image_surface_get_height(picture); y++)
        for (int x = 0; x < cairo_image_surface_get_width(picture); x++) {
            pixel p = picture_at(picture, x, y);
            ink += 765 - p.r - p.g - p.b;
        }
    return ink;
}

/* ---- shapes ------------------------------------------------------------- */

/* Counts the paths below `node` whose fill begins so; `round` those with curves, else without. */
static inline int svg_count_below(const xmlNode *node, const char *fill, bool round)
{
    int count = 0;
    for (; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        xmlChar *style = xmlGetProp(node, (const xmlChar *)"style");
        xmlChar *path = xmlGetProp(node, (const xmlChar *)"d");
        if (style && path && strstr((const char *)style, fill))
            count += (strchr((const char *)path, 'C') != NULL) == round;
        xmlFree(style);
        xmlFree(path);
        count += svg_count_below(node->children, fill, round);
    }
    return count;
}

static inline int svg_count(const char *path, const char *fill, bool round)
{
    xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET);
    assert_non_null(document);
    int count = svg_count_below(xmlDocGetRootElement(document), fill, round);
    xmlFreeDoc(document);
    return count;
}

/* The farthest that a coordinate of any path below `node` is from the range 0 to `size`. */
static inline double svg_excess_below(const xmlNode *node, double size)
{
    double most = 0;
    for (; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        xmlChar *path = xmlGetProp(node, (const xmlChar *)"d");
        for (char *at = (char *)path; at && *at;) {
            char *end;
            double number = strtod(at, &end);
            if (end != at && !(fmax(-number, number - size) <= most))
                most = isfinite(number) ? fmax(-number, number - size) : INFINITY;
            at = end != at ? end : at + 1;
        }
        xmlFree(path);
        most = fmax(most, svg_excess_below(node->children, size));
    }
    return most;
}

/* The same of a file. */
static inline double svg_excess(const char *path, double size)
{
    xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET);
    assert_non_null(document);
    double most = svg_excess_below(xmlDocGetRootElement(document), size);
    xmlFreeDoc(document);
    return most;
}

#endif
