"""Many games at once, stepped in Rust, seen by NumPy without a copy."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from anqi._anqi import ACTIONS, PLANES, Position, Rules, VectorCore

Info = dict[str, npt.NDArray[Any]]


class Afterstates(NamedTuple):
    """What may follow one action in each lane, one entry for each outcome.

    A step has one outcome; a flip has one for each kind that is face down. Observations and masks are
    those of the side to move *after* the action; rewards are for the side that has acted.
    """

    lane: npt.NDArray[np.int32]
    """The lane of each outcome, in order."""
    piece: npt.NDArray[np.int8]
    """The index in KGMRNCPkgmrncp of the piece that appears, -1 for a step."""
    probability: npt.NDArray[np.float64]
    """Its chance; those of a lane sum to 1."""
    observation: npt.NDArray[np.uint8]
    """The observations, (outcomes, planes, 8, 4)."""
    mask: npt.NDArray[np.bool_]
    """The legal actions, (outcomes, 352); none where the game has ended."""
    reward: npt.NDArray[np.float32]
    """1, -1 or 0 for the side that has acted."""
    terminated: npt.NDArray[np.bool_]
    """Whether the game has ended."""


class VectorEnv:
    """Plays ``n`` games at once; lanes reset themselves.

    Each lane has its own stream of chance: ``seed`` gives them all, or ``seeds`` one for each. A lane's
    games depend on nothing else, neither on ``n`` nor on ``threads``. The default rules have no
    repetition, so that an observation says all there is to know; ``start`` is where every game begins.

    >>> env = anqi.VectorEnv(4, seed=1)
    >>> observation, mask = env.reset()
    >>> observation.shape, mask.shape, int(mask[0].sum())
    ((4, 32, 8, 4), (4, 352), 32)
    >>> observation, mask, reward, terminated, info = env.step(env.sample())
    >>> int(mask[0, :32].sum()), bool(terminated.any())
    (31, False)

    The arrays are views of the environment's own memory: the next step overwrites them. Copy what has
    to last.
    """

    planes = PLANES
    actions = ACTIONS

    def __init__(
        self,
        n: int,
        *,
        seed: int | None = None,
        seeds: Sequence[int] | None = None,
        rules: str | Rules = "openspiel",
        threads: int = 1,
        start: str | Position | None = None,
    ) -> None:
        if seed is not None and seeds is not None:
            raise ValueError("seed and seeds (expected one of them)")
        self._core = VectorCore(n, rules, _seeds(seed, seeds), threads, start)
        self.n = n
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        arrays = {name: np.asarray(array) for name, array in self._core.arrays()}
        self._observation: npt.NDArray[np.uint8] = arrays["observation"]
        self._mask: npt.NDArray[np.bool_] = arrays["mask"]
        self._reward: npt.NDArray[np.float32] = arrays["reward"]
        self._terminated: npt.NDArray[np.bool_] = arrays["terminated"]
        self._actions: npt.NDArray[np.int64] = arrays["actions"]
        self._reveals: npt.NDArray[np.int8] = arrays["reveals"]
        self._info: Info = {name: arrays[name] for name in ("length", "reason", "revealed")}

    def reset(
        self, *, seed: int | None = None, seeds: Sequence[int] | None = None
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """Begins all games anew; without a seed the streams of chance go on.

        Returns the observations, uint8 of shape (n, planes, 8, 4), and the masks, bool of shape (n, 352).
        """
        fresh = seed is not None or seeds is not None
        self._core.reset(_seeds(seed, seeds) if fresh else None)
        return self._observation, self._mask

    def step(
        self, actions: npt.ArrayLike, *, reveals: npt.ArrayLike | None = None
    ) -> tuple[
        npt.NDArray[np.uint8],
        npt.NDArray[np.bool_],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        Info,
    ]:
        """Plays one action in every lane; if one is illegal, none is played.

        Returns observations and masks of the sides to move next, the reward of the side that has just
        moved (1, -1 or 0), whether its game has ended, and a dictionary: ``length`` is the plies of a
        game that has ended, ``reason`` why (1 no legal action, 2 annihilation, 3 quiet limit,
        4 repetition), ``revealed`` the index of the piece that a flip has shown, else -1.

        ``reveals`` resolves chance from outside: for each lane the index of the piece that its flip
        shall show, or -1 to draw it.
        """
        if actions is not self._actions:
            self._fill(self._actions, actions, "actions")
        if reveals is not None:
            self._fill(self._reveals, reveals, "reveals")
        self._core.step(reveals is not None)
        return self._observation, self._mask, self._reward, self._terminated, self._info

    def sample(self) -> npt.NDArray[np.int64]:
        """Draws a legal action for every lane, each as likely as any other.

        The array is the environment's own; passing it to :meth:`step` copies nothing.
        """
        self._core.sample()
        return self._actions

    def afterstates(self, actions: npt.ArrayLike) -> Afterstates:
        """Returns what may follow one action in every lane, with chances; nothing is played.

        >>> env = anqi.VectorEnv(2, seed=1)
        >>> after = env.afterstates([0, 5])
        >>> len(after.lane), float(after.probability[after.lane == 0].sum())
        (28, 1.0)
        """
        if actions is not self._actions:
            self._fill(self._actions, actions, "actions")
        arrays = dict(self._core.afterstates())
        return Afterstates(*(np.asarray(arrays[name]) for name in Afterstates._fields))

    def position(self, lane: int) -> Position:
        """Returns the position of a lane."""
        return self._core.position(lane)

    def set_position(self, lane: int, position: str | Position) -> None:
        """Puts a lane at a position, without a past."""
        self._core.set_position(lane, position)

    def close(self) -> None:
        """Ends the environment; views that live on keep its memory."""
        self._core.close()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        state = ", closed" if self._core.is_closed else ""
        return f"<anqi.VectorEnv {self.n} lanes, rules {self.rules}{state}>"

    def _fill(self, target: npt.NDArray[Any], given: npt.ArrayLike, what: str) -> None:
        numbers = np.asarray(given)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"{what} of type {numbers.dtype} (expected integers)")
        if numbers.shape != (self.n,):
            raise ValueError(f"{what} of shape {numbers.shape} (expected ({self.n},))")
        narrowed = numbers.astype(target.dtype, copy=False)
        if narrowed is not numbers and not np.array_equal(narrowed, numbers):
            raise ValueError(f"{what} that do not fit into {target.dtype}")
        target[:] = narrowed


def _seeds(seed: int | None, seeds: Sequence[int] | None) -> tuple[int, list[int] | None]:
    if seeds is not None:
        return 0, list(seeds)
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return seed, None
