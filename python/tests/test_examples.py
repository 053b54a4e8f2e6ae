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


alphazero = example("alphazero")


def test_the_learner_beats_its_untrained_self():
    rng = np.random.default_rng(1)
    network = alphazero.Network(rng, hidden=32)
    play = alphazero.SelfPlay(network, games=64, considered=4, seed=1)
    before = alphazero.score(network, games=32, considered=32, seed=7)
    for _ in range(3):
        alphazero.study(network, play.lesson(plies=100), rng)
    assert alphazero.score(network, games=32, considered=32, seed=7) > max(0.7, before + 0.1)


def test_the_learner_takes_the_gradients_of_its_losses():
    network = alphazero.Network(np.random.default_rng(1), hidden=8)
    lesson = alphazero.SelfPlay(network, games=8, considered=2, seed=1).lesson(plies=6)
    rng = np.random.default_rng(2)
    network.numbers = [rng.normal(0, 0.3, part.shape) for part in network.numbers]
    lesson = *lesson[:3], rng.uniform(-1, 1, len(lesson[3]))
    gradients, _ = network.gradients(*lesson)
    for part, gradient in zip(network.numbers, gradients):
        for place in rng.choice(np.flatnonzero(gradient), 4):
            losses = []
            for moved in (-1e-5, 2e-5):
                part.flat[place] += moved
                losses.append(sum(network.gradients(*lesson)[1]))
            part.flat[place] -= 1e-5
            assert np.isclose((losses[1] - losses[0]) / 2e-5, gradient.flat[place], rtol=1e-3, atol=1e-6)


def test_the_learner_averages_over_what_a_flip_may_reveal():
    network = alphazero.Network(np.random.default_rng(1), hidden=8)
    network.hidden, network.values = lambda seen: seen, lambda seen: seen[:, 7 * 32 : 8 * 32].sum(axis=1)
    found = alphazero.worth(anqi.VectorEnv(3, seed=1), network, np.array([0, 5, 9]), np.array([True, False, True]))
    assert np.allclose(found, -alphazero.DISCOUNT * 2 / 32)  # one of the two kings, the other side's from then on


def test_the_learner_sees_a_win_and_its_targets_know_the_result(monkeypatch):
    monkeypatch.setattr(alphazero, "TRACE", 1)
    play = alphazero.SelfPlay(alphazero.Network(np.random.default_rng(1), hidden=8), games=2, considered=16, seed=1)
    for lane, text in enumerate(("Kg2/4/4/4/4/4/4/4 r - 0 30", "K3/4/4/4/4/4/4/3g b - 48 60")):
        play.env.set_position(lane, text)
    observations, _, policies, targets = play.lesson(plies=2)
    assert policies[0, alphazero.encoding.TEXTS.index("a8-b8")] > 0.99 and targets[0] == 1
    assert targets[1] == 0 and play.finished == 2


def test_the_curve_is_a_picture():
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
