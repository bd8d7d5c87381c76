/*
 * owned.h - variables that release what they point to where their block ends.
 *
 *     owned_model *model = test_load("panda");
 *     owned char *text = program_read("a.csv");
 *
 * A test that fails leaves without releasing.
 */
#ifndef TEST_OWNED_H
#define TEST_OWNED_H

#include <limber/body.h>
#include <limber/clip.h>
#include <limber/collision.h>
#include <limber/contacts.h>
#include <limber/elbow.h>
#include <limber/fk_batch.h>
#include <limber/formats/bvh.h>
#include <limber/formats/document.h>
#include <limber/formats/gltf.h>
#include <limber/formats/looks.h>
#include <limber/formats/motion.h>
#include <limber/formats/scene.h>
#include <limber/ik.h>
#include <limber/kinematics.h>
#include <limber/loops.h>
#include <limber/motion.h>
#include <limber/placement.h>
#include <limber/reach_map.h>
#include <limber/retarget.h>
#include <limber/servo.h>
#include <limber/solutions.h>
#include <limber/workspace.h>
#include <stdlib.h>
#include <string.h>

#define TEST_RELEASE(noun, type)                                                                   \
    static inline void test_drop_##noun(type **owner)                                              \
    {                                                                                              \
        lb_##noun##_release(*owner);                                                               \
    }
TEST_RELEASE(body, lb_body)
TEST_RELEASE(assembly, lb_assembly)
TEST_RELEASE(bvh, lb_bvh)
TEST_RELEASE(clip, lb_clip)
TEST_RELEASE(collision, lb_collision)
TEST_RELEASE(contacts, lb_contacts)
TEST_RELEASE(document, lb_document)
TEST_RELEASE(elbow, lb_elbow)
TEST_RELEASE(fk_batch, lb_fk_batch)
TEST_RELEASE(follower, lb_follower)
TEST_RELEASE(gltf, lb_gltf)
TEST_RELEASE(ik, lb_ik)
TEST_RELEASE(looks, lb_looks)
TEST_RELEASE(model, lb_model)
TEST_RELEASE(motion, lb_motion)
TEST_RELEASE(path, lb_path)
TEST_RELEASE(placement, lb_placement)
TEST_RELEASE(reach_map, lb_reach_map)
TEST_RELEASE(retarget_stream, lb_retarget_stream)
TEST_RELEASE(scene, lb_scene)
TEST_RELEASE(servo, lb_servo)
TEST_RELEASE(solutions, lb_solutions_solver)
TEST_RELEASE(state, lb_state)
TEST_RELEASE(workspace, lb_workspace)

#define owned_assembly __attribute__((cleanup(test_drop_assembly))) lb_assembly
#define owned_body __attribute__((cleanup(test_drop_body))) lb_body
#define owned_bvh __attribute__((cleanup(test_drop_bvh))) lb_bvh
#define owned_clip __attribute__((cleanup(test_drop_clip))) lb_clip
#define owned_collision __attribute__((cleanup(test_drop_collision))) lb_collision
#define owned_contacts __attribute__((cleanup(test_drop_contacts))) lb_contacts
#define owned_document __attribute__((cleanup(test_drop_document))) lb_document
#define owned_elbow __attribute__((cleanup(test_drop_elbow))) lb_elbow
#define owned_fk_batch __attribute__((cleanup(test_drop_fk_batch))) lb_fk_batch
#define owned_follower __attribute__((cleanup(test_drop_follower))) lb_follower
#define owned_gltf __attribute__((cleanup(test_drop_gltf))) lb_gltf
#define owned_ik __attribute__((cleanup(test_drop_ik))) lb_ik
#define owned_looks __attribute__((cleanup(test_drop_looks))) lb_looks
#define owned_model __attribute__((cleanup(test_drop_model))) lb_model
#define owned_motion __attribute__((cleanup(test_drop_motion))) lb_motion
#define owned_path __attribute__((cleanup(test_drop_path))) lb_path
#define owned_placement __attribute__((cleanup(test_drop_placement))) lb_placement
#define owned_reach_map __attribute__((cleanup(test_drop_reach_map))) lb_reach_map
#define owned_stream __attribute__((cleanup(test_drop_retarget_stream))) lb_retarget_stream
#define owned_scene __attribute__((cleanup(test_drop_scene))) lb_scene
#define owned_servo __attribute__((cleanup(test_drop_servo))) lb_servo
#define owned_solutions __attribute__((cleanup(test_drop_solutions))) lb_solutions_solver
#define owned_state __attribute__((cleanup(test_drop_state))) lb_state
#define owned_workspace __attribute__((cleanup(test_drop_workspace))) lb_workspace

/* The same for what malloc gave. */
static inline void test_drop_memory(void *owner)
{
    void *memory;
    memcpy(&memory, owner, sizeof memory);
    free(memory);
}
#define owned __attribute__((cleanup(test_drop_memory)))

#endif
