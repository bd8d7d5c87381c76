/*
 * test_cli_collide.c - limber collide: distances, pairs, scenes, and what is refused.
 */
#include "support.h"
#include "support_program.h"

/* two balls of 0.1 m, one on the base and one at the end of two links of 1 m each */
static const char arm[] =
    "<robot name='arm'>"
    "<link name='base'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='upper'/>"
    "<link name='hand'><collision><origin xyz='1 0 0'/><geometry><sphere radius='0.1'/></geometry>"
    "</collision></link>"
    "<link name='cap'><collision><origin xyz='0.5 0 0'/><geometry><sphere radius='0.1'/></geometry>"
    "</collision></link>"
    "<joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/>"
    "<axis xyz='0 0 1'/></joint>"
    "<joint name='elbow' type='continuous'><parent link='upper'/><child link='cap'/>"
    "<origin xyz='1 0 0'/><axis xyz='0 0 1'/></joint>"
    "<joint name='wrist' type='continuous'><parent link='cap'/><child link='hand'/>"
    "<axis xyz='1 0 0'/></joint>"
    "</robot>";

static const char wall[] = "{\"obstacles\": [{\"name\": \"wall\", \"shapes\": [\n"
                           "{\"shape\": \"box\", \"size\": [0.2, 4, 4],\n"
                           " \"placement\": {\"xyz\": [2.6, 0, 0]}}]}]}";

TEST(says_what_is_near)
{
    program_write("arm.urdf", arm);
    program_write("wall.json", wall);
    // stretched, the hand is at 2 m
    program_must("collide arm.urdf --scene wall.json");
    assert_true(program_begins(program.out, "pose,free,touching,distance,a,b,ax,ay,az,bx,by,bz\n"
                                            "1,1,0,0.4"));
    assert_printed(",hand,wall,2.1");
    program_prints("collide arm.urdf --scene wall.json --report", "free: ");
    assert_printed("0.4000 m  hand - wall");

    // folded, the hand is in the base
    program_exits(1, "collide arm.urdf --at \"elbow=3.1\" --report");
    assert_printed("overlap");
    assert_printed("base - hand");
    program_exits(1, "collide arm.urdf --at \"elbow=3.1\" --json");
    assert_printed("\"free\":false");
    assert_printed("\"touching\":[{\"a\":\"base\",\"b\":\"hand\"");

    // many poses, a row each
    program_write("q.csv", "shoulder,elbow,wrist\n0,0,0\n0,3.1,0\n1,0,0\n");
    program_exits(1, "collide arm.urdf --poses q.csv");
    assert_printed("\n1,1,0,");
    assert_printed("\n2,0,1,-0.");
    assert_printed("\n3,1,0,");
    program_exits(1, "collide arm.urdf --poses q.csv --report");
    assert_printed("\n2 of 3 poses are free; pose 2 is the first that is not\n"
                   "the least distance is that of pose 2:\n     -0.");
    // a margin counts for what is free, not for what touches
    program_exits(1, "collide arm.urdf --scene wall.json --margin 0.5");
    assert_printed("\n1,0,0,0.4");
}

TEST(a_position_alone_leaves_no_list_to_choose_from)
{
    program_says(2, "ik panda --tip panda_hand --position '0.5 0.2 0.5' --avoid-collision",
                 "--avoid-collision chooses among all solutions");
}

TEST(says_which_pairs)
{
    program_write("arm.urdf", arm);
    program_must("collide arm.urdf --pairs");
    assert_string_equal(program.out, "a,b,pair\nbase,cap,adjacent\nbase,hand,checked\n"
                                     "cap,hand,adjacent\n");
    // the SRDF beside the file counts
    program_write("arm.srdf", "<robot name='arm'><disable_collisions link1='hand' link2='base' "
                              "reason='Never'/></robot>");
    program_prints("collide arm.urdf --pairs --report", "left out by the SRDF\n  base - hand\n");
    program_prints("collide arm.urdf --json", "\"nearest\":null");
    program_prints("collide arm.urdf --pairs --json", "\"pair\":\"disabled\"");
    // what is no file is none of the model's
    program_shell_exits(0, "ln -sf /dev/null arm.srdf");
    program_must("collide arm.urdf --pairs");
}

TEST(says_what_is_missing)
{
    program_write("m.urdf", "<robot name='m'><link name='a'><collision><geometry>"
                            "<mesh filename='x.stl'/></geometry></collision></link></robot>");
    program_must("collide m.urdf");
    assert_said("x.stl' is left out");
    assert_said("1 shapes are left out");
    program_refuses("collide m.urdf --strict", "x.stl");
    program_must("collide planar3");
    assert_said("no link has a shape to collide with");
}

/* a bar of 2 m and 20 cm: its capsule is as thick as its edges are from its axis */
TEST(meshes_may_be_capsules)
{
    program_write("bar.obj", "v -1 -0.1 -0.1\nv 1 -0.1 -0.1\nv 1 0.1 -0.1\nv -1 0.1 -0.1\n"
                             "v -1 -0.1 0.1\nv 1 -0.1 0.1\nv 1 0.1 0.1\nv -1 0.1 0.1\n"
                             "f 1 2 3\nf 5 6 7\nf 1 4 8\nf 1 3 4\nf 5 7 8\n");
    program_write("bar.urdf", "<robot name='bar'><link name='base'><collision><geometry>"
                              "<sphere radius='0.1'/></geometry></collision></link><link name='b'>"
                              "<collision><geometry><mesh filename='bar.obj'/></geometry>"
                              "</collision></link><joint name='j' type='floating'>"
                              "<parent link='base'/><child link='b'/></joint></robot>");
    program_must("collide bar.urdf --at \"j.z=1\" --json");
    if (strstr(program.err, "is left out") != NULL)
        skip();
    assert_near(program_number_behind(program.out, "\"distance\":"), 0.8, 1e-6);
    program_prints("collide bar.urdf --at \"j.z=1\" --fit capsule --json", "\"distance\":0.75");
    program_refuses("collide bar.urdf --fit box", "--fit: no 'box'; there are hull and capsule");
}

/* what overlaps is marked in one colour, else the nearest pair in another */
TEST(distances_are_drawn)
{
    program_exits(1, "collide panda --at \"panda_joint4=-3\" --margin 0.2"
                     " --figure near.svg");
    program_shell("grep -q 'rgb(10.,36.,75.)' near.svg && ! grep -q 'rgb(90.,45.,0.)' near.svg");
    program_write("in.json",
                  "{\"obstacles\": [{\"name\": \"block\", \"shapes\": [{\"shape\": \"box\","
                  " \"size\": [0.3, 0.3, 0.3], \"placement\": {\"xyz\": [0, 0, 0.6]}}]}]}");
    program_exits(1, "collide panda --scene in.json --figure in.svg");
    program_shell("grep -q 'rgb(90.,45.,0.)' in.svg && ! grep -q 'rgb(10.,36.,75.)' in.svg");
    // the block is drawn: without it there is less in the file
    program_must("draw panda --output bare.svg");
    program_must("draw panda --collision --output shapes.svg");
    program_shell("! cmp -s bare.svg shapes.svg");
    program_refuses("draw panda --collision --tree --output x.svg", "--collision");
    program_refuses("draw walk --collision --output x.svg", "--collision");
    program_refuses("collide panda --figure x.txt", "x.txt");
    program_refuses("collide panda --pairs --figure x.svg", "--figure");
    program_refuses("collide panda --title T", "--title");
    // before anything is written, however many poses there are
    program_shell_exits(0, "{ echo panda_joint1; seq 0 0.001 1.5; } > many.csv");
    program_refuses("collide panda --poses many.csv --report --figure x.svg",
                    "--figure: one pose is wanted, there are more");
}

TEST(refuses_by_name)
{
    program_write("bad.json", "{\"obstacles\": [\n{\"name\": \"a\"}]}");
    program_refuses("collide panda --scene bad.json", "bad.json:2");
    program_refuses("collide panda --scene absent.json", "absent.json");
    program_refuses("collide panda --margin -1", "--margin");
    program_refuses("collide panda --samples x", "--samples");
    program_refuses("collide panda --samples 2147483647", "--samples");
    program_refuses("collide panda --at \"panda_joint9=1\"", "panda_joint9");
    program_refuses("collide panda --pairs --at \"panda_joint1=1\"", "--pairs");
    program_refuses("collide panda --srdf absent.srdf", "absent.srdf");
}

/* the nearest solution that is free; none, and which pair is in the way */
TEST(ik_avoids_collisions)
{
    static const char target[] =
        "ik panda --position \"0.5 0.2 0.3\" --rpy \"180 0 0\" --degrees --avoid-collision";
    program_write("table.json", "{\"obstacles\": [{\"name\": \"table\", \"shapes\": [{\"shape\": "
                                "\"box\", \"size\": [0.6, 1, 0.1], \"placement\": {\"xyz\": "
                                "[0.6, 0, 0]}}]}]}");
    program_must("%s --scene table.json --output q.csv", target);
    program_prints("collide panda --scene table.json --poses q.csv --degrees", "\n1,1,0,");
    program_must("%s --scene table.json --all --json", target);
    assert_printed("\"refused\":");

    // in the table
    program_says(1,
                 "ik panda --position \"0.5 0.2 0.1\" --rpy \"180 0 0\" --degrees "
                 "--avoid-collision --scene table.json",
                 "target 1 (panda_leftfinger and table overlap by 0.064 m)");
    program_exits(1, "ik panda --position \"0.5 0.2 0.1\" --rpy \"180 0 0\" --degrees "
                     "--avoid-collision --scene table.json --json");
    assert_printed("\"status\":\"collides\"");
    assert_printed("\"reached\":0");
    assert_printed("\"b\":\"table\"");

    program_refuses("ik panda --position \"0.5 0 0.5\" --scene table.json", "--avoid-collision");
    program_refuses("ik panda --position \"0.5 0 0.5\" --avoid-collision --trace", "--trace");
    program_refuses("ik panda --position \"0.5 0 0.5\" --avoid-collision --method ccd",
                    "--avoid-collision");
}

TEST_FIXTURE(program_start, program_stop)
