"""A figure reaches out with one hand while its feet stay planted.

Prints:
    BodyResult(3 of 3 tasks reached)
    the feet moved by less than a micrometre: True
"""

import limber
import numpy as np

figure = limber.Model.load("human").with_root("floating")
body = figure.body(
    [
        limber.BodyTask("position", "left_hand"),
        limber.BodyTask("contact", "left_foot"),
        limber.BodyTask("contact", "right_foot"),
    ]
)
feet = ["left_foot", "right_foot"]
for task in (1, 2):
    body.hold(task, figure.neutral)
body.set_point(0, figure.fk(figure.neutral, "left_hand")[:3, 3] + [0.15, 0, 0.2])

result = body.solve()
print(result)
before, after = (figure.fk(q, feet)[:, :3, 3] for q in (figure.neutral, result.q))
moved = np.linalg.norm(after - before, axis=1).max()
# a task is reached to 1e-6 m
print("the feet moved by less than a micrometre:", bool(moved < 1e-6))
