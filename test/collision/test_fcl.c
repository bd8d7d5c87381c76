/*
 * test_fcl.c - distances of random pairs against FCL's, where it is there.
 *
 *     test_collision test_fcl [PAIRS]     of each kind; 2000
 *
 * FCL's own error is its tolerance; of shapes that overlap only that they do is compared.
 */
#include "support.h"

#include "bench/collision_peer.h"

TEST_ARGUMENT(wanted_pairs, 1, 2000)

static lb_geometry random_geometry(lb_shape shape, lb_random *random)
{
    lb_geometry geometry = {.shape = shape};
    geometry.size =
        lb_vec3_make(lb_random_between(random, 0.05, 0.5), lb_random_between(random, 0.05, 0.5),
                     lb_random_between(random, 0.05, 0.5));
    geometry.origin = test_random_transform(random);
    return geometry;
}

static double distance_by_peer(const lb_geometry pair[2])
{
    static const peer_pair only = {0, 1};
    lb_transform places[2] = {pair[0].origin, pair[1].origin};
    peer_shapes shapes = {pair, 2, &only, 1};
    void *peer = collision_peer_fcl->create(&shapes);
    assert_non_null(peer);
    double d = collision_peer_fcl->least(peer, places);
    collision_peer_fcl->release(peer);
    return d;
}

TEST(distances_agree)
{
    if (collision_peer_fcl == NULL) {
        print_message("skipped: there is no FCL\n");
        skip();
    }
    static const char *const names[] = {"box", "cylinder", "capsule", "sphere"};
    for (int i = LB_SHAPE_BOX; i <= LB_SHAPE_SPHERE; i++)
        for (int k = i; k <= LB_SHAPE_SPHERE; k++) {
            lb_random random = test_seed((uint64_t)(10 * i + k));
            long apart = 0, above = 0;
            double worst = 0;
            for (long n = 0; n < wanted_pairs; n++) {
                lb_geometry pair[2] = {random_geometry((lb_shape)i, &random),
                                       random_geometry((lb_shape)k, &random)};
                lb_proximity p;
                double d = lb_geometry_distance(&pair[0], NULL, &pair[1], NULL, &p);
                double peer = distance_by_peer(pair);
                if (d <= 1e-6 || peer <= 0) {
                    assert_true(d < 1e-5 && peer < 1e-5);
                    continue;
                }
                double error = fabs(peer - d);
                apart++;
                above += error > 1e-6;
                worst = fmax(worst, error);
                // ours is never the longer one: its points are in the shapes
                assert_true(d <= peer + 1e-6);
            }
            print_message("%-8s %-8s %6ld apart, differ by %.1e, %ld by more than 1e-6\n", names[i],
                          names[k], apart, worst, above);
            assert_true(apart > wanted_pairs / 3 && above <= apart / 1000);
        }
}
