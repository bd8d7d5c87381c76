/* contacts.h - what an lb_contacts holds. */
#ifndef MOTION_CONTACTS_H
#define MOTION_CONTACTS_H

#include "base/memory.h"
#include "motion/ground.h"

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
    /* metres to which feet keep their level at rest, of contacts that lb_rig_contacts() has found.
       Feet may roll and turn then. 0: points are to stay in their places */
    double resolution;
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

/* What is measured of all points: sample i of point p is at [i * points + p]. */
typedef struct contacts_track {
    lb_allocator memory; /* a pool's */
    const lb_model *model;
    ground_plane ground;
    double begin, step; /* of the samples, seconds */
    double end;         /* of the clip: within a step after the last sample */
    int samples, points;
    lb_vec3 *places;
    double *speeds;
    double *sorted; /* samples */
} contacts_track;

/* A track, in memory of a pool. */
lb_status contacts_measure(const lb_contacts *contacts, const lb_clip *clip,
                           const lb_contact_options *options, const lb_allocator *pool,
                           contacts_track *t, lb_error *error);

/* The status of the last step that made contacts; none are left unless it is LB_OK. */
lb_status contacts_keep(lb_status status, lb_contacts **contacts);

/* What is found at once in one reading of a clip. */
typedef struct contact_survey {
    const lb_contact_options *options;
    const int *kinds;   /* of each point, as in ground_rest */
    bool spans_known;   /* they are not detected */
    bool heights_known; /* they are not measured */
    bool fit_ground;    /* the normal is found by where points rest, not taken from the options */
    lb_vec3 normal;     /* of unit length; out */
    double unseen;      /* of ground_slope; 0: the normal was given; out */
    double spread;      /* how exactly points keep their level while they are slow, metres; out */
} contact_survey;

/* Finds the ground's normal, the points' heights and the spans, as far as these are not known. */
lb_status contacts_survey(lb_contacts *contacts, const lb_clip *clip, contact_survey *survey,
                          lb_error *error);

#endif
