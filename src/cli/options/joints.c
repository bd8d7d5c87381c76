/*
 * joints.c - what a user wants of a model's joints: a group, locks, limits and weights.
 *
 * All of it becomes settings of joints, and these a view of the model.
 */
#include "cli/options/models.h"

#include "base/suggest.h"
#include "cli/options/targets.h"
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option srdf_given, group_given, locks_given, limits_given, weights_given;

const struct poptOption srdf_options[] = {
    OPTION_TEXT("srdf", srdf_given, "FILE",
                "the SRDF; default: the model's file with the ending .srdf"),
    OPTION_END,
};

const struct poptOption joint_options[] = {
    OPTION_TEXT("group", group_given, "NAME",
                "a group of the robot's SRDF: its joints move, all others keep their values, and "
                "its end effector is the default tip"),
    OPTION_TABLE(srdf_options),
    OPTION_TEXTS("lock", locks_given, "JOINT[=VALUE]",
                 "a joint that is kept at a value, or where the start has it; may be given again, "
                 "and \"JOINT=VALUE JOINT=VALUE ...\" locks several"),
    OPTION_TEXT("limits", limits_given, "FILE", LIMITS_SAY),
    OPTION_TEXT("weights", weights_given, "\"JOINT=WEIGHT ...\"",
                "how stiff joints are: one of weight 2 moves half as far as one of weight 1"),
    OPTION_END,
};

/* What has been read. */
static struct {
    lb_joint_limit *limits; /* a row for each joint; NULL: none given */
    int tips[LB_DEFAULT_TIPS], tip_count;
} chosen;

/* The settings while they are listed. */
typedef struct setting_list {
    const lb_model *model;
    lb_joint_setting *settings;
    int count, room;
} setting_list;

static lb_joint_setting *add_setting(setting_list *list, int joint)
{
    if (list->count == list->room) {
        list->room = 2 * list->room + 16;
        list->settings = resize_or_exit(list->settings, (size_t)list->room, sizeof *list->settings);
    }
    lb_joint_setting *setting = &list->settings[list->count++];
    *setting = lb_joint_setting_make(joint);
    return setting;
}

static int find_joint(const lb_model *model, const char *option, const char *name)
{
    int joint = lb_model_find_joint(model, name);
    if (joint >= 0)
        return joint;
    suggest nearest = suggest_start(name);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
            suggest_consider(&nearest, lb_model_joint(model, j)->name);
    refuse("%s: no joint '%s'%s", option, name, suggest_phrase(&nearest));
}

/* ---- groups ------------------------------------------------------------- */

static bool moves(const lb_joint *joint)
{
    return joint->kind != LB_JOINT_FIXED && joint->mimic == NULL;
}

/* "robots/panda.urdf" to "robots/panda.srdf" */
static char *path_beside(const char *name)
{
    const char *slash = strrchr(name, '/'), *point = strrchr(name, '.');
    bool ends = point != NULL && (slash == NULL || point > slash);
    size_t size = ends ? (size_t)(point - name) : strlen(name);
    char *path = allocate_or_exit(size + sizeof ".srdf", 1);
    memcpy(path, name, size);
    strcpy(path + size, ".srdf");
    return path;
}

/* a command has use for --srdf without --group */
static bool srdf_used;

void joints_use_srdf(void)
{
    srdf_used = true;
}

lb_srdf *joints_srdf(const char *name, const lb_load_options *load, const lb_model *model)
{
    const char *beside = path_beside(name), *path = option_text(srdf_given);
    lb_srdf *srdf = NULL;
    // only one that is given may be a pipe
    if (path != NULL || file_is_regular(beside))
        require(lb_srdf_load(path == NULL ? beside : path, model, load, &srdf, why()));
    return srdf;
}

static int find_group(const lb_srdf *srdf, const char *name)
{
    int group = lb_srdf_find_group(srdf, name);
    if (group >= 0)
        return group;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_srdf_group_count(srdf); i++)
        suggest_consider(&nearest, lb_srdf_group_at(srdf, i)->name);
    complain("--group: no group '%s'%s", name, suggest_phrase(&nearest));
    if (nearest.best == NULL)
        for (int i = 0; i < lb_srdf_group_count(srdf); i++)
            complain("--group: there is '%s'", lb_srdf_group_at(srdf, i)->name);
    give_up();
}

/* whether all joints of a group that move are in another one, and there are some */
static bool is_part_of(const lb_srdf *srdf, const lb_model *model, int part, int group)
{
    int count = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        if (!moves(lb_model_joint(model, j)) || !lb_srdf_group_has(srdf, part, j))
            continue;
        if (!lb_srdf_group_has(srdf, group, j))
            return false;
        count++;
    }
    return count > 0;
}

static void add_tip(int link)
{
    for (int i = 0; i < chosen.tip_count; i++)
        if (chosen.tips[i] == link)
            return;
    if (link >= 0 && chosen.tip_count < LB_DEFAULT_TIPS)
        chosen.tips[chosen.tip_count++] = link;
}

/* what end effectors are mounted on, else the chain's tip, else those of the chains in it */
static void find_tips(const lb_srdf *srdf, const lb_model *model, int group)
{
    for (int i = 0; i < lb_srdf_end_effector_count(srdf); i++) {
        const lb_srdf_end_effector *e = lb_srdf_end_effector_at(srdf, i);
        if (e->parent_group >= 0 && is_part_of(srdf, model, e->parent_group, group))
            add_tip(e->parent_link);
    }
    if (chosen.tip_count == 0)
        add_tip(lb_srdf_group_at(srdf, group)->tip);
    for (int i = 0; chosen.tip_count == 0 && i < lb_srdf_group_count(srdf); i++)
        if (i != group && is_part_of(srdf, model, i, group))
            add_tip(lb_srdf_group_at(srdf, i)->tip);
}

static void read_group(const char *name, const lb_load_options *load, setting_list *list)
{
    const lb_model *model = list->model;
    if (group_given == NULL && srdf_given != NULL && !srdf_used)
        refuse("--srdf has no effect without --group");
    if (group_given == NULL)
        return;
    const lb_srdf *srdf = joints_srdf(name, load, model);
    if (srdf == NULL)
        refuse("--group: groups are in the robot's SRDF, and there is no '%s': give --srdf FILE",
               path_beside(name));
    int group = find_group(srdf, option_text(group_given));
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (moves(lb_model_joint(model, j)) && !lb_srdf_group_has(srdf, group, j))
            add_setting(list, j)->locked = true;
    find_tips(srdf, model, group);
}

/* ---- locks and weights ---------------------------------------------------- */

/* `value` is NULL where the joint stays as the start has it */
static void add_lock(void *user, const char *option, const char *name, const char *value)
{
    setting_list *list = user;
    int joint = find_joint(list->model, option, name);
    bool slides = lb_model_joint(list->model, joint)->kind == LB_JOINT_PRISMATIC;
    double number = argument_number(option, value, NAN);
    lb_joint_setting *setting = add_setting(list, joint);
    setting->locked = true;
    setting->value = number * (slides ? 1 : angle_unit());
}

static void read_locks(setting_list *list)
{
    for (char **text = locks_given; text != NULL && *text != NULL; text++)
        if (strchr(*text, '=') == NULL)
            add_lock(list, "--lock", *text, NULL);
        else
            assignments_each("--lock", *text, add_lock, list);
}

static void add_weight(void *user, const char *option, const char *name, const char *value)
{
    setting_list *list = user;
    int joint = find_joint(list->model, option, name);
    add_setting(list, joint)->weight = argument_positive(option, value, 1);
}

static void read_weights(setting_list *list)
{
    if (weights_given != NULL)
        assignments_each("--weights", option_text(weights_given), add_weight, list);
}

/* ---- limits --------------------------------------------------------------- */

static void read_limits(const lb_load_options *load, setting_list *list)
{
    const char *path = option_text(limits_given);
    int count = lb_model_joint_count(list->model);
    if (path == NULL)
        return;
    chosen.limits = allocate_or_exit((size_t)count, sizeof *chosen.limits);
    require(lb_joint_limits_load(path, list->model, load, chosen.limits, why()));
    for (int j = 0; j < count; j++)
        if (lb_model_joint(list->model, j)->kind != LB_JOINT_FIXED)
            *add_setting(list, j) = lb_joint_limit_setting(chosen.limits, j);
}

lb_joint_setting *joints_settings(const lb_model *model, int *count)
{
    int joints = lb_model_joint_count(model);
    lb_joint_setting *settings = allocate_or_exit((size_t)joints, sizeof *settings);
    *count = 0;
    // the view of the model has their ranges and speeds already
    for (int j = 0; chosen.limits != NULL && j < joints; j++) {
        if (lb_model_joint(model, j)->kind == LB_JOINT_FIXED)
            continue;
        lb_joint_setting *s = &settings[(*count)++];
        *s = lb_joint_setting_make(j);
        s->acceleration = chosen.limits[j].acceleration;
        s->jerk = chosen.limits[j].jerk;
    }
    return settings;
}

int joints_tips(int tips[LB_DEFAULT_TIPS])
{
    memcpy(tips, chosen.tips, sizeof chosen.tips);
    return chosen.tip_count;
}

/* ---- all of it -------------------------------------------------------------- */

lb_model *joints_apply(const char *name, const lb_load_options *load, lb_model *model)
{
    setting_list list = {.model = model};
    lb_model *view = NULL;
    // limits first, so that a lock is checked against them
    read_limits(load, &list);
    read_group(name, load, &list);
    read_locks(&list);
    read_weights(&list);
    if (list.count == 0)
        return model;
    require(lb_model_view(model, list.settings, list.count, &program_memory, &view, why()));
    return view;
}
