/*
 * gait.h - walking made from a few numbers: step length, cadence, heel rise, arm swing.
 *
 *     lb_load_options load = lb_load_options_default();
 *     load.root = LB_ROOT_FLOATING;
 *     lb_load_with_options("human", &load, &model, &error);
 *     lb_clip *walk;
 *     lb_contacts *contacts;
 *     lb_gait_walk(model, NULL, NULL, &walk, &contacts, &error);
 *
 * A walk of any length for tests, examples and pages, without a recording. Feet rest exactly, and
 * each cycle ends in the pose with which it began, one stride farther.
 *
 * The places where heels, soles and toes rest are laid out first. The pelvis goes above them as its
 * few numbers say; trunk, head and arms have their rotations. Each key is one whole-body problem
 * (body.h), solved from one fixed start, so a pose depends on its place in the cycle alone. Heels
 * rise about the toes' ends.
 *
 * The defaults are those of an adult who walks at ease: a foot rests for 0.62 of a cycle and swings
 * for the rest, knees bend by some 20 degrees as the weight comes on them and by 60 in the swing
 * (Winter, Biomechanics and Motor Control of Human Movement). All other numbers are ours, chosen so
 * that the built-in `human` stays within its limits. Feet have no joint at the toes, so ankles bend
 * farther than a person's before the heel rises, and the pelvis rises and falls less.
 *
 * Units are metres, radians and seconds, with z up. A phase is a share of the cycle, from 0 to 1,
 * that begins when the foot's heel comes to rest; the right foot is half a cycle behind the left
 * one.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_GAIT_H
#define LIMBER_GAIT_H

#include <limber/contacts.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from lb_gait_default(). A leg is measured from hip to ankle, straight. */
typedef struct lb_gait {
    /* Length of a step, from heel to heel of the other foot, in legs. Default: 0.69. */
    double step_length;
    double cadence; /* Steps a minute. Default: 100. */
    /* Width of a step, from heel to heel to the side, in legs. Default: 0.16. */
    double step_width;
    double heel_lead; /* How far before the hips a heel comes down, in legs. Default: 0.268. */
    double toe_out;   /* Angle by which toes point outwards, radians. Default: 0.15. */

    /* Phases at which a foot's sole is flat, its heel leaves the ground and its toes do: 0 <
       flat < heel_off < toe_off < 1. Defaults: 0.12, 0.38 and 0.62. */
    double flat, heel_off, toe_off;
    /* Angle by which the toes are up when the heel comes to rest, radians. Default: 0.29. */
    double heel_pitch;
    /* Angle by which the heel is up when the toes leave the ground, radians. Default: 0.7. */
    double toe_pitch;
    /* Height of a foot in the middle of its swing, besides that of its pitch, in legs. Default:
       0.07. */
    double clearance;

    /* Height of the hips above the ankles of standing feet, in legs. Default: 0.97. */
    double pelvis_height;
    double pelvis_rise; /* Half of how far the pelvis rises and falls, in legs. Default: 0.006. */
    /* How far the pelvis moves to the side of the resting foot, in legs. Default: 0.025. */
    double pelvis_sway;
    /* Turn of the pelvis about the vertical, with the leg in front, radians. Default: 0.06. */
    double pelvis_turn;
    /* Turn of the pelvis about the forward axis, swinging side down, radians. Default: 0.065. */
    double pelvis_list;

    double lean; /* Forward lean of the trunk, radians. Default: 0.04. */
    /* Turn of the chest about the vertical, against the pelvis, radians. Default: 0.09. */
    double chest_turn;
    /* Swing of the upper arms to either side, against the legs, radians. Default: 0.36. */
    double arm_swing;
    double arm_middle; /* Forward angle in the middle of the arms' swing, radians. Default: 0. */
    double elbow; /* Bend of elbows beyond rest as the arm goes forward, radians. Default: 0.22. */

    double ground; /* Height of the ground, metres. Default: 0. */

    /* Cycles of two steps, >= 1. At most a million keys are made of all cycles. Default: 1. */
    int cycles;
    double rate; /* Keys a second, rounded so that a cycle has whole keys. Default: 60. */
} lb_gait;

lb_gait lb_gait_default(void);

/*
 * Makes a clip in which a figure walks, from where it stands at rest in the direction of its toes.
 * It is linear between keys; the first key is at time 0, and the last is a pose like the first. The
 * model has a floating root (lb_model_with_root) and legs whose feet can be turned in all
 * directions; at rest it stands upright with its arms down and its soles level, as the built-in
 * `human` does. lb_rig_find() finds its links and lb_rig_soles() its soles (retarget.h). `gait` may
 * be NULL: the defaults.
 *
 * `contacts`, if not NULL, receives when heels and toes rest, by construction: the points are those
 * of lb_rig_soles(), and a held one moves by less than 1e-8 m at keys. Release it with
 * lb_contacts_release, the clip with lb_clip_release; both are NULL on failure.
 *
 * Refused: a number of the gait that is not finite or out of its range, by name (LB_BAD_VALUE); a
 * pose that the figure does not reach within its limits, by link and phase; a model that is no such
 * figure (LB_BAD_MODEL).
 */
lb_status lb_gait_walk(const lb_model *model, const lb_gait *gait, const lb_allocator *allocator,
                       lb_clip **clip, lb_contacts **contacts, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
