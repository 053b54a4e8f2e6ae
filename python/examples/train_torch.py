"""Trains a network for the champion with PyTorch, of any number of filters.

    selfplay data --games 2000 --nodes 600 --seed 1 --out games-1.data
    python examples/train_torch.py games-1.data --filters 32 --epochs 8 --out mine.network
    selfplay --a champion:network=mine.network --b champion --games 200 --nodes 2000

It learns what the hand-made terms lack: its output is added to their sum, as `selfplay train` does it. The shape is the
engine's: every filter sees the board in its four mirrors and from both sides, a unit outputs the square of its sum cut to 0-1,
and one of the last layers weighs the units. The numbers are rounded to the integers of a file at the end, and the loss is
measured again with the file's own numbers. A GPU is used if there is one.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch

from anqi import learning

CURVE, RATIO_SHARE = 0.6, 1 / 64
"""The logistic curve from sums to expected results: tanh(0.6 x), with 1/64 of x / (1 + |x|)."""

MOST_OUTPUT = 127
"""The largest weight of a last layer that a file can hold, in units of 1/OUTPUT_UNIT."""


class Network(torch.nn.Module):
    """The network in floating point."""

    def __init__(self, filters):
        super().__init__()
        images, views = learning.input_images()
        places = np.stack([images, images[:, views]])
        # (views, mirrors, inputs): which free row an input of the mover's view uses.
        self.register_buffer("places", torch.as_tensor(places.astype(np.int64)))
        inputs = len(views)
        self.rows = torch.nn.Parameter(torch.empty(inputs, filters).uniform_(-0.12, 0.12))
        self.bias = torch.nn.Parameter(torch.full((filters,), 0.3))
        self.output = torch.nn.Parameter(torch.empty(8, 2, filters).uniform_(-0.1, 0.1))
        self.output_bias = torch.nn.Parameter(torch.zeros(8))

    def forward(self, seen, layers):
        """Returns the outputs, in units of half of a certain win."""
        views, mirrors, inputs = self.places.shape
        filters = self.rows.shape[1]
        rows = self.rows[self.places].permute(2, 0, 1, 3).reshape(inputs, -1)
        sums = (seen @ rows).view(-1, views, mirrors, filters) + self.bias
        units = sums.clamp(0, 1).square().sum(dim=2)
        return (units * self.output[layers]).sum(dim=(1, 2)) + self.output_bias[layers]

    def rounded(self, origin, weights):
        """Returns the network in the integers of a file."""
        numbers = lambda part, unit, most: (  # noqa: E731
            np.rint(part.detach().cpu().numpy() * unit).clip(-most, most)
        )
        return learning.Network(
            origin=origin,
            weights=weights,
            rows=numbers(self.rows, learning.SUM_UNIT, 32767).astype(np.int16),
            bias=numbers(self.bias, learning.SUM_UNIT, 32767).astype(np.int16),
            output=numbers(self.output, learning.OUTPUT_UNIT, MOST_OUTPUT).astype(np.int16),
            output_bias=numbers(
                self.output_bias.double(), learning.SUM_UNIT**2 * learning.OUTPUT_UNIT, 2**31 - 1
            ).astype(np.int32),
        )


class Samples:
    """Positions of files, quiet ones alone: what the network sees, the hand-made sum, the chance of a win."""

    def __init__(self, paths, weights, label_mix, held_out, rng):
        parts = []
        for path in paths:
            data = learning.read_data(path)
            seen, layers = data.features()
            targets = 0.5 + 0.5 * (label_mix * data.value + (1 - label_mix) * data.result)
            apart = rng.random(int(data.records["game"].max()) + 1) < held_out
            keep = (data.best != 1) & (data.turn != 0)
            rows = (seen, layers, data.terms(weights), targets, apart[data.records["game"]])
            parts.append([row[keep] for row in rows])
        seen, layers, base, targets, apart = (np.concatenate(part) for part in zip(*parts))
        self.seen, self.layers = torch.as_tensor(seen), torch.as_tensor(layers.astype(np.int64))
        self.base = torch.as_tensor(base.astype(np.float32))
        self.targets = torch.as_tensor(targets.astype(np.float32))
        self.held_out = torch.as_tensor(np.flatnonzero(apart))
        self.training = torch.as_tensor(np.flatnonzero(~apart))

    def batch(self, rows, device):
        """Returns the parts of some rows."""
        parts = (self.seen[rows].float(), self.layers[rows], self.base[rows], self.targets[rows])
        return [part.to(device) for part in parts]


def loss(sums, targets):
    """The cross-entropy between the chances of sums and their targets."""
    expected = (1 - RATIO_SHARE) * torch.tanh(CURVE * sums) + RATIO_SHARE * sums / (1 + sums.abs())
    chances = 0.5 + 0.5 * expected
    return -(targets * chances.log() + (1 - targets) * (1 - chances).log())


@torch.no_grad()
def held_out_loss(samples, output, device="cpu"):
    """The mean loss over the games held out; `output` is a function of inputs and layers."""
    total = 0.0
    for rows in samples.held_out.split(8192):
        seen, layers, base, targets = samples.batch(rows, device)
        total += float(loss(base + output(seen, layers), targets).sum())
    return total / len(samples.held_out)


def train(samples, filters, epochs, batch, rate, device, say=print):
    """Trains a network by Adam with a rate that falls along half a cosine."""
    model = Network(filters).to(device)
    bound = MOST_OUTPUT / learning.OUTPUT_UNIT
    steps = epochs * max(1, len(samples.training) // batch)
    adam = torch.optim.Adam(model.parameters(), rate)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps)
    for epoch in range(epochs):
        begun, total = time.monotonic(), 0.0
        rows = samples.training[torch.randperm(len(samples.training))].split(batch)
        rows = rows[: steps // epochs]
        for some in rows:
            seen, layers, base, targets = samples.batch(some, device)
            mean = loss(base + model(seen, layers), targets).mean()
            adam.zero_grad()
            mean.backward()
            adam.step()
            falling.step()
            with torch.no_grad():
                model.output.clamp_(-bound, bound)
            total += mean.item()
        apart = held_out_loss(samples, model, device)
        say(
            f"epoch {epoch + 1}: loss {total / len(rows):.5f}, held out {apart:.5f}"
            f" ({time.monotonic() - begun:.1f} s)"
        )
    return model.cpu()


def main():
    """Trains, and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="+", type=Path, help="files of `selfplay data`")
    parser.add_argument("--out", type=Path, required=True, help="the file of the network")
    parser.add_argument("--filters", type=int, default=32, help="a multiple of 4; the built-in network has 32")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=0.005)
    parser.add_argument("--label-mix", type=float, default=0.85, help="the share of the search's value in a target")
    parser.add_argument("--held-out", type=float, default=0.05, help="the share of games held out")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    built_in = learning.Network.built_in()
    rng = np.random.default_rng(options.seed)
    samples = Samples(options.data, built_in.weights, options.label_mix, options.held_out, rng)
    print(f"{len(samples.training)} positions to train on, {len(samples.held_out)} held out, on {device}")
    print(f"the hand-made terms alone: {held_out_loss(samples, lambda seen, layers: 0.0):.5f} held out")
    model = train(samples, options.filters, options.epochs, options.batch, options.rate, device)
    names = " ".join(path.name for path in options.data)
    origin = f"train_torch.py --filters {options.filters} --epochs {options.epochs} --seed {options.seed} {names}"
    network = model.rounded(origin, built_in.weights)
    for what, each in (("rounded to integers", network), ("the built-in network", built_in)):
        worth = lambda seen, layers: torch.as_tensor(  # noqa: E731
            each.expected(seen.numpy().astype(np.uint8), layers.numpy()).astype(np.float32)
        )
        print(f"{what}: {held_out_loss(samples, worth):.5f} held out")
    network.write(options.out)
    print(f"wrote {options.out}; play with champion:network={options.out}")


if __name__ == "__main__":
    main()
