//! The longer texts: the commands, and the rules of the game.

use super::language::{Language, say};
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

/// The commands and the keys of their descriptions.
const HELP: [(&str, &str); 15] = [
    ("b2", "help.flip"),
    ("b2 b3", "help.move"),
    ("moves", "help.moves"),
    ("hint [PLAYER]", "help.hint"),
    ("undo, redo", "help.undo"),
    ("save FILE", "help.save"),
    ("load FILE", "help.load"),
    ("board", "help.board"),
    ("position", "help.position"),
    ("rules", "help.rules"),
    ("resign", "help.resign"),
    ("new", "help.new"),
    ("quit", "help.quit"),
    ("Ctrl-C", "help.interrupt"),
    ("Tab", "help.tab"),
];

/// Returns the list of commands.
pub fn help(language: Language, columns: usize) -> String {
    let columns = columns.min(MOST_COLUMNS);
    let entry = |&(usage, key): &(&str, &str)| {
        let about = say!(language, key);
        if columns < LEAST_COLUMNS_SIDE_BY_SIDE {
            return format!("  {usage}\n{}", wrap_text(&about, "    ", columns));
        }
        let about = wrap_text(&about, &" ".repeat(USAGE_COLUMNS), columns);
        pad(&format!("  {usage}"), USAGE_COLUMNS) + about.trim_start()
    };
    let entries: Vec<String> = HELP.iter().map(entry).collect();
    entries.join("\n")
}

/// Returns the rules of the game on one screen.
pub fn rules(rules: Rules, style: Style, columns: usize) -> String {
    let columns = columns.min(MOST_COLUMNS);
    let language = style.language;
    let ladder: Vec<String> = Piece::all()
        .take(7)
        .map(|piece| rung(piece, style))
        .collect();
    let ladder = ladder.join(&say!(language, "rules.comma"));
    let end = match rules.convention {
        Convention::Tournament => say!(language, "rules.end.tournament"),
        Convention::Course => say!(language, "rules.end.course"),
    };
    let paragraph = |text: String| wrap_text(&text, "  ", columns);
    let point = |text: String| format!("  - {}", wrap_text(&text, "    ", columns).trim_start());
    [
        paragraph(say!(language, "rules.basics")),
        paragraph(say!(language, "rules.ladder", ladder = ladder)),
        paragraph(say!(language, "rules.captures")),
        point(say!(language, "rules.king")),
        point(say!(language, "rules.cannon")),
        point(say!(language, "rules.hidden")),
        paragraph(end),
        paragraph(say!(
            language,
            "rules.draws",
            when = draw_rules(rules, language)
        )),
    ]
    .join("\n")
    .replace('\u{a0}', " ")
}

/// Returns a rung of the ladder of ranks; a name stays on the line of its piece.
fn rung(piece: Piece, style: Style) -> String {
    let name = say!(style.language, &format!("rank.{}", piece.role().name()));
    match style.script {
        Script::Letters => format!("{}\u{a0}{name}", piece.letter()),
        // The characters are the name.
        Script::Chinese if style.language != Language::English => name,
        Script::Chinese => format!(
            "{}{}\u{a0}{name}",
            piece.character(),
            piece.recolored().character()
        ),
    }
}

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

/// Returns a text set in lines of at most `columns` columns, each indented. A line ends at a blank or,
/// in Chinese, after any character that no punctuation follows.
pub fn wrap_text(text: &str, indent: &str, columns: usize) -> String {
    let mut lines = vec![indent.to_owned()];
    for (index, word) in text.split(' ').enumerate() {
        for (part, piece) in pieces(word).into_iter().enumerate() {
            let line = lines.last_mut().expect("starts with a line and only grows");
            let is_fresh = line.len() == indent.len();
            let joint = if is_fresh || part > 0 || index == 0 {
                ""
            } else {
                " "
            };
            if !is_fresh && width(line) + joint.len() + width(piece) > columns {
                lines.push(format!("{indent}{piece}"));
            } else {
                *line += joint;
                *line += piece;
            }
        }
    }
    lines.join("\n")
}

/// Splits a word where a line may end inside it; blanks that do not break keep what they join whole.
fn pieces(word: &str) -> Vec<&str> {
    if word.contains('\u{a0}') {
        return word.split_inclusive('、').collect();
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, character) in word.char_indices() {
        let breaks = before.is_some_and(|before| {
            let joins = |c: char| is_wide(c) || c.is_ascii_alphanumeric();
            let wide = is_wide(before) || is_wide(character);
            wide && joins(before)
                && joins(character)
                && !OPENING.contains(before)
                && !CLOSING.contains(character)
        });
        if breaks {
            pieces.push(&word[start..at]);
            start = at;
        }
        before = Some(character);
    }
    pieces.push(&word[start..]);
    pieces
}

/// What no line ends with, and what none begins with.
const OPENING: &str = "（「“";
const CLOSING: &str = "，。：；、！？）」”／";

fn is_wide(character: char) -> bool {
    width(character.encode_utf8(&mut [0; 4])) == 2
}

/// Counts plies in words.
pub(super) fn plies(language: Language, count: usize) -> String {
    match count {
        1 => say!(language, "ply"),
        _ => say!(language, "plies", count = count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks() -> impl Iterator<Item = (Script, Language)> {
        let scripts = [Script::Letters, Script::Chinese];
        scripts
            .into_iter()
            .flat_map(|script| Language::ALL.map(|language| (script, language)))
    }

    #[test]
    fn texts_fit_narrow_and_wide_screens() {
        for columns in [32, 40, 55, 56, 62, 80, 200] {
            for (script, language) in looks() {
                let style = Style {
                    script,
                    language,
                    ..Style::default()
                };
                for preset in Rules::PRESETS {
                    let text = rules(preset.1, style, columns);
                    assert!(text.lines().all(|line| width(line) <= columns.min(79)));
                }
                let help = help(language, columns);
                assert!(help.lines().all(|line| width(line) <= columns.min(79)));
            }
        }
        for language in Language::ALL {
            assert!(help(language, 80).lines().count() <= 22);
        }
    }

    #[test]
    fn words_wrap_at_the_column() {
        assert_eq!(wrap(["aa", "bb", "cc"], "  ", 7), "  aa bb\n  cc");
        assert_eq!(wrap([], "  ", 7), "  ");
        assert_eq!(wrap(["帥帥", "將"], "", 6), "帥帥\n將");
        assert_eq!(wrap(["unbreakable", "a"], "", 4), "unbreakable\na");
    }

    #[test]
    fn chinese_breaks_between_characters_but_not_before_punctuation() {
        assert_eq!(wrap_text("翻開 b2，再走。", "", 7), "翻開\nb2，再\n走。");
        assert_eq!(wrap_text("帥將車馬", "  ", 6), "  帥將\n  車馬");
        assert_eq!(wrap_text("a pawn (卒)", "", 9), "a pawn\n(卒)");
        assert_eq!(wrap_text("a 帥將\u{a0}king", "", 6), "a\n帥將\u{a0}king");
        let english = "words break at blanks alone";
        let words = wrap(english.split(' '), " ", 12);
        assert_eq!(wrap_text(english, " ", 12), words);
    }
}
