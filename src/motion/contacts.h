/* contacts.h - what an lb_contacts holds. */
#ifndef MOTION_CONTACTS_H
#define MOTION_CONTACTS_H

#include "base/memory.h"

#include <limber/contacts.h>

/* The spans of one point, in the order of time and apart. */
typedef struct contact_list {
    lb_contact_span *spans;
    int count, room;
} contact_list;

struct lb_contacts {
    memory_pool pool; /* of all else */
    lb_allocator memory;
    int count;
    lb_contact_point *points; /* count */
    contact_list *lists;      /* count */
};

/* A number of a point that is beyond the range. */
typedef struct contact_fault {
    const char *name; /* of the number; NULL: all are fine */
    double value;
    const char *side; /* "at most" or "at least" */
    double bound;
} contact_fault;

/* what is said of it: of its members in their order */
#define CONTACT_FAULT "%s is %g, but must be %s %g m"

/* The first one of a point. */
contact_fault contact_point_fault(const lb_contact_point *point);

/* Adds the spans of a point to those of another one's. */
lb_status contacts_copy_spans(const lb_contacts *from, int point, lb_contacts *to, int other,
                              lb_error *error);

/* What is found at once in one reading of a clip. */
typedef struct contact_survey {
    const lb_contact_options *options;
    const int *kinds;   /* of each point, as in ground_rest */
    bool spans_known;   /* they are not detected */
    bool heights_known; /* they are not measured */
    bool fit_ground;    /* the normal is found by where points rest, not taken from the options */
    lb_vec3 normal;     /* of unit length; out */
    double unseen;      /* of ground_slope; 0: the normal was given; out */
} contact_survey;

/* Finds the ground's normal, the points' heights and the spans, as far as these are not known. */
lb_status contacts_survey(lb_contacts *contacts, const lb_clip *clip, contact_survey *survey,
                          lb_error *error);

#endif
