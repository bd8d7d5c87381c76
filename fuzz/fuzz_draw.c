/*
 * fuzz_draw.c - drawings of extreme models, poses, motions and maps: complete pictures whose
 * numbers are finite, or a refusal with a message that leaves no file.
 */
#define _POSIX_C_SOURCE 200809L

#include "chain.h"

#include <limber/figures/draw.h>
#include <limber/figures/draw_reach.h>
#include <limber/figures/strip.h>

#include <string.h>
#include <unistd.h>

enum { MOST_NQ = 64, MOST_KEYS = 4, MOST_CELLS = 5 * 5 * 5, MOST_SHAPES = 2 };

/* ---- files ---------------------------------------------------------------- */

static char path[64];

/* nearly always one whose text can be looked at: pictures of pixels take the longest */
static const char *take_path(fuzz_bytes *bytes)
{
    static const char *const endings[] = {"svg", "png", "pdf", "ps"};
    int ending = fuzz_choice(bytes, 64);
    snprintf(path, sizeof path, "fuzz-draw-%ld.%s", (long)getpid(),
             endings[ending > 3 ? 0 : (ending + 1) % 4]);
    return path;
}

/* no coordinate is what printf makes of a number that is none */
static void check_svg(const char *text, size_t size)
{
    static const char *const words[] = {"nan", "inf"};
    static const char end[] = "</svg>";
    while (size > 0 && text[size - 1] == '\n')
        size--;
    FUZZ_CHECK(size > sizeof end && strncmp(text + size - 6, end, 6) == 0);
    for (int i = 0; i < 2; i++)
        for (const char *at = strstr(text, words[i]); at != NULL; at = strstr(at + 1, words[i]))
            FUZZ_CHECK(strchr(" ,;-(\"'", at[-1]) == NULL || strchr(" ,;)\"'", at[3]) == NULL);
}

/* the file is there, and complete, if and only if the call was successful */
static void check_file(lb_status status, const lb_error *error)
{
    FILE *file = fopen(path, "rb");
    FUZZ_CHECK((status == LB_OK) == (file != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error->message) > 0);
    if (file == NULL)
        return;
    fuzz_text text = {0};
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        fuzz_text_add(&text, block, n);
    fclose(file);
    FUZZ_CHECK(text.size > 0);
    fuzz_text_add(&text, "", 1);
    if (strcmp(path + strlen(path) - 3, "svg") == 0)
        check_svg(text.text, text.size - 1);
    free(text.text);
    unlink(path);
}

/* ---- poses ---------------------------------------------------------------- */

static double size_of(fuzz_bytes *bytes, double usual)
{
    double size = fuzz_choice(bytes, 8) ? usual : fuzz_bits(bytes);
    // pages of many megabytes are left out
    return size > 300 && size <= 16384 ? 300 : size;
}

static void draw_poses(const lb_model *model, const double *q, fuzz_bytes *bytes)
{
    const lb_drawing_pose poses[] = {{q, "pose", 1}, {q, NULL, 0.5}};
    lb_vec3 target = fuzz_vector(bytes);
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = poses;
    drawing.pose_count = fuzz_choice(bytes, 3);
    drawing.targets = &target;
    drawing.target_count = fuzz_choice(bytes, 2);
    drawing.width = 200;
    drawing.height = 150;
    if (fuzz_choice(bytes, 2))
        drawing.azimuth = fuzz_number(bytes);
    // what stands around, and how far it is
    lb_link_shape shapes[MOST_SHAPES];
    lb_obstacle obstacles[MOST_SHAPES];
    int count = fuzz_shapes(bytes, model, shapes, MOST_SHAPES);
    for (int i = 0; i < count; i++)
        obstacles[i] = (lb_obstacle){.name = "o", .geometry = shapes[i].geometry};
    const lb_scene scene = {.obstacles = obstacles, .obstacle_count = count};
    drawing.scene = count > 0 ? &scene : NULL;
    lb_proximity distance = {.distance = fuzz_bits(bytes), .body_b = 1, .point_b = target};
    distance.point_a = fuzz_vector(bytes);
    distance.normal = lb_vec3_make(0, 0, 1);
    drawing.distances = &distance;
    drawing.distance_count = fuzz_choice(bytes, 2);
    drawing.title = fuzz_choice(bytes, 2) ? "title" : NULL;
    drawing.width = size_of(bytes, drawing.width);
    drawing.height = size_of(bytes, drawing.height);
    if (fuzz_choice(bytes, 4) == 3)
        drawing.elevation = fuzz_bits(bytes);
    lb_error error = {0};
    lb_status status = lb_draw(model, &drawing, take_path(bytes), &error);
    check_file(status, &error);
}

static void draw_tree(const lb_model *model, fuzz_bytes *bytes)
{
    lb_error error = {0};
    const char *title = fuzz_choice(bytes, 2) ? "title" : NULL;
    lb_status status = lb_draw_tree(model, title, take_path(bytes), &error);
    check_file(status, &error);
}

/* ---- motions -------------------------------------------------------------- */

static lb_clip *make_clip(const lb_model *model, const double *q, fuzz_bytes *bytes)
{
    double times[MOST_KEYS], keys[MOST_KEYS * MOST_NQ];
    size_t nq = (size_t)lb_model_nq(model);
    int count = 1 + fuzz_choice(bytes, MOST_KEYS);
    lb_random random = lb_random_seed(fuzz_byte(bytes));
    for (int i = 0; i < count; i++) {
        double gap = fuzz_choice(bytes, 4) ? 0.25 : fuzz_number(bytes);
        times[i] = i == 0 ? gap : times[i - 1] + fabs(gap);
        if (fuzz_choice(bytes, 2))
            lb_configuration_random(model, &random, keys + nq * (size_t)i);
        else
            memcpy(keys + nq * (size_t)i, q, nq * sizeof *q);
    }
    lb_clip *clip = NULL;
    lb_clip_create(model, times, keys, count, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL);
    return clip;
}

static lb_contacts *make_contacts(const lb_clip *clip, fuzz_bytes *bytes)
{
    lb_contacts *contacts = NULL;
    lb_contact_point point = {.at = fuzz_vector(bytes)};
    point.link = fuzz_choice(bytes, lb_model_link_count(lb_clip_model(clip)));
    if (fuzz_choice(bytes, 2) && lb_contacts_create(&point, 1, NULL, &contacts, NULL) == LB_OK)
        lb_contacts_add(contacts, 0, lb_clip_begin(clip), fuzz_number(bytes), NULL);
    return contacts;
}

static void draw_motion(const lb_model *model, const double *q, bool moves, fuzz_bytes *bytes)
{
    lb_clip *clip = make_clip(model, q, bytes);
    if (clip == NULL)
        return;
    lb_contacts *contacts = make_contacts(clip, bytes);
    lb_strip_row rows[2] = {{.clip = clip, .contacts = contacts}, {.clip = clip, .label = "b"}};
    rows[0].path_count = fuzz_choice(bytes, 3);
    rows[0].paths[0] = fuzz_choice(bytes, lb_model_link_count(model) + 1);
    if (fuzz_choice(bytes, 4) == 0)
        rows[1].ground_normal = fuzz_vector(bytes);
    lb_strip strip = lb_strip_default();
    strip.rows = rows;
    strip.row_count = 1 + fuzz_choice(bytes, 2);
    strip.frames = 1 + fuzz_choice(bytes, 6);
    strip.width = size_of(bytes, 200);
    strip.overlaid = fuzz_choice(bytes, 2) == 1;
    if (fuzz_choice(bytes, 4) == 0) {
        strip.begin = fuzz_bits(bytes);
        strip.end = fuzz_bits(bytes);
    }
    if (fuzz_choice(bytes, 4) == 0) {
        strip.azimuth = fuzz_bits(bytes);
        strip.elevation = fuzz_bits(bytes);
    }
    lb_error error = {0};
    lb_status status = moves ? lb_draw_animation(&strip, take_path(bytes), &error)
                             : lb_draw_strip(&strip, take_path(bytes), &error);
    check_file(status, &error);
    lb_contacts_release(contacts);
    lb_clip_release(clip);
}

/* ---- maps ----------------------------------------------------------------- */

static void draw_workspace(const lb_model *model, fuzz_bytes *bytes)
{
    lb_workspace *map = NULL;
    lb_state *state = NULL;
    lb_planar_reach ring;
    lb_workspace_options options = lb_workspace_options_default();
    options.cells = 1 + fuzz_choice(bytes, 5);
    options.manipulability = fuzz_choice(bytes, 2) == 0;
    lb_task task =
        lb_task_make(fuzz_choice(bytes, lb_model_link_count(model)), LB_WORLD, LB_TASK_POSE);
    if (lb_workspace_create(model, &task, &options, NULL, &map, NULL) != LB_OK ||
        lb_state_create(model, NULL, &state) != LB_OK) {
        lb_workspace_release(map);
        return;
    }
    lb_workspace_sample(map, fuzz_byte(bytes));
    lb_workspace_drawing drawing = {.workspace = map, .task = task};
    drawing.quantity = (lb_workspace_quantity)fuzz_choice(bytes, 2);
    drawing.ring = lb_planar_reach_find(state, &task, &ring) ? &ring : NULL;
    lb_error error = {0};
    lb_status status = lb_draw_workspace(model, &drawing, take_path(bytes), &error);
    check_file(status, &error);
    lb_state_release(state);
    lb_workspace_release(map);
}

static void draw_reach(fuzz_bytes *bytes)
{
    static double values[MOST_CELLS];
    lb_reach_drawing drawing = lb_reach_drawing_default();
    drawing.grid.count = 2 * fuzz_choice(bytes, 3) + 1;
    drawing.grid.cell = fuzz_choice(bytes, 4) ? 0.1 : fabs(fuzz_number(bytes));
    drawing.grid.radius = drawing.grid.cell * drawing.grid.count / 2;
    drawing.grid.orientations = 72;
    if (fuzz_choice(bytes, 4) == 0)
        drawing.grid.center = fuzz_vector(bytes);
    for (int i = 0; i < MOST_CELLS; i++) {
        int kind = fuzz_byte(bytes);
        values[i] = kind < 224 ? kind / 224.0 : kind < 240 ? NAN : fuzz_bits(bytes);
    }
    drawing.values = values;
    drawing.view = (lb_reach_view)fuzz_choice(bytes, 3);
    drawing.axis = fuzz_choice(bytes, 4);
    drawing.at = fuzz_choice(bytes, 2) ? drawing.grid.center.x : fuzz_bits(bytes);
    drawing.least = fuzz_choice(bytes, 2) ? 0.5 : fuzz_bits(bytes);
    drawing.share = fuzz_choice(bytes, 2) == 0;
    if (fuzz_choice(bytes, 4) == 0) {
        drawing.azimuth = fuzz_bits(bytes);
        drawing.elevation = fuzz_bits(bytes);
    }
    lb_error error = {0};
    lb_status status = lb_draw_reach(&drawing, take_path(bytes), &error);
    check_file(status, &error);
}

/* ---- one test case -------------------------------------------------------- */

static void draw(const lb_model *model, fuzz_bytes *bytes)
{
    double q[MOST_NQ] = {0};
    for (int i = 0; i < lb_model_nq(model); i++)
        q[i] = fuzz_number(bytes);
    switch (fuzz_choice(bytes, 6)) {
    case 0:
        draw_tree(model, bytes);
        break;
    case 1:
        draw_motion(model, q, false, bytes);
        break;
    case 2:
        draw_motion(model, q, true, bytes);
        break;
    case 3:
        draw_workspace(model, bytes);
        break;
    case 4:
        draw_reach(bytes);
        break;
    default:
        draw_poses(model, q, bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    lb_model *model = fuzz_chain(&bytes);
    if (model && lb_model_nq(model) <= MOST_NQ)
        draw(model, &bytes);
    lb_model_release(model);
    return 0;
}
