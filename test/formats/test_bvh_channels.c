/*
 * test_bvh_channels.c - angles of joints with one, two and three rotation channels.
 *
 * Two files have the same tree, one with angles drawn at random, one with zeros. The second,
 * written with the poses of the first, must have the first one's angles: within a quarter turn of
 * zero, and near those of the frame before, they are unique.
 */
#include "bvh_text.h"
#include "support.h"

enum { FRAMES = 20, COLUMNS = 6 + 3 };

/* a root with all channels, and a child with these rotation channels */
static char *make_text(const char *channels, int count, double (*rows)[COLUMNS])
{
    grown to = {0};
    char line[400];
    snprintf(line, sizeof line,
             "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\n"
             "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
             "JOINT knee\n{\nOFFSET 0 -40 3\nCHANNELS %d %s\nEnd Site\n{\nOFFSET 0 -40 0\n}\n}\n}\n"
             "MOTION\nFrames: %d\nFrame Time: 0.01\n",
             count, channels, FRAMES);
    grown_add(&to, line, strlen(line));
    for (int i = 0; i < FRAMES; i++) {
        for (int k = 0; k < 6 + count; k++) {
            snprintf(line, sizeof line, "%.17g ", rows ? rows[i][k] : 0.0);
            grown_add(&to, line, strlen(line));
        }
        grown_add(&to, "\n", 1);
    }
    return to.text;
}

static void check_channels(const char *channels, int count, lb_random *random)
{
    double rows[FRAMES][COLUMNS] = {{0}};
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k < 6 + count; k++)
            rows[i][k] = i == 0 ? lb_random_between(random, -40, 40)
                                : rows[i - 1][k] + lb_random_between(random, -2, 2);
    owned char *drawn = make_text(channels, count, rows), *still = make_text(channels, count, NULL);
    lb_bvh *from = bvh_read(drawn, NULL), *to = bvh_read(still, NULL);
    grown text = bvh_written(to, lb_bvh_clip(from));
    lb_bvh *again = bvh_read(text.text, NULL);
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k < 6 + count; k++)
            assert_near(lb_bvh_row(again, i)[k], rows[i][k], 1e-7);
    lb_bvh_release(again);
    lb_bvh_release(to);
    lb_bvh_release(from);
    free(text.text);
}

TEST(angles_come_back)
{
    static const struct {
        const char *channels;
        int count;
    } cases[] = {
        {"Xrotation", 1},
        {"Yrotation", 1},
        {"Zrotation", 1},
        {"Xrotation Yrotation", 2},
        {"Yrotation Xrotation", 2},
        {"Zrotation Xrotation", 2},
        {"Yrotation Zrotation", 2},
        {"Zrotation Xrotation Yrotation", 3},
        {"Xrotation Yrotation Zrotation", 3},
    };
    lb_random random = test_seed(91);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_channels(cases[i].channels, cases[i].count, &random);
}

/* ---- a rest pose that was filtered with the motion ------------------------ */

/* A hip that stands at `rest` degrees in frame 0, goes to its motion in so many steps, and then
   turns by so many degrees in each of twenty. */
static lb_bvh *read_blended(double rest, int steps, double later)
{
    char text[4096];
    int size = snprintf(text, sizeof text,
                        "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
                        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: %d\nFrame Time: 0.01\n",
                        steps + 20);
    for (int i = 0; i < steps + 20; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "%g\n",
                         i < steps ? rest * (steps - i) / steps : later * (i - steps));
    return bvh_read(text, NULL);
}

TEST(a_rest_pose_and_what_a_filter_made_of_it_is_left_out)
{
    static const struct {
        double rest;
        int steps;
        double later;
        int frames; /* that are the rest pose */
    } cases[] = {
        {11, 1, 2, 1}, {9, 1, 0, 0},   {90, 1, 10, 1}, {90, 1, 19, 0}, {90, 2, 8, 2}, {90, 5, 3, 5},
        {90, 6, 2, 6}, {-90, 6, 2, 6}, {90, 7, 2, 0},  {90, 5, 4, 0},  {59, 5, 2, 0}, {0, 1, 20, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        owned_bvh *bvh = read_blended(cases[i].rest, cases[i].steps, cases[i].later);
        lb_bvh_info info = lb_bvh_describe(bvh);
        int frames = info.rest_frame ? info.rest_index + 1 : 0;
        if (frames != cases[i].frames)
            fail_msg("case %d: %d frames", (int)i, frames);
        assert_int_equal(lb_clip_count(lb_bvh_motion(bvh)), info.frames - frames);
        assert_null(lb_bvh_rest_pose(bvh));
    }
}
