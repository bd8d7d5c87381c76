/* slerp.h - the rotations between two configurations: what the kernel's slerp takes. */
#ifndef KERNEL_SLERP_H
#define KERNEL_SLERP_H

/* the most terms after the first; with them rotations of up to 54 degrees are exact */
enum { KERNEL_SLERP_TERMS = 12 };

/* Balls of a configuration, and how much of the two ends is in the rotation between them. */
typedef struct kernel_slerp {
    const int *places; /* of each quaternion w x y z in a configuration */
    int count;
    int terms; /* after the first, enough for the ball that turns the farthest */
    double leave[KERNEL_SLERP_TERMS + 1], arrive[KERNEL_SLERP_TERMS + 1];
} kernel_slerp;

#endif
