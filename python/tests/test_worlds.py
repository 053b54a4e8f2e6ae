"""The environments against the conformance tests of their own worlds."""

import random

import numpy as np
import pytest

import anqi
from anqi import encoding


def test_pettingzoo():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    import anqi.pettingzoo

    api_test(anqi.pettingzoo.env(), num_cycles=1000, verbose_progress=False)
    seed_test(anqi.pettingzoo.env, num_cycles=500)


@pytest.mark.parametrize("opponent", ["random", "greedy", "champion:level=1"])
def test_gymnasium(opponent):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import anqi.gymnasium

    env = gymnasium.make("anqi/Anqi-v0", opponent=opponent, nodes=100)
    check_env(env.unwrapped, skip_render_check=True)
    ended = []
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        done = False
        while not done:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, done, _, info = env.step(action)
            assert "illegal" not in info
        ended.append((reward, info["position"]))
    observation, info = env.reset(seed=3)
    _, reward, done, _, info = env.step(300)
    assert (reward, done) == (-1.0, True) and "illegal" in info


def openspiel_game(rules="openspiel"):
    pyspiel = pytest.importorskip("pyspiel")
    import anqi.openspiel  # noqa: F401

    return pyspiel, pyspiel.load_game("anqi", {"rules": rules})


@pytest.mark.parametrize("rules", ["openspiel", "olympiad", "course"])
def test_openspiel_random_simulations(rules):
    pyspiel, game = openspiel_game(rules)
    pyspiel.random_sim_test(game, num_sims=4, serialize=True, verbose=False)


def test_openspiel_observations_are_markov():
    pyspiel, game = openspiel_game()
    observer = game.make_py_observer()
    rng, seen = random.Random(4), {}
    for _ in range(6):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                assert abs(sum(chances) - 1) < 1e-12
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            player = state.current_player()
            observer.set_from(state, player)
            legal = tuple(state.legal_actions())
            assert seen.setdefault(observer.tensor.tobytes(), legal) == legal
            mask = np.zeros(encoding.ACTIONS, bool)
            mask[list(legal)] = True
            assert (encoding.encode(state.anqi_game)[1] == mask).all()
            assert str(state) in observer.string_from(state, player)
            state.apply_action(rng.choice(legal))
        returns = state.returns()
        assert sum(returns) == 0 and set(returns) <= {-1.0, 0.0, 1.0}


def after(name, plies):
    """A state of a game of OpenSpiel: "a1(K)" is a flip and its outcome."""
    pyspiel, game = openspiel_game()
    state = game.new_initial_state() if name == "anqi" else pyspiel.load_game(name).new_initial_state()
    for ply in plies.split():
        action = anqi.Action(ply.split("(")[0])
        squares = ["abcd".index(square[0]) * 8 + int(square[1]) - 1 for square in (action.source, action.target)]
        step = 32 + squares[0] * 32 + squares[1] if name == "banqi" else action.number
        state.apply_action(squares[0] if action.is_flip else step)
        if action.is_flip:
            state.apply_action("KGMRNCPkgmrncp".index(ply[3]))
    return state


def test_what_the_observation_of_banqi_lacks_ours_has():
    colors, pools = ("a1(K) a2(g)", "a2(g) a1(K)"), ["a1(P) a2(g) b8(R) a2-a1", "a1(C) a2(g) b8(R) a2-a1"]
    captures = "a1(P) a2(g) d1(p) a2-a1 d2(R) b8(m) d2-d1"
    quiet = (captures, f"{captures} a1-a2 d1-d2 a2-a1 d2-d1")
    for histories in (colors, pools, quiet):
        theirs = [after("banqi", plies) for plies in histories]
        ours = [after("anqi", plies) for plies in histories]
        tensors = [state.observation_tensor() for state in theirs]
        assert tensors[0] == tensors[1] and len(tensors[0]) == 514
        seen = [encoding.encode(state.anqi_game)[0] for state in ours]
        assert (seen[0] != seen[1]).any()
        if histories is colors:
            assert theirs[0].legal_actions() != theirs[1].legal_actions()
        if histories is pools:
            for state in theirs:
                state.apply_action(2)
            assert theirs[0].chance_outcomes() != theirs[1].chance_outcomes()
        if histories is quiet:
            assert [state.anqi_game.position.quiet for state in ours] == [0, 4]


def test_openspiel_players_play():
    pyspiel, game = openspiel_game()
    from open_spiel.python.algorithms import mcts, minimax

    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    for _ in range(6):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    state = game.new_initial_state()
    for text, expected in [("4/4/4/4/4/4/4/Kg2", (1.0, "a1-b1")), ("4/4/4/4/4/4/??2/K?2", None)]:
        hidden = "gPp" if "?" in text else "-"
        state.anqi_game = anqi.Game.from_position(f"{text} r {hidden} 0 0", "openspiel")
        value, action = minimax.expectiminimax(state, 2, lambda state: 0.0, 0)
        assert action in state.legal_actions() and -1 <= value <= 1
        if expected:
            assert (value, encoding.TEXTS[action]) == expected
