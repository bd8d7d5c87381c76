/* names.c - a crit-bit tree of names: see names.h. */
#include "model/names.h"

#include <string.h>

/* the side of a fork that a name is on; after its end all bits are 0 */
static int side_of(const name_fork *fork, const char *name, size_t length)
{
    unsigned byte = fork->byte < length ? (unsigned char)name[fork->byte] : 0;
    return (byte & fork->mask) != 0;
}

/* the only leaf of a table with names that may have this one */
static const name_leaf *leaf_of(const name_table *table, const char *name)
{
    size_t length = strlen(name);
    int node = table->root;
    while (node >= 0)
        node = table->forks[node].child[side_of(&table->forks[node], name, length)];
    return &table->leaves[~node];
}

void name_table_lay_out(name_table *table, size_t count, memory_arena *arena)
{
    table->leaves = memory_arena_take(arena, count, sizeof *table->leaves);
    table->forks = memory_arena_take(arena, count, sizeof *table->forks);
    table->count = 0;
}

void *name_table_create(name_table *table, size_t count, const lb_allocator *allocator)
{
    memory_arena arena = {0};
    name_table_lay_out(table, count, &arena);
    void *block = memory_arena_block(&arena, allocator);
    if (block != NULL)
        name_table_lay_out(table, count, &arena);
    return block;
}

int name_table_find(const name_table *table, const char *name)
{
    if (table->count == 0)
        return -1;
    const name_leaf *leaf = leaf_of(table, name);
    return strcmp(leaf->name, name) == 0 ? leaf->index : -1;
}

/* the highest bit of a byte that is not 0 */
static unsigned highest_bit(unsigned byte)
{
    unsigned bit = 128;
    while (!(byte & bit))
        bit >>= 1;
    return bit;
}

/* a fork for the first bit in which a name differs from the leaf that it leads to */
static name_fork fork_between(const char *other, const char *name)
{
    name_fork fork = {.byte = 0};
    while (other[fork.byte] == name[fork.byte])
        fork.byte++;
    fork.mask =
        highest_bit((unsigned char)other[fork.byte] ^ (unsigned)(unsigned char)name[fork.byte]);
    return fork;
}

/* where a fork goes: above the first on the name's path that tests a later bit */
static int *place_of(name_table *table, const name_fork *fork, const char *name)
{
    size_t length = strlen(name);
    int *place = &table->root;
    while (*place >= 0) {
        name_fork *next = &table->forks[*place];
        if (next->byte > fork->byte || (next->byte == fork->byte && next->mask < fork->mask))
            break;
        place = &next->child[side_of(next, name, length)];
    }
    return place;
}

int name_table_add(name_table *table, const char *name, int index)
{
    int leaf = table->count;
    if (leaf == 0) {
        table->root = ~leaf;
    } else {
        const name_leaf *nearest = leaf_of(table, name);
        if (strcmp(nearest->name, name) == 0)
            return nearest->index;
        name_fork fork = fork_between(nearest->name, name);
        int *place = place_of(table, &fork, name), side = side_of(&fork, name, strlen(name));
        fork.child[side] = ~leaf;
        fork.child[!side] = *place;
        table->forks[leaf - 1] = fork;
        *place = leaf - 1;
    }
    table->leaves[leaf] = (name_leaf){name, index};
    table->count++;
    return -1;
}
