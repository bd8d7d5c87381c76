/* looks.c - what a glTF draws, by which the soles of its figure are found. */
#include "looks.h"

lb_looks looks_of(const lb_gltf *gltf, lb_gltf_looks **drawn)
{
    lb_error error;
    lb_load_options load = binding_load(0);
    *drawn = NULL;
    if (gltf == NULL)
        return (lb_looks){0};
    // soles of what cannot be read are assumed, as the program does
    if (lb_gltf_looks_create(gltf, NULL, drawn, &error) != LB_OK) {
        load.warn(load.user, &error);
        return (lb_looks){0};
    }
    const lb_gltf_looks *found = *drawn;
    return (lb_looks){found->shapes, found->meshes, found->count, found->count};
}
