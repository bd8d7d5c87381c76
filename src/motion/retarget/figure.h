/*
 * figure.h - figures at rest: their links' roles, joints, palms and soles, and how the pairs of a
 * map are aligned by these.
 */
#ifndef MOTION_RETARGET_FIGURE_H
#define MOTION_RETARGET_FIGURE_H

#include "base/error.h"
#include "base/memory.h"
#include "motion/ground.h"

#include <limber/retarget.h>

/* ---- roles and places ------------------------------------------------------ */

/* Whether a vector is not given. */
static inline bool retarget_is_zero(lb_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static inline bool retarget_is_toe(lb_role role)
{
    return role == LB_ROLE_LEFT_TOE || role == LB_ROLE_RIGHT_TOE;
}

static inline lb_vec3 retarget_middle(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_scale(lb_vec3_add(a, b), 0.5);
}

/* A point of the world in the link that is at *at. */
static inline lb_vec3 retarget_in_link(const lb_transform *at, lb_vec3 p)
{
    lb_transform inverse = lb_transform_inverse(at);
    return lb_transform_point(&inverse, p);
}

/* ---- rig.c ---------------------------------------------------------------- */

/* Whether a link hangs from another one, however far down, or is it. */
bool retarget_is_below(const lb_model *model, int from, int link);
/* Whether one joint with one axis turns a link. */
bool retarget_is_hinge(const lb_model *model, int link);
/* The first link after those that hang from one: these follow it in the order of links. */
int retarget_end_below(const lb_model *model, int link);
/* The next link after `link` that is fixed to `to`, which comes first; LB_NO_LINK: none. */
int retarget_next_fixed(const lb_model *model, int to, int link);
/* Whether a foot moves freely beside its leg, as in figures that are animated by their feet. */
bool retarget_is_loose(const lb_model *model, int shank, int foot);
/* Whether pelvis and legs are there, and each part of a leg hangs from the one before, or moves
   freely. */
bool retarget_is_complete(const lb_model *model, const lb_rig *rig);

/* ---- rig_names.c ---------------------------------------------------------- */

/* The roles by the convention that has the most of them, by the bones that a file names, else by
   its links' names; whether they are a figure. */
bool retarget_find_named(const lb_model *model, lb_rig *rig);
/* Whether a name, without capitals and separators, has a word in it. */
bool retarget_name_has(const char *name, const char *word);

/* ---- palm.c: where joints meet -------------------------------------------- */

/* Where the joints that turn a link against `from`, which is above it, meet; `links`: the links'
   transforms. */
lb_vec3 retarget_joint_center(const lb_model *model, const lb_transform *links, int from, int tip);
/*
 * Where a link ends that carries no other: twice as far as its centre of mass, else the shape
 * that is farthest from its joint; its origin where neither is known.
 */
lb_vec3 retarget_link_end(const lb_model *model, const lb_transform *links, int link);
/*
 * Moves the centers of a limb's upper and lower joints into the plane in which a hinge at the lower
 * one bends it, through the center of its end: what is along the hinge's axis is the width of a
 * robot's parts, and says nothing of bones. `limb`: the links of upper part, lower part and end; no
 * end, or a middle joint that is no hinge, changes nothing but what there is.
 */
void retarget_flatten_limb(const lb_model *model, const lb_transform *links, const int limb[3],
                           lb_vec3 centers[3]);

/* ---- palm.c --------------------------------------------------------------- */

/* half the thickness of a hand, in lengths of the upper arm */
#define RETARGET_HAND_RADIUS 0.1

/* Both figures at rest, by the pairs of a map; hands, touches and soles are measured there. */
typedef struct retarget_rest {
    const lb_retarget_map *map;
    const lb_transform *source, *target; /* links */
    double source_arm, target_arm;       /* lengths of an upper arm, the means of both sides */
} retarget_rest;

/* A palm in the links of its pair. */
typedef struct retarget_palm {
    int pair; /* -1: there is none */
    lb_vec3 source, target;
} retarget_palm;

/* The pair of a role, -1: none. */
int retarget_find_pair(const lb_retarget_map *map, lb_role role);
/*
 * What a joint of the target counts in the posture: RETARGET_GIRDLE where it is a ball between
 * chest and upper arm, as a clavicle's, else 1. Nothing says where such a joint is to be, and half
 * of what an arm turns from its rest would else be the clavicle's, whose shoulder falls.
 */
#define RETARGET_GIRDLE 100.0
double retarget_posture_weight(const lb_retarget_map *map, const lb_model *target, int joint);
/* The roles that a map gives to the links of its source, or of its target. */
void retarget_map_roles(const lb_retarget_map *map, bool source, lb_rig *rig);
/* Where the points of a pair are in the world at rest. */
lb_vec3 retarget_source_place(const retarget_rest *rest, int pair);
lb_vec3 retarget_target_place(const retarget_rest *rest, int pair);
/* Fills in the lengths of arms; whether there are two. */
bool retarget_measure_arms(retarget_rest *rest);
/* The palm of a hand, on the hand's pair, else on that of the forearm. */
retarget_palm retarget_find_palm(const retarget_rest *rest, lb_role hand);
/* Of what hangs from a link, however far down, the origin that is farthest from a point; the point:
   nothing is elsewhere. */
lb_vec3 retarget_farthest_below(const lb_model *model, const lb_transform *at, int link,
                                lb_vec3 from);
/*
 * The direction in which a hand's knuckles are from the wrist, in the world: of what hangs on the
 * link itself, since finger tips move. Zero: nothing hangs there.
 */
lb_vec3 retarget_knuckles(const lb_model *model, const lb_transform *at, int hand);
/* Makes palms points that may be held, of `fresh` pairs. */
void retarget_hold_palms(retarget_rest *rest, lb_retarget_map *map, const bool *fresh);

/* Whether what a pair holds is a palm, or anything else that rests at any height. */
static inline bool retarget_is_palm(const lb_retarget_pair *pair)
{
    return pair->held_count > 0 && pair->held[0].any_height;
}

/* ---- sole.c --------------------------------------------------------------- */

/* A foot that stands flat, in the world. */
typedef struct retarget_standing_foot {
    int link;
    lb_vec3 forward;    /* a horizontal direction */
    lb_vec3 ankle;      /* the leg's end */
    double leg;         /* its length, for figures that have nothing of the foot */
    const lb_vec3 *end; /* where the sole ends at the latest, before toes that move; may be NULL */
} retarget_standing_foot;

/*
 * Heel and toe of a foot, in its link: by the shapes of the link and of what is fixed to it, else
 * by a link named as a sole, else by what they look like (NULL: nothing). `at`: the links'
 * transforms at rest. Returns whether the sole's height is known, not assumed by the leg's length.
 */
bool retarget_find_sole(const lb_model *model, const lb_transform *at, const lb_looks *looks,
                        const retarget_standing_foot *foot, lb_vec3 *heel, lb_vec3 *toe);

/* A ball of a foot, or a disc about an axis of unit length (zero: a ball), in the foot's link. */
typedef struct retarget_sole_part {
    lb_vec3 at, axis;
    double radius;
} retarget_sole_part;

/* What of a foot may touch the ground: the shapes of the link and of what is fixed to it are
   between these parts; none: nothing is known but heel and toe. Release the parts. */
typedef struct retarget_sole {
    retarget_sole_part *parts;
    int count;
} retarget_sole;

/* `at`: as above. */
lb_status retarget_sole_create(const lb_model *model, const lb_transform *at, int link,
                               const lb_allocator *memory, retarget_sole *sole);
/* The lowest point of a part in a direction of the link. */
lb_vec3 retarget_sole_point(const retarget_sole *sole, int part, lb_vec3 up);
/* How high a sole is above the ground, INFINITY: nothing is known of it, or it is NULL; *lowest:
   there, in the link. */
double retarget_sole_height(const retarget_sole *sole, const ground_plane *ground,
                            const lb_transform *link, lb_vec3 *lowest);
/* A direction of the world in the link that is at *at. */
static inline lb_vec3 retarget_along_link(const lb_transform *at, lb_vec3 d)
{
    return lb_vec3_make(lb_vec3_dot(at->x, d), lb_vec3_dot(at->y, d), lb_vec3_dot(at->z, d));
}

/* ---- anatomy.c ------------------------------------------------------------ */

/* A figure at times evenly over a clip, and the anatomical frame of each of its roles. */
typedef struct retarget_anatomy {
    lb_rig rig;
    const lb_model *model;
    int times;
    double *q; /* times x nq */
    /* 2 x times x roles: links in the world, those of the second half `later` seconds on */
    lb_transform *at;
    double apart;    /* seconds from time to time, whole thirtieths */
    double later;    /* 0: the clip is one pose */
    double *flat[2]; /* times: how surely the left and the right foot lie flat */
    /* in the links' axes, unit vectors: of hands, and where no role follows, what hangs from them;
       0: nothing does */
    lb_vec3 tips[LB_ROLE_COUNT];
    lb_transform frames[LB_ROLE_COUNT]; /* x forward, y left, z up, in the links' axes */
    bool found[LB_ROLE_COUNT];
} retarget_anatomy;

/* Looks at a clip, with memory of a pool; its rig is that of the roles, whose pelvis and legs are
   there. */
lb_status retarget_anatomy_create(const lb_clip *clip, const lb_rig *rig, const lb_allocator *pool,
                                  retarget_anatomy *a, lb_error *error);

/* ---- rest.c --------------------------------------------------------------- */

/* Where *rest is NULL it becomes what lb_retarget_rest_find() finds, if there is a figure to be
   found, in memory of a pool. */
lb_status retarget_take_rest(const lb_clip *clip, const lb_retarget_map *map,
                             const lb_allocator *pool, const double **rest, lb_error *error);

/* Whether two models are one skeleton, in any size: then poses are the same numbers in both. */
bool retarget_same_skeleton(const lb_model *a, const lb_model *b);
/* A pose, NULL: the neutral one, as a clip in memory of a pool. */
lb_status retarget_pose_clip(const lb_model *model, const double *q, const lb_allocator *pool,
                             lb_clip **clip, lb_error *error);
/* The pose at zero, or if the trunk is not upright there, the one in which the figure stands; in
   memory of a pool. */
lb_status retarget_flat_pose(const lb_model *model, const lb_allocator *pool, const double **rest,
                             lb_error *error);
/* A target's pose at rest, *stand, in memory of a pool: that of the source if both are one
   skeleton; else upright with hanging arms, by its pose at zero, if its joints turn freely; else
   that. */
lb_status retarget_stand(const lb_model *source, const double *rest, const lb_model *target,
                         const lb_retarget_map *map, const lb_allocator *pool, double **stand,
                         lb_error *error);

/* The source rests in a configuration, NULL: as its model does. */
lb_status retarget_rest_create(const lb_model *source, const double *q, const lb_model *target,
                               const lb_retarget_map *map, const lb_allocator *pool,
                               retarget_rest *rest, lb_error *error);

/* ---- retarget.c ----------------------------------------------------------- */

/* LB_BAD_VALUE where a map is not one between these models. */
lb_status retarget_check_map(const lb_retarget_map *map, const lb_model *source,
                             const lb_model *target, lb_error *error);

/* ---- align.c -------------------------------------------------------------- */

/* Fills in what `rotation`, points and axis are of every pair that is not aligned; and scales. */
lb_status retarget_align(const lb_model *source, const double *rest, const lb_model *target,
                         const lb_allocator *memory, lb_retarget_map *map, lb_error *error);

/* lb_rig_soles_by_looks(). */
lb_status retarget_soles(const lb_model *model, const double *rest, const lb_looks *looks,
                         const lb_allocator *allocator, lb_contacts **contacts, bool *known,
                         lb_error *error);

#endif
