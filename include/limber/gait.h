/*
 * gait.h - walking made from a few numbers: step length, cadence, how far heels rise, arm swing.
 *
 *     lb_load_options load = lb_load_options_default();
 *     load.root = LB_ROOT_FLOATING;
 *     lb_load_with_options("human", &load, &model, &error);
 *     lb_clip *walk;
 *     lb_contacts *contacts;
 *     lb_gait_walk(model, NULL, NULL, &walk, &contacts, &error);
 *
 * A walk of any length for tests, examples and pages, without a recording: feet rest exactly,
 * and after each cycle the pose is the same again, one stride farther.
 *
 * Where the heels, soles and toes rest is laid out first, the pelvis goes above them as its few
 * numbers say, trunk, head and arms have their rotations. Each key is then one whole-body
 * problem (body.h), solved from the same start, so that a pose depends on its place in the cycle
 * alone. Heels rise about the toes' ends.
 *
 * The defaults are those of an adult who walks at ease: of a cycle a foot rests for 0.62 and swings
 * for the rest, knees bend by some 20 degrees as the weight comes on them and by 60 in the swing
 * (Winter, Biomechanics and Motor Control of Human Movement). All other numbers are ours, chosen so
 * that the built-in `human` stays within its limits. Feet have no joint at the toes, so ankles bend
 * farther than a person's before the heel rises, and the pelvis rises and falls less.
 *
 * Metres, radians, seconds; z up. A phase is a share of the cycle, from 0 to 1, which begins where
 * the foot's heel comes to rest; the right foot is half a cycle behind the left one.
 */
#ifndef LIMBER_GAIT_H
#define LIMBER_GAIT_H

#include <limber/contacts.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from lb_gait_default(). A leg's length is that from the hip to the ankle, straight. */
typedef struct lb_gait {
    double step_length; /* from heel to heel of the other foot, lengths of the leg; 0.69 */
    double cadence;     /* steps a minute; 100 */
    double step_width;  /* from heel to heel to the side, lengths of the leg; 0.16 */
    double heel_lead;   /* how far before the hips a heel comes down, lengths of the leg; 0.268 */
    double toe_out;     /* by how much toes point outwards; 0.15 */

    /* where in a foot's cycle the sole is flat, the heel leaves the ground and the toes do:
       0 < flat < heel_off < toe_off < 1; 0.12, 0.38, 0.62 */
    double flat, heel_off, toe_off;
    double heel_pitch; /* how far the toes are up when the heel comes to rest; 0.29 */
    double toe_pitch;  /* how far the heel is up when the toes leave the ground; 0.7 */
    double clearance;  /* how high a foot is lifted in the middle of its swing, besides that it
                          is pitched, lengths of the leg; 0.07 */

    double pelvis_height; /* of the hips above where ankles stand, lengths of the leg; 0.97 */
    double pelvis_rise; /* half of how far the pelvis rises and falls, lengths of the leg; 0.006 */
    double pelvis_sway; /* to the side of the foot that rests, lengths of the leg; 0.025 */
    double pelvis_turn; /* about the vertical, with the leg that is in front; 0.06 */
    double pelvis_list; /* about the forward axis, the swinging side down; 0.065 */

    double lean;       /* of the trunk, forward; 0.04 */
    double chest_turn; /* about the vertical, against the pelvis; 0.09 */
    double arm_swing;  /* of the upper arms to either side, against the legs; 0.36 */
    double arm_middle; /* forward in the middle of the swing; 0 */
    double elbow;      /* how far elbows bend beyond rest as the arm goes forward; 0.22 */

    double ground; /* its height; 0 */

    int cycles;  /* of two steps, 1 or more; 1. At most a million keys are made of all cycles */
    double rate; /* keys a second; the nearest is taken that has whole keys in a cycle; 60 */
} lb_gait;

lb_gait lb_gait_default(void);

/*
 * Makes a clip in which a figure walks, from above where it stands at rest in the direction of its
 * toes; linear between keys, the first at time 0, the last a pose like the first. The model has a
 * floating root (lb_model_with_root), legs whose feet can be turned in all directions, and at rest
 * stands upright with its arms down and its soles level; as the built-in `human` does.
 * Which link is what, lb_rig_find() and where the soles are, lb_rig_soles() (retarget.h) find.
 * `gait` may be NULL: the defaults.
 *
 * `contacts`, if not NULL, receives when heels and toes rest, by construction: the points are those
 * of lb_rig_soles(), and while one is held it moves by less than 1e-8 m at keys. Release it with
 * lb_contacts_release, the clip with lb_clip_release; both are NULL on failure.
 *
 * Refused: a number of the gait that is not finite or out of its range, by name (LB_BAD_VALUE); a
 * pose that the figure does not reach within its limits, with what of it and when in the cycle; a
 * model that is no such figure (LB_BAD_MODEL).
 */
lb_status lb_gait_walk(const lb_model *model, const lb_gait *gait, const lb_allocator *allocator,
                       lb_clip **clip, lb_contacts **contacts, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
