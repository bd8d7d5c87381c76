/*
 * retarget.h - motion of one figure on another: captures on characters and humanoid robots.
 *
 *     lb_model_with_root(robot, LB_JOINT_FLOATING, NULL, &model, &error);
 *     lb_clip *motion;
 *     lb_retarget(capture, model, NULL, NULL, &motion, NULL, NULL, &error);
 *
 * (A capture that begins with a rest pose, lb_bvh_info, is sliced first and aligned by that pose:
 * examples/retarget.c.)
 *
 * A map pairs links of the source with links of the target. It is found by the names of many
 * tools and by the shape of the tree (lb_retarget_map_find), may be edited, and is kept in files
 * (formats/motion_json.h). Proportions are the target's own: limbs have the source's directions,
 * and the root's displacement is scaled by the length of the legs. Rest poses need not agree (arms
 * out or hanging), since links are aligned by their bones.
 *
 * Feet are held: where the source's heel or toe rests on the ground (lb_contacts), that of the
 * target stays in its place, at the height of the ground, entered and left smoothly in position
 * and velocity. Then each frame is one whole-body problem (body.h), from the frame
 * before it: the root's and trunk's poses, directions of limbs, the feet, a posture. Joint limits
 * are never exceeded; joints that would be faster than their limits in the file start earlier and
 * arrive later.
 *
 * Toes that move bend as the source's do; those of a foot whose ball is held lie flat under a heel
 * that rises, and none goes below the ground.
 *
 * The ground may slope. Figures stay upright on it, each foot as high above the ground below it as
 * the source's is above its own, and soles lie in the plane. A source that goes up a slope is
 * recognised by where its feet rest, and the target goes up the same slope unless it has another.
 *
 * With `hands`, palms that come near to each other or to the body, as hands on hips, do so on the
 * target, too; by directions of limbs alone arms of other proportions would miss. Palms on the
 * ground are held as feet are. On anything else (a rail, a table) they are held where contacts say
 * when: in one place, that of the source scaled as the root's path is, the hand free to turn about
 * the palm. Where arms do not reach a place the palm rests nearer, or is released.
 *
 * Where legs do not reach a place, or not in time, the step changes instead of the foot sliding:
 * contacts that two feet cannot share are shortened, places that draw the root away are moved, and
 * a foot that is late stays where it landed. The report counts these. Bones keep their lengths even
 * where every node of a file may move; feet that move beside their legs, as in figures that are
 * animated by them, are joined to these.
 *
 * What is found does not depend on a first guess: the first frame is found from fixed starts. Nor
 * does it depend on the frame rate: frames about 1/30 s apart are solved in order, all others from
 * their neighbours among these. Nor on the past: every 0.8 s a frame is found from afar as well,
 * and where that is much better than what the motion was led to, the motion goes over to it. Where
 * keys of two rates fall together, so do the results, unless a speed limit binds. Of a source that
 * would have more than 100,000 such frames and more than four a key they are that many, and farther
 * apart: a year between two keys is solved in as many steps as an hour of motion.
 *
 * Limbs do not jump where the source's do not: where a joint changes by more than 0.35 rad within
 * 1/30 s and three times as much as any joint of the source (above 1.2 rad one and a half times),
 * several solutions are followed around that time and the smoothest path through them is taken;
 * what is left of a jump of an arm or a head is spread over the time that it takes at 8 rad/s. So a
 * neck with limits, whose head spins in the source, stays at its limit and goes over to the other
 * one in time; a head that turns freely goes on turning. The report counts what was spread.
 */
#ifndef LIMBER_RETARGET_H
#define LIMBER_RETARGET_H

#include <limber/collision.h>
#include <limber/contacts.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- roles -------------------------------------------------------------- */

/* What a link is in a figure with a trunk, two arms and two legs: name, text. */
#define LB_ROLE_LIST(X)                                                                            \
    X(LB_ROLE_PELVIS, "pelvis")                                                                    \
    X(LB_ROLE_CHEST, "chest")                                                                      \
    X(LB_ROLE_HEAD, "head")                                                                        \
    X(LB_ROLE_LEFT_UPPER_ARM, "left upper arm")                                                    \
    X(LB_ROLE_LEFT_FOREARM, "left forearm")                                                        \
    X(LB_ROLE_LEFT_HAND, "left hand")                                                              \
    X(LB_ROLE_RIGHT_UPPER_ARM, "right upper arm")                                                  \
    X(LB_ROLE_RIGHT_FOREARM, "right forearm")                                                      \
    X(LB_ROLE_RIGHT_HAND, "right hand")                                                            \
    X(LB_ROLE_LEFT_THIGH, "left thigh")                                                            \
    X(LB_ROLE_LEFT_SHANK, "left shank")                                                            \
    X(LB_ROLE_LEFT_FOOT, "left foot")                                                              \
    X(LB_ROLE_LEFT_TOE, "left toe")                                                                \
    X(LB_ROLE_RIGHT_THIGH, "right thigh")                                                          \
    X(LB_ROLE_RIGHT_SHANK, "right shank")                                                          \
    X(LB_ROLE_RIGHT_FOOT, "right foot")                                                            \
    X(LB_ROLE_RIGHT_TOE, "right toe")

typedef enum lb_role {
#define LB_ROLE_ENUM(name, text) name,
    LB_ROLE_LIST(LB_ROLE_ENUM)
#undef LB_ROLE_ENUM
        LB_ROLE_COUNT
} lb_role;

/* The text of a role, never NULL; and the role of a text, LB_ROLE_COUNT for none. */
const char *lb_role_text(lb_role role);
lb_role lb_role_find(const char *text);

/* Which link of a model has each role. */
typedef struct lb_rig {
    const char *convention;   /* whose names they are: "cmu", "mixamo" ...; "shape": by the tree */
    int links[LB_ROLE_COUNT]; /* LB_NO_LINK where there is none */
} lb_rig;

/*
 * Finds the roles of a model's links: by the bones that their file says they are (lb_link: VRM's
 * humanoid map); else by names as CMU, Mixamo, LAFAN1, Xsens, SOMA, VRM, SMPL, Unreal, limber's own
 * figures and some robots have them; else by the shape of the tree in the
 * neutral configuration, z up, forward where the toes point, else x: the two lowest ends are the
 * feet, two others with the most joints the hands, the middle joint of each limb its knee or elbow.
 * Without names the toe is a link that a joint moves relative to the foot.
 * Pelvis, thighs, shanks and feet are always there; LB_BAD_MODEL where they are not found. Memory
 * is taken from `allocator` meanwhile.
 */
lb_status lb_rig_find(const lb_model *model, const lb_allocator *allocator, lb_rig *rig,
                      lb_error *error);

/*
 * The soles of a figure as points of contacts: heel and toe of the left foot, then of the right,
 * with a height of 0, no spans. `rest` (nq numbers; NULL: neutral) is a pose in which the feet are
 * flat. They are the lowest points of the feet's shapes, of a link that is named as a sole, or
 * assumed by the length of the leg; where toes move the sole ends before them. Release with
 * lb_contacts_release.
 */
lb_status lb_rig_soles(const lb_model *model, const double *rest, const lb_allocator *allocator,
                       lb_contacts **contacts, lb_error *error);

/*
 * As lb_rig_soles; where feet have no shapes, the soles are the lowest points of `looks`
 * (lb_looks_load of formats/looks.h; NULL: none; LB_INVALID_ARGUMENT: a shape is of a link that the
 * model does not have). *known (may be NULL): true if neither foot's sole had to be assumed.
 */
lb_status lb_rig_soles_by_looks(const lb_model *model, const double *rest, const lb_looks *looks,
                                const lb_allocator *allocator, lb_contacts **contacts, bool *known,
                                lb_error *error);

/*
 * When the soles of a figure rest in any clip: the points of lb_rig_soles with
 * spans. Each point's own level is measured (lb_contacts_measure_heights), and it rests where it is
 * near that level and slow, without the landing and the lifting off (lb_contact_options.settle).
 * Heights are 0 afterwards where the soles are known, so that lb_clip_check() says how far they are
 * from the ground. Where they are assumed (*assumed, may be NULL), as those of captures, heights
 * are those levels, nothing can be said of that, and heels and toes rest when lb_retarget() finds
 * the ankles and the joints of the toes to do so in a source. `rest` and `allocator` as above; the
 * ground as in contacts.h, but of assumed soles a normal of {0, 0, 0} is found, as there.
 */
lb_status lb_rig_contacts(const lb_clip *clip, const double *rest, double ground,
                          lb_vec3 ground_normal, const lb_allocator *allocator,
                          lb_contacts **contacts, bool *assumed, lb_error *error);
/* The same of the points of lb_rig_soles_by_looks. */
lb_status lb_rig_contacts_by_looks(const lb_clip *clip, const double *rest, const lb_looks *looks,
                                   double ground, lb_vec3 ground_normal,
                                   const lb_allocator *allocator, lb_contacts **contacts,
                                   bool *assumed, lb_error *error);

/* ---- maps --------------------------------------------------------------- */

enum {
    LB_RETARGET_PAIRS = 64,
    LB_RETARGET_HELD = 2 /* points of a pair that may be held: of a foot its heel and its toe */
};

/* A point of the target that stays in its place while one of the source does. */
typedef struct lb_retarget_held {
    int source;        /* link of the source */
    lb_vec3 source_at; /* in that link */
    lb_vec3 at;        /* in the pair's target link: on the sole, in the palm */
    /* it rests at any height, as a palm on a rail, where the source's does, scaled as the root is;
       else on the ground. The only held point of its pair then; the link is free to turn about it
     */
    bool any_height;
    double size; /* metres above the ground where such a point rests on that, half the thickness of
                    a hand */
} lb_retarget_held;

/*
 * One link of the source and what of it one link of the target follows. A weight of 0 leaves that
 * out. Start from lb_retarget_pair_make().
 */
typedef struct lb_retarget_pair {
    lb_role role; /* of both; LB_ROLE_COUNT: none, as in animals */
    int source, target;
    double position;    /* weight of the point, per half length of the target's leg */
    double orientation; /* weight of the axes, per radian */
    double direction;   /* weight of the bone's direction, per radian */
    /*
     * How the links correspond: axes and points are where they would be if the target were the
     * source. Where `aligned` is false lb_retarget() fills these in: from the bones of the role,
     * without a role from the rest poses, the frames' origins and no held points. Of a model in
     * which no figure is found the map's roles are one, if they have both arms or both legs.
     */
    bool aligned;
    lb_quat rotation;     /* the target link's axes seen from the source link's */
    lb_vec3 source_point; /* in the source link */
    lb_vec3 target_point; /* in the target link */
    lb_vec3 axis;         /* the bone, in the target link; what `direction` turns. Of the root
                             pair where forward is */
    lb_vec3 offset;       /* metres added to the position, x along the root's path, y to its left */
    int held_count;       /* 0 to LB_RETARGET_HELD */
    lb_retarget_held held[LB_RETARGET_HELD];
} lb_retarget_pair;

/* A pair that is not aligned, with our weights of its role; without one they are 0. */
lb_retarget_pair lb_retarget_pair_make(lb_role role, int source, int target);

/*
 * What follows what. The first pair is the root: the others' positions are scaled about its point.
 */
typedef struct lb_retarget_map {
    int count;
    lb_retarget_pair pairs[LB_RETARGET_PAIRS];
    double scale;      /* of positions against the root; 0: root_scale */
    double root_scale; /* of the root's path and height; 0: the legs' lengths, without roles how
                          far held points are from the root at rest */
    /* rotations of a file were for bones with other axes than the source has: pairs are aligned by
       their bones instead; false */
    bool realigned;
    /* scales of a file were for people, and were fitted to a source that is far smaller or larger;
       false */
    bool rescaled;
} lb_retarget_map;

/*
 * The map between two rigs, of the roles that both have, with our weights. `rest` (nq numbers of
 * the source; NULL: neutral) is a pose in which the figure stands upright, arms anyhow, as the
 * first frame of many captures; pairs are aligned there. Where a model has no figure, LB_BAD_MODEL
 * says so; write a map by hand then.
 */
lb_status lb_retarget_map_find(const lb_model *source, const double *rest, const lb_model *target,
                               const lb_allocator *allocator, lb_retarget_map *map,
                               lb_error *error);

/*
 * Puts the held points of a map's feet to soles of the target that are known better than by
 * lb_retarget_map_find, the four points of lb_rig_soles_by_looks. Fewer points change nothing.
 */
void lb_retarget_map_set_soles(lb_retarget_map map[/* 1, in place */], const lb_contacts *soles);

/* ---- retargeting -------------------------------------------------------- */

/* Start from lb_retarget_options_default(). */
typedef struct lb_retarget_options {
    const lb_retarget_map *map; /* NULL: lb_retarget_map_find() */
    const double *rest;         /* as there; NULL: neutral */
    double scale, root_scale;   /* in place of the map's; 0: as there */
    double ground;              /* z of the target's ground at x = y = 0, metres; 0 */
    /* of the target's ground, of any length, up to 60 degrees from z; {0, 0, 0}: that of the
       source's */
    lb_vec3 ground_normal;
    double rate; /* frames a second, up to LB_CLIP_KEYS_MAX of them; 0: the source's keys */
    /* the target's speed limits are left out; false. Of balls and of floating joints below the root
       none but 0 is kept: these stay as at rest */
    bool any_speed;
    bool unlocked; /* feet are not held; false */
    /* hands that touch each other or the body do so on the target, too, and those that are detected
       near the ground are held; false */
    bool hands;
    /*
     * When the source's points are held, in place of what is detected; NULL: detected. A given
     * point counts for the held point of the map that is nearest at rest, on its link or the next
     * one to it; a held point that has none takes those of its link. Where no point is of feet
     * these are detected, and where none is of hands these are as `hands` says.
     */
    const lb_contacts *contacts;
    /* how contacts are detected. The ground is that of the source: its height is measured, and a
       normal of {0, 0, 0} is found by where feet rest: level unless they prove a slope */
    lb_contact_options detect;
    double blend; /* seconds over which a foot goes over to and from its place; 0.15 */
    /* not NULL: a configuration of the target from which the first frame is tried as well; its
       result is taken only where it is much better than that of the fixed starts */
    const double *start;
    /*
     * What keeps links apart, by `distance` metres; it is of the target, and nothing else may use
     * it meanwhile. NULL: links may go through each other. Arms and legs give way to it, feet that
     * are held do not: what the pairs at most lack of the distance is in the report.
     */
    lb_collision *collision;
    double distance; /* >= 0; 0: they may touch */
} lb_retarget_options;

lb_retarget_options lb_retarget_options_default(void);

/* What was done. */
typedef struct lb_retarget_report {
    double scale, root_scale; /* that were used */
    int frames;               /* of the result */
    /* on the grid of about 30 a second that is solved in order: more than `frames` where those are
       farther apart */
    int solved;
    int iterations; /* of all solves */
    int slowed;     /* frames in which a speed limit held some joint back */
    /* the fastest that a joint would be without its limit, over the limit: above 1 the motion is so
       many times too fast. Where legs are held back feet slide; lb_retarget_slow slows the source
     */
    double fastest;
    double fastest_leg; /* the same of joints that move held points alone */
    /* contacts whose place was moved because legs or arms do not reach it, or not in time: the step
       became another one; and by how many metres at most */
    int moved;
    double worst_moved;
    int shortened; /* contacts that begin later or end earlier because legs do not reach them then
                    */
    double worst_slide;       /* metres that a held point was from its place at most */
    double worst_penetration; /* metres below the ground */
    int near;                 /* frames in which links are nearer than options.distance */
    double worst_near;        /* and by how many metres at most */
    /* contacts of feet, each from when heel or toe comes to rest until neither does, and those of
       hands that are left; 0: unlocked */
    int held, hands_held;
    /* contacts of hands that were left out, for a part of their time at least, because arms do not
       reach them; and by how many metres they were missed at most */
    int released;
    double worst_released;
    int touches;           /* pairs of a hand and what it comes near to, where hands are wanted */
    lb_vec3 source_normal; /* of the ground of the source, as it was given or found */
    /* the least slope (rise over run) of the source's ground that can be recognised in the
       direction in which contacts of its feet are nearest to each other, as across a straight path;
       what is less steep is taken to be level; 0: the normal was given; INFINITY: too few contacts
     */
    double unseen_slope;
    lb_vec3 ground_normal; /* of the target's */
    /* changes of a limb from one solution to another, as where a head turns on and its neck does
       not, that were spread over time; and the largest, radians of one joint */
    int spread;
    double worst_spread;
} lb_retarget_report;

/*
 * Makes a clip over `target` that moves as `source` does. The target needs a floating or planar
 * root (lb_model_with_root). Keys are those of the source, or even ones at options->rate;
 * linear between them. `options` and `report` may be NULL. Refused: targets beyond LB_LENGTH_MAX, a
 * map whose links are not those of the models, a target whose root does not move, contacts of no
 * point in the map.
 *
 * `contacts`, if not NULL, receives the contacts of the target, over its links, to be checked with
 * lb_clip_check() or edited; release with lb_contacts_release.
 */
lb_status lb_retarget(const lb_clip *source, const lb_model *target,
                      const lb_retarget_options *options, const lb_allocator *allocator,
                      lb_clip **out, lb_contacts **contacts, lb_retarget_report *report,
                      lb_error *error);

/*
 * For targets whose legs are slower than the motion: a clip of the source that is slowed down where
 * joints that move held feet would otherwise be faster than their limits, and only as much as that
 * takes, with the contacts at their new times. Retarget it with these contacts:
 *
 *     lb_retarget_slow(capture, robot, &options, NULL, &slowed, &contacts, &error);
 *     options.contacts = contacts;
 *     options.rate = 30; // the keys are no longer even
 *     lb_retarget(slowed, robot, &options, NULL, &motion, NULL, NULL, &error);
 *
 * The head, and arms whose hands are not held, are not considered: they start earlier and arrive
 * later. `options` may be NULL; rate and any_speed are not read. Where the map holds no points,
 * *slowed is as the source and *contacts is NULL. Refused is what lb_retarget() refuses, and a
 * joint of a leg that has to move but whose speed is limited to 0. Release with lb_clip_release and
 * lb_contacts_release.
 */
lb_status lb_retarget_slow(const lb_clip *source, const lb_model *target,
                           const lb_retarget_options *options, const lb_allocator *allocator,
                           lb_clip **slowed, lb_contacts **contacts, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
