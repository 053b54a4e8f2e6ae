//! The types of the messages in TypeScript, for the page.
//!
//! `ANQI_WRITE_TYPES=1 cargo test -p anqi-desk types_of_the_page` writes them to
//! `engine/web/src/wire.ts`; without the variable the test compares.

use super::pretty::pretty;
use super::{About, ClientMessage, ServerMessage};
use anqi_analysis::puzzle::Puzzle;
use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

/// What stands at the head of the file.
const HEAD: &str = "\
// The messages between the page and the desk, made from engine/desk/src/wire by
// `ANQI_WRITE_TYPES=1 cargo test -p anqi-desk types_of_the_page`. Do not edit.
//
// - A message of the page may have an `id`; whatever answers it carries the same number as `re`.
// - Values are expected results from -1 (lost) to +1 (won), for the side to move unless a comment says
//   otherwise. Points are on the same scale: a win is +1, a draw 0, a loss -1.
// - Times are whole milliseconds.
// - Unknown types and unknown keys are errors.

/** By who begins: seat 0 makes the first ply. */
export type Seat = 0 | 1;
/** `a1` … `d8`. */
export type SquareName = string;
/** One of KGMRNCPkgmrncp. */
export type PieceLetter = string;
/** `b2-b2` for a flip, `b2-b3` for a move or a capture. */
export type ActionText = string;
/** `b2(G)` for a flip that revealed a red guard, `b2-b3` otherwise. */
export type PlyText = string;
";

struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types of ours are declared; the others stand where they are used.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        if self.found.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("{docs}export {}", T::decl(&self.config));
        self.found.insert(name, pretty(&text));
        T::visit_dependencies(self);
    }
}

/// Returns the declarations of all messages, in the order of their names.
fn declarations() -> String {
    let mut all = Declarations {
        config: Config::new().with_large_int("number"),
        found: BTreeMap::new(),
    };
    all.visit::<About>();
    all.visit::<Puzzle>();
    all.visit::<ClientMessage>();
    all.visit::<ServerMessage>();
    let texts = all.found.into_values();
    texts.fold(HEAD.to_owned(), |file, text| file + "\n" + &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn types_of_the_page_are_those_of_the_messages() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/wire.ts");
        let expected = declarations();
        if std::env::var_os("ANQI_WRITE_TYPES").is_some() {
            fs::write(&path, &expected).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap();
        assert!(
            found == expected,
            "engine/web/src/wire.ts is stale; run \
             `ANQI_WRITE_TYPES=1 cargo test -p anqi-desk types_of_the_page`"
        );
    }
}
