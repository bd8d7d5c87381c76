/*
 * test_sole_looks.c - soles by what feet look like: of a figure without shapes that looks like one
 * with them they are the same, and of files that draw feet they are where the lowest points are.
 */
#include <limber/check.h>
#include <limber/formats/looks.h>
#include <limber/retarget.h>
#include <limits.h>

#include "motion/walker.h"
#include "support_load.h"

static lb_error error;

/* the same figure with nothing to see or to touch */
static lb_model *make_bare(const lb_model *model)
{
    int links = lb_model_link_count(model), joints = lb_model_joint_count(model);
    owned lb_link *bare = calloc((size_t)links, sizeof *bare);
    owned lb_joint *same = calloc((size_t)joints, sizeof *same);
    lb_model *made = NULL;
    for (int i = 0; i < links; i++) {
        bare[i] = *lb_model_link(model, i);
        bare[i].visual_count = bare[i].collision_count = 0;
        bare[i].visuals = bare[i].collisions = NULL;
    }
    for (int i = 0; i < joints; i++)
        same[i] = *lb_model_joint(model, i);
    lb_model_source source = {.name = "bare",
                              .root = lb_model_root(model),
                              .links = bare,
                              .link_count = links,
                              .joints = same,
                              .joint_count = joints};
    assert_ok(lb_model_build(&source, NULL, &made, &error));
    return made;
}

static void assert_same(const lb_contacts *a, const lb_contacts *b)
{
    for (int i = 0; i < 4; i++) {
        const lb_contact_point *p = &lb_contacts_points(a)[i], *q = &lb_contacts_points(b)[i];
        assert_int_equal(p->link, q->link);
        assert_near(lb_vec3_length(lb_vec3_sub(p->at, q->at)), 0, 1e-12);
    }
}

/* the figure's own visuals as looks, and the corners of its boxes as meshes of a scale */
TEST(looks_are_as_good_as_shapes)
{
    owned_model *human = test_load("human"), *bare = make_bare(human);
    owned_looks *visuals = NULL;
    lb_contacts *wanted = NULL, *found = NULL, *assumed = NULL;
    bool known = false;
    assert_ok(lb_rig_soles_by_looks(human, NULL, NULL, NULL, &wanted, &known, &error));
    assert_true(known);
    assert_ok(lb_rig_soles_by_looks(bare, NULL, NULL, NULL, &assumed, &known, &error));
    assert_false(known);
    assert_ok(lb_looks_load("human", human, NULL, NULL, &visuals, &error));
    assert_ok(lb_rig_soles_by_looks(bare, NULL, visuals, NULL, &found, &known, &error));
    assert_true(known);
    assert_same(found, wanted);
    assert_true(fabs(lb_contacts_points(assumed)[0].at.z - lb_contacts_points(found)[0].at.z) >
                1e-3);
    lb_contacts_release(found);

    // the box of each foot by its corners, in half metres
    lb_vec3 corners[8];
    lb_mesh mesh = {"box", corners, 8};
    lb_link_shape shapes[2];
    for (int k = 0; k < 8; k++)
        corners[k] = lb_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    for (int i = 0; i < 2; i++) {
        int link = lb_contacts_points(wanted)[2 * i].link;
        shapes[i] = (lb_link_shape){link, lb_model_link(human, link)->visuals[0]};
        shapes[i].geometry.size = lb_vec3_scale(shapes[i].geometry.size, 0.5);
        shapes[i].geometry.shape = LB_SHAPE_MESH;
        shapes[i].geometry.mesh = "box";
    }
    lb_looks meshes = {shapes, &mesh, 2, 1};
    assert_ok(lb_rig_soles_by_looks(bare, NULL, &meshes, NULL, &found, &known, &error));
    assert_true(known);
    assert_same(found, wanted);
    // of one foot alone the other's sole is still assumed
    meshes.shape_count = 1;
    lb_contacts_release(found);
    assert_ok(lb_rig_soles_by_looks(bare, NULL, &meshes, NULL, &found, &known, &error));
    assert_false(known);
    lb_contacts_release(found);
    lb_contacts_release(assumed);
    lb_contacts_release(wanted);
}

/* a map takes them, where its feet are those of the soles */
TEST(maps_take_soles)
{
    owned_model *human = test_load("human"), *source = walker_model(WALKER_T);
    owned_contacts *soles = NULL;
    lb_retarget_map map;
    assert_ok(lb_retarget_map_find(source, NULL, human, NULL, &map, &error));
    assert_ok(lb_rig_soles(human, NULL, NULL, &soles, &error));
    for (int i = 0; i < 4; i++) {
        lb_contact_point moved = lb_contacts_points(soles)[i];
        moved.at.z -= 0.01 * (i + 1);
        assert_ok(lb_contacts_move(soles, i, &moved, &error));
    }
    lb_retarget_map_set_soles(&map, soles);
    int feet = 0;
    for (int i = 0; i < map.count; i++) {
        const lb_retarget_pair *pair = &map.pairs[i];
        if (pair->role != LB_ROLE_LEFT_FOOT && pair->role != LB_ROLE_RIGHT_FOOT)
            continue;
        const lb_contact_point *heel =
            &lb_contacts_points(soles)[pair->role == LB_ROLE_LEFT_FOOT ? 0 : 2];
        assert_true(pair->held[0].at.z == heel[0].at.z && pair->held[1].at.z == heel[1].at.z);
        feet++;
    }
    assert_int_equal(feet, 2);
}

/* shapes of links that the model has not, and soles of which there are too few */
TEST(what_is_not_there_is_refused)
{
    static const int links[] = {-1, INT_MIN, 1 << 20, INT_MAX};
    owned_model *human = test_load("human");
    lb_link_shape shape = {.geometry = {.shape = LB_SHAPE_SPHERE, .origin = LB_TRANSFORM_IDENTITY}};
    const lb_looks looks = {.shapes = &shape, .shape_count = 1};
    for (int i = 0; i < 4; i++) {
        lb_contacts *soles = (lb_contacts *)(uintptr_t)1;
        shape.link = links[i];
        assert_int_equal(lb_rig_soles_by_looks(human, NULL, &looks, NULL, &soles, NULL, &error),
                         LB_INVALID_ARGUMENT);
        assert_null(soles);
        assert_non_null(strstr(error.message, "shape 1 of the looks"));
    }
    const lb_contact_point point = {.link = 1};
    owned_contacts *one = NULL;
    lb_retarget_map map, before;
    assert_ok(lb_retarget_map_find(human, NULL, human, NULL, &map, &error));
    assert_ok(lb_contacts_create(&point, 1, NULL, &one, &error));
    before = map;
    lb_retarget_map_set_soles(&map, one);
    assert_memory_equal(&map, &before, sizeof map);
}

/* real figures: heel and toe are as low as the lowest point that their foot draws */
TEST(soles_are_where_feet_are_drawn)
{
    static const char *const names[] = {"cesium_man.gltf", "robot_expressive.glb", "greenman.glb"};
    int tried = 0;
    for (int n = 0; n < 3; n++) {
        char path[1024];
        owned_gltf *gltf = NULL;
        owned_looks *looks = NULL;
        owned_contacts *soles = NULL;
        bool known = false;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/gltf/%s", names[n]);
        if (lb_gltf_load(path, NULL, &gltf, &error) != LB_OK)
            continue;
        const lb_model *model = lb_gltf_model(gltf);
        assert_ok(lb_looks_load(path, model, gltf, NULL, &looks, &error));
        lb_status status = lb_rig_soles_by_looks(model, NULL, looks, NULL, &soles, &known, &error);
        print_message("%s: %s\n", names[n],
                      status == LB_OK ? known ? "known" : "assumed" : error.message);
        owned_state *at = test_state(model);
        for (int i = 0; i < 4 && status == LB_OK; i++) {
            const lb_contact_point *point = &lb_contacts_points(soles)[i];
            double lowest = INFINITY;
            for (int s = 0; s < looks->shape_count; s++)
                for (int k = 0; looks->shapes[s].link == point->link && k < looks->meshes[s].count;
                     k++)
                    lowest = fmin(
                        lowest,
                        lb_state_point(at, point->link, LB_WORLD, looks->meshes[s].points[k]).z);
            assert_true(known);
            assert_near(lb_state_point(at, point->link, LB_WORLD, point->at).z, lowest, 1e-9);
        }
        tried++;
    }
    if (tried == 0) {
        print_message("shared/data is not there\n");
        skip();
    }
}
