//! The longer texts: what can be typed, and how the game goes.

use super::style::{Script, Style};
use super::width::width;
use super::words::draw_rules;
use anqi_rules::{Piece, Rules};

/// Columns of a text.
const COLUMNS: usize = 79;

/// What can be typed.
pub const HELP: &str = concat!(
    "  b2               flip the face-down piece on b2\n",
    "  b2 b3            move or capture from b2 to b3 (b2-b3 and b2xb3 do as well)\n",
    "  moves            list everything you may do now\n",
    "  hint [PLAYER]    ask a player what it would do, such as: hint greedy\n",
    "  undo, redo       go back to your turn before, and forward again;\n",
    "                   every piece keeps its place: the same flip shows the same\n",
    "  save FILE        write the game as a record; nothing face down is given away\n",
    "  load FILE        go on with a saved game; what nobody has seen is dealt anew\n",
    "  board            draw the board again\n",
    "  position         print the position as one line, for anqi play --position\n",
    "  rules            how the game is played\n",
    "  resign           give this game up\n",
    "  new              start another game with another deal\n",
    "  quit             leave",
);

/// Returns the rules of the game on one screen.
pub fn rules(rules: Rules, style: Style) -> String {
    let ladder: Vec<String> = Piece::all()
        .take(7)
        .map(|piece| match style.script {
            Script::Letters => format!("{} {}", piece.letter(), piece.role().name()),
            Script::Chinese => format!(
                "{}{} {}",
                piece.character(),
                piece.recolored().character(),
                piece.role().name()
            ),
        })
        .collect();
    let ladder = format!("From high to low: {}.", ladder.join(", "));
    let draws = format!("A game is drawn {}.", draw_rules(rules));
    let paragraph = |text: &str| wrap(text.split(' '), "  ", COLUMNS);
    let point = |text: &str| {
        format!(
            "  - {}",
            wrap(text.split(' '), "    ", COLUMNS).trim_start()
        )
    };
    [
        paragraph(BASICS),
        paragraph(&ladder),
        paragraph(CAPTURES),
        point("a king does not capture pawns, and pawns do capture the king;"),
        point(CANNON),
        point("nobody captures a face-down piece."),
        paragraph("Who has no piece left, or cannot do anything in turn, has lost."),
        paragraph(&draws),
    ]
    .join("\n")
}

const BASICS: &str = "All 32 pieces start face down. In turn, each side does one of three \
things: flip a piece, move an own piece one step along a row or column to an empty square, \
or capture an enemy piece. The first flip decides: who makes it plays its colour.";
const CAPTURES: &str = "A piece captures its own rank and everything below it, one step away. But:";
const CANNON: &str = "a cannon captures anything, but only by jumping along its row or column \
over exactly one piece, at any distance, and never the piece beside it;";

/// Returns words set in lines of at most `columns` columns, each indented.
pub fn wrap<'a>(words: impl IntoIterator<Item = &'a str>, indent: &str, columns: usize) -> String {
    let mut lines = vec![indent.to_owned()];
    for word in words {
        let line = lines.last_mut().expect("starts with a line and only grows");
        let is_fresh = line.len() == indent.len();
        if !is_fresh && width(line) + 1 + width(word) > columns {
            lines.push(format!("{indent}{word}"));
        } else {
            *line += if is_fresh { "" } else { " " };
            *line += word;
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_eighty_columns_and_a_screen() {
        for script in [Script::Letters, Script::Chinese] {
            let style = Style {
                script,
                ..Style::default()
            };
            for preset in Rules::PRESETS {
                let text = rules(preset.1, style);
                assert!(text.lines().all(|line| width(line) <= COLUMNS));
            }
        }
        assert!(HELP.lines().all(|line| width(line) <= COLUMNS));
        assert!(HELP.lines().count() <= 22);
    }

    #[test]
    fn words_wrap_at_the_column() {
        assert_eq!(wrap(["aa", "bb", "cc"], "  ", 7), "  aa bb\n  cc");
        assert_eq!(wrap([], "  ", 7), "  ");
    }
}
