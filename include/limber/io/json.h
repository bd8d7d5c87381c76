/*
 * io/json.h - the limber JSON linkage format: joint trees and Denavit-Hartenberg tables.
 *
 * docs/format.md describes it. Read with lb_load or lb_load_memory.
 */
#ifndef LIMBER_IO_JSON_H
#define LIMBER_IO_JSON_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes a model as limber JSON: *text is a string allocated through `allocator`
 * (release it with the same). Reading it back gives an equal model.
 */
lb_status lb_json_write(const lb_model *model, const lb_allocator *allocator, char **text,
                        lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
