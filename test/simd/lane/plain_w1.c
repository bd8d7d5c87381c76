/* plain_w1.c - one lane: plain double. */
#define LANE_WIDTH 1
#define PROBE_NAME probe_plain_w1
#include "probe.inl"
