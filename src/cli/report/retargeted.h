/*
 * retargeted.h - what is said of a retargeting that is not as its source.
 */
#ifndef CLI_REPORT_RETARGETED_H
#define CLI_REPORT_RETARGETED_H

#include <limber/retarget.h>

/* The slope of the source's ground that was found. */
void remark_slope(const lb_retarget_report *report);
/* Legs that are too slow for the motion, and what helps; `retime`: it was slowed down already. */
void remark_slow_legs(const lb_retarget_report *report, bool retime);

#endif
