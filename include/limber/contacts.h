/*
 * contacts.h - when which point of a figure is held by the ground.
 *
 *     lb_contact_point toe = {.link = foot, .at = {0.12, 0, -0.03}};
 *     lb_contacts *contacts;
 *     lb_contacts_create(&toe, 1, NULL, &contacts, &error);
 *     lb_contacts_detect(contacts, clip, NULL, &error);          // or by hand:
 *     lb_contacts_add(contacts, 0, 1.2, 1.9, &error);
 *     lb_contacts_cut(contacts, 0, 1.5, 1.6, &error);
 *
 * A list of points, each given in the frame of a link, and for each point the spans of time in
 * which it stays where it is: a heel, a toe, a hand on a table. Spans of one point never overlap
 * and are in the order of time. They are detected in a clip, read from a file
 * (formats/motion_json.h), or edited; retarget.h keeps such points in place, and check.h measures
 * how far they slide.
 *
 * Metres and seconds, z up. The ground is a plane: level, or with any normal up to 60 degrees from
 * z. Its height is that at x = y = 0; heights of points are measured along the normal.
 */
#ifndef LIMBER_CONTACTS_H
#define LIMBER_CONTACTS_H

#include <limber/clip.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A point that may be held. */
typedef struct lb_contact_point {
    int link;
    lb_vec3 at;    /* in the link's frame */
    double height; /* above the ground while it is held, as an ankle that stands for a heel; 0 */
    /* it rests at any height, as a hand on a rail: lb_clip_check() measures how far it slides in
       space, and neither floating nor penetration; detection has no use for it; false */
    bool any_height;
} lb_contact_point;

/* A point is held from begin to end, both included; begin <= end. */
typedef struct lb_contact_span {
    double begin, end;
} lb_contact_span;

typedef struct lb_contacts lb_contacts;

/*
 * A list of n >= 1 points without spans. Links are not checked here: they are those of whatever
 * model the contacts are used with; numbers are: they are at most LB_LENGTH_MAX. Points are copied
 * (NULL: all zeros, until lb_contacts_move); release with lb_contacts_release.
 */
lb_status lb_contacts_create(const lb_contact_point points[/* n, or NULL */], int n,
                             const lb_allocator *allocator, lb_contacts **contacts,
                             lb_error *error);
/* NULL is accepted. */
void lb_contacts_release(lb_contacts *contacts);

/* ---- reading ------------------------------------------------------------ */

int lb_contacts_count(const lb_contacts *contacts);
/* The points, count of them; owned by the contacts. */
const lb_contact_point *lb_contacts_points(const lb_contacts *contacts);
/* The spans of a point, *n of them in the order of time; owned by the contacts, valid until they
   are changed. NULL for none. */
const lb_contact_span *lb_contacts_spans(const lb_contacts *contacts, int point, int *n);
/* The span that holds a point at a time, NULL: it is free. */
const lb_contact_span *lb_contacts_at(const lb_contacts *contacts, int point, double time);

/* ---- editing ------------------------------------------------------------ */

/*
 * All of these may allocate; on failure nothing is changed. Refused with LB_INVALID_ARGUMENT: a
 * point out of range, times that are not finite or reversed.
 */

/* The point is held from begin to end; spans that it touches become one with it. */
lb_status lb_contacts_add(lb_contacts *contacts, int point, double begin, double end,
                          lb_error *error);
/* The point is free between the two times, whatever it was; nothing changes where they are one. */
lb_status lb_contacts_cut(lb_contacts *contacts, int point, double begin, double end,
                          lb_error *error);
/* All spans `by` seconds later, as when a clip is given another begin. Spans whose times rounding
   makes equal there become one. */
lb_status lb_contacts_shift(lb_contacts *contacts, double by, lb_error *error);
/* Where it is held: another point of the link, or another height. Spans stay. */
lb_status lb_contacts_move(lb_contacts *contacts, int point, const lb_contact_point *to,
                           lb_error *error);

/* ---- detecting ---------------------------------------------------------- */

/*
 * What a contact is. It begins when the point is both lower and slower than `enter` and ends when
 * it is higher or faster than `leave` (hysteresis: leave >= enter), so that noise around one
 * threshold does not cut it into pieces.
 */
typedef struct lb_contact_options {
    double ground;                     /* z of the ground at x = y = 0, metres; 0 */
    lb_vec3 ground_normal;             /* of any length; {0, 0, 0}: level */
    double enter_height, leave_height; /* above ground and the point's own height; 0.03, 0.06 */
    double enter_speed, leave_speed;   /* metres a second; 0.25, 0.5 */
    double shortest;                   /* seconds; contacts that are shorter are left out; 0.08 */
    double gap;                        /* seconds; contacts that are nearer become one; 0.06 */
    /* metres that a point may move along the ground from where its contact began: what goes on
       slowly, as a heel that turns about the toes, is no contact; 0.05 */
    double drift;
    double rate; /* samples a second, whatever the clip's rate; 30; see lb_contacts_detect */
    /* metres a second: both ends of a contact are cut back to where the point is, for `shortest`
       seconds, not faster than this, nor than three times the lower quartile of its speeds in that
       contact; so landing and lifting off are no part of it, and a foot that slides throughout
       stays one; 0: not */
    double settle;
    /* metres: both ends of a contact are cut back, by 0.25 s at most, to where the point is not
       farther than this from its median place in that contact: a heel that has begun to lift off
       rests no longer; 0.01; 0: not */
    double stray;
} lb_contact_options;

lb_contact_options lb_contact_options_default(void);

/*
 * Finds the spans of all points in a clip, in place of those that are there. `options` may be
 * NULL. The clip is sampled `rate` times a second from its begin, so the same motion at 30 or 120
 * keys a second has the same contacts; of a clip that would have more than a million samples and
 * more than four a key, samples are that many and farther apart. A speed is a point's displacement
 * between the samples before and after. Between samples, the time at which a threshold is passed is
 * interpolated. Refused: a link that the clip's model does not have, options that are not finite,
 * negative or reversed, and a clip so long that at that rate an int could not count the samples of
 * all points.
 */
lb_status lb_contacts_detect(lb_contacts *contacts, const lb_clip *clip,
                             const lb_contact_options *options, lb_error *error);

/*
 * Sets each point's height to how high above the ground it is while it rests: the lowest tenth of
 * its heights at samples where it is slower than leave_speed, of all samples where there are none.
 * For figures of which it is not known how thick their soles are.
 */
lb_status lb_contacts_measure_heights(lb_contacts *contacts, const lb_clip *clip,
                                      const lb_contact_options *options, lb_error *error);

/*
 * The normal of the ground on which points rest in a clip, of unit length: of the plane through
 * where each span is on average, less the point's height. {0, 0, 1} where the spans do not prove a
 * slope: level ground, stairs, few spans; points of any height do not count. Fails
 * as lb_contacts_detect() does.
 */
lb_status lb_contacts_find_ground(const lb_contacts *contacts, const lb_clip *clip, lb_vec3 *normal,
                                  lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
