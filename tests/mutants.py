#!/usr/bin/env python3
"""Plant faults by chance and count which of them the tests notice.

    tests/mutants.py CLONE [--areas rules,statistics] [--sample 40] [--seed 1] [--jobs 2] [--resume] [--out DIR]
    tests/mutants.py --list

Needs cargo-mutants (`cargo install cargo-mutants --locked`), which names the faults, and Python with
tests/mutants.requirements.txt. CLONE is a folder outside this checkout; it is made a clone of the last commit, and keeps what it has built for the next run.

A sample is drawn by seed from all faults of the chosen areas. All of it is woven into one build (tests/planting.py), and the
tests of a fault's area run with this fault chosen, the quickest first, until one fails. What cannot be woven in is planted alone,
by a build of its own; faults that do not compile are replaced by the next ones drawn. A planted endless loop that
the limit on processor time ended counts as noticed.

Each result is kept as it comes in OUT/results.jsonl; --resume continues a run that was cut off. Ends with status 0 if at least
95 % of the sample were noticed, 1 if not.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from planting import HEAD, Site, either, environment, question, rewrite, weave
from suspects import Binaries, look, patience

ENOUGH = 0.95

# For each area: its files, and which tests look for its faults, the quickest first: package, target, and words in tests' names.
AREAS = {
    "rules": (["engine/rules/src/**"],
              [("anqi-rules", "anqi_rules", []), ("anqi-rulebooks", "all", [])]),
    "tree": (["engine/search/src/tree/**"],
             [("anqi-search", "anqi_search", ["tree::"])]
             + [("anqi-search", target, []) for target in ["root", "reference", "yardstick", "playing", "exactness"]]),
    "tables": (["tablebase/src/solve/**"],
               [("anqi-tablebase", "anqi_tablebase", ["solve::disk", "solve::store", "solve::cache", "distances"]),
                ("anqi-tablebase", "anqi_tablebase", ["both_oracles"]), ("anqi-tablebase", "files", []),
                ("anqi-tablebase", "anqi_tablebase", [])]),
    "statistics": (["selfplay/src/statistics/**"],
                   [("anqi-selfplay", "anqi_selfplay", ["statistics"])]),
    "referee": (["selfplay/src/referee.rs", "selfplay/src/clock.rs"],
                [("anqi-selfplay", "anqi_selfplay", ["clock"])]
                + [("anqi-selfplay", target, []) for target in ["referee", "secrecy", "outside_programs", "adjudication", "fairness"]]),
    "store": (["selfplay/src/store/**"],
              [("anqi-selfplay", target, []) for target in ["records_are_checked", "export", "same_bytes", "reports"]]),
}

NOTICED = ["caught", "timeout"]


def listed(folder, areas):
    """All faults of the areas in the last commit, by name, as cargo-mutants describes them."""
    # The sources of the folder itself may hold faults.
    with tempfile.TemporaryDirectory() as clean:
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=folder, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", clean], input=archive.stdout, check=True)
        return listed_in(clean, areas)


def listed_in(folder, areas):
    """All faults of the areas in these sources."""
    faults = {}
    for area in areas:
        globs = [word for glob in AREAS[area][0] for word in ("--file", glob)]
        command = ["cargo", "mutants", "--list", "--json", "--diff", *globs]
        out = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        if out.returncode != 0:
            sys.exit(f"mutants: the faults of {area} cannot be listed")
        faults |= {fault["name"]: {**fault, "area": area} for fault in json.loads(out.stdout)}
    return faults


def clone(source, folder):
    """Makes the folder a clone of the last commit, and keeps what it has built."""
    if (folder / ".git").exists():
        subprocess.run(["git", "fetch", "--quiet", "origin", "HEAD"], cwd=folder, check=True)
        if shown(folder, "FETCH_HEAD^{tree}") != shown(folder, "HEAD^{tree}"):
            subprocess.run(["git", "checkout", "--quiet", "--force", "FETCH_HEAD"], cwd=folder, check=True)
    else:
        subprocess.run(["git", "clone", "--quiet", source, folder], check=True)


def shown(folder, name):
    """What git has under this name."""
    return subprocess.run(["git", "show", name], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout


class Source:
    """A source file and its syntax, in which faults are found by line and column."""

    def __init__(self, folder, path):
        import tree_sitter
        import tree_sitter_rust
        self.path = path
        self.text = shown(folder, f"HEAD:{path}")
        self.lines = [0]
        for line in self.text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
        self.bytes = self.text.encode()
        self.root = parser.parse(self.bytes).root_node

    def place(self, point):
        return self.lines[point["line"] - 1] + point["column"] - 1

    def byte(self, place):
        return len(self.text[:place].encode())

    def at(self, byte):
        return len(self.bytes[:byte].decode())

    def node(self, start, end, kinds):
        """The smallest piece of syntax of these kinds that holds everything from start to end, or None."""
        found = self.root.descendant_for_byte_range(self.byte(start), self.byte(end))
        while found is not None and found.type not in kinds:
            found = found.parent
        return found

    def span(self, node):
        return self.at(node.start_byte), self.at(node.end_byte)

    def is_computed(self, fault):
        """Whether the compiler may run what is faulty."""
        node = self.node(self.place(fault["span"]["start"]), self.place(fault["span"]["start"]),
                         ["function_item", "const_item", "static_item"])
        return node is not None and re.match(r"(pub(\([^)]*\))? )?(const|static) ", node.text.decode()) is not None

    def faulty(self, fault):
        """The whole text with the fault in it."""
        start, end = (self.place(fault["span"][side]) for side in ("start", "end"))
        return self.text[:start] + fault["replacement"] + self.text[end:]

    def site(self, number, fault):
        """How the fault is woven in, or None if it cannot be."""
        start, end = (self.place(fault["span"][side]) for side in ("start", "end"))
        asked, text, new = question(self.path, number), self.text, fault["replacement"]
        if fault["genre"] == "FnValue":
            # Both ways out of a function must have the one type that it hides.
            if "impl " in (fault["function"]["return_type"] or ""):
                return None
            return Site(number, start, end, f"if {asked} {{ return {new}; }} ", "")
        if fault["genre"] == "MatchArmGuard":
            return either(self.path, number, start, end, new)
        if fault["genre"] in ("BinaryOperator", "UnaryOperator"):
            node = self.node(start, end, ["binary_expression", "unary_expression", "compound_assignment_expr"])
            operators = [self.span(child) for child in node.children] if node else []
            if (start, end) not in operators:
                return None
            first, last = self.span(node)
            return either(self.path, number, first, last, text[first:start] + new + text[end:last])
        if fault["genre"] == "MatchArm":
            pattern = self.node(start, end, ["match_arm"]).child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition")
            if guard:
                return Site(number, *self.span(guard), f"!{asked} && (", ")")
            last = self.span(pattern)[1]
            return Site(number, last, last, f" if !{asked}", "")
        if fault["genre"] == "StructField":
            field = self.node(start, start, ["field_initializer"])
            rest = [child for child in self.node(start, end, ["field_initializer_list"]).children
                    if child.type == "base_field_initializer"]
            if field and rest:
                name = text[slice(*self.span(field.child_by_field_name("field")))]
                base = text[slice(*self.span(rest[0].children[-1]))]
                return either(self.path, number, *self.span(field.child_by_field_name("value")), f"({base}).{name}")
        return None


class Woven:
    """A checkout with faults woven in, as many as compile."""

    def __init__(self, folder, faults, alone, suites):
        """`alone` is a file that keeps the names of those that cannot be woven in."""
        self.folder, self.faults, self.environment = folder, faults, environment(folder)
        self.sources, self.sites = {}, {}
        # What the compiler computes does not ask which fault is planted.
        self.computed = set()
        kept = set(alone.read_text().splitlines()) if alone.exists() else set()
        for number, fault in faults.items():
            path = fault["file"]
            if path not in self.sources:
                self.sources[path] = Source(folder, path)
            site = self.sources[path].site(number, fault)
            if site and fault["name"] not in kept:
                self.sites[number] = (path, site)
            if self.sources[path].is_computed(fault):
                self.computed.add(number)
        changed = subprocess.run(["git", "diff", "--name-only"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
        for path in changed.stdout.split():
            if path not in self.sources and path != HEAD:
                (folder / path).write_text(shown(folder, f"HEAD:{path}"))
        while blamed := self.blamed(suites):
            for number in blamed:
                del self.sites[number]
            kept |= {faults[number]["name"] for number in blamed}
            alone.write_text("\n".join(sorted(kept)))
            print(f"{len(blamed)} faults cannot be woven in", flush=True)

    def write(self):
        """Writes what differs; returns for each source where its faults are."""
        woven = {path: weave(source.text, [site for of, site in self.sites.values() if of == path])
                 for path, source in self.sources.items()}
        rewrite(self.folder, {path: text for path, (text, _) in woven.items()})
        return {path: places for path, (_, places) in woven.items()}

    def blamed(self, suites):
        """Builds; returns the faults that errors come from: for each error the innermost around it, else the nearest."""
        ranges, blamed = self.write(), set()
        self.binaries = Binaries(self.folder, self.environment, suites)
        for path, start, end, words in self.binaries.errors:
            places = [(max(first - end, start - last, 0), last - first, number)
                      for number, (first, last) in ranges.get(path, {}).items() if number in self.sites]
            if not places:
                sys.exit(f"mutants: an error where no fault is woven in, {path}: {words}")
            blamed.add(min(places)[2])
        if not blamed and not self.binaries.built:  # the linker, say
            sys.exit(f"mutants: the tests do not build\n{self.binaries.words}")
        return blamed

    def plant_alone(self, number):
        """Plants one fault as it is; the caller takes it out again by write()."""
        fault = self.faults[number]
        rewrite(self.folder, {fault["file"]: self.sources[fault["file"]].faulty(fault)})


class Run:
    """A sample, and what came of each of its faults."""

    def __init__(self, options):
        self.options, self.folder = options, options.clone
        self.file = options.out / "results.jsonl"
        options.out.mkdir(parents=True, exist_ok=True)
        if not options.resume:
            self.file.unlink(missing_ok=True)
        self.results, self.lock = {}, threading.Lock()
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                result = json.loads(line)
                self.results[result["fault"]] = result

    def keep(self, fault, outcome, by, seconds):
        result = {"fault": fault["name"], "area": fault["area"], "outcome": outcome, "by": by, "seconds": round(seconds, 2)}
        with self.lock, self.file.open("a") as out:
            self.results[fault["name"]] = result
            out.write(json.dumps(result) + "\n")
            print(f"{outcome:8} {seconds:6.1f} s  {fault['name']}  [{by}]", flush=True)

    def open_faults(self, deck):
        """The first faults of the deck that do compile, as far as is known, and those of them that are to be planted."""
        chosen, wanted = [], []
        for name in deck:
            known = self.results.get(name, {}).get("outcome")
            if known == "unviable":
                continue
            if len(chosen) == self.options.sample:
                break
            chosen.append(name)
            if known is None or self.options.again and known == "missed":
                wanted.append(name)
        self.options.again = False
        return chosen, wanted

    def plant(self, faults, wanted):
        """Weaves in as many of the faults as can be, and plants those that are wanted, the others alone."""
        areas = [area for area in AREAS if any(faults[number]["area"] == area for number in wanted)]
        suites = [suite for area in areas for suite in AREAS[area][1]]
        woven = Woven(self.folder, faults, self.options.out / "alone.txt", suites)
        together = woven.binaries
        limits = {area: patience(together, area, AREAS[area][1], self.options.out / "patience.json") for area in areas}

        def one(number):
            area = faults[number]["area"]
            found = look(lambda _: together, AREAS[area][1], limits[area], number)
            if found[0] == "missed" and number in woven.computed:
                return number
            self.keep(faults[number], *found)
            return None

        # Areas of quick tests first: what a run that is cut off has done is then most.
        price = {area: sum(limits[area]) for area in areas}
        wanted = sorted(wanted, key=lambda number: price[faults[number]["area"]])
        with ThreadPoolExecutor(self.options.jobs) as pool:
            unseen = set(pool.map(one, [number for number in wanted if number in woven.sites]))
        for number in wanted:
            if number in woven.sites and number not in unseen:
                continue
            area = faults[number]["area"]
            woven.plant_alone(number)
            found = look(lambda suite: Binaries(self.folder, woven.environment, [suite]), AREAS[area][1], limits[area], None)
            self.keep(faults[number], *found)
            woven.write()

    def draw(self):
        """Draws and plants until the sample is full; returns the sample's results."""
        faults = listed(self.folder, self.options.areas)
        deck = sorted(faults)
        print(f"{len(deck)} faults in {', '.join(self.options.areas)}; seed {self.options.seed}", flush=True)
        random.Random(self.options.seed).shuffle(deck)
        numbers = {name: number for number, name in enumerate(deck, 1)}
        while True:
            chosen, wanted = self.open_faults(deck)
            if not wanted:
                return [self.results[name] for name in chosen]
            self.plant({numbers[name]: faults[name] for name in chosen}, [numbers[name] for name in wanted])


def tell(results, areas):
    for area in areas:
        of = [result for result in results if result["area"] == area]
        noticed = [result for result in of if result["outcome"] in NOTICED]
        by_time = sum(result["outcome"] == "timeout" for result in of)
        seconds = sum(result["seconds"] for result in of) / max(len(of), 1)
        print(f"{area:12} {len(noticed):4} of {len(of):4} noticed ({100 * len(noticed) / max(len(of), 1):5.1f} %), "
              f"{by_time} by time, {seconds:.1f} s of processor time each")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("clone", nargs="?", type=Path)
    parser.add_argument("--areas", default=",".join(AREAS), type=lambda text: text.split(","))
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="how many faults are looked for at once")
    parser.add_argument("--out", type=Path, default=Path("target/mutants"))
    parser.add_argument("--resume", action="store_true", help="keep the results of an earlier run in OUT")
    parser.add_argument("--again", action="store_true", help="with --resume: plant again what was not noticed then")
    parser.add_argument("--list", action="store_true", help="count the faults of each area")
    options = parser.parse_args()
    unknown = [area for area in options.areas if area not in AREAS]
    if unknown:
        parser.error(f"no area is called {unknown[0]}; there are {', '.join(AREAS)}")
    if options.clone is None and not options.list:
        parser.error("a folder for the clone is missing")
    return options


def main():
    options = arguments()
    root = Path(__file__).resolve().parent.parent
    if options.list:
        for area in options.areas:
            print(f"{area:12} {len(listed(root, [area])):5} faults")
        return 0
    options.out, options.clone = options.out.resolve(), options.clone.resolve()
    clone(root, options.clone)
    results = Run(options).draw()
    print()
    tell(results, options.areas)
    missed = [result["fault"] for result in results if result["outcome"] == "missed"]
    print(f"\n{len(results) - len(missed)} of {len(results)} noticed; these were not:", *missed, sep="\n  ")
    return 0 if len(results) - len(missed) >= ENOUGH * len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
