"""Matches: the figures of `selfplay`, players of every kind, luck, sequential tests."""

import random
import sys

import pytest

import anqi


def first(game):
    return game.legal_actions()[0]


def test_the_same_seed_gives_the_same_games_whatever_the_jobs():
    results = [anqi.match("greedy", "random", pairs=6, nodes=50, jobs=jobs, seed=3) for jobs in (1, 2)]
    assert results[0].games == results[1].games and results[0].report == results[1].report
    assert anqi.match("greedy", "random", pairs=6, nodes=50, seed=4).games != results[0].games
    rows = results[0].games
    assert [row["starter"] for row in rows] == ["a", "b"] * 6
    for row in rows:
        game = anqi.Game.from_text("start moves " + row["moves"])
        assert len(game) == row["plies"] and game.is_over


def test_callables_play_and_their_exceptions_arrive():
    rng = random.Random(1)
    result = anqi.match(first, lambda game: str(rng.choice(game.legal_actions())), pairs=3)
    assert len(result.games) == 6 and result.report["players"]["a"] == "first"
    greedy = anqi.Player("greedy")
    assert anqi.match(greedy.choose, anqi.Player("random"), pairs=4).advantage_ratio > 2

    def faulty(game):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        anqi.match(faulty, "random", pairs=2, jobs=2)
    with pytest.raises(anqi.IllegalActionError):
        anqi.match(lambda game: "a1-a2", "random", pairs=1)
    with pytest.raises(TypeError, match="expected an action"):
        anqi.match(lambda game: None, "random", pairs=1)


def test_luck_is_taken_out_and_a_test_ends_the_match():
    result = anqi.match("greedy", "random", pairs=12, nodes=50, luck=True)
    assert result.without_luck["appraiser"] == "moves 2"
    assert all(len(pair["luck"]["flips"]) == 2 for pair in result.pairs)
    test = anqi.Sprt(elo0=0, elo1=100)
    result = anqi.match("greedy", "random", pairs=500, nodes=50, sprt=test)
    assert result.sprt["decision"] in ("elo1", "Elo1") and len(result.pairs) < 500


def test_foreign_engines_play():
    result = anqi.match(f"cmd:{sys.executable} -m anqi protocol", "random", pairs=1, nodes=50)
    assert result.report["faults"] == 0 and len(result.games) == 2


def test_games_come_as_a_frame():
    pytest.importorskip("pandas")
    frame = anqi.match("greedy", "random", pairs=2, nodes=10).frame()
    assert list(frame.columns)[:4] == ["pair", "starter", "starter_color", "winner"] and len(frame) == 4


def test_games_come_as_a_frame_of_polars_where_there_is_no_pandas(monkeypatch):
    polars = pytest.importorskip("polars", reason="Polars is not installed, so its frames are not tested")
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = anqi.match("greedy", "random", pairs=2, nodes=10)
    frame = result.frame()
    assert isinstance(frame, polars.DataFrame) and frame.rows(named=True) == result.games
    drawn, won = {"winner": None, "plies": 90}, {"winner": "a", "plies": 60}
    assert anqi.matches.frame([drawn] * 200 + [won])["winner"].to_list() == [None] * 200 + ["a"]
    assert anqi.matches.frame([]).is_empty()


@pytest.mark.parametrize(
    "arguments",
    [{"pairs": 0}, {"jobs": 0}, {"nodes": 0}, {"time": -1.0}, {"time": "x"}, {"luck": "x"}, {"sprt": "x"}, {"rules": "x"}],
)
def test_wrong_arguments_are_refused(arguments):
    with pytest.raises(anqi.Error):
        anqi.match("random", "random", **arguments)
    for wrong in ("nobody", "cmd:/no/such/program"):
        with pytest.raises(anqi.Error):
            anqi.match(wrong, "random")
    with pytest.raises(TypeError, match="expected a player"):
        anqi.match(3, "random")
