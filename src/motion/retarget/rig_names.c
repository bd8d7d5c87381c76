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

enum { RIG_PARTS = sizeof part_roles / sizeof *part_roles, SHANK = 7 };

/*
 * Names without namespace, capitals and separators. `%` is the side; of several names between bars
 * the first one that a model has counts; "" is none. All of a figure may begin alike, as with
 * "Character1_", which the left shank's name shows.
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
     {"hips|hip", "chest|spine3|spine2|spine1", "head", "%uparm|%shldrbend|%shldr|%uarm|%upperarm",
      "%lowarm|%forearmbend|%forearm|%farm", "%hand", "%upleg|%thighbend|%thigh", "%lowleg|%shin",
      "%foot", "%toe"}},
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
     {"pelvis", "spine2|spine1", "head", "%upperarm", "%forearm", "%hand", "%thigh", "%calf",
      "%foot", "%toe0"}},
    {"kinect",
     {"pelvis|spinebase|hipcenter", "spinechest|spineshoulder|shouldercenter", "head", "shoulder%",
      "elbow%", "wrist%", "hip%", "knee%", "ankle%", "foot%"}},
    {"limber",
     {"pelvis", "chest", "head", "%upperarm", "%forearm", "%hand", "%thigh", "%shank", "%foot",
      "%toe"}},
    // the humanoids of MuJoCo, dm_control and Gymnasium
    {"mujoco",
     {"pelvis", "torso|chest", "head", "%upperarm", "%lowerarm|%forearm", "%hand", "%thigh",
      "%shin", "%foot", ""}},
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

/* letters of a name that are looked at */
enum { LETTERS = 96 };

/* the letters and digits of a name behind its namespace, in lower case, without a word at the end
   that says what it is; how many there are */
static int letters_of(const char *name, char letters[LETTERS + 1])
{
    static const char *const words[] = {"jnt", "joint", "bone"};
    const char *space = strrchr(name, ':');
    int count = 0;
    for (const char *at = space != NULL ? space + 1 : name; *at != '\0' && count < LETTERS; at++)
        if (strchr("_- .", *at) == NULL)
            letters[count++] = letter_lowered(*at);
    letters[count] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const int rest = count - (int)strlen(words[i]);
        if (rest > 0 && strcmp(letters + rest, words[i]) == 0)
            letters[count = rest] = '\0';
    }
    return count;
}

bool retarget_name_has(const char *name, const char *word)
{
    char letters[LETTERS + 1];
    int at = letters_of(name, letters) - (int)strlen(word);
    while (at >= 0 && memcmp(letters + at, word, strlen(word)) != 0)
        at--;
    return at >= 0;
}

/* a pattern up to a bar or its end, with `side` for %; returns what follows it, NULL: nothing */
static const char *fill_in(const char *pattern, const char *side, char *to)
{
    for (; *pattern != '\0' && *pattern != '|'; pattern++) {
        size_t size = *pattern == '%' ? strlen(side) : 1;
        memcpy(to, *pattern == '%' ? side : pattern, size);
        to += size;
    }
    *to = '\0';
    return *pattern == '|' ? pattern + 1 : NULL;
}

/* where the names of links are: the bones that the file says they are, or their own */
typedef enum naming { BY_BONE, BY_NAME, NAMINGS } naming;

/* The first link that is called as the first of several names, or the second ..., also behind a
   prefix of so many letters; behind any that is then written there if they are negative. */
static int find_part(const lb_model *model, naming by, const char *patterns, const char *side,
                     char *prefix, int *size)
{
    char wanted[LETTERS + 1], letters[LETTERS + 1];
    for (const char *next = patterns; next != NULL;) {
        next = fill_in(next, side, wanted);
        for (int i = 0; i < lb_model_link_count(model) && *wanted != '\0'; i++) {
            const lb_link *link = lb_model_link(model, i);
            const char *name = by == BY_BONE ? link->bone : link->name;
            int before = name != NULL ? letters_of(name, letters) - (int)strlen(wanted) : -1;
            if (before < 0 || strcmp(letters + before, wanted) != 0)
                continue;
            if (*size < 0)
                memcpy(prefix, letters, (size_t)(*size = before));
            if (before == 0 || (before == *size && memcmp(letters, prefix, (size_t)before) == 0))
                return i;
        }
    }
    return LB_NO_LINK;
}

/* the roles by one convention; how many there are, of a figure that lacks some of its legs less
   than any of one that does not */
static int match(const lb_model *model, naming by, const rig_convention *convention,
                 const char *const *sides, lb_rig *rig)
{
    char prefix[LETTERS];
    int found = 0, size = -1;
    rig->convention = convention->name;
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        rig->links[i] = LB_NO_LINK;
    find_part(model, by, convention->parts[SHANK], sides[0], prefix, &size);
    for (int part = 0; part < RIG_PARTS && size >= 0; part++)
        for (int side = 0; side < 2; side++) {
            lb_role role = part_roles[part][side];
            if (role == LB_ROLE_COUNT)
                continue;
            rig->links[role] =
                find_part(model, by, convention->parts[part], sides[side], prefix, &size);
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
