"""A mapping in layers is the same as a dict that is copied for every entry."""

from hypothesis import given
from hypothesis import strategies as st

from baccarat.table.canonical import canonical_bytes
from baccarat.table.layered import MOST_ABOVE, Layered, with_entry, without_entry

STEPS = st.lists(
    st.tuples(st.sampled_from([f"p{n}" for n in range(60)]), st.none() | st.integers(0, 9)),
    max_size=4 * MOST_ABOVE,
)


@given(STEPS)
def test_it_is_the_dict_it_stands_for_and_never_changes(steps):
    model, found = {}, {}
    before = []
    for key, value in steps:
        before.append((dict(model), found))
        if value is None:
            model.pop(key, None)
            found = without_entry(found, key)
        else:
            model[key] = value
            found = with_entry(found, key, value)
    for expected, one in [*before, (model, found)]:
        assert one == expected
        assert expected == one
        assert len(one) == len(expected)
        assert [*one] == [*one.keys()]
        assert {*one} == {*expected}
        assert dict(one.items()) == expected
        assert sorted(one.values()) == sorted(expected.values())
        assert bool(one) == bool(expected)
        assert canonical_bytes(one) == canonical_bytes(expected)
        for key in ("p0", "p1", "nobody"):
            assert one.get(key) == expected.get(key)
            assert (key in one) == (key in expected)


def test_what_lies_above_is_never_much():
    found = {}
    for n in range(10 * MOST_ABOVE):
        found = with_entry(found, f"p{n}", n)
        assert isinstance(found, Layered)
        assert len(found.above) <= MOST_ABOVE
    assert len(found) == 10 * MOST_ABOVE
