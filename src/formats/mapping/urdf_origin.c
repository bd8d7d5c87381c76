/*
 * urdf_origin.c - <origin>: where a joint, an inertia or a visual is in its link.
 */
#include "formats/mapping/urdf.h"

#include "base/error.h"

#include <math.h>

lb_status urdf_origin(const element_place *place, const tree_node *parent, lb_transform *origin)
{
    const tree_node *node;
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0}, quat[4] = {0, 0, 0, 1};
    *origin = LB_TRANSFORM_IDENTITY;
    TRY(element_only_child(place, parent, "origin", &node));
    if (node == NULL)
        return LB_OK;

    // a rotation is given in one way or not at all
    bool has_quat = tree_attribute(node, "quat_xyzw") != NULL;
    if (has_quat && tree_attribute(node, "rpy") != NULL)
        return element_refuse(place, LB_BAD_MODEL, node,
                              "<origin> has both rpy and quat_xyzw; leave one of them");
    TRY(element_numbers(place, node, "xyz", 3, xyz));
    TRY(element_numbers(place, node, "rpy", 3, rpy));
    TRY(element_numbers(place, node, "quat_xyzw", 4, quat));

    // quaternions are written with few digits, but one far from unit length is a mistake
    lb_quat rotation = {quat[3], quat[0], quat[1], quat[2]};
    double square = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    if (fabs(square - 1) > 0.02)
        return element_refuse(place, LB_BAD_VALUE, node, "quat_xyzw must have length 1, not %g",
                              sqrt(square));
    rotation = has_quat ? lb_quat_normalize(rotation) : lb_quat_from_rpy(rpy[0], rpy[1], rpy[2]);
    *origin = lb_transform_from_quat(rotation, lb_vec3_make(xyz[0], xyz[1], xyz[2]));
    return LB_OK;
}
