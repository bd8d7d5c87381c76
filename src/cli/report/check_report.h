/*
 * check_report.h - what is wrong with a motion, for people and as JSON.
 */
#ifndef CLI_REPORT_CHECK_REPORT_H
#define CLI_REPORT_CHECK_REPORT_H

#include <limber/check.h>
#include <limber/fidelity.h>

#include <jansson.h>
#include <stdio.h>

/* How near links come to each other over a clip. */
typedef struct check_links {
    lb_collision *collision;
    const lb_check_pair *pairs; /* of lb_clip_check_pairs */
    double margin;              /* that they were made with */
    bool by_looks;              /* by what links look like, for want of shapes that collide */
} check_links;

/* Of which motion a report is, and what is known of it. */
typedef struct check_facts {
    const lb_clip *clip;
    const lb_contacts *contacts; /* NULL: nothing is known about feet */
    const char *origin;          /* how they are known: "given", "built in", "detected" ... */
    bool soles_assumed;          /* how high the soles are is not known, nor is floating */
    const check_links *links;    /* NULL: not measured */
    const lb_fidelity_report *fidelity; /* beside its source; NULL: there is none */
} check_facts;

/* Whether any pair of links is checked: a figure without shapes is not free of overlaps. */
bool check_links_measured(const check_links *links);
/* How many pairs are as near as the margin in some key. */
int check_links_near(const check_links *links);

/*
 * One line for each item: its worst value, where and when, and how many frames are beyond; then the
 * pairs of links that come near, and how like its source it is. Of what was not measured it says
 * why.
 */
void check_report_words(const check_facts *facts, const lb_check_report *report, FILE *stream);
/* An object with a member for each item, null for what was not measured. */
json_t *check_report_json(const check_facts *facts, const lb_check_report *report);
/* Whether anything that was measured is beyond its threshold. */
bool check_report_is_bad(const check_facts *facts, const lb_check_report *report);
/* The pairs of links that are as near as the margin in one key. */
json_t *check_key_json(const lb_clip *clip, const check_links *links, int key);

#endif
