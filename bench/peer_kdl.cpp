/*
 * peer_kdl.cpp - the Kinematics and Dynamics Library of Orocos.
 *
 * Chains are built as kdl_parser builds them from URDF: one segment a joint. Both
 * solvers get the same tolerances as ours. ChainIkSolverPos_LMA measures all six rows
 * by one norm with weights: position 1, rotation as the ratio of the tolerances.
 */
#include "peer.h"

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/config.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

namespace
{

// as in the textbooks of both: beyond these nothing more is won (measured on six arms)
constexpr int LMA_ITERATIONS = 100;
constexpr int NR_ITERATIONS = 100;
constexpr double FAR = 1e9;

KDL::Vector vector_of(const lb_vec3 &a)
{
    return KDL::Vector(a.x, a.y, a.z);
}

KDL::Frame frame_of(const lb_transform &t)
{
    return KDL::Frame(KDL::Rotation(vector_of(t.x), vector_of(t.y), vector_of(t.z)),
                      vector_of(t.p));
}

lb_transform transform_of(const KDL::Frame &f)
{
    const KDL::Vector x = f.M.UnitX(), y = f.M.UnitY(), z = f.M.UnitZ();
    return lb_transform{{x.x(), x.y(), x.z()},
                        {y.x(), y.y(), y.z()},
                        {z.x(), z.y(), z.z()},
                        {f.p.x(), f.p.y(), f.p.z()}};
}

KDL::Chain chain_of(const chain &from)
{
    KDL::Chain made;
    for (int i = 0; i < from.count; i++) {
        const chain_joint &joint = from.joints[i];
        const KDL::Frame place = frame_of(joint.placement);
        const KDL::Joint moving("", place.p, place.M * vector_of(joint.axis),
                                joint.slides ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
        made.addSegment(KDL::Segment("", moving, place));
    }
    made.addSegment(KDL::Segment("", KDL::Joint(KDL::Joint::None), frame_of(from.tool)));
    return made;
}

Eigen::Matrix<double, 6, 1> weights_of(double position_tolerance, double rotation_tolerance)
{
    const double ratio = position_tolerance / rotation_tolerance;
    Eigen::Matrix<double, 6, 1> weights;
    weights << 1, 1, 1, ratio, ratio, ratio;
    return weights;
}

// everything one comparison works with
struct arm {
    KDL::Chain chain;
    KDL::JntArray lower, upper, q, out;
    KDL::Jacobian jacobian;
    KDL::ChainFkSolverPos_recursive forward;
    KDL::ChainJntToJacSolver jacobians;
    KDL::ChainIkSolverPos_LMA lma;
    KDL::ChainIkSolverVel_pinv velocity;
    std::unique_ptr<KDL::ChainIkSolverPos_NR_JL> newton;

    arm(const ::chain &from, double position_tolerance, double rotation_tolerance)
        : chain(chain_of(from)), lower(unsigned(from.count)), upper(unsigned(from.count)),
          q(unsigned(from.count)), out(unsigned(from.count)), jacobian(unsigned(from.count)),
          forward(chain), jacobians(chain),
          lma(chain, weights_of(position_tolerance, rotation_tolerance), position_tolerance,
              LMA_ITERATIONS),
          velocity(chain)
    {
        for (int i = 0; i < from.count; i++) {
            // an infinite limit is not supported by NR_JL; a distant one is
            lower(unsigned(i)) = std::max(from.joints[i].lower, -FAR);
            upper(unsigned(i)) = std::min(from.joints[i].upper, FAR);
        }
        newton.reset(new KDL::ChainIkSolverPos_NR_JL(
            chain, lower, upper, forward, velocity, NR_ITERATIONS,
            // it looks at each component alone: of three, so that their norm is within
            std::min(position_tolerance, rotation_tolerance) / std::sqrt(3.0)));
    }

    void load(const double *values)
    {
        for (unsigned i = 0; i < q.rows(); i++)
            q(i) = values[i];
    }
};

void *create(const chain *from, double position_tolerance, double rotation_tolerance)
{
    return new (std::nothrow) arm(*from, position_tolerance, rotation_tolerance);
}

void release(void *self)
{
    delete static_cast<arm *>(self);
}

void forward(void *self, const double *q, lb_transform *tip)
{
    arm &a = *static_cast<arm *>(self);
    KDL::Frame frame;
    a.load(q);
    a.forward.JntToCart(a.q, frame);
    *tip = transform_of(frame);
}

void jacobian(void *self, const double *q, lb_transform *tip, double *numbers)
{
    arm &a = *static_cast<arm *>(self);
    forward(self, q, tip);
    a.jacobians.JntToJac(a.q, a.jacobian);
    const unsigned n = a.q.rows();
    for (unsigned row = 0; row < 6; row++)
        for (unsigned i = 0; i < n; i++)
            numbers[row * n + i] = a.jacobian(row, i);
}

bool solve(void *self, int solver, const lb_transform *target, const double *start, double *q)
{
    arm &a = *static_cast<arm *>(self);
    const KDL::Frame goal = frame_of(*target);
    a.load(start);
    const int status =
        solver == 0 ? a.lma.CartToJnt(a.q, goal, a.out) : a.newton->CartToJnt(a.q, goal, a.out);
    for (unsigned i = 0; i < a.out.rows(); i++)
        q[i] = a.out(i);
    return status >= 0;
}

const peer_solver solvers[] = {{"LMA", false}, {"NR_JL", true}};
const peer kdl = {"KDL", KDL_VERSION_STRING, create, release, forward, jacobian, solvers, 2, solve};

} // namespace

extern "C" const peer *limber_peer(void)
{
    return &kdl;
}
