/*
 * test_cli_models.c - every command on every built-in model and on real files.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "results.h"

/* whatever names a model has, what is said of it fits a wide terminal, drawn with UTF-8 */
static void check_width(const char *name)
{
    enum { WIDEST = 100 };
    program_shell_exits(0, "LC_ALL=C.UTF-8 limber info '%s' --degrees", name);
    int width = 0;
    for (const char *c = program.out; *c != '\0'; c++) {
        width = *c == '\n' ? 0 : width + ((*c & 0xC0) != 0x80);
        if (width > WIDEST)
            fail_msg("%s: a line of more than %d columns", name, WIDEST);
    }
}

/* all commands on one model that loads */
static void check_model(const char *name)
{
    owned_model *model = load_or_fail(name);
    program_must("info '%s'", name);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        assert_printed(lb_model_joint(model, j)->name);
    for (int i = 0; i < lb_model_link_count(model); i++)
        assert_printed(lb_model_link(model, i)->name);
    check_width(name);
    program_must("info '%s' --json", name);
    assert_int_equal(program.out[0], '{');
    assert_int_equal(program.out[program.out_size - 2], '}');
    const char *tip = lb_model_link(model, default_tip(model))->name;
    program_must("fk '%s' --frame '%s' --output t.csv", name, tip);
    if (lb_model_nq(model) > 0) {
        int status = program_run("ik '%s' --tip '%s' --targets t.csv --report", name, tip);
        assert_true(status == 0 || status == 1);
    }
    program_must("draw '%s' --output figure.svg", name);
    assert_true(program_has_file("figure.svg"));
    unlink("figure.svg");
    unlink("t.csv");
}

/* mistakes in a file are noted, the first ones of many, and the command goes on */
TEST(test_notes)
{
    enum { MISTAKES = 11 };
    FILE *file = fopen("n.urdf", "w");
    assert_non_null(file);
    fputs("<robot name='n'>\n<link name='a'>\n", file);
    for (int i = 0; i < MISTAKES; i++)
        fputs("<visul/>\n", file);
    fputs("</link></robot>", file);
    fclose(file);
    program_must("info n.urdf");
    assert_true(program_begins(program.err, "limber: note: n.urdf:3: link 'a': <visul> is passed "
                                            "over; did you mean <visual>?\n"));
    assert_said("limber: note: n.urdf: and 3 more such warnings\n");
}

TEST(test_built_in_models)
{
    owned char *list = program_output("models");
    assert_true(lb_embedded_count() >= 9);
    for (int m = 0; m < lb_embedded_count(); m++) {
        assert_non_null(strstr(list, lb_embedded_at(m)->name));
        check_model(lb_embedded_at(m)->name);
    }
}

/* real files: all are shown and solved */
TEST(test_real_files)
{
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("%s/urdf is not there: real files not tried\n", LIMBER_DATA_DIR);
        skip();
    }
    int seen = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        if (strstr(entry->d_name, ".urdf") == NULL || seen++ % FEWER(1, 5) != 0)
            continue;
        snprintf(path, sizeof path, "%s/urdf/%s", LIMBER_DATA_DIR, entry->d_name);
        check_model(path);
    }
    closedir(folder);
}

/* over-, underconstrained or as many is said, in words and as numbers */
TEST(test_mobility_in_words)
{
    program_prints("info planar3", "3 joints, 2 constraints: underconstrained by 1");
    assert_printed("3 joints, 3 constraints: as many");
    program_prints("info planar2", "2 joints, 3 constraints: overconstrained by 1");
    program_prints("info ur5 --json", "\"pose\":{\"joints\":6,\"velocities\":6,\"constraints\":6}");
    program_prints("ik planar3 --position '-20 5 0' --report",
                   "3 joints, 2 constraints: underconstrained by 1");
    program_prints("ik iiwa14 --position '0.4 0 0.5' --rpy '3 0 0' --report",
                   "7 joints, 6 constraints: underconstrained by 1");
}

/* what is converted is the same model, whatever format it came from */
TEST(test_convert)
{
    static const char mjcf[] =
        "<mujoco><worldbody><body name='a' euler='0 90 0'><joint name='j' range='-10 20'/>"
        "</body></worldbody></mujoco>";
    program_write("convert.mjcf", mjcf);
    program_must("convert convert.mjcf --output convert.json");
    owned_model *from = load_or_fail("convert.mjcf"), *to = load_or_fail("convert.json");
    assert_int_equal(lb_model_link_count(to), 2);
    assert_memory_equal(&lb_model_joint(from, 0)->placement, &lb_model_joint(to, 0)->placement,
                        sizeof(lb_transform));
    assert_true(lb_model_joint(to, 0)->upper[0] == lb_model_joint(from, 0)->upper[0]);

    // on standard output the same text; what cannot be read leaves no file
    program_prints("convert convert.mjcf", "\"joints\"");
    remove("convert.json");
    program_shell_exits(2, "limber convert absent.urdf --output convert.json");
    assert_int_not_equal(access("convert.json", F_OK), 0);
}

/* a capture is described, and converted to a table and back without a changed digit */
TEST(test_captures)
{
    static const char bvh[] = "HIERARCHY\nROOT hips\n{\n\tOFFSET 0 0 0\n"
                              "\tCHANNELS 4 Yposition Zrotation Xrotation Yrotation\n"
                              "\tJOINT leg\n\t{\n\t\tOFFSET 0 -40 0\n\t\tCHANNELS 1 Xrotation\n"
                              "\t}\n}\nMOTION\nFrames: 3\nFrame Time: 0.0083333\n"
                              "90 1.5 350 -3 400.125\n91 1.25 351 -3 401\n92 1 352 -3.5 402\n";
    program_write("capture.bvh", bvh);
    program_prints("info capture.bvh", "motion: 3 frames of 0.0083333 s (120 a second)");
    assert_printed("unit: 0.01 m (cm), assumed\nup: y");
    program_prints("info capture.bvh --unit inch --up z --json", "\"frames\":3");
    assert_printed("\"up\":\"z\"");
    program_must("convert capture.bvh capture.csv --degrees");
    program_must("convert capture.bvh --keys capture.csv --source-degrees --output again.bvh");
    program_shell_exits(0, "cmp capture.bvh again.bvh");
    program_must("fk capture.bvh --poses capture.csv --degrees --frame leg");

    // what has no effect, and what cannot be
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"info ur5 --unit cm", "--unit has no effect with a file that has no motion"},
        {"info capture.bvh --unit foot", "--unit"},
        {"info capture.bvh --up w", "--up"},
        {"info capture.bvh --root planar",
         "a BVH file's root moves as its channels say, and cannot be made planar"},
        {"convert ur5 x.bvh", "there is no motion to write; --keys"},
        {"convert ur5 x.csv", "there is no motion"},
        {"convert capture.bvh x.fbx", ".bvh"},
        {"convert capture.bvh x.bvh --output y.bvh", "given twice"},
        {"convert absent.bvh x.bvh", "absent.bvh: cannot be opened"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        snprintf(line, sizeof line, "limber %s", cases[i].arguments);
        program_shell_exits(2, "%s", line);
        if (strstr(program.err, cases[i].says) == NULL)
            fail_msg("%s: %s", line, program.err);
        assert_int_not_equal(access("x.bvh", F_OK), 0);
    }
    remove("capture.bvh");
    remove("capture.csv");
    remove("again.bvh");
}

/* joints of an archive in the order of a list, which names in it tell */
TEST(test_orders_of_archives)
{
    program_write("exact.csv", "1,2,3,0,0,0,1,0.5,0.25\n1,2,3.5,0,0,0,1,-0.25,0.125\n");
    program_write("order.txt", "elbow\nshoulder\n");
    program_refuses("convert planar2 --keys exact.csv --order breadth-first x.csv",
                    "--order has no effect without --output FILE.npz");
    program_refuses("convert planar2 --keys exact.csv --source-fps 9 --order breadth x.npz",
                    "breadth: cannot be opened");
    if (program_run("convert planar2 --keys exact.csv m.npz") != 0) {
        assert_said("built without minizip");
        return;
    }
    program_must("convert planar2 --keys exact.csv --order elbow,shoulder back.npz");
    program_must("convert planar2 --keys exact.csv --order order.txt file.npz");
    program_shell_exits(0, "cmp back.npz file.npz");
    program_shell_exits(1, "cmp -s back.npz m.npz");
    program_must("convert planar2 --keys back.npz again.csv");
    program_shell_exits(0, "cmp exact.csv again.csv");
    program_refuses("convert planar2 --keys m.npz --order elbow,elbow x.npz",
                    "order: 'elbow' is there twice");
}

/* a robot's table in one kind, in the other and back; the fixed root moves */
TEST(test_robot_tables)
{
    static const char table[] = "1,2,3,0,0,0,1,0.1,0.2\n1,2,3.5,0,0,0,1,-0.25,0.3\n";
    program_write("moves.csv", table);
    program_must("convert planar2 --keys moves.csv --source-fps 50 bones.csv --as bones");
    // a robot's .csv is the first kind, unless another is named
    program_must("convert planar2 --keys bones.csv again.csv");
    program_shell_exits(0, "cmp moves.csv again.csv");
    program_must("convert planar2 --root floating --keys moves.csv --source-fps 50 own.csv "
                 "--as limber");
    program_must("convert planar2 --root floating --keys own.csv again.csv --as lafan1");
    program_shell_exits(0, "cmp moves.csv again.csv");
    program_shell_exits(0, "grep -q '^0.02' own.csv");
    program_shell_exits(2, "limber convert planar3 --keys moves.csv x.csv");
    assert_said("moves.csv:1: 9 columns, where the model's root");
    // numbers that floats hold, where the library reads and writes archives
    program_shell("printf '1,2,3,0,0,0,1,0.5,0.25\\n1,2,3.5,0,0,0,1,-0.25,0.125\\n' >exact.csv");
    if (program_run("convert planar2 --keys exact.csv m.npz") == 0) {
        program_must("convert planar2 --keys m.npz again.csv");
        program_shell_exits(0, "cmp exact.csv again.csv");
        program_shell_exits(2, "limber convert planar3 --keys m.npz x.csv");
        assert_said("m.npz: joint_pos: its shape is (2, 2)");
    } else {
        assert_said("built without minizip");
    }
    // what is in files without a model
    program_must("info exact.csv");
    assert_string_equal(program.out, "kind: lafan1\nrows: 2\ncolumns: 9\njoints: 2\n");
    program_prints("info bones.csv --json", "\"kind\":\"bones\"");
    program_must("fk planar2 --at 'shoulder=0.1' --output place.npy");
    program_must("info place.npy");
    assert_string_equal(program.out, "kind: array of NumPy\narray: <f8, 1 x 7\n");
    if (program_has_file("m.npz")) {
        program_prints("info m.npz", "fps: 30\njoint_pos: <f4, 2 x 2\n");
    }
    program_refuses("info absent.csv", "absent.csv: cannot be opened");
    // and as JSON, which a robot's root has moved in
    program_must("convert planar2 --keys exact.csv m.json --as motion");
    program_must("convert planar2 --keys m.json again.csv");
    program_shell_exits(0, "cmp exact.csv again.csv");
    program_shell_exits(2, "limber convert planar3 --keys m.json x.csv");
    assert_said("m.json: joints: the model has no joint 'shoulder'");
    program_shell_exits(2, "limber convert planar2 --keys m.json --source-fps 3 x.csv");
    assert_said("--source-fps: the file (JSON) has its own times");
    program_shell_exits(2, "limber convert planar2 x.csv --as soma");
    program_shell_exits(2, "limber convert planar2 x.json --fps 5");
    assert_said("--fps has no effect: there is no motion");
    assert_int_not_equal(access("x.csv", F_OK), 0);
    remove("moves.csv");
    remove("bones.csv");
    remove("again.csv");
    remove("own.csv");
}

/* counts have a most, which is said before anything is made */
TEST(test_most_frames)
{
    program_write("second.csv", "time,shoulder,elbow\n0,0,0\n1,1,1\n");
    program_refuses(
        "convert planar2 --keys second.csv --fps 10000000 x.csv",
        "--fps: 10000000 a second are 10000001 frames of this motion; at most 10000000");
    program_refuses("convert planar2 --keys second.csv --fps 2000000000 x.csv",
                    "2000000000 a second are 2e+09 frames");
    program_refuses("retarget walk --to human --fps 1e308 --output x.csv", "at most 10000000");
    program_refuses("ik planar2 --position '1 1 0' --iterations 1000001",
                    "not a whole number from 1 to 1000000");
}

/* files of motion name no model, so info describes them and convert says what is missing */
TEST(test_files_without_a_model)
{
    program_write("moves.csv", "1,2,3,0,0,0,1,0.5,0.25\n1,2,3.5,0,0,0,1,-0.25,0.125\n");
    program_must("convert planar2 --keys moves.csv m.json --as motion");
    program_write("none.npz", "");
    program_refuses("convert planar2 --keys none.npz x.csv", "none.npz: ");
    assert_not_said("name the columns");
    program_write("none.json", "");
    program_refuses("convert planar2 --keys none.json x.csv", "none.json:");
    assert_not_said("name the columns");
    // what has no model cannot be converted alone
    program_refuses(
        "convert moves.csv x.npz",
        "'moves.csv' has no model that moves; limber convert MODEL --keys moves.csv x.npz");
    program_must("info m.json");
    assert_string_equal(program.out, "kind: motion\nmodel: planar2\njoints: 3\nkeys: 2\n"
                                     "begin: 0\nend: 0.0333333\n");
    program_refuses("convert m.json x.csv", "--keys m.json x.csv");
    program_must("retarget walk --to human --output h.json --write-contacts c.json "
                 "--write-map map.json --report r.json");
    program_must("info c.json");
    assert_true(program_begins(program.out, "kind: contacts\npoints: 4\nspans: "));
    program_prints("info map.json --json", "\"kind\":\"map for retargeting\",\"pairs\":");
    program_must("info r.json");
    assert_true(program_begins(program.out, "kind: report of limber retarget\nframes: 289\n"));
    program_write("gmr.json", "{\"ik_match_table1\": {\"pelvis\": [\"Hips\", 1, 1, [0, 0, 0], "
                              "[1, 0, 0, 0]]}}");
    // what is no such file after all says so
    program_write("c.json", "{\"limber_contacts\": 1}");
    program_refuses("info c.json", "c.json: limber_contacts need the array \"points\"");
    program_write("c.json", "");
    program_refuses("info c.json", "c.json: the file is empty");
    program_write("c.json", " \n");
    program_refuses("info c.json", "c.json: the file is empty");
    program_must("info gmr.json");
    assert_true(program_begins(program.out, "kind: map for retargeting, of GMR\npairs: 1\n"));
}

/* an archive is none of poses, whatever its size */
TEST(test_too_large_an_archive)
{
    program_write("large.npz", "PK");
    // what is not written takes no room
    assert_int_equal(truncate("large.npz", (off_t)1100000000), 0);
    program_refuses("convert planar2 --keys large.npz x.csv", "large.npz: more than");
    remove("large.npz");
}

/* what can be read once is, as poses */
TEST(test_poses_from_a_pipe)
{
    program_write("poses.csv", "time,shoulder\n0,0\n0.1,0.5\n");
    program_must("convert planar2 --keys poses.csv once.csv");
    program_shell_exits(0, "cat poses.csv | limber convert planar2 --keys /dev/stdin piped.csv");
    program_shell_exits(0, "cmp once.csv piped.csv");
}

/* the rate of a table is that of its kind or the user's, and said; the motion may have another */
TEST(test_rates_of_tables)
{
    program_write("t.csv", "0,0,1,0,0,0,1,0,0.2\n0.3,0,1,0,0,0,1,0.3,0.2\n"
                           "0.6,0,1,0,0,0,1,0.6,0.2\n0.9,0,1,0,0,0,1,0.9,0.2\n");
    program_must("convert planar2 --keys t.csv again.csv");
    assert_said("t.csv: no times are in it; 30 frames a second are");
    program_must("convert planar2 --keys t.csv --fps 120 b.csv --as bones");
    program_must("convert planar2 --keys b.csv m.json --as motion");
    assert_said("b.csv: no times are in it; 120 frames a second are");
    program_must("convert planar2 --keys t.csv --source-fps 50 again.csv");
    assert_said("50 frames a second are written");
    assert_said("read as 30: add --fps 30 to resample");
    assert_said("--source-fps 50 to the command");
    // nothing is to be said where both are as usual
    program_must("convert planar2 --keys m.json --fps 30 again.csv");
    assert_string_equal(program.err, "");
    program_shell_exits(0, "cmp t.csv again.csv");
    // what becomes even is written; what is not is refused
    program_write("uneven.csv", "time,shoulder\n0,0\n0.1,0.3\n0.4,0.9\n");
    program_shell_exits(2, "limber convert planar2 --root floating --keys uneven.csv x.csv");
    assert_said("--fps N resamples");
    assert_false(program_has_file("x.csv"));
    program_must("convert planar2 --root floating --keys uneven.csv --fps 10 y.csv --as lafan1");
    program_shell_exits(0, "wc -l <y.csv | grep -qx 5");
    program_must("convert planar2 --root floating --keys uneven.csv y.csv --as limber");
    program_refuses("convert planar2 --keys uneven.csv --source-fps 10 x.json --as motion",
                    "has its own times");
    program_refuses("convert planar2 x.json --source-fps 30", "has no effect without --keys");
    program_refuses("check walk --source-fps 30", "--source-fps has no effect");
    program_must("draw panda --ellipse --tip panda_link0 --output x.svg");
    assert_said("--ellipse: no joint moves panda_link0");
    unlink("x.svg");
    program_refuses("draw planar2 --source-fps 30 --output x.svg", "--source-fps has no effect");
    program_run("check t.csv --model planar2 --source-fps 10");
    assert_printed("4 frames, 0.3 s");
    // a mark before the first number
    program_shell("printf '\\357\\273\\277' | cat - t.csv >marked.csv");
    program_must("convert planar2 --keys marked.csv again.csv");
    program_shell_exits(0, "cmp t.csv again.csv");
}

/* an archive at another rate is of the same motion */
TEST(test_an_archive_at_another_rate)
{
    program_write("t.csv", "0,0,1,0,0,0,1,0,0.5\n0.3,0,1,0,0,0,1,0.3,0.5\n"
                           "0.6,0,1,0,0,0,1,0.6,0.5\n0.9,0,1,0,0,0,1,0.9,0.5\n");
    if (program_run("convert planar2 --keys t.csv --source-fps 30 --fps 50 m.npz") != 0) {
        assert_said("built without minizip");
        skip();
    }
    program_prints("info m.npz", "fps: 50\njoint_pos: <f4, 6 x 2\n");
    // 0.3 from frame to frame, 30 a second: 0.9 after 0.1 s, of the joint and of the root
    program_must("convert planar2 --keys m.npz --fps 10 back.csv --as lafan1");
    program_shell_exits(0, "sed -n 2p back.csv | grep -q '^0.[89].*,0.[89].*,0.5$'");
}

/* with --strict what would be warned of is refused */
TEST(test_strict)
{
    program_write("strict.urdf", "<robot name='r'><link name='a'/>\n<jont/>\n<lnk/></robot>");
    program_must("info strict.urdf");
    assert_said("did you mean <joint>?");
    program_shell_exits(2, "limber info strict.urdf --strict");
    assert_said("(refused as strict)");
    // the warning is said once, and how many there are
    const char *first = strstr(program.err, "jont");
    assert_non_null(first);
    assert_null(strstr(first + 1, "jont"));
    assert_not_said("lnk");
    assert_said("and 1 more such warning\n");
}

/* a figure, its animation as a table, and the table as one more animation */
TEST(test_figures_of_gltf)
{
    static const char *const others[] = {"gltf", "glb"};
    for (int i = 0; i < 2; i++) {
        program_shell_exits(0, "limber convert %s/fuzz/seeds/gltf/all.%s keys.csv",
                            LIMBER_SOURCE_DIR, others[i]);
        program_shell_exits(0,
                            "limber convert %s/fuzz/seeds/gltf/all.%s --keys keys.csv "
                            "--name again out.%s",
                            LIMBER_SOURCE_DIR, others[i], others[1 - i]);
        program_must("info out.%s", others[1 - i]);
        assert_printed("animations: 2");
        assert_printed("humanoid: VRM 0.x, 1 bone");
        program_must("convert out.%s --clip again again.csv", others[1 - i]);
        program_must("info out.%s --json", others[1 - i]);
        assert_printed("\"name\":\"again\"");
        program_shell_exits(2, "limber info out.%s --clip agian", others[1 - i]);
        assert_said("no animation 'agian'");
        assert_said("'again'");
    }
    // at even times, as any motion, a capture
    program_shell_exits(2, "limber convert out.glb x.bvh");
    assert_said("--fps N resamples");
    program_must("convert out.glb --fps 10 moved.bvh");
    program_prints("info moved.bvh --json", "\"frames\":21");
    program_shell("rm -f keys.csv again.csv out.gltf out.glb moved.bvh");
    program_shell_exits(2, "limber convert ur5 x.glb");
    assert_said("only a glTF");
}

TEST_FIXTURE(program_start, program_stop)
