"""Methods whose keywords are options of the library: `help` shows each with its default and meaning."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from . import _core
from ._options import STRUCTS

F = TypeVar("F", bound=Callable[..., Any])


def with_options(options: Any, like: Callable[..., Any] | None = None) -> Callable[[F], F]:
    """Lists the keywords of a class of options in the signature and the docstring of a function.

    Their defaults are the library's, or those of the function that they are passed on to.
    """
    _, _, text = inspect.cleandoc(options.__doc__ or "").partition("\n\n")
    defaults = defaults_like(like) if like else _core.DEFAULTS[STRUCTS[options.__name__]]

    def list_them(function: F) -> F:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        given = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults[name],
                annotation=kind.__forward_arg__,
            )
            for name, kind in options.__annotations__.items()
            if name not in signature.parameters
        ]
        vars(function)["__signature__"] = signature.replace(parameters=own + given)
        function.__doc__ = with_section(function.__doc__ or "", text)
        return function

    return list_them


def defaults_like(function: Callable[..., Any]) -> dict[str, Any]:
    """The defaults of another function's arguments."""
    return {name: p.default for name, p in inspect.signature(function).parameters.items()}


def with_section(doc: str, entries: str) -> str:
    """A docstring with the options before its examples."""
    head, examples, rest = inspect.cleandoc(doc).partition("\n\nExamples\n")
    title = "Other Parameters\n----------------"
    return f"{head}\n\n{title}\n{entries}{examples}{rest}"
