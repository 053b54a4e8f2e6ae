#!/usr/bin/env python3
"""Checks what neither Cargo nor clippy can: files, arrows between them, documents.

    tests/structure.py

- No circle among the files of a crate: what a file uses leads on and never back. A `pub use` is a door, not a use.
- No file of more than 500 lines, tests left out.
- Every link of a document leads to a file, and to a heading in it.
- No leftovers: `todo!`, `FIXME` and their kind.

`tests/structure.txt` lists the exceptions, each with its reason; one that no longer applies is a fault as well.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG_FILE = 500
LEFTOVERS = re.compile(r"\b(todo!|unimplemented!|dbg!|FIXME|TODO)")
TESTS = re.compile(r"^#\[cfg\((?:all\()?test\b[^\n]*\n(?:#[^\n]*\n)*(?:pub(?:\([^)]*\))? )?mod \w+ \{", re.M)
COMMENTS_AND_TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|r#".*?"#', re.S)
USE = re.compile(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
PATH = re.compile(r"(?<![\w:.])(\w+(?:::\w+)+)")


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
                            cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def code_of(text):
    """Returns a source without its tests, comments and texts."""
    begin = TESTS.search(text)
    return COMMENTS_AND_TEXTS.sub("", text[:begin.start()] if begin else text)


def leaves(tree, prefix=()):
    """Returns the paths of a `use`, braces unfolded, each as its words."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        words = [word.strip() for word in tree.split(" as ")[0].split("::")]
        yield prefix + tuple(word for word in words if word and word != "self" or word == "self" and not prefix)
        return
    head = tuple(word.strip() for word in tree[:brace].split("::") if word.strip())
    depth, part = 0, ""
    for sign in tree[brace + 1:tree.rfind("}")] + ",":
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            if part.strip():
                yield from leaves(part, prefix + head)
            part = ""
        else:
            part += sign


class Crate:
    """The modules of one library or program, by their paths."""

    def __init__(self, root, names):
        folder = str(Path(root).parent)
        self.modules, self.code = {(): root}, {}
        for name in names:
            inside = Path(name).relative_to(folder).with_suffix("").parts
            if name != root:
                self.modules[inside[:-1] if inside[-1] == "mod" else inside] = name
        self.paths = {name: path for path, name in self.modules.items()}
        self.code = {name: code_of((ROOT / name).read_text()) for name in self.paths}
        self.doors = {name: self.exports(name) for name in self.paths}

    def absolute(self, words, path):
        """The words of a path from the root of the crate on, or none if it leads out of the crate."""
        if words[0] == "crate":
            return words[1:]
        if words[0] == "self":
            return path + words[1:]
        up = 0
        while up < len(words) and words[up] == "super":
            up += 1
        if up:
            return path[:len(path) - up] + words[up:]
        return path + words if path + words[:1] in self.modules else None

    def exports(self, name):
        """What a module passes on by `pub use`: name to path."""
        passed = {}
        for public, tree in USE.findall(self.code[name]):
            for words in leaves(tree) if public else ():
                target = self.absolute(words, self.paths[name])
                if target is not None:
                    passed[words[-1]] = target
        return passed

    def home(self, words, seen=()):
        """The file that holds the item of an absolute path."""
        for length in range(len(words), -1, -1):
            if words[:length] in self.modules:
                name, rest = self.modules[words[:length]], words[length:]
                target = self.doors[name].get(rest[0]) if rest else None
                if target is None or target in seen:
                    return name
                return self.home(target + rest[1:], (*seen, target))
        return None

    def arrows(self):
        """Which file uses which."""
        for name, path in self.paths.items():
            used = [leaf for public, tree in USE.findall(self.code[name]) if not public for leaf in leaves(tree)]
            used += [tuple(word.split("::")) for word in PATH.findall(USE.sub("", self.code[name]))]
            for words in used:
                target = self.absolute(words, path) if words else None
                home = self.home(target) if target is not None else None
                if home and home != name:
                    yield name, home


def crates():
    """The libraries and programs of the workspace."""
    names = tracked("*.rs")
    for manifest in tracked("*Cargo.toml"):
        folder = Path(manifest).parent
        sources = [name for name in names if Path(name).is_relative_to(folder / "src")]
        inner = [str(Path(other).parent) for other in tracked("*Cargo.toml") if other != manifest]
        sources = [name for name in sources if not any(Path(name).is_relative_to(one) for one in inner if Path(one).is_relative_to(folder))]
        roots = [name for name in sources if Path(name).name == "lib.rs" and Path(name).parent == folder / "src"]
        programs = [name for name in sources if "bin" in Path(name).relative_to(folder / "src").parts]
        if roots:
            yield Crate(roots[0], [name for name in sources if name not in programs and Path(name).name != "main.rs"])
        for program in programs:
            if Path(program).name == "main.rs":
                yield Crate(program, [name for name in programs if Path(name).is_relative_to(Path(program).parent)])


def circles(arrows):
    """Returns the groups of files that use each other in circles (Tarjan's strongly connected components)."""
    after, number, low, stack, groups = {}, {}, {}, [], []
    for one, other in arrows:
        after.setdefault(one, set()).add(other)

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in sorted(after.get(file, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == number[file]:
            group = stack[stack.index(file):]
            del stack[stack.index(file):]
            if len(group) > 1:
                groups.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for file in sorted(after):
        if file not in number:
            visit(file)
    return groups


def anchors(text):
    headings = re.findall(r"^#{1,6} (.*)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def broken_links():
    for name in tracked("*.md"):
        document = ROOT / name
        for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
            place, _, anchor = target.partition("#")
            if "://" in target:
                continue
            file = document.parent / place if place else document
            if not file.exists():
                yield f"{name}: the link {target} leads nowhere"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                yield f"{name}: {place or name} has no heading #{anchor}"


def long_files():
    for name in tracked("*.rs", "*.ts", "*.tsx"):
        if "tests" in Path(name).parts[1:]:
            continue
        text = (ROOT / name).read_text()
        begin = TESTS.search(text)
        if len((text[:begin.start()] if begin else text).splitlines()) > LONG_FILE:
            yield f"file {name}"


def leftovers():
    for name in tracked("*.rs", "*.ts", "*.tsx"):
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            if LEFTOVERS.search(line):
                yield f"{name}:{number}: a leftover: {line.strip()}"


def main():
    found = {f"circle {' '.join(group)}" for crate in crates() for group in circles(crate.arrows())} | set(long_files())
    lines = (ROOT / "tests/structure.txt").read_text().splitlines()
    listed = dict(line.rsplit(" : ", 1) for line in lines if line and not line.startswith("#"))
    faults = [*broken_links(), *leftovers()]
    faults += [f"tests/structure.txt has no reason for: {key}" for key in sorted(found - set(listed))]
    faults += [f"tests/structure.txt names what is no more: {key}" for key in sorted(set(listed) - found)]
    print("\n".join(faults) or f"{len(list(tracked('*.rs')))} sources and {len(list(tracked('*.md')))} documents are in order.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
