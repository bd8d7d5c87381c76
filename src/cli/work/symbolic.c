/*
 * symbolic.c - the place of a tip and its Jacobian as formulas, found from samples.
 *
 * Every entry is a multilinear function of 1, cos q, sin q of each hinge and of 1, q of each slide.
 * Values at 0, a quarter and half a turn, of slides at 0 and 1, therefore give all coefficients
 * exactly, up to rounding; no symbols are multiplied. Products of cosines and sines become those of
 * sums of angles by Euler's formula.
 */
#include "cli/work/symbolic.h"

#include "base/text.h"
#include "cli/report/report.h"
#include "cli/work/trace.h"

#include <limber/kinematics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOINTS = 3, POINTS = 27, ENTRIES = 3 + TRACE_ROWS * MOST_JOINTS, FACTOR_SIZE = 64 };

/* a smaller coefficient, as a share of the largest number, is rounding */
static const double rounding = 1e-12;

typedef struct arm {
    const lb_model *model;
    const lb_task *task;
    int count, points; /* joints; 3 to that power */
    int joints[MOST_JOINTS];
    bool slides[MOST_JOINTS];
    double values[ENTRIES][POINTS]; /* px py pz, then the Jacobian row by row */
    double largest;
} arm;

typedef struct term {
    double coefficient;
    char factor[FACTOR_SIZE];
} term;

typedef struct term_list {
    term terms[2 * POINTS];
    int count;
} term_list;

/* ---- samples --------------------------------------------------------------- */

/* the joints from the root to the tip; false after a complaint */
static bool find_joints(arm *a)
{
    int count = 0;
    for (int link = a->task->tip; link > 0; link = lb_model_parent(a->model, link)) {
        const lb_joint *joint = lb_model_joint(a->model, link - 1);
        if (joint->kind == LB_JOINT_FIXED)
            continue;
        if (joint->mimic || lb_joint_kind_nv(joint->kind) > 1 || count == MOST_JOINTS)
            return complain("--symbolic: at most %d hinges and slides may lead to '%s'",
                            MOST_JOINTS, lb_model_link(a->model, a->task->tip)->name);
        a->joints[count++] = link - 1;
    }
    for (int i = 0; i < count / 2; i++) {
        int first = a->joints[i];
        a->joints[i] = a->joints[count - 1 - i];
        a->joints[count - 1 - i] = first;
    }
    a->count = count;
    a->points = 1;
    for (int i = 0; i < count; i++) {
        a->slides[i] = lb_model_joint(a->model, a->joints[i])->kind == LB_JOINT_PRISMATIC;
        a->points *= 3;
    }
    return count > 0 ||
           complain("--symbolic: no joint moves '%s'", lb_model_link(a->model, a->task->tip)->name);
}

/* digit i of a point or a term, in base 3 */
static int digit(int index, int i)
{
    return index / (i == 0 ? 1 : i == 1 ? 3 : 9) % 3;
}

static void sample(arm *a)
{
    const lb_task *task = a->task;
    lb_state *state = state_or_exit(a->model);
    double *q = allocate_or_exit((size_t)lb_model_nq(a->model), sizeof *q);
    size_t nv = (size_t)lb_model_nv(a->model);
    double *jacobian = allocate_or_exit(TRACE_ROWS * nv, sizeof *jacobian);
    lb_configuration_neutral(a->model, q);
    for (int g = 0; g < a->points; g++) {
        for (int i = 0; i < a->count; i++)
            q[lb_model_joint_q(a->model, a->joints[i])] =
                digit(g, i) * (a->slides[i] ? 1 : 0.5 * LB_PI);
        lb_state_update(state, q);
        lb_vec3 p = lb_state_point(state, task->tip, task->base, task->tool.p);
        a->values[0][g] = p.x;
        a->values[1][g] = p.y;
        a->values[2][g] = p.z;
        lb_state_jacobian(state, task->tip, task->tool.p, LB_AXES_WORLD, jacobian);
        for (int i = 0; i < a->count; i++)
            for (int half = 0; half < TRACE_ROWS; half += 3) {
                const double *x =
                    &jacobian[(size_t)half * nv + (size_t)lb_model_joint_v(a->model, a->joints[i])];
                lb_vec3 d = lb_state_direction(state, LB_WORLD, task->base,
                                               lb_vec3_make(x[0], x[nv], x[2 * nv]));
                a->values[3 + half * a->count + i][g] = d.x;
                a->values[3 + (half + 1) * a->count + i][g] = d.y;
                a->values[3 + (half + 2) * a->count + i][g] = d.z;
            }
    }
    for (int e = 0; e < 3 + TRACE_ROWS * a->count; e++)
        for (int g = 0; g < a->points; g++)
            a->largest = fmax(a->largest, fabs(a->values[e][g]));
    free(jacobian);
    free(q);
    lb_state_release(state);
}

/* ---- coefficients ----------------------------------------------------------- */

/* of 1, cos, sin of a hinge, or 1, q of a slide, in place of the values */
static void find_products(const arm *a, double f[POINTS])
{
    for (int i = 0, step = 1; i < a->count; i++, step *= 3)
        for (int g = 0; g < a->points; g++) {
            if (digit(g, i) != 0)
                continue;
            double f0 = f[g], f1 = f[g + step], f2 = f[g + 2 * step];
            f[g] = a->slides[i] ? f0 : 0.5 * (f0 + f2);
            f[g + step] = a->slides[i] ? f1 - f0 : 0.5 * (f0 - f2);
            f[g + 2 * step] = a->slides[i] ? 0 : f1 - f[g];
        }
}

static void add_term(const arm *a, term_list *list, double coefficient, const char *factor)
{
    if (fabs(coefficient) <= rounding * a->largest)
        return;
    term *t = &list->terms[list->count++];
    t->coefficient = coefficient;
    text_format(t->factor, FACTOR_SIZE, "%s", factor);
}

/* "q3", of the slides in a term */
static void append_slides(const arm *a, int g, char factor[FACTOR_SIZE])
{
    for (int i = 0; i < a->count; i++)
        if (a->slides[i] && digit(g, i) == 1)
            text_format(factor + strlen(factor), FACTOR_SIZE - strlen(factor), "%sq%d",
                        *factor ? " " : "", i + 1);
}

static void list_products(const arm *a, const double f[POINTS], term_list *list)
{
    list->count = 0;
    for (int g = 0; g < a->points; g++) {
        char factor[FACTOR_SIZE] = "";
        append_slides(a, g, factor);
        for (int i = 0; i < a->count; i++)
            if (!a->slides[i] && digit(g, i) != 0)
                text_format(factor + strlen(factor), FACTOR_SIZE - strlen(factor), "%s%s(q%d)",
                            *factor ? " " : "", digit(g, i) == 1 ? "cos" : "sin", i + 1);
        add_term(a, list, f[g], factor);
    }
}

/* cos q = (e^iq + e^-iq) / 2: the coefficients of e^i(n.q), n_i of digit 1 being +1, of 2 -1 */
static void find_sums(const arm *a, const double f[POINTS], double re[POINTS], double im[POINTS])
{
    memcpy(re, f, sizeof(double) * POINTS);
    memset(im, 0, sizeof(double) * POINTS);
    for (int i = 0, step = 1; i < a->count; i++, step *= 3)
        for (int g = 0; g < a->points; g++) {
            if (digit(g, i) != 0 || a->slides[i])
                continue;
            double cr = re[g + step], ci = im[g + step], sr = re[g + 2 * step],
                   si = im[g + 2 * step];
            re[g + step] = 0.5 * (cr + si);
            im[g + step] = 0.5 * (ci - sr);
            re[g + 2 * step] = 0.5 * (cr - si);
            im[g + 2 * step] = 0.5 * (ci + sr);
        }
}

/* "q1 + q2 - q3"; "" for none, and where the first is negative: the conjugate's term has both */
static bool name_sum(const arm *a, int g, char sum[FACTOR_SIZE])
{
    *sum = '\0';
    for (int i = 0; i < a->count; i++) {
        if (a->slides[i] || digit(g, i) == 0)
            continue;
        if (!*sum && digit(g, i) == 2)
            return false;
        text_format(sum + strlen(sum), FACTOR_SIZE - strlen(sum), "%sq%d",
                    !*sum              ? ""
                    : digit(g, i) == 1 ? " + "
                                       : " - ",
                    i + 1);
    }
    return true;
}

static void list_sums(const arm *a, const double f[POINTS], term_list *list)
{
    double re[POINTS], im[POINTS];
    find_sums(a, f, re, im);
    list->count = 0;
    for (int g = 0; g < a->points; g++) {
        char sum[FACTOR_SIZE], slid[FACTOR_SIZE] = "", factor[2 * FACTOR_SIZE];
        append_slides(a, g, slid);
        if (!name_sum(a, g, sum))
            continue;
        if (!*sum) {
            add_term(a, list, re[g], slid);
            continue;
        }
        text_format(factor, sizeof factor, "%s%scos(%s)", slid, *slid ? " " : "", sum);
        add_term(a, list, 2 * re[g], factor);
        text_format(factor, sizeof factor, "%s%ssin(%s)", slid, *slid ? " " : "", sum);
        add_term(a, list, -2 * im[g], factor);
    }
}

/* ---- words ------------------------------------------------------------------ */

static void print_terms(const term_list *list, FILE *stream)
{
    for (int i = 0; i < list->count; i++) {
        double c = list->terms[i].coefficient;
        const char *factor = list->terms[i].factor;
        fputs(i > 0 ? (c < 0 ? " - " : " + ") : (c < 0 ? "-" : ""), stream);
        if (fabs(fabs(c) - 1) > rounding || !*factor)
            fprintf(stream, "%.12g%s", fabs(c), *factor ? " " : "");
        fputs(factor, stream);
    }
    fputs(list->count == 0 ? "0\n" : "\n", stream);
}

static void print_entry(arm *a, int entry, FILE *stream)
{
    term_list products, sums;
    find_products(a, a->values[entry]);
    list_products(a, a->values[entry], &products);
    list_sums(a, a->values[entry], &sums);
    print_terms(sums.count < products.count ? &sums : &products, stream);
}

bool symbolic_check(const lb_model *model, const lb_task *task)
{
    arm a = {.model = model, .task = task};
    if (task->base > 0)
        return complain("--symbolic: the base must be the root or the world");
    if (lb_vec3_length(task->free_axis) > 0 || task->free_position != 0)
        return complain("--symbolic: free axes have no effect on the formulas");
    return find_joints(&a);
}

void symbolic_write(const lb_model *model, const lb_task *task, FILE *stream)
{
    static const char *const axes[] = {"x", "y", "z"};
    arm *a = allocate_or_exit(1, sizeof *a);
    a->model = model;
    a->task = task;
    if (find_joints(a)) {
        sample(a);
        for (int i = 0; i < a->count; i++) {
            fprintf(stream, "q%d = ", i + 1);
            print_foreign(stream, lb_model_joint(model, a->joints[i])->name, 0);
            fputc('\n', stream);
        }
        for (int r = 0; r < 3; r++) {
            fprintf(stream, "%sE%s = ", r == 0 ? "\n" : "", axes[r]);
            print_entry(a, r, stream);
        }
        for (int e = 0; e < TRACE_ROWS * a->count; e++) {
            fprintf(stream, "%sJ%s%d = ", e % a->count == 0 ? "\n" : "",
                    trace_row_names[e / a->count], e % a->count + 1);
            print_entry(a, 3 + e, stream);
        }
    }
    free(a);
}
