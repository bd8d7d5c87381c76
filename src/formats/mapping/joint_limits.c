/*
 * joint_limits.c - limits of joints in a file of their own: what its keys mean.
 *
 * Source: MoveIt's joint_limits.yaml, https://moveit.picknik.ai/main/doc/examples/
 * robot_model_and_robot_state, and joint_limits of ros2_control.
 */
#include "formats/mapping/mapping.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "formats/mapping/json_reader.h"
#include "model/range.h"

#include <string.h>

/* ---- one joint ------------------------------------------------------------ */

/* The keys of one joint; a number that is not there is NAN. */
typedef struct limit_keys {
    bool has_position, has_velocity, has_acceleration, has_jerk;
    double lower, upper, velocity, acceleration, jerk;
} limit_keys;

/* what is passed over */
static lb_status skip(json_reader *reader, const tree_node *value, void *out)
{
    (void)reader, (void)value, (void)out;
    return LB_OK;
}

static lb_status read_rate(json_reader *reader, const tree_node *value, void *out)
{
    double number;
    TRY(reader_number(reader, value, &number));
    if (number < 0)
        return reader_refuse(reader, LB_BAD_VALUE, "%g is below 0", number);
    *(double *)out = number;
    return LB_OK;
}

#define KEY(name, read, field)                                                                     \
    {                                                                                              \
        name, read, offsetof(limit_keys, field), false                                             \
    }
#define SKIPPED(name)                                                                              \
    {                                                                                              \
        name, skip, 0, false                                                                       \
    }

static const reader_field fields[] = {
    KEY("has_position_limits", reader_bool, has_position),
    KEY("min_position", reader_number, lower),
    KEY("max_position", reader_number, upper),
    KEY("has_velocity_limits", reader_bool, has_velocity),
    KEY("max_velocity", read_rate, velocity),
    KEY("has_acceleration_limits", reader_bool, has_acceleration),
    KEY("max_acceleration", read_rate, acceleration),
    KEY("has_jerk_limits", reader_bool, has_jerk),
    KEY("max_jerk", read_rate, jerk),
    SKIPPED("min_velocity"),
    SKIPPED("min_acceleration"),
    SKIPPED("min_jerk"),
    SKIPPED("has_deceleration_limits"),
    SKIPPED("max_deceleration"),
    SKIPPED("has_effort_limits"),
    SKIPPED("max_effort"),
    SKIPPED("has_soft_limits"),
    SKIPPED("k_position"),
    SKIPPED("k_velocity"),
    SKIPPED("soft_lower_limit"),
    SKIPPED("soft_upper_limit"),
    SKIPPED("angle_wraparound"),
};

/* a rate that is limited is above 0: at 0 the joint would never move */
static lb_status check_keys(json_reader *reader, const limit_keys *keys)
{
    const struct {
        const char *name;
        bool counts;
        double value;
    } rates[] = {{"max_velocity", keys->has_velocity, keys->velocity},
                 {"max_acceleration", keys->has_acceleration, keys->acceleration},
                 {"max_jerk", keys->has_jerk, keys->jerk}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (rates[i].counts && rates[i].value == 0)
            return reader_refuse(reader, LB_BAD_VALUE,
                                 "%s is 0: the joint would never move; lock it instead",
                                 rates[i].name);
    const struct {
        const char *name;
        double value;
    } places[] = {{"min_position", keys->lower}, {"max_position", keys->upper}};
    for (size_t i = 0; keys->has_position && i < sizeof places / sizeof *places; i++)
        if (isfinite(places[i].value) && !range_has(places[i].value))
            return reader_refuse(reader, LB_BAD_VALUE,
                                 "%s %g is beyond 1e15; leave it out, or give has_position_limits: "
                                 "false for no limits",
                                 places[i].name, places[i].value);
    if (keys->has_position && keys->lower > keys->upper)
        return reader_refuse(reader, LB_BAD_VALUE,
                             "min_position %g is above max_position %g; exchange them", keys->lower,
                             keys->upper);
    return LB_OK;
}

static double known(bool counts, double value, double none)
{
    return counts && !isnan(value) ? value : none;
}

static lb_status read_joint(json_reader *reader, const tree_node *value, void *out)
{
    lb_joint_limit *limit = out;
    limit_keys keys = {true, true, true, true, NAN, NAN, NAN, NAN, NAN};
    TRY(reader_object(reader, value, fields, sizeof fields / sizeof *fields, &keys));
    TRY(reader_unique(reader, value));
    TRY(check_keys(reader, &keys));
    limit->lower = known(keys.has_position, keys.lower, -INFINITY);
    limit->upper = known(keys.has_position, keys.upper, INFINITY);
    limit->velocity = known(keys.has_velocity, keys.velocity, INFINITY);
    limit->acceleration = known(keys.has_acceleration, keys.acceleration, INFINITY);
    limit->jerk = known(keys.has_jerk, keys.jerk, INFINITY);
    return LB_OK;
}

/* ---- all joints ------------------------------------------------------------- */

/* What is filled, and where warnings go. */
typedef struct limits_reading {
    const lb_model *model;
    lb_joint_limit *limits;
    load_warnings *warnings;
    int unknown; /* joints so far */
} limits_reading;

/* unknown names beyond these are warned of without a suggestion, which looks at every joint */
enum { SUGGESTIONS = 8 };

static void warn_unknown(limits_reading *r, const tree_node *member)
{
    suggest nearest = suggest_start(member->name);
    bool looks = warnings_wanted(r->warnings) && r->unknown++ < SUGGESTIONS;
    for (int j = 0; looks && j < lb_model_joint_count(r->model); j++)
        suggest_consider(&nearest, lb_model_joint(r->model, j)->name);
    warnings_add(r->warnings, member->line,
                 "the model has no joint '%.100s', so its limits are left out%s", member->name,
                 suggest_phrase(&nearest));
}

static lb_status read_joints(json_reader *reader, const tree_node *value, void *out)
{
    limits_reading *r = out;
    if (value->kind != LB_NODE_OBJECT)
        return reader_refuse(reader, LB_BAD_VALUE, "expected the limits of joints by their names");
    TRY(reader_unique(reader, value));
    for (const tree_node *member = value->first; member != NULL; member = member->next) {
        int j = lb_model_find_joint(r->model, member->name);
        lb_joint_limit unused, *row = j < 0 ? &unused : &r->limits[j];
        TRY(reader_step(reader, member->name, 0, read_joint, member, row));
        if (j < 0)
            warn_unknown(r, member);
    }
    return LB_OK;
}

/* what holds "joint_limits": the root, or what it wraps */
static const tree_node *find_holder(const tree_node *root)
{
    static const char *const wrappers[] = {"robot_description_planning", "/**", "ros__parameters"};
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        const tree_node *inside = tree_member(root, wrappers[i]);
        root = inside != NULL ? inside : root;
    }
    return root;
}

static lb_status read_file(json_reader *reader, const tree_node *value, void *out)
{
    const tree_node *joints = tree_member(value, "joint_limits");
    if (joints == NULL)
        return reader_refuse(reader, LB_BAD_MODEL,
                             "the key \"joint_limits\" is missing, below which each joint has its "
                             "limits");
    return reader_step(reader, "joint_limits", 0, read_joints, joints, out);
}

/* ---- the public calls ------------------------------------------------------- */

void joint_limits_clear(const lb_model *model, lb_joint_limit *limits)
{
    for (int j = 0; j < lb_model_joint_count(model); j++)
        limits[j] = (lb_joint_limit){-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
}

lb_status lb_document_joint_limits(const lb_document *document, const char *path,
                                   const lb_model *model, const lb_load_options *options,
                                   lb_joint_limit *limits, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    load_warnings warnings = {.options = &given, .path = path};
    TRY(REQUIRE(error, {document, "document"}, {path, "path"}, {model, "model"},
                {limits, "limits"}));
    joint_limits_clear(model, limits);
    TRY(mapping_open(document, path, error));
    const tree_node *root = tree_root(document);
    json_reader reader = {.root = root, .error = error};
    MEMORY_POOL(memory, given.allocator);
    reader.draft.allocator = memory;
    limits_reading r = {model, limits, &warnings, 0};
    lb_status status = read_file(&reader, find_holder(root), &r);
    if (status == LB_OK)
        status = warnings_refuse_strict(&warnings, error);
    if (status != LB_OK)
        joint_limits_clear(model, limits);
    return status;
}

lb_joint_setting lb_joint_limit_setting(const lb_joint_limit *limits, int joint)
{
    lb_joint_setting setting = lb_joint_setting_make(joint);
    setting.lower[0] = limits[joint].lower;
    setting.upper[0] = limits[joint].upper;
    setting.velocity = limits[joint].velocity;
    setting.acceleration = limits[joint].acceleration;
    setting.jerk = limits[joint].jerk;
    return setting;
}

lb_status lb_model_with_limits(const lb_model *model, const lb_joint_limit *limits,
                               const lb_allocator *allocator, lb_model **view, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(view, error, {model, "model"}, {limits, "limits"}));
    MEMORY_POOL(memory, allocator);
    int count = lb_model_joint_count(model), used = 0;
    lb_joint_setting *settings = memory_take(&memory, (size_t)count, sizeof *settings);
    TRY(require_memory(error, settings));
    for (int j = 0; j < count; j++)
        if (lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
            settings[used++] = lb_joint_limit_setting(limits, j);
    return lb_model_view(model, settings, used, allocator, view, error);
}
