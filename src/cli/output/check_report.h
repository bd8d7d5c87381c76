/*
 * check_report.h - what is wrong with a motion, for people and as JSON.
 */
#ifndef CLI_OUTPUT_CHECK_REPORT_H
#define CLI_OUTPUT_CHECK_REPORT_H

#include <limber/check.h>

#include <jansson.h>
#include <stdio.h>

/* How near links come to each other over a clip. */
typedef struct check_links {
    lb_collision *collision;
    const lb_check_pair *pairs; /* of lb_clip_check_pairs */
    double margin;              /* that they were made with */
    bool by_looks;              /* by what links look like, for want of shapes that collide */
} check_links;

/* Whether any pair of links is checked: a figure without shapes is not free of overlaps. */
bool check_links_measured(const check_links *links);
/* How many pairs are as near as the margin in some key. */
int check_links_near(const check_links *links);

/*
 * One line for each item: its worst value, where and when, and how many frames are beyond; then the
 * pairs of links that come near. What was not measured is left out, or said: `contacts` may be
 * NULL, and so may `links`.
 */
void check_report_words(const lb_clip *clip, const lb_contacts *contacts,
                        const lb_check_report *report, const check_links *links, FILE *stream);
/* An object with a member for each item. */
json_t *check_report_json(const lb_clip *clip, const lb_contacts *contacts,
                          const lb_check_report *report, const check_links *links);
/* The pairs of links that are as near as the margin in one key. */
json_t *check_key_json(const lb_clip *clip, const check_links *links, int key);

#endif
