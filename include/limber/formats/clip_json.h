/*
 * clip_json.h - clips as JSON: the motion of any model, its joints by name.
 *
 *     {"limber_motion": 1,
 *      "model": "planar2", "interpolation": "linear",
 *      "joints": [{"name": "shoulder", "kind": "revolute"}, {"name": "elbow", "kind": "revolute"}],
 *      "times": [0, 0.5],
 *      "keys": [[0, 0.1], [0.2, 0.3]]}
 *
 * A key is a row of numbers: the values of the joints, one joint after the other, in metres,
 * radians and quaternions w x y z (see model.h for the values of each kind); times are seconds.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_CLIP_JSON_H
#define LIMBER_FORMATS_CLIP_JSON_H

#include <limber/clip.h>
#include <limber/formats/document.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads `size` bytes of text over a model, which must outlive the clip; `name` is for messages, and
 * lb_motion_open() reads files (motion.h). Joints may be in any order; joints of the model that are
 * not in the file stay at rest. `allocator` (NULL: malloc) serves the clip and the text meanwhile.
 * Refused with the place and the remedy: joints that the model does not have or has of another
 * kind, rows of another length, values that are no finite number, times that do not increase. On
 * failure *clip is NULL.
 */
lb_status lb_clip_json_load_memory(const char *name, const char *text, size_t size,
                                   const lb_model *model, const lb_allocator *allocator,
                                   lb_clip **clip, lb_error *error);

/*
 * As lb_clip_json_load, from nodes that a program's own parser of JSON filled in: see document.h.
 */
lb_status lb_clip_json_load_document(const char *name, const lb_document *document,
                                     const lb_model *model, const lb_allocator *allocator,
                                     lb_clip **clip, lb_error *error);

/*
 * Writes all keys, each number with as few digits as read back as the same double. *text is a
 * string from `allocator` (NULL: malloc), to be released through the same. On failure it is NULL.
 */
lb_status lb_clip_json_write(const lb_clip *clip, const lb_allocator *allocator, char **text,
                             lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
