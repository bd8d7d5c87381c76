/*
 * fidelity.h - how like its source a motion is: a robot's beside the capture that it was made of.
 *
 *     lb_fidelity_report report;
 *     lb_clip_fidelity(motion, capture, NULL, NULL, NULL, &report, &error);
 *     printf("%g rad\n", report.items[LB_FIDELITY_TRUNK].mean);
 *
 * Places of joints alone are compared (shoulders, elbows, wrists, hips, knees, ankles), of links
 * found by their roles (lb_rig_find in retarget.h). Local axes and rotations about bones do
 * not matter, nor who made the motion; rest poses only if roles are found by the tree's shape.
 * Lengths are in legs: those of each figure in lengths of its own leg.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_FIDELITY_H
#define LIMBER_FIDELITY_H

#include <limber/retarget.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Measures of each key: name, text, unit, threshold.
 *   trunk      the angle between both figures' lines from the middle of the hips to the middle of
 *              the shoulders; of a robot, whose legs have hinges, from below these at zero
 *   heading    the angle between both lines of the hips, seen from above, or between those of the
 *              shoulders if that is larger; 0 of lines of which one is steeper than 60 degrees
 *   arms, legs the angle between corresponding bones, the larger one of a limb's two
 *   path       how far the middle of the hips is from where the source's is, along the ground and
 *              from the first key on, over what the source has travelled by then, at least one leg
 *   root travel  the difference of both paths of the hips by then, along the ground, over that of
 *              the source, at least one leg
 *   height     the difference of the hips' heights above the lowest ankle of the clip, each height
 *              along z from the figure's own ground
 *   hands      the same of wrists, the mean of both
 *   feet       the same of ankles
 *   jump       how far a bone's direction, less that of the source, is from the line between the
 *              keys before and after: a fault of one key
 *   shift      the same of the middle of the hips
 *   gap        for how long there is no key, before this one (the first one: since the source's
 *              begin) or after the last until the source's end, beyond the mean gap of the clip's
 *              keys
 * A motion is unlike its source if the mean of a measure over all keys is beyond its threshold; of
 * jumps, shifts and gaps the largest.
 */
#define LB_FIDELITY_LIST(X)                                                                        \
    X(LB_FIDELITY_TRUNK, "trunk", "rad", 0.26)                                                     \
    X(LB_FIDELITY_HEADING, "heading", "rad", 0.35)                                                 \
    X(LB_FIDELITY_LEFT_ARM, "left arm", "rad", 0.35)                                               \
    X(LB_FIDELITY_RIGHT_ARM, "right arm", "rad", 0.35)                                             \
    X(LB_FIDELITY_LEFT_LEG, "left leg", "rad", 0.35)                                               \
    X(LB_FIDELITY_RIGHT_LEG, "right leg", "rad", 0.35)                                             \
    X(LB_FIDELITY_PATH, "path", "", 0.15)                                                          \
    X(LB_FIDELITY_TRAVEL, "root travel", "", 0.15)                                                 \
    X(LB_FIDELITY_HEIGHT, "height", "legs", 0.15)                                                  \
    X(LB_FIDELITY_HANDS, "hands", "legs", 0.4)                                                     \
    X(LB_FIDELITY_FEET, "feet", "legs", 0.1)                                                       \
    X(LB_FIDELITY_JUMP, "jump", "rad", 0.3)                                                        \
    X(LB_FIDELITY_SHIFT, "shift", "legs", 0.06)                                                    \
    X(LB_FIDELITY_GAP, "gap", "s", 0.1)

typedef enum lb_fidelity_item {
#define LB_FIDELITY_ENUM(name, text, unit, threshold) name,
    LB_FIDELITY_LIST(LB_FIDELITY_ENUM)
#undef LB_FIDELITY_ENUM
        LB_FIDELITY_COUNT
} lb_fidelity_item;

/* The text and the unit of an item, never NULL. */
const char *lb_fidelity_text(lb_fidelity_item item);
const char *lb_fidelity_unit(lb_fidelity_item item);

/* Start from lb_fidelity_options_default(). */
typedef struct lb_fidelity_options {
    /* Whose pairs say which links correspond, the source's to the clip's. Absent: the roles that
       lb_rig_find() finds in both models (the default). */
    const lb_retarget_map *map;
    /* Thresholds of the items, in their units. Default: as in the list. */
    double thresholds[LB_FIDELITY_COUNT];
    /* Normals of the grounds on which the clip and the source move, of any length, at most 60
       degrees from z. Zero: level (the default). */
    lb_vec3 ground_normal, source_ground_normal;
} lb_fidelity_options;

lb_fidelity_options lb_fidelity_options_default(void);

/* One item over the whole clip. */
typedef struct lb_fidelity_worst {
    bool known;   /* Both figures have the joints that it is of. False: all is 0. */
    double mean;  /* The mean of all keys. */
    double p95;   /* What 95 % of the keys do not exceed. */
    double worst; /* The largest value of all keys. */
    int key;      /* The first key with that value. */
    bool beyond;  /* The mean, of jumps, shifts and gaps the largest, exceeds the threshold. */
} lb_fidelity_worst;

/* All items over the whole clip. */
typedef struct lb_fidelity_report {
    /* How many keys were compared: those within the source's time, or beyond it by less than the
       mean gap of its keys, at which the source is in its last pose. */
    int keys;
    double duration;              /* Duration of the clip over that of the source. */
    double source_travel, travel; /* Paths of the hips along the ground, legs of each figure. */
    double at_limits; /* Share of the clip's values that are at a limit of their joint. */
    lb_fidelity_worst items[LB_FIDELITY_COUNT]; /* The items in the order of the list. */
} lb_fidelity_report;

/*
 * Compares the keys of a clip with its source at equal times if the clip begins later than 0 and
 * within the source's time, as a piece of it does; else at equal times since the first key of each.
 * `options` may be NULL. `values`, unless NULL, takes LB_FIDELITY_COUNT numbers for each key
 * that is compared, row by row. LB_BAD_MODEL: one of them has no two legs. LB_BAD_VALUE: the map is
 * not one between their models. Working memory comes from `allocator` (NULL: malloc).
 */
lb_status lb_clip_fidelity(const lb_clip *clip, const lb_clip *source,
                           const lb_fidelity_options *options, const lb_allocator *allocator,
                           double values[/* keys * LB_FIDELITY_COUNT, or NULL */],
                           lb_fidelity_report *report, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
