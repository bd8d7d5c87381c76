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

const rig_convention *rig_convention_at(int index)
{
    const int count = sizeof conventions / sizeof *conventions;
    return index < count ? &conventions[index] : NULL;
}
