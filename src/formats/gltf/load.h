/* load.h - glTF as one of the formats that models are read from. */
#ifndef FORMATS_GLTF_LOAD_H
#define FORMATS_GLTF_LOAD_H

#include <limber/formats/document.h>

/* The model of a glTF or GLB; buffers are looked for beside `file`, NULL: from memory. */
lb_status gltf_load_model(const char *name, const char *file, const char *text, size_t size,
                          const lb_load_options *options, lb_model **model, lb_error *error);

#endif
