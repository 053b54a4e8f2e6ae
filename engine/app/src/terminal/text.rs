//! The longer texts: the commands, and the rules of the game.

use super::style::{Script, Style};
use super::width::{pad, width};
use super::words::draw_rules;
use anqi_rules::{Convention, Piece, Rules};

/// Most columns of a text, however wide the screen is.
const MOST_COLUMNS: usize = 79;
/// Columns of the commands in the help.
const USAGE_COLUMNS: usize = 19;
/// Fewest columns for commands and explanations side by side.
const LEAST_COLUMNS_SIDE_BY_SIDE: usize = 56;

/// The commands and their descriptions.
const HELP: [(&str, &str); 15] = [
    ("b2", "flip the face-down piece on b2"),
    (
        "b2 b3",
        "move or capture from b2 to b3; b2-b3 and b2xb3 work too",
    ),
    ("moves", "list your legal moves"),
    (
        "hint [PLAYER]",
        "ask a player for advice, for example: hint greedy",
    ),
    (
        "undo, redo",
        "take back your last turn, or play it again; every piece keeps its place, \
so the same flip shows the same piece",
    ),
    (
        "save FILE",
        "save the game as a record; it gives away nothing that is face down",
    ),
    (
        "load FILE",
        "go on with a saved game; pieces that nobody has seen are dealt anew",
    ),
    ("board", "draw the board again"),
    (
        "position",
        "print the position as one line, for anqi play --position",
    ),
    ("rules", "explain the game"),
    ("resign", "give up this game"),
    ("new", "start another game with another deal"),
    ("quit", "leave"),
    (
        "Ctrl-C",
        "while a player thinks: let it play at once; at the prompt: leave",
    ),
    (
        "Tab",
        "complete a command, a square or a target; the arrow keys recall lines",
    ),
];

/// Returns the list of commands.
pub fn help(columns: usize) -> String {
    let columns = columns.min(MOST_COLUMNS);
    let entry = |&(usage, about): &(&str, &str)| {
        let about = about.split(' ');
        if columns < LEAST_COLUMNS_SIDE_BY_SIDE {
            return format!("  {usage}\n{}", wrap(about, "    ", columns));
        }
        let about = wrap(about, &" ".repeat(USAGE_COLUMNS), columns);
        pad(&format!("  {usage}"), USAGE_COLUMNS) + about.trim_start()
    };
    let entries: Vec<String> = HELP.iter().map(entry).collect();
    entries.join("\n")
}

/// Returns the rules of the game on one screen.
pub fn rules(rules: Rules, style: Style, columns: usize) -> String {
    let columns = columns.min(MOST_COLUMNS);
    // A name stays on the line of its piece.
    let ladder: Vec<String> = Piece::all()
        .take(7)
        .map(|piece| match style.script {
            Script::Letters => format!("{}\u{a0}{}", piece.letter(), piece.role().name()),
            Script::Chinese => format!(
                "{}{}\u{a0}{}",
                piece.character(),
                piece.recolored().character(),
                piece.role().name()
            ),
        })
        .collect();
    let ladder = format!("From high to low: {}.", ladder.join(", "));
    let draws = format!("A game is drawn {}.", draw_rules(rules));
    let end = match rules.convention {
        Convention::Tournament => TOURNAMENT_END,
        Convention::Course => COURSE_END,
    };
    let paragraph = |text: &str| wrap(text.split(' '), "  ", columns);
    let point = |text: &str| {
        format!(
            "  - {}",
            wrap(text.split(' '), "    ", columns).trim_start()
        )
    };
    [
        paragraph(BASICS),
        paragraph(&ladder),
        paragraph(CAPTURES),
        point("a king cannot capture a pawn, but a pawn can capture a king;"),
        point(CANNON),
        point("a face-down piece cannot be captured."),
        paragraph(end),
        paragraph(&draws),
    ]
    .join("\n")
    .replace('\u{a0}', " ")
}

const TOURNAMENT_END: &str =
    "A player with no legal move loses, and so does one with no piece left.";
const COURSE_END: &str = "A player with no legal move loses, whoever is to move: black is looked at \
first. One with no piece left plays on while there is something to flip. A draw comes before a loss.";
const BASICS: &str = "All 32 pieces start face down. On your turn you flip a piece, move one of \
your pieces one step along a row or column to an empty square, or capture an enemy piece. The \
player who makes the first flip plays the colour that appears.";
const CAPTURES: &str = "A piece captures pieces of its own rank or lower, one step away, except:";
const CANNON: &str = "a cannon captures any piece, but only by jumping along a row or column over \
exactly one piece, at any distance; it cannot capture the piece next to it;";

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

/// Counts plies in words.
pub(super) fn plies(count: usize) -> String {
    match count {
        1 => "1 ply".to_owned(),
        _ => format!("{count} plies"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_narrow_and_wide_screens() {
        for columns in [32, 40, 55, 56, 62, 80, 200] {
            for script in [Script::Letters, Script::Chinese] {
                let style = Style {
                    script,
                    ..Style::default()
                };
                for preset in Rules::PRESETS {
                    let text = rules(preset.1, style, columns);
                    assert!(text.lines().all(|line| width(line) <= columns.min(79)));
                }
            }
            assert!(help(columns).lines().all(|l| width(l) <= columns.min(79)));
        }
        assert!(help(80).lines().count() <= 22);
    }

    #[test]
    fn words_wrap_at_the_column() {
        assert_eq!(wrap(["aa", "bb", "cc"], "  ", 7), "  aa bb\n  cc");
        assert_eq!(wrap([], "  ", 7), "  ");
        assert_eq!(wrap(["帥帥", "將"], "", 6), "帥帥\n將");
        assert_eq!(wrap(["unbreakable", "a"], "", 4), "unbreakable\na");
    }
}
