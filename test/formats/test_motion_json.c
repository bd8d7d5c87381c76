/*
 * test_motion_json.c - maps and contacts as JSON: there and back, GMR's maps, and files that are
 * wrong, cut off, or met without memory.
 */
#include <limber/formats/motion_json.h>

#include "formats/parse.h"
#include "motion/walker.h"
#include "support_load.h"

/* ---- maps --------------------------------------------------------------- */

/* the map from the walker onto `human` */
static lb_retarget_map found_map(const lb_model *source, const lb_model *target)
{
    lb_retarget_map map;
    assert_made(lb_retarget_map_find(source, NULL, target, NULL, &map, &cause), cause);
    return map;
}

static char *map_text(const lb_retarget_map *map, const lb_model *source, const lb_model *target)
{
    char *text = NULL;
    assert_ok(lb_retarget_map_write(map, source, target, NULL, &text, NULL));
    return text;
}

static lb_status read_map(const char *text, const lb_model *source, const lb_model *target,
                          lb_retarget_map *map, lb_error *error)
{
    return lb_retarget_map_load_memory("map.json", text, strlen(text), source, target, NULL, map,
                                       error);
}

TEST(a_map_comes_back_number_for_number)
{
    owned_model *source = walker_model(WALKER_A), *target = test_load("human");
    lb_retarget_map map = found_map(source, target), again;
    owned char *text = map_text(&map, source, target);
    assert_ok(read_map(text, source, target, &again, NULL));
    assert_int_equal(again.count, map.count);
    assert_true(again.scale == map.scale && again.root_scale == map.root_scale);
    for (int i = 0; i < map.count; i++) {
        const lb_retarget_pair *a = &map.pairs[i], *b = &again.pairs[i];
        assert_int_equal(a->role, b->role);
        assert_int_equal(a->source, b->source);
        assert_int_equal(a->target, b->target);
        assert_true(a->position == b->position && a->orientation == b->orientation &&
                    a->direction == b->direction);
        assert_near(a->rotation.w, b->rotation.w, 1e-15);
        assert_near(a->rotation.x, b->rotation.x, 1e-15);
        assert_int_equal(a->held_count, b->held_count);
        assert_memory_equal(&a->axis, &b->axis, sizeof a->axis);
        assert_memory_equal(&a->source_point, &b->source_point, sizeof a->axis);
        assert_memory_equal(&a->target_point, &b->target_point, sizeof a->axis);
        assert_memory_equal(&a->offset, &b->offset, sizeof a->axis);
        for (int k = 0; k < a->held_count; k++) {
            assert_int_equal(a->held[k].source, b->held[k].source);
            assert_memory_equal(&a->held[k].at, &b->held[k].at, sizeof a->axis);
        }
    }
}

/* every prefix is refused, with the name of the file, and nothing is left behind */
/* a pair with a role alone has the weights that are found; one that is to have none keeps that */
TEST(roles_have_weights)
{
    static const char text[] =
        "{\"limber_map\":1,\"pairs\":["
        "{\"role\":\"pelvis\",\"source\":\"Hips\",\"target\":\"pelvis\"},"
        "{\"role\":\"left foot\",\"source\":\"LeftFoot\",\"target\":\"left_foot\","
        "\"orientation\":0},"
        "{\"source\":\"RightFoot\",\"target\":\"right_foot\"}]}";
    owned_model *source = walker_model(WALKER_A), *target = test_load("human");
    lb_retarget_map found = found_map(source, target), read, again;
    assert_made(read_map(text, source, target, &read, &cause), cause);
    assert_true(read.pairs[0].position == found.pairs[0].position &&
                read.pairs[0].orientation == found.pairs[0].orientation &&
                read.pairs[0].position > 0);
    owned char *written = map_text(&read, source, target);
    assert_ok(read_map(written, source, target, &again, NULL));
    for (int i = 1; i < 3; i++)
        assert_true(again.pairs[i].position == 0 && again.pairs[i].orientation == 0 &&
                    again.pairs[i].direction == 0);
}

TEST(maps_that_are_cut_off_are_refused)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load("human");
    lb_retarget_map map = found_map(source, target), again;
    owned char *text = map_text(&map, source, target);
    size_t size = strlen(text);
    // the last byte is a line break
    for (size_t n = 0; n + 2 < size; n++) {
        test_memory memory = {.fail_at = -1};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_error error;
        assert_int_not_equal(lb_retarget_map_load_memory("map.json", text, n, source, target,
                                                         &allocator, &again, &error),
                             LB_OK);
        assert_string_equal(error.path, "map.json");
        assert_int_equal(memory.live, 0);
    }
    ALLOCATIONS_FAIL (run, 10000) {
        run.status = lb_retarget_map_load_memory("map.json", text, size, source, target,
                                                 &run.allocator, &again, NULL);
    }
}

/* a text, and what its refusal says */
typedef struct refused {
    const char *text, *says;
} refused;

static void refuse_maps(const refused *rows, size_t count)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load("human");
    for (size_t i = 0; i < count; i++) {
        lb_retarget_map map;
        lb_error error = {0};
        assert_int_not_equal(read_map(rows[i].text, source, target, &map, &error), LB_OK);
        if (strstr(error.message, rows[i].says) == NULL)
            fail_msg("%s: %s", rows[i].text, error.message);
    }
}

TEST(wrong_maps_are_refused)
{
    static const refused rows[] = {
        {"[]", "an object"},
        {"{}", "\"limber_map\" is missing"},
        {"{\"limber_map\":2,\"pairs\":[]}", "1 is known"},
        {"{\"limber_map\":1,\"pairs\":[]}", "1 to 64 pairs"},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hip\",\"target\":\"pelvis\"}]}",
         "did you mean 'Hips'"},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hips\",\"target\":\"pelvi\"}]}",
         "did you mean 'pelvis'"},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hips\",\"target\":\"pelvis\","
         "\"role\":\"pelvs\"}]}",
         "did you mean 'pelvis'"},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hips\",\"target\":\"pelvis\","
         "\"position\":-1}]}",
         "is negative"},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hips\",\"target\":\"pelvis\","
         "\"rotation\":[2,0,0,0]}]}",
         "length 1"},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hips\",\"target\":\"pelvis\","
         "\"role\":\"pelvis\",\"axis\":[1,0,0]}]}",
         "needs \"rotation\""},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hips\",\"target\":\"pelvis\",\"held\":"
         "[{\"source\":\"Hips\"},{\"source\":\"Hips\"},{\"source\":\"Hips\"}]}]}",
         "at most 2"},
        {"{\"limber_map\":1,\"pairs\":[{\"source\":\"Hips\",\"targt\":\"pelvis\"}]}",
         "did you mean 'target'"},
    };
    refuse_maps(rows, sizeof rows / sizeof *rows);
}

static const char gmr_text[] =
    "{\"robot_root_name\":\"pelvis\",\"human_root_name\":\"Hips\",\"use_ik_match_table2\":true,"
    "\"human_scale_table\":{\"Hips\":0.9,\"LeftFootMod\":0.8},"
    "\"ik_match_table1\":{},\"ik_match_table2\":{"
    "\"left_foot\":[\"LeftFootMod\",50,10,[0,0,0],[1,0,0,0]],"
    "\"pelvis\":[\"Hips\",10,5,[0,0,0.1],[0.5,0.5,0.5,0.5]]}}";

TEST(maps_of_gmr_are_read)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load("human");
    lb_retarget_map map;
    assert_made(read_map(gmr_text, source, target, &map, &cause), cause);
    assert_int_equal(map.count, 2);
    assert_near(map.root_scale, 0.9, 0);
    assert_near(map.scale, 0.8, 0);
    // the root's pair comes first, wherever it is in the file
    assert_int_equal(map.pairs[0].target, lb_model_find_link(target, "pelvis"));
    assert_near(map.pairs[0].rotation.x, 0.5, 1e-15);
    assert_near(map.pairs[0].position / map.pairs[0].orientation, 2, 1e-12);
    // z of the target is along y of the source's Hips by that rotation
    assert_near(map.pairs[0].source_point.x, 0.1, 1e-12);
    // the place of the foot with the axes of its toes, and what the figures hold
    assert_int_equal(map.pairs[1].source, lb_model_find_link(source, "LeftToeBase"));
    assert_near(map.pairs[1].source_point.x, -0.15, 1e-12);
    assert_int_equal(map.pairs[1].held_count, 2);
    assert_int_not_equal(read_map("{\"ik_match_table1\":{}}", source, target, &map, &cause), LB_OK);
    assert_refused(read_map("{\"robot_root_name\":\"pelvis\",\"human_root_name\":\"Hips\","
                            "\"human_scale_table\":{\"Hips\":-1},\"ik_match_table1\":{"
                            "\"pelvis\":[\"Hips\",10,5,[0,0,0],[1,0,0,0]]}}",
                            source, target, &map, &cause),
                   LB_BAD_VALUE, &cause, "the scale of 'Hips'");
}

/* a map of GMR with this table, and what is beside it */
#define GMR(beside, table)                                                                         \
    "{\"robot_root_name\":\"pelvis\"," beside "\"ik_match_table1\":" table "}"

TEST(wrong_maps_of_gmr_are_refused_by_name)
{
    static const refused rows[] = {
        {"{\"robot_root_name\":5,\"ik_match_table1\":{}}", "\"robot_root_name\" or"},
        {"{\"robot_root_name\":\"pelvis\",\"use_ik_match_table2\":true,\"ik_match_table1\":{}}",
         "\"ik_match_table2\" is missing"},
        {GMR("", "[]"), "\"ik_match_table1\" is missing"},
        {GMR("", "{}"), "there are no links in it"},
        {GMR("", "{\"pelvis\":5}"), "expected [bone, weight, weight, offset, rotation]"},
        {GMR("", "{\"pelvis\":[\"Hips\",1,1,[0,0,0]]}"), "expected [bone, weight, weight, offset"},
        {GMR("", "{\"pelvis\":[5,1,1,[0,0,0],[1,0,0,0]]}"), "ik_match_table1.pelvis[0]"},
        {GMR("", "{\"pelvis\":[\"Hips\",\"1\",1,[0,0,0],[1,0,0,0]]}"), "pelvis[1]"},
        {GMR("", "{\"pelvis\":[\"Hips\",1,null,[0,0,0],[1,0,0,0]]}"), "pelvis[2]"},
        {GMR("", "{\"pelvis\":[\"Hips\",1,1,[0,0],[1,0,0,0]]}"), "pelvis[3]"},
        {GMR("", "{\"pelvis\":[\"Hips\",1,1,[0,0,0],[0,0,0,0]]}"), "pelvis[4]"},
        {GMR("", "{\"plvis\":[\"Hips\",1,1,[0,0,0],[1,0,0,0]]}"), "the target has no link 'plvis'"},
        {GMR("", "{\"pelvis\":[\"Hops\",1,1,[0,0,0],[1,0,0,0]]}"), "the source has no bone 'Hops'"},
        {GMR("", "{\"pelvis\":[\"NoneMod\",1,1,[0,0,0],[1,0,0,0]]}"), "no bone 'NoneMod'"},
        {GMR("\"human_root_name\":\"Hips\",\"human_scale_table\":{\"Hips\":1,\"LeftFoot\":-2},",
             "{\"pelvis\":[\"Hips\",1,1,[0,0,0],[1,0,0,0]],"
             "\"left_foot\":[\"LeftFoot\",2,1,[0,0,0],[1,0,0,0]]}"),
         "the scale of 'LeftFoot' in \"human_scale_table\" is negative"},
    };
    refuse_maps(rows, sizeof rows / sizeof *rows);
}

/* scales that are missing or no numbers are chosen when the map is used; a bone that no one
   weighs has no say; of NAMEMod without toes the bone NAME itself is meant */
TEST(what_gmr_leaves_out_is_chosen)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load("human");
    lb_retarget_map map;
    static const char *const texts[] = {
        GMR("", "{\"pelvis\":[\"Hips\",0,1,[0,0,0],[1,0,0,0]]}"),
        GMR("\"human_root_name\":\"Hips\",\"human_scale_table\":{\"Hips\":\"1\"},",
            "{\"pelvis\":[\"Hips\",1,1,[0,0,0],[1,0,0,0]]}"),
        GMR("\"human_root_name\":7,\"human_scale_table\":{},",
            "{\"pelvis\":[\"Hips\",1,1,[0,0,0],[1,0,0,0]]}"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (read_map(texts[i], source, target, &map, &cause) != LB_OK)
            fail_msg("%s: %s", texts[i], cause.message);
        assert_int_equal(map.count, 1);
        assert_near(map.root_scale, 0, 0);
        assert_near(map.scale, 0, 0);
    }
    const char *hips = GMR("", "{\"pelvis\":[\"HipsMod\",1,1,[0,0,0],[1,0,0,0]]}");
    assert_made(read_map(hips, source, target, &map, &cause), cause);
    assert_int_equal(map.pairs[0].source, lb_model_find_link(source, "Hips"));
}

/* legs of the same bones, their rotation being the given one */
static void read_legs(const lb_model *source, const lb_model *target, const char *rotation,
                      lb_retarget_map *map)
{
    char text[600];
    snprintf(text, sizeof text,
             "{\"robot_root_name\":\"pelvis\",\"human_root_name\":\"Hips\",\"ik_match_table1\":{"
             "\"pelvis\":[\"Hips\",10,5,[0,0,0],[1,0,0,0]],"
             "\"left_thigh\":[\"LeftUpLeg\",10,5,[0,0,0],%s],"
             "\"left_shank\":[\"LeftLeg\",10,5,[0,0,0],%s],"
             "\"left_foot\":[\"LeftFoot\",10,5,[0,0,0],%s]}}",
             rotation, rotation, rotation);
    assert_made(read_map(text, source, target, map, &cause), cause);
    assert_int_equal(map->count, 4);
}

/* rotations for bones that point elsewhere are left out, weights stay */
TEST(maps_of_gmr_for_other_axes_are_realigned)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load("human");
    lb_retarget_map map;
    read_legs(source, target, "[1,0,0,0]", &map);
    assert_false(map.realigned);
    for (int i = 0; i < 4; i++)
        assert_true(map.pairs[i].aligned && map.pairs[i].role == LB_ROLE_COUNT);
    read_legs(source, target, "[0.7071067811865476,0,0.7071067811865476,0]", &map);
    assert_true(map.realigned);
    for (int i = 0; i < 4; i++)
        assert_true(!map.pairs[i].aligned && map.pairs[i].role < LB_ROLE_COUNT);
    assert_int_equal(map.pairs[1].role, LB_ROLE_LEFT_THIGH);
    assert_near(map.pairs[1].orientation, 0.05, 1e-12);
}

/* ---- contacts ----------------------------------------------------------- */

TEST(contacts_come_back)
{
    owned_model *model = test_load("human");
    lb_contact_point points[2] = {
        {.link = lb_model_find_link(model, "left_foot"), .at = {0.1, 0.2, -0.3}, .height = 0.01},
        {.link = lb_model_find_link(model, "right_hand")}};
    owned_contacts *contacts = NULL, *again = NULL;
    owned char *text = NULL;
    assert_ok(lb_contacts_create(points, 2, NULL, &contacts, NULL));
    assert_ok(lb_contacts_add(contacts, 0, 0.1, 1.0 / 3, NULL));
    assert_ok(lb_contacts_add(contacts, 0, 0.5, 0.75, NULL));
    assert_ok(lb_contacts_write(contacts, model, NULL, &text, NULL));
    assert_ok(lb_contacts_load_memory("c.json", text, strlen(text), model, NULL, &again, NULL));
    assert_int_equal(lb_contacts_count(again), 2);
    for (int i = 0; i < 2; i++) {
        int a, b;
        const lb_contact_span *first = lb_contacts_spans(contacts, i, &a);
        const lb_contact_span *second = lb_contacts_spans(again, i, &b);
        assert_int_equal(a, b);
        const lb_contact_point *point = &lb_contacts_points(again)[i];
        assert_int_equal(point->link, points[i].link);
        assert_memory_equal(&point->at, &points[i].at, sizeof point->at);
        assert_true(point->height == points[i].height);
        for (int k = 0; k < a; k++)
            assert_true(first[k].begin == second[k].begin && first[k].end == second[k].end);
    }
    for (size_t n = 0; n + 2 < strlen(text); n++) {
        lb_contacts *none = NULL;
        assert_int_not_equal(lb_contacts_load_memory("c.json", text, n, model, NULL, &none, NULL),
                             LB_OK);
        assert_null(none);
    }
}

TEST(wrong_contacts_are_refused)
{
    static const refused rows[] = {
        {"{\"points\":[]}", "\"limber_contacts\" is missing"},
        {"{\"limber_contacts\":1,\"points\":[]}", "one point or more"},
        {"{\"limber_contacts\":1,\"points\":[{\"link\":\"left_fot\",\"spans\":[]}]}",
         "did you mean 'left_foot'"},
        {"{\"limber_contacts\":1,\"points\":[{\"link\":\"left_foot\"}]}", "\"spans\" is missing"},
        {"{\"limber_contacts\":1,\"points\":[{\"link\":\"left_foot\",\"at\":[0,1e16,0],\"spans\":[]"
         "}]}",
         "points[0]: at[1] is 1e+16, but must be at most 1e+15 m"},
        {"{\"limber_contacts\":1,\"points\":[{\"link\":\"left_foot\",\"height\":1e16,\"spans\":[]"
         "}]}",
         "points[0]: height is 1e+16, but must be at most 1e+15 m"},
        {"{\"limber_contacts\":1,\"points\":[{\"link\":\"left_foot\",\"height\":-1e16,\"spans\":[]"
         "}]}",
         "points[0]: height is -1e+16, but must be at least -1e+15 m"},
        {"{\"limber_contacts\":1,\"points\":[{\"link\":\"left_foot\",\"spans\":[[2,1]]}]}",
         "begins before it ends"},
        {"{\"limber_contacts\":1,\"points\":[{\"link\":\"left_foot\",\"spans\":[[1]]}]}",
         "2 elements"},
    };
    owned_model *model = test_load("human");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lb_contacts *contacts = NULL;
        lb_error error = {0};
        assert_int_not_equal(lb_contacts_load_memory("c.json", rows[i].text, strlen(rows[i].text),
                                                     model, NULL, &contacts, &error),
                             LB_OK);
        assert_null(contacts);
        if (strstr(error.message, rows[i].says) == NULL)
            fail_msg("%s: %s", rows[i].text, error.message);
    }
}

/* nodes that another parser has filled in are read as our own are; a part of them is refused */
TEST(documents_are_read)
{
    static const char text[] = "{\"limber_contacts\":1,\"points\":[{\"link\":\"left_foot\","
                               "\"spans\":[[1,2]]}]}";
    owned_model *source = walker_model(WALKER_A), *target = test_load("human");
    lb_retarget_map map = found_map(source, target), again;
    lb_contacts *contacts = NULL;
    lb_document *document = NULL;
    owned char *written = map_text(&map, source, target);
    assert_ok(parse_text(json_parse, written, strlen(written), NULL, NULL, &document, &cause));
    assert_ok(lb_retarget_map_load_document("m", document, source, target, NULL, &again, &cause));
    assert_int_equal(again.count, map.count);
    lb_document_release(document);
    assert_ok(parse_text(json_parse, text, sizeof text - 1, NULL, NULL, &document, &cause));
    assert_ok(lb_contacts_load_document("c", document, target, NULL, &contacts, &cause));
    assert_non_null(lb_contacts_at(contacts, 0, 1.5));
    lb_contacts_release(contacts);
    lb_document_release(document);
    assert_ok(lb_document_create(NULL, &document));
    lb_document_add(document, LB_NODE_OBJECT, NULL, NULL, 0, 1);
    assert_int_not_equal(lb_contacts_load_document("c", document, target, NULL, &contacts, &cause),
                         LB_OK);
    assert_null(contacts);
    assert_true(cause.message[0] != '\0');
    lb_document_release(document);
}

/* a joint with a place of its own instead, at the same place: what six channels of a bone are */
static void make_floating(lb_joint *joint)
{
    lb_vec3 p = joint->placement.p;
    joint->kind = LB_JOINT_FLOATING;
    joint->placement.p = (lb_vec3){0, 0, 0};
    memcpy(joint->value, (double[]){p.x, p.y, p.z, 1}, 4 * sizeof(double));
}

/* a figure of the same shape, its bones so many times as long; one joint of `every` floats, 0: none
 */
static lb_model *scaled_walker(double scale, int every)
{
    owned_model *walker = walker_model(WALKER_T);
    lb_link links[32];
    lb_joint joints[32];
    int count = lb_model_link_count(walker);
    assert_in_range(count, 2, 32);
    for (int i = 0; i < count; i++)
        links[i] = *lb_model_link(walker, i);
    for (int i = 0; i + 1 < count; i++) {
        joints[i] = *lb_model_joint(walker, i);
        joints[i].placement.p = lb_vec3_scale(joints[i].placement.p, scale);
        if (i > 0 && every > 0 && i % every == 0)
            make_floating(&joints[i]);
    }
    lb_model *model = test_make("scaled", links, count, joints, count - 1);
    return model;
}

/* scales that are for people make a dwarf as large as they make a person */
TEST(scales_of_gmr_are_for_people)
{
    static const char text[] = GMR("\"human_root_name\":\"Hips\",\"human_height_assumption\":1.75,"
                                   "\"human_scale_table\":{\"Hips\":0.6,\"LeftFoot\":0.7},",
                                   "{\"pelvis\":[\"Hips\",0,1,[0,0,0],[1,0,0,0]],"
                                   "\"left_foot\":[\"LeftFoot\",2,1,[0,0,0],[1,0,0,0]]}");
    static const double sizes[] = {0.02, 0.5, 0.9, 1, 1.15, 3, 100};
    owned_model *target = test_load("human");
    for (int i = 0; i < 28; i++) {
        double size = sizes[i / 4];
        owned_model *source = scaled_walker(size, i % 4);
        lb_retarget_map map;
        lb_error error = {0};
        assert_made(read_map(text, source, target, &map, &error), error);
        bool adult = size > 0.8 && size < 1.3;
        assert_int_equal(map.rescaled, !adult);
        // a person of 1.75 m is 1.15 m from hips to fingers or toes, the walker 1.10 m
        assert_true(fabs(map.root_scale * (adult ? 1 : size) - 0.6) < 0.03);
        assert_near(map.scale / map.root_scale, 0.7 / 0.6, 1e-12);
    }
}
