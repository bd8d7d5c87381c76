/*
 * gallery_structure.c - figures 5.1 to 5.6, 5.13, 5.15 and 5.16: joints, trees and their
 * traversal, angles and velocities; and joint interpolation beside a straight line.
 *
 * Angles are in radians, lengths in metres.
 */
#include "cli/textbook/gallery.h"

/* ---- 5.1, 5.2: forward and inverse -------------------------------------- */

/* from the figure's right, a little in front and above */
#define HUMAN_AZIMUTH -1.1
#define HUMAN_ELEVATION 0.15

/* one joint after the other */
static const double keys_5_1[] = {0.2, 0.3, 0.3, 1,   0.3, 0.3, 1,  1.2,
                                  0.3, 1,   1.2, 1.5, 1.8, 1.2, 1.5};
const gallery_film film_5_1 = {
    1, {{.label = "joint values given", .keys = keys_5_1, .key_count = 5}}, .shown = EVEN};

const gallery_film film_5_2 = FILM_TOWARDS(EVEN, -8, 14, "pseudoinverse", "places of the tip given",
                                           .steps = 50, .tolerance = 1e-6);

/* the same with a figure: a limb's joints one after the other, and a hand that is led */
static const char limb[] = "right_shoulder.qw,right_shoulder.qx,right_shoulder.qy,"
                           "right_shoulder.qz,right_elbow,right_wrist.qw,right_wrist.qy";
static const double keys_5_1_human[] = {
    0.868168, 0.423434, 0.214571,  0.14473,   0.261799, 1,        0,        /* at its side */
    0.853713, 0.422242, -0.286095, -0.105051, 0.261799, 1,        0,        /* the shoulder */
    0.853713, 0.422242, -0.286095, -0.105051, 1.6,      1,        0,        /* the elbow */
    0.853713, 0.422242, -0.286095, -0.105051, 1.6,      0.921061, 0.389418, /* the wrist */
    0.853713, 0.422242, -0.286095, -0.105051, 0.5,      0.921061, 0.389418};
const gallery_film film_5_1_human = {
    1,
    {{.label = "joint values given", .keys = keys_5_1_human, .columns = limb, .key_count = 5}},
    .shown = EVEN,
    .model = "human",
    .tip = "right_hand",
    .azimuth = HUMAN_AZIMUTH,
    .elevation = HUMAN_ELEVATION};
const gallery_film film_5_2_human = {1,
                                     {{.label = "places of the hand given",
                                       .x = 0.45,
                                       .y = -0.15,
                                       .z = 1.5,
                                       .method = "lm",
                                       .tolerance = 1e-6}},
                                     .shown = EVEN,
                                     .model = "human",
                                     .tip = "right_hand",
                                     .azimuth = HUMAN_AZIMUTH,
                                     .elevation = HUMAN_ELEVATION};

/* from planar3's rest to where figure 5.20a ends */
static const double keys_joints[] = {0.3927, 0.7854, 0.7854, 2.1311, 1.371, 0.6588};
const gallery_film film_joints = {1,
                                  {{.label = "every joint at a constant rate",
                                    .keys = keys_joints,
                                    .key_count = 2,
                                    .lined = true}},
                                  .shown = EVEN};

/* ---- 5.3, 5.16: joints of one freedom ----------------------------------- */

/* a bar with a link that turns at its left end and one that slides at its right */
static const char kinds[] =
    DEGREES "\"name\":\"kinds\",\"links\":[{\"name\":\"0\"},{\"name\":\"1\"},{\"name\":\"end1\"},"
            "{\"name\":\"2\"},{\"name\":\"end2\"}],"
            "\"joints\":[{\"name\":\"1\"," TURNS "\"parent\":\"0\",\"child\":\"1\","
            "\"placement\":{\"xyz\":[-4,0,0],\"rpy\":[0,0,25]}},"
            "{\"name\":\"end1\",\"parent\":\"1\",\"child\":\"end1\","
            "\"placement\":{\"xyz\":[3.6,0,0]}},"
            "{\"name\":\"2\",\"kind\":\"prismatic\",\"axis\":[1,0,0],\"limits\":[-5,5],"
            "\"parent\":\"0\",\"child\":\"2\",\"placement\":{\"xyz\":[3,0,0],\"rpy\":[0,0,40]}},"
            "{\"name\":\"end2\",\"parent\":\"2\",\"child\":\"end2\","
            "\"placement\":{\"xyz\":[2.6,0,0]}}]}";
static const double before_kinds[] = {0, 0};
#define KINDS(...) SKETCH(kinds, __VA_ARGS__)

static const sketch_mark marks_5_3[] = {
    {SKETCH_ANGLE, ORIGIN(1), AT(1, 1, 0), AT(1, 1, 0), .text = "\xce\xb8", .color = 2,
     .before = true, .size = 60},
    {SKETCH_VECTOR, WORLD(3.75, -0.5), WORLD(4.75, 0.34), .text = "d", .dx = 10, .dy = 10,
     .color = 2},
    {SKETCH_TEXT, WORLD(-4, 0), .text = "revolute", .dx = 0, .dy = 32},
    {SKETCH_TEXT, WORLD(3, 0), .text = "prismatic", .dx = -10, .dy = 32},
};
const gallery_sketch sketch_5_3 =
    KINDS(marks_5_3, .q = {0.7, 1.306}, .before = before_kinds, .view = {-6, 8, -1.6, 4});

static const sketch_mark marks_5_16[] = {
    BETWEEN(SKETCH_LINE, AT(1, 3.6, 0), WORLD(-4, 0)),
    {SKETCH_ANGLE, ORIGIN(1), WORLD(-2, -1.6), WORLD(-3.5, 3), .text = "\xcf\x89_1 = Z_1", .dx = 26,
     .dy = 34, .color = 1, .size = 42},
    {SKETCH_VELOCITY, ORIGIN(1), ORIGIN(2), .text = "Z_1 \xc3\x97 (E_1 \xe2\x88\x92 P_1)",
     .dx = -64, .color = 1, .size = 0.5},
    {SKETCH_VECTOR, ORIGIN(4), AT(4, 1.8, 0), .text = "Z_2", .dx = -14, .dy = -12, .color = 2},
    {SKETCH_TEXT, ORIGIN(1), .text = "P_1", .dx = -26, .dy = 0},
    {SKETCH_TEXT, ORIGIN(2), .text = "E_1", .dx = 22, .dy = 6},
    {SKETCH_TEXT, ORIGIN(3), .text = "P_2", .dx = 10, .dy = 34},
    {SKETCH_TEXT, ORIGIN(4), .text = "E_2", .dx = 24, .dy = 14},
};
const gallery_sketch sketch_5_16 =
    KINDS(marks_5_16, .q = {0.3, 0.9}, .view = {-6.5, 8.2, -1.8, 4.2});

/* ---- 5.15: the triangle of two links ------------------------------------ */

/* 3 and 2 long */
const char gallery_pair[] =
    DEGREES "\"name\":\"pair\",\"links\":[{\"name\":\"base\"},{\"name\":\"1\"},{\"name\":\"2\"},"
            "{\"name\":\"tip\"}],"
            "\"joints\":[{\"name\":\"1\"," TURNS "\"parent\":\"base\",\"child\":\"1\"},"
            "{\"name\":\"2\"," TURNS "\"parent\":\"1\",\"child\":\"2\","
            "\"placement\":{\"xyz\":[3,0,0]}},"
            "{\"name\":\"tip\",\"parent\":\"2\",\"child\":\"tip\","
            "\"placement\":{\"xyz\":[2,0,0]}}]}";

static const sketch_mark marks_5_15[] = {
    BETWEEN(SKETCH_LINE, WORLD(0, 0), WORLD(2.4, 3.1)),
    BETWEEN(SKETCH_LINE, WORLD(0, 0), WORLD(2.6, 0)),
    BETWEEN(SKETCH_LINE, ORIGIN(2), AT(1, 4.4, 0)),
    {SKETCH_ANGLE, ORIGIN(1), WORLD(1, 0), AT(1, 1, 0), .text = "\xce\xb8_1", .dx = 10, .dy = 2,
     .color = 2, .size = 96},
    {SKETCH_ANGLE, ORIGIN(1), WORLD(1, 0), WORLD(2.4, 3.1), .text = "\xce\xb8_T", .dx = -6,
     .dy = -40, .color = 1, .size = 150},
    {SKETCH_ANGLE, ORIGIN(1), AT(1, 1, 0), WORLD(2.4, 3.1), .text = "\xcf\x86", .dx = 2, .color = 3,
     .size = 70},
    {SKETCH_ANGLE, ORIGIN(2), AT(2, 1, 0), AT(1, 0, 0), .text = "\xcf\x88", .dx = -2, .dy = 0,
     .color = 3, .size = 44},
    {SKETCH_ANGLE, ORIGIN(2), AT(1, 5, 0), AT(2, 1, 0), .text = "\xce\xb8_2", .dx = 2, .color = 2,
     .size = 44},
    {SKETCH_TEXT, AT(1, 2.3, 0), .text = "L_1", .dx = 8, .dy = 22},
    {SKETCH_TEXT, AT(2, 1.3, 0), .text = "L_2", .dx = 24, .dy = 0},
    {SKETCH_TARGET, WORLD(2.4, 3.1), .text = "(X, Y)", .dx = -36, .dy = -14},
};
const gallery_sketch sketch_5_15 =
    SKETCH(gallery_pair, marks_5_15, .pose = POSE_TRIANGLE, .x = 2.4, .y = 3.1, .grounded = true,
           .alone = true, .view = {-0.9, 4.6, -0.8, 3.7});

/* ---- 5.4 to 5.6, 5.13: trees -------------------------------------------- */

static const tree_node nodes_5_4[] = {
    {-1, "link 0", NULL, TREE_PLAIN},
    {0, "link 1, ball joint", NULL, TREE_BALL},
    {0, "length 0", "x", TREE_TURN},
    {2, "length 0", "y", TREE_TURN},
    {3, "link 1", "z", TREE_TURN},
    {0, "length 0", "x", TREE_SLIDE},
    {5, "length 0", "y", TREE_SLIDE},
    {6, "link 2", "z", TREE_TURN},
    {0, "link 2, planar joint", NULL, TREE_PLANE},
};
const tree tree_5_4 = {.nodes = nodes_5_4, .count = COUNT(nodes_5_4), .marked = true};

static const tree_node nodes_5_5[] = {
    {-1, "hips", "place in the world", TREE_PLAIN},
    {0, "left thigh", NULL, TREE_PLAIN},
    {1, "left shin", NULL, TREE_PLAIN},
    {2, "left foot", NULL, TREE_PLAIN},
    {0, "torso", NULL, TREE_PLAIN},
    {4, "left upper arm", NULL, TREE_PLAIN},
    {5, "left forearm", NULL, TREE_PLAIN},
    {6, "left hand", NULL, TREE_PLAIN},
    {4, "head", NULL, TREE_PLAIN},
    {4, "right upper arm", NULL, TREE_PLAIN},
    {9, "right forearm", NULL, TREE_PLAIN},
    {10, "right hand", NULL, TREE_PLAIN},
    {0, "right thigh", NULL, TREE_PLAIN},
    {12, "right shin", NULL, TREE_PLAIN},
    {13, "right foot", NULL, TREE_PLAIN},
};
const tree tree_5_5 = {.nodes = nodes_5_5, .count = COUNT(nodes_5_5)};

static const tree_node nodes_5_6[] = {
    {-1, "Link_0: D_0 V_0", "T_0", TREE_PLAIN},
    {0, "Link_1: D_1 V_1", "T_1 R_1(\xce\xb8_1)", TREE_PLAIN},
};
const tree tree_5_6 = {.nodes = nodes_5_6, .count = COUNT(nodes_5_6), .formulas = true};

/* nodes: the transform that is current there; arcs: the steps down and up again, in order */
static const tree_node nodes_5_13[] = {
    {-1, "M_0 = T_0", "M = I", TREE_PLAIN},
    {0, "M_1 = M_0 T_1 R_1", "1 push M_0, 4 pop M_0", TREE_PLAIN},
    {1, "M_{1,1} = M_1 T_{1,1} R_{1,1}", "2 push M_1, 3 pop M_1", TREE_PLAIN},
    {0, "M_2 = M_0 T_2 R_2", "5 push M_0, 8 pop M_0", TREE_PLAIN},
    {3, "M_{2,1} = M_2 T_{2,1} R_{2,1}", "6 push M_2, 7 pop M_2", TREE_PLAIN},
};
const tree tree_5_13 = {.nodes = nodes_5_13, .count = COUNT(nodes_5_13), .formulas = true};
