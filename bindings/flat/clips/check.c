/* check.c - what is wrong with a motion. */
#include "../binding.h"

#include <limber/check.h>

/* worst, key, where, root mean square, keys beyond */
enum { ITEM_NUMBERS = 5 };

/* text of an item, NULL beyond the last */
const char *EXPORT(check_text)(int item)
{
    return item < LB_CHECK_COUNT ? lb_check_text((lb_check_item)item) : NULL;
}

/*
 * Rows of ITEM_NUMBERS for each item. Of what is NULL nothing is said: contacts, accelerations (one
 * for each joint), collision; `values` takes a row of all items for each key. 0, or a status with
 * its message.
 */
int EXPORT(check_clip)(const lb_clip *clip, const lb_contacts *contacts, const double *ground,
                       const double *accelerations, lb_collision *collision, double *values,
                       double *out)
{
    lb_check_report report;
    lb_check_options options = lb_check_options_default();
    options.ground = ground[0];
    options.ground_normal = lb_vec3_make(ground[1], ground[2], ground[3]);
    options.accelerations = accelerations;
    options.collision = collision;
    lb_status status =
        lb_clip_check(clip, contacts, &options, NULL, values, &report, &binding_error);
    for (int i = 0; i < LB_CHECK_COUNT && status == LB_OK; i++) {
        const lb_check_worst *w = &report.items[i];
        const double numbers[ITEM_NUMBERS] = {w->worst, w->key, w->where, w->rms, w->beyond};
        for (int k = 0; k < ITEM_NUMBERS; k++)
            *out++ = numbers[k];
    }
    return (int)status;
}

/* distance, key, near, touching for each pair; 0, or a status with its message */
int EXPORT(check_pairs)(const lb_clip *clip, lb_collision *collision, double margin,
                        lb_check_pair *pairs)
{
    return (int)lb_clip_check_pairs(clip, collision, margin, NULL, pairs, &binding_error);
}
