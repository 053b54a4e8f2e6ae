"""`python -m anqi`: the whole program."""

import subprocess
import sys


def program(*words, given=""):
    command = [sys.executable, "-m", "anqi", *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=120)


def test_the_program_speaks_the_protocol_when_its_input_is_a_pipe():
    done = program(given="1 name\n7 reset_board\n12 genmove unknown\n5 quit\n")
    assert done.returncode == 0 and done.stdout.startswith("=1 anqi") and "\n=12 " in done.stdout


def test_commands_and_exit_codes_are_those_of_the_program():
    assert "78989568" in program("perft", "3").stdout
    assert program("--version").stdout.startswith("anqi ")
    wrong = program("dance")
    assert wrong.returncode == 2 and "dance" in wrong.stderr
    fault = program("analyse", "4/4")
    assert fault.returncode in (1, 2) and fault.stderr.startswith("anqi: ")
