/* test_looks.c - looks that stand in for shapes: visuals with their meshes, what a glTF draws. */
#include "loading.h"

#include <limber/formats/looks.h>

#define SPHERE "<visual><geometry><sphere radius='0.1'/></geometry></visual>"

/* three links in a row that slide by at most 1 m along x, the middle one with what is given */
static lb_model *slides(const char *middle)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name='slides'><link name='a'>" SPHERE "</link><link name='b'>%s</link>"
             "<link name='c'>" SPHERE "<visual><geometry><mesh filename='none.obj'/></geometry>"
             "</visual></link><joint name='ab' type='prismatic'><parent link='a'/><child link='b'/>"
             "<axis xyz='1 0 0'/><limit lower='0' upper='1'/></joint><joint name='bc' "
             "type='prismatic'><parent link='b'/><child link='c'/><axis xyz='1 0 0'/>"
             "<limit lower='-1' upper='1'/></joint></robot>",
             middle);
    return load_text("slides.urdf", text);
}

TEST(visuals_stand_in)
{
    owned_model *model =
        slides("<visual><origin xyz='0 9 0'/><geometry><sphere radius='0.1'/></geometry></visual>");
    lb_looks *looks = NULL;
    assert_true(lb_looks_needed(model));
    assert_ok(lb_looks_load("slides.urdf", model, NULL, NULL, &looks, &cause));
    assert_int_equal(looks->shape_count, 4);
    assert_int_equal(looks->shapes[0].link, 0);
    assert_int_equal(looks->shapes[1].link, 1);
    assert_int_equal(looks->shapes[3].link, 2);
    assert_int_equal(looks->mesh_count, 0);

    lb_collision_options options = lb_collision_options_default();
    options.stand_ins = looks->shapes;
    options.stand_in_count = looks->shape_count;
    options.allow_missing = true;
    options.samples = 0;
    owned_collision *collision = NULL;
    assert_ok(lb_collision_create(model, NULL, &options, NULL, &collision, &cause));
    assert_int_equal(lb_collision_missing(collision), 1);
    // they are copied, as is said
    lb_looks_release(looks);
    // the ends are checked against each other, neighbours are not; their middles are 0.7 m apart
    lb_proximity nearest;
    const double q[2] = {0.5, 0.2};
    assert_int_equal(lb_collision_pair_count(collision), 3);
    assert_near(lb_collision_distance(collision, q, &nearest), 0.5, 1e-12);
    assert_int_equal(nearest.body_b, 2);
}

TEST(shapes_that_collide_need_none)
{
    owned_model *model =
        slides("<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>");
    assert_false(lb_looks_needed(model));
}

TEST(failing_allocations_are_said)
{
    owned_model *model = slides(SPHERE);
    ALLOCATIONS_FAIL (run, 40) {
        lb_load_options options = {.allocator = &run.allocator};
        owned_looks *looks = NULL;
        run.status = lb_looks_load("slides.urdf", model, NULL, &options, &looks, &cause);
        assert_true(run.status == LB_OK || (run.status == LB_OUT_OF_MEMORY && looks == NULL));
    }
    assert_int_equal(lb_looks_load(NULL, model, NULL, NULL, NULL, &cause), LB_INVALID_ARGUMENT);
    lb_looks_release(NULL);
}
