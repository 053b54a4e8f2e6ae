"""Puzzles: those of the page, solved and failed."""

import json
import pickle

import pytest

import anqi

PUZZLES = anqi.puzzles()


def test_puzzles_are_positions_with_something_to_find():
    assert len(PUZZLES) >= 10
    assert [puzzle.difficulty for puzzle in PUZZLES] == sorted(puzzle.difficulty for puzzle in PUZZLES)
    for puzzle in PUZZLES:
        assert puzzle.solution and all(puzzle.position.is_legal(action) for action in puzzle.solution)
        assert puzzle.goal in ("win", "advantage", "draw", "defence")
        assert puzzle.to_move == puzzle.position.to_move and puzzle.rules == anqi.Rules("olympiad")
        assert puzzle.line[0]["action"] in [f"{action.source}-{action.target}" for action in puzzle.solution]
        assert puzzle.second is None or puzzle.second["expected"] < puzzle.value["expected"]
    assert len({puzzle.theme for puzzle in PUZZLES}) > 2
    assert pickle.loads(pickle.dumps(PUZZLES)) == PUZZLES and len(set(PUZZLES)) == len(PUZZLES)


def test_right_actions_solve_every_puzzle_step_by_step():
    for puzzle in PUZZLES:
        attempt = puzzle.attempt()
        for step in range(puzzle.steps):
            assert attempt.step == step and not attempt.is_solved
            before = attempt.game
            answer = attempt.play(attempt.solution[0])
            assert answer and answer.is_right and answer.value is None
            if answer.reply is not None:
                assert attempt.game.plies[-1] == (answer.reply, None) and len(attempt.game) == len(before) + 2
        assert attempt.is_solved and attempt.solution == [] and answer.reply is None
        with pytest.raises(anqi.IllegalActionError, match="the puzzle is solved"):
            attempt.play("a1")
    assert any(puzzle.steps > 1 for puzzle in PUZZLES)


def test_wrong_actions_are_refuted_and_change_nothing():
    steps = 0
    for puzzle in PUZZLES[::25]:
        attempt = puzzle.attempt()
        wrong = next(action for action in puzzle.position.legal_actions() if action not in puzzle.solution)
        answer = attempt.play(wrong)
        assert not answer and not answer.is_right and attempt.step == 0 and len(attempt.game) == 0
        assert -1 <= answer.value["expected"] < puzzle.value["expected"] + 0.02
        if answer.reply is not None:
            assert attempt.game.apply(wrong).is_legal(answer.reply)
            steps += 1
        silent = attempt.play(wrong, refute=False)
        assert silent.value is None and silent.reply is None and not silent.is_right
    assert steps > 0


def test_puzzles_of_a_file_are_read_and_damaged_ones_refused(tmp_path):
    file = tmp_path / "puzzles.json"
    file.write_text("[" + ",\n".join(puzzle.json() for puzzle in PUZZLES[:3]) + "]")
    assert anqi.puzzles(file) == PUZZLES[:3]
    fields = json.loads(PUZZLES[0].json())
    for wrong in ({"position": "4/4"}, {"rules": "chess"}, {"solution": ["a1-d8"]}, {"difficulty": "x"}):
        text = json.dumps({**fields, **wrong})
        with pytest.raises(anqi.NotationError):
            anqi.Puzzle.from_json(text)
        file.write_text(f"[{text}]")
        with pytest.raises(anqi.NotationError):
            anqi.puzzles(file)
    for text in ("", "{}", "[", '"x"', "[1]"):
        file.write_text(text)
        with pytest.raises(anqi.NotationError, match="puzzles.json"):
            anqi.puzzles(file)
    with pytest.raises(anqi.NotationError, match="none.json"):
        anqi.puzzles(tmp_path / "none.json")
