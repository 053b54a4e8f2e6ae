//! The host: runs games at a terminal, or at anything that reads and writes lines.
//!
//! The host draws the board when it has changed and a person is to move, reads
//! what the person types, lets the players play, and continues until somebody
//! quits or the input ends. All output goes through one writer and all input
//! through one [`Console`], so that whole games run in tests without a
//! terminal.

use super::board::{self, Room};
use super::completion::Completion;
use super::console::{Console, Prompt, Typed};
use super::farewell::{Farewell, HostError, Next};
use super::files::Saved;
use super::input;
use super::kept::Kept;
use super::language::{Language, say};
use super::pace::Watch;
use super::players::{Pairing, Players};
use super::rescue::Rescue;
use super::style::{Ink, Style};
use super::text;
use super::thinking::{Progress, Question, consult};
use super::words;
use anqi_play::{Deal, DealError, DealtGame, Event, KnownDeal, Verdict};
use anqi_rules::{Action, Game};
use anqi_search::Limits;
use std::io::{self, Write};
use std::sync::Arc;

/// Columns to draw for where the output is not a screen.
pub(super) const PAGE_COLUMNS: usize = 80;
/// Rows of a screen that stay free for text below the board, so that a prompt with an answer or
/// two does not scroll the board away.
const LEAST_TEXT_ROWS: usize = 5;

/// The settings of a host.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The game to start from; usually nothing has been played in it.
    pub game: Game,
    /// How that game ended, if it did and its board does not show it.
    pub end: Option<Verdict>,
    /// Who plays.
    pub pairing: Pairing,
    /// The players that the user named; they replace those of a loaded game.
    pub named: Named,
    /// The known pieces of the deal.
    pub known: KnownDeal,
    /// Seeds the deal and the players' random choices.
    pub seed: u64,
    /// How long players may think.
    pub limits: Limits,
    /// How it looks.
    pub style: Style,
    /// Whether thinking is shown.
    pub progress: Progress,
    /// How a game between two players is shown.
    pub watch: Watch,
    /// Messages below the first board.
    pub messages: Vec<String>,
}

/// The players that the user named.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Named {
    /// None: a loaded game keeps its players.
    #[default]
    Nobody,
    /// The opponent of a person.
    Opponent(String),
    /// Both sides.
    Sides,
}

/// Runs games.
pub struct Host<C, W> {
    pub(super) console: C,
    pub(super) output: W,
    pub(super) setting: Setting,
    pub(super) seed: u64,
    pub(super) players: Players,
    pub(super) dealt: DealtGame,
    /// Sentences to show below the next board.
    pub(super) messages: Vec<String>,
    /// Whether the board has changed since it was drawn.
    pub(super) stale: bool,
    /// The file that this game was last saved to.
    pub(super) saved: Option<Saved>,
    /// What was saved, or was there before anybody played.
    pub(super) kept: Kept,
    /// The game for whoever ends the program.
    pub(super) rescue: Arc<Rescue>,
}

impl<C: Console, W: Write> Host<C, W> {
    /// Deals the first game.
    ///
    /// # Errors
    ///
    /// Fails if a player does not exist or the deal is impossible.
    pub fn new(setting: Setting, console: C, output: W) -> Result<Host<C, W>, HostError> {
        let players = Players::new(&setting.pairing, &setting.game)?;
        let mut dealt = deal_game(&setting.game, &setting.known, setting.seed, &players)?;
        if let Some(end) = setting.end {
            dealt.decide(end);
        }
        Ok(Host {
            console,
            output,
            seed: setting.seed,
            messages: setting.messages.clone(),
            kept: Kept::of(&dealt),
            setting,
            players,
            dealt,
            stale: true,
            saved: None,
            rescue: Arc::default(),
        })
    }

    /// Lets a signal save an unsaved game.
    pub fn with_rescue(self, rescue: Arc<Rescue>) -> Host<C, W> {
        Host { rescue, ..self }
    }

    /// Plays until the user leaves, the input ends, or a game between programs is over.
    ///
    /// # Errors
    ///
    /// Returns the error of the reader or writer.
    pub fn run(&mut self) -> Result<Farewell, HostError> {
        self.greet()?;
        let farewell = loop {
            self.note_unsaved();
            // A loaded game may add a person, or have none.
            let next = if self.players.has_human() {
                self.turn()?
            } else {
                Next::Leave(self.watch()?)
            };
            if let Next::Leave(farewell) = next {
                break farewell;
            }
        };
        if farewell == Farewell::EndOfInput {
            self.save_unsaved()?;
        }
        self.output.flush()?;
        Ok(farewell)
    }

    /// Lets a player play, or asks the person whose turn it is.
    fn turn(&mut self) -> Result<Next, HostError> {
        let playing = self.dealt.verdict().is_none();
        if playing && !self.players.is_human(self.dealt.turn()) {
            self.player_turn()?;
            return Ok(Next::GoOn);
        }
        self.ask()
    }

    pub(super) fn greet(&mut self) -> io::Result<()> {
        let language = self.language();
        let [first, second] = self.players.names();
        let begins = words::begins(first, language);
        let opponent = words::shown_name(second, language);
        let title = say!(language, "greeting", begins = begins, opponent = opponent);
        self.say(Ink::Plain, &title)?;
        if !self.dealt.game().position().face_down().is_empty() {
            let deal = say!(language, "deal", seed = self.seed);
            self.say(Ink::Plain, &deal)?;
        }
        if self.players.has_human() {
            self.say(Ink::Plain, &say!(language, "how-to-type"))?;
        }
        writeln!(self.output)
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

    pub(super) fn decide(&mut self) -> io::Result<Action> {
        let seat = self.dealt.turn();
        let language = self.language();
        let name = words::shown_name(&self.players.names()[seat.index()], language);
        let player = self.players.player(seat).expect("asked only of players");
        let question = Question {
            name: &name,
            game: self.dealt.game(),
            limits: self.setting.limits,
            seed: self.seed,
            progress: self.setting.progress,
            language,
        };
        let choice = consult(player, question, &self.console, &mut self.output)?;
        Ok(choice.action)
    }

    /// Plays what a player has decided; an illegal decision is the player's fault and ends the program.
    pub(super) fn play_decided(&mut self, action: Action) -> io::Result<Event> {
        self.stale = true;
        self.dealt
            .act(action)
            .map_err(|reason| io::Error::other(format!("a player chose {action}: {reason}")))
    }

    /// Shows what has changed, reads a line and runs it.
    fn ask(&mut self) -> Result<Next, HostError> {
        if self.stale {
            self.show()?;
        }
        match self.read(&self.prompt())? {
            Typed::Line(line) => self.run_line(&line),
            Typed::Interrupt => self.leave(Farewell::Interrupted),
            Typed::End => {
                let plies = self.plies_played();
                let goodbye = say!(self.language(), "end-of-input", plies = plies);
                self.say(Ink::Plain, &goodbye)?;
                Ok(Next::Leave(Farewell::EndOfInput))
            }
        }
    }

    /// Reads a line, with completion of what may be typed now.
    pub(super) fn read(&mut self, prompt: &Prompt) -> io::Result<Typed> {
        let actions = match self.dealt.verdict() {
            None => self.dealt.game().actions().to_vec(),
            Some(_) => Vec::new(),
        };
        let completion = Completion::new(actions);
        self.console.read(prompt, &completion, &mut self.output)
    }

    fn run_line(&mut self, line: &str) -> Result<Next, HostError> {
        match input::parse(line) {
            Ok(command) => self.run_command(command),
            Err(error) => {
                self.refuse(&error.sentence(self.language()))?;
                Ok(Next::GoOn)
            }
        }
    }

    /// Returns the language of the sentences.
    pub(super) fn language(&self) -> Language {
        self.setting.style.language
    }

    /// Counts the plies of the game in words.
    pub(super) fn plies_played(&self) -> String {
        text::plies(self.language(), self.dealt.game().plies().len())
    }

    /// Draws the board, shows the messages, and the result if there is one.
    pub(super) fn show(&mut self) -> io::Result<()> {
        let style = self.setting.style;
        let text = self.text_below();
        let room = self.room_above(&text);
        for line in board::draw(&self.dealt, self.players.names(), style, room) {
            writeln!(self.output, "{line}")?;
        }
        if !text.is_empty() {
            writeln!(self.output)?;
        }
        for (ink, sentence) in text {
            self.say(ink, &sentence)?;
        }
        self.stale = false;
        Ok(())
    }

    /// Returns the sentences below the board: the messages, and the result if there is one.
    fn text_below(&mut self) -> Vec<(Ink, String)> {
        let messages = std::mem::take(&mut self.messages).into_iter();
        let mut text: Vec<(Ink, String)> = messages.map(|text| (Ink::Plain, text)).collect();
        if let Some(end) = self.dealt.verdict() {
            let style = self.setting.style;
            let result = words::verdict(end, &self.dealt, self.players.names(), style);
            text.push((Ink::Strong, result));
            if self.players.has_human() {
                text.push((Ink::Plain, say!(style.language, "choices")));
            }
        }
        text
    }

    /// Returns the room for the board above a text and the prompt.
    fn room_above(&self, text: &[(Ink, String)]) -> Room {
        let lines = text
            .iter()
            .map(|(_, text)| self.wrapped(text).lines().count());
        let blank = usize::from(!text.is_empty());
        let taken = lines.sum::<usize>() + blank + 1;
        let rows = self.console.rows();
        Room {
            columns: self.console.columns().unwrap_or(PAGE_COLUMNS),
            rows: rows.map(|rows| rows.saturating_sub(taken.max(LEAST_TEXT_ROWS))),
        }
    }

    /// Breaks a sentence between words where the screen ends.
    fn wrapped(&self, sentence: &str) -> String {
        match self.console.columns() {
            Some(columns) => text::wrap_text(sentence, "", columns),
            None => sentence.to_owned(),
        }
    }

    /// Writes a sentence, broken between words where the screen ends.
    pub(super) fn say(&mut self, ink: Ink, sentence: &str) -> io::Result<()> {
        let style = self.setting.style;
        let lines = self.wrapped(sentence);
        for line in lines.lines() {
            writeln!(self.output, "{}", style.paint(ink, line))?;
        }
        Ok(())
    }

    fn prompt(&self) -> Prompt {
        if self.dealt.verdict().is_some() {
            return self.plain_prompt(&say!(self.language(), "prompt.over"));
        }
        match self.dealt.color(self.dealt.turn()) {
            Some(color) => {
                let style = self.setting.style;
                let side = style.side(color);
                Prompt {
                    painted: format!("{}> ", style.paint(Ink::Side(color), &side)),
                    plain: format!("{side}> "),
                }
            }
            None => self.plain_prompt(&say!(self.language(), "prompt.first")),
        }
    }

    pub(super) fn plain_prompt(&self, text: &str) -> Prompt {
        Prompt {
            plain: text.to_owned(),
            painted: text.to_owned(),
        }
    }
}

/// Deals the pieces of a game: what its flips have shown, what else is known, the rest at random.
pub(super) fn deal_game(
    game: &Game,
    known: &KnownDeal,
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
