/*
 * pickle.c - the arrays of a Python pickle.
 *
 * A pickle is a program for a machine with a stack and a memo. This one has values of a few kinds
 * that refer to each other by number: nothing recurses, and the calls of NumPy's functions are
 * replaced by what they mean. An opcode makes few values and their number is bounded, so a file
 * bounds its memory.
 */
#include "formats/motion/arrays.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* the most values, and places of stack and memo: arrays and names need some hundreds */
enum { MOST = 1 << 16, MARK = -1 };

typedef enum kind {
    OTHER,
    NUMBER,
    TEXT,
    BYTES,
    TUPLE,
    LIST,
    DICT,
    PAIR,
    FUNCTION,
    TYPE,
    ARRAY
} kind;

/* A value, whose kind says which members count. */
typedef struct value {
    kind kind;
    int first, count;           /* TUPLE: its items */
    int key, item;              /* PAIR */
    int before;                 /* DICT: its last pair; PAIR: the pair before it; 0: none */
    int shape, type;            /* ARRAY: values of these kinds; 0: not known yet */
    bool fortran;               /* ARRAY */
    char order;                 /* TYPE: of its bytes */
    double number;              /* NUMBER, FUNCTION */
    const unsigned char *bytes; /* TEXT, BYTES, TYPE: its letters, ARRAY: its elements */
    size_t size;
} value;

typedef enum function { RECONSTRUCT, SCALAR, FROM_BUFFER, MAKE_TYPE, ENCODE, CLASS } function;

typedef struct machine {
    const unsigned char *begin, *at, *end;
    lb_allocator memory;
    value *values;             /* from 1 on */
    int *stack, *memo, *items; /* numbers of values, or MARK */
    int most, values_used, depth, memo_used, items_used;
    unsigned char *decoded; /* bytes that protocol 2 has as texts; room for those of the file */
    size_t decoded_used;
    bool stopped;
    const unsigned char *data; /* of the opcode that is run */
    size_t size;
    int detail;
    lb_error *error;
} machine;

/* always false */
static bool refuse(machine *m, lb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(machine *m, lb_status status, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lb_error_set(m->error, status, 0, "byte %zu of the pickle: %s", (size_t)(m->at - m->begin),
                 text);
    return false;
}

static bool refuse_damaged(machine *m)
{
    return refuse(m, LB_SYNTAX_ERROR, "it is damaged, or cut off");
}

static bool refuse_many(machine *m)
{
    return refuse(m, LB_UNSUPPORTED, "it has more than %d values; save arrays, not lists", m->most);
}

/* ---- stack --------------------------------------------------------------- */

static bool push_number_of(machine *m, int number)
{
    if (m->depth == m->most)
        return refuse_many(m);
    m->stack[m->depth++] = number;
    return true;
}

static bool push(machine *m, value v)
{
    if (m->values_used == m->most)
        return refuse_many(m);
    m->values[m->values_used] = v;
    return push_number_of(m, m->values_used++);
}

/* the value that is so far below the top; NULL: a mark or the end of the stack comes before it */
static value *peek(const machine *m, int below)
{
    int i = m->depth - 1;
    for (; i >= 0 && m->stack[i] != MARK && below > 0; i--)
        below--;
    return i >= 0 && m->stack[i] != MARK ? &m->values[m->stack[i]] : NULL;
}

/* how many values are above the last mark; -1: there is no mark */
static int count_marked(const machine *m)
{
    int i = m->depth - 1;
    while (i >= 0 && m->stack[i] != MARK)
        i--;
    return i < 0 ? -1 : m->depth - 1 - i;
}

/* the i-th item of a tuple, of a kind; NULL: it has none */
static const value *item_of(const machine *m, const value *tuple, int i, kind wanted)
{
    if (tuple == NULL || tuple->kind != TUPLE || i >= tuple->count)
        return NULL;
    const value *item = &m->values[m->items[tuple->first + i]];
    return item->kind == wanted ? item : NULL;
}

static bool is_text(const value *v, const char *text)
{
    return v != NULL && v->kind == TEXT && v->size == strlen(text) &&
           memcmp(v->bytes, text, v->size) == 0;
}

/* ---- opcodes: plain values ------------------------------------------------- */

static bool do_version(machine *m)
{
    return (*m->data >= 2 && *m->data <= 5) ||
           refuse(m, LB_UNSUPPORTED, "its protocol is %d; 2 to 5 are read", *m->data);
}

/* a value of the kind that the opcode says */
static bool do_value(machine *m)
{
    return push(m, (value){.kind = (kind)m->detail, .bytes = m->data, .size = m->size});
}

static bool do_bool(machine *m)
{
    return push(m, (value){.kind = NUMBER, .number = m->detail});
}

/* a whole number, the lowest byte first; detail: it has a sign */
static bool do_whole(machine *m)
{
    if (m->size > sizeof(uint64_t))
        return refuse(m, LB_UNSUPPORTED, "a number has %zu bytes; 8 are the most", m->size);
    double number = (double)bytes_whole(m->data, m->size);
    if (m->detail && m->size > 0 && m->data[m->size - 1] > 127)
        number =
            -(double)((~bytes_whole(m->data, m->size) & (UINT64_MAX >> (64 - 8 * m->size))) + 1);
    return push(m, (value){.kind = NUMBER, .number = number});
}

/* a double, the highest byte first */
static bool do_real(machine *m)
{
    uint64_t bits = 0;
    double number;
    for (size_t i = 0; i < m->size; i++)
        bits = bits << 8 | m->data[i];
    memcpy(&number, &bits, sizeof bits);
    return push(m, (value){.kind = NUMBER, .number = number});
}

/* ---- opcodes: stack and memo ------------------------------------------------- */

static bool do_mark(machine *m)
{
    return push_number_of(m, MARK);
}

static bool do_put(machine *m)
{
    uint64_t place = m->size > 0 ? bytes_whole(m->data, m->size) : (uint64_t)m->memo_used;
    if (peek(m, 0) == NULL)
        return refuse_damaged(m);
    if (place >= (uint64_t)m->most)
        return refuse_many(m);
    m->memo_used += m->memo[place] == 0;
    m->memo[place] = m->stack[m->depth - 1];
    return true;
}

static bool do_get(machine *m)
{
    uint64_t place = bytes_whole(m->data, m->size);
    bool known = place < (uint64_t)m->most && m->memo[place] > 0;
    return known ? push_number_of(m, m->memo[place]) : refuse_damaged(m);
}

static bool do_stop(machine *m)
{
    m->stopped = true;
    return true;
}

/* ---- opcodes: containers ----------------------------------------------------- */

/* so many values, or those above the mark, become a tuple */
static bool do_tuple(machine *m)
{
    int count = m->detail > 0 ? m->detail : count_marked(m);
    if (count < 0 || (m->detail > 0 && peek(m, m->detail - 1) == NULL))
        return refuse_damaged(m);
    if (count > m->most - m->items_used)
        return refuse_many(m);
    value v = {.kind = TUPLE, .first = m->items_used, .count = count};
    m->depth -= count;
    memcpy(m->items + m->items_used, m->stack + m->depth, (size_t)count * sizeof *m->items);
    m->items_used += count;
    m->depth -= m->detail > 0 ? 0 : 1;
    return push(m, v);
}

/* so many values, or those above the mark, go into the list or the dictionary below */
static bool do_items(machine *m)
{
    int count = m->detail > 0 ? m->detail : count_marked(m);
    if (count < 0 || (m->detail > 0 && peek(m, m->detail - 1) == NULL))
        return refuse_damaged(m);
    const int *items = m->stack + m->depth - count;
    m->depth -= count + (m->detail > 0 ? 0 : 1);
    value *into = peek(m, 0);
    bool dict = into != NULL && into->kind == DICT && count % 2 == 0;
    if (!dict && (into == NULL || into->kind != LIST))
        return refuse_damaged(m);
    for (int i = 0; dict && i < count; i += 2) {
        if (m->values_used == m->most)
            return refuse_many(m);
        m->values[m->values_used] =
            (value){.kind = PAIR, .key = items[i], .item = items[i + 1], .before = into->before};
        into->before = m->values_used++;
    }
    return true;
}

/* ---- opcodes: functions ------------------------------------------------------ */

static bool push_function(machine *m, const value *module, const value *name)
{
    static const struct {
        const char *module, *name;
        function function;
    } known[] = {
        {"numpy.core.multiarray", "_reconstruct", RECONSTRUCT},
        {"numpy._core.multiarray", "_reconstruct", RECONSTRUCT},
        {"numpy.core.multiarray", "scalar", SCALAR},
        {"numpy._core.multiarray", "scalar", SCALAR},
        {"numpy.core.numeric", "_frombuffer", FROM_BUFFER},
        {"numpy._core.numeric", "_frombuffer", FROM_BUFFER},
        {"numpy", "dtype", MAKE_TYPE},
        {"numpy", "ndarray", CLASS},
        {"_codecs", "encode", ENCODE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_text(module, known[i].module) && is_text(name, known[i].name))
            return push(m, (value){.kind = FUNCTION, .number = known[i].function});
    return refuse(m, LB_UNSUPPORTED,
                  "it needs %.*s.%.*s, and nothing of a pickle is executed; save NumPy's arrays",
                  (int)fmin((double)module->size, 60), (const char *)module->bytes,
                  (int)fmin((double)name->size, 60), (const char *)name->bytes);
}

/* module and name, a line each */
static bool do_global(machine *m)
{
    value lines[2];
    for (int i = 0; i < 2; i++) {
        const unsigned char *stop = memchr(m->at, '\n', (size_t)(m->end - m->at));
        if (stop == NULL)
            return refuse_damaged(m);
        lines[i] = (value){.kind = TEXT, .bytes = m->at, .size = (size_t)(stop - m->at)};
        m->at = stop + 1;
    }
    return push_function(m, &lines[0], &lines[1]);
}

static bool do_stack_global(machine *m)
{
    const value *name = peek(m, 0), *module = peek(m, 1);
    if (module == NULL || module->kind != TEXT || name->kind != TEXT)
        return refuse_damaged(m);
    m->depth -= 2;
    return push_function(m, module, name);
}

/* a text in UTF-8 as bytes of Latin-1 */
static bool encode(machine *m, const value *text, value *out)
{
    size_t room = (size_t)(m->end - m->begin), used = m->decoded_used;
    if (m->decoded == NULL && (m->decoded = memory_take(&m->memory, room, 1)) == NULL)
        return error_out_of_memory(m->error) == LB_OK;
    *out = (value){.kind = BYTES, .bytes = m->decoded + used};
    for (size_t i = 0; i < text->size; i++) {
        unsigned code = text->bytes[i];
        bool two = code == 0xC2 || code == 0xC3;
        if ((code > 127 && !two) || (two && ++i == text->size) || used == room)
            return refuse_damaged(m);
        m->decoded[used++] = (unsigned char)(two ? (code & 3) << 6 | (text->bytes[i] & 63) : code);
    }
    out->size = used - m->decoded_used;
    m->decoded_used = used;
    return true;
}

static int number_of(const machine *m, const value *v)
{
    return v == NULL ? 0 : (int)(v - m->values);
}

/* what a function of NumPy makes of its arguments */
static bool do_call(machine *m)
{
    const value *arguments = peek(m, 0), *called = peek(m, 1);
    if (called == NULL || called->kind != FUNCTION || arguments->kind != TUPLE)
        return refuse_damaged(m);
    value out = {.kind = ARRAY};
    const value *first = NULL, *type = NULL, *shape = NULL;
    m->depth -= 2;
    switch ((function)called->number) {
    case RECONSTRUCT:
        return push(m, out);
    case SCALAR:
        type = item_of(m, arguments, 0, TYPE);
        first = item_of(m, arguments, 1, BYTES);
        break;
    case FROM_BUFFER:
        first = item_of(m, arguments, 0, BYTES);
        type = item_of(m, arguments, 1, TYPE);
        shape = item_of(m, arguments, 2, TUPLE);
        out.fortran = is_text(item_of(m, arguments, 3, TEXT), "F");
        break;
    case MAKE_TYPE:
        first = item_of(m, arguments, 0, TEXT);
        out.kind = TYPE;
        break;
    case ENCODE:
        first = item_of(m, arguments, 0, TEXT);
        return first != NULL && is_text(item_of(m, arguments, 1, TEXT), "latin1")
                   ? encode(m, first, &out) && push(m, out)
                   : refuse_damaged(m);
    case CLASS:
        break;
    }
    if (first == NULL || (out.kind == ARRAY && type == NULL))
        return refuse_damaged(m);
    out.bytes = first->bytes;
    out.size = first->size;
    out.type = number_of(m, type);
    out.shape = number_of(m, shape);
    return push(m, out);
}

/* the state of a type is its order of bytes, that of an array all it has */
static bool do_build(machine *m)
{
    const value *state = peek(m, 0), *order = item_of(m, state, 1, TEXT);
    value *made = peek(m, 1);
    const value *shape = item_of(m, state, 1, TUPLE), *type = item_of(m, state, 2, TYPE);
    const value *fortran = item_of(m, state, 3, NUMBER), *bytes = item_of(m, state, 4, BYTES);
    bool is_type = made != NULL && made->kind == TYPE && order != NULL && order->size == 1;
    bool is_array =
        made != NULL && made->kind == ARRAY && shape != NULL && type != NULL && fortran != NULL;
    if (!is_type && !is_array)
        return refuse_damaged(m);
    m->depth--;
    if (is_type)
        made->order = (char)order->bytes[0];
    else
        *made = (value){.kind = ARRAY,
                        .shape = number_of(m, shape),
                        .type = number_of(m, type),
                        .fortran = fortran->number != 0,
                        .bytes = bytes != NULL ? bytes->bytes : NULL,
                        .size = bytes != NULL ? bytes->size : 0};
    return true;
}

/* ---- running ------------------------------------------------------------- */

/* What an opcode is: how many bytes have the length of its data, or how many are its data. */
typedef struct opcode {
    unsigned char code, length, fixed;
    bool (*run)(machine *m); /* NULL: it has no effect */
    int detail;
} opcode;

static const opcode opcodes[] = {{0x80, 0, 1, do_version, 0},  {0x95, 0, 8, NULL, 0},
                                 {'.', 0, 0, do_stop, 0},      {'(', 0, 0, do_mark, 0},
                                 {'q', 0, 1, do_put, 0},       {'r', 0, 4, do_put, 0},
                                 {0x94, 0, 0, do_put, 0},      {'h', 0, 1, do_get, 0},
                                 {'j', 0, 4, do_get, 0},       {'N', 0, 0, do_value, OTHER},
                                 {0x88, 0, 0, do_bool, 1},     {0x89, 0, 0, do_bool, 0},
                                 {'J', 0, 4, do_whole, 1},     {'K', 0, 1, do_whole, 0},
                                 {'M', 0, 2, do_whole, 0},     {0x8a, 1, 0, do_whole, 1},
                                 {0x8b, 4, 0, do_whole, 1},    {'G', 0, 8, do_real, 0},
                                 {'X', 4, 0, do_value, TEXT},  {0x8c, 1, 0, do_value, TEXT},
                                 {0x8d, 8, 0, do_value, TEXT}, {'B', 4, 0, do_value, BYTES},
                                 {'C', 1, 0, do_value, BYTES}, {0x8e, 8, 0, do_value, BYTES},
                                 {']', 0, 0, do_value, LIST},  {0x96, 8, 0, do_value, BYTES},
                                 {'}', 0, 0, do_value, DICT},  {'a', 0, 0, do_items, 1},
                                 {'e', 0, 0, do_items, 0},     {')', 0, 0, do_value, TUPLE},
                                 {'s', 0, 0, do_items, 2},     {'u', 0, 0, do_items, 0},
                                 {'t', 0, 0, do_tuple, 0},     {0x85, 0, 0, do_tuple, 1},
                                 {0x86, 0, 0, do_tuple, 2},    {0x87, 0, 0, do_tuple, 3},
                                 {'c', 0, 0, do_global, 0},    {0x93, 0, 0, do_stack_global, 0},
                                 {'R', 0, 0, do_call, 0},      {'b', 0, 0, do_build, 0}};

static bool run_next(machine *m)
{
    const size_t count = sizeof opcodes / sizeof *opcodes;
    size_t i = 0, left = (size_t)(m->end - m->at);
    while (i < count && left > 0 && opcodes[i].code != *m->at)
        i++;
    if (left == 0)
        return refuse_damaged(m);
    if (i == count)
        return refuse(m, LB_UNSUPPORTED,
                      "opcode 0x%02x is not read: dictionaries, lists, tuples, texts, numbers and "
                      "NumPy's arrays are",
                      *m->at);
    const opcode *next = &opcodes[i];
    left--;
    if (left < next->length)
        return refuse_damaged(m);
    uint64_t size = next->length > 0 ? bytes_whole(m->at + 1, next->length) : next->fixed;
    if (size > left - next->length)
        return refuse_damaged(m);
    m->data = m->at + 1 + next->length;
    m->size = (size_t)size;
    m->detail = next->detail;
    m->at = m->data + size;
    return next->run == NULL || next->run(m);
}

/* ---- arrays -------------------------------------------------------------- */

/* false: it has more dimensions than are read, or other bytes than its shape says */
static bool take_shape(const machine *m, const value *v, npy_array *array)
{
    const value *shape = &m->values[v->shape];
    size_t item = npy_item(array);
    array->dimensions = v->shape > 0 ? shape->count : 0;
    array->count = 1;
    if (array->dimensions > NPY_DIMENSIONS)
        return false;
    for (int i = 0; i < NPY_DIMENSIONS; i++) {
        const value *length = item_of(m, shape, i, NUMBER);
        bool has = i < array->dimensions;
        if (has && (length == NULL || !(length->number >= 0 && length->number <= (double)v->size)))
            return false;
        array->shape[i] = has ? (int64_t)length->number : 1;
        // bounded by the bytes there are, so that products stay small
        array->count *= (size_t)array->shape[i];
        if (array->count > v->size / item)
            return false;
    }
    return array->count * item == v->size;
}

static lb_status keep_array(const machine *m, named_arrays *set, int which, const value *v)
{
    const value *type = &m->values[v->type];
    npy_array array = {.fortran = v->fortran, .bytes = v->bytes};
    if (v->kind != ARRAY || v->type == 0 || v->bytes == NULL)
        return arrays_refuse(set, which, LB_UNSUPPORTED,
                             "it is no array of numbers; save numpy.asarray(it, 'f8')", m->error);
    snprintf(array.type, sizeof array.type, "%c%.*s", type->order != 0 ? type->order : '<',
             (int)fmin((double)type->size, 20), (const char *)type->bytes);
    if (npy_item(&array) == 0)
        return REFUSE_UNSUPPORTED(m->error,
                                  "%s: its elements are '%.40s'; save array.astype('<f8')",
                                  set->names[which], array.type);
    if (!take_shape(m, v, &array))
        return arrays_refuse(set, which, LB_SYNTAX_ERROR, "it has other bytes than its shape says",
                             m->error);
    return arrays_copy(set, which, &array, m->error);
}

/* a number as an array of one */
static lb_status keep_number(const machine *m, named_arrays *set, int which, double number)
{
    unsigned char bytes[sizeof number];
    bytes_put(bytes, bytes_of_double(number), sizeof bytes);
    const npy_array array = {.type = "<f8", .shape = {1, 1, 1}, .count = 1, .bytes = bytes};
    return arrays_copy(set, which, &array, m->error);
}

static lb_status keep_pairs(machine *m, named_arrays *set)
{
    const value *root = peek(m, 0);
    if (root == NULL || root->kind != DICT) {
        refuse(m, LB_BAD_VALUE, "it holds no dictionary of arrays");
        return LB_BAD_VALUE;
    }
    for (int p = root->before; p > 0; p = m->values[p].before) {
        const value *key = &m->values[m->values[p].key], *v = &m->values[m->values[p].item];
        int which = key->kind == TEXT ? arrays_find(set, (const char *)key->bytes, key->size) : -1;
        if (which >= 0)
            TRY(v->kind == NUMBER ? keep_number(m, set, which, v->number)
                                  : keep_array(m, set, which, v));
    }
    return LB_OK;
}

lb_status pickle_read(const void *bytes, size_t size, named_arrays *set, lb_error *error)
{
    lb_error local;
    MEMORY_POOL(memory, &set->memory);
    machine m = {.begin = bytes,
                 .at = bytes,
                 .end = (const unsigned char *)bytes + size,
                 .memory = memory,
                 .most = size < MOST ? (int)size + 2 : MOST,
                 .values_used = 1,
                 .error = error != NULL ? error : &local};
    size_t most = (size_t)m.most;
    m.values = memory_take(&m.memory, most, sizeof *m.values);
    m.stack = memory_take(&m.memory, 3 * most, sizeof *m.stack);
    TRY(require_memory(m.error, m.values && m.stack));
    m.memo = m.stack + most;
    m.items = m.memo + most;
    m.error->status = LB_OK;
    while (!m.stopped)
        if (!run_next(&m))
            return m.error->status;
    return keep_pairs(&m, set);
}
