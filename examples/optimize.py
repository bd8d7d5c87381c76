"""SciPy chooses a target: where on a table, and turned how, an arm holds its tool most comfortably.

Inverse kinematics is a step of the cost, and IkResult.derivative gives the gradient of the whole.

Prints:
    (0.477, 0.230, -76.2 deg) costs 0.0096
"""

import limber
import numpy as np
from scipy.optimize import minimize

arm = limber.Model.load("ur5")
ik = arm.ik("tool0")
comfortable = np.array([-2.9, -1.4, 1.9, -2.1, -1.57, 0])


def target(place):
    """The tool points down at x, y on a table, turned about the vertical."""
    x, y, turn = place
    return [x, y, 0.2, 0, np.cos(turn / 2), np.sin(turn / 2), 0]


def cost(place):
    """How far the joints are from a comfortable configuration, squared, and its gradient."""
    solved = ik.solve(target(place), comfortable)
    away = solved.q - comfortable
    # by the velocities of the target: linear x and y, and angular about z
    return away @ away, (2 * away @ solved.derivative())[[0, 1, 5]]


bounds = [(0.3, 0.7), (-0.4, 0.4), (-np.pi, np.pi)]
found = minimize(cost, [0.5, 0.3, 0.5], jac=True, bounds=bounds)
x, y, turn = found.x
print(f"({x:.3f}, {y:.3f}, {np.degrees(turn):.1f} deg) costs {found.fun:.4f}")
