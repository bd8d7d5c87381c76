/*
 * gallery.c - the table of figures.
 *
 * Angles are in radians, lengths in metres. Joint values of planar3 are those
 * it rests at, pi/8, pi/4, pi/4, unless a sketch says otherwise.
 */
#include "cli/textbook/gallery.h"

/* ---- linkages of the sketches ------------------------------------------- */

/* three links in a row, each placed at an angle to the one before */
static const char chain[] =
    DEGREES "\"name\":\"chain\",\"root\":{\"xyz\":[3.2,1.6,0],\"rpy\":[0,0,12]},"
            "\"links\":[{\"name\":\"0\"},{\"name\":\"1\"},{\"name\":\"11\"},{\"name\":\"end\"}],"
            "\"joints\":[{\"name\":\"1\"," TURNS "\"parent\":\"0\",\"child\":\"1\","
            "\"placement\":{\"xyz\":[5,0,0],\"rpy\":[0,0,42]}},"
            "{\"name\":\"11\"," TURNS "\"parent\":\"1\",\"child\":\"11\","
            "\"placement\":{\"xyz\":[4.4,0,0],\"rpy\":[0,0,-70]}},"
            "{\"name\":\"end\",\"parent\":\"11\",\"child\":\"end\","
            "\"placement\":{\"xyz\":[3.4,0,0]}}]}";

/* a body with two arms of two links */
static const char branches[] =
    DEGREES "\"name\":\"branches\",\"root\":{\"xyz\":[0,0,0]},"
            "\"links\":[{\"name\":\"0\"},{\"name\":\"1\"},{\"name\":\"11\"},{\"name\":\"end1\"},"
            "{\"name\":\"2\"},{\"name\":\"21\"},{\"name\":\"end2\"}],"
            "\"joints\":[{\"name\":\"1\"," TURNS "\"parent\":\"0\",\"child\":\"1\","
            "\"placement\":{\"xyz\":[2.6,1.4,0],\"rpy\":[0,0,35]}},"
            "{\"name\":\"11\"," TURNS "\"parent\":\"1\",\"child\":\"11\","
            "\"placement\":{\"xyz\":[3.6,0,0],\"rpy\":[0,0,-60]}},"
            "{\"name\":\"end1\",\"parent\":\"11\",\"child\":\"end1\","
            "\"placement\":{\"xyz\":[2.8,0,0]}},"
            "{\"name\":\"2\"," TURNS "\"parent\":\"0\",\"child\":\"2\","
            "\"placement\":{\"xyz\":[-2.6,1.4,0],\"rpy\":[0,0,145]}},"
            "{\"name\":\"21\"," TURNS "\"parent\":\"2\",\"child\":\"21\","
            "\"placement\":{\"xyz\":[3.6,0,0],\"rpy\":[0,0,60]}},"
            "{\"name\":\"end2\",\"parent\":\"21\",\"child\":\"end2\","
            "\"placement\":{\"xyz\":[2.8,0,0]}}]}";

/* ---- 5.7 to 5.12: trees and what they stand for ------------------------- */

static const sketch_mark marks_5_7[] = {
    {SKETCH_AXES, WORLD(0, 0), .text = "world", .dx = 24, .dy = 14},
    {SKETCH_BOW, WORLD(0, 0), ORIGIN(0), .text = "T_0", .dx = -4, .dy = -12, .color = 2,
     .size = 0.12},
    {SKETCH_BOW, ORIGIN(0), ORIGIN(1), .text = "T_1", .dx = -4, .dy = -12, .color = 2,
     .size = 0.16},
    {SKETCH_BOW, ORIGIN(1), ORIGIN(2), .text = "T_{1,1}", .dx = -16, .dy = -8, .color = 2,
     .size = 0.16},
    {SKETCH_AXES, ORIGIN(0), .color = 7},
    {SKETCH_AXES, ORIGIN(1), .color = 7},
    {SKETCH_AXES, ORIGIN(2), .color = 7},
    {SKETCH_TEXT, AT(0, 2.6, 0), .text = "Link_0", .dx = 8, .dy = 20},
    {SKETCH_TEXT, AT(1, 2.5, 0), .text = "Link_1", .dx = 28, .dy = 10},
    {SKETCH_TEXT, AT(2, 2.1, 0), .text = "Link_{1,1}", .dx = 4, .dy = 22},
    {SKETCH_DOT, AT(3, 0, 0), .text = "V_{1,1}", .dx = 20, .dy = -8, .color = 2},
};
static const gallery_sketch sketch_5_7 = SKETCH(chain, marks_5_7, .view = {-1.4, 15.4, -1.5, 8.2});

static const sketch_mark marks_5_9[] = {
    BETWEEN(SKETCH_LINE, ORIGIN(1), AT(0, 7.3, 2.07)),
    BETWEEN(SKETCH_LINE, ORIGIN(2), AT(1, 5.4, -2.75)),
    {SKETCH_ANGLE, ORIGIN(1), AT(0, 7.3, 2.07), AT(1, 1, 0), .text = "\xce\xb8_1", .dx = 7,
     .dy = -14, .color = 2, .size = 60},
    {SKETCH_ANGLE, ORIGIN(2), AT(1, 5.4, -2.75), AT(2, 1, 0), .text = "\xce\xb8_{1,1}", .dx = 10,
     .color = 2, .size = 60},
    {SKETCH_TEXT, AT(0, 2.6, 0), .text = "Link_0", .dx = 4, .dy = 20},
    {SKETCH_TEXT, AT(1, 2.2, 0), .text = "Link_1", .dx = -34, .dy = -2},
    {SKETCH_TEXT, AT(2, 2.1, 0), .text = "Link_{1,1}", .dx = -30, .dy = -16},
};
static const double before_5_9[] = {0, 0};
static const gallery_sketch sketch_5_9 = SKETCH(
    chain, marks_5_9, .q = {0.42, 0.55}, .before = before_5_9, .view = {2.2, 14.6, 0.6, 9.6});

static const sketch_mark marks_5_11[] = {
    {SKETCH_AXES, ORIGIN(0), .text = "T_0", .dx = -14, .dy = 12, .color = 7},
    BETWEEN(SKETCH_LINE, ORIGIN(1), AT(0, 4.6, 2.8)),
    BETWEEN(SKETCH_LINE, ORIGIN(4), AT(0, -4.6, 2.8)),
    BETWEEN(SKETCH_LINE, ORIGIN(2), AT(1, 4.7, -1.9)),
    BETWEEN(SKETCH_LINE, ORIGIN(5), AT(4, 4.7, 1.9)),
    {SKETCH_ANGLE, ORIGIN(1), AT(0, 4.6, 2.8), AT(1, 1, 0), .text = "\xce\xb8_1", .dx = 14,
     .dy = -3, .color = 2, .size = 46},
    {SKETCH_ANGLE, ORIGIN(2), AT(1, 4.7, -1.9), AT(2, 1, 0), .text = "\xce\xb8_{1,1}", .dx = 8,
     .color = 2, .size = 46},
    {SKETCH_ANGLE, ORIGIN(4), AT(0, -4.6, 2.8), AT(4, 1, 0), .text = "\xce\xb8_2", .dx = -18,
     .dy = 2, .color = 2, .size = 46},
    {SKETCH_ANGLE, ORIGIN(5), AT(4, 4.7, 1.9), AT(5, 1, 0), .text = "\xce\xb8_{2,1}", .dx = -6,
     .color = 2, .size = 46},
    {SKETCH_TEXT, AT(0, 0, 0), .text = "Link_0", .dx = 26, .dy = 24},
    {SKETCH_TEXT, AT(1, 2.1, 0), .text = "Link_1", .dx = -26, .dy = -8},
    {SKETCH_TEXT, AT(2, 1.7, 0), .text = "Link_{1,1}", .dx = -16, .dy = -20},
    {SKETCH_TEXT, AT(4, 2.1, 0), .text = "Link_2", .dx = 26, .dy = -8},
    {SKETCH_TEXT, AT(5, 1.7, 0), .text = "Link_{2,1}", .dx = 16, .dy = -20},
};
static const gallery_sketch sketch_5_11 =
    SKETCH(branches, marks_5_11, .q = {0.45, 0.6, -0.3, -0.45}, .view = {-9.4, 9.4, -1.6, 6.8});

#define THETA(index) "R_{" index "}(\xce\xb8_{" index "})"

static const tree_node nodes_5_8[] = {
    {-1, "Link_0", "T_0", TREE_PLAIN},
    {0, "Link_1", "T_1", TREE_PLAIN},
    {1, "Link_{1,1}", "T_{1,1}", TREE_PLAIN},
};
static const tree tree_5_8 = {.nodes = nodes_5_8, .count = COUNT(nodes_5_8), .formulas = true};

static const tree_node nodes_5_10[] = {
    {-1, "Link_0", "T_0", TREE_PLAIN},
    {0, "Link_1", "T_1 " THETA("1"), TREE_PLAIN},
    {1, "Link_{1,1}", "T_{1,1} " THETA("1,1"), TREE_PLAIN},
};
static const tree tree_5_10 = {.nodes = nodes_5_10, .count = COUNT(nodes_5_10), .formulas = true};

static const tree_node nodes_5_12[] = {
    {-1, "Link_0", "T_0", TREE_PLAIN},
    {0, "Link_1", "T_1 " THETA("1"), TREE_PLAIN},
    {1, "Link_{1,1}", "T_{1,1} " THETA("1,1"), TREE_PLAIN},
    {0, "Link_2", "T_2 " THETA("2"), TREE_PLAIN},
    {3, "Link_{2,1}", "T_{2,1} " THETA("2,1"), TREE_PLAIN},
};
static const tree tree_5_12 = {.nodes = nodes_5_12, .count = COUNT(nodes_5_12), .formulas = true};

/* ---- 5.14 to 5.19: arms, reach and Jacobians ---------------------------- */

static const sketch_mark marks_5_14[] = {
    {.kind = SKETCH_RING, .a = WORLD(0, 0), .b = WORLD(1, 0), .c = WORLD(5, 0)},
    BETWEEN(SKETCH_LINE, WORLD(0, 0), WORLD(2.4, 3.1)),
    BETWEEN(SKETCH_LINE, WORLD(0, 0), WORLD(1.6, 0)),
    BETWEEN(SKETCH_LINE, ORIGIN(2), AT(1, 4.2, 0)),
    {SKETCH_VECTOR, WORLD(0, 0), WORLD(-3.54, -3.54), .text = "L_1 + L_2", .dx = -26, .dy = -10,
     .color = 7},
    {SKETCH_VECTOR, WORLD(0, 0), WORLD(-0.966, 0.26), .text = "|L_1 \xe2\x88\x92 L_2|", .dx = -58,
     .dy = -8, .color = 7},
    {SKETCH_ANGLE, ORIGIN(1), WORLD(1, 0), AT(1, 1, 0), .text = "\xce\xb8_1", .dx = 4, .dy = 2,
     .color = 2, .size = 54},
    {SKETCH_ANGLE, ORIGIN(2), AT(1, 5, 0), AT(2, 1, 0), .text = "\xce\xb8_2", .dx = 2, .color = 2,
     .size = 34},
    {SKETCH_TEXT, AT(1, 1.7, 0), .text = "L_1", .dx = -6, .dy = -16},
    {SKETCH_TEXT, AT(2, 1.15, 0), .text = "L_2", .dx = -18, .dy = 2},
    {SKETCH_TARGET, WORLD(2.4, 3.1), .text = "(X, Y)", .dx = 30, .dy = -12},
};
static const gallery_sketch sketch_5_14 =
    SKETCH(gallery_pair, marks_5_14, .pose = POSE_TRIANGLE, .x = 2.4, .y = 3.1, .grounded = true,
           .view = {-5.4, 5.4, -5.4, 5.4});

static const sketch_mark marks_5_17[] = {
    {SKETCH_VECTOR, ORIGIN(4), WORLD(-2.9, 17.145), .text = "V", .dx = 0, .dy = -14, .color = 2},
    {SKETCH_TARGET, WORLD(-4, 17), .text = "G", .dx = -18, .dy = -6},
    {SKETCH_TEXT, ORIGIN(4), .text = "E", .dx = 18, .dy = -4},
    {SKETCH_TEXT, ORIGIN(1), .text = "P_0", .dx = -26, .dy = -4},
    {SKETCH_TEXT, ORIGIN(2), .text = "P_1", .dx = 22, .dy = 12},
    {SKETCH_TEXT, ORIGIN(3), .text = "P_2", .dx = 26, .dy = 0},
    {SKETCH_ANGLE, ORIGIN(1), WORLD(1, 0), AT(1, 1, 0), .text = "\xce\xb8_1", .dx = 19, .dy = 0,
     .color = 3, .size = 46},
    {SKETCH_ANGLE, ORIGIN(2), AT(1, 20, 0), AT(2, 1, 0), .text = "\xce\xb8_2", .dx = 6, .color = 3,
     .size = 30},
    {SKETCH_ANGLE, ORIGIN(3), AT(2, 20, 0), AT(3, 1, 0), .text = "\xce\xb8_3", .dx = 24, .dy = 6,
     .color = 3, .size = 26},
    BETWEEN(SKETCH_LINE, ORIGIN(1), WORLD(6, 0)),
    BETWEEN(SKETCH_LINE, ORIGIN(2), AT(1, 20, 0)),
    BETWEEN(SKETCH_LINE, ORIGIN(3), AT(2, 14.4, 0)),
};
#define CHAPTER_POSE                                                                               \
    {                                                                                              \
        LB_PI / 8, LB_PI / 4, LB_PI / 4                                                            \
    }
static const gallery_sketch sketch_5_17 = SKETCH("planar3", marks_5_17, .q = CHAPTER_POSE,
                                                 .grounded = true, .view = {-8, 26, -3.5, 22.5});

static const sketch_mark marks_5_18[] = {
    {SKETCH_LINE, ORIGIN(1), ORIGIN(4), .text = "V_0", .dx = -12, .dy = -10, .color = 1},
    {SKETCH_LINE, ORIGIN(2), ORIGIN(4), .text = "V_1", .dx = -14, .dy = 0, .color = 3},
    {SKETCH_OVERLINE, ORIGIN(3), ORIGIN(4), .text = "V_2", .dx = 24, .dy = -2, .color = 2},
    {SKETCH_VELOCITY, ORIGIN(1), ORIGIN(4), .text = "g_0", .dx = 4, .dy = -14, .color = 1,
     .size = 0.5},
    {SKETCH_VELOCITY, ORIGIN(2), ORIGIN(4), .text = "g_1", .dx = -2, .dy = -14, .color = 3,
     .size = 0.5},
    {SKETCH_VELOCITY, ORIGIN(3), ORIGIN(4), .text = "g_2", .dx = -28, .dy = 9, .color = 2,
     .size = 0.5},
    {SKETCH_TEXT, ORIGIN(4), .text = "E", .dx = 20, .dy = -6},
    {SKETCH_TEXT, ORIGIN(1), .text = "P_0", .dx = -26, .dy = -4},
    {SKETCH_TEXT, ORIGIN(2), .text = "P_1", .dx = 20, .dy = 14},
    {SKETCH_TEXT, ORIGIN(3), .text = "P_2", .dx = 26, .dy = 0},
};
static const gallery_sketch sketch_5_18 =
    SKETCH("planar3", marks_5_18, .q = CHAPTER_POSE, .grounded = true, .view = {-4, 24, -3.5, 29});

static const sketch_mark marks_5_19a[] = {
    {SKETCH_TARGET, AT(4, -9, 0), .text = "G", .dx = -4, .dy = -20},
    {SKETCH_VECTOR, AT(4, 0, -1.9), AT(4, -9, -1.9), .text = "V", .dx = 8, .dy = 14},
    {SKETCH_TEXT, ORIGIN(1), .text = "P_0", .dx = -14, .dy = -20},
    {SKETCH_TEXT, ORIGIN(2), .text = "P_1", .dx = -6, .dy = -22},
    {SKETCH_TEXT, ORIGIN(3), .text = "P_2", .dx = -6, .dy = -20},
    {SKETCH_TEXT, ORIGIN(4), .text = "E", .dx = 20, .dy = 2},
};
static const gallery_sketch sketch_5_19a =
    SKETCH("planar3", marks_5_19a, .q = {0.28, 0, 0}, .grounded = true, .view = {-3, 34, -4, 12});
static const sketch_mark marks_5_19b[] = {
    {SKETCH_VELOCITY, ORIGIN(1), ORIGIN(4), .text = "g_0", .dx = -20, .dy = -4, .color = 1,
     .size = 0.3},
    {SKETCH_VELOCITY, ORIGIN(2), AT(4, -0.35, 0), .text = "g_1", .dx = -20, .dy = -4, .color = 3,
     .size = 0.3},
    {SKETCH_VELOCITY, ORIGIN(3), AT(4, -0.7, 0), .text = "g_2", .dx = -33, .dy = -5, .color = 2,
     .size = 0.3},
    {SKETCH_VECTOR, AT(4, 0, -1.9), AT(4, -9, -1.9), .text = "V", .dx = 8, .dy = 14},
    {SKETCH_TARGET, AT(4, -9, 0), .text = "G", .dx = -4, .dy = -20},
    {SKETCH_TEXT, ORIGIN(4), .text = "E", .dx = 20, .dy = 2},
};
static const gallery_sketch sketch_5_19b =
    SKETCH("planar3", marks_5_19b, .q = {0.28, 0, 0}, .grounded = true, .view = {-3, 34, -4, 19});

/* ---- 5.20 to 5.25: methods at work -------------------------------------- */

/*
 * One step a frame is the integration of Parent 2012, chapter 5. Its damping is not given; 6 shows
 * both what it costs during the motion and what it is worth at the end of the reach. The
 * scale of the transpose has a unit, one over a length squared: 0.1 is for lengths of
 * 1.5, 1.0 and 0.5, so for 15, 10 and 5 it is 0.001. With either that method, and cyclic
 * descent, lag behind a goal that moves each step, so they get several a frame.
 */
#define ONE_STEP .steps = 1, .tolerance = 1e-6
#define MANY_STEPS .steps = 500, .tolerance = 0.02
#define DAMPING 6
#define LATE                                                                                       \
    {                                                                                              \
        0, 10, 18, 19, 20                                                                          \
    }

static const double stiff_second[] = {0.1, 0.5, 0.1}, stiff_third[] = {0.1, 0.1, 0.5};

static const gallery_film film_5_20a =
    FILM_TOWARDS(EVEN, -20, 5, "pseudoinverse", "pseudoinverse, one step a frame", ONE_STEP);
static const gallery_film film_5_20b =
    FILM_TOWARDS(EVEN, -20, 5, "damped", "damped, \xce\xbb = 6 m, one step a frame",
                 .damping = DAMPING, ONE_STEP);
static const gallery_film film_5_21a =
    FILM_TOWARDS(LATE, -35, 5, "pseudoinverse", "pseudoinverse, one step a frame", ONE_STEP);
static const gallery_film film_5_21b =
    FILM_TOWARDS(LATE, -35, 5, "damped", "damped, \xce\xbb = 6 m, one step a frame",
                 .damping = DAMPING, ONE_STEP);
static const gallery_film film_5_22 = {
    2,
    {TOWARDS(-20, 5, "pseudoinverse", "gains 0.1, 0.5, 0.1", .gains = stiff_second, ONE_STEP),
     TOWARDS(-20, 5, "pseudoinverse", "gains 0.1, 0.1, 0.5", .gains = stiff_third, ONE_STEP)},
    .shown = EVEN};
static const gallery_film film_5_23 =
    FILM_TOWARDS(EVEN, -20, 5, "alternative", "alternative Jacobian, one step a frame", ONE_STEP);
static const gallery_film film_5_24 =
    FILM_TOWARDS(EVEN, -20, 5, "transpose",
                 "transpose, \xce\xb1 = 0.001 per m\xc2\xb2, up to 500 steps a frame, to 2 cm",
                 .alpha = 0.001, MANY_STEPS);
static const gallery_film film_5_25 =
    FILM_TOWARDS(EVEN, -20, 5, "ccd",
                 "cyclic coordinate descent, up to 500 sweeps a frame, to 2 cm", MANY_STEPS);

/* ---- Juckett 2009: cyclic descent ---------------------------------------- */

static const sketch_mark marks_ccd_1[] = {
    BETWEEN(SKETCH_CIRCLE, ORIGIN(2), ORIGIN(4)),
    BETWEEN(SKETCH_LINE, ORIGIN(2), WORLD(4, 21)),
    {SKETCH_LINE, ORIGIN(2), ORIGIN(4), .color = 1},
    {SKETCH_ANGLE, ORIGIN(2), ORIGIN(4), WORLD(4, 21), .text = "\xce\xb1", .color = 2, .size = 54},
    {SKETCH_TARGET, WORLD(4, 21), .text = "t", .dx = -18, .dy = -4},
    {SKETCH_DOT, ORIGIN(4), .text = "e", .dx = -14, .dy = -10, .color = 1},
    {SKETCH_DOT, WORLD(8.411119096869356, 13.571890501275957), .text = "nearest", .dx = 40, .dy = 0,
     .color = 2},
    {SKETCH_TEXT, ORIGIN(2), .text = "j", .dx = 18, .dy = 10},
};
static const gallery_sketch sketch_ccd_1 = SKETCH("planar3", marks_ccd_1, .q = {0.2, 0.7, 1.3},
                                                  .grounded = true, .view = {-4, 31, -13.5, 23});

/* after a joint's turn: its circle, the line to the goal and the path of the tip so far; the number
   of the last bone stands so far along it and beside it, the angle's name so far to the right */
#define DESCENT(j, ex, ey, along, beside, right)                                                   \
    BETWEEN(SKETCH_CIRCLE, ORIGIN(j), ORIGIN(4)), BETWEEN(SKETCH_LINE, ORIGIN(j), WORLD(2, 16)),   \
        {SKETCH_ANGLE, ORIGIN(j),  ORIGIN(4),  ORIGIN(4),  .text = "\xce\xb1",                     \
         .dx = right,  .color = 2, .size = 44, .before = 1},                                       \
        {SKETCH_TEXT, AT(1, 7.5, -1.5), .text = "1"}, {SKETCH_TEXT, AT(2, 5, -1.6), .text = "2"},  \
        {SKETCH_TEXT, AT(3, along, beside), .text = "3"}, GOAL(ex, ey)
#define GOAL(ex, ey)                                                                               \
    {SKETCH_TARGET, WORLD(2, 16), .text = "t", .dx = -16, .dy = -6},                               \
    {                                                                                              \
        SKETCH_DOT, ORIGIN(4), .text = "e", .dx = ex, .dy = ey, .color = 1                         \
    }

static const sketch_mark marks_ccd_2a[] = {
    GOAL(16, -6),
    {SKETCH_TEXT, AT(1, 7.5, 0), .text = "1", .dx = 6, .dy = 18},
    {SKETCH_TEXT, AT(2, 5, 0), .text = "2", .dx = 18, .dy = 4},
    {SKETCH_TEXT, AT(3, 2.5, 0), .text = "3", .dx = 18, .dy = 0},
};
static const sketch_mark marks_ccd_2b[] = {DESCENT(3, -10, 14, 2.9, 1.4, 0)};
static const sketch_mark marks_ccd_2c[] = {DESCENT(2, -16, 8, 2.2, -1.4, 28)};
static const sketch_mark marks_ccd_2d[] = {DESCENT(1, 16, 10, 3.4, -1.4, 0)};

#define DESCENT_SKETCH(number, with, ...)                                                          \
    SKETCH("planar3", with, .pose = POSE_DESCENT, .q = {0.25, 0.5, 0.4}, .turns = number, .x = 2,  \
           .y = 16, .grounded = true, .view = {__VA_ARGS__})
static const gallery_sketch sketch_ccd_2a = DESCENT_SKETCH(0, marks_ccd_2a, -4, 27, -4, 19);
static const gallery_sketch sketch_ccd_2b = DESCENT_SKETCH(1, marks_ccd_2b, -4, 27, -4, 19);
static const gallery_sketch sketch_ccd_2c = DESCENT_SKETCH(2, marks_ccd_2c, -4, 26, -7, 18);
static const gallery_sketch sketch_ccd_2d = DESCENT_SKETCH(3, marks_ccd_2d, -16, 20, -15.5, 19);

static const sketch_mark marks_ccd_3a[] = {
    {SKETCH_TARGET, WORLD(1.6, 0), .text = "t", .dx = 0, .dy = 22},
    {SKETCH_DOT, ORIGIN(3), .text = "e", .dx = 2, .dy = -16, .color = 1},
    {SKETCH_TEXT, AT(1, 0.8, 0), .text = "1", .dx = 0, .dy = 22},
    {SKETCH_TEXT, AT(2, 1, 0), .text = "2", .dx = 0, .dy = 22},
};
static const sketch_mark marks_ccd_3b[] = {
    {SKETCH_TARGET, WORLD(1.6, 0), .text = "t", .dx = -20, .dy = 2},
    {SKETCH_DOT, ORIGIN(3), .text = "e", .dx = 22, .dy = 2, .color = 1},
    {SKETCH_TEXT, AT(1, 1.5, 0), .text = "1", .dx = -14, .dy = 16},
    {SKETCH_TEXT, AT(2, 1, 0), .text = "2", .dx = 22, .dy = 2},
};
/* bone 2 lies on bone 1 */
static const sketch_mark marks_ccd_3c[] = {
    {SKETCH_TARGET, WORLD(1.6, 0), .text = "t", .dx = 0, .dy = 22},
    {SKETCH_DOT, ORIGIN(3), .text = "e", .dx = 0, .dy = 26, .color = 1},
    {SKETCH_TEXT, AT(1, 0.5, 0), .text = "1", .dx = 0, .dy = -18},
    {SKETCH_TEXT, AT(1, 2.3, 0), .text = "2", .dx = 0, .dy = -18},
};
#define LOCK_SKETCH(how, number, with, ...)                                                        \
    SKETCH(gallery_pair, with, .pose = how, .turns = number, .x = 1.6, .y = 0, .grounded = true,   \
           .view = {__VA_ARGS__})
static const gallery_sketch sketch_ccd_3a =
    LOCK_SKETCH(POSE_DESCENT, 0, marks_ccd_3a, -0.8, 5.6, -0.75, 0.65);
static const gallery_sketch sketch_ccd_3b =
    LOCK_SKETCH(POSE_TRIANGLE, 0, marks_ccd_3b, -0.8, 3.6, -2.1, 2.1);
static const gallery_sketch sketch_ccd_3c =
    LOCK_SKETCH(POSE_DESCENT, 2, marks_ccd_3c, -0.8, 3.8, -0.6, 0.5);

/* ---- all of them -------------------------------------------------------- */

const gallery_figure gallery[] = {
    {"figure-5.1", "Figure 5.1: forward kinematics",
     "Joint values are given and the tip goes where they take it: one joint after the other turns, "
     "and each turn is an arc about that joint.",
     .film = &film_5_1},
    {"figure-5.2", "Figure 5.2: inverse kinematics",
     "The place of the tip is given and the joint values are computed, here to a micrometre in "
     "every frame. The tip keeps to the line although no joint turns at a constant rate.",
     .film = &film_5_2},
    {"figure-5.1-human", "Figure 5.1 with a figure: forward kinematics",
     "A limb's joint values are given: the shoulder turns, then the elbow, the wrist, and the "
     "elbow back. The hand goes where they take it.",
     .film = &film_5_1_human},
    {"figure-5.2-human", "Figure 5.2 with a figure: inverse kinematics",
     "The place of the hand is given, and all joints from the hips to the wrist are computed. The "
     "spine joins in, less than the arm, as it counts three times as much.",
     .film = &film_5_2_human},
    {"figure-5.3", "Figure 5.3: the two joints of one freedom",
     "A revolute joint turns its link about an axis by \xce\xb8"
     "; a prismatic joint moves its link along an axis by d. The faint links are at zero.",
     .sketch = &sketch_5_3},
    {"figure-5.4", "Figure 5.4: joints of several freedoms",
     "A ball joint, on the left, is three turns about three axes through one point; a planar "
     "joint, "
     "on the right, two slides and a turn. Beside each the same as single joints in a row, with "
     "links of length zero between them.",
     .tree = &tree_5_4},
    {"figure-5.5", "Figure 5.5: a figure as a tree",
     "Links are nodes and joints are arcs. The hips are the root; the arc into it places the whole "
     "figure in the world, and every other arc places one part upon another.",
     .tree = &tree_5_5},
    {"figure-5.6", "Figure 5.6: what arcs and nodes contain",
     "An arc has two transforms, the constant place of the joint and its variable turn. A node has "
     "the shape and a transform that brings the shape's joint to the origin.",
     .tree = &tree_5_6},
    {"figure-5.7", "Figure 5.7: a linkage of three links",
     "Each link is placed by one constant transform, given in the axes of the link before it. "
     "Move T0 and everything follows; a vertex of the last link, V1,1, passes through all three.",
     .sketch = &sketch_5_7},
    {"figure-5.8", "Figure 5.8: the same linkage as a tree",
     "Links have become nodes, transforms the arcs that lead to them. The arc that ends at the "
     "root comes from outside: it places the whole figure.",
     .tree = &tree_5_8},
    {"figure-5.9", "Figure 5.9: the joints begin to turn",
     "The faint links show where each would be at angle zero, as in Figure 5.7. Turning the first "
     "joint carries the second link along; its own angle is counted from where it then is.",
     .sketch = &sketch_5_9},
    {"figure-5.10", "Figure 5.10: the tree with its variable transforms",
     "Each arc now carries two factors: the constant placement, and right of it, so that it acts "
     "first on the link's points, the turn that is animated.",
     .tree = &tree_5_10},
    {"figure-5.11", "Figure 5.11: a body with two arms",
     "The angles of one arm mean nothing to the other; both share only what the body does.",
     .sketch = &sketch_5_11},
    {"figure-5.12", "Figure 5.12: two arms are two branches",
     "A node with two arcs below it. Going down the left branch and coming back up, a traversal "
     "must restore the root's transform before it takes the right one.",
     .tree = &tree_5_12},
    {"figure-5.13", "Figure 5.13: the traversal and its stack",
     "Depth first, numbers giving the order: before an arc is gone down, the current transform is "
     "pushed; coming back up, it is popped. So the second branch begins with the same M0 as the "
     "first.",
     .tree = &tree_5_13},
    {"figure-5.14", "Figure 5.14: what an arm of two links reaches",
     "All goals in the ring have two solutions, mirror images about the line to the goal; on its "
     "rims the two are one, and outside there is none.",
     .sketch = &sketch_5_14},
    {"figure-5.15", "Figure 5.15: the angles of an arm of two links",
     "All three sides of the triangle are known, so the law of cosines gives its angles: \xcf\x86"
     " between the first link and the line to the goal, \xcf\x88"
     " at the elbow. Then \xce\xb8"
     "1 = \xce\xb8"
     "T \xe2\x88\x92"
     " \xcf\x86"
     " and \xce\xb8"
     "2 = 180\xc2\xb0"
     " \xe2\x88\x92"
     " \xcf\x88"
     ".",
     .sketch = &sketch_5_15},
    {"figure-5.16", "Figure 5.16: what a joint does to the tip",
     "A turning joint gives the tip its axis as angular velocity, and as velocity the axis times "
     "the vector from the joint to the tip. A sliding joint gives its axis as velocity, and turns "
     "nothing.",
     .sketch = &sketch_5_16},
    {"figure-5.17", "Figure 5.17: three joints, one goal",
     "The tip E is to move by V towards G. Two numbers are wanted and three joints can give "
     "them, so there are many solutions. The arrow of V ends 1.1 short of G, to keep its head "
     "clear.",
     .sketch = &sketch_5_17},
    {"figure-5.18", "Figure 5.18: what each joint does to the tip",
     "Each g is at right angles to the line V from its joint to E, and drawn half as long as that: "
     "the columns of the Jacobian. The farther the joint, the stronger it is.",
     .sketch = &sketch_5_18},
    {"figure-5.19a", "Figure 5.19a: a singular arm",
     "The arm is fully extended and the goal G lies on the last but one link. The tip E would have "
     "to move along the arm, which no joint can do. V is drawn 1.9 beside the arm.",
     .sketch = &sketch_5_19a},
    {"figure-5.19b", "Figure 5.19b: what its joints do",
     "Stretched out, all three joints push the tip in the same direction, across the arm. No sum "
     "of the g points along V, although the goal is well within reach. The g are drawn 0.3 times "
     "as "
     "long as they are, those of the second and third joint 0.35 and 0.7 before the tip, and V 1.9 "
     "beside the arm, so that none hides another.",
     .sketch = &sketch_5_19b},
    {"figure-5.20a", "Figure 5.20a: pseudoinverse",
     "One step a frame, and the tip keeps within 0.5 % of the straight line. The dots are evenly "
     "spaced: no frame falls behind.",
     .film = &film_5_20a},
    {"figure-5.20b", "Figure 5.20b: damped least squares",
     "The same with damping. Far from singularities it hardly shows, but the tip now trails its "
     "goal a little and ends just short of it.",
     .film = &film_5_20b},
    {"figure-5.21a", "Figure 5.21a: pseudoinverse, goal out of reach",
     "The goal is 5.4 beyond the arm's reach. Up to frame 18 all is well; then the arm is nearly "
     "straight, and the joints leap to gain the little that is still missing.",
     .film = &film_5_21a},
    {"figure-5.21b", "Figure 5.21b: damped least squares, goal out of reach",
     "The same frames with damping: the arm stretches towards the goal and stays calm, at the "
     "price of stopping a little short.",
     .film = &film_5_21b},
    {"figure-5.22", "Figure 5.22: pseudoinverse with a control term",
     "Both rows take the tip along nearly the same line while joints are drawn towards zero, the "
     "second "
     "joint most above, the third below. The joint with the larger gain ends straighter.",
     .film = &film_5_22},
    {"figure-5.23", "Figure 5.23: the alternative Jacobian",
     "Here the Jacobian is formed as if the tip were at the goal already: the goal is pulled "
     "to the tip. Over steps this short the difference from Figure 5.20a hardly shows.",
     .film = &film_5_23},
    {"figure-5.24", "Figure 5.24: the transpose of the Jacobian",
     "No inverse at all, but many small steps instead of one a frame: the file counts them. The "
     "scale 0.1 belongs to lengths of 1.5, 1 and 0.5; for 15, 10 and 5 it is 0.001.",
     .film = &film_5_24},
    {"figure-5.25", "Figure 5.25: cyclic coordinate descent",
     "Each sweep turns one joint after the other, the last one first, so the outer joints do most "
     "of the work: the last link swings over and ends bent to the other side than in Figure 5.20a.",
     .film = &film_5_25},
    {"joint-interpolation", "Joint interpolation and the straight line",
     "Key poses interpolated joint by joint: each turns at a constant rate, and the tip leaves the "
     "straight line between the same two places by a wide arc. In Figure 5.20a it keeps to the "
     "line.",
     .film = &film_joints},
    {"ccd-1", "Juckett 2009, figure 1: the best a single joint can do",
     "Turning joint j moves the tip e on a circle. Its point nearest to the target t lies on the "
     "line from j to t, so the joint turns by the angle between e and t.",
     .sketch = &sketch_ccd_1},
    {"ccd-2a", "Juckett 2009, figure 2a: before a sweep",
     "Three bones at rest, and the target. One sweep follows, a bone at a time.",
     .sketch = &sketch_ccd_2a},
    {"ccd-2b", "Juckett 2009, figure 2b: bone 3 has turned",
     "The last bone points straight at the target. It alone cannot do more.",
     .sketch = &sketch_ccd_2b},
    {"ccd-2c", "Juckett 2009, figure 2c: bone 2 has turned",
     "The two outer bones move as one, until joint, tip and target are in line.",
     .sketch = &sketch_ccd_2c},
    {"ccd-2d", "Juckett 2009, figure 2d: bone 1 has turned",
     "After one sweep the tip is much nearer. The next sweep begins at bone 3 again.",
     .sketch = &sketch_ccd_2d},
    {"ccd-3a", "Juckett 2009, figure 3a: the trap",
     "Two bones stretched out, and a target between their joints, on the line they lie on.",
     .sketch = &sketch_ccd_3a},
    {"ccd-3b", "Juckett 2009, figure 3b: what should be found",
     "A solution exists: bone 1 turns away from the target so that bone 2 can turn back to it.",
     .sketch = &sketch_ccd_3b},
    {"ccd-3c", "Juckett 2009, figure 3c: what descent finds",
     "Bone 2 has folded onto bone 1, and now both point at the target along one line: neither "
     "gains by turning, and plain descent is stuck. A small nudge sets it free.",
     .sketch = &sketch_ccd_3c},
};
const int gallery_count = COUNT(gallery);
