/*
 * urdf_notes.c - what is misspelt in a URDF robot.
 *
 * Readers of URDF pass over what they do not know, and so do we: files carry the extensions of
 * many programs. A name that is nearly one of the format's own is no extension but a slip, and
 * what it says would silently not count.
 *
 * Source: http://wiki.ros.org/urdf/XML, urdfdom 4, and the extensions of Gazebo, PyBullet,
 * ros_control, MuJoCo and Drake.
 */
#include "formats/urdf.h"

#include "base/suggest.h"
#include "base/text.h"

#include <string.h>

/* ---- the format --------------------------------------------------------- */

enum { MOST_NAMES = 12 };

/* An element: what it may have; and what others put there, which is no slip and is not read. */
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
        suggest_offer(&nearest, names[i]);
    return nearest.best;
}

/* ---- a file ------------------------------------------------------------- */

enum { WHERE_SIZE = 160 };

/* "joint 'elbow': " for an element of a link, a joint or a material; "" above these */
static const char *describe_place(const xmlNode *node, char text[WHERE_SIZE])
{
    while (node->parent != NULL && node->parent->parent != NULL &&
           node->parent->parent->type == XML_ELEMENT_NODE)
        node = node->parent;
    const char *name = xml_attribute(node, "name");
    bool inside = node->parent != NULL && node->parent->type == XML_ELEMENT_NODE;
    text[0] = '\0';
    if (inside && name != NULL)
        text_format(text, WHERE_SIZE, "%s '%.100s': ", xml_name(node), name);
    return text;
}

static void check_attributes(const load_notes *notes, const element_rule *rule, const xmlNode *node)
{
    char where[WHERE_SIZE];
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
        const char *name = (const char *)a->name;
        const char *meant =
            a->ns != NULL ? NULL : find_meant(name, rule->attributes, rule->other_attributes);
        if (meant != NULL)
            notes_add(notes, xml_line(node),
                      "%s<%s> has no attribute '%.60s', which is passed over; did you mean '%s'?",
                      describe_place(node, where), rule->name, name, meant);
    }
}

/* a placement that is turned by more than a turn */
static void check_turn(const load_notes *notes, const element_rule *rule, const xmlNode *node)
{
    char where[WHERE_SIZE];
    double rpy[3] = {0, 0, 0};
    const xml_place nowhere = {"", NULL, NULL};
    if (strcmp(rule->name, "origin") != 0 || xml_numbers(&nowhere, node, "rpy", 3, rpy) != LB_OK)
        return;
    if (notes_is_beyond_turn(rpy[0]) || notes_is_beyond_turn(rpy[1]) ||
        notes_is_beyond_turn(rpy[2]))
        notes_add(notes, xml_line(node),
                  "%srpy=\"%.60s\" is read in radians but looks like degrees",
                  describe_place(node, where), xml_attribute(node, "rpy"));
}

/* whether what is in a child of a known element is to be looked at, too */
static bool check_child(const load_notes *notes, const element_rule *parent, const xmlNode *node)
{
    char where[WHERE_SIZE];
    const char *name = xml_name(node);
    if (node->ns != NULL && node->ns->prefix != NULL)
        return false;
    const char *meant = find_meant(name, parent->children, parent->other_children);
    if (meant != NULL)
        notes_add(notes, xml_line(node), "%s<%.60s> is passed over; did you mean <%s>?",
                  describe_place(node->parent, where), name, meant);
    return is_listed(name, parent->children);
}

/* the next element in document order below `top`: into `node` only where `deeper` says so */
static const xmlNode *next_element(const xmlNode *node, const xmlNode *top, bool deeper)
{
    do {
        if (deeper && node->children != NULL) {
            node = node->children;
        } else {
            while (node != top && node->next == NULL)
                node = node->parent;
            if (node == top)
                return NULL;
            node = node->next;
        }
        deeper = false;
    } while (node->type != XML_ELEMENT_NODE);
    return node;
}

void urdf_notes(const load_notes *notes, const xmlNode *robot)
{
    if (!notes_are_heard(notes))
        return;
    bool known = true;
    for (const xmlNode *node = robot; node != NULL; node = next_element(node, robot, known)) {
        const element_rule *parent = node == robot ? NULL : find_rule(xml_name(node->parent));
        const element_rule *rule = find_rule(xml_name(node));
        known = (parent == NULL || check_child(notes, parent, node)) && rule != NULL;
        if (known) {
            check_attributes(notes, rule, node);
            check_turn(notes, rule, node);
        }
    }
}
