/*
 * json_loop.c - the loops of the JSON linkage format.
 */
#include "formats/mapping/json_reader.h"

#include "base/error.h"

static lb_status read_loop_kind(json_reader *reader, const tree_node *value, void *out)
{
    static const char *const names[LB_LOOP_KIND_COUNT] = {
#define KIND_NAME(name, text, held) text,
        LB_LOOP_KIND_LIST(KIND_NAME)
#undef KIND_NAME
    };
    int kind;
    TRY(reader_choice(reader, value, "kind of loop", names, LB_LOOP_KIND_COUNT, &kind));
    *(lb_loop_kind *)out = (lb_loop_kind)kind;
    return LB_OK;
}

/* up to five coefficients, from the constant one on; always of radians and metres */
static lb_status read_polynomial(json_reader *reader, const tree_node *value, void *out)
{
    double *polynomial = out;
    int count = tree_array_size(value);
    if (count < 1 || count > LB_LOOP_TERMS)
        return reader_refuse(reader, LB_BAD_VALUE, "expected 1 to %d coefficients, constant first",
                             LB_LOOP_TERMS);
    for (int k = 0; k < LB_LOOP_TERMS; k++)
        polynomial[k] = 0;
    return reader_array(reader, value, count, reader_number, polynomial, sizeof *polynomial);
}

static lb_status read_loop(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"name", reader_text, offsetof(lb_loop, name), true},
        {"kind", read_loop_kind, offsetof(lb_loop, kind), true},
        {"first", reader_text, offsetof(lb_loop, first), true},
        {"second", reader_text, offsetof(lb_loop, second), true},
        {"first_frame", reader_placement, offsetof(lb_loop, first_frame), false},
        {"second_frame", reader_placement, offsetof(lb_loop, second_frame), false},
        {"polynomial", read_polynomial, offsetof(lb_loop, polynomial), false},
    };
    (void)out;
    return reader_object(reader, value, fields, sizeof fields / sizeof *fields,
                         draft_loop(&reader->draft, value->line));
}

lb_status reader_loops(json_reader *reader, const tree_node *value, void *out)
{
    int count = tree_array_size(value);
    TRY(draft_loops(&reader->draft, count > 0 ? count : 0, reader->error));
    return reader_array(reader, value, -1, read_loop, out, 0);
}
