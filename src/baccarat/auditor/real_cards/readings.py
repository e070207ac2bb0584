"""The cards that an electronic shoe read, compared with those that the dealer entered."""

from dataclasses import dataclass, field


@dataclass
class Readings:
    """The readings of an electronic shoe."""

    read: int = 0
    """Number of cards that the shoe has read."""
    unread: list[str | None] = field(default_factory=list)
    """Cards that were entered but have not been read yet; None for a card that was face down."""
    ahead: int = 0
    """Number of cards that were read but have not been entered yet."""

    def enter(self, faces: list[str | None], *, device: bool = False) -> None:
        known = min(self.ahead, len(faces))
        self.ahead -= known
        if not device:
            self.unread += faces[known:]

    def change(self, recorded: int, faces: list[str | None]) -> None:
        """Replace the last `recorded` cards with others, except for those already read."""
        waiting = min(len(self.unread), recorded)
        self.unread[len(self.unread) - waiting :] = faces[recorded - waiting :]

    def take(self) -> tuple[bool, str | None]:
        """Count a reading; return whether a card had been entered for it, and which one."""
        self.read += 1
        if self.unread:
            return True, self.unread.pop(0)
        self.ahead += 1
        return False, None
