/* body_memory.inl - the scratch memory of a descent of a body, carved into its arrays. */
#ifndef KERNEL_BODY_MEMORY_INL
#define KERNEL_BODY_MEMORY_INL

#include "kernel/body_work.inl"

typedef struct body_arena {
    char *memory;
    size_t used;
} body_arena;

LANE_INLINE void *body_take(body_arena *arena, size_t count, size_t size)
{
    void *at = arena->memory ? arena->memory + arena->used : NULL;
    // every array begins on a cache line, and may spoil one vector behind its end
    arena->used = (arena->used + count * size + 64 + 63) / 64 * 64;
    return at;
}

static size_t body_carve(const kernel_body *body, void *memory, body_work *w)
{
    body_arena arena = {.memory = memory};
    size_t nq = (size_t)body->tree.nq, n = (size_t)body->column_count;
    size_t balls = (size_t)body->ball_count, sides = (size_t)body->side_capacity;
    lane **values[] = {&w->q, &w->next, &w->begun, &w->start, &w->lower, &w->upper, &w->desired};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        *values[i] = body_take(&arena, nq, sizeof(lane));
    lane **columns[] = {&w->low,       &w->high,   &w->pin,      &w->fix,         &w->change,
                        &w->wanted,    &w->lambda, &w->whole,    &w->inverse,     &w->held,
                        &w->first_pin, &w->kept,   &w->kept_pin, &w->last_change, &w->last_step};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        *columns[i] = body_take(&arena, n, sizeof(lane));
    w->reach = body_take(&arena, balls, sizeof(lane));
    w->ball_axes = body_take(&arena, 3 * balls, sizeof(v3));
    w->ball_low = body_take(&arena, 3 * balls, sizeof(lane));
    w->ball_high = body_take(&arena, 3 * balls, sizeof(lane));
    w->frames = body_take(&arena, (size_t)body->tree.count, sizeof(frame));
    w->mass_places = body_take(&arena, (size_t)body->tree.count, sizeof(v3));
    w->targets = body_take(&arena, (size_t)body->task_count, sizeof(frame));
    w->weights = body_take(&arena, 2 * (size_t)body->task_count, sizeof(v3));
    w->rows = body_take(&arena, (size_t)body->row_capacity, sizeof(body_row));
    w->step_rows = body_take(&arena, (size_t)body->row_capacity, sizeof(body_row));
    // what is kept apart is found anew for each lane
    size_t pairs = body->find_pairs ? 2 * (size_t)body->row_capacity : 0;
    w->pair_columns = body_take(&arena, pairs * LANE_WIDTH, sizeof(int));
    w->plain = body_take(&arena, body->find_pairs ? nq : 0, sizeof(double));
    w->aims = body_take(&arena, (size_t)body->row_capacity, sizeof(lane));
    w->screws = body_take(&arena, n, sizeof(body_screw));
    w->drives = body_take(&arena, n, sizeof(body_screw));
    w->twists = body_take(&arena, n, sizeof(body_screw));
    w->pulls = body_take(&arena, n, sizeof(body_screw));
    w->inertias = body_take(&arena, n, sizeof(body_inertia));
    w->forces = body_take(&arena, 6 * n * sides, sizeof(lane));
    w->loads = body_take(&arena, n * sides, sizeof(lane));
    w->gram = body_take(&arena, sides * sides, sizeof(lane));
    w->multipliers = body_take(&arena, sides, sizeof(lane));
    w->pivots = body_take(&arena, sides, sizeof(lane));
    return arena.used;
}

static size_t body_scratch(const kernel_body *body)
{
    body_work w;
    return body_carve(body, NULL, &w);
}

#endif
