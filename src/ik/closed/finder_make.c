/*
 * finder_make.c - making a finder: which method solves an arm, and which joint of seven is held.
 */
#include "ik/closed/finder.h"

#include "base/memory.h"
#include "ik/closed/proof.h"
#include "ik/closed/slice.h"
#include "math/scalar.h"

#include <limber/joint_setting.h>

/* ---- singular arms ---------------------------------------------------------- */

/* Jacobians of arms whose joints move the tool alike have conditions of at least 2^52 or so; those
   of arms that move it in every way, even where they are long and thin, a millionth of that */
#define SINGULAR 1e11
/* of arms whose axes are hardly apart, those that rounding hides zeros of the general solver's
   determinant of: it has products of two such directions, and 1e5 squared times 1e-16 is as far
   off as its zeros' own widths */
#define NEARLY_SINGULAR 1e5

/*
 * The least condition of an arm's Jacobian in two configurations that nothing is special about:
 * great where two joints, or several, move the tool alike wherever they are.
 */
static double generic_condition(const closed_arm *arm, double size)
{
    double least = INFINITY;
    for (int look = 0; look < 2; look++) {
        double q[CLOSED_ARM_JOINTS];
        for (int i = 0; i < arm->joints; i++)
            q[i] = (0.37 + 0.61 * look + 0.83 * i - 0.11 * i * i) * (arm->is_length[i] ? size : 1);
        least = scalar_min(least, closed_condition(arm, q, size, arm->joints));
    }
    return least;
}

/* ---- making ---------------------------------------------------------------- */

/* joint i of the completed arm, as the model has it */
static void connect_joint(closed_finder *finder, int i)
{
    const closed_chain *chain = &finder->chain;
    kernel_ranges *r = &finder->ranges;
    int place = finder->completion.place[i];
    r->lower[i] = -INFINITY;
    r->upper[i] = INFINITY;
    r->weight[i] = 0;
    r->is_length[i] = finder->completion.arm.is_length[i];
    r->vanishes[i] = place < 0;
    finder->columns[i] = finder->chain_of[i] = -1;
    for (int k = 0; k < chain->count && place >= 0; k++)
        if (chain->joints[k].place == place) {
            r->lower[i] = chain->joints[k].lower;
            r->upper[i] = chain->joints[k].upper;
            r->weight[i] = 1 / chain->joints[k].unit;
            finder->columns[i] = chain->joints[k].q;
            finder->chain_of[i] = k;
        }
}

/* what the proofs of a closed form need */
static void prepare_proof(closed_finder *finder)
{
    const closed_slack slack =
        closed_slack_of(finder, CLOSED_COMPLETE * finder->size, CLOSED_COMPLETE);
    finder->snap = closed_snap_of(&finder->completion.arm, &finder->form);
    // a slide that changes places with a turn is no longer than the wrist is away, and the links
    finder->snap.per_metre += 2 * finder->completion.slant;
    finder->snap.position += 2 * finder->completion.slant * finder->size;
    finder->clear_within = finder->size + lb_vec3_length(finder->snap.shoulder);
    // joints that must be zero need the radii in any case
    finder->clear_above = finder->proof_above = INFINITY;
    bool vanishes = false;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        vanishes = vanishes || finder->ranges.vanishes[i];
    if (vanishes)
        return;
    finder->clear_above =
        closed_clear_above(&finder->form, &finder->snap, slack, finder->clear_within, CLOSED_BOX);
    finder->proof_above = closed_clear_above(&finder->form, &finder->snap, finder->slack,
                                             finder->clear_within, CLOSED_PROOF_BOX);
}

/* the completed arm's form or, where it has none, what solves any arm; false: neither does */
static bool prepare(closed_finder *finder, bool general)
{
    const closed_arm *arm = &finder->completion.arm;
    int connected = 0;
    finder->ranges.beside = 0;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        connect_joint(finder, i);
        connected += finder->chain_of[i] >= 0;
    }
    finder->direct = connected == finder->chain.count;
    finder->is_general = !closed_recognise(arm, CLOSED_EXACT, &finder->form);
    finder->nominal.known = false;
    if (!finder->is_general) {
        prepare_proof(finder);
        return true;
    }
    if (!general || !general_prepare(arm, finder->ops, &finder->general))
        return false;
    finder->general.effort = finder->certifies ? GENERAL_THOROUGH : GENERAL_USUAL;
    closed_nominal_make(arm, &finder->nominal);
    return true;
}

bool closed_finder_hold(closed_finder *finder, double value)
{
    const bool last = finder->held == finder->chain.arm.joints - 1;
    const closed_completion at = closed_chain_hold(&finder->chain, finder->held, value);
    finder->value = value;
    // the last joint moves no other axis, only the tool: the target is moved back instead
    if (last && finder->held_last) {
        lb_transform back = lb_transform_inverse(&at.arm.home);
        finder->tool = lb_transform_multiply(&back, &finder->completion.arm.home);
        return true;
    }
    finder->completion = at;
    finder->tool = LB_TRANSFORM_IDENTITY;
    const bool ready = prepare(finder, finder->general_allowed);
    finder->held_last = ready && last;
    return ready;
}

/* holds a joint at two values that no arm is special at */
static bool can_hold(closed_finder *finder, int place, bool general)
{
    finder->held = place;
    finder->held_last = false;
    finder->general_allowed = general;
    return closed_finder_hold(finder, 1.1) && closed_finder_hold(finder, 0.3);
}

/* the arm that is left nearly has a closed form, at two values that no arm is special at */
static bool is_nearly_of_class(const closed_chain *chain, int place)
{
    kernel_closed form;
    const closed_completion one = closed_chain_hold(chain, place, 1.1);
    const closed_completion other = closed_chain_hold(chain, place, 0.3);
    return closed_recognise(&one.arm, CLOSED_NEARLY, &form) &&
           closed_recognise(&other.arm, CLOSED_NEARLY, &form);
}

/*
 * The joint to hold: one that leaves an arm with a closed form wherever it is, the last first; of
 * calibrated arms one that nearly does. Without one the third, as the elbow of an arm turns about
 * the line from shoulder to wrist.
 */
static bool choose_held(closed_finder *finder, bool general)
{
    static const int order[CLOSED_ARM_JOINTS] = {6, 2, 0, 4, 3, 5, 1};
    slice_arm slice;
    // arcs go by the same joint
    if (slice_recognise(&finder->chain, &slice) && can_hold(finder, slice.held, false))
        return true;
    for (int i = 0; i < CLOSED_ARM_JOINTS; i++)
        if (can_hold(finder, order[i], false))
            return true;
    for (int i = 0; i < CLOSED_ARM_JOINTS && general; i++)
        if (is_nearly_of_class(&finder->chain, order[i]) && can_hold(finder, order[i], true))
            return true;
    return general && can_hold(finder, 2, true);
}

/* the model's joints turn about parallel axes, and slide across them */
static bool is_planar(const closed_chain *chain)
{
    const closed_arm *arm = &chain->arm;
    int turns = 0, first = 0;
    bool planar = chain->real > 1;
    for (int i = 0; i < chain->real; i++)
        if (!arm->is_length[i] && turns++ == 0)
            first = i;
    for (int i = 0; i < chain->real; i++) {
        const double along = fabs(lb_vec3_dot(arm->axis[i], arm->axis[first]));
        const double across = lb_vec3_length(lb_vec3_cross(arm->axis[i], arm->axis[first]));
        planar = planar && (arm->is_length[i] ? along : across) <= CLOSED_EXACT;
    }
    return planar && turns > 0;
}

static lb_arm_class class_of(const closed_finder *finder)
{
    if (finder->is_general)
        return LB_ARM_GENERAL;
    return is_planar(&finder->chain) ? LB_ARM_PLANAR : closed_form_class(&finder->form);
}

const char *closed_finder_make(const lb_model *model, const ik_reduction *reduction,
                               const lb_task *task, const double *q,
                               const closed_finder_options *options, closed_finder *finder,
                               int *joint)
{
    closed_completion completions[CLOSED_COMPLETIONS];
    const char *why = closed_chain_read(model, reduction, task, q, &finder->chain, joint);
    if (why)
        return why;
    finder->size = closed_arm_size(&finder->chain.arm);
    // no discriminant means anything for such an arm
    if (!(generic_condition(&finder->chain.arm, finder->size) < SINGULAR))
        return "has joints that move the tool alike, wherever they are";
    finder->held = -1;
    finder->certain = false;
    finder->certifies = options->certifies;
    finder->slack =
        closed_slack_of(finder, options->position > 0 ? options->position : CLOSED_CONFIRMED,
                        options->rotation > 0 ? options->rotation : CLOSED_CONFIRMED);
    finder->ops = kernel_choose_general(options->width);
    if (finder->chain.arm.joints == CLOSED_ARM_JOINTS) {
        finder->arm_class = LB_ARM_REDUNDANT;
        return choose_held(finder, options->general)
                   ? NULL
                   : "has seven joints, of which none can be held";
    }
    int count = closed_chain_complete(&finder->chain, completions);
    for (int general = 0; general < 1 + options->general; general++)
        for (int i = 0; i < count; i++) {
            finder->completion = completions[i];
            if (!prepare(finder, general != 0))
                continue;
            finder->arm_class = class_of(finder);
            finder->certain =
                generic_condition(&completions[i].arm, finder->size) < NEARLY_SINGULAR;
            return NULL;
        }
    return "is of none of the classes that limber solves";
}

/* ---- spare joints ---------------------------------------------------------- */

/* each is tried: a view of the model without it either has a finder or has none */

/* whether a model's arm has a finder where it is at rest; `q` has room for a configuration */
static bool has_finder(const lb_model *model, const lb_task *task, int width, double *q,
                       closed_finder *finder, const lb_allocator *allocator)
{
    const closed_finder_options options = {.general = true, .width = width};
    ik_reduction reduction;
    int joint;
    if (ik_reduce(model, task, 1, 0, allocator, &reduction, NULL) != LB_OK)
        return false;
    lb_configuration_neutral(model, q);
    bool found = closed_finder_make(model, &reduction, task, q, &options, finder, &joint) == NULL;
    memory_release(allocator, reduction.memory);
    return found;
}

/* whether the others can be listed where a joint is locked */
static bool is_spare(const lb_model *model, int joint, const lb_task *task, int width, double *q,
                     closed_finder *finder, const lb_allocator *allocator)
{
    lb_joint_setting locked = lb_joint_setting_make(joint);
    lb_model *view = NULL;
    locked.locked = true;
    bool found = lb_model_view(model, &locked, 1, allocator, &view, NULL) == LB_OK &&
                 has_finder(view, task, width, q, finder, allocator);
    lb_model_release(view);
    return found;
}

/* whether a joint has one value of its own that is free to move, between the tip and its base */
static bool is_candidate(const lb_model *model, int joint, const lb_task *task)
{
    const lb_joint *j = lb_model_joint(model, joint);
    int link = task->tip;
    while (link > joint + 1)
        link = lb_model_parent(model, link);
    return link == joint + 1 && j->mimic == NULL && !j->locked && lb_joint_kind_nv(j->kind) == 1;
}

int closed_find_spare(const lb_model *model, const lb_task *task, int width,
                      const lb_allocator *allocator)
{
    int found = -1;
    double *q = memory_take(allocator, (size_t)lb_model_nq(model), sizeof *q);
    closed_finder *finder = memory_take(allocator, 1, sizeof *finder);
    for (int j = 0; j < lb_model_joint_count(model) && q != NULL && finder != NULL; j++)
        if (found < 0 && is_candidate(model, j, task) &&
            is_spare(model, j, task, width, q, finder, allocator))
            found = j;
    memory_release(allocator, finder);
    memory_release(allocator, q);
    return found;
}
