//! What the typed commands do.
//!
//! Every command answers: with a new board, with what was asked for, or with
//! the reason why it cannot be done, and then nothing has changed.

use super::deal::Known;
use super::dealt::DealtGame;
use super::files::{self, Existing, FileError, Loaded};
use super::host::{Host, HostError, Next, deal_game, plies};
use super::input::Command;
use super::players::Players;
use super::style::Ink;
use super::text;
use super::thinking::think;
use super::words::{self, Names};
use anqi_rules::Action;
use anqi_search::{Request, Stop, players};
use std::io::{self, BufRead, Write};
use std::path::Path;

/// Columns of listings.
const COLUMNS: usize = 78;

impl<R: BufRead, W: Write> Host<R, W> {
    /// Does what was typed.
    pub(super) fn run_command(&mut self, command: Command) -> Result<Next, HostError> {
        match command {
            Command::Nothing => {}
            Command::Act(action) => self.act(action)?,
            Command::Hint(spec) => self.hint(spec.as_deref())?,
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Save(path) => self.save(&path)?,
            Command::Load(path) => self.load(&path)?,
            Command::Moves => self.list_actions()?,
            Command::Board => self.stale = true,
            Command::Position => writeln!(self.output, "{}", self.dealt.game().position())?,
            Command::Rules => {
                let text = text::rules(self.dealt.game().rules(), self.setting.style);
                writeln!(self.output, "{text}")?;
            }
            Command::Help => writeln!(self.output, "{}", text::HELP)?,
            Command::Resign => self.resign()?,
            Command::New => self.new_game()?,
            Command::Quit => return Ok(Next::Leave),
        }
        Ok(Next::GoOn)
    }

    /// Says why something is not done.
    pub(super) fn refuse(&mut self, reason: &str) -> io::Result<()> {
        let reason = self.setting.style.paint(Ink::Warning, reason);
        writeln!(self.output, "{reason}")
    }

    fn act(&mut self, action: Action) -> io::Result<()> {
        if self.dealt.end().is_some() {
            return self.refuse("the game is over: type new, undo or quit");
        }
        match self.dealt.act(action) {
            Ok(event) => {
                let names = self.players.names();
                let sentence = words::event(&event, &self.dealt, names, self.setting.style);
                self.stale = true;
                self.tell(sentence)
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    /// Tells what the person has done: at once if a player is to think now, else below the board.
    fn tell(&mut self, sentence: String) -> io::Result<()> {
        let playing = self.dealt.end().is_none();
        if playing && !self.players.is_human(self.dealt.turn()) {
            writeln!(self.output, "{sentence}")?;
            return self.output.flush();
        }
        self.messages = vec![sentence];
        Ok(())
    }

    /// Asks a player of its own, so that the opponent's memory is left alone.
    fn hint(&mut self, spec: Option<&str>) -> io::Result<()> {
        if self.dealt.end().is_some() {
            return self.refuse("the game is over: there is nothing to advise");
        }
        let spec = spec.unwrap_or(players::DEFAULT);
        let mut player = match players::by_spec(spec) {
            Ok(player) => player,
            Err(error) => return self.refuse(&error.to_string()),
        };
        let request = Request {
            game: self.dealt.game(),
            limits: self.setting.limits,
            seed: self.seed,
            stop: &Stop::new(),
        };
        let audience = self.setting.style.audience;
        let choice = think(player.as_mut(), &request, spec, audience, &mut self.output)?;
        let style = self.setting.style;
        let sentence = words::proposal(spec, &choice, &self.dealt, style);
        writeln!(self.output, "{sentence}")
    }

    /// Goes back to the last turn of a person.
    fn undo(&mut self) -> io::Result<()> {
        let mut earlier = self.dealt.clone();
        if earlier.take_back_resignation() {
            self.replace_game(earlier, "The game goes on.".to_owned());
            return Ok(());
        }
        let mut count = 0;
        while earlier.undo() {
            count += 1;
            if self.players.is_human(earlier.turn()) {
                self.replace_game(earlier, format!("Taken back: {}.", plies(count)));
                return Ok(());
            }
        }
        self.refuse("there is no earlier turn of yours to go back to")
    }

    /// Goes forward to the next turn of a person, or as far as was taken back.
    fn redo(&mut self) -> io::Result<()> {
        let mut count = 0;
        while self.dealt.redo() {
            count += 1;
            if self.players.is_human(self.dealt.turn()) {
                break;
            }
        }
        if count == 0 {
            return self.refuse("nothing has been taken back");
        }
        self.messages = vec![format!("Played again: {}.", plies(count))];
        self.stale = true;
        Ok(())
    }

    fn replace_game(&mut self, dealt: DealtGame, messages: String) {
        self.dealt = dealt;
        self.messages = vec![messages];
        self.stale = true;
    }

    fn save(&mut self, path: &Path) -> io::Result<()> {
        let existing = match self.file.as_deref() == Some(path) {
            true => Existing::Replace,
            false => Existing::Keep,
        };
        match files::save(path, &self.dealt, self.players.names(), existing) {
            Ok(()) => {
                self.file = Some(path.to_owned());
                let count = plies(self.dealt.game().plies().len());
                writeln!(self.output, "Saved {count} to {}.", path.display())
            }
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    fn load(&mut self, path: &Path) -> Result<(), HostError> {
        match self.game_from(path) {
            Ok((players, dealt, [first, second])) => {
                self.players = players;
                self.file = Some(path.to_owned());
                let count = plies(dealt.game().plies().len());
                let path = path.display();
                let messages = format!("Loaded {count} of {first} against {second} from {path}.");
                self.replace_game(dealt, messages);
            }
            Err(error) => self.refuse(&error.to_string())?,
        }
        Ok(())
    }

    fn game_from(&self, path: &Path) -> Result<(Players, DealtGame, Names), FileError> {
        let Loaded {
            game,
            players: names,
        } = files::load(path, self.dealt.game().rules())?;
        let players = Players::new(&self.setting.pairing, &game)?;
        let dealt = deal_game(&game, &Known::default(), self.seed, &players)?;
        Ok((players, dealt, names))
    }

    /// Lists flips, moves and captures apart.
    fn list_actions(&mut self) -> io::Result<()> {
        let position = *self.dealt.game().position();
        if self.dealt.end().is_some() {
            return self.refuse("the game is over: there is nothing to do");
        }
        let (mut flips, mut moves, mut captures) = (Vec::new(), Vec::new(), Vec::new());
        for action in position.actions() {
            match position.piece_at(action.to()) {
                _ if action.is_flip() => flips.push(action.from().to_string()),
                None => moves.push(action.to_string()),
                Some(captured) => {
                    let glyph = self.setting.style.glyph(captured);
                    captures.push(format!("{action}({glyph})"));
                }
            }
        }
        for (heading, list) in [("flips", flips), ("moves", moves), ("captures", captures)] {
            if !list.is_empty() {
                let lines = text::wrap(list.iter().map(String::as_str), "    ", COLUMNS);
                writeln!(self.output, "  {heading}\n{lines}")?;
            }
        }
        Ok(())
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.dealt.end().is_some() {
            return self.refuse("the game is over already");
        }
        self.dealt.resign(self.dealt.turn());
        self.stale = true;
        Ok(())
    }

    /// Starts another game from where the first one started, with another deal.
    fn new_game(&mut self) -> Result<(), HostError> {
        self.seed = self.seed.wrapping_add(1);
        self.players = Players::new(&self.setting.pairing, &self.setting.game)?;
        let known = Known::default();
        self.dealt = deal_game(&self.setting.game, &known, self.seed, &self.players)?;
        self.messages.clear();
        self.file = None;
        self.stale = true;
        writeln!(self.output)?;
        self.greet()?;
        Ok(())
    }
}
