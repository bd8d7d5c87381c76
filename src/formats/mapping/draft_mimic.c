/*
 * draft_mimic.c - mimicking joints as files have them, mended with warnings.
 *
 * Readers of URDF ignore the limits of a joint that mimics another: exporters leave 0 .. 0
 * there, which taken at its word would freeze the mimicked joint.
 */
#include "formats/mapping/draft.h"

#include "base/memory.h"
#include "base/suggest.h"
#include "model/names.h"

/* unknown names beyond these are warned of without a suggestion, which looks at every joint */
enum { SUGGESTIONS = 8 };

/* a range narrower by less than six decimals, as files are written with, is the same */
static const double narrowest = 1e-6;

/* A joint's value in terms of the joint at the end of its chain: multiplier * x + offset. */
typedef struct mimic_law {
    int leader; /* -1: not yet known */
    double multiplier, offset;
} mimic_law;

/* The names of a draft's joints while its mimicking joints are checked. */
typedef struct mimic_check {
    model_draft *draft;
    name_table names;
    mimic_law *laws;
    int *path; /* room for all joints */
    int unknown;
} mimic_check;

static int line_of(const mimic_check *check, const lb_joint *joint)
{
    return check->draft->joint_lines[joint - check->draft->joints];
}

static void forget_mimic(lb_joint *joint)
{
    lb_joint standard = lb_joint_default();
    joint->mimic = NULL;
    joint->multiplier = standard.multiplier;
    joint->offset = standard.offset;
}

static void warn_of_unknown(mimic_check *check, const lb_joint *joint)
{
    suggest nearest = suggest_start(joint->mimic);
    bool looks = check->unknown++ < SUGGESTIONS;
    for (int i = 0; looks && i < check->draft->joint_count; i++)
        suggest_consider(&nearest, check->draft->joints[i].name);
    warnings_add(check->draft->warnings, line_of(check, joint),
                 "joint '%.120s': it mimics '%.120s', but no joint has that name; it is read as a "
                 "joint of its own%s",
                 joint->name, joint->mimic, suggest_phrase(&nearest));
}

/* whether limits count for its kind */
static bool has_range(const lb_joint *joint)
{
    return joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_PRISMATIC;
}

/* the joint that a joint mimics, -1: none; a fixed one mimics nothing */
static int mimicked_by(const mimic_check *check, int j)
{
    const lb_joint *joint = &check->draft->joints[j];
    bool mimics = joint->mimic != NULL && joint->kind != LB_JOINT_FIXED;
    return mimics ? name_table_find(&check->names, joint->mimic) : -1;
}

/* the law of a joint and of all that it mimics; in a cycle, which is no model, any */
static void find_law(mimic_check *check, int j)
{
    int length = 0, at = j;
    while (check->laws[at].leader < 0) {
        check->laws[at] = (mimic_law){at, 1, 0};
        int next = mimicked_by(check, at);
        if (next < 0)
            break;
        check->path[length++] = at;
        at = next;
    }
    while (length-- > 0) {
        mimic_law law = check->laws[at];
        at = check->path[length];
        const lb_joint *joint = &check->draft->joints[at];
        law.multiplier *= joint->multiplier;
        law.offset = joint->multiplier * law.offset + joint->offset;
        check->laws[at] = law;
    }
}

/* what the limits of a mimicking joint leave of the range of its leader */
static void range_left(const lb_joint *joint, const mimic_law *law, const lb_joint *leader,
                       double *lower, double *upper)
{
    double first = (joint->lower[0] - law->offset) / law->multiplier;
    double last = (joint->upper[0] - law->offset) / law->multiplier;
    // adding zero makes -0 a 0
    *lower = fmax(leader->lower[0], fmin(first, last)) + 0.0;
    *upper = fmin(leader->upper[0], fmax(first, last)) + 0.0;
}

static void drop_narrowing(mimic_check *check, lb_joint *joint)
{
    const mimic_law *law = &check->laws[joint - check->draft->joints];
    const lb_joint *leader = &check->draft->joints[law->leader];
    double lower = -INFINITY, upper = INFINITY;
    if (!has_range(joint))
        return;
    if (law->multiplier != 0)
        range_left(joint, law, leader, &lower, &upper);
    bool narrows = lower > leader->lower[0] + narrowest || upper < leader->upper[0] - narrowest;
    if (narrows)
        warnings_add(check->draft->warnings, line_of(check, joint),
                     "joint '%.120s': its limits %g .. %g would narrow '%.120s', which it mimics, "
                     "from %g .. %g to %g .. %g; they are not applied",
                     joint->name, joint->lower[0], joint->upper[0], leader->name, leader->lower[0],
                     leader->upper[0], lower, upper);
    if (narrows || law->multiplier == 0) {
        joint->lower[0] = -INFINITY;
        joint->upper[0] = INFINITY;
    }
}

static void check_mimic(mimic_check *check, lb_joint *joint)
{
    if (joint->kind == LB_JOINT_FIXED) {
        warnings_add(check->draft->warnings, line_of(check, joint),
                     "joint '%.120s': it is fixed and mimics '%.120s', which has no effect",
                     joint->name, joint->mimic);
        forget_mimic(joint);
        return;
    }
    if (name_table_find(&check->names, joint->mimic) < 0) {
        warn_of_unknown(check, joint);
        forget_mimic(joint);
        return;
    }
    drop_narrowing(check, joint);
}

lb_status draft_check_mimics(model_draft *draft, lb_error *error)
{
    mimic_check check = {.draft = draft};
    const lb_allocator *memory = &draft->allocator;
    size_t count = (size_t)draft->joint_count;
    void *block = name_table_create(&check.names, count, memory);
    check.laws = memory_take(memory, count, sizeof *check.laws);
    check.path = memory_take(memory, count, sizeof *check.path);
    if (block == NULL || check.laws == NULL || check.path == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory for %d joints",
                            draft->joint_count);
    for (int i = 0; i < draft->joint_count; i++) {
        name_table_add(&check.names, draft->joints[i].name, i);
        check.laws[i].leader = -1;
    }
    for (int i = 0; i < draft->joint_count; i++)
        find_law(&check, i);
    for (int i = 0; i < draft->joint_count; i++)
        if (draft->joints[i].mimic != NULL)
            check_mimic(&check, &draft->joints[i]);
    return LB_OK;
}
