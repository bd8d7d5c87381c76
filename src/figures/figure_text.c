/*
 * figure_text.c - text and formulas.
 *
 * One font family, chosen through cairo's own font selection: no shaping
 * library is needed for the labels of a figure.
 */
#include "figures/figure_page.h"

#include <limber/math.h>
#include <string.h>

static const char family[] = "DejaVu Sans";

/* sizes and shifts of sub- and superscripts, relative to the text's size */
static const double script_size = 0.72, lowered = 0.18, raised = 0.36;
/* height of a capital of this family, relative to the text's size */
static const double capital_height = 0.73;

/* ---- UTF-8 -------------------------------------------------------------- */

/* length of the valid sequence at `text`, 0 when it is not one (RFC 3629) */
static size_t sequence_length(const unsigned char *text)
{
    unsigned char c = text[0];
    size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;
    if ((c >= 0x80 && c < 0xc2) || c > 0xf4)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;

    // overlong forms, surrogates, beyond the last code point
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f) ||
        (c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

size_t figure_character(const char *text)
{
    bool printed = (unsigned char)text[0] >= 0x20 && text[0] != 0x7f;
    return printed ? sequence_length((const unsigned char *)text) : 0;
}

enum { max_text = 512 };

/* copies whole characters, at most max_text - 1 bytes; what is not UTF-8 or not printed is '?' */
static void clean(char out[max_text], const char *text, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n;) {
        size_t length = figure_character(text + i);
        size_t step = length > 0 ? length : 1;
        if (used + step >= max_text)
            break;
        if (length > 0)
            memcpy(out + used, text + i, length);
        else
            out[used] = '?';
        used += step;
        i += step;
    }
    out[used] = '\0';
}

/* ---- runs --------------------------------------------------------------- */

/* a piece of text in one size, slant and height */
typedef struct run {
    const char *text;
    size_t length;
    int level; /* -1 lowered, 1 raised */
    bool slanted;
} run;

static void select_font(figure *page, const figure_font *font, const run *r)
{
    cairo.select_font_face(page->cr, family,
                           font->italic || r->slanted ? CAIRO_FONT_SLANT_ITALIC
                                                      : CAIRO_FONT_SLANT_NORMAL,
                           font->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo.set_font_size(page->cr, font->size * (r->level ? script_size : 1));
}

static double run_width(figure *page, const figure_font *font, const run *r)
{
    char text[max_text];
    cairo_text_extents_t extents;
    clean(text, r->text, r->length);
    select_font(page, font, r);
    cairo.text_extents(page->cr, text, &extents);
    return extents.x_advance;
}

/* draws at the pen's place, x along the line of text */
static void run_draw(figure *page, const figure_font *font, const run *r, double x, double y)
{
    char text[max_text];
    double shift = r->level < 0 ? lowered : r->level > 0 ? -raised : 0;
    clean(text, r->text, r->length);
    select_font(page, font, r);
    cairo.move_to(page->cr, x, y + shift * font->size);
    cairo.show_text(page->cr, text);
}

static double runs_width(figure *page, const figure_font *font, const run *runs, int n)
{
    double width = 0;
    for (int i = 0; i < n; i++)
        width += run_width(page, font, &runs[i]);
    return width;
}

static double runs_draw(figure *page, figure_point at, const figure_font *font, const run *runs,
                        int n)
{
    double width = runs_width(page, font, runs, n);
    double x = -font->x_align * width, y = font->y_align * capital_height * font->size;
    cairo.save(page->cr);
    cairo.translate(page->cr, at.x, at.y);
    cairo.rotate(page->cr, -font->turn);
    figure_set_color(page, font->color);
    for (int i = 0; i < n; i++) {
        run_draw(page, font, &runs[i], x, y);
        x += run_width(page, font, &runs[i]);
    }
    cairo.restore(page->cr);
    cairo.new_path(page->cr);
    return width;
}

static figure_font with_defaults(figure_font font)
{
    if (!(font.size > 0))
        font.size = FIGURE_TEXT_BODY;
    if (!(font.color.a > 0))
        font.color = FIGURE_INK;
    return font;
}

/* ---- plain text --------------------------------------------------------- */

double figure_text(figure *page, figure_point at, const char *text, figure_font font)
{
    run r = {text, strlen(text), 0, false};
    font = with_defaults(font);
    return runs_draw(page, at, &font, &r, 1);
}

double figure_text_width(figure *page, const char *text, figure_font font)
{
    run r = {text, strlen(text), 0, false};
    font = with_defaults(font);
    return run_width(page, &font, &r);
}

/* ---- formulas ----------------------------------------------------------- */

enum { max_runs = 64 };

static bool is_slanted(const char *text)
{
    unsigned char c = (unsigned char)text[0];
    bool latin = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    /* small Greek letters: U+03B1..U+03C9 */
    bool greek = (c == 0xce && (unsigned char)text[1] >= 0xb1) ||
                 (c == 0xcf && (unsigned char)text[1] <= 0x89);
    return latin || greek;
}

/* appends a run, joined to the last one where they look alike */
static void add_run(run *runs, int *n, const char *text, size_t length, int level)
{
    bool slanted = is_slanted(text);
    run *last = *n > 0 ? &runs[*n - 1] : NULL;
    if (last && last->level == level && last->slanted == slanted &&
        last->text + last->length == text)
        last->length += length;
    else if (*n < max_runs)
        runs[(*n)++] = (run){text, length, level, slanted};
}

/* cuts a formula into runs; the rest of one that has more than max_runs is left out */
static int parse_math(const char *text, run *runs)
{
    int n = 0, level = 0;
    bool in_group = false;
    while (*text) {
        if (!in_group && (*text == '_' || *text == '^') && text[1]) {
            level = *text == '_' ? -1 : 1;
            text++;
            in_group = *text == '{';
            text += in_group;
            continue;
        }
        if (in_group && *text == '}') {
            in_group = false;
            level = 0;
            text++;
            continue;
        }
        size_t length = sequence_length((const unsigned char *)text);
        length = length ? length : 1;
        add_run(runs, &n, text, length, level);
        text += length;
        if (!in_group)
            level = 0;
    }
    return n;
}

double figure_math(figure *page, figure_point at, const char *text, figure_font font)
{
    run runs[max_runs];
    int n = parse_math(text, runs);
    font = with_defaults(font);
    return runs_draw(page, at, &font, runs, n);
}

double figure_math_width(figure *page, const char *text, figure_font font)
{
    run runs[max_runs];
    int n = parse_math(text, runs);
    font = with_defaults(font);
    return runs_width(page, &font, runs, n);
}
