/* plain_w2.c - 2 lanes of whatever the baseline machine has. */
#define LANE_WIDTH 2
#define PROBE_NAME probe_plain_w2
#include "probe.inl"
