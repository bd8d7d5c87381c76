/*
 * pose.c - limber pose: a whole body's configuration that achieves many tasks.
 */
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <stdlib.h>

static text_option task_given;

static const struct poptOption body_options[] = {
    OPTION_FIELD("tolerance", FIELD_POSITIVE, lb_body_options, position_tolerance, "SIZE",
                 "metres and radians within which a task is reached; default: 1e-6"),
    OPTION_COUNT("iterations", lb_body_options, iterations, 1, LB_BODY_ITERATIONS_MAX, "COUNT",
                 "budget of one descent; default: 100"),
    OPTION_COUNT("restarts", lb_body_options, restarts, 0, LB_BODY_RESTARTS_MAX, "COUNT",
                 "other starts to try if not every task is reached; default: 32"),
    OPTION_END,
};

/* What is printed. */
typedef struct pose_result {
    const lb_model *model;
    const lb_collision *collision; /* NULL: no task keeps a distance */
    lb_body *body;
    const task_list *list;
    const double *q;
    lb_body_result result;
} pose_result;

enum { SENTENCE = 512 };

/* ---- writing ---------------------------------------------------------------- */

static void name_values(const void *results, int i, row *to)
{
    const pose_result *p = results;
    (void)i;
    column_joints(to, p->model, p->q);
}

static json_t *task_json(const pose_result *p, int t)
{
    json_t *object = json_outcome(p->body, t, "kind", lb_body_kind_text(p->list->tasks[t].kind));
    // of a distance task: the two that are nearest
    lb_proximity nearest;
    if (isfinite(lb_body_nearest(p->body, t, &nearest)))
        set_json(object, "nearest", json_pair(p->collision, &nearest));
    return object;
}

static json_t *json_members(void *results)
{
    const pose_result *p = results;
    json_t *tasks = json_array();
    for (int t = 0; t < p->list->count; t++)
        append_json(tasks, task_json(p, t));
    return json_pack("{s:s, s:s, s:i, s:o, s:o}", "model", lb_model_name(p->model), "outcome",
                     lb_outcome_text(p->result.outcome), "iterations", p->result.iterations, "q",
                     joints_json(p->model, p->q), "tasks", tasks);
}

static void write_words(void *results, FILE *stream)
{
    const pose_result *p = results;
    fprintf(stream, "%s: %s, %d of %d tasks after %d iterations%s\n", lb_model_name(p->model),
            lb_outcome_text(p->result.outcome), p->result.reached, p->list->count,
            p->result.iterations, p->result.tries > 1 ? " from several starts" : "");
    for (int t = 0; t < p->list->count; t++) {
        char text[SENTENCE];
        lb_body_explain(p->body, t, text, sizeof text);
        fprintf(stream, "  %d  level %d  %s\n", t, p->list->tasks[t].level, text);
    }
}

static const destination_forms forms = {
    .rows = &(result_table)ROWS(1, name_values), .members = json_members, .words = write_words};

/* ---- solving ---------------------------------------------------------------- */

static lb_body_options read_options(void)
{
    lb_body_options options = lb_body_options_default();
    options_read(body_options, &options);
    if (option_given(body_options, "tolerance"))
        options.rotation_tolerance = options.position_tolerance;
    return options;
}

/* what distance tasks measure, NULL without any */
static lb_collision *create_collision(const char *name, const lb_model *model, task_list *list)
{
    double most;
    lb_collision *collision = NULL;
    if (tasks_have_distance(list, &most))
        collision = collisions_create_apart(name, model, most);
    else
        option_none_given(collision_options, "without a task of kind \"distance\"");
    tasks_keep_apart(list, collision);
    return collision;
}

static int run(const char *const *operands)
{
    joints_use_srdf();
    destination_check();
    const lb_model *model = select_model(operands[0]);
    const char *path = option_text(task_given);
    if (path == NULL)
        refuse("no tasks given; --task FILE.json names them");
    task_list list = tasks_read(model, path, collisions_margin(0));
    pose_result p = {.model = model, .list = &list};
    p.collision = create_collision(operands[0], model, &list);
    pose_list starts = poses_given(model);
    if (starts.count != 1)
        refuse("--poses: one start is wanted, there are %d", starts.count);
    loops_close_given(model, &starts);
    lb_body_options options = read_options();
    require_for(path, lb_body_create(model, list.tasks, list.count, &options, &program_memory,
                                     &p.body, why()));
    double *q = allocate_or_exit((size_t)lb_model_nq(model) + 1, sizeof *q);
    tasks_aim(&list, path, p.body, starts.q);
    p.q = q;
    lb_body_solve(p.body, starts.q, q, &p.result);
    destination_write(&forms, &p, 1);
    return p.result.outcome == LB_REACHED ? EXIT_DONE : EXIT_UNREACHED;
}

/* ---- the command ------------------------------------------------------------ */

static const struct poptOption options[] = {
    OPTION_TEXT("task", task_given, "FILE.json", "the tasks; - reads standard input"),
    OPTION_TABLE(body_options),
    OPTION_TABLE(collision_options),
    OPTION_TABLE(pose_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"a tip to a place, the second link upright if possible",
     "printf '{\"tasks\": [{\"kind\": \"position\", \"link\": \"tip\", \"position\": [1, 1, 0]},"
     " {\"kind\": \"direction\", \"link\": \"link_2\", \"axis\": [1, 0, 0], \"level\": 1,"
     " \"rpy\": [-1.5708, 0, 0]}]}' | limber pose planar3 --task - --json || true"},
    {"a figure that can move lifts a hand, its foot where it was",
     "printf '{\"tasks\": [{\"kind\": \"contact\", \"link\": \"left_foot\"},"
     " {\"kind\": \"position\", \"link\": \"right_hand\", \"position\": [0.3, -0.2, 1.3]}]}' |"
     " limber pose human --root floating --task - --report"},
    {"an arm's hand to a place, its links at least 2 cm from each other",
     "printf '{\"tasks\": [{\"kind\": \"distance\", \"distance\": 0.02},"
     " {\"kind\": \"position\", \"link\": \"panda_hand\", \"position\": [0.3, 0.2, 0.6],"
     " \"level\": 1}]}' | limber pose panda --task - --report"},
    {NULL, NULL},
};

const command command_pose = {
    COMMAND(pose),
    .synopsis = "MODEL --task FILE.json [--at \"JOINT=VALUE ...\"] [OPTION ...]",
    .summary = "find joint values that achieve many tasks on a whole body",
    .details = "The file lists tasks of links, of joints and of the centre of mass, weighed\n"
               "against each other or in strict levels; docs/format.md describes it. A\n"
               "target that it does not give is the place at the start, --at. If a descent\n"
               "from the start does not reach every task, other starts are tried, limb by\n"
               "limb and from random configurations; --restarts 0 stays near the start.\n"
               "Prints the joint values; --json and --report say of each task whether it is\n"
               "reached, by how much it is off, and what holds it back.\n"
               "\n"
               "A task of kind \"distance\" keeps links apart, and clear of the --scene: the\n"
               "pairs that limber collide checks are at least as far apart as it says, or\n"
               "else --margin. Pairs that are nearer in 95 % of --samples are left out, and\n"
               "named. The nearest pair is named with the task.\n"
               "\n"
               "The exit status is 0 if every task is reached, 1 if not, 2 for bad input.",
    .operands = 1,
};
