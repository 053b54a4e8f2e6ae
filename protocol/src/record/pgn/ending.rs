//! Results and the reasons of endings, as tags and movetext spell them.

use std::fmt;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The player of the first ply has won: `1-0`.
    FirstWins,
    /// The other player has won: `0-1`.
    SecondWins,
    /// A draw: `1/2-1/2`.
    Draw,
    /// The game is not over, or its result is unknown: `*`.
    Unfinished,
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 4] = [
        GameResult::FirstWins,
        GameResult::SecondWins,
        GameResult::Draw,
        GameResult::Unfinished,
    ];

    /// Returns the result of a game won by the player in this seat, 0 or 1.
    pub const fn won_by(seat: usize) -> GameResult {
        match seat {
            0 => GameResult::FirstWins,
            _ => GameResult::SecondWins,
        }
    }

    /// Returns the seat of the winner, 0 for the first player.
    pub const fn winner(self) -> Option<usize> {
        match self {
            GameResult::FirstWins => Some(0),
            GameResult::SecondWins => Some(1),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// Returns the result with this spelling.
    pub fn read(text: &str) -> Option<GameResult> {
        GameResult::ALL
            .into_iter()
            .find(|result| result.text() == text)
    }

    /// Returns the spelling.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::FirstWins => "1-0",
            GameResult::SecondWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The player to move had no legal action.
    NoLegalAction,
    /// All pieces of one side were captured.
    Annihilation,
    /// Too many plies without a capture or flip.
    QuietLimit,
    /// Repetition.
    Repetition,
    /// The loser resigned.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// The loser's time ran out.
    TimeForfeit,
    /// A third party or endgame tables decided.
    Adjudication,
    /// The loser broke the rules, or its program failed.
    RulesInfraction,
    /// The game was broken off.
    Abandoned,
    /// Another reason, in words.
    Other(String),
}

/// The words that are written.
const WORDS: [(&str, Termination); 10] = [
    ("no legal action", Termination::NoLegalAction),
    ("annihilation", Termination::Annihilation),
    ("quiet limit", Termination::QuietLimit),
    ("repetition", Termination::Repetition),
    ("resignation", Termination::Resignation),
    ("agreement", Termination::Agreement),
    ("time forfeit", Termination::TimeForfeit),
    ("adjudication", Termination::Adjudication),
    ("rules infraction", Termination::RulesInfraction),
    ("abandoned", Termination::Abandoned),
];

/// Other words that are read: those of matches and of the platform's records.
const ALIASES: [(&str, Termination); 13] = [
    ("time", Termination::TimeForfeit),
    ("timeout", Termination::TimeForfeit),
    ("stall", Termination::TimeForfeit),
    ("resign", Termination::Resignation),
    ("resigned", Termination::Resignation),
    ("adjudicated win", Termination::Adjudication),
    ("adjudicated draw", Termination::Adjudication),
    ("tables", Termination::Adjudication),
    ("illegal action", Termination::RulesInfraction),
    ("bad answer", Termination::RulesInfraction),
    ("flood", Termination::RulesInfraction),
    ("crash", Termination::RulesInfraction),
    ("draw agreed", Termination::Agreement),
];

impl Termination {
    /// What the tag says of a game that goes on.
    pub(super) const UNTERMINATED: &str = "unterminated";

    /// Reads the words; upper and lower case, `-`, `_` and blanks are alike.
    ///
    /// Returns `None` for words that give no reason: `normal`, `unterminated`, `?`, nothing.
    pub fn read(text: &str) -> Option<Termination> {
        let blank = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '-' | '_');
        let words: Vec<&str> = text.split(blank).filter(|word| !word.is_empty()).collect();
        let words = words.join(" ").to_ascii_lowercase();
        if matches!(
            words.as_str(),
            "" | "?" | "normal" | Termination::UNTERMINATED
        ) {
            return None;
        }
        let found = WORDS
            .iter()
            .chain(&ALIASES)
            .find(|(known, _)| *known == words);
        Some(match found {
            Some((_, termination)) => termination.clone(),
            None => Termination::Other(words),
        })
    }

    /// Returns the words of the tag.
    pub fn text(&self) -> &str {
        if let Termination::Other(words) = self {
            return words;
        }
        let found = WORDS.iter().find(|(_, termination)| termination == self);
        found.map_or("?", |(words, _)| words)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
