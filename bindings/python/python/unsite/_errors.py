"""Exceptions that say what happened, where, and what to do about it."""


class UnsiteError(Exception):
    """Something that unsite cannot do: ``what`` happened, ``where`` (a file, an address, or nothing), and ``advice``."""

    what: str
    where: str
    advice: str

    def __init__(self, what: str, where: str = "", advice: str = "") -> None:
        super().__init__(what, where, advice)
        self.what = what
        self.where = where
        self.advice = advice

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where and self.where not in self.what else ""
        advice = f". {self.advice[:1].upper()}{self.advice[1:]}" if self.advice else ""
        return f"{self.what}{place}{advice}"


class SourceError(UnsiteError):
    """Pages cannot be read from there."""


class NoPagesError(SourceError):
    """There is no page in what was given."""


class PageError(UnsiteError, ValueError):
    """Something was given as pages that is none."""


class WrapperError(UnsiteError):
    """A wrapper file cannot be read or written."""


class OutputError(UnsiteError):
    """An output cannot be written; what stood there before still stands there."""


class RepairError(UnsiteError):
    """Known records do not prove that a changed site is the one that was learned."""


class EditError(UnsiteError, ValueError):
    """A change by hand that cannot be made; nothing was changed."""


class CancelledError(UnsiteError):
    """Work was stopped before it was done."""


class DriftWarning(UserWarning):
    """Pages do not look as they did when their site was learned."""


class EditWarning(UserWarning):
    """A change by hand that a wrapper keeps is about something that is not there any more."""
