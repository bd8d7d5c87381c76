/*
 * avoidance.c - solutions that are refused because something would collide.
 */
#include "cli/output/avoidance.h"

#include "base/text.h"

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
