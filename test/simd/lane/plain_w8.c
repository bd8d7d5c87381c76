/* plain_w8.c - 8 lanes of whatever the baseline machine has. */
#define LANE_WIDTH 8
#define PROBE_NAME probe_plain_w8
#include "probe.inl"
