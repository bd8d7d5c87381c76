/*
 * root.c - a model again, with another way for its root to move.
 *
 * The joint is between a new root link and the old one, where the root arc was; a joint that
 * was made so, or that a file has for this, is replaced by the new one.
 */
#include "base/error.h"
#include "base/memory.h"
#include "model/layout.h"

#include <string.h>

/* A copy of a model's arrays that may be changed before it is built. */
typedef struct rerooting {
    lb_link *links;
    lb_joint *joints;
    int link_count, joint_count;
    char name[32]; /* of the new root link */
} rerooting;

static bool is_free_root(const lb_model *model)
{
    if (model->joint_count == 0 || model->link_layouts[1].next_sibling >= 0)
        return false;
    lb_joint_kind kind = model->joints[0].kind;
    return kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR;
}

/* a name that nothing has yet: `base`, or with as many underscores as it takes */
static void free_name(const lb_model *model, const char *base, char name[32])
{
    size_t length = strlen(base);
    memset(name, 0, 32);
    memcpy(name, base, length);
    while (length < 31 &&
           (lb_model_find_link(model, name) >= 0 || lb_model_find_joint(model, name) >= 0))
        name[length++] = '_';
}

/* the joint's frame has the root arc's axes; planar ones move along the world's x and y */
static lb_joint make_joint(const lb_model *model, lb_joint_kind kind)
{
    lb_joint joint = lb_joint_default();
    const lb_transform *root = &model->root;
    joint.kind = kind;
    joint.placement = *root;
    joint.axis = lb_vec3_make(root->x.z, root->y.z, root->z.z);
    joint.axis2 = lb_vec3_make(root->x.x, root->y.x, root->z.x);
    if (kind == LB_JOINT_FLOATING)
        joint.value[3] = 1;
    return joint;
}

/* the file's own joint, of another kind */
static void replace_joint(const lb_model *model, lb_joint_kind kind, rerooting *r)
{
    lb_joint *joint = &r->joints[0];
    if (joint->kind == kind)
        return;
    lb_joint made = make_joint(model, kind);
    made.name = joint->name;
    made.parent = joint->parent;
    made.child = joint->child;
    made.placement = joint->placement;
    *joint = made;
}

static void insert_joint(const lb_model *model, lb_joint_kind kind, char joint_name[32],
                         rerooting *r)
{
    free_name(model, "world", r->name);
    free_name(model, "root", joint_name);
    memmove(r->links + 1, r->links, sizeof *r->links * (size_t)r->link_count);
    memmove(r->joints + 1, r->joints, sizeof *r->joints * (size_t)r->joint_count);
    r->links[0] = lb_link_default();
    r->links[0].name = r->name;
    r->joints[0] = make_joint(model, kind);
    r->joints[0].name = joint_name;
    r->joints[0].parent = r->name;
    r->joints[0].child = r->links[1].name;
    r->link_count++;
    r->joint_count++;
}

lb_status lb_model_with_root(const lb_model *model, lb_joint_kind kind,
                             const lb_allocator *allocator, lb_model **out, lb_error *error)
{
    lb_status status;
    TRY(REQUIRE_TO_MAKE(out, error, {model, "model"}));
    if (kind != LB_JOINT_FIXED && kind != LB_JOINT_PLANAR && kind != LB_JOINT_FLOATING)
        return REFUSE_ARGUMENT(error, "a root is fixed, planar or floating, not %s",
                               lb_joint_kind_text(kind));
    lb_allocator memory = memory_allocator(allocator);
    size_t links = (size_t)model->link_count;
    lb_link *all_links = memory_take(&memory, links + 1, sizeof *all_links);
    lb_joint *all_joints = memory_take(&memory, links + 1, sizeof *all_joints);
    if (all_links && all_joints) {
        rerooting r = {all_links, all_joints, model->link_count, model->joint_count, ""};
        char joint_name[32];
        memcpy(r.links, model->links, sizeof *r.links * links);
        memcpy(r.joints, model->joints, sizeof *r.joints * (links - 1));
        lb_transform root = model->root;
        if (is_free_root(model)) {
            replace_joint(model, kind, &r);
        } else if (kind != LB_JOINT_FIXED) {
            insert_joint(model, kind, joint_name, &r);
            root = LB_TRANSFORM_IDENTITY;
        }
        lb_model_source source = {.name = model->name,
                                  .root = root,
                                  .links = r.links,
                                  .link_count = r.link_count,
                                  .joints = r.joints,
                                  .joint_count = r.joint_count,
                                  .loops = model->loops,
                                  .loop_count = model->loop_count};
        status = lb_model_build(&source, allocator, out, error);
    } else {
        status = error_out_of_memory(error);
    }
    memory_release(&memory, all_joints);
    memory_release(&memory, all_links);
    return status;
}
