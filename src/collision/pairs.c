/*
 * pairs.c - which pairs of bodies are checked, and why the others are left out.
 *
 * As MoveIt's setup assistant: links that a joint joins touch there by design; what overlaps in
 * nearly every sample has shapes too large to say anything. Samples are drawn from a fixed seed.
 */
#include "collision/layout.h"

#include "base/error.h"
#include "base/memory.h"
#include "kinematics/assembly.h"

#include <string.h>

/* of so many samples a pair that overlaps always may miss one: MoveIt's share */
#define MISSES_ALLOWED 0.05
/* of a figure whose shapes are larger than its links, a link and one that two joints carry from it:
   where the shapes nearly touch at rest, by this share of their reaches, and overlap in a fifth of
   the samples, they are too large; an arm that folds back is far from itself at rest */
#define MISSES_OF_FIGURES 0.8
#define NEARLY_TOUCHING 0.05

static const uint64_t seed = 1;

/* What is known of the links before any sample. */
typedef struct link_facts {
    int *rigid;    /* the first link that it is fixed to, 0: to the world */
    int *joints;   /* how many joints that move carry it */
    int *neighbor; /* the next link towards the root that has shapes, -1: none */
    bool *roams;   /* a floating or planar joint moves it, or what it hangs from */
} link_facts;

static bool has_shapes(const lb_collision *c, int body)
{
    return c->first_shape[body + 1] > c->first_shape[body];
}

static void find_facts(const lb_collision *c, link_facts *facts)
{
    facts->rigid[0] = facts->joints[0] = 0;
    facts->neighbor[0] = -1;
    facts->roams[0] = false;
    for (int i = 1; i < c->link_count; i++) {
        int parent = lb_model_parent(c->model, i);
        lb_joint_kind kind = lb_model_joint(c->model, i - 1)->kind;
        facts->rigid[i] = kind == LB_JOINT_FIXED ? facts->rigid[parent] : i;
        facts->joints[i] = facts->joints[parent] + (kind != LB_JOINT_FIXED);
        facts->neighbor[i] = has_shapes(c, parent) ? parent : facts->neighbor[parent];
        facts->roams[i] =
            facts->roams[parent] || kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR;
        // what floats may be anywhere: it does not touch what it is said to hang from
        if (kind == LB_JOINT_FLOATING)
            facts->neighbor[i] = -1;
    }
}

static bool is_disabled(const lb_collision_options *options, int a, int b)
{
    for (int i = 0; i < options->disabled_count; i++) {
        lb_link_pair pair = options->disabled[i];
        if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
            return true;
    }
    return false;
}

/* whether a loop joins two links, as a joint does */
static bool is_joined(const lb_model *model, int a, int b)
{
    for (int i = 0; i < model->loop_count; i++) {
        const model_loop *ends = &model->loop_layouts[i];
        bool same =
            (a == ends->first && b == ends->second) || (a == ends->second && b == ends->first);
        if (same && model->loops[i].kind != LB_LOOP_COUPLING)
            return true;
    }
    return false;
}

/* whether one or two joints that move carry b from a */
static bool is_carried(const lb_model *model, const link_facts *facts, int a, int b)
{
    const int count = facts->joints[b] - facts->joints[a];
    while (facts->joints[b] > facts->joints[a])
        b = lb_model_parent(model, b);
    return count <= 2 && facts->rigid[b] == facts->rigid[a];
}

/* what the tree and the options say; a < b, a is a link */
static lb_pair_state decide(const lb_collision *c, const lb_collision_options *options,
                            const link_facts *facts, int a, int b)
{
    bool is_link = b < c->link_count;
    if (facts->rigid[a] == (is_link ? facts->rigid[b] : 0))
        return LB_PAIR_RIGID;
    if (is_link && (facts->neighbor[b] == a || is_joined(c->model, a, b)))
        return LB_PAIR_ADJACENT;
    bool ground = is_link && options->skip_ground && facts->roams[a] != facts->roams[b] &&
                  facts->rigid[facts->roams[a] ? b : a] == 0;
    return ground || (is_link && is_disabled(options, a, b)) ? LB_PAIR_DISABLED : LB_PAIR_CHECKED;
}

/* ---- samples ------------------------------------------------------------ */

/* whether two bodies overlap, or are at most so far apart */
static bool are_near(const lb_collision *c, double distance, int a, int b)
{
    for (int i = c->first_shape[a]; i < c->first_shape[a + 1]; i++)
        for (int k = c->first_shape[b]; k < c->first_shape[b + 1]; k++) {
            lb_vec3 between = lb_vec3_sub(c->places[k].frame.p, c->places[i].frame.p);
            double reach = c->shapes[i].reach + c->shapes[k].reach + distance;
            if (lb_vec3_dot(between, between) <= reach * reach &&
                !pair_is_apart(&c->places[i], &c->places[k], distance))
                return true;
        }
    return false;
}

/* How a pair has done so far. */
typedef struct pair_tally {
    int overlaps, misses;
    double allowed; /* the share of misses that a pair which overlaps always may have */
} pair_tally;

static double reach_of(const lb_collision *c, int body)
{
    double reach = 0;
    for (int i = c->first_shape[body]; i < c->first_shape[body + 1]; i++)
        reach = fmax(reach, c->shapes[i].reach);
    return reach;
}

/* leaves out what overlaps in the neutral configuration, and sees what nearly touches there */
static void look_at_rest(lb_collision *c, const lb_assembly *assembly, const link_facts *facts,
                         pair_tally *tally, double *q)
{
    lb_configuration_neutral(c->model, q);
    if (assembly)
        memcpy(q, lb_assembly_rest(assembly), sizeof *q * (size_t)lb_model_nq(c->model));
    measure_place(c, q);
    for (int i = 0; i < c->pair_count; i++) {
        body_pair *pair = &c->pairs[i];
        if (pair->state != LB_PAIR_CHECKED || pair->b >= c->link_count)
            continue;
        double nearly = NEARLY_TOUCHING * (reach_of(c, pair->a) + reach_of(c, pair->b));
        if (are_near(c, 0, pair->a, pair->b))
            pair->state = LB_PAIR_REST;
        else if (is_carried(c->model, facts, pair->a, pair->b) &&
                 are_near(c, nearly, pair->a, pair->b))
            tally[i].allowed = MISSES_OF_FIGURES;
    }
}

/* a pair that is decided takes no more time */
static bool is_open(const lb_collision *c, const lb_collision_options *options,
                    const pair_tally *tally, int i)
{
    if (c->pairs[i].state != LB_PAIR_CHECKED || c->pairs[i].b >= c->link_count)
        return false;
    bool can_be_always = tally[i].misses <= tally[i].allowed * options->samples;
    bool can_be_never = options->skip_never && tally[i].overlaps == 0;
    return can_be_always || can_be_never;
}

static void sample_pairs(lb_collision *c, const lb_collision_options *options, pair_tally *tally,
                         lb_assembly *assembly, double *q)
{
    lb_random random = lb_random_seed(seed);
    int open = c->pair_count, taken = 0;
    for (int n = 0; n < options->samples && open > 0; n++) {
        lb_configuration_random(c->model, &random, q);
        if (assembly && !assembly_settle(assembly, q))
            continue;
        taken++;
        measure_place(c, q);
        open = 0;
        for (int i = 0; i < c->pair_count; i++) {
            if (!is_open(c, options, tally, i))
                continue;
            open++;
            bool near = are_near(c, options->always, c->pairs[i].a, c->pairs[i].b);
            tally[i].overlaps += near;
            tally[i].misses += !near;
        }
    }
    for (int i = 0; i < c->pair_count && taken > 0; i++) {
        if (!is_open(c, options, tally, i))
            continue;
        if (tally[i].misses <= tally[i].allowed * taken)
            c->pairs[i].state = LB_PAIR_ALWAYS;
        else if (options->skip_never && tally[i].overlaps == 0)
            c->pairs[i].state = LB_PAIR_NEVER;
    }
}

/* ---- all ---------------------------------------------------------------- */

/* The working memory: laid out twice. */
typedef struct scratch {
    link_facts facts;
    pair_tally *tally;
    double *q;
} scratch;

static void lay_out(const lb_collision *c, scratch *s, memory_arena *arena)
{
    size_t links = (size_t)c->link_count;
    s->facts.rigid = memory_arena_take(arena, links, sizeof(int));
    s->facts.joints = memory_arena_take(arena, links, sizeof(int));
    s->facts.neighbor = memory_arena_take(arena, links, sizeof(int));
    s->facts.roams = memory_arena_take(arena, links, sizeof(bool));
    s->tally = memory_arena_take(arena, (size_t)c->pair_count, sizeof *s->tally);
    s->q = memory_arena_take(arena, (size_t)lb_model_nq(c->model), sizeof(double));
}

lb_status pairs_decide(lb_collision *c, const lb_collision_options *options, lb_error *error)
{
    scratch s;
    memory_arena arena = {0};
    lay_out(c, &s, &arena);
    void *block = memory_arena_block(&arena, &c->allocator);
    TRY(require_memory(error, block));
    lay_out(c, &s, &arena);
    lb_assembly *assembly;
    lb_status status = assembly_of(c->model, &c->allocator, &assembly, error);
    if (status != LB_OK) {
        memory_release(&c->allocator, block);
        return status;
    }

    find_facts(c, &s.facts);
    for (int i = 0; i < c->pair_count; i++) {
        body_pair *pair = &c->pairs[i];
        pair->state = decide(c, options, &s.facts, pair->a, pair->b);
        s.tally[i].allowed = MISSES_ALLOWED;
    }
    if (options->skip_rest)
        look_at_rest(c, assembly, &s.facts, s.tally, s.q);
    sample_pairs(c, options, s.tally, assembly, s.q);
    lb_assembly_release(assembly);
    memory_release(&c->allocator, block);
    return LB_OK;
}
