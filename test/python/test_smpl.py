"""Poses of SMPL against the body model's equations, and GMR's pickles against Python's."""

import pickle

import limber
import numpy as np
import pytest

PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19, 20, 21]
NAMES = """pelvis left_hip right_hip spine1 left_knee right_knee spine2 left_ankle right_ankle spine3
    left_foot right_foot neck left_collar right_collar head left_shoulder right_shoulder left_elbow
    right_elbow left_wrist right_wrist left_hand right_hand""".split()
FRAMES = 5


def rotation(turn):
    """Rodrigues."""
    angle = np.linalg.norm(turn)
    x, y, z = turn / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def body_places(poses, trans, joints):
    """Places of the joints in every frame, as the body model has them (Loper et al., 2015)."""
    out = np.empty((len(poses), len(joints), 3))
    for frame, pose in enumerate(poses.reshape(len(poses), -1, 3)):
        turns = []
        for joint, parent in enumerate(PARENTS):
            local = rotation(pose[joint])
            if parent < 0:
                turns.append(local)
                out[frame, joint] = joints[joint] + trans[frame]
            else:
                turns.append(turns[parent] @ local)
                offset = joints[joint] - joints[parent]
                out[frame, joint] = out[frame, parent] + turns[parent] @ offset
    return out


@pytest.fixture(name="motion")
def make_motion():
    random = np.random.default_rng(5)
    poses = random.normal(size=(FRAMES, 72)) * 0.4
    poses[:, :3] = [np.pi / 2, 0.1, 0]
    trans = random.normal(size=(FRAMES, 3))
    joints = np.array(random.normal(size=(24, 3)) * 0.3)
    return poses, trans, joints


@pytest.mark.parametrize("layout", ["whole", "parts", "columns", "pickle"])
def test_poses_are_those_of_the_body_model(motion, layout, tmp_path) -> None:
    poses, trans, joints = motion
    path, body = tmp_path / "poses.dat", tmp_path / "body.npy"
    np.save(body, joints)
    arrays = {"trans": trans, "mocap_framerate": 100.0, "gender": "neutral"}
    if layout == "whole":
        arrays["poses"] = poses.reshape(FRAMES, 24, 3)
    elif layout == "columns":
        arrays["poses"] = np.asfortranarray(poses)
    else:
        arrays |= {"root_orient": poses[:, :3], "pose_body": poses[:, 3:]}
    with path.open("wb") as stream:
        if layout == "pickle":
            pickle.dump(arrays, stream)
        else:
            # objects are not read, and do not matter where no joint needs them
            np.savez(stream, labels=np.array([None, {}], object), **arrays)
    clip = limber.Clip.load(path, body=body)
    assert clip.rate == pytest.approx(100) and clip.model.name == "SMPL"
    wanted = body_places(poses, trans, joints)
    for joint, name in enumerate(NAMES):
        places = clip.model.fk(clip.keys, name)[:, :3, 3]
        assert np.allclose(places, wanted[:, joint], atol=1e-12)
    # with y up the world's y and z change their places
    turned = limber.Clip.load(path, body=body, up="y")
    places = turned.model.fk(turned.keys, "head")[:, :3, 3]
    assert np.allclose(places, wanted[:, 15][:, [0, 2, 1]] * [1, -1, 1], atol=1e-12)


def test_objects_are_refused_by_name(motion, tmp_path) -> None:
    poses, trans, _ = motion
    np.savez(tmp_path / "a.npz", poses=np.array([poses, None], object), trans=trans)
    with pytest.raises(limber.LimberError, match=r"poses: its elements are '\|O'"):
        limber.Clip.load(tmp_path / "a.npz")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_gmr(protocol, tmp_path) -> None:
    arm = limber.Model.load("ur5")
    moving = arm.with_moving_root()
    path = tmp_path / "m.pkl"
    clip = limber.Clip.make(moving, np.arange(4) / 30, moving.random(4, seed=3))
    clip.save(path)
    data = pickle.loads(path.read_bytes())
    assert list(data) == "fps root_pos root_rot dof_pos local_body_pos link_body_list".split()
    assert data["fps"] == 30 and np.array_equal(data["root_pos"], clip.keys[:, :3])
    assert np.array_equal(data["root_rot"][:, [3, 0, 1, 2]], clip.keys[:, 3:7])
    assert np.array_equal(data["dof_pos"], clip.keys[:, 7:])
    # the bodies while the root is at rest
    rest = np.array(clip.keys)
    rest[:, :7] = [0, 0, 0, 1, 0, 0, 0]
    assert len(data["link_body_list"]) == data["local_body_pos"].shape[1]
    root = moving.fk(rest, data["link_body_list"][0])[:, :3, 3]
    for body, name in enumerate(data["link_body_list"]):
        places = moving.fk(rest, name)[:, :3, 3] - root
        assert np.allclose(data["local_body_pos"][:, body], places, atol=1e-12)
    # what Python writes; indexing by a list leaves an array by columns
    data["root_rot"] = data["root_rot"][:, [0, 1, 2, 3]]
    data |= {"fps": np.float64(30), "local_body_pos": None}
    path.write_bytes(pickle.dumps(data, protocol))
    again = limber.Clip.load(path, arm)
    assert again.model is moving and again.rate == pytest.approx(30)
    assert np.allclose(again.keys, clip.keys, atol=1e-15)
