/* plain_f4.c - 4 lanes of floats, of whatever the baseline machine has. */
#define LANE_WIDTH 4
#define PROBE_NAME probe_plain_f4
#include "probe.inl"
