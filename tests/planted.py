#!/usr/bin/env python3
"""Plants the faults of tests/faults.py one by one and looks whether the test named beside each notices it.

    tests/planted.py FOLDER           in a copy of this checkout in FOLDER
    tests/planted.py --part FOLDER    an eighth of them, chosen by the commit: what each run of the gate does
    tests/planted.py --check          only whether every fault still has its place and its test

Needs nothing but cargo with rustfmt, and Python 3. All faults are woven into one build (tests/planting.py). The copy and what is built of it
stay in FOLDER, for the next time; with --target, builds go there, and what other builds have left there is not built again.
"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from faults import FAULTS
from planting import CHOICE, HEAD, either, environment, rewrite, weave

ROOT = Path(__file__).resolve().parent.parent
# A planted endless loop ends after so much processor time; what waits for ever takes none, and ends by the clock.
SECONDS = 120
SECONDS_BY_CLOCK = 300
MEMORY_BYTES = 8 << 30
FILE_BYTES = 4 << 30
# Each run of the gate plants one part in so many.
PARTS = 8


def misplaced(root, faults):
    """Says of which faults the place or the test is gone."""
    rooms = ["engine", "tablebase", "selfplay", "tests"]
    command = ["git", "grep", "--no-index", "-hoE", r"fn \w+", "--", *(f"{room}/*.rs" for room in rooms)]
    sources = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True)
    functions = set(sources.stdout.splitlines())
    for fault in faults:
        text = (root / fault.path).read_text()
        if text.count(fault.sound) != 1:
            yield f"{fault.name}: {fault.path} holds '{fault.sound}' {text.count(fault.sound)} times, not once"
        name = fault.test.split("::")[-1]
        crates = ["engine/*", "tablebase", "selfplay/*", "tests/*"]
        homes = [home for crate in crates for home in root.glob(f"{crate}/tests/{fault.target}.rs")]
        home = next(iter(homes), None)
        if f"fn {name}" not in (functions if home is None else home.read_text()):
            yield f"{fault.name}: there is no test {fault.test}" + (f" in {home.relative_to(root)}" if home else "")


def unreadable(faults):
    """Says which faults are no whole expressions: rustfmt does not read them."""
    def words(faults):
        lines = [f"fn f() {{ let _ = (if p {{ {fault.faulty} }} else {{ {fault.sound} }}); }}" for fault in faults]
        read = subprocess.run(["rustfmt", "--edition", "2024", "--emit", "stdout"], input="\n".join(lines),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return read.stderr

    if words(faults):
        yield from (f"{fault.name}: no whole expressions\n{text}" for fault in faults if (text := words([fault])))


def copy(folder, but):
    """Makes the folder a copy of all files that git knows or would take in, but for some; leaves alone what is the same."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    wanted = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    if ROOT in folder.resolve().parents:
        # Cargo reads the settings of folders above too, and flags given twice make every crate another one.
        wanted = {name for name in wanted if not name.startswith(".cargo/")}
        shutil.rmtree(folder / ".cargo", ignore_errors=True)
    for name in wanted:
        place, content = folder / name, (ROOT / name).read_bytes()
        if not place.exists() or name not in but and place.read_bytes() != content:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    for place in list(folder.rglob("*.rs")):
        name = place.relative_to(folder)
        if name.parts[0] != "target" and str(name) not in wanted:
            place.unlink()


def planted(faults):
    """Returns the sources with the faults woven in, by path, and the one that holds the question."""
    texts = {HEAD: ((ROOT / HEAD).read_text(), [])}
    for number, fault in faults.items():
        text = (ROOT / fault.path).read_text()
        start = text.index(fault.sound)
        site = either(fault.path, number, start, start + len(fault.sound), fault.faulty)
        texts.setdefault(fault.path, (text, []))[1].append(site)
    return {path: weave(text, sites) for path, (text, sites) in texts.items()}


def part_of(faults):
    """Returns the part of the faults that the commit chooses. A part has whole packages, so that few are built again."""
    parts = [{} for _ in range(PARTS)]
    count = Counter(fault.package for fault in faults.values())
    for package in sorted(count, key=lambda package: (-count[package], package)):
        smallest = min(parts, key=len)
        smallest.update({number: fault for number, fault in faults.items() if fault.package == package})
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return parts[int(commit.stdout[:8], 16) % PARTS]


def build(folder, variables, faults):
    """Builds the test programs of some faults; returns them by package and target, and what cargo said."""
    packages = sorted({fault.package for fault in faults})
    targets = sorted({fault.target for fault in faults})
    # One command: crates from elsewhere are built with the features that all of these packages ask for.
    chosen = [word for package in packages for word in ("--package", package)]
    libraries = {package.replace("-", "_") for package in packages}
    chosen_targets = ["--lib"] if libraries & set(targets) else []
    chosen_targets += [word for target in targets if target not in libraries for word in ("--test", target)]
    # Tests call examples as programs; asked for with targets, `cargo test` would build them as tests.
    subprocess.run(["cargo", "build", "--examples", *chosen], cwd=folder, env=variables, stderr=subprocess.DEVNULL)
    command = ["cargo", "test", "--no-run", "--no-fail-fast", *chosen, *chosen_targets, "--message-format=json"]
    ran = subprocess.run(command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    programs, errors = {}, []
    for line in map(json.loads, filter(lambda line: line.startswith("{"), ran.stdout.splitlines())):
        if line["reason"] == "compiler-message" and line["message"]["level"] == "error":
            errors.append(line["message"]["rendered"])
        is_test = line["reason"] == "compiler-artifact" and line["profile"]["test"]
        if is_test and line["executable"] and "example" not in line["target"]["kind"]:
            home = os.path.dirname(line["manifest_path"])
            package = re.search(r'^name = "([^"]+)"', Path(line["manifest_path"]).read_text(), re.M).group(1)
            programs[package, line["target"]["name"]] = (line["executable"], home)
    return programs, "".join([*errors, ran.stderr])


def set_limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 2))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, tests, number):
    """Runs one test program with a fault; returns its outcome, its last words, and the seconds of processor time."""
    executable, home = program
    variables = {**os.environ, "CARGO_MANIFEST_DIR": home, "RUST_BACKTRACE": "0", CHOICE: str(number)}
    child = subprocess.Popen([executable, *tests], cwd=home, env=variables, text=True, errors="replace",
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             start_new_session=True, preexec_fn=set_limits)
    late = threading.Event()

    def end():
        late.set()
        os.killpg(child.pid, signal.SIGKILL)

    alarm = threading.Timer(SECONDS_BY_CLOCK, end)
    alarm.start()
    words = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    alarm.cancel()
    spent = usage.ru_utime + usage.ru_stime
    if late.is_set() or child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout", words, spent
    return "missed" if child.returncode == 0 else "caught", words, spent


def look(programs, fault, number):
    """Runs a fault's test; returns its outcome and the seconds of processor time. Number 0 is no fault."""
    program = programs[fault.package, fault.target]
    outcome, words, seconds = run(program, ["--exact", fault.test], number)
    if outcome == "missed" and not re.search(r"test result: ok\. 1 passed", words):
        sys.exit(f"planted: {fault.target} does not run {fault.test}\n{words}")
    return outcome, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="a folder for the copy")
    parser.add_argument("--target", type=Path, help="a folder for the builds (default: target in FOLDER)")
    parser.add_argument("--check", action="store_true", help="build nothing, look whether faults and tests are in place")
    parser.add_argument("--only", default="", metavar="WORDS", help="plant only the faults with these words in their names")
    parser.add_argument("--part", action="store_true", help=f"plant one in {PARTS} of the faults, chosen by the commit")
    options = parser.parse_args()
    if not options.check and options.folder is None:
        parser.error("a folder for the copy is missing")
    wrong = [*misplaced(ROOT, FAULTS), *unreadable(FAULTS)]
    if wrong:
        sys.exit("\n".join(["planted: tests/faults.py is out of date:", *wrong]))
    if options.check:
        return 0

    folder = options.folder.resolve()
    faults = {number: fault for number, fault in enumerate(FAULTS, 1) if options.only in fault.name}
    faults = part_of(faults) if options.part else faults
    sources = planted(faults)
    copy(folder, sources)
    rewrite(folder, sources)
    variables = {**environment(folder), "CARGO_TARGET_DIR": str((options.target or folder / "target").resolve())}
    started = time.monotonic()
    programs, words = build(folder, variables, faults.values())
    if any((fault.package, fault.target) not in programs for fault in faults.values()):
        sys.exit(f"planted: with the faults planted the tests do not build\n{words}")
    print(f"{len(faults)} faults planted in one build of {time.monotonic() - started:.0f} s", flush=True)

    missed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        sound = list({fault.test: fault for fault in faults.values()}.values())
        for fault, (outcome, _) in zip(sound, pool.map(lambda fault: look(programs, fault, 0), sound)):
            if outcome != "missed":
                sys.exit(f"planted: {fault.test} fails without a fault")
        outcomes = pool.map(lambda number: look(programs, faults[number], number), faults)
        for fault, (outcome, seconds) in zip(faults.values(), outcomes):
            missed += outcome == "missed"
            verdict = {"missed": "NOT NOTICED", "caught": "noticed"}.get(outcome, "noticed by time")
            print(f"{verdict:15} {seconds:5.1f} s  {fault.name}  [{fault.test.split('::')[-1]}]", flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults noticed, in {time.monotonic() - started:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
