/* checks.c - what everything that a harness has loaded must stand. */
#include "checks.h"

#include "fuzz.h"

#include <limber/formats/load.h>

#include <math.h>
#include <string.h>

enum { MOST_NQ = 64 };

const lb_model *fuzz_robot(void)
{
    static lb_model *model;
    if (model == NULL)
        FUZZ_CHECK(lb_load("panda", NULL, &model, NULL) == LB_OK);
    return model;
}

const lb_model *fuzz_figure(void)
{
    static lb_model *model;
    const lb_load_options options = {.root = LB_ROOT_FLOATING};
    if (model == NULL)
        FUZZ_CHECK(lb_load_with_options("human", &options, &model, NULL) == LB_OK);
    return model;
}

static void check_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        FUZZ_CHECK(isfinite(numbers[i]));
}

/* ---- SRDF ----------------------------------------------------------------- */

static void check_groups(const lb_srdf *srdf, const lb_model *model)
{
    int links = lb_model_link_count(model), groups = lb_srdf_group_count(srdf);
    for (int i = 0; i < groups; i++) {
        const lb_srdf_group *group = lb_srdf_group_at(srdf, i);
        FUZZ_CHECK(group->base >= -1 && group->base < links);
        FUZZ_CHECK(group->tip >= -1 && group->tip < links);
        lb_srdf_group_has(srdf, i, 0);
    }
    for (int i = 0; i < lb_srdf_end_effector_count(srdf); i++) {
        const lb_srdf_end_effector *effector = lb_srdf_end_effector_at(srdf, i);
        FUZZ_CHECK(effector->group >= 0 && effector->group < groups);
        FUZZ_CHECK(effector->parent_link >= 0 && effector->parent_link < links);
        FUZZ_CHECK(effector->parent_group >= -1 && effector->parent_group < groups);
    }
    for (int i = 0; i < lb_srdf_pair_count(srdf); i++) {
        const lb_srdf_pair *pair = lb_srdf_pair_at(srdf, i);
        FUZZ_CHECK(pair->link1 >= 0 && pair->link1 < links);
        FUZZ_CHECK(pair->link2 >= 0 && pair->link2 < links);
    }
}

void fuzz_check_srdf(const lb_srdf *srdf, const lb_model *model)
{
    double q[MOST_NQ];
    check_groups(srdf, model);
    FUZZ_CHECK(lb_model_nq(model) <= MOST_NQ);
    for (int i = 0; i < lb_srdf_state_count(srdf); i++) {
        lb_configuration_neutral(model, q);
        lb_srdf_apply_state(srdf, i, q);
        check_finite(q, lb_model_nq(model));
        FUZZ_CHECK(lb_srdf_find_state(srdf, lb_srdf_state_at(srdf, i)->name, -1) <= i);
    }
}

/* ---- scenes, limits ------------------------------------------------------- */

void fuzz_check_scene(const lb_scene *scene, const lb_model *model)
{
    lb_collision *collision = NULL;
    lb_error error = {0};
    lb_collision_options options = lb_collision_options_default();
    options.allow_missing = true;
    options.samples = 0;
    lb_status status = lb_collision_create(model, scene, &options, NULL, &collision, &error);
    FUZZ_CHECK((status == LB_OK) == (collision != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status != LB_OK)
        return;
    double q[MOST_NQ];
    lb_proximity nearest;
    lb_configuration_neutral(model, q);
    double d = lb_collision_distance(collision, q, &nearest);
    FUZZ_CHECK(isfinite(d) && d == nearest.distance);
    FUZZ_CHECK(lb_vec3_is_finite(nearest.point_a) && lb_vec3_is_finite(nearest.point_b));
    FUZZ_CHECK(fabs(lb_vec3_length(nearest.normal) - 1) < 1e-9);
    FUZZ_CHECK(!lb_collision_free(collision, q) || d > 0);
    lb_collision_release(collision);
}

void fuzz_check_limits(const lb_joint_limit *limits, const lb_model *model)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint_limit *limit = &limits[j];
        FUZZ_CHECK(limit->lower <= limit->upper && limit->lower < INFINITY &&
                   limit->upper > -INFINITY);
        FUZZ_CHECK(limit->velocity > 0 && limit->acceleration > 0 && limit->jerk > 0);
    }
}

/* ---- contacts ------------------------------------------------------------- */

/* in the order of time, none touching the next; a time within one finds it */
void fuzz_check_spans(const lb_contacts *contacts, int point)
{
    int count;
    const lb_contact_span *spans = lb_contacts_spans(contacts, point, &count);
    for (int i = 0; i < count; i++) {
        FUZZ_CHECK(isfinite(spans[i].begin) && isfinite(spans[i].end));
        FUZZ_CHECK(spans[i].begin <= spans[i].end);
        FUZZ_CHECK(i == 0 || spans[i - 1].end < spans[i].begin);
        FUZZ_CHECK(lb_contacts_at(contacts, point, spans[i].begin) == &spans[i]);
        FUZZ_CHECK(lb_contacts_at(contacts, point, spans[i].end) == &spans[i]);
    }
}

static void check_same_contacts(const lb_contacts *a, const lb_contacts *b)
{
    FUZZ_CHECK(lb_contacts_count(a) == lb_contacts_count(b));
    for (int i = 0; i < lb_contacts_count(a); i++) {
        const lb_contact_point *p = &lb_contacts_points(a)[i], *q = &lb_contacts_points(b)[i];
        FUZZ_CHECK(p->link == q->link && p->height == q->height && p->at.x == q->at.x &&
                   p->at.y == q->at.y && p->at.z == q->at.z);
        int count, other;
        const lb_contact_span *spans = lb_contacts_spans(a, i, &count);
        const lb_contact_span *back = lb_contacts_spans(b, i, &other);
        FUZZ_CHECK(count == other);
        for (int k = 0; k < count; k++)
            FUZZ_CHECK(spans[k].begin == back[k].begin && spans[k].end == back[k].end);
    }
}

void fuzz_check_contacts(const lb_contacts *contacts, const lb_model *model)
{
    char *text = NULL;
    lb_contacts *again = NULL;
    lb_error error = {0};
    for (int i = 0; i < lb_contacts_count(contacts); i++)
        fuzz_check_spans(contacts, i);
    if (lb_contacts_write(contacts, model, NULL, &text, &error) == LB_OK) {
        FUZZ_CHECK(lb_contacts_load_memory("again.json", text, strlen(text), model, NULL, &again,
                                           &error) == LB_OK);
        check_same_contacts(contacts, again);
    }
    lb_contacts_release(again);
    free(text);
}

/* ---- clips, maps ---------------------------------------------------------- */

/* zeros may lose their sign, which JSON's integers do not have */
static void check_same_numbers(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        FUZZ_CHECK(a[i] == b[i]);
}

/* whether doubles resolve whole turns of what turns on and on: keys may differ by those */
static bool has_turns(const lb_clip *clip)
{
    const lb_model *model = lb_clip_model(clip);
    bool resolved = true;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        for (int i = 0; i < lb_clip_count(clip); i++)
            if (lb_model_joint(model, j)->kind == LB_JOINT_CONTINUOUS)
                resolved = resolved && fabs(lb_clip_key(clip, i)[lb_model_joint_q(model, j)]) < 1e9;
    return resolved;
}

void fuzz_check_clip(const lb_clip *clip)
{
    char *text = NULL, *second = NULL;
    lb_clip *again = NULL;
    lb_error error = {0};
    const lb_model *model = lb_clip_model(clip);
    int nq = lb_model_nq(model), count = lb_clip_count(clip);
    for (int i = 0; i < count; i++)
        check_finite(lb_clip_key(clip, i), nq);
    FUZZ_CHECK(lb_clip_json_write(clip, NULL, &text, &error) == LB_OK);
    lb_status status =
        lb_clip_json_load_memory("again.json", text, strlen(text), model, NULL, &again, &error);
    if (status != LB_OK)
        fprintf(stderr, "%s\n%s\n", error.message, text);
    FUZZ_CHECK(status == LB_OK && lb_clip_count(again) == count);
    FUZZ_CHECK(lb_clip_interpolation(again) == lb_clip_interpolation(clip));
    check_same_numbers(lb_clip_times(clip), lb_clip_times(again), count);
    bool same = has_turns(clip);
    for (int i = 0; i < count && same; i++)
        check_same_numbers(lb_clip_key(clip, i), lb_clip_key(again, i), nq);
    FUZZ_CHECK(lb_clip_json_write(again, NULL, &second, &error) == LB_OK);
    FUZZ_CHECK(!same || strcmp(text, second) == 0);
    lb_clip_release(again);
    free(second);
    free(text);
}

static void check_map_numbers(const lb_retarget_map *map)
{
    FUZZ_CHECK(map->count >= 1 && map->count <= LB_RETARGET_PAIRS);
    FUZZ_CHECK(map->scale >= 0 && map->root_scale >= 0);
    FUZZ_CHECK(isfinite(map->scale) && isfinite(map->root_scale));
    for (int i = 0; i < map->count; i++) {
        const lb_retarget_pair *p = &map->pairs[i];
        FUZZ_CHECK(p->position >= 0 && p->orientation >= 0 && p->direction >= 0);
        FUZZ_CHECK(isfinite(p->position) && isfinite(p->orientation) && isfinite(p->direction));
        FUZZ_CHECK(p->held_count >= 0 && p->held_count <= LB_RETARGET_HELD);
        FUZZ_CHECK(lb_vec3_is_finite(p->offset) && lb_vec3_is_finite(p->source_point));
    }
}

/* the same text again: maps have padding, which memory comparison would see */
void fuzz_check_map(const lb_retarget_map *map, const lb_model *source, const lb_model *target)
{
    static lb_retarget_map again;
    char *text = NULL, *second = NULL;
    lb_error error = {0};
    check_map_numbers(map);
    if (lb_retarget_map_write(map, source, target, NULL, &text, &error) != LB_OK)
        return;
    lb_status status = lb_retarget_map_load_memory("again.json", text, strlen(text), source, target,
                                                   NULL, &again, &error);
    if (status != LB_OK)
        fprintf(stderr, "%s\n%s\n", error.message, text);
    FUZZ_CHECK(status == LB_OK);
    FUZZ_CHECK(lb_retarget_map_write(&again, source, target, NULL, &second, &error) == LB_OK);
    FUZZ_CHECK(strcmp(text, second) == 0);
    free(second);
    free(text);
}

/* ---- glTF ----------------------------------------------------------------- */

static bool add(void *user, const void *bytes, size_t size)
{
    return fuzz_text_add(user, bytes, size);
}

/* what is written with one animation more is read again with it */
static void check_written(const lb_gltf *gltf, const lb_clip *clip, bool binary)
{
    fuzz_text to = {0};
    lb_gltf *again = NULL;
    lb_error error = {0};
    lb_gltf_write_options options = {.binary = binary, .only_these = true};
    lb_status status =
        lb_gltf_write(gltf, &(lb_gltf_animation){"again", clip}, 1, &options, add, &to, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status == LB_OK) {
        status = lb_gltf_load_memory("again.gltf", to.text, to.size, NULL, &again, &error);
        // numbers beyond floats, or places beyond 1e15 m below scales, are refused when read
        FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
        FUZZ_CHECK(again == NULL || lb_gltf_find_animation(again, "again") == 0);
    }
    lb_gltf_release(again);
    free(to.text);
}

/* the clip of an animation: its keys, and what the file gives between them */
static void check_animation(const lb_gltf *gltf, int animation)
{
    lb_clip *clip = NULL;
    lb_error error = {0};
    int nq = lb_model_nq(lb_gltf_model(gltf));
    lb_status status = lb_gltf_clip(gltf, animation, NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (clip == NULL)
        return;
    double *q = malloc(((size_t)nq + 1) * sizeof *q);
    for (int i = 0; i < lb_clip_count(clip); i++)
        check_finite(lb_clip_key(clip, i), nq);
    lb_gltf_at(gltf, animation, lb_clip_begin(clip) / 2 + lb_clip_end(clip) / 2, q);
    check_finite(q, nq);
    free(q);
    check_written(gltf, clip, animation % 2 == 0);
    lb_clip_release(clip);
}

/* what is drawn: finite points, not more than the file has bytes */
static void check_looks(const lb_gltf *gltf, size_t size)
{
    lb_gltf_looks *looks = NULL;
    lb_error error = {0};
    lb_status status = lb_gltf_looks_create(gltf, NULL, &looks, &error);
    FUZZ_CHECK((status == LB_OK) == (looks != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    size_t points = 0;
    for (int i = 0; looks != NULL && i < looks->count; i++) {
        points += (size_t)looks->meshes[i].count;
        for (int k = 0; k < looks->meshes[i].count; k++)
            check_finite(&looks->meshes[i].points[k].x, 3);
    }
    // buffers in the JSON are base64: not larger than the text
    FUZZ_CHECK(points <= 2 * size);
    lb_gltf_looks_release(looks);
}

void fuzz_check_gltf(const lb_gltf *gltf, size_t size)
{
    for (int i = 0; i < lb_gltf_describe(gltf).animations; i++)
        check_animation(gltf, i);
    check_looks(gltf, size);
}
