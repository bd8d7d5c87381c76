/*
 * robot_joints.c - which joints of a model are the columns of a robot's motion, in which order, and
 * frames of arrays that have these columns.
 */
#include "formats/motion/robot.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"

#include <string.h>

int robot_joints_root(const lb_model *model)
{
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind == LB_JOINT_FLOATING)
            return j;
    return -1;
}

bool robot_joints_has(const lb_model *model, int root, int joint)
{
    return joint != root && lb_model_joint(model, joint)->mimic == NULL &&
           lb_model_joint_q(model, joint) >= 0;
}

int robot_joints_next(const lb_model *model, int root, int joint)
{
    for (joint++; joint < lb_model_joint_count(model); joint++)
        if (robot_joints_has(model, root, joint))
            return joint;
    return -1;
}

/* the joint above one, -1: there is none */
static int joint_above(const lb_model *model, int joint)
{
    return lb_model_parent(model, joint + 1) - 1;
}

/* the root's joint frame in the world; what is above it is fixed */
static lb_transform root_frame(const lb_model *model, int root)
{
    lb_transform frame = lb_model_joint(model, root)->placement, base = lb_model_root(model);
    for (int j = root; (j = joint_above(model, j)) >= 0;)
        frame = lb_transform_multiply(&lb_model_joint(model, j)->placement, &frame);
    return lb_transform_multiply(&base, &frame);
}

/* place out = frame * place in */
static void move_place(const lb_transform *frame, const double in[7], double out[7])
{
    lb_vec3 p = lb_transform_point(frame, lb_vec3_make(in[0], in[1], in[2]));
    lb_quat turn =
        lb_quat_multiply(lb_transform_quat(frame), (lb_quat){in[3], in[4], in[5], in[6]});
    memcpy(out, (double[]){p.x, p.y, p.z, turn.w, turn.x, turn.y, turn.z}, 7 * sizeof *out);
}

void robot_joints_place(const lb_model *model, int root, const double *q, double place[7])
{
    lb_transform frame = root_frame(model, root);
    move_place(&frame, &q[lb_model_joint_q(model, root)], place);
}

void robot_joints_set_place(const lb_model *model, int root, const double place[7], double *q)
{
    lb_transform frame = root_frame(model, root), inverse = lb_transform_inverse(&frame);
    move_place(&inverse, place, &q[lb_model_joint_q(model, root)]);
}

lb_status robot_joints_check(const lb_model *model, int *root, int *joints, lb_error *error)
{
    *joints = 0;
    *root = robot_joints_root(model);
    if (*root < 0)
        return REFUSE_MODEL(error, "the model has no floating joint; give its root one by "
                                   "lb_model_with_root or --root floating");
    for (int j = *root; (j = joint_above(model, j)) >= 0;)
        if (lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
            return REFUSE_MODEL(error,
                                "the floating joint '%.100s' hangs from '%.100s', which moves; a "
                                "robot's root stands in the world: BVH and JSON hold any joint",
                                lb_model_joint(model, *root)->name, lb_model_joint(model, j)->name);
    for (int j = -1; (j = robot_joints_next(model, *root, j)) >= 0;) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (lb_joint_kind_nq(joint->kind) != 1)
            return REFUSE_MODEL(error,
                                "joint '%.100s' is %s; a column holds one value, of a hinge or a "
                                "slide: BVH and JSON hold any joint",
                                joint->name, lb_joint_kind_text(joint->kind));
        ++*joints;
    }
    return LB_OK;
}

/* ---- order ----------------------------------------------------------------- */

/*
 * Level by level: how many joints move from the root to a joint, itself among them; fixed ones are
 * merged. Within a level the model's depth-first order is that of a queue. `levels` has room for a
 * number of each joint.
 */
static void order_by_level(const lb_model *model, int *moved, int *levels)
{
    int joints = lb_model_joint_count(model), deepest = 0, placed = 0;
    for (int j = 0; j < joints; j++) {
        int above = lb_model_parent(model, j + 1) - 1;
        levels[j] = above >= 0 ? levels[above] : 0;
        levels[j] += lb_model_joint(model, j)->kind != LB_JOINT_FIXED;
        deepest = levels[j] > deepest ? levels[j] : deepest;
    }
    for (int level = 1; level <= deepest; level++)
        for (int j = 0; j < joints; j++)
            if (levels[j] == level && lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
                moved[placed++] = j;
}

/* the next of the names between commas and line ends, without blanks around it; false: the end */
static bool next_name(const char **text, char *name, size_t room)
{
    *text += strspn(*text, ", \t\r\n");
    size_t length = strcspn(*text, ",\r\n");
    const char *begin = *text;
    *text += length;
    while (length > 0 && (begin[length - 1] == ' ' || begin[length - 1] == '\t'))
        length--;
    text_format(name, room, "%.*s", (int)(length < room ? length : room - 1), begin);
    return length > 0;
}

lb_status robot_joints_refuse(const lb_model *model, int root, int line, const char *where,
                              const char *name, lb_error *error)
{
    suggest nearest = suggest_start(name);
    for (int j = -1; (j = robot_joints_next(model, root, j)) >= 0;)
        suggest_consider(&nearest, lb_model_joint(model, j)->name);
    return lb_error_set(error, LB_NOT_FOUND, line, "%s'%.80s' is no joint's%s", where, name,
                        suggest_phrase(&nearest));
}

/* which place of `moved`, from `from` on, a joint has; `count`: it is before that */
static int find_place(const int *moved, int from, int count, int joint)
{
    while (from < count && moved[from] != joint)
        from++;
    return from;
}

/* brings a joint to a place; those that it passes move up by one */
static void bring(int *moved, int to, int from)
{
    int joint = moved[from];
    memmove(moved + to + 1, moved + to, (size_t)(from - to) * sizeof *moved);
    moved[to] = joint;
}

/* the root, the joints that are named, then those that mimic */
static lb_status order_by_names(const lb_model *model, int root, const char *names, int *moved,
                                int count, lb_error *error)
{
    char name[256];
    int placed = 1;
    bring(moved, 0, find_place(moved, 0, count, root));
    while (next_name(&names, name, sizeof name)) {
        int joint = lb_model_find_joint(model, name);
        if (joint < 0 || !robot_joints_has(model, root, joint))
            return robot_joints_refuse(model, root, 0, "order: ", name, error);
        int from = find_place(moved, placed, count, joint);
        if (from == count)
            return REFUSE_VALUE(error, "order: '%.80s' is there twice", name);
        bring(moved, placed++, from);
    }
    for (int i = placed; i < count; i++)
        if (robot_joints_has(model, root, moved[i]))
            return REFUSE_VALUE(error, "order: '%.80s' is missing; a list names each joint once",
                                lb_model_joint(model, moved[i])->name);
    return LB_OK;
}

lb_status robot_joints_order(const lb_model *model, int root, const char *order, int *moved,
                             int *count, lb_error *error)
{
    *count = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
            moved[(*count)++] = j;
    if (order == NULL || strcmp(order, "depth-first") == 0)
        return LB_OK;
    if (strcmp(order, "breadth-first") != 0)
        return order_by_names(model, root, order, moved, *count, error);
    order_by_level(model, moved, moved + lb_model_joint_count(model));
    return LB_OK;
}

/* ---- frames ----------------------------------------------------------------- */

/* numbers of a frame, all finite */
static bool read_numbers(robot_frames *f, int which, int frame, size_t first, int count,
                         double *out)
{
    f->status = arrays_row(&f->set, which, frame, first, count, out, f->error);
    return f->status == LB_OK;
}

static bool fill_key(void *user, int key, double *time, double *q)
{
    robot_frames *f = user;
    double place[7], *turn = place + 3;
    *time = key / f->rate;
    if (!read_numbers(f, f->place, key, 3 * f->body, 3, place) ||
        !read_numbers(f, f->turn, key, 4 * f->body, 4, turn))
        return false;
    f->status = arrays_check_unit(&f->set, f->turn, key, turn, f->error);
    if (f->scalar_last)
        memcpy(turn, (double[]){turn[3], turn[0], turn[1], turn[2]}, 4 * sizeof *turn);
    if (f->status == LB_OK)
        robot_joints_set_place(f->model, f->root, place, q);
    int column = 0;
    for (int j = -1; f->status == LB_OK && (j = robot_joints_next(f->model, f->root, j)) >= 0;
         column++)
        read_numbers(f, f->values, key, (size_t)(f->columns ? f->columns[j] : column), 1,
                     &q[lb_model_joint_q(f->model, j)]);
    return f->status == LB_OK;
}

lb_status robot_frames_clip(robot_frames *f, const lb_allocator *allocator, lb_clip **clip)
{
    lb_status status = lb_clip_generate(f->model, f->frames, fill_key, f, LB_INTERPOLATION_LINEAR,
                                        allocator, clip, f->error);
    return f->status != LB_OK ? f->status : status;
}
