"""Methods whose keywords are options of the library: `help` shows each with its default and meaning."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

from . import _core

F = TypeVar("F", bound=Callable[..., Any])


def with_options(options: Any) -> Callable[[F], F]:
    """Lists the keywords of a class of options in the signature and the docstring of a function."""
    struct, text = described(options)

    def list_them(function: F) -> F:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        given = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=default_of(struct, name),
                annotation=kind.__forward_arg__,
            )
            for name, kind in options.__annotations__.items()
            if name not in signature.parameters
        ]
        vars(function)["__signature__"] = signature.replace(parameters=own + given)
        function.__doc__ = with_section(function.__doc__ or "", text)
        return function

    return list_them


def described(options: Any) -> tuple[str, str]:
    """The struct that options are of, "" for none, and the lines on each of them."""
    head, _, entries = inspect.cleandoc(options.__doc__ or "").partition("\n\n")
    struct = re.search(r"\blb_\w+", head)
    return struct.group() if struct else "", entries


def default_of(struct: str, name: str) -> object:
    """The library's own default; None where each case has another."""
    return _core.DEFAULTS[struct].get(name) if struct else None


def with_section(doc: str, entries: str) -> str:
    """A docstring with the options before its examples."""
    head, examples, rest = inspect.cleandoc(doc).partition("\n\nExamples\n")
    title = "Other Parameters\n----------------"
    return f"{head}\n\n{title}\n{entries}{examples}{rest}"
