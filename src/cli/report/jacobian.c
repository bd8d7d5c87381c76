/*
 * jacobian.c - the Jacobian of a link's origin against another link, with its singular values.
 */
#include "cli/report/describe.h"

#include "cli/report/report.h"
#include "cli/report/results.h"
#include "kinematics/state.h"
#include "math/dense.h"

#include <math.h>
#include <stdlib.h>

static const char *const row_names[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};

enum { NAME_SIZE = 256 };

/* The columns that are not zero. */
typedef struct columns {
    const lb_state *state;
    int base, link;
    int count;
    double *numbers; /* 6 rows of `count` */
    char (*names)[NAME_SIZE];
} columns;

/* "elbow", or "hip.2" for the second velocity of a joint that has several */
static void name_column(const lb_model *model, int v, char name[NAME_SIZE])
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int width = lb_joint_kind_nv(joint->kind), first = lb_model_joint_v(model, j);
        if (joint->mimic || width == 0 || v < first || v >= first + width)
            continue;
        if (width == 1)
            snprintf(name, NAME_SIZE, "%.240s", joint->name);
        else
            snprintf(name, NAME_SIZE, "%.240s.%d", joint->name, v - first + 1);
    }
}

/* column v along the base's axes; whether it has anything but zeros */
static bool get_column(const lb_state *state, int base, const double *jacobian, int v,
                       double column[6])
{
    int nv = lb_model_nv(lb_state_model(state));
    bool any = false;
    for (int r = 0; r < 6; r += 3) {
        lb_vec3 along =
            lb_state_direction(state, LB_WORLD, base,
                               lb_vec3_make(jacobian[r * nv + v], jacobian[(r + 1) * nv + v],
                                            jacobian[(r + 2) * nv + v]));
        column[r] = along.x;
        column[r + 1] = along.y;
        column[r + 2] = along.z;
        any = any || along.x != 0 || along.y != 0 || along.z != 0;
    }
    return any;
}

static columns find_columns(const lb_state *state, int base, int link)
{
    const lb_model *model = lb_state_model(state);
    size_t nv = (size_t)lb_model_nv(model);
    double *jacobian = allocate_or_exit(12 * nv + 1, sizeof *jacobian);
    columns all = {.state = state,
                   .base = base,
                   .link = link,
                   .numbers = allocate_or_exit(6 * nv + 1, sizeof *all.numbers),
                   .names = allocate_or_exit(nv + 1, NAME_SIZE)};
    relative_jacobian(state, base, link, lb_vec3_make(0, 0, 0), jacobian + 6 * nv, jacobian);
    for (int v = 0; v < (int)nv; v++) {
        double *column = &all.numbers[6 * all.count];
        if (get_column(state, base, jacobian, v, column))
            name_column(model, v, all.names[all.count++]);
    }
    return all;
}

/* ---- for people ----------------------------------------------------------- */

static void print_matrix(const columns *all, FILE *stream)
{
    char *align = allocate_or_exit((size_t)all->count + 2, 1);
    align[0] = 'l';
    for (int c = 0; c < all->count; c++)
        align[c + 1] = 'r';
    grid_table table = grid_start(align);
    grid_cell(&table, "J");
    for (int c = 0; c < all->count; c++)
        grid_cell(&table, "%s", all->names[c]);
    for (int r = 0; r < 6; r++) {
        grid_cell(&table, "%s", row_names[r]);
        for (int c = 0; c < all->count; c++)
            grid_cell(&table, "%.6f", tidy(all->numbers[6 * c + r], 6));
    }
    grid_print(&table, stream);
}

/* a smaller share of the largest singular value is a rounding error of zero */
static const double tolerance = 1e-9;

/* the joint velocities of length 1 that leave the place, where one direction of them does */
static void print_null_space(const columns *all, FILE *stream)
{
    const int n = all->count, rows = n > 3 ? n : 3;
    double *a = allocate_or_exit((size_t)(n * (2 * rows + n + 1)) + 1, sizeof *a);
    double *left = a + rows * n, *right = left + rows * n, *values = right + n * n;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < n; c++)
            a[i * n + c] = i < 3 ? all->numbers[6 * c + i] : 0;
    int rank = 0;
    if (dense_svd(rows, n, a, left, values, right))
        while (rank < n && values[rank] > tolerance * values[0])
            rank++;
    const double *idle = right + (n - 1) * n;
    int first = 0;
    while (rank == n - 1 && first < n - 1 && fabs(idle[first]) <= tolerance)
        first++;
    for (int c = 0; c < n && rank == n - 1; c++)
        fprintf(stream, "%s %s %.4f", c == 0 ? "          null space:" : ",", all->names[c],
                tidy(idle[first] < 0 ? -idle[c] : idle[c], 4));
    if (rank == n - 1)
        fputc('\n', stream);
}

/* of the position, in the directions that the link can have; from the root, as the library has it
 */
static void print_singularity(const lb_state *state, int link, FILE *stream)
{
    lb_singularity s;
    if (lb_state_singularity(state, link, lb_vec3_make(0, 0, 0), 0, tolerance, &s) != LB_OK)
        return;
    bool singular = !(s.condition < 1 / tolerance);
    bool loops = lb_model_loop_count(lb_state_model(state)) > 0;
    fprintf(stream, "\nposition%s: singular values", loops ? " without the loops" : "");
    for (int i = 0; i < 3 && (s.values[i] > 0 || i < s.rank); i++)
        fprintf(stream, " %.6g", i < s.rank ? s.values[i] : 0);
    fprintf(stream, "\n          rank %d, manipulability %.6g, condition ", s.rank,
            singular ? 0 : s.manipulability);
    if (singular)
        fprintf(stream, "infinite: singular, no joint moves it along %.2f %.2f %.2f of the world\n",
                tidy(s.weakest[0], 2), tidy(s.weakest[1], 2), tidy(s.weakest[2], 2));
    else
        fprintf(stream, "%.6g\n", s.condition);
}

static void print_all(void *results, FILE *stream)
{
    const columns *all = results;
    const lb_model *model = lb_state_model(all->state);
    fprintf(stream, "velocity of %s in the frame of %s, per joint velocity\n\n",
            describe_link(model, all->link), describe_link(model, all->base));
    print_matrix(all, stream);
    if (all->base != LB_WORLD && all->base != 0)
        return;
    print_singularity(all->state, all->link, stream);
    if (lb_model_loop_count(model) == 0)
        print_null_space(all, stream);
}

/* ---- for programs --------------------------------------------------------- */

static void name_entry(const void *user, int c, char name[COLUMN_NAME_SIZE])
{
    snprintf(name, COLUMN_NAME_SIZE, "%s", ((const columns *)user)->names[c]);
}

/* row r of the matrix, whose columns are stored one after the other */
static void name_row(const void *results, int r, row *to)
{
    const columns *all = results;
    double *numbers = allocate_or_exit((size_t)all->count, sizeof *numbers);
    for (int c = 0; c < all->count; c++)
        numbers[c] = all->numbers[6 * c + r];
    column_word(to, "row", row_names[r]);
    column_numbers(to, "numbers", numbers, all->count, 0, name_entry, all);
}

static json_t *json_members(void *results)
{
    const columns *all = results;
    const lb_model *model = lb_state_model(all->state);
    json_t *names = json_array();
    for (int c = 0; c < all->count; c++)
        append_json(names, json_string(all->names[c]));
    json_t *members = describe_frames(model, all->base, all->link);
    set_json(members, "columns", names);
    return members;
}

static const destination_forms forms = {.rows = &(result_table)ROWS(6, name_row),
                                        .list = "jacobian",
                                        .members = json_members,
                                        .words = print_all};

void jacobian_write(const lb_state *state, int base, int link)
{
    columns all = find_columns(state, base, link);
    destination_write(&forms, &all, 1);
}

/* ---- factors ------------------------------------------------------------- */

/*
 * An arc carries two factors: the constant placement of the child in the parent, and right of it,
 * so that it acts first on the child's points, the joint's own transform. The first is the model's;
 * the second is what is left of the arc when the first is taken off.
 */

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

/* base must be above the link, or the world */
static void check_base(const lb_model *model, int base, int link)
{
    int above = link;
    while (above > 0 && above != base)
        above = lb_model_parent(model, above);
    if (base != LB_WORLD && above != base)
        refuse("--factors: '%s' does not lie between the root and '%s'; take --base world or a "
               "link that does",
               lb_model_link(model, base)->name, lb_model_link(model, link)->name);
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
    return all;
}

/* the three rows of a matrix that are not 0 0 0 1 */
static void get_row(const lb_transform *t, int i, double numbers[4])
{
    const lb_vec3 axes[4] = {t->x, t->y, t->z, t->p};
    for (int k = 0; k < 4; k++)
        numbers[k] = i == 0 ? axes[k].x : i == 1 ? axes[k].y : axes[k].z;
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

static void print_factors(void *results, FILE *stream)
{
    const factor_list *all = results;
    fprintf(stream, "%s in the frame of %s =", describe_link(all->model, all->link),
            describe_link(all->model, all->base));
    for (int i = 0; i + 1 < all->count; i++)
        fprintf(stream, " %s", all->factors[i].name);
    fputs("\n\n", stream);
    for (int i = 0; i < all->count; i++)
        print_factor(&all->factors[i], stream);
}

/* ---- for programs --------------------------------------------------------- */

/* "m11" to "m34" */
static void name_number(const void *user, int i, char name[COLUMN_NAME_SIZE])
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
    column_numbers(to, "matrix", numbers, 12, 4, name_number, NULL);
}

static json_t *factor_members(void *results)
{
    const factor_list *all = results;
    return describe_frames(all->model, all->base, all->link);
}

static const destination_forms factor_forms = {
    .rows = &(result_table)ROWS_OF(factor_list, count, name_factor),
    .list = "factors",
    .members = factor_members,
    .words = print_factors};

void factors_write(const lb_state *state, int base, int link)
{
    check_base(lb_state_model(state), base, link);
    factor_list all = find_factors(state, base, link);
    destination_write(&factor_forms, &all, 1);
}
