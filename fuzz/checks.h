/* checks.h - what everything that a harness has loaded must stand, whatever it was loaded from. */
#ifndef FUZZ_CHECKS_H
#define FUZZ_CHECKS_H

#include <limber/formats/clip_json.h>
#include <limber/formats/gltf.h>
#include <limber/formats/joint_limits.h>
#include <limber/formats/motion_json.h>
#include <limber/formats/scene.h>
#include <limber/formats/srdf.h>

/* The Panda, and a human figure whose root floats; the same for all inputs, never NULL. */
const lb_model *fuzz_robot(void);
const lb_model *fuzz_figure(void);

/* Indices are the model's, states finite numbers. */
void fuzz_check_srdf(const lb_srdf *srdf, const lb_model *model);
/* Distances of the model from its obstacles are numbers, whatever their sizes. */
void fuzz_check_scene(const lb_scene *scene, const lb_model *model);
/* Ranges are not crossed, rates above 0. */
void fuzz_check_limits(const lb_joint_limit *limits, const lb_model *model);
/* Spans are in order; written and read back they are equal. */
void fuzz_check_spans(const lb_contacts *contacts, int point);
void fuzz_check_contacts(const lb_contacts *contacts, const lb_model *model);
/* Keys are finite; written as JSON and read back they are the same bits. */
void fuzz_check_clip(const lb_clip *clip);
/* Numbers are finite and in range; written and read back it is the same text. */
void fuzz_check_map(const lb_retarget_map *map, const lb_model *source, const lb_model *target);
/* Poses, looks and clips are finite; written with one animation more that one is found again. Looks
   have no more points than the `size` bytes that it was read from can hold. */
void fuzz_check_gltf(const lb_gltf *gltf, size_t size);

#endif
