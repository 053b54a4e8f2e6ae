"""Wrong types, huge numbers, closed things, forks, foreign pickles: exceptions, never an abort."""

import base64
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import anqi
from anqi._anqi import board_features, built_in_network, network_accumulators, network_results
from games import random_game

HIDDEN = "4/4/4/4/4/4/4/??Kg r Pp 0 30"
JUNK = [None, 3, -1, 2**80, 1.5, float("nan"), b"b3", [], {}, object(), "", "b9", "x" * 10_000, "b3-", "\ud800", "\0", "b3(k"]  # fmt: skip

# Pickles of protocol 2 as version 0.1.0 wrote them, by what their values print.
OLD_PICKLES = {
    "anqi.Piece('k')": "gAJjYW5xaQpQaWVjZQpxAFgBAAAAa3EBhXECUnEDLg==",
    "anqi.Action('b3-b4')": "gAJjYW5xaQpBY3Rpb24KcQBYBQAAAGIzLWI0cQGFcQJScQMu",
    "anqi.Rules('mistboard')": "gAJjYW5xaQpSdWxlcwpxAFgJAAAAbWlzdGJvYXJkcQGFcQJScQMu",
    "anqi.Result(None, 'quiet-limit')": "gAJjYW5xaQpSZXN1bHQKcQBOWAsAAABxdWlldC1saW1pdHEBhnECUnEDLg==",
    "anqi.Position('K3/1r2/4/4/4/4/4/?2g r p 3 40', rules='course')": "gAJjYW5xaQpQb3NpdGlvbgpxAFgdAAAASzMvMXIyLzQvNC80LzQvNC8/MmcgciBwIDMgNDBxAWNhbnFpClJ1bGVzCnECWAYAAABjb3Vyc2VxA4VxBFJxBYZxBlJxBy4=",
    "anqi.Player('champion:level=2')": "gAJjYW5xaQpQbGF5ZXIKcQBYEAAAAGNoYW1waW9uOmxldmVsPTJxAYVxAlJxAy4=",
    "anqi.Tables.embedded(rules='olympiad')": "gAJjX19idWlsdGluX18KZ2V0YXR0cgpxAGNhbnFpClRhYmxlcwpxAVgIAAAAZW1iZWRkZWRxAoZxA1JxBGNhbnFpClJ1bGVzCnEFWAgAAABvbHltcGlhZHEGhXEHUnEIhXEJUnEKLg==",
    "anqi.Game.from_text('start moves b3(k) b4(P)', rules='platform')": "gAJjX19idWlsdGluX18KZ2V0YXR0cgpxAGNhbnFpCkdhbWUKcQFYCAAAAF9yZXN0b3JlcQKGcQNScQRLAVgXAAAAc3RhcnQgbW92ZXMgYjMoaykgYjQoUClxBVgIAAAAcGxhdGZvcm1xBodxB1JxCC4=",
}


def raises_well(use, *arguments):
    """Calls something that has to raise an ordinary exception."""
    try:
        use(*arguments)
    except Exception as error:
        assert isinstance(error, (anqi.Error, TypeError, ValueError, OverflowError)), repr(error)
        assert len(str(error)) < 1000
        return
    pytest.fail(f"{use} took {arguments!r:.100}")


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: repr(junk)[:20])
def test_junk_is_refused_everywhere(junk):
    game = anqi.Game()
    for use in (anqi.Piece, anqi.Action, anqi.Position, anqi.Game.from_text, anqi.Game.from_position):
        raises_well(use, junk)
    for use in (game.play, game.is_legal, game.chance_outcomes, game.play_drawn, game.apply):
        raises_well(use, junk)
    for use in (game.position.apply, game.position.piece_at, game.position.living, game.position.mirrored):
        raises_well(use, junk)
    for use in (anqi.Player, anqi.Player("random").choose, anqi.review, anqi.analyse, anqi.hint):
        raises_well(use, junk)
    for use in (anqi.Position.from_text, anqi.Position.from_fen, anqi.Action.from_text, anqi.Puzzle.from_json):
        raises_well(use, junk)
    for dialect in ("uci", "line", "tournament"):
        raises_well(anqi.Position.from_text, junk, dialect)
        raises_well(anqi.Action.from_text, junk, dialect)
    raises_well(game.position.text, junk)
    raises_well(anqi.puzzles()[0].attempt().play, junk)
    raises_well(anqi.Tables.embedded().probe, junk)
    raises_well(anqi.evaluate, junk)
    raises_well(lambda: anqi.evaluate(game, network=junk))
    raises_well(lambda: anqi.Position.from_text("x", "tournament", to_move=junk))
    for use in (network_results, network_accumulators):
        raises_well(use, junk, [])
        raises_well(use, built_in_network(), [junk])
    for boards in ((junk, junk, junk), (b"", b"x", b""), (b"x" * 32, b"", b"x"), (b"\xff" * 32, b"\xff" * 14, b"\xff")):
        raises_well(board_features, boards)
    raises_well(game.record, junk)
    raises_well(lambda: anqi.VectorEnv(1).set_position(0, junk))
    if junk is not None:
        for use in (anqi.Game, anqi.Tables.embedded):
            raises_well(use, junk)
        raises_well(game.play, "b3", junk)
        raises_well(anqi.puzzles, junk)
        raises_well(anqi.Rules, junk)
    assert len(game) == 0


def test_sentences_are_those_of_the_rules():
    game = anqi.Game()
    for use, said in [
        (lambda: game.play("b3"), "the flip of b3 does not say which piece appeared, such as b3"),
        (lambda: game.play("b3", "x"), "'x' is not a piece"),
        (lambda: game.play("b3-b4"), "the first ply must be a flip"),
        (lambda: game.play("e3"), "'e3' is not a square"),
        (lambda: game.play(3), "expected an action such as 'b3' or 'b3-b4', or an anqi.Action, not int"),
        (lambda: game.undo(), "there is no ply to take back"),
        (lambda: anqi.Game("chess"), "expected olympiad, platform"),
        (lambda: anqi.Position("4/4"), "fields instead of five"),
        (lambda: anqi.Player("champion:depth=x"), "'x' is not a value for 'depth'"),
        (lambda: anqi.Player("none"), "no player is called 'none'"),
    ]:
        with pytest.raises((anqi.Error, TypeError), match=said):
            use()


def test_huge_and_negative_numbers_are_refused():
    game, player = random_game(1, plies=10), anqi.Player("champion")
    for limits in (
        {"nodes": 0}, {"nodes": -1}, {"nodes": 2**70}, {"depth": 0}, {"depth": -3}, {"time": -1.0},
        {"time": float("nan")}, {"time": float("inf")}, {"lines": 0}, {"lines": 10**9}, {"seed": -1},
        {"seed": 2**64}, {"nodes": "many"}, {"nodes": 1.5},
    ):  # fmt: skip
        raises_well(lambda: player.choose(game, **limits))
        raises_well(lambda: player.analyse(game, **limits))
    for number in (-1, 352, 2**40):
        raises_well(anqi.Action.from_number, number)
    assert player.choose(game, nodes=2**64 - 1, depth=1).action in game.legal_actions()


def test_finished_games_have_no_choice():
    over = random_game(2)
    for use in (anqi.Player("champion").choose, anqi.Player("random").choose, anqi.analyse, anqi.hint):
        raises_well(use, over)
    assert anqi.review(random_game(2, plies=3), nodes=100)["plies"]


def test_pickles_of_other_versions_and_damaged_ones_are_refused():
    game = random_game(3, plies=5)
    data = pickle.dumps(game)
    with pytest.raises(anqi.Error, match="a pickled game of version 99"):
        anqi.Game._restore(99, "start", "olympiad")
    raises_well(anqi.Game._restore, 1, "start moves zz", "olympiad")
    raises_well(anqi.Game._restore, 1, "start", "chess")
    assert pickle.loads(data) == game
    for place in range(0, len(data), 7):
        damaged = data[:place] + bytes([data[place] ^ 0x15]) + data[place + 1 :]
        try:
            pickle.loads(damaged)
        except Exception:
            pass


def test_pickles_of_the_first_version_are_read():
    """Every value by pickle as version 0.1.0 wrote it: a change of the layout needs a version."""
    for name, text in OLD_PICKLES.items():
        value = pickle.loads(base64.b64decode(text))
        assert repr(value) == name


def test_closed_things_say_so():
    env = anqi.VectorEnv(2, seed=1)
    env.close()
    for use in (env.reset, env.sample, lambda: env.step([0, 0]), lambda: env.afterstates([0, 0]), lambda: env.position(0),
                lambda: env.set_position(0, "4/4/4/4/4/4/4/Kg2 r - 0 0")):  # fmt: skip
        with pytest.raises(anqi.ClosedError, match="the environment is closed"):
            use()
    search = anqi.Player("champion").analyse(random_game(1, plies=10), nodes=100)
    search.choice()
    for use in (search.choice, search.stop):
        with pytest.raises(anqi.ClosedError, match="the search is closed"):
            use()


def test_objects_that_are_made_by_others_alone_cannot_be_made():
    for kind in (anqi.Choice, anqi.Score, anqi.Probe, anqi.Thinking, anqi.Analysis, anqi.Round, anqi.Puzzle, anqi.Attempt, anqi.Answer):
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            type("Mine", (kind,), {})


def test_a_faulty_rng_is_refused():
    class Faulty:
        def __init__(self, value):
            self.value = value

        def random(self):
            return self.value

    for value in (1.0, -0.1, float("nan"), "x", None, 2**2000):
        raises_well(lambda: anqi.Game().play_drawn("a1", Faulty(value)))
    raises_well(lambda: anqi.Game().play_drawn("a1", 5))


def test_threads_share_everything():
    env, game, tables = anqi.VectorEnv(64, seed=1), random_game(4, plies=20), anqi.Tables.embedded()
    errors = []

    def work():
        try:
            for _ in range(50):
                try:
                    env.step(env.sample())
                except (anqi.IllegalActionError, RuntimeError):
                    pass  # Another thread has stepped in between.
                game.copy().legal_actions()
                tables.probe("4/4/4/4/4/4/4/Kg2 r - 0 0")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_goes_on_by_itself():
    tables, env = anqi.Tables.embedded(), anqi.VectorEnv(64, seed=1, threads=2)
    env.step(env.sample())
    player, game = anqi.Player("champion"), random_game(5, plies=20)
    player.choose(game, nodes=500)

    def child(queue):
        env.step(env.sample())
        queue.put(
            (
                tables.probe("4/4/4/4/4/4/4/Kg2 r - 0 0").value,
                str(anqi.Tables.embedded("quiet=150,repetition=never,precedence=wins,convention=tournament").probe(HIDDEN).expected),
                str(player.choose(game, nodes=500).action),
            )
        )

    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=[queue])
    process.start()
    value, expected, action = queue.get(timeout=60)
    process.join(60)
    assert process.exitcode == 0 and value == 1
    assert expected == str(tables.probe(HIDDEN).expected) != "None"
    assert anqi.Action(action) in game.legal_actions()


def test_processes_that_end_while_a_search_runs_end_well():
    program = """
        import anqi
        search = anqi.Player("champion").analyse(anqi.Game())
        next(search)
        print("ready")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ready\n", "")


def test_arrays_of_every_kind_are_taken_or_refused():
    env = anqi.VectorEnv(2, seed=1)
    for kind in (np.int8, np.uint8, np.int32, np.int64, np.uint64, ">i4"):
        env.reset()
        env.step(np.array([0, 1], dtype=kind))
    env.step(np.arange(8)[4:8:2])
    for kind in (np.float32, np.complex64, np.bool_, object, "U3", "M8[s]"):
        raises_well(lambda: env.step(np.zeros(2, dtype=kind)))
