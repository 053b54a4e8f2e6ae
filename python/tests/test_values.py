"""Values: equal, hashable, ordered, printed so that they evaluate back, pickled."""

import copy
import pickle
from fractions import Fraction

import pytest

import anqi
from games import random_game

POSITION = "K3/1r2/4/4/4/4/4/?2g r p 3 40"
VALUES = [
    anqi.Piece("k"),
    anqi.Action("b3"),
    anqi.Action("b3-b4"),
    anqi.Rules("mistboard"),
    anqi.Rules("quiet=7,repetition=never,precedence=draws,convention=course"),
    anqi.Result("red", "annihilation"),
    anqi.Result(None, "quiet-limit"),
    anqi.Position(POSITION),
    anqi.Position(POSITION, rules="course"),
    anqi.Position.start(),
    anqi.Game("platform"),
    anqi.Game.from_position(POSITION, rules="course"),
    random_game(3),
    anqi.Player("champion:level=2"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:60])
def test_values_come_back_from_their_text_a_pickle_and_a_copy(value):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and hash(again) == hash(value)
    assert eval(repr(value), {"anqi": anqi}) == value
    assert eval(repr(value), dict(vars(anqi))) == value
    assert copy.copy(value) == value and copy.deepcopy(value) == value
    assert value != object() and value != "k" and len({value, copy.copy(value)}) == 1


def test_different_values_differ():
    for index, value in enumerate(VALUES):
        assert value not in VALUES[:index]


def test_pieces_know_what_they_are():
    king = anqi.Piece("k")
    assert (str(king), king.role, king.color, king.index, king.count) == ("k", "king", "black", 7, 1)
    assert king.recolored() == anqi.Piece("K") and king.character == "將"
    assert "".join(map(str, anqi.Piece.all())) == "KGMRNCPkgmrncp"
    assert sorted(reversed(anqi.Piece.all())) == anqi.Piece.all()


DIALECTS = ["anqi", "uci", "line", "tournament"]


def test_actions_are_their_texts_in_every_dialect():
    assert str(anqi.Action("b3-b3")) == "b3" == str(anqi.Action("b3"))
    step, flip = anqi.Action("b3-b4"), anqi.Action("c7")
    assert (step.source, step.target, step.is_flip) == ("b3", "b4", False)
    assert [step.text(dialect) for dialect in DIALECTS] == ["b3-b4", "c1d1", "MOVE C2 D2", "b3 b4"]
    assert [flip.text(dialect) for dialect in DIALECTS] == ["c7", "g2g2", "FLIP G3", "c7 c7"]
    for dialect in DIALECTS:
        for number in range(352):
            action = anqi.Action.from_number(number)
            assert anqi.Action.from_text(action.text(dialect), dialect) == action
        for bad in ("", "e3", "b3-", "FLIP A9", "MOVE A1", "a1 a2 a3", "c1d"):
            with pytest.raises(anqi.NotationError):
                anqi.Action.from_text(bad, dialect)
    with pytest.raises(anqi.NotationError, match="expected anqi, uci, line or tournament"):
        step.text("chess")


def test_positions_are_their_texts_in_every_dialect():
    start = anqi.Position.start()
    assert start.text("line") == "/".join(["????????"] * 4) + " r -9999 -9999"
    assert start.text("tournament") == " ".join(["X"] * 32) + " 1 2 2 2 2 2 5 1 2 2 2 2 2 5"
    position = anqi.Position(POSITION)
    assert position.text() == str(position) == POSITION and position.text("uci") == position.fen()
    assert position.text("line") == "?6k/6R1/8/A7 r -9999 -9999"
    board = "K - - - - r" + " -" * 22 + " X - - g 1 0 0 0 0 0 0 0 1 0 1 0 0 1"
    assert position.text("tournament") == board
    for seed in range(6):
        now = random_game(seed, plies=30 + 9 * seed).position
        assert anqi.Position.from_text(now.text()) == now
        assert anqi.Position.from_text(now.text("uci"), "uci") == now
        line = anqi.Position.from_text(now.text("line"), "line")
        assert (line.pieces, line.face_down, line.to_move) == (now.pieces, now.face_down, now.to_move)
        again = anqi.Position.from_text(now.text("tournament"), "tournament", to_move=now.to_move)
        assert (again.pieces, again.hidden, again.to_move) == (now.pieces, now.hidden, now.to_move)
    for dialect in DIALECTS:
        assert anqi.Position.from_text(start.text(dialect), dialect) == start
    # The times of a line may be anything.
    assert anqi.Position.from_text("7k/8/8/7K b 1000 2000.5", "line").to_move == "black"


@pytest.mark.parametrize(
    "text, dialect, arguments, said",
    [
        ("7k/8/8/7K b 1000", "line", {}, "expected two times"),
        ("7k/8/8/7K x 1 1", "line", {}, "is not a turn"),
        ("kk6/8/8/8 r 1 1", "line", {}, "impossible position"),
        ("K3", "line", {}, "not a board"),
        ("G7/8/8/8 w - 0 1", "uci", {}, "'w'"),
        ("X X", "tournament", {}, "expected 46 words"),
        (anqi.Position(POSITION).text("tournament"), "tournament", {}, "expected to_move"),
        (anqi.Position(POSITION).text("tournament"), "tournament", {"to_move": "green"}, "'green'"),
        (POSITION, "anqi", {"to_move": "red"}, "the text says who is to move"),
        (POSITION, "chess", {}, "'chess' is not a dialect"),
    ],
)
def test_texts_that_are_no_position_are_refused(text, dialect, arguments, said):
    with pytest.raises(anqi.NotationError, match=said):
        anqi.Position.from_text(text, dialect, **arguments)


def test_positions_tell_what_they_hold():
    position = anqi.Position(POSITION)
    assert position.pieces == {"a8": anqi.Piece("K"), "b7": anqi.Piece("r"), "d1": anqi.Piece("g")}
    assert position.face_down == ["a1"] and position.hidden == {anqi.Piece("p"): 1}
    assert (position.to_move, position.quiet, position.ply) == ("red", 3, 40)
    assert position.living("black") == 3 and position.piece_at("a8") == anqi.Piece("K")
    assert position.chance_outcomes("a1") == [(anqi.Piece("p"), Fraction(1))]
    assert position.chance_outcomes("a8-b8") == []
    after = position.apply("a1", "p")
    assert after.to_move == "black" and after.quiet == 0 and position.ply == 40
    assert str(position.mirrored("rows")) == "?2g/4/4/4/4/4/1r2/K3 r p 3 40"
    assert position.recolored().recolored() == position
    assert str(position.recolored()) == "k3/1R2/4/4/4/4/4/?2G b P 3 40"
    fen = "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1"
    assert anqi.Position.from_fen(fen) == anqi.Position.start() and anqi.Position.start().fen() == fen
    assert anqi.Position.from_fen(position.fen()) == position


def test_boards_end_games():
    lost = anqi.Position("4/4/4/4/4/4/4/K3 b - 0 9")
    assert lost.is_terminal and lost.legal_actions() == []
    assert lost.result() == anqi.Result("red", "annihilation")
    assert lost.result().points("red") == 1 == -lost.result().points("black")
    quiet = anqi.Position("K3/4/4/4/4/4/4/3g r - 50 90")
    assert not quiet.is_terminal and quiet.result() is None
    assert str(quiet.result("openspiel")) == "draw quiet-limit"


def test_pictures_show_every_piece():
    picture = anqi.Position(POSITION)._repr_svg_()
    assert picture.startswith("<svg") and picture.endswith("</svg>")
    assert all(character in picture for character in "帥車士")
    replay = random_game(5, plies=12)._repr_html_()
    assert 'max="12"' in replay and replay.count("<svg") == 14 and "</script>" in replay
