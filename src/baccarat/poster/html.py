"""HTML that cannot be injected into: text becomes `Html` only by being escaped, here."""

from html import escape
from typing import Self


class Html(str):
    """Markup that is safe to send as it is. Apostrophes of text are set as such."""

    __slots__ = ()

    @classmethod
    def of(cls, *parts: "str | Html | None") -> Self:
        """The parts in a row: text escaped, markup as it is, None left out."""
        return cls("".join(_safe(part) for part in parts if part is not None))


def tag(name: str, *children: "str | Html | None", **attributes: str) -> Html:
    """An element; a trailing underscore in an attribute's name is dropped (`class_`)."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{written}>{Html.of(*children)}</{name}>")


def _safe(part: "str | Html") -> str:
    return part if isinstance(part, Html) else escape(part.replace("'", "’"))
