/*
 * gallery_page.c - the page that shows all figures, each with the commands that compute its data.
 */
#include "cli/textbook/gallery.h"

#include <string.h>

/* joints of planar3 */
enum { ARM_JOINTS = 3 };

/* "joint_1=0.1 joint_2=0.5 joint_3=0.1" */
static void write_gains(const double *gains, FILE *stream)
{
    fputs(" --gains \"", stream);
    for (int i = 0; i < ARM_JOINTS; i++)
        fprintf(stream, "%sjoint_%d=%g", i > 0 ? " " : "", i + 1, gains[i]);
    fputs("\" --desired \"", stream);
    for (int i = 0; i < ARM_JOINTS; i++)
        fprintf(stream, "%sjoint_%d=0", i > 0 ? " " : "", i + 1);
    fputs("\"", stream);
}

const char *gallery_columns(const gallery_strip *strip, int *count)
{
    const char *columns = strip->columns != NULL ? strip->columns : "joint_1,joint_2,joint_3";
    *count = 1;
    for (const char *at = columns; (at = strchr(at, ',')) != NULL; at++)
        ++*count;
    return columns;
}

const char *gallery_model(const gallery_film *film)
{
    return film->model != NULL ? film->model : "planar3";
}

/* the model, the tip where it is not the usual one, and the base of key poses and figures */
static void write_animate(const gallery_film *film, bool in_world, FILE *stream)
{
    fprintf(stream, "limber animate %s", gallery_model(film));
    if (film->tip != NULL)
        fprintf(stream, " --tip %s", film->tip);
    if (in_world || film->model != NULL)
        fputs(" --base world", stream);
}

/* the command that plays key poses */
static void write_keys_command(const gallery_film *film, const gallery_strip *strip, FILE *stream)
{
    int columns;
    fprintf(stream, "printf '%s\\n", gallery_columns(strip, &columns));
    for (int i = 0; i < strip->key_count * columns; i++)
        fprintf(stream, "%g%s", strip->keys[i], (i + 1) % columns > 0 ? "," : "\\n");
    fputs("' | ", stream);
    write_animate(film, true, stream);
    fprintf(stream, " --keys - --interpolation linear --frames %d\n", GALLERY_FRAMES);
}

/* the command that computes a strip's frames, with every parameter that they depend on */
static void write_strip_command(const gallery_film *film, const gallery_strip *strip, FILE *stream)
{
    write_animate(film, false, stream);
    fprintf(stream,
            " --to \"%g %g %g\" --frames %d --steps %d --method %s --position-tolerance %g "
            "--step-limit %g --no-nudge",
            strip->x, strip->y, strip->z, GALLERY_FRAMES, strip->steps, strip->method,
            strip->tolerance, GALLERY_STEP_LIMIT);
    if (strip->damping > 0)
        fprintf(stream, " --damping %g", strip->damping);
    if (strip->alpha > 0)
        fprintf(stream, " --alpha %g", strip->alpha);
    if (strip->gains != NULL)
        write_gains(strip->gains, stream);
    fputc('\n', stream);
}

static void write_commands(const gallery_figure *figure, FILE *stream)
{
    const gallery_film *film = figure->film;
    fputs("<pre>", stream);
    for (int i = 0; film != NULL && i < film->strip_count; i++)
        if (film->strips[i].keys != NULL)
            write_keys_command(film, &film->strips[i], stream);
        else
            write_strip_command(film, &film->strips[i], stream);
    fprintf(stream, "limber figures --only %s --output figures</pre>\n", figure->name);
}

void gallery_write_page(FILE *stream)
{
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>limber: the textbook's figures</title>\n<style>\n"
        "body{margin:0 auto;max-width:60rem;padding:2rem 1.2rem 4rem;color:#212b38;"
        "background:#fff;font:1rem/1.5 system-ui,\"DejaVu Sans\",sans-serif}\n"
        "h1{font-size:1.7rem;margin:0 0 .3rem}\nh2{font-size:1.05rem;margin:0 0 .2rem}\n"
        "p{margin:.2rem 0 .6rem;color:#4b5563}\n"
        "figure{margin:2.4rem 0;padding:1.2rem;border:1px solid #dde2e7;border-radius:8px}\n"
        "figcaption{margin-bottom:.8rem}\n"
        "img{display:block;margin:0 auto;max-width:100%;height:auto}\n"
        "pre{margin:.8rem 0;padding:.5rem .7rem;background:#f4f6f8;border-radius:6px;"
        "white-space:pre-wrap;font-size:.8rem}\n"
        "a{color:#0072b2}\nnav{font-size:.85rem;text-align:right}\n</style>\n</head>\n<body>\n"
        "<h1>The textbook's figures</h1>\n"
        "<p>Computed and drawn by <code>limber figures</code>. The arm of Figures 5.17 to 5.25 has "
        "links of 15, 10 and 5 and starts at \xcf\x80/8, \xcf\x80/4, \xcf\x80/4; its tip is led in "
        "a straight line, in 21 frames. Orange is the path of the tip so far, with a dot for each "
        "frame; the dashed line is the path that it was to take.</p>\n",
        stream);
    for (int i = 0; i < gallery_count; i++) {
        const gallery_figure *f = &gallery[i];
        fprintf(stream,
                "<figure id=\"%s\">\n<figcaption><h2>%s</h2>\n<p>%s</p></figcaption>\n"
                "<img src=\"%s.svg\" alt=\"%s\" loading=\"lazy\">\n",
                f->name, f->title, f->caption, f->name, f->title);
        write_commands(f, stream);
        fprintf(stream,
                "<nav><a href=\"%s.svg\">SVG</a> \xc2\xb7 <a href=\"%s.png\">PNG</a> \xc2\xb7 "
                "<a href=\"%s.csv\">data</a></nav>\n</figure>\n",
                f->name, f->name, f->name);
    }
    fputs("</body>\n</html>\n", stream);
}
