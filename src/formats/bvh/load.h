/* load.h - BVH as one of the formats that models are read from. */
#ifndef FORMATS_BVH_LOAD_H
#define FORMATS_BVH_LOAD_H

#include <limber/formats/document.h>

/* The model of a BVH file, with the unit and the up axis that are recognised. */
lb_status bvh_load_model(const char *name, const char *file, const char *text, size_t size,
                         const lb_load_options *options, lb_model **model, lb_error *error);

#endif
