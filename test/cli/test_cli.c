/*
 * test_cli.c - the program's manners: help, examples, refusals, output files.
 * What it computes is for the other test_cli_*.c; what a person sees for
 * test_cli_terminal.c; "view", which serves until it is stopped, for test_cli_view.c.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_program.h"

static const char *const commands[] = {
    "models",  "info",     "convert", "fk",        "ik",    "pose",  "draw",
    "animate", "retarget", "check",   "workspace", "merge", "place", "compare",
    "figures", "follow",   "collide", "solutions", "elbow", "servo", "synthesize"};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* ---- help --------------------------------------------------------------- */

TEST(test_program_help)
{
    program_must("--help");
    for (int i = 0; i < COMMANDS; i++)
        assert_printed(commands[i]);
    program_must("--version");
    char version[64];
    snprintf(version, sizeof version, "limber %d.%d.%d\n", LB_VERSION_MAJOR, LB_VERSION_MINOR,
             LB_VERSION_PATCH);
    assert_string_equal(program.out, version);
}

/* no line is wider than a terminal, apart from examples that a user copies */
static void check_width(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 80 && strncmp(line, "    ", 4) != 0)
            fail_msg("a line of %zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

TEST(test_command_help)
{
    for (int i = 0; i < COMMANDS; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "Usage: limber %s ", commands[i]);
        program_must("%s --help", commands[i]);
        assert_true(program_begins(program.out, usage));
        assert_printed("\nOptions:\n");
        assert_printed("\nExamples:\n");
        assert_int_equal(program.err_size, 0);
        check_width(program.out);

        /* help COMMAND and -h say the same */
        owned char *text = strdup(program.out);
        program_repeats(text, "help %s", commands[i]);
        program_repeats(text, "%s -h", commands[i]);
    }
}

/* the next example of a help text: the lines below a "  # ..." one; NULL at the end */
static char *next_example(const char **rest)
{
    const char *start = strstr(*rest, "\n  # ");
    if (start == NULL)
        return NULL;
    start = strchr(start + 1, '\n') + 1;
    const char *end = strstr(start, "\n  # ");
    end = end == NULL ? start + strlen(start) : end + 1;
    char *line = calloc((size_t)(end - start) + 1, 1);
    memcpy(line, start, (size_t)(end - start));
    *rest = end - 1;
    return line;
}

TEST(test_examples)
{
    for (int i = 0; i < COMMANDS; i++) {
        program_must("%s --help", commands[i]);
        owned char *text = strdup(program.out), *line;
        const char *rest = strstr(text, "\nExamples:\n");
        int count = 0;
        while ((line = next_example(&rest)) != NULL) {
            if (program_shell("%s", line) != 0)
                fail_msg("exit status %d: %s\n%s", program.status, line, program.err);
            count++;
            free(line);
        }
        assert_true(count >= 1);
    }
}

/* ---- refusals ----------------------------------------------------------- */

typedef struct refusal {
    const char *arguments, *says;
} refusal;

static void check_refusals(const refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        program_refuses(cases[i].arguments, cases[i].says);
}
#define CHECK_REFUSALS(cases) check_refusals(cases, sizeof cases / sizeof *cases)

TEST(test_unknown_names)
{
    static const refusal cases[] = {
        {"", "limber: a command is missing; limber --help lists them"},
        {"fkk panda", "limber: no command 'fkk'; did you mean 'fk'?"},
        {"elephant", "limber: no command 'elephant'; limber --help lists them"},
        {"--vresion", "no command '--vresion'"},
        {"info pnda", "did you mean 'panda'?"},
        {"info no/such.urdf", "no/such.urdf"},
        {"fk panda --frame panda_hnd", "--frame: no link 'panda_hnd'; did you mean 'panda_hand'?"},
        {"fk panda --frame panda_hand --at panda_joint_1=0",
         "--at: no joint 'panda_joint_1'; did you mean 'panda_joint1'?"},
        {"ik panda --tip panda_hnd --position '0 0 0'",
         "--tip: no link 'panda_hnd'; did you mean 'panda_hand'?"},
        {"ik panda --tip panda_hand --base panda_lnk0 --position '0 0 0'",
         "--base: no link 'panda_lnk0'; did you mean 'panda_link0'?"},
        {"ik planar3 --position '0 0 0' --method dampd",
         "--method: no method 'dampd'; did you mean 'damped'?"},
        {"ik planar3 --position '0 0 0' --protocol all",
         "--protocol: no 'all'; did you mean 'any'?"},
        {"ik planar3 --position '0 0 0' --protocol elephant",
         "--protocol: no 'elephant'; there are nearest, any and given"},
        {"animate planar3 --to '1 2 0' --shape sqare",
         "--shape: no 'sqare'; there are polyline, arc and spline"},
        {"animate planar3 --to '1 2 0' --shape splin",
         "--shape: no 'splin'; did you mean 'spline'?"},
        {"animate planar3 --keys k.csv --interpolation smooth",
         "--interpolation: no 'smooth'; there are linear, cubic and step"},
        {"fk panda --fram panda_hand", "no option '--fram'; did you mean '--frame'?"},
        {"fk panda --elephant=3", "no option '--elephant'; see limber fk --help"},
        {"info", "a model is missing: limber info MODEL"},
        {"fk planar3 --at", "--at: a value is missing"},
        {"info panda ur5", "unexpected 'ur5'"},
        {"models panda", "unexpected 'panda'"},
    };
    CHECK_REFUSALS(cases);
}

TEST(test_bad_values)
{
    static const refusal cases[] = {
        {"ik planar3", "a target is missing: --position \"x y z\" or --targets FILE.csv"},
        {"ik planar3 --position '1 2'",
         "--position: \"1 2\" has 2 numbers, 3 are wanted: \"x y z\""},
        {"ik planar3 --position 1 2 3",
         "unexpected '2': an option's name is missing before it, or quotes about a value"},
        {"ik planar3 --position '1 2 abc'", "--position: 'abc' is not a number"},
        {"ik planar3 --position '1 2 nan'", "--position: 'nan' is not a finite number"},
        {"ik planar3 --position '1 -inf 0'", "--position: '-inf' is not a finite number"},
        {"ik planar3 --position '1 1e999 0'", "--position: '1e999' is too large"},
        {"ik planar3 --position '1 0x2 0'", "--position: '0x2' is not a number"},
        {"ik planar3 --position '1 2 3' --rpy '0 0'", "--rpy: \"0 0\" has 2 numbers"},
        {"ik planar3 --position '1 2 3' --quaternion '0 0 0 0'",
         "--quaternion: a quaternion of length 0 is no rotation"},
        {"ik planar3 --position '1 2 3' --quaternion '1 0 0 0' --rpy '0 0 0'",
         "--rpy and --quaternion cannot both be given"},
        {"ik planar3 --position '1 2 3' --targets t.csv", "cannot both be given"},
        {"ik planar3 --position '1 2 3' --position '1 2 3'", "--position is given twice"},
        {"ik planar3 --position '1 2 3' --position-tolerance 0",
         "--position-tolerance: 0 is not above zero"},
        {"ik planar3 --position '1 2 3' --rotation-tolerance -1e-6",
         "--rotation-tolerance: -1e-6 is not above zero"},
        {"ik planar3 --position '1 2 3' --iterations 1.5",
         "--iterations: 1.5 is not a whole number from 1 to"},
        {"ik planar3 --position '1 2 3' --iterations 0", "--iterations: 0 is not a whole number"},
        {"ik planar3 --position '1 2 3' --seed -1", "--seed: -1 is not a whole number from 0 to"},
        {"ik planar3 --position '1 2 3' --free-axis '0 0 1'",
         "--free-axis: a target without a rotation leaves every axis free"},
        {"ik planar3 --position '1 2 3' --rpy '0 0 0' --free-axis '0 0 0'",
         "--free-axis: an axis of length 0 is none"},
        {"ik planar3 --position '1 2 3' --free-position zz",
         "--free-position: 'zz' is not made of the letters x, y and z, each once"},
        {"ik planar3 --position '1 2 3' --free-position xw",
         "--free-position: 'xw' is not made of"},
        {"ik planar3 --position '1 2 3' --free-position ''", "--free-position: '' is not made of"},
        {"ik planar3 --position '1 2 3' --free-position zyx",
         "--free-position: with x, y and z free no position counts; give a rotation alone"},
        {"ik ur5 --rpy '1 2 3' --free-position z",
         "--free-position: a target without a position leaves every axis free"},
        {"ik planar3 --position '1 2 3' --start 'joint_1=0' --starts s.csv",
         "--start and --starts cannot both be given"},
        {"ik planar3 --tip base --position '1 2 3'", "limber: "},
        {"ik panda --tip panda_hand --base panda_hand --position '1 2 3'", "panda_hand"},
        {"ik planar3 --position '1 2 3' --json --report",
         "--json and --report cannot both be given"},
        {"ik planar3 --position '1 2 3' --json --output -",
         "--output - and --json cannot both have standard output"},
    };
    CHECK_REFUSALS(cases);
}

TEST(test_bad_values_elsewhere)
{
    static const refusal cases[] = {
        {"fk planar3 --at 'joint_1'",
         "--at: 'joint_1' is not of the form joint=value, without blanks"},
        {"fk planar3 --at '=1'", "--at: '=1' is not of the form joint=value"},
        {"fk planar3 --at 'joint_1='", "--at: joint 'joint_1' (continuous) takes 1 value, not 0"},
        {"fk planar3 --at 'joint_1=abc'", "--at: 'abc' is not a number"},
        {"fk planar3 --at 'joint_1=inf'", "--at: 'inf' is not a finite number"},
        {"fk planar3 --at 'joint_1=1,2'", "takes 1 value, not 2"},
        {"fk planar3 --at 'joint_1=1' --poses p.csv", "--at and --poses cannot both be given"},
        {"fk panda --frame panda_hand --at 'panda_finger_joint2=0.01'",
         "joint 'panda_finger_joint2' follows 'panda_finger_joint1' and has no value of its own"},
        {"fk panda --frame panda_hand --at 'panda_hand_joint=0'",
         "joint 'panda_hand_joint' is fixed and has no value"},
        {"draw planar3", "--output is missing"},
        {"draw planar3 --output f.svg --size '0 5'",
         "f.svg: a figure of 0 x 5: width and height must be"},
        {"draw planar3 --output f.svg --view 'x y'", "--view: 'x' is not a number"},
    };
    CHECK_REFUSALS(cases);
}

/* what would be without effect is no option here */
TEST(test_idle_options)
{
    static const refusal cases[] = {
        {"draw planar3 --tree --at joint_1=1 --output f.svg", "--at has no effect with --tree"},
        {"draw planar3 --tree --ellipse --output f.svg", "--ellipse cannot be given with --tree"},
        {"draw planar3 --all --ellipse --output f.svg", "--ellipse cannot be given with --all"},
        {"draw planar3 --damping 1 --output f.svg", "--damping has no effect without --ellipse"},
        {"draw planar3 --tip tip --output f.svg", "--tip has no effect without --all or --ellipse"},
        {"draw planar3 --tree --view '1 1' --output f.svg", "--view has no effect with --tree"},
        {"draw planar3 --tree --size '9 9' --output f.svg", "--size has no effect with --tree"},
        {"ik planar3 --position '1 2 0' --size '300 200'", "--size has no effect without --figure"},
        {"ik planar3 --position '1 2 0' --title here", "--title has no effect without --figure"},
        {"ik planar3 --position '1 2 0' --protocol given --seed 3",
         "--seed has no effect with --protocol given"},
        {"solutions ur5 --position '0.4 0.2 0.3' --rpy '3 0 0' --redundancy 8",
         "--redundancy has no effect: the arm has no more joints than the target needs"},
        {"draw ur5 --all --redundancy 8 --output f.svg",
         "--redundancy has no effect: the arm has no more joints than the target needs"},
        {"compare planar3 --random 2 --title here", "--title has no effect without --figure"},
        {"ik planar3 --position '1 2 0' --output f.svg --figure f.svg",
         "--output and --figure cannot both be written to 'f.svg'"},
        {"collide planar3 --output f.svg --figure f.svg", "cannot both be written to 'f.svg'"},
        {"compare planar3 --output f.svg --figure f.svg", "cannot both be written to 'f.svg'"},
        {"collide planar3 --output f.svg --figure ./f.svg", "cannot both be written to './f.svg'"},
        {"convert planar3 f.json --as lafan1",
         "--as lafan1 has no effect without --output FILE.csv"},
        {"convert walk f.csv --as motion", "--as motion has no effect without --output FILE.json"},
        {"workspace planar2 --samples 9 --title here --output w.csv",
         "--title has no effect unless --output is a figure"},
        {"animate planar3 --keys k.csv --rpy '0 0 0'", "--rpy has no effect without --to"},
        {"animate planar3 --path p.csv --quaternion '1 0 0 0'",
         "--quaternion has no effect without --to"},
        {"animate planar3 --keys k.csv --method lm", "--method has no effect with --keys"},
        {"animate planar3 --keys k.csv --closed", "--closed has no effect with --keys"},
        {"animate planar3 --to '1 2 0' --interpolation linear",
         "--interpolation has no effect without --keys"},
        {"animate planar3 --to '1 2 0' --panels 1 --output f.csv",
         "--panels has no effect unless --output is a strip: .svg, .png or .pdf"},
        {"fk planar3 --at 'joint_1=1 joint_2=1 joint_1=2'", "--at: 'joint_1' is given twice"},
    };
    CHECK_REFUSALS(cases);
}

/* a figure that cannot be drawn is refused before an hour of solving, not after it */
TEST(test_figures_come_first)
{
    static const char *const wrong[] = {"--figure f.elephant", "--figure f.svg --size '0 5'",
                                        "--figure f.svg --size 5", "--figure f.svg --view x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        // the starts, which are read behind it, are wrong too
        program_run("ik planar3 --position '1 2 0' --starts none.csv %s", wrong[i]);
        assert_int_equal(program.status, 2);
        assert_not_said("none.csv");
    }
    program_refuses("compare planar3 --start joint_9=1 --figure f.gif", "f.gif: a figure's file");
    program_refuses("animate planar3 --path none.csv --panels 99 --output f.svg",
                    "--panels: 99 is no frame; there are 0 to 20");
}

/* targets and poses that cannot be read: file, line and column are named */
TEST(test_bad_tables)
{
    static const struct {
        const char *text, *says;
    } targets[] = {
        {"", "t.csv: the file is empty"},
        {"x,y,z\n", "t.csv: there are no targets below the header"},
        {"1,1,0\n", "two columns are named '1'; the first line names the columns"},
        {"x,y\n1,2\n", "t.csv:1: column 'z' is missing"},
        {"x,y,z,qw,qx,qy\n1,2,3,1,0,0\n", "t.csv:1: column 'qz' is missing"},
        {"x,y,z,w\n1,2,3,1\n", "t.csv:1: unknown column 'w'; targets have x,y,z"},
        {"x,y,z\n1,2,3\n4,abc,6\n", "t.csv:3: column 'y': 'abc' is not a number"},
        {"x,y,z\n1,2,3\n4,5,\n", "t.csv:3: column 'z' is empty"},
        {"x,y,z\n1,2,NaN\n", "t.csv:2: column 'z': 'NaN' is not a finite number"},
        {"x,y,z\n1,-Infinity,0\n", "t.csv:2: column 'y': '-Infinity' is not a finite number"},
        {"x,y,z\n1,2\n", "t.csv:2: 2 fields where the header has 3"},
        {"x,y,z,qw,qx,qy,qz\n1,2,3,0,0,0,0\n", "t.csv:2: a quaternion of length 0 is no rotation"},
        {"x;y;z\n1;2;3\n", "t.csv:1: no comma in the header"},
        {"x,y,z,roll,yaw\n1,2,3,0,0\n", "t.csv:1: column 'pitch' is missing"},
        {"roll,pitch,yaw,qw,qx,qy,qz\n0,0,0,1,0,0,0\n",
         "t.csv:1: quaternions and roll,pitch,yaw cannot both be given"},
        {"x,y,x\n1,2,3\n", "t.csv:1: two columns are named 'x'"},
        {"1,2,3\n4,5,6\n",
         "t.csv:1: unknown column '1'; the first line names the columns; targets"},
        {"x y z\n1 2 3\n", "t.csv:1: unknown column 'x y z'; commas separate columns; targets"},
    };
    static const struct {
        const char *text, *says;
    } poses[] = {
        {"joint_1,joint_9\n1,2\n", "t.csv:1: no joint 'joint_9'; did you mean 'joint_1'?"},
        {"0.1,0.2,0.3\n0,0,0\n", "t.csv:1: no joint '0.1'; the first line names the columns"},
        {"joint_1 joint_2\n0 0\n", "t.csv:1: no joint 'joint_1 joint_2'; commas separate columns"},
        {"joint_1\n", "t.csv: there are no poses below the header"},
        {"joint_1,joint_2\n1,2\n1,x\n", "t.csv:3: column 'joint_2': 'x' is not a number"},
        {"joint_1\n1\ninf\n", "t.csv:3: column 'joint_1': 'inf' is not a finite number"},
        {"joint_1\n1,2\n", "t.csv:2: 2 fields where the header has 1"},
    };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        program_write("t.csv", targets[i].text);
        program_refuses("ik planar3 --targets t.csv --output out.csv", targets[i].says);
    }
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        program_write("t.csv", poses[i].text);
        program_refuses("fk planar3 --poses t.csv --output out.csv", poses[i].says);
        program_refuses("draw planar3 --poses t.csv --output out.svg", poses[i].says);
        program_refuses("ik planar3 --position '1 2 0' --starts t.csv --output out.csv",
                        poses[i].says);
    }
    program_write("t.csv", "joint_1\n0\n1\n");
    program_refuses("ik planar3 --position '1 2 0' --starts t.csv",
                    "t.csv: 2 starts for 1 target; one");
    program_refuses("ik planar3 --targets none.csv", "none.csv: cannot be opened: No such file");
    program_refuses("ik planar3 --targets .", "cannot be read: Is a directory");
}

/* models that are none: refused by every command, with the file's name */
TEST(test_bad_models)
{
    static const char two_roots[] = "<robot name='r'><link name='a'/><link name='b'/></robot>";
    static const char cut[] = "<robot name='r'>\n<link name='a'/>\n<joint name='j'";
    static const char noise[] = "\x7f\x45\x4c\x46\x00\x01\x02\xff\xfe";
    program_write("empty.urdf", "");
    program_write("two.urdf", two_roots);
    program_write("cut.urdf", cut);
    program_write_bytes("noise.urdf", noise, sizeof noise);
    static const char *const files[] = {"empty.urdf", "two.urdf", "cut.urdf", "noise.urdf"};
    static const char *const rest[] = {"info %s", "info %s --json", "fk %s",
                                       "ik %s --position '1 0 0' --output o.csv",
                                       "draw %s --output o.svg"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
            char arguments[256];
            snprintf(arguments, sizeof arguments, rest[k], files[i]);
            program_refuses(arguments, files[i]);
        }
    program_refuses("info cut.urdf", "cut.urdf:3:");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
}

/* ---- output files ------------------------------------------------------- */

static const char reach[] = "ik planar3 --position '10 5 0'";

/* what stood there stays until all is well, and stays when it is not */
TEST(test_output_kept)
{
    program_write("out.csv", "old");
    program_refuses("ik planar3 --targets none.csv --output out.csv", "none.csv");
    program_refuses("ik planar3 --position '1 2 0' --output out.csv --figure f.elephant",
                    "f.elephant");
    char *text = program_read("out.csv");
    assert_string_equal(text, "old");
    free(text);

    program_must("%s --output out.csv", reach);
    text = program_read("out.csv");
    assert_true(program_begins(text, "status,iterations,"));
    free(text);
}

/* a link is followed, rights are kept, a new file has those of any new file */
TEST(test_output_rights)
{
    struct stat about;
    program_write("real.csv", "old");
    assert_int_equal(chmod("real.csv", 0640), 0);
    assert_int_equal(symlink("real.csv", "link.csv"), 0);
    program_must("%s --output link.csv", reach);
    assert_int_equal(lstat("link.csv", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat("real.csv", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_true(about.st_size > 100);

    program_shell_exits(0, "umask 027; limber %s --output new.csv", reach);
    assert_int_equal(stat("new.csv", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

TEST(test_output_places)
{
    /* what is no regular file is written, not replaced */
    program_must("%s --output /dev/null", reach);
    program_shell_exits(0, "limber %s --output /dev/stdout | head -c 7", reach);
    assert_string_equal(program.out, "status,");
    program_must("%s --output -", reach);
    assert_true(program_begins(program.out, "status,"));

    /* where nothing can be written */
    program_refuses("ik planar3 --position '10 5 0' --output none/out.csv",
                    "none/out.csv: cannot be written: No such file or directory");
    program_refuses("ik planar3 --position '10 5 0' --output .",
                    "cannot be written: Is a directory");
    program_refuses("draw planar3 --output none/out.svg", "none/out.svg");
    if (program_has_file("/dev/full")) {
        program_refuses("ik planar3 --position '10 5 0' --output /dev/full",
                        "/dev/full: cannot be written: No space left on device");
        static const char *const figures[] = {"svg", "png", "pdf"};
        for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
            program_shell_exits(0, "ln -s /dev/full full.%s", figures[i]);
            program_exits(2, "draw planar3 --output full.%s", figures[i]);
            assert_said("cannot be written");
            program_shell_exits(0, "rm full.%s", figures[i]);
        }
        // said once, with the reason
        static const char *const lines[] = {reach, "info panda", "models --json",
                                            "fk planar3 --json", "animate planar3 --to '10 5 0'"};
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            program_shell_exits(2, "limber %s >/dev/full", lines[i]);
            assert_said("written: No space left on device\n");
            assert_ptr_equal(strchr(program.err, '\n'), program.err + program.err_size - 1);
        }
    }
}

/* ---- streams ------------------------------------------------------------ */

/* in a pipe there is neither colour nor progress, and nothing on standard error */
TEST(test_plain_in_pipe)
{
    static const char *const lines[] = {"info panda", "models", "--help", "ik --help",
                                        "ik planar3 --position '10 5 0' --report"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        program_must("%s", lines[i]);
        assert_null(strchr(program.out, '\033'));
        assert_string_equal(program.err, "");
    }
}

/* without UTF-8 everything is ASCII */
TEST(test_plain_ascii)
{
    static const char *const lines[] = {"info human", "models",
                                        "ik planar3 --position '10 5 0' --report",
                                        "ik panda --tip panda_hand --position '0.4 0 0.4' --report",
                                        "compare planar3 --position '10 5 0' --report"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        program_shell_exits(0, "LC_ALL=C limber %s", lines[i]);
        for (size_t k = 0; k < program.out_size; k++)
            assert_true((unsigned char)program.out[k] < 128);
    }
}

/* microseconds have one name in all reports */
TEST(test_one_unit_of_time)
{
    static const char *const lines[] = {"ik planar3 --position '10 5 0' --report",
                                        "compare planar3 --position '10 5 0' --report"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        program_shell_exits(0, "LC_ALL=C.UTF-8 limber %s", lines[i]);
        assert_printed("\xC2\xB5s");
    }
}

/* what a file says reaches no terminal as a command to it */
TEST(test_no_escapes)
{
    program_write("esc.json", "{\"name\": \"m\", \"links\": [{\"name\": \"a\", "
                              "\"\\u001b[31mred\\u009b1m\": 1}]}");
    program_refuses("info esc.json", "links[0].?[31mred??1m: ");
    program_write("esc.json", "{\"name\": \"m\", \"links\": [{\"name\": \"\\u001b[31m\"}]}");
    program_refuses("info esc.json", "its name has a control character");
    program_refuses("info 'no\033such.urdf'", "no?such.urdf");
}

/* the same of texts that are no names of a model: here U+009B and ESC begin commands */
TEST(test_foreign_text)
{
    program_write("esc.gltf",
                  "{\"asset\": {\"version\": \"2.0\", \"generator\": \"by \\u001b[31m\\u007f\"},"
                  "\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"name\": \"a\"}],"
                  "\"buffers\": [{\"byteLength\": 16, \"uri\": "
                  "\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPw==\"}],"
                  "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 16}],"
                  "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 1,"
                  "\"type\": \"SCALAR\", \"min\": [0], \"max\": [0]},"
                  "{\"bufferView\": 0, \"componentType\": 5126, \"count\": 1, \"type\": \"VEC4\"}],"
                  "\"animations\": [{\"name\": \"w\\u009b31m\", \"samplers\": "
                  "[{\"input\": 0, \"output\": 1}], \"channels\": [{\"sampler\": 0, "
                  "\"target\": {\"node\": 0, \"path\": \"rotation\"}}]}]}");
    program_prints("info esc.gltf", "written by: by ?[31m?\n");
    assert_printed("   0  w??31m                    0 .. 0 s");
    // as JSON they are what the file has, escaped
    program_prints("info esc.gltf --json", "\"by \\u001B[31m\\u007F\"");
    assert_printed("\"name\":\"w\\u009B31m\"");

    program_write("esc.urdf",
                  "<robot name=\"r\"><link name=\"a\"><visual><geometry><mesh "
                  "filename=\"m&#x9b;31m&#x7f;.obj\"/></geometry></visual></link></robot>");
    program_prints("convert esc.urdf --output -", "\"m\\u009b31m\\u007f.obj\"");
    assert_not_printed("\xc2\x9b");
    unlink("esc.urdf");

    program_write("esc.json",
                  "{\"limber_motion\": 1, \"times\": [], \"model\": \"m\\u001b[31m\\u009b\"}");
    program_prints("info esc.json", "model: m?[31m??\n");
}

TEST_FIXTURE(program_start, program_stop)
