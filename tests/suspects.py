"""Runs tests while a fault is planted, until one of them fails; see mutants.py."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading

from planting import CHOICE

# A fault in a constant may keep the compiler busy for ever.
BUILD_SECONDS = 900
MEMORY_BYTES = 8 << 30
FILE_BYTES = 4 << 30

FAILED = re.compile(r"test (\S+).* \.\.\. FAILED")


def messages(command, folder, environment):
    """What cargo says in JSON, and whether it succeeded."""
    command = [*command, "--message-format=json"]
    try:
        ran = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, timeout=BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        return [], False, "the build takes too long"
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    return lines, ran.returncode == 0, ran.stderr


def places_of_errors(message):
    """Where the compiler finds an error: file, first and last byte, words."""
    if message.get("level") != "error":
        return
    for span in message["spans"]:
        if span["is_primary"]:
            # What is wrong in a macro is blamed on the place that calls it.
            while span["expansion"]:
                span = span["expansion"]["span"]
            yield span["file_name"], span["byte_start"], span["byte_end"], message["message"]


class Binaries:
    """The test programs of some suites, by package and target."""

    def __init__(self, folder, environment, suites, profile="mutants"):
        self.programs, self.errors = {}, []
        packages = sorted({package for package, _, _ in suites})
        targets = sorted({target for _, target, _ in suites})
        # One command: crates from elsewhere are built with the features that all of these packages ask for.
        chosen = [word for package in packages for word in ("--package", package)]
        # Tests call examples as programs; asked for with targets, `cargo test` would build them as tests.
        messages(["cargo", "build", "--profile", profile, "--examples", *chosen], folder, environment)
        command = ["cargo", "test", "--no-run", "--no-fail-fast", "--profile", profile, *chosen]
        libraries = [package.replace("-", "_") for package in packages]
        command += ["--lib"] if set(libraries) & set(targets) else []
        command += [word for target in targets if target not in libraries for word in ("--test", target)]
        lines, self.built, self.words = messages(command, folder, environment)
        for line in lines:
            is_test = line["reason"] == "compiler-artifact" and line["profile"]["test"]
            if is_test and line["executable"] and "example" not in line["target"]["kind"]:
                of = os.path.dirname(line["manifest_path"])
                package = re.search(r'^name = "([^"]+)"', open(line["manifest_path"]).read(), re.M).group(1)
                self.programs[package, line["target"]["name"]] = (line["executable"], of)
            self.errors += places_of_errors(line.get("message", {}))


def limits(seconds):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return set_limits


def run(program, tests, number, seconds):
    """Runs one test program; returns its outcome, the test that failed, and the seconds of processor time."""
    executable, folder = program
    variables = {**os.environ, "CARGO_MANIFEST_DIR": folder, "RUST_BACKTRACE": "0"}
    if number is not None:
        variables[CHOICE] = str(number)
    child = subprocess.Popen([executable, *tests, "--test-threads=2"], cwd=folder, env=variables, text=True, errors="replace",
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             start_new_session=True, preexec_fn=limits(seconds))
    late = threading.Event()

    def end():
        late.set()
        os.killpg(child.pid, signal.SIGKILL)

    # What waits for ever takes no processor time; on a busy machine what works takes long.
    alarm = threading.Timer(120 + 20 * seconds, end)
    alarm.start()
    failed, tail = None, []
    for line in child.stdout:
        tail = [*tail[-30:], line]
        match = FAILED.search(line)
        if match:
            failed = match.group(1)
            break
    if failed:
        os.killpg(child.pid, signal.SIGKILL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    alarm.cancel()
    spent = usage.ru_utime + usage.ru_stime
    if failed:
        return "caught", failed, spent
    if late.is_set() or child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout", "time", spent
    if child.returncode != 0:
        return "caught", f"ends with {child.returncode}", spent
    return "missed", "".join(tail), spent


def patience(binaries, area, suites, file):
    """After how much processor time a fault has hung each suite of an area; measured once and kept in a file."""
    known = json.loads(file.read_text()) if file.exists() else {}
    for package, target, tests in suites:
        name = " ".join([target, *tests])
        if name in known:
            continue
        outcome, words, seconds = run(binaries.programs[package, target], tests, None, 3_600)
        if outcome != "missed" or not re.search(r"test result: ok\. [1-9]", words):
            sys.exit(f"mutants: {name} of {package} fails without a fault\n{words}")
        print(f"{area}: {name} takes {seconds:.1f} s", flush=True)
        known[name] = seconds
        file.write_text(json.dumps(known, indent=1))
    return [5 + 3 * known[" ".join([target, *tests])] for _, target, tests in suites]


def look(binaries, suites, patience, number):
    """Runs an area's tests, suite by suite, until one notices the fault; returns outcome, by which test, seconds.

    `binaries` returns the test programs that hold a suite.
    """
    spent = 0.0
    for suite, seconds in zip(suites, patience):
        held = binaries(suite)
        if not held.built:
            return "unviable", "the compiler", 0.0
        package, target, tests = suite
        outcome, by, took = run(held.programs[package, target], tests, number, seconds)
        spent += took
        if outcome != "missed":
            return outcome, f"{target}: {by}", spent
    return "missed", "nothing", spent
