"""The examples run in a short form."""

import importlib.util
from pathlib import Path

import numpy as np

import anqi

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_learner_plays_and_learns():
    alphazero = example("alphazero")
    network = alphazero.Network(np.random.default_rng(1), hidden=32)
    play = alphazero.SelfPlay(network, games=8, simulations=2, seed=1)
    for _ in range(12):
        play.ply()
    rows = [row for past in play.pasts for row in past]
    observations, masks, policies = map(np.array, zip(*rows))
    assert len(rows) == 96 and np.allclose(policies.sum(axis=1), 1) and not policies[~masks].any()
    results = np.where(observations[:, 30, 0, 0] > 0, 1.0, -1.0).astype(np.float32)
    losses = [network.learn(observations, masks, policies, results) for _ in range(60)]
    assert losses[-1][0] < losses[0][0] and losses[-1][1] < 0.5 * losses[0][1]
    assert 0 <= alphazero.against_random(network, games=2, simulations=1, seed=2) <= 1
    assert alphazero.svg([(0.0, 0.5), (1.0, 0.8)]).startswith("<svg")


def test_speed_is_measured(capsys):
    speed = example("speed")
    for what, step, least in (("batch", speed.batch(64, 1), 1000), ("one", speed.single(), 100), ("given", speed.given(64), 1000)):
        assert min(speed.measured(what, step, 0.2)) > least
    assert "batch" in capsys.readouterr().out and anqi.VectorEnv.actions == 352


def test_memory_is_measured(capsys):
    memory = example("memory")
    for work in (memory.vector, memory.made, memory.games):
        assert memory.measured("some", work, 1000) < 8 << 20
    assert "MiB after" in capsys.readouterr().out
