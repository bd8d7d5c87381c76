/* contacts.c - when which point of a figure is held by the ground. */
#include "looks.h"

#include <limber/retarget.h>

#include <string.h>

/* link, point 3, height, whether it rests at any height */
enum { POINT_NUMBERS = 6 };

/*
 * Heels and toes of a figure, and when they rest in a clip; `gltf` (may be NULL) is the file that
 * its model is of, `rest` (may be NULL) a pose with flat feet, `ground` its height and normal,
 * *assumed whether it is not known where the soles are. NULL on failure, as where there are no
 * feet.
 */
lb_contacts *EXPORT(contacts_find)(const lb_clip *clip, const lb_gltf *gltf, const double *rest,
                                   const double *ground, int *assumed)
{
    lb_contacts *contacts = NULL;
    bool unknown = false;
    lb_gltf_looks *drawn;
    lb_looks looks = looks_of(gltf, &drawn);
    lb_rig_contacts_by_looks(clip, rest, &looks, ground[0],
                             lb_vec3_make(ground[1], ground[2], ground[3]), NULL, &contacts,
                             &unknown, &binding_error);
    lb_gltf_looks_release(drawn);
    *assumed = unknown;
    return contacts;
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
    const double numbers[POINT_NUMBERS] = {p->link, p->at.x,   p->at.y,
                                           p->at.z, p->height, p->any_height};
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
