/* plain_f16.c - 16 lanes of floats, of whatever the baseline machine has. */
#define LANE_WIDTH 16
#define PROBE_NAME probe_plain_f16
#include "probe.inl"
