//! The commands of the terminal game.
//!
//! Every command shows something: a new board, what was asked for, or the
//! reason for a refusal. A refused command changes nothing.

use super::console::Console;
use super::farewell::{Farewell, HostError, Next};
use super::files::{self, Existing, FileError, Loaded};
use super::host::{Host, Named, PAGE_COLUMNS, deal_game};
use super::illegal;
use super::input::Command;
use super::kept::Kept;
use super::language::say;
use super::players::Players;
use super::resume::{Resumed, difference, resume};
use super::style::Ink;
use super::text;
use super::thinking::{Question, consult};
use super::unsaved::Consent;
use super::words;
use anqi_play::{DealtGame, KnownDeal, Verdict};
use anqi_rules::Action;
use anqi_search::players;
use std::io::{self, Write};
use std::path::Path;

/// Most columns of listings.
const MOST_COLUMNS: usize = 78;

impl<C: Console, W: Write> Host<C, W> {
    /// Runs a typed command.
    pub(super) fn run_command(&mut self, command: Command) -> Result<Next, HostError> {
        match command {
            Command::Nothing => {}
            Command::Act(action) => self.act(action)?,
            Command::Hint(spec) => self.hint(spec.as_deref())?,
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Save(path) => self.save(&path)?,
            Command::Load(path) => return self.load(&path),
            Command::Moves => self.list_actions()?,
            Command::Board => self.stale = true,
            Command::Position => writeln!(self.output, "{}", self.dealt.game().position())?,
            Command::Rules => {
                let rules = self.dealt.game().rules();
                let text = text::rules(rules, self.setting.style, self.page_columns());
                writeln!(self.output, "{text}")?;
            }
            Command::Help => writeln!(
                self.output,
                "{}",
                text::help(self.language(), self.page_columns())
            )?,
            Command::Resign => self.resign()?,
            Command::New => return self.new_game(),
            Command::Quit => return self.leave(Farewell::Quit),
        }
        Ok(Next::GoOn)
    }

    /// Returns the width for texts, in columns.
    fn page_columns(&self) -> usize {
        self.console.columns().unwrap_or(PAGE_COLUMNS)
    }

    /// Shows why a command is refused.
    pub(super) fn refuse(&mut self, reason: &str) -> io::Result<()> {
        self.say(Ink::Warning, reason)
    }

    fn act(&mut self, action: Action) -> io::Result<()> {
        if self.dealt.verdict().is_some() {
            return self.refuse(&say!(self.language(), "over.act"));
        }
        if let Some(reason) = illegal::refusal(self.dealt.game(), action, self.language()) {
            return self.refuse(&reason);
        }
        match self.dealt.act(action) {
            Ok(event) => {
                let names = self.players.names();
                let sentence = words::event(&event, &self.dealt, names, self.setting.style);
                self.stale = true;
                self.announce(sentence)
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    /// Describes the person's action: at once if a player is to think now, else below the board.
    fn announce(&mut self, sentence: String) -> io::Result<()> {
        let playing = self.dealt.verdict().is_none();
        if playing && !self.players.is_human(self.dealt.turn()) {
            self.say(Ink::Plain, &sentence)?;
            return self.output.flush();
        }
        self.messages = vec![sentence];
        Ok(())
    }

    /// Asks a separate player, so that the opponent's memory stays as it is.
    fn hint(&mut self, spec: Option<&str>) -> io::Result<()> {
        if self.dealt.verdict().is_some() {
            return self.refuse(&say!(self.language(), "over.hint"));
        }
        let spec = spec.unwrap_or(players::DEFAULT);
        let mut player = match players::by_spec(spec) {
            Ok(player) => player,
            Err(error) => return self.refuse(&error.to_string()),
        };
        let question = Question {
            name: spec,
            game: self.dealt.game(),
            limits: self.setting.limits,
            seed: self.seed,
            progress: self.setting.progress,
            language: self.language(),
        };
        let choice = consult(player.as_mut(), question, &self.console, &mut self.output)?;
        let style = self.setting.style;
        let sentence = words::proposal(spec, &choice, &self.dealt, style);
        self.say(Ink::Plain, &sentence)
    }

    /// Goes back to the last turn of a person.
    fn undo(&mut self) -> io::Result<()> {
        let mut earlier = self.dealt.clone();
        if earlier.take_back_resignation() {
            self.replace_game(earlier, say!(self.language(), "goes-on"));
            return Ok(());
        }
        let mut count = 0;
        while earlier.undo() {
            count += 1;
            if self.players.is_human(earlier.turn()) {
                let plies = text::plies(self.language(), count);
                self.replace_game(earlier, say!(self.language(), "undone", plies = plies));
                return Ok(());
            }
        }
        self.refuse(&say!(self.language(), "undo.nothing"))
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
            return self.refuse(&say!(self.language(), "redo.nothing"));
        }
        let plies = text::plies(self.language(), count);
        self.messages = vec![say!(self.language(), "redone", plies = plies)];
        self.stale = true;
        Ok(())
    }

    fn replace_game(&mut self, dealt: DealtGame, messages: String) {
        self.dealt = dealt;
        self.messages = vec![messages];
        self.stale = true;
    }

    fn save(&mut self, path: &Path) -> io::Result<()> {
        let mut existing = if self.console.can_ask() || !self.is_own(path) {
            Existing::Keep
        } else {
            Existing::Replace
        };
        loop {
            match files::save(path, &self.dealt, self.players.recorded(), existing) {
                Ok(saved) => {
                    self.saved = Some(saved);
                    self.kept = Kept::of(&self.dealt);
                    let plies = self.plies_played();
                    let path = path.display();
                    let saved = say!(self.language(), "saved", plies = plies, path = path);
                    return self.say(Ink::Plain, &saved);
                }
                Err(FileError::Exists(_)) if self.console.can_ask() => {
                    let question = say!(self.language(), "save.replace", path = path.display());
                    if self.confirm(&question)? != Consent::Yes {
                        return self.say(Ink::Plain, &say!(self.language(), "save.not"));
                    }
                    existing = Existing::Replace;
                }
                Err(error) => return self.refuse(&error.sentence(self.language())),
            }
        }
    }

    /// Returns whether this game has written the file, and nobody since.
    fn is_own(&self, path: &Path) -> bool {
        self.saved.as_ref().is_some_and(|s| s.is_still_at(path))
    }

    fn load(&mut self, path: &Path) -> Result<Next, HostError> {
        let (loaded, players, dealt, note) = match self.game_from(path) {
            Ok(game) => game,
            Err(error) => {
                self.refuse(&error.sentence(self.language()))?;
                return Ok(Next::GoOn);
            }
        };
        match self.may_drop("deed.load")? {
            Consent::Yes => {}
            Consent::No => return Ok(Next::GoOn),
            Consent::Leave(farewell) => return Ok(Next::Leave(farewell)),
        }
        self.players = players;
        self.saved = None;
        self.kept = Kept::of(&dealt);
        self.replace_game(dealt, loaded.sentence(path, self.language()));
        self.messages.extend(note);
        Ok(Next::GoOn)
    }

    /// Reads a game and makes its players; the note names replaced players.
    fn game_from(
        &self,
        path: &Path,
    ) -> Result<(Loaded, Players, DealtGame, Option<String>), FileError> {
        let loaded = files::load(path, self.dealt.game().rules())?;
        let Resumed { pairing, note } = match (&self.setting.named, &self.setting.pairing) {
            (Named::Nobody, _) => resume(&loaded, None, self.language()),
            (Named::Opponent(spec), _) => resume(&loaded, Some(spec), self.language()),
            (Named::Sides, pairing) => Resumed {
                note: difference(&loaded, &pairing.by_order(&loaded.game).0, self.language()),
                pairing: pairing.clone(),
            },
        };
        let players = Players::new(&pairing, &loaded.game)?;
        let known = KnownDeal::default();
        let mut dealt = deal_game(&loaded.game, &known, self.seed, &players)?;
        if let Some(end) = loaded.end {
            dealt.decide(end);
        }
        Ok((loaded, players, dealt, note))
    }

    /// Lists flips, moves and captures separately.
    fn list_actions(&mut self) -> io::Result<()> {
        let position = *self.dealt.game().position();
        if self.dealt.verdict().is_some() {
            return self.refuse(&say!(self.language(), "over.moves"));
        }
        let (mut flips, mut moves, mut captures) = (Vec::new(), Vec::new(), Vec::new());
        for action in self.dealt.game().actions() {
            match position.piece_at(action.to()) {
                _ if action.is_flip() => flips.push(action.from().to_string()),
                None => moves.push(action.to_string()),
                Some(victim) => {
                    let glyph = self.setting.style.glyph(victim);
                    captures.push(format!("{action}({glyph})"));
                }
            }
        }
        let columns = self.page_columns().min(MOST_COLUMNS);
        let language = self.language();
        for (heading, list) in [
            (say!(language, "list.flips"), flips),
            (say!(language, "list.moves"), moves),
            (say!(language, "list.captures"), captures),
        ] {
            if !list.is_empty() {
                let lines = text::wrap(list.iter().map(String::as_str), "    ", columns);
                writeln!(self.output, "  {heading}\n{lines}")?;
            }
        }
        Ok(())
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.dealt.verdict().is_some() {
            return self.refuse(&say!(self.language(), "over.resign"));
        }
        self.dealt.decide(Verdict::resigned(self.dealt.turn()));
        self.stale = true;
        Ok(())
    }

    /// Starts another game from where the first one started, with another deal.
    fn new_game(&mut self) -> Result<Next, HostError> {
        match self.may_drop("deed.new")? {
            Consent::Yes => {}
            Consent::No => return Ok(Next::GoOn),
            Consent::Leave(farewell) => return Ok(Next::Leave(farewell)),
        }
        self.seed = self.seed.wrapping_add(1);
        self.players = Players::new(&self.setting.pairing, &self.setting.game)?;
        let known = KnownDeal::default();
        self.dealt = deal_game(&self.setting.game, &known, self.seed, &self.players)?;
        self.messages.clear();
        self.saved = None;
        self.kept = Kept::of(&self.dealt);
        self.stale = true;
        writeln!(self.output)?;
        self.greet()?;
        Ok(Next::GoOn)
    }
}
