/* formula.c - formulas as lines of text or as MathML, from the same signs and matrices. */
#include "cli/report/formula.h"

#include "base/text.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 512, CELL_SIZE = 48 };

/* ---- signs ----------------------------------------------------------------- */

/* what is written in place of letters, and above and below */
typedef struct replacement {
    const char *ascii, *utf8;
} replacement;
static const replacement letters[] = {
    {"theta", "\xce\xb8"}, {"beta", "\xce\xb2"}, {"lambda", "\xce\xbb"}, {"alpha", "\xce\xb1"}};
static const replacement powers[] = {{"T", "\xe1\xb5\x80"},
                                     {"+", "\xe2\x81\xba"},
                                     {"-1", "\xe2\x81\xbb\xc2\xb9"},
                                     {"2", "\xc2\xb2"}};

/* A letter or a mark with what hangs on it; lengths are of the ASCII form. */
typedef struct token {
    char base[32], index[16];
    const replacement *power;
    bool dotted;
} token;

/* reads one token and moves on */
static token read_token(const char **at)
{
    token t = {.base = ""};
    size_t length = 1;
    while (isalpha((unsigned char)**at) && isalpha((unsigned char)(*at)[length]))
        length++;
    text_format(t.base, sizeof t.base, "%.*s", (int)length, *at);
    *at += length;
    if (**at == '\'') {
        t.dotted = true;
        ++*at;
    }
    if (**at == '_') {
        length = strspn(*at + 1, "0123456789");
        text_format(t.index, sizeof t.index, "%.*s", (int)length, *at + 1);
        *at += 1 + length;
    }
    for (size_t i = 0; **at == '^' && i < sizeof powers / sizeof *powers; i++)
        if (strncmp(*at + 1, powers[i].ascii, strlen(powers[i].ascii)) == 0) {
            t.power = &powers[i];
            *at += 1 + strlen(powers[i].ascii);
        }
    return t;
}

static const char *greek(const char *base)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strcmp(base, letters[i].ascii) == 0)
            return letters[i].utf8;
    return base;
}

static void append_text(const formula_page *page, const token *t, char *to)
{
    size_t used = strlen(to);
    if (!page->utf8) {
        text_format(to + used, TEXT_SIZE - used, "%s%s%s%s%s%s", t->base, t->dotted ? "'" : "",
                    *t->index ? "_" : "", t->index, t->power ? "^" : "",
                    t->power ? t->power->ascii : "");
        return;
    }
    used += text_format(to + used, TEXT_SIZE - used, "%s%s", greek(t->base),
                        t->dotted ? "\xcc\x87" : "");
    for (const char *digit = t->index; *digit; digit++)
        used += text_format(to + used, TEXT_SIZE - used, "\xe2\x82%c", 0x80 + (*digit - '0'));
    text_format(to + used, TEXT_SIZE - used, "%s", t->power ? t->power->utf8 : "");
}

static void print_token(const token *t, FILE *stream)
{
    bool letter = isalpha((unsigned char)*t->base) && strcmp(t->base, "x") != 0;
    const char *sign = strcmp(t->base, "-") == 0   ? "\xe2\x88\x92"
                       : strcmp(t->base, "x") == 0 ? "\xc3\x97"
                                                   : greek(t->base);
    if (*t->base == ' ')
        return;
    fprintf(stream, "%s%s%s%s%s%s%s", *t->index ? "<msub>" : "", t->power ? "<msup>" : "",
            t->dotted ? "<mover>" : "", letter ? "<mi>" : "<mo stretchy=\"false\">", sign,
            letter ? "</mi>" : "</mo>", t->dotted ? "<mo>\xcb\x99</mo></mover>" : "");
    if (t->power)
        fprintf(stream, "<mo>%s</mo></msup>", t->power->ascii);
    if (*t->index)
        fprintf(stream, "<mi>%s</mi></msub>", t->index);
}

/* in text to `to`, in HTML to the stream */
static void write_sign(const formula_page *page, const char *sign, char *to)
{
    while (*sign != '\0') {
        token t = read_token(&sign);
        if (page->html)
            print_token(&t, page->stream);
        else
            append_text(page, &t, to);
    }
}

/* ---- numbers ---------------------------------------------------------------- */

static void print_number(double x, const char *minus, char cell[CELL_SIZE])
{
    x = tidy(x, 6);
    if (isfinite(x))
        text_format(cell, CELL_SIZE, "%s%.6f", x < 0 ? minus : "", fabs(x));
    else
        text_format(cell, CELL_SIZE, "-");
}

/* how wide the longest number is */
static int digits_of(const lb_formula_part *part)
{
    char cell[CELL_SIZE];
    int digits = 0;
    for (int i = 0; i < part->rows * part->columns; i++) {
        print_number(part->numbers[i], "-", cell);
        digits = text_width(cell) > digits ? text_width(cell) : digits;
    }
    return digits;
}

/* ---- MathML ----------------------------------------------------------------- */

/* figure spaces before numbers align them on the right, which MathML itself leaves to browsers */
static void print_mathml(const lb_formula_part *part, FILE *stream)
{
    char cell[CELL_SIZE];
    int digits = digits_of(part);
    fprintf(stream, "<mrow><mo>[</mo><mtable data-name=\"%s\">", part->name);
    for (int i = 0; i < part->rows * part->columns; i++) {
        print_number(part->numbers[i], "\xe2\x88\x92", cell);
        fputs(i % part->columns == 0 ? "<mtr><mtd><mn>" : "<mtd><mn>", stream);
        for (int k = text_width(cell); k < digits; k++)
            fputs("\xe2\x80\x87", stream);
        fprintf(stream, "%s</mn></mtd>%s", cell, (i + 1) % part->columns == 0 ? "</mtr>" : "");
    }
    fputs("</mtable><mo>]</mo></mrow>", stream);
}

/* ---- text ------------------------------------------------------------------- */

/* A part as lines of one width. */
typedef struct text_block {
    const lb_formula_part *part;
    char sign[TEXT_SIZE];
    int height, width, digits; /* digits: of a number */
} text_block;

static text_block make_block(const formula_page *page, const lb_formula_part *part)
{
    text_block b = {.part = part, .height = 1};
    if (part->sign != NULL) {
        write_sign(page, part->sign, b.sign);
        b.width = text_width(b.sign);
        for (const char *dot = b.sign; (dot = strstr(dot, "\xcc\x87")) != NULL; dot++)
            b.width--;
        return b;
    }
    b.height = part->rows;
    b.digits = digits_of(part);
    b.width = part->columns * (b.digits + 2) + 2;
    return b;
}

/* the bracket beside a row: straight in ASCII, else with corners */
static const char *bracket(bool utf8, int line, int rows, bool right)
{
    static const char *const left_signs[] = {"\xe2\x8e\xa1", "\xe2\x8e\xa2", "\xe2\x8e\xa3"};
    static const char *const right_signs[] = {"\xe2\x8e\xa4", "\xe2\x8e\xa5", "\xe2\x8e\xa6"};
    if (!utf8 || rows == 1)
        return right ? "]" : "[";
    return (right ? right_signs : left_signs)[line == 0 ? 0 : line == rows - 1 ? 2 : 1];
}

/* one line of a block, `line` of which may be outside it */
static void print_line(const formula_page *page, const text_block *b, int line)
{
    char cell[CELL_SIZE];
    if (line < 0 || line >= b->height) {
        fprintf(page->stream, "%*s", b->width, "");
    } else if (b->part->sign != NULL) {
        fputs(b->sign, page->stream);
    } else {
        fputs(bracket(page->utf8, line, b->height, false), page->stream);
        for (int c = 0; c < b->part->columns; c++) {
            print_number(b->part->numbers[line * b->part->columns + c], "-", cell);
            fprintf(page->stream, " %*s ", b->digits, cell);
        }
        fputs(bracket(page->utf8, line, b->height, true), page->stream);
    }
}

static int top_of(const text_block *b, int height)
{
    return (height - b->height) / 2;
}

/* blocks side by side, their middles in line */
static void print_blocks(const formula_page *page, const text_block *blocks, int count)
{
    int height = 0;
    for (int i = 0; i < count; i++)
        height = blocks[i].height > height ? blocks[i].height : height;
    for (int line = 0; line < height; line++) {
        int last = count - 1;
        while (line < top_of(&blocks[last], height) ||
               line >= top_of(&blocks[last], height) + blocks[last].height)
            last--;
        fputs("   ", page->stream);
        for (int i = 0; i <= last; i++) {
            fputc(' ', page->stream);
            print_line(page, &blocks[i], line - top_of(&blocks[i], height));
        }
        fputc('\n', page->stream);
    }
}

static void write_text(const formula_page *page, const lb_formula_part *parts, int count)
{
    text_block blocks[LB_FORMULA_PARTS];
    int first = 0, width = 0;
    for (int i = 0; i < count; i++) {
        blocks[i] = make_block(page, &parts[i]);
        if (i > first && width + blocks[i].width > TABLE_WIDTH) {
            print_blocks(page, blocks + first, i - first);
            first = i;
            width = 0;
        }
        width += blocks[i].width + 1;
    }
    print_blocks(page, blocks + first, count - first);
}

/* ---- pages ------------------------------------------------------------------ */

/* names are those of a file: control characters as '?', and what HTML would read as marks */
static void make_plain(const formula_page *page, const char *text, char *to, size_t size)
{
    size_t used = 0;
    for (; *text != '\0' && used + 8 < size; text++) {
        const char *mark = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : NULL;
        if (page->html && mark != NULL)
            used += text_format(to + used, size - used, "%s", mark);
        else
            to[used++] = (unsigned char)*text < ' ' || *text == 127 ? '?' : *text;
    }
    to[used] = '\0';
}

static void write_formula(const formula_page *page, const lb_formula_part *parts, int count)
{
    if (!page->html) {
        write_text(page, parts, count);
        return;
    }
    fputs("<math display=\"block\"><mrow>", page->stream);
    for (int i = 0; i < count; i++)
        if (parts[i].sign != NULL)
            write_sign(page, parts[i].sign, NULL);
        else
            print_mathml(&parts[i], page->stream);
    fputs("</mrow></math>\n", page->stream);
}

void formula_begin(const formula_page *page, const char *name)
{
    char title[TEXT_SIZE];
    make_plain(page, name, title, sizeof title);
    if (page->html)
        fprintf(page->stream,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<title>%s</title>\n<style>\n"
                "body{margin:0 auto;max-width:60rem;padding:2rem 1.2rem 4rem;color:#212b38;"
                "background:#fff;font:1rem/1.5 system-ui,\"DejaVu Sans\",sans-serif}\n"
                "h1{font-size:1.7rem;margin:0 0 .3rem}\n"
                "h2{font-size:1.05rem;margin:1.8rem 0 .2rem}\n"
                "h2 span{color:#0072b2;margin-right:.6rem}\np{margin:.2rem 0 .6rem}\n"
                "math{margin:.5rem 0;font-size:1.1rem}\n</style>\n</head>\n<body>\n<h1>%s</h1>\n",
                title, title);
    else
        fprintf(page->stream, "%s%s%s\n", console_style_text(page->stream, STYLE_STRONG), title,
                console_style_text(page->stream, STYLE_PLAIN));
}

void formula_end(const formula_page *page)
{
    if (page->html)
        fputs("</body>\n</html>\n", page->stream);
}

static void write_heading(const formula_page *page, const char *number, const char *name)
{
    char title[TEXT_SIZE];
    make_plain(page, name, title, sizeof title);
    if (page->html && *number)
        fprintf(page->stream, "<h2 id=\"eq-%s\"><span>%s</span>%s</h2>\n", number, number, title);
    else if (page->html)
        fprintf(page->stream, "<h2>%s</h2>\n", title);
    else
        fprintf(page->stream, "\n%s%s%s%s%s\n", console_style_text(page->stream, STYLE_STRONG),
                number, *number ? "  " : "", console_style_text(page->stream, STYLE_PLAIN), title);
}

void formula_words(const formula_page *page, const char *words)
{
    char text[3 * TEXT_SIZE];
    make_plain(page, words, text, sizeof text);
    if (page->html) {
        fprintf(page->stream, "<p>%s</p>\n", text);
    } else {
        fputs("  ", page->stream);
        print_wrapped(page->stream, text, 2);
    }
}

void formula_line(void *user, const lb_derivation_line *line)
{
    const formula_page *page = user;
    if (line->text == NULL)
        write_formula(page, line->parts, line->part_count);
    else if (line->number != NULL)
        write_heading(page, line->number, line->text);
    else
        formula_words(page, line->text);
}
