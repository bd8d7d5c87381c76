/*
 * angles.c - the unit of angles, and numbers that look like the other one.
 */
#include "cli/options/angles.h"

#include "cli/output/report.h"

#include <limber/math.h>

static int degrees_wanted, source_degrees_wanted;
/* whether a table of motion is being read */
static bool in_source;

const struct poptOption angle_options[] = {
    OPTION_FLAG("degrees", degrees_wanted,
                "angles of joints and of roll, pitch, yaw are in degrees, in input and output"),
    OPTION_END,
};

const struct poptOption source_angle_options[] = {
    OPTION_FLAG("source-degrees", source_degrees_wanted,
                "angles in a table of motion that is read, under a header of joints, are in "
                "degrees"),
    OPTION_END,
};

bool angles_of_source_given(void)
{
    return source_degrees_wanted != 0;
}

void angles_of_source(bool read)
{
    in_source = read;
}

static bool are_degrees(void)
{
    return (in_source ? source_degrees_wanted : degrees_wanted) != 0;
}

double angle_unit(void)
{
    return are_degrees() ? LB_PI / 180 : 1;
}

const char *angle_unit_name(void)
{
    return are_degrees() ? "degrees" : "rad";
}

bool angle_is_doubtful(double given)
{
    /* a turn that was rounded upwards is still one */
    static const double whole_turn = 1.01 * 2 * LB_PI;
    return !are_degrees() && fabs(given) > whole_turn;
}

void angles_remark(const char *option, const double *given, int count)
{
    for (int i = 0; i < count; i++)
        if (angle_is_doubtful(given[i])) {
            remark("%s: %g is read in radians but looks like degrees; add %s if it is", option,
                   given[i], in_source ? "--source-degrees" : "--degrees");
            return;
        }
}
