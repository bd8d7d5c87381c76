/* names.h - from a name to an index in constant time. */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include "base/memory.h"

/* An open-addressing hash table, never more than half full. Names are not copied. */
typedef struct name_slot {
    const char *name; /* NULL: free */
    int index;
} name_slot;

typedef struct name_table {
    name_slot *slots;
    size_t slot_count; /* a power of two */
} name_table;

/* Takes the slots for `count` names, zeroed, from the arena. */
void name_table_lay_out(name_table *table, size_t count, memory_arena *arena);
/* The index of a name, -1 when it is not in the table. */
int name_table_find(const name_table *table, const char *name);
/* Answers -1, or the index that already has the name, which stays. */
int name_table_add(name_table *table, const char *name, int index);

#endif
