/*
 * retarget.h - motion of one figure on another: captures on characters and humanoid robots.
 *
 *     lb_model_with_root(robot, LB_JOINT_FLOATING, NULL, &model, &error);
 *     lb_clip *motion;
 *     lb_retarget(capture, model, NULL, NULL, &motion, NULL, NULL, &error);
 *
 * The zero pose of a capture need not stand, and the axes of its links need not be anatomical: how
 * the figure lies in them is found from all of its motion (lb_retarget_rest_find).
 *
 * A map pairs links of the source with links of the target. lb_retarget_map_find finds it by the
 * names of many tools and by the shape of the tree; it may be edited, and kept in files
 * (formats/motion_json.h). Proportions are the target's own: limbs have the source's directions,
 * and the root's displacement is scaled by the length of the legs. The target's rest pose is the
 * neutral one, upright with arms out or hanging: links are aligned by their bones.
 *
 * Feet are held. While the source's heel or toe rests on the ground (lb_contacts), that of the
 * target stays in its place, at the height of the ground, entered and left smoothly in position and
 * velocity. Each frame is one whole-body problem (body.h), solved from the frame before: poses of
 * root and trunk, directions of limbs, the feet, a posture. From there all frames are solved
 * together with the squares of their accelerations (options.smooth), held feet, limits and speeds
 * being constraints, so that a limb slows down before it comes to a limit or a contact. Figures
 * with more than 64 velocities that move links of the map or with feet beside their legs keep the
 * result frame by frame (smoothed of the report). Joint limits are never exceeded; joints that
 * would be faster than their limits start earlier and arrive later; limits of acceleration
 * (options.acceleration) are kept likewise, except in frames solved by themselves and in figures
 * with loops. Toes that move bend as the source's do. Toes of a foot whose ball is held lie flat
 * under a rising heel, and none goes below the ground. All shapes of a foot are kept above the
 * ground, also in the air (worst_penetration of the report): a foot that is held by heel or toe is
 * to lie level across its long axis, and a foot that limits of its ankle roll is lifted.
 *
 * The ground may slope. Figures stay upright on it, soles lie in its plane, and each foot is as
 * high above the ground below it as the source's is above its own. A source that goes up a slope is
 * recognised by the places where its feet rest, and the target goes up an equal slope unless it has
 * another.
 *
 * With `hands`, palms that come near to each other or to the body (hands on hips) do so on the
 * target, too; directions of limbs alone would miss with arms of other proportions. Palms on the
 * ground are held as feet are. On anything else (a rail, a table) contacts say when they are held:
 * in one place, that of the source scaled as the root's path is, with the hand free to turn about
 * the palm. If arms do not reach a place, the palm rests nearer, or is released.
 *
 * If legs do not reach a place, or not in time, the step changes so that the foot need not slide:
 * contacts that two feet cannot share are shortened, places that legs miss or that draw the root
 * away are moved, and a late foot stays where it landed. The report counts these, and worst_slide
 * is what is left. Bones keep their lengths even if every node of a file may move; feet that move
 * beside their legs, as in figures that are animated by them, are joined to these.
 *
 * The result does not depend on a first guess: the first frame is found from fixed starts. It does
 * not depend on the frame rate: frames about 1/30 s apart are solved in order, all others from
 * their neighbours among these. It does not depend on the past: every 0.8 s a frame is found from
 * afar as well; if that is another solution, the motion stays in the one that leaves less of its
 * goals and changes less, and goes over where that costs least. Where keys of two rates fall
 * together, so do the results, unless a speed limit binds or the pose at rest, where none is given,
 * is another one (lb_retarget_rest_find). A source that would have more than
 * 100,000 such frames and more than four a key has that many, farther apart: a year between two
 * keys takes as many steps as an hour of motion.
 *
 * Limbs do not jump if the source's do not, when all frames are solved together: within 1/30 s no
 * joint changes by more than 0.35 rad and three times as much as any joint of the source (above
 * 1.2 rad, one and a half times), and a change from one solution to another is moved to where it
 * costs least, and joints keep to 8 rad/s there. So a neck with limits, whose head
 * spins in the source, stays at its limit and goes over to the other one in time.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_RETARGET_H
#define LIMBER_RETARGET_H

#include <limber/collision.h>
#include <limber/contacts.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- roles -------------------------------------------------------------- */

/* Roles of links in a figure with a trunk, two arms and two legs: name, text. */
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

/* The link of each role in a model. */
typedef struct lb_rig {
    /* Source of the names: "cmu", "mixamo" ...; "shape": found by the tree. */
    const char *convention;
    int links[LB_ROLE_COUNT]; /* Link of each role. -2: none. */
} lb_rig;

/*
 * Finds the roles of a model's links: by the bones that their file names (lb_link: VRM's humanoid
 * map); else by names as CMU, Mixamo, LAFAN1, Xsens, SOMA, VRM, SMPL, Unreal, limber's own figures
 * and some robots have them; else by the shape of the tree in the neutral configuration, with z up
 * and x forward unless toes point elsewhere: the two lowest ends are the feet, the two other ends
 * with the most joints the hands, the joint that bends a limb farthest from its ends its knee or
 * elbow; left and right are as names say, where these name both. The upper part of a limb of hinges
 * is what carries that joint. Without names the toe is a link that a joint moves relative to the
 * foot, about an axis that the ankle has, too. Pelvis, thighs, shanks and feet are
 * always found, else the result is LB_BAD_MODEL and *rig has the roles that names tell. Working
 * memory comes from `allocator`.
 */
lb_status lb_rig_find(const lb_model *model, const lb_allocator *allocator, lb_rig *rig,
                      lb_error *error);

/*
 * Finds the soles of a figure as points of contacts: heel and toe of the left foot, then of the
 * right, with a height of 0, no spans. `rest` (nq numbers) is a pose in which the feet are flat;
 * NULL: neutral, with a trunk that lies there turned upright and legs of hinges that are spread
 * there closed. The soles are the lowest points of the feet's shapes or of a link that is named as
 * a sole, or are assumed by the length of the leg. If toes move, the sole ends before them. Release
 * with lb_contacts_release.
 */
lb_status lb_rig_soles(const lb_model *model, const double *rest, const lb_allocator *allocator,
                       lb_contacts **contacts, lb_error *error);

/*
 * As lb_rig_soles; if feet have no shapes, the soles are the lowest points of `looks`
 * (lb_looks_load of formats/looks.h; NULL: none; LB_INVALID_ARGUMENT: a shape is of a link that the
 * model does not have). *known (may be NULL): true if neither foot's sole had to be assumed.
 */
lb_status lb_rig_soles_by_looks(const lb_model *model, const double *rest, const lb_looks *looks,
                                const lb_allocator *allocator, lb_contacts **contacts, bool *known,
                                lb_error *error);

/*
 * Finds when the soles of a figure rest in any clip: the points of lb_rig_soles, with spans. Each
 * point's own level is measured (lb_contacts_measure_heights). A foot stands while heel and toe
 * keep their levels, without landing and lifting off, however it moves along the ground; a heel or
 * toe alone rests while it is still (lb_contact_options.settle). A level is kept to a millimetre,
 * or to twice what the feet of the clip are off theirs while they are slow, at most 3 cm: to 1 to
 * 3 cm by captures of people. lb_clip_check() lets such feet roll and turn. Heights are 0
 * afterwards if the soles are known, so that it measures how far they are from the ground. If they
 * are assumed (*assumed, may be NULL), as those of captures, heights are the measured levels, and
 * that distance is unknown. `rest` (nq numbers) is a pose in which the feet are flat; NULL: neutral
 * where the soles are known, else lb_retarget_rest_find(). `ground` and `ground_normal` are as in
 * lb_contact_options; a normal of {0, 0, 0} is level for known soles and
 * found for assumed ones (lb_contacts_find_ground).
 */
lb_status lb_rig_contacts(const lb_clip *clip, const double *rest, double ground,
                          lb_vec3 ground_normal, const lb_allocator *allocator,
                          lb_contacts **contacts, bool *assumed, lb_error *error);
/* As lb_rig_contacts, of the points of lb_rig_soles_by_looks. */
lb_status lb_rig_contacts_by_looks(const lb_clip *clip, const double *rest, const lb_looks *looks,
                                   double ground, lb_vec3 ground_normal,
                                   const lb_allocator *allocator, lb_contacts **contacts,
                                   bool *assumed, lb_error *error);

/* ---- maps --------------------------------------------------------------- */

enum {
    LB_RETARGET_PAIRS = 64,
    LB_RETARGET_HELD = 2 /* Points of a pair that may be held: of a foot its heel and its toe. */
};

/* A point of the target that stays in its place while a point of the source does. */
typedef struct lb_retarget_held {
    int source;        /* Link of the source. */
    lb_vec3 source_at; /* Point in that link, metres. */
    lb_vec3 at;        /* Point in the pair's target link, metres: on the sole, in the palm. */
    /* It rests at any height, as a palm on a rail: at the height of the source's point, scaled
       as the root is. False: on the ground. Such a point is the only held point of its pair; the
       link is free to turn about it. */
    bool any_height;
    /* Half the thickness of a hand: metres above the ground at which such a point rests on it. */
    double size;
} lb_retarget_held;

/*
 * A link of the source, a link of the target, and weights by which one follows the other. A weight
 * of 0 leaves its part out. Start from lb_retarget_pair_make().
 */
typedef struct lb_retarget_pair {
    lb_role role;       /* Role of both links. LB_ROLE_COUNT: none, as in animals. */
    int source, target; /* Link of the source and link of the target. */
    double position;    /* Weight of the point, per half length of the target's leg. */
    double orientation; /* Weight of the axes, per radian. */
    double direction;   /* Weight of the bone's direction, per radian. */
    /*
     * Whether rotation, points and axis say how the links correspond, as if the target were the
     * source. False: lb_retarget() fills them in, from the bones of the role; without a role from
     * the rest poses and the frames' origins, with no held points. If no figure is found in a
     * model, the map's roles make one, provided that they have both arms or both legs.
     */
    bool aligned;
    lb_quat rotation;     /* The target link's axes seen from the source link's. */
    lb_vec3 source_point; /* Point in the source link, metres. */
    lb_vec3 target_point; /* Point in the target link, metres. */
    /* The bone in the target link, which `direction` turns; of the root pair, forward. */
    lb_vec3 axis;
    lb_vec3 offset; /* Metres added to the position, x along the root's path, y to its left. */
    int held_count; /* How many held points, 0 to 2. */
    lb_retarget_held held[LB_RETARGET_HELD]; /* The held points. */
} lb_retarget_pair;

/* Makes a pair that is not aligned, with our weights of its role. Without a role they are 0. */
lb_retarget_pair lb_retarget_pair_make(lb_role role, int source, int target);

/*
 * Pairs of links. The first pair is the root: positions of all other pairs are scaled about its
 * point.
 */
typedef struct lb_retarget_map {
    int count;                                 /* How many pairs, at most 64. */
    lb_retarget_pair pairs[LB_RETARGET_PAIRS]; /* The pairs. */
    double scale; /* Scale of positions against the root. 0: root_scale. */
    /* Scale of the root's path and height. 0: the legs' lengths, or without roles the distances
       of held points from the root at rest. */
    double root_scale;
    /* The rotations of a file were for bones with other axes than the source's, so pairs are
       aligned by their bones instead. Default: false. */
    bool realigned;
    /* The scales of a file were for people and were fitted to a source that is far smaller or
       larger. Default: false. */
    bool rescaled;
} lb_retarget_map;

/*
 * Finds the map between two rigs, of the roles that both have, with our weights. `rest` (nq numbers
 * of the source) is a pose in which the figure stands upright, with arms in any direction; pairs
 * are aligned there. NULL: neutral, in which robots stand; that of a capture is found by
 * lb_retarget_rest_find. A target whose joints turn freely, as a BVH's, is stood upright with
 * hanging arms from its neutral pose; one that is the source's skeleton, in any size, stands as the
 * source does, and there every link that moves has a pair. Returns LB_BAD_MODEL if a model has no
 * figure; *map then has the pairs of the roles that names tell in both, not aligned, to be
 * completed by hand.
 */
lb_status lb_retarget_map_find(const lb_model *source, const double *rest, const lb_model *target,
                               const lb_allocator *allocator, lb_retarget_map *map,
                               lb_error *error);

/*
 * Moves the held points of a map's feet to soles of the target that are known better than by
 * lb_retarget_map_find, the four points of lb_rig_soles_by_looks. Fewer points change nothing.
 */
void lb_retarget_map_set_soles(lb_retarget_map map[/* 1, in place */], const lb_contacts *soles);

/* ---- rest --------------------------------------------------------------- */

/*
 * Finds the pose `rest` (nq numbers) in which a captured figure stands upright, arms hanging and
 * feet flat, from all of its motion. The zero pose of a capture need not be one: any axes of its
 * links give the same pose of the figure. Trunk, limbs, hands and feet are set by the mean
 * directions of their joints, knees and elbows by the axes about which they bend, feet by how they
 * rest on the ground; what has no role is as on average. A bend that lasts all the time cannot be
 * told from axes of links.
 *
 * Roles are those of `map` where it has them (NULL: none), else of lb_rig_find. A figure whose
 * thighs, upper arms or feet are moved by hinges, as a robot, or whose feet move beside its legs,
 * has a zero that means something: it rests in its neutral pose. Refused with LB_BAD_MODEL: a model
 * without pelvis and legs, or of which a map has no roles. Up to 600 times are looked at, whole
 * thirtieths of a second apart: rates that share these keys give one pose, others poses that differ
 * by what their keys leave out.
 */
lb_status lb_retarget_rest_find(const lb_clip *clip, const lb_retarget_map *map,
                                const lb_allocator *allocator, double rest[/* nq */],
                                lb_error *error);

/* ---- retargeting -------------------------------------------------------- */

/* Start from lb_retarget_options_default(). */
typedef struct lb_retarget_options {
    /* The map. Absent: lb_retarget_map_find() finds it (the default). */
    const lb_retarget_map *map;
    /* Pose of the source (nq numbers) by which pairs are aligned, as in lb_retarget_map_find.
       Absent: found by lb_retarget_rest_find; neutral, if that finds none (the default). */
    const double *rest;
    /* Replace the scales of the map. 0: those of the map (the default). */
    double scale, root_scale;
    double ground; /* z of the target's ground at x = y = 0, metres. Default: 0. */
    /* Normal of the target's ground, of any length, up to 60 degrees from z. Zero: that of the
       source's ground (the default). */
    lb_vec3 ground_normal;
    /* Frames a second, at most 10,000,000 in all. 0: the source's keys (the default). */
    double rate;
    /* Leave the target's speed limits out. Of ball joints, and of floating joints below the
       root, only a limit of 0 is respected: such joints keep their rest pose. Default: false. */
    bool any_speed;
    bool unlocked; /* Do not hold the feet. Default: false. */
    /* Hands that touch each other or the body do so on the target, too, and hands that are
       detected near the ground are held. Default: false. */
    bool hands;
    /*
     * When the source's points are held. Absent: detected (the default). A given point counts for
     * the nearest held point of the map at rest, on its link or the next one to it; a held point
     * without one takes those of its link. If no given point is of feet, contacts of feet are
     * detected; if none is of hands, `hands` decides.
     */
    const lb_contacts *contacts;
    /* How contacts are detected. The ground is that of the source: its height is measured, and a
       zero normal is found by the places where feet rest: level unless they prove a slope. */
    lb_contact_options detect;
    /* Hertz up to which the motion follows the source: the whole clip is solved as one problem. 0:
       each frame is solved for itself. Default: 8. */
    double smooth;
    /* The largest acceleration of each joint of the target, radians or metres a second squared,
       as lb_check_options has it. All frames keep it if the whole clip is solved as one problem;
       held feet slide only if joints cannot do both. The root has no such limit. Infinite: any.
       Absent: none are known (the default). */
    const double *accelerations;
    double acceleration; /* The largest acceleration of any joint. 0: any (the default). */
    double blend; /* Seconds over which a foot goes over to and from its place. Default: 0.15. */
    /* A configuration of the target from which the first frame is tried as well; its result is
       taken only if it is much better than that of the fixed starts. Absent: none (the default). */
    const double *start;
    /* A collision of the target that keeps its links `distance` metres apart. Nothing else may
       use it meanwhile. Absent: links may go through each other (the default). It is one of the
       constraints if the whole clip is solved as one problem: arms and legs give way to it,
       limits do not, and held feet hardly. Links that are nearer in the standing pose are kept as
       far apart as there, and what cannot part pushes only so hard: feet that are held nearer to
       each other turn legs aside. The report has the largest shortfall. */
    lb_collision *collision;
    double distance; /* Distance of links, metres, >= 0. 0: they may touch (the default). */
} lb_retarget_options;

lb_retarget_options lb_retarget_options_default(void);

/* The result of retargeting in numbers. */
typedef struct lb_retarget_report {
    double scale, root_scale; /* Scales that were used. */
    int frames;               /* Frames of the result. */
    /* Frames that were solved in order, on the grid of about 30 a second: more than `frames` if
       those are farther apart. */
    int solved;
    int iterations; /* Iterations of all solves. */
    int slowed;     /* Frames in which a limit of speed or acceleration held a joint back. */
    /* The largest speed of a joint without its limit, over the limit. Above 1 the motion is so
       many times too fast. If legs are held back, feet slide; lb_retarget_slow slows the source. */
    double fastest;
    double fastest_leg; /* The largest such ratio of joints that move held points. */
    /* Contacts whose place was moved because legs or arms do not reach it, or not in time: the
       step became another one. */
    int moved;
    double worst_moved; /* The farthest that such a place was moved, metres. */
    /* Contacts that begin later or end earlier because legs do not reach them then. */
    int shortened;
    double worst_slide;       /* Largest distance of a held point from its place, metres. */
    double worst_penetration; /* Largest depth of a sole below the ground, metres. */
    int near;                 /* Frames in which links lack over 0.1 mm of the options' distance. */
    double worst_near;        /* Largest shortfall from that distance, metres. */
    /* Contacts of feet, each from when heel or toe comes to rest until neither does, and
       contacts of hands that are kept. 0: feet were not held. */
    int held, hands_held;
    /* Contacts of hands that were left out, at least for a part of their time, because arms do
       not reach them. */
    int released;
    double worst_released; /* The farthest that hands were from such a place, metres. */
    int touches; /* With hands: pairs of a hand and a part of the body that it comes near to. */
    lb_vec3 source_normal; /* Normal of the source's ground, as it was given or found. */
    /*
     * The least slope (rise over run) of the source's ground that can be recognised in the
     * direction in which its feet's contacts are nearest to each other, as across a straight path.
     * A smaller slope is taken to be level. 0: the normal was given. Infinite: too few contacts.
     */
    double unseen_slope;
    lb_vec3 ground_normal; /* Normal of the target's ground. */
    /* The largest acceleration of a joint, over its limit. 0: no joint has one. */
    double acceleration;
    int accelerated; /* Frames in which a joint exceeds its limit of acceleration. */
    /* The whole motion was solved as one problem. False: smooth was 0, or it is a figure of which
       each frame is solved for itself. */
    bool smoothed;
} lb_retarget_report;

/*
 * Makes a clip over `target` that moves as `source` does. The target needs a floating or planar
 * root (lb_model_with_root). Keys are those of the source, or even ones at options->rate; the clip
 * is linear between them. `options` and `report` may be NULL. Refused: targets beyond
 * LB_LENGTH_MAX, a map whose links are not those of the models, a target whose root does not move,
 * contacts of no point in the map.
 *
 * `contacts`, if not NULL, receives the contacts of the target, over its links, to be checked with
 * lb_clip_check() or edited; release with lb_contacts_release.
 */
lb_status lb_retarget(const lb_clip *source, const lb_model *target,
                      const lb_retarget_options *options, const lb_allocator *allocator,
                      lb_clip **out, lb_contacts **contacts, lb_retarget_report *report,
                      lb_error *error);

/*
 * Slows a source down for a target with slow legs: at times when joints that move held feet would
 * be faster than their limits, by as much as they are in the source's motion retargeted without
 * limits, with the contacts at their new times. A leg that goes over to another of its
 * configurations from a frame to the next does so in the slowed motion, too, and stays too fast.
 * Retarget it with these contacts:
 *
 *     lb_retarget_slow(capture, robot, &options, NULL, &slowed, &contacts, &error);
 *     options.contacts = contacts;
 *     options.rate = 30; // the keys are no longer even
 *     lb_retarget(slowed, robot, &options, NULL, &motion, NULL, NULL, &error);
 *
 * The head, and arms whose hands are not held, are not considered: they start earlier and arrive
 * later. `options` may be NULL; rate and any_speed are not read. If the map holds no points,
 * *slowed is a copy of the source and *contacts is NULL. Refused: input that lb_retarget() refuses,
 * and a joint of a leg that has to move but whose speed is limited to 0. Release with
 * lb_clip_release and lb_contacts_release.
 */
lb_status lb_retarget_slow(const lb_clip *source, const lb_model *target,
                           const lb_retarget_options *options, const lb_allocator *allocator,
                           lb_clip **slowed, lb_contacts **contacts, lb_error *error);

/* ---- streaming ---------------------------------------------------------- */

/*
 * Retargeting while the source moves, for live captures and teleoperation: each frame of the source
 * gives a frame of the target, which depends on no later one. So there is no latency.
 *
 *     lb_retarget_stream *stream;
 *     lb_retarget_stream_create(figure, clip, robot, NULL, NULL, &stream, &error);
 *     while (receive(&time, source_q)) {
 *         lb_retarget_stream_next(stream, time, source_q, target_q, NULL);
 *         send(target_q);
 *     }
 *     lb_retarget_stream_release(stream);
 *
 * Joint limits, speed limits and accelerations hold in every frame, whatever the source does, at
 * any rate and at uneven times. A foot is held in its place while that of the source rests, and
 * goes over to the source's path afterwards. If the leg does not reach the place, the foot is
 * released and planted again elsewhere. What needs a look ahead is left out: steps are not planned,
 * a fast motion arrives late instead of starting early, and a limb that has taken another solution
 * stays there.
 */
typedef struct lb_retarget_stream lb_retarget_stream;

/* What a frame came to. */
typedef struct lb_retarget_frame {
    /* A bit for each of the first 31 points of lb_retarget_stream_points: it is held, and moves by
       less than a tenth of a millimetre while it is. */
    int held;
    int released;       /* Points that are let go in this frame because legs do not reach them. */
    bool slowed;        /* Whether a speed limit held a joint back. */
    double penetration; /* Largest depth of these points below the ground, metres. 0: none. */
    /* Metres by which the target is beside the source's path, after a jump of the source or a
       given first configuration. */
    double jumped;
    int iterations; /* Iterations of the solves. */
} lb_retarget_frame;

/*
 * Makes a stream. `calibration` (may be NULL) is a clip of the source: some seconds in which it
 * walks or stands. It tells how the figure stands (lb_retarget_rest_find, unless the options have a
 * rest pose), how high its feet are when they rest, and the slope of the ground. Without it the
 * figure stands in the rest pose of the options, or neutral, and its ground is z = 0, level, under
 * its soles. The calibration may be released afterwards; both models, and the collision of the
 * options, must outlive the stream.
 *
 * `options` (NULL: defaults) are those of lb_retarget(), but for contacts and rate, which are not
 * read, and detect, of which the thresholds of height and speed, gap, drift and stray count: a
 * point that has risen by `stray` since it came to rest rests no longer. With `hands`, palms come
 * near to what they come near to in the calibration; hands are not held on the ground. Refused is
 * what lb_retarget() refuses. Release with lb_retarget_stream_release.
 */
lb_status lb_retarget_stream_create(const lb_model *source, const lb_clip *calibration,
                                    const lb_model *target, const lb_retarget_options *options,
                                    const lb_allocator *allocator, lb_retarget_stream **stream,
                                    lb_error *error);
/* NULL is accepted. */
void lb_retarget_stream_release(lb_retarget_stream *stream);
/*
 * Retargets a frame of the source at a time in seconds. The first frame takes some milliseconds; it
 * is found from fixed starts and the options' start. At the time of the frame before, the result is
 * the same again. If the root of the source jumps, that of the target does not: it gets there
 * within about a second. Never allocates. Returns LB_BAD_VALUE, and changes nothing, if the time is
 * not finite or goes back or source_q is no configuration: numbers that are not finite, or places
 * beyond LB_LENGTH_MAX / 4.
 */
lb_status lb_retarget_stream_next(lb_retarget_stream *stream, double time,
                                  const double source_q[/* the source's nq */],
                                  double target_q[/* the target's nq */],
                                  lb_retarget_frame frame[/* 1, or NULL */]);
/*
 * Starts again: the next frame is the first, at any time. With target_q, where a robot is, that
 * frame is target_q within the limits, and those after it go over to the source from there.
 * Accelerations stay. LB_BAD_VALUE: a number is not finite.
 */
lb_status lb_retarget_stream_reset(lb_retarget_stream *stream,
                                   const double target_q[/* nq, or NULL */]);
/*
 * Limits the acceleration of all values of a joint of the target, in radians or metres per second
 * squared, in place of that of the options; joints stop in time before their limits. INFINITY: no
 * limit. Balls and the root take none.
 */
lb_status lb_retarget_stream_set_acceleration(lb_retarget_stream *stream, int joint,
                                              double acceleration);
/* The points of the target that may be held, *n of them; owned by the stream. */
const lb_contact_point *lb_retarget_stream_points(const lb_retarget_stream *stream, int *n);

#ifdef __cplusplus
}
#endif

#endif
