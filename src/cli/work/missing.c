/* missing.c - the targets that nothing was found for, named up to some number. */
#include "cli/work/missing.h"

#include "base/text.h"
#include "cli/report/report.h"

#include <string.h>

enum { TARGETS_NAMED = 8 };

void missing_add(missing_targets *missing, int number, const char *why)
{
    size_t used = strlen(missing->names);
    if (missing->count++ < TARGETS_NAMED)
        text_format(missing->names + used, sizeof missing->names - used, "%s %d (%s)",
                    used == 0 ? "" : ",", number, why);
}

void missing_describe(const missing_targets *missing, const char *what,
                      char text[MISSING_TEXT_SIZE])
{
    size_t used = text_format(text, MISSING_TEXT_SIZE, "%s for target%s", what, missing->names);
    if (missing->count > TARGETS_NAMED)
        text_format(text + used, MISSING_TEXT_SIZE - used, " and %d more",
                    missing->count - TARGETS_NAMED);
}

void missing_remark(const missing_targets *missing, const char *what)
{
    char text[MISSING_TEXT_SIZE];
    if (missing->count == 0)
        return;
    missing_describe(missing, what, text);
    remark("%s", text);
}

/* ---- solutions that collide ------------------------------------------- */

bool avoidance_filter(void *user, const double *q)
{
    avoidance *avoid = user;
    if (lb_collision_free(avoid->collision, q))
        return true;
    if (avoid->refused.count++ == 0)
        lb_collision_distance(avoid->collision, q, &avoid->refused.nearest);
    return false;
}

void avoidance_describe(const avoidance *avoid, const refusal *refused, char *text, size_t size)
{
    const lb_proximity *p = &refused->nearest;
    const char *a = lb_collision_body_name(avoid->collision, p->body_a);
    const char *b = lb_collision_body_name(avoid->collision, p->body_b);
    if (p->distance <= 0)
        text_format(text, size, "%.60s and %.60s overlap by %.2g m", a, b, -p->distance);
    else
        text_format(text, size, "%.60s and %.60s are %.2g m apart", a, b, p->distance);
}
