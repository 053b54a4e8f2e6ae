"""The numbers of actions and the planes of observations: stable, documented, with their symmetries.

========  =====================================================================
numbers   actions
========  =====================================================================
0-31      flips, by square: ``column * 8 + row``
32-59     steps up, towards row 8: ``32 + column * 7 + row``
60-87     steps down: ``60 + column * 7 + row - 1``
88-111    steps left, towards column a: ``88 + (column - 1) * 8 + row``
112-135   steps right: ``112 + column * 8 + row``
136-351   jumps of two squares or more along a column or a row, in text order
========  =====================================================================

Columns a to d and rows 1 to 8 count from 0; they are those of the square on which the action starts. A
step is a capture where an enemy stands on its target; the captures of cannons are jumps.

======  =======================================================================
planes  hold, as the side to move sees it; row 1 and column a come first
======  =======================================================================
0-6     1 where the mover's K, G, M, R, N, C, P stands face up
7-13    1 where the other side's does
14      1 where a piece lies face down
15-21   how many of the mover's K, G, M, R, N, C, P are face down, everywhere
22-28   how many of the other side's, everywhere
29      1 everywhere once colours are known
30      the number of quiet plies, 255 at most, everywhere
31      how often the position has occurred before, under rules with repetition
======  =======================================================================

>>> from anqi.encoding import TEXTS, mirrored_actions, colors_swapped
>>> TEXTS[32], TEXTS[136], int(mirrored_actions("rows")[0])
('a1-a2', 'a1-a3', 7)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anqi._anqi import ACTIONS, PLANES, Action, encode

__all__ = [
    "ACTIONS",
    "MIRRORS",
    "PLANES",
    "SOURCES",
    "TARGETS",
    "TEXTS",
    "colors_swapped",
    "encode",
    "mirrored_actions",
    "mirrored_mask",
    "mirrored_observation",
]

MIRRORS = ("identity", "rows", "columns", "rotate")
"""The symmetries of the board: "rows" exchanges rows 1 and 8, "columns" a and d, "rotate" both."""

TEXTS: tuple[str, ...] = tuple(str(Action.from_number(number)) for number in range(ACTIONS))
"""The text of each action, by its number."""


def _squares(ends: int) -> npt.NDArray[np.int64]:
    names = [text.split("-")[ends * ("-" in text)] for text in TEXTS]
    return np.array(["abcd".index(name[0]) * 8 + int(name[1]) - 1 for name in names])


SOURCES = _squares(0)
"""The square on which each action starts, ``column * 8 + row``."""
TARGETS = _squares(1)
"""The square on which each action ends."""

_MASKS = {"identity": 0, "rows": 7, "columns": 24, "rotate": 31}


def mirrored_actions(mirror: str) -> npt.NDArray[np.int64]:
    """Returns for each action the number of its mirror image; each mirror is its own inverse."""
    if mirror not in _MASKS:
        raise ValueError(f"{mirror!r} is not a mirror (expected one of {', '.join(MIRRORS)})")
    moved = _MASKS[mirror]
    numbers = {(int(s), int(t)): n for n, (s, t) in enumerate(zip(SOURCES, TARGETS))}
    images = [numbers[int(s) ^ moved, int(t) ^ moved] for s, t in zip(SOURCES, TARGETS)]
    return np.array(images)


def mirrored_mask(mask: npt.NDArray[Any], mirror: str) -> npt.NDArray[Any]:
    """Returns masks, or anything else with an entry for each action, in the mirror."""
    return mask[..., mirrored_actions(mirror)]


def mirrored_observation(observation: npt.NDArray[Any], mirror: str) -> npt.NDArray[Any]:
    """Returns observations in the mirror: a view.

    >>> observation, _ = anqi.encoding.encode("K3/1r2/4/4/4/4/4/?2g r p 3 40")
    >>> int(observation[0, 7, 0]), int(mirrored_observation(observation, "rows")[0, 0, 0])
    (1, 1)
    """
    mirrored_actions(mirror)
    rows = slice(None, None, -1 if mirror in ("rows", "rotate") else None)
    columns = slice(None, None, -1 if mirror in ("columns", "rotate") else None)
    return observation[..., rows, columns]


def colors_swapped(observation: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns observations as the other side would see them if it were to move: a copy.

    The numbers of actions are the same for both sides.
    """
    order = np.arange(PLANES)
    order[0:7], order[7:14] = np.arange(7, 14), np.arange(0, 7)
    order[15:22], order[22:29] = np.arange(22, 29), np.arange(15, 22)
    return observation[..., order, :, :]
