/*
 * info.c - limber info: what a model is made of.
 */
#include "cli/command.h"
#include "cli/options/captures.h"
#include "cli/options/select.h"
#include "cli/options/values.h"
#include "cli/output/console.h"
#include "cli/output/describe.h"
#include "cli/output/describe_file.h"
#include "cli/output/report.h"

#include <limber/elbow.h>
#include <limber/solutions.h>

static int json_wanted, solutions_wanted;

/* of an arm that has one, the elbow's circle */
static void print_elbow(const lb_model *model, const lb_task *task, FILE *stream)
{
    lb_elbow *elbow;
    lb_status status = lb_elbow_create(model, task, NULL, &elbow, NULL);
    exit_if_out_of_memory(status);
    if (status != LB_OK)
        return;
    print_wrapped(stream,
                  "the elbow turns about the line from shoulder to wrist, where the first and the "
                  "last three axes meet: limber ik --arcs lists the angles that keep the limits, "
                  "--elbow finds the best",
                  0);
    lb_elbow_release(elbow);
}

/* what every solution of the tool's pose is found by, or why it is not */
static void print_class(const lb_model *model, FILE *stream)
{
    lb_task task;
    lb_solutions_solver *solver;
    lb_error error = {0};
    char text[1024];
    if (!select_task(model, NULL, NULL, LB_TASK_POSE, &task))
        return;
    describe_task(model, &task, stream);
    fputc('\n', stream);
    lb_status status = lb_solutions_create(model, &task, NULL, NULL, &solver, &error);
    exit_if_out_of_memory(status);
    if (status != LB_OK) {
        print_wrapped(stream, error.message, 0);
        return;
    }
    lb_solutions_describe(solver, text, sizeof text);
    print_wrapped(stream, text, 0);
    print_elbow(model, &task, stream);
    lb_solutions_release(solver);
}

static void print_words(const capture *c)
{
    describe_model(c->model, stdout);
    fputc('\n', stdout);
    if (describe_motion(c, stdout))
        fputc('\n', stdout);
    describe_tree(c->model, stdout);
}

static int run(const char *const *operands)
{
    capture c;
    if (!solutions_wanted && describe_file_is(operands[0]))
        return describe_file(operands[0], json_wanted, stdout) ? EXIT_DONE : EXIT_BAD_INPUT;
    if (!select_capture(operands[0], &c))
        return EXIT_BAD_INPUT;
    if (solutions_wanted)
        print_class(c.model, stdout);
    else if (json_wanted)
        describe_json(&c, stdout);
    else
        print_words(&c);
    capture_release(&c);
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_FLAG("solutions", solutions_wanted,
                "say instead what every solution of a pose of the tool is found by, and why"),
    OPTION_FLAG("json", json_wanted, "everything as one JSON object, always in radians"),
    OPTION_TABLE(angle_options),
    OPTION_TABLE(model_options),
    OPTION_TABLE(capture_options),
    OPTION_END,
};

static const example examples[] = {
    {"the Panda's joints, limits, tips and tree", "limber info panda"},
    {"limits in degrees", "limber info ur5 --degrees"},
    {"whether all configurations for a pose can be listed", "limber info kr6 --solutions"},
    {"a capture: its frames, unit and axes",
     "printf 'HIERARCHY\\nROOT hips { OFFSET 0 0 0 CHANNELS 1 Xrotation }\\n"
     "MOTION\\nFrames: 2\\nFrame Time: 0.04\\n10\\n20\\n' >swing.bvh &&\n"
     "        limber info swing.bvh"},
    {"for a program to read", "limber info human --json"},
    {NULL, NULL},
};

const command command_info = {
    .name = "info",
    .synopsis = "MODEL [--json | --solutions] [--degrees]\n"
                "[--unit UNIT] [--up AXIS] [--clip NAME] [--root KIND] [--strict]",
    .summary = "show the joints, limits and tips of a model, and its tree",
    .details = "MODEL is a file (URDF, MJCF, BVH, glTF or limber JSON) or the name of a model\n"
               "built in. Of a file of motion that is described, too: of a BVH file what its\n"
               "unit of length and its up axis were recognised to be, and whether frame 0 is a\n"
               "rest pose; of a glTF its animations and, in a VRM, the bones of the humanoid.\n"
               "Of files without a model (.csv, .npy, .npz) it is the rows, columns and arrays.",
    .examples = examples,
    .options = options,
    .operands = 1,
    .run = run,
};
