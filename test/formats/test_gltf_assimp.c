/*
 * test_gltf_assimp.c - what another reader makes of written files: assimp finds the channels, keys
 * and values of the clips.
 */
#include <limber/formats/gltf.h>

#if !defined(LIMBER_HAVE_ASSIMP)

TEST_SKIP("there is no assimp (libassimp-dev)")

#else

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include "gltf_grown.h"
#include "support.h"

static const char *const names[] = {"cesium_man.gltf", "rigged_simple.gltf", "robot_expressive.glb",
                                    "greenman.glb", "simple_skin.gltf"};

static const struct aiNodeAnim *find_channel(const struct aiAnimation *animation, const char *name)
{
    for (unsigned i = 0; i < animation->mNumChannels; i++)
        if (strcmp(animation->mChannels[i]->mNodeName.data, name) == 0)
            return animation->mChannels[i];
    return NULL;
}

/* times of assimp are milliseconds */
static void check_times(const struct aiQuatKey *keys, const lb_clip *clip)
{
    for (int i = 0; i < lb_clip_count(clip); i++)
        assert_near(keys[i].mTime / 1000, lb_clip_times(clip)[i], 1e-5);
}

/* a joint's channel; what rests in the clip needs none */
static int check_joint(const struct aiAnimation *animation, const lb_gltf *gltf, int node,
                       const lb_clip *clip)
{
    const lb_model *model = lb_gltf_model(gltf);
    const lb_joint *joint = lb_model_joint(model, lb_gltf_joint(gltf, node));
    int q = lb_model_joint_q(model, lb_gltf_joint(gltf, node));
    char unnamed[32];
    // what it calls a node without a name
    snprintf(unnamed, sizeof unnamed, "nodes[%d]", node);
    const struct aiNodeAnim *channel = find_channel(animation, joint->name);
    if (channel == NULL)
        channel = find_channel(animation, unnamed);
    if (q < 0 || channel == NULL)
        return 0;
    bool floats = joint->kind == LB_JOINT_FLOATING;
    int keys = lb_clip_count(clip);
    // a channel that moves the place alone has one key of rest
    assert_true((int)channel->mNumRotationKeys == keys || (int)channel->mNumPositionKeys == keys);
    if ((int)channel->mNumRotationKeys == keys)
        check_times(channel->mRotationKeys, clip);
    for (int i = 0; i < keys; i++) {
        const double *value = lb_clip_key(clip, i) + q;
        if ((int)channel->mNumPositionKeys == keys && floats) {
            struct aiVector3D p = channel->mPositionKeys[i].mValue;
            assert_near((double)p.x, value[0], 1e-5);
            assert_near((double)p.y, value[1], 1e-5);
            assert_near((double)p.z, value[2], 1e-5);
        }
        if ((int)channel->mNumRotationKeys == keys) {
            struct aiQuaternion r = channel->mRotationKeys[i].mValue;
            value += floats ? 3 : 0;
            double dot = (double)r.w * value[0] + (double)r.x * value[1] + (double)r.y * value[2] +
                         (double)r.z * value[3];
            assert_near(fabs(dot), 1, 1e-5);
        }
    }
    return 1;
}

static void check_file(const char *name, const char *path, bool binary)
{
    owned_gltf *gltf = NULL;
    owned_clip *clip = NULL;
    lb_error error;
    if (lb_gltf_load(path, NULL, &gltf, &error) != LB_OK ||
        lb_gltf_clip(gltf, 0, NULL, &clip, &error) != LB_OK)
        fail_msg("%s: %s", path, error.message);
    gltf_grown to = {0};
    lb_gltf_write_options options = {.binary = binary};
    lb_gltf_animation animation = {"of our own", clip};
    if (lb_gltf_write(gltf, &animation, 1, &options, gltf_grown_add, &to, &error) != LB_OK)
        fail_msg("%s: %s", name, error.message);
    const struct aiScene *scene =
        aiImportFileFromMemory((char *)to.bytes, (unsigned)to.size, 0, binary ? "glb" : "gltf");
    if (scene == NULL)
        fail_msg("%s: assimp: %s", name, aiGetErrorString());
    int count = lb_gltf_describe(gltf).animations, checked = 0;
    assert_int_equal(scene->mNumAnimations, count + 1);
    const struct aiAnimation *last = scene->mAnimations[count];
    assert_string_equal(last->mName.data, "of our own");
    assert_near(last->mTicksPerSecond, 1000, 0);
    for (int n = 0; n < lb_gltf_describe(gltf).nodes; n++)
        checked += check_joint(last, gltf, n, clip);
    print_message("%s: %d channels, %d keys\n", name, checked, lb_clip_count(clip));
    assert_int_equal(last->mNumChannels, checked);
    aiReleaseImport(scene);
    free(to.bytes);
}

TEST(assimp_reads_written_files)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/gltf/%s", LIMBER_DATA_DIR, names[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            print_message("skipped: there is no %s\n", path);
            skip();
        }
        fclose(file);
        check_file(names[i], path, true);
        check_file(names[i], path, false);
    }
}

#endif
