/*
 * urdf.h - the parts of a URDF reader: one robot element, read into a draft.
 */
#ifndef FORMATS_URDF_H
#define FORMATS_URDF_H

#include "formats/draft.h"
#include "formats/xml.h"
#include "model/names.h"

/* <origin>: T_parent_origin from xyz and rpy, or quat_xyzw; without it the identity. */
lb_status urdf_origin(const xml_place *place, const xmlNode *parent, lb_transform *origin);

/*
 * The materials of a robot: name to the <color> element that defines it, from
 * the robot's own <material> elements first, then from those inside visuals.
 */
typedef struct urdf_colors {
    name_table names;
    const xmlNode **nodes;
    int count;
    void *block; /* holds it all; release it through the allocator */
} urdf_colors;

/* false when there is no memory */
bool urdf_colors_create(urdf_colors *colors, const xmlNode *robot, const lb_allocator *allocator);

/* <link>: name, <inertial> and <visual> elements. */
lb_status urdf_link(model_draft *draft, const urdf_colors *colors, const xmlNode *node,
                    lb_error *error);

/* Notes what is nearly an element or attribute of the format, and passed over. */
void urdf_notes(const load_notes *notes, const xmlNode *robot);

/* <joint> */
lb_status urdf_joint(model_draft *draft, const xmlNode *node, lb_error *error);

#endif
