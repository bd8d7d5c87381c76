/*
 * tree_list.c - large trees as lists: a line for each node, in columns beside each other.
 *
 * A node right below another hangs from it; where several hang from one, each begins a
 * branch, one step to the right. Lines of branches that are still open run on into the
 * next column.
 */
#include "figures/tree_layout.h"

static const double line_height = 16, indent = 15, name_gap = 9, arc_gap = 8, column_gap = 34;
/* width by height of a page that is pleasant to read */
static const double pleasant = 1.5;
enum { most_columns = 12 };

static figure_font name_font(void)
{
    return (figure_font){.size = FIGURE_TEXT_SMALL + 0.5, .y_align = 0.5};
}

static figure_font arc_font(void)
{
    return (figure_font){.size = FIGURE_TEXT_SMALL - 1.5, .y_align = 0.5, .color = FIGURE_MUTED};
}

/* ---- texts and signs, in boxes, too -------------------------------------- */

double tree_text_width(const tree_layout *l, const char *text, figure_font font)
{
    return l->what->formulas ? figure_math_width(l->page, text, font)
                             : figure_text_width(l->page, text, font);
}

void tree_draw_text(const tree_layout *l, figure_point at, const char *text, figure_font font)
{
    if (l->what->formulas)
        figure_math(l->page, at, text, font);
    else
        figure_text(l->page, at, text, font);
}

void tree_draw_sign(figure *page, figure_point at, tree_sign sign)
{
    figure_style ring = {.fill = FIGURE_PAPER, .stroke = FIGURE_INK, .width = FIGURE_MEDIUM};
    figure_color blue = figure_series(0);
    if (sign == TREE_TURN)
        figure_circle(page, at, 4, ring);
    if (sign == TREE_PLANE)
        ring.fill = blue;
    if (sign == TREE_SLIDE || sign == TREE_PLANE)
        figure_rectangle(page, (figure_rect){at.x - 3.6, at.y - 3.6, 7.2, 7.2}, 0, ring);
    if (sign == TREE_BALL)
        figure_circle(page, at, 4, figure_outlined(blue, FIGURE_INK, FIGURE_THIN));
}

/* ---- places -------------------------------------------------------------- */

/* a node's step to the right is its depth, counted in branches; `depth` is used for it */
static void find_indents(tree_layout *l)
{
    for (int i = 0; i < l->what->count; i++) {
        int parent = l->what->nodes[i].parent;
        tree_place *place = &l->places[i];
        if (parent < 0)
            place->depth = 0;
        else
            place->depth = l->places[parent].depth + (l->places[parent].children > 1);
    }
}

static double line_width(const tree_layout *l, int i)
{
    const tree_node *node = &l->what->nodes[i];
    double width = l->places[i].depth * indent + name_gap;
    width += tree_text_width(l, node->name, name_font());
    return node->arc ? width + arc_gap + tree_text_width(l, node->arc, arc_font()) : width;
}

/* the total width with so many lines a column; says where columns begin */
static double lay_columns(tree_layout *l, int rows)
{
    double x = 0;
    for (int i = 0; i < l->what->count; i += rows) {
        double widest = 0;
        for (int k = i; k < l->what->count && k < i + rows; k++)
            widest = fmax(widest, line_width(l, k));
        l->columns[i / rows] = x + 6;
        x += widest + column_gap;
    }
    return x - column_gap + 6;
}

void tree_list_place(tree_layout *l)
{
    int n = l->what->count;
    double best = INFINITY;
    find_indents(l);
    for (int columns = 1; columns <= most_columns && columns <= n; columns++) {
        int rows = (n + columns - 1) / columns;
        double off = fabs(log(lay_columns(l, rows) / (rows * line_height) / pleasant));
        if (off < best) {
            best = off;
            l->rows = rows;
        }
    }
    l->width = lay_columns(l, l->rows);
    l->height = l->rows * line_height;
    for (int i = 0; i < n; i++) {
        l->places[i].x = l->columns[i / l->rows] + l->places[i].depth * indent;
        l->places[i].y = (i % l->rows + 0.5) * line_height;
    }
}

/* ---- lines -------------------------------------------------------------- */

/* from a parent down to its last child, in every column that this passes */
static void draw_trunk(const tree_layout *l, int parent, double left, double top)
{
    const tree_place *p = &l->places[parent];
    int last = p->last, rows = l->rows;
    for (int column = parent / rows; column <= last / rows; column++) {
        double x = left + l->columns[column] + p->depth * indent;
        double from = column == parent / rows ? p->y : 0;
        double to = column == last / rows ? l->places[last].y : l->height;
        figure_line(l->page, (figure_point){x, top + from}, (figure_point){x, top + to},
                    figure_pen(FIGURE_MUTED, FIGURE_THIN));
    }
}

static void draw_node(const tree_layout *l, int i, double left, double top)
{
    const tree_node *node = &l->what->nodes[i];
    figure_point at = {left + l->places[i].x, top + l->places[i].y};
    if (node->sign == TREE_PLAIN)
        figure_circle(l->page, at, 2, figure_brush(FIGURE_MUTED));
    else
        tree_draw_sign(l->page, at, node->sign);
    at.x += name_gap;
    figure_font font = name_font();
    font.bold = i == 0;
    tree_draw_text(l, at, node->name, font);
    at.x += tree_text_width(l, node->name, font) + arc_gap;
    if (node->arc)
        tree_draw_text(l, at, node->arc, arc_font());
}

void tree_list_draw(const tree_layout *l, double left, double top)
{
    for (int i = 0; i < l->what->count; i++) {
        const tree_place *p = &l->places[i];
        int parent = l->what->nodes[i].parent;
        if (p->children > 0)
            draw_trunk(l, i, left, top);
        if (parent >= 0 && l->places[parent].children > 1)
            figure_line(l->page, (figure_point){left + p->x - indent, top + p->y},
                        (figure_point){left + p->x, top + p->y},
                        figure_pen(FIGURE_MUTED, FIGURE_THIN));
    }
    for (int i = 0; i < l->what->count; i++)
        draw_node(l, i, left, top);
}
