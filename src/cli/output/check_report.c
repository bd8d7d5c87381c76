/*
 * check_report.c - what is wrong with a motion, for people and as JSON.
 */
#include "cli/output/check_report.h"

#include "cli/output/print_json.h"

/* the link or the joint that a worst value is of, NULL: there is none */
static const char *name_where(const lb_clip *clip, const lb_contacts *contacts, int item,
                              const lb_check_worst *worst)
{
    if (worst->where < 0)
        return NULL;
    const lb_model *model = lb_clip_model(clip);
    if (item <= LB_CHECK_PENETRATION)
        return lb_model_link(model, lb_contacts_points(contacts)[worst->where].link)->name;
    if (item == LB_CHECK_OVERLAP)
        return lb_model_link(model, worst->where)->name;
    return lb_model_joint(model, worst->where)->name;
}

void check_report_words(const lb_clip *clip, const lb_contacts *contacts,
                        const lb_check_report *report, FILE *stream)
{
    fprintf(stream, "%d frames, %g s\n", report->keys, lb_clip_end(clip) - lb_clip_begin(clip));
    fprintf(stream, "  %-14s%-12s%-9s%-11s%-26s%s\n", "", "worst", "unit", "time", "of",
            "frames beyond");
    for (int i = 0; i < LB_CHECK_COUNT; i++) {
        const lb_check_worst *w = &report->items[i];
        if (contacts == NULL && i <= LB_CHECK_PENETRATION)
            continue;
        const char *name = name_where(clip, contacts, i, w);
        fprintf(stream, "  %-14s%-12.4g%-9s", lb_check_text((lb_check_item)i), w->worst,
                lb_check_unit((lb_check_item)i));
        if (name != NULL)
            fprintf(stream, "%-11.4g%-26s%d\n", lb_clip_times(clip)[w->key], name, w->beyond);
        else
            fprintf(stream, "%-11s%-26s%d\n", "-", "-", w->beyond);
    }
}

json_t *check_report_json(const lb_clip *clip, const lb_contacts *contacts,
                          const lb_check_report *report)
{
    json_t *all = json_object();
    set_json(all, "frames", json_integer(report->keys));
    for (int i = 0; i < LB_CHECK_COUNT; i++) {
        const lb_check_worst *w = &report->items[i];
        if (contacts == NULL && i <= LB_CHECK_PENETRATION)
            continue;
        const char *name = name_where(clip, contacts, i, w);
        json_t *item = json_pack("{s:f, s:f, s:i}", "worst", w->worst, "rms", w->rms,
                                 "frames_beyond", w->beyond);
        if (name != NULL) {
            set_json(item, "frame", json_integer(w->key));
            set_json(item, "time", json_real(lb_clip_times(clip)[w->key]));
            set_json(item, "of", json_string(name));
        }
        set_json(all, lb_check_text((lb_check_item)i), item);
    }
    return all;
}
