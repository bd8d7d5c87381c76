/* probe.inl - what probe.h says, at LANE_WIDTH, called PROBE_NAME. */
#define LANE_FLOAT 1
#include "probe.h"
#include "simd/trig_float.inl"

void PROBE_NAME(const float *x, float *sine, float *cosine, int count, int many)
{
    enum { LANES = PROBE_WIDEST / LANE_WIDTH };
    for (int i = 0; i < count; i += PROBE_WIDEST) {
        lane angles[LANES], s[LANES], c[LANES];
        for (int k = 0; k < LANES; k++)
            angles[k] = lane_load(x + i + k * LANE_WIDTH);
        // a four of which the last are as the first
        for (int k = 0; k < LANES && many; k++) {
            lane four[4] = {angles[k], angles[0], angles[k], angles[LANES - 1]}, fs[4], fc[4];
            lane_sincos_several(four, 4, fs, fc);
            s[k] = fs[k % 2 ? 2 : 0];
            c[k] = fc[k % 2 ? 2 : 0];
        }
        for (int k = 0; k < LANES && !many; k++)
            lane_sincos(angles[k], &s[k], &c[k]);
        for (int k = 0; k < LANES; k++) {
            lane_store(sine + i + k * LANE_WIDTH, s[k]);
            lane_store(cosine + i + k * LANE_WIDTH, c[k]);
        }
    }
}
