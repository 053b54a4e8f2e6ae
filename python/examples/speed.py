"""Steps a second: ours (one game, a batch, two threads) and OpenSpiel's banqi, driven from Python, in one run.

    python examples/speed.py [SECONDS]

Every step plays a random legal action; a batch step also writes observation and mask of every lane.
"""

import random
import sys
import time

import anqi


def measured(what, step, seconds, unit=1):
    """Prints how many steps a second a function makes, and returns it."""
    begun, steps = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        for _ in range(10):
            steps += step()
    rate = steps * unit / (time.perf_counter() - begun)
    print(f"{what:58} {rate:14,.0f} steps/s")
    return rate


def batch(n, threads):
    """Returns a function that steps a batch once."""
    env = anqi.VectorEnv(n, seed=1, threads=threads)
    env.reset()

    def step():
        env.step(env.sample())
        return n

    return step


def given(n):
    """Returns a function that steps a batch by actions that were drawn before."""
    env = anqi.VectorEnv(n, seed=1)
    played = []
    for _ in range(400):
        played.append(env.sample().copy())
        env.step(played[-1])
    state = {"next": len(played)}

    def step():
        if state["next"] == len(played):
            env.reset(seed=1)
            state["next"] = 0
        env.step(played[state["next"]])
        state["next"] += 1
        return n

    return step


def single():
    """Returns a function that plays one ply of one game."""
    rng = random.Random(1)
    state = {"game": anqi.Game("openspiel")}

    def step():
        if state["game"].is_over:
            state["game"] = anqi.Game("openspiel")
        state["game"].play_drawn(rng.choice(state["game"].legal_actions()), rng)
        return 1

    return step


def openspiel():
    """Returns a function that plays one ply of OpenSpiel's banqi, its chance node included."""
    import pyspiel

    game, rng = pyspiel.load_game("banqi"), random.Random(1)
    state = {"state": game.new_initial_state()}

    def step():
        if state["state"].is_terminal():
            state["state"] = game.new_initial_state()
        state["state"].apply_action(rng.choice(state["state"].legal_actions()))
        if state["state"].is_chance_node():
            outcomes, chances = zip(*state["state"].chance_outcomes())
            state["state"].apply_action(rng.choices(outcomes, chances)[0])
        state["state"].observation_tensor() if not state["state"].is_terminal() else None
        state["state"].legal_actions_mask() if not state["state"].is_terminal() else None
        return 1

    return step


def main():
    """Measures all of them."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    measured("anqi.Game, one game", single(), seconds)
    ours = measured("anqi.VectorEnv(1024), actions drawn by it", batch(1024, 1), seconds)
    measured("anqi.VectorEnv(1024), actions given", given(1024), seconds)
    measured("anqi.VectorEnv(1024, threads=2), actions drawn by it", batch(1024, 2), seconds)
    measured("anqi.VectorEnv(16384, threads=2), actions drawn by it", batch(16384, 2), seconds)
    try:
        theirs = measured("OpenSpiel banqi, observation and mask", openspiel(), seconds)
    except ImportError:
        print("no OpenSpiel here")
        return
    print(f"VectorEnv on one core is {ours / theirs:.0f} times OpenSpiel's banqi")


if __name__ == "__main__":
    main()
