/*
 * describe_loops.c - the loops of a model, its mobility, and which joints follow from which.
 */
#include "base/text.h"
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const components[] = {"x", "y", "z", "rx", "ry", "rz"};

/* which of them each kind holds: a bit for each */
#define LOOP_HELD(name, text, held) held,
static const unsigned held_by[] = {LB_LOOP_KIND_LIST(LOOP_HELD)};
#undef LOOP_HELD

/* ---- lists -------------------------------------------------------------- */

/* Which velocities of which joints: dependent or independent ones of an assembly. */
typedef struct joint_list {
    const lb_model *model;
    bool *dependent; /* by velocity */
} joint_list;

/* how many velocities of a joint that moves on its own are dependent, or not, as wanted */
static int count_listed(const joint_list *list, int j, bool dependent)
{
    const lb_joint *joint = lb_model_joint(list->model, j);
    int count = 0;
    if (joint->mimic != NULL || joint->locked)
        return 0;
    for (int k = 0; k < lb_joint_kind_nv(joint->kind); k++)
        count += list->dependent[lb_model_joint_v(list->model, j) + k] == dependent;
    return count;
}

/* their names; `words`: with how many, where a joint has both */
static json_t *json_joints(const joint_list *list, bool dependent, bool words)
{
    char text[256];
    json_t *array = json_array();
    for (int j = 0; j < lb_model_joint_count(list->model); j++) {
        const lb_joint *joint = lb_model_joint(list->model, j);
        const int count = count_listed(list, j, dependent), all = lb_joint_kind_nv(joint->kind);
        if (count == 0)
            continue;
        text_format(text, sizeof text, "%.200s (%d of %d)", joint->name, count, all);
        append_json(array, json_string(words && count < all ? text : joint->name));
    }
    return array;
}

/* "loop z", the constraint of a number */
static void name_row(const lb_model *model, int number, char *text, size_t size)
{
    int i = 0;
    while (number >= lb_loop_kind_rows(lb_model_loop(model, i)->kind))
        number -= lb_loop_kind_rows(lb_model_loop(model, i++)->kind);
    const lb_loop *loop = lb_model_loop(model, i);
    int component = 0;
    for (unsigned held = held_by[loop->kind]; component < 5; component++)
        if ((held >> component & 1) && number-- == 0)
            break;
    if (loop->kind == LB_LOOP_COUPLING)
        text_format(text, size, "%s", loop->name);
    else
        text_format(text, size, "%s %s", loop->name, components[component]);
}

static json_t *json_rows(const lb_model *model, const lb_assembly *assembly)
{
    char text[256];
    json_t *array = json_array();
    int *rows = allocate_or_exit((size_t)lb_assembly_mobility(assembly).rows + 1, sizeof *rows);
    int count = lb_assembly_redundant(assembly, rows);
    for (int i = 0; i < count; i++) {
        name_row(model, rows[i], text, sizeof text);
        append_json(array, json_string(text));
    }
    return array;
}

/* "label: a, b, c", wrapped; nothing if there are none */
static void print_names(const char *label, json_t *names, FILE *stream)
{
    size_t size = strlen(label) + 1;
    for (size_t i = 0; i < json_array_size(names); i++)
        size += strlen(json_string_value(json_array_get(names, i))) + 2;
    char *text = allocate_or_exit(size, 1);
    strcpy(text, label);
    for (size_t i = 0; i < json_array_size(names); i++) {
        strcat(text, i == 0 ? "" : ", ");
        strcat(text, json_string_value(json_array_get(names, i)));
    }
    if (json_array_size(names) > 0)
        print_wrapped(stream, text, 0);
    json_decref(names);
}

/* ---- words -------------------------------------------------------------- */

static void print_mobility(const lb_loop_mobility *m, FILE *stream)
{
    char text[512];
    if (!m->closed) {
        print_wrapped(stream,
                      "the loops do not close: no closed configuration was found from the default "
                      "values, so the mobility is not known",
                      0);
        return;
    }
    text_format(text, sizeof text, "mobility %d: %d velocities, %d independent constraint%s",
                m->found, m->velocities, m->rank, m->rank == 1 ? "" : "s");
    print_wrapped(stream, text, 0);
    if (m->found != m->counted) {
        text_format(text, sizeof text,
                    "counted by Gruebler and Kutzbach it would be %d, because the loops make %d "
                    "constraints; %d of them follow%s from the others",
                    m->counted, m->rows, m->rows - m->rank, m->rows - m->rank == 1 ? "s" : "");
        print_wrapped(stream, text, 0);
    }
    if (m->rest_rank < m->rank)
        print_wrapped(stream,
                      "the default configuration is singular: more motions are possible there at "
                      "first order than the linkage has",
                      0);
}

/* all assemblies at the values of the closed default configuration, rows of nq numbers; returns how
   many, -1: they are not known */
static int list_assemblies(const lb_model *model, lb_assembly *assembly, double **rows, bool *all)
{
    const double *rest = lb_assembly_rest(assembly);
    int count = lb_assembly_all(assembly, rest, NULL, 0, all);
    *rows = NULL;
    if (count < 1)
        return count;
    *rows = allocate_or_exit((size_t)count * (size_t)lb_model_nq(model), sizeof **rows);
    return lb_assembly_all(assembly, rest, *rows, count, all);
}

/* whether loops that do not close at the default values move independent joints from theirs */
static bool is_moved(const lb_model *model, const lb_assembly *assembly, const bool *dependent)
{
    const size_t nq = (size_t)lb_model_nq(model), nv = (size_t)lb_model_nv(model);
    double *q = allocate_or_exit(nq + nv, sizeof *q), *v = q + nq;
    bool moved = false;
    lb_configuration_neutral(model, q);
    lb_configuration_difference(model, q, lb_assembly_rest(assembly), v);
    for (size_t k = 0; k < nv; k++)
        moved = moved || (!dependent[k] && fabs(v[k]) > 1e-9);
    return moved;
}

static void print_assemblies(const lb_model *model, lb_assembly *assembly, const bool *dependent,
                             FILE *stream)
{
    bool all;
    double *rows;
    int count = list_assemblies(model, assembly, &rows, &all);
    if (count >= 0)
        fprintf(stream, "assemblies at the %s: %d%s\n",
                is_moved(model, assembly, dependent) ? "values where the loops were found to close"
                                                     : "default values",
                count, all ? ", and no others" : "");
}

void describe_loops(const lb_model *model, FILE *stream)
{
    if (lb_model_loop_count(model) == 0)
        return;
    lb_assembly *assembly = loops_or_exit(model);
    lb_loop_mobility m = lb_assembly_mobility(assembly);
    for (int i = 0; i < lb_model_loop_count(model); i++) {
        const lb_loop *loop = lb_model_loop(model, i);
        fprintf(stream, "loop %s%s%s: %s, %s and %s\n", console_style_text(stream, STYLE_STRONG),
                loop->name, console_style_text(stream, STYLE_PLAIN), lb_loop_kind_text(loop->kind),
                loop->first, loop->second);
    }
    print_mobility(&m, stream);
    if (!m.closed)
        return;
    joint_list list = {model, loops_dependent(model, assembly)};
    print_names("independent: ", json_joints(&list, false, true), stream);
    print_names("dependent: ", json_joints(&list, true, true), stream);
    print_names("constraints that follow from others: ", json_rows(model, assembly), stream);
    print_assemblies(model, assembly, list.dependent, stream);
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *json_assemblies(const lb_model *model, lb_assembly *assembly)
{
    bool all;
    double *rows;
    int count = list_assemblies(model, assembly, &rows, &all), nq = lb_model_nq(model);
    if (count < 0)
        return NULL;
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *numbers = json_array();
        for (int k = 0; k < nq; k++)
            append_json(numbers, json_real(rows[i * nq + k]));
        append_json(list, numbers);
    }
    return json_pack("{s:b, s:o}", "complete", all, "q", list);
}

json_t *describe_loops_json(const lb_model *model)
{
    if (lb_model_loop_count(model) == 0)
        return NULL;
    lb_assembly *assembly = loops_or_exit(model);
    lb_loop_mobility m = lb_assembly_mobility(assembly);
    joint_list list = {model, loops_dependent(model, assembly)};
    json_t *loops = json_array();
    for (int i = 0; i < lb_model_loop_count(model); i++) {
        const lb_loop *loop = lb_model_loop(model, i);
        append_json(loops, json_pack("{s:s, s:s, s:s, s:s}", "name", loop->name, "kind",
                                     lb_loop_kind_text(loop->kind), "first", loop->first, "second",
                                     loop->second));
    }
    json_t *object =
        json_pack("{s:o, s:b, s:i, s:i, s:i, s:i, s:o}", "list", loops, "closed", m.closed,
                  "velocities", m.velocities, "constraints", m.rows, "rank", m.rank, "counted",
                  m.counted, "mobility", m.closed ? json_integer(m.found) : json_null());
    if (!m.closed)
        return object;
    set_json(object, "singular", json_boolean(m.rest_rank < m.rank));
    set_json(object, "independent", json_joints(&list, false, false));
    set_json(object, "dependent", json_joints(&list, true, false));
    set_json(object, "redundant", json_rows(model, assembly));
    json_t *assemblies = json_assemblies(model, assembly);
    if (assemblies)
        set_json(object, "assemblies", assemblies);
    return object;
}
