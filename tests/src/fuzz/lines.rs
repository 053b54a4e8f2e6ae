//! The lines of a sensible conversation, and properties of any line.

use super::expected::{Expected, Sensible};
use super::shadow::Shadow;
use anqi_naive::{LETTERS, Naive};
use anqi_protocol::command::MAX_LINE_BYTES;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64;

/// Writes sensible lines.
pub struct Writer<'a> {
    /// The source of chance.
    pub source: &'a mut Pcg64,
    /// The state of the conversation.
    pub shadow: &'a Shadow,
}

impl Writer<'_> {
    /// Returns the next sensible line. Half of them play, so that a game makes progress.
    pub fn sensible(&mut self) -> Sensible {
        if self.shadow.is_unturned() {
            return self.unturned();
        }
        if self.source.random_bool(0.5) {
            return self.ply();
        }
        match self.source.random_range(0..20) {
            0..=2 => self.setting_up(),
            3..=6 => self.question(),
            7..=9 => self.ordinary(),
            10 | 11 => line("52 undo", Expected::TakenBack),
            12 | 13 => self.thinking(),
            14..=16 => self.illegal(),
            17 | 18 => self.rules(),
            _ => self.option(),
        }
    }

    fn one_of<'b>(&mut self, choices: &[&'b str]) -> &'b str {
        choices.choose(self.source).expect("there are choices")
    }

    fn ply(&mut self) -> Sensible {
        let possible = self.shadow.game.possible_plies();
        let Some(ply) = possible.choose(self.source) else {
            return line("7 reset_board", Expected::Now(Box::new(Naive::start())));
        };
        let number = self.source.random_bool(0.9);
        let text = request(ply);
        let text = if number { text } else { text[3..].to_string() };
        line(&text, Expected::Played(ply.clone()))
    }

    /// A line after `init_board`, while the side to move is unknown.
    fn unturned(&mut self) -> Sensible {
        let game = self.shadow.game.with_turn('r');
        let moves: Vec<String> = game
            .legal()
            .into_iter()
            .filter(|action| action[..2] != action[3..])
            .collect();
        match self.source.random_range(0..8) {
            0 => line("53 get_position", Expected::Refused),
            1 => line("51 legal_actions", Expected::Refused),
            2 => line("58 perft 1", Expected::Refused),
            3 => line("7 reset_board", Expected::Now(Box::new(Naive::start()))),
            4 | 5 => match moves.choose(self.source) {
                Some(chosen) => line(&request(chosen), Expected::Turned),
                None => line("12 genmove unknown", Expected::Refused),
            },
            6 => line("12 genmove red", Expected::Turned),
            _ => line("12 genmove black", Expected::Turned),
        }
    }

    /// A well-formed ply that is not legal.
    fn illegal(&mut self) -> Sensible {
        let possible = self.shadow.game.possible_plies();
        loop {
            let (from, to) = (self.square(), self.square());
            let ply = if self.source.random_bool(0.3) {
                format!("{from}({})", self.one_of(&["K", "G", "P", "k", "c", "p"]))
            } else {
                format!("{from}-{to}")
            };
            if !possible.contains(&ply) {
                return line(&request(&ply), Expected::Refused);
            }
        }
    }

    fn square(&mut self) -> String {
        let column = self.one_of(&["a", "b", "c", "d"]).to_string();
        column + self.one_of(&["1", "2", "3", "4", "5", "6", "7", "8"])
    }

    fn setting_up(&mut self) -> Sensible {
        let game = some_game(self.source);
        match self.source.random_range(0..8) {
            0 => line("7 reset_board", Expected::Now(Box::new(Naive::start()))),
            1 => line("50 position start", Expected::Now(Box::new(Naive::start()))),
            2 if !game.record().is_empty() => {
                let text = format!("50 position start moves {}", game.record().join(" "));
                line(&text, Expected::Now(Box::new(game)))
            }
            3 => line(
                &format!("18 init_board {}", squares_and_counts(&game)),
                Expected::Board(Box::new(game)),
            ),
            _ => {
                let text = game.to_string();
                let bare = Naive::parse(&text).expect("a printed position");
                line(
                    &format!("50 position {text}"),
                    Expected::Now(Box::new(bare)),
                )
            }
        }
    }

    fn question(&mut self) -> Sensible {
        let game = &self.shadow.game;
        match self.source.random_range(0..8) {
            0 => line("53 get_position", Expected::Answer(format!("=53 {game}"))),
            1 => {
                let legal = game.legal().join(" ");
                line(
                    "51 legal_actions",
                    Expected::Answer(format!("=51 {legal}").trim_end().to_string()),
                )
            }
            2 => line(
                "58 perft 1",
                Expected::Answer(format!("=58 {}", game.perft(1))),
            ),
            3 if game.legal().len() < 12 => line(
                "58 perft 2",
                Expected::Answer(format!("=58 {}", game.perft(2))),
            ),
            4 => line("get_position", Expected::Answer(format!("= {game}"))),
            _ => line("59 result", Expected::Result),
        }
    }

    fn ordinary(&mut self) -> Sensible {
        let text = self.one_of(&[
            "1 name",
            "2 version",
            "4 list_commands",
            "6 boardsize 4 8",
            "6 boardsize 8 4",
            "13 game_over draw",
            "14 ready",
            "15 time_setting 900000",
            "15 time_settings 1000",
            "16 time_left red 899000",
            "16 time_left black 12",
            "17 showboard",
            "57 options",
            "name",
            "showboard",
        ]);
        match self.source.random_range(0..8) {
            0 => line(
                "0 protocol_version",
                Expected::Answer("=0 1.1.0".to_string()),
            ),
            1 => line(
                "3 known_command genmove",
                Expected::Answer("=3 true".to_string()),
            ),
            2 => line(
                "3 known_command fly",
                Expected::Answer("=3 false".to_string()),
            ),
            3 => line("60 probe", Expected::Anything),
            4 => line("55 stop", Expected::Anything),
            _ => line(text, Expected::Accepted),
        }
    }

    fn thinking(&mut self) -> Sensible {
        let own = match self.shadow.game.turn() {
            'r' => "12 genmove red",
            'b' => "12 genmove black",
            _ => "12 genmove unknown",
        };
        let text = self.one_of(&[
            own,
            own,
            own,
            "12 genmove red",
            "12 genmove black",
            "12 genmove unknown",
            "54 go depth 1",
            "54 go nodes 20",
            "54 go movetime 2",
            "go depth 1 multipv 3",
        ]);
        line(text, Expected::Anything)
    }

    fn rules(&mut self) -> Sensible {
        match self.source.random_range(0..8) {
            0 => line("8 num_repetition 3", Expected::OtherRules),
            1 => line("9 num_moves_to_draw 60", Expected::OtherRules),
            2 => line("9 num_moves_to_draw 0", Expected::OtherRules),
            3 | 4 => line("56 set rules platform", Expected::Rules("platform")),
            5 => line("56 set rules paper", Expected::Rules("paper")),
            6 => line("56 set rules openspiel", Expected::Rules("openspiel")),
            _ => line("56 set rules olympiad", Expected::Rules("olympiad")),
        }
    }

    fn option(&mut self) -> Sensible {
        let text = self.one_of(&[
            "56 set seed 7",
            "56 set threads 1",
            "56 set hash 1",
            "56 set info on",
            "56 set info off",
            "56 set player random",
            "56 set player greedy",
            "56 set player champion",
            "56 set player basic",
            "56 set player var3",
        ]);
        match self.source.random_range(0..12) {
            0 => line("5 quit", Expected::Accepted),
            1 => line("", Expected::Accepted),
            2 => line("# a remark", Expected::Accepted),
            _ => line(text, Expected::Anything),
        }
    }
}

fn line(text: &str, expected: Expected) -> Sensible {
    Sensible {
        text: text.to_string(),
        expected,
    }
}

/// Returns the request that reports a ply.
fn request(ply: &str) -> String {
    match ply.strip_suffix(')').and_then(|ply| ply.split_once('(')) {
        Some((square, letter)) => format!("11 flip {square} {letter}"),
        None => format!("10 move {}", ply.replace('-', " ")),
    }
}

/// Returns a random game of random length, over or not.
fn some_game(source: &mut Pcg64) -> Naive {
    if source.random_bool(0.4) {
        return near_the_end(source);
    }
    let mut game = Naive::start();
    for _ in 0..source.random_range(0..80) {
        let possible = game.possible_plies();
        // A flip has up to fourteen outcomes: without a preference for moves flips would dominate.
        let moves: Vec<&String> = possible.iter().filter(|ply| ply.contains('-')).collect();
        let chosen = if source.random_bool(0.5) {
            moves.choose(source).copied().or(possible.choose(source))
        } else {
            possible.choose(source)
        };
        let Some(ply) = chosen.cloned() else { break };
        game.play(&ply).expect("a possible ply");
    }
    game
}

/// Returns a position of few pieces, often near a limit of the draw rules: one that may be over, or soon will be.
fn near_the_end(source: &mut Pcg64) -> Naive {
    let mut letters: Vec<String> = LETTERS.chars().map(String::from).collect();
    letters.shuffle(source);
    let hidden = if source.random_bool(0.4) {
        letters[0].clone()
    } else {
        "-".to_string()
    };
    letters[0] = if hidden == "-" { "1" } else { "?" }.to_string();
    letters.truncate(1 + source.random_range(1..=4));
    letters.resize(32, "1".to_string());
    letters.shuffle(source);
    let rows: Vec<String> = letters.chunks(4).map(<[String]>::concat).collect();
    let turn = if source.random_bool(0.5) { 'r' } else { 'b' };
    let quiet = [0, 0, 0, 39, 49, 58, 60, 177, 179][source.random_range(0..9)];
    let text = format!("{} {turn} {hidden} {quiet} {}", rows.join("/"), quiet + 40);
    let game = Naive::parse(&text).expect("a position string");
    // Runs of empty squares are written as one digit: read what is printed.
    Naive::parse(&game.to_string()).expect("a printed position")
}

/// Returns the arguments of `init_board`: the squares from a8 to d1, then the living pieces in the records' order.
fn squares_and_counts(game: &Naive) -> String {
    let mut words = Vec::new();
    let mut living = game.hidden();
    for row in (1..=8).rev() {
        for column in ['a', 'b', 'c', 'd'] {
            let square = game.at(&format!("{column}{row}"));
            living.push(square);
            words.push(match square {
                '?' => "X".to_string(),
                '.' => "-".to_string(),
                piece => piece.to_string(),
            });
        }
    }
    for letter in LETTERS.chars() {
        words.push(living.matches(letter).count().to_string());
    }
    words.join(" ")
}

fn words(line: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(line).into_owned();
    text.split_ascii_whitespace()
        .map(ToString::to_string)
        .collect()
}

/// Returns whether a line asks nothing: it is empty or a comment. A line of too many blanks is too long, not empty.
pub fn asks_nothing(line: &[u8]) -> bool {
    let trimmed = line.trim_ascii();
    trimmed.starts_with(b"#") || (trimmed.is_empty() && line.len() <= MAX_LINE_BYTES)
}

/// Returns whether a line is a well-formed `quit`.
pub fn ends_the_conversation(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else {
        return false;
    };
    if line.len() > MAX_LINE_BYTES {
        return false;
    }
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match words.as_slice() {
        ["quit"] => true,
        [number, "quit"] => number.bytes().all(|b| b.is_ascii_digit()) && number.parse() == Ok(5),
        _ => false,
    }
}

/// Returns whether the engine may think about a line, so that a `stop` must follow it.
pub fn may_think(line: &[u8]) -> bool {
    let words = words(line);
    words.iter().any(|word| word == "go" || word == "genmove")
}

/// Returns whether a line asks for more than a fuzzer can wait for: deep counts, gigabytes.
pub fn is_too_expensive(line: &[u8]) -> bool {
    let words = words(line);
    let has = |name: &str| words.iter().any(|word| word == name);
    let largest = words
        .iter()
        .skip(1)
        .filter_map(|word| word.parse::<u64>().ok())
        .max();
    let largest = largest.unwrap_or_default();
    (has("perft") && largest > 2) || ((has("hash") || has("threads")) && largest > 16)
}

/// Returns the beginnings that the answer to a line may have.
///
/// A line whose first word is a number is answered under that number.
pub fn possible_heads(line: &[u8]) -> [String; 2] {
    let first = line
        .trim_ascii()
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    let digits = !first.is_empty() && first.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(first)
        .ok()
        .and_then(|text| text.parse::<u32>().ok());
    let number = number
        .filter(|_| digits)
        .map(|number| number.to_string())
        .unwrap_or_default();
    [format!("={number}"), format!("?{number}")]
}
