/*
 * peers.h - finds the modules of other libraries; see peer.h.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "peer.h"

enum { PEERS_MOST = 8 };

typedef struct peers {
    const peer *found[PEERS_MOST];
    int count;
    void *modules[PEERS_MOST];
} peers;

/*
 * Loads the modules peer_*.so of a folder, NULL: that of the running program.
 * Those that are absent, or do not load, are passed to `say`, which may be
 * NULL. Close with peers_close.
 */
void peers_open(peers *all, const char *folder, void (*say)(const char *message));
void peers_close(peers *all);

#endif
