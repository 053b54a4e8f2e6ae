//! Between this format and the platform's records.

use super::{Annotation, GameResult, PgnGame, Termination};
use crate::board::BoardText;
use crate::record::{Date, PlatformReason, PlatformVerdict, PlayerName, Record, ReplayError};
use anqi_rules::{DrawReason, Game, Outcome, Rules};

/// What a format of records cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lost(pub String);

impl PgnGame {
    /// Returns the platform's record in this format; it was played under these rules.
    ///
    /// The times at which plies began become the time that each took.
    ///
    /// # Errors
    ///
    /// Returns an error if the record cannot be replayed.
    pub fn of_record(record: &Record, rules: Rules) -> Result<PgnGame, ReplayError> {
        let game = record.game(rules)?;
        let names = record.players.each_ref().map(PlayerName::as_str);
        let mut pgn = PgnGame::of_game(&game, names);
        if let Some(date) = record.date {
            pgn.set_date(date);
        }
        if let Some(seconds) = record.seconds {
            pgn.tags.set("TimeControl", &seconds.to_string());
        }
        for (ply, stamps) in pgn.plies.iter_mut().zip(record.stamps.windows(2)) {
            ply.annotation.elapsed_ms = stamps[1].checked_sub(stamps[0]);
        }
        if let Some(verdict) = &record.verdict {
            pgn.set_verdict(verdict);
        }
        Ok(pgn)
    }

    /// Sets the tags of date and time.
    pub fn set_date(&mut self, date: Date) {
        let Date {
            year,
            month,
            day,
            hour,
            minute,
        } = date;
        self.tags
            .set("Date", &format!("{year:04}.{month:02}.{day:02}"));
        self.tags.set("Time", &format!("{hour:02}:{minute:02}:00"));
    }

    /// Returns date and time, if the tags have both; without a time, the beginning of the day.
    pub fn date(&self) -> Option<Date> {
        let numbers = |text: &str, sign: char| -> Option<Vec<u16>> {
            text.split(sign).map(|part| part.parse().ok()).collect()
        };
        let [year, month, day] = numbers(self.tags.get("Date")?, '.')?.try_into().ok()?;
        let time = self.tags.get("Time").and_then(|time| numbers(time, ':'));
        let (hour, minute) = match time.as_deref() {
            Some([hour @ 0..=23, minute @ 0..=59, ..]) => (*hour as u8, *minute as u8),
            _ => (0, 0),
        };
        let possible = (1..=12).contains(&month) && (1..=31).contains(&day);
        possible.then_some(Date {
            year,
            month: month as u8,
            day: day as u8,
            hour,
            minute,
        })
    }

    fn set_verdict(&mut self, verdict: &PlatformVerdict) {
        let told = match verdict.half_points {
            [2, 0] => GameResult::FirstWins,
            [0, 2] => GameResult::SecondWins,
            _ => GameResult::Draw,
        };
        // The board knows whether a side without a move has any piece left.
        let shown = self.termination.take().filter(|_| self.result == told);
        self.result = told;
        self.termination = match &verdict.reason {
            PlatformReason::NoMove => shown.or(Some(Termination::NoLegalAction)),
            PlatformReason::NoEatFlipDraw => Some(Termination::QuietLimit),
            PlatformReason::PositionRepetitionDraw { .. } => Some(Termination::Repetition),
            PlatformReason::TimeOut => Some(Termination::TimeForfeit),
            PlatformReason::Resign => Some(Termination::Resignation),
            PlatformReason::Other(word) => Termination::read(word.as_str()),
        };
    }

    /// Returns the record as the platform has it, and what that cannot hold; `rules` are those of
    /// a game that names none.
    pub fn to_record(&self, rules: Rules) -> (Record, Vec<Lost>) {
        let rules = self.rules.unwrap_or(rules);
        let players = self.players().map(PlayerName::new);
        let mut game = Game::new(self.start, rules);
        for ply in self.main_line() {
            // Plies of a game that was read are legal.
            if game.play(ply.ply).is_err() {
                break;
            }
        }
        let time = self.tags.get("TimeControl");
        let record = Record {
            date: self.date(),
            first: self.first_color(),
            board: BoardText::of(&self.start),
            seconds: time.and_then(|time| time.parse().ok()),
            verdict: self.verdict(&game, &players),
            plies: game.plies().to_vec(),
            comment: None,
            stamps: Vec::new(),
            players,
        };
        (record, self.lost_by_platform(rules))
    }

    fn verdict(&self, game: &Game, players: &[PlayerName; 2]) -> Option<PlatformVerdict> {
        let reason = self.reason_for_platform(game);
        match self.result {
            GameResult::Unfinished => None,
            GameResult::FirstWins => Some(PlatformVerdict::win(reason, 0, players)),
            GameResult::SecondWins => Some(PlatformVerdict::win(reason, 1, players)),
            GameResult::Draw => Some(PlatformVerdict::draw(reason, players)),
        }
    }

    fn reason_for_platform(&self, game: &Game) -> PlatformReason {
        let other = |words: &str| PlatformReason::Other(PlayerName::new(words));
        match &self.termination {
            Some(Termination::NoLegalAction | Termination::Annihilation) => PlatformReason::NoMove,
            Some(Termination::QuietLimit) => PlatformReason::NoEatFlipDraw,
            Some(Termination::TimeForfeit) => PlatformReason::TimeOut,
            Some(Termination::Resignation) => PlatformReason::Resign,
            Some(Termination::Repetition) => match game.outcome() {
                Some(Outcome::Draw(DrawReason::Repetition { period })) => {
                    let times = game.rules().repetition.times();
                    PlatformReason::PositionRepetitionDraw { times, period }
                }
                _ => other(Termination::Repetition.text()),
            },
            Some(Termination::Agreement) => other("Agreement"),
            Some(words) => other(words.text()),
            None => other("Normal"),
        }
    }

    fn lost_by_platform(&self, rules: Rules) -> Vec<Lost> {
        let annotations = || {
            let plies = self.plies.iter().map(|ply| &ply.annotation);
            plies.chain([&self.annotation])
        };
        let any = |holds: &dyn Fn(&Annotation) -> bool| annotations().any(holds);
        let time = self.tags.get("TimeControl");
        let plain = |name: &str| PlayerName::new(name).as_str() == name;
        let counters = (self.start.quiet_counter(), self.start.ply()) != (0, 0);
        let facts = [
            (self.has_variations(), "variations"),
            (any(&|said| !said.text().is_empty()), "comments"),
            (
                self.plies.iter().any(|ply| !ply.glyphs.is_empty()),
                "annotation glyphs",
            ),
            (any(&|said| said.eval.is_some()), "evaluations"),
            (any(&|said| said.clock_ms.is_some()), "clocks"),
            (any(&|said| said.elapsed_ms.is_some()), "times of the plies"),
            (rules != Rules::PLATFORM, "the name of the rules"),
            (
                time.is_some_and(|time| time.parse::<u64>().is_err()),
                "the time control",
            ),
            (
                !self.players().into_iter().all(plain),
                "blanks in the players' names",
            ),
            (counters, "the counters of the position it begins with"),
            (self.deal.is_some(), "the commitment to the deal"),
        ];
        let facts = facts.into_iter().filter(|(lost, _)| *lost);
        let mut lost: Vec<Lost> = facts.map(|(_, what)| Lost(what.to_owned())).collect();
        const HELD: [&str; 5] = ["First", "Second", "Date", "Time", "TimeControl"];
        let others = self.tags.iter().filter(|(name, _)| !HELD.contains(name));
        lost.extend(others.map(|(name, _)| Lost(format!("the tag {name}"))));
        lost
    }
}
