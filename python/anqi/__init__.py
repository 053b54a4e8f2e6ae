"""Chinese dark chess (banqi): rules, a strong engine, exact endings, fast environments.

>>> import anqi
>>> game = anqi.Game(rules="olympiad")
>>> len(game.legal_actions())
32
>>> game.chance_outcomes("b3")[0]
(anqi.Piece('K'), Fraction(1, 32))
>>> game.play("b3", "k")
>>> game.play("b4", "P")
>>> game.to_move, game.is_over
('black', False)
>>> anqi.Player("champion:level=5").choose(game, nodes=2000).nodes > 0
True

The game: :class:`Game`, :class:`Position`, :class:`Action`, :class:`Piece`, :class:`Rules`. Thinking:
:class:`Player`, :func:`analyse`, :func:`review`, :func:`hint`, :func:`evaluate`, :func:`puzzles`. Endings:
:class:`Tables`. Many games at once: :class:`VectorEnv`, with the numbers of actions in :mod:`anqi.encoding`.
"""

import anqi._display
from anqi._anqi import (
    Action,
    Analysis,
    Answer,
    Attempt,
    Choice,
    ClosedError,
    Error,
    Game,
    IllegalActionError,
    InternalError,
    NotationError,
    Piece,
    Player,
    Position,
    Probe,
    Progress,
    Puzzle,
    Ranked,
    Result,
    Round,
    Rules,
    Score,
    TableError,
    Tables,
    Thinking,
    __version__,
    analyse,
    evaluate,
    hint,
    puzzles,
    review,
)
from anqi.matches import Match, Sprt, match
from anqi.vector import Afterstates, VectorEnv

anqi._display.install()

__all__ = [
    "Action",
    "Afterstates",
    "Analysis",
    "Answer",
    "Attempt",
    "Choice",
    "ClosedError",
    "Error",
    "Game",
    "IllegalActionError",
    "InternalError",
    "Match",
    "NotationError",
    "Piece",
    "Player",
    "Position",
    "Probe",
    "Progress",
    "Puzzle",
    "Ranked",
    "Result",
    "Round",
    "Rules",
    "Score",
    "Sprt",
    "TableError",
    "Tables",
    "Thinking",
    "VectorEnv",
    "__version__",
    "analyse",
    "evaluate",
    "hint",
    "match",
    "puzzles",
    "review",
]
