/*
 * check.h - what is wrong with a motion: feet that slide, joints beyond their limits, jumps.
 *
 *     lb_check_report report;
 *     lb_clip_check(clip, contacts, NULL, NULL, NULL, &report, &error);
 *     printf("%g m\n", report.items[LB_CHECK_SLIDE].worst);
 *
 * It measures a clip's keys, whatever made them. Contacts say which points should rest and when;
 * for a figure whose contacts are not known, lb_rig_contacts (retarget.h) finds points and times.
 */
#ifndef LIMBER_CHECK_H
#define LIMBER_CHECK_H

#include <limber/collision.h>
#include <limber/contacts.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What is measured at each key: name, text, unit, threshold.
 *   slide         how far a held point is along the ground from where it was when its contact
 *                 began, the first key within it; in space where it rests at any height
 *   floating      how high a held point is above the ground and its own height
 *   penetration   how deep any of the contacts' points is below the ground; neither is measured of
 *                 points that rest at any height (lb_contact_point.any_height)
 *   jump          the most that a joint's value moves from the key before; of a root that moves
 *                 freely its turn alone
 *   speed         the change of a value from the key before, over what its speed limit allows: 1
 *                 is the limit; INFINITY where what may not move does
 *   acceleration  the largest second difference of a joint's value, over the square of time; at
 *                 the first and the last key 0. No threshold: a key is beyond it where a joint
 *                 exceeds its limit in lb_check_options.accelerations
 *   position      how far a value is beyond its limit
 *   overlap       how deep links are in each other, by their collision shapes; needs
 *                 lb_check_options.collision; lb_clip_check_pairs returns it for each pair
 */
#define LB_CHECK_LIST(X)                                                                           \
    X(LB_CHECK_SLIDE, "slide", "m", 1e-3)                                                          \
    X(LB_CHECK_FLOATING, "floating", "m", 1e-2)                                                    \
    X(LB_CHECK_PENETRATION, "penetration", "m", 1e-3)                                              \
    X(LB_CHECK_JUMP, "jump", "rad", 0.5)                                                           \
    X(LB_CHECK_SPEED, "speed", "", 1 + 1e-6)                                                       \
    X(LB_CHECK_ACCELERATION, "acceleration", "rad/s^2", INFINITY)                                  \
    X(LB_CHECK_POSITION, "position", "rad", 1e-9)                                                  \
    X(LB_CHECK_OVERLAP, "overlap", "m", 1e-3)

typedef enum lb_check_item {
#define LB_CHECK_ENUM(name, text, unit, threshold) name,
    LB_CHECK_LIST(LB_CHECK_ENUM)
#undef LB_CHECK_ENUM
        LB_CHECK_COUNT
} lb_check_item;

/* The text and the unit of an item, never NULL. */
const char *lb_check_text(lb_check_item item);
const char *lb_check_unit(lb_check_item item);

/* Start from lb_check_options_default(). */
typedef struct lb_check_options {
    double ground;                     /* z at x = y = 0, metres; 0 */
    lb_vec3 ground_normal;             /* of any length; {0, 0, 0}: level */
    double thresholds[LB_CHECK_COUNT]; /* as in the list */
    /* of each joint of the clip's model the most that its acceleration may be, radians or metres a
       second squared, INFINITY: any; NULL: none are known */
    const double *accelerations;
    /* of the clip's model, to measure overlaps of links (and of a scene's obstacles); NULL: none
       are measured. It belongs to this thread meanwhile */
    lb_collision *collision;
} lb_check_options;

lb_check_options lb_check_options_default(void);

/* One item over the whole clip. */
typedef struct lb_check_worst {
    double worst; /* the largest value of all keys */
    int key;      /* where it is, -1: it is 0 everywhere */
    int where;    /* slide, floating, penetration: the point; overlap: a link; else the joint; -1:
                     none */
    double rms;   /* root of the mean square over all keys; of accelerations over all values, too */
    int beyond;   /* keys beyond the threshold */
} lb_check_worst;

typedef struct lb_check_report {
    int keys;
    lb_check_worst items[LB_CHECK_COUNT];
} lb_check_report;

/*
 * Measures all keys of a clip. `contacts` (of links of the clip's model) and `options` may be
 * NULL: without contacts nothing is said about feet. `values`, unless NULL, takes
 * LB_CHECK_COUNT numbers for each key, row by row. Refused: contacts of links that the model does
 * not have, a collision of another model. Working memory comes from `allocator`.
 */
lb_status lb_clip_check(const lb_clip *clip, const lb_contacts *contacts,
                        const lb_check_options *options, const lb_allocator *allocator,
                        double values[/* keys * LB_CHECK_COUNT, or NULL */],
                        lb_check_report *report, lb_error *error);

/* How near two bodies of a collision come over a clip. */
typedef struct lb_check_pair {
    double distance;    /* the least of all keys, metres; INFINITY: never as near as the margin */
    int key;            /* where that is, the first one; -1: nowhere */
    int near, touching; /* keys in which it is at most the margin, and at most 0 */
} lb_check_pair;

/*
 * How near every pair of bodies that `collision` checks comes over a clip: fills
 * lb_collision_pair_count(collision) elements of `pairs`, in the order of lb_collision_pair_at, and
 * of pairs that are not checked says that they never come near. Distances up to `margin` metres,
 * 0 or more, are reported; a larger one takes longer. The collision is of the clip's model, else
 * refused, and of this thread meanwhile. Working memory comes from `allocator` (NULL: malloc).
 */
lb_status lb_clip_check_pairs(const lb_clip *clip, lb_collision *collision, double margin,
                              const lb_allocator *allocator,
                              lb_check_pair pairs[/* pairs of the collision */], lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
