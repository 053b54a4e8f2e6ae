"""Drives random games through OpenSpiel's banqi and through `anqi` and compares both after every ply.

    python -m venv venv && venv/bin/pip install -r tests/openspiel/requirements.txt
    cargo build --release
    venv/bin/python tests/openspiel/compare.py --games 1000 target/release/anqi

`anqi` is asked over the tournament protocol, as a server would ask it. Before each ply the lists of legal actions,
the results and the whole positions (board, side to move, bag, plies since the last capture or flip, plies) must be the
same text; some positions also compare perft counts, and after some plies an illegal one is sent that must be refused.
Known differences are counted, not hidden: see `tests/rulebooks/data/README.md`. Any other difference ends the run with status 1.
"""

import argparse
import collections
import random
import subprocess
import sys

from outside import FLIPS, STYLES, Outside, choose, perft, seeded


class Refused(Exception):
    """The engine answered with `?`."""


class Engine:
    """An engine that speaks the tournament protocol."""

    NUMBERS = {
        "reset_board": 7,
        "move": 10,
        "flip": 11,
        "position": 50,
        "legal_actions": 51,
        "undo": 52,
        "get_position": 53,
        "set": 56,
        "perft": 58,
        "result": 59,
    }

    def __init__(self, path):
        self.child = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request):
        """Sends a request by its number and name and returns the text of the answer."""
        number = self.NUMBERS[request.split(" ")[0]]
        self.child.stdin.write(f"{number} {request}\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline()
        if answer.startswith(f"={number}"):
            return answer[len(str(number)) + 1 :].strip()
        if answer.startswith(f"?{number}"):
            raise Refused(answer.strip())
        raise SystemExit(f"{request!r} was answered with {answer!r}")

    def quit(self):
        """Ends the conversation and tells whether the engine ended well."""
        self.child.stdin.write("5 quit\n")
        self.child.stdin.flush()
        self.child.stdin.close()
        return self.child.wait(timeout=10) == 0


class Difference(Exception):
    """The two rule books differ."""


def same(what, ours, theirs, game):
    if ours != theirs:
        raise Difference(f"{what} at {game.position()}:\n  anqi      {ours}\n  openspiel {theirs}")


def send(engine, ply):
    """Tells the engine what has been played."""
    if ply.endswith(")"):
        engine.ask(f"flip {ply[:2]} {ply[3]}")
    else:
        engine.ask("move " + ply.replace("-", " "))


def refuses_an_illegal_action(engine, game, legal, source):
    """Sends a random action that OpenSpiel does not have."""
    squares = [letter + str(number) for letter in "abcd" for number in range(1, 9)]
    source_square, target = source.choice(squares), source.choice(squares)
    if source_square == target or f"{source_square}-{target}" in legal:
        return
    try:
        engine.ask(f"move {source_square} {target}")
    except Refused:
        return
    raise Difference(f"anqi played {source_square}-{target}, which is not legal at {game.position()}")


def far_from_the_end(game):
    """Tells whether two plies from here neither the limit nor the last piece of a side can be met.

    The known differences would show in the perft counts there.
    """
    living = "".join(game.board().values()) + "".join(game.bag)
    return game.quiet < 40 and min(sum(map(str.isupper, living)), sum(map(str.islower, living))) > 2


def compare_game(engine, number, seed, counts):
    """Plays one game through both."""
    source = seeded(seed * 1_000_000 + number)
    other = random.Random(number)
    style = STYLES[number % len(STYLES)]
    game = Outside()
    engine.ask("position start" if number % 2 else "reset_board")
    while True:
        same("position", engine.ask("get_position"), game.position(), game)
        ours = engine.ask("result").split(" ")
        ours = "draw" if ours[0] == "draw" else " ".join(ours[:2])
        legal = game.legal()
        loser = game.wiped_out()
        if loser and legal:
            same("result", ours, "black wins" if loser == "r" else "red wins", game)
            counts["wiped out while pieces are face down: OpenSpiel plays on"] += 1
            return
        same("result", ours, game.result(), game)
        if game.state.is_terminal():
            counts[game.result()] += 1
            return
        same("legal actions", engine.ask("legal_actions").split(), legal, game)
        if other.random() < 0.1:
            refuses_an_illegal_action(engine, game, legal, other)
        if len(legal) < 20 and far_from_the_end(game) and other.random() < 0.02:
            same("perft 2", int(engine.ask("perft 2")), perft(game.state, 2), game)
            counts["perft counts"] += 1
        if other.random() < 0.02:
            engine.ask(f"position {game.position()}")
        send(engine, game.play(choose(game, style, source), source))
        counts["plies"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("engine", help="the program anqi")
    options = parser.parse_args()

    engine = Engine(options.engine)
    engine.ask("set rules openspiel")
    counts = collections.Counter()
    differences = 0
    for number in range(options.games):
        try:
            compare_game(engine, number, options.seed, counts)
        except (Difference, Refused) as difference:
            differences += 1
            print(f"game {number}: {difference}")
    for what, count in sorted(counts.items()):
        print(f"{count:8} {what}")
    print(f"{options.games} games, {differences} with an unknown difference")
    if not engine.quit():
        print("the engine did not end with status 0")
        differences += 1
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
