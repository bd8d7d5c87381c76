"""What users write, for mypy: each line that is ignored must be an error, and no other may be one."""

import limber
import numpy as np

arm = limber.Model.load("ur5")
human = limber.Model.load("human").with_root("floating")

walk, feet = limber.Clip.walk(human, cadence=90, cycles=2)
feet.detect(walk, enter_height=0.04, ground_normal=[0, 0, 1])
walk.contacts(feet, gap=0.1)
arm.place(np.eye(4), "tool0", cell=0.3, turns=4)
arm.workspace("tool0", cells=4, seed=1)
arm.collision(margin=0.01, fit="capsule")
arm.body([limber.BodyTask("position", "tool0")], restarts=0)
arm.follow("tool0", limber.Path([np.eye(4), np.eye(4)]), 10, on_jump="stop")
arm.compare("tool0", np.eye(4), kind="position", seed=3)
arm.svg(title="an arm")
q = arm.ik("tool0").solve(np.eye(4)).q
place = arm.fk({"elbow_joint": 0.5}, "tool0")

limber.Clip.walk(human, cadense=90)  # type: ignore[call-arg]
limber.Clip.walk(human, cycles="2")  # type: ignore[arg-type]
feet.detect(walk, enter_hight=0.04)  # type: ignore[call-arg]
feet.measure_heights(walk, gap=None)  # type: ignore[arg-type]
walk.contacts(feet, gaps=0.1)  # type: ignore[call-arg]
arm.place(np.eye(4), "tool0", cells=0.3)  # type: ignore[call-arg]
arm.workspace("tool0", cells=0.5)  # type: ignore[arg-type]
arm.collision(fit="box")  # type: ignore[arg-type]
arm.body([], restart=0)  # type: ignore[call-arg]
arm.follow("tool0", limber.Path([np.eye(4)]), 10, on_jump="go")  # type: ignore[arg-type]
arm.compare("tool0", np.eye(4), kinds="position")  # type: ignore[call-arg]
arm.svg(titel="an arm")  # type: ignore[call-arg]
limber.Clip.timed(arm, "tool0", limber.Path([np.eye(4)]), sped=1)  # type: ignore[call-arg]
arm.fk(arm.neutral, "tool0", layout="rows")  # type: ignore[call-overload]
