/* soak_model.c - random models, tasks, targets and starts, sane and extreme ones. */
#include "soak_model.h"

#include <float.h>
#include <limber/formats/load.h>
#include <math.h>
#include <string.h>

/* ---- numbers -------------------------------------------------------------- */

int soak_index(lb_random *random, int count)
{
    return (int)((double)count * lb_random_unit(random));
}

bool soak_chance(lb_random *random, double chance)
{
    return lb_random_unit(random) < chance;
}

static lb_vec3 cube_point(lb_random *random)
{
    lb_vec3 v;
    v.x = lb_random_between(random, -1, 1);
    v.y = lb_random_between(random, -1, 1);
    v.z = lb_random_between(random, -1, 1);
    return v;
}

lb_vec3 soak_direction(lb_random *random)
{
    // of points in a cube those in the ball are equal in all directions
    for (;;) {
        lb_vec3 v = cube_point(random);
        double length = lb_vec3_length(v);
        if (length > 0.1 && length < 1)
            return lb_vec3_scale(v, 1 / length);
    }
}

static double any_bits(lb_random *random)
{
    uint64_t bits = lb_random_next(random);
    bits = bits << 32 | lb_random_next(random);
    double number;
    memcpy(&number, &bits, sizeof number);
    return isfinite(number) ? number : 0;
}

double soak_number(lb_random *random, double extreme, double most)
{
    static const double special[] = {0,
                                     1,
                                     -1,
                                     3.14159265358979,
                                     1.5707963267949,
                                     1e-12,
                                     5e-324,
                                     1e-300,
                                     1e-6,
                                     1e3,
                                     1e15,
                                     -1e15,
                                     1e300,
                                     DBL_MAX,
                                     0.5};
    double number = lb_random_between(random, -1.5, 1.5);
    if (soak_chance(random, extreme))
        number = soak_chance(random, 0.5)
                     ? special[soak_index(random, sizeof special / sizeof *special)]
                     : any_bits(random);
    return fabs(number) <= most ? number : fmod(number, most);
}

static lb_vec3 soak_point(lb_random *random, double extreme)
{
    lb_vec3 p;
    p.x = soak_number(random, extreme, LB_LENGTH_MAX);
    p.y = soak_number(random, extreme, LB_LENGTH_MAX);
    p.z = soak_number(random, extreme, LB_LENGTH_MAX);
    return p;
}

lb_transform soak_transform(lb_random *random, double extreme)
{
    lb_vec3 axis = soak_direction(random);
    lb_quat turn = lb_quat_from_axis_angle(axis, lb_random_between(random, -LB_PI, LB_PI));
    return lb_transform_from_quat(turn, soak_point(random, extreme));
}

/* ---- models --------------------------------------------------------------- */

lb_model *soak_embedded(lb_random *random)
{
    lb_model *model = NULL;
    const lb_embedded *embedded = lb_embedded_at(soak_index(random, lb_embedded_count()));
    lb_load_memory("embedded.json", embedded->text, embedded->size, NULL, &model, NULL);
    return model;
}

/* mostly along a coordinate axis, as real joints are */
static lb_vec3 joint_axis(lb_random *random)
{
    static const lb_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
    return soak_chance(random, 0.6) ? axes[soak_index(random, 4)] : soak_direction(random);
}

/* now none, now a displacement, now a quarter turn as well, now anything */
static lb_transform placement(lb_random *random, double extreme)
{
    lb_transform place = soak_transform(random, extreme);
    int which = soak_index(random, 4);
    if (which == 3)
        return place;
    lb_vec3 p = which == 0 ? lb_vec3_make(0, 0, 0) : place.p;
    lb_quat quarter = lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), which == 2 ? LB_PI / 2 : 0);
    return lb_transform_from_quat(quarter, p);
}

static void set_limits(lb_random *random, double extreme, lb_joint *joint)
{
    for (int i = 0; i < 3; i++) {
        double a = 2 * soak_number(random, extreme, LB_LENGTH_MAX / 2);
        double b = 2 * soak_number(random, extreme, LB_LENGTH_MAX / 2);
        joint->lower[i] = soak_chance(random, 0.1) ? -INFINITY : fmin(a, b);
        joint->upper[i] = soak_chance(random, 0.1) ? INFINITY : fmax(a, b);
    }
}

/* `index` joints are before it, of which it may follow one */
static lb_joint random_joint(lb_random *random, double extreme, int index, char names[][2],
                             unsigned kinds)
{
    lb_joint joint = lb_joint_default();
    joint.name = names[index];
    joint.parent = names[soak_chance(random, 0.1) ? soak_index(random, index + 1) : index];
    joint.child = names[index + 1];
    do
        joint.kind = (lb_joint_kind)soak_index(random, LB_JOINT_KIND_COUNT);
    while (!(kinds >> joint.kind & 1));
    joint.placement = placement(random, extreme);
    joint.axis = joint_axis(random);
    do
        joint.axis2 = joint_axis(random);
    while (lb_vec3_length(lb_vec3_cross(joint.axis, joint.axis2)) < 0.01);
    if (soak_chance(random, 0.5))
        set_limits(random, extreme, &joint);
    joint.weight = fabs(soak_number(random, extreme, 1e300)) + 1e-3;
    joint.locked = soak_chance(random, 0.05);
    if (index > 0 && soak_chance(random, 0.05)) {
        joint.mimic = names[soak_index(random, index)];
        joint.multiplier = soak_number(random, extreme, LB_LENGTH_MAX);
        joint.offset = soak_number(random, extreme, LB_LENGTH_MAX);
    }
    return joint;
}

lb_model *soak_tree(lb_random *random, double extreme)
{
    char names[SOAK_MOST_JOINTS + 1][2];
    lb_link links[SOAK_MOST_JOINTS + 1];
    lb_joint joints[SOAK_MOST_JOINTS];
    // one half turns alone, as arms do
    const unsigned turning = 1u << LB_JOINT_REVOLUTE | 1u << LB_JOINT_CONTINUOUS;
    unsigned kinds = soak_chance(random, 0.5) ? turning : (1u << LB_JOINT_KIND_COUNT) - 1;
    int count = 1 + soak_index(random, SOAK_MOST_JOINTS);
    for (int i = 0; i <= count; i++) {
        names[i][0] = (char)('a' + i);
        names[i][1] = '\0';
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < count; i++)
        joints[i] = random_joint(random, extreme, i, names, kinds);
    lb_model_source source = {.name = "soak",
                              .root = soak_transform(random, extreme),
                              .links = links,
                              .link_count = count + 1,
                              .joints = joints,
                              .joint_count = count};
    lb_model *model = NULL;
    lb_model_build(&source, NULL, &model, NULL);
    return model;
}

/* ---- tasks ---------------------------------------------------------------- */

lb_task soak_task(lb_random *random, const lb_model *model, int base, double extreme)
{
    int links = lb_model_link_count(model), tips[LB_DEFAULT_TIPS], count = 0;
    // mostly where the tool is, so that most joints take part
    int tip = soak_index(random, links);
    if (soak_chance(random, 0.8) && lb_model_default_tips(model, NULL, tips, &count) == LB_OK)
        tip = tips[soak_index(random, count)];
    lb_task task = lb_task_make(tip, base, (lb_task_kind)soak_index(random, 3));
    if (soak_chance(random, 0.3))
        task.tool = soak_transform(random, extreme);
    if (soak_chance(random, 0.1))
        task.free_axis = soak_direction(random);
    if (soak_chance(random, 0.1))
        task.free_position = 1u + (unsigned)soak_index(random, 6);
    if (soak_chance(random, 0.1))
        task.weight = fabs(soak_number(random, extreme, 1e300)) + 1e-3;
    return task;
}
