/* gait.c - walking made from a few numbers. */
#include "../binding.h"

#include <limber/gait.h>

/* step length, cadence, step width, cycles, rate; 0: the default */
enum { GAIT_NUMBERS = 5 };

static void set(double *value, double given)
{
    *value = given != 0 ? given : *value;
}

/* *contacts becomes when heels and toes rest; NULL on failure */
lb_clip *EXPORT(gait_walk)(const lb_model *model, const double *n, lb_contacts **contacts)
{
    lb_clip *clip = NULL;
    lb_gait gait = lb_gait_default();
    set(&gait.step_length, n[0]);
    set(&gait.cadence, n[1]);
    set(&gait.step_width, n[2]);
    gait.cycles = n[3] > 0 ? (int)n[3] : gait.cycles;
    set(&gait.rate, n[4]);
    *contacts = NULL;
    lb_gait_walk(model, &gait, NULL, &clip, contacts, &binding_error);
    return clip;
}
