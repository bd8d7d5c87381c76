/*
 * test_cli_gltf.c - motion that is written into a glTF: which animation it becomes.
 */
#include "support_program.h"

/* a figure of nodes alone: hips, a spine, two legs and two arms; 0.9 m from the hips to the soles
 */
static const char figure[] =
    "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": ["
    "{\"name\": \"Hips\", \"translation\": [0, 0.95, 0], \"children\": [1, 4, 8, 12, 15]},"
    "{\"name\": \"Spine\", \"translation\": [0, 0.2, 0], \"children\": [2]},"
    "{\"name\": \"Neck\", \"translation\": [0, 0.3, 0], \"children\": [3]},"
    "{\"name\": \"Head\", \"translation\": [0, 0.1, 0]},"
    "{\"name\": \"LeftUpLeg\", \"translation\": [0.1, 0, 0], \"children\": [5]},"
    "{\"name\": \"LeftLeg\", \"translation\": [0, -0.45, 0], \"children\": [6]},"
    "{\"name\": \"LeftFoot\", \"translation\": [0, -0.42, 0], \"children\": [7]},"
    "{\"name\": \"LeftToeBase\", \"translation\": [0, -0.06, 0.14]},"
    "{\"name\": \"RightUpLeg\", \"translation\": [-0.1, 0, 0], \"children\": [9]},"
    "{\"name\": \"RightLeg\", \"translation\": [0, -0.45, 0], \"children\": [10]},"
    "{\"name\": \"RightFoot\", \"translation\": [0, -0.42, 0], \"children\": [11]},"
    "{\"name\": \"RightToeBase\", \"translation\": [0, -0.06, 0.14]},"
    "{\"name\": \"LeftArm\", \"translation\": [0.2, 0.45, 0], \"children\": [13]},"
    "{\"name\": \"LeftForeArm\", \"translation\": [0.28, 0, 0], \"children\": [14]},"
    "{\"name\": \"LeftHand\", \"translation\": [0.26, 0, 0]},"
    "{\"name\": \"RightArm\", \"translation\": [-0.2, 0.45, 0], \"children\": [16]},"
    "{\"name\": \"RightForeArm\", \"translation\": [-0.28, 0, 0], \"children\": [17]},"
    "{\"name\": \"RightHand\", \"translation\": [-0.26, 0, 0]}],"
    "\"skins\": [{\"joints\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]}]}";

/* a box from 8 cm below the ankle up to it, 6 cm behind and 18 cm before it */
static const char shoe[] =
    ", \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}], \"accessors\": "
    "[{\"bufferView\": 0, \"componentType\": 5126, \"type\": \"VEC3\", \"count\": 8}], "
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 96}], \"buffers\": [{\"byteLength\": 96, "
    "\"uri\": \"data:;base64,CtcjvQrXo72PwnW9CtcjvQrXo73sUTg+CtcjvQAAAACPwnW9CtcjvQAAAADsUTg+"
    "CtcjPQrXo72PwnW9CtcjPQrXo73sUTg+CtcjPQAAAACPwnW9CtcjPQAAAADsUTg+\"}]}";

/* the figure with a shoe on each foot */
static void write_shod(void)
{
    char text[sizeof figure + sizeof shoe + 64];
    const char *left = strstr(figure, "\"name\": \"LeftFoot\""),
               *right = strstr(figure, "\"name\": \"RightFoot\"");
    snprintf(text, sizeof text, "%.*s\"mesh\": 0, %.*s\"mesh\": 0, %.*s%s", (int)(left - figure),
             figure, (int)(right - left), left, (int)strlen(right) - 1, right, shoe);
    program_write("shod.gltf", text);
}

static int write_figure(void)
{
    int failed = program_start();
    program_write("figure.gltf", figure);
    write_shod();
    program_write("sway.csv", "time,root.x\n0,0\n0.5,0.04\n1,0\n");
    return failed;
}

/* that a file has these animations, as limber info lists them */
static void assert_animations(const char *path, const char *const *names, int count)
{
    program_must("info %s --json", path);
    const char *at = strstr(program.out, "\"animations\":[");
    assert_non_null(at);
    const char *end = strchr(at, ']');
    for (int i = 0; i < count; i++) {
        const char *found = strstr(at, names[i]);
        if (found == NULL || found > end)
            fail_msg("no animation '%s' in %s", names[i], program.out);
    }
    int found = 0;
    for (; (at = strstr(at, "\"name\":")) != NULL && at < end; at++)
        found++;
    assert_int_equal(found, count);
}

/* called as the source is, unless --name says otherwise; another name is one more, the same none */
TEST(animations_are_named_after_their_source)
{
    program_must("retarget walk --to figure.gltf --output one.glb");
    assert_animations("one.glb", (const char *[]){"\"walk\""}, 1);
    program_must("retarget sway.csv --from human --to one.glb --output two.glb");
    assert_animations("two.glb", (const char *[]){"\"walk\"", "\"sway\""}, 2);
    program_must("retarget walk --to two.glb --output three.glb --fps 20 --name strolling");
    assert_animations("three.glb", (const char *[]){"\"walk\"", "\"sway\"", "\"strolling\""}, 3);
    // in its place, with other keys
    program_must("retarget walk --to three.glb --output three.glb --fps 10");
    assert_animations("three.glb", (const char *[]){"\"walk\"", "\"sway\"", "\"strolling\""}, 3);
    program_must("convert three.glb --clip walk walk.csv");
    owned char *rows = program_read("walk.csv");
    int count = -1;
    for (const char *at = rows; (at = strchr(at, '\n')) != NULL; at++)
        count++;
    assert_int_equal(count, 49);
    // a source that is a glTF brings the name of its animation
    program_must("retarget three.glb --clip strolling --to figure.gltf --output four.gltf");
    assert_animations("four.gltf", (const char *[]){"\"strolling\""}, 1);
}

/* --unit and its like are those of the source, not of the figure that follows it */
TEST(the_target_is_as_its_file_says)
{
    program_must("retarget walk --to figure.gltf --output one.glb --name only");
    program_must("convert one.glb --fps 30 walk.bvh");
    program_must("retarget walk.bvh --to figure.gltf --output a.gltf --name x");
    program_must("retarget walk.bvh --unit cm --rest-frame no --to figure.gltf --output b.gltf "
                 "--name x");
    assert_same_files("a.gltf", "b.gltf");
    program_refuses("retarget sway.csv --from human --unit cm --to figure.gltf --output c.glb",
                    "--unit has no effect with a model that is no file of motion");
}

TEST(a_name_that_has_no_effect_is_refused)
{
    program_must("retarget walk --to figure.gltf --output one.glb");
    program_refuses("retarget walk --to human --output out.csv --name x",
                    "--name has no effect without --output FILE.glb");
    program_refuses("retarget walk --to human --report r.json --name x",
                    "--name has no effect without --output FILE.glb");
    program_refuses("convert one.glb --fps 10 --name x out.bvh", "--name has no effect");
    program_refuses("convert one.glb --name x out.glb", "without --keys or --fps");
    program_must("convert one.glb --fps 10 --name slow out.glb");
    assert_animations("out.glb", (const char *[]){"\"walk\"", "\"slow\""}, 2);
}

/* soles are where shoes are drawn, in what is retargeted and in what is measured */
TEST(soles_are_those_that_are_drawn)
{
    program_must("retarget walk --to figure.gltf --output bare.glb --name walk");
    program_run("check bare.glb --clip walk");
    assert_printed("sole positions assumed");
    assert_printed("penetration   not measured");
    program_must("retarget walk --to shod.gltf --output shod.glb --write-contacts held.json");
    program_run("check shod.glb --contacts held.json --json");
    char *given = program.out;
    assert_true(program_number_behind(strstr(given, "\"penetration\""), "\"worst\": ") < 1e-3);
    assert_true(program_number_behind(strstr(given, "\"floating\""), "\"worst\": ") < 1e-3);
    assert_true(program_number_behind(strstr(given, "\"slide\""), "\"worst\": ") < 1e-4);
    program_run("check shod.glb");
    assert_not_printed("assumed");
    assert_not_printed("penetration   not measured");
    // 5 cm higher than the ground the shoes go into it
    program_run("check shod.glb --ground 0.05 --json");
    double deep = program_number_behind(strstr(program.out, "\"penetration\""), "\"worst\": ");
    assert_true(deep > 0.049 && deep < 0.052);
}

/* what is given in place of a file that can be read, or as an animation that is not there */
TEST(refusals_say_what_would_do)
{
    program_write_bytes("figure.bin", "\0\0\0\1", 4);
    program_refuses("info figure.bin", "neither its ending nor its content is of a known format");
    program_must("retarget walk --to figure.gltf --output one.glb --fps 10");
    program_refuses("info one.glb --clip 1", "among the 1 of the file, whose numbers are 0 to 0");
    program_refuses("info figure.gltf --clip 0", "the file has no animations");
    program_must("retarget one.glb --to one.glb --name 'a b' --output two.glb");
    program_must("info two.glb --clip 1");
    program_refuses("info two.glb --clip 2", "among the 2 of the file, whose numbers are 0 to 1");
    program_refuses("info two.glb --clip 'a c'", "did you mean 'a b'");
    program_refuses("info two.glb --rest-frame 1", "a BVH alone has one");
    program_must("convert walk walk.bvh");
    program_refuses("info walk.bvh --clip 0", "a glTF alone has several");
    program_refuses("convert one.glb out.npz", "BVH and JSON hold any joint");
    program_refuses("convert walk out.glb", "limber retarget --to FIGURE.glb");
    program_refuses("retarget walk --to ur5 --output out.csv", "limber retarget --map");
    program_must("info one.glb --json");
    assert_not_printed("-0.0,");
}

/* a figure between the sizes that two units make of it: the one that is assumed is said */
TEST(an_assumed_unit_is_said)
{
    static const char skeleton[] =
        "HIERARCHY\nROOT hips { OFFSET 0 0 0 CHANNELS 1 Xrotation\nJOINT knee { OFFSET 0 %s 0 "
        "CHANNELS 1 Xrotation\nJOINT foot { OFFSET 0 %s 0 CHANNELS 1 Xrotation\nEnd Site { OFFSET "
        "0 0 1 } } } }\nMOTION\nFrames: 1\nFrame Time: 0.04\n0 0 0\n";
    char text[sizeof skeleton + 16];
    snprintf(text, sizeof text, skeleton, "-13", "-14");
    program_write("between.bvh", text);
    program_must("info between.bvh");
    assert_said("between.bvh: its unit of length is assumed to be inch");
    assert_said("--unit m, cm");
    program_must("info between.bvh --unit cm");
    assert_string_equal(program.err, "");
    snprintf(text, sizeof text, skeleton, "-50", "-50");
    program_write("adult.bvh", text);
    program_must("info adult.bvh");
    assert_string_equal(program.err, "");
}

TEST_FIXTURE(write_figure, program_stop)
