"""Matches: pairs of games on the same deals, with sound error bars and the luck taken out.

>>> result = anqi.match("greedy", "random", pairs=20, nodes=100)
>>> len(result.games), result.advantage_ratio > 2
(40, True)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Union

from anqi._anqi import Action, Choice, Game, Player, Rules, play_match

Contestant = Union[str, Player, Callable[[Game], Union[str, Action, Choice]]]
"""A spec such as "champion:level=3", an outside program as "cmd:…", "uci:…" or "line:…", a
:class:`Player`, or any callable that takes a game and returns an action."""


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two differences in Elo: it ends a match as soon as one of them is refuted."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"
    adjusted: bool = False
    """Whether the luck is taken out of the scores first."""

    def __str__(self) -> str:
        words = [f"{name}={getattr(self, name)}" for name in ("elo0", "elo1", "alpha", "beta", "model")]
        return ",".join(words + ["adjusted"] * self.adjusted)


@dataclass(frozen=True)
class Match:
    """The games of a match, and every figure of its report."""

    report: dict[str, Any]
    """The report of `selfplay --json`: Elo, pentanomial, reasons, luck, the sequential test and more."""
    pairs: list[dict[str, Any]] = field(repr=False)
    """The pairs as they were played: both games, and A's luck in each flip if it was measured."""

    @property
    def games(self) -> list[dict[str, Any]]:
        """One row for each game: pair, starter, winner ("a", "b" or None), reason, plies and their text."""
        rows = []
        for pair in self.pairs:
            for game in pair["games"]:
                verdict = game["verdict"]
                rows.append(
                    {
                        "pair": pair["pair"],
                        "starter": game["starter"],
                        "starter_color": game["starter_color"],
                        "winner": verdict["winner"],
                        "reason": verdict["reason"],
                        "plies": len(game["plies"].split()),
                        "moves": game["plies"],
                    }
                )
        return rows

    @property
    def advantage_ratio(self) -> float | None:
        """A's advantage ratio: 2 is equal, 4 the most."""
        ratio: float | None = self.report["advantage_ratio_a"]
        return ratio

    @property
    def standard_error(self) -> float | None:
        """The standard error of the advantage ratio, from pairs."""
        error: float | None = self.report["standard_error"]
        return error

    @property
    def elo(self) -> tuple[float | None, float | None]:
        """A's logistic Elo over B, and its error."""
        return self.report["elo"], self.report["elo_error"]

    @property
    def without_luck(self) -> dict[str, Any] | None:
        """The same figures with the luck of flips taken out, if it was measured."""
        told: dict[str, Any] | None = self.report.get("without_luck")
        return told

    @property
    def sprt(self) -> dict[str, Any] | None:
        """The state of the sequential test, if there was one."""
        state: dict[str, Any] | None = self.report.get("sprt")
        return state

    def frame(self) -> Any:
        """Returns the games as a DataFrame of pandas, or of Polars where there is no pandas."""
        return frame(self.games)


def frame(rows: list[dict[str, Any]]) -> Any:
    """Returns rows as a DataFrame of pandas, or of Polars where there is no pandas."""
    try:
        import pandas
    except ImportError:
        import polars

        # By default Polars takes a column's type from the first 100 rows: after 100 draws it refuses a winner.
        return polars.DataFrame(rows, infer_schema_length=None)
    return pandas.DataFrame(rows)


def match(
    a: Contestant,
    b: Contestant,
    *,
    pairs: int = 50,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | str | None = None,
    rules: str | Rules = "olympiad",
    seed: int = 1,
    jobs: int = 1,
    sprt: Sprt | str | None = None,
    luck: bool | str = False,
) -> Match:
    """Plays a match: each pair is one deal played twice, with the sides swapped.

    Limits are for each move: ``nodes`` (200,000 if nothing is given), ``depth``, ``time`` in seconds or,
    as "60+0.5", in seconds for the whole game and for each move. ``jobs`` games run at once; the same
    seed gives the same games, unless a clock decides. ``sprt`` may end the match early. ``luck=True``
    values every flip by a short search after it and takes the luck out of the score; a text such as
    "500" names the nodes of an appraiser. An exception of a callable ends the match and is raised here.
    """
    appraiser = "moves=2" if luck is True else luck or None
    test = None if sprt is None else str(sprt)
    report, records = play_match(
        a, b, pairs, (nodes, depth, time), rules, seed, jobs, test, appraiser
    )
    return Match(json.loads(report), json.loads(records))
