/*
 * angles.c - the unit of angles, and numbers that look like the other one.
 */
#include "cli/options/angles.h"

#include "cli/output/report.h"

#include <limber/math.h>

static int degrees_wanted;

const struct poptOption angle_options[] = {
    OPTION_FLAG("degrees", degrees_wanted,
                "angles of joints and of roll, pitch, yaw are in degrees, in input and output"),
    OPTION_END,
};

double angle_unit(void)
{
    return degrees_wanted ? LB_PI / 180 : 1;
}

const char *angle_unit_name(void)
{
    return degrees_wanted ? "degrees" : "rad";
}

bool angle_is_doubtful(double given)
{
    /* a turn that was rounded upwards is still one */
    static const double whole_turn = 1.01 * 2 * LB_PI;
    return !degrees_wanted && fabs(given) > whole_turn;
}

void angles_remark(const char *option, const double *given, int count)
{
    for (int i = 0; i < count; i++)
        if (angle_is_doubtful(given[i])) {
            remark("%s: %g is read in radians but looks like degrees; add --degrees if it is",
                   option, given[i]);
            return;
        }
}
