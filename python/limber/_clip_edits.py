"""Clips made from clips."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from . import _core
from ._arrays import positive
from ._parts import need

if TYPE_CHECKING:
    from ._clip import Clip


class Edits:
    """Parts, speeds, mirrors and joins of a clip; each is a new clip over the same model."""

    native: _core.Clip

    def _of(self, native: _core.Clip) -> Clip:
        clip = cast("Clip", self)
        return type(clip)(clip.model, native, clip.file, clip.rest)

    def resample(self, rate: float) -> Clip:
        """Keys that are 1 / rate apart."""
        return self._of(self.native.resample(positive(rate, "rate")))

    def even(self) -> Clip:
        """The same poses at times that are exactly even, where files have rounded them.

        An error where gaps differ by more than a thousandth. :meth:`Clip.save` does it for formats
        that have a rate alone.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> clip = limber.Clip.make(arm, [0, 0.33334, 0.66667, 1], arm.random(4))
        >>> clip.rate.__round__(3), clip.even().times
        (3.0, array([0.        , 0.33333333, 0.66666667, 1.        ]))
        """
        return self._of(self.native.even())

    def slice(self, begin: float, end: float) -> Clip:
        """The part from one time to a later one."""
        return self._of(self.native.slice(begin, end))

    def retime(self, begin: float = 0.0, speed: float = 1.0) -> Clip:
        """The same keys, the first at time `begin`, the others `speed` times as fast after it."""
        return self._of(self.native.retime(begin, speed))

    def blend(self, other: Edits, begin: float, end: float) -> Clip:
        """This clip up to `begin`, the other after `end`, and a smooth change in between."""
        need(other, type(self), "other", "clips are blended with clips of the same model")
        return self._of(self.native.blend(other.native, begin, end))

    def mirror(self) -> Clip:
        """The motion as in a mirror: left and right are exchanged, by the names of joints.

        Examples
        --------
        >>> import limber
        >>> human = limber.Model.load("human").with_root("floating")
        >>> clip = limber.Clip.make(human, [0, 1], human.random(2, seed=1))
        >>> bool(abs(clip.mirror().mirror().keys - clip.keys).max() < 1e-12)
        True
        """
        return self._of(self.native.mirror())

    def loop(self, count: int = 1, fade: float = 0.2) -> Clip:
        """The motion `count` times, each joined to the next in its last `fade` seconds.

        A root goes on from where it has come; the last key is the first pose again.
        """
        return self._of(self.native.loop(count, fade))
