/* clip.c - poses of clips. */
#include "../binding.h"

#include <limber/clip.h>

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
