/* looks.c - what a glTF draws, by which the soles of its figure are found. */
#include "looks.h"

lb_looks looks_of(const lb_gltf *gltf, lb_gltf_looks **drawn)
{
    lb_error error;
    *drawn = NULL;
    // soles of what cannot be read are assumed, as the program does
    if (gltf == NULL || lb_gltf_looks_create(gltf, NULL, drawn, &error) != LB_OK)
        return (lb_looks){0};
    const lb_gltf_looks *found = *drawn;
    return (lb_looks){found->shapes, found->meshes, found->count, found->count};
}
