/*
 * elbow_nodes.c - the arcs of a target as chains of configurations.
 *
 * Nodes lie closer where an arc begins and ends, as two branches may meet there and joints move as
 * the root of the angle; where joints still move far between two of them, others are put between.
 */
#include "ik/elbow.h"
#include "math/scalar.h"

#include <string.h>

/* steps by which the first nodes of an arc are apart in the angle */
#define APART 1.5
/* rounds in which nodes are put between others */
enum { ROUNDS_BETWEEN = 3, CHAIN = KERNEL_SLICES };

/* The nodes of one arc. */
typedef struct node_chain {
    int count;
    double u[CHAIN], q[CHAIN][SWIVEL_JOINTS];
} node_chain;

/* the configurations at some u, from 0 to 1 */
static void sample_arc(const lb_elbow *e, const swivel_pose *pose, const lb_elbow_arc *arc,
                       node_chain *chain)
{
    double angles[CHAIN];
    for (int i = 0; i < chain->count; i++) {
        const double u = chain->u[i];
        angles[i] = u < 1 ? arc->begin + (arc->end - arc->begin) * (u * u * (3 - 2 * u)) : arc->end;
    }
    elbow_sample(e, pose, arc->branch, angles, chain->count, chain->q);
}

/* the most that a joint moves from node i to the next one */
static double node_step(const lb_elbow *e, const node_chain *chain, int i)
{
    double most = 0;
    for (int k = 0; k < SWIVEL_JOINTS; k++)
        most = scalar_max(
            most, fabs(elbow_difference(&e->chain.joints[k], chain->q[i][k], chain->q[i + 1][k])));
    return most;
}

/* puts nodes where joints move farther than `step`; false: nowhere, or there is no room */
static bool put_between(const lb_elbow *e, const swivel_pose *pose, const lb_elbow_arc *arc,
                        double step, node_chain *chain)
{
    node_chain more = {.count = 0}, old = *chain;
    int after[CHAIN];
    for (int i = 0; i + 1 < old.count; i++) {
        const int pieces = (int)scalar_clamp(ceil(node_step(e, &old, i) / step), 1, CHAIN);
        for (int k = 1; k < pieces && old.count + more.count < CHAIN; k++) {
            after[more.count] = i;
            more.u[more.count++] = old.u[i] + (old.u[i + 1] - old.u[i]) * k / pieces;
        }
    }
    if (more.count == 0)
        return false;
    sample_arc(e, pose, arc, &more);
    chain->count = 0;
    for (int i = 0, k = 0; i < old.count; i++) {
        chain->u[chain->count] = old.u[i];
        memcpy(chain->q[chain->count++], old.q[i], sizeof old.q[i]);
        for (; k < more.count && after[k] == i; k++) {
            chain->u[chain->count] = more.u[k];
            memcpy(chain->q[chain->count++], more.q[k], sizeof more.q[k]);
        }
    }
    return true;
}

bool elbow_list_nodes(lb_elbow *elbow, const lb_transform *target, const double *start, double step,
                      elbow_nodes *nodes)
{
    swivel_pose pose;
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    nodes->count = nodes->arc_count = 0;
    if (elbow_accept(elbow, target, start, &pose) == LB_INVALID)
        return false;
    const int found = elbow_find_arcs(elbow, &pose, target, arcs);
    for (int i = 0; i < found && nodes->arc_count < ELBOW_PARTS; i++) {
        node_chain chain;
        chain.count =
            3 + (int)scalar_min((arcs[i].end - arcs[i].begin) / (APART * step), CHAIN - 3);
        for (int k = 0; k < chain.count; k++)
            chain.u[k] = (double)k / (chain.count - 1);
        sample_arc(elbow, &pose, &arcs[i], &chain);
        for (int k = 0; k < ROUNDS_BETWEEN; k++)
            if (!put_between(elbow, &pose, &arcs[i], step, &chain))
                break;
        if (nodes->count + chain.count > ELBOW_NODES)
            break;
        for (int k = 0; k < chain.count; k++) {
            nodes->arc[nodes->count] = nodes->arc_count;
            memcpy(nodes->q[nodes->count++], chain.q[k], sizeof chain.q[k]);
        }
        nodes->arcs[nodes->arc_count++] = arcs[i];
    }
    return true;
}
