/* soak_model.h - random models, tasks, targets and starts, sane and extreme ones. */
#ifndef FUZZ_SOAK_MODEL_H
#define FUZZ_SOAK_MODEL_H

#include <limber/ik.h>

enum { SOAK_MOST_JOINTS = 10 };

int soak_index(lb_random *random, int count);
bool soak_chance(lb_random *random, double chance);
/* on the unit sphere, equal in all directions */
lb_vec3 soak_direction(lb_random *random);
/*
 * A finite number at most `most`: of the size that real models have or, so often, one that is
 * special, tiny, huge, or any bits.
 */
double soak_number(lb_random *random, double extreme, double most);
/* axes in any direction, and a place of such numbers */
lb_transform soak_transform(lb_random *random, double extreme);

/*
 * An embedded model, or a random tree whose numbers are extreme so often. NULL where such numbers
 * are refused. Release it with lb_model_release.
 */
lb_model *soak_embedded(lb_random *random);
lb_model *soak_tree(lb_random *random, double extreme);

/* A task of this model's links, of any kind, whose base is given. */
lb_task soak_task(lb_random *random, const lb_model *model, int base, double extreme);

#endif
