"""The game for Gymnasium: one side is yours, the other a built-in player.

>>> import anqi.gymnasium
>>> env = anqi.gymnasium.AnqiEnv("greedy")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].shape
((32, 8, 4), (352,))

``gymnasium.make("anqi/Anqi-v0", opponent="champion:level=1")`` makes it too. Observations and action numbers
are those of :mod:`anqi.encoding`. ``info["action_mask"]`` has the legal actions; an illegal one loses the game.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from anqi._anqi import ACTIONS, PLANES, Error, Game, Player, Rules
from anqi._single import draw, reward_of, seen_by

Observation = npt.NDArray[np.uint8]


class AnqiEnv(gymnasium.Env[Observation, np.int64]):
    """One game after the other against a built-in player; who begins is drawn."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        opponent: str = "random",
        *,
        rules: str | Rules = "openspiel",
        nodes: int = 1000,
        first: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.observation_space = gymnasium.spaces.Box(0, 255, (PLANES, 8, 4), np.uint8)
        self.action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.render_mode = render_mode
        self._opponent = Player(opponent)
        self._rules, self._nodes, self._first = rules, nodes, first
        self._game, self._seat = Game(rules), 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game; the opponent makes the first flip unless that is yours."""
        super().reset(seed=seed)
        self._game = Game(self._rules)
        begins = self.np_random.random() < 0.5 if self._first is None else self._first
        self._seat = 0 if begins else 1
        self._answer()
        return self._seen()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action and the opponent's answer."""
        try:
            draw(self._game, int(action), self.np_random)
        except Error as error:
            observation, info = self._seen()
            info["illegal"] = str(error)
            return observation, -1.0, True, False, info
        self._answer()
        observation, info = self._seen()
        return observation, reward_of(self._game, self._seat), self._game.is_over, False, info

    def render(self) -> str | None:
        """Returns the position as text."""
        return str(self._game.position) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        game = self._game
        while not game.is_over and len(game) % 2 != self._seat:
            seed = int(self.np_random.integers(2**32))
            choice = self._opponent.choose(game, nodes=self._nodes, seed=seed)
            game.play_drawn(choice.action, self.np_random)

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        observation, legal = seen_by(self._game, self._seat)
        return observation, {"action_mask": legal, "position": str(self._game.position)}


if "anqi/Anqi-v0" not in gymnasium.registry:
    gymnasium.register("anqi/Anqi-v0", entry_point="anqi.gymnasium:AnqiEnv")
