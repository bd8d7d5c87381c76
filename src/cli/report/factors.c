/*
 * factors.c - a link's transform as the product of its arcs.
 *
 * An arc carries two factors: the constant placement of the child in the parent, and right of it,
 * so that it acts first on the child's points, the joint's own transform. The first is the model's;
 * the second is what is left of the arc when the first is taken off.
 */
#include "cli/report/jacobian.h"

#include "cli/report/console.h"
#include "cli/report/destination.h"
#include "cli/report/grid.h"
#include "cli/report/report.h"

#include <stdlib.h>

/* One factor of the product. */
typedef struct factor {
    char name[16];     /* "T_1", "R_1"; "product" */
    const char *joint; /* whose arc it belongs to, "" for the root's and the product */
    lb_transform matrix;
} factor;

typedef struct factor_list {
    const lb_model *model;
    int base, link;
    factor *factors;
    int count;
} factor_list;

/* whether base is above the link, or the world */
static bool check_base(const lb_model *model, int base, int link)
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
    factor_list all = {.model = model, .base = base, .link = link};
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

static bool print_all(void *results, FILE *stream)
{
    const factor_list *all = results;
    const lb_model *model = all->model;
    fprintf(stream, "%s in the frame of %s =", lb_model_link(model, all->link)->name,
            all->base == LB_WORLD ? "the world" : lb_model_link(model, all->base)->name);
    for (int i = 0; i + 1 < all->count; i++)
        fprintf(stream, " %s", all->factors[i].name);
    fputs("\n\n", stream);
    for (int i = 0; i < all->count; i++)
        print_factor(&all->factors[i], stream);
    return true;
}

/* ---- for programs --------------------------------------------------------- */

static int count_factors(const void *results)
{
    return ((const factor_list *)results)->count;
}

/* "m11" to "m34" */
static void name_entry(const void *user, int i, char name[COLUMN_NAME_SIZE])
{
    (void)user;
    snprintf(name, COLUMN_NAME_SIZE, "m%d%d", i / 4 + 1, i % 4 + 1);
}

/* the three rows that are not 0 0 0 1 */
static void name_factor(const void *results, int i, row *to)
{
    const factor *f = &((const factor_list *)results)->factors[i];
    double numbers[12];
    for (int r = 0; r < 3; r++)
        get_row(&f->matrix, r, numbers + 4 * r);
    column_word(to, "factor", f->name);
    column_word(to, "joint", f->joint);
    column_numbers(to, "matrix", numbers, 12, 4, name_entry, NULL);
}

static json_t *json_members(void *results)
{
    const factor_list *all = results;
    const lb_model *model = all->model;
    return json_pack("{s:s, s:s, s:s}", "model", lb_model_name(model), "base",
                     all->base == LB_WORLD ? "world" : lb_model_link(model, all->base)->name,
                     "frame", lb_model_link(model, all->link)->name);
}

static const destination_forms forms = {.rows = &(result_table){count_factors, name_factor},
                                        .list = "factors",
                                        .members = json_members,
                                        .words = print_all};

bool factors_write(const lb_state *state, int base, int link)
{
    if (!check_base(lb_state_model(state), base, link))
        return false;
    factor_list all = find_factors(state, base, link);
    bool fine = destination_write(&forms, &all, 1);
    free(all.factors);
    return fine;
}
