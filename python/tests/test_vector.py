"""The batch environment: against single games, chance by chance, with its memory and its threads."""

import gc
import os

import numpy as np
import pytest

import anqi
from anqi import encoding

PRESETS = [rules.name for rules in anqi.Rules.presets()]


def expected_mask(game):
    mask = np.zeros(anqi.VectorEnv.actions, dtype=bool)
    for action in game.legal_actions():
        mask[action.number] = True
    return mask


@pytest.mark.parametrize("rules", PRESETS)
def test_lanes_are_games(rules):
    """Observations, masks, rewards and ends are those of `Game`, ply by ply."""
    env = anqi.VectorEnv(6, seed=5, rules=rules)
    observation, mask = env.reset()
    games = [anqi.Game(rules) for _ in range(6)]
    pieces = anqi.Piece.all()
    ended = 0
    for _ in range(700):
        actions = env.sample().copy()
        before = [game.position.to_move for game in games]
        observation, mask, reward, terminated, info = env.step(actions)
        for lane, game in enumerate(games):
            revealed = int(info["revealed"][lane])
            piece = pieces[revealed] if revealed >= 0 else None
            action = anqi.Action.from_number(int(actions[lane]))
            game.play(action, piece)
            mover = before[lane] or piece.color
            points = game.result.points(mover) if game.is_over else 0
            assert reward[lane] == points and terminated[lane] == game.is_over
            if game.is_over:
                reasons = ["", "no-legal-action", "annihilation", "quiet-limit", "repetition"]
                assert reasons[info["reason"][lane]] == game.result.reason
                assert info["length"][lane] == len(game)
                games[lane] = game = anqi.Game(rules)
                ended += 1
            assert env.position(lane) == game.position
            assert (mask[lane] == expected_mask(game)).all()
            plain, _ = encoding.encode(game.position)
            assert (observation[lane, :31] == plain[:31]).all()
    assert ended > 3


def test_observations_hold_what_the_position_holds():
    position = anqi.Position("K3/1r2/4/2?1/4/4/4/?2g b Pp 3 40")
    observation, mask = encoding.encode(position)
    assert observation[7 + 0, 7, 0] == 1 and observation[3, 6, 1] == 1 and observation[1, 0, 3] == 1
    assert observation[:14].sum() == 3
    assert {tuple(at) for at in np.argwhere(observation[14])} == {(0, 0), (4, 2)}
    pool = observation[15:29, 0, 0].tolist()
    assert pool == [0, 0, 0, 0, 0, 0, 1] * 2
    assert (observation[29] == 1).all() and (observation[30] == 3).all()
    assert (observation[15:] == observation[15:, :1, :1]).all()
    names = sorted(encoding.TEXTS[number] for number in np.flatnonzero(mask))
    assert names == sorted(str(action) for action in position.legal_actions())


def test_the_mover_sees_the_same_with_colours_exchanged():
    env = anqi.VectorEnv(8, seed=3)
    for _ in range(200):
        observation, mask, *_ = env.step(env.sample())
        for lane in range(2):
            position = env.position(lane)
            if position.to_move is None:
                continue
            again, same = encoding.encode(position.recolored())
            assert (again[:31] == observation[lane, :31]).all() and (same == mask[lane]).all()


@pytest.mark.parametrize("mirror", encoding.MIRRORS)
def test_mirrors_move_observations_masks_and_actions(mirror):
    env = anqi.VectorEnv(1, seed=4)
    images = encoding.mirrored_actions(mirror)
    assert (images[images] == np.arange(env.actions)).all()
    for _ in range(150):
        observation, mask, *_ = env.step(env.sample())
        image, legal = encoding.encode(env.position(0).mirrored(mirror))
        assert (image[:31] == encoding.mirrored_observation(observation[0], mirror)[:31]).all()
        assert (legal == encoding.mirrored_mask(mask[0], mirror)).all()


def test_colors_swapped_is_its_own_inverse_and_exchanges_the_armies():
    position = anqi.Position("K3/1r2/4/2?1/4/4/4/?2g b Pp 3 40")
    other = anqi.Position("K3/1r2/4/2?1/4/4/4/?2g r Pp 3 40")
    seen, _ = encoding.encode(position)
    assert (encoding.colors_swapped(seen) == encoding.encode(other)[0]).all()
    assert (encoding.colors_swapped(encoding.colors_swapped(seen)) == seen).all()


def test_the_numbers_of_actions_are_those_documented():
    flips = [f"{column}{row}" for column in "abcd" for row in range(1, 9)]
    assert list(encoding.TEXTS[:32]) == flips
    assert [encoding.TEXTS[number] for number in (32, 59, 60, 87, 88, 111, 112, 135, 136, 351)] == [
        "a1-a2", "d7-d8", "a2-a1", "d8-d7", "b1-a1", "d8-c8", "a1-b1", "c8-d8", "a1-a3", "d8-d6",
    ]  # fmt: skip
    jumps = list(encoding.TEXTS[136:])
    assert jumps == sorted(jumps) and len(set(encoding.TEXTS)) == 352
    for number, text in enumerate(encoding.TEXTS):
        assert anqi.Action(text).number == number
        assert anqi.Action.from_number(number) == anqi.Action(text)
    assert anqi.Action("a1-b2").number is None


def trace(env, steps, lanes):
    seen = []
    env.reset()
    for _ in range(steps):
        _, _, reward, terminated, info = env.step(env.sample())
        seen.append((reward[:lanes].tolist(), info["revealed"][:lanes].tolist()))
    return seen


def test_a_lane_depends_on_its_seed_alone():
    alone = trace(anqi.VectorEnv(3, seed=9), 300, 3)
    assert trace(anqi.VectorEnv(64, seed=9, threads=2), 300, 3) == alone
    assert trace(anqi.VectorEnv(3, seed=10), 300, 3) != alone
    first = trace(anqi.VectorEnv(1, seeds=[77]), 300, 1)
    second = trace(anqi.VectorEnv(2, seeds=[5, 77]), 300, 2)
    assert [row[1][0] for row in first] == [row[1][1] for row in second]


def test_chance_is_fair_and_can_be_resolved_from_outside():
    env = anqi.VectorEnv(32_000, seed=2)
    *_, info = env.step(np.zeros(env.n, dtype=int))
    counts = np.bincount(info["revealed"], minlength=14) / 1000
    expected = np.array([piece.count for piece in anqi.Piece.all()])
    assert np.abs(counts - expected).max() < 0.25
    env = anqi.VectorEnv(2, seed=2)
    *_, info = env.step([0, 1], reveals=[6, -1])
    assert info["revealed"][0] == 6 and info["revealed"][1] >= 0
    assert str(env.position(0).piece_at("a1")) == "P"
    with pytest.raises(anqi.IllegalActionError, match="not the index of a piece"):
        env.step([1, 2], reveals=[14, -1])
    env.step([1, 2], reveals=[0, -1])
    with pytest.raises(anqi.IllegalActionError, match="lane 0: no K is face down"):
        env.step([2, 3], reveals=[0, -1])


def test_afterstates_are_the_outcomes_with_their_chances():
    env = anqi.VectorEnv(3, seed=8, rules="olympiad")
    for _ in range(60):
        actions = env.sample().copy()
        after = env.afterstates(actions)
        for lane in range(env.n):
            position, here = env.position(lane), after.lane == lane
            action = anqi.Action.from_number(int(actions[lane]))
            chances = position.chance_outcomes(action) or [(None, 1)]
            assert np.isclose(after.probability[here], [float(c) for _, c in chances]).all()
            for index, (piece, _) in zip(np.flatnonzero(here), chances):
                expected, mask = encoding.encode(position.apply(action, piece))
                assert (after.observation[index, :31] == expected[:31]).all()
                assert after.piece[index] == (-1 if piece is None else piece.index)
                if not after.terminated[index]:
                    assert (after.mask[index] == mask).all()
        env.step(actions)


def test_illegal_actions_are_named_and_nothing_moves():
    env = anqi.VectorEnv(3, seed=1)
    before = [env.position(lane) for lane in range(3)]
    with pytest.raises(anqi.IllegalActionError, match=r"lane 2: action 40 \(b2-b3\): the first ply must be a flip"):
        env.step([0, 1, 40])
    for bad in ([0, 1, 352], [0, -1, 1], [2**62, 0, 0]):
        with pytest.raises(anqi.IllegalActionError, match="is not the number of an action"):
            env.step(bad)
    for bad in ([0.0, 1.0, 2.0], ["a", "b", "c"], [None] * 3, [True] * 3):
        with pytest.raises(TypeError, match="expected integers"):
            env.step(bad)
    for bad in ([0, 1], [[0, 1, 2]], 5):
        with pytest.raises(ValueError, match="of shape"):
            env.step(bad)
    with pytest.raises(ValueError, match="do not fit"):
        env.step(np.array([2**64 - 1, 0, 0], dtype=np.uint64))
    assert [env.position(lane) for lane in range(3)] == before


def test_views_share_memory_and_outlive_the_environment():
    env = anqi.VectorEnv(2, seed=1)
    observation, mask = env.reset()
    again, *_ = env.step([0, 0])
    assert again is observation and observation[0, 14].sum() == 31
    assert observation.flags["C_CONTIGUOUS"] and not observation.flags["OWNDATA"]
    env.close()
    for use in (lambda: env.step([1, 1]), env.reset, env.sample, lambda: env.position(0)):
        with pytest.raises(anqi.ClosedError, match="the environment is closed"):
            use()
    env.close()
    del env
    gc.collect()
    assert observation[0, 14].sum() == 31 and mask.shape == (2, 352)
    with anqi.VectorEnv(1) as env:
        env.step(env.sample())
    assert "closed" in repr(env)


def test_lanes_can_be_put_anywhere():
    env = anqi.VectorEnv(2, seed=1, start="K3/4/4/4/4/4/4/3g r - 0 0")
    observation, mask = env.reset()
    assert mask[0].sum() == 2 and env.position(1).to_move == "red"
    env.set_position(1, "4/4/4/4/4/4/4/Kg2 r - 0 0")
    assert encoding.TEXTS[np.flatnonzero(mask[1])[-1]] == "a1-b1"
    _, _, reward, terminated, _ = env.step([anqi.Action("a8-a7").number, anqi.Action("a1-b1").number])
    assert reward.tolist() == [0, 1] and terminated.tolist() == [False, True]
    assert str(env.position(1)).startswith("K3/")
    with pytest.raises(anqi.Error, match="the game is over"):
        env.set_position(0, "4/4/4/4/4/4/4/K3 b - 0 9")
    with pytest.raises(anqi.Error, match="there is no lane 2"):
        env.position(2)


@pytest.mark.parametrize(
    "arguments",
    [{"n": 0}, {"n": 10**9}, {"n": 2, "threads": 0}, {"n": 2, "seeds": [1, 2, 3]}, {"n": 1, "rules": "chess"}],
)
def test_wrong_arguments_are_refused(arguments):
    with pytest.raises(anqi.Error, match="expected"):
        anqi.VectorEnv(**arguments)
    for wrong in (-1, 2**70):
        with pytest.raises(OverflowError):
            anqi.VectorEnv(wrong)
    with pytest.raises(TypeError):
        anqi.VectorEnv("4")


def resident():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_a_million_resets_leak_nothing():
    env = anqi.VectorEnv(1000, seed=1)
    for _ in range(100):
        env.reset()
        env.step(env.sample())
    before = resident()
    for _ in range(1000):
        env.reset()
        env.step(env.sample())
    for _ in range(200):
        anqi.VectorEnv(100).close()
    assert resident() - before < 8 << 20
