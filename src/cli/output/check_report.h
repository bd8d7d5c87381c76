/*
 * check_report.h - what is wrong with a motion, for people and as JSON.
 */
#ifndef CLI_OUTPUT_CHECK_REPORT_H
#define CLI_OUTPUT_CHECK_REPORT_H

#include <limber/check.h>

#include <jansson.h>
#include <stdio.h>

/* One line for each item: its worst value, where and when, and how many frames are beyond. */
void check_report_words(const lb_clip *clip, const lb_contacts *contacts,
                        const lb_check_report *report, FILE *stream);
/* An object with a member for each item. */
json_t *check_report_json(const lb_clip *clip, const lb_contacts *contacts,
                          const lb_check_report *report);

#endif
