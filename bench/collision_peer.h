/*
 * collision_peer.h - another library that measures distances of shapes, to compare with.
 */
#ifndef BENCH_COLLISION_PEER_H
#define BENCH_COLLISION_PEER_H

#include <limber/collision.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two shapes by their index. */
typedef struct peer_pair {
    int a, b;
} peer_pair;

/* Many shapes and the pairs of them to measure; no meshes. */
typedef struct peer_shapes {
    const lb_geometry *shapes;
    int count;
    const peer_pair *pairs;
    int pair_count;
} peer_shapes;

typedef struct collision_peer {
    const char *name;
    void *(*create)(const peer_shapes *shapes); /* NULL: it cannot */
    /* The least distance of all pairs, of shapes at these places; 0 or below: some overlap. */
    double (*least)(void *peer, const lb_transform *places);
    void (*release)(void *peer);
} collision_peer;

/* Each NULL where the library was not there when this was built. */
extern const collision_peer *const collision_peer_fcl;
extern const collision_peer *const collision_peer_mujoco;

#ifdef __cplusplus
}
#endif

#endif
