/*
 * kdl.cpp - a program that works with KDL, and has its solver changed for limber's.
 *
 * Both solvers have the same interface. Here they solve the same thousand targets of a Puma 560,
 * from the same starts; whether a target is reached is decided by KDL's own forward kinematics.
 *
 * Prints:
 *     limber reaches 1000 of 1000 targets, all within the limits
 *     KDL's NR_JL reaches ...
 *     a target beyond its reach: error -5, q_out is the nearest
 */
#include "limber_kdl.hpp"

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>

#include <cstdio>

static const double limits[6][2] = {{-2.7925, 2.7925}, {-3.9270, 0.7854}, {-0.7854, 3.9270},
                                    {-1.9199, 2.9671}, {-1.7453, 1.7453}, {-4.6426, 4.6426}};

// Craig 1986 and Paul's dimensions, by Denavit and Hartenberg
static KDL::Chain make_chain()
{
    using KDL::Frame;
    using KDL::Joint;
    using KDL::Segment;
    const double quarter = KDL::PI / 2;
    KDL::Chain chain;
    chain.addSegment(Segment(Joint(Joint::RotZ), Frame::DH(0, quarter, 0, 0)));
    chain.addSegment(Segment(Joint(Joint::RotZ), Frame::DH(0.4318, 0, 0, 0)));
    chain.addSegment(Segment(Joint(Joint::RotZ), Frame::DH(0.0203, -quarter, 0.15005, 0)));
    chain.addSegment(Segment(Joint(Joint::RotZ), Frame::DH(0, quarter, 0.4318, 0)));
    chain.addSegment(Segment(Joint(Joint::RotZ), Frame::DH(0, -quarter, 0, 0)));
    chain.addSegment(Segment(Joint(Joint::RotZ), Frame::DH(0, 0, 0, 0)));
    return chain;
}

static void fill(lb_random &random, KDL::JntArray &q)
{
    for (unsigned i = 0; i < 6; i++)
        q(i) = lb_random_between(&random, limits[i][0], limits[i][1]);
}

// how many of the same thousand targets a solver reaches within the limits
static int count_reached(KDL::ChainIkSolverPos &solver, const KDL::Chain &chain)
{
    KDL::ChainFkSolverPos_recursive forward(chain);
    KDL::JntArray start(6), q(6);
    lb_random random = lb_random_seed(1);
    int reached = 0;
    for (int n = 0; n < 1000; n++) {
        KDL::Frame target, there;
        fill(random, q);
        forward.JntToCart(q, target);
        fill(random, start);
        if (solver.CartToJnt(start, target, q) < 0)
            continue;
        forward.JntToCart(q, there);
        bool inside = true;
        for (unsigned i = 0; i < 6; i++)
            inside = inside && q(i) >= limits[i][0] && q(i) <= limits[i][1];
        reached += inside && KDL::Equal(target, there, 1e-5);
    }
    return reached;
}

int main()
{
    const KDL::Chain chain = make_chain();
    KDL::JntArray low(6), high(6), q(6), out(6);
    for (unsigned i = 0; i < 6; i++) {
        low(i) = limits[i][0];
        high(i) = limits[i][1];
    }

    limber_kdl::ChainIkSolverPos ours(chain, low, high);
    std::printf("limber reaches %d of 1000 targets, all within the limits\n",
                count_reached(ours, chain));

    KDL::ChainFkSolverPos_recursive forward(chain);
    KDL::ChainIkSolverVel_pinv velocity(chain);
    KDL::ChainIkSolverPos_NR_JL theirs(chain, low, high, forward, velocity, 100, 1e-6);
    std::printf("KDL's NR_JL reaches %d\n", count_reached(theirs, chain));

    const KDL::Frame far(KDL::Vector(3, 0, 0));
    const int error = ours.CartToJnt(q, far, out);
    std::printf("a target beyond its reach: error %d, q_out is the nearest\n", error);
    return 0;
}
