//! Engines that run an outside program over the one-line dialect of a course's server.
//!
//! A line with a board and the two clocks asks for an action; a line whose clocks are
//! both −9999 shows a board on which the opponent is to move. The first line that the
//! program writes after a question is its answer. The server starts a process for each
//! game, and so does this client.
//!
//! The dialect has one limit, the clocks. A program that should be held to another one is
//! told what comes nearest as its time left before every move: the time of a move, or
//! [`WITHOUT_CLOCK`].

use std::path::Path;
use std::time::Duration;

use anqi_protocol::Launch;
use anqi_rules::{Action, Color, Position, Rules};

use super::banqi_lines;
use super::talk::Talk;
use crate::clock::TimeLeft;
use crate::engine::{Engine, EngineFault, MoveReply, MoveRequest, NewGame, PlyNotice};
use crate::interrupt::Interrupt;
use crate::limits::{Limits, TimeControl};

/// The clock of a game without one: some seconds a move for a program that plans for thirty more.
const WITHOUT_CLOCK: Duration = Duration::from_secs(30);
/// The clocks of a line that is not to be answered.
const NOT_ASKED: &str = "-9999 -9999";

/// An engine for a program that speaks the dialect.
pub struct LineEngine {
    launch: Launch,
    interrupt: Interrupt,
    talk: Talk,
    /// Whether this process has been sent nothing yet.
    fresh: bool,
    start: Position,
    /// Whether the next ply is its own.
    answered: bool,
    /// The opponent's time left, as last reported.
    opponent: Option<Duration>,
}

impl LineEngine {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started.
    pub fn start(launch: &Launch, interrupt: &Interrupt) -> Result<LineEngine, EngineFault> {
        Ok(LineEngine {
            launch: launch.clone(),
            interrupt: interrupt.clone(),
            talk: Talk::start(launch, interrupt)?,
            fresh: true,
            start: Position::start(),
            answered: false,
            opponent: None,
        })
    }

    /// Shows a board that is not to be answered.
    fn show(&mut self, position: &Position) -> Result<(), EngineFault> {
        self.fresh = false;
        let board = banqi_lines::board(position);
        self.talk.send(&format!("{board} {NOT_ASKED}"))
    }
}

impl Engine for LineEngine {
    fn new_game(&mut self, game: &NewGame) -> Result<(), EngineFault> {
        if !tells_all(&game.start) {
            let why = "the one-line dialect cannot say which pieces were captured before";
            return Err(EngineFault::BadAnswer(why.to_owned()));
        }
        if !self.fresh {
            self.talk = Talk::start(&self.launch, &self.interrupt)?;
        }
        self.fresh = true;
        self.start = game.start;
        self.answered = false;
        self.opponent = None;
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, EngineFault> {
        let position = request.game.position();
        let own = time_told(request.time);
        let question = question(position, own, self.opponent.unwrap_or(own));
        self.fresh = false;
        self.talk.send(&question)?;
        let answer = self
            .talk
            .wait_for("answer", request.deadline, |line| !line.is_empty())?;
        self.answered = true;
        Ok(MoveReply {
            action: read_answer(&answer)?,
            nodes: 0,
            value: None,
        })
    }

    fn notify(&mut self, played: &PlyNotice<'_>) -> Result<(), EngineFault> {
        if !std::mem::take(&mut self.answered) {
            if self.fresh {
                // The opponent begins: the server shows both programs the first board.
                let start = self.start;
                self.show(&start)?;
            }
            self.opponent = Some(time_told(played.time));
            return Ok(());
        }
        match played.game.outcome() {
            None => self.show(played.game.position()),
            Some(_) => Ok(()),
        }
    }
}

/// Returns whether the board alone tells which pieces are face down.
fn tells_all(position: &Position) -> bool {
    let living: u32 = Color::ALL
        .into_iter()
        .map(|side| position.living(side))
        .sum();
    position.hidden().is_empty() || living == 32
}

/// Returns the line that asks for an action.
pub fn question(position: &Position, own: Duration, opponent: Duration) -> String {
    let clocks = match position.turn().unwrap_or(Color::Red) {
        Color::Red => [own, opponent],
        Color::Black => [opponent, own],
    };
    let [red, black] = clocks.map(|clock| clock.as_secs_f64() * 1e3);
    format!("{} {red} {black}", banqi_lines::board(position))
}

fn read_answer(line: &str) -> Result<Action, EngineFault> {
    banqi_lines::parse_action(line).ok_or_else(|| {
        EngineFault::BadAnswer(format!(
            "'{line}' is not an action (expected FLIP D2 or MOVE A1 A2)"
        ))
    })
}

/// Returns the time that a program is told it has left.
fn time_told(time: TimeLeft) -> Duration {
    match time {
        TimeLeft::Total { left, .. } => left,
        TimeLeft::PerMove(time) => time,
        TimeLeft::Unlimited => WITHOUT_CLOCK,
    }
}

/// Returns the name of a program that cannot be asked for one.
pub fn name(launch: &Launch) -> String {
    let path = Path::new(&launch.program);
    let name = path.file_name().unwrap_or(&launch.program);
    name.to_string_lossy().into_owned()
}

/// Says why a program cannot be held to these limits, if it cannot.
pub fn limit_warning(limits: &Limits) -> Option<String> {
    let instead = match limits.time {
        Some(TimeControl::Total {
            increment_ms: 0, ..
        }) if limits.only_time() => return None,
        Some(TimeControl::Total { .. }) => "its clock alone".to_owned(),
        Some(TimeControl::PerMove { move_ms }) => format!("{move_ms} ms left before every move"),
        None => format!("{} s left before every move", WITHOUT_CLOCK.as_secs()),
    };
    Some(format!(
        "the one-line dialect has nothing but clocks, so it is told {instead}"
    ))
}

/// Says that a program cannot be told these rules, if it cannot.
pub fn rules_warning(rules: Rules) -> Option<String> {
    (rules != Rules::COURSE).then(|| {
        let rules = rules.name().unwrap_or("custom");
        format!("the one-line dialect is played by the rules course; it cannot be told {rules}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_carry_the_clocks_of_red_and_black_as_the_server_writes_them() {
        let ms = Duration::from_micros;
        let start = Position::start();
        assert_eq!(
            question(&start, ms(6_000_000), ms(5_647_418)),
            "????????/????????/????????/???????? r 6000 5647.418"
        );
        let text = "K3/4/4/4/4/4/4/2g1 b - 0 8";
        let position = text.parse().expect("a position");
        assert_eq!(
            question(&position, ms(1_500), ms(2_000)),
            "7k/8/A7/8 b 2 1.5"
        );
    }

    #[test]
    fn nothing_but_a_clock_is_understood() {
        let limits = |time: Option<&str>, nodes| Limits {
            time: time.map(|text| text.parse().expect("a time control")),
            nodes,
            depth: None,
        };
        assert_eq!(limit_warning(&limits(Some("60+0"), None)), None);
        let told = |limits: &Limits| limit_warning(limits).expect("a warning");
        assert!(told(&limits(Some("60+1"), None)).contains("its clock alone"));
        assert!(told(&limits(Some("60+0"), Some(9))).contains("its clock alone"));
        assert!(told(&limits(None, Some(9))).contains("30 s left"));
    }

    #[test]
    fn only_the_rules_of_the_course_need_no_warning() {
        assert_eq!(rules_warning(Rules::COURSE), None);
        let told = rules_warning(Rules::PLATFORM).expect("a warning");
        assert!(told.contains("platform"), "{told}");
    }

    #[test]
    fn boards_that_hide_what_was_captured_are_known() {
        let tells = |text: &str| tells_all(&text.parse().expect("a position"));
        assert!(tells_all(&Position::start()));
        assert!(tells("K3/4/4/4/4/4/4/2g1 b - 0 8"));
        assert!(!tells("K3/4/4/4/4/4/4/?1g1 b p 0 8"));
    }
}
