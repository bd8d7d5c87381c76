/*
 * mapping.h - what each format means: from a tree of nodes to a model.
 *
 * This folder needs no parser and no stream: it is part of the formats library and
 * of the WebAssembly module.
 */
#ifndef FORMATS_MAPPING_MAPPING_H
#define FORMATS_MAPPING_MAPPING_H

#include "formats/mapping/tree.h"

#include <limber/formats/document.h>
#include <limber/formats/joint_limits.h>

/* ---- warnings ---------------------------------------------------------- */

/* Where the warnings about one file go; a NULL pointer to it drops them. */
typedef struct load_warnings {
    const lb_load_options *options;
    const char *path;
    int count;
    lb_error first; /* the first one, which a strict load refuses */
} load_warnings;

/* Whether looking for mistakes has any effect. */
bool warnings_wanted(const load_warnings *warnings);
/* Radians that nothing is placed at: more than a turn, which may have been rounded upwards. */
bool warnings_is_beyond_turn(double angle);
void warnings_add(load_warnings *warnings, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Refuses what was warned of, where the options are strict: with the first warning. */
lb_status warnings_refuse_strict(const load_warnings *warnings, lb_error *error);

/* ---- models ------------------------------------------------------------ */

/*
 * Builds the model that the tree below `root` describes. On failure *model stays as it
 * is and *error, but for its path, says why.
 */
typedef lb_status mapping_build(const tree_node *root, load_warnings *warnings,
                                const lb_allocator *allocator, lb_model **model, lb_error *error);

/*
 * The end of loading, whatever the format: refuses what was warned of where the options are strict,
 * and gives the model the root that they want. After a failure *model is NULL.
 */
lb_status mapping_finish(const load_warnings *warnings, lb_model **model, lb_error *error);

/* Begins an error about the file and refuses a document whose filling failed. */
lb_status mapping_open(const lb_document *document, const char *path, lb_error *error);

mapping_build mapping_urdf;
mapping_build mapping_mjcf;
mapping_build mapping_json;

/* ---- loops beside a model ---------------------------------------------- */

/* Gives *model the loops that a document beside it describes: it is replaced, and NULL after a
   failure. `path` stands for the file in messages. */
lb_status mapping_loops(lb_document *document, const char *path, const lb_load_options *options,
                        lb_model **model, lb_error *error);

/* ---- limits of joints -------------------------------------------------- */

/* A row without limits for each joint of the model. */
void joint_limits_clear(const lb_model *model, lb_joint_limit *limits);

#endif
