"""Learns the game from nothing: tree search by a small network in NumPy, self-play, its curve against `random`.

    python examples/alphazero.py --minutes 10 --out curve.svg

Every game has a tree. A simulation walks down by the network's priors and the values found so far (PUCT); a
flip draws what it reveals, so that chance nodes average themselves; the leaves of all games are valued in
one pass of the network. The visits of a search are what the policy learns, the results of the games are
what the value learns, each position in one of the four mirrors.
"""

import argparse
import random
import time
from pathlib import Path

import numpy as np

import anqi
from anqi import encoding

RULES = "quiet=30,repetition=never,precedence=wins,convention=tournament"
PIECES = anqi.Piece.all()
MIRRORS = [encoding.mirrored_actions(mirror) for mirror in encoding.MIRRORS]
SCALE = np.concatenate([np.ones(15), np.full(14, 0.2), [1.0, 1 / 30, 0.0]]).astype(np.float32)


def planes(observations):
    """Returns observations as inputs of the network."""
    scaled = np.asarray(observations, np.float32) * SCALE[:, None, None]
    return scaled.reshape(len(scaled), -1)


class Network:
    """One hidden layer, a policy over all actions, a value; trained by Adam."""

    def __init__(self, rng, hidden=128):
        size = 32 * encoding.PLANES
        self.numbers = [
            rng.normal(0, (2 / 100) ** 0.5, (size, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            rng.normal(0, 0.02, (hidden, encoding.ACTIONS + 1)).astype(np.float32),
            np.zeros(encoding.ACTIONS + 1, np.float32),
        ]
        self.means = [np.zeros_like(part) for part in self.numbers]
        self.squares = [np.zeros_like(part) for part in self.numbers]
        self.steps = 0

    def forward(self, inputs):
        """Returns the hidden layer, the logits of the policy and the values."""
        first, first_bias, second, second_bias = self.numbers
        hidden = np.maximum(inputs @ first + first_bias, 0)
        out = hidden @ second + second_bias
        return hidden, out[:, :-1], np.tanh(out[:, -1])

    def evaluate(self, observations, masks):
        """Returns the probabilities of legal actions, and the values for the side to move."""
        _, logits, values = self.forward(planes(observations))
        logits = np.where(masks, logits, -np.inf)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True), values

    def learn(self, observations, masks, policies, results, rate=1e-3):
        """Takes one step, and returns the losses of policy and value."""
        inputs = planes(observations)
        hidden, logits, values = self.forward(inputs)
        logits = np.where(masks, logits, -np.inf)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        found = weights / weights.sum(axis=1, keepdims=True)
        count = len(inputs)
        slope = np.empty((count, encoding.ACTIONS + 1), np.float32)
        slope[:, :-1] = (found - policies) / count
        slope[:, -1] = 2 * (values - results) * (1 - values**2) / count
        back = (slope @ self.numbers[2].T) * (hidden > 0)
        self.adam([inputs.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0)], rate)
        policy_loss = -(policies * np.log(found + 1e-9)).sum(axis=1).mean()
        return policy_loss, ((values - results) ** 2).mean()

    def adam(self, slopes, rate):
        """Moves all numbers against their slopes."""
        self.steps += 1
        corrected = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for number, slope, mean, square in zip(self.numbers, slopes, self.means, self.squares):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            number -= corrected * mean / (np.sqrt(square) + 1e-8)


class Node:
    """A position of a tree, and what is known of its actions."""

    __slots__ = ("position", "observation", "mask", "end", "actions", "priors", "visits", "sums", "children")

    def __init__(self, position):
        self.position = position
        result = position.result(RULES)
        self.end = None
        if result is not None:
            self.end = float(result.points(position.to_move)) if result.winner else 0.0
        else:
            self.observation, self.mask = encoding.encode(position)
        self.actions = None
        self.children = {}

    def expand(self, policy, noise=None):
        """Gives the actions their priors."""
        self.actions = np.flatnonzero(self.mask)
        self.priors = policy[self.actions]
        if noise is not None:
            self.priors = 0.75 * self.priors + 0.25 * noise.dirichlet(np.full(len(self.actions), 0.3))
        self.visits = np.zeros(len(self.actions))
        self.sums = np.zeros(len(self.actions))

    def best(self):
        """Returns the place of the action to try next."""
        exploring = 1.5 * self.priors * (self.visits.sum() + 1) ** 0.5 / (1 + self.visits)
        return int(np.argmax(self.sums / np.maximum(self.visits, 1) + exploring))

    def after(self, place, rng):
        """Returns the position after an action; a flip draws its piece."""
        action = anqi.Action.from_number(int(self.actions[place]))
        piece = None
        if action.is_flip:
            hidden = self.position.hidden
            piece = rng.choices(list(hidden), list(hidden.values()))[0]
        key = (place, piece)
        if key not in self.children:
            self.children[key] = Node(self.position.apply(action, piece))
        return self.children[key]


def walk(root, rng):
    """Goes down to a leaf, and returns it with the way to it."""
    node, way = root, []
    while node.end is None and node.actions is not None:
        place = node.best()
        way.append((node, place))
        node = node.after(place, rng)
    return node, way


def search(roots, network, simulations, rng, noise=None):
    """Searches all trees at once."""
    for step in range(simulations + 1):
        leaves = [walk(root, rng) for root in roots]
        fresh = [leaf for leaf, _ in leaves if leaf.end is None]
        values = {}
        if fresh:
            found, valued = network.evaluate(
                np.stack([leaf.observation for leaf in fresh]), np.stack([leaf.mask for leaf in fresh])
            )
            for leaf, policy, value in zip(fresh, found, valued):
                leaf.expand(policy, noise if step == 0 else None)
                values[id(leaf)] = float(value)
        for leaf, way in leaves:
            value = leaf.end if leaf.end is not None else values[id(leaf)]
            for node, place in reversed(way):
                value = -value
                node.visits[place] += 1
                node.sums[place] += value


class SelfPlay:
    """Games that the network plays against itself, all at once."""

    def __init__(self, network, games, simulations, seed):
        self.network, self.simulations = network, simulations
        self.rng, self.noise = random.Random(seed), np.random.default_rng(seed)
        self.start = anqi.Position.start()
        self.roots = [Node(self.start) for _ in range(games)]
        self.pasts = [[] for _ in range(games)]
        self.finished = 0

    def ply(self):
        """Plays a ply of every game, and returns the positions of those that have ended, labelled."""
        search(self.roots, self.network, self.simulations, self.rng, self.noise)
        labelled = []
        for index, root in enumerate(self.roots):
            policy = np.zeros(encoding.ACTIONS, np.float32)
            policy[root.actions] = root.visits / root.visits.sum()
            self.pasts[index].append((root.observation, root.mask, policy))
            weights = root.visits if root.position.ply < 60 else root.visits**4
            place = self.rng.choices(range(len(weights)), weights)[0]
            child = root.after(place, self.rng)
            if child.end is None:
                # What the search has found of the child would lack its noise.
                self.roots[index] = Node(child.position)
                continue
            result = child.end
            for observation, mask, policy in reversed(self.pasts[index]):
                result = -result
                labelled.append((observation, mask, policy, result))
            self.roots[index], self.pasts[index] = Node(self.start), []
            self.finished += 1
        return labelled


def against_random(network, games, simulations, seed):
    """Returns the score against random play, half a point for a draw: each side begins half of the games."""
    rng = random.Random(seed)
    states = [(anqi.Position.start(), number % 2) for number in range(games)]
    points = 0.0
    while states:
        ours = [state for state in states if state[0].ply % 2 == state[1]]
        others = [state for state in states if state[0].ply % 2 != state[1]]
        moved = []
        roots = [Node(position) for position, _ in ours]
        if roots:
            search(roots, network, simulations, rng)
        for root, (_, seat) in zip(roots, ours):
            moved.append((root.after(int(np.argmax(root.visits)), rng), seat))
        for position, seat in others:
            node = Node(position)
            node.actions = np.flatnonzero(node.mask)
            moved.append((node.after(rng.randrange(len(node.actions)), rng), seat))
        states = []
        for node, seat in moved:
            if node.end is None:
                states.append((node.position, seat))
            else:
                ours_to_move = node.position.ply % 2 == seat
                points += 0.5 + 0.5 * (node.end if ours_to_move else -node.end)
    return points / games


def svg(curve):
    """Returns the curve as a picture."""
    width, height, last = 480, 240, max(minutes for minutes, _ in curve) or 1
    places = [(40 + 420 * minutes / last, 210 - 190 * score) for minutes, score in curve]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = "".join(
        f'<text x="34" y="{214 - 190 * score}" text-anchor="end">{score}</text>'
        f'<line x1="40" x2="460" y1="{210 - 190 * score}" y2="{210 - 190 * score}" stroke="#ddd"/>'
        for score in (0, 0.5, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11"><rect width="{width}" height="{height}" fill="#fff"/>{marks}'
        f'<polyline points="{line}" fill="none" stroke="#b3261e" stroke-width="2"/>'
        f'<text x="250" y="234" text-anchor="middle">minutes of learning, to {last:.1f}; score against random</text></svg>'
    )


def learn(minutes, games=64, simulations=16, seed=1, tests=64, test_every=60.0, clock=time.monotonic, say=print):
    """Learns for so many minutes by a clock, and returns the network and its curve: minutes and score."""
    rng = np.random.default_rng(seed)
    network = Network(rng)
    play = SelfPlay(network, games, simulations, seed)
    store, curve = [], []
    begun = clock()
    spent = lambda: (clock() - begun) / 60  # noqa: E731
    next_test = 0.0
    while True:
        if spent() * 60 >= next_test or spent() >= minutes:
            curve.append((spent(), against_random(network, tests, simulations, seed)))
            say(f"{curve[-1][0]:5.1f} min  {play.finished:5} games  score against random {curve[-1][1]:.3f}", flush=True)
            next_test = spent() * 60 + test_every
            if spent() >= minutes:
                return network, curve
        store.extend(play.ply())
        del store[:-60_000]
        if len(store) < 2000:
            continue
        for _ in range(2):
            chosen = [store[index] for index in rng.integers(len(store), size=256)]
            mirror = rng.integers(4)
            observations, masks, policies, results = map(np.array, zip(*chosen))
            network.learn(
                encoding.mirrored_observation(observations, encoding.MIRRORS[mirror]),
                masks[:, MIRRORS[mirror]],
                policies[:, MIRRORS[mirror]],
                results.astype(np.float32),
            )


def main():
    """Learns, and writes the curve."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int, default=64, help="games that are played at once")
    parser.add_argument("--simulations", type=int, default=16, help="simulations of a search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processor", action="store_true", help="count the minutes of processors, on a busy machine")
    parser.add_argument("--out", type=Path, help="where to write the curve, an SVG")
    options = parser.parse_args()
    clock = time.process_time if options.processor else time.monotonic
    _, curve = learn(options.minutes, options.games, options.simulations, options.seed, clock=clock)
    if options.out:
        options.out.write_text(svg(curve))


if __name__ == "__main__":
    main()
