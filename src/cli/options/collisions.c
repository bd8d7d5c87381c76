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

/* What a collision is created from. */
typedef struct sources {
    const char *name;
    const lb_model *model;
    lb_load_options load;
    int warnings;
    lb_scene *scene;
    lb_mesh_list *model_meshes, *scene_meshes;
    lb_looks *looks; /* that stand in; NULL: none */
    lb_mesh *meshes; /* of all lists */
    bool is_figure;  /* what stands still with the root is no part of it */
    lb_collision_options options;
} sources;

static void load_scene(sources *s)
{
    lb_error error = {0};
    const char *path = option_text(scene_given);
    if (path == NULL)
        return;
    lb_status status = lb_scene_load(path, &s->load, &s->scene, &error);
    load_report(path, status, &error, s->warnings);
}

lb_scene *collisions_scene(void)
{
    sources s = {.name = NULL};
    s.load = load_given(&s.warnings);
    // what it is warned of was said when the collision was made
    s.load.warn = NULL;
    load_scene(&s);
    return s.scene;
}

/* the meshes that a file names */
static void load_meshes(sources *s, const char *path, const lb_model *model, const lb_scene *scene,
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
}

/* adds meshes to those that are passed on */
static void add_meshes(sources *s, const lb_mesh *meshes, int count)
{
    if (count > 0)
        memcpy(&s->meshes[s->options.mesh_count], meshes, (size_t)count * sizeof *meshes);
    s->options.mesh_count += count;
}

static void load_all_meshes(sources *s)
{
    const char *path = option_text(scene_given);
    load_meshes(s, s->name, s->model, NULL, &s->model_meshes);
    if (path != NULL)
        load_meshes(s, path, NULL, s->scene, &s->scene_meshes);
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
}

static void load_disabled(sources *s)
{
    const lb_srdf *srdf = joints_srdf(s->name, &s->load, s->model);
    int count = srdf == NULL ? 0 : lb_srdf_pair_count(srdf);
    lb_link_pair *disabled = allocate_or_exit((size_t)count, sizeof *disabled);
    for (int i = 0; i < count; i++) {
        const lb_srdf_pair *pair = lb_srdf_pair_at(srdf, i);
        disabled[i] = (lb_link_pair){pair->link1, pair->link2};
    }
    s->options.disabled = disabled;
    s->options.disabled_count = count;
}

double collisions_margin(double usual)
{
    const char *given = option_text(margin_given);
    double margin = argument_number("--margin", given, usual);
    if (given != NULL && !(margin >= 0))
        refuse("--margin: %s is below 0", given);
    return margin;
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

/* what is to be created, with the options that are given */
static lb_collision *create(sources *s)
{
    lb_collision *collision = NULL;
    s->options.allow_missing = true;
    s->options.margin = collisions_margin(s->options.margin);
    options_read(collision_options, &s->options);
    load_scene(s);
    load_all_meshes(s);
    load_disabled(s);
    require(
        lb_collision_create(s->model, s->scene, &s->options, &program_memory, &collision, why()));
    remark_missing(s, collision);
    return collision;
}

lb_collision *collisions_create(const char *name, const lb_model *model)
{
    sources s = {.name = name, .model = model, .options = lb_collision_options_default()};
    s.load = load_given(&s.warnings);
    return create(&s);
}

/* what stands in for shapes; that meshes are missing is said once, with how many */
static void load_looks(sources *s, const lb_gltf *gltf)
{
    lb_load_options quiet = s->load;
    quiet.warn = NULL;
    require(lb_looks_load(s->name, s->model, gltf, &quiet, &s->looks, why()));
    s->options.stand_ins = s->looks->shapes;
    s->options.stand_in_count = s->looks->shape_count;
}

lb_collision *collisions_create_figure(const char *name, const lb_model *model, const lb_gltf *gltf,
                                       double distance, bool *by_looks)
{
    sources s = {.name = name, .model = model, .options = lb_collision_options_default()};
    s.load = load_given(&s.warnings);
    s.options.fit = LB_MESH_CAPSULE;
    s.options.always = distance;
    s.options.skip_rest = s.options.skip_ground = s.is_figure = true;
    *by_looks = lb_looks_needed(model);
    if (*by_looks)
        load_looks(&s, gltf);
    return create(&s);
}

lb_collision *collisions_create_apart(const char *name, const lb_model *model, double distance)
{
    sources s = {.name = name, .model = model, .options = lb_collision_options_default()};
    s.load = load_given(&s.warnings);
    s.options.always = distance;
    lb_collision *collision = create(&s);
    for (int i = 0; i < lb_collision_pair_count(collision); i++) {
        int a, b;
        if (lb_collision_pair_at(collision, i, &a, &b) == LB_PAIR_ALWAYS)
            remark("%s: '%s' and '%s' are hardly ever %g m apart: they are left out", name,
                   lb_collision_body_name(collision, a), lb_collision_body_name(collision, b),
                   distance);
    }
    return collision;
}
