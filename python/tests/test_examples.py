"""The examples run in a short form."""

import importlib.util
from pathlib import Path

import anqi

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_learner_plays_and_learns():
    alphazero = example("alphazero")
    network, curve = alphazero.learn(0.25, games=32, simulations=4, tests=16, test_every=1000, say=lambda _: None)
    assert network.steps > 0 and len(curve) == 2 and all(0 <= score <= 1 for _, score in curve)
    assert alphazero.svg(curve).startswith("<svg")


def test_speed_is_measured(capsys):
    speed = example("speed")
    assert speed.measured("batch", speed.batch(64, 1), 0.2) > 1000
    assert speed.measured("single", speed.single(), 0.2) > 100
    assert speed.measured("given", speed.given(64), 0.2) > 1000
    assert "steps/s" in capsys.readouterr().out and anqi.VectorEnv.actions == 352
