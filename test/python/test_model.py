"""Models: loading, what they consist of, configurations, errors and warnings."""

import json
import pickle
import warnings

import limber
import numpy as np
import pytest

URDF = """<robot name="two">
  <link name="base"/><link name="arm"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="{upper}" effort="1" velocity="2"/>
  </joint>
</robot>"""


def test_every_embedded_model_is_read_as_it_was_written() -> None:
    for name in limber.models():
        model = limber.Model.load(name)
        again = limber.Model.from_json(model.to_json())
        assert again.to_json() == model.to_json()
        assert len(model.joints) == len(model.links) - 1
        assert sum(joint.nq for joint in model.joints) == model.nq
        assert model.limits.shape == (model.nq, 2)


def test_urdf_from_text() -> None:
    model = limber.Model.from_urdf(URDF.format(upper=1))
    (joint,) = model.joints
    assert (joint.name, joint.kind, joint.velocity) == ("turn", "revolute", 2)
    assert model.limits.tolist() == [[-1, 1]]
    # a str has no encoding, whatever the text says of its bytes
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><robot name="é"><link name="a"/></robot>'
    assert limber.Model.from_urdf(text).name == "é"
    assert limber.Model.from_urdf(text.encode("latin-1")).name == "é"


def test_json_may_have_numbers_of_numpy() -> None:
    data = json.loads(limber.Model.load("ur5").to_json())
    data["joints"][1]["placement"]["xyz"] = np.float32([0, 0, 0.5])
    data["joints"][1]["value"] = np.float64(0.25)
    assert 0.25 in limber.Model.from_json(data).neutral
    for wrong in ([data], {"limber": 1j}):
        with pytest.raises(TypeError, match="needed|limber JSON has no"):
            limber.Model.from_json(wrong)


def test_links_that_are_none_are_refused() -> None:
    with pytest.raises(TypeError, match="links: a name, an index or a list"):
        limber.Model.load("ur5").fk([0] * 6, 2.0)


def test_errors_have_path_line_and_remedy(tmp_path) -> None:
    path = tmp_path / "bad.urdf"
    path.write_text(URDF.format(upper=-2))
    with pytest.raises(limber.LimberError, match=r"bad\.urdf:5: .*turn") as caught:
        limber.Model.load(path)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.path == str(path) and error.line == 5
    assert error.status == "a value is out of range or not a number"


def test_a_file_that_is_absent_is_an_error(tmp_path) -> None:
    with pytest.raises(limber.LimberError, match="none.urdf"):
        limber.Model.load(tmp_path / "none.urdf")


def test_warnings_are_python_warnings() -> None:
    text = URDF.format(upper=1).replace("<axis", "<axes/><axis")
    with pytest.warns(limber.LimberWarning, match="axes"):
        limber.Model.from_urdf(text)
    with pytest.raises(limber.LimberError, match="axes"):
        limber.Model.from_urdf(text, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        limber.Model.from_urdf(URDF.format(upper=1))


def test_names_are_suggested() -> None:
    arm = limber.Model.load("panda")
    with pytest.raises(limber.LimberError, match="did you mean 'panda_hand'"):
        arm.link_index("panda_hnd")
    with pytest.raises(limber.LimberError, match="did you mean 'panda_joint1'"):
        arm.with_locks(["panda_joint11"])


def test_dh_tables() -> None:
    rows = [[0, 0.1, 0.5, 0], [0, 0, 0.4, 0], [0, 0, 0, np.pi]]
    arm = limber.Model.from_dh(rows, kinds="RRP", limits=[[-1, 1], [-2, 2], [0, 0.3]], name="scara")
    assert [joint.kind for joint in arm.joints[:3]] == ["revolute", "revolute", "prismatic"]
    assert np.allclose(arm.fk([0, 0, 0.2], "tool")[:3, 3], [0.9, 0, 0.3])
    with pytest.raises(ValueError, match="kinds"):
        limber.Model.from_dh(rows, kinds="RR")


def test_pickles_as_an_equal_model() -> None:
    arm = limber.Model.load("kr6").with_locks([2])
    again = pickle.loads(pickle.dumps(arm))
    q = arm.random(3, seed=5)
    assert again.joints[2].locked
    assert (again.fk(q) == arm.fk(q)).all()


BOX = '<collision><geometry><box size="{}"/></geometry></collision>'
TOUCHING = f"""<robot name="r">
  <link name="a">{BOX.format(".2 .2 .2")}</link><link name="b">{BOX.format(".1 .1 .9")}</link>
  <link name="c">{BOX.format(".1 .1 1")}</link>
  <joint name="ab" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 .7"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="bc" type="revolute"><parent link="b"/><child link="c"/><origin xyz=".3 0 -.3"/>
    <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>"""


def test_pickles_with_what_is_beside_its_file(tmp_path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(TOUCHING)
    pair = '<disable_collisions link1="a" link2="c" reason="Never"/>'
    path.with_suffix(".srdf").write_text(f'<robot name="r">{pair}</robot>')
    arm = limber.Model.load(path)
    q = arm.random(200, seed=3)
    free = arm.collision(skip_never=False).free(q)
    # the disabled pair decides some
    assert (free != arm.collision(srdf=False, skip_never=False).free(q)).any()
    written = pickle.dumps(arm)
    assert (pickle.loads(written).collision(skip_never=False).free(q) == free).all()
    # where the files are not, they are in it, however often it is sent on
    path.unlink()
    path.with_suffix(".srdf").unlink()
    again = pickle.loads(pickle.dumps(pickle.loads(written)))
    assert (again.with_locks(["ab"]).collision(skip_never=False).free(q) == free).all()
    assert again.srdf().pairs == (("a", "c", "Never"),)
    # and a check carries what it was made with
    apart = pickle.loads(pickle.dumps(again.collision(skip_never=False)))
    assert (apart.free(q) == free).all()


def test_roots() -> None:
    figure = limber.Model.load("human")
    free = figure.with_root("floating")
    assert free.nq == figure.nq + 7 and free.nv == figure.nv + 6
    with pytest.raises(ValueError, match="floating"):
        figure.with_root("hanging")


def test_configurations() -> None:
    figure = limber.Model.load("human").with_root("floating")
    a, b = figure.random(4, seed=1), figure.random(4, seed=2)
    v = figure.difference(a, b)
    assert v.shape == (4, figure.nv)
    # quaternions q and -q are one rotation: compare where links are
    assert np.allclose(figure.fk(figure.integrate(a, v)), figure.fk(b), atol=1e-9)
    middle = figure.interpolate(a[0], b[0], [0, 0.5, 1])
    assert np.allclose(figure.fk(middle[2]), figure.fk(b[0]), atol=1e-9)
    figure.validate(figure.clamp(a[0] * 3), 1e-9)
    with pytest.raises(limber.LimberError, match="joint"):
        figure.validate(a[0] * 3)


def test_random_numbers_go_on() -> None:
    arm = limber.Model.load("ur5")
    source = limber.Random(9)
    parts = np.vstack([arm.random(2, source), arm.random(3, source)])
    assert (parts == arm.random(5, seed=9)).all()
    assert ((parts >= arm.limits[:, 0]) & (parts <= arm.limits[:, 1])).all()


def test_outcomes_are_those_of_the_library() -> None:
    from limber import _core

    assert [o.name.lower() for o in limber.Outcome] == list(_core.OUTCOMES)
    assert len(limber.Reason) == len(_core.REASONS)
    assert _core.LAYOUTS == ("COLUMNS", "MATRIX", "AFFINE", "POSE", "POINT")
    assert _core.JOINT_KINDS[5] == "planar" and _core.JOINT_KINDS[7] == "floating"


def test_repr() -> None:
    assert repr(limber.Model.load("ur5")) == "Model('ur5', 8 links, nq=6)"


def test_a_link_says_which_bone_it_is() -> None:
    links = [{"name": "hips", "bone": "hips"}, {"name": "box"}]
    joint = {"name": "j", "kind": "fixed", "parent": "hips", "child": "box"}
    model = limber.Model.from_json(json.dumps({"name": "m", "links": links, "joints": [joint]}))
    assert [link.bone for link in model.links] == ["hips", None]


def test_limits_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        limber.Model.load("ur5").limits[0, 0] = 5


def test_a_model_is_not_made_by_its_name() -> None:
    with pytest.raises(TypeError, match=r"limber\.Model\.load\('panda'\)"):
        limber.Model("panda")


def test_numbers_of_numpy_name_links() -> None:
    arm = limber.Model.load("panda")
    assert (arm.fk(arm.neutral, np.int64(3)) == arm.fk(arm.neutral, 3)).all()


def test_numbers_that_name_nothing_are_refused() -> None:
    model = limber.Model.load("ur5")
    for link in (8, -2, True):
        with pytest.raises(limber.LimberError, match=f"ur5 has links 0 to 7, not {link}"):
            model.fk(model.neutral, link)
    with pytest.raises(limber.LimberError, match="ur5 has joints 0 to 6, not 7"):
        model.joint_index(7)
    with pytest.raises(TypeError, match="task: a Task is needed, not ndarray"):
        model.mobility(model.neutral)


def test_joints_links_and_tasks_are_equal_by_their_numbers() -> None:
    one, two = limber.Model.load("panda"), limber.Model.load("panda")
    assert one.joints == two.joints and one.links == two.links
    assert one.joints[0] != one.joints[1] and len({*one.joints, *two.joints}) == len(one.joints)
    tool = np.eye(4)
    task = limber.Task("panda_hand", tool=tool)
    assert task == limber.Task("panda_hand", tool=tool.tolist()) != limber.Task("panda_hand")
    # what a solver reads later is not what a caller changes
    tool[0, 3] = 5
    assert task == limber.Task("panda_hand", tool=np.eye(4))
    assert limber.JointSetting("a", lower=[1, 2]) == limber.JointSetting("a", lower=[1, 2])


def test_a_model_without_moving_joints_has_places() -> None:
    link = {"name": "b"}
    joint = {"name": "ab", "parent": "a", "child": "b", "kind": "fixed", "placement": {"xyz": [0, 0, 2]}}
    post = limber.Model.from_json({"name": "post", "links": [{"name": "a"}, link], "joints": [joint]})
    assert post.nq == 0 and post.fk([], "b").shape == (4, 4)
    places, jacobian = post.fk(np.empty((5, 0)), jacobian=True)
    assert places.shape == (5, 2, 4, 4) and jacobian.shape == (5, 2, 6, 0)
    assert (places[:, 1] == post.fk({}, "b")).all() and places[0, 1, 2, 3] == post.fk([], "b")[2, 3]
    assert post.clamp([]).shape == (0,) and post.random(3).shape == (3, 0)


def test_joints_by_name() -> None:
    arm = limber.Model.load("ur5")
    q = arm.neutral
    q[2] = 0.5
    assert (arm.fk({"elbow_joint": 0.5}, "tool0") == arm.fk(q, "tool0")).all()
    # rows of one, and one of another
    many = arm.fk({"elbow_joint": [0.5, 0.6], "wrist_1_joint": q[3]}, "tool0")
    assert many.shape == (2, 4, 4) and (many[0] == arm.fk(q, "tool0")).all()
    with pytest.raises(limber.LimberError, match="did you mean 'elbow_joint'"):
        arm.fk({"elbow_join": 0.5})
    floating = arm.with_root("floating")
    root = floating.joints[0].name
    assert floating.fk({root: [1, 0, 0, 1, 0, 0, 0]}, 1)[0, 3] == 1
    with pytest.raises(ValueError, match=f"q: joint '{root}': .*7"):
        floating.fk({root: 1.0})
    panda = limber.Model.load("panda")
    with pytest.raises(ValueError, match="has no value of its own"):
        panda.fk({"panda_joint8": 1.0})
