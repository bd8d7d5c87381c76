"""Inverse kinematics as a layer of PyTorch: gradients go through it, batch by batch.

Prints:
    gradients agree with differences: True
"""

import limber
import torch

ik = limber.Model.load("ur5").ik(
    "tool0", protocol="given", position_tolerance=1e-12, rotation_tolerance=1e-12
)


class Solve(torch.autograd.Function):
    """Targets (N, 4, 4) to configurations (N, nq), by descents from starts."""

    @staticmethod
    def forward(ctx, targets, starts):
        solved = ik.solve(targets.numpy(force=True), starts.numpy(force=True), threads=0)
        ctx.rotations = targets[:, :3, :3]
        ctx.derivative = torch.from_numpy(solved.derivative())
        return torch.from_numpy(solved.q)

    @staticmethod
    def backward(ctx, gradient):
        by_velocity = torch.einsum("nv,nvk->nk", gradient, ctx.derivative)
        linear, angular = by_velocity.split(3, dim=1)
        # an angular velocity w changes the rotation R by w x R
        turned = torch.cross(angular[:, :, None].expand(-1, 3, 3), ctx.rotations, dim=1)
        by_matrix = torch.zeros(len(gradient), 4, 4, dtype=gradient.dtype)
        by_matrix[:, :3, :3] = turned / 2
        by_matrix[:, :3, 3] = linear
        return by_matrix, None


model = limber.Model.load("ur5")
starts = torch.tensor(model.random(4, seed=2) / 2)
targets = torch.from_numpy(model.fk(starts.numpy(), "tool0"))
axis = torch.zeros(4, 3, dtype=torch.float64, requires_grad=True)
place = torch.zeros(4, 3, dtype=torch.float64, requires_grad=True)


def solve(axis, place):
    """Configurations for targets turned by a rotation vector and moved."""
    zero = torch.zeros_like(axis[:, 0])
    x, y, z = axis.T
    cross = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], 1).reshape(-1, 3, 3)
    moved = targets.clone()
    moved[:, :3, :3] = torch.matrix_exp(cross) @ targets[:, :3, :3]
    moved[:, :3, 3] = targets[:, :3, 3] + place
    return Solve.apply(moved, starts)


agree = torch.autograd.gradcheck(solve, (axis, place), eps=1e-5, atol=1e-4)
print("gradients agree with differences:", agree)
