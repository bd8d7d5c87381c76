/* plain_w4.c - 4 lanes of whatever the baseline machine has. */
#define LANE_WIDTH 4
#define PROBE_NAME probe_plain_w4
#include "probe.inl"
