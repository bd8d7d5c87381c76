/*
 * fk.c - limber fk: where a link is.
 */
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/solve.h"
#include "workspace/reach_contents.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option frame_given, point_given;
static int factors_wanted, jacobian_wanted, assemblies_wanted, manipulability_wanted;

/* What is printed: T_base_link of a block of poses. */
typedef struct placement {
    const lb_model *model;
    int base, link;
    lb_state *state;
    lb_assembly *assembly; /* NULL: the model has no loops */
    bool open;             /* a pose's loops do not close */
    bool unsure;           /* a pose may have more assemblies than are listed */
    const lb_vec3 *point;  /* NULL: the frame itself */
    lb_transform *places;
    double *manipulability; /* of each place, if wanted */
    int *poses;             /* of each place, with --assemblies: the number of its pose, */
    bool *taken;            /* and whether it is that of limber fk without --assemblies */
    const double *q;        /* of each place */
    int count, before;      /* of places, and of those in earlier blocks */
} placement;

/* ---- computing ---------------------------------------------------------- */

/* the poses become all their assemblies, `before` of which came earlier */
static bool list_assemblies(placement *at, pose_list *poses, int before)
{
    size_t nq = (size_t)lb_model_nq(at->model);
    pose_list all = {0};
    for (int i = 0; i < poses->count; i++) {
        const double *q = poses->q + (size_t)i * nq;
        bool complete;
        int taken, count = lb_assembly_all(at->assembly, q, NULL, 0, &complete);
        if (count < 0)
            refuse("--assemblies: %s is neither a planar linkage made of groups of two, four or "
                   "six links nor a platform on six legs whose lengths are given",
                   lb_model_name(at->model));
        if (count == 0)
            remark("pose %d: %s", before + i + 1,
                   complete ? "no assembly has these values" : "no assembly was found");
        size_t room = (size_t)(all.count + count) + 1;
        all.q = resize_or_exit(all.q, room, nq * sizeof *all.q);
        at->poses = resize_or_exit(at->poses, room, sizeof *at->poses);
        at->taken = resize_or_exit(at->taken, room, sizeof *at->taken);
        double *added = all.q + (size_t)all.count * nq;
        lb_assembly_all(at->assembly, q, added, count, NULL);
        if (!loops_pick(at->assembly, at->model, poses, i, added, count, before, &taken)) {
            at->open = true;
            return false;
        }
        for (int k = 0; k < count; k++) {
            at->poses[all.count] = before + i + 1;
            at->taken[all.count++] = k == taken;
        }
        at->open = at->open || count == 0;
        at->unsure = at->unsure || !complete;
    }
    poses_release(poses);
    *poses = all;
    return true;
}

/* closes the loops of the poses, `before` of which came earlier */
static bool close_poses(placement *at, pose_list *poses, int before)
{
    if (assemblies_wanted)
        return list_assemblies(at, poses, before);
    at->open = at->assembly != NULL && !loops_close(at->assembly, at->model, poses, before, true);
    return !at->open;
}

/* of the state, the product of its singular values; 0 where the least is a rounding error of zero
 */
static double find_manipulability(const placement *at)
{
    const double tolerance = 1e-9;
    lb_singularity found = {0};
    lb_task task = lb_task_make(at->link, LB_WORLD, LB_TASK_POSITION);
    if (at->assembly != NULL) {
        double *work = allocate_or_exit(manipulability_work(at->model), sizeof *work);
        task.tool.p = at->point != NULL ? *at->point : task.tool.p;
        double product = manipulability_at(at->state, &task, at->assembly, work);
        dispose(work);
        return product;
    }
    lb_vec3 point = at->point != NULL ? *at->point : (lb_vec3){0, 0, 0};
    lb_state_singularity(at->state, at->link, point, 0, tolerance, &found);
    return found.condition < 1 / tolerance ? found.manipulability : 0;
}

/* T_base_link for every pose of the next block */
static void place_link(placement *at, const pose_list *poses)
{
    at->before += at->count;
    at->count = poses->count;
    dispose(at->places);
    dispose(at->manipulability);
    at->places = allocate_or_exit((size_t)poses->count + 1, sizeof *at->places);
    at->manipulability = allocate_or_exit((size_t)poses->count + 1, sizeof *at->manipulability);
    at->q = poses->q;
    for (int i = 0; i < poses->count; i++) {
        lb_state_update(at->state, poses->q + (size_t)i * (size_t)lb_model_nq(at->model));
        at->places[i] = lb_state_transform(at->state, at->base, at->link);
        at->manipulability[i] = manipulability_wanted ? find_manipulability(at) : 0;
    }
}

/* ---- writing ------------------------------------------------------------ */

static bool is_inside(const placement *at, int i)
{
    const double *q = at->q + (size_t)i * (size_t)lb_model_nq(at->model);
    return lb_configuration_validate(at->model, q, 1e-9, NULL) == LB_OK;
}

static void name_place(const void *results, int i, row *to)
{
    const placement *at = results;
    if (at->point != NULL)
        column_point(to, "position", "", lb_transform_point(&at->places[i], *at->point));
    else
        column_transform(to, &at->places[i]);
    if (manipulability_wanted)
        column_number(to, "manipulability", at->manipulability[i]);
    if (!assemblies_wanted)
        return;
    column_flag(to, "in_limits", is_inside(at, i));
    column_flag(to, "taken", at->taken[i]);
    column_joints(to, at->model, at->q + (size_t)i * (size_t)lb_model_nq(at->model));
}

static json_t *json_members(void *results)
{
    const placement *at = results;
    return describe_frames(at->model, at->base, at->link);
}

static void print_place(const placement *at, const lb_transform *place, FILE *stream)
{
    lb_quat q = lb_transform_quat(place);
    lb_vec3 rpy = lb_quat_to_rpy(q);
    lb_vec3 p = at->point != NULL ? lb_transform_point(place, *at->point) : place->p;
    double unit = angle_unit();
    fprintf(stream, "%s%s%s%s in the frame of %s\n", at->point != NULL ? "the point of " : "",
            console_style_text(stream, STYLE_STRONG), lb_model_link(at->model, at->link)->name,
            console_style_text(stream, STYLE_PLAIN), describe_link(at->model, at->base));
    fprintf(stream, "  position      %11.6f %11.6f %11.6f  m\n", tidy(p.x, 6), tidy(p.y, 6),
            tidy(p.z, 6));
    if (at->point != NULL)
        return;
    fprintf(stream, "  roll pitch yaw%11.6f %11.6f %11.6f  %s\n", tidy(rpy.x / unit, 6),
            tidy(rpy.y / unit, 6), tidy(rpy.z / unit, 6), angle_unit_name());
    fprintf(stream, "  quaternion    %11.6f %11.6f %11.6f %11.6f  (w x y z)\n", tidy(q.w, 6),
            tidy(q.x, 6), tidy(q.y, 6), tidy(q.z, 6));
}

/* which assembly of its pose it is, with its joints as --at takes them */
static void print_assembly(const placement *at, int i, FILE *stream)
{
    const int nq = lb_model_nq(at->model);
    value_slot *slots = values_slots(at->model);
    char name[VALUE_NAME_SIZE];
    int number = 1;
    while (number <= i && at->poses[i - number] == at->poses[i])
        number++;
    fprintf(stream, "%spose %d, assembly %d%s%s\n ", i > 0 ? "\n" : "", at->poses[i], number,
            is_inside(at, i) ? "" : ", outside limits",
            at->taken[i] ? ", taken without --assemblies" : "");
    for (int k = 0; k < nq; k++)
        fprintf(stream, " %s=%.6g", value_name(&slots[k], name),
                tidy(at->q[i * nq + k] / value_unit(&slots[k]), 6));
    fputs("\n", stream);
    dispose(slots);
}

static void write_words(void *results, FILE *stream)
{
    const placement *at = results;
    for (int i = 0; i < at->count; i++) {
        if (assemblies_wanted)
            print_assembly(at, i, stream);
        print_place(at, &at->places[i], stream);
        if (manipulability_wanted)
            fprintf(stream, "  manipulability %10.6g\n", at->manipulability[i]);
    }
}

static const destination_forms forms = {.rows =
                                            &(result_table)ROWS_OF(placement, count, name_place),
                                        .list = "poses",
                                        .members = json_members,
                                        .words = write_words};

static bool measure_places(void *results, pose_list *poses)
{
    placement *at = results;
    bool closed = close_poses(at, poses, at->before + at->count);
    if (closed)
        place_link(at, poses);
    return closed;
}

/* every arc's matrices, or the Jacobian, of the only pose there is */
static bool write_matrices(placement *at, pose_source *source)
{
    pose_list pose = {0};
    if (factors_wanted + jacobian_wanted + assemblies_wanted > 1)
        refuse("--factors, --jacobian and --assemblies: choose one");
    if (at->point != NULL)
        refuse("--point has no effect with --factors and --jacobian");
    if (manipulability_wanted)
        refuse("--manipulability has no effect with --factors and --jacobian");
    poses_next(source, INT_MAX, &pose);
    poses_next(source, 1, &pose);
    if (pose.count != 1)
        refuse("%s: one pose is wanted, there are %d", factors_wanted ? "--factors" : "--jacobian",
               pose.count);
    if (!close_poses(at, &pose, 0))
        return false;
    lb_state_update(at->state, pose.q);
    (factors_wanted ? factors_write : jacobian_write)(at->state, at->base, at->link);
    return true;
}

/* ---- the command -------------------------------------------------------- */

static int run(const char *const *operands)
{
    static const pose_work work = {&forms, measure_places};
    destination_check();
    const lb_model *model = select_model(operands[0]);
    pose_source source;
    placement at = {.model = model};
    lb_vec3 point;
    if (point_given != NULL) {
        point = argument_vector("--point", option_text(point_given));
        at.point = &point;
    }
    at.base = select_base(model);
    at.link = select_tip(model, "--frame", option_text(frame_given));
    poses_open(&source, model);
    if (assemblies_wanted && lb_model_loop_count(model) == 0)
        refuse("--assemblies: %s has no loops", lb_model_name(model));
    at.state = state_or_exit(model);
    at.assembly = loops_or_exit(model);
    bool matrices = factors_wanted || jacobian_wanted;
    bool closed = matrices ? write_matrices(&at, &source) : blocks_write_poses(&work, &at, &source);
    if (closed)
        select_remark();
    if (closed && at.unsure)
        remark("there may be more assemblies: some nearly meet, or a part can move by itself");
    return closed && !at.open ? EXIT_DONE : EXIT_UNREACHED;
}

static const struct poptOption options[] = {
    OPTION_TEXT("frame", frame_given, "LINK",
                "the link to locate; default: the tool, hand or tip, as in limber ik"),
    OPTION_TABLE(base_options),
    OPTION_TEXT("point", point_given, "\"X Y Z\"",
                "locate this point of the link, in its frame, and not the frame"),
    OPTION_FLAG(
        "factors", factors_wanted,
        "print the factors of the product: each arc's placement T and its joint's transform R"),
    OPTION_FLAG("jacobian", jacobian_wanted,
                "print the Jacobian of the link's origin; in words with its singular values, rank, "
                "condition, manipulability and null space, if that has one direction"),
    OPTION_FLAG("manipulability", manipulability_wanted,
                "also print the product of the singular values of the Jacobian of the position, as "
                "all joints from the root on move it, of a linkage the independent ones"),
    OPTION_FLAG("assemblies", assemblies_wanted,
                "of a planar linkage or a platform on six legs, a row for each assembly, with its "
                "joints"),
    OPTION_TABLE(pose_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"one pose", "limber fk panda --frame panda_hand --at \"panda_joint1=0.5 panda_joint4=-1.5\""},
    {"a linkage that closes, its crank at 1 radian",
     "limber fk four_bar --frame rocker --at \"crank=1\""},
    {"all its assemblies", "limber fk four_bar --frame rocker --at \"crank=1\" --assemblies"},
    {"in degrees and in words", "limber fk ur5 --at \"elbow_joint=90\" --degrees --report"},
    {"a point of one link as another link sees it",
     "limber fk planar3 --frame link_3 --base link_1 --point \"5 0 0\""},
    {"two poses, a row each",
     "printf 'shoulder,elbow\\n0,0\\n0.5,0.2\\n' | limber fk planar2 --poses -"},
    {"the manipulability along a path", "limber follow planar3 --to \"-20 5 0\" --rate 20 |\n"
                                        "        limber fk planar3 --poses - --manipulability"},
    {"Parent's T0 T1 R1 T2 R2 ..., with numbers",
     "limber fk planar3 --base world --factors --report --at \"joint_1=0.5\""},
    {"the Jacobian of the stretched arm, which is singular",
     "limber fk planar3 --jacobian --report --at \"joint_1=0.3 joint_2=0 joint_3=0\""},
    {NULL, NULL},
};

const command command_fk = {
    COMMAND(fk),
    .synopsis = "MODEL (--at \"JOINT=VALUE ...\" | --poses IN.(csv|npy))\n"
                "[--point \"X Y Z\" | --factors | --jacobian | --assemblies]\n"
                "[--manipulability] [--output OUT.(csv|npy)] [OPTION ...]",
    .summary = "compute the place of a link, for one pose or many (forward kinematics)",
    .details = "Prints the link's frame in that of --base, by default the root, under the header\n"
               "x,y,z,qw,qx,qy,qz, in metres and unit quaternions; a row for each pose. With\n"
               "--point it is where that point of the link is, under the header x,y,z. A joint\n"
               "with several values takes them at once, --at \"hip=1,0,0,0\", or one by one, --at\n"
               "\"hip.qw=1\"; a ball joint also takes roll, pitch, yaw at once, \"hip=0.1,0,0\".\n"
               "In CSV each has a column of its own: hip.qw, hip.qx and so on.\n\n"
               "If the model has loops, the independent joints are moved from the default values\n"
               "to those given, and the dependent joints follow on their branch. Values given\n"
               "for these too, to three decimals, say which assembly is meant. A pose that this\n"
               "does not reach, because of a dead point say, or whose dependent joints have\n"
               "other values, is an error, with exit status 1. limber info names the joints;\n"
               "--jacobian and --factors are those of the tree at that pose. --assemblies lists\n"
               "all configurations that close with the independent values of a pose, inside\n"
               "limits (the column in_limits is 1) or not; if there may be others, a note says\n"
               "so. The column taken is 1 for the one that the pose is without --assemblies.\n\n"
               "Poses of a file are read and rows written block by block, in memory that does\n"
               "not grow with their number, unless --report needs all of them. After an error a\n"
               "file given as --output is unchanged; standard output has the rows of the blocks\n"
               "before.\n\n"
               "--factors prints the matrices whose product that frame is, a row each: for every\n"
               "arc the constant placement T and, to its right, the joint's transform R (Parent\n"
               "2012, Eq. 5.4-5.5); with --base world it begins with the root arc T0.\n\n"
               "--jacobian prints how the link's origin moves with each joint velocity, along\n"
               "the base's axes: rows vx vy vz wx wy wz (Eq. 5.15-5.17), a column for each joint\n"
               "that moves the link. Columns of a joint with several values have numbers: hip.1.",
    .operands = 1,
};
