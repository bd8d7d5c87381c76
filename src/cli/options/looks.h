/*
 * looks.h - what the links of a model look like, to stand in for shapes that collide.
 */
#ifndef CLI_OPTIONS_LOOKS_H
#define CLI_OPTIONS_LOOKS_H

#include <limber/formats/gltf.h>
#include <limber/formats/load.h>
#include <limber/formats/mesh.h>

#include <stdbool.h>

/* Shapes of links and their meshes. */
typedef struct looks {
    lb_gltf_looks *figure; /* of a glTF; NULL: from visuals */
    lb_mesh_list *files;   /* of visuals; NULL: none */
    lb_link_shape *own;    /* the visuals themselves */
    const lb_link_shape *shapes;
    const lb_mesh *meshes;
    int shape_count, mesh_count;
} looks;

/* Whether no link of a model has a shape to collide with. */
bool looks_are_needed(const lb_model *model);

/*
 * What is drawn of a glTF, or else the visuals of the model that was loaded by `name`, with the
 * meshes that they name. False after a complaint. Release in any case.
 */
bool looks_find(const char *name, const lb_model *model, const lb_gltf *gltf,
                const lb_load_options *load, looks *out);
void looks_release(looks *l);

#endif
