"""Learns the game from nothing: a small network in NumPy, search, self-play, its curve against `random`.

    python examples/alphazero.py --minutes 10 --out curve.svg

This is Gumbel AlphaZero (Danihelka and others, 2022) with a search of one ply that is exact over chance, in
all lanes of a `VectorEnv` at once, since a tree for each game is slow in Python. Policy and Gumbel noise draw
the actions to consider; the network values their afterstates, a flip by all that it may reveal. The policy
learns the improved policy, softmax(logits + values / TEMPERATURE); the action played is a draw from it. The
value learns by TD(lambda): its target mixes the searched values of the positions to come with the result.
Every batch is seen in one of the four mirrors.
"""

import argparse
import time
from pathlib import Path

import numpy as np

import anqi
from anqi import encoding

TEMPERATURE = 0.1
DISCOUNT = 0.99
"""Of each ply: a quick win counts more than a slow one."""
TRACE = 0.9
"""The lambda of TD(lambda)."""
LEAD = 0.5
"""What a draw counts for a side that alone has pieces; in proportion for a smaller lead.

Half of the games of self-play are drawn by the limit of quiet plies; the lead tells which side played them better.
With 0 the first minute scores the same, 0.96 in 128 games; longer runs were not compared."""
PLIES = 32
"""The plies that all games play between two lessons."""
PASSES, BATCH = 3, 512
MIRRORS = [(mirror, encoding.mirrored_actions(mirror)) for mirror in encoding.MIRRORS]
SCALE = np.concatenate([np.full(28, 0.2), [1.0, 1 / 50]]).astype(np.float32)
"""Of the numbers of pieces face down and alive, whether colours are known, and the quiet plies."""


def living(observations):
    """Returns the numbers of living pieces, face up and face down, of the mover's 7 kinds and the other side's.

    Material decides most games. The network gets these sums because from single squares it learns them slowly.
    """
    return observations[:, :14].sum(axis=(2, 3), dtype=np.float32) + observations[:, 15:29, 0, 0]


def lead(observations):
    """Returns the lead in living pieces of the side to move, as a share of all pieces."""
    pieces = living(observations)
    mine, theirs = pieces[:, :7].sum(axis=1), pieces[:, 7:].sum(axis=1)
    return (mine - theirs) / (mine + theirs)


def inputs(observations):
    """Returns observations as the network sees them: the squares, then what is the same everywhere."""
    squares = observations[:, :15].reshape(len(observations), -1)
    everywhere = observations[:, 15:31, 0, 0]
    counts = np.concatenate([everywhere[:, :14], living(observations), everywhere[:, 14:]], axis=1)
    return np.concatenate([squares, counts * SCALE], axis=1, dtype=np.float32)


def softmax(logits):
    """Returns probabilities; -inf has none."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


class Network:
    """One hidden layer, a policy over all actions, a value; trained by Adam."""

    def __init__(self, rng, hidden=128):
        size = 15 * 32 + len(SCALE)
        self.numbers = [
            rng.normal(0, (2 / 50) ** 0.5, (size, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, encoding.ACTIONS), np.float32),
            np.zeros(encoding.ACTIONS, np.float32),
            np.zeros(hidden, np.float32),
            np.zeros(1, np.float32),
        ]
        self.means = [np.zeros_like(part) for part in self.numbers]
        self.squares = [np.zeros_like(part) for part in self.numbers]
        self.steps = 0

    def hidden(self, seen):
        """Returns the hidden layer."""
        return np.maximum(seen @ self.numbers[0] + self.numbers[1], 0)

    def values(self, hidden):
        """Returns the values for the side to move."""
        return np.tanh(hidden @ self.numbers[4] + self.numbers[5])

    def logits(self, hidden, masks):
        """Returns the logits of the policy, -inf where an action is illegal."""
        return np.where(masks, hidden @ self.numbers[2] + self.numbers[3], -np.inf)

    def gradients(self, observations, masks, policies, targets):
        """Returns the gradients of the loss in all numbers, and the losses of policy and value."""
        seen = inputs(observations)
        hidden = self.hidden(seen)
        found, values = softmax(self.logits(hidden, masks)), self.values(hidden)
        logit_gradient = (found - policies) / len(seen)
        value_gradient = 2 * (values - targets) * (1 - values**2) / len(seen)
        back = (logit_gradient @ self.numbers[2].T + np.outer(value_gradient, self.numbers[4])) * (hidden > 0)
        gradients = [seen.T @ back, back.sum(0), hidden.T @ logit_gradient, logit_gradient.sum(0)]
        gradients += [hidden.T @ value_gradient, value_gradient.sum(keepdims=True)]
        policy_loss = -(policies * np.log(found + 1e-9)).sum(axis=1).mean()
        return gradients, (policy_loss, ((values - targets) ** 2).mean())

    def learn(self, observations, masks, policies, targets, rate=1e-3):
        """Takes one step of Adam, and returns the losses of policy and value."""
        gradients, losses = self.gradients(observations, masks, policies, targets)
        self.steps += 1
        corrected = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for number, gradient, mean, square in zip(self.numbers, gradients, self.means, self.squares):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            number -= corrected * mean / (np.sqrt(square) + 1e-8)
        return losses


def worth(env, network, actions, lanes):
    """Returns what an action in each of some lanes is worth to its side, averaged over what a flip may reveal."""
    after = env.afterstates(actions)
    kept = np.flatnonzero(lanes[after.lane])
    values = -DISCOUNT * network.values(network.hidden(inputs(after.observation[kept])))
    values = np.where(after.terminated[kept], after.reward[kept], values)
    return np.bincount(after.lane[kept], after.probability[kept] * values, len(lanes))[lanes]


def search(env, network, observations, masks, considered, noise=None, wanted=True):
    """Returns for each lane that is wanted the action to play, the improved policy, and its value."""
    hidden = network.hidden(inputs(observations))
    logits = network.logits(hidden, masks)
    draws = logits if noise is None else logits + noise.gumbel(size=logits.shape)
    rows = np.arange(len(logits))
    order = np.argsort(-draws, axis=1)[:, :considered]
    # An action that is not considered keeps the value of the position.
    worths = np.repeat(network.values(hidden)[:, None], encoding.ACTIONS, axis=1)
    for actions in order.T:
        lanes = masks[rows, actions] & wanted
        if lanes.any():
            actions = np.where(lanes, actions, order[:, 0])
            worths[lanes, actions[lanes]] = worth(env, network, actions, lanes)
    policy = softmax(logits + worths / TEMPERATURE)
    chosen = np.take_along_axis(draws + worths / TEMPERATURE, order, axis=1).argmax(axis=1)
    return order[rows, chosen], policy.astype(np.float32), (policy * worths).sum(axis=1)


class SelfPlay:
    """Games that the network plays against itself, all at once."""

    def __init__(self, network, games, considered, seed):
        self.network, self.considered = network, considered
        self.env = anqi.VectorEnv(games, seed=seed)
        self.noise = np.random.default_rng(seed)
        self.observations, self.masks = self.env.reset()
        self.finished = self.won = 0

    def lesson(self, plies=PLIES):
        """Plays some plies of every game; returns the positions, improved policies and TD(lambda) targets."""
        rows = []
        for _ in range(plies):
            seen = self.observations.copy(), self.masks.copy()
            actions, policy, value = search(self.env, self.network, *seen, self.considered, self.noise)
            self.observations, self.masks, reward, ended, _ = self.env.step(actions)
            result = np.where(reward == 0, LEAD * lead(seen[0]), reward)
            rows.append((*seen, policy, value, result, ended.copy()))
            self.finished += int(ended.sum())
            self.won += int((reward != 0).sum())
        targets, later = [], None
        for _, _, _, value, result, ended in reversed(rows):
            mixed = value if later is None else (1 - TRACE) * value - TRACE * DISCOUNT * later
            later = np.where(ended, result, mixed)
            targets.append(later)
        observations, masks, policies = (np.concatenate(part) for part in list(zip(*rows))[:3])
        return observations, masks, policies, np.concatenate(targets[::-1]).astype(np.float32)


def study(network, lesson, rng):
    """Learns a lesson in batches of drawn order and drawn mirrors; returns the mean losses."""
    losses, count = [], len(lesson[3])
    order = np.concatenate([rng.permutation(count) for _ in range(PASSES)])
    for chosen in np.array_split(order, max(len(order) // BATCH, 1)):
        mirror, images = MIRRORS[rng.integers(4)]
        observations, masks, policies, targets = (part[chosen] for part in lesson)
        observations = encoding.mirrored_observation(observations, mirror)
        losses.append(network.learn(observations, masks[:, images], policies[:, images], targets))
    return np.mean(losses, axis=0)


def score(network, games, considered, seed, opponent=lambda env, lanes: env.sample()):
    """Returns the score in games against an opponent, half a point for a draw; it begins every other game."""
    env = anqi.VectorEnv(games, seed=seed)
    observations, masks = env.reset()
    ours = np.arange(games) % 2 == 0
    points = np.full(games, np.nan)
    while np.isnan(points).any():
        playing = np.isnan(points)
        actions, _, _ = search(env, network, observations, masks, considered, wanted=ours & playing)
        actions = np.where(ours, actions, opponent(env, ~ours & playing))
        observations, masks, reward, ended, _ = env.step(actions)
        points = np.where(ended & playing, 0.5 + np.where(ours, reward, -reward) / 2, points)
        ours = ~ours
    return points.mean()


def player(spec):
    """Returns a player of the package as an opponent."""
    chooser = anqi.Player(spec)

    def actions(env, lanes):
        found = env.sample().copy()
        for lane in np.flatnonzero(lanes):
            game = anqi.Game.from_position(env.position(int(lane)), rules=env.rules)
            found[lane] = chooser.choose(game, nodes=1000).action.number
        return found

    return actions


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


def learn(minutes, games=256, considered=16, seed=1, tests=128, test_every=60.0, clock=time.monotonic, say=print):
    """Learns for so many minutes by a clock, and returns the network and its curve: minutes and score."""
    rng = np.random.default_rng(seed)
    network = Network(rng)
    play = SelfPlay(network, games, considered, seed)
    curve, losses = [], (np.nan, np.nan)
    begun = clock()
    spent = lambda: (clock() - begun) / 60  # noqa: E731
    next_test = 0.0
    while True:
        if spent() * 60 >= next_test or spent() >= minutes:
            curve.append((spent(), score(network, tests, considered, seed)))
            say(
                f"{curve[-1][0]:5.1f} min  {play.finished:6} games, {play.won} won  losses {losses[0]:.3f} {losses[1]:.3f}  "
                f"score against random {curve[-1][1]:.3f}",
                flush=True,
            )
            next_test = spent() * 60 + test_every
            if spent() >= minutes:
                return network, curve
        losses = study(network, play.lesson(), rng)


def main():
    """Learns, and writes the curve."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int, default=256, help="games that are played at once")
    parser.add_argument("--simulations", type=int, default=16, help="actions that a search considers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processor", action="store_true", help="count the minutes of processors, on a busy machine")
    parser.add_argument("--out", type=Path, help="where to write the curve, an SVG")
    options = parser.parse_args()
    clock = time.process_time if options.processor else time.monotonic
    network, curve = learn(options.minutes, options.games, options.simulations, options.seed, clock=clock)
    for spec, games in (("random", 512), ("greedy", 128)):
        points = score(network, games, options.simulations, options.seed + 1, player(spec))
        print(f"{points:.3f} of the points in {games} games against {spec}")
    if options.out:
        options.out.write_text(svg(curve))


if __name__ == "__main__":
    main()
