/*
 * motion_json.h - files about motion: maps of retarget.h and contacts of contacts.h, as JSON.
 *
 * docs/format.md describes both. Links and roles are named in the files, so a file can be edited
 * and fits any models with links of these names. Maps of GMR (its ik_configs) are read as well,
 * with their pairs, weights, scales and rotations; those rotations are made for rigs whose bones
 * have the axes of LAFAN1's.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_MOTION_JSON_H
#define LIMBER_FORMATS_MOTION_JSON_H

#include <limber/formats/document.h>
#include <limber/retarget.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a map between two models; "-" is standard input. Pairs without "rotation" are aligned when
 * they are used. Refused with file, line, thing and remedy: a link that its model does not have, an
 * unknown key or role, more than LB_RETARGET_PAIRS pairs, negative weights. `allocator` (NULL:
 * malloc) serves the text meanwhile.
 */
lb_status lb_retarget_map_load(const char *path, const lb_model *source, const lb_model *target,
                               const lb_allocator *allocator, lb_retarget_map *map,
                               lb_error *error);
/* As lb_retarget_map_load, from `size` bytes of text; `name` is for messages. */
lb_status lb_retarget_map_load_memory(const char *name, const char *text, size_t size,
                                      const lb_model *source, const lb_model *target,
                                      const lb_allocator *allocator, lb_retarget_map *map,
                                      lb_error *error);
/*
 * As lb_retarget_map_load, from nodes that a program's own parser of JSON filled in: see
 * document.h.
 */
lb_status lb_retarget_map_load_document(const char *name, const lb_document *document,
                                        const lb_model *source, const lb_model *target,
                                        const lb_allocator *allocator, lb_retarget_map *map,
                                        lb_error *error);
/*
 * Writes a map. *text is a string from `allocator`, to be released through the same. Aligned pairs
 * stay aligned. Reading it back gives an equal map, number for number.
 */
lb_status lb_retarget_map_write(const lb_retarget_map *map, const lb_model *source,
                                const lb_model *target, const lb_allocator *allocator, char **text,
                                lb_error *error);

/*
 * Reads contacts over a model's links from a file or from `size` bytes of text. Refused: a link
 * that the model does not have, spans whose ends are reversed. Spans that touch become one. Release
 * with lb_contacts_release.
 */
lb_status lb_contacts_load(const char *path, const lb_model *model, const lb_allocator *allocator,
                           lb_contacts **contacts, lb_error *error);
lb_status lb_contacts_load_memory(const char *name, const char *text, size_t size,
                                  const lb_model *model, const lb_allocator *allocator,
                                  lb_contacts **contacts, lb_error *error);
/* As lb_contacts_load, from nodes that a program's own parser of JSON filled in: see document.h. */
lb_status lb_contacts_load_document(const char *name, const lb_document *document,
                                    const lb_model *model, const lb_allocator *allocator,
                                    lb_contacts **contacts, lb_error *error);
/* Writes contacts. *text is a string from `allocator`, to be released through the same. */
lb_status lb_contacts_write(const lb_contacts *contacts, const lb_model *model,
                            const lb_allocator *allocator, char **text, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
