/*
 * strip.c - a walk made from its numbers, and a strip of it: moments side by side, with bars below
 * for the contacts of heels and toes.
 *
 * The walk is slower than the default one, and its arms swing less.
 *
 * Prints:
 *     two cycles of 1.50 s, 1.19 m each
 *     left heel held from 0.00 to 0.57 s
 *     left heel held from 1.50 to 2.07 s
 *     drawn: strip.svg
 */
#include <limber/figures/strip.h>
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const lb_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

int main(void)
{
    lb_model *model = NULL;
    lb_clip *walk = NULL;
    lb_contacts *contacts = NULL;
    lb_error error;
    lb_load_options load = lb_load_options_default();
    load.root = LB_ROOT_FLOATING;
    if (lb_load_with_options("human", &load, &model, &error) != LB_OK)
        stop(&error);

    lb_gait gait = lb_gait_default();
    gait.cadence = 80; // steps a minute
    gait.arm_swing = 0.2;
    gait.cycles = 2;
    if (lb_gait_walk(model, &gait, NULL, &walk, &contacts, &error) != LB_OK)
        stop(&error);
    const double *first = lb_clip_key(walk, 0), *last = lb_clip_key(walk, lb_clip_count(walk) - 1);
    printf("two cycles of %.2f s, %.2f m each\n", lb_clip_end(walk) / 2, (last[0] - first[0]) / 2);

    int count;
    const lb_contact_span *spans = lb_contacts_spans(contacts, 0, &count);
    for (int i = 0; i < count; i++)
        printf("left heel held from %.2f to %.2f s\n", spans[i].begin, spans[i].end);

    lb_strip_row row = {.clip = walk, .contacts = contacts, .label = "80 steps a minute"};
    lb_strip strip = lb_strip_default();
    strip.rows = &row;
    strip.row_count = 1;
    if (lb_draw_strip(&strip, "strip.svg", &error) != LB_OK)
        stop(&error);
    printf("drawn: strip.svg\n");

    lb_contacts_release(contacts);
    lb_clip_release(walk);
    lb_model_release(model);
    return 0;
}
