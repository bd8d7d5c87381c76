/* probe.inl - what probe.h says, at LANE_WIDTH, called PROBE_NAME. */
#define LANE_FLOAT 1
#include "kernel/trig_float.inl"
#include "probe.h"

void PROBE_NAME(const float *x, float *sine, float *cosine, int count, int many)
{
    enum { LANES = PROBE_WIDEST / LANE_WIDTH };
    for (int i = 0; i < count; i += PROBE_WIDEST) {
        lane angles[LANES], s[LANES], c[LANES];
        for (int k = 0; k < LANES; k++)
            angles[k] = lane_load(x + i + k * LANE_WIDTH);
        if (many)
            lane_sincos_many(angles, s, c, LANES);
        for (int k = 0; k < LANES && !many; k++)
            lane_sincos(angles[k], &s[k], &c[k]);
        for (int k = 0; k < LANES; k++) {
            lane_store(sine + i + k * LANE_WIDTH, s[k]);
            lane_store(cosine + i + k * LANE_WIDTH, c[k]);
        }
    }
}
