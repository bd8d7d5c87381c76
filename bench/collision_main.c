/*
 * collision_main.c - the time of a model's distances, and of other libraries for the same.
 *
 *     build/bench/collision_bench [MODEL]     panda
 *
 * The least distance over all pairs of links that lb_collision checks, in 1000 random
 * configurations; each library is given the same shapes at the same places. Nanoseconds for one
 * configuration, the least of many repetitions. Ours includes forward kinematics, the others' do
 * not. Then the same among more and more obstacles, by ours alone.
 */
#include "bench/clock.h"
#include "bench/collision_peer.h"

#include <limber/formats/load.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, REPETITIONS = 30 };

/* A model, its configurations and what is measured of them. */
typedef struct measured {
    lb_model *model;
    lb_collision *collision;
    double *q;
    lb_proximity *nearest;
    lb_geometry *shapes; /* of all links, one after the other */
    int *links;          /* of each shape */
    int shape_count;
    peer_pair *pairs;
    int pair_count;
    lb_transform *places; /* of each shape, for each row */
} measured;

static void *allocate(size_t count, size_t size)
{
    void *made = calloc(count + 1, size);
    if (made == NULL)
        exit(2);
    return made;
}

/* ---- preparing ------------------------------------------------------------ */

static void list_shapes(measured *m)
{
    int count = lb_model_link_count(m->model);
    for (int i = 0; i < count; i++)
        m->shape_count += lb_collision_body_shapes(m->collision, i);
    m->shapes = allocate((size_t)m->shape_count, sizeof *m->shapes);
    m->links = allocate((size_t)m->shape_count, sizeof *m->links);
    for (int i = 0, n = 0; i < count; i++)
        for (int k = 0; k < lb_collision_body_shapes(m->collision, i); k++, n++) {
            m->shapes[n] = lb_model_link(m->model, i)->collisions[k];
            m->links[n] = i;
        }
}

static bool is_checked(const measured *m, int a, int b)
{
    for (int i = 0; i < lb_collision_pair_count(m->collision); i++) {
        int x, y;
        if (lb_collision_pair_at(m->collision, i, &x, &y) == LB_PAIR_CHECKED && x == a && y == b)
            return true;
    }
    return false;
}

static void list_pairs(measured *m)
{
    m->pairs = allocate((size_t)(m->shape_count * m->shape_count), sizeof *m->pairs);
    for (int a = 0; a < m->shape_count; a++)
        for (int b = a + 1; b < m->shape_count; b++)
            if (is_checked(m, m->links[a], m->links[b]))
                m->pairs[m->pair_count++] = (peer_pair){a, b};
}

static void make_rows(measured *m)
{
    size_t nq = (size_t)lb_model_nq(m->model), shapes = (size_t)m->shape_count;
    lb_random random = lb_random_seed(1);
    lb_state *state = NULL;
    if (lb_state_create(m->model, NULL, &state) != LB_OK)
        exit(2);
    m->q = allocate(ROWS * nq, sizeof *m->q);
    m->nearest = allocate(ROWS, sizeof *m->nearest);
    m->places = allocate(ROWS * shapes, sizeof *m->places);
    for (size_t i = 0; i < ROWS; i++) {
        lb_configuration_random(m->model, &random, m->q + i * nq);
        lb_state_update(state, m->q + i * nq);
        for (size_t k = 0; k < shapes; k++) {
            const lb_link *link = lb_model_link(m->model, m->links[k]);
            lb_transform data =
                lb_transform_multiply(&lb_state_transforms(state)[m->links[k]], &link->data_offset);
            m->places[i * shapes + k] = lb_transform_multiply(&data, &m->shapes[k].origin);
        }
    }
    lb_state_release(state);
}

/* ---- measuring ------------------------------------------------------------ */

static void print_time(const char *what, double nanoseconds)
{
    printf("%-28s %10.0f ns\n", what, nanoseconds / ROWS);
}

static void measure_ours(measured *m)
{
    size_t nq = (size_t)lb_model_nq(m->model);
    double distance = INFINITY, free = INFINITY;
    int count = 0;
    for (int n = 0; n < REPETITIONS; n++) {
        double begin = clock_now();
        lb_collision_batch(m->collision, m->q, 0, ROWS, m->nearest);
        distance = fmin(distance, clock_now() - begin);
        begin = clock_now();
        count = 0;
        for (size_t i = 0; i < ROWS; i++)
            count += lb_collision_free(m->collision, m->q + i * nq);
        free = fmin(free, clock_now() - begin);
    }
    printf("%d shapes, %d pairs of them; %d of %d configurations are free\n", m->shape_count,
           m->pair_count, count, ROWS);
    print_time("limber, least distance", distance);
    print_time("limber, whether it is free", free);
}

/* its time, and how far its distances are from ours where nothing overlaps */
static void measure_peer(const measured *m, const collision_peer *peer, const char *name)
{
    peer_shapes shapes = {m->shapes, m->shape_count, m->pairs, m->pair_count};
    void *made = peer != NULL ? peer->create(&shapes) : NULL;
    if (made == NULL) {
        printf("%-28s not there\n", name);
        return;
    }
    double least = INFINITY, worst = 0;
    for (int n = 0; n < REPETITIONS / 3; n++) {
        double begin = clock_now();
        for (size_t i = 0; i < ROWS; i++) {
            double d = peer->least(made, m->places + i * (size_t)m->shape_count);
            if (d > 0 && m->nearest[i].distance > 0)
                worst = fmax(worst, fabs(d - m->nearest[i].distance));
        }
        least = fmin(least, clock_now() - begin);
    }
    print_time(peer->name, least);
    printf("%-28s %10.1e m\n", "  differs from ours by", worst);
    peer->release(made);
}

/* ours among balls at random places, of some 5 cm to 5 mm */
static void measure_among(const measured *m, int count)
{
    size_t nq = (size_t)lb_model_nq(m->model);
    lb_random random = lb_random_seed(2);
    lb_obstacle *balls = allocate((size_t)count, sizeof *balls);
    for (int i = 0; i < count; i++) {
        const lb_transform identity = LB_TRANSFORM_IDENTITY;
        balls[i].name = "ball";
        balls[i].geometry = (lb_geometry){
            .shape = LB_SHAPE_SPHERE, .size = {0.1 / cbrt(count), 0, 0}, .origin = identity};
        balls[i].geometry.origin.p =
            lb_vec3_make(lb_random_between(&random, -2, 2), lb_random_between(&random, -2, 2),
                         lb_random_between(&random, -2, 2));
    }
    const lb_scene scene = {balls, count};
    lb_collision_options options = lb_collision_options_default();
    options.allow_missing = true;
    lb_collision *collision;
    if (lb_collision_create(m->model, &scene, &options, NULL, &collision, NULL) != LB_OK)
        exit(2);
    double distance = INFINITY, least_free = INFINITY;
    for (int n = 0; n < REPETITIONS / 3; n++) {
        double begin = clock_now();
        lb_collision_batch(collision, m->q, 0, ROWS, m->nearest);
        distance = fmin(distance, clock_now() - begin);
        begin = clock_now();
        for (size_t i = 0; i < ROWS; i++)
            lb_collision_free(collision, m->q + i * nq);
        least_free = fmin(least_free, clock_now() - begin);
    }
    printf("among %d balls:\n", count);
    print_time("  limber, least distance", distance);
    print_time("  limber, whether it is free", least_free);
    lb_collision_release(collision);
    free(balls);
}

int main(int count, char **words)
{
    const char *name = count > 1 ? words[1] : "panda";
    measured m = {.model = NULL};
    lb_error error = {0};
    lb_collision_options options = lb_collision_options_default();
    options.allow_missing = true;
    if (lb_load(name, NULL, &m.model, &error) != LB_OK ||
        lb_collision_create(m.model, NULL, &options, NULL, &m.collision, &error) != LB_OK) {
        fprintf(stderr, "%s:%d: %s\n", error.path, error.line, error.message);
        return 2;
    }
    if (lb_collision_missing(m.collision) > 0) {
        fprintf(stderr, "%s: its meshes are missing\n", name);
        return 2;
    }
    list_shapes(&m);
    list_pairs(&m);
    make_rows(&m);
    measure_ours(&m);
    measure_peer(&m, collision_peer_fcl, "FCL");
    measure_peer(&m, collision_peer_mujoco, "MuJoCo");
    for (int balls = 10; balls <= 100000; balls *= 10)
        measure_among(&m, balls);
    free(m.q);
    free(m.nearest);
    free(m.shapes);
    free(m.links);
    free(m.pairs);
    free(m.places);
    lb_collision_release(m.collision);
    lb_model_release(m.model);
    return 0;
}
