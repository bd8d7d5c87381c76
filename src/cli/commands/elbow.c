/*
 * elbow.c - limber elbow: where the elbow of an arm of seven joints can be, or is best: the arcs
 * that it can be on, or where it is best.
 */
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/work/solve.h"

#include "base/text.h"

#include <limber/elbow.h>

#include <math.h>
#include <stdlib.h>

/* the names of lb_elbow_goal, in its order, and what is best of each */
static name_option best_given = {
    .names = (const char *const[]){"nearest", "margin", "manipulability", NULL}};
static const char *const value_names[] = {"distance", "margin", "manipulability"};

/* One arc of a target, or its best elbow. */
typedef struct elbow_row {
    int branch;
    double begin, end;      /* of an arc */
    lb_elbow_choice choice; /* the best; the branch of one that is not reached is 0 */
} elbow_row;

/* Arcs or best elbows, target after target, with the configuration in the middle of each arc, or at
   the best elbow. */
typedef struct elbows {
    target_rows rows;
    lb_elbow *elbow;
    bool best; /* else arcs */
    lb_elbow_goal goal;
    elbow_row *found;     /* of each row */
    lb_outcome *outcomes; /* of each target of the block */
} elbows;

/* ---- finding -------------------------------------------------------------- */

/* the arcs of a target, each with the configuration in its middle; arcs whose middle is not
   confirmed are left out, and then the outcome is that of such a middle */
static lb_outcome find_arcs(elbows *all, const lb_transform *target, const double *start)
{
    target_rows *rows = &all->rows;
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    double begun = clock_seconds();
    int count = lb_elbow_arcs(all->elbow, target, start, LB_ELBOW_ARCS_MAX, arcs);
    rows->seconds += clock_seconds() - begun;
    lb_outcome outcome = LB_REACHED;
    for (int i = 0; i < count; i++) {
        const lb_elbow_arc *arc = &arcs[i];
        lb_outcome middle =
            lb_elbow_at(all->elbow, target, arc->branch, 0.5 * (arc->begin + arc->end), start,
                        rows_values(rows, rows->count));
        if (middle == LB_REACHED)
            all->found[rows->count++] = (elbow_row){arc->branch, arc->begin, arc->end, {0}};
        else
            outcome = middle;
    }
    if (count != 0)
        return count > 0 ? outcome : LB_INVALID;
    // a single configuration is an arc without length
    lb_elbow_choice near;
    outcome = lb_elbow_best(all->elbow, target, LB_ELBOW_NEAREST, start,
                            rows_values(rows, rows->count), &near);
    // of followed arcs none leads there
    const double at = near.branch < 0 ? NAN : near.angle;
    if (outcome == LB_REACHED)
        all->found[rows->count++] = (elbow_row){near.branch, at, at, {0}};
    return outcome;
}

/* the best elbow of a target */
static lb_outcome find_best(elbows *all, const lb_transform *target, const double *start)
{
    target_rows *rows = &all->rows;
    elbow_row *one = &all->found[rows->count];
    double begun = clock_seconds();
    lb_elbow_best(all->elbow, target, all->goal, start, rows_values(rows, rows->count),
                  &one->choice);
    rows->seconds += clock_seconds() - begun;
    rows->count++;
    one->branch = one->choice.branch;
    // the start is no elbow of this target: it has no angle and no errors
    if (one->choice.outcome != LB_REACHED)
        one->choice.angle = one->choice.value = one->choice.position_error =
            one->choice.rotation_error = NAN;
    return one->choice.outcome;
}

static void find(void *results)
{
    elbows *all = results;
    target_rows *rows = &all->rows;
    rows_begin(rows);
    for (int i = 0; i < rows->targets->count; i++) {
        const lb_transform *target = &rows->targets->targets[i];
        const double *start = rows_start_of(rows, i);
        rows_reserve(rows, LB_ELBOW_ARCS_MAX, (void **)&all->found, sizeof *all->found);
        lb_outcome outcome =
            all->best ? find_best(all, target, start) : find_arcs(all, target, start);
        bool reached = outcome == LB_REACHED;
        all->outcomes[i] = outcome;
        rows_end(rows, i, reached, reached ? NULL : lb_outcome_text(outcome));
    }
}

/* ---- for programs ----------------------------------------------------------- */

static void remark_missing(const void *results)
{
    const elbows *all = results;
    rows_remark(&all->rows, all->best ? "no elbow inside the limits was found"
                                      : "no arc, or not every one, is listed");
}

static void name_row(const void *results, int r, row *to)
{
    const elbows *all = results;
    const elbow_row *one = &all->found[r];
    const lb_elbow_choice *choice = &one->choice;
    double unit = angle_unit();
    rows_name_target(&all->rows, r, to);
    if (all->best)
        column_choice(to, "status", lb_outcome_text(choice->outcome), (int)choice->outcome);
    column_whole(to, "branch", one->branch);
    if (all->best) {
        column_number(to, "elbow_angle", choice->angle / unit);
        column_number(to, value_names[all->goal], choice->value);
        column_number(to, "position_error", choice->position_error);
        column_number(to, "rotation_error", choice->rotation_error);
    } else {
        column_number(to, "begin", one->begin / unit);
        column_number(to, "end", one->end / unit);
    }
    column_joints(to, all->rows.model, rows_values(&all->rows, r));
}

static const result_table elbows_rows = ROWS_OF(elbows, rows.count, name_row);

/* for each target its best elbow, or what came of it and its arcs */
static void write_elements(void *results, row *to, json_list *list)
{
    const elbows *all = results;
    const int *first = all->rows.first;
    for (int i = 0; i < all->rows.targets->count; i++) {
        if (all->best) {
            json_list_add(list, table_json(&elbows_rows, all, first[i], to));
            continue;
        }
        json_t *arcs = json_array();
        for (int r = first[i]; r < first[i + 1]; r++)
            append_json(arcs, table_json(&elbows_rows, all, r, to));
        json_list_add(list, json_pack("{s:s, s:o}", "status", lb_outcome_text(all->outcomes[i]),
                                      "arcs", arcs));
    }
}

static json_t *json_members(void *results)
{
    const elbows *all = results;
    int targets = all->rows.target_count;
    json_t *object = json_pack("{s:i, s:i, s:f, s:f}", "targets", targets, "reached",
                               all->rows.reached, "seconds", all->rows.seconds, "mean_us",
                               targets > 0 ? 1e6 * all->rows.seconds / targets : 0);
    if (!all->best)
        set_json(object, "arcs", json_integer((json_int_t)all->rows.total));
    return object;
}

/* ---- for people -------------------------------------------------------------- */

static void print_arcs(const elbows *all, const value_slot *slots, FILE *stream)
{
    const int joint = lb_elbow_joint(all->elbow);
    fprintf(stream, "%s: %d arc%s%s%s inside the limits, each with its middle\n",
            lb_outcome_text(all->outcomes[0]), all->rows.count, all->rows.count == 1 ? "" : "s",
            joint == LB_ELBOW_LENGTH   ? " found"
            : joint == LB_ELBOW_CIRCLE ? " of the elbow"
                                       : " of joint ",
            joint < 0 ? "" : lb_model_joint(all->rows.model, joint)->name);
    if (all->rows.count > 0) {
        fprintf(stream, "  branch     begin       end");
        rows_print_head(&all->rows, slots, stream);
    }
    for (int r = 0; r < all->rows.count; r++) {
        const elbow_row *one = &all->found[r];
        fprintf(stream, "  %6d %9.4f %9.4f", one->branch, tidy(one->begin / angle_unit(), 4),
                tidy(one->end / angle_unit(), 4));
        rows_print_values(&all->rows, slots, r, stream);
        fputc('\n', stream);
    }
}

static void print_best(const elbows *all, const value_slot *slots, FILE *stream)
{
    const lb_elbow_choice *choice = &all->found[0].choice;
    if (choice->outcome != LB_REACHED) {
        const bool proved = choice->outcome == LB_UNREACHABLE;
        fprintf(stream, "%s: no angle %s\n", lb_outcome_text(choice->outcome),
                proved ? "keeps the limits" : "that keeps the limits was found");
        return;
    }
    const bool followed = lb_elbow_joint(all->elbow) == LB_ELBOW_LENGTH;
    if (choice->branch < 0)
        fprintf(stream, "reached at a limit, on no arc; ");
    else
        fprintf(stream, "reached on %s %d %s%.4f %s%s; ", followed ? "arc" : "branch",
                choice->branch, followed ? "at " : "at angle ", choice->angle / angle_unit(),
                angle_unit_name(), followed ? " from its beginning" : "");
    if (all->goal == LB_ELBOW_NEAREST)
        fprintf(stream, "%.4g rad from the start, the nearest found\n", choice->value);
    else if (all->goal == LB_ELBOW_MARGIN)
        fprintf(stream, "every joint at least %.3g %% of half its range from a limit\n",
                100 * choice->value);
    else
        fprintf(stream, "manipulability %.4g, the greatest found\n", choice->value);
    rows_print_head(&all->rows, slots, stream);
    rows_print_values(&all->rows, slots, 0, stream);
    fputc('\n', stream);
}

static void write_words(void *results, FILE *stream)
{
    const elbows *all = results;
    describe_task(all->rows.model, &all->rows.task, stream);
    fputc('\n', stream);
    if (rows_words(&all->rows, "", "no elbow inside the limits", stream))
        return;
    value_slot *slots = values_slots(all->rows.model);
    if (all->best)
        print_best(all, slots, stream);
    else
        print_arcs(all, slots, stream);
}

static void write_label(const void *user, int i, char label[FIGURE_LABEL_SIZE])
{
    const elbows *all = user;
    const elbow_row *one = &all->found[i];
    if (all->best)
        text_format(label, FIGURE_LABEL_SIZE, "%s",
                    one->choice.outcome == LB_REACHED ? "best elbow" : "not reached");
    else if (all->rows.targets->count == 1)
        text_format(label, FIGURE_LABEL_SIZE, "branch %d%s", one->branch,
                    i == 0 ? ", first arc" : "");
}

static void draw(void *results)
{
    rows_draw(&((const elbows *)results)->rows, write_label, results);
}

/* ---- the command -------------------------------------------------------- */

static const destination_forms forms = {.rows = &elbows_rows,
                                        .list = "results",
                                        .elements = write_elements,
                                        .members = json_members,
                                        .words = write_words,
                                        .figure = draw,
                                        .words_aside = true};

static int run(const char *const *operands)
{
    static const block_work work = {&forms, find, remark_missing};
    problem_source problems = {.shared = false};
    const lb_model *model = blocks_start_command(operands[0], &problems);
    int goal = argument_name("--best", &best_given, -1);
    elbows all = {.best = goal >= 0, .goal = goal >= 0 ? (lb_elbow_goal)goal : LB_ELBOW_NEAREST};
    rows_open(&all.rows, model, &problems);
    all.outcomes = allocate_or_exit((size_t)all.rows.targets->count, sizeof *all.outcomes);
    require(lb_elbow_create(model, &all.rows.task, &program_memory, &all.elbow, why()));
    blocks_write(&work, &all, &problems);
    return rows_status(&all.rows);
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(target_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(start_options),
    OPTION_TABLE(starts_options),
    OPTION_NAME("best", best_given, "GOAL",
                "find the best elbow instead: nearest to the start, margin (farthest from the "
                "limits) or manipulability"),
    OPTION_TABLE(drawing_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"where the elbow of seven joints can be, and where it is farthest from limits",
     "limber elbow iiwa14 --position \"0.4 0.2 0.6\" --rpy \"180 0 0\" --degrees &&\n"
     "        limber elbow iiwa14 --position \"0.4 0.2 0.6\" --rpy \"180 0 0\" --degrees \\\n"
     "        --best margin"},
    {NULL, NULL},
};

const command command_elbow = {
    COMMAND(elbow),
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"]\n"
                " | --targets T.csv)\n"
                "[--best GOAL] [--output OUT.csv] [OPTION ...]",
    .summary = "find where the elbow of an arm of seven joints can be, or is best",
    .details = "Arms of seven joints whose first three axes meet in a point, and whose last\n"
               "three do, can turn their elbow about the line from shoulder to wrist while the\n"
               "tool stays. Prints the ranges of the elbow angle that keep the limits, whose\n"
               "ends are exact, under the header target,branch,begin,end, and then the joints in\n"
               "the middle of the range; an end beyond pi goes on past the half turn. Where\n"
               "there are none, a single configuration at limits is a range without length. For\n"
               "other arms that have a closed form when the last or the first joint is held, as\n"
               "the Panda's, the angle is the value of that joint. The arcs of any other arm of\n"
               "seven turning joints are followed: each is a branch, its angle is the length of\n"
               "the way along it, and those that were found are listed; a single configuration\n"
               "is on none of them, and its ends are nan.\n\n"
               "--best nearest, margin or manipulability looks for the best elbow of all\n"
               "branches, of samples of each range and then closer about the best of these: a\n"
               "row for each target under target,status,branch,elbow_angle, the best value\n"
               "(distance from the start in radians; margin: the least share of half a joint's\n"
               "range that is left to a limit; manipulability: sqrt(det J J^T)),\n"
               "position_error,rotation_error, and then the joints. A target out of reach has\n"
               "the start.\n\n"
               "The exit status is 0 if every target has an elbow inside the limits, 1 if some\n"
               "have none, 2 for bad input.",
    .operands = 1,
};
