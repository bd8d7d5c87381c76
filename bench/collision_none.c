/*
 * collision_none.c - the libraries of collision_peer.h that were not there.
 */
#include "bench/collision_peer.h"

#if !defined LIMBER_HAVE_FCL
const collision_peer *const collision_peer_fcl = NULL;
#endif
#if !defined LIMBER_HAVE_MUJOCO
const collision_peer *const collision_peer_mujoco = NULL;
#endif
