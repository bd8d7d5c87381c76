/*
 * eigen.cpp - C++ with handles; transforms as Eigen matrices, without a copy.
 *
 * An lb_transform is bit for bit a column-major 3 x 4 matrix [R p], so an Eigen map reads it in
 * place.
 *
 * Prints:
 *     tool at 1.000 1.000 0.000 m
 *     R^T R is the identity, det R = 1
 *     the same point both ways: yes
 */
#include <limber/limber.hpp>

#include <Eigen/Dense>
#include <cstdio>

using transform_map = Eigen::Map<const Eigen::Matrix<double, 3, 4>>;

int main()
{
    // an arm of two links of a metre, by Denavit and Hartenberg
    lb_dh_row rows[2] = {lb_dh_row_default(), lb_dh_row_default()};
    rows[0].a = rows[1].a = 1;
    lb_model *built = nullptr;
    lb_error why{};
    limber::check(lb_model_from_dh("arm", rows, 2, false, nullptr, &built, &why), why);
    limber::model arm(built);

    // the first joint along x, the second a quarter turn on
    limber::state state(arm);
    const Eigen::Vector2d q(0, LB_PI / 2);
    lb_state_update(state, q.data());
    const lb_transform tool = state.transform(LB_WORLD, arm.link("tool"));

    // its columns are x, y, z and p
    const transform_map m(&tool.x.x);
    std::printf("tool at %.3f %.3f %.3f m\n", m(0, 3), m(1, 3), m(2, 3));
    const Eigen::Matrix3d r = m.leftCols<3>();
    const bool orthonormal = (r.transpose() * r).isIdentity(1e-15);
    std::printf("R^T R is %s identity, det R = %.0f\n", orthonormal ? "the" : "no",
                r.determinant());

    // a point of the tool, by Eigen and by limber
    const Eigen::Vector3d point(0.1, 0.2, 0.3);
    const Eigen::Vector3d there = m * point.homogeneous();
    const lb_vec3 same = lb_transform_point(&tool, lb_vec3_make(0.1, 0.2, 0.3));
    const bool equal = there.isApprox(Eigen::Map<const Eigen::Vector3d>(&same.x), 1e-15);
    std::printf("the same point both ways: %s\n", equal ? "yes" : "no");
    return 0;
}
