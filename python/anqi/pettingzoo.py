"""The game for PettingZoo: an AEC environment of two agents.

>>> import anqi.pettingzoo
>>> env = anqi.pettingzoo.env()
>>> env.reset(seed=1)
>>> env.agent_selection, int(env.observe("player_0")["action_mask"].sum())
('player_0', 32)

Observations and action numbers are those of :mod:`anqi.encoding`, each agent seeing its own pieces first.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from anqi._anqi import ACTIONS, PLANES, Game, Rules
from anqi._single import draw, reward_of, seen_by

_AGENTS = ["player_0", "player_1"]


class AnqiAEC(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc,unused-ignore]
    """One game of two agents; ``player_0`` makes the first flip."""

    metadata = {"name": "anqi_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rules: str | Rules = "openspiel", render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS)
        self.agents = list(_AGENTS)
        seen: dict[str, gymnasium.spaces.Space[Any]] = {
            "observation": gymnasium.spaces.Box(0, 255, (PLANES, 8, 4), np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
        self.observation_spaces = {agent: gymnasium.spaces.Dict(seen) for agent in _AGENTS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(ACTIONS) for agent in _AGENTS}
        self._rules = rules
        self._game = Game(rules)
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent sees, and which actions it has."""
        observation, mask = seen_by(self._game, _AGENTS.index(agent))
        return {"observation": observation, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._game = Game(self._rules)
        self.agents = list(_AGENTS)
        self.rewards = dict.fromkeys(_AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(_AGENTS, 0.0)
        self.terminations = dict.fromkeys(_AGENTS, False)
        self.truncations = dict.fromkeys(_AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in _AGENTS}
        self.agent_selection = _AGENTS[0]

    def step(self, action: int | None) -> None:
        """Plays an action of the agent that is to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("no action (expected the number of a legal one)")
        draw(self._game, action, self._rng)
        self._cumulative_rewards[agent] = 0.0
        over = self._game.is_over
        for seat, name in enumerate(_AGENTS):
            self.rewards[name] = reward_of(self._game, seat)
            self.terminations[name] = over
        self.agent_selection = _AGENTS[len(self._game) % 2]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Returns the position as text."""
        return str(self._game.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: there is nothing to give back."""


def env(rules: str | Rules = "openspiel", render_mode: str | None = None) -> AnqiAEC:
    """Returns the environment."""
    return AnqiAEC(rules, render_mode)
