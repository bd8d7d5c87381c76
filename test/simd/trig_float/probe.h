/* probe.h - sine and cosine of floats at one width, as plain functions. */
#ifndef TEST_TRIG_FLOAT_PROBE_H
#define TEST_TRIG_FLOAT_PROBE_H

enum { PROBE_WIDEST = 16 };

/* sines and cosines of `count` angles, a multiple of PROBE_WIDEST; one by one, or four at once */
typedef void probe_sincos(const float *x, float *sine, float *cosine, int count, int many);

extern probe_sincos probe_plain_f4, probe_plain_f8, probe_plain_f16;
extern probe_sincos probe_kernel_f4, probe_kernel_f8, probe_kernel_f16;

#endif
