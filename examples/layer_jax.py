"""Inverse kinematics as a function of JAX, differentiated backward and mapped over batches.

Prints:
    gradients agree with differences: True
"""

import jax
import jax.numpy as jnp
import limber
import numpy as np
from jax.test_util import check_grads

jax.config.update("jax_enable_x64", True)
arm = limber.Model.load("ur5")
ik = arm.ik("tool0", protocol="given", position_tolerance=1e-12, rotation_tolerance=1e-12)


def found(places, starts):
    """Configurations (N, nq) for places (N, 3) of the tool, and their derivatives, by NumPy."""
    targets = arm.fk(np.asarray(starts), "tool0")
    targets[:, :3, 3] = places
    solved = ik.solve(targets, np.asarray(starts), threads=0)
    return solved.q, solved.derivative()[:, :, :3]


@jax.custom_vjp
def solve(places, starts):
    return forward(places, starts)[0]


def forward(places, starts):
    n, nq = starts.shape
    shapes = jax.ShapeDtypeStruct((n, nq), float), jax.ShapeDtypeStruct((n, nq, 3), float)
    return jax.pure_callback(found, shapes, places, starts)


def backward(derivative, gradient):
    return jnp.einsum("nv,nvk->nk", gradient, derivative), None


solve.defvjp(forward, backward)

starts = jnp.asarray(arm.random(4, seed=2) / 2)
places = jnp.asarray(arm.fk(np.asarray(starts), "tool0")[:, :3, 3])
check_grads(lambda p: solve(p, starts), (places,), order=1, modes=["rev"], atol=1e-4, eps=1e-5)
print("gradients agree with differences: True")
