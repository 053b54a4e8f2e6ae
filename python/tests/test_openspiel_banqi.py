"""OpenSpiel's banqi, a rule book that nobody here has written, against this package.

In random games of three styles both say after every ply the same position, the same legal actions, the
same chances, the same result; now and then a perft count is compared too, an action that OpenSpiel does
not have must be refused, and at the end the whole game is taken back. Known differences are counted, not
hidden: OpenSpiel plays on where a side has no living piece left. `ANQI_OPENSPIEL_GAMES` sets how many.
"""

import collections
import os
import random
from fractions import Fraction

import pytest

import anqi

pytest.importorskip("pyspiel")

from outside import FLIPS, STYLES, Outside, choose, perft, seeded, square_name  # noqa: E402

GAMES = int(os.environ.get("ANQI_OPENSPIEL_GAMES", "1000"))


def our_perft(position, depth):
    leaves = 0
    for action in position.legal_actions():
        chances = position.chance_outcomes(action)
        if depth == 1:
            leaves += len(chances) or 1
        else:
            pieces = [piece for piece, _ in chances] or [None]
            leaves += sum(our_perft(position.apply(action, piece), depth - 1) for piece in pieces)
    return leaves


def far_from_the_end(outside):
    """Whether two plies from here neither the limit nor the last piece of a side can be met."""
    living = "".join(outside.board().values()) + "".join(outside.bag)
    return outside.quiet < 40 and min(sum(map(str.isupper, living)), sum(map(str.islower, living))) > 2


def names(actions):
    """Returns our actions as OpenSpiel's are written here: a flip is a square twice."""
    return [f"{action.source}-{action.target}" for action in actions]


def same_end(game, outside):
    result = game.result
    theirs = outside.result()
    if result is None or result.winner is None:
        assert theirs == ("playing" if result is None else "draw")
    else:
        assert theirs == f"{result.winner} wins"


def refuses_an_illegal_action(game, legal, other):
    squares = [letter + str(number) for letter in "abcd" for number in range(1, 9)]
    source, target = other.choice(squares), other.choice(squares)
    if source != target and f"{source}-{target}" not in legal:
        with pytest.raises(anqi.IllegalActionError):
            game.play(f"{source}-{target}")
        assert not game.is_legal(f"{source}-{target}")


def compare_game(number, counts):
    source, other = seeded(2_000_000 + number), random.Random(number)
    outside, game = Outside(), anqi.Game(rules="openspiel")
    while True:
        assert str(game.position) == outside.position()
        legal = outside.legal()
        loser = outside.wiped_out()
        if loser and legal:
            assert game.result == anqi.Result("black" if loser == "r" else "red", "annihilation")
            counts["wiped out while pieces are face down: OpenSpiel plays on"] += 1
            break
        same_end(game, outside)
        assert names(game.legal_actions()) == legal
        if outside.state.is_terminal():
            counts[outside.result()] += 1
            break
        if other.random() < 0.1:
            refuses_an_illegal_action(game, legal, other)
        if len(legal) < 20 and far_from_the_end(outside) and other.random() < 0.02:
            assert our_perft(game.position, 2) == perft(outside.state, 2)
            counts["perft counts"] += 1
        action = choose(outside, STYLES[number % len(STYLES)], source)
        if action < FLIPS:
            bag = collections.Counter(outside.bag)
            chances = {letter: Fraction(count, len(outside.bag)) for letter, count in bag.items()}
            ours = game.chance_outcomes(square_name(action))
            assert {str(piece): chance for piece, chance in ours} == chances
        ply = outside.play(action, source)
        game.play(ply)
        counts["plies"] += 1
    text = game.text
    assert anqi.Game.from_text(text, "openspiel").result == game.result
    for _ in range(len(game)):
        game.undo()
    assert str(game.position) == str(anqi.Position.start())


def test_random_games_are_the_same_through_the_package_and_through_openspiel(capsys):
    counts = collections.Counter()
    for number in range(GAMES):
        compare_game(number, counts)
    with capsys.disabled():
        print(f"\n{GAMES} games, no unknown difference:", dict(counts))
    assert counts["plies"] > 20 * GAMES
