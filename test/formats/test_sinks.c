/*
 * test_sinks.c - every format that is written piece by piece: a sink that ends the writing at the
 * n-th piece gets no other one, and the caller gets the status; what is missing is refused before
 * the first.
 */
#include <limber/formats/load.h>
#include <limber/formats/motion.h>
#include <limber/formats/robot_csv.h>

#include "support.h"

/* What is written of: a figure with a floating root that moves, as a clip and as files. */
typedef struct sources {
    lb_model *model;
    lb_clip *clip, *posed;
    lb_bvh *bvh;
    lb_gltf *gltf;
} sources;

static sources made;

/* Takes so many pieces; what it took is counted. */
typedef struct counter {
    int most, taken, bytes;
} counter;

static bool take(void *user, const void *bytes, size_t size)
{
    counter *c = user;
    assert_true(bytes != NULL || size == 0);
    // once it has ended nothing may follow
    assert_true(c->taken <= c->most);
    c->taken++;
    c->bytes += (int)size;
    return c->taken <= c->most;
}

/* ---- the writers -------------------------------------------------------- */

static lb_status write_bvh(const sources *s, counter *to, lb_error *error)
{
    return lb_bvh_write(s->bvh, lb_bvh_clip(s->bvh), take, to, NULL, error);
}
static lb_status write_own_frames(const sources *s, counter *to, lb_error *error)
{
    return lb_bvh_write(s->bvh, NULL, take, to, NULL, error);
}
static lb_status write_table(const sources *s, counter *to, lb_error *error)
{
    return lb_robot_csv_write(s->clip, LB_ROBOT_CSV_LAFAN1, take, to, error);
}
static lb_status write_named_table(const sources *s, counter *to, lb_error *error)
{
    return lb_robot_csv_write(s->clip, LB_ROBOT_CSV_BONES, take, to, error);
}
static lb_status write_scene(const sources *s, counter *to, lb_error *error)
{
    return lb_gltf_write(s->gltf, &(lb_gltf_animation){"x", s->posed}, 1, NULL, take, to, error);
}
static lb_status write_binary(const sources *s, counter *to, lb_error *error)
{
    const lb_gltf_write_options options = {.binary = true};
    return lb_gltf_write(s->gltf, &(lb_gltf_animation){"x", s->posed}, 1, &options, take, to,
                         error);
}
static lb_status write_binary_of_text(const sources *s, counter *to, lb_error *error)
{
    const lb_gltf_write_options options = {.binary = true};
    return lb_gltf_write(s->gltf, NULL, 0, &options, take, to, error);
}

static lb_status write_motion(const sources *s, counter *to, lb_motion_kind kind, lb_error *error)
{
    return lb_motion_write(NULL, s->clip, &(lb_motion_write_options){.kind = kind}, take, to,
                           error);
}
static lb_status write_poses(const sources *s, counter *to, lb_error *error)
{
    return write_motion(s, to, LB_MOTION_POSES, error);
}
static lb_status write_json(const sources *s, counter *to, lb_error *error)
{
    return write_motion(s, to, LB_MOTION_JSON, error);
}
static lb_status write_archive(const sources *s, counter *to, lb_error *error)
{
    return write_motion(s, to, LB_MOTION_NPZ, error);
}
static lb_status write_made_bvh(const sources *s, counter *to, lb_error *error)
{
    return write_motion(s, to, LB_MOTION_BVH, error);
}

static const struct {
    const char *name;
    lb_status (*write)(const sources *s, counter *to, lb_error *error);
} writers[] = {
    {"BVH", write_bvh},
    {"BVH of its own frames", write_own_frames},
    {"a table", write_table},
    {"a table with names", write_named_table},
    {"glTF", write_scene},
    {"GLB", write_binary},
    {"GLB without numbers", write_binary_of_text},
    {"poses", write_poses},
    {"JSON", write_json},
    {"an archive", write_archive},
    {"BVH that is made", write_made_bvh},
};

TEST(sinks_end_the_writing)
{
    const sources *s = &made;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        lb_error error = {0};
        counter all = {.most = 1 << 30};
        if (writers[i].write(s, &all, &error) != LB_OK)
            fail_msg("%s: %s", writers[i].name, error.message);
        assert_true(all.taken > 0 && all.bytes > 0);
        for (int most = 0; most < all.taken; most++) {
            counter some = {.most = most};
            error = (lb_error){0};
            if (writers[i].write(s, &some, &error) != LB_FILE_ERROR)
                fail_msg("%s: the sink ended after %d pieces", writers[i].name, most);
            assert_int_equal(some.taken, most + 1);
            assert_int_equal(error.status, LB_FILE_ERROR);
            assert_true(error.message[0] != '\0');
        }
    }
}

TEST(what_is_missing_is_refused)
{
    const sources *s = &made;
    counter to = {.most = 0};
    const lb_gltf_animation animation = {"x", s->posed};
    const lb_status statuses[] = {
        lb_bvh_write(NULL, NULL, take, &to, NULL, NULL),
        lb_bvh_write(s->bvh, NULL, NULL, &to, NULL, NULL),
        lb_robot_csv_write(NULL, LB_ROBOT_CSV_BONES, take, &to, NULL),
        lb_robot_csv_write(s->clip, LB_ROBOT_CSV_BONES, NULL, &to, NULL),
        lb_robot_csv_write(s->clip, LB_ROBOT_CSV_RECOGNISE, take, &to, NULL),
        lb_robot_csv_write(s->clip, LB_ROBOT_CSV_COUNT, take, &to, NULL),
        lb_gltf_write(NULL, &animation, 1, NULL, take, &to, NULL),
        lb_gltf_write(s->gltf, &animation, 1, NULL, NULL, &to, NULL),
        lb_gltf_write(s->gltf, NULL, 1, NULL, take, &to, NULL),
        lb_gltf_write(s->gltf, &animation, -1, NULL, take, &to, NULL),
    };
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i] != LB_INVALID_ARGUMENT)
            fail_msg("row %zu: %s", i, lb_status_text(statuses[i]));
    assert_int_equal(to.taken, 0);
}

/* ---- sources ------------------------------------------------------------ */

static int make_sources(void)
{
    sources *s = &made;
    static const char scene[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"a\","
        "\"children\":[1]},{\"name\":\"b\",\"translation\":[0,1,0]}],\"skins\":[{\"joints\":[0,1]}]"
        "}";
    lb_model *arm = NULL;
    lb_error error = {0};
    lb_status status = lb_load("planar3", NULL, &arm, &error);
    if (status == LB_OK)
        status = lb_model_with_root(arm, LB_JOINT_FLOATING, NULL, &s->model, &error);
    lb_model_release(arm);
    if (status == LB_OK) {
        lb_random random = test_seed(31);
        s->clip = test_random_clip(s->model, 40, &random);
        status = lb_bvh_make(s->clip, NULL, &s->bvh, &error);
    }
    if (status == LB_OK)
        status = lb_gltf_load_memory("s.gltf", scene, sizeof scene - 1, NULL, &s->gltf, &error);
    if (status == LB_OK) {
        lb_random random = test_seed(32);
        s->posed = test_random_clip(lb_gltf_model(s->gltf), 40, &random);
    } else
        print_message("%s\n", error.message);
    return status == LB_OK ? 0 : -1;
}

static int drop_sources(void)
{
    sources *s = &made;
    lb_clip_release(s->posed);
    lb_gltf_release(s->gltf);
    lb_bvh_release(s->bvh);
    lb_clip_release(s->clip);
    lb_model_release(s->model);
    return 0;
}

TEST_FIXTURE(make_sources, drop_sources)
