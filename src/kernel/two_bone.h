/* two_bone.h - arms of two bones: what the kernel takes of each. */
#ifndef KERNEL_TWO_BONE_H
#define KERNEL_TWO_BONE_H

#include <stdbool.h>
#include <stddef.h>

/* Where the numbers of an arm are, in the order of lb_two_bone: of the end the origin counts. */
enum {
    KERNEL_BONES_START = 0,
    KERNEL_BONES_MIDDLE = 12,
    KERNEL_BONES_TARGET = 36, /* after the end; then bend axis, pole, twist, soft and weight */
    KERNEL_BONES_NUMBERS = 48
};

/* Any number of arms, a row each. */
typedef struct kernel_two_bones {
    const double *arms;     /* rows of KERNEL_BONES_NUMBERS */
    double *start, *middle; /* rows of w x y z: the corrections */
    bool *reached;          /* NULL: not wanted */
    size_t count;
} kernel_two_bones;

#endif
