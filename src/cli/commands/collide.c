/*
 * collide.c - limber collide: how near the links of a model come to each other and to a scene.
 */
#include "cli/options/figure.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/solve.h"

#include <limber/formats/scene.h>

#include <stdlib.h>
#include <string.h>

static int pairs_wanted;

/* How near a pose comes. */
typedef struct pose_distances {
    lb_proximity *near; /* all pairs that touch, and else the nearest ones, the nearest first */
    int count, touching, kept; /* pairs that are checked, those that touch, those of `near` */
    bool free;                 /* all keep the margin */
    const double *q;
} pose_distances;

/* A model's distances in a block of poses, or its pairs. */
typedef struct collide {
    const lb_model *model;
    lb_collision *collision;
    lb_assembly *assembly; /* NULL: the model has no loops */
    lb_proximity *pairs;   /* of one pose, with room for all */
    pose_distances *poses;
    int count, before;             /* of the block, and of earlier blocks */
    int free;                      /* of all blocks, of which */
    int first_taken, nearest_pose; /* from 1: the first that is not free; that of */
    lb_proximity nearest;          /* the least distance */
    int pair_count;
} collide;

/* ---- measuring ---------------------------------------------------------- */

static int compare_distances(const void *a, const void *b)
{
    const lb_proximity *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->body_a != y->body_a ? x->body_a - y->body_a : x->body_b - y->body_b;
}

/* as many pairs of a pose are kept, and printed in words, where fewer touch */
enum { LISTED = 8 };

/* scenes may be large: of a block of poses not all pairs are kept */
static pose_distances measure(collide *all, const double *q)
{
    int room = all->pair_count;
    if (all->pairs == NULL)
        all->pairs = allocate_or_exit((size_t)room, sizeof *all->pairs);
    pose_distances d = {.q = q};
    d.count = lb_collision_near(all->collision, q, INFINITY, room, all->pairs);
    qsort(all->pairs, (size_t)d.count, sizeof *all->pairs, compare_distances);
    while (d.touching < d.count && all->pairs[d.touching].distance <= 0)
        d.touching++;
    int wanted = d.touching > LISTED ? d.touching : LISTED;
    d.kept = wanted < d.count ? wanted : d.count;
    d.near = allocate_or_exit((size_t)d.kept, sizeof *d.near);
    memcpy(d.near, all->pairs, (size_t)d.kept * sizeof *d.near);
    d.free = lb_collision_free(all->collision, q);
    return d;
}

static void release_block(collide *all)
{
    for (int i = 0; i < all->count; i++)
        dispose(all->poses[i].near);
    dispose(all->poses);
}

static bool measure_block(void *results, pose_list *poses)
{
    collide *all = results;
    if (figure_file != NULL && poses->count > 1)
        refuse("--figure: one pose is wanted, there are more");
    if (all->assembly != NULL &&
        !loops_close(all->assembly, all->model, poses, all->before + all->count, true))
        return false;
    all->before += all->count;
    release_block(all);
    all->count = poses->count;
    all->poses = allocate_or_exit((size_t)poses->count, sizeof *all->poses);
    for (int i = 0; i < poses->count; i++) {
        all->poses[i] = measure(all, poses->q + (size_t)i * (size_t)lb_model_nq(all->model));
        const pose_distances *d = &all->poses[i];
        const int pose = all->before + i + 1;
        all->free += d->free;
        all->first_taken = d->free || all->first_taken > 0 ? all->first_taken : pose;
        if (d->count > 0 && (all->nearest_pose == 0 || d->near->distance < all->nearest.distance))
            all->nearest = *d->near, all->nearest_pose = pose;
    }
    return true;
}

/* ---- rows ------------------------------------------------------------------ */

static void name_pose(const void *results, int i, row *to)
{
    static const lb_proximity none = {.distance = INFINITY, .body_a = -1, .body_b = -1};
    const collide *all = results;
    const pose_distances *d = &all->poses[i];
    const lb_proximity *p = d->count > 0 ? d->near : &none;
    const char *a = lb_collision_body_name(all->collision, p->body_a);
    const char *b = lb_collision_body_name(all->collision, p->body_b);
    column_whole(to, "pose", all->before + i + 1);
    column_flag(to, "free", d->free);
    column_whole(to, "touching", d->touching);
    column_number(to, "distance", p->distance);
    column_word(to, "a", a == NULL ? "" : a);
    column_word(to, "b", b == NULL ? "" : b);
    column_point(to, "point_a", "a", p->point_a);
    column_point(to, "point_b", "b", p->point_b);
}

/* ---- JSON ------------------------------------------------------------------ */

static json_t *json_proximity(const collide *all, const lb_proximity *p)
{
    json_t *pair = json_pair(all->collision, p);
    set_json(pair, "point_a", json_vector(p->point_a));
    set_json(pair, "point_b", json_vector(p->point_b));
    set_json(pair, "normal", json_vector(p->normal));
    return pair;
}

/* how many pairs are in each state, by its name */
static json_t *json_states(const lb_collision *collision)
{
    int counts[LB_PAIR_STATE_COUNT] = {0}, a, b;
    json_t *states = json_object();
    for (int i = 0; i < lb_collision_pair_count(collision); i++)
        counts[lb_collision_pair_at(collision, i, &a, &b)]++;
    for (int i = 0; i < LB_PAIR_STATE_COUNT; i++)
        set_json(states, lb_pair_state_text((lb_pair_state)i), json_integer(counts[i]));
    return states;
}

static json_t *json_pose(const collide *all, const pose_distances *d)
{
    json_t *touching = json_array();
    for (int i = 0; i < d->touching; i++)
        append_json(touching, json_proximity(all, &d->near[i]));
    return json_pack("{s:b, s:o, s:o}", "free", d->free, "nearest",
                     d->count > 0 ? json_proximity(all, d->near) : json_null(), "touching",
                     touching);
}

static void write_elements(void *results, row *to, json_list *list)
{
    (void)to;
    const collide *all = results;
    for (int i = 0; i < all->count; i++)
        json_list_add(list, json_pose(all, &all->poses[i]));
}

static json_t *json_members(void *results)
{
    const collide *all = results;
    return json_pack("{s:s, s:i, s:i, s:o}", "model", lb_model_name(all->model), "count",
                     all->before + all->count, "free", all->free, "pairs",
                     json_states(all->collision));
}

/* ---- words ----------------------------------------------------------------- */

static void print_pair(const collide *all, const lb_proximity *p, FILE *stream)
{
    fprintf(stream, "  %10.4f m  %s - %s\n", p->distance,
            lb_collision_body_name(all->collision, p->body_a),
            lb_collision_body_name(all->collision, p->body_b));
}

/* what is touching, and after that the nearest, one a line; of several poses the nearest alone */
static void print_pose(const collide *all, const pose_distances *d, bool alone, FILE *stream)
{
    const int printed = !alone && d->kept > 1 ? 1 : d->kept;
    bool touches = d->touching > 0;
    const char *strong = console_style_text(stream, touches ? STYLE_BAD : STYLE_GOOD);
    const char *plain = console_style_text(stream, STYLE_PLAIN);
    if (touches)
        fprintf(stream, "%s%d of %d pairs overlap%s\n", strong, d->touching, d->count, plain);
    else if (!d->free)
        fprintf(stream, "%snearer than the margin%s, of %d pairs\n",
                console_style_text(stream, STYLE_BAD), plain, d->count);
    else
        fprintf(stream, "%sfree%s: %d pair%s apart\n", strong, plain, d->count,
                d->count == 1 ? " is" : "s are");
    for (int i = 0; i < printed; i++)
        print_pair(all, &d->near[i], stream);
    if (alone && d->count > d->kept)
        fprintf(stream, "  %sand %d pairs that are farther apart%s\n",
                console_style_text(stream, STYLE_FAINT), d->count - d->kept, plain);
}

static void write_block_words(void *results, FILE *stream)
{
    const collide *all = results;
    const bool alone = all->before + all->count == 1;
    for (int i = 0; i < all->count; i++) {
        if (!alone)
            fprintf(stream, "pose %d: ", all->before + i + 1);
        print_pose(all, &all->poses[i], alone, stream);
    }
}

/* of several poses: how many are free, and where links come nearest */
static void write_words(void *results, FILE *stream)
{
    const collide *all = results;
    const int count = all->before + all->count;
    if (count == 1)
        return;
    fprintf(stream, "%d of %d poses are free", all->free, count);
    if (all->first_taken > 0)
        fprintf(stream, "; pose %d is the first that is not", all->first_taken);
    fputs("\n", stream);
    if (all->nearest_pose > 0)
        fprintf(stream, "the least distance is that of pose %d:\n", all->nearest_pose);
    if (all->nearest_pose > 0)
        print_pair(all, &all->nearest, stream);
}

/* ---- pairs ----------------------------------------------------------------- */

static void name_pair(const void *results, int i, row *to)
{
    const lb_collision *collision = ((const collide *)results)->collision;
    int a = -1, b = -1;
    lb_pair_state state = LB_PAIR_CHECKED;
    if (i < lb_collision_pair_count(collision))
        state = lb_collision_pair_at(collision, i, &a, &b);
    column_word(to, "a", lb_collision_body_name(collision, a));
    column_word(to, "b", lb_collision_body_name(collision, b));
    column_word(to, "pair", lb_pair_state_text(state));
}

static json_t *pair_members(void *results)
{
    return json_pack("{s:s}", "model", lb_model_name(((const collide *)results)->model));
}

/* a heading for each state that some pair has, and the pairs below it */
static void write_pair_words(void *results, FILE *stream)
{
    static const char *const why[LB_PAIR_STATE_COUNT] = {
        [LB_PAIR_CHECKED] = "checked",
        [LB_PAIR_RIGID] = "left out: no joint moves one against the other",
        [LB_PAIR_ADJACENT] = "left out: neighbours along the tree",
        [LB_PAIR_DISABLED] = "left out by the SRDF",
        [LB_PAIR_ALWAYS] = "left out: they overlap in nearly every sample",
        [LB_PAIR_NEVER] = "left out: they overlap in no sample",
        [LB_PAIR_REST] = "left out: they overlap at rest"};
    const collide *all = results;
    for (int k = 0; k < LB_PAIR_STATE_COUNT; k++) {
        bool headed = false;
        for (int i = 0; i < all->pair_count; i++) {
            int a, b;
            if ((int)lb_collision_pair_at(all->collision, i, &a, &b) != k)
                continue;
            if (!headed)
                fprintf(stream, "%s%s%s\n", console_style_text(stream, STYLE_STRONG), why[k],
                        console_style_text(stream, STYLE_PLAIN));
            headed = true;
            fprintf(stream, "  %s - %s\n", lb_collision_body_name(all->collision, a),
                    lb_collision_body_name(all->collision, b));
        }
    }
}

/* ---- figures --------------------------------------------------------------- */

/* the pose, with all that overlaps marked, or the nearest pair */
static void draw_pose(void *results)
{
    const collide *all = results;
    lb_drawing drawing;
    const char *path = figure_wanted(&drawing);
    if (path == NULL)
        return;
    const pose_distances *d = &all->poses[0];
    const lb_drawing_pose pose = {.q = d->q, .strength = 1};
    drawing.poses = &pose;
    drawing.pose_count = 1;
    drawing.distances = d->near;
    drawing.distance_count = d->touching > 0 ? d->touching : d->count > 0;
    drawing.scene = collisions_scene();
    figure_draw(all->model, &drawing, path);
}

/* ---- the command ----------------------------------------------------------- */

enum { DISTANCES, PAIRS };

static const destination_forms forms[] = {
    [DISTANCES] = {.rows = &(result_table)ROWS_OF(collide, count, name_pose),
                   .list = "poses",
                   .elements = write_elements,
                   .members = json_members,
                   .words = write_words,
                   .block_words = write_block_words,
                   .figure = draw_pose},
    [PAIRS] = {.rows = &(result_table)ROWS_OF(collide, pair_count, name_pair),
               .list = "pairs",
               .members = pair_members,
               .words = write_pair_words},
};

static int run_distances(collide *all)
{
    static const pose_work work = {&forms[DISTANCES], measure_block};
    pose_source source;
    poses_open(&source, all->model);
    bool closed = blocks_write_poses(&work, all, &source);
    bool free = all->free == all->before + all->count;
    return closed && free ? EXIT_DONE : EXIT_UNREACHED;
}

/* --figure and what it looks like */
static const struct poptOption nearest_options[] = {
    OPTION_TEXT(
        "figure", figure_file, "FIGURE",
        "also draw one pose: a line between the nearest points of all pairs that overlap, or "
        "else of the nearest pair"),
    OPTION_TABLE(figure_options),
    OPTION_END,
};

static int run(const char *const *operands)
{
    joints_use_srdf();
    destination_check();
    figure_prepare(figure_options);
    collide all = {.model = select_model(operands[0])};
    all.collision = collisions_create(operands[0], all.model);
    all.pair_count = lb_collision_pair_count(all.collision);
    all.assembly = loops_or_exit(all.model);
    if (!pairs_wanted)
        return run_distances(&all);
    option_none_given(pose_options, "with --pairs");
    option_none_given(nearest_options, "with --pairs");
    destination_write(&forms[PAIRS], &all, 1);
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_FLAG("pairs", pairs_wanted,
                "print which pairs are checked, and why all others are left out"),
    OPTION_TABLE(collision_options),
    OPTION_TABLE(srdf_options),
    OPTION_TABLE(pose_options),
    OPTION_TABLE(nearest_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(angle_options),
    OPTION_TABLE(model_options),
    OPTION_END,
};

static const example examples[] = {
    {"whether the Panda touches itself, folded", "limber collide panda --at \"panda_joint4=-3\""},
    {"draw the pose and the pair as a figure",
     "limber collide panda --at \"panda_joint4=-3\" --figure near.svg"},
    {"how near it comes to a table",
     "echo '{\"obstacles\": [{\"name\": \"table\", \"shapes\": [\n"
     "          {\"shape\": \"box\", \"size\": [0.6, 1, 0.1],\n"
     "           \"placement\": {\"xyz\": [0.5, 0, 0.2]}}]}]}' >table.json &&\n"
     "        limber collide panda --scene table.json --report"},
    {"which pairs are not checked, and why", "limber collide panda --pairs --report"},
    {NULL, NULL},
};

const command command_collide = {
    COMMAND(collide),
    .synopsis = "MODEL [--at \"JOINT=VALUE ...\" | --poses IN.csv | --pairs]\n"
                "[OPTION ...]",
    .summary = "measure how near links come to each other and to obstacles around them",
    .details = "Measures the shapes with which links collide: <collision> of URDF, geoms of\n"
               "MJCF, \"collisions\" of limber JSON; visuals do not count. Meshes (STL, OBJ,\n"
               "Collada) stand for their convex hulls, or for capsules by --fit. They are\n"
               "looked for in the model's folder and those above it; one that cannot be read\n"
               "is warned of and left out. A plane of MJCF is a box of 100 m by 100 m below\n"
               "it.\n"
               "\n"
               "Left out are pairs that no joint moves against each other, neighbours along\n"
               "the tree or by a loop, pairs that the robot's SRDF disables, and links that\n"
               "overlap in 95 % of --samples random configurations; --pairs lists them. Loops\n"
               "are closed in all of these, and in poses as limber fk closes them.\n"
               "\n"
               "Rows have the header pose,free,touching,distance,a,b,ax,ay,az,bx,by,bz: how\n"
               "many pairs overlap, and the least distance, in metres, with its two points\n"
               "in the world's frame. The distance of an overlap is negative: the depth.\n"
               "docs/format.md describes poses and scenes.\n"
               "\n"
               "--figure draws one pose with lines between the nearest points of all pairs\n"
               "that overlap, or else of the nearest pair. It draws obstacles, too, but not\n"
               "meshes and not obstacles more than three times as long as the model.\n"
               "\n"
               "The exit status is 0 if every pose is free, 1 if one is not or does not close.",
    .operands = 1,
};
