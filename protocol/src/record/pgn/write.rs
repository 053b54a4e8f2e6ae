//! Writing: one spelling for each game.

use super::tags::ROSTER;
use super::{Annotation, GameResult, PgnGame, Termination, header};
use anqi_rules::{Color, Game, Position};
use std::fmt::{self, Write};

/// The longest line of the moves, in characters; a line that no blank can break is longer.
const LINE: usize = 79;

/// Writes games, with an empty line between one and the next.
pub fn write(games: &[PgnGame]) -> String {
    let texts: Vec<String> = games.iter().map(PgnGame::to_string).collect();
    texts.join("\n")
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in ROSTER {
            let unknown = if name == "Date" { "????.??.??" } else { "?" };
            let value = match name {
                "Result" => self.result.text(),
                _ => self.tags.get(name).unwrap_or(unknown),
            };
            tag(f, name, value)?;
        }
        tag(f, "Variant", header::VARIANT)?;
        let rules = self.rules.and_then(|rules| rules.name());
        tag(f, "Rules", rules.unwrap_or("?"))?;
        let red = match self.first_color() {
            Some(Color::Red) => "First",
            Some(Color::Black) => "Second",
            None => "?",
        };
        tag(f, "Red", red)?;
        if let Some(time) = self.tags.get("TimeControl") {
            tag(f, "TimeControl", time)?;
        }
        if let Some(reason) = self.reason() {
            tag(f, "Termination", reason)?;
        }
        if self.start != Position::start() {
            tag(f, "Setup", "1")?;
            tag(f, "FEN", &self.start.to_string())?;
        }
        self.write_deal(f)?;
        for (name, value) in self.tags.others() {
            tag(f, name, value)?;
        }
        writeln!(f)?;
        let mut units = Units::default();
        self.write_moves(&mut units);
        units.word(self.result.text());
        f.write_str(&units.wrapped())
    }
}

impl PgnGame {
    /// Returns the value of the tag `Termination`, if there is anything to say.
    fn reason(&self) -> Option<&str> {
        let going_on = self.result == GameResult::Unfinished;
        let told = self.termination.as_ref().map(Termination::text);
        told.or(going_on.then_some(Termination::UNTERMINATED))
    }

    /// Writes the commitment; the deal stays secret while the game goes on.
    fn write_deal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(proof) = &self.deal else {
            return Ok(());
        };
        tag(f, "DealCommitment", &proof.commitment)?;
        match &proof.deal {
            Some(deal) if self.result != GameResult::Unfinished => tag(f, "Deal", deal),
            _ => Ok(()),
        }
    }

    fn write_moves(&self, units: &mut Units) {
        let followers = self.followers();
        let mut game = Game::new(self.start, self.rules.unwrap_or_default());
        units.comment(&self.annotation);
        let mut agenda = vec![Step::After(0)];
        while let Some(step) = agenda.pop() {
            match step {
                Step::Close => units.close(),
                Step::Undo => drop(game.undo()),
                Step::Write(number) => self.write_ply(units, &mut game, number),
                Step::Variation(number) => {
                    units.open();
                    self.write_ply(units, &mut game, number);
                    agenda.extend([Step::Undo, Step::Close, Step::After(number)]);
                }
                Step::Replay(number) => drop(game.play(self.plies[number - 1].ply)),
                Step::After(number) => {
                    let Some((&first, others)) = followers[number].split_first() else {
                        continue;
                    };
                    // A stack: the last step pushed comes first. A line is taken back at its end.
                    agenda.extend([Step::Undo, Step::After(first)]);
                    if !others.is_empty() {
                        agenda.push(Step::Replay(first));
                        agenda.extend(others.iter().rev().map(|&other| Step::Variation(other)));
                        agenda.push(Step::Undo);
                    }
                    agenda.push(Step::Write(first));
                }
            }
        }
    }

    /// Writes a ply, which is played to see whether it captures.
    fn write_ply(&self, units: &mut Units, game: &mut Game, number: usize) {
        let written = &self.plies[number - 1];
        let played = game.plies().len();
        let action = written.ply.action;
        let word = match written.ply.reveal {
            Some(piece) => format!("{}={}", action.from(), piece.letter()),
            None => {
                let captures = game.position().piece_at(action.to()).is_some();
                let sign = if captures { 'x' } else { '-' };
                format!("{}{sign}{}", action.from(), action.to())
            }
        };
        let round = played / 2 + 1;
        match (played % 2, units.interrupted) {
            (0, _) => units.word(&format!("{round}. {word}")),
            (_, true) => units.word(&format!("{round}... {word}")),
            _ => units.word(&word),
        }
        units.interrupted = false;
        for glyph in &written.glyphs {
            units.word(&format!("${glyph}"));
        }
        units.comment(&written.annotation);
        // Plies of a game that was read or played are legal.
        let _ = game.play(written.ply);
    }
}

enum Step {
    /// A ply, without what follows it.
    Write(usize),
    /// A ply and what follows it, in brackets.
    Variation(usize),
    /// A ply that was taken back for its variations.
    Replay(usize),
    /// Everything that follows a ply.
    After(usize),
    Undo,
    Close,
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for sign in value.chars() {
        match sign {
            '"' | '\\' => write!(f, "\\{sign}")?,
            // Values have no control characters, except those that another crate put there.
            sign if sign.is_control() => f.write_char(' ')?,
            sign => f.write_char(sign)?,
        }
    }
    f.write_str("\"]\n")
}

/// What must stay on one line each.
struct Units {
    units: Vec<String>,
    /// The bracket before the next unit.
    bracket: bool,
    /// Whether a move of the second player needs its number.
    interrupted: bool,
}

impl Default for Units {
    fn default() -> Units {
        Units {
            units: Vec::new(),
            bracket: false,
            interrupted: true,
        }
    }
}

impl Units {
    fn word(&mut self, word: &str) {
        let bracket = if std::mem::take(&mut self.bracket) {
            "("
        } else {
            ""
        };
        self.units.push(format!("{bracket}{word}"));
    }

    fn open(&mut self) {
        self.bracket = true;
        self.interrupted = true;
    }

    fn close(&mut self) {
        if let Some(last) = self.units.last_mut() {
            last.push(')');
        }
        self.interrupted = true;
    }

    fn comment(&mut self, annotation: &Annotation) {
        if annotation.is_empty() {
            return;
        }
        let mut parts = annotation.commands();
        let words = annotation.text().split(' ').filter(|word| !word.is_empty());
        parts.extend(words.map(|word| word.replace('\\', "\\\\").replace('}', "\\}")));
        let mut comment: Vec<String> = Vec::new();
        for part in parts {
            match comment.last_mut() {
                // A line that begins with [ or % would look like a tag or an escaped line.
                Some(last) if part.starts_with(['[', '%']) => *last = format!("{last} {part}"),
                Some(_) => comment.push(part),
                None => comment.push(format!("{{{part}")),
            }
        }
        if let Some(last) = comment.last_mut() {
            last.push('}');
        }
        self.units.append(&mut comment);
        self.interrupted = true;
    }

    fn wrapped(&self) -> String {
        let mut text = String::new();
        let mut column = 0;
        for unit in &self.units {
            let length = unit.chars().count();
            if column > 0 && column + 1 + length > LINE {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(unit);
            column += length;
        }
        text.push('\n');
        text
    }
}
