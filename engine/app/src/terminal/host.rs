//! The host: runs games at a terminal, or at anything that reads and writes lines.
//!
//! The host draws the board when something has changed and a person is to
//! decide, reads what the person types, lets the players play, and goes on
//! until somebody quits or the input ends. Everything shown goes through one
//! writer and everything typed comes through one reader, so that whole games
//! run in tests without a terminal.

use super::board;
use super::deal::{Deal, DealError, Known};
use super::dealt::DealtGame;
use super::input;
use super::players::{Pairing, Players};
use super::style::{Ink, Style, Typing};
use super::thinking::think;
use super::words;
use anqi_rules::{Action, Game};
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Request, Stop};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// Longest line that is read; nobody types more.
const LONGEST_LINE: u64 = 4_096;

/// Columns from the first to the second ply of a round.
const ROUND_COLUMNS: usize = 9;

/// What a host needs to know before the first game.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The game to start from; usually nothing has been played in it.
    pub game: Game,
    /// Who plays.
    pub pairing: Pairing,
    /// What is known of the deal.
    pub known: Known,
    /// Seeds the deal and what players leave to chance.
    pub seed: u64,
    /// How long players may think.
    pub limits: Limits,
    /// How it looks.
    pub style: Style,
}

/// Why the host had to stop.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// Reading or writing failed.
    #[error("the game cannot go on")]
    Io(#[from] io::Error),
    /// The deal does not fit the position.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// There is no such player.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// What comes after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Leave,
}

/// Runs games.
pub struct Host<R, W> {
    input: R,
    pub(super) output: W,
    pub(super) setting: Setting,
    pub(super) seed: u64,
    pub(super) players: Players,
    pub(super) dealt: DealtGame,
    /// Sentences to show below the next board.
    pub(super) messages: Vec<String>,
    /// Whether the board has changed since it was drawn.
    pub(super) stale: bool,
    /// The file this game was last saved to or loaded from, which may be written over.
    pub(super) file: Option<PathBuf>,
}

impl<R: BufRead, W: Write> Host<R, W> {
    /// Deals the first game.
    ///
    /// # Errors
    ///
    /// Says which player does not exist or why the deal is impossible.
    pub fn new(setting: Setting, input: R, output: W) -> Result<Host<R, W>, HostError> {
        let players = Players::new(&setting.pairing, &setting.game)?;
        let dealt = deal_game(&setting.game, &setting.known, setting.seed, &players)?;
        Ok(Host {
            input,
            output,
            seed: setting.seed,
            setting,
            players,
            dealt,
            messages: Vec::new(),
            stale: true,
            file: None,
        })
    }

    /// Plays until somebody leaves, the input ends, or a game without people is over.
    ///
    /// # Errors
    ///
    /// Returns the error of the reader or writer.
    pub fn run(&mut self) -> Result<(), HostError> {
        self.greet()?;
        match self.players.has_human() {
            true => self.run_with_people()?,
            false => self.run_players()?,
        }
        Ok(self.output.flush()?)
    }

    fn run_with_people(&mut self) -> Result<(), HostError> {
        loop {
            let playing = self.dealt.end().is_none();
            if playing && !self.players.is_human(self.dealt.turn()) {
                self.player_turn()?;
            } else if self.ask()? == Next::Leave {
                return Ok(());
            }
        }
    }

    pub(super) fn greet(&mut self) -> io::Result<()> {
        let [first, second] = self.players.names();
        let begins = words::begins(first);
        writeln!(
            self.output,
            "Chinese dark chess: {begins} against {second}."
        )?;
        if !self.dealt.game().position().face_down().is_empty() {
            let seed = self.seed;
            writeln!(
                self.output,
                "Deal {seed}: --seed {seed} lays the pieces this way again."
            )?;
        }
        if self.players.has_human() {
            let hint = "Type b2 to flip b2, b2 b3 to go from b2 to b3, or help, rules, quit.";
            writeln!(self.output, "{hint}")?;
        }
        writeln!(self.output)
    }

    /// Lets two players finish their game, a round a line.
    fn run_players(&mut self) -> io::Result<()> {
        let begun = self.dealt.game().plies().len();
        let mut gap = 0;
        for number in begun.. {
            if self.dealt.end().is_some() {
                break;
            }
            let action = self.decide()?;
            let ply = self.play_decided(action)?.ply.to_string();
            let round = number / 2 + 1;
            match (number % 2, number == begun) {
                (0, true) => write!(self.output, "{round:>4}. {ply}")?,
                (0, false) => write!(self.output, "\n{round:>4}. {ply}")?,
                (_, true) => write!(self.output, "{round:>4}. …        {ply}")?,
                // The column of the second ply stays the same whatever the first was.
                (_, false) => write!(self.output, "{:gap$}{ply}", "")?,
            }
            gap = ROUND_COLUMNS.saturating_sub(ply.len()).max(1);
            self.output.flush()?;
        }
        if self.dealt.game().plies().len() > begun {
            writeln!(self.output)?;
        }
        self.messages.clear();
        writeln!(self.output)?;
        self.show()
    }

    /// Lets the player whose turn it is play.
    fn player_turn(&mut self) -> io::Result<()> {
        let action = self.decide()?;
        let event = self.play_decided(action)?;
        let names = self.players.names();
        let sentence = words::event(&event, &self.dealt, names, self.setting.style);
        self.messages.push(sentence);
        Ok(())
    }

    fn decide(&mut self) -> io::Result<Action> {
        let order = self.dealt.turn();
        let name = self.players.names()[order.index()].clone();
        let player = self.players.player(order).expect("asked only of players");
        let request = Request {
            game: self.dealt.game(),
            limits: self.setting.limits,
            seed: self.seed,
            stop: &Stop::new(),
        };
        let audience = self.setting.style.audience;
        think(player, &request, &name, audience, &mut self.output).map(|choice| choice.action)
    }

    /// Plays what a player has decided; an illegal decision is the player's fault and ends the program.
    fn play_decided(&mut self, action: Action) -> io::Result<super::dealt::Event> {
        self.stale = true;
        self.dealt
            .act(action)
            .map_err(|reason| io::Error::other(format!("a player chose {action}: {reason}")))
    }

    /// Shows what has changed, reads a line and does what it says.
    fn ask(&mut self) -> Result<Next, HostError> {
        if self.stale {
            self.show()?;
        }
        let prompt = self.prompt();
        write!(self.output, "{prompt}")?;
        self.output.flush()?;
        let Some(line) = read_line(&mut self.input)? else {
            let plies = plies(self.dealt.game().plies().len());
            writeln!(self.output)?;
            writeln!(self.output, "End of input after {plies}. Goodbye.")?;
            return Ok(Next::Leave);
        };
        if self.setting.style.typing == Typing::Repeated {
            writeln!(self.output, "{}", input::printable(line.trim_end()))?;
        }
        match input::parse(&line) {
            Ok(command) => self.run_command(command),
            Err(error) => {
                self.refuse(&error.to_string())?;
                Ok(Next::GoOn)
            }
        }
    }

    /// Draws the board, shows the messages, and the result if there is one.
    fn show(&mut self) -> io::Result<()> {
        let style = self.setting.style;
        for line in board::draw(&self.dealt, self.players.names(), style) {
            writeln!(self.output, "{line}")?;
        }
        let mut messages = std::mem::take(&mut self.messages);
        if let Some(end) = self.dealt.end() {
            let sentence = words::end(end, &self.dealt, self.players.names());
            messages.push(style.paint(Ink::Strong, &sentence));
            if self.players.has_human() {
                messages
                    .push("Type new for another game, undo to go back, save FILE, or quit.".into());
            }
        }
        if !messages.is_empty() {
            writeln!(self.output)?;
        }
        for sentence in messages {
            writeln!(self.output, "{sentence}")?;
        }
        self.stale = false;
        Ok(())
    }

    fn prompt(&self) -> String {
        let style = self.setting.style;
        if self.dealt.end().is_some() {
            return "game over> ".to_owned();
        }
        let color = self.dealt.color(self.dealt.turn());
        match color {
            Some(color) => format!("{}> ", style.paint(Ink::Side(color), &color.to_string())),
            None => "first flip> ".to_owned(),
        }
    }
}

/// Lays the pieces of a game: what its flips have shown, what else is known, and the rest by lot.
pub(super) fn deal_game(
    game: &Game,
    known: &Known,
    seed: u64,
    players: &Players,
) -> Result<DealtGame, DealError> {
    let mut known = *known;
    for ply in game.plies() {
        if let Some(piece) = ply.reveal {
            known.0[ply.action.from().index()] = Some(piece);
        }
    }
    let deal = Deal::new(game.start(), &known, seed)?;
    Ok(DealtGame::new(game.clone(), deal, players.first_color()))
}

pub(super) fn plies(count: usize) -> String {
    match count {
        1 => "1 ply".to_owned(),
        _ => format!("{count} plies"),
    }
}

/// Reads a line without its end, `None` at the end of the input.
///
/// A line longer than any that makes sense is cut, and bytes that are no text
/// are replaced: both are refused later with a message, not here with an error.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut limited = io::Read::take(&mut *input, LONGEST_LINE);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
