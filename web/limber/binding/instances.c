/* instances.c - many of one model, as matrices for drawing. */
#include "binding.h"

/* a transform as a matrix of four columns, set down at `place` */
static void put_matrix(const lb_transform *t, const double *place, float *out)
{
    const lb_vec3 columns[] = {t->x, t->y, t->z, t->p};
    for (int c = 0; c < 4; c++) {
        out[4 * c] = (float)columns[c].x;
        out[4 * c + 1] = (float)columns[c].y;
        out[4 * c + 2] = (float)columns[c].z;
        out[4 * c + 3] = c == 3;
    }
    for (int i = 0; i < 3; i++)
        out[12 + i] += (float)place[i];
}

/*
 * Where all links are in n configurations of nq numbers each, the i-th of which stands at
 * places[3 i]. `out` has for each link its n matrices of sixteen numbers, one after another.
 */
void EXPORT(state_matrices)(lb_state *state, int n, const double *q, const double *places,
                            float *out)
{
    const lb_model *model = lb_state_model(state);
    int nq = lb_model_nq(model), links = lb_model_link_count(model);
    for (int i = 0; i < n; i++) {
        lb_state_update(state, q + (size_t)i * (size_t)nq);
        const lb_transform *transforms = lb_state_transforms(state);
        for (int link = 0; link < links; link++)
            put_matrix(&transforms[link], places + 3 * (size_t)i,
                       out + 16 * ((size_t)link * (size_t)n + (size_t)i));
    }
}
