/*
 * looks.h - what a glTF draws, by which the soles of its figure are found.
 */
#ifndef LOOKS_H
#define LOOKS_H

#include "../binding.h"

#include <limber/formats/gltf.h>

/* Nothing without a glTF (NULL), and where it cannot be read, which is the one warning then; *drawn
   owns it, to be released. */
lb_looks looks_of(const lb_gltf *gltf, lb_gltf_looks **drawn);

#endif
