"""What environments of one game share: observations by player."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anqi._anqi import Action, Game, encode
from anqi.encoding import colors_swapped


def seen_by(game: Game, seat: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
    """Returns the observation of a seat, 0 for the one that began, and its legal actions, 1 for each.

    The other side sees the same with colours exchanged, and has no legal action.
    """
    observation, mask = encode(game)
    if game.is_over:
        mask[:] = False
    if seat != len(game) % 2:
        return colors_swapped(observation), np.zeros(mask.shape, np.int8)
    legal = np.zeros(mask.shape, np.int8)
    for action in game.legal_actions():
        if action.number is not None:
            legal[action.number] = 1
    return observation, legal


def reward_of(game: Game, seat: int) -> float:
    """Returns 1, -1 or 0 for a seat; 0 while the game goes on."""
    result = game.result
    if result is None or result.winner is None or game.to_move is None:
        return 0.0
    won = result.points(game.to_move)
    return float(won if seat == len(game) % 2 else -won)


def draw(game: Game, number: int, rng: Any) -> None:
    """Plays the action with this number; `rng` draws the piece of a flip."""
    game.play_drawn(Action.from_number(int(number)), rng)
