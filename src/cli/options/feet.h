/*
 * feet.h - when the feet of a motion rest: given in a file, known, or detected.
 */
#ifndef CLI_OPTIONS_FEET_H
#define CLI_OPTIONS_FEET_H

#include "cli/options/motions.h"

#include <limber/contacts.h>
#include <limber/formats/looks.h>

typedef struct feet {
    const lb_contacts *contacts; /* NULL: there are no feet */
    const char *origin;          /* "given", "built in" or "detected" */
    bool assumed;                /* how high the soles are is not known */
    const char *missing;         /* why there are no feet, NULL: there are */
    lb_contacts *own;            /* to be released */
    char message[512];
} feet;

/*
 * What the links of a glTF draw, for soles: of anything else, and where it cannot be read, NULL.
 * Release with lb_looks_release.
 */
lb_looks *feet_looks(const motion *m);

/*
 * Those of the file `path` (NULL: of none), of a motion that is built in, or detected by
 * lb_rig_contacts above the ground. False after a complaint; a figure without feet is no reason for
 * one. Release in any case.
 */
bool feet_find(const motion *m, const char *path, double ground, lb_vec3 ground_normal, feet *out);
void feet_release(feet *f);

/* How many spans there are of all points; 0 without feet. */
int feet_spans(const lb_contacts *contacts);

#endif
