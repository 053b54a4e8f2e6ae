"""The game for OpenSpiel: ``import anqi.openspiel; pyspiel.load_game("anqi")``.

A flip is two steps, as in OpenSpiel's own ``banqi``: the player's action, then chance, whose outcomes are the
kinds in KGMRNCPkgmrncp with their exact probabilities. Player 0 makes the first flip and gets its colour.
Action numbers are those of :mod:`anqi.encoding`, squares included: flips are 0 to 31.

The observation is *Markov* under rules without repetition, such as the default: besides the board it has the
face-down pool, the player's colour and the quiet counter. Its 34 planes are the 32 of :mod:`anqi.encoding`,
seen by the player that observes, then whether it is that player's turn, and the square of a flip whose
outcome is not known yet.

>>> import pyspiel
>>> import anqi.openspiel
>>> state = pyspiel.load_game("anqi").new_initial_state()
>>> state.apply_action(0)
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 14)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from anqi._anqi import ACTIONS, PLANES, Action, Game, Piece, Rules, encode
from anqi.encoding import TEXTS, colors_swapped

_PIECES = Piece.all()
SHAPE = (PLANES + 2, 8, 4)
"""The shape of an observation."""
# Every capture and flip may come after a whole limit of quiet plies; of 32 pieces one stays.
_EXITS = 63
# Rules without a limit of quiet plies have no longest game; this is more than any that was seen.
_LONG = 100_000

_TYPE = pyspiel.GameType(
    short_name="anqi",
    long_name="Chinese dark chess (anqi)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "openspiel"},
)


class AnqiGame(pyspiel.Game):  # type: ignore[misc]
    """The game under a set of rules, the parameter ``rules``."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.anqi_rules = Rules(params.get("rules", "openspiel"))
        limit = self.anqi_rules.quiet_limit
        plies = _LONG if limit is None else (_EXITS + 1) * limit
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=len(_PIECES),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=plies,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self) -> AnqiState:
        """Returns the position before the first flip."""
        return AnqiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> AnqiObserver:
        """Returns an observer."""
        return AnqiObserver()


class AnqiState(pyspiel.State):  # type: ignore[misc]
    """A game under way; between a flip and its outcome chance is to move."""

    def __init__(self, game: AnqiGame) -> None:
        super().__init__(game)
        self.anqi_game = Game(game.anqi_rules)
        self.flip: Action | None = None

    def current_player(self) -> int:
        """Returns who is to move: 0, 1, chance, or nobody."""
        if self.flip is not None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.anqi_game.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return len(self.anqi_game) % 2

    def _legal_actions(self, player: int) -> list[int]:
        numbers = (action.number for action in self.anqi_game.legal_actions())
        return sorted(number for number in numbers if number is not None)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the kinds that the flip may reveal, with their probabilities."""
        assert self.flip is not None
        outcomes = self.anqi_game.chance_outcomes(self.flip)
        return [(piece.index, float(chance)) for piece, chance in outcomes]

    def _apply_action(self, action: int) -> None:
        if self.flip is not None:
            flip, self.flip = self.flip, None
            self.anqi_game.play(flip, _PIECES[action])
            return
        chosen = Action.from_number(action)
        if chosen.is_flip:
            self.flip = chosen
        else:
            self.anqi_game.play(chosen)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(_PIECES[action])
        return TEXTS[action]

    def is_terminal(self) -> bool:
        """Tells whether the game is over."""
        return self.flip is None and self.anqi_game.is_over

    def returns(self) -> list[float]:
        """Returns the result of both players."""
        result = self.anqi_game.result
        if self.flip is not None or result is None or result.winner is None:
            return [0.0, 0.0]
        first = float(result.points(self.color_of(0) or "red"))
        return [first, -first]

    def color_of(self, player: int) -> str | None:
        """Returns the colour of a player, or None before the first flip."""
        to_move = self.anqi_game.to_move
        if to_move is None or player == len(self.anqi_game) % 2:
            return to_move
        return "black" if to_move == "red" else "red"

    def __str__(self) -> str:
        text = str(self.anqi_game.position)
        return text if self.flip is None else f"{text} flip {self.flip}"


class AnqiObserver:
    """Writes what a player sees."""

    def __init__(self) -> None:
        size = int(np.prod(SHAPE))
        self.tensor: npt.NDArray[np.float32] = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor.reshape(SHAPE)}

    def set_from(self, state: AnqiState, player: int) -> None:
        """Writes the observation of a player."""
        seen, _ = encode(state.anqi_game)
        is_mover = player == len(state.anqi_game) % 2
        out = self.dict["observation"]
        out[:PLANES] = seen if is_mover else colors_swapped(seen)
        out[PLANES] = is_mover
        out[PLANES + 1] = 0
        if state.flip is not None:
            square = state.flip.source
            out[PLANES + 1, int(square[1]) - 1, "abcd".index(square[0])] = 1

    def string_from(self, state: AnqiState, player: int) -> str:
        """Returns the position, which is all there is to see, and the player's colour."""
        return f"{state} {state.color_of(player) or '-'}"


pyspiel.register_game(_TYPE, AnqiGame)
