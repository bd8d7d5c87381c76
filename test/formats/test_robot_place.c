/*
 * test_robot_place.c - the root of a robot's table stands in the world, wherever the model's
 * floating joint is placed.
 */
#include "formats/motion/robot.h"
#include "support.h"

#include <limber/formats/load.h>
#include <limber/formats/robot_csv.h>

/* the pelvis's joint is placed and turned, and hangs from a fixed joint below a placed root */
static const char robot_text[] =
    "{\"limber\": 1, \"name\": \"r\", \"root\": {\"xyz\": [0, 0.5, 0.6], \"rpy\": [0.3, 0, 1]},"
    "\"links\": [{\"name\": \"w\"}, {\"name\": \"m\"}, {\"name\": \"pelvis\"}, {\"name\": \"a\"}],"
    "\"joints\": [{\"name\": \"f\", \"kind\": \"fixed\", \"parent\": \"w\", \"child\": \"m\","
    "\"placement\": {\"xyz\": [1, 0, 0], \"rpy\": [0, 0.4, 0]}},"
    "{\"name\": \"root\", \"kind\": \"%s\", \"parent\": \"m\", \"child\": \"pelvis\","
    "\"placement\": {\"xyz\": [0, 0, 0.7], \"rpy\": [0, 0, -0.6]}},"
    "{\"name\": \"hip\", \"kind\": \"%s\", \"parent\": \"pelvis\", \"child\": \"a\"}]}";

static lb_model *make_robot(const char *root, const char *hip)
{
    char text[1024];
    lb_model *model = NULL;
    snprintf(text, sizeof text, robot_text, root, hip);
    assert_made(lb_load_memory("r.json", text, strlen(text), NULL, &model, &cause), cause);
    return model;
}

typedef struct written {
    char bytes[1 << 14];
    size_t size;
} written;

static bool add_bytes(void *user, const void *bytes, size_t size)
{
    written *to = user;
    assert_true(size < sizeof to->bytes - to->size);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    to->bytes[to->size] = '\0';
    return true;
}

static void check_keys(const lb_clip *clip, const lb_clip *again, double within)
{
    double v[16];
    assert_int_equal(lb_clip_count(again), lb_clip_count(clip));
    for (int i = 0; i < lb_clip_count(clip); i++) {
        lb_configuration_difference(lb_clip_model(clip), lb_clip_key(clip, i),
                                    lb_clip_key(again, i), v);
        for (int k = 0; k < lb_model_nv(lb_clip_model(clip)); k++)
            assert_near(v[k], 0, within);
    }
}

/* a row of the table is where forward kinematics has the pelvis */
TEST(tables_hold_the_place_in_the_world)
{
    static const char row[] = "1.5,-2,0.75,0.6,0,0,0.8,0.5\n";
    owned_model *model = make_robot("floating", "continuous");
    owned_clip *clip = NULL;
    owned_state *state = NULL;
    written made = {.size = 0};
    assert_ok(lb_robot_csv_load_memory("t", row, strlen(row), model, NULL, &clip, NULL));
    assert_ok(lb_state_create(model, NULL, &state));
    lb_state_update(state, lb_clip_key(clip, 0));
    lb_transform pelvis = lb_state_transform(state, LB_WORLD, lb_model_find_link(model, "pelvis"));
    lb_transform expected =
        lb_transform_from_quat((lb_quat){0.8, 0.6, 0, 0}, lb_vec3_make(1.5, -2, 0.75));
    assert_near(lb_transform_distance(&pelvis, &expected), 0, 1e-15);
    assert_near(lb_transform_angle(&pelvis, &expected), 0, 1e-15);
    assert_ok(lb_robot_csv_write(clip, LB_ROBOT_CSV_LAFAN1, add_bytes, &made, NULL));
    assert_string_equal(made.bytes, row);
}

TEST(every_kind_comes_back)
{
    static const double times[] = {0, 1 / 50.0, 2 / 50.0};
    lb_random random = test_seed(3);
    lb_robot_csv_options fifty = {.rate = 50};
    owned_model *model = make_robot("floating", "continuous");
    owned_clip *clip = test_random_clip_at(model, times, 3, LB_INTERPOLATION_LINEAR, &random);
    for (lb_robot_csv kind = LB_ROBOT_CSV_LAFAN1; kind <= LB_ROBOT_CSV_BONES; kind++) {
        owned_clip *again = NULL;
        written made = {.size = 0};
        assert_ok(lb_robot_csv_write(clip, kind, add_bytes, &made, NULL));
        assert_ok(
            lb_robot_csv_load_memory("t", made.bytes, made.size, model, &fifty, &again, NULL));
        check_keys(clip, again, 1e-10);
    }
    owned_clip *pickled = NULL, *zipped = NULL;
    written made = {.size = 0};
    owned void *bytes = NULL;
    size_t size;
    assert_ok(robot_pkl_write(clip, NULL, add_bytes, &made, NULL));
    assert_ok(robot_pkl_read(made.bytes, made.size, model, NULL, &pickled, NULL));
    check_keys(clip, pickled, 1e-14);
    lb_status status = lb_robot_npz_write(clip, NULL, NULL, &bytes, &size, NULL);
    if (status == LB_UNSUPPORTED)
        return;
    assert_ok(lb_robot_npz_load_memory("t", bytes, size, model, NULL, &zipped, NULL));
    check_keys(clip, zipped, 1e-6);
}

TEST(a_root_on_a_joint_that_moves_is_refused)
{
    static const char row[] = "0,0,0,0,0,0,1,0\n";
    owned_model *model = make_robot("continuous", "floating");
    owned_clip *clip = NULL;
    assert_refused(lb_robot_csv_load_memory("t", row, strlen(row), model, NULL, &clip, &cause),
                   LB_BAD_MODEL, &cause, "'hip' hangs from 'root', which moves");
}
