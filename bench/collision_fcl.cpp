/*
 * collision_fcl.cpp - distances by FCL (Pan, Chitta, Manocha 2012), as MoveIt has them.
 */
#include "bench/collision_peer.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{

using object = fcl::CollisionObjectd;

struct peer {
    std::vector<std::unique_ptr<object>> objects;
    std::vector<peer_pair> pairs;
    fcl::DistanceRequestd request;
};

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const lb_geometry &g)
{
    switch (g.shape) {
    case LB_SHAPE_BOX:
        return std::make_shared<fcl::Boxd>(g.size.x, g.size.y, g.size.z);
    case LB_SHAPE_CYLINDER:
        return std::make_shared<fcl::Cylinderd>(g.size.x, g.size.z);
    case LB_SHAPE_CAPSULE:
        return std::make_shared<fcl::Capsuled>(g.size.x, g.size.z);
    case LB_SHAPE_SPHERE:
        return std::make_shared<fcl::Sphered>(g.size.x);
    default:
        return nullptr;
    }
}

fcl::Transform3d place_of(const lb_transform &t)
{
    fcl::Transform3d place = fcl::Transform3d::Identity();
    place.linear().col(0) << t.x.x, t.x.y, t.x.z;
    place.linear().col(1) << t.y.x, t.y.y, t.y.z;
    place.linear().col(2) << t.z.x, t.z.y, t.z.z;
    place.translation() << t.p.x, t.p.y, t.p.z;
    return place;
}

void *create(const peer_shapes *shapes)
{
    auto made = std::make_unique<peer>();
    for (int i = 0; i < shapes->count; i++) {
        auto geometry = geometry_of(shapes->shapes[i]);
        if (!geometry)
            return nullptr;
        made->objects.push_back(std::make_unique<object>(geometry));
    }
    made->pairs.assign(shapes->pairs, shapes->pairs + shapes->pair_count);
    // its depths end in assertions: of shapes that overlap only that they do is known
    made->request.enable_signed_distance = false;
    made->request.distance_tolerance = 1e-9;
    made->request.gjk_solver_type = fcl::GST_LIBCCD;
    return made.release();
}

double least(void *data, const lb_transform *places)
{
    auto *p = static_cast<peer *>(data);
    for (size_t i = 0; i < p->objects.size(); i++) {
        p->objects[i]->setTransform(place_of(places[i]));
        p->objects[i]->computeAABB();
    }
    double nearest = INFINITY;
    for (const peer_pair &pair : p->pairs) {
        fcl::DistanceResultd result;
        fcl::distance(p->objects[static_cast<size_t>(pair.a)].get(),
                      p->objects[static_cast<size_t>(pair.b)].get(), p->request, result);
        nearest = std::min(nearest, result.min_distance);
    }
    return nearest;
}

void release(void *data)
{
    delete static_cast<peer *>(data);
}

const collision_peer fcl_peer = {"FCL", create, least, release};

} // namespace

const collision_peer *const collision_peer_fcl = &fcl_peer;
