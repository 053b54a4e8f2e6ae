"""Plots of flips."""

from fractions import Fraction

import pytest

import anqi

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from anqi import plots  # noqa: E402

ENDING = "?2k/4/4/4/4/4/G3/C3 b c 0 9"


def bars(axes):
    """Each bar's piece, its width and its height."""
    return [(text.get_text(), bar.get_width(), bar.get_height()) for text, bar in zip(axes.texts, axes.patches)]


def test_bars_are_as_wide_as_the_chance_and_average_to_the_worth_of_the_flip():
    game = anqi.Game()
    game.play("b3", "k")
    drawn = bars(plots.plot_flip(game, "c3", nodes=2000))
    chances = {str(piece): float(chance) for piece, chance in game.chance_outcomes("c3")}
    assert {piece: pytest.approx(width) for piece, width, _ in drawn} == chances
    heights = [height for _, _, height in drawn]
    assert heights == sorted(heights, reverse=True) and len(set(heights)) > 3
    axes = plots.plot_flip(game, "d8", nodes=2000)
    worth = sum(width * height for _, width, height in bars(axes))
    assert axes.get_legend_handles_labels()[1] == [f"the flip: {worth:+.3f}"]


def test_tables_draw_exact_values():
    tables = anqi.Tables.embedded()
    position = anqi.Position("4/4/4/4/4/4/4/?1Kg r P 0 30")
    game = anqi.Game.from_position(position)
    [(piece, width, height)] = bars(plots.plot_flip(game, "a1", tables=tables))
    [(known, chance, value)] = tables.distribution(position, "a1")
    assert (piece, Fraction(width), Fraction(height)) == (str(known), chance, value)


def test_what_is_no_flip_is_refused():
    game = anqi.Game.from_position(ENDING)
    for action, fault in (("a1", "a1 is not face down"), ("d8-d7", "cannot be flipped")):
        with pytest.raises(anqi.IllegalActionError, match=fault):
            plots.plot_flip(game, action)
