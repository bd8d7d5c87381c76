/*
 * limber_kdl.hpp - limber behind KDL's own interface: a KDL::ChainIkSolverPos.
 *
 * A program that works with a KDL::Chain changes the name of its solver's class:
 *
 *     limber_kdl::ChainIkSolverPos solver(chain, q_min, q_max);
 *     solver.CartToJnt(q_init, p_in, q_out);
 *
 * The chain becomes a model once, with its limits; each solve then finds the solution within them
 * that is nearest to q_init. KDL's arrays are Eigen's, whose alignment -march=native would change:
 * what is compiled so cannot share them with a KDL that was not, and this header refuses it.
 */
#ifndef LIMBER_KDL_HPP
#define LIMBER_KDL_HPP

#include <limber/limber.hpp>

#include <kdl/chain.hpp>
#include <kdl/chainiksolver.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#if EIGEN_MAX_ALIGN_BYTES > 16
#error "KDL's arrays are aligned to 16 bytes: compile without -march=native or -mavx"
#endif

namespace limber_kdl
{

inline lb_transform transform_of(const KDL::Frame &f)
{
    const KDL::Vector x = f.M.UnitX(), y = f.M.UnitY(), z = f.M.UnitZ();
    return lb_transform{{x.x(), x.y(), x.z()},
                        {y.x(), y.y(), y.z()},
                        {z.x(), z.y(), z.z()},
                        {f.p.x(), f.p.y(), f.p.z()}};
}

// a model whose values are the chain's, in order; its last link, "tip", is the chain's end
inline lb_model *model_of(const KDL::Chain &chain, const KDL::JntArray &low,
                          const KDL::JntArray &high)
{
    const unsigned count = chain.getNrOfSegments();
    std::vector<std::string> names(1, "base");
    std::vector<lb_link> links(count + 2, lb_link_default());
    std::vector<lb_joint> joints(count + 1, lb_joint_default());
    for (unsigned i = 0; i < count; i++)
        names.push_back("segment_" + std::to_string(i + 1));
    names.push_back("tip");
    KDL::Frame rest; // from the last joint's frame to where the next segment begins
    for (unsigned i = 0, q = 0; i <= count; i++) {
        links[i + 1].name = joints[i].name = joints[i].child = names[i + 1].c_str();
        joints[i].parent = names[i].c_str();
        joints[i].placement = transform_of(rest);
        if (i == count)
            break;
        const KDL::Joint &joint = chain.getSegment(i).getJoint();
        const KDL::Frame tip = chain.getSegment(i).getFrameToTip();
        if (joint.getType() == KDL::Joint::None) {
            rest = tip;
            continue;
        }
        // a joint is about its own origin, which is not where the segment begins
        const KDL::Frame at_zero = joint.pose(0);
        const KDL::Vector axis = joint.JointAxis();
        const double turns = joint.twist(1).rot.Norm(), slides = joint.twist(1).vel.Norm();
        if (!KDL::Equal(turns + slides, 1) || !KDL::Equal(at_zero, KDL::Frame(joint.JointOrigin())))
            throw std::invalid_argument("a joint of the chain has a scale or an offset");
        joints[i].kind = turns > 0 ? LB_JOINT_REVOLUTE : LB_JOINT_PRISMATIC;
        joints[i].placement = transform_of(rest * KDL::Frame(joint.JointOrigin()));
        joints[i].axis = lb_vec3{axis.x(), axis.y(), axis.z()};
        joints[i].lower[0] = low(q);
        joints[i].upper[0] = high(q++);
        rest = at_zero.Inverse() * tip;
    }
    links[0].name = names[0].c_str();
    lb_model_source source{};
    source.name = "chain";
    source.root = LB_TRANSFORM_IDENTITY;
    source.links = links.data();
    source.link_count = int(links.size());
    source.joints = joints.data();
    source.joint_count = int(joints.size());
    lb_model *model = nullptr;
    lb_error why{};
    limber::check(lb_model_build(&source, nullptr, &model, &why), why);
    return model;
}

class ChainIkSolverPos : public KDL::ChainIkSolverPos
{
  public:
    // throws limber::error for what is no chain of turning and sliding joints; `chain` is copied
    ChainIkSolverPos(const KDL::Chain &chain, const KDL::JntArray &q_min,
                     const KDL::JntArray &q_max, double eps = 1e-6)
        : joints_(chain.getNrOfJoints()), model_(model_of(chain, q_min, q_max)),
          options_(options_of(eps)),
          solver_(model_, lb_task_make(model_.link("tip"), LB_WORLD, LB_TASK_POSE), &options_)
    {
    }

    // E_NOERROR: reached, within limits; E_MAX_ITERATIONS_EXCEEDED: q_out is the nearest there is
    int CartToJnt(const KDL::JntArray &q_init, const KDL::Frame &p_in,
                  KDL::JntArray &q_out) override
    {
        if (q_init.rows() != joints_)
            return error = E_SIZE_MISMATCH;
        q_out.resize(joints_);
        const lb_transform target = transform_of(p_in);
        result_ = solver_.solve(target, q_init.data.data(), q_out.data.data());
        return error = result_.outcome == LB_REACHED ? E_NOERROR : E_MAX_ITERATIONS_EXCEEDED;
    }

    // the chain was copied: a solver is made anew for a changed one
    void updateInternalDataStructures() override
    {
    }

    // what KDL has no words for: why a target is not reached, and by how much
    const lb_ik_result &result() const
    {
        return result_;
    }

  private:
    static lb_ik_options options_of(double eps)
    {
        lb_ik_options options = lb_ik_options_default();
        options.position_tolerance = options.rotation_tolerance = eps;
        return options;
    }

    unsigned joints_;
    limber::model model_;
    lb_ik_options options_;
    limber::ik solver_;
    lb_ik_result result_{};
};

} // namespace limber_kdl

#endif
