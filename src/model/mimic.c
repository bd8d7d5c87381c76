/*
 * mimic.c - joints that mimic others.
 *
 * A mimic joint may mimic a mimic joint; composed, value = m * q + b with the value q of the joint
 * at the end of the chain. Limits of a mimic joint hold for the mimicked one as ((lower, upper) -
 * b) / m.
 */
#include "base/error.h"
#include "base/suggest.h"
#include "model/build.h"
#include "model/kinds.h"
#include "model/range.h"

static bool is_follower(const lb_model *model, int joint)
{
    return model->joints[joint].mimic != NULL;
}

/* ---- chains of mimic joints --------------------------------------------- */

static lb_status refuse_unknown_mimicked_joint(builder *b, int joint)
{
    const lb_model *model = b->model;
    const char *wanted = model->joints[joint].mimic;
    suggest nearest = suggest_start(wanted);
    for (int i = 0; i < model->joint_count; i++)
        if (i != joint)
            suggest_consider(&nearest, model->joints[i].name);

    return lb_error_set(b->error, LB_BAD_MODEL, builder_line(b, joint),
                        "joint '%s' follows '%s', but no joint has that name%s",
                        model->joints[joint].name, wanted, suggest_phrase(&nearest));
}

static lb_status refuse_kind(builder *b, int joint, int culprit)
{
    const lb_joint *other = &b->model->joints[culprit];
    return lb_error_set(b->error, LB_BAD_MODEL, builder_line(b, joint),
                        "joint '%s' follows '%s', but '%s' is %s; only revolute, continuous and "
                        "prismatic joints follow and are followed",
                        b->model->joints[joint].name, b->model->joints[joint].mimic, other->name,
                        lb_joint_kind_text(other->kind));
}

/* Finds the joint that is mimicked directly. */
static lb_status find_followed(builder *b, int joint)
{
    lb_model *model = b->model;
    int followed = name_table_find(&model->joint_names, model->joints[joint].mimic);
    if (followed < 0)
        return refuse_unknown_mimicked_joint(b, joint);
    if (followed == joint)
        return lb_error_set(b->error, LB_BAD_MODEL, builder_line(b, joint),
                            "joint '%s' follows itself", model->joints[joint].name);
    if (lb_joint_kind_nv(model->joints[joint].kind) != 1)
        return refuse_kind(b, joint, joint);
    if (lb_joint_kind_nv(model->joints[followed].kind) != 1)
        return refuse_kind(b, joint, followed);

    model->joints[joint].mimic = model->joints[followed].name;
    model_joint *layout = &model->joint_layouts[joint];
    layout->mimicked_joint = followed;
    layout->multiplier = model->joints[joint].multiplier;
    layout->offset = model->joints[joint].offset;
    return LB_OK;
}

/* Composes a mimic joint with the one it mimics, which is composed already. */
static lb_status compose(builder *b, int joint)
{
    model_joint *layout = &b->model->joint_layouts[joint];
    const model_joint *followed = &b->model->joint_layouts[layout->mimicked_joint];
    if (followed->mimicked_joint >= 0) {
        layout->offset += layout->multiplier * followed->offset;
        layout->multiplier *= followed->multiplier;
        layout->mimicked_joint = followed->mimicked_joint;
    }
    if (!range_has(layout->multiplier) || !range_has(layout->offset))
        return lb_error_set(b->error, LB_BAD_VALUE, builder_line(b, joint),
                            "joint '%s': the multipliers and offsets of the joints it follows grow "
                            "beyond %g",
                            b->model->joints[joint].name, LB_LENGTH_MAX);
    return LB_OK;
}

/* Goes to the end of a chain and composes all joints on it, last first. */
static lb_status follow(builder *b, int joint)
{
    const lb_model *model = b->model;
    int length = 0;
    int at = joint;
    while (is_follower(model, at) && is_follower(model, model->joint_layouts[at].mimicked_joint)) {
        // a chain with as many steps as there are joints is a cycle
        if (length == model->joint_count)
            return lb_error_set(b->error, LB_BAD_MODEL, builder_line(b, at),
                                "joint '%s' follows itself by way of '%s'; one of the cycle must "
                                "be free",
                                model->joints[at].name, model->joints[at].mimic);
        b->path[length++] = at;
        at = model->joint_layouts[at].mimicked_joint;
    }
    while (length > 0)
        TRY(compose(b, b->path[--length]));
    return LB_OK;
}

/* ---- the mimicked joint --------------------------------------------------- */

/* Whether the frame of a mimic joint changes with whole turns of the mimicked joint. */
static bool distinguishes_turns(const lb_joint *follower, double multiplier)
{
    bool limited = kind_of(follower->kind)->limit_count > 0 &&
                   (follower->lower[0] > -INFINITY || follower->upper[0] < INFINITY);
    return limited || (follower->kind == LB_JOINT_PRISMATIC && multiplier != 0) ||
           floor(multiplier) != multiplier;
}

static lb_status refuse_limits(builder *b, int joint, int mimicked)
{
    const lb_joint *follower = &b->model->joints[joint];
    return lb_error_set(b->error, LB_BAD_VALUE, builder_line(b, joint),
                        "joint '%s' follows '%s', but its limits %.10g and %.10g leave that joint "
                        "no value",
                        follower->name, b->model->joints[mimicked].name, follower->lower[0],
                        follower->upper[0]);
}

static lb_status narrow_limits(builder *b, int joint, int mimicked)
{
    const model_joint *layout = &b->model->joint_layouts[joint];
    const lb_joint *follower = &b->model->joints[joint];
    lb_joint *followed = &b->model->joints[mimicked];
    double m = layout->multiplier, offset = layout->offset;
    double lower = follower->lower[0], upper = follower->upper[0];

    // with multiplier 0 it is within its limits always or never
    if (m == 0)
        return lower <= offset && offset <= upper ? LB_OK : refuse_limits(b, joint, mimicked);

    // both limits in values of the mimicked joint, swapped by a negative multiplier
    double first = range_limit((lower - offset) / m);
    double last = range_limit((upper - offset) / m);
    // adding zero turns -0 into 0
    followed->lower[0] = fmax(followed->lower[0], fmin(first, last)) + 0.0;
    followed->upper[0] = fmin(followed->upper[0], fmax(first, last)) + 0.0;
    bool leaves_any = followed->lower[0] <= followed->upper[0] && followed->lower[0] < INFINITY &&
                      followed->upper[0] > -INFINITY;
    return leaves_any ? LB_OK : refuse_limits(b, joint, mimicked);
}

static lb_status bind(builder *b, int joint)
{
    lb_model *model = b->model;
    const model_joint *layout = &model->joint_layouts[joint];
    lb_joint *follower = &model->joints[joint];
    int mimicked = layout->mimicked_joint;
    if (distinguishes_turns(follower, layout->multiplier))
        model->joint_layouts[mimicked].tied = true;

    // its speed is so many times that of what it follows
    lb_joint *followed = &model->joints[mimicked];
    if (layout->multiplier != 0)
        followed->velocity =
            fmin(followed->velocity, follower->velocity / fabs(layout->multiplier));

    // its rest value follows too
    follower->value[0] = layout->multiplier * model->joints[mimicked].value[0] + layout->offset;
    return kind_of(follower->kind)->limit_count ? narrow_limits(b, joint, mimicked) : LB_OK;
}

lb_status mimic_resolve(builder *b)
{
    lb_model *model = b->model;
    for (int i = 0; i < model->joint_count; i++)
        model->joint_layouts[i] = (model_joint){.mimicked_joint = -1, .multiplier = 1};

    for (int i = 0; i < model->joint_count; i++)
        if (is_follower(model, i))
            TRY(find_followed(b, i));
    for (int i = 0; i < model->joint_count; i++)
        TRY(follow(b, i));
    for (int i = 0; i < model->joint_count; i++)
        if (is_follower(model, i))
            TRY(bind(b, i));
    return LB_OK;
}
