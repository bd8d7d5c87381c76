/*
 * mjcf.c - MJCF, the model files of MuJoCo: whole files.
 *
 * Kinematics is read: bodies, joints, sites, and of geoms what they look like. The world is
 * the root link. docs/format.md lists what is read, passed over and refused.
 */
#include "formats/mapping/mjcf.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

/* ---- memory --------------------------------------------------------------- */

/* How many of each a file has at most. */
typedef struct mjcf_counts {
    int links, shapes, classes, assets, defaults, pulled;
} mjcf_counts;

static mjcf_counts count_all(const tree_node *root)
{
    mjcf_counts counts = {.links = 1};
    for (const tree_node *node = root; node != NULL; node = tree_walk(node, root, true)) {
        // a geom may be seen and collide
        counts.shapes += 2 * (strcmp(node->name, "geom") == 0);
        bool class = strcmp(node->name, "default") == 0;
        counts.classes += class;
        counts.defaults += class ? mjcf_count_defaults(node) : 0;
        counts.pulled += tree_attribute(node, "tendon") != NULL;
        counts.assets += strcmp(node->name, "mesh") == 0 || strcmp(node->name, "material") == 0;
    }
    const tree_node *world = tree_child(root, "worldbody");
    for (; world != NULL; world = tree_next(world))
        counts.links += mjcf_count_links(world);
    return counts;
}

/* room for all that the file can become, in memory of a pool */
static lb_status take_room(mjcf_reader *reader, const lb_allocator *pool)
{
    mjcf_counts counts = count_all(reader->root);
    size_t links = (size_t)counts.links, assets = (size_t)counts.assets;
    size_t classes = (size_t)counts.classes, defaults = (size_t)counts.defaults;
    TRY(draft_create(&reader->draft, counts.links, counts.links, counts.shapes, pool,
                     reader->error));
    reader->draft.warnings = reader->warnings;
    name_table_create(&reader->links.taken, links, pool);
    name_table_create(&reader->links.given, links, pool);
    name_table_create(&reader->joints.taken, links, pool);
    name_table_create(&reader->joints.given, links, pool);
    name_table_create(&reader->sites, links, pool);
    name_table_create(&reader->classes, classes, pool);
    name_table_create(&reader->meshes, assets, pool);
    name_table_create(&reader->materials, assets, pool);
    name_table_create(&reader->pulled, (size_t)counts.pulled, pool);
    name_table_create(&reader->defaults, defaults, pool);
    reader->nodes = memory_take(pool, assets + classes, sizeof *reader->nodes);
    reader->sources = memory_take(pool, defaults, sizeof *reader->sources);
    lb_document_create(pool, &reader->scratch);
    if (!memory_pool_failed(pool))
        return LB_OK;
    return lb_error_set(reader->error, LB_OUT_OF_MEMORY, 0, "out of memory for %d links",
                        counts.links);
}

/* ---- assets --------------------------------------------------------------- */

/* the name of an asset; a mesh without one is called as its file, without folder and ending */
static const char *name_of_asset(mjcf_reader *reader, const tree_node *node)
{
    const char *name = tree_attribute(node, "name"), *file = tree_attribute(node, "file");
    if (name != NULL || file == NULL)
        return name;
    const char *slash = strrchr(file, '/');
    char *copy = tree_copy_text(reader->scratch, slash == NULL ? file : slash + 1);
    char *point = copy == NULL ? NULL : strrchr(copy, '.');
    if (point != NULL)
        *point = '\0';
    return copy;
}

static void enter_assets(mjcf_reader *reader)
{
    const tree_node *top = tree_child(reader->root, "asset"), *node;
    for (; top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next) {
            bool mesh = strcmp(node->name, "mesh") == 0;
            const char *name = NULL;
            if (mesh || strcmp(node->name, "material") == 0)
                name = name_of_asset(reader, node);
            name_table *table = mesh ? &reader->meshes : &reader->materials;
            if (name != NULL && name_table_add(table, name, reader->node_count) < 0)
                reader->nodes[reader->node_count++] = node;
        }
}

/* ---- whole files ---------------------------------------------------------- */

/* what makes bodies when MuJoCo compiles a model is not in the file as such */
static lb_status refuse_generators(const mjcf_reader *reader)
{
    static const char *const names[] = {"replicate", "attach", "composite", "flexcomp", "include"};
    element_place place = {"mujoco", NULL, reader->error, reader->warnings};
    const tree_node *node = reader->root;
    for (; node != NULL; node = tree_walk(node, reader->root, true)) {
        int i = text_index(node->name, names, sizeof names / sizeof *names);
        if (i >= 0)
            return element_refuse(&place, LB_UNSUPPORTED, node,
                                  "<%s> %s; save the compiled model with MuJoCo "
                                  "(mj_saveLastXML) and read that",
                                  node->name,
                                  i < 4 ? "makes bodies" : "is read where the model is a file");
    }
    return LB_OK;
}

static lb_status read_world(mjcf_reader *reader)
{
    lb_link *link = draft_link(&reader->draft, reader->root->line);
    link->name = mjcf_unique(reader, &reader->links, "world", "", true);
    TRY(require_memory(reader->error, link->name));
    const tree_node *world = tree_child(reader->root, "worldbody");
    for (const tree_node *each = world; each != NULL; each = tree_next(each))
        mjcf_keep_names(reader, each);
    TRY(mjcf_read_world_geoms(reader, world, link));
    for (; world != NULL; world = tree_next(world))
        TRY(mjcf_read_bodies(reader, world, link->name));
    return LB_OK;
}

/* ---- actuators ------------------------------------------------------------ */

/*
 * An actuator names a joint, or a tendon, and these joints are driven. A fixed tendon pulls at
 * several joints at once; of them loops may leave any free, so all of them are driven: the passive
 * joints follow first.
 */

static void drive(mjcf_reader *reader, const tree_node *node, const char *attribute)
{
    const char *name = tree_attribute(node, attribute);
    int joint = name == NULL ? -1 : name_table_find(&reader->joints.taken, name);
    element_place place = {node->name, tree_attribute(node, "name"), reader->error,
                           reader->warnings};
    if (joint >= 0)
        reader->draft.joints[joint].driven = true;
    else if (name != NULL)
        element_warn(&place, node, "no joint '%.60s', which it would move", name);
}

static void read_actuator(mjcf_reader *reader, const tree_node *node)
{
    const char *tendon = tree_attribute(node, "tendon");
    // a damper brakes and moves nothing
    if (strcmp(node->name, "damper") == 0)
        return;
    if (tendon != NULL)
        name_table_add(&reader->pulled, tendon, 0);
    drive(reader, node, "joint");
    drive(reader, node, "jointinparent");
}

static void read_tendon(mjcf_reader *reader, const tree_node *node)
{
    const char *name = tree_attribute(node, "name");
    if (strcmp(node->name, "fixed") != 0 || name == NULL ||
        name_table_find(&reader->pulled, name) < 0)
        return;
    const tree_node *joint = tree_child(node, "joint");
    for (; joint != NULL; joint = tree_next(joint))
        drive(reader, joint, "joint");
}

static void read_actuators(mjcf_reader *reader)
{
    const tree_node *top = tree_child(reader->root, "actuator"), *node;
    for (; top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next)
            read_actuator(reader, node);
    for (top = tree_child(reader->root, "tendon"); top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next)
            read_tendon(reader, node);
}

/* ---- all of it ------------------------------------------------------------ */

static lb_status read_parts(mjcf_reader *reader)
{
    TRY(refuse_generators(reader));
    TRY(mjcf_read_compiler(reader));
    TRY(mjcf_read_classes(reader));
    enter_assets(reader);
    TRY(read_world(reader));
    TRY(mjcf_read_equality(reader));
    read_actuators(reader);
    // constraints hold at the references; at rest, joints keep their limits
    for (int j = 0; j < reader->draft.joint_count; j++) {
        lb_joint *joint = &reader->draft.joints[j];
        if (lb_joint_kind_nq(joint->kind) == 1 && !joint->locked)
            joint->value[0] = fmin(fmax(joint->value[0], joint->lower[0]), joint->upper[0]);
    }
    return draft_check_mimics(&reader->draft, reader->error);
}

lb_status mapping_mjcf(const tree_node *root, load_warnings *warnings,
                       const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    mjcf_reader reader = {.root = root, .error = error, .warnings = warnings};
    element_place place = {"mujoco", NULL, error, warnings};
    MEMORY_POOL(memory, allocator);
    if (tree_child(root, "worldbody") == NULL)
        return element_refuse(&place, LB_BAD_MODEL, root,
                              "it has no <worldbody>; a part of a model is read by "
                              "the file that includes it");
    TRY(take_room(&reader, &memory));
    const char *name = tree_attribute(root, "model");
    reader.draft.source.name = name == NULL ? "mujoco" : name;
    TRY(read_parts(&reader));
    return draft_build(&reader.draft, allocator, model, error);
}
