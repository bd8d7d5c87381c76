/*
 * figures.c - limber figures: figures of Parent 2012, chapter 5, and Juckett 2009, computed and
 * drawn.
 */
#include "base/suggest.h"
#include "base/text.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/textbook/gallery.h"
#include "cli/work/movement.h"

#include <limber/bones.h>
#include <limber/formats/load.h>
#include <limber/two_bone.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static text_option output_given, only_given;

/* ---- files -------------------------------------------------------------- */

enum { PATH_SIZE = 4096 };

/* the file of a name with an ending */
static const char *path_of(const char *name, const char *ending, char path[PATH_SIZE])
{
    int size = snprintf(path, PATH_SIZE, "%s/%s%s", option_text(output_given), name, ending);
    if (size < 0 || size >= PATH_SIZE)
        refuse("--output: the folder's name is too long");
    return path;
}

static void make_folder(const char *folder)
{
    struct stat there;
    if (mkdir(folder, 0777) != 0 && (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode)))
        refuse("--output: the folder '%s' cannot be made: %s", folder, strerror(errno));
}

/* what draws a figure to a path */
typedef lb_status draw_to(const void *data, const char *path, lb_error *error);

/* two pictures of a figure, and its rows */
static void save(const char *name, draw_to *draw, save_writer *write, const void *data)
{
    char path[PATH_SIZE];
    require(draw(data, path_of(name, ".svg", path), why()));
    require(draw(data, path_of(name, ".png", path), why()));
    destination_save(path_of(name, ".csv", path), write, data);
}

/* ---- films -------------------------------------------------------------- */

/* the link that a film's strips move, as a task in the world */
static lb_task task_of(const gallery_film *what, const lb_model *model)
{
    int tip =
        what->tip != NULL ? lb_model_find_link(model, what->tip) : lb_model_link_count(model) - 1;
    return lb_task_make(tip, LB_WORLD, LB_TASK_POSITION);
}

static movement follow_strip(const gallery_film *what, const gallery_strip *strip,
                             const lb_model *model)
{
    lb_task task = task_of(what, model);
    double desired[GALLERY_JOINTS] = {0};
    lb_state *state = state_or_exit(model);
    lb_path *path = NULL;
    lb_transform points[2] = {lb_state_transform(state, LB_WORLD, task.tip),
                              lb_state_transform(state, LB_WORLD, task.tip)};
    points[1].p = lb_vec3_make(strip->x, strip->y, strip->z);
    lb_path_source source = {.points = points, .count = 2};
    require(lb_path_create(&source, &program_memory, &path, why()));

    lb_follow how = lb_follow_default(task, path, GALLERY_FRAMES);
    how.steps = strip->steps;
    how.options.method = lb_method_find(strip->method);
    how.options.position_tolerance = strip->tolerance;
    how.options.damping = strip->damping;
    how.options.transpose.alpha = strip->alpha;
    how.options.gains = strip->gains;
    how.options.desired = strip->gains != NULL ? desired : NULL;
    // nothing clamps a step, nothing nudges
    how.options.step_limit = GALLERY_STEP_LIMIT;
    how.options.no_nudge = true;
    return movement_follow(model, &how, poses_neutral(model).q);
}

/* the configurations of key poses: what has no column is at its default */
static void read_keys(const gallery_strip *strip, const lb_model *model, double *q)
{
    value_slot *slots = values_slots(model);
    int columns, changed, place;
    const char *name = gallery_columns(strip, &columns);
    for (int k = 0; k < strip->key_count; k++)
        lb_configuration_neutral(model, q + k * lb_model_nq(model));
    for (int c = 0; c < columns; c++, name += strcspn(name, ",") + 1) {
        char one[VALUE_NAME_SIZE];
        text_format(one, sizeof one, "%.*s", (int)strcspn(name, ","), name);
        require(values_find(model, slots, one, &place, why()));
        for (int k = 0; k < strip->key_count; k++)
            q[k * lb_model_nq(model) + place] = strip->keys[k * columns + c];
    }
    for (int k = 0; k < strip->key_count; k++)
        require(values_normalize(model, q + k * lb_model_nq(model), &changed, why()));
}

/* plays key poses, a unit of time apart */
static movement play_strip(const gallery_film *what, const gallery_strip *strip,
                           const lb_model *model)
{
    double times[GALLERY_KEYS];
    lb_task task = task_of(what, model);
    lb_clip *clip = NULL;
    size_t count = (size_t)strip->key_count;
    double *q = allocate_or_exit(count * (size_t)lb_model_nq(model), sizeof *q);
    for (int i = 0; i < strip->key_count; i++)
        times[i] = i;
    read_keys(strip, model, q);
    require(lb_clip_create(model, times, q, strip->key_count, LB_INTERPOLATION_LINEAR,
                           &program_memory, &clip, why()));
    return movement_play(model, &task, clip, GALLERY_FRAMES);
}

/* places at a constant rate on the line between the ends of the tip's path */
static void find_line(const movement *m, lb_vec3 line[GALLERY_FRAMES])
{
    lb_vec3 first = m->tools[0], displacement = lb_vec3_sub(m->tools[m->count - 1], first);
    for (int i = 0; i < m->count; i++)
        line[i] = lb_vec3_add(first, lb_vec3_scale(displacement, (double)i / (m->count - 1)));
}

typedef struct film_data {
    film film;
    movement movements[GALLERY_STRIPS];
    film_strip strips[GALLERY_STRIPS];
    lb_vec3 lines[GALLERY_STRIPS][GALLERY_FRAMES];
} film_data;

static lb_status draw_film(const void *data, const char *path, lb_error *error)
{
    return film_draw(&((const film_data *)data)->film, path, error);
}

static void write_film(const void *data, FILE *stream)
{
    const film_data *all = data;
    movement_write_csv(all->movements, all->film.strip_count, stream);
}

static void make_film(const gallery_figure *figure)
{
    const gallery_film *what = figure->film;
    film_data data = {.film = {.model = NULL}};
    const lb_model *model = select_model(gallery_model(what));
    for (int i = 0; i < what->strip_count; i++) {
        const gallery_strip *strip = &what->strips[i];
        data.movements[i] = (strip->keys != NULL ? play_strip : follow_strip)(what, strip, model);
        data.strips[i] = movement_strip(&data.movements[i], what->shown, GALLERY_PANELS);
        data.strips[i].label = strip->label;
        if (strip->lined) {
            find_line(&data.movements[i], data.lines[i]);
            data.strips[i].goals = data.lines[i];
        }
    }
    data.film = (film){.model = model,
                       .strips = data.strips,
                       .strip_count = what->strip_count,
                       .azimuth = what->model != NULL ? what->azimuth : NAN,
                       .elevation = what->model != NULL ? what->elevation : NAN};
    save(figure->name, draw_film, write_film, &data);
}

/* ---- sketches ----------------------------------------------------------- */

static const lb_model *sketch_model(const char *model)
{
    lb_model *made = NULL;
    if (model[0] != '{')
        return select_model(model);
    require(lb_load_memory("figure.json", model, strlen(model), &program_memory, &made, why()));
    return made;
}

/* joint `j` of a chain turns so that the last link's origin is nearest to the goal */
static void turn_joint(lb_state *state, int j, double x, double y, double *q)
{
    const lb_model *model = lb_state_model(state);
    lb_state_update(state, q);
    lb_transform joint = lb_state_transform(state, LB_WORLD, j + 1);
    int tip = lb_model_link_count(model) - 1;
    lb_vec3 end = lb_state_point(state, tip, j + 1, lb_vec3_make(0, 0, 0));

    // what lies beyond the joint is one rigid bone
    double angle = lb_atan2(joint.x.y, joint.x.x);
    lb_bone bones[2] = {{joint.p.x, joint.p.y, angle}, {end.x, end.y, 0}};
    lb_bones_options plain = lb_bones_options_default();
    plain.nudge = 0;
    lb_bones_step(bones, 2, x, y, 0, &plain);
    q[lb_model_joint_q(model, j)] += lb_wrap_angle(bones[0].angle - angle);
}

/* the joint values of a sketch, and of its faint pose; returns whether there is one */
static bool pose_sketch(const gallery_sketch *what, lb_state *state, double *before, double *q)
{
    size_t size = sizeof *q * (size_t)lb_model_nq(lb_state_model(state));
    lb_planar_reach ring;
    lb_task task =
        lb_task_make(lb_model_link_count(lb_state_model(state)) - 1, LB_WORLD, LB_TASK_POSITION);
    memcpy(q, what->q, size);
    switch (what->pose) {
    case POSE_GIVEN:
        if (what->before != NULL)
            memcpy(before, what->before, size);
        return what->before != NULL;
    case POSE_DESCENT:
        for (int turn = 0; turn < what->turns; turn++) {
            memcpy(before, q, size);
            turn_joint(state, lb_model_nq(lb_state_model(state)) - 1 - turn, what->x, what->y, q);
        }
        return what->turns > 0;
    case POSE_TRIANGLE:
        if (!lb_planar_reach_find(state, &task, &ring))
            return false;
        lb_two_link_solve(ring.first, ring.second, what->x, what->y, -1, before);
        lb_two_link_solve(ring.first, ring.second, what->x, what->y, 1, q);
        return true;
    }
    return false;
}

typedef struct sketch_data {
    sketch sketch;
    lb_state *state; /* in the last pose */
    lb_state *first; /* in the first */
    int rows;        /* of links and marks */
} sketch_data;

static lb_status draw_sketch(const void *data, const char *path, lb_error *error)
{
    return sketch_draw(&((const sketch_data *)data)->sketch, path, error);
}

/* "vector", "angle" and so on: what a mark is in a figure's data; NULL: it is not data */
static const char *mark_name(sketch_kind kind)
{
    switch (kind) {
    case SKETCH_VECTOR:
    case SKETCH_VELOCITY:
        return "vector";
    case SKETCH_LINE:
    case SKETCH_OVERLINE:
        return "line";
    case SKETCH_CIRCLE:
    case SKETCH_RING:
        return "circle";
    case SKETCH_ANGLE:
        return "angle";
    default:
        return "mark";
    }
}

static void name_number(const void *name, int i, char text[COLUMN_NAME_SIZE])
{
    snprintf(text, COLUMN_NAME_SIZE, "%s", ((const char *const *)name)[i]);
}

/* a place, and for vectors and the like a second one, or an angle in radians, which may be NaN */
static void name_place(row *fields, const char *what, const char *name, lb_vec3 at, lb_vec3 to,
                       double angle)
{
    static const char *const names[] = {"x", "y", "to_x", "to_y", "angle"};
    const double numbers[] = {at.x, at.y, to.x, to.y, angle};
    column_word(fields, "what", what);
    column_word(fields, "name", name);
    column_numbers(fields, "numbers", numbers, 5, 0, name_number, names);
}

/* labelled marks, and vectors, lines and angles also without a label */
static void name_mark(row *fields, const sketch_data *all, const sketch_mark *mark)
{
    static const lb_vec3 none = {NAN, NAN, NAN};
    const char *what = mark_name(mark->kind), *name = mark->text == NULL ? "" : mark->text;
    lb_vec3 at = sketch_at(all->state, mark->a), to = sketch_at(all->state, mark->b);
    if (mark->before)
        to = sketch_at(all->first, mark->b);
    if (strcmp(what, "mark") == 0) {
        if (mark->text != NULL)
            name_place(fields, what, name, at, none, NAN);
    } else if (mark->kind == SKETCH_ANGLE) {
        lb_vec3 b = lb_vec3_sub(to, at), c = lb_vec3_sub(sketch_at(all->state, mark->c), at);
        name_place(fields, what, name, at, none,
                   lb_atan2(lb_vec3_cross(b, c).z, lb_vec3_dot(b, c)));
    } else if (mark->kind == SKETCH_VELOCITY) {
        lb_vec3 g = lb_vec3_cross(lb_vec3_make(0, 0, 1), lb_vec3_sub(to, at));
        name_place(fields, what, name, to, lb_vec3_add(to, lb_vec3_scale(g, mark->size)), NAN);
    } else {
        name_place(fields, what, name, at, to, NAN);
    }
}

/* the places of all links, then the marks; vectors have both ends, angles their value */
static void name_row(const void *data, int i, row *to)
{
    static const lb_vec3 none = {NAN, NAN, NAN};
    const sketch_data *all = data;
    const lb_model *model = all->sketch.model;
    int links = lb_model_link_count(model);
    if (i >= links)
        name_mark(to, all, &all->sketch.marks[i - links]);
    else
        name_place(to, "link", lb_model_link(model, i)->name, lb_state_transforms(all->state)[i].p,
                   none, NAN);
}

static void write_sketch(const void *data, FILE *stream)
{
    table_csv(&(result_table)ROWS_OF(sketch_data, rows, name_row), data, stream);
}

static void make_sketch(const gallery_figure *figure)
{
    const gallery_sketch *what = figure->sketch;
    double before[GALLERY_JOINTS] = {0}, q[GALLERY_JOINTS] = {0};
    const lb_model *model = sketch_model(what->model);
    lb_state *state = state_or_exit(model), *first = state_or_exit(model);
    bool faint = pose_sketch(what, state, before, q) && !what->alone;
    sketch_pose poses[2] = {{before, 0.78}, {q, 0}};
    sketch_data data = {.sketch = {.model = model,
                                   .poses = faint ? poses : poses + 1,
                                   .pose_count = faint ? 2 : 1,
                                   .marks = what->marks,
                                   .mark_count = what->mark_count,
                                   .grounded = what->grounded,
                                   .x0 = what->view[0],
                                   .x1 = what->view[1],
                                   .y0 = what->view[2],
                                   .y1 = what->view[3]},
                        .state = state,
                        .first = first,
                        .rows = lb_model_link_count(model) + what->mark_count};
    lb_state_update(state, q);
    lb_state_update(first, faint ? before : q);
    save(figure->name, draw_sketch, write_sketch, &data);
}

/* ---- trees -------------------------------------------------------------- */

static lb_status draw_tree(const void *data, const char *path, lb_error *error)
{
    return tree_draw(data, path, error);
}

static void name_node(const void *data, int i, row *to)
{
    const tree *what = data;
    const tree_node *node = &what->nodes[i];
    column_word(to, "node", node->name);
    column_word(to, "parent", node->parent < 0 ? "" : what->nodes[node->parent].name);
    column_word(to, "arc", node->arc == NULL ? "" : node->arc);
}

static void write_tree(const void *data, FILE *stream)
{
    table_csv(&(result_table)ROWS_OF(tree, count, name_node), data, stream);
}

/* ---- the page that shows all -------------------------------------------- */

static void write_page(const void *data, FILE *stream)
{
    (void)data;
    gallery_write_page(stream);
}

/* ---- the command -------------------------------------------------------- */

static void make_figure(const gallery_figure *figure)
{
    if (figure->film != NULL)
        make_film(figure);
    else if (figure->sketch != NULL)
        make_sketch(figure);
    else
        save(figure->name, draw_tree, write_tree, figure->tree);
}

/* "; there are figure-5.1, ...": every name */
static void list_figures(char *text, size_t size)
{
    size_t used = text_format(text, size, "; there are");
    for (int i = 0; i < gallery_count && used < size; i++)
        used += text_format(text + used, size - used, "%s %s", i == 0 ? "" : ",", gallery[i].name);
}

/* the figure that --only names */
static const gallery_figure *find_figure(const char *name)
{
    suggest nearest = suggest_start(name);
    for (int i = 0; i < gallery_count; i++) {
        if (strcmp(gallery[i].name, name) == 0)
            return &gallery[i];
        suggest_consider(&nearest, gallery[i].name);
    }
    char all[2048] = "";
    if (nearest.best == NULL)
        list_figures(all, sizeof all);
    refuse("--only: no figure '%s'%s%s", name, suggest_phrase(&nearest), all);
}

static void make_all(const char *folder)
{
    char path[PATH_SIZE];
    progress_start("drew", gallery_count);
    for (int i = 0; i < gallery_count; i++) {
        make_figure(&gallery[i]);
        progress_at(i + 1);
    }
    progress_clear();
    destination_save(path_of("index", ".html", path), write_page, NULL);
    if (console_is_terminal(stdout))
        printf("%d figures; %s/index.html shows them all\n", gallery_count, folder);
}

static int run(const char *const *operands)
{
    const char *folder = option_text(output_given), *only = option_text(only_given);
    (void)operands;
    if (folder == NULL)
        refuse("--output is missing: the folder that the figures go to");
    const gallery_figure *figure = only != NULL ? find_figure(only) : NULL;
    make_folder(folder);
    if (figure != NULL)
        make_figure(figure);
    else
        make_all(folder);
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_TEXT("output", output_given, "DIR", "the folder, made if it is missing"),
    OPTION_TEXT("only", only_given, "NAME", "draw that figure alone, and no page"),
    OPTION_END,
};

static const example examples[] = {
    {"all of them, and a page that shows them", "limber figures --output figures"},
    {NULL, NULL},
};

const command command_figures = {
    COMMAND(figures),
    .synopsis = "--output DIR [--only NAME]",
    .summary = "draw the textbook's figures, and a page that shows them",
    .details = "Computes figures 5.1 to 5.25 of Parent 2012, chapter 5, the first two also with\n"
               "a human figure, 1 to 3c of Juckett 2009, and one of joint interpolation: each as\n"
               "NAME.svg and NAME.png, with its data as NAME.csv, and index.html, which explains\n"
               "each and shows the commands that compute it. The names are figure-5.20a, ccd-3b\n"
               "and so on.\n\n"
               "Data of a movement are those of limber animate; data of a sketch are a row for\n"
               "each link and mark: its place, the other end of vectors and lines, the value of\n"
               "angles in radians.",
    .operands = 0,
};
