/*
 * ground.h - the plane that figures stand on.
 *
 * It goes through (0, 0, height). What is vertical stays so on a slope: a place has a height above
 * the plane, along the normal, and the plane has an elevation below the place, along z.
 */
#ifndef MOTION_GROUND_H
#define MOTION_GROUND_H

#include <limber/math.h>

typedef struct ground_plane {
    double height;
    lb_vec3 normal; /* of unit length, z > 0 */
} ground_plane;

/* What is wrong with a plane, NULL: nothing. */
const char *ground_wrong(double height, lb_vec3 normal);
/* A normal of any length; all zeros: level. */
ground_plane ground_make(double height, lb_vec3 normal);
bool ground_is_level(const ground_plane *ground);
/* How high a point is above the plane, along the normal. */
double ground_distance(const ground_plane *ground, lb_vec3 p);
/* z of the plane above or below a point, less the height. */
double ground_rise(const ground_plane *ground, lb_vec3 p);
/* The part of a vector that is along the plane. */
lb_vec3 ground_along(const ground_plane *ground, lb_vec3 v);
/* The smallest rotation from a level plane to this one. */
lb_quat ground_tilt(const ground_plane *ground);

/* Where something rested. Those of one kind would be equally high on level ground. */
typedef struct ground_rest {
    lb_vec3 at;
    int kind; /* 0 to GROUND_KINDS - 1 */
} ground_rest;

enum { GROUND_KINDS = 2 };

/* What places where things rested say of the ground. */
typedef struct ground_slope {
    lb_vec3 normal; /* of unit length; of level ground where they prove no slope */
    /* rise over run: less steep slopes are not seen in the direction in which the places are
       nearest to each other, as across a straight path; INFINITY: none are */
    double unseen;
} ground_slope;

ground_slope ground_fit(const ground_rest *rests, int count);

#endif
