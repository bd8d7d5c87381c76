/* retargeted.c - what is said of a retargeting that is not as its source. */
#include "cli/report/retargeted.h"

#include "cli/report/report.h"

#include <limber/math.h>

#include <stdio.h>

/* a slope that was found, not given */
void remark_slope(const lb_retarget_report *report)
{
    lb_vec3 n = report->source_normal;
    double unseen = lb_atan2(report->unseen_slope, 1) * 180 / LB_PI;
    if (n.x != 0 || n.y != 0)
        remark("the motion is on a slope of %.1f degrees: --source-ground-normal \"%.4f %.4f "
               "%.4f\"; slopes across the path below %.0f degrees cannot be recognised",
               lb_acos(n.z) * 180 / LB_PI, n.x, n.y, n.z, unseen);
}

/* metres by which feet may slide or be below the ground before it is said: as in limber check */
#define SEEN 1e-3

/* metres by which a step becomes another one before it is said; how much too fast legs are then,
   and in which share of the frames a speed holds some joint back */
#define STEP_SEEN 0.01
#define FAST_SEEN 1.2
#define SLOW_SEEN 0.1

/* legs that are too slow for the motion, what comes of it, and what helps */
void remark_slow_legs(const lb_retarget_report *r, bool retime)
{
    double slide = r->worst_slide, below = r->worst_penetration;
    bool slides = fmax(slide, below) > SEEN;
    bool moved = r->worst_moved > STEP_SEEN;
    bool held_back = !retime && r->fastest_leg > FAST_SEEN && r->slowed > SLOW_SEEN * r->frames;
    char what[160];
    if (!(r->fastest_leg > 1) || !(slides || moved || held_back))
        return;
    if (slides)
        snprintf(what, sizeof what,
                 "held feet slide by up to %.0f mm and are up to %.0f mm below "
                 "the ground",
                 1e3 * slide, 1e3 * below);
    else if (!moved)
        snprintf(what, sizeof what, "%d of %d frames are held back", r->slowed, r->frames);
    else
        snprintf(what, sizeof what, "%d contacts are up to %.0f mm from their places", r->moved,
                 1e3 * r->worst_moved);
    if (isinf(r->fastest_leg)) {
        remark("legs have a joint that would have to move and whose speed is limited to 0: %s; "
               "--no-speed-limits shows the motion without limits",
               what);
        return;
    }
    remark("legs would have to be %.1f times as fast as their limits: %s; %s", r->fastest_leg, what,
           retime ? "--no-speed-limits shows the motion without limits"
                  : "--retime makes the motion as long as the legs need");
}
