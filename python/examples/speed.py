"""Steps a second: ours (one game, a batch, two threads, two processes) and OpenSpiel's banqi, driven from Python, in one run.

    python examples/speed.py [SECONDS]

Every step plays a random legal action; a batch step also writes observation and mask of every lane. The first number is steps a
second; the second is steps in a second of processors, which is the same on a machine that others use too.
"""

import multiprocessing
import random
import sys
import time

import anqi


def rates_of(step, seconds):
    """Returns how many steps a function makes in a second, and in a second of processors."""
    begun, used, steps = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < seconds:
        for _ in range(10):
            steps += step()
    return steps / (time.perf_counter() - begun), steps / (time.process_time() - used)


def said(what, rates):
    """Prints rates and returns them."""
    print(f"{what:58} {rates[0]:12,.0f} {rates[1]:12,.0f}", flush=True)
    return rates


def measured(what, step, seconds):
    """Prints how many steps a function makes in a second, and in a second of processors, and returns both."""
    return said(what, rates_of(step, seconds))


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


def alone(seconds, ready, rates):
    """Measures a batch in a process of its own, once all of them are ready."""
    step = batch(1024, 1)
    step()
    ready.wait()
    rates.put(rates_of(step, seconds))


def processes(count, seconds):
    """Prints how many steps a second so many processes make together, and returns it."""
    context = multiprocessing.get_context("spawn")
    ready, rates = context.Barrier(count), context.Queue()
    workers = [context.Process(target=alone, args=[seconds, ready, rates]) for _ in range(count)]
    for worker in workers:
        worker.start()
    found = [rates.get() for _ in workers]
    for worker in workers:
        worker.join()
    both, used = (sum(rate[place] for rate in found) for place in (0, 1))
    return said(f"{count} processes with anqi.VectorEnv(1024) each", (both, used / count))


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
    print(f"{'':58} {'steps/s':>12} {'by processor':>12}")
    measured("anqi.Game, one game", single(), seconds)
    ours = measured("anqi.VectorEnv(1024), actions drawn by it", batch(1024, 1), seconds)
    measured("anqi.VectorEnv(1024), actions given", given(1024), seconds)
    two = measured("anqi.VectorEnv(1024, threads=2), actions drawn by it", batch(1024, 2), seconds)
    measured("anqi.VectorEnv(16384, threads=2), actions drawn by it", batch(16384, 2), seconds)
    both = processes(2, seconds)
    try:
        theirs = measured("OpenSpiel banqi, observation and mask", openspiel(), seconds)
    except ImportError:
        print("no OpenSpiel here")
        return
    print(f"VectorEnv on one core is {ours[0] / theirs[0]:.0f} times OpenSpiel's banqi, {ours[1] / theirs[1]:.0f} times by processors")
    for what, rates in (("threads", two), ("processes", both)):
        print(f"two {what} are {rates[0] / ours[0]:.2f} times as fast as one; a processor's second gives {rates[1] / ours[1]:.2f} of it")


if __name__ == "__main__":
    main()
