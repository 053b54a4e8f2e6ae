"""How far a value function is from the truth: seeded positions with exact values.

>>> from anqi import truth
>>> suite = truth.suite(seed=1, each=20)
>>> int(suite.pieces.min()), int(suite.pieces.max()), bool((suite.face_down > 0).any())
(2, 5, True)
>>> rows = suite.measure(lambda positions: [0.0] * len(positions))
>>> sorted(rows[0])
['count', 'face_down', 'largest', 'mean', 'pieces', 'root_mean_square', 'wrong_side']
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anqi._anqi import Error, Piece, Position, Tables, all_positions

__all__ = ["Suite", "all_positions", "sample", "suite"]

_LETTERS = [piece.letter for piece in Piece.all() for _ in range(piece.count)]


@dataclass(frozen=True)
class Suite:
    """Positions with their exact values."""

    positions: list[Position]
    expected: npt.NDArray[np.float64]
    """The expected result for the side to move under best play of both sides."""
    pieces: npt.NDArray[np.int64]
    """How many pieces live."""
    face_down: npt.NDArray[np.int64]
    """How many of them are face down."""

    def __len__(self) -> int:
        return len(self.positions)

    def measure(
        self, value: Callable[[list[Position]], Sequence[float] | npt.NDArray[Any]]
    ) -> list[dict[str, Any]]:
        """Compares a function of positions, which returns expected results in ±1, with the truth.

        Returns a row for each number of pieces and of face-down pieces: mean error, root mean square,
        the largest error, and the share of decided positions valued for the wrong side.
        """
        found = np.asarray(value(list(self.positions)), dtype=np.float64)
        if found.shape != self.expected.shape:
            raise Error(f"{found.shape} values for {len(self)} positions (expected one for each)")
        error = np.abs(found - self.expected)
        rows = []
        for pieces, hidden in sorted(set(zip(self.pieces.tolist(), self.face_down.tolist()))):
            here = (self.pieces == pieces) & (self.face_down == hidden)
            decided = here & (np.abs(self.expected) > 0.5)
            wrong = np.sign(found[decided]) == -np.sign(self.expected[decided])
            rows.append(
                {
                    "pieces": pieces,
                    "face_down": hidden,
                    "count": int(here.sum()),
                    "mean": float(error[here].mean()),
                    "root_mean_square": float(np.sqrt((error[here] ** 2).mean())),
                    "largest": float(error[here].max()),
                    "wrong_side": float(wrong.mean()) if wrong.size else 0.0,
                }
            )
        return rows


def sample(rng: random.Random, pieces: int, face_down: int = 0, material: str | None = None) -> Position:
    """Draws a position of this many pieces, or of a material such as "Kgpp", each placement as likely.

    Both sides have a piece, at least one of them face up; the side to move has not lost already.
    """
    while True:
        letters = list(material) if material else rng.sample(_LETTERS, pieces)
        rng.shuffle(letters)
        if len({letter.isupper() for letter in letters}) < 2 or face_down >= len(letters):
            if material:
                raise Error(f"{material!r} with {face_down} face down (expected pieces of both sides)")
            continue
        places = rng.sample(range(32), len(letters))
        signs = dict(zip(places, ["?"] * face_down + letters[face_down:]))
        rows = ["".join(signs.get(4 * row + column, ".") for column in range(4)) for row in range(8)]
        text = "/".join(rows)
        for count in (4, 3, 2, 1):
            text = text.replace("." * count, str(count))
        hidden = "".join(letters[:face_down]) or "-"
        position = Position(f"{text} {rng.choice('rb')} {hidden} 0 0")
        if not position.is_terminal:
            return position


def suite(seed: int = 1, each: int = 200, tables: Tables | None = None) -> Suite:
    """Returns seeded positions of two to five pieces, and of two to four with face-down ones.

    There are `each` of every number of pieces and of face-down pieces; their values are exact.
    """
    tables = tables or Tables.embedded()
    rng = random.Random(seed)
    kinds = [(pieces, 0) for pieces in range(2, 6)]
    kinds += [(pieces, hidden) for pieces in range(2, 5) for hidden in range(1, pieces)]
    positions: list[Position] = []
    counts: list[tuple[int, int]] = []
    values: list[float] = []
    for pieces, hidden in kinds:
        found = 0
        while found < each:
            drawn = [sample(rng, pieces, hidden) for _ in range(each - found)]
            _, expected, _ = tables.probe_many(drawn)
            for position, value in zip(drawn, expected.tolist()):
                if value == value:
                    positions.append(position)
                    values.append(value)
                    counts.append((pieces, hidden))
                    found += 1
    numbers = np.array(counts)
    return Suite(positions, np.array(values), numbers[:, 0], numbers[:, 1])
