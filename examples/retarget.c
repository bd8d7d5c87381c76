/*
 * retarget.c - a capture onto a robot: BVH in, the table that training code reads out.
 *
 *     retarget walk.bvh g1.urdf walk.csv
 *
 * retarget_file() does it all. Without arguments a made-up capture of two frames moves the built-in
 * figure: it bends its knees, and its feet stay in place.
 *
 * Prints:
 *     31 frames, legs 1.023 times as long; hips 4.6 cm lower in the end
 *     feet slide 0.0 mm at most, enter the ground by 0.0 mm
 */
#include <limber/formats/bvh.h>
#include <limber/formats/load.h>
#include <limber/formats/robot_csv.h>
#include <limber/limber.h>
#include <stdio.h>
#include <string.h>

static bool write_piece(void *stream, const void *text, size_t size)
{
    return fwrite(text, 1, size, stream) == size;
}

static lb_status write_table(const lb_clip *motion, const char *path, lb_error *error)
{
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        snprintf(error->message, sizeof error->message, "%s cannot be written", path);
        return LB_FILE_ERROR;
    }
    lb_status status = lb_robot_csv_write(motion, LB_ROBOT_CSV_LAFAN1, write_piece, stream, error);
    return fclose(stream) == 0 ? status : LB_FILE_ERROR;
}

static lb_status retarget_file(const char *capture, const char *robot, const char *output,
                               lb_error *error)
{
    lb_bvh *bvh = NULL;
    lb_model *model = NULL;
    lb_clip *motion = NULL;
    lb_load_options load = lb_load_options_default();
    load.root = LB_ROOT_FLOATING;
    lb_status status = lb_bvh_load(capture, NULL, &bvh, error);
    if (status == LB_OK)
        status = lb_load_with_options(robot, &load, &model, error);
    // a rest pose before the motion, as in the CMU captures, is left out
    if (status == LB_OK)
        status = lb_retarget(lb_bvh_motion(bvh), model, NULL, NULL, &motion, NULL, NULL, error);
    if (status == LB_OK)
        status = write_table(motion, output, error);
    lb_clip_release(motion);
    lb_model_release(model);
    lb_bvh_release(bvh);
    return status;
}

/* ---- a capture of our own ------------------------------------------------- */

#define LEG(side, x)                                                                               \
    "JOINT " side "UpLeg {\nOFFSET " x " 0 0\nCHANNELS 1 Xrotation\n"                              \
    "JOINT " side "Leg {\nOFFSET 0 -42 0\nCHANNELS 1 Xrotation\n"                                  \
    "JOINT " side "Foot {\nOFFSET 0 -42 0\nCHANNELS 1 Xrotation\n"                                 \
    "End Site {\nOFFSET 0 -8 14\n}\n}\n}\n}\n"

static const char squat[] =
    "HIERARCHY\nROOT Hips {\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n" LEG(
        "Left", "9") LEG("Right", "-9") "}\nMOTION\nFrames: 2\nFrame Time: 1\n"
                                        "0 92 0  0 0 0  0 0 0\n"
                                        "0 86.9339 0  -20 40 -20  -20 40 -20\n";

static double hip_height(const lb_clip *motion, int key)
{
    return lb_clip_key(motion, key)[lb_model_joint_q(lb_clip_model(motion), 0) + 2];
}

static lb_status squat_human(lb_error *error)
{
    lb_bvh *bvh = NULL;
    lb_model *model = NULL;
    lb_clip *motion = NULL;
    lb_contacts *contacts = NULL;
    lb_retarget_report report;
    lb_check_report check;
    lb_load_options load = lb_load_options_default();
    lb_retarget_options options = lb_retarget_options_default();
    load.root = LB_ROOT_FLOATING;
    options.rate = 30;
    lb_status status = lb_bvh_load_memory("squat.bvh", squat, strlen(squat), NULL, &bvh, error);
    if (status == LB_OK)
        status = lb_load_with_options("human", &load, &model, error);
    if (status == LB_OK)
        status = lb_retarget(lb_bvh_clip(bvh), model, &options, NULL, &motion, &contacts, &report,
                             error);
    if (status == LB_OK)
        status = lb_clip_check(motion, contacts, NULL, NULL, NULL, &check, error);
    if (status == LB_OK) {
        double lower = hip_height(motion, 0) - hip_height(motion, report.frames - 1);
        printf("%d frames, legs %.3f times as long; hips %.1f cm lower in the end\n", report.frames,
               report.scale, 100 * lower);
        printf("feet slide %.1f mm at most, enter the ground by %.1f mm\n",
               1000 * check.items[LB_CHECK_SLIDE].worst,
               1000 * check.items[LB_CHECK_PENETRATION].worst);
    }
    lb_contacts_release(contacts);
    lb_clip_release(motion);
    lb_model_release(model);
    lb_bvh_release(bvh);
    return status;
}

int main(int count, char **words)
{
    lb_error error = {0};
    lb_status status =
        count == 4 ? retarget_file(words[1], words[2], words[3], &error) : squat_human(&error);
    if (status != LB_OK)
        fprintf(stderr, "%s\n", error.message);
    return status == LB_OK ? 0 : 1;
}
