//! Writing a record in the platform's format.

use super::{FINISHED, Record, UNFINISHED};
use anqi_rules::{COLUMNS, Color};
use std::fmt;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.verdict.is_some();
        writeln!(f, "{}", if finished { FINISHED } else { UNFINISHED })?;
        if let Some(date) = self.date {
            writeln!(f, "* {date}")?;
        }
        writeln!(f, "* {} vs {}", self.players[0], self.players[1])?;
        self.write_board(f)?;
        if let Some(first) = self.first {
            writeln!(f, "* first {}", usize::from(first == Color::Black))?;
        }
        if let Some(seconds) = self.seconds {
            writeln!(f, "* time {seconds}")?;
        }
        for (index, round) in self.plies.chunks(2).enumerate() {
            let plies: Vec<String> = round.iter().map(ToString::to_string).collect();
            writeln!(f, "* {}. {}", index + 1, plies.join(" "))?;
        }
        if let Some(verdict) = &self.verdict {
            writeln!(f, "* {verdict}")?;
        }
        if let Some([a, b]) = self.comment {
            writeln!(f, "* Comment {a} {b}")?;
        }
        for (index, stamp) in self.stamps.iter().enumerate() {
            writeln!(f, "{index}. {stamp}")?;
        }
        Ok(())
    }
}

impl Record {
    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.board.living().map(|count| count.to_string());
        writeln!(f, "* {}", counts.join(" "))?;
        let squares: Vec<_> = crate::board::reading_order().collect();
        for row in squares.chunks(COLUMNS) {
            let letters: Vec<String> = row
                .iter()
                .map(|&s| self.board.letter(s).to_string())
                .collect();
            writeln!(f, "* {}", letters.join(" "))?;
        }
        Ok(())
    }
}
