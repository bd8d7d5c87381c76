/* rig_names.h - the names that tools give to the links of a figure. */
#ifndef MOTION_RETARGET_RIG_NAMES_H
#define MOTION_RETARGET_RIG_NAMES_H

#include <limber/retarget.h>

/* Of both sides; RIG_PARTS is the number of names in a convention. */
enum {
    RIG_PELVIS,
    RIG_CHEST,
    RIG_HEAD,
    RIG_UPPER_ARM,
    RIG_FOREARM,
    RIG_HAND,
    RIG_THIGH,
    RIG_SHANK,
    RIG_FOOT,
    RIG_TOE,
    RIG_PARTS
};

/*
 * Names without namespace, capitals and separators. `%` is the side; of several names between bars
 * the first one that a model has counts; "" is none.
 */
typedef struct rig_convention {
    const char *name;
    const char *parts[RIG_PARTS];
} rig_convention;

/* One of them; NULL from their number on. */
const rig_convention *rig_convention_at(int index);

#endif
