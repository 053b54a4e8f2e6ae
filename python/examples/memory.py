"""The memory of a process over a million resets of environments, and over other objects made and dropped.

    python examples/memory.py [RESETS]

Linux only: it reads /proc/self/statm. A first part of each kind fills what is kept on purpose (tables, threads, caches).
"""

import gc
import os
import sys

import anqi


def resident():
    """Returns the bytes of this process that are in memory."""
    gc.collect()
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def vector(count):
    """Resets the lanes of a batch, and plays a step after each reset."""
    env = anqi.VectorEnv(1000, seed=1)
    for _ in range(count // 1000):
        env.reset()
        env.step(env.sample())


def made(count):
    """Makes environments and drops them."""
    for _ in range(count):
        env = anqi.VectorEnv(8, seed=1)
        env.step(env.sample())


def games(count):
    """Makes games, plays two plies and takes one back."""
    for _ in range(count):
        game = anqi.Game("openspiel")
        game.play("b3", "k")
        game.play("b4", "P")
        game.undo()
        game.position.legal_actions()


def searches(count):
    """Makes players that search."""
    game = anqi.Game()
    for _ in range(count):
        anqi.Player("champion:hash=1").choose(game, nodes=50)


def analyses(count):
    """Begins searches and drops them."""
    game, player = anqi.Game(), anqi.Player("champion:hash=1")
    for _ in range(count):
        next(player.analyse(game))


def measured(what, work, count):
    """Prints the memory before and after some work, and returns by how many bytes it grew."""
    work(max(1, count // 10))
    before = resident()
    work(count)
    after = resident()
    print(f"{what:44} {count:9,} times: {before / 2**20:7.1f} MiB before, {after / 2**20:7.1f} MiB after", flush=True)
    return after - before


def main():
    """Measures all of them."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    measured("resets of VectorEnv's lanes", vector, count)
    measured("environments of 8 lanes", made, count // 50)
    measured("games with three plies", games, count // 5)
    measured("players that search", searches, count // 1000)
    measured("searches begun and dropped", analyses, count // 1000)


if __name__ == "__main__":
    main()
