//! One check of one engine: what it may use and how long it may take.

use std::time::{Duration, Instant};

use anqi_rules::notation::excerpt;
use anqi_rules::{Action, ByColor, Color, Game, Ply, Position, Rules};

use super::dialect::{Dialect, Target};
use super::finding::{Checked, fail, skip};
use super::games::Script;
use super::line::OneLine;
use super::tournament::{self, Tournament};
use super::uci::Uci;
use super::voice::{ANSWER, Pace, Voice};
use super::wire::Wire;

/// How strictly and with which numbers an engine is checked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The seed of the games.
    pub seed: u64,
    /// How much later than its time an engine may answer.
    pub margin: Duration,
    /// How long an engine that must stay silent is watched.
    pub watch: Duration,
    /// The most memory it may take, in bytes.
    pub memory_bytes: u64,
    /// The longest that one check may take.
    pub longest_check: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            margin: Duration::from_millis(250),
            watch: Duration::from_millis(400),
            memory_bytes: 1 << 30,
            longest_check: Duration::from_secs(30),
        }
    }
}

/// One check of one engine.
pub struct Exam<'a> {
    /// The engine.
    pub target: &'a Target,
    /// The settings.
    pub settings: &'a Settings,
    deadline: Instant,
}

impl<'a> Exam<'a> {
    /// Begins a check; its time runs from now.
    pub fn new(target: &'a Target, settings: &'a Settings) -> Exam<'a> {
        Exam {
            target,
            settings,
            deadline: Instant::now() + settings.longest_check,
        }
    }

    /// Returns the engine's dialect.
    pub fn dialect(&self) -> Dialect {
        self.target.dialect
    }

    /// Starts the engine and opens the conversation.
    pub fn open(&self) -> Checked<Partner> {
        let mut partner = Partner {
            wire: Wire::start(&self.target.launch, self.deadline)?,
            voice: voice(self.dialect()),
            game: new_game(),
            pace: Pace::Quick,
            name: String::new(),
        };
        partner.name = partner.voice.greet(&mut partner.wire)?;
        Ok(partner)
    }

    /// Starts the engine and begins a game.
    pub fn open_game(&self, pace: Pace) -> Checked<Partner> {
        let mut partner = self.open()?;
        partner.begin(pace)?;
        Ok(partner)
    }

    /// Starts an engine of the tournament protocol that knows all these commands, begins a
    /// game, and skips the check of one that does not know them.
    pub fn open_knowing(&self, commands: &[&str]) -> Checked<Partner> {
        let mut partner = self.open()?;
        if self.dialect() == Dialect::Tournament {
            for command in commands {
                if !tournament::knows(&mut partner.wire, command)? {
                    return skip(format!("the engine does not know the command {command}"));
                }
            }
        }
        partner.begin(Pace::Quick)?;
        Ok(partner)
    }

    /// Plays scripts, each in a process of its own, and checks every answer's legality.
    pub fn walk(&self, scripts: &[Script]) -> Checked {
        for script in scripts {
            let mut partner = self.open_game(Pace::Quick)?;
            partner.walk(script)?;
        }
        Ok(())
    }
}

/// Returns the asking side of a dialect.
fn voice(dialect: Dialect) -> Box<dyn Voice> {
    match dialect {
        Dialect::Tournament => Box::new(Tournament),
        Dialect::Uci => Box::new(Uci),
        Dialect::Line => Box::new(OneLine),
    }
}

fn new_game() -> Game {
    Game::new(Position::start(), Rules::OLYMPIAD)
}

/// An answer and how long it took.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The action, legal.
    pub action: Action,
    /// The time from asking to reading the answer.
    pub elapsed: Duration,
}

/// A running engine in a game.
pub struct Partner {
    /// The pipe to it.
    pub wire: Wire,
    /// Its dialect.
    pub voice: Box<dyn Voice>,
    /// The game so far.
    pub game: Game,
    /// The time it is told it has.
    pub pace: Pace,
    /// How it introduced itself.
    pub name: String,
}

impl Partner {
    /// Begins a game in the same process.
    pub fn begin(&mut self, pace: Pace) -> Checked {
        self.pace = pace;
        self.game = new_game();
        self.voice.begin(&mut self.wire, pace)
    }

    /// Plays a ply and tells it.
    pub fn play(&mut self, ply: Ply) -> Checked {
        self.game.play(ply).expect("checks play legal plies");
        self.voice.tell(&mut self.wire, &self.game, self.pace)
    }

    /// Plays plies written as in records.
    pub fn play_all(&mut self, plies: &str) -> Checked {
        for ply in plies.split_whitespace() {
            self.play(ply.parse().expect("checks write their plies well"))?;
        }
        Ok(())
    }

    /// Asks for an action and waits for it as long as for any answer.
    pub fn ask(&mut self) -> Checked<Answer> {
        self.ask_within(ANSWER)
    }

    /// Asks for an action, which must come within a time and be legal.
    pub fn ask_within(&mut self, limit: Duration) -> Checked<Answer> {
        self.voice.ask(&mut self.wire, &self.game, self.pace);
        self.answer_within(limit)
    }

    /// Reads the answer to a question that was sent, which must be legal.
    pub fn answer_within(&mut self, limit: Duration) -> Checked<Answer> {
        let begun = Instant::now();
        let action = self.voice.answer(&mut self.wire, limit)?;
        let elapsed = begun.elapsed();
        match self.game.check_action(action) {
            Ok(()) => Ok(Answer { action, elapsed }),
            Err(error) => fail(format!(
                "{action} is illegal at {}: {error}",
                self.game.position()
            )),
        }
    }

    /// Tells the clocks without a ply, where a dialect can.
    pub fn set_clocks(&mut self, red: f64, black: f64) {
        self.pace = Pace::Clocks(ByColor([red, black]));
    }

    /// Returns the colour to move, red before the first flip.
    pub fn mover(&self) -> Color {
        self.game.position().turn().unwrap_or(Color::Red)
    }

    /// Plays a script and checks the legality of every answer that it asks for.
    fn walk(&mut self, script: &Script) -> Checked {
        let mut asked = script.asked.iter().peekable();
        for number in 0..=script.plies.len() {
            if asked.next_if_eq(&&number).is_some() {
                self.ask()?;
            }
            if let Some(&ply) = script.plies.get(number) {
                self.play(ply)?;
            }
        }
        Ok(())
    }

    /// Waits so long and fails if the engine answers, as it must not before `event`.
    pub fn expect_no_answer(&mut self, event: &str, time: Duration) -> Checked {
        let unwanted = format!("an answer before {event}");
        let voice = &self.voice;
        self.wire
            .expect_none(&unwanted, time, |line| voice.is_answer(line))
    }

    /// Fails if the engine wrote lines that answer nothing.
    pub fn expect_no_stray(&self) -> Checked {
        match self.wire.stray().first() {
            None => Ok(()),
            Some(line) => fail(format!("'{}' answers nothing", excerpt(line))),
        }
    }
}
