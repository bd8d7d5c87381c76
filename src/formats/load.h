/*
 * load.h - what lb_load reads by itself: formats that are no trees of elements, and built-in
 * models.
 */
#ifndef FORMATS_LOAD_H
#define FORMATS_LOAD_H

#include <limber/formats/document.h>
#include <limber/formats/load.h>

/* The model of a BVH file, with the unit and the up axis that are recognised. */
lb_status bvh_load_model(const char *name, const char *file, const char *text, size_t size,
                         const lb_load_options *options, lb_model **model, lb_error *error);

/* The model of a glTF or GLB; buffers are looked for beside `file`, NULL: from memory. */
lb_status gltf_load_model(const char *name, const char *file, const char *text, size_t size,
                          const lb_load_options *options, lb_model **model, lb_error *error);

/* ---- built-in models --------------------------------------------------- */

/* Sorted by name. */
extern const lb_embedded embedded_models[];
extern const int embedded_model_count;

#endif
