/*
 * info.c - limber info: what a model is made of.
 */
#include "base/text.h"
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <limber/elbow.h>
#include <limber/solutions.h>

static int json_wanted, solutions_wanted;

/* whether the elbow's circle of an arm is known */
static bool has_elbow(const lb_model *model, const lb_task *task)
{
    lb_elbow *elbow;
    lb_status status = lb_elbow_create(model, task, &program_memory, &elbow, NULL);
    exit_if_out_of_memory(status);
    return status == LB_OK;
}

/* the class and its reason as one object; `solver` NULL: why there is none */
static void print_class_json(const lb_model *model, const lb_task *task,
                             const lb_solutions_solver *solver, const char *text)
{
    json_t *object = json_pack(
        "{s:s, s:b, s:s?, s:s, s:b}", "tip", lb_model_link(model, task->tip)->name, "listed",
        solver != NULL, "class", solver ? lb_arm_class_text(lb_solutions_class(solver)) : NULL,
        "why", text, "elbow", solver != NULL && has_elbow(model, task));
    print_json(object, JSON_COMPACT, stdout);
}

static void print_class_words(const lb_model *model, const lb_task *task,
                              const lb_solutions_solver *solver, const char *text)
{
    describe_task(model, task, stdout);
    fputc('\n', stdout);
    print_wrapped(stdout, text, 0);
    if (solver != NULL && has_elbow(model, task))
        print_wrapped(stdout,
                      "the elbow can move while the tool stays: limber elbow lists arcs that "
                      "keep the limits, and finds the best",
                      0);
}

/* what every solution of the tool's pose is found by, or why it is not */
static void print_class(const char *name)
{
    lb_solutions_solver *solver = NULL;
    lb_error error = {0};
    char text[1024];
    const lb_model *model = select_model(name);
    lb_task task = tool_task(model, LB_TASK_POSE);
    lb_status status = lb_solutions_create(model, &task, NULL, &program_memory, &solver, &error);
    exit_if_out_of_memory(status);
    if (status == LB_OK)
        lb_solutions_describe(solver, text, sizeof text);
    else
        text_format(text, sizeof text, "%s", error.message);
    if (json_wanted)
        print_class_json(model, &task, solver, text);
    else
        print_class_words(model, &task, solver, text);
}

static void print_words(const motion *c)
{
    describe_model(c->model, stdout);
    describe_loops(c->model, stdout);
    fputc('\n', stdout);
    if (describe_motion(c, stdout))
        fputc('\n', stdout);
    describe_tree(c->model, stdout);
}

static int run(const char *const *operands)
{
    if (solutions_wanted) {
        print_class(operands[0]);
    } else if (describe_file_is(operands[0])) {
        describe_file(operands[0], json_wanted, stdout);
    } else {
        motion c = select_capture(operands[0]);
        if (json_wanted)
            describe_json(&c, stdout);
        else
            print_words(&c);
    }
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_FLAG("solutions", solutions_wanted,
                "explain how every solution of a pose of the tool is found; --base, --tip, --tool, "
                "--lock and the like are for this"),
    OPTION_FLAG("json", json_wanted, "everything as one JSON object, always in radians"),
    OPTION_TABLE(tip_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(joint_options),
    OPTION_TABLE(angle_options),
    OPTION_TABLE(model_options),
    OPTION_TABLE(capture_options),
    OPTION_END,
};

static const example examples[] = {
    {"the Panda's joints, limits, tips and tree", "limber info panda"},
    {"limits in degrees", "limber info ur5 --degrees"},
    {"whether all configurations for a pose can be listed", "limber info kr6 --solutions"},
    {"the same with the last joint locked, for a program",
     "limber info panda --tip panda_hand --lock 'panda_joint7=0.5' --solutions --json"},
    {"a capture: its frames, unit and axes",
     "printf 'HIERARCHY\\nROOT hips { OFFSET 0 0 0 CHANNELS 1 Xrotation }\\n"
     "MOTION\\nFrames: 2\\nFrame Time: 0.04\\n10\\n20\\n' >swing.bvh &&\n"
     "        limber info swing.bvh"},
    {"a linkage that closes: its mobility", "limber info four_bar"},
    {"for a program to read", "limber info human --json"},
    {NULL, NULL},
};

const command command_info = {
    COMMAND(info),
    .synopsis = "MODEL [--json | --solutions] [OPTION ...]",
    .summary = "show the joints, limits and tips of a model, and its tree",
    .details = "MODEL is a file (URDF, MJCF, BVH, glTF or limber JSON) or the name of a built-in\n"
               "model. A file of motion is described, too: a BVH file by its recognised unit of\n"
               "length and up axis, and whether frame 0 is a rest pose; a glTF by its animations\n"
               "and, in a VRM, the bones of the humanoid. Files without a model (.csv, .npy,\n"
               ".npz, .pkl) are described by their rows, columns and arrays, limber's own\n"
               "motions, contacts, maps and reports (.json) by their content.\n\n"
               "Of a linkage that closes: its loops, its mobility as found by the rank of the\n"
               "constraints near the default configuration and as counted, which joints are\n"
               "independent and which follow from them.",
    .operands = 1,
};
