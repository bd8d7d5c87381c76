/*
 * fuzz_capture.c - motions of a figure, and of any tree, onto a robot and any other tree, with
 * contacts, hands, slopes and maps that are as extreme as numbers: refused with a message, or a
 * motion within limits and the contacts that it keeps.
 */
#include "chain.h"

#include <limber/check.h>
#include <limber/formats/load.h>
#include <limber/retarget.h>

#include <string.h>

enum { MOST_NQ = 256, MOST_KEYS = 8, MOST_POINTS = 4, MOST_PAIRS = 6 };
enum { MOST_FRAMES = 60, MOST_SAMPLES = 10000 };

/* ---- sources ---------------------------------------------------------------- */

/* a floating root that goes on and up and down, joints anywhere */
static lb_clip *clip_of(fuzz_bytes *bytes, const lb_model *model)
{
    double times[MOST_KEYS], keys[MOST_KEYS * MOST_NQ];
    size_t nq = (size_t)lb_model_nq(model);
    int count = 1 + fuzz_choice(bytes, MOST_KEYS);
    double calm = fuzz_byte(bytes) / 255.0;
    lb_clip *clip = NULL;
    if (nq > MOST_NQ)
        return NULL;
    lb_configuration_neutral(model, keys);
    for (int i = 0; i < count; i++) {
        double *key = keys + nq * (size_t)i, any[MOST_NQ];
        double gap = fuzz_choice(bytes, 16) ? fuzz_byte(bytes) / 1024.0 : fabs(fuzz_number(bytes));
        times[i] = i == 0 ? gap : times[i - 1] + gap;
        fuzz_configuration(bytes, model, any);
        lb_configuration_interpolate(model, keys, any, calm * fuzz_byte(bytes) / 255.0, key);
    }
    lb_clip_create(model, times, keys, count,
                   (lb_interpolation)fuzz_choice(bytes, LB_INTERPOLATION_COUNT), NULL, &clip, NULL);
    return clip;
}

static lb_contacts *contacts_of(fuzz_bytes *bytes, const lb_model *model)
{
    lb_contact_point points[MOST_POINTS];
    lb_contacts *contacts = NULL;
    int count = 1 + fuzz_choice(bytes, MOST_POINTS);
    for (int i = 0; i < count; i++) {
        int link = fuzz_choice(bytes, lb_model_link_count(model) + 1);
        points[i] = (lb_contact_point){.link = link, .at = fuzz_vector(bytes)};
        points[i].height = fuzz_any_number(bytes);
        points[i].any_height = fuzz_choice(bytes, 2) == 1;
    }
    if (lb_contacts_create(points, count, NULL, &contacts, NULL) != LB_OK)
        return NULL;
    for (int i = fuzz_choice(bytes, 2 * MOST_POINTS); i > 0; i--) {
        double begin = fuzz_choice(bytes, 4) ? fuzz_byte(bytes) / 128.0 : fuzz_any_number(bytes);
        double length = fuzz_choice(bytes, 4) ? fuzz_byte(bytes) / 256.0 : fuzz_any_number(bytes);
        lb_contacts_add(contacts, fuzz_choice(bytes, count), begin, begin + length, NULL);
    }
    return contacts;
}

/* ---- maps -------------------------------------------------------------------- */

static lb_retarget_pair pair_of(fuzz_bytes *bytes, int source_links, int target_links)
{
    lb_role role = (lb_role)fuzz_choice(bytes, LB_ROLE_COUNT + 1);
    lb_retarget_pair pair = lb_retarget_pair_make(role, fuzz_choice(bytes, source_links),
                                                  fuzz_choice(bytes, target_links));
    if (fuzz_choice(bytes, 2)) {
        pair.position = fuzz_any_number(bytes);
        pair.orientation = fuzz_any_number(bytes);
        pair.direction = fuzz_any_number(bytes);
    }
    if (fuzz_choice(bytes, 4) == 0) {
        lb_transform place = fuzz_place(bytes);
        pair.aligned = true;
        pair.rotation = lb_transform_quat(&place);
        pair.source_point = fuzz_vector(bytes);
        pair.target_point = fuzz_vector(bytes);
        pair.axis = fuzz_vector(bytes);
        pair.offset = fuzz_vector(bytes);
    }
    pair.held_count = fuzz_choice(bytes, LB_RETARGET_HELD + 1);
    for (int i = 0; i < pair.held_count; i++) {
        pair.held[i] = (lb_retarget_held){.source = fuzz_choice(bytes, source_links),
                                          .source_at = fuzz_vector(bytes)};
        pair.held[i].at = fuzz_vector(bytes);
        pair.held[i].any_height = fuzz_choice(bytes, 4) == 0;
        pair.held[i].size = fuzz_any_number(bytes);
    }
    return pair;
}

static void map_of(fuzz_bytes *bytes, const lb_model *source, const lb_model *target,
                   lb_retarget_map *map)
{
    memset(map, 0, sizeof *map);
    map->count = 1 + fuzz_choice(bytes, MOST_PAIRS);
    for (int i = 0; i < map->count; i++)
        map->pairs[i] = pair_of(bytes, lb_model_link_count(source), lb_model_link_count(target));
    if (fuzz_choice(bytes, 2)) {
        map->scale = fuzz_any_number(bytes);
        map->root_scale = fuzz_any_number(bytes);
    }
}

/* ---- retargeting ------------------------------------------------------------- */

static lb_retarget_options options_of(fuzz_bytes *bytes)
{
    lb_retarget_options o = lb_retarget_options_default();
    o.any_speed = fuzz_choice(bytes, 4) == 0;
    o.unlocked = fuzz_choice(bytes, 4) == 0;
    o.hands = fuzz_choice(bytes, 2) == 0;
    if (fuzz_choice(bytes, 2))
        o.rate = fuzz_byte(bytes);
    if (fuzz_choice(bytes, 2))
        o.ground_normal = fuzz_vector(bytes);
    if (fuzz_choice(bytes, 4) == 0) {
        o.scale = fuzz_any_number(bytes);
        o.root_scale = fuzz_any_number(bytes);
        o.ground = fuzz_any_number(bytes);
        o.blend = fuzz_any_number(bytes);
    }
    if (fuzz_choice(bytes, 4) == 0) {
        o.detect.rate = fuzz_any_number(bytes);
        o.detect.enter_height = fuzz_any_number(bytes);
        o.detect.leave_height = fuzz_any_number(bytes);
        o.detect.drift = fuzz_any_number(bytes);
        o.detect.settle = fuzz_any_number(bytes);
        o.detect.stray = fuzz_any_number(bytes);
    }
    return o;
}

static void check_made(const lb_clip *made, const lb_contacts *contacts,
                       const lb_retarget_report *report)
{
    lb_check_report checked;
    lb_error error;
    const lb_model *target = lb_clip_model(made);
    FUZZ_CHECK(report->frames == lb_clip_count(made));
    FUZZ_CHECK(report->solved >= 1);
    FUZZ_CHECK(isfinite(report->scale) && isfinite(report->root_scale));
    for (int i = 0; i < lb_clip_count(made); i++)
        FUZZ_CHECK(lb_configuration_validate(target, lb_clip_key(made, i), 1e-6, NULL) == LB_OK);
    FUZZ_CHECK(lb_clip_check(made, contacts, NULL, NULL, NULL, &checked, &error) == LB_OK);
}

static void retarget(const lb_clip *source, const lb_model *target,
                     const lb_retarget_options *options)
{
    lb_clip *made = NULL, *slowed = NULL;
    lb_contacts *contacts = NULL;
    lb_retarget_report report;
    lb_error error = {0};
    double span = lb_clip_end(source) - lb_clip_begin(source);
    // more frames than a test needs: where nothing can be reached each takes its whole budget; and
    // up to a million samples in which contacts are looked for
    if (span > 1 || span * options->rate > MOST_FRAMES ||
        span * options->detect.rate > MOST_SAMPLES)
        return;
    lb_status status =
        lb_retarget(source, target, options, NULL, &made, &contacts, &report, &error);
    FUZZ_CHECK((status == LB_OK) == (made != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (made != NULL)
        check_made(made, contacts, &report);
    lb_contacts_release(contacts);
    lb_clip_release(made);
    contacts = NULL;
    status = lb_retarget_slow(source, target, options, NULL, &slowed, &contacts, &error);
    FUZZ_CHECK((status == LB_OK) == (slowed != NULL));
    FUZZ_CHECK(slowed == NULL || lb_clip_count(slowed) >= 1);
    lb_contacts_release(contacts);
    lb_clip_release(slowed);
}

/* a built-in figure with a root that moves; the same for all inputs */
static const lb_model *load_figure(const char *name, lb_model **kept)
{
    const lb_load_options options = {.root = LB_ROOT_FLOATING};
    if (*kept == NULL)
        FUZZ_CHECK(lb_load_with_options(name, &options, kept, NULL) == LB_OK);
    return *kept;
}

/* any tree, with a root that moves */
static lb_model *tree_of(fuzz_bytes *bytes)
{
    lb_model *fixed = fuzz_chain(bytes), *model = NULL;
    if (fixed != NULL)
        lb_model_with_root(fixed, fuzz_choice(bytes, 4) ? LB_JOINT_FLOATING : LB_JOINT_PLANAR, NULL,
                           &model, NULL);
    lb_model_release(fixed);
    return model;
}

static void attack(fuzz_bytes *bytes, const lb_model *source, const lb_model *target, bool figures)
{
    static lb_retarget_map map;
    lb_clip *clip = clip_of(bytes, source);
    if (clip != NULL) {
        lb_retarget_options options = options_of(bytes);
        lb_contacts *contacts = fuzz_choice(bytes, 2) ? contacts_of(bytes, source) : NULL;
        options.contacts = contacts;
        if (!figures || fuzz_choice(bytes, 4) == 0) {
            map_of(bytes, source, target, &map);
            options.map = &map;
        }
        retarget(clip, target, &options);
        lb_contacts_release(contacts);
    }
    lb_clip_release(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lb_model *human, *biped;
    fuzz_bytes bytes = {data, size};
    if (fuzz_choice(&bytes, 2)) {
        const lb_model *source = load_figure("human", &human);
        attack(&bytes, source, fuzz_choice(&bytes, 2) ? source : load_figure("biped", &biped),
               true);
        return 0;
    }
    lb_model *source = tree_of(&bytes), *target = tree_of(&bytes);
    if (source != NULL && target != NULL)
        attack(&bytes, source, target, false);
    lb_model_release(target);
    lb_model_release(source);
    return 0;
}
