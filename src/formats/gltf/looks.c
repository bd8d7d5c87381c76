/*
 * looks.c - the points of a glTF's meshes, link by link.
 *
 * Source: glTF 2.0, sections 3.7.2 (meshes) and 3.7.3 (skins). A point v of a skin is drawn where
 * its joints carry B v, B being the joint's inverse bind matrix; here the joint of the largest
 * weight has it alone. In the rigid frame of a node that is A B v, A the stretch below the node
 * (skeleton.c). All meshes are gone through twice: to count the points of each link, and to take
 * them. Nodes may share meshes and skins: the primitives and points that are drawn are bounded by
 * the size of the file, and of a skin no joint is worked out but those that points have.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"

#include <limits.h>
#include <stdint.h>

/* sets of four weights that a point may have; one is usual */
enum { WEIGHT_SETS = 2 };

/* Looks that own their arrays. */
typedef struct own_looks {
    memory_pool pool;
    lb_gltf_looks looks; /* what the caller has */
    lb_allocator allocator;
    lb_mesh *meshes;
    lb_link_shape *shapes;
    lb_vec3 *points;
} own_looks;

/* What takes points to links: of a node that draws a mesh, or of one joint of its skin. */
typedef struct carrier {
    int link;
    double matrix[9]; /* of points, row by row, file units */
    lb_vec3 offset;
} carrier;

/* All meshes while they are gone through. */
typedef struct gathering {
    gltf_reader reader;
    const tree_node *nodes, *meshes, *skins;
    int *counts;      /* points of each link */
    lb_vec3 **points; /* of each link: where the next point goes; of all NULL while counting */
    int node;         /* whose mesh is gone through */
    const tree_node *joints; /* of its skin; NULL: it has none */
    gltf_accessor binds;     /* of the joints; count 0: none */
    carrier *carriers;       /* of each joint, worked out where `carried` is the node's index + 1 */
    int *carried, joint_room, carrier_count;
    double total, drawn, looked; /* points; points and primitives; elements of accessors */
} gathering;

/* A primitive's arrays. */
typedef struct primitive {
    gltf_place place;
    gltf_accessor positions, joints[WEIGHT_SETS], weights[WEIGHT_SETS];
    int sets;
} primitive;

/* ---- carriers ------------------------------------------------------------- */

/* an inverse bind matrix, which is stored column by column; without one the identity */
static carrier make_carrier(const lb_gltf *gltf, int index, const double bind[16])
{
    const gltf_node *node = &gltf->nodes[index];
    const double rows[9] = {bind[0], bind[4], bind[8], bind[1], bind[5],
                            bind[9], bind[2], bind[6], bind[10]};
    carrier made = {.link = node->link};
    double below[9];
    gltf_stretch_below(node, below);
    gltf_multiply(below, rows, made.matrix);
    made.offset = gltf_apply(below, lb_vec3_make(bind[12], bind[13], bind[14]));
    return made;
}

static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* as many joints as any skin has */
static int count_joints(const tree_node *skins)
{
    int most = 1;
    for (int i = 0; i < tree_array_size(skins); i++) {
        int count = tree_array_size(tree_member(tree_element(skins, i), "joints"));
        most = count > most ? count : most;
    }
    return most;
}

/* the joints of a skin, and their inverse bind matrices */
static lb_status open_skin(gathering *g, int index)
{
    const lb_gltf *gltf = g->reader.gltf;
    const tree_node *skin = tree_element(g->skins, index);
    gltf_place place = gltf_place_of("skins", (size_t)index);
    int at = -1;
    g->joints = tree_member(skin, "joints");
    g->carrier_count = tree_array_size(g->joints);
    g->binds = (gltf_accessor){.count = 0};
    if (tree_member(skin, "inverseBindMatrices") == NULL)
        return LB_OK;
    TRY(gltf_index(&g->reader, &place, skin, "inverseBindMatrices", "accessors",
                   gltf->accessor_count, &at));
    TRY(gltf_open_accessor(&g->reader, at, &g->binds));
    if (g->binds.components != 16 || g->binds.count < g->carrier_count)
        return gltf_refuse(&g->reader, LB_BAD_VALUE, &place,
                           "inverseBindMatrices must be a MAT4 for each of the %d joints",
                           g->carrier_count);
    return LB_OK;
}

/* what carries points by a joint of the node's skin, or by the node itself */
static const carrier *carrier_of(gathering *g, int joint)
{
    const lb_gltf *gltf = g->reader.gltf;
    carrier *of = &g->carriers[joint];
    double bind[16];
    if (g->carried[joint] == g->node + 1)
        return of;
    g->carried[joint] = g->node + 1;
    if (g->binds.count > 0)
        gltf_element(&g->binds, joint, bind);
    int index = g->joints == NULL ? g->node : (int)tree_element(g->joints, joint)->number;
    *of = make_carrier(gltf, index, g->binds.count > 0 ? bind : identity);
    return of;
}

/* ---- primitives ----------------------------------------------------------- */

/* an attribute with an element of `components` for each point; *there: it has it, readable */
static lb_status open_attribute(const gathering *g, const gltf_place *place,
                                const tree_node *attributes, const char *name, int components,
                                gltf_accessor *out, bool *there)
{
    int index = -1;
    *there = tree_member(attributes, name) != NULL;
    if (!*there)
        return LB_OK;
    TRY(gltf_index(&g->reader, place, attributes, name, "accessors", g->reader.gltf->accessor_count,
                   &index));
    TRY(gltf_open_accessor(&g->reader, index, out));
    if (out->components != components)
        return gltf_refuse(&g->reader, LB_BAD_VALUE, place, "%s must have %d components", name,
                           components);
    // without a buffer view only an extension knows the numbers
    *there = out->values.bytes != NULL;
    return LB_OK;
}

static lb_status open_weights(const gathering *g, const tree_node *attributes, primitive *p)
{
    static const char *const joints[WEIGHT_SETS] = {"JOINTS_0", "JOINTS_1"};
    static const char *const weights[WEIGHT_SETS] = {"WEIGHTS_0", "WEIGHTS_1"};
    for (p->sets = 0; p->sets < WEIGHT_SETS; p->sets++) {
        gltf_accessor *j = &p->joints[p->sets], *w = &p->weights[p->sets];
        bool has_joints, has_weights = false;
        TRY(open_attribute(g, &p->place, attributes, joints[p->sets], 4, j, &has_joints));
        TRY(open_attribute(g, &p->place, attributes, weights[p->sets], 4, w, &has_weights));
        if (!has_joints || !has_weights)
            break;
        if (j->count < p->positions.count || w->count < p->positions.count)
            return gltf_refuse(&g->reader, LB_BAD_VALUE, &p->place,
                               "there are fewer joints or weights than points");
    }
    return LB_OK;
}

/* the joint of the largest weight of a point; the node's own where there are no weights */
static lb_status find_carrier(gathering *g, const primitive *p, int point, const carrier **c)
{
    double most = -1, joint = 0;
    for (int s = 0; s < p->sets; s++) {
        double joints[16], weights[16];
        gltf_element(&p->joints[s], point, joints);
        gltf_element(&p->weights[s], point, weights);
        for (int i = 0; i < 4; i++)
            if (weights[i] > most) {
                most = weights[i];
                joint = joints[i];
            }
    }
    if (!(joint >= 0 && joint < g->carrier_count))
        return gltf_refuse(&g->reader, LB_BAD_VALUE, &p->place,
                           "point %d is moved by joint %.0f of the skin's %d", point, joint,
                           g->carrier_count);
    *c = carrier_of(g, (int)joint);
    return LB_OK;
}

static lb_status add_point(gathering *g, const primitive *p, int point)
{
    double v[16];
    const carrier *c = NULL;
    TRY(find_carrier(g, p, point, &c));
    if (g->points == NULL) {
        g->counts[c->link]++;
        return LB_OK;
    }
    gltf_element(&p->positions, point, v);
    lb_vec3 at = lb_vec3_add(gltf_apply(c->matrix, lb_vec3_make(v[0], v[1], v[2])), c->offset);
    at = lb_vec3_scale(at, g->reader.gltf->info.unit);
    if (!(lb_vec3_length(at) <= LB_LENGTH_MAX))
        return gltf_refuse(&g->reader, LB_BAD_VALUE, &p->place,
                           "point %d is not finite or beyond 1e15 m", point);
    *g->points[c->link]++ = at;
    return LB_OK;
}

static lb_status gather_primitive(gathering *g, const tree_node *object, primitive *p, bool skinned)
{
    const lb_gltf *gltf = g->reader.gltf;
    const tree_node *attributes = tree_member(object, "attributes");
    bool there = false;
    TRY(open_attribute(g, &p->place, attributes, "POSITION", 3, &p->positions, &there));
    g->total += there ? p->positions.count : 0;
    g->drawn += 1 + (there ? p->positions.count : 0);
    if (g->drawn > fmin((double)gltf->size, INT_MAX))
        return gltf_refuse(&g->reader, LB_UNSUPPORTED, &p->place,
                           "the same points are drawn too often: more than %zu in all", gltf->size);
    if (there && skinned)
        TRY(open_weights(g, attributes, p));
    for (int i = 0; there && i < p->positions.count; i++)
        TRY(add_point(g, p, i));
    return LB_OK;
}

/* ---- nodes ---------------------------------------------------------------- */

/* the mesh that a node draws, by its skin or by itself */
static lb_status gather_node(gathering *g, const tree_node *object, int index)
{
    const lb_gltf *gltf = g->reader.gltf;
    gltf_place place = gltf_place_of("nodes", (size_t)index);
    bool skinned = tree_member(object, "skin") != NULL;
    int mesh = -1, skin = -1, count;
    if (tree_member(object, "mesh") == NULL)
        return LB_OK;
    TRY(gltf_index(&g->reader, &place, object, "mesh", "meshes", tree_array_size(g->meshes),
                   &mesh));
    if (skinned)
        TRY(gltf_index(&g->reader, &place, object, "skin", "skins", gltf->info.skins, &skin));
    // a node without a skin is its own only joint
    g->node = index;
    g->joints = NULL;
    g->binds = (gltf_accessor){.count = 0};
    g->carrier_count = 1;
    if (skinned)
        TRY(open_skin(g, skin));
    const tree_node *primitives;
    TRY(gltf_array(&g->reader, tree_element(g->meshes, mesh), "primitives", &primitives, &count));
    for (int i = 0; i < count; i++) {
        primitive p = {.place = gltf_place_of("meshes", (size_t)mesh)};
        TRY(gather_primitive(g, tree_element(primitives, i), &p, skinned));
    }
    return LB_OK;
}

static lb_status gather_all(gathering *g)
{
    const lb_gltf *gltf = g->reader.gltf;
    g->total = g->drawn = g->looked = 0;
    for (int i = 0; i < g->joint_room; i++)
        g->carried[i] = 0;
    for (int i = 0; i < gltf->node_count; i++)
        TRY(gather_node(g, tree_element(g->nodes, i), i));
    return LB_OK;
}

/* ---- the calls ------------------------------------------------------------ */

void lb_gltf_looks_release(lb_gltf_looks *looks)
{
    if (looks != NULL)
        memory_pool_release((char *)looks - offsetof(own_looks, looks));
}

/* a mesh for each link that has points; says where these go */
static void divide(own_looks *own, gathering *g)
{
    const lb_model *model = g->reader.gltf->model;
    lb_vec3 *next = own->points;
    for (int i = 0; i < lb_model_link_count(model); i++) {
        g->points[i] = next;
        if (g->counts[i] == 0)
            continue;
        const char *name = lb_model_link(model, i)->name;
        own->meshes[own->looks.count] = (lb_mesh){name, next, g->counts[i]};
        own->shapes[own->looks.count++] = (lb_link_shape){i,
                                                          {.shape = LB_SHAPE_MESH,
                                                           .origin = LB_TRANSFORM_IDENTITY,
                                                           .size = {1, 1, 1},
                                                           .mesh = name}};
        next += g->counts[i];
    }
}

static lb_status fill(own_looks *own, gathering *g)
{
    const lb_gltf *gltf = g->reader.gltf;
    size_t links = (size_t)lb_model_link_count(gltf->model);
    g->nodes = tree_member(gltf->json, "nodes");
    g->meshes = tree_member(gltf->json, "meshes");
    g->skins = tree_member(gltf->json, "skins");
    g->reader.looked = &g->looked;
    g->joint_room = count_joints(g->skins);
    const lb_allocator *memory = &g->reader.memory;
    g->counts = memory_take(memory, links, sizeof *g->counts);
    g->carriers = memory_take(memory, (size_t)g->joint_room, sizeof *g->carriers);
    g->carried = memory_take(memory, (size_t)g->joint_room, sizeof *g->carried);
    own->meshes = memory_take(&own->allocator, links, sizeof *own->meshes);
    own->shapes = memory_take(&own->allocator, links, sizeof *own->shapes);
    own->looks.meshes = own->meshes;
    own->looks.shapes = own->shapes;
    TRY(require_memory(g->reader.error,
                       g->counts && g->carriers && g->carried && own->meshes && own->shapes));
    TRY(gather_all(g));
    own->points = memory_take(&own->allocator, (size_t)g->total, sizeof *own->points);
    g->points = memory_take(memory, links, sizeof *g->points);
    TRY(require_memory(g->reader.error, own->points && g->points));
    divide(own, g);
    return gather_all(g);
}

lb_status lb_gltf_looks_create(const lb_gltf *gltf, const lb_allocator *allocator,
                               lb_gltf_looks **looks, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(looks, error, {gltf, "gltf"}));
    MEMORY_POOL(memory, allocator);
    lb_allocator lasting;
    own_looks *own = memory_pool_object(sizeof *own, allocator, &lasting);
    TRY(require_memory(error, own));
    own->allocator = lasting;
    // a reader never changes what has been read
    gathering g = {
        .reader = {.gltf = (lb_gltf *)(uintptr_t)gltf, .memory = memory, .error = error}};
    lb_status status = fill(own, &g);
    if (status == LB_OK)
        *looks = &own->looks;
    else
        lb_gltf_looks_release(&own->looks);
    return status;
}
