/*
 * tree.c - the tree of nodes that every format is read from.
 *
 * Nodes and text are carved from blocks of memory that double in size, so that a
 * document of any size takes few allocations and is released at once.
 */
#include "formats/mapping/tree.h"

#include "base/memory.h"

#include <stdalign.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 13 };

/* A block of memory; its bytes follow the header. */
typedef struct block {
    struct block *previous;
    alignas(max_align_t) char bytes[];
} block;

struct lb_document {
    lb_allocator allocator;
    block *last;
    size_t used, room;      /* of the last block */
    tree_node *root, *open; /* open: NULL before the root and after it is closed */
    int depth;              /* nodes that are open */
    lb_status status;       /* the first failure */
};

/* ---- memory --------------------------------------------------------------- */

static bool add_block(lb_document *document, size_t least)
{
    size_t room = document->room == 0 ? FIRST_BLOCK : 2 * document->room;
    while (room < least && room <= SIZE_MAX / 4)
        room *= 2;
    block *fresh = room < least ? NULL : memory_take(&document->allocator, 1, sizeof(block) + room);
    if (fresh == NULL)
        return false;
    fresh->previous = document->last;
    document->last = fresh;
    document->used = 0;
    document->room = room;
    return true;
}

/* `size` bytes that live as long as the document; NULL when there is no memory */
static void *take(lb_document *document, size_t size)
{
    size_t step = alignof(max_align_t), whole = (size + step - 1) / step * step;
    if (whole < size || (document->room - document->used < whole && !add_block(document, whole)))
        return NULL;
    void *bytes = document->last->bytes + document->used;
    document->used += whole;
    return bytes;
}

char *tree_copy_text(lb_document *document, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = take(document, size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

lb_status lb_document_create(const lb_allocator *allocator, lb_document **document)
{
    if (document == NULL)
        return LB_INVALID_ARGUMENT;
    lb_allocator memory = memory_allocator(allocator);
    *document = memory_take(&memory, 1, sizeof **document);
    if (*document == NULL)
        return LB_OUT_OF_MEMORY;
    **document = (lb_document){.allocator = memory};
    return LB_OK;
}

void lb_document_release(lb_document *document)
{
    if (document == NULL)
        return;
    lb_allocator memory = document->allocator;
    for (block *last = document->last, *previous; last != NULL; last = previous) {
        previous = last->previous;
        memory_release(&memory, last);
    }
    memory_release(&memory, document);
}

/* ---- filling -------------------------------------------------------------- */

static bool is_container(lb_node_kind kind)
{
    return kind == LB_NODE_ELEMENT || kind == LB_NODE_OBJECT || kind == LB_NODE_ARRAY;
}

/* whether a node of this kind and name may be the next one */
static bool has_place(const lb_document *document, lb_node_kind kind, const char *name)
{
    bool xml = kind == LB_NODE_ELEMENT || kind == LB_NODE_ATTRIBUTE;
    const tree_node *parent = document->open;
    if ((unsigned)kind > LB_NODE_NULL)
        return false;
    // JSON that is written again must be of a known depth
    if (!xml && is_container(kind) && document->depth == LB_DOCUMENT_DEPTH)
        return false;
    if (parent == NULL)
        return document->root == NULL && kind != LB_NODE_ATTRIBUTE && xml == (name != NULL);
    if (parent->kind == LB_NODE_ARRAY)
        return !xml && name == NULL;
    return name != NULL && xml == (parent->kind == LB_NODE_ELEMENT);
}

static void append(tree_node **first, tree_node **last, tree_node *node)
{
    if (*last == NULL)
        *first = node;
    else
        (*last)->next = node;
    *last = node;
}

lb_status lb_document_add(lb_document *document, lb_node_kind kind, const char *name,
                          const char *text, double number, int line)
{
    if (document == NULL)
        return LB_INVALID_ARGUMENT;
    if (document->status != LB_OK)
        return document->status;
    if (!has_place(document, kind, name))
        return document->status = LB_INVALID_ARGUMENT;

    tree_node *node = take(document, sizeof *node), *parent = document->open;
    if (node == NULL)
        return document->status = LB_OUT_OF_MEMORY;
    *node = (tree_node){.kind = kind, .line = line, .number = number, .parent = parent};
    node->name = name == NULL ? NULL : tree_copy_text(document, name);
    node->text = text == NULL ? "" : tree_copy_text(document, text);
    if ((name != NULL && node->name == NULL) || node->text == NULL)
        return document->status = LB_OUT_OF_MEMORY;

    // into its place
    if (parent == NULL) {
        document->root = node;
    } else if (kind == LB_NODE_ATTRIBUTE) {
        append(&parent->first_attribute, &parent->last_attribute, node);
    } else {
        append(&parent->first, &parent->last, node);
        parent->count++;
    }
    if (is_container(kind)) {
        document->open = node;
        document->depth++;
    }
    return LB_OK;
}

/* the children of an array by their index */
static void list_elements(lb_document *document, tree_node *array)
{
    int count = 0;
    array->elements = take(document, (size_t)array->count * sizeof(tree_node *));
    if (array->elements == NULL)
        document->status = LB_OUT_OF_MEMORY;
    for (tree_node *node = array->first; node != NULL && array->elements != NULL; node = node->next)
        array->elements[count++] = node;
}

void lb_document_close(lb_document *document)
{
    if (document == NULL)
        return;
    if (document->open != NULL && document->open->kind == LB_NODE_ARRAY &&
        document->open->count > 0 && document->status == LB_OK)
        list_elements(document, document->open);
    if (document->open != NULL) {
        document->open = document->open->parent;
        document->depth--;
    } else if (document->status == LB_OK)
        document->status = LB_INVALID_ARGUMENT;
}

lb_status tree_status(const lb_document *document)
{
    bool complete = document->root != NULL && document->open == NULL;
    return document->status != LB_OK || complete ? document->status : LB_INVALID_ARGUMENT;
}

/* ---- reading -------------------------------------------------------------- */

const tree_node *tree_root(const lb_document *document)
{
    return document->root;
}

static const tree_node *first_from(const tree_node *node, const char *name)
{
    while (node != NULL && strcmp(node->name, name) != 0)
        node = node->next;
    return node;
}

const tree_node *tree_child(const tree_node *parent, const char *name)
{
    return first_from(parent->first, name);
}

const tree_node *tree_next(const tree_node *node)
{
    return first_from(node->next, node->name);
}

int tree_count(const tree_node *parent, const char *name)
{
    int count = 0;
    for (const tree_node *node = tree_child(parent, name); node != NULL; node = tree_next(node))
        count++;
    return count;
}

const char *tree_attribute(const tree_node *node, const char *name)
{
    const tree_node *attribute = first_from(node->first_attribute, name);
    return attribute == NULL ? NULL : attribute->text;
}

const tree_node *tree_walk(const tree_node *node, const tree_node *top, bool deeper)
{
    if (deeper && node->first != NULL)
        return node->first;
    while (node != top && node->next == NULL)
        node = node->parent;
    return node == top ? NULL : node->next;
}

const tree_node *tree_member(const tree_node *object, const char *key)
{
    return tree_is_object(object) ? first_from(object->first, key) : NULL;
}

int tree_array_size(const tree_node *array)
{
    return array != NULL && array->kind == LB_NODE_ARRAY ? array->count : 0;
}

const tree_node *tree_element(const tree_node *array, int index)
{
    return index >= 0 && index < tree_array_size(array) ? array->elements[index] : NULL;
}

bool tree_is_number(const tree_node *node)
{
    return node != NULL && node->kind == LB_NODE_NUMBER;
}

bool tree_is_object(const tree_node *node)
{
    return node != NULL && node->kind == LB_NODE_OBJECT;
}

const char *tree_string(const tree_node *node)
{
    return node != NULL && node->kind == LB_NODE_STRING ? node->text : NULL;
}

const char *tree_text(const tree_node *object, const char *key)
{
    const char *text = tree_string(tree_member(object, key));
    return text != NULL ? text : "";
}
