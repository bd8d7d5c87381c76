/*
 * rig_names.c - the names that tools give to the links of a figure, as data, and a figure by these.
 *
 * A model's convention is the one that has the most of its names; so rows may overlap.
 */
#include "base/text.h"
#include "motion/retarget/figure.h"

#include <string.h>

/* the roles of a part: of the left and the right side, or one alone */
static const lb_role part_roles[][2] = {
    {LB_ROLE_PELVIS, LB_ROLE_COUNT},
    {LB_ROLE_CHEST, LB_ROLE_COUNT},
    {LB_ROLE_HEAD, LB_ROLE_COUNT},
    {LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM},
    {LB_ROLE_LEFT_FOREARM, LB_ROLE_RIGHT_FOREARM},
    {LB_ROLE_LEFT_HAND, LB_ROLE_RIGHT_HAND},
    {LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH},
    {LB_ROLE_LEFT_SHANK, LB_ROLE_RIGHT_SHANK},
    {LB_ROLE_LEFT_FOOT, LB_ROLE_RIGHT_FOOT},
    {LB_ROLE_LEFT_TOE, LB_ROLE_RIGHT_TOE},
};

enum { RIG_PARTS = sizeof part_roles / sizeof *part_roles };

/*
 * Names without namespace, capitals and separators. `%` is the side; of several names between bars
 * the first one that a model has counts; "" is none.
 */
typedef struct rig_convention {
    const char *name;
    const char *parts[RIG_PARTS]; /* in the order above */
} rig_convention;

static const rig_convention conventions[] = {
    // MotionBuilder's names: Mixamo, and the CMU captures as they are passed around
    {"mixamo",
     {"hips", "spine3|spine2|spine1|spine", "head", "%arm", "%forearm", "%hand", "%upleg", "%leg",
      "%foot", "%toebase"}},
    {"lafan",
     {"hips", "spine2|spine1", "head", "%arm", "%forearm", "%hand", "%upleg", "%leg", "%foot",
      "%toe"}},
    {"xsens",
     {"pelvis", "t8|t12", "head", "%upperarm", "%forearm", "%hand", "%upperleg", "%lowerleg",
      "%foot", "%toe"}},
    {"xsens-bvh",
     {"hips", "chest4|chest3|chest2|chest", "head", "%shoulder", "%elbow", "%wrist", "%hip",
      "%knee", "%ankle", "%toe"}},
    {"soma",
     {"hips", "chest|spine2|spine1", "head", "%arm", "%forearm", "%hand", "%leg", "%shin", "%foot",
      "%toebase"}},
    {"vrm",
     {"hips", "upperchest|chest|spine", "head", "%upperarm", "%lowerarm", "%hand", "%upperleg",
      "%lowerleg", "%foot", "%toes"}},
    {"vroid",
     {"jbipchips", "jbipcupperchest|jbipcchest", "jbipchead", "jbip%upperarm", "jbip%lowerarm",
      "jbip%hand", "jbip%upperleg", "jbip%lowerleg", "jbip%foot", "jbip%toebase"}},
    {"smpl",
     {"pelvis", "spine3|spine2", "head", "%shoulder", "%elbow", "%wrist|%hand", "%hip", "%knee",
      "%ankle", "%foot|%toe"}},
    {"unreal",
     {"pelvis", "spine05|spine03|spine02", "head", "upperarm%", "lowerarm%", "hand%", "thigh%",
      "calf%", "foot%", "ball%"}},
    // Poser and Daz, and Motive as it names its own skeletons
    {"poser",
     {"hips|hip", "chest", "head", "%uparm|%shldr|%uarm", "%lowarm|%forearm|%farm", "%hand",
      "%upleg|%thigh", "%lowleg|%shin", "%foot", "%toe"}},
    {"forth",
     {"hip", "chest", "head", "%shoulder", "%elbow", "%hand", "%hip", "%knee", "%foot", "toe11%"}},
    // the bones of Acclaim's files, as CMU wrote its captures
    {"acclaim",
     {"root|pelvis|hips", "thorax|upperback|lowerback", "head", "%humerus", "%radius",
      "%hand|%wrist", "%femur", "%tibia", "%foot", "%toes"}},
    // Blender's human, as it is and with the bones that deform
    {"rigify",
     {"defspine|spine|hips", "defspine003|spine003|chest", "defspine006|spine006|head",
      "defupperarm%|upperarm%", "defforearm%|forearm%", "defhand%|hand%", "defthigh%|thigh%",
      "defshin%|shin%", "deffoot%|foot%", "deftoe%|toe%"}},
    {"makehuman",
     {"root", "spine02|spine01", "head", "upperarm01%", "lowerarm01%", "wrist%", "upperleg01%",
      "lowerleg01%", "foot%", "toe11%"}},
    {"biped",
     {"bip01pelvis|bip001pelvis", "bip01spine2|bip01spine1|bip001spine2|bip001spine1",
      "bip01head|bip001head", "bip01%upperarm|bip001%upperarm", "bip01%forearm|bip001%forearm",
      "bip01%hand|bip001%hand", "bip01%thigh|bip001%thigh", "bip01%calf|bip001%calf",
      "bip01%foot|bip001%foot", "bip01%toe0|bip001%toe0"}},
    {"kinect",
     {"pelvis|spinebase|hipcenter", "spinechest|spineshoulder|shouldercenter", "head", "shoulder%",
      "elbow%", "wrist%", "hip%", "knee%", "ankle%", "foot%"}},
    {"limber",
     {"pelvis", "chest", "head", "%upperarm", "%forearm", "%hand", "%thigh", "%shank", "%foot",
      "%toe"}},
    // Quaternius' robot and others whose feet are led by themselves, beside the legs
    {"quaternius",
     {"body|hips", "torso|chest", "head", "upperarm%", "lowerarm%", "palm2%|palm%|hand%",
      "upperleg%", "lowerleg%", "foot%", ""}},
    {"unitree",
     {"pelvis", "torsolink", "", "%shoulderyawlink", "%elbowlink|%elbowlinkballhand",
      "%wristyawlink|%wristrolllink|%elbowlink|%elbowlinkballhand", "%hipyawlink", "%kneelink",
      "%anklerolllink|%anklelink", ""}},
    // GR1, whose links are no "link", and its followers; the last joints of limbs differ
    {"fourier",
     {"baselink|base", "torsolink|torso|linktorso|waistroll", "headpitchlink|headyaw",
      "%upperarmyawlink|%upperarmyaw", "%lowerarmpitchlink|%lowerarmpitch",
      "%handrolllink|%handyawlink|%handpitch", "%thighyawlink|%thighpitch",
      "%shankpitchlink|%shankpitch", "%footrolllink|%footroll", ""}},
    // Digit and Cassie, whose legs bend at the knee and, further down, at the tarsus
    {"agility",
     {"torso|pelvis", "", "", "%shoulderyaw", "%elbow", "%elbow", "%hippitch|%thigh", "%tarsus",
      "%toeroll|%toe", ""}},
    // robots whose limbs are numbered, which Talos does as Kuavo does
    {"kuavo",
     {"baselink", "waistyawlink|torso2link", "zhead2link|head2link", "zarm%3link|arm%3link",
      "zarm%4link|arm%4link", "zarm%7link|arm%7link", "leg%3link", "leg%4link", "leg%6link", ""}},
};

/* ---- names --------------------------------------------------------------- */

/* the next letter or digit of a name in lower case; separators are passed over */
static char next_letter(const char **name)
{
    while (**name == '_' || **name == '-' || **name == ' ' || **name == '.')
        (*name)++;
    return **name == '\0' ? '\0' : letter_lowered(*(*name)++);
}

/* whether a link's name is `pattern`, up to a bar or its end, with `side` for % */
static bool is_called(const char *name, const char *pattern, const char *side)
{
    const char *space = strrchr(name, ':'), *in_side = NULL;
    if (space != NULL)
        name = space + 1;
    for (;;) {
        if (in_side != NULL && *in_side == '\0')
            in_side = NULL, pattern++;
        if (in_side == NULL && *pattern == '%') {
            in_side = side;
            continue;
        }
        char wanted = in_side != NULL ? *in_side : *pattern;
        char found = next_letter(&name);
        if (wanted == '\0' || wanted == '|')
            return found == '\0';
        if (found != wanted)
            return false;
        if (in_side != NULL)
            in_side++;
        else
            pattern++;
    }
}

/* where the names of links are: the bones that the file says they are, or their own */
typedef enum naming { BY_BONE, BY_NAME, NAMINGS } naming;

/* the first link that is called as the first of several names, or the second ... */
static int find_part(const lb_model *model, naming by, const char *patterns, const char *side)
{
    for (const char *p = patterns; p != NULL && *p != '\0';) {
        for (int i = 0; i < lb_model_link_count(model); i++) {
            const lb_link *link = lb_model_link(model, i);
            const char *name = by == BY_BONE ? link->bone : link->name;
            if (name != NULL && is_called(name, p, side))
                return i;
        }
        p = strchr(p, '|');
        p = p != NULL ? p + 1 : NULL;
    }
    return LB_NO_LINK;
}

/* the roles by one convention; how many there are, of a figure that lacks some of its legs less
   than any of one that does not */
static int match(const lb_model *model, naming by, const rig_convention *convention,
                 const char *const *sides, lb_rig *rig)
{
    int found = 0;
    rig->convention = convention->name;
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        rig->links[i] = LB_NO_LINK;
    for (int part = 0; part < RIG_PARTS; part++)
        for (int side = 0; side < 2; side++) {
            lb_role role = part_roles[part][side];
            if (role == LB_ROLE_COUNT)
                continue;
            rig->links[role] = find_part(model, by, convention->parts[part], sides[side]);
            found += rig->links[role] >= 0;
        }
    return retarget_is_complete(model, rig) ? found : found - LB_ROLE_COUNT;
}

bool retarget_find_named(const lb_model *model, lb_rig *rig)
{
    static const char *const sides[][2] = {{"left", "right"}, {"l", "r"}};
    int most = -LB_ROLE_COUNT - 1;
    for (int by = 0; by < NAMINGS && most <= 0; by++)
        for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++)
            for (int words = 0; words < 2; words++) {
                lb_rig candidate;
                int found = match(model, (naming)by, &conventions[i], sides[words], &candidate);
                if (found > most) {
                    most = found;
                    *rig = candidate;
                }
            }
    return most > 0;
}
