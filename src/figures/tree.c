/*
 * tree.c - where the nodes of a tree stand, and how it is drawn.
 *
 * Leaves stand one after the other; a parent stands in the middle of its children
 * (growing downwards) or in the row of its first one (growing to the right). Nodes
 * come depth first, so all of it are single passes and nothing recurses.
 */
#include "figures/tree_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* trees of more nodes grow to the right, and those that grow wider than this become a list */
enum { most_downwards = 16 };
static const double widest_tree = 1600;

static const double margin = 22, title_room = 30, legend_room = 26;
/* of boxes: height, room beside the text, and corners */
static const double box_height = 24, box_side = 11, box_corner = 6;
/* growing downwards: between levels, and between boxes beside each other */
static const double root_arc = 40, level_gap = 46, leaf_gap = 26, arc_side = 9;
/* growing to the right */
static const double row_height = 30, column_gap = 30, arc_gap = 14;

/* ---- text --------------------------------------------------------------- */

static figure_font node_font(void)
{
    return (figure_font){.x_align = 0.5, .y_align = 0.5};
}

static figure_font arc_font(const tree_layout *l)
{
    return (figure_font){.size =
                             l->form == TREE_DOWNWARDS ? FIGURE_TEXT_BODY : FIGURE_TEXT_SMALL - 1,
                         .x_align = l->form == TREE_DOWNWARDS ? 0 : 0.5,
                         .y_align = l->form == TREE_DOWNWARDS ? 0.5 : 0,
                         .color = l->form == TREE_DOWNWARDS ? FIGURE_INK : FIGURE_MUTED};
}

/* ---- places ------------------------------------------------------------- */

/* depths, children and sizes of boxes */
static void measure(tree_layout *l)
{
    for (int i = 0; i < l->what->count; i++) {
        const tree_node *node = &l->what->nodes[i];
        tree_place *place = &l->places[i];
        place->first = place->last = -1;
        place->width =
            fmax(tree_text_width(l, node->name, node_font()) + 2 * box_side, 2 * box_height);
        place->arc_width = node->arc ? tree_text_width(l, node->arc, arc_font(l)) : 0;
        if (node->parent >= 0) {
            tree_place *parent = &l->places[node->parent];
            place->depth = parent->depth + 1;
            parent->first = parent->first < 0 ? i : parent->first;
            parent->last = i;
            parent->children++;
        }
        l->depths = place->depth + 1 > l->depths ? place->depth + 1 : l->depths;
    }
}

/* downwards: the middle of the arc to a node, where its text is, and on which side of it */
static double arc_middle(const tree_layout *l, int i)
{
    int parent = l->what->nodes[i].parent;
    return parent < 0 ? l->places[i].x : 0.5 * (l->places[parent].x + l->places[i].x);
}

static bool is_leftwards(const tree_layout *l, int i)
{
    int parent = l->what->nodes[i].parent;
    return parent >= 0 && l->places[i].x < l->places[parent].x;
}

/* downwards: how far from the middle of the arc its text begins, clear of one that is inclined */
static double text_side(const tree_layout *l, int i)
{
    int parent = l->what->nodes[i].parent;
    double across = parent < 0 ? 0 : fabs(l->places[parent].x - l->places[i].x);
    return arc_side + 0.5 * FIGURE_TEXT_BODY * across / level_gap;
}

/* downwards: leaves side by side, each as wide as its box and its arc's text need */
static void place_downwards(tree_layout *l)
{
    double x = 0;
    int n = l->what->count;
    for (int i = 0; i < n; i++) {
        tree_place *place = &l->places[i];
        place->y = root_arc + (place->depth * (box_height + level_gap)) + 0.5 * box_height;
        if (place->children > 0)
            continue;
        double room = fmax(place->width, place->arc_width + 2 * arc_side);
        place->x = x + 0.5 * room;
        x += room + leaf_gap;
    }
    for (int i = n - 1; i >= 0; i--) {
        tree_place *place = &l->places[i];
        if (place->children > 0)
            place->x = 0.5 * (l->places[place->first].x + l->places[place->last].x);
    }

    // parents' boxes and texts may stand out of the leaves'
    double left = INFINITY, right = -INFINITY;
    for (int i = 0; i < n; i++) {
        const tree_place *place = &l->places[i];
        double side = text_side(l, i) + place->arc_width, middle = arc_middle(l, i);
        bool leftwards = is_leftwards(l, i);
        left = fmin(left, fmin(place->x - 0.5 * place->width, leftwards ? middle - side : middle));
        right =
            fmax(right, fmax(place->x + 0.5 * place->width, leftwards ? middle : middle + side));
    }
    for (int i = 0; i < n; i++)
        l->places[i].x -= left;
    l->width = right - left;
    l->height = root_arc + l->depths * box_height + (l->depths - 1) * level_gap;
}

/* to the right: rows of leaves, columns as wide as their widest box and arc */
static void place_rightwards(tree_layout *l)
{
    int n = l->what->count, row = 0;
    for (int i = 0; i < n; i++) {
        l->places[i].y = (row + 0.5) * row_height;
        if (l->places[i].children == 0)
            row++;
    }
    double widest = 0;
    for (int d = 0; d < l->depths; d++) {
        double box = 0, arc = 0;
        for (int i = 0; i < n; i++) {
            if (l->places[i].depth != d)
                continue;
            box = fmax(box, l->places[i].width);
            arc = fmax(arc, l->places[i].arc_width + arc_gap);
        }
        double begin = d > 0 ? widest + fmax(column_gap, arc + column_gap) : 0;
        for (int i = 0; i < n; i++)
            if (l->places[i].depth == d)
                l->places[i].x = begin + 0.5 * l->places[i].width;
        l->columns[d] = begin;
        widest = begin + box;
    }
    l->width = widest;
    l->height = row * row_height;
}

/* ---- drawing ------------------------------------------------------------ */

static void draw_arc_downwards(const tree_layout *l, int i, double left, double top)
{
    const tree_node *node = &l->what->nodes[i];
    const tree_place *place = &l->places[i];
    const tree_place *parent = node->parent >= 0 ? &l->places[node->parent] : place;
    figure_point to = {left + place->x, top + place->y - 0.5 * box_height};
    figure_point from = {left + parent->x,
                         node->parent >= 0 ? top + parent->y + 0.5 * box_height : to.y - root_arc};
    figure_point middle = {0.5 * (from.x + to.x), 0.5 * (from.y + to.y)};
    figure_arrow(l->page, from, to, 8, figure_pen(FIGURE_MUTED, FIGURE_MEDIUM));
    tree_draw_sign(l->page, middle, node->sign);
    if (!node->arc)
        return;

    // on the side the arc leads to
    figure_font font = arc_font(l);
    bool leftwards = is_leftwards(l, i);
    font.x_align = leftwards ? 1 : 0;
    middle.x += leftwards ? -text_side(l, i) : text_side(l, i);
    tree_draw_text(l, middle, node->arc, font);
}

static void draw_arc_rightwards(const tree_layout *l, int i, double left, double top)
{
    const tree_node *node = &l->what->nodes[i];
    const tree_place *place = &l->places[i];
    if (node->parent < 0)
        return;
    const tree_place *parent = &l->places[node->parent];
    double turn = left + parent->x + 0.5 * parent->width + 0.35 * column_gap;
    figure_point from = {left + parent->x + 0.5 * parent->width, top + parent->y};
    figure_point to = {left + place->x - 0.5 * place->width, top + place->y};
    figure_point path[] = {from, {turn, from.y}, {turn, to.y}, to};
    figure_polyline(l->page, path, 4, figure_pen(FIGURE_MUTED, FIGURE_MEDIUM));

    // the text stands over the piece before the box
    double end = to.x - 8, begin = left + l->columns[place->depth] - place->arc_width - arc_gap;
    tree_draw_sign(l->page, (figure_point){end, to.y}, node->sign);
    if (node->arc)
        tree_draw_text(l, (figure_point){0.5 * (begin + end), to.y - 4}, node->arc, arc_font(l));
}

static void draw_box(const tree_layout *l, int i, double left, double top)
{
    const tree_place *place = &l->places[i];
    figure_point middle = {left + place->x, top + place->y};
    figure_color fill = figure_mix(figure_series(0), FIGURE_PAPER, 0.72);
    figure_rect box = {middle.x - 0.5 * place->width, middle.y - 0.5 * box_height, place->width,
                       box_height};
    if (l->form == TREE_RIGHTWARDS)
        box = figure_rect_inset(box, 0, 2, 0, 2);
    figure_rectangle(l->page, box, box_corner,
                     figure_outlined(i == 0 ? FIGURE_GRID : fill, FIGURE_INK, FIGURE_THIN));
    tree_draw_text(l, middle, l->what->nodes[i].name, node_font());
}

/* whether some arc, not the root's, has a sign */
static bool is_used(const tree *what, tree_sign sign)
{
    for (int i = 0; i < what->count; i++)
        if (what->nodes[i].parent >= 0 && what->nodes[i].sign == sign)
            return true;
    return false;
}

/* the signs that there are */
static void draw_legend(const tree_layout *l, double y)
{
    static const struct {
        tree_sign sign;
        const char *text;
    } entries[] = {{TREE_TURN, "turns"},
                   {TREE_SLIDE, "slides"},
                   {TREE_BALL, "turns about several axes"},
                   {TREE_PLANE, "planar"},
                   {TREE_PLAIN, "rigid"}};
    double x = margin;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!is_used(l->what, entries[i].sign))
            continue;
        figure_line(l->page, (figure_point){x, y}, (figure_point){x + 22, y},
                    figure_pen(FIGURE_MUTED, FIGURE_MEDIUM));
        tree_draw_sign(l->page, (figure_point){x + 11, y}, entries[i].sign);
        x += 28;
        x += figure_text(
            l->page, (figure_point){x, y}, entries[i].text,
            (figure_font){.size = FIGURE_TEXT_SMALL, .y_align = 0.5, .color = FIGURE_MUTED});
        x += 18;
    }
}

static void draw_arcs(const tree_layout *l, double left, double top)
{
    for (int i = 0; i < l->what->count; i++) {
        if (l->form == TREE_DOWNWARDS)
            draw_arc_downwards(l, i, left, top);
        else
            draw_arc_rightwards(l, i, left, top);
    }
}

static void draw_page(const tree_layout *l)
{
    const tree *what = l->what;
    double top = margin + (what->title ? title_room : 0), left = margin;
    left = fmax(left, 0.5 * (figure_width(l->page) - l->width));
    figure_page_title(l->page, (figure_rect){margin, margin, 1, 1}, what->title);
    if (l->form == TREE_LIST) {
        tree_list_draw(l, left, top);
    } else {
        draw_arcs(l, left, top);
        for (int i = 0; i < what->count; i++)
            draw_box(l, i, left, top);
    }
    if (what->marked)
        draw_legend(l, figure_height(l->page) - margin);
}

/* ---- the page ----------------------------------------------------------- */

static lb_status draw_measured(tree_layout *l, const char *path, lb_error *error)
{
    const tree *what = l->what;
    lb_status status = figure_open(path, 1, 1, &l->page, error);
    if (status)
        return status;
    measure(l);
    if (l->form == TREE_DOWNWARDS)
        place_downwards(l);
    else
        place_rightwards(l);
    // too wide for a page: a list
    if (l->form == TREE_RIGHTWARDS && l->width > widest_tree) {
        l->form = TREE_LIST;
        tree_list_place(l);
    }
    double width = l->width + 2 * margin, height = l->height + 2 * margin;
    if (what->title) {
        figure_font font = {.size = FIGURE_TEXT_TITLE, .bold = true};
        width = fmax(width, figure_text_width(l->page, what->title, font) + 2 * margin);
        height += title_room;
    }
    if (what->marked) {
        width = fmax(width, 420);
        height += legend_room;
    }
    figure_discard(l->page);
    status = figure_open_dense(path, width, height, 2, &l->page, error);
    if (status)
        return status;
    draw_page(l);
    return figure_close(l->page, error);
}

lb_status tree_draw(const tree *what, const char *path, lb_error *error)
{
    size_t n = (size_t)what->count;
    tree_layout l = {.what = what,
                     .form = what->count <= most_downwards ? TREE_DOWNWARDS : TREE_RIGHTWARDS};
    l.places = calloc(n, sizeof *l.places);
    l.columns = calloc(n, sizeof *l.columns);
    lb_status status = l.places && l.columns
                           ? draw_measured(&l, path, error)
                           : lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to draw a tree");
    free(l.columns);
    free(l.places);
    return status;
}
