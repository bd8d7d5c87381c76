/*
 * test_cli_motions.c - the built-in motion by its name, in every command that takes a motion; and
 * strips of motions.
 */
#define _XOPEN_SOURCE 700

#include <math.h>
#include <unistd.h>

#include "results.h"

TEST(it_is_listed_and_described)
{
    program_prints("models", "walk");
    program_prints("models --sources", "lb_gait_walk");
    program_prints("info walk", "motion: 289 keys, 60 a second, together 4.8 s");
    program_prints("info walk --json", "\"motion\":{\"keys\":289,");
}

/* by what it was made with, and as anybody's motion that is read from a file */
TEST(nothing_is_wrong_with_it)
{
    program_prints("check walk", "289 frames");
    program_must("convert walk --as motion --output walk.json");
    program_shell_exits(0, "limber convert walk --as motion | cmp - walk.json");
    program_run("check walk.json --model human --json");
    const char *slide = strstr(program.out, "\"slide\"");
    assert_non_null(slide);
    const char *worst = strstr(slide, "\"worst\": ");
    assert_non_null(worst);
    assert_true(strtod(worst + strlen("\"worst\": "), NULL) < 1e-3);
}

TEST(it_is_converted_and_retargeted)
{
    program_must("convert walk --output walk.csv");
    program_must("convert walk --output walk.bvh");
    program_prints("info walk.bvh", "289 frames");
    program_must("retarget walk --to human --output again.csv --write-contacts contacts.json");
    program_must("check again.csv --model human --contacts contacts.json");
}

/* a robot's own table, with its root, is read again though the model's root is fixed */
TEST(a_table_with_a_root_is_read_again)
{
    program_must("convert ur5 --root floating --output ur5.json");
    program_write("root.csv", "time,root.x,root.y,root.z,root.qw,root.qx,root.qy,root.qz\n"
                              "0,1,2,3,1,0,0,0\n0.125,1,2,4,1,0,0,0\n");
    program_must("convert ur5 --keys root.csv --as limber --output again.csv");
    assert_in_file("again.csv", "\n0.125,1,2,4,1,0,0,0,");
    program_refuses("fk ur5 --poses root.csv", "--root floating");
}

/* where the gaps of the keys differ, with the option that makes them equal */
TEST(uneven_keys_are_refused_for_frames)
{
    program_must("convert walk --output walk.bvh");
    program_write("uneven.csv", "time,root.x\n0,0\n0.1,0.1\n0.3,0.2\n");
    program_refuses("retarget uneven.csv --from human --to walk.bvh --output again.bvh",
                    "--fps N resamples the motion");
    program_must("retarget uneven.csv --from human --to walk.bvh --fps 20 --output again.bvh");
}

/* a file that is called so is what is read; a folder is not */
TEST(a_file_of_its_name_wins)
{
    program_must("convert planar2 --output walk.json");
    assert_int_equal(rename("walk.json", "walk"), 0);
    program_prints("info walk", "planar2");
    unlink("walk");
    program_shell_exits(0, "mkdir walk && limber info walk && rmdir walk");
    assert_printed("289 keys");
}

TEST(what_has_no_effect_is_refused)
{
    program_refuses("info walk --unit cm", "--unit has no effect with a built-in motion");
    program_refuses("info walk --root fixed", "does not move freely");
    program_refuses("check walk --contacts nowhere.json", "nowhere.json");
    program_refuses("check walk --model ur5", "has a figure of its own, so it does not move 'ur5'");
    program_refuses("draw ur5 --motion walk --output x.svg", "limber retarget walk --to ur5");
    program_refuses("retarget walk --from ur5 --to human --output x.csv", "a figure of its own");
    program_refuses("check", "a CLIP is missing: limber check CLIP");
    program_refuses("convert walk x.mp3", "must end in .json, .csv, .bvh, .npz, .pkl, .gltf");
}

/* what a file has is said only of one that was opened */
TEST(no_motion_with_a_model_is_refused_as_what_it_is)
{
    program_refuses("check nothere.bvh --model human", "nothere.bvh: cannot be opened");
    program_refuses("check ur5 --model human", "a built-in model has no motion");
    program_refuses("check - --model human < /dev/null", "-: the file is empty");
}

/* ---- contents ----------------------------------------------------------------- */

/* every kind under a name that says another, or nothing, from a file and from a pipe */
TEST(motion_is_known_by_its_content)
{
    static const struct {
        const char *made, *read;
    } kinds[] = {
        {"convert walk --output m.bvh && mv m.bvh m.dat", "m.dat"},
        {"convert walk --output m.json --as motion && mv m.json m.bvh", "m.bvh --from human"},
        {"convert walk --output m.csv && mv m.csv m.npz", "m.npz --from human"},
        {"retarget walk --to biped --fps 30 --output m.csv && mv m.csv m.glb",
         "m.glb --from biped"},
        {"retarget walk --to biped --fps 120 --output m.csv --as bones && mv m.csv m",
         "m --from biped"},
        {"retarget walk --to biped --output m.npz && mv m.npz m.csv", "m.csv --from biped"},
        {"retarget walk --to biped --output m.pkl && mv m.pkl m.npz", "m.npz --from biped"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char line[256], name[16];
        program_must("%s", kinds[i].made);
        sscanf(kinds[i].read, "%15s", name);
        program_must("retarget %s --to biped --output first.json", kinds[i].read);
        snprintf(line, sizeof line,
                 "mkfifo pipe && (cat %s >pipe &) && limber retarget pipe%s --to biped --output "
                 "again.json && rm pipe && cmp first.json again.json",
                 name, kinds[i].read + strlen(name));
        program_shell_exits(0, line);
        program_must("info %s", name);
        unlink(name);
    }
}

/* a pickle of NumPy's arrays that Python wrote, behind a byte for the harness */
TEST(poses_of_smpl_are_a_capture)
{
    char line[512];
    snprintf(line, sizeof line, "tail -c +2 %s/fuzz/seeds/smpl/pickle >poses.csv",
             LIMBER_SOURCE_DIR);
    program_shell_exits(0, line);
    program_prints("info poses.csv", "motion: 2 keys, 30 a second");
    assert_said("a figure of 1.66 m with the proportions of an average");
    program_must("convert poses.csv --up y --output poses.bvh");
    program_refuses("check poses.csv --source-fps 60", "has its own times");
    program_refuses("info poses.csv --body nowhere.npz", "nowhere.npz: cannot be opened");
    program_refuses("info poses.csv --body poses.csv", "poses.csv: J: there is no such array");
    program_refuses("info poses.bvh --body poses.csv", "a file of SMPL alone has none");
}

TEST(what_is_no_motion_names_file_and_remedy)
{
    program_write("notes.txt", "hello world\n");
    program_refuses("retarget notes.txt --to biped --output x.csv",
                    "notes.txt: it holds no motion: a BVH begins with HIERARCHY");
    program_refuses("check notes.txt --model biped", "notes.txt:1: no joint 'hello world'");
    program_must("convert planar2 --output model.bvh.json");
    program_refuses("retarget model.bvh.json --to biped --output x.csv", "it holds no motion");
    program_must("convert walk walk.csv");
    program_refuses("retarget walk.csv --to biped --output x.csv",
                    "'walk.csv' is a table; --from MODEL names what it moves");
    program_refuses("retarget absent.bvh --to biped --output x.csv", "cannot be opened");
    assert_false(program_has_file("x.csv"));
}

/* ---- strips ------------------------------------------------------------------- */

static void must_draw(const char *arguments)
{
    program_must("draw %s --output strip.svg", arguments);
    owned char *text = program_read("strip.svg");
    assert_true(strncmp(text, "<?xml", 5) == 0 || strncmp(text, "<svg", 4) == 0);
    unlink("strip.svg");
}

/* a table without times has 30 frames a second below another motion, too, unless it is given */
TEST(tables_below_have_the_usual_rate)
{
    program_must("retarget walk --to biped --fps 60 --output b.csv --as lafan1");
    must_draw("walk --below biped --below-motion b.csv --frames 3");
    assert_said("b.csv: no times are in it; 30 frames a second");
    must_draw("walk --below biped --below-motion b.csv --frames 3 --source-fps 60");
    assert_not_said("no times are in it");
}

/* of a name, of a capture's file, of a table with its model, and one above the other */
TEST(strips_are_drawn)
{
    program_must("convert walk --output walk.bvh");
    program_must("retarget walk --to human --output again.csv");
    must_draw("walk");
    must_draw("walk --overlay --frames 3 --begin 1 --end 2.5 --path left_toe --path head");
    must_draw("walk.bvh --frames 4 --unit cm");
    must_draw("human --motion again.csv --frames 4 --title again");
    must_draw("walk --below human --below-motion again.csv --frames 5");
    must_draw("walk.bvh --unit cm --below human --below-motion again.csv");
    must_draw("walk --below walk.bvh --view \"0 0.2\"");
    program_must("retarget walk --to human --output again.csv --write-contacts held.json");
    must_draw("human --motion again.csv --contacts held.json");
    must_draw("walk --below human --below-motion again.csv --below-contacts held.json");
}

/* by how much the ground of a figure in the animated picture falls, per point to the right */
static void assert_ground_falls(int figure, double wanted, double most)
{
    char *text = program_read("strip.svg"), *line = text;
    double x1, y1, x2, y2;
    for (int i = 0; i <= figure; i++) {
        line = strstr(line + 1, "<line class=\"g\"");
        assert_non_null(line);
    }
    assert_int_equal(sscanf(line, "<line class=\"g\" x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"",
                            &x1, &y1, &x2, &y2),
                     4);
    free(text);
    double falls = (y2 - y1) / (x2 - x1);
    if (!(fabs(falls - wanted) <= most))
        fail_msg("the ground of figure %d falls by %g, not %g", figure, falls, wanted);
}

/* the ground slopes as the contacts of a file say, or as it is given */
TEST(strips_have_slopes)
{
    program_must("retarget walk --to human --ground-normal \"-0.2 0 1\" --output up.csv "
                 "--write-contacts held.json");
    program_must("draw human --motion up.csv --contacts held.json --below human "
                 "--below-motion up.csv --animate --output strip.svg");
    assert_ground_falls(0, -0.2, 0.005);
    assert_ground_falls(1, 0, 1e-9);
    program_must("draw human --motion up.csv --ground-normal \"-0.4 0 2\" --below human "
                 "--below-motion up.csv --below-ground-normal \"-0.1 0 1\" --animate "
                 "--output strip.svg");
    assert_ground_falls(0, -0.2, 0.002);
    assert_ground_falls(1, -0.1, 0.002);
    // what is given is not looked for
    program_must("draw human --motion up.csv --contacts held.json --ground-normal \"0 0 1\" "
                 "--animate --output strip.svg");
    assert_ground_falls(0, 0, 1e-9);
    must_draw("human --motion up.csv --contacts held.json");
    must_draw("human --motion up.csv --contacts held.json --overlay");
}

/* the picture that the first page shows is what these commands make */
TEST(the_animated_picture_is_that_of_the_readme)
{
    program_must("retarget walk --to biped --output biped.npz");
    program_must("draw walk --below biped --below-motion biped.npz --animate --begin 1.2 --end 2.4 "
                 "--output walk.svg");
    assert_same_files("walk.svg", LIMBER_SOURCE_DIR "/docs/walk.svg");
}

/* a robot of hinges with speed limits does what the figure does, with nothing wrong in it */
TEST(a_robot_of_hinges_walks)
{
    program_must("retarget walk --to biped --output biped.csv --write-contacts contacts.json");
    program_prints("check biped.csv --model biped --source-fps 60 --contacts contacts.json "
                   "--source walk",
                   "beside its source: 1 times as long");
    // half as fast it does not go where its source goes
    program_run("check biped.csv --model biped --source-fps 30 --source walk --json");
    assert_int_equal(program.status, 1);
    assert_printed("\"duration\": 2");
    program_refuses("check biped.csv --model biped --source-fps 60 --source ur5", "no motion");
    // on a slope heights are those above it
    program_must("retarget walk --to biped --ground-normal '0.1 0 1' --output up.json");
    assert_not_said("unlike its source");
    program_exits(0, "check up.json --model biped --ground-normal '0.1 0 1' --source walk");
    program_run("check up.json --model biped --source walk");
    assert_int_equal(program.status, 1);
    program_run("check up.json --model biped --ground-normal '0.1 0 1' --source walk "
                "--source-ground-normal '0.1 0 1'");
    assert_int_equal(program.status, 1);
    // a piece is compared at its own times: what it lacks is its begin
    program_must("retarget walk --to biped --as limber --output all.csv");
    program_shell_exits(0, "sed 2,79d all.csv >piece.csv");
    program_run("check piece.csv --model biped --source walk --json");
    assert_int_equal(program.status, 1);
    const char *gap = strstr(program.out, "\"gap\""),
               *first = strstr(program.out, "\"beyond\": true");
    assert_true(gap != NULL && first > gap && strstr(first + 1, "\"beyond\": true") == NULL);
}

TEST(wrong_strips_are_refused)
{
    program_refuses("draw walk", "--output is missing");
    program_refuses("draw walk --tree --output s.svg", "--tree cannot be given with a motion");
    program_refuses("draw walk --all --output s.svg", "--all cannot be given with a motion");
    program_refuses("draw walk --at x=1 --output s.svg", "--at has no effect with a motion");
    program_refuses("draw walk --size '1 2' --output s.svg", "--size has no effect");
    program_refuses("draw walk --path head --output s.svg", "--path has no effect without");
    program_refuses("draw walk --overlay --path hed --output s.svg", "did you mean 'head'");
    program_refuses("draw walk --end 9 --output s.svg", "not within the motion's 0 to 4.8 s");
    program_refuses("draw walk --frames 0 --output s.svg", "--frames");
    program_refuses("draw walk --below-motion x.csv --output s.svg", "without --below MODEL");
    program_refuses("draw walk --below-contacts x.json --output s.svg", "without --below MODEL");
    program_refuses("draw walk --below-ground-normal '0 0 1' --output s.svg", "without --below");
    program_refuses("draw walk --ground-normal '1 0 0' --output s.svg", "60 degrees");
    program_refuses("draw walk --ground-normal up --output s.svg", "--ground-normal");
    program_refuses("draw walk --contacts none.json --output s.svg", "none.json");
    program_refuses("draw walk --below human --output s.svg", "a built-in model has no motion");
    program_refuses("draw walk --animate --output s.png", "must end in .svg");
    program_refuses("draw walk --animate --overlay --output s.svg", "cannot both be given");
    program_refuses("draw human --frames 3 --output s.svg", "a built-in model has no motion");
    program_refuses("draw human --unit cm --output s.svg", "--unit has no effect");
}

/* the same columns and numbers: written exactly, degrees and back round an angle of a turn or less
   twice, by 1e-15 each */
static void assert_tables_agree(const char *path, const char *other)
{
    owned_table a = table_of_file(path), b = table_of_file(other);
    assert_int_equal(a.columns, b.columns);
    assert_int_equal(a.rows, b.rows);
    assert_true(a.rows > 40 && a.columns > 20);
    for (int column = 0; column < a.columns; column++) {
        assert_string_equal(csv_name(&a, column), csv_name(&b, column));
        for (int row = 0; row < a.rows; row++)
            assert_near(number_at(&a, row, column), number_at(&b, row, column), 1e-14);
    }
    csv_release(&b);
}

/* a table has a unit of its own, beside that of what is typed and written */
TEST(tables_may_be_in_degrees)
{
    program_must("convert walk --as limber --fps 10 --output rad.csv");
    program_must("convert walk --as limber --fps 10 --degrees --output deg.csv");
    program_must("convert human --keys deg.csv --source-degrees --as limber --output again.csv");
    assert_tables_agree("rad.csv", "again.csv");
    program_must("draw human --motion rad.csv --view \"40 10\" --degrees --output a.svg");
    program_must("draw human --motion rad.csv --view \"0.6981317007977318 0.17453292519943295\" "
                 "--output b.svg");
    program_must("draw human --motion deg.csv --source-degrees --view \"40 10\" --degrees "
                 "--output c.svg");
    program_shell_exits(0, "cmp a.svg b.svg");
    program_shell_exits(0, "cmp a.svg c.svg");
    program_must("retarget rad.csv --from human --to human --output r.json");
    program_must("retarget deg.csv --source-degrees --from human --to human --output d.json");
    program_must("check deg.csv --source-degrees --model human");
    program_write("knee.csv", "time,root.z,left_knee\n0,1,90\n1,1,45\n");
    program_run("check knee.csv --model human");
    assert_said("looks like degrees; add --source-degrees if it is");
    program_refuses("check walk --source-degrees", "'walk' has its own unit of angles");
    program_refuses("check r.json --model human --source-degrees", "has its own unit of angles");
    program_refuses("draw human --source-degrees --output a.svg", "--source-degrees");
}

TEST_FIXTURE(program_start, program_stop)
