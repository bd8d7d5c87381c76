/*
 * place.c - limber place: the places from which a robot reaches its targets.
 */
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/work/solve.h"

#include <limber/placement.h>
#include <stdlib.h>

static text_option best_given;

/* places that one thread computes at a time */
enum { PART = 64, MOST_TURNS = 360, MOST_BEST = 1000000 };

static const struct poptOption placement_options[] = {
    OPTION_FIELD("grid", FIELD_POSITIVE, lb_placement_options, cell, "METRES",
                 "how far apart places are; default: 0.1"),
    OPTION_COUNT("turns", lb_placement_options, turns, 1, MOST_TURNS, "N",
                 "about the vertical at each place; default: 8"),
    OPTION_FIELD("height", FIELD_NUMBER, lb_placement_options, height, "Z",
                 "of the plane that the robot is put on; default: 0"),
    OPTION_END,
};

/* All places, the best first in the end. */
typedef struct placing {
    lb_placement **placements; /* one for each thread */
    lb_place *places;
    size_t count, targets;
    int best; /* how many are written */
} placing;

/* ---- computing ------------------------------------------------------------- */

static void solve_part(void *user, int thread, int part)
{
    const placing *p = user;
    size_t end = (size_t)(part + 1) * PART;
    for (size_t i = (size_t)part * PART; i < end && i < p->count; i++)
        p->places[i] = lb_placement_solve(p->placements[thread], i);
}

/* most targets first, then the largest margin, then as on the lattice */
static int compare_places(const void *a, const void *b)
{
    const lb_place *x = a, *y = b;
    if (x->reached != y->reached)
        return y->reached - x->reached;
    if (x->margin != y->margin)
        return x->margin > y->margin ? -1 : 1;
    lb_vec3 d = lb_vec3_sub(x->robot.p, y->robot.p);
    double first = d.y != 0 ? d.y : d.x != 0 ? d.x : x->robot.x.x - y->robot.x.x;
    return first != 0 ? (first < 0 ? -1 : 1) : x->robot.x.y < y->robot.x.y ? 1 : -1;
}

static void create_all(placing *p, const lb_model *model, const target_list *targets, int threads)
{
    lb_placement_options options = lb_placement_options_default();
    lb_task task = tool_task(model, targets->kind);
    task.base = LB_WORLD;
    options_read(placement_options, &options);
    p->placements = allocate_or_exit((size_t)threads, sizeof *p->placements);
    for (int i = 0; i < threads; i++)
        require(lb_placement_create(model, &task, targets->targets, targets->count, &options,
                                    &program_memory, &p->placements[i], why()));
}

static void compute(placing *p, int threads)
{
    p->count = lb_placement_count(p->placements[0]);
    p->places = allocate_or_exit(p->count, sizeof *p->places);
    int parts = (int)((p->count + PART - 1) / PART);
    threads_run(threads, parts, solve_part, p);
    qsort(p->places, p->count, sizeof *p->places, compare_places);
    if ((size_t)p->best > p->count)
        p->best = (int)p->count;
}

/* ---- results ---------------------------------------------------------------- */

/* about the vertical, in the unit that is wanted */
static double yaw_of(const lb_place *place)
{
    return lb_atan2(place->robot.x.y, place->robot.x.x) / angle_unit();
}

static void name_place(const void *results, int i, row *to)
{
    const lb_place *place = &((const placing *)results)->places[i];
    column_point(to, "place", "", place->robot.p);
    column_number(to, "yaw", yaw_of(place));
    column_whole(to, "reached", place->reached);
    column_number(to, "margin", place->margin);
}

static json_t *json_members(void *results)
{
    const placing *p = results;
    return json_pack("{s:I, s:I}", "targets", (json_int_t)p->targets, "tried",
                     (json_int_t)p->count);
}

static void write_words(void *results, FILE *stream)
{
    const placing *p = results;
    const lb_place *best = p->places;
    size_t all = 0;
    while (all < p->count && p->places[all].reached == (int)p->targets)
        all++;
    fprintf(stream, "%zu of %zu places reach all of %zu target%s\n", all, p->count, p->targets,
            p->targets == 1 ? "" : "s");
    if (best->reached > 0)
        fprintf(stream,
                "best: x %.4g y %.4g z %.4g m, yaw %.4g %s: %d reached, joints at least %.0f %% "
                "of half their range from a limit\n",
                best->robot.p.x, best->robot.p.y, best->robot.p.z, yaw_of(best), angle_unit_name(),
                best->reached, 100 * best->margin);
}

static const destination_forms forms = {.rows = &(result_table)ROWS_OF(placing, best, name_place),
                                        .list = "places",
                                        .members = json_members,
                                        .words = write_words,
                                        .words_aside = true};

/* ---- the command ------------------------------------------------------------- */

static int run(const char *const *operands)
{
    destination_check();
    int threads = threads_given();
    placing p = {.best = argument_count("--best", option_text(best_given), 1, MOST_BEST, 100)};
    const lb_model *model = select_model(operands[0]);
    target_list targets = targets_given();
    p.targets = (size_t)targets.count;
    create_all(&p, model, &targets, threads > 0 ? threads : 1);
    compute(&p, threads > 0 ? threads : 1);
    select_remark();
    destination_write(&forms, &p, 2);
    return p.places[0].reached == targets.count ? EXIT_DONE : EXIT_UNREACHED;
}

static const struct poptOption options[] = {
    OPTION_TABLE(target_options),
    OPTION_TABLE(one_tip_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(placement_options),
    OPTION_TEXT("best", best_given, "N", "how many places to write; default: 100"),
    OPTION_TABLE(thread_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(angle_options),
    OPTION_TABLE(model_options),
    OPTION_END,
};

static const example examples[] = {
    {"where a UR5 reaches a place on a bench from above",
     "limber place ur5 --position \"1 2 0.3\" --rpy \"3.14159 0 0\" --grid 0.2 --best 3"},
    {"where it reaches both ends of a shelf",
     "printf 'x,y,z\\n1,2,0.3\\n1.5,2,0.3\\n' | limber place ur5 --targets - --report"},
    {NULL, NULL},
};

const command command_place = {
    COMMAND(place),
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"]\n"
                " | --targets T.csv)\n"
                "[--output OUT.csv] [OPTION ...]",
    .summary = "find the places from which a robot reaches its targets",
    .details = "Targets are in the world. Places are on a lattice in a horizontal plane, each in\n"
               "several turns about the vertical: all places from which a target could be\n"
               "reached.\n\n"
               "Rows have the header x,y,z,yaw,reached,margin, the best place first: the one\n"
               "that reaches most targets, then the one of the largest margin: the least\n"
               "distance from a limit as a share of half a joint's range, 0 at a limit, 1 in the\n"
               "middle. Of each target the best solution counts if limber solutions lists all of\n"
               "them, else, as of arms with joints to spare, the one that was found. The same\n"
               "call always gives the same rows, for any number of threads.\n\n"
               "The exit status is 0 if some place reaches all targets, 1 if none does.",
    .operands = 1,
};
