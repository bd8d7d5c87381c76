/* contacts.c - when which point of a figure is held by the ground. */
#include "../binding.h"

#include <limber/contacts.h>
#include <limber/retarget.h>

#include <string.h>

/* link, point 3, height */
enum { POINT_NUMBERS = 5 };

/*
 * Heels and toes of a figure, and when they rest in a clip; `rest` (may be NULL) is a pose with
 * flat feet. Their heights are measured: soles of a skeleton are where its feet come lowest. NULL
 * on failure, as where there are no feet.
 */
lb_contacts *EXPORT(contacts_find)(const lb_clip *clip, const double *rest, double ground)
{
    lb_contacts *contacts = NULL;
    lb_contact_options options = lb_contact_options_default();
    options.ground = ground;
    lb_status status = lb_rig_soles(lb_clip_model(clip), rest, NULL, &contacts, &binding_error);
    if (status == LB_OK)
        status = lb_contacts_measure_heights(contacts, clip, &options, &binding_error);
    if (status == LB_OK)
        status = lb_contacts_detect(contacts, clip, &options, &binding_error);
    if (status == LB_OK)
        return contacts;
    lb_contacts_release(contacts);
    return NULL;
}

void EXPORT(contacts_release)(lb_contacts *contacts)
{
    lb_contacts_release(contacts);
}

int EXPORT(contacts_count)(const lb_contacts *contacts)
{
    return lb_contacts_count(contacts);
}

void EXPORT(contacts_point)(const lb_contacts *contacts, int point, double *out)
{
    const lb_contact_point *p = &lb_contacts_points(contacts)[point];
    const double numbers[POINT_NUMBERS] = {p->link, p->at.x, p->at.y, p->at.z, p->height};
    memcpy(out, numbers, sizeof numbers);
}

int EXPORT(contacts_span_count)(const lb_contacts *contacts, int point)
{
    int count;
    lb_contacts_spans(contacts, point, &count);
    return count;
}

/* rows of begin and end */
const lb_contact_span *EXPORT(contacts_spans)(const lb_contacts *contacts, int point)
{
    int count;
    return lb_contacts_spans(contacts, point, &count);
}
