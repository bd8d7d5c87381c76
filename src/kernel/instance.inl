/*
 * instance.inl - the kernel's entry points for one width. Included once by each
 * kernel_w<N>.c after LANE_WIDTH is defined.
 */
#include "kernel/engine.inl"
#include "kernel/table.inl"

/* many angles at once */
static void many_sincos(const double *x, double *sine, double *cosine, int count)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        lane s, c;
        lane_sincos(lane_load(x + i), &s, &c);
        lane_store(sine + i, s);
        lane_store(cosine + i, c);
    }
}

extern const kernel_ops KERNEL_NAME(ops);

const kernel_ops KERNEL_NAME(ops) = {LANE_WIDTH, engine_scratch, engine_descend, table_nearest,
                                     many_sincos};
