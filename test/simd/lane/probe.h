/*
 * probe.h - every operation on lanes, to be run at any width and compared.
 *
 * The files of this folder choose a width and include probe.inl, which makes of it
 * one plain function. plain_* are for the machine's baseline, whatever the width;
 * kernel_* get the instructions that the kernel's file of the same name gets.
 */
#ifndef TEST_LANE_PROBE_H
#define TEST_LANE_PROBE_H

#include <limber/math.h>

/* what is probed; the operations stand in probe.inl, what they should return in test_lane.c */
#define PROBE_LIST(X)                                                                              \
    X(SUM)                                                                                         \
    X(DIFFERENCE)                                                                                  \
    X(PRODUCT)                                                                                     \
    X(QUOTIENT)                                                                                    \
    X(NEGATIVE)                                                                                    \
    X(WITH_PLAIN)                                                                                  \
    X(SET)                                                                                         \
    X(SQRT)                                                                                        \
    X(ABS)                                                                                         \
    X(MIN)                                                                                         \
    X(MAX)                                                                                         \
    X(FLIP_SIGN)                                                                                   \
    X(COPYSIGN)                                                                                    \
    X(ROUND)                                                                                       \
    X(LT)                                                                                          \
    X(LE)                                                                                          \
    X(GT)                                                                                          \
    X(GE)                                                                                          \
    X(EQ)                                                                                          \
    X(ODD)                                                                                         \
    X(SIGN)                                                                                        \
    X(KEEP)                                                                                        \
    X(NOT)                                                                                         \
    X(AND)                                                                                         \
    X(OR)                                                                                          \
    X(ANDNOT)                                                                                      \
    X(SINE)                                                                                        \
    X(COSINE)                                                                                      \
    X(ATAN2)                                                                                       \
    X(ACOS)

enum probe_operation {
#define PROBE_ENUM(name) PROBE_##name,
    PROBE_LIST(PROBE_ENUM)
#undef PROBE_ENUM
        PROBE_COUNT
};

enum { PROBE_WIDEST = 8 };

/* What a mask made of some bits says of itself. */
typedef struct probe_mask {
    unsigned bits, inverse;
    bool any, all, none;
} probe_mask;

/* One width: `width` numbers a and b in, PROBE_COUNT rows of PROBE_WIDEST numbers out. */
typedef struct probe {
    const char *name;
    int width;
    void (*numbers)(const double *a, const double *b, double (*out)[PROBE_WIDEST]);
    probe_mask (*mask)(unsigned bits);
} probe;

extern const probe probe_plain_w1, probe_plain_w2, probe_plain_w4, probe_plain_w8;
extern const probe probe_kernel_w4, probe_kernel_w8;

#endif
