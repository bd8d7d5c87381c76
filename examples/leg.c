/*
 * leg.c - a leg of two bones in a game loop: the foot follows the ground, the knee points ahead.
 *
 * No model is needed, and nothing is allocated. The animation has posed the leg. In each frame the
 * foot is moved to the ground's height, by rotations multiplied onto the local ones of hip and
 * knee.
 *
 * Prints:
 *     frame  0: ground  0.000, foot  0.000, knee 0.208 ahead
 *     frame 15: ground  0.060, foot  0.060, knee 0.258 ahead
 *     frame 30: ground  0.120, foot  0.120, knee 0.296 ahead
 *     frame 45: ground -0.400, foot -0.100, knee 0.004 ahead, out of reach
 */
#include <limber/limber.h>
#include <stdio.h>

enum { FRAMES = 46 };
static const double thigh = 0.45, shank = 0.43;

/* One leg, as a game has it: where the hip is, and the local rotations of its joints. */
typedef struct leg {
    lb_vec3 hip_place;
    lb_quat hip, knee;
} leg;

/* frames of hip, knee and foot in the world */
static void find_frames(const leg *l, lb_transform *hip, lb_transform *knee, lb_transform *foot)
{
    lb_transform along_thigh = lb_transform_translation(0, 0, -thigh);
    lb_transform along_shank = lb_transform_translation(0, 0, -shank);
    lb_transform bend = lb_transform_from_quat(l->knee, lb_vec3_make(0, 0, 0));
    *hip = lb_transform_from_quat(l->hip, l->hip_place);
    *knee = lb_transform_multiply(hip, &along_thigh);
    *knee = lb_transform_multiply(knee, &bend);
    *foot = lb_transform_multiply(knee, &along_shank);
}

/* slopes up, and then a hole */
static double ground_at(double x)
{
    return x < 0.5 ? 0.3 * x : -0.4;
}

/* what the animation wants: a bent leg over flat ground */
static leg animated(int frame)
{
    const lb_vec3 side = {0, 1, 0};
    leg l = {.hip_place = lb_vec3_make(frame / 75.0, 0, 0.78)};
    l.hip = lb_quat_from_axis_angle(side, -0.49);
    l.knee = lb_quat_from_axis_angle(side, 0.98);
    return l;
}

/* brings the foot to a height; returns whether it gets there */
static bool place_foot(leg *l, double height)
{
    lb_two_bone bones = lb_two_bone_default();
    lb_quat hip, knee;
    find_frames(l, &bones.start, &bones.middle, &bones.end);
    bones.target = bones.end.p;
    bones.target.z = height;
    bones.bend_axis = lb_vec3_make(0, 1, 0);
    bones.pole = lb_vec3_make(1, 0, 0);
    bool reached = lb_two_bone_solve(&bones, &hip, &knee);
    l->hip = lb_quat_multiply(l->hip, hip);
    l->knee = lb_quat_multiply(l->knee, knee);
    return reached;
}

int main(void)
{
    for (int frame = 0; frame < FRAMES; frame++) {
        leg l = animated(frame);
        lb_transform hip, knee, foot;
        double ground = ground_at(l.hip_place.x);
        bool reached = place_foot(&l, ground);
        find_frames(&l, &hip, &knee, &foot);
        if (frame % 15 == 0)
            printf("frame %2d: ground %6.3f, foot %6.3f, knee %.3f ahead%s\n", frame, ground,
                   foot.p.z, knee.p.x - hip.p.x, reached ? "" : ", out of reach");
    }
    return 0;
}
