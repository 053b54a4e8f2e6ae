//! Where the points of saved games went: what each decision gave away, by a judge that searches far deeper.
//!
//! The judge names the action that it prefers. Where the player chose another, both are valued alike, each by a search
//! of its own, and the error is the difference. It may be negative: the search that prefers an action flatters it,
//! those that value it do not. So the sum of many errors is right on average as far as the judge is.
//!
//! To judge every decision would take days, so each is drawn with the same chance and counts in proportion.

use std::collections::BTreeMap;
use std::path::Path;

use anqi_match::export::schema::What;
use anqi_match::export::source::MatchSourceError;
pub use anqi_match::export::source::SavedMatch;
use anqi_match::journal::{Journal, JournalError, JournalRun, first_difference};
use anqi_match::record::PairRecord;
use anqi_match::replay::{GameFault, replayed};
use anqi_match::report::plot::standalone;
use anqi_match::seed;
use anqi_match::side::Side;
use anqi_match::statistics::normal::Z_95;
use anqi_rules::{Action, Game, Rules};
use anqi_search::{Limits, Player};
use serde::{Deserialize, Serialize};

use crate::regret::{Mean, choose, mean_of, value};
use crate::training::split::share;
use crate::tuning::plot::{Axes, Point, Series, scores};

/// Phases by the number of face-down pieces, from this number on.
pub const PHASES: [u32; 5] = [20, 10, 5, 1, 0];
/// A position of this value or more is won for practical purposes.
const WON: i32 = 8_000;
/// From this value or more a draw is a loss.
const BETTER: i32 = 3_000;
/// A draw, within this.
const EVEN: i32 = 1_000;

/// What was chosen instead of what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A flip instead of another.
    OtherFlip,
    /// A flip instead of a move.
    FlipForMove,
    /// A move instead of a flip.
    MoveForFlip,
    /// A step instead of a capture.
    CaptureMissed,
    /// A capture instead of a step.
    NeedlessCapture,
    /// A capture instead of another.
    OtherCapture,
    /// A step instead of another.
    OtherStep,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::OtherFlip,
        Kind::FlipForMove,
        Kind::MoveForFlip,
        Kind::CaptureMissed,
        Kind::NeedlessCapture,
        Kind::OtherCapture,
        Kind::OtherStep,
    ];

    /// Returns the kind in words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::OtherFlip => "flip, another flip was better",
            Kind::FlipForMove => "flip, a move was better",
            Kind::MoveForFlip => "move, a flip was better",
            Kind::CaptureMissed => "capture missed",
            Kind::NeedlessCapture => "capture, a step was better",
            Kind::OtherCapture => "capture, another was better",
            Kind::OtherStep => "step, another was better",
        }
    }

    fn of(game: &Game, chosen: Action, better: Action) -> Kind {
        let captures =
            |action: Action| !action.is_flip() && game.position().piece_at(action.to()).is_some();
        match (chosen.is_flip(), better.is_flip()) {
            (true, true) => Kind::OtherFlip,
            (true, false) => Kind::FlipForMove,
            (false, true) => Kind::MoveForFlip,
            (false, false) => match (captures(chosen), captures(better)) {
                (false, true) => Kind::CaptureMissed,
                (true, false) => Kind::NeedlessCapture,
                (true, true) => Kind::OtherCapture,
                (false, false) => Kind::OtherStep,
            },
        }
    }
}

/// A decision where the judge prefers another action.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mistake {
    /// What was chosen instead of what.
    pub kind: Kind,
    /// The action that the judge prefers.
    pub better: String,
    /// Its value for the side to move, in ten-thousandths of a win.
    pub value: i32,
    /// That value less the one of the action chosen.
    pub error: i32,
}

/// A judged decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// The match, from 0.
    pub of_match: usize,
    /// The number of the pair.
    pub pair: u64,
    /// Which of its games, 0 or 1.
    pub game: usize,
    /// The ply, from 0.
    pub ply: usize,
    /// Whose decision it was.
    pub side: Side,
    /// Pieces face down before it.
    pub face_down: u32,
    /// What was wrong with it, if anything was.
    pub mistake: Option<Mistake>,
}

impl Decision {
    fn place(&self) -> (usize, u64, usize, usize) {
        (self.of_match, self.pair, self.game, self.ply)
    }

    fn error(&self) -> i32 {
        self.mistake.as_ref().map_or(0, |mistake| mistake.error)
    }

    /// Returns the index of its phase.
    pub fn phase(&self) -> usize {
        let phase = PHASES.iter().position(|least| self.face_down >= *least);
        phase.expect("the last phase begins at none")
    }
}

/// What run a folder of decisions belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Inquiry {
    /// Name and version of the program.
    pub program: String,
    /// The matches, by their players, limits and seed.
    pub matches: Vec<String>,
    /// The judge's spec.
    pub judge: String,
    /// The nodes of each of its searches.
    pub nodes: u64,
    /// The chance that a decision is judged.
    pub share: f64,
    /// Decides which are.
    pub seed: u64,
}

impl JournalRun for Inquiry {
    const KIND: &str = "inquiry into decisions";
    const DESCRIPTION: &str = "inquiry.json";
    const PARTS: &str = "decisions.jsonl";
    type Part = Decision;

    fn difference(&self, found: &Inquiry) -> Option<&'static str> {
        let same = [
            ("the program", self.program == found.program),
            ("the matches", self.matches == found.matches),
            ("the judge", self.judge == found.judge),
            ("its nodes", self.nodes == found.nodes),
            ("the share", self.share == found.share),
            ("the seed", self.seed == found.seed),
        ];
        first_difference(same)
    }
}

/// Why decisions cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum DecisionsError {
    /// The matches cannot be read.
    #[error(transparent)]
    Source(#[from] MatchSourceError),
    /// A game is not as recorded.
    #[error("pair {pair}: {fault}")]
    Game {
        /// The number of its pair.
        pair: u64,
        /// What is wrong.
        fault: GameFault,
    },
    /// The folder of decisions.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Reads saved matches.
///
/// # Errors
///
/// Fails if a folder holds none.
pub fn read(folders: &[std::path::PathBuf]) -> Result<Vec<SavedMatch>, DecisionsError> {
    Ok(SavedMatch::read_all(What::Games, folders)?)
}

/// Returns what a match is, in one line.
pub fn name(saved: &SavedMatch) -> String {
    let identity = &saved.meta.identity;
    format!(
        "{} ({}) against {} ({}), {} rules, seed {}",
        identity.names.a,
        identity.limits.a,
        identity.names.b,
        identity.limits.b,
        identity.rules,
        identity.seed
    )
}

/// Opens the folder of an inquiry and returns the decisions that are there.
///
/// # Errors
///
/// Fails as [`Journal::open`] does.
pub fn open(
    folder: &Path,
    inquiry: &Inquiry,
) -> Result<(Journal<Inquiry>, Vec<Decision>), DecisionsError> {
    let mut decisions = Vec::new();
    let journal = Journal::open(folder, inquiry, |line| {
        decisions.push(serde_json::from_slice(line).map_err(|error| error.to_string())?);
        Ok(())
    })?;
    Ok((journal, decisions))
}

/// A game of which some decisions are to be judged.
#[derive(Clone, Debug)]
pub struct Task {
    game: Game,
    /// Those decisions, without their mistakes.
    decisions: Vec<Decision>,
}

/// Returns what is left to judge, game by game, of one side or of both.
///
/// # Errors
///
/// Fails if a game is not as recorded.
pub fn tasks(
    matches: &[SavedMatch],
    inquiry: &Inquiry,
    judged: &[Decision],
    only: Option<Side>,
) -> Result<Vec<Task>, DecisionsError> {
    let done: std::collections::BTreeSet<_> = judged.iter().map(Decision::place).collect();
    let mut tasks = Vec::new();
    for (of_match, saved) in matches.iter().enumerate() {
        for pair in &saved.records {
            for index in 0..pair.games.len() {
                let mut task = drawn(of_match, pair, index, saved.rules(), inquiry)?;
                task.decisions.retain(|one| {
                    only.is_none_or(|side| side == one.side) && !done.contains(&one.place())
                });
                if !task.decisions.is_empty() {
                    tasks.push(task);
                }
            }
        }
    }
    Ok(tasks)
}

/// The decisions of a game that are drawn. A side with one action has none to take, nor the one that flips first.
fn drawn(
    of_match: usize,
    pair: &PairRecord,
    index: usize,
    rules: Rules,
    inquiry: &Inquiry,
) -> Result<Task, DecisionsError> {
    let record = &pair.games[index];
    let game = replayed(record, rules, None);
    let number = pair.pair;
    let game = game.map_err(|fault| DecisionsError::Game {
        pair: number,
        fault,
    })?;
    let salt = (of_match as u64) << 33 | number << 1 | index as u64;
    let mut at = Game::new(*game.start(), rules);
    let mut decisions = Vec::new();
    for (ply, played) in game.plies().iter().enumerate() {
        let lot = share(seed::split_number(inquiry.seed, salt, ply as u64));
        let open = at.position().turn().is_some() && at.actions().len() > 1;
        if open && lot < inquiry.share {
            decisions.push(Decision {
                of_match,
                pair: number,
                game: index,
                ply,
                side: if ply % 2 == 0 {
                    record.starter
                } else {
                    !record.starter
                },
                face_down: at.position().face_down().len() as u32,
                mistake: None,
            });
        }
        at.play(*played).expect("it has been replayed");
    }
    Ok(Task { game, decisions })
}

impl Task {
    /// Returns how many decisions of the game are to be judged.
    pub fn decisions(&self) -> usize {
        self.decisions.len()
    }

    /// Judges its decisions, and hands each to `done`.
    ///
    /// # Errors
    ///
    /// Fails as `done` does.
    pub fn judge<E>(
        self,
        judge: &mut dyn Player,
        nodes: u64,
        mut done: impl FnMut(Decision) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = self.game.clone();
        for mut decision in self.decisions.into_iter().rev() {
            while at.plies().len() > decision.ply {
                at.undo();
            }
            let chosen = self.game.plies()[decision.ply].action;
            decision.mistake = mistake(judge, nodes, &at, chosen);
            done(decision)?;
        }
        Ok(())
    }
}

fn mistake(judge: &mut dyn Player, nodes: u64, at: &Game, chosen: Action) -> Option<Mistake> {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::NONE
    };
    let better = choose(judge, at, None, limits).action;
    if better == chosen {
        return None;
    }
    let mut value_of = |action: Action| {
        let choice = choose(judge, at, Some(&[action]), limits);
        choice.score.map_or(0, value)
    };
    let (value, other) = (value_of(better), value_of(chosen));
    Some(Mistake {
        kind: Kind::of(at, chosen, better),
        better: better.to_string(),
        value,
        error: value - other,
    })
}

/// Returns the name of a phase: its numbers of face-down pieces.
pub fn phase_name(phase: usize) -> String {
    let least = PHASES[phase];
    match phase.checked_sub(1).map(|above| PHASES[above] - 1) {
        None => format!("{least} or more"),
        Some(most) if most > least => format!("{least} to {most}"),
        Some(_) => least.to_string(),
    }
}

/// Draws what sides gave away in a hundred games, by phase, with 95 % intervals.
pub fn picture(sides: &[(Side, Given)]) -> String {
    let series = sides.iter().map(|(side, given)| Series {
        name: side.to_string(),
        points: (0..)
            .zip(&given.phases)
            .map(|(phase, mean)| Point {
                x: f64::from(phase),
                y: mean.mean,
                error: Z_95 * mean.error,
            })
            .collect(),
    });
    let labels: Vec<(f64, String)> = (0..PHASES.len())
        .map(|phase| (phase as f64, phase_name(phase)))
        .collect();
    standalone(&scores(
        &series.collect::<Vec<Series>>(),
        &Axes {
            labels: &labels,
            x: "pieces face down",
            y: "points given away in a hundred games, 95 %",
            equal: 0.0,
        },
    ))
}

/// What a side gave away, in points of a hundred games.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// By kind and phase.
    pub cells: BTreeMap<(Kind, usize), Mean>,
    /// By phase.
    pub phases: [Mean; PHASES.len()],
    /// By kind.
    pub kinds: BTreeMap<Kind, Mean>,
    /// In positions won for practical purposes.
    pub won: Mean,
    /// Where a better side let the other draw.
    pub drawn: Mean,
    /// In all.
    pub all: Mean,
    /// Decisions judged.
    pub judged: usize,
    /// Decisions where the judge prefers another action.
    pub mistakes: usize,
}

/// Sums up the decisions of one side.
///
/// A pair is one sample, since both of its games have the same deal.
pub fn given(
    matches: &[SavedMatch],
    decisions: &[Decision],
    inquiry: &Inquiry,
    side: Side,
) -> Given {
    let of = |decision: &&Decision| decision.side == side;
    let these: Vec<&Decision> = decisions.iter().filter(of).collect();
    let mut pairs: BTreeMap<(usize, u64), Vec<&Decision>> = BTreeMap::new();
    for (of_match, saved) in matches.iter().enumerate() {
        for pair in &saved.records {
            pairs.insert((of_match, pair.pair), Vec::new());
        }
    }
    for decision in &these {
        let pair = pairs.entry((decision.of_match, decision.pair));
        pair.or_default().push(decision);
    }
    // Two games a pair; 20,000 ten-thousandths lie between a loss and a win, which are a point apart.
    let scale = 100.0 / (2.0 * 20_000.0 * inquiry.share);
    let mean = |counts: &dyn Fn(&Decision) -> bool| {
        let sums = pairs.values().map(|all| {
            let those = all.iter().filter(|one| counts(one));
            scale * f64::from(those.map(|one| one.error()).sum::<i32>())
        });
        mean_of(sums)
    };
    let holds = |decision: &Decision, holds: &dyn Fn(&Mistake) -> bool| {
        decision.mistake.as_ref().is_some_and(holds)
    };
    let is = |decision: &Decision, kind: Kind| holds(decision, &|mistake| mistake.kind == kind);
    let cells = Kind::ALL
        .into_iter()
        .flat_map(|kind| (0..PHASES.len()).map(move |phase| (kind, phase)));
    Given {
        cells: cells
            .map(|(kind, phase)| {
                let those = mean(&|one| is(one, kind) && one.phase() == phase);
                ((kind, phase), those)
            })
            .collect(),
        phases: std::array::from_fn(|phase| mean(&|one| one.phase() == phase)),
        kinds: Kind::ALL
            .map(|kind| (kind, mean(&|one| is(one, kind))))
            .into(),
        won: mean(&|one| holds(one, &|mistake| mistake.value >= WON)),
        drawn: mean(&|one| {
            holds(one, &|mistake| {
                let left = mistake.value - mistake.error;
                mistake.value >= BETTER && left.abs() <= EVEN
            })
        }),
        all: mean(&|_| true),
        judged: these.len(),
        mistakes: these.iter().filter(|one| one.mistake.is_some()).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_named_by_what_was_chosen_and_what_was_better() {
        let text = "?R1k/1p2/4/4/4/4/3?/4 r PP 0 0";
        let game = Game::new(text.parse().unwrap(), Rules::OLYMPIAD);
        let kind = |chosen: &str, better: &str| {
            Kind::of(&game, chosen.parse().unwrap(), better.parse().unwrap())
        };
        assert_eq!(kind("a8-a8", "d2-d2"), Kind::OtherFlip);
        assert_eq!(kind("a8-a8", "b8-c8"), Kind::FlipForMove);
        assert_eq!(kind("b8-c8", "a8-a8"), Kind::MoveForFlip);
        assert_eq!(kind("b8-c8", "b8-b7"), Kind::CaptureMissed);
        assert_eq!(kind("b8-b7", "b8-c8"), Kind::NeedlessCapture);
        assert_eq!(kind("b8-c8", "b8-c8"), Kind::OtherStep);
        assert_eq!(kind("b8-b7", "b8-b7"), Kind::OtherCapture);
    }

    #[test]
    fn the_judge_names_the_capture_that_was_missed_and_what_it_was_worth() {
        let text = "R3/p3/4/4/4/4/4/3k r - 0 0";
        let game = Game::new(text.parse().unwrap(), Rules::OLYMPIAD);
        let mut judge = anqi_search::players::by_spec("champion:hash=1,tables=0").unwrap();
        let chosen = "a8-b8".parse().unwrap();
        let found = mistake(judge.as_mut(), 2_000, &game, chosen).unwrap();
        assert_eq!(found.kind, Kind::CaptureMissed);
        assert_eq!(found.better, "a8-a7");
        assert!(found.error > 0, "{found:?}");
        let best = "a8-a7".parse().unwrap();
        assert_eq!(mistake(judge.as_mut(), 2_000, &game, best), None);
    }
}
