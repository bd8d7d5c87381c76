/*
 * retargeted.h - a motion on another model, with what limber check says of it.
 */
#ifndef TEST_MOTION_RETARGETED_H
#define TEST_MOTION_RETARGETED_H

#include "harness.h"

#include <limber/check.h>
#include <limber/retarget.h>

typedef struct retargeted {
    lb_clip *clip;
    lb_contacts *contacts;
    lb_retarget_report report;
    lb_check_report check;
} retargeted;

/* Retargets and checks, or fails the test; `options` may be NULL. */
static inline retargeted retarget(const lb_clip *source, const lb_model *target,
                                  const lb_retarget_options *options)
{
    retargeted r = {.clip = NULL};
    lb_check_options on = lb_check_options_default();
    lb_error error = {0};
    if (lb_retarget(source, target, options, NULL, &r.clip, &r.contacts, &r.report, &error) !=
        LB_OK)
        fail_msg("%s", error.message);
    on.ground = options != NULL ? options->ground : 0;
    on.ground_normal = r.report.ground_normal;
    assert_made(lb_clip_check(r.clip, r.contacts, &on, NULL, NULL, &r.check, &error), error);
    return r;
}

static inline void release_retargeted(retargeted *r)
{
    lb_clip_release(r->clip);
    lb_contacts_release(r->contacts);
}
#define owned_retargeted __attribute__((cleanup(release_retargeted))) retargeted

/* The largest measure of a kind, in any frame. */
static inline double worst(const retargeted *r, lb_check_item item)
{
    return r->check.items[item].worst;
}

#endif
