"""Recorded games of two outside referees, replayed through the package.

The slow rule book of this project is held to the same files where the rules are written
(tests/rulebooks), so that what agrees here agrees with it too.
"""

import gzip
from pathlib import Path

import pytest

import anqi

DATA = Path(__file__).resolve().parents[2] / "tests/rulebooks/data"
EACH = 8
"""One in so many games of OpenSpiel is replayed; the Rust tests replay all."""


def lines(name):
    if not (DATA / name).exists():
        pytest.skip(f"needs {name} of a clone")
    with gzip.open(DATA / name, "rt") as file:
        yield from map(str.strip, file)


def check(actions):
    """The check of a list of actions, as the data's README describes it."""
    value = 0xCBF29CE484222325
    for byte in " ".join(f"{action.source}-{action.target}" for action in actions).encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    value ^= value >> 32
    return f"{(value ^ value >> 16) & 0xFFFF:04x}"


def test_games_of_openspiel_are_replayed_action_by_action():
    game, plies, ends = None, 0, []
    for words in map(str.split, lines("openspiel-playthroughs.txt.gz")):
        if words[0] == "game":
            chosen = words[1] == "tie" or int(words[1]) % EACH == 0
            game = anqi.Game("openspiel") if chosen else None
        elif game is None or words[0] in ("openspiel-playthroughs", "perft"):
            continue
        elif words[0] == "at":
            assert str(game.position) == " ".join(words[1:])
        elif words[0] == "wiped":
            assert game.result.reason == "annihilation" and str(game.position) == " ".join(words[2:])
            ends.append("wiped")
        elif words[0] == "end":
            assert str(game.position) == " ".join(words[-5:]) and game.is_over
            ends.append(words[1])
        else:
            legal = game.legal_actions()
            assert [len(legal), check(legal)] == [int(words[1]), words[2]], game
            game.play(words[0])
            plies += 1
    assert plies > 15_000 and {"red", "black", "draw", "wiped"} <= set(ends), (plies, ends)


def test_games_of_a_course_s_referee_end_where_it_says():
    reasons = {"stuck": "no-legal-action", "gone": "annihilation", "limit": "quiet-limit"}
    games = 0
    for line in lines("course-games.txt.gz"):
        winner, reason, text = line.split(" ", 2)
        game = anqi.Game.from_text(text, "course")
        expected = None if winner == "draw" else winner
        assert game.result == anqi.Result(expected, reasons[reason]), line
        game.undo()
        assert not game.is_over
        games += 1
    assert games == 889
