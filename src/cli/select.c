/*
 * cli/select.c - models and links by name.
 */
#include "cli/select.h"

#include "cli/report.h"
#include "math/suggest.h"

#include <limber/io/load.h>

#include <stdlib.h>

lb_model *select_model(const char *name)
{
    lb_model *model = NULL;
    lb_error error = {0};
    if (lb_load(name, NULL, &model, &error) != LB_OK)
        complain_error(&error);
    return model;
}

static int select_link(const lb_model *model, const char *option, const char *name)
{
    int link = lb_model_find_link(model, name);
    if (link >= 0)
        return link;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_model_link_count(model); i++)
        suggest_offer(&nearest, lb_model_link(model, i)->name);
    complain("%s: no link '%s'%s", option, name, suggest_phrase(&nearest));
    return -1;
}

int *select_depths(const lb_model *model)
{
    int count = lb_model_link_count(model);
    int *depths = obtain((size_t)count, sizeof *depths);
    for (int i = 1; i < count; i++)
        depths[i] = depths[lb_model_parent(model, i)] + 1;
    return depths;
}

/* joints that move each link, fixed ones and those that mimic another not counted */
static int *count_moving(const lb_model *model)
{
    int count = lb_model_link_count(model);
    int *moving = obtain((size_t)count, sizeof *moving);
    for (int i = 1; i < count; i++) {
        const lb_joint *joint = lb_model_joint(model, i - 1);
        bool moves = joint->kind != LB_JOINT_FIXED && joint->mimic == NULL;
        moving[i] = moving[lb_model_parent(model, i)] + moves;
    }
    return moving;
}

int select_tip(const lb_model *model, const char *option, const char *name)
{
    if (name != NULL)
        return select_link(model, option, name);

    /* of the tips the first that nothing surpasses */
    int count = lb_model_tips(model, NULL);
    int *tips = obtain((size_t)count, sizeof *tips), *moving = count_moving(model);
    lb_model_tips(model, tips);
    int chosen = tips[0];
    for (int i = 1; i < count; i++)
        if (moving[tips[i]] > moving[chosen])
            chosen = tips[i];
    free(moving);
    free(tips);
    if (count > 1)
        remark("link '%s' is taken, of %d tips the one that most joints move; %s chooses another",
               lb_model_link(model, chosen)->name, count, option);
    return chosen;
}

int select_base(const lb_model *model, const char *option, const char *name)
{
    return name == NULL ? 0 : select_link(model, option, name);
}
