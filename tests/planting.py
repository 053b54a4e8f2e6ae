"""Plants many faults in one build: each waits behind a question that the environment answers.

Instead of building the sources once for each fault, every fault is woven in as `if planted(17) { faulty } else { sound }`.
One build holds them all, and `ANQI_PLANTED=17` chooses one of them for a run of the tests. `planted` is added to the lowest
crate; it may be asked in a `const fn`, where it answers no while the compiler computes.
"""

import os
import re
import stat

CHOICE = "ANQI_PLANTED"
LOWEST = "engine/rules"
HEAD = LOWEST + "/src/lib.rs"

ASKED = """

/// Returns whether this planted fault is the one asked for.
#[doc(hidden)]
#[inline(always)]
pub const fn planted(fault: u32) -> bool {
    const fn never(_: u32) -> bool {
        false
    }
    fn asked(fault: u32) -> bool {
        use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
        static WHICH: AtomicU32 = AtomicU32::new(u32::MAX);
        let mut which = WHICH.load(Relaxed);
        if which == u32::MAX {
            which = std::env::var("ANQI_PLANTED").map_or(0, |text| text.parse().expect("the number of a fault"));
            WHICH.store(which, Relaxed);
        }
        which == fault
    }
    core::intrinsics::const_eval_select((fault,), never, asked)
}
"""
FEATURES = "#![feature(core_intrinsics, const_eval_select)]\n#![allow(internal_features)]\n"
MODULE_HEAD = re.compile(r"\A(//![^\n]*\n)*")


def question(path, number):
    """What the source at this path asks to learn whether a fault is planted."""
    crate = "crate" if path.startswith(LOWEST + "/") else "anqi_rules"
    return f"{crate}::planted({number})"


class Site:
    """A place in a source where a fault waits: what is written before and after the sound text."""

    def __init__(self, number, start, end, before, after):
        self.number, self.start, self.end = number, start, end
        self.before, self.after = before, after


def either(path, number, start, end, faulty):
    """The expression from start to end, or the faulty one."""
    return Site(number, start, end, f"(if {question(path, number)} {{ {faulty} }} else {{ ", " })")


def weave(text, sites):
    """Returns the text with all sites in it."""
    marks = []
    for site in sites:
        # At one place what ends comes first, inner before outer; then what begins, outer before inner.
        marks.append((site.start, 1, site.start - site.end, site.number, site.before))
        marks.append((site.end, 0, -site.start, -site.number, site.after))
    woven, last = [], 0
    for place, _, _, _, words in sorted(marks):
        woven += [text[last:place], words]
        last = place
    return "".join([*woven, text[last:]])


def rewrite(folder, texts):
    """Writes sources, by path, and the question into the lowest crate; leaves alone what is the same already."""
    text = texts.get(HEAD) or (folder / HEAD).read_text()
    if "pub const fn planted" not in text:
        prose = MODULE_HEAD.match(text).end()
        texts = {**texts, HEAD: text[:prose] + FEATURES + text[prose:] + ASKED}
    for path, text in texts.items():
        if (folder / path).read_text() != text:
            (folder / path).write_text(text)


def environment(folder):
    """What builds with planted faults need: the question uses what this compiler keeps for its own library."""
    wrapper = folder / "target" / "with-intrinsics"
    wrapper.parent.mkdir(exist_ok=True)
    if not wrapper.exists():
        wrapper.write_text('#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec "$@"\n')
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    return {**os.environ, "RUSTC_WORKSPACE_WRAPPER": str(wrapper)}
