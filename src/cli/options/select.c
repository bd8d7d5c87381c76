/*
 * select.c - models and links by name.
 */
#include "cli/options/models.h"

#include "base/suggest.h"
#include "base/text.h"
#include "cli/options/targets.h"
#include "cli/report/report.h"

#include <limber/formats/load.h>

#include <stdlib.h>
#include <string.h>

static int strict_given;
static bool roots_left;
static text_option loops_given;
static name_option root_given = {.names =
                                     (const char *const[]){"fixed", "planar", "floating", NULL}};

const struct poptOption model_options[] = {
    OPTION_FLAG("strict", strict_given, "refuse a model file that would be warned of"),
    OPTION_NAME("root", root_given, "KIND",
                "how the root moves: fixed, planar or floating; default: as the file has it"),
    OPTION_TEXT(
        "loops", loops_given, "FILE",
        "YAML of loops that close the model's tree; default: NAME.yaml beside NAME.urdf if it "
        "has the key closed_loop"),
    OPTION_END,
};

const struct poptOption arm_options[] = {
    OPTION_TABLE(angle_options),
    OPTION_TABLE(joint_options),
    OPTION_TABLE(model_options),
    OPTION_END,
};

static text_option base_given, tips_given;

const struct poptOption base_options[] = {
    OPTION_TEXT("base", base_given, "LINK",
                "the link whose frame places are given in, or world; default: the root"),
    OPTION_END,
};

#define DEFAULT_TIP                                                                                \
    "default: the tool by its name (tool0, tcp, ee_link), else the hand or tip that most joints "  \
    "move"

const struct poptOption one_tip_options[] = {
    OPTION_TEXT("tip", tips_given, "LINK", "the link that is to be brought there; " DEFAULT_TIP),
    OPTION_END,
};

const struct poptOption link_options[] = {
    OPTION_TABLE(base_options),
    OPTION_TABLE(one_tip_options),
    OPTION_END,
};

const struct poptOption tip_options[] = {
    OPTION_TABLE(base_options),
    OPTION_TEXTS("tip", tips_given, "LINK",
                 "the link that is to be brought there; may be given several times, each with its "
                 "--position, --rpy or --quaternion; " DEFAULT_TIP),
    OPTION_END,
};

/* of a file's warnings the first ones are printed */
enum { WARNINGS_PRINTED = 8 };

static void print_warning(void *user, const lb_error *warning)
{
    int *count = user;
    // the error of a strict load repeats the first one
    bool printed = !strict_given && *count < WARNINGS_PRINTED;
    if (printed)
        remark_error(warning);
    (*count)++;
}

void select_leave_roots(bool leave)
{
    roots_left = leave;
}

lb_load_options load_given(int *warnings)
{
    int index = argument_name("--root", &root_given, -1);
    lb_load_options options = {.allocator = &program_memory,
                               .warn = print_warning,
                               .user = warnings,
                               .strict = strict_given};
    options.loops = roots_left ? NULL : option_text(loops_given);
    if (index >= 0 && !roots_left)
        options.root = (lb_root)(LB_ROOT_FIXED + index);
    return options;
}

void load_report(const char *name, lb_status status, const lb_error *error, int warnings)
{
    int printed = strict_given ? 1 : WARNINGS_PRINTED;
    if (status != LB_OK && strict_given)
        complain_error(error);
    if (warnings > printed)
        remark("%s: and %d more such warning%s", name, warnings - printed,
               warnings - printed == 1 ? "" : "s");
    if (status != LB_OK && !strict_given)
        complain_error(error);
    if (status != LB_OK)
        give_up();
}

lb_model *select_model(const char *name)
{
    lb_model *model = NULL;
    lb_error error = {0};
    int warnings = 0;
    lb_load_options options = load_given(&warnings);
    lb_status status = lb_load_with_options(name, &options, &model, &error);
    load_report(name, status, &error, warnings);
    return joints_apply(name, &options, model);
}

/* ---- links and tasks ---------------------------------------------------- */

/* `other` is a name that will do besides, NULL: none */
static int select_link(const lb_model *model, const char *option, const char *name,
                       const char *other)
{
    int link = lb_model_find_link(model, name);
    if (link >= 0)
        return link;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_model_link_count(model); i++)
        suggest_consider(&nearest, lb_model_link(model, i)->name);
    if (other != NULL)
        suggest_consider(&nearest, other);
    refuse("%s: no link '%s'%s", option, name, suggest_phrase(&nearest));
}

int *select_depths(const lb_model *model)
{
    int count = lb_model_link_count(model);
    int *depths = allocate_or_exit((size_t)count, sizeof *depths);
    for (int i = 1; i < count; i++)
        depths[i] = depths[lb_model_parent(model, i)] + 1;
    return depths;
}

/* fills the tips that may be meant, the default first; returns how many */
static int default_tips(const lb_model *model, int tips[LB_DEFAULT_TIPS])
{
    int count = joints_tips(tips);
    if (count == 0)
        exit_if_out_of_memory(lb_model_default_tips(model, NULL, tips, &count));
    return count;
}

int select_default_tip(const lb_model *model)
{
    int tips[LB_DEFAULT_TIPS];
    default_tips(model, tips);
    return tips[0];
}

/* the tip that was taken without being named, and what else could have been meant */
static struct {
    const lb_model *model;
    const char *option;
    int tips[LB_DEFAULT_TIPS], count, leaves;
} taken;

int select_tip(const lb_model *model, const char *option, const char *name)
{
    if (name != NULL)
        return select_link(model, option, name, NULL);
    taken.model = model;
    taken.option = option;
    taken.count = default_tips(model, taken.tips);
    taken.leaves = lb_model_tips(model, NULL);
    return taken.tips[0];
}

void select_remark(void)
{
    char others[512] = "";
    size_t used = 0;
    if (taken.count == 0 || taken.leaves < 2)
        return;
    for (int i = 1; i < taken.count; i++)
        used += text_format(others + used, sizeof others - used, "%s%.40s",
                            i == 1                 ? " rather than "
                            : i == taken.count - 1 ? " or "
                                                   : ", ",
                            lb_model_link(taken.model, taken.tips[i])->name);
    remark("using tip '%s'%s; %s chooses", lb_model_link(taken.model, taken.tips[0])->name, others,
           taken.option);
}

static const char world_name[] = "world";

bool select_is_world(const lb_model *model, const char *name)
{
    return strcmp(name, world_name) == 0 && lb_model_find_link(model, name) <= 0;
}

int select_base(const lb_model *model)
{
    const char *name = option_text(base_given);
    bool world = name != NULL && select_is_world(model, name);
    return name == NULL ? 0 : world ? LB_WORLD : select_link(model, "--base", name, world_name);
}

lb_task select_given_task(const lb_model *model, lb_task_kind kind)
{
    int base = select_base(model);
    return lb_task_make(select_tip(model, "--tip", option_text(tips_given)), base, kind);
}

text_option select_tips_given(void)
{
    return tips_given;
}
