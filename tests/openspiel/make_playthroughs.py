"""Writes random games of OpenSpiel's banqi to a compressed file, so that `cargo test` needs no Python.

    python -m venv venv && venv/bin/pip install -r tests/openspiel/requirements.txt
    venv/bin/python tests/openspiel/make_playthroughs.py --games 1100 --seed 1 tests/rulebooks/data/openspiel-playthroughs.txt.gz

The format is described in `tests/rulebooks/data/README.md`. The same seed gives the same text.
"""

import argparse
import gzip
import io
from importlib.metadata import version

import pyspiel

from outside import FLIPS, STYLES, Outside, action_number, action_text, choose, perft, seeded

# A position is written out after every so many plies; in between, the lists of legal actions vouch for it.
POSITION_EVERY = 20

# OpenSpiel's own limit of plies without a capture or a flip.
LIMIT = 50


def check(actions):
    """Returns a 16-bit check of a list of actions: FNV-1a over its text, folded twice."""
    value = 0xCBF29CE484222325
    for byte in " ".join(actions).encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    value ^= value >> 32
    return (value ^ value >> 16) & 0xFFFF


def write_game(out, number, seed):
    """Plays one random game and writes it; returns how it ended."""
    source = seeded(seed * 1_000_000 + number)
    style = STYLES[number % len(STYLES)]
    game = Outside()
    out.write(f"game {number} {style}\n")
    while not game.state.is_terminal():
        legal = game.legal()
        loser = game.wiped_out()
        if loser:
            # OpenSpiel plays on here, by flips alone; the rules of the tournaments do not.
            assert game.plies and all(action[:2] == action[3:] for action in legal)
            out.write(f"wiped {loser} {game.position()}\n")
            return "wiped"
        if game.plies and game.plies % POSITION_EVERY == 0:
            out.write(f"at {game.position()}\n")
        ply = game.play(choose(game, style, source), source)
        out.write(f"{ply} {len(legal)} {check(legal):04x}\n")
    out.write(f"end {game.result()} {game.position()}\n")
    return game.result()


def write_tie(out, seed):
    """Writes a game whose last ply both reaches the limit of quiet plies and leaves the side to move without action.

    OpenSpiel calls that a draw. It is too rare to be met by chance, so it is searched for: in games with a far limit,
    wherever a quiet ply would take every action from the opponent, both sides walk about instead and come back.
    """
    for number in range(1_000_000):
        source = seeded(f"tie {seed} {number}")
        game = Outside(pyspiel.load_game("banqi(max_no_progress=1000)").new_initial_state())
        plies = []
        while not game.state.is_terminal() and game.quiet < LIMIT - 1:
            if ends_quietly(game.state) is not None:
                walk = walk_about(game, source)
                if walk:
                    write_given(out, "tie", plies + walk)
                    return
            plies.append(game.play(choose(game, "eager", source), source))
    raise SystemExit("no game found that reaches the limit with a side that cannot act")


def ends_quietly(state):
    """Returns a move without capture after which the opponent cannot act, or None."""
    squares = str(state).split()
    for action in state.legal_actions():
        quiet = action >= FLIPS and squares[(action - FLIPS) % 32] == "."
        if quiet and state.child(action).is_terminal():
            return action
    return None


def walk_about(game, source):
    """Looks for a walk of quiet moves that ends quietly on exactly the last ply of the limit."""
    for _ in range(2000):
        state = game.state.clone()
        walk = []
        for _ in range(LIMIT - 1 - game.quiet):
            squares = str(state).split()
            moves = [a for a in state.legal_actions() if a >= FLIPS and squares[(a - FLIPS) % 32] == "."]
            if not moves:
                break
            walk.append(source.choice(moves))
            state.apply_action(walk[-1])
            if state.is_terminal():
                break
        else:
            last = ends_quietly(state)
            if last is not None:
                return [action_text(action) for action in walk + [last]]
    return None


def write_given(out, name, plies):
    """Writes a game of given plies under OpenSpiel's own limit."""
    game = Outside()
    out.write(f"game {name} given\n")
    for ply in plies:
        legal = game.legal()
        flips = ply.endswith(")")
        played = game.play(action_number(f"{ply[:2]}-{ply[:2]}" if flips else ply), Given(ply[3]))
        assert played == ply
        out.write(f"{ply} {len(legal)} {check(legal):04x}\n")
    assert game.state.is_terminal()
    out.write(f"end {game.result()} {game.position()}\n")


class Given:
    """A source of chance that always reveals one given piece."""

    def __init__(self, letter):
        self.letter = letter

    def choice(self, bag):
        assert self.letter in bag
        return self.letter


def write_perft(out, seed):
    """Writes perft counts from the start and from positions of different ages."""
    game = Outside()
    for depth in (1, 2, 3):
        out.write(f"perft {depth} {perft(game.state, depth)} {game.position()}\n")
    for age, depth in ((12, 2), (30, 2), (45, 3), (60, 3), (90, 3)):
        source = seeded(f"perft {seed} {age}")
        while True:
            game = Outside()
            while game.plies < age and not game.state.is_terminal():
                game.play(choose(game, "eager", source), source)
            # OpenSpiel's perft ends at its limit of quiet plies, ours does not: stay away from it.
            if not game.state.is_terminal() and game.quiet < 40 and len(game.legal()) > 9:
                break
        for shallow in range(1, depth + 1):
            out.write(f"perft {shallow} {perft(game.state, shallow)} {game.position()}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=1100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("file")
    options = parser.parse_args()

    out = io.StringIO()
    out.write(f"openspiel-playthroughs 1 open_spiel {version('open_spiel')} games {options.games} seed {options.seed}\n")
    write_perft(out, options.seed)
    write_tie(out, options.seed)
    endings = {}
    for number in range(options.games):
        ending = write_game(out, number, options.seed)
        endings[ending] = endings.get(ending, 0) + 1
    with open(options.file, "wb") as raw:
        # No name and no time in the header, so that they do not change the file.
        with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=raw, mtime=0) as packed:
            packed.write(out.getvalue().encode())
    print(f"{options.games} games, {out.getvalue().count(chr(10))} lines:", endings)


if __name__ == "__main__":
    main()
