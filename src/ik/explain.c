/* explain.c - says in words why an answer is what it is. */
#include "ik/solver.h"

#include "math/text.h"

#include <stdarg.h>

/* a joint value this near to its limit is at it */
#define AT_LIMIT 1e-6

/* text that never overflows and knows how long it wanted to be */
typedef struct writer {
    char *text;
    size_t size, length;
} writer;

__attribute__((format(printf, 2, 3))) static void write_text(writer *w, const char *format, ...)
{
    size_t room = w->length < w->size ? w->size - w->length : 0;
    va_list arguments;
    va_start(arguments, format);
    w->length += text_vformat(room ? w->text + w->length : NULL, room, format, arguments);
    va_end(arguments);
}

/* which of a part's limits its value is at: -1, 0, 1 */
static int at_limit(const lb_model *model, const model_part *part, const double *q)
{
    if (part->kind == MODEL_BALL || model->joints[part->joint].locked)
        return 0;
    if (q[part->q] <= part->lower + AT_LIMIT)
        return -1;
    return q[part->q] >= part->upper - AT_LIMIT ? 1 : 0;
}

static void write_limits(writer *w, const lb_ik *ik, const double *q)
{
    int count = 0;
    for (int i = 0; i < ik->model->part_count; i++) {
        const model_part *part = &ik->model->parts[i];
        int side = at_limit(ik->model, part, q);
        bool on_way = false;
        for (int k = 0; k < ik->reduction.problem.tree.nq; k++)
            on_way |= ik->reduction.model_q[k] == part->q;
        if (side == 0 || !on_way)
            continue;
        write_text(w, "%s '%s' (%s)",
                   count++ ? "," : " At their limits:", ik->model->joints[part->joint].name,
                   side < 0 ? "lower" : "upper");
    }
    if (count)
        write_text(w, ".");
}

size_t lb_ik_explain(lb_ik *ik, const lb_transform *targets, const double *q,
                     const lb_ik_result *result, char *text, size_t size)
{
    writer w = {text, size, 0};
    if (size > 0)
        text[0] = '\0';
    double position = result->position_error, rotation = result->rotation_error;
    switch (result->outcome) {
    case LB_REACHED:
        write_text(&w, "Reached after %d iterations in %d %s.", result->iterations, result->tries,
                   result->tries == 1 ? "try" : "tries");
        return w.length;
    case LB_INVALID:
        write_text(&w, "The target or the start is not finite, or the target's axes are not "
                       "orthonormal.");
        return w.length;
    case LB_UNREACHABLE:
        write_text(&w, "Out of reach: the target is %.4g m beyond what the links can span.",
                   result->beyond_reach);
        break;
    default:
        write_text(&w, "Not reached in %d %s: %.3g m and %.3g rad remain at the closest found.",
                   result->tries, result->tries == 1 ? "try" : "tries", position, rotation);
        break;
    }
    write_limits(&w, ik, q);
    (void)targets;
    return w.length;
}
