/*
 * mapping.h - what each format means: from a tree of nodes to a model.
 *
 * This folder needs no parser and no stream: it is part of the formats library and
 * of the WebAssembly module.
 */
#ifndef FORMATS_MAPPING_MAPPING_H
#define FORMATS_MAPPING_MAPPING_H

#include "formats/mapping/tree.h"
#include "formats/mapping/warnings.h"

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

#endif
