/*
 * figure.c - the parts of a figure by name, and its tree.
 */
#include "motion/retarget/figure.h"

#include "base/text.h"

#include <string.h>

const char *lb_role_text(lb_role role)
{
    static const char *const texts[] = {LB_ROLE_LIST(LIST_TEXT)};
    return (unsigned)role < LB_ROLE_COUNT ? texts[role] : "";
}

lb_role lb_role_find(const char *text)
{
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        if (strcmp(text, lb_role_text((lb_role)i)) == 0)
            return (lb_role)i;
    return LB_ROLE_COUNT;
}

/* ---- trees ----------------------------------------------------------------- */

bool retarget_is_below(const lb_model *model, int from, int link)
{
    while (link > from)
        link = lb_model_parent(model, link);
    return link == from;
}

bool retarget_is_hinge(const lb_model *model, int link)
{
    lb_joint_kind kind = lb_model_joint(model, link - 1)->kind;
    return kind == LB_JOINT_REVOLUTE || kind == LB_JOINT_CONTINUOUS;
}

int retarget_end_below(const lb_model *model, int link)
{
    int end = link + 1;
    while (end < lb_model_link_count(model) && lb_model_parent(model, end) >= link)
        end++;
    return end;
}

int retarget_next_fixed(const lb_model *model, int to, int link)
{
    // what hangs from a link that moves is passed over
    for (link++; link < lb_model_link_count(model) && lb_model_parent(model, link) >= to;
         link = retarget_end_below(model, link))
        if (lb_model_joint(model, link - 1)->kind == LB_JOINT_FIXED)
            return link;
    return LB_NO_LINK;
}

bool retarget_is_loose(const lb_model *model, int shank, int foot)
{
    return foot > 0 && !retarget_is_below(model, shank, foot) &&
           lb_model_joint(model, foot - 1)->kind == LB_JOINT_FLOATING;
}

bool retarget_is_complete(const lb_model *model, const lb_rig *rig)
{
    const lb_role legs[2][3] = {{LB_ROLE_LEFT_THIGH, LB_ROLE_LEFT_SHANK, LB_ROLE_LEFT_FOOT},
                                {LB_ROLE_RIGHT_THIGH, LB_ROLE_RIGHT_SHANK, LB_ROLE_RIGHT_FOOT}};
    for (int side = 0; side < 2; side++) {
        int before = rig->links[LB_ROLE_PELVIS];
        for (int i = 0; i < 3; i++) {
            int link = rig->links[legs[side][i]];
            if (before < 0 || link < 0 || link == before)
                return false;
            bool loose = i == 2 && retarget_is_loose(model, before, link);
            if (!loose && !retarget_is_below(model, before, link))
                return false;
            before = link;
        }
    }
    return true;
}
