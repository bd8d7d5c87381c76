/* collision.c - how near the links of a figure come to each other. */
#include "../binding.h"

#include <limber/check.h>
#include <limber/formats/gltf.h>

#include <stdlib.h>
#include <string.h>

/* distance, samples, fit, whether pairs that never touch are left out */
enum { OPTION_NUMBERS = 4 };

/* What a collision is made of; released when it is there, as it copies all. */
typedef struct sources {
    lb_collision_options options;
    lb_mesh *meshes;
    lb_link_shape *visuals;
    lb_link_pair *pairs;
    lb_gltf_looks *looks;
} sources;

/* whether no link has a shape to collide with, so that what they look like stands in */
static bool needs_looks(const lb_model *model)
{
    for (int i = 0; i < lb_model_link_count(model); i++)
        if (lb_model_link(model, i)->collision_count > 0)
            return false;
    return true;
}

static bool take_visuals(sources *s, const lb_model *model)
{
    int count = 0, links = lb_model_link_count(model);
    for (int i = 0; i < links; i++)
        count += lb_model_link(model, i)->visual_count;
    s->visuals = calloc((size_t)count + 1, sizeof *s->visuals);
    for (int i = 0; i < links && s->visuals != NULL; i++) {
        const lb_link *link = lb_model_link(model, i);
        for (int k = 0; k < link->visual_count; k++)
            s->visuals[s->options.stand_in_count++] = (lb_link_shape){i, link->visuals[k]};
    }
    s->options.stand_ins = s->visuals;
    return s->visuals != NULL;
}

/* names follow each other in `names`, points in `points`, and so many are of each */
static bool take_meshes(sources *s, const char *names, const double *points, const int *counts,
                        int n)
{
    s->meshes = calloc((size_t)n + 1, sizeof *s->meshes);
    for (int i = 0; i < n && s->meshes != NULL; i++) {
        s->meshes[i] = (lb_mesh){names, (const lb_vec3 *)points, counts[i]};
        names += strlen(names) + 1;
        points += 3 * counts[i];
    }
    s->options.meshes = s->meshes;
    s->options.mesh_count = n;
    return s->meshes != NULL;
}

static bool take_pairs(sources *s, const int *pairs, int n)
{
    s->pairs = calloc((size_t)n + 1, sizeof *s->pairs);
    if (s->pairs == NULL)
        return false;
    for (int i = 0; i < n; i++)
        s->pairs[i] = (lb_link_pair){pairs[2 * i], pairs[2 * i + 1]};
    s->options.disabled = s->pairs;
    s->options.disabled_count = n;
    return true;
}

static void take_figure(sources *s, const lb_gltf *gltf)
{
    if (lb_gltf_looks_create(gltf, NULL, &s->looks, &binding_error) != LB_OK)
        return;
    s->options.stand_ins = s->looks->shapes;
    s->options.meshes = s->looks->meshes;
    s->options.stand_in_count = s->options.mesh_count = s->looks->count;
}

static lb_collision_options options_from(const double *n)
{
    lb_collision_options options = lb_collision_options_default();
    options.always = n[0];
    options.samples = (int)n[1];
    options.fit = (lb_mesh_fit)n[2];
    options.skip_never = n[3] != 0;
    options.skip_rest = options.skip_ground = options.allow_missing = true;
    return options;
}

/*
 * Of a figure as limber check and retarget have it. `gltf` (may be NULL) is the file that the model
 * is of, whose meshes stand in. *by_looks: what links look like stands in for shapes that they
 * lack. NULL on failure.
 */
lb_collision *EXPORT(collision_create)(const lb_model *model, const lb_gltf *gltf,
                                       const double *numbers, const char *names,
                                       const double *points, const int *counts, int mesh_count,
                                       const int *pairs, int pair_count, int *by_looks)
{
    lb_collision *collision = NULL;
    sources s = {.options = options_from(numbers)};
    *by_looks = needs_looks(model);
    bool fine =
        take_pairs(&s, pairs, pair_count) && take_meshes(&s, names, points, counts, mesh_count);
    if (fine && *by_looks && gltf == NULL)
        fine = take_visuals(&s, model);
    if (!fine)
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    if (fine && *by_looks && gltf != NULL)
        take_figure(&s, gltf);
    if (fine && (gltf == NULL || !*by_looks || s.looks != NULL))
        lb_collision_create(model, NULL, &s.options, NULL, &collision, &binding_error);
    lb_gltf_looks_release(s.looks);
    free(s.pairs);
    free(s.visuals);
    free(s.meshes);
    return collision;
}

void EXPORT(collision_release)(lb_collision *collision)
{
    lb_collision_release(collision);
}

int EXPORT(collision_pairs)(const lb_collision *collision)
{
    return lb_collision_pair_count(collision);
}

int EXPORT(collision_missing)(const lb_collision *collision)
{
    return lb_collision_missing(collision);
}

/* fills out[2] with the links; returns why the pair is left out, 0: it is checked */
int EXPORT(collision_pair)(const lb_collision *collision, int index, int *out)
{
    return (int)lb_collision_pair_at(collision, index, &out[0], &out[1]);
}

/* text of such a state, NULL beyond the last */
const char *EXPORT(pair_state_text)(int state)
{
    return state < LB_PAIR_STATE_COUNT ? lb_pair_state_text((lb_pair_state)state) : NULL;
}
