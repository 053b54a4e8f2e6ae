"""Games: the rules, chance, records."""

import random
from fractions import Fraction

import pytest

import anqi
from games import random_game

PRESETS = [rules.name for rules in anqi.Rules.presets()]


def test_the_first_minutes():
    game = anqi.Game(rules="olympiad")
    assert len(game.legal_actions()) == 32 and str(game.legal_actions()[0]) == "a1"
    chances = game.chance_outcomes("b3")
    assert len(chances) == 14 and sum(chance for _, chance in chances) == 1
    assert dict(chances)[anqi.Piece("p")] == Fraction(5, 32)
    game.play("b3", "k")
    assert game.to_move == "red", "the player of the first flip has black"
    game.play(anqi.Action("b4"), anqi.Piece("P"))
    game.play("a1(g)")
    assert game.chance_outcomes("b4-b3") == [] and not game.is_over and game.result is None
    game.play("b4-b3")
    assert [str(action) for action, _ in game.plies] == ["b3", "b4", "a1", "b4-b3"]
    assert game.undo() == (anqi.Action("b4-b3"), None)
    assert game.undo() == (anqi.Action("a1"), anqi.Piece("g"))
    other = game.apply("c3", "M")
    assert len(other) == 3 and len(game) == 2 and other != game


@pytest.mark.parametrize("rules", PRESETS)
def test_random_games_end_and_unwind(rules):
    for seed in range(20):
        game = random_game(seed, rules)
        assert game.is_over and game.is_terminal and game.result is not None
        assert game.legal_actions() == []
        with pytest.raises(anqi.IllegalActionError, match="the game is over"):
            game.play("a1-a2")
        text, positions = game.text, []
        again = anqi.Game.from_text(text, rules)
        assert again == game and again.result == game.result
        for action, piece in game.plies:
            positions.append(game.position)
            assert game.undo() is not None
        assert str(game.position) == str(anqi.Position.start()) and len(game) == 0
        for action, piece in again.plies:
            assert action in game.legal_actions() and game.is_legal(action)
            if piece is not None:
                assert piece in dict(game.chance_outcomes(action))
            game.play(action, piece)
        assert game == again


@pytest.mark.parametrize("format", ["pgn", "platform", "json", "position"])
def test_records_come_back(format):
    for seed in range(4):
        game = random_game(seed, "platform")
        record = game.record(format, ("chan", "ai"))
        (again,) = anqi.Game.read_all(record, rules="platform")
        assert again.plies == game.plies and again.result == game.result


def test_the_same_rng_draws_the_same_pieces():
    import numpy as np

    def first(rng):
        return str(anqi.Game().play_drawn("a1", rng))

    assert first(random.Random(7)) == first(random.Random(7))
    assert first(np.random.default_rng(7)) == first(np.random.default_rng(7))
    counts = {}
    for seed in range(3200):
        drawn = first(random.Random(seed))
        counts[drawn] = counts.get(drawn, 0) + 1
    assert set(counts) == set("KGMRNCPkgmrncp") and 400 < counts["P"] < 600


def test_positions_at_the_end_of_a_rule():
    game = anqi.Game.from_position("K3/4/4/4/4/4/4/3g r - 59 90", rules="platform")
    game.play("a8-a7")
    assert game.is_over and str(game.result) == "draw quiet-limit" and game.result.winner is None
