/*
 * json.h - the limber JSON linkage format: joint trees and Denavit-Hartenberg tables.
 *
 * docs/format.md describes it. Read with lb_load or lb_load_memory.
 *
 * Stable.
 */
#ifndef LIMBER_FORMATS_JSON_H
#define LIMBER_FORMATS_JSON_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes a model as limber JSON, a tree of joints in radians. *text is a string from `allocator`
 * (NULL: malloc), to be released through the same. Reading it back gives an equal model, number for
 * number. Values at their default are left out; models do not keep the summary and source of a
 * file.
 *
 * Refused: a name or mesh that is not UTF-8. On failure *text is NULL.
 */
lb_status lb_json_write(const lb_model *model, const lb_allocator *allocator, char **text,
                        lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
