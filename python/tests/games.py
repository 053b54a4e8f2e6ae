"""Games for tests."""

import random

import anqi


def random_game(seed, rules="olympiad", plies=10_000):
    """Plays a random game, or its first plies."""
    rng = random.Random(seed)
    game = anqi.Game(rules)
    while not game.is_over and len(game) < plies:
        game.play_drawn(rng.choice(game.legal_actions()), rng)
    return game
