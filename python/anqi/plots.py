"""Pictures of numbers, by matplotlib (`pip install "anqi[plot]"`).

>>> from anqi import plots
>>> game = anqi.Game()
>>> game.play("b3", "k")
>>> axes = plots.plot_flip(game, "c3", nodes=2000)
>>> axes.get_title()
'what c3 may reveal'
"""

from __future__ import annotations

from typing import Any

from anqi._anqi import Game, IllegalActionError, Piece, Tables, analyse

__all__ = ["plot_flip"]

_COLORS = {"red": "#b3261e", "black": "#1c1b1f"}


def plot_flip(
    game: Game,
    square: str,
    *,
    nodes: int | None = 20_000,
    tables: Tables | None = None,
    axes: Any = None,
) -> Any:
    """Draws what a flip may reveal: a bar for each piece, as high as its value, as wide as its chance.

    Values are expected results for the side to move, from -1 to 1; the line is their average, the worth of
    the flip. They come from the analyst, or exactly from tables. Draws into `axes` of matplotlib or new ones,
    and returns them.
    """
    if game.is_terminal or not game.chance_outcomes(square):
        raise IllegalActionError(f"{square} cannot be flipped (expected the square of a face-down piece in a game that goes on)")
    rows = _outcomes(game, square, nodes, tables)
    if axes is None:
        import matplotlib.pyplot as plt

        axes = plt.figure(figsize=(7, 3.2)).add_subplot()
    left = 0.0
    for piece, chance, value in rows:
        axes.bar(left, value, width=chance, align="edge", color=_COLORS[piece.color], edgecolor="white")
        axes.text(
            left + chance / 2, value, str(piece), ha="center", va="bottom" if value >= 0 else "top", fontsize=9
        )
        left += chance
    worth = sum(chance * value for _, chance, value in rows)
    axes.axhline(worth, color="#8a7650", linewidth=1, label=f"the flip: {worth:+.3f}")
    axes.axhline(0, color="#999999", linewidth=0.5)
    axes.set(xlim=(0, left), xlabel="chance", ylabel=f"value for {game.to_move or 'the first player'}")
    axes.margins(y=0.15)
    axes.set_title(f"what {square} may reveal")
    axes.legend(loc="best", frameon=False)
    return axes


def _outcomes(game: Game, square: str, nodes: int | None, tables: Tables | None) -> list[tuple[Piece, float, float]]:
    """The pieces that may appear, each with its chance and its value, the best first."""
    if tables is not None:
        exact = tables.distribution(game, square)
        unknown = [str(piece) for piece, _, value in exact if value is None]
        if unknown:
            raise IllegalActionError(f"the tables do not know what follows {square}({unknown[0]})")
        rows = [(piece, float(chance), float(value)) for piece, chance, value in exact if value is not None]
    else:
        last = None
        for last in analyse(game, flips=[square], nodes=nodes):
            pass
        flips = last.flips if last is not None else []
        told = next(flip["appearances"] for flip in flips if flip["square"] == square)
        total = sum(row["count"] for row in told)
        rows = [(Piece(row["piece"]), row["count"] / total, row["value"]) for row in told]
    return sorted(rows, key=lambda row: (-row[2], row[0]))
