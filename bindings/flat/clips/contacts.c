/* contacts.c - when which point of a figure is held by the ground. */
#include "looks.h"

#include <limber/retarget.h>

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
