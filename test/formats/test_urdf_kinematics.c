/*
 * test_urdf_kinematics.c - forward kinematics of real robots against a second opinion.
 *
 * The opinion reads the raw XML itself, multiplies homogeneous 4x4 matrices from
 * joint to joint, turns by Rodrigues' formula and takes sine and cosine from the
 * C library: it shares nothing with the library but the file.
 */
#include "support.h"

#include <limber/formats/load.h>
#include <limber/kinematics.h>

#include <dirent.h>
#include <libxml/parser.h>
#include <math.h>

/* ---- matrices ----------------------------------------------------------- */

typedef struct matrix {
    double m[4][4];
} matrix;

static const matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

static matrix multiply(const matrix *a, const matrix *b)
{
    matrix c = {{{0}}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a->m[i][k] * b->m[k][j];
    return c;
}

/* Rodrigues: R = I + sin(a) K + (1 - cos(a)) K^2, with K the cross product with the unit axis */
static matrix turn(const double axis[3], double angle)
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
    matrix k = {{{0, -z, y, 0}, {z, 0, -x, 0}, {-y, x, 0, 0}, {0, 0, 0, 0}}};
    matrix k2 = multiply(&k, &k), r = identity;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] += sin(angle) * k.m[i][j] + (1 - cos(angle)) * k2.m[i][j];
    return r;
}

static matrix slide(const double axis[3], double distance)
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    matrix t = identity;
    for (int i = 0; i < 3; i++)
        t.m[i][3] = distance * axis[i] / length;
    return t;
}

/* T(xyz) Rz(yaw) Ry(pitch) Rx(roll) */
static matrix origin_matrix(const double xyz[3], const double rpy[3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    matrix t = identity;
    for (int i = 0; i < 3; i++)
        t.m[i][3] = xyz[i];
    for (int i = 2; i >= 0; i--) {
        matrix r = turn(axes[i], rpy[i]);
        t = multiply(&t, &r);
    }
    return t;
}

/* ---- the raw file ------------------------------------------------------- */

enum { MOST_JOINTS = 200 };

typedef struct raw_joint {
    char name[64], type[16], parent[64], child[64], mimic[64];
    matrix origin;
    double axis[3], multiplier, offset;
} raw_joint;

static xmlNode *child_named(const xmlNode *node, const char *name)
{
    xmlNode *child = node->children;
    while (child != NULL && strcmp((const char *)child->name, name) != 0)
        child = child->next;
    return child;
}

/* an attribute of a child element, "" when either is missing */
static void read_text(const xmlNode *node, const char *child, const char *name, char *text,
                      size_t size)
{
    const xmlNode *from = child == NULL ? node : child_named(node, child);
    xmlChar *value = from == NULL ? NULL : xmlGetProp(from, (const xmlChar *)name);
    snprintf(text, size, "%s", value == NULL ? "" : (const char *)value);
    xmlFree(value);
}

static void read_numbers(const xmlNode *node, const char *child, const char *name, int count,
                         double *values)
{
    char text[256];
    read_text(node, child, name, text, sizeof text);
    char *at = text;
    for (int i = 0; i < count && *at != '\0'; i++) {
        values[i] = strtod(at, &at);
        at += strspn(at, ", ");
    }
}

static raw_joint read_joint(const xmlNode *node)
{
    raw_joint joint = {.axis = {1, 0, 0}, .multiplier = 1};
    double xyz[3] = {0}, rpy[3] = {0};
    read_text(node, NULL, "name", joint.name, sizeof joint.name);
    read_text(node, NULL, "type", joint.type, sizeof joint.type);
    read_text(node, "parent", "link", joint.parent, sizeof joint.parent);
    read_text(node, "child", "link", joint.child, sizeof joint.child);
    read_text(node, "mimic", "joint", joint.mimic, sizeof joint.mimic);
    read_numbers(node, "mimic", "multiplier", 1, &joint.multiplier);
    read_numbers(node, "mimic", "offset", 1, &joint.offset);
    read_numbers(node, "axis", "xyz", 3, joint.axis);
    read_numbers(node, "origin", "xyz", 3, xyz);
    read_numbers(node, "origin", "rpy", 3, rpy);
    joint.origin = origin_matrix(xyz, rpy);
    return joint;
}

/* from the robot on: what is before it may be untidy */
static xmlDoc *read_robot(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    assert_true(feof(file));
    fclose(file);
    text[size] = '\0';
    const char *robot = strstr(text, "<robot");
    assert_non_null(robot);
    return xmlReadMemory(robot, (int)strlen(robot), NULL, NULL, XML_PARSE_NONET);
}

static int read_joints(const char *path, raw_joint *joints)
{
    int count = 0;
    xmlDoc *doc = read_robot(path);
    assert_non_null(doc);
    for (const xmlNode *node = xmlDocGetRootElement(doc)->children; node; node = node->next) {
        if (strcmp((const char *)node->name, "joint") != 0)
            continue;
        assert_true(count < MOST_JOINTS);
        joints[count++] = read_joint(node);
    }
    xmlFreeDoc(doc);
    return count;
}

/* ---- the second opinion ------------------------------------------------- */

static const raw_joint *find_joint(const raw_joint *joints, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(joints[i].name, name) == 0)
            return &joints[i];
    fail_msg("no joint %s", name);
    return NULL;
}

/* q of a joint that moves by itself; of a follower m times what it follows, plus b */
static double value_of(const raw_joint *joints, int count, const raw_joint *joint,
                       const lb_model *model, const double *q)
{
    double m = 1, b = 0;
    while (joint->mimic[0] != '\0') {
        b += m * joint->offset;
        m *= joint->multiplier;
        joint = find_joint(joints, count, joint->mimic);
    }
    int index = lb_model_find_joint(model, joint->name);
    assert_true(index >= 0);
    int at = lb_model_joint_q(model, index);
    return at < 0 ? 0 : m * q[at] + b;
}

static matrix articulation(const raw_joint *joint, double value)
{
    if (strcmp(joint->type, "fixed") == 0)
        return identity;
    if (strcmp(joint->type, "prismatic") == 0)
        return slide(joint->axis, value);
    if (strcmp(joint->type, "revolute") == 0 || strcmp(joint->type, "continuous") == 0)
        return turn(joint->axis, value);
    fail_msg("joint %s: a %s joint has no second opinion", joint->name, joint->type);
    return identity;
}

static const raw_joint *joint_above(const raw_joint *joints, int count, const char *link)
{
    for (int i = 0; i < count; i++)
        if (strcmp(joints[i].child, link) == 0)
            return &joints[i];
    return NULL;
}

/* T_root_link, from the link upwards */
static matrix second_opinion(const raw_joint *joints, int count, const char *link,
                             const lb_model *model, const double *q)
{
    matrix t = identity;
    for (const raw_joint *j; (j = joint_above(joints, count, link)) != NULL; link = j->parent) {
        matrix a = articulation(j, value_of(joints, count, j, model, q));
        a = multiply(&j->origin, &a);
        t = multiply(&a, &t);
    }
    return t;
}

/* ---- comparing ---------------------------------------------------------- */

/* the largest number of a configuration, 1 at least: slides of a million metres round like that */
static double scale_of(const double *q, int count)
{
    double scale = 1;
    for (int i = 0; i < count; i++)
        scale = fmax(scale, fabs(q[i]));
    return scale;
}

static double difference(const lb_transform *a, const matrix *b)
{
    const lb_vec3 columns[4] = {a->x, a->y, a->z, a->p};
    double worst = 0;
    for (int j = 0; j < 4; j++) {
        worst = fmax(worst, fabs(columns[j].x - b->m[0][j]));
        worst = fmax(worst, fabs(columns[j].y - b->m[1][j]));
        worst = fmax(worst, fabs(columns[j].z - b->m[2][j]));
    }
    return worst;
}

/* the largest difference to scale, over all links and 100 configurations within the limits */
static double compare_robot(const char *path, const lb_model *model, uint64_t seed)
{
    static raw_joint joints[MOST_JOINTS];
    int count = read_joints(path, joints);
    assert_int_equal(count, lb_model_joint_count(model));

    lb_random random = test_seed(seed);
    double *q = calloc((size_t)lb_model_nq(model) + 1, sizeof *q), worst = 0;
    assert_non_null(q);
    owned_state *state = test_state(model);
    for (int n = 0; n < 100; n++) {
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        double scale = scale_of(q, lb_model_nq(model));
        for (int i = 0; i < lb_model_link_count(model); i++) {
            const char *link = lb_model_link(model, i)->name;
            matrix expected = second_opinion(joints, count, link, model, q);
            worst = fmax(worst, difference(&lb_state_transforms(state)[i], &expected) / scale);
        }
    }
    free(q);
    return worst;
}

TEST(agrees_on_real_robots)
{
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/urdf\n");
        skip();
    }
    int robots = 0;
    double worst = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[1024];
        owned_model *model = NULL;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s", entry->d_name);
        if (lb_load(path, NULL, &model, NULL) != LB_OK)
            continue;
        double off = compare_robot(path, model, 1);
        if (!(off <= 1e-12))
            fail_msg("%s: off by %g", entry->d_name, off);
        worst = fmax(worst, off);
        robots++;
    }
    closedir(folder);
    print_message("%d robots, off by %.2g at most\n", robots, worst);
    assert_true(robots > 0);
}
