"""What limber raises and what it warns of."""


import errno
import os


class LimberError(ValueError):
    """A model, file or value that cannot be used; the text says what to do.

    An unreached target is no error: it is data, see :class:`limber.IkResult`. That of a file that
    is not there is a ``FileNotFoundError``, too.

    Attributes
    ----------
    message : str
        What is wrong, and the remedy.
    path : str
        The file, ``""`` where there is none.
    line, column : int
        Where in the file, counted from 1; 0 where unknown.
    status : str
        The kind of failure: ``"the file cannot be read or written"``, ...

    Examples
    --------
    >>> import limber
    >>> try:
    ...     limber.Model.load("pandaa")
    ... except limber.LimberError as error:
    ...     print(error)
    pandaa: there is no such file and no such built-in model; did you mean 'panda'?
    """

    def __init__(
        self, message: str, path: str = "", line: int = 0, column: int = 0, status: str = ""
    ) -> None:
        super().__init__(message, path, line, column, status)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.status = status

    def __str__(self) -> str:
        place = self.path
        if place and self.line:
            place += f":{self.line}"
        if not place or self.message.startswith(place):
            return self.message
        return f"{place}: {self.message}"


class MissingFileError(LimberError, FileNotFoundError):
    """A file that is not there."""

    def __init__(
        self, message: str, path: str = "", line: int = 0, column: int = 0, status: str = ""
    ) -> None:
        super().__init__(message, path, line, column, status)
        self.errno = errno.ENOENT
        self.filename = path


# the library's text of LB_FILE_ERROR
FILE_ERROR = "the file cannot be read or written"


def file_error(message: str, path: str, line: int = 0, column: int = 0, status: str = FILE_ERROR) -> LimberError:
    """The error of a file, by whether it is there."""
    missing = status == FILE_ERROR and not os.path.lexists(path)
    return (MissingFileError if missing else LimberError)(message, path, line, column, status)


class LimberWarning(UserWarning):
    """Something in a file that can be read but looks like a mistake."""
