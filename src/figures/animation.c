/*
 * animation.c - lb_draw_animation: clips side by side that move for ever, as an SVG.
 *
 * Every solid is a thick line with an outline behind it and a light line before it. Its ends go
 * through lists of coordinates, one for each moment, in the SVG's own animation (SMIL), which
 * viewers interpolate: so a figure takes some kilobytes, at any size and rate of frames. Lines are
 * in the order of their mean depth, which in a view from the side is right for limbs that pass each
 * other.
 */
#include "figures/strip_row.h"

#include "base/error.h"
#include "base/text.h"
#include "figures/figure_page.h"

#include <stdlib.h>
#include <string.h>

/* points */
static const double usual_width = 560;
static const double margin = 14, title_room = 26, label_room = 24, outline = 1.3, dot = 3;
/* from what is lowest to the middle of a label below it */
static const double label_gap = 14;
/* dashes of the ground, which show how fast it goes by */
static const double ground_dash = 26;
/* of a line's width: the light on it, and how far up and to the left that is */
static const double light_width = 0.36, light_shift = 0.16;

/* One solid through all moments. */
typedef struct stroke {
    const solid *first; /* at the first moment */
    double *at;         /* x1, y1, x2, y2 of each moment, four runs of `frames` */
    double width, depth;
    bool flat; /* its ends are straight */
} stroke;

/* The picture. */
typedef struct animation {
    const lb_strip *what;
    strip_layout layouts[LB_STRIP_ROWS];
    strip_row rows[LB_STRIP_ROWS];
    int started;
    double *values; /* two for each moment */
    FILE *out;
    int names;         /* of shapes that were written */
    char duration[32]; /* as SVG has it */
} animation;

/* ---- numbers ---------------------------------------------------------------- */

/* to a tenth of a point */
static void put_number(FILE *out, double x)
{
    char text[32];
    double tenths = floor(x * 10 + 0.5);
    text_format(text, sizeof text, "%.10g", (tenths == 0 ? 0 : tenths) / 10);
    fputs(text, out);
}

static void put_attribute(FILE *out, const char *name, double value)
{
    fprintf(out, " %s=\"", name);
    put_number(out, value);
    fputc('"', out);
}

static void put_color(FILE *out, figure_color c)
{
    fprintf(out, " stroke=\"#%02x%02x%02x\"", (unsigned)(255 * c.r + 0.5),
            (unsigned)(255 * c.g + 0.5), (unsigned)(255 * c.b + 0.5));
}

/* an attribute that goes through values, unless they are all the same */
static void put_animation(const animation *a, const char *name, const double *values, int n)
{
    bool moves = false;
    for (int i = 1; i < n; i++)
        moves = moves || fabs(values[i] - values[0]) >= 0.05;
    if (!moves)
        return;
    fprintf(a->out, "<animate attributeName=\"%s\" values=\"", name);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            fputc(';', a->out);
        put_number(a->out, values[i]);
    }
    fprintf(a->out, "\" dur=\"%s\" repeatCount=\"indefinite\"/>", a->duration);
}

/* ---- strokes ------------------------------------------------------------------ */

/* how long a box's edge along an axis is on the page */
static double edge_length(const camera *view, const solid *body, int axis)
{
    const lb_vec3 axes[3] = {body->frame.x, body->frame.y, body->frame.z};
    const double sizes[3] = {body->size.x, body->size.y, body->size.z};
    double x = lb_vec3_dot(axes[axis], view->right), y = lb_vec3_dot(axes[axis], view->up);
    return sizes[axis] * sqrt(x * x + y * y) * camera_scale_at(view, body->frame.p);
}

/* the edge of a box that is longest on the page, and the second longest */
static void find_edges(const camera *view, const solid *body, int *along, double *width)
{
    double lengths[3];
    *along = 0;
    *width = 0;
    for (int i = 0; i < 3; i++) {
        lengths[i] = edge_length(view, body, i);
        *along = lengths[i] > lengths[*along] ? i : *along;
    }
    for (int i = 0; i < 3; i++)
        if (i != *along)
            *width = fmax(*width, lengths[i]);
}

static void box_ends(const solid *body, int along, lb_vec3 *a, lb_vec3 *b)
{
    const lb_vec3 axes[3] = {body->frame.x, body->frame.y, body->frame.z};
    const double sizes[3] = {body->size.x, body->size.y, body->size.z};
    lb_vec3 half = lb_vec3_scale(axes[along], 0.5 * sizes[along]);
    *a = lb_vec3_sub(body->frame.p, half);
    *b = lb_vec3_add(body->frame.p, half);
}

/* the ends of a solid in the world; a box by the edge that was chosen at the first moment */
static void solid_ends(const solid *body, int along, lb_vec3 *a, lb_vec3 *b)
{
    *a = body->a;
    *b = body->kind == SOLID_BALL ? body->a : body->b;
    if (body->kind == SOLID_BOX)
        box_ends(body, along, a, b);
}

static double solid_width(const camera *view, const solid *body, int *along)
{
    double width = 0;
    if (body->kind == SOLID_BOX)
        find_edges(view, body, along, &width);
    else if (body->kind == SOLID_BALL)
        width = 2 * body->radius_a * camera_scale_at(view, body->a);
    else
        width = (body->radius_a + body->radius_b) * camera_scale_at(view, body->a);
    return width;
}

/* how long a stroke is on the page, on average */
static double mean_length(const stroke *s, int frames)
{
    double sum = 0;
    for (int i = 0; i < frames; i++) {
        const double *x1 = &s->at[i], *y1 = x1 + frames, *x2 = y1 + frames, *y2 = x2 + frames;
        sum += hypot(*x2 - *x1, *y2 - *y1);
    }
    return sum / frames;
}

/* one solid of a row at all moments */
static void make_stroke(const strip_row *row, int index, stroke *s)
{
    const camera *view = &row->space.view;
    int frames = row->layout->what->frames, along = 0;
    s->first = &row->solids.at[index];
    s->width = solid_width(view, s->first, &along);
    s->flat = s->first->kind == SOLID_BOX || (s->first->flat_a && s->first->flat_b);
    s->depth = 0;
    for (int i = 0; i < frames; i++) {
        lb_vec3 ends[2];
        solid_ends(&row->solids.at[row->first[i] + index], along, &ends[0], &ends[1]);
        for (int end = 0; end < 2; end++) {
            double depth;
            figure_point at = camera_project(view, ends[end], &depth);
            s->at[2 * end * frames + i] = at.x;
            s->at[(2 * end + 1) * frames + i] = at.y;
            s->depth += depth;
        }
    }
    // a hinge that is seen along its axis is a disc
    if (s->first->kind != SOLID_BOX && mean_length(s, frames) < 0.5 * s->width)
        s->flat = false;
}

static int compare_depths(const void *a, const void *b)
{
    const stroke *s = a, *t = b;
    return s->depth != t->depth ? (s->depth < t->depth ? -1 : 1) : s->first < t->first ? -1 : 1;
}

/* ---- writing -------------------------------------------------------------------- */

static const char *const end_names[] = {"x1", "y1", "x2", "y2"};

/* the attributes of a line that are not animated, and its end; then what animates it */
static void put_line(const animation *a, const double *at)
{
    int frames = a->what->frames;
    for (int k = 0; k < 4; k++)
        put_attribute(a->out, end_names[k], at[k * frames]);
    fputc('>', a->out);
    for (int k = 0; k < 4; k++)
        put_animation(a, end_names[k], &at[k * frames], frames);
    fputs("</line>", a->out);
}

/* a line with straight ends: its outline is a longer one */
static void put_flat(animation *a, const stroke *s)
{
    int frames = a->what->frames;
    fputs("<line class=\"o b\"", a->out);
    put_attribute(a->out, "stroke-width", s->width + outline);
    put_line(a, s->at);
    for (int i = 0; i < frames; i++) {
        double *x1 = &s->at[i], *y1 = x1 + frames, *x2 = y1 + frames, *y2 = x2 + frames;
        double dx = *x2 - *x1, dy = *y2 - *y1, length = sqrt(dx * dx + dy * dy);
        double cut = length > outline ? 0.5 * outline / length : 0;
        *x1 += cut * dx, *y1 += cut * dy;
        *x2 -= cut * dx, *y2 -= cut * dy;
    }
    fputs("\n<line class=\"b\"", a->out);
    put_attribute(a->out, "stroke-width", fmax(s->width - outline, 0));
    put_color(a->out, s->first->color);
    put_line(a, s->at);
    fputc('\n', a->out);
}

static void put_use(const animation *a, double width)
{
    fprintf(a->out, "<use href=\"#s%d\"", a->names);
    put_attribute(a->out, "stroke-width", width);
}

/* a line with round ends, once as its outline, once in its colour, once as the light on it */
static void put_round(animation *a, const stroke *s)
{
    fprintf(a->out, "<defs><line id=\"s%d\"", a->names);
    put_line(a, s->at);
    fputs("</defs>", a->out);
    put_use(a, s->width + outline);
    fputs(" class=\"o\"/>", a->out);
    put_use(a, fmax(s->width - outline, 0));
    put_color(a->out, s->first->color);
    fputs("/>", a->out);
    put_use(a, light_width * s->width);
    fputs(" class=\"l\" transform=\"translate(", a->out);
    put_number(a->out, -light_shift * s->width);
    fputc(' ', a->out);
    put_number(a->out, -light_shift * s->width);
    fputs(")\"/>\n", a->out);
    a->names++;
}

/* the ground, whose dashes go by as fast as the figure walks */
static void put_ground(const animation *a, const strip_row *row, double y)
{
    const camera *view = &row->space.view;
    int last = a->what->frames - 1;
    lb_vec3 gone = lb_vec3_sub(row->moves[0], row->moves[last]);
    // along the line, which may fall or rise
    double slope = strip_row_slope(row), fall = 0.5 * row->layout->cell * slope;
    double shift = lb_vec3_dot(gone, view->right) * view->scale * sqrt(1 + slope * slope);
    double dashes = floor(fabs(shift) / ground_dash + 0.5);
    double left = row->layout->left;
    fputs("<line class=\"g\"", a->out);
    put_attribute(a->out, "x1", left);
    put_attribute(a->out, "y1", y - fall);
    put_attribute(a->out, "x2", left + row->layout->cell);
    put_attribute(a->out, "y2", y + fall);
    if (dashes < 1) {
        fputs("/>\n", a->out);
        return;
    }
    // a whole number of dashes goes by
    char text[64];
    double period = fabs(shift) / dashes;
    text_format(text, sizeof text, " stroke-dasharray=\"%.8g %.8g\">", 0.6 * period, 0.4 * period);
    fputs(text, a->out);
    put_animation(a, "stroke-dashoffset", (double[]){0, shift}, 2);
    fputs("</line>\n", a->out);
}

/* ---- contacts -------------------------------------------------------------------- */

/* where a point is at a moment, in the world as the row shows it */
static lb_vec3 contact_place(strip_row *row, const lb_contact_point *point, int frame)
{
    lb_state_update(row->drawing.state, row->poses[frame].q);
    lb_transform link = lb_state_transforms(row->drawing.state)[point->link];
    lb_vec3 at = lb_vec3_add(lb_transform_point(&link, point->at), row->moves[frame]);
    return solid_on_ground(&row->space.ground, at);
}

/* a dot where a point rests, which goes by with the ground and is seen meanwhile */
static void put_contact(const animation *a, strip_row *row, int index, figure_color color)
{
    const lb_contacts *contacts = row->what->contacts;
    const lb_contact_point *point = &lb_contacts_points(contacts)[index];
    int frames = a->what->frames;
    double *x = a->values, *y = x + frames;
    lb_vec3 at = {0, 0, 0};
    for (int i = 0; i < frames; i++) {
        bool held = lb_contacts_at(contacts, index, strip_time(row->layout, i)) != NULL;
        // one moment longer, since shapes move up to the next one
        if (held || i == 0)
            at = contact_place(row, point, i);
        else
            at = lb_vec3_add(at, lb_vec3_sub(row->moves[i], row->moves[i - 1]));
        figure_point p = camera_project(&row->space.view, at, NULL);
        x[i] = p.x;
        y[i] = p.y;
    }
    fputs("<circle", a->out);
    put_attribute(a->out, "cx", x[0]);
    put_attribute(a->out, "cy", y[0]);
    put_attribute(a->out, "r", dot);
    fprintf(a->out, " fill=\"#%02x%02x%02x\">", (unsigned)(255 * color.r + 0.5),
            (unsigned)(255 * color.g + 0.5), (unsigned)(255 * color.b + 0.5));
    put_animation(a, "cx", x, frames);
    put_animation(a, "cy", y, frames);
    fputs("<animate attributeName=\"opacity\" calcMode=\"discrete\" values=\"", a->out);
    for (int i = 0; i < frames - 1; i++) {
        bool held = lb_contacts_at(contacts, index, strip_time(row->layout, i)) != NULL;
        fputs(i > 0 ? ";" : "", a->out);
        fputc(held ? '1' : '0', a->out);
    }
    fprintf(a->out, "\" dur=\"%s\" repeatCount=\"indefinite\"/></circle>\n", a->duration);
}

static void put_contacts(const animation *a, strip_row *row)
{
    const lb_contacts *contacts = row->what->contacts;
    int links[STRIP_LINKS], n = strip_contact_links(contacts, links);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < lb_contacts_count(contacts); i++)
            if (lb_contacts_points(contacts)[i].link == links[k])
                put_contact(a, row, i, strip_contact_color(k));
}

/* ---- rows ------------------------------------------------------------------------- */

/* every moment must have the same solids */
static lb_status check_solids(const strip_row *row, lb_error *error)
{
    int count = row->first[1] - row->first[0];
    for (int i = 1; i < row->layout->what->frames; i++)
        if (row->first[i + 1] - row->first[i] != count)
            return REFUSE_UNSUPPORTED(error, "parts of '%s' appear as it moves; a strip shows it",
                                      lb_model_name(row->model));
    return LB_OK;
}

static bool put_strokes(animation *a, const strip_row *row)
{
    int count = row->first[1] - row->first[0], frames = a->what->frames;
    size_t values = 4 * (size_t)frames;
    stroke *strokes = calloc((size_t)count + 1, sizeof *strokes);
    double *at = calloc(((size_t)count + 1) * values, sizeof *at);
    for (int i = 0; strokes && at && i < count; i++) {
        strokes[i].at = at + (size_t)i * values;
        make_stroke(row, i, &strokes[i]);
    }
    if (strokes && at)
        qsort(strokes, (size_t)count, sizeof *strokes, compare_depths);
    for (int i = 0; strokes && at && i < count; i++)
        (strokes[i].flat ? put_flat : put_round)(a, &strokes[i]);
    bool done = strokes && at;
    free(at);
    free(strokes);
    return done;
}

/* text of the user's, as XML has it; what is no character of it is '?' */
static void put_text(FILE *out, const char *text)
{
    for (size_t n; *text; text += n > 0 ? n : 1) {
        n = figure_character(text);
        if (n == 0)
            fputc('?', out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fwrite(text, 1, n, out);
    }
}

static void put_label(const animation *a, double x, double y, const char *text, const char *style)
{
    if (!text)
        return;
    fputs("<text", a->out);
    put_attribute(a->out, "x", x);
    put_attribute(a->out, "y", y);
    fprintf(a->out, " %s>", style);
    put_text(a->out, text);
    fputs("</text>\n", a->out);
}

/* its feet are on the line at `ground`, its label that far below it */
static bool put_row(animation *a, int index, double ground, double below)
{
    strip_row *row = &a->rows[index];
    const strip_layout *layout = row->layout;
    row->space.view.middle.x += layout->left + 0.5 * layout->cell;
    row->space.view.middle.y += ground - row->low;
    put_ground(a, row, ground);
    bool done = put_strokes(a, row);
    put_contacts(a, row);
    put_label(a, layout->left + 0.5 * layout->cell, ground + below, row->what->label,
              "text-anchor=\"middle\"");
    return done;
}

/* ---- the picture ------------------------------------------------------------------- */

static void put_head(const animation *a, double height)
{
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", a->out);
    put_attribute(a->out, "width", a->what->width);
    put_attribute(a->out, "height", height);
    fputs(" viewBox=\"0 0 ", a->out);
    put_number(a->out, a->what->width);
    fputc(' ', a->out);
    put_number(a->out, height);
    // readable on white and on black
    fputs("\" stroke-linecap=\"round\">\n<style>.o{stroke:#213047}.l{stroke:#fff;opacity:.22}"
          ".b{stroke-linecap:butt}.g{stroke:#9aa5b1;stroke-width:1.3;stroke-linecap:butt}"
          "text{font:12px sans-serif;fill:#5d6976}"
          "@media(prefers-color-scheme:dark){.o{stroke:#8795a6}.l{opacity:.13}"
          ".g{stroke:#5d6976}text{fill:#a9b4c0}}</style>\n",
          a->out);
}

static bool put_picture(animation *a)
{
    double above = 0, below = 0, room = 0, top = margin + (a->what->title ? title_room : 0);
    bool done = true;
    for (int i = 0; i < a->started; i++) {
        above = fmax(above, a->rows[i].low);
        below = fmax(below, a->rows[i].height - a->rows[i].low);
    }
    for (int i = 0; i < a->started; i++)
        if (a->rows[i].what->label)
            room = fmax(label_room, below + label_gap);
    put_head(a, top + above + fmax(below, room) + margin);
    put_label(a, margin, margin + 12, a->what->title, "style=\"font-weight:bold;font-size:14px\"");
    for (int i = 0; done && i < a->started; i++)
        done = put_row(a, i, top + above, room);
    fputs("</svg>\n", a->out);
    return done;
}

static void lay_out(animation *a, strip_layout *layout, int index)
{
    const lb_strip *what = a->what;
    double cell = (what->width - 2 * margin) / what->row_count;
    *layout = (strip_layout){.what = what,
                             .begin = what->begin,
                             .end = what->end,
                             .left = margin + index * cell,
                             .cell = cell,
                             .steady = true};
}

/* all figures, measured at one scale */
static lb_status start(animation *a, lb_error *error)
{
    double scale = INFINITY;
    for (int i = 0; i < a->what->row_count; i++) {
        lay_out(a, &a->layouts[i], i);
        TRY(strip_row_start(&a->rows[a->started++], &a->layouts[i], &a->what->rows[i], error));
        TRY(check_solids(&a->rows[i], error));
        scale = fmin(scale, strip_row_scale(&a->rows[i]));
    }
    for (int i = 0; i < a->started; i++)
        strip_row_rescale(&a->rows[i], scale);
    const strip_layout *l = &a->layouts[0];
    text_format(a->duration, sizeof a->duration, "%.10gs", l->end - l->begin);
    a->values = calloc(2 * (size_t)a->what->frames, sizeof *a->values);
    return a->values ? LB_OK : lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to animate");
}

static lb_status write_file(animation *a, const char *path, lb_error *error)
{
    file_writer writer = {0};
    TRY(file_begin(&writer, path, error));
    a->out = writer.stream;
    lb_status status = put_picture(a)
                           ? file_commit(&writer, error)
                           : lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to animate");
    file_discard(&writer);
    return status;
}

static lb_status check(const lb_strip *strip, const char *path, lb_error *error)
{
    const char *ending = strrchr(path, '.');
    if (!ending || (strcmp(ending, ".svg") != 0 && strcmp(ending, ".SVG") != 0))
        return REFUSE_UNSUPPORTED(error, "an animation's file must end in .svg");
    if (strip->frames == 1)
        return REFUSE_ARGUMENT(error, "frames is 1; an animation has 2 or more, or 0 to choose");
    return strip_check(strip, error);
}

/* 30 moments a second: what is between them is interpolated */
static int choose_frames(double seconds)
{
    const double rate = 30;
    return (int)fmax(2, fmin(floor(rate * seconds + 0.5) + 1, LB_STRIP_FRAMES));
}

lb_status lb_draw_animation(const lb_strip *strip, const char *path, lb_error *error)
{
    TRY(REQUIRE(error, {strip, "strip"}, {path, "path"}));
    TRY(check(strip, path, error));
    lb_strip apart = strip_complete(strip, 0, usual_width);
    if (apart.frames == 0)
        apart.frames = choose_frames(apart.end - apart.begin);
    apart.overlaid = false;
    animation a = {.what = &apart};
    lb_status status = start(&a, error);
    if (status == LB_OK && !(a.layouts[0].end > a.layouts[0].begin))
        status = REFUSE_VALUE(error, "an animation needs a time that is above 0");
    if (status == LB_OK)
        status = write_file(&a, path, error);
    for (int i = 0; i < a.started; i++)
        strip_row_release(&a.rows[i]);
    free(a.values);
    return status;
}
