/*
 * check.h - faults of a motion: feet that slide, joints beyond their limits, jumps.
 *
 *     lb_check_report report;
 *     lb_clip_check(clip, contacts, NULL, NULL, NULL, &report, &error);
 *     printf("%g m\n", report.items[LB_CHECK_SLIDE].worst);
 *
 * It measures a clip's keys, from any source. Contacts say which points should rest and when; for a
 * figure without known contacts, lb_rig_contacts (retarget.h) finds points and times.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_CHECK_H
#define LIMBER_CHECK_H

#include <limber/collision.h>
#include <limber/contacts.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Measures of each key: name, text, unit, threshold.
 *   slide         how far a held point is along the ground from where it was at the begin of its
 *                 contact, the first key within it; in space if it rests at any height. While all
 *                 of a foot rests, also of each part of its sole that was on the ground then. Of
 *                 contacts that lb_rig_contacts() has found, feet may roll and turn: how far a foot
 *                 has gone while all of it rests, by the steps of the stillest point between its
 *                 contact points; beyond the threshold if it is also more than feet differ from
 *                 their levels
 *   floating      how high a held point is above the ground and its own height; of a sole the
 *                 lowest part beside the point. If no point is held in a clip of more than a
 *                 second, how high the lowest point is
 *   penetration   how deep any of the contacts' points, or of a sole, is below the ground; points
 *                 that rest at any height (lb_contact_point.any_height) have neither floating nor
 *                 penetration
 *   jump          how much farther an angle goes from the key before than the mean of its speeds
 *                 before and after leads it, in a thirtieth of a second if the gap is longer: small
 *                 of what is smooth, however fast. At the second key and the last, which have one
 *                 of these speeds, than that one leads it or, if that is less, than rest. Of balls
 *                 and floating joints their turns; 0 at the first key and in clips of two
 *   shift         likewise of lengths: of joints that slide, and of each axis of a root that moves
 *   speed         the change of a value from the key before, less what single precision rounds,
 *                 over the change that its speed limit allows: 1 is the limit; INFINITY if a joint
 *                 moves that may not
 *   acceleration  the largest second difference of a joint's value, over the square of time; 0 at
 *                 the first and the last key. No threshold: a key is beyond it if a joint exceeds
 *                 its limit in lb_check_options.accelerations
 *   position      how far a value is beyond its limit
 *   overlap       how deep links are in each other, by their collision shapes; needs
 *                 lb_check_options.collision; lb_clip_check_pairs returns it for each pair
 *   open          how far the model's loops are from closed: as a share of their size, or in
 *                 radians; 0 of a model without loops
 *
 * A link with two contact points on the ground or more, as heel and toe, is a foot. Its sole is all
 * of its collision shapes and of those fixed to it, else of its visuals, without meshes.
 */
#define LB_CHECK_LIST(X)                                                                           \
    X(LB_CHECK_SLIDE, "slide", "m", 1e-3)                                                          \
    X(LB_CHECK_FLOATING, "floating", "m", 1e-2)                                                    \
    X(LB_CHECK_PENETRATION, "penetration", "m", 1e-3)                                              \
    X(LB_CHECK_JUMP, "jump", "rad", 0.5)                                                           \
    X(LB_CHECK_SHIFT, "shift", "m", 0.12)                                                          \
    X(LB_CHECK_SPEED, "speed", "", 1 + 1e-6)                                                       \
    X(LB_CHECK_ACCELERATION, "acceleration", "rad/s^2", INFINITY)                                  \
    X(LB_CHECK_POSITION, "position", "rad", 1e-6)                                                  \
    X(LB_CHECK_OVERLAP, "overlap", "m", 1e-3)                                                      \
    X(LB_CHECK_OPEN, "open", "", 1e-6)

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
    double ground;         /* z of the ground at x = y = 0, metres. Default: 0. */
    lb_vec3 ground_normal; /* Normal of the ground, of any length. Zero: level (the default). */
    /* Thresholds of the items, in their units. Default: as in the list. */
    double thresholds[LB_CHECK_COUNT];
    /* The largest acceleration of each joint of the clip's model, radians or metres a second
       squared. Infinite: any. Absent: none are known (the default). */
    const double *accelerations;
    /* A collision of the clip's model, to measure overlaps of links (and of a scene's
       obstacles). Absent: none are measured (the default). It belongs to this thread during the
       check. */
    lb_collision *collision;
} lb_check_options;

lb_check_options lb_check_options_default(void);

/* One item over the whole clip. */
typedef struct lb_check_worst {
    double worst; /* The largest value of all keys. */
    int key;      /* The key with that value. -1: the value is 0 everywhere. */
    /* Slide, floating, penetration: the point. Overlap: a link. Open: -1. Else the joint. -1: none.
     */
    int where;
    double rms; /* Root of the mean square over all keys; of accelerations over all values, too. */
    int beyond; /* How many keys are beyond the threshold. */
} lb_check_worst;

/* All items over the whole clip. */
typedef struct lb_check_report {
    int keys;                             /* How many keys were measured. */
    lb_check_worst items[LB_CHECK_COUNT]; /* The items in the order of the list. */
} lb_check_report;

/*
 * Measures all keys of a clip. `contacts` (of links of the clip's model) and `options` may be NULL;
 * without contacts the feet are not measured. `values`, unless NULL, takes LB_CHECK_COUNT numbers
 * for each key, row by row. Refused: contacts of links that the model does not have, a collision of
 * another model. Working memory comes from `allocator`.
 */
lb_status lb_clip_check(const lb_clip *clip, const lb_contacts *contacts,
                        const lb_check_options *options, const lb_allocator *allocator,
                        double values[/* keys * LB_CHECK_COUNT, or NULL */],
                        lb_check_report *report, lb_error *error);

/* How near two bodies of a collision come over a clip. */
typedef struct lb_check_pair {
    /* The least distance of all keys, metres. Infinite: never as near as the margin. */
    double distance;
    int key; /* The first key with that distance. -1: none. */
    /* How many keys have a distance of at most the margin, and of at most 0. */
    int near, touching;
} lb_check_pair;

/*
 * Measures how near every checked pair of bodies of a collision comes over a clip: fills
 * lb_collision_pair_count(collision) elements of `pairs`, in the order of lb_collision_pair_at.
 * Pairs that are not checked never come near. Distances up to `margin` metres, 0 or more, are
 * reported; a larger margin takes longer. The collision is of the clip's model, else refused, and
 * belongs to this thread during the check. Working memory comes from `allocator` (NULL: malloc).
 */
lb_status lb_clip_check_pairs(const lb_clip *clip, lb_collision *collision, double margin,
                              const lb_allocator *allocator,
                              lb_check_pair pairs[/* pairs of the collision */], lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
