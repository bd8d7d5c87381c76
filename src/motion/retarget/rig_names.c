/*
 * rig_names.c - the names that tools give to the links of a figure, as data.
 *
 * A model's convention is the one that has the most of its names; so rows may overlap.
 */
#include "motion/retarget/rig_names.h"

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
    {"poser",
     {"hips|hip", "chest", "head", "%uparm|%shldr", "%lowarm|%forearm", "%hand", "%upleg|%thigh",
      "%lowleg|%shin", "%foot", "%toe"}},
    {"limber",
     {"pelvis", "chest", "head", "%upperarm", "%forearm", "%hand", "%thigh", "%shank", "%foot",
      "%toe"}},
    // Quaternius' robot and others whose feet are led by themselves, beside the legs
    {"quaternius",
     {"body|hips", "torso|chest", "head", "upperarm%", "lowerarm%", "palm2%|palm%|hand%",
      "upperleg%", "lowerleg%", "foot%", ""}},
    {"unitree",
     {"pelvis", "torsolink", "", "%shoulderyawlink", "%elbowlink", "%wristyawlink|%elbowlink",
      "%hipyawlink", "%kneelink", "%anklerolllink", ""}},
};

const rig_convention *rig_convention_at(int index)
{
    const int count = sizeof conventions / sizeof *conventions;
    return index < count ? &conventions[index] : NULL;
}
