"""What has happened in the house outside its tables: accounts and money.

Same form as a table's events, in a stream of its own. The one rule: nothing secret and nothing
personal but the name others see: a journal is never changed, so nothing in it can be forgotten.
"""

from dataclasses import dataclass

from baccarat.house.roles import Role
from baccarat.table.events import Event, decode

STREAM = "house"


@dataclass(frozen=True)
class HouseOpened(Event):
    name: str
    currency: str


@dataclass(frozen=True)
class AccountOpened(Event):
    account: str
    role: Role
    name: str
    guest: bool


@dataclass(frozen=True)
class MoneyPaidIn(Event):
    account: str
    amount: int
    by: str


@dataclass(frozen=True)
class MoneyPaidOut(Event):
    account: str
    amount: int
    by: str


@dataclass(frozen=True)
class PlayMoneyGiven(Event):
    account: str
    amount: int


@dataclass(frozen=True)
class BonusGranted(Event):
    account: str
    amount: int
    by: str


@dataclass(frozen=True)
class BonusReleased(Event):
    account: str
    amount: int
    by: str


HOUSE_EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        *(HouseOpened, AccountOpened, MoneyPaidIn, MoneyPaidOut, PlayMoneyGiven),
        *(BonusGranted, BonusReleased),
    )
}


def decode_house(data: bytes) -> Event:
    return decode(data, HOUSE_EVENTS)
