/*
 * test_mjcf_kinematics.c - models in MJCF against MuJoCo's own kinematics.
 *
 * Real models, models that MuJoCo saves from real URDF files, and one with everything that
 * moves a body. Meshes are not there, so MuJoCo gets the files without geoms and what names
 * them, with masses bounded from below; all bodies and sites are compared in random
 * configurations. Without libmujoco the test is skipped.
 */
#include "support.h"

#include <limber/formats/load.h>
#include <limber/kinematics.h>

#ifdef LIMBER_HAVE_MUJOCO
#include <dirent.h>
#include <libxml/parser.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

/* ---- files without meshes ------------------------------------------------- */

static bool is_dropped(const xmlNode *node)
{
    static const char *const names[] = {"geom",      "asset",    "actuator", "sensor", "tendon",
                                        "contact",   "keyframe", "visual",   "light",  "camera",
                                        "collision", "equality", "mujoco"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, names[i]) == 0)
            return true;
    return false;
}

static xmlDoc *read_file(const char *path);

/* puts the children of an included file in the place of <include> */
static void include(xmlNode *node, const char *path)
{
    char full[1024];
    xmlChar *name = xmlGetProp(node, (const xmlChar *)"file");
    const char *slash = strrchr(path, '/');
    snprintf(full, sizeof full, "%.*s/%s", (int)(slash - path), path, (const char *)name);
    xmlDoc *other = read_file(full);
    xmlNode *child = xmlDocGetRootElement(other)->children;
    for (; child != NULL; child = child->next)
        if (child->type == XML_ELEMENT_NODE)
            xmlAddPrevSibling(node, xmlDocCopyNode(child, node->doc, 1));
    xmlFreeDoc(other);
    xmlFree(name);
}

static void strip(xmlNode *node, const char *path)
{
    // newer than Debian's MuJoCo
    xmlUnsetProp(node, (const xmlChar *)"actuatorfrclimited");
    xmlUnsetProp(node, (const xmlChar *)"actuatorfrcrange");
    for (xmlNode *child = node->children, *next; child != NULL; child = next) {
        next = child->next;
        bool includes =
            child->type == XML_ELEMENT_NODE && strcmp((const char *)child->name, "include") == 0;
        if (includes)
            include(child, path);
        if (includes || is_dropped(child)) {
            xmlUnlinkNode(child);
            xmlFreeNode(child);
        } else {
            strip(child, path);
        }
    }
}

static xmlDoc *read_file(const char *path)
{
    xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (doc == NULL)
        return NULL;
    strip(xmlDocGetRootElement(doc), path);
    return doc;
}

/* writes a file without meshes for MuJoCo, which wants every moving body to have a mass */
static bool write_stripped(const char *path, const char *output)
{
    xmlDoc *doc = read_file(path);
    if (doc == NULL)
        return false;
    xmlNode *root = xmlDocGetRootElement(doc), *parent = root;
    if (strcmp((const char *)root->name, "robot") == 0)
        parent = xmlNewChild(root, NULL, (const xmlChar *)"mujoco", NULL);
    xmlNode *compiler = xmlNewChild(parent, NULL, (const xmlChar *)"compiler", NULL);
    xmlNewProp(compiler, (const xmlChar *)"boundmass", (const xmlChar *)"0.001");
    xmlNewProp(compiler, (const xmlChar *)"boundinertia", (const xmlChar *)"0.001");
    if (parent == root)
        xmlNewProp(compiler, (const xmlChar *)"autolimits", (const xmlChar *)"true");
    xmlNewProp(compiler, (const xmlChar *)"balanceinertia", (const xmlChar *)"true");
    xmlSaveFile(output, doc);
    xmlFreeDoc(doc);
    return true;
}

/* ---- comparing ------------------------------------------------------------ */

/* the name of MuJoCo's joint here: that of its body where it has none */
static const char *joint_name(const mjModel *m, int joint)
{
    const char *name = mj_id2name(m, mjOBJ_JOINT, joint);
    return name != NULL ? name : mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[joint]);
}

/* random values of one joint for both */
static void set_joint(const mjModel *m, mjData *d, const lb_model *model, int joint,
                      lb_random *random, double *q)
{
    const char *name = joint_name(m, joint);
    int own = lb_model_find_joint(model, name), count = 1;
    if (own < 0)
        fail_msg("no joint '%s'", name);
    int at = lb_model_joint_q(model, own);
    double *theirs = d->qpos + m->jnt_qposadr[joint], multiplier, offset;
    if (lb_model_joint_mimic(model, own, &multiplier, &offset) >= 0) {
        theirs[0] = multiplier * q[at] + offset;
        return;
    }
    if (m->jnt_type[joint] == mjJNT_FREE || m->jnt_type[joint] == mjJNT_BALL)
        count = m->jnt_type[joint] == mjJNT_FREE ? 7 : 4;
    for (int i = 0; i < count; i++)
        theirs[i] = lb_random_between(random, -1, 1);
    if (count > 1)
        mju_normalize4(theirs + count - 4);
    assert_int_equal(lb_joint_kind_nq(lb_model_joint(model, own)->kind), count);
    memcpy(q + at, theirs, (size_t)count * sizeof *q);
}

static void check_place(const char *file, const char *name, const lb_model *model,
                        const lb_state *state, const double p[3], const double r[9])
{
    int link = lb_model_find_link(model, name);
    if (link < 0)
        fail_msg("%s: no link '%s'", file, name);
    lb_transform t = lb_state_transform(state, LB_WORLD, link);
    const double own[12] = {t.p.x, t.p.y, t.p.z, t.x.x, t.y.x, t.z.x,
                            t.x.y, t.y.y, t.z.y, t.x.z, t.y.z, t.z.z};
    for (int i = 0; i < 12; i++) {
        double theirs = i < 3 ? p[i] : r[i - 3];
        if (!(fabs(own[i] - theirs) <= 1e-9))
            fail_msg("%s: '%s': number %d is %.12g, not %.12g", file, name, i, own[i], theirs);
    }
}

static int compare(const char *file, const mjModel *m, const lb_model *model)
{
    mjData *d = mj_makeData(m);
    lb_random random = lb_random_seed(3);
    double *q = calloc((size_t)lb_model_nq(model) + 1, sizeof *q);
    lb_state *state = test_state(model);
    for (int round = 0; round < 5; round++) {
        lb_configuration_neutral(model, q);
        // a mimicked joint may come after those that mimic it
        for (int pass = 0; pass < 2; pass++) {
            lb_random same = random;
            for (int j = 0; j < m->njnt; j++)
                set_joint(m, d, model, j, pass == 0 ? &same : &random, q);
        }
        lb_state_update(state, q);
        mj_kinematics(m, d);
        for (int b = 1; b < m->nbody; b++)
            if (mj_id2name(m, mjOBJ_BODY, b) != NULL)
                check_place(file, mj_id2name(m, mjOBJ_BODY, b), model, state, d->xpos + 3 * b,
                            d->xmat + 9 * b);
        for (int s = 0; s < m->nsite; s++) {
            const char *name = mj_id2name(m, mjOBJ_SITE, s);
            if (name != NULL && mj_name2id(m, mjOBJ_BODY, name) < 0)
                check_place(file, name, model, state, d->site_xpos + 3 * s, d->site_xmat + 9 * s);
        }
    }
    free(q);
    lb_state_release(state);
    mj_deleteData(d);
    return m->nbody - 1;
}

/* one file in MJCF, as it is for the library and without meshes for MuJoCo */
static void check_file(const char *path, const char *stripped)
{
    char message[500] = "";
    lb_model *model;
    assert_true(write_stripped(path, stripped));
    mjModel *m = mj_loadXML(stripped, NULL, message, sizeof message);
    if (m == NULL)
        fail_msg("MuJoCo: %s: %s", path, message);
    assert_made(lb_load(path, NULL, &model, &cause), cause);
    assert_true(compare(path, m, model) > 0);
    lb_model_release(model);
    mj_deleteModel(m);
}

/* ---- tests ---------------------------------------------------------------- */

static const char stripped[] = "mjcf_stripped.xml", saved[] = "mjcf_saved.xml";

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

TEST(agrees_on_real_models)
{
    static const char *const names[] = {"g1_mocap_29dof.xml", "t1_mocap.xml", "pm01/pm_v2.xml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/mjcf/%s", names[i]);
        if (access(path, R_OK) != 0) {
            print_message("skipped: there is no %s\n", path);
            skip();
        }
        check_file(path, stripped);
    }
}

TEST(agrees_on_saved_urdf)
{
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/urdf\n");
        skip();
    }
    int compared = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[1024], message[500];
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s", entry->d_name);
        if (!ends_with(entry->d_name, ".urdf") || !write_stripped(path, stripped))
            continue;
        mjModel *m = mj_loadXML(stripped, NULL, message, sizeof message);
        if (m == NULL) {
            print_message("MuJoCo does not read %s: %s\n", entry->d_name, message);
            continue;
        }
        assert_int_equal(mj_saveLastXML(saved, m, message, sizeof message), 1);
        mj_deleteModel(m);
        check_file(saved, stripped);
        compared++;
    }
    closedir(folder);
    print_message("%d robots compared\n", compared);
    assert_true(compared > 20);
}

/* all orientations, references, several joints at anchors, classes, frames of every kind */
static const char everything[] =
    "<mujoco model='all'>\n"
    "<compiler angle='degree' eulerseq='xZy' autolimits='true'/>\n"
    "<default><joint axis='0 1 0'/><geom rgba='1 0 0 1'/>\n"
    "<default class='slider'><joint type='slide' pos='0.1 0 0' range='-1 1'/>\n"
    "<default class='far'><joint ref='0.25' axis='1 1 0'/><site pos='1 0 0'/></default></default>\n"
    "</default>\n"
    "<worldbody>\n"
    "<body name='a' pos='1 2 3' euler='10 20 30'>\n"
    "<joint name='a1' pos='0.1 0.2 0.3' axis='1 2 3' ref='20' range='-90 90'/>\n"
    "<joint name='a2' pos='0.3 0.2 0.1'/><joint name='a3' class='slider'/>\n"
    "<site name='tool' pos='0 0 1' axisangle='1 1 0 45'/>\n"
    "<body name='b' childclass='far' xyaxes='0 1 0.1 -1 0 0'><joint name='b1'/>\n"
    "<site name='spot' zaxis='1 0 1'/>\n"
    "<body name='c' pos='0 0 1' zaxis='0 0 -1'><joint name='c1' type='ball' pos='0 0.2 0' range='0 "
    "0'/>\n"
    "<body name='d' quat='1 1 0 0' pos='0.1 0 0'>\n"
    "<body name='e' axisangle='0 0 2 90' pos='0 0.1 0'><joint class='main' name='e1'/></body>\n"
    "</body></body></body></body>\n"
    "<body name='f' pos='0 0 5' euler='0 0 90'><freejoint/>\n"
    "<body name='g' pos='1 0 0'><joint name='g1' type='hinge' class='main' pos='0.5 0 0'/></body>\n"
    "</body></worldbody></mujoco>\n";

TEST(agrees_on_everything)
{
    FILE *file = fopen(saved, "w");
    assert_non_null(file);
    fputs(everything, file);
    fclose(file);
    check_file(saved, stripped);
}
#else
TEST_SKIP("built without libmujoco")
#endif
