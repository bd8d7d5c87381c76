/*
 * urdf.h - the parts of a URDF reader: one robot element, read into a draft.
 */
#ifndef FORMATS_MAPPING_URDF_H
#define FORMATS_MAPPING_URDF_H

#include "formats/mapping/draft.h"
#include "formats/mapping/element.h"
#include "model/names.h"

/* <origin>: T_parent_origin from xyz and rpy, or quat_xyzw; without it the identity. */
lb_status urdf_origin(const element_place *place, const tree_node *parent, lb_transform *origin);

/*
 * The materials of a robot: name to the <color> element that defines it, from
 * the robot's own <material> elements first, then from those inside visuals.
 */
typedef struct urdf_colors {
    name_table names;
    const tree_node **nodes;
    int count;
} urdf_colors;

/* In memory of a pool; false when there is none. */
bool urdf_colors_create(urdf_colors *colors, const tree_node *robot, const lb_allocator *pool);

/* <link>: name, <inertial>, <visual> and <collision> elements. */
lb_status urdf_link(model_draft *draft, const urdf_colors *colors, const tree_node *node,
                    lb_error *error);

/* Warns of what is nearly an element or attribute of the format, and passed over. */
void urdf_check(load_warnings *warnings, const tree_node *robot);

/*
 * Refuses a robot that is yet to be made by xacro; warns of macros that are left over
 * in one that is complete.
 */
lb_status urdf_check_macros(const element_place *place, const tree_node *robot);

/* <joint> */
lb_status urdf_joint(model_draft *draft, const tree_node *node, lb_error *error);

#endif
