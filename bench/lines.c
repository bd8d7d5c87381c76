/* lines.c - straight lines for arms to follow, and what is possible on them. */
#include "lines.h"

#include <limber/formats/load.h>
#include <limber/solutions.h>
#include <stdlib.h>
#include <string.h>

/* ---- arms --------------------------------------------------------------- */

/* An arm: a built-in model as it is, or with every joint's place changed as calibration finds it.
 */
typedef struct line_arm {
    const char *name, *model, *tip;
    double change; /* metres and radians */
} line_arm;

static const line_arm arms[LINES_ARMS] = {
    {"UR5", "ur5", "tool0", 0},
    {"KR6", "kr6", "tool0", 0},
    {"Puma 560", "puma560", "flange", 0},
    {"Stanford arm", "stanford", "tool", 0},
    {"SCARA", "scara", "tool", 0},
    {"CRX-10iA", "crx10ia", "flange", 0},
    {"UR5, calibrated", "ur5", "tool0", 1e-3},
    {"KR6, calibrated", "kr6", "tool0", 1e-3},
    {"Panda", "panda", "panda_hand", 0},
    {"iiwa14", "iiwa14", "flange", 0},
};

enum { MOST_JOINTS = 16 };

const char *lines_arm_name(int arm)
{
    return arm >= 0 && arm < LINES_ARMS ? arms[arm].name : NULL;
}

static lb_vec3 random_vector(lb_random *random, double most)
{
    double x = lb_random_between(random, -most, most), y = lb_random_between(random, -most, most);
    return lb_vec3_make(x, y, lb_random_between(random, -most, most));
}

/* the same model with every joint moved and turned a little */
static lb_model *calibrate(const lb_model *model, double change)
{
    lb_link links[MOST_JOINTS + 1];
    lb_joint joints[MOST_JOINTS];
    lb_random random = lb_random_seed(1);
    lb_model *made = NULL;
    int n = lb_model_joint_count(model);
    for (int i = 0; i <= n && i <= MOST_JOINTS; i++)
        links[i] = *lb_model_link(model, i);
    for (int i = 0; i < n && i < MOST_JOINTS; i++) {
        joints[i] = *lb_model_joint(model, i);
        lb_transform off = lb_transform_from_quat(lb_quat_exp(random_vector(&random, change)),
                                                  random_vector(&random, change));
        joints[i].placement = lb_transform_multiply(&joints[i].placement, &off);
    }
    const lb_model_source source = {.name = lb_model_name(model),
                                    .root = lb_model_root(model),
                                    .links = links,
                                    .link_count = n + 1,
                                    .joints = joints,
                                    .joint_count = n};
    lb_model_build(&source, NULL, &made, NULL);
    return made;
}

lb_model *lines_arm(int arm, lb_task *task)
{
    lb_model *model = NULL;
    if (lb_load(arms[arm].model, NULL, &model, NULL) != LB_OK)
        return NULL;
    if (arms[arm].change > 0) {
        lb_model *exact = model;
        model = calibrate(exact, arms[arm].change);
        lb_model_release(exact);
    }
    if (model)
        *task = lb_task_make(lb_model_find_link(model, arms[arm].tip), LB_WORLD, LB_TASK_POSE);
    return model;
}

/* ---- lines -------------------------------------------------------------- */

enum { CHECKED = 201, TRIES = 4000 };

static lb_transform along(const line *l, double share)
{
    lb_vec3 displacement = lb_vec3_sub(l->points[1].p, l->points[0].p);
    lb_transform at = l->points[0];
    at.p = lb_vec3_add(at.p, lb_vec3_scale(displacement, share));
    return at;
}

/* whether some configuration reaches each of many places */
static bool is_reachable(lb_ik *ik, const line *l, int nq)
{
    double q[MOST_JOINTS], from[MOST_JOINTS];
    lb_ik_result result;
    memcpy(from, l->start, sizeof *q * (size_t)nq);
    for (int i = CHECKED - 1; i > 0; i--) {
        lb_transform goal = along(l, (double)i / (CHECKED - 1));
        if (lb_ik_solve(ik, &goal, from, q, &result) != LB_REACHED)
            return false;
    }
    return true;
}

/* a random line from a random configuration; arms that cannot tilt get one that needs no tilt */
static bool draw(const lb_model *model, const lb_task *task, lb_state *state, double length,
                 lb_random *random, line *l)
{
    lb_configuration_random(model, random, l->start);
    lb_state_update(state, l->start);
    l->points[0] = l->points[1] = lb_state_transform(state, LB_WORLD, task->tip);
    lb_vec3 displacement = random_vector(random, 1);
    double size = lb_vec3_length(displacement);
    if (!(size > 0.1 && size < 1))
        return false;
    l->points[1].p = lb_vec3_add(l->points[0].p, lb_vec3_scale(displacement, length / size));
    return true;
}

int lines_make(const lb_model *model, const lb_task *task, double length, int count, uint64_t seed,
               line *lines)
{
    lb_random random = lb_random_seed(seed);
    lb_ik *ik = NULL;
    lb_state *state = NULL;
    int found = 0, nq = lb_model_nq(model);
    if (nq <= 8 && lb_ik_create(model, task, 1, NULL, NULL, &ik, NULL) == LB_OK &&
        lb_state_create(model, NULL, &state) == LB_OK)
        for (int i = 0; i < TRIES && found < count; i++)
            found += draw(model, task, state, length, &random, &lines[found]) &&
                     is_reachable(ik, &lines[found], nq);
    lb_ik_release(ik);
    lb_state_release(state);
    return found;
}

/* ---- the exhaustive search of an arm with as many joints as it needs ------ */

/*
 * Samples between two frames, and how far a joint may move between two samples: 0.02 radians in an
 * eighth of a millisecond are 160 radians a second, thirty times what arms can do.
 */
enum { PARTS = 8, MOST_NODES = 4096 };
#define LINKED 0.02

/* A solution on one of its turns that a continuous motion leads to. */
typedef struct search_node {
    double q[8];
    int row;    /* the solution it is a copy of */
    bool given; /* the line's own start leads here */
} search_node;

typedef struct search {
    const lb_model *model;
    int nq;
    lb_solutions_solver *all, *copies; /* on one turn each, also outside limits; all turns inside */
    search_node *nodes, *next;
    int count, next_count;
    double (*rows)[8], (*last_rows)[8];
    int row_count, last_count;
    lb_solution *infos;
    double *flat;
} search;

static bool is_angle(const search *s, int k)
{
    for (int i = 0; i < lb_model_joint_count(s->model); i++)
        if (lb_model_joint_q(s->model, i) == k)
            return lb_model_joint(s->model, i)->kind != LB_JOINT_PRISMATIC;
    return false;
}

static void list_rows(search *s, const lb_transform *goal, const double *near)
{
    lb_solutions_summary summary;
    s->row_count = lb_solutions(s->all, goal, near, LB_SOLUTIONS_MAX, s->flat, s->infos, &summary);
    for (int i = 0; i < s->row_count; i++)
        memcpy(s->rows[i], s->flat + i * s->nq, sizeof(double) * (size_t)s->nq);
}

/* the move from a solution to one of the next sample; false: they are too far from each other */
static bool link_rows(const search *s, const double *from, const double *to, double *move)
{
    for (int k = 0; k < s->nq; k++) {
        move[k] = to[k] - from[k];
        if (is_angle(s, k))
            move[k] = lb_wrap_angle(move[k]);
        if (fabs(move[k]) > LINKED)
            return false;
    }
    return true;
}

/* adds a node unless it is there; one that is given stays given */
static void add_node(search *s, const search_node *node, bool unique)
{
    for (int i = 0; !unique && i < s->next_count; i++) {
        search_node *other = &s->next[i];
        bool same = other->row == node->row;
        for (int k = 0; k < s->nq; k++)
            same = same && fabs(other->q[k] - node->q[k]) < 1;
        if (!same)
            continue;
        other->given |= node->given;
        return;
    }
    if (s->next_count < MOST_NODES)
        s->next[s->next_count++] = *node;
}

/* every solution on every turn, as nodes; `given` the one that is at q */
static void seed_nodes(search *s, const lb_transform *goal, const double *given)
{
    lb_solutions_summary summary;
    int n = lb_solutions(s->copies, goal, given, MOST_NODES, s->flat, s->infos, &summary);
    s->count = 0;
    for (int i = 0; i < n; i++) {
        search_node *node = &s->nodes[s->count];
        memcpy(node->q, s->flat + i * s->nq, sizeof(double) * (size_t)s->nq);
        node->given = i == 0 && s->infos[0].distance < 1e-6;
        node->row = -1;
        for (int r = 0; r < s->row_count && node->row < 0; r++) {
            double move[8];
            node->row = link_rows(s, node->q, s->rows[r], move) ? r : -1;
        }
        s->count += node->row >= 0;
    }
}

static void swap_nodes(search *s)
{
    search_node *nodes = s->nodes;
    s->nodes = s->next;
    s->next = nodes;
    s->count = s->next_count;
}

/* all nodes moved to the next sample's solutions, whose limits they must keep */
static void move_nodes(search *s)
{
    int sources[LB_SOLUTIONS_MAX] = {0};
    double moves[LB_SOLUTIONS_MAX][LB_SOLUTIONS_MAX][8];
    bool linked[LB_SOLUTIONS_MAX][LB_SOLUTIONS_MAX];
    for (int i = 0; i < s->last_count; i++)
        for (int j = 0; j < s->row_count; j++) {
            linked[i][j] = link_rows(s, s->last_rows[i], s->rows[j], moves[i][j]);
            sources[j] += linked[i][j];
        }
    s->next_count = 0;
    for (int n = 0; n < s->count; n++)
        for (int j = 0; j < s->row_count; j++) {
            search_node node = s->nodes[n];
            if (!linked[node.row][j])
                continue;
            for (int k = 0; k < s->nq; k++)
                node.q[k] += moves[node.row][j][k];
            node.row = j;
            if (lb_configuration_validate(s->model, node.q, 1e-9, NULL) == LB_OK)
                add_node(s, &node, sources[j] < 2);
        }
    swap_nodes(s);
}

static bool has_given(const search *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->nodes[i].given)
            return true;
    return false;
}

static void search_turns(search *s, const line *l, line_truth *truth)
{
    const int samples = (LINES_FRAMES - 1) * PARTS;
    double nowhere[8];
    lb_configuration_neutral(s->model, nowhere);
    *truth = (line_truth){.any = true, .given = true};
    list_rows(s, &l->points[0], nowhere);
    seed_nodes(s, &l->points[0], l->start);
    for (int i = 1; i <= samples; i++) {
        lb_transform goal = along(l, (double)i / samples);
        double(*rows)[8] = s->rows;
        s->rows = s->last_rows;
        s->last_rows = rows;
        s->last_count = s->row_count;
        list_rows(s, &goal, nowhere);
        move_nodes(s);
        truth->given = truth->given && has_given(s);
        if (s->count > 0)
            continue;
        truth->any = false;
        truth->jumps++;
        seed_nodes(s, &goal, nowhere);
    }
}

/* ---- and of one with a joint to spare ------------------------------------- */

/* places of the line, values of the spare joint at each, and how far joints move between places:
   what four values are apart */
enum { PLACES = 101, VALUES = 64 };
#define NEAR 0.35

/* all solutions of a place as nodes: in s->next */
static void list_nodes(search *s, const lb_transform *goal, const double *near)
{
    lb_solutions_summary summary;
    int n = lb_solutions(s->copies, goal, near, MOST_NODES, s->flat, s->infos, &summary);
    for (int i = 0; i < n; i++) {
        s->next[i] = (search_node){.given = false};
        memcpy(s->next[i].q, s->flat + i * s->nq, sizeof(double) * (size_t)s->nq);
    }
    s->next_count = n;
}

/* keeps the nodes that one of the last place's leads to, and says which the start does */
static void link_nodes(search *s)
{
    int kept = 0;
    for (int j = 0; j < s->next_count; j++) {
        search_node *node = &s->next[j];
        bool linked = false;
        for (int i = 0; i < s->count && !node->given; i++) {
            bool near = true;
            for (int k = 0; k < s->nq && near; k++)
                near = fabs(s->nodes[i].q[k] - node->q[k]) < NEAR;
            linked |= near;
            node->given = near && s->nodes[i].given;
        }
        if (linked)
            s->next[kept++] = *node;
    }
    s->next_count = kept;
}

static void search_values(search *s, const line *l, line_truth *truth)
{
    *truth = (line_truth){.any = true, .given = true};
    list_nodes(s, &l->points[0], l->start);
    swap_nodes(s);
    memcpy(s->nodes[s->count].q, l->start, sizeof l->start);
    s->nodes[s->count++].given = true;
    for (int i = 1; i < PLACES; i++) {
        lb_transform goal = along(l, (double)i / (PLACES - 1));
        list_nodes(s, &goal, l->start);
        link_nodes(s);
        bool none = s->next_count == 0;
        if (none)
            list_nodes(s, &goal, l->start);
        swap_nodes(s);
        truth->given = truth->given && has_given(s);
        truth->any = truth->any && !none;
        truth->jumps += none;
    }
}

/* ---- both ----------------------------------------------------------------- */

/* makes room, and the solvers: of an arm that is redundant only the first */
static bool start_search(search *s, const lb_model *model, const lb_task *task, bool *redundant)
{
    lb_solutions_options options = lb_solutions_options_default();
    *s = (search){.model = model, .nq = lb_model_nq(model)};
    options.out_of_limits = true;
    if (lb_solutions_create(model, task, &options, NULL, &s->all, NULL) != LB_OK)
        return false;
    *redundant = lb_solutions_class(s->all) == LB_ARM_REDUNDANT;
    options.out_of_limits = false;
    options.copies = !*redundant;
    options.redundancy = VALUES;
    lb_status status = lb_solutions_create(model, task, &options, NULL, &s->copies, NULL);
    s->nodes = calloc(MOST_NODES, sizeof *s->nodes);
    s->next = calloc(MOST_NODES, sizeof *s->next);
    s->rows = calloc(LB_SOLUTIONS_MAX, sizeof *s->rows);
    s->last_rows = calloc(LB_SOLUTIONS_MAX, sizeof *s->rows);
    s->infos = calloc(MOST_NODES, sizeof *s->infos);
    s->flat = calloc(MOST_NODES, sizeof *s->rows);
    return status == LB_OK && s->nodes && s->next && s->rows && s->last_rows && s->infos && s->flat;
}

static void end_search(search *s)
{
    free(s->nodes);
    free(s->next);
    free(s->rows);
    free(s->last_rows);
    free(s->infos);
    free(s->flat);
    lb_solutions_release(s->all);
    lb_solutions_release(s->copies);
}

bool lines_search(const lb_model *model, const lb_task *task, const line *l, line_truth *truth)
{
    search s;
    bool redundant, done = start_search(&s, model, task, &redundant);
    if (done && redundant)
        search_values(&s, l, truth);
    else if (done)
        search_turns(&s, l, truth);
    end_search(&s);
    return done;
}
