/* plain_f8.c - 8 lanes of floats, of whatever the baseline machine has. */
#define LANE_WIDTH 8
#define PROBE_NAME probe_plain_f8
#include "probe.inl"
