/*
 * draft_mimic.c - mimicking joints as files have them, mended with warnings.
 *
 * Readers of URDF ignore the limits of a joint that mimics another: exporters leave 0 .. 0
 * there, which taken at its word would freeze the mimicked joint.
 */
#include "formats/mapping/draft.h"

#include "base/suggest.h"
#include "model/names.h"

/* unknown names beyond these are warned of without a suggestion, which looks at every joint */
enum { SUGGESTIONS = 8 };

/* a range narrower by less than six decimals, as files are written with, is the same */
static const double narrowest = 1e-6;

/* The names of a draft's joints while its mimicking joints are checked. */
typedef struct mimic_check {
    model_draft *draft;
    name_table names;
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

/* what the limits of a mimicking joint leave of the range of the mimicked one */
static void range_left(const lb_joint *joint, const lb_joint *mimicked, double *lower,
                       double *upper)
{
    double first = (joint->lower[0] - joint->offset) / joint->multiplier;
    double last = (joint->upper[0] - joint->offset) / joint->multiplier;
    // adding zero makes -0 a 0
    *lower = fmax(mimicked->lower[0], fmin(first, last)) + 0.0;
    *upper = fmin(mimicked->upper[0], fmax(first, last)) + 0.0;
}

static void drop_narrowing(mimic_check *check, lb_joint *joint, const lb_joint *mimicked)
{
    double lower = -INFINITY, upper = INFINITY;
    if (!has_range(joint))
        return;
    if (joint->multiplier != 0)
        range_left(joint, mimicked, &lower, &upper);
    bool narrows = lower > mimicked->lower[0] + narrowest || upper < mimicked->upper[0] - narrowest;
    if (narrows)
        warnings_add(check->draft->warnings, line_of(check, joint),
                     "joint '%.120s': its limits %g .. %g would narrow '%.120s', which it mimics, "
                     "from %g .. %g to %g .. %g; they are not applied",
                     joint->name, joint->lower[0], joint->upper[0], mimicked->name,
                     mimicked->lower[0], mimicked->upper[0], lower, upper);
    // behind a joint that mimics in turn nothing but the last one's range counts
    if (narrows || joint->multiplier == 0 || mimicked->mimic != NULL) {
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
    int mimicked = name_table_find(&check->names, joint->mimic);
    if (mimicked < 0) {
        warn_of_unknown(check, joint);
        forget_mimic(joint);
        return;
    }
    drop_narrowing(check, joint, &check->draft->joints[mimicked]);
}

lb_status draft_check_mimics(model_draft *draft, lb_error *error)
{
    mimic_check check = {.draft = draft};
    void *block = name_table_create(&check.names, (size_t)draft->joint_count, &draft->allocator);
    if (block == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory for %d joints",
                            draft->joint_count);

    for (int i = 0; i < draft->joint_count; i++)
        name_table_add(&check.names, draft->joints[i].name, i);
    for (int i = 0; i < draft->joint_count; i++)
        if (draft->joints[i].mimic != NULL)
            check_mimic(&check, &draft->joints[i]);
    memory_release(&draft->allocator, block);
    return LB_OK;
}
