"""Players: choices, progress, threads, Ctrl-C."""

import signal
import threading
import time

import pytest

import anqi
from games import random_game

ENDING = "4/4/4/4/4/4/4/Kg2 r - 0 0"


def test_every_kind_of_player_chooses_a_legal_action():
    game = random_game(11, plies=30)
    for name, about in anqi.Player.known():
        choice = anqi.Player(name).choose(game, nodes=500)
        assert choice.action in game.legal_actions() and about


def test_the_same_request_gives_the_same_choice():
    game = random_game(12, plies=20)
    chosen = [anqi.Player("champion:level=5").choose(game, nodes=3000, seed=4) for _ in range(2)]
    assert chosen[0].action == chosen[1].action and chosen[0].nodes == chosen[1].nodes
    assert chosen[0].score == chosen[1].score and chosen[0].line == chosen[1].line


def test_lines_are_ranked_and_flips_have_outcomes():
    game = anqi.Game()
    game.play("b3", "k")
    choice = anqi.Player("champion").choose(game, nodes=20_000, lines=3)
    assert len(choice.ranked) == 3
    expected = [ranked.score.expected for ranked in choice.ranked]
    assert expected == sorted(expected, reverse=True)
    assert choice.ranked[0].action == choice.action == choice.ranked[0].line[0]
    outcomes = choice.ranked[0].outcomes
    if outcomes:
        assert sum(count for _, count, _ in outcomes) == 31


def test_a_proof_is_told_as_one():
    game = anqi.Game.from_position(ENDING)
    choice = anqi.Player("champion").choose(game, nodes=1000)
    assert str(choice.action) == "a1-b1" and choice.score.kind == "win"
    assert choice.score.expected == 1.0 == float(choice.score) and choice.score.plies == 1


def test_among_restricts_the_choice():
    game = random_game(13, plies=16)
    wanted = game.legal_actions()[-1]
    assert anqi.Player("champion").choose(game, nodes=500, among=[wanted]).action == wanted
    with pytest.raises(anqi.IllegalActionError):
        anqi.Player("champion").choose(game, among=["a1-d8"])
    with pytest.raises(anqi.Error, match="no actions"):
        anqi.Player("champion").choose(game, among=[])


def test_progress_goes_deeper_and_ends_with_the_choice():
    game = random_game(14, plies=24)
    search = anqi.Player("champion").analyse(game, nodes=20_000)
    reports = list(search)
    depths = [report.depth for report in reports]
    assert depths == sorted(depths) and depths[-1] > 2
    assert -1 <= reports[-1].value <= 1 and reports[-1].rank == 1 and reports[-1].line
    assert search.choice().action == reports[-1].line[0]
    with pytest.raises(anqi.ClosedError):
        search.choice()


def test_an_endless_search_ends_when_it_is_stopped_or_dropped():
    game = random_game(15, plies=10)
    player = anqi.Player("champion")
    search = player.analyse(game)
    assert next(search).depth >= 1
    assert search.stop().action in game.legal_actions()
    search = player.analyse(game)
    next(search)
    del search
    assert player.choose(game, nodes=100).action in game.legal_actions()


def test_ctrl_c_ends_a_search():
    game = random_game(16, plies=10)
    player = anqi.Player("champion")
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        player.choose(game, time=60)
    assert time.monotonic() - begun < 20
    assert player.choose(game, nodes=100).action in game.legal_actions()
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in player.analyse(game):
            pass


def test_searches_let_other_threads_run():
    game = random_game(17, plies=10)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    anqi.Player("champion").choose(game, time=0.5)
    stop.set()
    counter.join()
    assert counted[0] > 50


def test_several_threads_may_use_one_player():
    games = [random_game(seed, plies=20) for seed in range(20, 24)]
    player, found = anqi.Player("champion"), {}

    def think(index):
        found[index] = player.choose(games[index], nodes=2000).action

    threads = [threading.Thread(target=think, args=[index]) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[index] in game.legal_actions() for index, game in enumerate(games))


def test_an_analysis_ranks_actions_and_shows_what_flips_reveal():
    game = anqi.Game()
    game.play("b3", "k")
    rounds = list(anqi.analyse(game, lines=2, flips=["a1"], nodes=60_000))
    last = rounds[-1]
    assert last.is_last and -1 <= last.value <= 1 and last.kind == "estimate"
    assert rounds[0].nodes < last.nodes and len(last.lines) == 2
    flip = next(flip for flip in last.flips if flip["square"] == "a1")
    assert sum(found["count"] for found in flip["appearances"]) == 31
    mean = sum(found["chance"] * found["value"] for found in flip["appearances"])
    assert abs(mean - flip["value"]) < 1e-3


def test_reviews_tell_luck_from_decisions():
    game = anqi.Game.from_text("3P/4/4/4/4/4/4/Gg2 r - 0 0 moves d8-d7 b1-a1")
    report = anqi.review(game, nodes=5000, players=("me", "you"))
    assert report["sides"][0]["blunders"] == 1 and report["players"] == ["me", "you"]
    assert len(report["graph"]) == 3 and report["nodes_per_decision"] == 5000
    assert anqi.hint(anqi.Game.from_position(ENDING))["action"] == "a1-b1"


def test_evaluations_are_seen_by_the_side_to_move():
    position = random_game(18, plies=30).position
    told, swapped = anqi.evaluate(position), anqi.evaluate(position.recolored())
    assert told == swapped and -0.9 <= told["expected"] <= 0.9
    assert anqi.evaluate(anqi.Position.start())["expected"] == 0
