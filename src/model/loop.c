/* loop.c - the loops beside a tree: what each kind holds, and checking what is given. */
#include "base/suggest.h"
#include "base/text.h"
#include "model/build.h"
#include "model/geometry.h"
#include "model/range.h"

#include <string.h>

/* ---- kinds -------------------------------------------------------------- */

typedef struct loop_kind {
    const char *text;
    unsigned held;
} loop_kind;

static const loop_kind kinds[LB_LOOP_KIND_COUNT] = {
#define LOOP_KIND_ROW(name, text, held) {text, held},
    LB_LOOP_KIND_LIST(LOOP_KIND_ROW)
#undef LOOP_KIND_ROW
};

static bool is_kind(lb_loop_kind kind)
{
    return (unsigned)kind < LB_LOOP_KIND_COUNT;
}

unsigned model_loop_held(lb_loop_kind kind)
{
    return is_kind(kind) ? kinds[kind].held : 0;
}

const char *lb_loop_kind_text(lb_loop_kind kind)
{
    return is_kind(kind) ? kinds[kind].text : "";
}

int lb_loop_kind_rows(lb_loop_kind kind)
{
    int count = 0;
    for (unsigned held = model_loop_held(kind); held != 0; held >>= 1)
        count += (int)(held & 1);
    return count;
}

lb_loop lb_loop_default(void)
{
    return (lb_loop){.kind = LB_LOOP_BALL,
                     .first_frame = LB_TRANSFORM_IDENTITY,
                     .second_frame = LB_TRANSFORM_IDENTITY,
                     .polynomial = {0, 1}};
}

/* ---- checking each on its own ------------------------------------------- */

static bool is_name(const char *text)
{
    return text && *text && !text_has_control(text);
}

static lb_status check_loop_numbers(const lb_loop *loop, int line, lb_error *error)
{
    const lb_transform *frames[2] = {&loop->first_frame, &loop->second_frame};
    bool coupling = loop->kind == LB_LOOP_COUPLING;
    for (int i = 0; i < 2 && !coupling; i++)
        if (!rigid_is(frames[i]) || !range_has_point(frames[i]->p))
            return lb_error_set(error, LB_BAD_VALUE, line,
                                "loop '%s': its frame on '%s' is not a rigid transform within %g "
                                "m; its axes must be orthonormal and right-handed",
                                loop->name, i ? loop->second : loop->first, LB_LENGTH_MAX);
    for (int k = 0; k < LB_LOOP_TERMS && coupling; k++)
        if (!range_has(loop->polynomial[k]))
            return lb_error_set(error, LB_BAD_VALUE, line,
                                "loop '%s': polynomial[%d] is not a number within %g", loop->name,
                                k, LB_LENGTH_MAX);
    return LB_OK;
}

/* the source line of a loop, 0 when unknown */
static int source_loop_line(const lb_model_source *source, int loop)
{
    return source->loop_lines ? source->loop_lines[loop] : 0;
}

static lb_status check_loop(const lb_loop *loop, int index, int line, lb_error *error)
{
    if (!is_name(loop->name))
        return lb_error_set(error, LB_BAD_MODEL, line,
                            "loop number %d has no name, or one with a control character",
                            index + 1);
    if (!is_kind(loop->kind))
        return lb_error_set(error, LB_INVALID_ARGUMENT, line, "loop '%s': %d is no kind of loop",
                            loop->name, (int)loop->kind);
    if (!is_name(loop->first) || !is_name(loop->second))
        return lb_error_set(error, LB_BAD_MODEL, line,
                            "loop '%s' has one end; name what it closes as first and second",
                            loop->name);
    return check_loop_numbers(loop, line, error);
}

lb_status loop_check_all(const lb_model_source *source, lb_error *error)
{
    lb_status status = LB_OK;
    for (int i = 0; status == LB_OK && i < source->loop_count; i++)
        status = check_loop(&source->loops[i], i, source_loop_line(source, i), error);
    return status;
}

/* ---- copying ------------------------------------------------------------ */

size_t loop_text_size(const lb_loop *loop)
{
    return strlen(loop->name) + strlen(loop->first) + strlen(loop->second) + 3;
}

void loop_copy_all(builder *b, char **text)
{
    for (int i = 0; i < b->model->loop_count; i++) {
        lb_loop *loop = &b->model->loops[i], standard = lb_loop_default();
        *loop = b->source->loops[i];
        loop->name = memory_copy_text(text, loop->name);
        loop->first = memory_copy_text(text, loop->first);
        loop->second = memory_copy_text(text, loop->second);
        // what the kind does not read
        if (loop->kind == LB_LOOP_COUPLING) {
            loop->first_frame = loop->second_frame = LB_TRANSFORM_IDENTITY;
            continue;
        }
        memcpy(loop->polynomial, standard.polynomial, sizeof loop->polynomial);
        loop->first_frame = rigid_exact(loop->first_frame);
        loop->second_frame = rigid_exact(loop->second_frame);
    }
}

/* ---- finding the ends --------------------------------------------------- */

static lb_status refuse_end(builder *b, int i, const char *wanted)
{
    bool coupling = b->model->loops[i].kind == LB_LOOP_COUPLING;
    suggest nearest = suggest_start(wanted);
    for (int k = 0; k < (coupling ? b->model->joint_count : b->model->link_count); k++)
        suggest_consider(&nearest, coupling ? b->model->joints[k].name : b->model->links[k].name);
    return lb_error_set(b->error, LB_BAD_MODEL, source_loop_line(b->source, i),
                        "loop '%s': there is no %s '%s'%s", b->model->loops[i].name,
                        coupling ? "joint" : "link", wanted, suggest_phrase(&nearest));
}

/* the index of an end, which exists */
static lb_status find_end(builder *b, int i, const char *name, int *index)
{
    const lb_model *model = b->model;
    bool coupling = model->loops[i].kind == LB_LOOP_COUPLING;
    *index = name_table_find(coupling ? &model->joint_names : &model->link_names, name);
    if (*index < 0)
        return refuse_end(b, i, name);
    if (coupling &&
        (lb_joint_kind_nv(model->joints[*index].kind) != 1 || model->joints[*index].mimic))
        return lb_error_set(b->error, LB_BAD_MODEL, source_loop_line(b->source, i),
                            "loop '%s': joint '%s' does not have one value of its own; couple "
                            "revolute, continuous and prismatic joints that mimic no other",
                            model->loops[i].name, name);
    return LB_OK;
}

lb_status loop_resolve(builder *b)
{
    lb_status status = LB_OK;
    for (int i = 0; status == LB_OK && i < b->model->loop_count; i++) {
        const lb_loop *loop = &b->model->loops[i];
        model_loop *ends = &b->model->loop_layouts[i];
        if (name_table_add(&b->loop_names, loop->name, i) >= 0)
            return lb_error_set(b->error, LB_BAD_MODEL, source_loop_line(b->source, i),
                                "two loops are named '%s'; names must be unique", loop->name);
        status = find_end(b, i, loop->first, &ends->first);
        if (status == LB_OK)
            status = find_end(b, i, loop->second, &ends->second);
        if (status == LB_OK && ends->first == ends->second)
            return lb_error_set(b->error, LB_BAD_MODEL, source_loop_line(b->source, i),
                                "loop '%s': both ends are '%s'", loop->name, loop->first);
    }
    return status;
}

/* ---- what a loop moves --------------------------------------------------- */

/* whether the joint above a link is between two links, LB_WORLD among them */
static bool is_between(const lb_model *model, int link, int a, int b)
{
    while (a > link)
        a = model->link_layouts[a].parent;
    while (b > link)
        b = model->link_layouts[b].parent;
    return (a == link) != (b == link);
}

/* whether a joint that is not locked changes with that velocity between two links */
static bool moves_between(const lb_model *model, int v, int a, int b)
{
    for (int j = 0; j < model->joint_count; j++)
        if (model->joint_layouts[j].v == v && is_between(model, j + 1, a, b))
            return true;
    return false;
}

bool loop_moves_by(const lb_model *model, int loop, int joint)
{
    const model_loop *ends = &model->loop_layouts[loop];
    const model_joint *layout = &model->joint_layouts[joint];
    int mover = layout->mimicked_joint < 0 ? joint : layout->mimicked_joint;
    if (layout->v < 0 || model->joints[mover].locked)
        return false;
    if (model->loops[loop].kind == LB_LOOP_COUPLING)
        return joint == ends->first || joint == ends->second;
    return moves_between(model, layout->v, ends->first, ends->second);
}

lb_status loop_refuse(const lb_model *model, int base, int tip, const char *what, lb_error *error)
{
    for (int i = 0; i < model->loop_count; i++)
        for (int j = 0; j < model->joint_count; j++)
            if (loop_moves_by(model, i, j) &&
                (tip == base || moves_between(model, model->joint_layouts[j].v, base, tip)))
                return lb_error_set(error, LB_UNSUPPORTED, 0,
                                    "%s keeps no loop closed, and loop '%s' moves %s; lb_ik does "
                                    "(limber ik, limber follow), or lock the loop's joints",
                                    what, model->loops[i].name,
                                    tip == base ? "joints" : model->links[tip].name);
    return LB_OK;
}
