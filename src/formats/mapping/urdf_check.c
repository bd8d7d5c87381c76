/*
 * urdf_check.c - what is misspelt in a URDF robot.
 *
 * Readers of URDF ignore what they do not know, and so do we: files carry the extensions of
 * many programs. A name that is nearly one of the format's own is no extension but a mistake, and
 * what it says would silently not count.
 *
 * Source: http://wiki.ros.org/urdf/XML, urdfdom 4, and the extensions of Gazebo, PyBullet,
 * ros_control, MuJoCo and Drake.
 */
#include "formats/mapping/urdf.h"

#include "base/suggest.h"
#include "base/text.h"

#include <string.h>

/* ---- the format --------------------------------------------------------- */

enum { MOST_NAMES = 12 };

/* An element: what it may have; and what others put there, which is no mistake and is not read. */
typedef struct element_rule {
    const char *name;
    const char *attributes[MOST_NAMES], *other_attributes[MOST_NAMES];
    const char *children[MOST_NAMES], *other_children[MOST_NAMES];
} element_rule;

static const element_rule rules[] = {
    {"robot",
     {"name", "version"},
     {NULL},
     {"link", "joint", "material"},
     {"gazebo", "transmission", "sensor", "ros2_control", "mujoco", "loop_joint", "group", "frame",
      "RefLink"}},
    {"link",
     {"name", "type"},
     {NULL},
     {"inertial", "visual", "collision"},
     {"contact", "sensor", "gravity", "kinematic", "self_collision_checking"}},
    {"joint",
     {"name", "type"},
     {"dont_collapse"},
     {"origin", "parent", "child", "axis", "limit", "mimic", "dynamics", "calibration",
      "safety_controller"},
     {"joint_properties", "hardwareInterface", "actuator"}},
    {"inertial", {NULL}, {NULL}, {"origin", "mass", "inertia"}, {NULL}},
    {"visual", {"name"}, {NULL}, {"origin", "geometry", "material"}, {NULL}},
    {"collision",
     {"name"},
     {"group", "concave"},
     {"origin", "geometry", "verbose"},
     {"material", "contact_coefficients"}},
    {"geometry",
     {NULL},
     {NULL},
     {"box", "cylinder", "sphere", "capsule", "mesh"},
     {"plane", "cdf", "sdf", "convex", "cone", "ellipsoid"}},
    {"material", {"name"}, {NULL}, {"color", "texture"}, {"specular", "script"}},
    {"origin", {"xyz", "rpy", "quat_xyzw"}, {"quat"}, {NULL}, {NULL}},
    {"parent", {"link"}, {NULL}, {NULL}, {NULL}},
    {"child", {"link"}, {NULL}, {NULL}, {NULL}},
    {"axis", {"xyz"}, {"rpy"}, {NULL}, {NULL}},
    {"limit",
     {"lower", "upper", "velocity", "effort"},
     {"acceleration", "deceleration", "jerk", "gear_velocity", "k_velocity", "k_position"},
     {NULL},
     {NULL}},
    {"mimic", {"joint", "multiplier", "offset"}, {NULL}, {NULL}, {NULL}},
    {"mass", {"value"}, {NULL}, {NULL}, {NULL}},
    {"inertia", {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}, {"iyx", "izx", "izy"}, {NULL}, {NULL}},
    {"box", {"size"}, {NULL}, {NULL}, {NULL}},
    {"cylinder", {"radius", "length"}, {NULL}, {NULL}, {NULL}},
    {"capsule", {"radius", "length"}, {NULL}, {NULL}, {NULL}},
    {"sphere", {"radius"}, {NULL}, {NULL}, {NULL}},
    {"mesh", {"filename", "scale"}, {NULL}, {NULL}, {NULL}},
    {"color", {"rgba"}, {NULL}, {NULL}, {NULL}},
};

static const element_rule *find_rule(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
}

static bool is_listed(const char *name, const char *const names[MOST_NAMES])
{
    for (int i = 0; i < MOST_NAMES && names[i] != NULL; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* the one of `names` that is nearly this one; NULL when it is one of them, or like none */
static const char *find_meant(const char *name, const char *const names[MOST_NAMES],
                              const char *const others[MOST_NAMES])
{
    if (is_listed(name, names) || is_listed(name, others))
        return NULL;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < MOST_NAMES && names[i] != NULL; i++)
        suggest_consider(&nearest, names[i]);
    return nearest.best;
}

/* ---- a file ------------------------------------------------------------- */

enum { WHERE_SIZE = 160 };

static bool is_element(const tree_node *node)
{
    return node != NULL && node->kind == LB_NODE_ELEMENT;
}

static bool has_prefix(const char *name)
{
    return strchr(name, ':') != NULL;
}

/* "joint 'elbow': " for an element of a link, a joint or a material; "" above these */
static const char *describe_place(const tree_node *node, char text[WHERE_SIZE])
{
    while (is_element(node->parent) && is_element(node->parent->parent))
        node = node->parent;
    const char *name = tree_attribute(node, "name");
    text[0] = '\0';
    if (is_element(node->parent) && name != NULL)
        text_format(text, WHERE_SIZE, "%s '%.100s': ", node->name, name);
    return text;
}

static void check_attributes(load_warnings *warnings, const element_rule *rule,
                             const tree_node *node)
{
    char where[WHERE_SIZE];
    for (const tree_node *a = node->first_attribute; a != NULL; a = a->next) {
        const char *meant = has_prefix(a->name)
                                ? NULL
                                : find_meant(a->name, rule->attributes, rule->other_attributes);
        if (meant != NULL)
            warnings_add(
                warnings, node->line,
                "%s<%s> has no attribute '%.60s', which is passed over; did you mean '%s'?",
                describe_place(node, where), rule->name, a->name, meant);
    }
}

/* a placement that is turned by more than a turn */
static void check_turn(load_warnings *warnings, const element_rule *rule, const tree_node *node)
{
    char where[WHERE_SIZE];
    double rpy[3] = {0, 0, 0};
    const element_place nowhere = {"", NULL, NULL, NULL};
    if (strcmp(rule->name, "origin") != 0 ||
        element_numbers(&nowhere, node, "rpy", 3, rpy) != LB_OK)
        return;
    if (warnings_is_beyond_turn(rpy[0]) || warnings_is_beyond_turn(rpy[1]) ||
        warnings_is_beyond_turn(rpy[2]))
        warnings_add(warnings, node->line,
                     "%srpy=\"%.60s\" is read in radians but looks like degrees",
                     describe_place(node, where), tree_attribute(node, "rpy"));
}

/* whether what is in a child of a known element is to be checked, too */
static bool check_child(load_warnings *warnings, const element_rule *parent, const tree_node *node)
{
    char where[WHERE_SIZE];
    if (has_prefix(node->name))
        return false;
    const char *meant = find_meant(node->name, parent->children, parent->other_children);
    if (meant != NULL)
        warnings_add(warnings, node->line, "%s<%.60s> is passed over; did you mean <%s>?",
                     describe_place(node->parent, where), node->name, meant);
    return is_listed(node->name, parent->children);
}

void urdf_check(load_warnings *warnings, const tree_node *robot)
{
    if (!warnings_wanted(warnings))
        return;
    bool known = true;
    for (const tree_node *node = robot; node != NULL; node = tree_walk(node, robot, known)) {
        const element_rule *parent = node == robot ? NULL : find_rule(node->parent->name);
        const element_rule *rule = find_rule(node->name);
        known = (parent == NULL || check_child(warnings, parent, node)) && rule != NULL;
        if (known) {
            check_attributes(warnings, rule, node);
            check_turn(warnings, rule, node);
        }
    }
}

/* ---- macros --------------------------------------------------------------- */

static bool is_macro(const tree_node *node)
{
    return strncmp(node->name, "xacro:", 6) == 0;
}

static bool is_part(const tree_node *node)
{
    return strcmp(node->name, "link") == 0 || strcmp(node->name, "joint") == 0;
}

/* whether this element shows that links or joints are yet to be made */
static bool makes_parts(const tree_node *node)
{
    if (is_macro(node) && strcmp(node->name, "xacro:include") == 0)
        return true;
    if (is_part(node) && is_macro(node->parent))
        return true;
    for (const tree_node *a = node->first_attribute; a != NULL; a = a->next)
        if (is_part(node) && (strstr(a->text, "${") != NULL || strstr(a->text, "$(") != NULL))
            return true;
    return false;
}

lb_status urdf_check_macros(const element_place *place, const tree_node *robot)
{
    bool complete = tree_child(robot, "link") != NULL;
    const tree_node *left_over = NULL, *node;
    for (node = tree_walk(robot, robot, true); node != NULL; node = tree_walk(node, robot, true)) {
        if (makes_parts(node) || (is_macro(node) && !complete))
            return element_refuse(place, LB_UNSUPPORTED, node,
                                  "<%.60s> has macros of xacro; expand them first: "
                                  "xacro FILE > robot.urdf",
                                  node->name);
        if (is_macro(node) && left_over == NULL)
            left_over = node;
    }
    if (left_over != NULL)
        element_warn(place, left_over,
                     "<%.60s> is left over from xacro and passed over; if something is missing, "
                     "expand it: xacro FILE > robot.urdf",
                     left_over->name);
    return LB_OK;
}
