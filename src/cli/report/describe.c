/*
 * describe.c - a model in words and as JSON.
 */
#include "cli/report/describe.h"

#include "cli/report/report.h"
#include "cli/report/results.h"

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
    lower = tidy(lower / unit, 9);
    upper = tidy(upper / unit, 9);
    if (below && above)
        return snprintf(text, size, "%s%.5g .. %.5g", kind->word, lower, upper);
    if (above)
        return snprintf(text, size, "%sup to %.5g", kind->word, upper);
    if (below)
        return snprintf(text, size, "%sfrom %.5g", kind->word, lower);
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

/* the neutral values, none of what follows another joint */
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
    fprintf(stream, "a configuration has %d value%s, a velocity %d\n", lb_model_nq(model),
            lb_model_nq(model) == 1 ? "" : "s", lb_model_nv(model));
}

/* where the root is in the world */
static void describe_root(const lb_model *model, FILE *stream)
{
    lb_transform root = lb_model_root(model), origin = LB_TRANSFORM_IDENTITY;
    lb_vec3 rpy = lb_quat_to_rpy(lb_transform_quat(&root));
    double unit = angle_unit();
    fprintf(stream, "root: %s, ", lb_model_link(model, 0)->name);
    if (lb_vec3_length(root.p) == 0)
        fputs("at the world's origin", stream);
    else
        fprintf(stream, "at %.6g %.6g %.6g m in the world", tidy(root.p.x, 9), tidy(root.p.y, 9),
                tidy(root.p.z, 9));
    if (lb_transform_angle(&root, &origin) > 0)
        fprintf(stream, ", turned by roll %.6g, pitch %.6g, yaw %.6g %s", tidy(rpy.x / unit, 9),
                tidy(rpy.y / unit, 9), tidy(rpy.z / unit, 9), angle_unit_name());
    fputc('\n', stream);
}

static void add_joint(grid_table *table, const lb_model *model, const value_slot *slots,
                      const double *q, int j)
{
    char axes[TEXT_SIZE], limits[TEXT_SIZE], rest[TEXT_SIZE], notes[TEXT_SIZE];
    const char *arrow = console_is_utf8() ? "\xE2\x86\x92" : "->";
    const lb_joint *joint = lb_model_joint(model, j);
    describe_axes(joint, axes, sizeof axes);
    describe_limits(joint, limits, sizeof limits);
    describe_default(model, slots, q, j, rest, sizeof rest);
    describe_notes(joint, notes, sizeof notes);
    grid_cell(table, "%s", joint->name);
    grid_cell(table, "%s", lb_joint_kind_text(joint->kind));
    grid_cell(table, "%s %s %s", joint->parent, arrow, joint->child);
    grid_cell(table, "%s", axes);
    grid_cell(table, "%s", limits);
    grid_cell(table, "%s", rest);
    grid_cell(table, "%s", notes);
}

/* those that move; fixed ones are in the tree */
static void describe_joints(const lb_model *model, FILE *stream)
{
    static const char *const heads[] = {"joint",  "kind",    "moves", "axis",
                                        "limits", "default", "notes"};
    double *q = allocate_or_exit((size_t)lb_model_nq(model), sizeof *q);
    lb_configuration_neutral(model, q);
    value_slot *slots = values_slots(model);
    grid_table table = grid_start("lllllll");
    for (int i = 0; i < table.columns; i++)
        grid_cell(&table, "%s", heads[i]);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
            add_joint(&table, model, slots, q, j);

    /* long names: the tree shows what moves what */
    if (grid_width(&table) > TABLE_WIDTH)
        table.align = "ll-llll";
    while (table.hanging < 2 && grid_width(&table) > TABLE_WIDTH)
        table.hanging++;
    grid_print(&table, stream);
}

/* the tips, each with how many joints it is away from the root */
static void describe_tips(const lb_model *model, FILE *stream)
{
    int count = lb_model_tips(model, NULL), usual = select_default_tip(model);
    int *tips = allocate_or_exit((size_t)count, sizeof *tips), *depths = select_depths(model);
    lb_model_tips(model, tips);
    size_t size = strlen(lb_model_link(model, usual)->name) + 48, used = 0;
    for (int i = 0; i < count; i++)
        size += strlen(lb_model_link(model, tips[i])->name) + 48;
    char *text = allocate_or_exit(size, 1);
    // a default that carries others is none of the tree's own tips
    if (lb_model_first_child(model, usual) >= 0)
        used += (size_t)snprintf(text, size, "%s (%d, the default), ",
                                 lb_model_link(model, usual)->name, depths[usual]);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s (%d%s)", i > 0 ? ", " : "",
                                 lb_model_link(model, tips[i])->name, depths[tips[i]],
                                 count > 1 && tips[i] == usual ? ", the default" : "");
    fprintf(stream, "tip%s (joints to the root):\n    ", count == 1 ? "" : "s");
    print_wrapped(stream, text, 4);
}

void describe_mobility(lb_mobility m, char *text, size_t size)
{
    char freedoms[64], verdict[64] = "as many";
    bool single = m.velocities == m.joints;
    int extra = m.velocities - m.constraints;
    snprintf(freedoms, sizeof freedoms, "%d %s%s", m.velocities, single ? "joint" : "degree",
             m.velocities == 1 ? "" : "s");
    if (extra > 0)
        snprintf(verdict, sizeof verdict, "underconstrained by %d (redundant)", extra);
    else if (extra < 0)
        snprintf(verdict, sizeof verdict, "overconstrained by %d", -extra);
    snprintf(text, size, "%s%s, %d constraint%s: %s", freedoms, single ? "" : " of freedom",
             m.constraints, m.constraints == 1 ? "" : "s", verdict);
}

/* the tasks that the joints to the default tip allow */
static void describe_tasks(const lb_model *model, FILE *stream)
{
    static const char *const names[] = {"position", "rotation", "pose"};
    int tip = select_default_tip(model);
    lb_state *state = state_or_exit(model);
    fprintf(stream, "targets of %s%s:\n", lb_model_link(model, tip)->name,
            lb_model_loop_count(model) > 0 ? " in the tree without its loops" : "");
    for (int kind = LB_TASK_POSITION; kind <= LB_TASK_POSE; kind++) {
        char text[TEXT_SIZE];
        lb_task task = lb_task_make(tip, 0, (lb_task_kind)kind);
        describe_mobility(lb_task_mobility(state, &task, NULL), text, sizeof text);
        fprintf(stream, "    %-9s %s\n", names[kind], text);
    }
}

/* how many joints have a limit of effort */
static int count_efforts(const lb_model *model)
{
    int count = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        count += isfinite(lb_model_joint(model, j)->effort) &&
                 lb_model_joint(model, j)->kind != LB_JOINT_FIXED;
    return count;
}

static bool has_moving_joints(const lb_model *model)
{
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
            return true;
    return false;
}

void describe_model(const lb_model *model, FILE *stream)
{
    describe_counts(model, stream);
    describe_root(model, stream);
    if (has_moving_joints(model)) {
        fputc('\n', stream);
        describe_joints(model, stream);
        fprintf(stream, "  (metres, %s)\n", angle_unit() == 1 ? "radians" : "degrees");
        if (count_efforts(model) > 0)
            fprintf(stream,
                    "  (limits of effort, of %d joints, are kept and not used: they bound "
                    "torques)\n",
                    count_efforts(model));
    }
    fputc('\n', stream);
    describe_tips(model, stream);
    if (has_moving_joints(model))
        describe_tasks(model, stream);
}

/* ---- the tree ----------------------------------------------------------- */

/* branches within branches that are drawn; deeper ones are listed below the last of these */
enum { DEEPEST = 24 };

typedef struct tree {
    const lb_model *model;
    int *levels;            /* branches that contain each link, at most DEEPEST */
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

/* levels of all links; parents come before their children */
static void measure_levels(tree *t)
{
    for (int i = 1; i < lb_model_link_count(t->model); i++) {
        int level = t->levels[lb_model_parent(t->model, i)] + begins_branch(t->model, i);
        t->levels[i] = level < DEEPEST ? level : DEEPEST;
    }
}

/* the prefix of a link's name, or of a line about it below the name */
static void draw_prefix(tree *t, int link, bool below, char *text, size_t size)
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
        if (k == level && begins && !below)
            mark = t->open[k] ? MARK_SPLIT : MARK_LAST;
        used += (size_t)snprintf(text + used, size - used, "%s", marks[mark]);
    }
}

/* a link, and the joint that moves it: behind it, or below it where that would be too wide */
static void print_node(tree *t, int link, int column, FILE *stream)
{
    /* a mark takes seven bytes at most */
    char prefix[7 * DEEPEST + 8];
    const char *faint = console_style_text(stream, STYLE_FAINT);
    const char *strong = console_style_text(stream, STYLE_STRONG);
    const char *plain = console_style_text(stream, STYLE_PLAIN);
    const char *name = lb_model_link(t->model, link)->name;
    draw_prefix(t, link, false, prefix, sizeof prefix);
    fprintf(stream, "  %s%s%s%s", prefix, strong, name, plain);
    if (link > 0) {
        const lb_joint *joint = lb_model_joint(t->model, link - 1);
        const char *kind = lb_joint_kind_text(joint->kind);
        int width = 2 + 3 * t->levels[link] + text_width(name);
        int gap = width > column ? 2 : column - width + 2;
        if (width + gap + text_width(joint->name) + 2 + (int)strlen(kind) > TABLE_WIDTH) {
            draw_prefix(t, link, true, prefix, sizeof prefix);
            fprintf(stream, "\n  %s", prefix);
            gap = 4;
        }
        fprintf(stream, "%*s%s%s, %s%s", gap, "", faint, joint->name, kind, plain);
    }
    fputc('\n', stream);
}

void describe_tree(const lb_model *model, FILE *stream)
{
    /* joints are aligned in a column, but not farther away than this */
    enum { FARTHEST = 46 };
    int count = lb_model_link_count(model), column = 0;
    tree t = {.model = model, .levels = allocate_or_exit((size_t)count, sizeof *t.levels)};
    measure_levels(&t);
    for (int i = 0; i < count; i++) {
        int width = 2 + 3 * t.levels[i] + text_width(lb_model_link(model, i)->name);
        column = width > column && width <= FARTHEST ? width : column;
    }
    for (int i = 0; i < count; i++)
        print_node(&t, i, column, stream);
}

const char *describe_link(const lb_model *model, int link)
{
    return link == LB_WORLD ? "the world" : lb_model_link(model, link)->name;
}

void describe_task(const lb_model *model, const lb_task *task, FILE *stream)
{
    fprintf(stream, "%s%s%s: %s from %s", console_style_text(stream, STYLE_STRONG),
            lb_model_name(model), console_style_text(stream, STYLE_PLAIN),
            describe_link(model, task->tip), describe_link(model, task->base));
}

/* ---- JSON ---------------------------------------------------------------- */

static json_t *json_place(const lb_transform *place)
{
    lb_quat rotation = lb_transform_quat(place);
    return json_pack("{s:o, s:o}", "position", json_vector(place->p), "quaternion",
                     json_numbers((double[]){rotation.w, rotation.x, rotation.y, rotation.z}, 4));
}

static json_t *json_mimic(const lb_joint *joint)
{
    if (joint->mimic == NULL)
        return json_null();
    return json_pack("{s:s, s:f, s:f}", "joint", joint->mimic, "multiplier", joint->multiplier,
                     "offset", joint->offset);
}

/* how many pairs of limits a kind of joint has */
static int limit_count(lb_joint_kind kind)
{
    int nv = lb_joint_kind_nv(kind);
    return kind == LB_JOINT_CONTINUOUS ? 0 : kind == LB_JOINT_BALL ? 2 : nv < 3 ? nv : 3;
}

static json_t *json_joint(const lb_model *model, const double *neutral, int j)
{
    const lb_joint *joint = lb_model_joint(model, j);
    int limits = limit_count(joint->kind), start = lb_model_joint_q(model, j);
    int count = joint->mimic == NULL ? lb_joint_kind_nq(joint->kind) : 0;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:f, s:b, s:o, s:o, s:o}", "name",
        joint->name, "kind", lb_joint_kind_text(joint->kind), "parent", joint->parent, "child",
        joint->child, "placement", json_place(&joint->placement), "axis", json_vector(joint->axis),
        "lower", json_numbers(joint->lower, limits), "upper", json_numbers(joint->upper, limits),
        "default", json_numbers(count > 0 ? neutral + start : NULL, count), "weight", joint->weight,
        "locked", joint->locked, "mimic", json_mimic(joint), "velocity",
        json_finite(joint->velocity), "effort", json_finite(joint->effort));
}

static json_t *json_link(const lb_model *model, int i)
{
    const lb_link *link = lb_model_link(model, i);
    int parent = lb_model_parent(model, i);
    return json_pack("{s:s, s:s?, s:f, s:o, s:i, s:i}", "name", link->name, "parent",
                     parent < 0 ? NULL : lb_model_link(model, parent)->name, "mass", link->mass,
                     "center", json_vector(link->center), "visuals", link->visual_count,
                     "collisions", link->collision_count);
}

static json_t *json_tips(const lb_model *model)
{
    int count = lb_model_tips(model, NULL);
    int *tips = allocate_or_exit((size_t)count, sizeof *tips);
    lb_model_tips(model, tips);
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        append_json(array, json_string(lb_model_link(model, tips[i])->name));
    return array;
}

/* joints, velocities and constraints of a position, a rotation and a pose of the default tip */
static json_t *json_tasks(const lb_model *model)
{
    static const char *const names[] = {"position", "rotation", "pose"};
    json_t *object = json_object();
    lb_state *state = state_or_exit(model);
    for (int kind = LB_TASK_POSITION; kind <= LB_TASK_POSE; kind++) {
        lb_task task = lb_task_make(select_default_tip(model), 0, (lb_task_kind)kind);
        lb_mobility m = lb_task_mobility(state, &task, NULL);
        set_json(object, names[kind],
                 json_pack("{s:i, s:i, s:i}", "joints", m.joints, "velocities", m.velocities,
                           "constraints", m.constraints));
    }
    return object;
}

/* the names of a configuration's values, which are the columns of poses */
static json_t *json_values(const lb_model *model)
{
    char name[VALUE_NAME_SIZE];
    value_slot *slots = values_slots(model);
    json_t *array = json_array();
    for (int i = 0; i < lb_model_nq(model); i++)
        append_json(array, json_string(value_name(&slots[i], name)));
    return array;
}

void describe_json(const motion *c, FILE *stream)
{
    const lb_model *model = c->model;
    json_t *moving = motion_json(c);
    double *neutral = allocate_or_exit((size_t)lb_model_nq(model), sizeof *neutral);
    lb_configuration_neutral(model, neutral);
    json_t *links = json_array(), *joints = json_array();
    for (int i = 0; i < lb_model_link_count(model); i++)
        append_json(links, json_link(model, i));
    for (int j = 0; j < lb_model_joint_count(model); j++)
        append_json(joints, json_joint(model, neutral, j));

    lb_transform root = lb_model_root(model);
    json_t *all = json_pack(
        "{s:s, s:i, s:i, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "name", lb_model_name(model),
        "nq", lb_model_nq(model), "nv", lb_model_nv(model), "root", lb_model_link(model, 0)->name,
        "placement", json_place(&root), "tip",
        lb_model_link(model, select_default_tip(model))->name, "tips", json_tips(model), "tasks",
        json_tasks(model), "values", json_values(model), "links", links, "joints", joints);
    if (moving != NULL)
        set_json(all, "motion", moving);
    json_t *closing = describe_loops_json(model);
    if (closing != NULL)
        set_json(all, "loops", closing);
    print_json(all, JSON_COMPACT, stream);
}

json_t *describe_frames(const lb_model *model, int base, int link)
{
    return json_pack("{s:s, s:s, s:s}", "model", lb_model_name(model), "base",
                     base == LB_WORLD ? "world" : lb_model_link(model, base)->name, "frame",
                     lb_model_link(model, link)->name);
}
