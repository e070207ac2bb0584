"""The journal: every kind of tampering is found."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.table import events as e
from baccarat.table.journal import Entry, Head, beginning, chain, head_of
from support.chained import check
from support.live import LiveTable, settings_for

TABLE = LiveTable(settings_for())
TABLE.until(e.RoundSettled)
BODIES = [e.encode(event) for event in TABLE.events]
ENTRIES = chain(beginning("table:one"), BODIES)
HEADS = [head_of(entry) for entry in ENTRIES]


def faults(entries: list[Entry], *heads: Head) -> list[str]:
    return [str(found) for found in check("table:one", entries, heads)]


def test_an_unchanged_journal_has_no_faults():
    assert [entry.sequence for entry in ENTRIES] == list(range(1, len(BODIES) + 1))
    assert faults(ENTRIES, *HEADS) == []
    assert faults([]) == []


def test_hashes_are_those_documented():
    first = sha256(b"baccarat/journal/1\0table:one").digest()
    second = sha256(b"baccarat/entry/1\0" + first + bytes(7) + b"\1" + BODIES[0]).digest()
    assert (beginning("table:one").hash, ENTRIES[0].hash) == (first, second)


@given(st.integers(0, len(BODIES) - 1), st.data())
def test_an_edited_byte_is_found(place, data):
    body = bytearray(BODIES[place])
    body[data.draw(st.integers(0, len(body) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    edited = [*ENTRIES]
    edited[place] = ENTRIES[place]._replace(body=bytes(body))
    assert "was changed" in faults(edited)[0]


@given(st.integers(0, len(BODIES) - 2))
def test_a_deleted_duplicated_or_moved_entry_is_found(place):
    assert faults(ENTRIES[:place] + ENTRIES[place + 1 :])
    assert faults(ENTRIES[: place + 1] + ENTRIES[place:])
    swapped = [*ENTRIES]
    swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
    assert faults(swapped)
    renumbered = [entry._replace(sequence=i) for i, entry in enumerate(swapped, start=1)]
    assert faults(renumbered)


@given(st.integers(0, len(BODIES) - 1))
def test_a_truncated_journal_is_found_by_a_head(keep):
    assert faults(ENTRIES[:keep]) == []  # nothing shows that there was more
    assert "cut off" in faults(ENTRIES[:keep], HEADS[-1])[0]


@given(st.integers(0, len(BODIES) - 1))
def test_a_rewritten_journal_is_found_by_a_head(place):
    bodies = [*BODIES]
    bodies[place] = bodies[place].replace(b'"at":', b'"at":9')
    forged = chain(beginning("table:one"), bodies)
    assert faults(forged) == []
    found = faults(forged, *HEADS)
    assert len(found) == len(BODIES) - place
    assert "was rewritten" in found[0]


def test_entries_of_another_stream_are_found():
    other = chain(beginning("table:two"), BODIES)
    assert faults(other)
    assert faults([entry._replace(stream="table:one") for entry in other])


@pytest.mark.parametrize("place", [1, 5])
def test_a_part_can_be_checked_after_a_head(place):
    assert check("table:one", ENTRIES[place:], after=HEADS[place - 1]) == []
    assert check("table:one", ENTRIES[place + 1 :], after=HEADS[place - 1])
