/*
 * cli/describe.c - a model in words.
 */
#include "cli/describe.h"

#include "cli/console.h"
#include "cli/grid.h"
#include "cli/report.h"
#include "cli/select.h"
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 320 };

/* ---- parts of a joint --------------------------------------------------- */

/* "z" and "-x" for the frame's own axes, else three numbers */
static void describe_axis(lb_vec3 axis, char *text, size_t size)
{
    static const struct {
        lb_vec3 axis;
        const char *name;
    } own[] = {{{1, 0, 0}, "x"},   {{0, 1, 0}, "y"},   {{0, 0, 1}, "z"},
               {{-1, 0, 0}, "-x"}, {{0, -1, 0}, "-y"}, {{0, 0, -1}, "-z"}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (axis.x == own[i].axis.x && axis.y == own[i].axis.y && axis.z == own[i].axis.z) {
            snprintf(text, size, "%s", own[i].name);
            return;
        }
    snprintf(text, size, "%.3g %.3g %.3g", axis.x, axis.y, axis.z);
}

static void describe_axes(const lb_joint *joint, char *text, size_t size)
{
    char first[64], second[64];
    describe_axis(joint->axis, first, sizeof first);
    describe_axis(joint->axis2, second, sizeof second);
    switch (joint->kind) {
    case LB_JOINT_FIXED:
    case LB_JOINT_BALL:
    case LB_JOINT_FLOATING:
        *text = '\0';
        break;
    case LB_JOINT_UNIVERSAL:
        snprintf(text, size, "%s, %s", first, second);
        break;
    default:
        snprintf(text, size, "%s", first);
    }
}

/* what a limit bounds: its word, and whether it is an angle */
static const struct limit_kind {
    const char *word;
    bool angular;
} limit_kinds[LB_JOINT_KIND_COUNT][3] = {
    [LB_JOINT_REVOLUTE] = {{"", true}},
    [LB_JOINT_PRISMATIC] = {{"", false}},
    [LB_JOINT_UNIVERSAL] = {{"angle1 ", true}, {"angle2 ", true}},
    [LB_JOINT_PLANAR] = {{"x ", false}, {"y ", false}, {"angle ", true}},
    [LB_JOINT_BALL] = {{"twist ", true}, {"swing ", true}},
    [LB_JOINT_FLOATING] = {{"x ", false}, {"y ", false}, {"z ", false}},
};

/* one pair of limits; nothing when there is neither */
static int describe_pair(const struct limit_kind *kind, double lower, double upper, bool swing,
                         char *text, size_t size)
{
    double unit = kind->angular ? angle_unit() : 1;
    bool below = isfinite(lower) && !swing, above = isfinite(upper);
    if (below && above)
        return snprintf(text, size, "%s%.5g .. %.5g", kind->word, lower / unit, upper / unit);
    if (above)
        return snprintf(text, size, "%sup to %.5g", kind->word, upper / unit);
    if (below)
        return snprintf(text, size, "%sfrom %.5g", kind->word, lower / unit);
    return 0;
}

void describe_limits(const lb_joint *joint, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (int k = 0; k < 3 && limit_kinds[joint->kind][k].word != NULL; k++) {
        char pair[96];
        bool swing = joint->kind == LB_JOINT_BALL && k == 1;
        if (describe_pair(&limit_kinds[joint->kind][k], joint->lower[k], joint->upper[k], swing,
                          pair, sizeof pair) == 0)
            continue;
        int more = snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", pair);
        used += more > 0 && (size_t)more < size - used ? (size_t)more : 0;
    }
    if (used == 0 && lb_joint_kind_nq(joint->kind) > 0)
        snprintf(text, size, "none");
}

/* the neutral values, nothing when all are zero */
static void describe_default(const lb_model *model, const value_slot *slots, const double *q, int j,
                             char *text, size_t size)
{
    const lb_joint *joint = lb_model_joint(model, j);
    size_t used = 0;
    *text = '\0';
    int count = joint->mimic == NULL ? lb_joint_kind_nq(joint->kind) : 0;
    for (int k = 0; k < count; k++) {
        int i = lb_model_joint_q(model, j) + k;
        int more = snprintf(text + used, size - used, "%s%.5g", k > 0 ? " " : "",
                            q[i] / value_unit(&slots[i]));
        used += more > 0 && (size_t)more < size - used ? (size_t)more : 0;
    }
}

/* what is special: locked, mimic, weight */
static void describe_notes(const lb_joint *joint, char *text, size_t size)
{
    *text = '\0';
    if (joint->mimic != NULL)
        snprintf(text, size, "= %.5g %s%+.5g", joint->multiplier, joint->mimic, joint->offset);
    if (joint->mimic != NULL && joint->offset == 0)
        snprintf(text, size, "= %.5g %s", joint->multiplier, joint->mimic);
    if (joint->mimic != NULL && joint->offset == 0 && joint->multiplier == 1)
        snprintf(text, size, "= %s", joint->mimic);
    size_t used = strlen(text);
    const char *comma = used > 0 ? ", " : "";
    if (joint->locked)
        snprintf(text + used, size - used, "%slocked", comma);
    else if (joint->weight != 1)
        snprintf(text + used, size - used, "%sweight %.4g", comma, joint->weight);
}

/* ---- the model ---------------------------------------------------------- */

static void describe_counts(const lb_model *model, FILE *stream)
{
    int kinds[LB_JOINT_KIND_COUNT] = {0}, mimics = 0;
    int links = lb_model_link_count(model), joints = lb_model_joint_count(model);
    for (int j = 0; j < joints; j++) {
        kinds[lb_model_joint(model, j)->kind]++;
        mimics += lb_model_joint(model, j)->mimic != NULL;
    }
    fprintf(stream, "%s%s%s: %d link%s, %d joint%s", console_style_text(stream, STYLE_STRONG),
            lb_model_name(model), console_style_text(stream, STYLE_PLAIN), links,
            links == 1 ? "" : "s", joints, joints == 1 ? "" : "s");
    for (int kind = 0, listed = 0; kind < LB_JOINT_KIND_COUNT; kind++)
        if (kinds[kind] > 0)
            fprintf(stream, "%s%d %s", listed++ == 0 ? " (" : ", ", kinds[kind],
                    lb_joint_kind_text((lb_joint_kind)kind));
    if (mimics > 0)
        fprintf(stream, "; %d mimic", mimics);
    fprintf(stream, "%s\n", joints > 0 ? ")" : "");
    fprintf(stream, "a pose has %d value%s, a velocity %d\n", lb_model_nq(model),
            lb_model_nq(model) == 1 ? "" : "s", lb_model_nv(model));
}

static void describe_joints(const lb_model *model, FILE *stream)
{
    char axes[TEXT_SIZE], limits[TEXT_SIZE], rest[TEXT_SIZE], notes[TEXT_SIZE];
    const char *arrow = console_is_utf8() ? "\xE2\x86\x92" : "->";
    double *q = obtain((size_t)lb_model_nq(model), sizeof *q);
    lb_configuration_neutral(model, q);
    value_slot *slots = values_slots(model);
    grid table = grid_start("lllllll");
    grid_cell(&table, "joint");
    grid_cell(&table, "kind");
    grid_cell(&table, "moves");
    grid_cell(&table, "axis");
    grid_cell(&table, "limits");
    grid_cell(&table, "default");
    grid_cell(&table, "notes");
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        describe_axes(joint, axes, sizeof axes);
        describe_limits(joint, limits, sizeof limits);
        describe_default(model, slots, q, j, rest, sizeof rest);
        describe_notes(joint, notes, sizeof notes);
        grid_cell(&table, "%s", joint->name);
        grid_cell(&table, "%s", lb_joint_kind_text(joint->kind));
        grid_cell(&table, "%s %s %s", joint->parent, arrow, joint->child);
        grid_cell(&table, "%s", axes);
        grid_cell(&table, "%s", limits);
        grid_cell(&table, "%s", rest);
        grid_cell(&table, "%s", notes);
    }
    grid_print(&table, stream);
    grid_release(&table);
    free(slots);
    free(q);
}

/* the tips, each with how many joints it is away from the root */
static void describe_tips(const lb_model *model, FILE *stream)
{
    int count = lb_model_tips(model, NULL);
    int *tips = obtain((size_t)count, sizeof *tips), *depths = select_depths(model);
    lb_model_tips(model, tips);
    size_t size = 1, used = 0;
    for (int i = 0; i < count; i++)
        size += strlen(lb_model_link(model, tips[i])->name) + 32;
    char *text = obtain(size, 1);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s (%d)", i > 0 ? ", " : "",
                                 lb_model_link(model, tips[i])->name, depths[tips[i]]);
    int indent = fprintf(stream, "tip%s (joints to the root): ", count == 1 ? "" : "s");
    print_wrapped(stream, text, indent);
    free(text);
    free(depths);
    free(tips);
}

void describe_model(const lb_model *model, FILE *stream)
{
    describe_counts(model, stream);
    if (lb_model_joint_count(model) > 0) {
        fputc('\n', stream);
        describe_joints(model, stream);
        fprintf(stream, "  (metres, %s)\n", angle_unit() == 1 ? "radians" : "degrees");
    }
    fputc('\n', stream);
    describe_tips(model, stream);
}

/* ---- the tree ----------------------------------------------------------- */

/* branches within branches that are drawn; deeper ones stand below the last of these */
enum { DEEPEST = 24 };

typedef struct tree {
    const lb_model *model;
    int *levels;            /* branches that each link stands in, at most DEEPEST */
    bool open[DEEPEST + 1]; /* at each level, while reading: more siblings follow */
} tree;

/* what is drawn at one level: an open or a closed branch that begins, passes, or is over */
typedef enum tree_mark { MARK_SPLIT, MARK_LAST, MARK_PASS, MARK_NONE } tree_mark;

static const char *const marks_utf8[] = {"\xE2\x94\x9C\xE2\x94\x80 ", "\xE2\x94\x94\xE2\x94\x80 ",
                                         "\xE2\x94\x82  ", "   "};
static const char *const marks_ascii[] = {"|- ", "`- ", "|  ", "   "};

static bool begins_branch(const lb_model *model, int link)
{
    int parent = lb_model_parent(model, link);
    return parent >= 0 && lb_model_next_sibling(model, lb_model_first_child(model, parent)) >= 0;
}

/* levels of all links; parents stand before their children */
static void measure_levels(tree *t)
{
    for (int i = 1; i < lb_model_link_count(t->model); i++) {
        int level = t->levels[lb_model_parent(t->model, i)] + begins_branch(t->model, i);
        t->levels[i] = level < DEEPEST ? level : DEEPEST;
    }
}

/* what stands before a link's name */
static void draw_prefix(tree *t, int link, char *text, size_t size)
{
    const char *const *marks = console_is_utf8() ? marks_utf8 : marks_ascii;
    int level = t->levels[link];
    bool begins = begins_branch(t->model, link);
    if (begins)
        t->open[level] = lb_model_next_sibling(t->model, link) >= 0;
    size_t used = 0;
    *text = '\0';
    for (int k = 1; k <= level; k++) {
        tree_mark mark = t->open[k] ? MARK_PASS : MARK_NONE;
        if (k == level && begins)
            mark = t->open[k] ? MARK_SPLIT : MARK_LAST;
        used += (size_t)snprintf(text + used, size - used, "%s", marks[mark]);
    }
}

void describe_tree(const lb_model *model, FILE *stream)
{
    /* a mark takes seven bytes at most */
    char prefix[7 * DEEPEST + 8];
    int count = lb_model_link_count(model), widest = 0;
    tree t = {.model = model, .levels = obtain((size_t)count, sizeof *t.levels)};
    measure_levels(&t);
    for (int i = 0; i < count; i++) {
        int width = 3 * t.levels[i] + text_width(lb_model_link(model, i)->name);
        widest = width > widest ? width : widest;
    }

    for (int i = 0; i < count; i++) {
        draw_prefix(&t, i, prefix, sizeof prefix);
        const char *name = lb_model_link(model, i)->name;
        fprintf(stream, "  %s%s%s%s", prefix, console_style_text(stream, STYLE_STRONG), name,
                console_style_text(stream, STYLE_PLAIN));
        if (i > 0) {
            const lb_joint *joint = lb_model_joint(model, i - 1);
            int gap = widest - 3 * t.levels[i] - text_width(name);
            fprintf(stream, "%*s  %s%s, %s%s", gap, "", console_style_text(stream, STYLE_FAINT),
                    joint->name, lb_joint_kind_text(joint->kind),
                    console_style_text(stream, STYLE_PLAIN));
        }
        fputc('\n', stream);
    }
    free(t.levels);
}
