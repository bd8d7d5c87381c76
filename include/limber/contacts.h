/*
 * contacts.h - when a point of a figure is held by the ground.
 *
 *     lb_contact_point toe = {.link = foot, .at = {0.12, 0, -0.03}};
 *     lb_contacts *contacts;
 *     lb_contacts_create(&toe, 1, NULL, &contacts, &error);
 *     lb_contacts_detect(contacts, clip, NULL, &error);          // or by hand:
 *     lb_contacts_add(contacts, 0, 1.2, 1.9, &error);
 *     lb_contacts_cut(contacts, 0, 1.5, 1.6, &error);
 *
 * Contacts are a list of points, each in the frame of a link, and for each point the spans of time
 * in which it stays in its place: a heel, a toe, a hand on a table. Spans of one point never
 * overlap and are in the order of time. They are detected in a clip, read from a file
 * (formats/motion_json.h) or edited. retarget.h keeps such points in place, and check.h measures
 * how far they slide.
 *
 * Units are metres and seconds, with z up. The ground is a plane, level or with any normal up to 60
 * degrees from z. Its height is that at x = y = 0; heights of points are measured along the normal.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_CONTACTS_H
#define LIMBER_CONTACTS_H

#include <limber/clip.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A point that may be held. */
typedef struct lb_contact_point {
    int link;   /* Index of its link. */
    lb_vec3 at; /* Place in the link's frame, metres. */
    /* Metres above the ground while it is held, as an ankle that stands for a heel. Default: 0. */
    double height;
    /* It rests at any height, as a hand on a rail. lb_clip_check() measures how far it slides in
       space, and neither floating nor penetration; detection does not read this. Default: false. */
    bool any_height;
} lb_contact_point;

/* A span of time in which a point is held, both ends included; begin <= end. */
typedef struct lb_contact_span {
    double begin, end; /* Times of the clip, seconds. */
} lb_contact_span;

typedef struct lb_contacts lb_contacts;

/*
 * Makes a list of n >= 1 points without spans. Points (NULL: all zeros, until lb_contacts_move) are
 * copied. Links are not checked here: they are those of any model that the contacts are used with.
 * Numbers are at most LB_LENGTH_MAX. Release with lb_contacts_release.
 */
lb_status lb_contacts_create(const lb_contact_point points[/* n, or NULL */], int n,
                             const lb_allocator *allocator, lb_contacts **contacts,
                             lb_error *error);
/* NULL is accepted. */
void lb_contacts_release(lb_contacts *contacts);

/* ---- reading ------------------------------------------------------------ */

/* The number of points. */
int lb_contacts_count(const lb_contacts *contacts);
/* The points, count of them; owned by the contacts. */
const lb_contact_point *lb_contacts_points(const lb_contacts *contacts);
/*
 * The spans of a point, *n of them in the order of time; owned by the contacts, valid until they
 * are changed. NULL: none.
 */
const lb_contact_span *lb_contacts_spans(const lb_contacts *contacts, int point, int *n);
/* The span that holds a point at a time. NULL: the point is free. */
const lb_contact_span *lb_contacts_at(const lb_contacts *contacts, int point, double time);

/* ---- editing ------------------------------------------------------------ */

/*
 * Each of these functions may allocate; on failure nothing is changed. A point out of range and
 * times that are not finite or reversed are LB_INVALID_ARGUMENT.
 */

/* Holds the point from begin to end; spans that it touches become one with it. */
lb_status lb_contacts_add(lb_contacts *contacts, int point, double begin, double end,
                          lb_error *error);
/* Frees the point between two times; nothing changes if the times are equal. */
lb_status lb_contacts_cut(lb_contacts *contacts, int point, double begin, double end,
                          lb_error *error);
/*
 * Moves all spans by `by` seconds, as when a clip is given another begin. Spans whose times become
 * equal by rounding become one.
 */
lb_status lb_contacts_shift(lb_contacts *contacts, double by, lb_error *error);
/* Moves a point to another place of the link or another height. Its spans stay. */
lb_status lb_contacts_move(lb_contacts *contacts, int point, const lb_contact_point *to,
                           lb_error *error);

/* ---- detecting ---------------------------------------------------------- */

/*
 * Thresholds of a contact. It begins when the point is both lower and slower than `enter`
 * and ends when it is higher or faster than `leave` (hysteresis: leave >= enter), so noise around
 * one threshold does not cut it into pieces. Start from lb_contact_options_default().
 */
typedef struct lb_contact_options {
    double ground;         /* z of the ground at x = y = 0, metres. Default: 0. */
    lb_vec3 ground_normal; /* Normal of the ground, of any length. Zero: level (the default). */
    /* Metres above ground and the point's own height. Defaults: 0.03 and 0.06. */
    double enter_height, leave_height;
    double enter_speed, leave_speed; /* Metres a second. Defaults: 0.25 and 0.5. */
    double shortest;                 /* Seconds; shorter contacts are left out. Default: 0.08. */
    double gap; /* Seconds; contacts with a smaller gap become one. Default: 0.06. */
    /* Metres that a point may move along the ground from where its contact began. A point that
       goes on slowly, as a heel that turns about the toes, is in no contact. Default: 0.05. */
    double drift;
    /* Samples a second, at any rate of the clip; see lb_contacts_detect. Default: 30. */
    double rate;
    /*
     * Metres a second. A contact is cut back to where the point is not faster than this, or all
     * points of its foot (those of its link or its toes) are in contact, without landing and
     * lifting off: up to 0.25 s at both ends in which each of them is faster than this and than
     * three times the lower quartile of that contact. If an end takes longer, the foot slides, and
     * stays in contact. 0: not (the default).
     */
    double settle;
    /* Metres. Both ends of a contact are cut back, by 0.25 s at most, to where the point is no
       farther than this from its median place in that contact: a heel that has begun to lift off
       rests no longer. 0: not. Default: 0.01. */
    double stray;
} lb_contact_options;

lb_contact_options lb_contact_options_default(void);

/*
 * Finds the spans of all points in a clip and replaces the present ones. `options` may be NULL. The
 * clip is sampled `rate` times a second from its begin, so a motion at 30 or 120 keys a second has
 * the same contacts. A clip that would have more than a million samples and more than four a key is
 * sampled that often, farther apart. A point's speed is its displacement between the samples before
 * and after. The time at which a threshold is passed is interpolated between samples. Refused: a
 * link that the clip's model does not have; options that are not finite, negative or reversed; a
 * clip so long that at that rate an int could not count the samples of all points.
 */
lb_status lb_contacts_detect(lb_contacts *contacts, const lb_clip *clip,
                             const lb_contact_options *options, lb_error *error);

/*
 * Sets each point's height to its height above the ground at rest: the lowest tenth of its heights
 * at samples that are slower than leave_speed, or of all samples if there are none. For figures
 * whose soles are of unknown thickness.
 */
lb_status lb_contacts_measure_heights(lb_contacts *contacts, const lb_clip *clip,
                                      const lb_contact_options *options, lb_error *error);

/*
 * Finds the normal of the ground on which points rest in a clip, of unit length: of the plane
 * through each span's mean place, less the point's height. It is {0, 0, 1} if the spans do not
 * prove a slope: level ground, stairs, few spans. Points of any height do not count. Fails as
 * lb_contacts_detect() does.
 */
lb_status lb_contacts_find_ground(const lb_contacts *contacts, const lb_clip *clip, lb_vec3 *normal,
                                  lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
