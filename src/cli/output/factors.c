/*
 * factors.c - a link's transform as the product of its arcs.
 *
 * An arc carries two factors: the constant placement of the child in the parent, and right of it,
 * so that it acts first on the child's points, the joint's own transform. The first is the model's;
 * the second is what is left of the arc when the first is taken off.
 */
#include "cli/output/factors.h"

#include "cli/output/console.h"
#include "cli/output/grid.h"
#include "cli/output/print_json.h"
#include "cli/output/report.h"
#include "cli/output/rows.h"

#include <jansson.h>
#include <stdlib.h>

/* One factor of the product. */
typedef struct factor {
    char name[16];     /* "T_1", "R_1"; "product" */
    const char *joint; /* whose arc it belongs to, "" for the root's and the product */
    lb_transform matrix;
} factor;

typedef struct factor_list {
    factor *factors;
    int count;
} factor_list;

bool factors_check(const lb_model *model, int base, int link)
{
    int above = link;
    while (above > 0 && above != base)
        above = lb_model_parent(model, above);
    if (base == LB_WORLD || above == base)
        return true;
    complain("--factors: '%s' does not lie between the root and '%s'; take --base world or a link "
             "that does",
             lb_model_link(model, base)->name, lb_model_link(model, link)->name);
    return false;
}

static void append(factor_list *all, const char *letter, int number, const char *joint,
                   lb_transform matrix)
{
    factor *f = &all->factors[all->count++];
    if (number >= 0)
        snprintf(f->name, sizeof f->name, "%s_%d", letter, number);
    else
        snprintf(f->name, sizeof f->name, "%s", letter);
    f->joint = joint;
    f->matrix = matrix;
}

/* the factors of one arc */
static void append_arc(factor_list *all, const lb_state *state, int link, int number)
{
    const lb_model *model = lb_state_model(state);
    const lb_joint *joint = lb_model_joint(model, link - 1);
    lb_transform arc = lb_state_transform(state, lb_model_parent(model, link), link);
    append(all, "T", number, joint->name, joint->placement);
    if (joint->kind != LB_JOINT_FIXED)
        append(all, "R", number, joint->name, lb_transform_between(&joint->placement, &arc));
}

static factor_list find_factors(const lb_state *state, int base, int link)
{
    const lb_model *model = lb_state_model(state);
    int *path = allocate_or_exit((size_t)lb_model_link_count(model), sizeof *path), count = 0;
    for (int i = link; i > 0 && i != base; i = lb_model_parent(model, i))
        path[count++] = i;
    factor_list all = {.count = 0};
    all.factors = allocate_or_exit(2 * (size_t)count + 2, sizeof *all.factors);
    if (base == LB_WORLD)
        append(&all, "T", 0, "", lb_model_root(model));
    for (int i = 0; i < count; i++)
        append_arc(&all, state, path[count - 1 - i], i + 1);
    append(&all, "product", -1, "", lb_state_transform(state, base, link));
    free(path);
    return all;
}

/* the three rows of a matrix that are not 0 0 0 1 */
static void get_row(const lb_transform *t, int i, double numbers[4])
{
    const lb_vec3 columns[4] = {t->x, t->y, t->z, t->p};
    for (int k = 0; k < 4; k++)
        numbers[k] = i == 0 ? columns[k].x : i == 1 ? columns[k].y : columns[k].z;
}

/* ---- for people ----------------------------------------------------------- */

static void print_factor(const factor *f, FILE *stream)
{
    fprintf(stream, "%s%s%s%s%s\n", console_style_text(stream, STYLE_STRONG), f->name,
            console_style_text(stream, STYLE_PLAIN), *f->joint ? "  " : "", f->joint);
    for (int i = 0; i < 4; i++) {
        double m[4] = {0, 0, 0, 1};
        if (i < 3)
            get_row(&f->matrix, i, m);
        fprintf(stream, "  %10.6f %10.6f %10.6f %12.6f\n", tidy(m[0], 6), tidy(m[1], 6),
                tidy(m[2], 6), tidy(m[3], 6));
    }
}

void factors_print(const lb_state *state, int base, int link, FILE *stream)
{
    const lb_model *model = lb_state_model(state);
    factor_list all = find_factors(state, base, link);
    fprintf(stream, "%s in the frame of %s =", lb_model_link(model, link)->name,
            base == LB_WORLD ? "the world" : lb_model_link(model, base)->name);
    for (int i = 0; i + 1 < all.count; i++)
        fprintf(stream, " %s", all.factors[i].name);
    fputs("\n\n", stream);
    for (int i = 0; i < all.count; i++)
        print_factor(&all.factors[i], stream);
    free(all.factors);
}

/* ---- for programs --------------------------------------------------------- */

void factors_write_rows(const lb_state *state, int base, int link, row *fields)
{
    factor_list all = find_factors(state, base, link);
    fputs("factor,joint,m11,m12,m13,m14,m21,m22,m23,m24,m31,m32,m33,m34\n", fields->stream);
    for (int i = 0; i < all.count; i++) {
        row_text(fields, all.factors[i].name);
        row_text(fields, all.factors[i].joint);
        for (int r = 0; r < 3; r++) {
            double numbers[4];
            get_row(&all.factors[i].matrix, r, numbers);
            for (int k = 0; k < 4; k++)
                row_number(fields, numbers[k]);
        }
        row_end(fields);
    }
    free(all.factors);
}

static json_t *json_matrix(const lb_transform *t)
{
    json_t *rows = json_array();
    for (int i = 0; i < 3; i++) {
        double r[4];
        get_row(t, i, r);
        append_json(rows, json_pack("[ffff]", r[0], r[1], r[2], r[3]));
    }
    append_json(rows, json_pack("[iiii]", 0, 0, 0, 1));
    return rows;
}

void factors_write_json(const lb_state *state, int base, int link, FILE *stream)
{
    const lb_model *model = lb_state_model(state);
    factor_list all = find_factors(state, base, link);
    json_t *list = json_array();
    for (int i = 0; i + 1 < all.count; i++)
        append_json(list,
                    json_pack("{s:s, s:s, s:o}", "factor", all.factors[i].name, "joint",
                              all.factors[i].joint, "matrix", json_matrix(&all.factors[i].matrix)));
    json_t *object = json_pack("{s:s, s:s, s:s, s:o, s:o}", "model", lb_model_name(model), "base",
                               base == LB_WORLD ? "world" : lb_model_link(model, base)->name,
                               "frame", lb_model_link(model, link)->name, "factors", list,
                               "product", json_matrix(&all.factors[all.count - 1].matrix));
    print_json(object, JSON_COMPACT, stream);
    json_decref(object);
    free(all.factors);
}
