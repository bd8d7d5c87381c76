/* clip.c - the keys of clips, and clips made from others. */
#include "../binding.h"

#include <limber/clip.h>

/* ---- reading -------------------------------------------------------------- */

const double *EXPORT(clip_key)(const lb_clip *clip, int key)
{
    return lb_clip_key(clip, key);
}

double EXPORT(clip_rate)(const lb_clip *clip, double tolerance)
{
    return lb_clip_rate(clip, tolerance);
}

int EXPORT(clip_interpolation)(const lb_clip *clip)
{
    return (int)lb_clip_interpolation(clip);
}

void EXPORT(clip_rates)(const lb_clip *clip, double time, double *velocity, double *acceleration)
{
    lb_clip_rates(clip, time, velocity, acceleration);
}

/* the poses at `count` times, rows of single precision as batches of kinematics want them; `q` has
   room for one */
void EXPORT(clip_poses)(const lb_clip *clip, const double *times, int count, double *q, float *out)
{
    int nq = lb_model_nq(lb_clip_model(clip));
    for (int i = 0; i < count; i++) {
        lb_clip_at(clip, times[i], q);
        for (int k = 0; k < nq; k++)
            *out++ = (float)q[k];
    }
}

/* ---- clips from clips; NULL on failure ------------------------------------ */

lb_clip *EXPORT(clip_resample)(const lb_clip *clip, double rate)
{
    lb_clip *made = NULL;
    lb_clip_resample(clip, rate, NULL, &made, &binding_error);
    return made;
}

lb_clip *EXPORT(clip_slice)(const lb_clip *clip, double from, double to)
{
    lb_clip *made = NULL;
    lb_clip_slice(clip, from, to, NULL, &made, &binding_error);
    return made;
}

lb_clip *EXPORT(clip_retime)(const lb_clip *clip, double begin, double speed)
{
    lb_clip *made = NULL;
    lb_clip_retime(clip, begin, speed, NULL, &made, &binding_error);
    return made;
}

lb_clip *EXPORT(clip_blend)(const lb_clip *a, const lb_clip *b, double from, double to)
{
    lb_clip *made = NULL;
    lb_clip_blend(a, b, from, to, NULL, &made, &binding_error);
    return made;
}

lb_clip *EXPORT(clip_mirror)(const lb_clip *clip)
{
    lb_clip *made = NULL;
    lb_clip_mirror(clip, NULL, &made, &binding_error);
    return made;
}

lb_clip *EXPORT(clip_loop)(const lb_clip *clip, int count, double fade)
{
    lb_clip *made = NULL;
    lb_clip_loop(clip, count, fade, NULL, &made, &binding_error);
    return made;
}

lb_clip *EXPORT(clip_even)(const lb_clip *clip, double tolerance)
{
    lb_clip *made = NULL;
    lb_clip_even(clip, tolerance, NULL, &made, &binding_error);
    return made;
}
