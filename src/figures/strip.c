/*
 * strip.c - lb_draw_strip: rows of figures, the bars of their contacts, one axis of time.
 */
#include "figures/strip_row.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

/* the share of its place that a figure may reach beyond it: hands and feet, into the gaps beside */
static const double spill = 0.15;
/* points; the edge of a page is not drawn on */
static const double edge = 4;
static const double margin = 20, title_room = 30, label_room = 20, row_gap = 12;
static const double lane = 12, bars_gap = 8, axis_room = 34, note_room = 22;
static const double least_width = 100, usual_width = 1000;
enum { usual_frames = 10 };
/* the cosine of 60 degrees, the steepest ground */
static const double least_up = 0.5;

/* What is on the page. */
typedef struct strip_page {
    const lb_strip *what;
    strip_layout layout;
    strip_row rows[LB_STRIP_ROWS];
    int started;
    double gutter; /* left of the places, for the names of what is held */
    figure *page;
} strip_page;

lb_strip lb_strip_default(void)
{
    return (lb_strip){.begin = NAN, .end = NAN, .azimuth = NAN, .elevation = NAN};
}

lb_strip strip_complete(const lb_strip *given, int frames, double width)
{
    lb_strip what = *given;
    if (isnan(what.begin))
        what.begin = lb_clip_begin(what.rows[0].clip);
    if (isnan(what.end))
        what.end = lb_clip_end(what.rows[0].clip);
    what.frames = what.frames == 0 ? frames : what.frames;
    what.width = what.width == 0 ? width : what.width;
    return what;
}

/* ---- checks -------------------------------------------------------------------- */

static lb_status check_row(const lb_strip_row *row, int index, lb_error *error)
{
    if (!row->clip)
        return REFUSE_ARGUMENT(error, "row %d: clip is NULL", index + 1);
    int links = lb_model_link_count(lb_clip_model(row->clip));
    if (!lb_vec3_is_finite(row->ground_normal) ||
        lb_vec3_normalize(row->ground_normal, lb_vec3_make(0, 0, 1)).z < least_up)
        return REFUSE_VALUE(
            error, "row %d: ground_normal must be finite and at most 60 degrees from z", index + 1);
    if (row->path_count < 0 || row->path_count > LB_STRIP_PATHS)
        return REFUSE_ARGUMENT(error, "row %d: path_count is %d; 0 to %d", index + 1,
                               row->path_count, LB_STRIP_PATHS);
    for (int i = 0; i < row->path_count; i++)
        if (row->paths[i] < 0 || row->paths[i] >= links)
            return REFUSE_ARGUMENT(error, "row %d: paths[%d] is %d; the model has links 0 to %d",
                                   index + 1, i, row->paths[i], links - 1);
    for (int i = 0; row->contacts && i < lb_contacts_count(row->contacts); i++) {
        int link = lb_contacts_points(row->contacts)[i].link;
        if (link < 0 || link >= links)
            return REFUSE_ARGUMENT(error,
                                   "row %d: contact %d is on link %d; the model has links 0 to %d",
                                   index + 1, i, link, links - 1);
    }
    return LB_OK;
}

lb_status strip_check(const lb_strip *what, lb_error *error)
{
    if (what->row_count < 1 || what->row_count > LB_STRIP_ROWS || !what->rows)
        return REFUSE_ARGUMENT(error, "row_count is %d; 1 to %d rows", what->row_count,
                               LB_STRIP_ROWS);
    if (what->frames < 0 || what->frames > LB_STRIP_FRAMES)
        return REFUSE_ARGUMENT(error, "frames is %d; 1 to %d, or 0 to choose", what->frames,
                               LB_STRIP_FRAMES);
    if (what->width != 0 && !(what->width >= least_width && what->width <= figure_max_size))
        return REFUSE_VALUE(error, "the width is %g; %g to %d points", what->width, least_width,
                            figure_max_size);
    if (isinf(what->azimuth) || isinf(what->elevation) || isinf(what->begin) || isinf(what->end))
        return REFUSE_VALUE(error,
                            "times and the viewing direction must be finite, or NAN to choose");
    if (isinf(what->end - what->begin))
        return REFUSE_VALUE(error, "from begin %g to end %g is not finite", what->begin, what->end);
    for (int i = 0; i < what->row_count; i++)
        TRY(check_row(&what->rows[i], i, error));
    return LB_OK;
}

/* ---- layout -------------------------------------------------------------------- */

/* what is drawn below a row's ground */
static double bars_height(const strip_page *p, const lb_strip_row *row)
{
    int links[STRIP_LINKS], n = strip_contact_links(row->contacts, links);
    return p->what->overlaid ? note_room : n > 0 ? bars_gap + n * lane : 0;
}

static const char *link_name(const lb_strip_row *row, int link)
{
    return lb_model_link(lb_clip_model(row->clip), link)->name;
}

static const figure_font small_font = {.size = FIGURE_TEXT_SMALL, .y_align = 0.5};

/* the widest of the names beside the bars; there is no page yet that could measure them */
static double find_gutter(const strip_page *p)
{
    const double letter = 0.58 * FIGURE_TEXT_SMALL;
    double widest = 0;
    for (int r = 0; r < p->what->row_count && !p->what->overlaid; r++) {
        int links[STRIP_LINKS], n = strip_contact_links(p->what->rows[r].contacts, links);
        for (int i = 0; i < n; i++)
            widest =
                fmax(widest, letter * (double)strlen(link_name(&p->what->rows[r], links[i])) + 8);
    }
    return fmin(widest, 0.2 * p->what->width);
}

static void lay_out(strip_page *p)
{
    const lb_strip *what = p->what;
    p->gutter = find_gutter(p);
    double room = what->width - 2 * margin - p->gutter;
    p->layout = (strip_layout){
        .what = what,
        .begin = what->begin,
        .end = what->end,
        .left = margin + p->gutter,
        .cell = what->overlaid ? room : room / what->frames,
        .spill = fmin(spill * room / what->frames, margin - edge),
    };
}

/* all rows at the scale of the smallest, so that sizes compare */
static void share_scale(strip_page *p)
{
    double scale = INFINITY;
    for (int i = 0; i < p->started; i++)
        scale = fmin(scale, strip_row_scale(&p->rows[i]));
    for (int i = 0; i < p->started; i++)
        strip_row_rescale(&p->rows[i], scale);
}

static double row_height(const strip_page *p, int index)
{
    const lb_strip_row *row = &p->what->rows[index];
    return (row->label ? label_room : 0) + p->rows[index].height + bars_height(p, row) + row_gap;
}

static double page_height(const strip_page *p)
{
    double height = 2 * margin + (p->what->title ? title_room : 0) - row_gap;
    for (int i = 0; i < p->what->row_count; i++)
        height += row_height(p, i);
    return height + (p->what->overlaid ? 0 : axis_room);
}

/* ---- time ---------------------------------------------------------------------- */

/* where a time is, side by side: each moment in the middle of its place */
static double time_at(const strip_page *p, double time)
{
    const strip_layout *l = &p->layout;
    double share = l->end > l->begin ? (time - l->begin) / (l->end - l->begin) : 0;
    return l->left + l->cell * (0.5 + share * (p->what->frames - 1));
}

/* to a millisecond, as it is printed */
static double round_time(double time)
{
    return floor(1000 * time + 0.5) / 1000;
}

static void draw_axis(const strip_page *p, double y)
{
    const strip_layout *l = &p->layout;
    figure_style line = {.stroke = FIGURE_MUTED, .width = FIGURE_THIN, .butt_ended = true};
    double from = time_at(p, l->begin), to = time_at(p, l->end), first, step;
    figure_line(p->page, (figure_point){from, y}, (figure_point){to, y}, line);
    figure_font font = {
        .size = FIGURE_TEXT_SMALL, .x_align = 0.5, .y_align = 1, .color = FIGURE_MUTED};
    char text[32];
    int n = to > from ? figure_ticks(l->begin, l->end, 8, &first, &step) : 0;
    for (int i = 0; i < n; i++) {
        double time = first + i * step, x = time_at(p, time);
        text_format(text, sizeof text, i == n - 1 ? "%g s" : "%g", fabs(time) < 1e-9 ? 0 : time);
        figure_line(p->page, (figure_point){x, y}, (figure_point){x, y + 4}, line);
        figure_text(p->page, (figure_point){x, y + 7}, text, font);
    }
    for (int i = 0; i < p->what->frames; i++) {
        double x = time_at(p, strip_time(l, i));
        figure_circle(p->page, (figure_point){x, y}, 2,
                      figure_outlined(FIGURE_PAPER, FIGURE_MUTED, FIGURE_THIN));
    }
    // of a single moment its time
    text_format(text, sizeof text, "%g s", round_time(strip_time(l, 0)));
    if (p->what->frames == 1)
        figure_text(p->page, (figure_point){from, y + 7}, text, font);
}

/* a round length about a tenth of the page, as a bar that ends at x */
static void draw_scale(const strip_page *p, double x, double y)
{
    double scale = strip_row_scale(&p->rows[0]), first, step;
    char text[32];
    figure_ticks(0, 0.2 * p->what->width / scale, 2, &first, &step);
    text_format(text, sizeof text, "%g m", step);
    figure_style line = {.stroke = FIGURE_MUTED, .width = FIGURE_MEDIUM, .butt_ended = true};
    figure_font font = small_font;
    font.color = FIGURE_MUTED;
    font.x_align = 1;
    double left = x - step * scale;
    figure_line(p->page, (figure_point){left, y}, (figure_point){x, y}, line);
    for (int end = 0; end < 2; end++) {
        double at = end ? x : left;
        figure_line(p->page, (figure_point){at, y - 3}, (figure_point){at, y + 3}, line);
    }
    figure_text(p->page, (figure_point){left - 6, y}, text, font);
}

/* ---- contacts -------------------------------------------------------------------- */

/* the spans of one point as a bar within its link's lane */
static void draw_spans(const strip_page *p, const lb_contacts *contacts, int point, figure_rect bar,
                       figure_color color)
{
    int n;
    const lb_contact_span *spans = lb_contacts_spans(contacts, point, &n);
    for (int i = 0; i < n; i++) {
        double from = time_at(p, fmax(spans[i].begin, p->layout.begin));
        double to = time_at(p, fmin(spans[i].end, p->layout.end));
        if (to > from)
            figure_rectangle(p->page, (figure_rect){from, bar.y, to - from, bar.height}, 0,
                             figure_brush(color));
    }
}

static void draw_bars(const strip_page *p, const lb_strip_row *row, double y)
{
    const lb_contacts *contacts = row->contacts;
    int links[STRIP_LINKS], n = strip_contact_links(contacts, links);
    figure_font font = small_font;
    font.x_align = 1;
    font.color = FIGURE_MUTED;
    for (int k = 0; k < n; k++, y += lane) {
        int points = 0, at = 0;
        for (int i = 0; i < lb_contacts_count(contacts); i++)
            points += lb_contacts_points(contacts)[i].link == links[k];
        double height = (lane - 2) / points;
        for (int i = 0; i < lb_contacts_count(contacts); i++)
            if (lb_contacts_points(contacts)[i].link == links[k])
                draw_spans(p, contacts, i,
                           (figure_rect){0, y + height * at++, 0, fmax(height - 0.5, 0.5)},
                           strip_contact_color(k));
        figure_text(p->page, (figure_point){p->layout.left - 6, y + 0.5 * (lane - 2)},
                    link_name(row, links[k]), font);
    }
}

/* ---- notes below one picture ------------------------------------------------------- */

/* what marks and lines mean; returns where the next note begins */
static double draw_note(const strip_page *p, double x, double y, const char *text,
                        figure_color color, bool line)
{
    if (line)
        figure_line(p->page, (figure_point){x - 5, y}, (figure_point){x + 5, y},
                    figure_pen(color, FIGURE_MEDIUM));
    else
        figure_marker(p->page, (figure_point){x, y}, FIGURE_MARK_DOT, 6, color);
    figure_font font = small_font;
    font.color = FIGURE_MUTED;
    return x + 8 + figure_text(p->page, (figure_point){x + 8, y}, text, font) + 22;
}

static void draw_notes(const strip_page *p, const lb_strip_row *row, double y)
{
    int links[STRIP_LINKS], n = strip_contact_links(row->contacts, links);
    double x = p->layout.left + 6;
    for (int i = 0; i < n; i++)
        x = draw_note(p, x, y, link_name(row, links[i]), strip_contact_color(i), false);
    for (int i = 0; i < row->path_count; i++)
        x = draw_note(p, x, y, link_name(row, row->paths[i]), strip_path_color(i), true);
    char text[80];
    text_format(text, sizeof text, "%g to %g s", round_time(p->layout.begin),
                round_time(p->layout.end));
    figure_font font = small_font;
    font.color = FIGURE_MUTED;
    figure_text(p->page, (figure_point){x, y}, text, font);
}

/* ---- the page ----------------------------------------------------------------------- */

static void draw_row(strip_page *p, int index, double y)
{
    const lb_strip_row *row = &p->what->rows[index];
    if (row->label) {
        figure_text(p->page, (figure_point){margin, y + 0.4 * label_room}, row->label,
                    (figure_font){.y_align = 0.5});
        y += label_room;
    }
    strip_row_paint(&p->rows[index], p->page, y);
    y += p->rows[index].height;
    if (p->what->overlaid)
        draw_notes(p, row, y + 0.7 * note_room);
    else
        draw_bars(p, row, y + bars_gap);
}

static void draw_all(strip_page *p)
{
    double y = figure_page_title(p->page, (figure_rect){margin, margin, 1, 1}, p->what->title).y;
    for (int i = 0; i < p->what->row_count; i++) {
        draw_row(p, i, y);
        y += row_height(p, i);
    }
    double bottom = figure_height(p->page) - margin;
    if (!p->what->overlaid)
        draw_axis(p, bottom - axis_room + 14);
    draw_scale(p, p->what->width - margin, p->what->overlaid ? bottom - 0.3 * note_room : bottom);
}

static lb_status draw_page(strip_page *p, const char *path, lb_error *error)
{
    lay_out(p);
    for (int i = 0; i < p->what->row_count; i++)
        TRY(strip_row_start(&p->rows[p->started++], &p->layout, &p->what->rows[i], error));
    share_scale(p);
    TRY(figure_open_dense(path, p->what->width, page_height(p), 2, &p->page, error));
    draw_all(p);
    return figure_close(p->page, error);
}

lb_status lb_draw_strip(const lb_strip *strip, const char *path, lb_error *error)
{
    TRY(REQUIRE(error, {strip, "strip"}, {path, "path"}));
    TRY(strip_check(strip, error));
    lb_strip complete = strip_complete(strip, usual_frames, usual_width);
    strip_page page = {.what = &complete};
    lb_status status = draw_page(&page, path, error);
    for (int i = 0; i < page.started; i++)
        strip_row_release(&page.rows[i]);
    return status;
}
