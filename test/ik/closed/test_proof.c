/*
 * test_proof.c - what the solutions of a general arm prove, from synthetic sets: each condition of
 * closed_set_proof alone keeps a proof from being given.
 */
#include <math.h>

#include "harness.h"
#include "ik/closed/proof.h"

#define TOLERANCE 1e-9

/* a set as it is where everything is clear, with what a row changes */
typedef struct row {
    const char *name;
    bool uncertified;
    double nearest_miss, clearance; /* 0: infinite */
    int count;
    double beyond;    /* of the last solution's joint over its limit; others are 1 beyond */
    int multiplicity; /* 0: one */
    unsigned open;
    bool meets, idle; /* idle: the joint that is beyond its limit has no place in the arm */
    lb_reason proof;
} row;

static const row rows[] = {
    {"no solution", .proof = LB_REASON_REACH},
    {"no solution, uncertified", .uncertified = true, .proof = LB_REASON_NONE},
    {"left out by much", .nearest_miss = 1.01e-5, .proof = LB_REASON_REACH},
    {"left out by little", .nearest_miss = 0.99e-5, .proof = LB_REASON_NONE},
    {"clear", .clearance = 1.01e2 * TOLERANCE, .proof = LB_REASON_REACH},
    {"hardly clear", .clearance = 0.99e2 * TOLERANCE, .proof = LB_REASON_NONE},
    {"beyond limits", .count = 1, .beyond = 1.01e-5, .proof = LB_REASON_LIMITS},
    {"hardly beyond limits", .count = 1, .beyond = 0.99e-5, .proof = LB_REASON_NONE},
    {"inside limits", .count = 1, .beyond = -0.5, .proof = LB_REASON_NONE},
    {"one of three inside limits", .count = 3, .beyond = -0.5, .proof = LB_REASON_NONE},
    {"all of three beyond", .count = 3, .beyond = 0.5, .proof = LB_REASON_LIMITS},
    {"twofold", .count = 1, .beyond = 0.5, .multiplicity = 2, .proof = LB_REASON_NONE},
    {"of a family", .count = 1, .beyond = 0.5, .open = 1, .proof = LB_REASON_NONE},
    // where two meet both are open by the root of the tolerance
    {"one that meets", .count = 1, .beyond = 3.2e-3, .meets = true, .proof = LB_REASON_LIMITS},
    {"meets too near", .count = 1, .beyond = 3.1e-3, .meets = true, .proof = LB_REASON_NONE},
    {"an idle joint beyond", .count = 1, .beyond = 0.5, .idle = true, .proof = LB_REASON_NONE},
};

static void fill(const row *r, closed_chain *chain, closed_set *set)
{
    memset(chain, 0, sizeof *chain);
    chain->count = 2;
    chain->joints[0] = (closed_joint){.lower = -1, .upper = 1, .place = 0};
    chain->joints[1] = (closed_joint){.lower = -1, .upper = 1, .place = r->idle ? -1 : 1};
    memset(set, 0, sizeof *set);
    set->certified = !r->uncertified;
    set->nearest_miss = r->nearest_miss > 0 ? r->nearest_miss : INFINITY;
    set->clearance = r->clearance > 0 ? r->clearance : INFINITY;
    set->count = r->count;
    for (int i = 0; i < r->count; i++)
        set->solutions[i] = (closed_solution){.choice.q = {0, 2}, .multiplicity = 1};
    if (r->count > 0) {
        closed_solution *last = &set->solutions[r->count - 1];
        // below one limit or above the other: both count
        last->choice.q[1] = r->count % 2 != 0 ? 1 + r->beyond : -1 - r->beyond;
        last->multiplicity = r->multiplicity > 0 ? r->multiplicity : 1;
        last->open = r->open;
        last->meets = r->meets;
    }
}

TEST(each_condition_keeps_a_proof_from_being_given)
{
    static closed_chain chain;
    static closed_set set;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fill(&rows[i], &chain, &set);
        const lb_reason proof = closed_set_proof(&chain, &set, TOLERANCE);
        if (proof != rows[i].proof)
            fail_msg("%s: %d, not %d", rows[i].name, (int)proof, (int)rows[i].proof);
    }
}

/* above the least angle the tolerance decides */
TEST(wider_tolerances_need_wider_misses)
{
    static closed_chain chain;
    static closed_set set;
    const double tolerance = 1e-6;
    fill(&(row){.nearest_miss = 1.01e3 * tolerance}, &chain, &set);
    assert_int_equal(closed_set_proof(&chain, &set, tolerance), LB_REASON_REACH);
    fill(&(row){.nearest_miss = 0.99e3 * tolerance}, &chain, &set);
    assert_int_equal(closed_set_proof(&chain, &set, tolerance), LB_REASON_NONE);
}
