/* motion_json.c - contacts, maps and clips as JSON, from the nodes that the package has parsed. */
#include "looks.h"
#include "output.h"

#include <limber/formats/clip_json.h>
#include <limber/formats/motion_json.h>

#include <stdlib.h>
#include <string.h>

/* the text that a writer made becomes the output; 0, or a status with its message */
static int take_text(lb_status status, char *text)
{
    output_begin();
    if (status == LB_OK && !output_write(NULL, text, strlen(text)))
        status = lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    free(text);
    return (int)status;
}

/* ---- contacts ------------------------------------------------------------- */

/* of a document as in binding.h; NULL on failure */
lb_contacts *EXPORT(contacts_load)(const char *strings, const double *rows, int count,
                                   const lb_model *model)
{
    lb_contacts *contacts = NULL;
    const char *path;
    lb_document *document = binding_document(strings, rows, count, &path);
    if (document != NULL)
        lb_contacts_load_document(path, document, model, NULL, &contacts, &binding_error);
    lb_document_release(document);
    return contacts;
}

/* 0, or a status with its message */
int EXPORT(contacts_write)(const lb_contacts *contacts, const lb_model *model)
{
    char *text = NULL;
    lb_status status = lb_contacts_write(contacts, model, NULL, &text, &binding_error);
    return take_text(status, text);
}

/* ---- maps; NULL on failure ------------------------------------------------- */

/* `status` after a map was filled in */
static lb_retarget_map *keep_map(lb_retarget_map *map, lb_status status)
{
    if (status == LB_OK)
        return map;
    free(map);
    return NULL;
}

static lb_retarget_map *new_map(void)
{
    lb_retarget_map *map = malloc(sizeof *map);
    if (map == NULL)
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    return map;
}

/* the held points of a map on the soles that the target draws */
static lb_status find_soles(lb_retarget_map *map, const lb_model *target, const lb_gltf *gltf)
{
    lb_contacts *soles;
    lb_gltf_looks *drawn;
    bool known;
    lb_looks looks = looks_of(gltf, &drawn);
    lb_status status =
        lb_rig_soles_by_looks(target, NULL, &looks, NULL, &soles, &known, &binding_error);
    if (known)
        lb_retarget_map_set_soles(map, soles);
    lb_contacts_release(soles);
    lb_gltf_looks_release(drawn);
    return status;
}

/* in which figure the latest map_find() found no pelvis and legs: 0 none, 1 source, 2 target */
static int unrecognised;

int EXPORT(map_unrecognised)(void)
{
    return unrecognised;
}

static int find_unrecognised(const lb_model *source, const lb_model *target)
{
    lb_rig rig;
    if (lb_rig_find(source, NULL, &rig, NULL) == LB_BAD_MODEL)
        return 1;
    return lb_rig_find(target, NULL, &rig, NULL) == LB_BAD_MODEL ? 2 : 0;
}

/* `rest` may be NULL, and `gltf`, the file that the target is of */
lb_retarget_map *EXPORT(map_find)(const lb_model *source, const double *rest,
                                  const lb_model *target, const lb_gltf *gltf)
{
    lb_retarget_map *map = new_map();
    unrecognised = 0;
    if (map == NULL)
        return NULL;
    lb_status status = lb_retarget_map_find(source, rest, target, NULL, map, &binding_error);
    if (status == LB_BAD_MODEL)
        unrecognised = find_unrecognised(source, target);
    if (status == LB_OK && gltf != NULL)
        status = find_soles(map, target, gltf);
    return keep_map(map, status);
}

lb_retarget_map *EXPORT(map_load)(const char *strings, const double *rows, int count,
                                  const lb_model *source, const lb_model *target)
{
    lb_retarget_map *map = new_map();
    const char *path;
    lb_document *document = binding_document(strings, rows, count, &path);
    lb_status status = LB_OUT_OF_MEMORY;
    if (map != NULL && document != NULL)
        status = lb_retarget_map_load_document(path, document, source, target, NULL, map,
                                               &binding_error);
    lb_document_release(document);
    return keep_map(map, status);
}

void EXPORT(map_release)(lb_retarget_map *map)
{
    free(map);
}

/* 0, or a status with its message */
int EXPORT(map_write)(const lb_retarget_map *map, const lb_model *source, const lb_model *target)
{
    char *text = NULL;
    lb_status status = lb_retarget_map_write(map, source, target, NULL, &text, &binding_error);
    return take_text(status, text);
}

/* ---- clips ---------------------------------------------------------------- */

/* NULL on failure */
lb_clip *EXPORT(clip_json_load)(const char *strings, const double *rows, int count,
                                const lb_model *model)
{
    lb_clip *clip = NULL;
    const char *path;
    lb_document *document = binding_document(strings, rows, count, &path);
    if (document != NULL)
        lb_clip_json_load_document(path, document, model, NULL, &clip, &binding_error);
    lb_document_release(document);
    return clip;
}

/* 0, or a status with its message */
int EXPORT(clip_json_write)(const lb_clip *clip)
{
    char *text = NULL;
    lb_status status = lb_clip_json_write(clip, NULL, &text, &binding_error);
    return take_text(status, text);
}
