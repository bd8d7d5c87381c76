/*
 * test_cli_retarget.c - limber retarget and limber check: maps and contacts that were written are
 * read again with the same result, the report agrees with the check, and what is refused.
 */
#define _XOPEN_SOURCE 700

#include "support.h"
#include "support_program.h"
#include <unistd.h>

#define LINE "retarget sway.csv --from human --to human --fps 10 "

/* the figure sways and comes back */
static int write_motion(void)
{
    int failed = program_start();
    program_write("sway.csv", "time,root.x\n0,0\n0.5,0.04\n1,0\n");
    return failed;
}

TEST(what_is_written_is_read_with_the_same_result)
{
    program_must(LINE "--output a.csv --write-map map.json --write-contacts held.json");
    program_must(LINE "--output b.csv --map map.json");
    assert_same_files("a.csv", "b.csv");
    // contacts of the source, which is the same figure
    program_must(LINE "--output c.csv --contacts held.json --report r.json");
    assert_in_file("r.json", "\"frames\": 11");
    assert_in_file("r.json", "\"check\": {");
    // without contacts nothing is held, and none can be written
    program_must(LINE "--output d.csv --no-contacts --no-speed-limits");
}

TEST(scales_and_ground_move_the_root)
{
    program_must(LINE "--output one.csv");
    program_must(LINE "--output half.csv --scale 0.5 --root-scale 0.5");
    program_must(LINE "--output both.csv --root-scale 0.5");
    owned char *one = program_read("one.csv"), *half = program_read("half.csv");
    owned char *both = program_read("both.csv");
    assert_string_not_equal(one, half);
    // one scale alone is both
    assert_string_equal(both, half);
    program_must(LINE "--output high.csv --ground 0.2");
    owned char *high = program_read("high.csv");
    assert_string_not_equal(one, high);
}

TEST(grounds_may_slope)
{
    program_must(LINE "--output flat.csv");
    program_must(LINE
                 "--output level.csv --ground-normal \"0 0 2\" --source-ground-normal \"0 0 1\"");
    owned char *flat = program_read("flat.csv"), *level = program_read("level.csv");
    assert_string_equal(flat, level);
    program_must(LINE "--output up.csv --ground-normal \"-0.1 0 1\" --report r.json");
    assert_in_file("r.json", "\"ground_normal\": [\n    -0.0995");
    // standing on the slope is no fault, on level ground it is
    program_must("check up.csv --model human --ground-normal \"-0.1 0 1\"");
    program_run("check up.csv --model human");
    assert_int_equal(program.status, 1);
}

TEST(checks_have_every_form)
{
    program_must(LINE "--output w.csv --write-contacts w.json");
    program_run("check w.csv --model human --contacts w.json");
    owned char *words = strdup(program.out);
    assert_non_null(strstr(words, "slid"));
    program_run("check w.csv --model human --contacts w.json --json --frames");
    assert_printed("\"columns\": [");
    assert_printed("\"each_frame\": [");
    assert_printed("\"frames\": 11");
    // a robot without feet has nothing to say about them
    program_write("arm.csv", "time,joint_1\n0,0\n0.5,0.2\n");
    program_run("check arm.csv --model planar3");
    assert_said("nothing is said about feet");
    assert_not_printed("slid");
}

/* what links do to each other: by their looks, with a margin, frame by frame; or not known */
TEST(links_that_come_near_are_listed)
{
    // one leg is crossed into the other, in the second frame alone
    program_write("cross.csv", "time,left_hip.qw,left_hip.qx,left_hip.qy,left_hip.qz\n"
                               "0,1,0,0,0\n1,0.96,-0.28,0,0\n");
    program_exits(1, "check cross.csv --model human");
    const char *row = strstr(program.out, "\n  left_thigh - right_thigh ");
    assert_non_null(row);
    double depth = program_number_behind(row, "right_thigh ");
    assert_true(depth > 10 && depth < 200);
    program_exits(1, "check cross.csv --model human --json --frames");
    assert_printed("\"shapes\": \"looks\"");
    assert_printed("\"frames_touching\": 1");
    assert_printed("\"each_frame_near\": [\n    [],\n    [\n");
    // in metres, of the pair and of the frame
    row = strstr(program.out, "\"b\": \"right_thigh\"");
    assert_near(program_number_behind(row, "\"overlap\": "), depth / 1000, 1e-5);
    row = strstr(strstr(program.out, "\"each_frame_near\""), "\"b\": \"right_thigh\"");
    assert_near(program_number_behind(row, "\"overlap\": "), depth / 1000, 1e-5);
    // a margin counts what is nearer: the thighs of one who walks are never 30 cm apart
    program_exits(0, "check walk");
    assert_not_printed("thigh");
    program_exits(1, "check walk --margin 0.1");
    // what is nearer than the margin at rest is measured all the same
    static const char *const margins[] = {"0", "0.1", "1"};
    for (int i = 0; i < 3; i++) {
        program_run("check walk --margin %s", margins[i]);
        assert_printed("\n103 pairs of links checked\n");
    }
    assert_printed(" touching, ");
    // a figure without shapes is not said to be free
    program_must("convert walk --output walk.bvh");
    program_run("check walk.bvh");
    assert_printed("overlap       not measured");
    program_run("check walk.bvh --json");
    assert_printed("\"overlap\": null");
    assert_printed("\"shapes\": \"none\"");
}

/* what crosses its legs does not with a margin, and the report and the check agree */
TEST(links_stay_apart)
{
    program_write("cross.csv", "time,left_hip.qw,left_hip.qx,left_hip.qy,left_hip.qz\n"
                               "0,1,0,0,0\n1,0.96,-0.28,0,0\n");
    program_must("retarget cross.csv --from human --to human --fps 30 --margin 0.02 --no-contacts "
                 "--output apart.csv --report r.json");
    assert_in_file("r.json", "\"near_frames\": ");
    program_run("check apart.csv --model human --margin 0.018 --json");
    assert_printed("\"near\": []");
    program_must("convert walk --output walk.bvh");
    program_must("retarget walk --to biped --output x.csv --retime --hands");
    program_refuses("retarget cross.csv --from human --to walk.bvh --output x.csv --margin 0",
                    "no two links");
    program_refuses("retarget cross.csv --from human --to human --output x.csv --fit capsule",
                    "--margin");
}

/* the contacts of anybody's clip are found without the blends between them, and counted */
TEST(contacts_are_found_and_counted)
{
    program_must("retarget walk --to biped --output b.json --write-contacts held.json");
    program_prints("check b.json --model biped", " contacts of 4 points of the feet, detected\n");
    program_prints("check b.json --model biped --contacts held.json",
                   "points of the feet, given\n");
    program_prints("check walk", "points of the feet, built in\n");
    assert_printed("speed         not measured: no joint has a speed limit");
    // a skeleton's soles are assumed; how far they are from the ground is not known
    program_must("convert walk --output walk.bvh");
    program_run("check walk.bvh");
    assert_printed("; sole positions assumed\n");
    assert_printed("penetration   not measured: the feet have no shapes");
    program_run("check walk.bvh --json");
    assert_printed("\"soles_assumed\": true");
    assert_printed("\"floating\": null");
    // a figure that glides over the ground slides; one that rises has left it
    program_write("glide.csv", "time,root.x\n0,0\n1,3\n");
    program_run("check glide.csv --model human");
    assert_printed("slide         3 ");
    program_write("fall.csv", "time,root.z\n0,1\n0.5,4\n");
    program_run("check fall.csv --model human");
    assert_printed("0 contacts of 4 points of the feet, detected\n");
    assert_printed("slide         not measured: no point of the feet rests");
    program_run("check fall.csv --model human --json");
    assert_printed("\"spans\": 0");
    assert_printed("\"slide\": null");
    assert_printed("\"floating\": null");
    // one that stays at a height floats there
    program_write("fly.csv", "time,root.x,root.z\n0,0,2\n3,9,2\n");
    program_run("check fly.csv --model human");
    assert_int_equal(program.status, 1);
    assert_printed("floating      2 ");
}

/* a limit keeps an arm raised: that the motion is unlike its source is said by name */
TEST(what_is_unlike_its_source_is_named)
{
    program_must("retarget walk --to biped --output like.json --report like.txt");
    assert_not_said("unlike its source");
    program_write("l.json",
                  "{\"joint_limits\": {\"left_shoulder_pitch\": {\"has_position_limits\": true, "
                  "\"min_position\": -2.9, \"max_position\": -2.8}}}");
    program_must("retarget walk --to biped --output up.json --limits l.json --report report.txt");
    assert_said("unlike its source: trunk, left arm; limber check --source");
    assert_in_file("report.txt", "\"left arm\": {");
}

/* a leg of a robot: hinges across, in the limber format */
#define LEG(side, y)                                                                               \
    "{\"name\": \"" side                                                                           \
    "_thigh\", \"kind\": \"revolute\", \"parent\": \"pelvis\", \"child\": \"" side                 \
    "_thigh\", \"axis\": [0, 1, 0], \"placement\": {\"xyz\": [0, " y ", 0]}},"                     \
    "{\"name\": \"" side "_shin\", \"kind\": \"revolute\", \"parent\": \"" side                    \
    "_thigh\", \"child\": \"" side                                                                 \
    "_shin\", \"axis\": [0, 1, 0], \"placement\": {\"xyz\": [0, 0, -0.4]}},"                       \
    "{\"name\": \"" side "_foot\", \"kind\": \"revolute\", \"parent\": \"" side                    \
    "_shin\", \"child\": \"" side                                                                  \
    "_foot\", \"axis\": [0, 1, 0], \"placement\": {\"xyz\": [0, 0, -0.4]}}"

/* what is wrong with a source is said, and what of it nothing of the target follows */
TEST(faults_of_a_source_are_said)
{
    program_write(
        "legs.json",
        "{\"limber\": 1, \"name\": \"legs\", \"root\": {\"xyz\": [0, 0, 0.88]}, \"links\": ["
        "{\"name\": \"pelvis\"}, {\"name\": \"left_thigh\"}, {\"name\": \"left_shin\"},"
        "{\"name\": \"left_foot\"}, {\"name\": \"right_thigh\"}, {\"name\": \"right_shin\"},"
        "{\"name\": \"right_foot\"}], \"joints\": [" LEG("left", "0.1") "," LEG("right",
                                                                                "-0.1") "]}");
    program_must("retarget walk --to biped --output like.json");
    assert_not_said("the source itself");
    assert_not_said("left out");
    program_must("retarget walk --to legs.json --output legs.csv");
    assert_said("left out, as no such joints of the target are found: chest, head, upper arms, "
                "forearms, hands");
    program_write("spike.csv", "time,root.x\n0,0\n0.1,0\n0.2,0.5\n0.3,0\n0.4,0\n");
    program_must("retarget spike.csv --from human --to human --output o.csv");
    assert_said("the source itself has a shift of 0.25 m at 0.3 s (root); frames that have one: 2");
}

/* limits from a file of their own: what is beyond them is found, and retargeting stays within */
TEST(limits_may_be_in_a_file)
{
    program_write("l.json", "{\"joint_limits\": {\"left_knee\": {\"max_velocity\": 2, "
                            "\"max_acceleration\": 20}}}");
    program_must("retarget walk --to biped --output free.json --write-contacts c.json");
    program_exits(0, "check free.json --model biped --contacts c.json");
    program_run("check free.json --model biped --contacts c.json --limits l.json --json");
    assert_int_equal(program.status, 1);
    const char *speed = strstr(program.out, "\"speed\"");
    const char *fast = strstr(program.out, "\"acceleration\"");
    assert_non_null(speed);
    assert_non_null(fast);
    assert_true(program_number_behind(speed, "\"frames_beyond\": ") > 0);
    assert_true(program_number_behind(fast, "\"frames_beyond\": ") > 0);
    program_must("retarget walk --to biped --output slow.json --limits l.json");
    program_run("check slow.json --model biped --limits l.json --json");
    speed = strstr(program.out, "\"speed\"");
    assert_non_null(speed);
    assert_true(program_number_behind(speed, "\"frames_beyond\": ") == 0);
    program_refuses("check walk --limits l.json", "--limits has no effect on what moves");
    program_refuses("check free.json --model biped --limits none.json", "none.json");
}

/* what may not move and does is infinitely too fast, for which JSON has no number */
TEST(a_joint_without_speed_is_measured)
{
    program_write("stuck.json",
                  "{\"limber\": 1, \"name\": \"stuck\", \"links\": [{\"name\": \"a\"}, {\"name\": "
                  "\"b\"}], \"joints\": [{\"name\": \"j\", \"kind\": \"revolute\", \"parent\": "
                  "\"a\", \"child\": \"b\", \"limits\": [-1, 1], \"velocity\": 0}]}");
    program_write("moves.csv", "time,j\n0,0\n0.5,0.5\n1,0\n");
    program_write("rests.csv", "time,j\n0,0.5\n0.5,0.5\n1,0.5\n");
    program_exits(1, "check moves.csv --model stuck.json --json");
    const char *speed = strstr(program.out, "\"speed\": {");
    assert_non_null(speed);
    assert_non_null(strstr(speed, "\"worst\": null"));
    assert_non_null(strstr(speed, "\"rms\": null"));
    assert_true(program_number_behind(speed, "\"frames_beyond\": ") == 2);
    program_run("check moves.csv --model stuck.json");
    assert_printed("inf");
    program_run("check rests.csv --model stuck.json --json");
    speed = strstr(program.out, "\"speed\": {");
    assert_non_null(speed);
    assert_true(program_number_behind(speed, "\"frames_beyond\": ") == 0);
    // in the report of retargeting
    program_must("convert biped biped.json");
    program_shell_exits(0, "sed '/left_knee\", \"kind\"/{\nn\n"
                           "s/\"velocity\": [0-9.]*/\"velocity\": 0/\n}' biped.json > zero.json");
    program_must("retarget walk --to zero.json --output z.json --report r.json");
    owned char *report = program_read("r.json");
    assert_non_null(strstr(report, "\"fastest\": null"));
    assert_non_null(strstr(report, "\"fastest_leg\": null"));
}

/* a figure that is none is refused with what was found of it, to be completed */
TEST(a_map_that_is_refused_is_a_beginning)
{
    program_write(
        "half.json",
        "{\"limber\": 1, \"name\": \"half\", \"links\": [{\"name\": \"pelvis\"}, {\"name\": "
        "\"left_thigh\"}, {\"name\": \"left_shin\"}], \"joints\": [{\"name\": \"h\", "
        "\"kind\": \"revolute\", \"parent\": \"pelvis\", \"child\": \"left_thigh\"}, "
        "{\"name\": \"k\", \"kind\": \"revolute\", \"parent\": \"left_thigh\", "
        "\"child\": \"left_shin\"}]}");
    program_write("m.csv", "time,h,k\n0,0,0\n1,0.1,0.2\n");
    program_says(2, "retarget m.csv --from half.json --to biped --output o.csv", "--write-map");
    program_exits(2, "retarget m.csv --from half.json --to biped --output o.csv "
                     "--write-map begun.json");
    assert_in_file("begun.json", "\"left thigh\"");
    assert_not_in_file("begun.json", "\"right thigh\"");
    // nothing is found of a lever
    program_write(
        "lever.json",
        "{\"limber\": 1, \"name\": \"lever\", \"links\": [{\"name\": \"u\"}, {\"name\": \"w\"}], "
        "\"joints\": [{\"name\": \"h\", \"kind\": \"revolute\", \"parent\": \"u\", "
        "\"child\": \"w\"}]}");
    program_write("lever.csv", "time,h\n0,0\n1,0.1\n");
    program_says(2,
                 "retarget lever.csv --from lever.json --to biped --output o.csv "
                 "--write-map none.json",
                 "none.json has no pair");
    assert_in_file("none.json", "\"pairs\": [");
}

/* a joint of both legs in a file of limits */
#define SLOW(joint)                                                                                \
    "\"left_" joint "\": {\"max_velocity\": 0.2}, \"right_" joint "\": {\"max_velocity\": 0.2}"

/* steps that are others because legs are too slow are not passed over in silence; feet stay where
   they land but for a roll, hardly a step being left to legs that are 24 times too slow */
TEST(slow_legs_are_said)
{
    program_write("l.json", "{\"joint_limits\": {" SLOW("hip_pitch") ", " SLOW("knee") ", " SLOW(
                                "ankle_pitch") "}}");
    program_must("retarget walk --to biped --limits l.json --output s.json --report r.json");
    assert_said("times as fast as their limits");
    assert_said("--retime");
    owned char *report = program_read("r.json");
    assert_true(program_number_behind(report, "\"fastest_leg\": ") > 1);
    assert_true(program_number_behind(strstr(report, "\"slide\""), "\"worst\": ") < 0.01);
    program_must("retarget walk --to biped --limits l.json --output s.json --fast");
    assert_said("mm from their places");
    program_must("retarget walk --to biped --limits l.json --output s.json --retime");
    assert_not_said("as fast as their limits");
    program_must("retarget walk --to biped --output s.json");
    assert_not_said("as fast as their limits");
    // what is not seen of feet is not said
    program_write("l.json", "{\"joint_limits\": {\"left_ankle_roll\": {\"max_velocity\": 1e-3}}}");
    program_must("retarget walk --to biped --root-scale 2.5 --limits l.json --output s.json");
    assert_said("held feet slide by up to ");
    assert_not_said("below the ground");
}

/* a rest pose in frame 0 is left out whether recognised or given, and outputs begin at 0 */
TEST(rest_poses_are_left_out)
{
    program_must("convert walk --fps 30 walk.bvh");
    // the first frame once more, with a knee bent by 90 degrees, before all others
    program_shell("awk '/^Frames:/ {$2 = $2 + 1} {print} /^Frame Time/ {getline; n = split($0, a, "
                  "\" \"); a[10] += 90; for (i = 1; i <= n; i++) printf \"%%s \", a[i]; print "
                  "\"\"; print $0}' walk.bvh >rest.bvh");
    program_prints("info rest.bvh", "frame 0 is a rest pose, recognised; the motion begins");
    program_must("info rest.bvh --rest-frame no --up y --unit cm");
    assert_not_printed("rest pose");
    assert_printed("(cm), given\nup: y, given\n");
    program_prints("info walk.bvh --rest-frame 3",
                   "frame 3 is a rest pose, given; the motion begins with ");
    program_must("retarget rest.bvh --to human --output r.csv --write-contacts r.json");
    char *table = program_read("r.csv"), *held = program_read("r.json");
    assert_true(program_number_behind(table, "\n") == 0);
    assert_non_null(strstr(held, "[0, "));
    free(table);
    free(held);
    // contacts of the result are at the same times as those of the source, to the last digit
    program_must("retarget rest.bvh --to rest.bvh --output a.bvh --write-contacts a.json");
    program_must("retarget rest.bvh --to rest.bvh --contacts a.json --output b.bvh "
                 "--write-contacts b.json");
    owned char *again = program_read("b.json");
    held = program_read("a.json");
    assert_string_equal(held, again);
    free(held);
    program_shell_exits(0, "tail -n +2 r.csv | wc -l | grep -qx 145");
    program_must("retarget rest.bvh --rest-frame no --to human --output r.csv");
    program_shell_exits(0, "tail -n +2 r.csv | wc -l | grep -qx 146");
    program_must("retarget rest.bvh --rest-frame 2 --to human --output r.csv");
    program_shell_exits(0, "tail -n +2 r.csv | wc -l | grep -qx 143");
    program_must("retarget rest.bvh --rest-frame 144 --to human --output r.csv");
    program_shell_exits(0, "tail -n +2 r.csv | wc -l | grep -qx 1");
    // what is written of the motion alone begins after it, at 0
    program_must("convert rest.bvh --rest-frame 2 r.csv");
    table = program_read("r.csv");
    assert_true(program_number_behind(table, "\n") == 0);
    free(table);
    program_shell_exits(0, "tail -n +2 r.csv | wc -l | grep -qx 143");
    program_must("convert rest.bvh --rest-frame yes r.bvh");
    program_shell_exits(0, "cmp r.bvh walk.bvh");
    program_must("convert rest.bvh r.bvh");
    program_prints("info r.bvh --json", "\"frames\":146");
    program_refuses("convert rest.bvh --rest-frame 2 s.json", "no effect on a skeleton");
    program_refuses("convert rest.bvh --rest-frame 2 --keys r.csv s.bvh", "with --keys");
    program_refuses("info rest.bvh --rest-frame 145", "frame 145 cannot be a rest pose");
    program_refuses("info rest.bvh --rest-frame maybe", "is not yes, no or the number of a frame");
    program_refuses("info rest.bvh --rest-frame 1.5", "--rest-frame");
    program_refuses("info rest.bvh --unit furlong", "no unit 'furlong'; m, cm, mm, inch, cmu or a");
    program_refuses("info rest.bvh --unit -1", "--unit: -1 is not above zero");
}

/* an arm that straightens has hardly a twist of its own; it shook by half a radian a frame */
TEST(straight_arms_do_not_shake)
{
    const char *capture = LIMBER_DATA_DIR "/bvh/01_01.bvh";
    const char *figure = LIMBER_DATA_DIR "/gltf/robot_expressive.glb";
    if (!program_has_file(capture) || !program_has_file(figure)) {
        print_message("no shared data: skipped\n");
        return;
    }
    program_must("retarget %s --to %s --output o.csv --as limber --report r.json", capture, figure);
    owned char *report = program_read("r.json");
    const char *jump = strstr(report, "\"jump\"");
    assert_true(program_number_behind(jump, "\"worst\": ") < 0.3);
}

/* the root of the target alone: the capture's stays as its file has it */
TEST(the_target_s_root_may_stay_level)
{
    program_must("convert walk --output walk.bvh");
    program_must("retarget walk.bvh --to biped --root planar --as limber --output level.csv");
    owned char *text = program_read("level.csv");
    assert_int_equal(strncmp(text, "time,root.x,root.y,root.angle,", 30), 0);
}

TEST(wrong_options_are_refused)
{
    program_refuses(LINE, "--output");
    program_refuses(LINE "--output x.csv --scale 0", "--scale");
    program_refuses(LINE "--output x.csv --root-scale -1", "--root-scale");
    program_refuses(LINE "--output x.csv --ground up", "--ground");
    program_refuses(LINE "--output x.csv --ground-normal \"0 0 0\"", "--ground-normal");
    program_refuses(LINE "--output x.csv --source-ground-normal \"1 0\"", "--source-ground-normal");
    program_refuses(LINE "--output x.csv --ground-normal \"1 0 0\"", "60 degrees");
    program_refuses(LINE "--output x.csv --map none.json", "none.json");
    program_refuses(LINE "--output x.csv --contacts none.json", "none.json");
    // as many frames a second as the library takes: the next option is refused
    program_refuses("retarget sway.csv --from human --to human --output x.csv --fps 9999999.5"
                    " --map none.json",
                    "none.json");
    program_refuses("retarget sway.csv --from human --to human --output x.csv --fps 10000000",
                    "--fps: 10000000 a second are 10000001 frames of this motion");
    program_refuses(LINE "--output x.csv --as poem", "--as");
    program_refuses(LINE "--output x.txt", "x.txt");
    program_refuses("retarget sway.csv --to human --output x.csv", "--from");
    program_refuses("retarget sway.csv --from human --to human --report x.json --write-map x.json",
                    "--report and --write-map cannot both be written to 'x.json'");
    // one file by two names: folders and links lead to it, there or not yet there
    program_shell_exits(0, "ln -s . here && touch there.json && ln -s there.json link");
    program_refuses(LINE "--report ./x.json --write-map here/x.json",
                    "cannot both be written to 'here/x.json'");
    program_refuses(LINE "--report there.json --write-map here/link", "cannot both be written to");
    program_shell_exits(0, "rm here link there.json");
    // a link that leads to nothing yet
    program_shell_exits(0, "ln -s made.json to_made.json");
    program_refuses(LINE "--report to_made.json --write-map made.json",
                    "cannot both be written to");
    program_refuses(LINE "--report made.json --write-map to_made.json",
                    "cannot both be written to");
    program_must(LINE "--report to_made.json");
    program_shell_exits(0,
                        "test -L to_made.json && test -f made.json && rm made.json to_made.json");
    // standard output is not the file of that name, but whatever leads there
    program_must(LINE "--report - --write-map ./-");
    program_shell_exits(0, "rm ./-");
    program_refuses(LINE "--report - --write-map /dev/fd/1", "cannot both be written to");
    program_must(LINE "--report /dev/null --write-map /dev/null");
    program_refuses("retarget sway.csv --from human --to planar3 --output x.csv",
                    "the target 'planar3' has no pelvis and legs");
    program_refuses("retarget sway.csv --from human --to human --root fixed --output x.csv",
                    "--root fixed");
    program_refuses("retarget none.bvh --to human --output x.csv", "none.bvh");
    program_refuses("check none.csv --model human", "none.csv");
    program_refuses("check sway.csv --model human --contacts none.json", "none.json");
    program_refuses("check sway.csv --model human --ground down", "--ground");
    program_refuses("check sway.csv --model human --ground-normal steep", "--ground-normal");
    program_refuses("check sway.csv --model human --frames", "--frames");
    program_refuses("check sway.csv --model human --margin -1", "--margin");
    program_refuses("check sway.csv --model human --fit ball", "--fit");
}

#define STREAM "retarget - --stream --from human --to biped "

/* by names and in the order of the values; one line comes out for each that goes in */
TEST(rows_are_retargeted_as_they_come)
{
    program_shell_exits(0, "limber retarget - --stream --from human --to human <sway.csv "
                           ">all.csv && limber " STREAM "<all.csv >named.csv");
    program_shell_exits(0, "tail -n +2 all.csv | limber " STREAM ">ordered.csv");
    owned char *named = program_read("named.csv"), *ordered = program_read("ordered.csv");
    assert_string_equal(named, ordered);
    assert_true(program_begins(named, "time,root.x,root.y,root.z,root.qw"));
    // what is written is a motion that can be checked
    program_exits(0, "check named.csv --model biped");
    program_shell_exits(0, "limber " STREAM "<sway.csv >few.csv");
    // blank lines, a last line without an end, and Windows' line ends
    program_shell_exits(0, "printf 'time,root.x\\r\\n0,0\\r\\n\\n0.5,0.04\\n1,0' | "
                           "limber " STREAM "| cmp - few.csv");
}

/* nothing waits for a row that comes later */
TEST(a_row_is_written_before_the_next_one_comes)
{
    program_write("talk.sh", "mkfifo to from\n"
                             "limber " STREAM "<to >from &\n"
                             "exec 3>to 4<from\n"
                             "echo time,root.x >&3 && read names <&4\n"
                             "echo 0,0 >&3 && read first <&4\n"
                             "echo 0.01,0.001 >&3 && read second <&4\n"
                             "exec 3>&-\n"
                             "wait && rm to from && test \"$first\" != \"$second\"\n");
    program_shell_exits(0, "timeout 60 sh talk.sh");
}

TEST(rows_that_cannot_be_are_refused)
{
    static const char *const rows[][2] = {
        {"root.x\\n1\\n", "line 1: there is no column 'time'"},
        {"time,elbow\\n", "line 1: no joint 'elbow'"},
        {"time,time\\n", "line 1: two columns have the same name"},
        {"0,1,2\\n", "line 1: it has not as many fields as there are columns"},
        {"time\\n0,1\\n", "line 2: it has not as many fields as there are columns"},
        {"time,root.x\\n0\\n", "line 2: it has not as many fields as there are columns"},
        {"time\\n0\\n\\nx\\n", "line 4: a field is not a number"},
        {"time\\n1\\n0\\n", "line 3: its time is before that of the line above"},
        {"time,root.x\\n0,1e300\\n", "line 2: its time is before that of the line above, or a "
                                     "place is out of range"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        program_shell_exits(2, "printf '%s' | limber " STREAM, rows[i][0]);
        assert_said(rows[i][1]);
    }
    program_refuses(STREAM "--output x.csv", "--output has no effect with --stream");
    program_refuses(STREAM "--root fixed", "--root fixed");
    program_refuses("retarget sway.csv --stream --from human --to biped", "give - in place of");
    program_refuses("retarget - --stream --to biped", "--from MODEL names the figure");
}

TEST_FIXTURE(write_motion, program_stop)
