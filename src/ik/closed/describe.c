/* describe.c - why an arm is of its class, in words: which axes meet and which are parallel. */
#include "ik/closed/finder.h"

#include "base/text.h"

/* the name of the model's joint that is the completed arm's joint i, NULL: it is none */
static const char *name_of(const lb_model *model, const closed_finder *finder, int i)
{
    const closed_chain *chain = &finder->chain;
    for (int k = 0; k < chain->count; k++)
        if (chain->joints[k].place >= 0 && chain->joints[k].place == finder->completion.place[i])
            return lb_model_joint(model, chain->joints[k].joint)->name;
    return NULL;
}

/* "'a', 'b' and 'c'": those of the completed arm's joints that are the model's; how many */
static int join_names(const lb_model *model, const closed_finder *finder, const int *joints,
                      int count, char *text, size_t size)
{
    const char *names[KERNEL_CLOSED_JOINTS];
    int named = 0;
    text_writer w = {.text = text, .size = size};
    text[0] = 0;
    for (int at = 0; at < KERNEL_CLOSED_JOINTS; at++)
        for (int i = 0; i < count; i++) {
            const char *name = joints[i] == at ? name_of(model, finder, at) : NULL;
            if (name)
                names[named++] = name;
        }
    for (int i = 0; i < named; i++) {
        const char *before = i == 0 ? "" : i == named - 1 ? " and " : ", ";
        text_write(&w, "%s'%s'", before, names[i]);
    }
    return named;
}

const closed_joint *closed_held_joint(const closed_finder *finder)
{
    for (int i = 0; i < finder->chain.count; i++)
        if (finder->chain.joints[i].place == finder->held)
            return &finder->chain.joints[i];
    return NULL;
}

static size_t describe_form(const lb_model *model, const closed_finder *finder, const char *kind,
                            char *text, size_t size)
{
    const kernel_closed *form = &finder->form;
    bool parallel = form->kind == KERNEL_CLOSED_PARALLEL;
    const int three[3] = {form->joint[parallel ? 1 : 3], form->joint[parallel ? 2 : 4],
                          form->joint[parallel ? 3 : 5]};
    const int first[3] = {form->joint[0], form->joint[1], form->joint[2]};
    const char *does = form->pair == KERNEL_PAIR_LENGTHS  ? "slide"
                       : form->pair == KERNEL_PAIR_PLANAR ? "are parallel"
                                                          : "meet";
    const char *three_do = parallel ? "are parallel" : "meet in a point";
    char names[3][512];
    int some = join_names(model, finder, three, 3, names[0], sizeof names[0]);
    const int last[2] = {form->joint[4], form->joint[5]};
    int pair = parallel ? join_names(model, finder, last, 2, names[1], sizeof names[1])
               : form->pair == KERNEL_PAIR_LENGTHS
                   ? join_names(model, finder, first, 3, names[1], sizeof names[1])
                   : join_names(model, finder, first + 1, 2, names[1], sizeof names[1]);
    if (parallel)
        does = "meet";
    // what the task leaves open, and what an arm of few joints lacks, has no names
    if (some > 1 && pair > 1)
        return text_format(text, size, "%s: the axes of %s %s, those of %s %s", kind, names[0],
                           three_do, names[1], does);
    if (some > 1)
        return text_format(text, size, "%s: the axes of %s %s", kind, names[0], three_do);
    if (pair > 1)
        return text_format(text, size,
                           "%s, completed by what the task leaves open: the axes of %s %s", kind,
                           names[1], does);
    return text_format(text, size, "%s", kind);
}

/* the joints that turn about parallel axes, and those that slide across them */
static size_t describe_planar(const lb_model *model, const closed_finder *finder, char *text,
                              size_t size)
{
    int turns[KERNEL_CLOSED_JOINTS], slides[KERNEL_CLOSED_JOINTS], turning = 0, sliding = 0;
    char names[2][512];
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        const int place = finder->completion.place[i];
        if (place < 0 || place >= finder->chain.real)
            continue;
        if (finder->completion.arm.is_length[i])
            slides[sliding++] = i;
        else
            turns[turning++] = i;
    }
    const char *kind = lb_arm_class_text(LB_ARM_PLANAR);
    turning = join_names(model, finder, turns, turning, names[0], sizeof names[0]);
    sliding = join_names(model, finder, slides, sliding, names[1], sizeof names[1]);
    if (sliding == 0)
        return text_format(text, size, "%s: the axes of %s are parallel", kind, names[0]);
    return text_format(text, size, "%s: %s %s across the axis of %s", kind, names[1],
                       sliding == 1 ? "slides" : "slide", names[0]);
}

size_t closed_describe(const lb_model *model, const closed_finder *finder, char *text, size_t size)
{
    const char *kind =
        lb_arm_class_text(finder->is_general ? LB_ARM_GENERAL : closed_form_class(&finder->form));
    if (finder->held < 0 && finder->is_general && finder->nominal.known)
        return text_format(text, size,
                           "%s: nearly one with %s, which its axes miss by %.2g (radians, or as a "
                           "share of its length)",
                           kind, lb_arm_class_text(closed_form_class(&finder->nominal.form)),
                           finder->nominal.deviation);
    if (finder->held < 0 && finder->is_general)
        return text_format(text, size, "%s: the places of its axes give no closed form", kind);
    if (finder->arm_class == LB_ARM_PLANAR)
        return describe_planar(model, finder, text, size);
    if (finder->held < 0)
        return describe_form(model, finder, kind, text, size);
    const closed_joint *held = closed_held_joint(finder);
    char whole[256];
    text_format(whole, sizeof whole, "redundant; with '%s' held a %s",
                held ? lb_model_joint(model, held->joint)->name : "what the task leaves open",
                kind);
    if (finder->is_general)
        return text_format(text, size, "%s arm", whole);
    return describe_form(model, finder, whole, text, size);
}
