"""OpenSpiel's banqi in the words of this project.

OpenSpiel is a rule book that nobody here has written. This module plays its game `banqi` and says everything
about it in our notation, so that the two scripts beside it can compare texts:

* OpenSpiel's row 0..3 is our column a..d, its column 0..7 our row 1..8;
* its pieces G A E R H C S are our K G M R N C P, upper case red in both;
* a flip is two steps there (the player's action, then chance) and one ply `b2(G)` here.

OpenSpiel shows neither the bag nor the plies since the last capture or flip, so `Outside` counts both itself from
what OpenSpiel says it has done, and checks the bag against the chances that OpenSpiel gives to each piece.
"""

import random

import pyspiel

LETTERS = "KGMRNCPkgmrncp"
FULL_BAG = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"
THEIRS = "GAERHCSgaerhcs"
FLIPS = 32


def square_name(square):
    """Names OpenSpiel's square number (row * 8 + column) as we do."""
    return "abcd"[square // 8] + str(square % 8 + 1)


def square_number(name):
    """The inverse of `square_name`."""
    return "abcd".index(name[0]) * 8 + int(name[1]) - 1


def action_text(action):
    """Writes a player's action as `b4-b2`, a flip as `b2-b2`."""
    if action < FLIPS:
        return f"{square_name(action)}-{square_name(action)}"
    source, target = divmod(action - FLIPS, 32)
    return f"{square_name(source)}-{square_name(target)}"


def action_number(text):
    """The inverse of `action_text`."""
    source, target = (square_number(name) for name in text.split("-"))
    return source if source == target else FLIPS + source * 32 + target


class Outside:
    """One game of OpenSpiel's banqi, described in our notation."""

    def __init__(self, state=None):
        self.state = state or pyspiel.load_game("banqi").new_initial_state()
        self.bag = list(FULL_BAG)
        self.quiet = 0
        self.plies = 0

    def board(self):
        """Returns the 32 squares as a dictionary from our square names to letters, `?` and `.`."""
        rows = str(self.state).split("\n")[:4]
        squares = {}
        for row, line in enumerate(rows):
            for column, theirs in enumerate(line.split(" ")):
                ours = theirs if theirs in "?." else LETTERS[THEIRS.index(theirs)]
                squares["abcd"[row] + str(column + 1)] = ours
        assert len(squares) == 32
        return squares

    def colors(self):
        """Returns the colours of player 0 and player 1, or None before the first flip."""
        text = str(self.state)
        if "(P0=" not in text:
            return None
        return ("r", "b") if "(P0=Red)" in text else ("b", "r")

    def turn(self):
        """Returns the colour to move, `-` before the first flip, also when the game is over."""
        colors = self.colors()
        player = int(str(self.state).split("Player: ")[1][0])
        return colors[player] if colors else "-"

    def legal(self):
        """Returns the legal actions as a sorted list of texts, empty when OpenSpiel's game is over."""
        if self.state.is_terminal():
            return []
        return sorted(action_text(action) for action in self.state.legal_actions())

    def position(self):
        """Returns the position string."""
        squares = self.board()
        rows = []
        for number in range(8, 0, -1):
            row = "".join(squares[letter + str(number)] for letter in "abcd")
            for run in (4, 3, 2, 1):
                row = row.replace("." * run, str(run))
            rows.append(row)
        hidden = "".join(letter * self.bag.count(letter) for letter in LETTERS) or "-"
        return f"{'/'.join(rows)} {self.turn()} {hidden} {self.quiet} {self.plies}"

    def result(self):
        """Returns `playing`, `red wins`, `black wins` or `draw`."""
        if not self.state.is_terminal():
            return "playing"
        first, second = self.state.returns()
        if first == second:
            return "draw"
        winner = self.colors()[0 if first > second else 1]
        return "red wins" if winner == "r" else "black wins"

    def wiped_out(self):
        """Returns the colour that has neither a face-up nor a face-down piece, or None."""
        living = "".join(self.board().values()) + "".join(self.bag)
        if not any(piece.isupper() for piece in living):
            return "r"
        if not any(piece.islower() for piece in living):
            return "b"
        return None

    def reveals(self):
        """Returns the letters that a flip begun just now may reveal, after checking their chances against the bag."""
        letters = []
        for piece, chance in self.state.chance_outcomes():
            letters.append(LETTERS[piece])
            expected = self.bag.count(letters[-1]) / len(self.bag)
            assert abs(chance - expected) < 1e-12, (letters[-1], chance, expected)
        assert set(letters) == set(self.bag)
        return letters

    def is_capture(self, action):
        """Tells whether a legal action captures, by OpenSpiel's own description of it."""
        return "x" in self.state.action_to_string(self.state.current_player(), action)

    def play(self, action, source):
        """Plays one of OpenSpiel's actions, lets `source` choose what a flip reveals, and returns the ply as text."""
        text = action_text(action)
        self.plies += 1
        if action >= FLIPS:
            self.quiet = 0 if self.is_capture(action) else self.quiet + 1
            self.state.apply_action(action)
            return text
        self.state.apply_action(action)
        self.reveals()
        letter = source.choice(self.bag)
        self.state.apply_action(LETTERS.index(letter))
        self.bag.remove(letter)
        self.quiet = 0
        return f"{text[:2]}({letter})"


STYLES = ("even", "eager", "shy")


def choose(game, style, source):
    """Chooses the next action.

    Games by even chances flip everything early and then walk about until the limit, so two more styles reach the
    rest of the game: `eager` captures when it can, and `shy` moreover leaves pieces face down for long.
    """
    actions = game.state.legal_actions()
    if style != "even" and source.random() < 0.9:
        captures = [action for action in actions if action >= FLIPS and game.is_capture(action)]
        if captures:
            return source.choice(captures)
    if style == "shy" and source.random() < 0.97:
        moves = [action for action in actions if action >= FLIPS]
        if moves:
            return source.choice(moves)
    return source.choice(actions)


def perft(state, depth):
    """Counts the leaves at a depth of plies, each possible reveal once."""
    if depth == 0:
        return 1
    leaves = 0
    for action in state.legal_actions() if not state.is_terminal() else []:
        child = state.clone()
        child.apply_action(action)
        if action >= FLIPS:
            leaves += perft(child, depth - 1)
            continue
        reveals = child.chance_outcomes()
        if depth == 1:
            leaves += len(reveals)
            continue
        for piece, _ in reveals:
            grandchild = child.clone()
            grandchild.apply_action(piece)
            leaves += perft(grandchild, depth - 1)
    return leaves


def seeded(seed):
    """Returns a source of chance that gives the same games for the same seed."""
    return random.Random(seed)
