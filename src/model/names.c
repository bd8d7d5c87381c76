/* names.c - the hash table of names: FNV-1a (Fowler, Noll, Vo), linear probing. */
#include "model/names.h"

#include <string.h>

static uint64_t name_hash(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash;
}

/* The slot that has the name, or the free one where it would go. */
static name_slot *find_slot(const name_table *table, const char *name)
{
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)name_hash(name) & mask;
    while (table->slots[at].name && strcmp(table->slots[at].name, name) != 0)
        at = (at + 1) & mask;
    return &table->slots[at];
}

void name_table_lay_out(name_table *table, size_t count, memory_arena *arena)
{
    table->slot_count = 2;
    while (table->slot_count < 2 * count)
        table->slot_count *= 2;
    table->slots = memory_arena_take(arena, table->slot_count, sizeof *table->slots);
}

int name_table_find(const name_table *table, const char *name)
{
    const name_slot *slot = find_slot(table, name);
    return slot->name ? slot->index : -1;
}

int name_table_add(name_table *table, const char *name, int index)
{
    name_slot *slot = find_slot(table, name);
    if (slot->name)
        return slot->index;
    *slot = (name_slot){name, index};
    return -1;
}
