"""Tables: values, distances, actions, expectations."""

from fractions import Fraction

import numpy as np
import pytest

import anqi
from anqi import truth

LETTERS = "KGMRNCPkgmrncp?."
TABLES = anqi.Tables.embedded()


def test_values_distances_and_actions_of_face_up_endings():
    position = anqi.Position("4/4/4/4/4/4/1k2/K1g1 r - 0 0")
    probe = TABLES.probe(position)
    assert (probe.value, probe.expected, probe.distance) == (-1, Fraction(-1), 2) and probe
    won = anqi.Position("4/4/4/4/4/4/4/Kg2 r - 0 0")
    actions = TABLES.actions(won)
    assert actions[0] == (anqi.Action("a1-b1"), Fraction(1), 1)
    five = TABLES.probe("4/4/4/4/4/4/1p2/KgPP r - 0 0")
    assert (five.value, five.distance) == (1, None) and TABLES.pieces == 5


def test_unknown_positions_are_false():
    probe = TABLES.probe(anqi.Game())
    assert not probe and probe.value is None and probe.expected is None
    assert TABLES.actions(anqi.Position.start()) is None


def test_face_down_pieces_have_exact_expectations():
    position = anqi.Position("4/4/4/4/4/4/4/?1Kg r P 0 30")
    probe = TABLES.probe(position)
    assert isinstance(probe.expected, Fraction)
    best = TABLES.actions(position)
    assert best[0][1] == probe.expected == max(expected for _, expected, _ in best)
    flips = {action: expected for action, expected, _ in best if action.is_flip}
    for flip, expected in flips.items():
        outcomes = TABLES.distribution(position, flip)
        assert sum(chance for _, chance, _ in outcomes) == 1
        assert sum(chance * value for _, chance, value in outcomes) == expected


def test_expectations_follow_from_those_of_the_outcomes():
    position = anqi.Position("4/4/4/4/4/4/4/??Kg r Pp 0 30")
    for action, expected, _ in TABLES.actions(position):
        if action.is_flip:
            outcomes = TABLES.distribution(position, action)
            assert sum(chance * value for _, chance, value in outcomes) == expected
        else:
            assert -TABLES.probe(position.apply(action)).expected == expected


def test_many_positions_come_as_arrays():
    texts = ["4/4/4/4/4/4/4/Kg2 r - 0 0", "4/4/4/4/4/4/1k2/K1g1 r - 0 0", str(anqi.Position.start())]
    values, expected, distances = TABLES.probe_many(texts)
    assert values.tolist() == [1, -1, -128] and distances.tolist() == [1, 2, -1]
    assert expected[:2].tolist() == [1.0, -1.0] and np.isnan(expected[2])


def test_rules_change_values():
    text = "4/4/4/4/4/4/4/Kg2 r - 59 90"
    late = anqi.Position("K3/4/4/4/4/4/4/3g r - 59 90")
    assert anqi.Tables.embedded("platform").probe(text).value == 1
    assert anqi.Tables.embedded("platform").probe(late).value == 0
    assert anqi.Tables.embedded("platform").rules == anqi.Rules("platform")


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(anqi.TableError, match="is not a folder"):
        anqi.Tables(tmp_path / "none")
    assert anqi.Tables(tmp_path).probe("4/4/4/4/4/4/4/Kg2 r - 0 0").value == 1


def test_all_positions_of_a_material_come_with_their_values():
    found = {}
    batches = truth.all_positions("Kgp", "black", batch=5000)
    assert len(batches) == 32 * 31 * 30
    for boards, values in batches:
        for board, value in zip(boards[::97], values[::97]):
            squares = {place: code for place, code in enumerate(board.tolist()) if code != 15}
            assert sorted(squares.values()) == [0, 8, 13]
            rows = ["".join(LETTERS[board[c * 8 + r]] for c in range(4)) for r in range(7, -1, -1)]
            text = "/".join(rows)
            for count in (4, 3, 2, 1):
                text = text.replace("." * count, str(count))
            assert TABLES.probe(f"{text} b - 0 0").value == value
        found.update(zip(map(bytes, boards), values.tolist()))
    assert len(found) == len(batches) and set(found.values()) == {0, 1}
    twins = list(truth.all_positions("Kpp"))
    assert sum(len(values) for _, values in twins) == 32 * 31 * 30 // 2
    for bad in ("", "K", "Kx", "KKg", "KGMgmr", "Kg" * 9):
        with pytest.raises(anqi.Error):
            truth.all_positions(bad)
    with pytest.raises(anqi.Error, match="batches of 0"):
        truth.all_positions("Kg", batch=0)
