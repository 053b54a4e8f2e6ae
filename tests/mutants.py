#!/usr/bin/env python3
"""Plant faults by chance and count which of them the tests notice.

    tests/mutants.py CLONE [--areas rules,statistics] [--sample 40] [--seed 1] [--out DIR]
    tests/mutants.py --list

Needs cargo-mutants (`cargo install cargo-mutants --locked`). CLONE is a folder outside this checkout; it is made a clone of
the last commit, faults are planted there, and its build is kept warm for the next run. A sample is drawn by seed from all
faults of the chosen areas; faults that do not compile are replaced by the next ones drawn. Each area has the tests that
are meant to notice its faults. Ends with status 0 if at least 95 % of the sample were noticed, 1 if not. A planted endless
loop that the time limit ended counts as noticed.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ENOUGH = 0.95

# A fault in a constant may keep the compiler busy for ever.
BUILD_SECONDS = 300

# For each area: its files, the packages whose tests look for its faults, which of their targets, and which tests of these.
AREAS = {
    "rules": (["engine/rules/src/**"], ["anqi-rules", "anqi-rulebooks"], ["--tests"], []),
    "tree": (["engine/search/src/tree/**"], ["anqi-search"], ["--tests"], []),
    "tables": (["tablebase/src/solve/**"], ["anqi-tablebase"], ["--lib", "--test=files"], []),
    "statistics": (["selfplay/src/statistics/**"], ["anqi-selfplay"], ["--lib"], ["statistics"]),
    "referee": (["selfplay/src/referee.rs", "selfplay/src/clock.rs"], ["anqi-selfplay"],
                ["--lib", "--test=referee", "--test=fairness", "--test=secrecy", "--test=adjudication"], []),
    "store": (["selfplay/src/store/**"], ["anqi-selfplay"], ["--lib", "--test=same_bytes", "--test=records_are_checked"], []),
}

OUTCOMES = ["caught", "missed", "timeout", "unviable"]


def cargo_mutants(folder, *arguments):
    command = ["cargo", "mutants", *arguments]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)


def faults_of(folder, area):
    """All faults of an area, as cargo-mutants names them, with line and column."""
    globs = [word for glob in AREAS[area][0] for word in ("--file", glob)]
    listed = cargo_mutants(folder, "--list", "--json", *globs)
    if listed.returncode != 0:
        sys.exit(f"mutants: the faults of {area} cannot be listed")
    return sorted(fault["name"] for fault in json.loads(listed.stdout))


def clone(source, folder):
    """Makes the folder a clone of the last commit, and keeps what it has built."""
    if (folder / ".git").exists():
        subprocess.run(["git", "fetch", "--quiet", "origin", "HEAD"], cwd=folder, check=True)
        subprocess.run(["git", "checkout", "--quiet", "--force", "FETCH_HEAD"], cwd=folder, check=True)
    else:
        subprocess.run(["git", "clone", "--quiet", source, folder], check=True)


def patience(folder, area):
    """Builds and runs the tests of an area without a fault; returns the seconds after which a fault has hung them."""
    _, packages, targets, tests = AREAS[area]
    command = ["cargo", "test", "--profile", "mutants", *targets]
    command += [word for package in packages for word in ("--package", package)]
    built = subprocess.run([*command, "--no-run", "--quiet"], cwd=folder)
    started = time.monotonic()
    ran = subprocess.run([*command, "--quiet", "--", *tests], cwd=folder, stdout=subprocess.PIPE, text=True)
    if built.returncode != 0 or ran.returncode != 0:
        sys.exit(f"mutants: the tests of {area} fail without a fault\n{ran.stdout}")
    return 60 + 5 * int(time.monotonic() - started)


def plant(folder, out, area, names):
    """Plants the faults one after the other; returns what came of them, by outcome, and the seconds."""
    _, packages, targets, tests = AREAS[area]
    exactly = "^(" + "|".join(re.escape(name).replace("\\ ", " ") for name in names) + ")$"
    arguments = ["--in-place", "--no-shuffle", "--output", str(out), "--re", exactly]
    arguments += ["--baseline", "skip", "--timeout", str(patience(folder, area)), "--build-timeout", str(BUILD_SECONDS)]
    arguments += [word for package in packages for word in ("--test-package", package)]
    arguments += [f"--cargo-arg={target}" for target in targets]
    arguments += [word for glob in AREAS[area][0] for word in ("--file", glob)]
    started = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(out / "mutants.out", ignore_errors=True)
    ran = cargo_mutants(folder, *arguments, "--", "--", *tests)
    seconds = time.monotonic() - started
    if ran.returncode not in (0, 2, 3):
        print(ran.stdout, file=sys.stderr)
        sys.exit(f"mutants: cargo-mutants fails in {area}")
    found = {}
    for outcome in OUTCOMES:
        lines = (out / "mutants.out" / f"{outcome}.txt").read_text().splitlines()
        found[outcome] = [line for line in lines if line]
    return found, seconds


def draw(options, folder):
    """Draws and plants until the sample is full; returns per area the faults by outcome, and the seconds."""
    deck = [(area, name) for area in options.areas for name in faults_of(folder, area)]
    print(f"{len(deck)} faults in {', '.join(options.areas)}; seed {options.seed}", flush=True)
    random.Random(options.seed).shuffle(deck)
    results = {area: ({outcome: [] for outcome in OUTCOMES}, 0.0) for area in options.areas}
    wanted = options.sample
    while wanted > 0 and deck:
        drawn, deck = deck[:wanted], deck[wanted:]
        for area in options.areas:
            names = [name for of, name in drawn if of == area]
            if not names:
                continue
            found, seconds = plant(folder, options.out / area, area, names)
            before, so_far = results[area]
            for outcome in OUTCOMES:
                before[outcome] += found[outcome]
            results[area] = (before, so_far + seconds)
            wanted -= len(names) - len(found["unviable"])
            tell(area, results[area])
    return results


def tell(area, result):
    found, seconds = result
    counts = {outcome: len(found[outcome]) for outcome in OUTCOMES}
    noticed = counts["caught"] + counts["timeout"]
    viable = noticed + counts["missed"]
    share = 100 * noticed / max(viable, 1)
    print(f"{area:12} {noticed:4} of {viable:4} noticed ({share:5.1f} %), {counts['timeout']} by time, "
          f"{counts['unviable']} did not compile, {seconds / max(sum(counts.values()), 1):.0f} s each", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("clone", nargs="?", type=Path)
    parser.add_argument("--areas", default=",".join(AREAS), type=lambda text: text.split(","))
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("target/mutants"))
    parser.add_argument("--list", action="store_true", help="count the faults of each area")
    options = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    unknown = [area for area in options.areas if area not in AREAS]
    if unknown:
        parser.error(f"no area is called {unknown[0]}; there are {', '.join(AREAS)}")
    if options.list:
        for area in options.areas:
            print(f"{area:12} {len(faults_of(root, area)):5} faults")
        return 0
    if options.clone is None:
        parser.error("a folder for the clone is missing")
    options.out = options.out.resolve()
    clone(root, options.clone)
    results = draw(options, options.clone)
    print()
    for area, result in results.items():
        tell(area, result)
    noticed = sum(len(found["caught"]) + len(found["timeout"]) for found, _ in results.values())
    missed = [name for found, _ in results.values() for name in found["missed"]]
    print(f"\n{noticed} of {noticed + len(missed)} noticed; these were not:", *missed, sep="\n  ")
    return 0 if noticed >= ENOUGH * (noticed + len(missed)) else 1


if __name__ == "__main__":
    sys.exit(main())
