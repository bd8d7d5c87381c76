/*
 * collisions.c - what a model must not touch: itself, and a scene.
 */
#include "cli/options/models.h"

#include "cli/report/report.h"

#include <limber/formats/scene.h>

#include <stdlib.h>
#include <string.h>

static text_option scene_given, margin_given;
static const char *const fits[] = {"hull", "capsule", NULL};

const struct poptOption scene_options[] = {
    OPTION_TEXT("scene", scene_given, "FILE",
                "what stands around the model: boxes, cylinders, capsules, spheres and meshes in "
                "limber JSON"),
    OPTION_TEXT("margin", margin_given, "METRES",
                "distance in metres that links keep; default: 0, they must not overlap"),
    OPTION_END,
};

const struct poptOption collision_options[] = {
    OPTION_TABLE(scene_options),
    OPTION_COUNT("samples", lb_collision_options, samples, 0, LB_COLLISION_SAMPLES_MAX, "N",
                 "configurations that are tried for links that always overlap; default: 1000, at "
                 "most 1000000"),
    OPTION_CHOICE(
        "fit", lb_collision_options, fit, fits, NULL, "SHAPE",
        "what stands for a mesh: hull, its convex hull, or capsule, a small capsule around "
        "it, which is faster and as large at least; default: hull; of limber check "
        "and retarget capsule"),
    OPTION_SET("skip-never", lb_collision_options, skip_never,
               "leave out links that overlapped in none of these, as MoveIt's assistant does; a "
               "rare overlap is missed"),
    OPTION_END,
};

/* What a collision is created from; it copies all of it. */
typedef struct sources {
    const char *name;
    const lb_model *model;
    lb_load_options load;
    int warnings;
    lb_scene *scene;
    lb_mesh_list *model_meshes, *scene_meshes;
    lb_looks *looks; /* that stand in; NULL: none */
    lb_srdf *srdf;
    lb_mesh *meshes;        /* of all lists */
    lb_link_pair *disabled; /* of the SRDF */
    bool is_figure;         /* what stands still with the root is no part of it */
    lb_collision_options options;
} sources;

static bool load_scene(sources *s)
{
    lb_error error = {0};
    const char *path = option_text(scene_given);
    if (path == NULL)
        return true;
    lb_status status = lb_scene_load(path, &s->load, &s->scene, &error);
    load_report(path, status, &error, s->warnings);
    return status == LB_OK;
}

bool collisions_scene(lb_scene **scene)
{
    sources s = {.name = NULL};
    bool fine = load_given(&s.warnings, &s.load);
    // what it is warned of was said when the collision was made
    s.load.warn = NULL;
    fine = fine && load_scene(&s);
    *scene = s.scene;
    return fine;
}

/* the meshes that a file names */
static bool load_meshes(sources *s, const char *path, const lb_model *model, const lb_scene *scene,
                        lb_mesh_list **list)
{
    lb_error error = {0};
    lb_load_options load = s->load;
    s->warnings = 0;
    // of a figure it is enough to say how many are missing
    if (s->is_figure)
        load.warn = NULL;
    lb_status status = lb_mesh_list_load(path, model, scene, &load, list, &error);
    load_report(path, status, &error, s->warnings);
    return status == LB_OK;
}

/* adds meshes to those that are passed on */
static void add_meshes(sources *s, const lb_mesh *meshes, int count)
{
    if (count > 0)
        memcpy(&s->meshes[s->options.mesh_count], meshes, (size_t)count * sizeof *meshes);
    s->options.mesh_count += count;
}

static bool load_all_meshes(sources *s)
{
    const char *path = option_text(scene_given);
    if (!load_meshes(s, s->name, s->model, NULL, &s->model_meshes) ||
        (path != NULL && !load_meshes(s, path, NULL, s->scene, &s->scene_meshes)))
        return false;
    int of_scene = path == NULL ? 0 : s->scene_meshes->count;
    int of_looks = s->looks == NULL ? 0 : s->looks->mesh_count;
    int count = s->model_meshes->count + of_scene + of_looks;
    s->meshes = allocate_or_exit((size_t)count, sizeof *s->meshes);
    add_meshes(s, s->model_meshes->meshes, s->model_meshes->count);
    if (path != NULL)
        add_meshes(s, s->scene_meshes->meshes, of_scene);
    if (s->looks != NULL)
        add_meshes(s, s->looks->meshes, of_looks);
    s->options.meshes = s->meshes;
    return true;
}

static bool load_disabled(sources *s)
{
    if (!joints_srdf(s->name, &s->load, s->model, &s->srdf))
        return false;
    int count = s->srdf == NULL ? 0 : lb_srdf_pair_count(s->srdf);
    s->disabled = allocate_or_exit((size_t)count, sizeof *s->disabled);
    for (int i = 0; i < count; i++) {
        const lb_srdf_pair *pair = lb_srdf_pair_at(s->srdf, i);
        s->disabled[i] = (lb_link_pair){pair->link1, pair->link2};
    }
    s->options.disabled = s->disabled;
    s->options.disabled_count = count;
    return true;
}

bool collisions_margin(double *margin)
{
    const char *given = option_text(margin_given);
    return argument_number("--margin", given, margin) &&
           (given == NULL || *margin >= 0 || complain("--margin: %s is below 0", given));
}

static bool read_options(sources *s)
{
    s->options.allow_missing = true;
    return collisions_margin(&s->options.margin) && options_read(collision_options, &s->options);
}

static void release_sources(sources *s)
{
    lb_scene_release(s->scene);
    lb_mesh_list_release(s->model_meshes);
    lb_mesh_list_release(s->scene_meshes);
    lb_looks_release(s->looks);
    lb_srdf_release(s->srdf);
    free(s->meshes);
    free(s->disabled);
}

/* what is not measured though someone may think so */
static void remark_missing(const sources *s, const lb_collision *c)
{
    int shapes = 0;
    for (int i = 0; i < lb_model_link_count(s->model); i++)
        shapes += lb_collision_body_shapes(c, i);
    if (lb_collision_missing(c) > 0)
        remark("%s: %d shapes are left out for want of their meshes", s->name,
               lb_collision_missing(c));
    if (shapes == 0 && !s->is_figure)
        remark("%s: no link has a shape to collide with; visuals do not count", s->name);
}

/* ---- creating ------------------------------------------------------------- */

static sources begin(const char *name, const lb_model *model)
{
    return (sources){.name = name, .model = model, .options = lb_collision_options_default()};
}

/* what was begun, with the options that are given */
static lb_collision *create(sources *s)
{
    lb_collision *collision = NULL;
    if (read_options(s) && load_scene(s) && load_all_meshes(s) && load_disabled(s) &&
        succeeds(lb_collision_create(s->model, s->scene, &s->options, NULL, &collision, why())))
        remark_missing(s, collision);
    return collision;
}

lb_collision *collisions_create(const char *name, const lb_model *model)
{
    sources s = begin(name, model);
    lb_collision *collision = load_given(&s.warnings, &s.load) ? create(&s) : NULL;
    release_sources(&s);
    return collision;
}

/* what stands in for shapes; that meshes are missing is said once, with how many */
static bool load_looks(sources *s, const lb_gltf *gltf)
{
    lb_load_options quiet = s->load;
    quiet.warn = NULL;
    if (!succeeds(lb_looks_load(s->name, s->model, gltf, &quiet, &s->looks, why())))
        return false;
    s->options.stand_ins = s->looks->shapes;
    s->options.stand_in_count = s->looks->shape_count;
    return true;
}

lb_collision *collisions_create_figure(const char *name, const lb_model *model, const lb_gltf *gltf,
                                       double distance, bool *by_looks)
{
    sources s = begin(name, model);
    lb_collision *collision = NULL;
    s.options.fit = LB_MESH_CAPSULE;
    s.options.always = distance;
    s.options.skip_rest = s.options.skip_ground = s.is_figure = true;
    *by_looks = lb_looks_needed(model);
    if (load_given(&s.warnings, &s.load) && (!*by_looks || load_looks(&s, gltf)))
        collision = create(&s);
    release_sources(&s);
    return collision;
}

lb_collision *collisions_create_apart(const char *name, const lb_model *model, double distance)
{
    sources s = begin(name, model);
    s.options.always = distance;
    lb_collision *collision = load_given(&s.warnings, &s.load) ? create(&s) : NULL;
    release_sources(&s);
    for (int i = 0; collision != NULL && i < lb_collision_pair_count(collision); i++) {
        int a, b;
        if (lb_collision_pair_at(collision, i, &a, &b) == LB_PAIR_ALWAYS)
            remark("%s: '%s' and '%s' are hardly ever %g m apart: they are left out", name,
                   lb_collision_body_name(collision, a), lb_collision_body_name(collision, b),
                   distance);
    }
    return collision;
}
