/* curve.h - the keys of a clip as the curves of a glTF's nodes. */
#ifndef FORMATS_GLTF_CURVE_H
#define FORMATS_GLTF_CURVE_H

#include "formats/gltf/gltf.h"

/* Where the nodes' values are in a clip; release with gltf_curves_close. */
typedef struct gltf_curves {
    const lb_gltf *gltf;
    const lb_clip *clip;
    const char *name; /* for messages */
    int *places;      /* of each node in the clip's configuration, -1: fixed */
    lb_allocator allocator;
    lb_error *error;
} gltf_curves;

/* Finds the joints of the clip, and refuses what cannot be written. */
lb_status gltf_curves_open(gltf_curves *curves, const lb_gltf *gltf,
                           const lb_gltf_animation *animation, const lb_allocator *allocator,
                           lb_error *error);
void gltf_curves_close(gltf_curves *curves);

/* The times of all keys as floats that increase. */
lb_status gltf_curve_times(const gltf_curves *curves, float *times);
/* Whether a node departs from rest, in its rotation or in its place. */
bool gltf_curve_moves(const gltf_curves *curves, int node, gltf_path path);
/* The values of all keys, 4 or 3 numbers each. */
lb_status gltf_curve_values(const gltf_curves *curves, int node, gltf_path path, float *values);

#endif
