"""Everything public: shared by threads, sent to processes, given arrays of every kind.

The rows are in public.py; what is public is found by introspection, so that nothing new is left out.
"""

import copy
import inspect
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import limber
import numpy as np
import public
import pytest
from limber import _core, _model
from public import CALLS, CHANGED, OBJECTS, call, classes, make, methods, parameters, state, thing_of


def test_everything_public_has_a_row() -> None:
    assert set(classes()) == set(OBJECTS)
    assert set(methods()) <= set(CALLS)
    # what names no method is a class that takes arrays
    assert set(CALLS) - set(methods()) <= set(classes())


# ---- threads -----------------------------------------------------------------------------------

@pytest.mark.parametrize("name", methods())
def test_four_threads_at_once_get_what_one_gets(name: str) -> None:
    alone = call(name, CALLS[name], thing_of(name))
    shared = thing_of(name)
    begin = threading.Barrier(4)

    def work(_: int) -> Any:
        # objects that go on from call to call, or that a method changes, belong to one thread
        thing = thing_of(name) if name.partition(".")[0] in CHANGED else shared
        begin.wait()
        return call(name, CALLS[name], thing)

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(4)):
            assert found == alone


@pytest.mark.parametrize("name", ["Clip.save", "Contacts.save", "Gltf.save", "ReachMap.save"])
def test_threads_that_write_one_file_leave_it_whole(name: str, tmp_path) -> None:
    path = tmp_path / CALLS[name]["path"].name
    thing = thing_of(name)
    thing.save(path)
    whole = path.read_bytes()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: thing.save(path), range(20)))
    assert path.read_bytes() == whole
    assert not list(tmp_path.glob("*.part"))


# ---- processes ---------------------------------------------------------------------------------

# what stays in its process, and what its refusal says to do instead
STAYS = {
    "RetargetStream": "make it in the process",
    "Servo": "make it in the process",
    "Workspace": "send its cells",
}


@pytest.mark.parametrize("name", [name for name in OBJECTS if name not in STAYS])
def test_it_pickles_and_is_equal_after(name: str) -> None:
    thing = make(name)
    for again in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)):
        assert type(again) is type(thing)
        assert state(again) == state(thing)


@pytest.mark.parametrize("name, remedy", STAYS.items())
def test_what_does_not_pickle_says_why(name: str, remedy: str) -> None:
    with pytest.raises(TypeError, match=f"{name} cannot be pickled: .*{remedy}"):
        pickle.dumps(make(name))


def test_the_figure_of_a_gltf_keeps_what_it_draws() -> None:
    whole = limber.Gltf.load(public.GLTF)
    for model in (whole.model, whole.model.with_joints([]), limber.Clip.load(public.GLTF).model):
        again = pickle.loads(pickle.dumps(model))
        assert state(again) == state(model) and _core.Looks.of(again.native) is not None
    assert _core.Looks.of(public.ARM.native) is None


# ---- arrays ------------------------------------------------------------------------------------


class Interface:
    """An array of another library."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.__array_interface__ = array.__array_interface__


def views(array: np.ndarray) -> dict[str, Any]:
    """The same numbers, laid out otherwise."""
    spread = np.repeat(array, 2, axis=0)[::2] if array.ndim else array
    back = np.flip(np.flip(array).copy())
    fixed = array.copy()
    fixed.flags.writeable = False
    return {
        "strided": spread,
        "reversed": back,
        "read-only": fixed,
        "by columns": array.copy(order="F"),
        "big-endian": array.astype(">f8"),
        "list": array.tolist(),
        "interface": Interface(array),
    }


def array_rows() -> list[tuple[str, str]]:
    """Each method with each of its arguments that is an array."""
    return [
        (name, parameter)
        for name in CALLS
        for parameter, about in parameters(name).items()
        if "ArrayLike" in str(about.annotation) or "PoseLike" in str(about.annotation)
    ]


# classes that keep what they are given, which is read when they are used
KEEP = {
    "BodyTask": lambda task: (task.fields(public.HUMAN), task.polygon()),
    "StripRow": lambda row: row.clip.draw(public.FOLDER.name + "/r.svg", frames=2, ground_normal=row.ground_normal),
    "Task": lambda task: task.fields(public.ARM),
}


def outcome(name: str, arguments: dict[str, Any]) -> Any:
    """The state of what is returned, or the error."""
    try:
        if name in KEEP:
            return state(KEEP[name](getattr(limber, name)(**arguments)))
        return call(name, arguments)
    except (TypeError, ValueError) as error:
        return error


def test_rows_give_every_array() -> None:
    missing = [(name, argument) for name, argument in array_rows() if argument not in CALLS[name]]
    assert missing == []
    assert len(array_rows()) > 70


@pytest.mark.parametrize("name, argument", array_rows())
def test_every_layout_of_an_array_is_the_same(name: str, argument: str) -> None:
    array = np.array(CALLS[name][argument], np.float64)
    plain = outcome(name, CALLS[name] | {argument: array})
    assert not isinstance(plain, Exception), plain
    for layout, view in views(array).items():
        found = outcome(name, CALLS[name] | {argument: view})
        assert not isinstance(found, Exception), (layout, found)
        assert found == plain, layout


@pytest.mark.parametrize("name, argument", array_rows())
def test_what_is_no_real_number_is_a_type_error(name: str, argument: str) -> None:
    array = np.array(CALLS[name][argument], np.float64)
    for wrong in (array + 0j, array.astype(str), array.astype("M8[s]"), np.full(array.shape, object())):
        with pytest.raises(TypeError, match="real numbers are needed"):
            found = outcome(name, CALLS[name] | {argument: wrong})
            raise found if isinstance(found, Exception) else AssertionError(wrong.dtype)


# arguments that are any number of times, or of points, and those that numbers are repeated for
FREE = {
    ("Body.set_value", "value"), ("Clip.at", "times"), ("Clip.rates", "times"), ("Gltf.at", "times"),
    ("Model.interpolate", "t"), ("Path.at", "share"), ("two_bone", "twist"), ("two_bone", "soft"),
    ("two_bone", "weight"),
}  # fmt: skip


@pytest.mark.parametrize("name, argument", [row for row in array_rows() if row not in FREE])
def test_a_wrong_shape_is_a_value_error(name: str, argument: str) -> None:
    array = np.array(CALLS[name][argument], np.float64)
    shapes = {
        # a matrix without its last column is one by columns
        "short": array[..., :-2],
        "long": np.concatenate([array, array[..., :2]], axis=-1),
        "a number": np.float64(0.5),
        "nothing": np.empty(0),
        "deep": array[..., None, None],
        "ragged": [[0.0], [0.0, 1.0]],
    }
    for what, wrong in shapes.items():
        found = outcome(name, CALLS[name] | {argument: wrong})
        assert isinstance(found, ValueError), (what, found)
        assert argument in str(found) or "shape" in str(found), (what, found)


@pytest.mark.parametrize("name, argument", array_rows())
def test_nan_is_no_number(name: str, argument: str) -> None:
    array = np.array(CALLS[name][argument], np.float64)
    plain = outcome(name, CALLS[name] | {argument: array})
    for number in (np.nan, np.inf):
        wrong = array.copy()
        wrong.flat[0] = number
        found = outcome(name, CALLS[name] | {argument: wrong})
        # an infinite value is clamped, and counts as far away
        if not isinstance(found, Exception) and np.isnan(number):
            assert found != plain


@pytest.mark.parametrize("name, argument", array_rows())
def test_no_rows_give_no_rows(name: str, argument: str) -> None:
    array = np.atleast_1d(np.array(CALLS[name][argument], np.float64))
    assert outcome(name, CALLS[name] | {argument: array[:0]}) is not None


def pose_rows() -> list[tuple[str, str]]:
    """Each method with each of its arguments that is a configuration, or rows of them."""
    return [
        (name, argument)
        for name, argument in array_rows()
        if "PoseLike" in str(parameters(name)[argument].annotation)
    ]


def model_of(name: str) -> limber.Model:
    """Whose joints a method's configurations have."""
    given = CALLS[name]
    found = given.get("model") or given.get("source") or given.get("clip") or thing_of(name)
    return found if isinstance(found, limber.Model) else found.model


# arguments that are configurations of another model
OF_OTHERS = {
    ("Clip.retarget", "start"): public.ROBOT, ("RetargetStream", "start"): public.ROBOT,
    ("RetargetStream.next", "q"): public.HUMAN,
}  # fmt: skip


@pytest.mark.parametrize("name, argument", pose_rows())
def test_joints_have_values_by_their_names(name: str, argument: str) -> None:
    model = OF_OTHERS.get((name, argument)) or model_of(name)
    array = np.array(CALLS[name][argument], np.float64)
    values = {
        joint.name: array[..., joint.q_index] if joint.nq == 1 else array[..., joint.q_index :][..., : joint.nq]
        for joint in model.joints
        if joint.nq > 0
    }
    found = outcome(name, CALLS[name] | {argument: values})
    assert found == outcome(name, CALLS[name] | {argument: array})


# what a configuration has one of, whose rows give rows of it
EACH = [
    "Assembly.close", "Assembly.velocities", "Collision.distance", "Collision.free", "Collision.gradient", "Ik.derivative", "Ik.solve", "Ik.step", "Model.center_of_mass",
    "Model.clamp", "Model.difference", "Model.fk", "Model.integrate", "Model.singularity",
    "Model.task_error", "Model.velocity_ellipsoid", "Srdf.apply",
]  # fmt: skip


# what has no row of results for a row of q: a list of pairs, properties of the arm, pictures of all
# rows together, nothing
WITHOUT_ROWS = {
    "Assembly.all", "Collision.near", "Model.mobility", "Model.planar_reach", "Model.draw", "Model.svg",
    "Model.validate",
}  # fmt: skip


def test_methods_of_configurations_are_listed() -> None:
    kinds = {"Assembly", "Collision", "Ik", "Model", "Srdf"}
    found = {name for name, argument in pose_rows() if argument == "q" and name.split(".")[0] in kinds}
    assert found - WITHOUT_ROWS <= set(EACH) and found >= WITHOUT_ROWS


@pytest.mark.parametrize("name", EACH)
def test_rows_are_as_each_alone(name: str) -> None:
    arrays = [argument for row, argument in array_rows() if row == name]
    rows = [argument for argument in arrays if np.ndim(CALLS[name][argument]) > 1]
    together = members(public.target_of(name)(**CALLS[name]))
    for i in range(3):
        one = {argument: CALLS[name][argument][i] for argument in rows}
        alone = members(public.target_of(name)(**CALLS[name] | one))
        for whole, part in zip(together, alone, strict=True):
            if np.ndim(whole) > 0:
                assert np.asarray(whole[i]).tobytes() == np.asarray(part, np.asarray(whole).dtype).tobytes()
    none = {argument: np.array(CALLS[name][argument], np.float64)[:0] for argument in rows}
    for whole, part in zip(members(public.target_of(name)(**CALLS[name] | none)), together, strict=True):
        assert np.ndim(part) == 0 or np.shape(whole) == (0, *np.shape(part)[1:])
    grid = {argument: np.stack([CALLS[name][argument]] * 2) for argument in rows}
    for whole, part in zip(members(public.target_of(name)(**CALLS[name] | grid)), together, strict=True):
        assert np.ndim(part) == 0 or (whole[1] == part).all() and len(whole) == 2


def members(found: Any) -> tuple[Any, ...]:
    """What is returned, as a tuple of arrays."""
    if isinstance(found, limber.IkResult):
        return found.q, found.info
    return found if isinstance(found, tuple) else (found,)


# ---- objects that never change -----------------------------------------------------------------

CHANGE = {"Body", "LimberError", "LimberWarning", *CHANGED}
# Python lets enumerations have further attributes
ENUMERATIONS = {"AssemblyOutcome", "Outcome", "Progress", "Reason"}


@pytest.mark.parametrize("name", sorted(set(OBJECTS) - CHANGE - ENUMERATIONS))
def test_no_attribute_can_be_set(name: str) -> None:
    thing = make(name)
    shown = [part for part in dir(thing) if not part.startswith("_")]
    for attribute in [*shown, "anything"]:
        with pytest.raises(AttributeError):
            setattr(thing, attribute, 3)
    assert state(thing) == state(make(name))


# ---- files that are not there ------------------------------------------------------------------

NOWHERE = public.FOLDER.name + "/nowhere.csv"
READERS = [
    ("Clip.check", "limits"), ("Clip.check", "contacts"), ("Clip.load", "path"), ("Clip.retarget", "contacts"),
    ("Clip.retarget", "map"), ("Clip.retarget", "limits"), ("Contacts.load", "path"), ("Gltf.load", "path"),
    ("Model.collision", "scene"), ("Model.collision", "srdf"), ("Model.joint_limits", "path"),
    ("Model.load", "name"), ("Model.srdf", "path"), ("Model.with_limits", "limits"), ("ReachMap.load", "path"),
    ("RetargetStream", "map"), ("Model.load", "loops"),
]  # fmt: skip


def test_all_readers_are_listed() -> None:
    written = {(name, key) for name, given in CALLS.items() for key, v in given.items() if isinstance(v, public.Out)}
    paths = {
        (name, parameter)
        for name in CALLS
        for parameter, about in parameters(name).items()
        if "PathLike" in str(about.annotation)
    }
    assert paths - written == {*READERS, ("Clip.load", "body"), ("ReachMap.join", "paths")}


@pytest.mark.parametrize("name, argument", READERS)
def test_a_missing_file_is_not_found(name: str, argument: str) -> None:
    with pytest.raises(FileNotFoundError) as found:
        call(name, CALLS[name] | {argument: NOWHERE})
    assert isinstance(found.value, limber.LimberError) and "nowhere" in str(found.value)
    assert found.value.filename == found.value.path and "nowhere" in found.value.path
    again = pickle.loads(pickle.dumps(found.value))
    assert (str(again), again.filename, again.errno) == (str(found.value), found.value.path, 2)


# ---- keywords ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", methods())
def test_keywords_are_listed_with_their_meaning(name: str) -> None:
    kinds = {about.kind for about in parameters(name).values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds
    assert public.target_of(name).__doc__


def test_options_have_the_librarys_defaults() -> None:
    detect = parameters("Contacts.detect")
    assert detect["enter_height"].default == 0.03 and detect["leave_height"].default == 0.06
    assert parameters("Model.collision")["fit"].default == "hull"
    assert parameters("Model.place")["turns"].default == 8
    # given by hand they change nothing
    for name in ("Contacts.detect", "Clip.walk", "Model.place", "Model.collision", "Model.workspace"):
        given = {key: p.default for key, p in parameters(name).items() if p.kind is p.KEYWORD_ONLY}
        wanted = {**CALLS[name], **{key: CALLS[name].get(key, value) for key, value in given.items()}}
        assert call(name, wanted) == call(name, CALLS[name]), name
    text = public.target_of("Contacts.detect").__doc__ or ""
    assert all(f"\n{key} : " in text for key in detect if key not in ("clip", "self"))


def test_keywords_that_are_passed_on_are_those_of_the_method() -> None:
    ik, draw = parameters("Model.ik"), parameters("Model.draw")
    assert set(_model.IkOptions.__annotations__) == set(ik) - {"tip", "method"}
    assert set(_model.DrawOptions.__annotations__) == set(draw) - {"path", "q"}
    for name, options, given in (
        ("Model.compare", _model.IkOptions, ik),
        ("Model.svg", _model.DrawOptions, draw),
    ):
        for key, kind in options.__annotations__.items():
            assert kind.__forward_arg__ == given[key].annotation, key
            assert parameters(name)[key].default is given[key].default, key
