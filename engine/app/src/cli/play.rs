//! `anqi play`: the game at the terminal.

mod terminal;

use self::terminal::{
    INTERRUPTED, Terminal, environment_allows_color, leave_on_signal, on_signal, screen_columns,
};
use super::error::UsageError;
use crate::terminal::resume::{Resumed, difference, recorded_opponent, resume};
use crate::terminal::{
    Console, Echo, Farewell, Host, HostError, Language, Lines, Loaded, Named, Pace, Paint, Pairing,
    Participant, Progress, Rescue, Screen, Script, Setting, Style, Watch, files, tty,
};
use anqi_play::{KnownDeal, Level};
use anqi_rules::{Game, Position, Rules};
use anqi_search::{Limits, TimeLimit, players};
use anyhow::Context;
use clap::{Parser, ValueEnum};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Thinking time where no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

const EXAMPLES: &str = "\
Examples:
  anqi play                                    you begin, against level 3 of 10
  anqi play --second                           level 3 begins
  anqi play --level 10                         against the strongest
  anqi play --black --opponent greedy          you are black; red begins
  anqi play --level beginner                   an opponent for the first games
  anqi play --first human --second human       two people at one keyboard
  anqi play --red greedy --black random        watch two players, to the end
  anqi play --red greedy --black var1 --pause  watch them a ply at a time
  anqi play --chinese --seed 42                漢字 on the pieces, always the same deal
  anqi play --load game.txt                    continue a saved game
  anqi play --position 'K3/4/4/4/4/4/4/3g r - 0 0'

In the game, type b2 to flip the piece on b2, b2 b3 to go from b2 to b3, or help.
Ctrl-C while a player thinks lets it play at once; at the prompt it leaves.
";

/// Play in the terminal, against a player or a person, or watch two players.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player to play against; `anqi players` lists them
    /// [default: the one in the loaded game, or else level 3 of the champion]
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    opponent: Option<String>,

    /// The opponent's strength, from 1 (weakest) to 10 (strongest), or by name:
    /// beginner, novice, learner, casual, regular, skilled, strong, expert, master, champion
    #[arg(long, value_name = "LEVEL", conflicts_with = "opponent")]
    level: Option<Level>,

    /// The player who moves first, or `human` if none is named
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant, conflicts_with_all = ["red", "black"])]
    first: Option<Participant>,

    /// The player who moves second, or `human` if none is named
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant, conflicts_with_all = ["red", "black"])]
    second: Option<Participant>,

    /// Who is red: a player, or `human` if none is named; red begins and flips a red piece
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant)]
    red: Option<Participant>,

    /// Who is black: a player, or `human` if none is named
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant)]
    black: Option<Participant>,

    /// When a game is drawn: olympiad, platform, paper, openspiel, mistboard or course
    #[arg(long, value_name = "PRESET", default_value = "olympiad", value_parser = rules)]
    rules: Rules,

    /// Seed of the deal: the same number gives the same deal
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Deal these pieces: rows 8 to 1 separated by `/`, four letters each, `?` for any piece
    #[arg(long, value_name = "ROWS", conflicts_with = "load")]
    deal: Option<KnownDeal>,

    /// Let players think for this many milliseconds a move [default: 1000 if nothing else limits
    /// them]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,

    /// Let players search this many positions a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Let players search this many plies deep
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,

    /// Show pieces as letters, upper case for red (the default in English)
    #[arg(long)]
    letters: bool,

    /// Show pieces as 漢字 (the default in Chinese)
    #[arg(long, conflicts_with = "letters")]
    chinese: bool,

    /// The language of the game: en, zh-Hant (繁體中文) or zh-Hans (简体中文)
    /// [default: as LC_ALL, LC_MESSAGES or LANG say]
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,

    /// Use colours; `auto` means at a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    color: When,

    /// Show no live line while a player thinks
    #[arg(long)]
    quiet: bool,

    /// When watching two players, show a board after every N plies, 0 for none [default: 1
    /// at a terminal, else 0; without N: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    boards: Option<usize>,

    /// When watching two players, wait for Enter after every board
    #[arg(long)]
    pause: bool,

    /// Continue the game in this file (PGN, a record of the platform, or JSON), against the opponent
    /// it was saved with
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    load: Option<PathBuf>,

    /// Start from this position string, optionally followed by `moves` and plies
    #[arg(long, value_name = "POSITION", value_parser = game)]
    position: Option<Game>,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Auto,
    Always,
    Never,
}

impl Args {
    /// Returns the arguments of a command line without any.
    pub fn default_game() -> Args {
        Args::parse_from(["play"])
    }

    /// Plays.
    pub fn run(self, tables: Option<PathBuf>) -> anyhow::Result<()> {
        let setting = match tables {
            Some(folder) => self.setting(Some(&folder))?,
            None => self.setting(None)?,
        };
        let paint = setting.style.paint;
        let rescue = Arc::<Rescue>::default();
        let unsaved = Arc::clone(&rescue);
        let farewell = match Terminal::found() {
            Terminal::Both => {
                let screen = Screen::open(paint).context("cannot use the terminal")?;
                on_signal(screen.interrupts(), paint, rescue)?;
                play(setting, screen, unsaved)?
            }
            Terminal::Plain => {
                leave_on_signal(paint, rescue)?;
                let lines = Lines::new(io::stdin().lock()).echo(Echo::Terminal);
                let lines = lines
                    .screen(screen_columns)
                    .rows(tty::rows)
                    .with_questions();
                play(setting, lines, unsaved)?
            }
            Terminal::Output => {
                leave_on_signal(paint, rescue)?;
                let lines = Lines::new(io::stdin().lock()).screen(screen_columns);
                let lines = lines.rows(tty::rows);
                play(setting, lines, unsaved)?
            }
            Terminal::None => play(setting, Lines::new(io::stdin().lock()), unsaved)?,
        };
        if farewell == Farewell::Interrupted {
            std::process::exit(INTERRUPTED);
        }
        Ok(())
    }

    fn setting(&self, tables: Option<&Path>) -> anyhow::Result<Setting> {
        let loaded = match &self.load {
            Some(path) => Some(files::load(path, self.rules).context("--load")?),
            None => None,
        };
        let style = self.style();
        let language = style.language;
        let Resumed { mut pairing, note } = self.pairing(loaded.as_ref(), language);
        let mut named = self.named();
        let mut messages = Vec::new();
        if loaded.is_none() && self.meets_the_default(&pairing) {
            messages.push(language.message("strongest", &[("level", &Level::TOP)]));
        }
        if let Some(folder) = tables {
            give_tables(&mut pairing, &mut named, folder)?;
        }
        if let (Some(loaded), Some(path)) = (&loaded, &self.load) {
            messages.push(loaded.sentence(path, language));
            messages.extend(note);
        }
        let end = loaded.as_ref().and_then(|loaded| loaded.end);
        let game = loaded.map_or_else(|| self.game(), |loaded| loaded.game);
        let colors_open = game.position().turn().is_none();
        if self.deal.is_some() && colors_open && matches!(pairing, Pairing::ByColor(_)) {
            let reason = "--deal says what the first flip shows, so it cannot show what --red or \
                          --black wants: say who begins with --first or --second instead";
            return Err(UsageError(reason.to_owned()).into());
        }
        let watch = self.watch(&pairing)?;
        Ok(Setting {
            game,
            end,
            pairing,
            named,
            known: self.deal.unwrap_or_default(),
            seed: self.seed.unwrap_or_else(fresh_seed),
            limits: self.limits(),
            style,
            progress: if self.quiet {
                Progress::Hidden
            } else {
                Progress::Shown
            },
            watch,
            messages,
        })
    }

    /// Returns how two players are watched.
    fn watch(&self, pairing: &Pairing) -> anyhow::Result<Watch> {
        let (Pairing::ByOrder(sides) | Pairing::ByColor(sides)) = pairing;
        let terminal = Terminal::found();
        let pace = if self.pause { Pace::Pause } else { Pace::Run };
        let refusal = if !self.pause {
            None
        } else if sides.contains(&Participant::Human) {
            Some("--pause is for watching two players; a game with a person waits anyway")
        } else if matches!(terminal, Terminal::None | Terminal::Output) {
            Some("--pause waits for Enter and needs a terminal")
        } else if self.boards == Some(0) {
            Some("--pause waits after every board; --boards 0 shows none")
        } else {
            None
        };
        if let Some(reason) = refusal {
            return Err(UsageError(reason.to_owned()).into());
        }
        let usual = usize::from(terminal != Terminal::None);
        Ok(match self.boards.unwrap_or(usual) {
            0 => Watch::Rounds,
            every => Watch::Boards { every, pace },
        })
    }

    fn game(&self) -> Game {
        let start = || Game::new(Position::start(), self.rules);
        let mut game = self.position.clone().unwrap_or_else(start);
        game.set_rules(self.rules);
        game
    }

    /// Returns the players, and the differences from the loaded record.
    fn pairing(&self, loaded: Option<&Loaded>, language: Language) -> Resumed {
        let opponent = self.opponent();
        let recorded = || loaded.and_then(recorded_opponent).map(str::to_owned);
        let facing = opponent
            .clone()
            .or_else(recorded)
            .unwrap_or_else(|| Level::DEFAULT.spec());
        let pairing = if self.red.is_some() || self.black.is_some() {
            Pairing::ByColor(pair(&self.red, &self.black, &facing))
        } else if self.first.is_some() || self.second.is_some() {
            Pairing::ByOrder(pair(&self.first, &self.second, &facing))
        } else if let Some(loaded) = loaded {
            return resume(loaded, opponent.as_deref(), language);
        } else {
            Pairing::ByOrder(pair(&None, &None, &facing))
        };
        let note = loaded.and_then(|loaded| {
            let (sides, _) = pairing.by_order(&loaded.game);
            difference(loaded, &sides, language)
        });
        Resumed { pairing, note }
    }

    /// Returns whether a person plays against the default opponent without having named it.
    fn meets_the_default(&self, pairing: &Pairing) -> bool {
        let (Pairing::ByOrder(sides) | Pairing::ByColor(sides)) = pairing;
        let default = Participant::Player(Level::DEFAULT.spec());
        let named = [&self.first, &self.second, &self.red, &self.black];
        self.opponent().is_none()
            && sides.contains(&default)
            && !named.into_iter().flatten().any(|side| *side == default)
    }

    /// Returns the players that the user named.
    fn named(&self) -> Named {
        let sides = [&self.first, &self.second, &self.red, &self.black];
        if sides.iter().any(|side| side.is_some()) {
            return Named::Sides;
        }
        self.opponent().map_or(Named::Nobody, Named::Opponent)
    }

    /// Returns the opponent that the user has named.
    fn opponent(&self) -> Option<String> {
        match self.level {
            Some(level) => Some(level.spec()),
            None => self.opponent.clone(),
        }
    }

    fn limits(&self) -> Limits {
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: match self.movetime {
                Some(milliseconds) => TimeLimit::PerMove(Duration::from_millis(milliseconds)),
                None => TimeLimit::None,
            },
            ..Limits::NONE
        };
        if limits.is_unlimited() {
            Limits {
                time: TimeLimit::PerMove(DEFAULT_TIME),
                ..limits
            }
        } else {
            limits
        }
    }

    fn style(&self) -> Style {
        let painted = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => Terminal::found() != Terminal::None && environment_allows_color(),
        };
        let language = self.language();
        Style {
            script: if self.chinese || (language != Language::English && !self.letters) {
                Script::Chinese
            } else {
                Script::Letters
            },
            paint: if painted { Paint::Colors } else { Paint::Plain },
            language,
        }
    }

    /// Returns the language of the sentences: as asked for, or as the environment says.
    fn language(&self) -> Language {
        let locale = || {
            let set = ["LC_ALL", "LC_MESSAGES", "LANG"].map(std::env::var);
            set.into_iter().flatten().find(|value| !value.is_empty())
        };
        self.lang
            .or_else(|| locale().map(|locale| Language::of_locale(&locale)))
            .unwrap_or_default()
    }
}

/// Returns both sides. An unnamed side is a person against a player, or the opponent against a
/// person.
fn pair(
    one: &Option<Participant>,
    other: &Option<Participant>,
    opponent: &str,
) -> [Participant; 2] {
    let facing = |participant: &Participant| match participant {
        Participant::Human => Participant::Player(opponent.to_owned()),
        Participant::Player(_) => Participant::Human,
    };
    match (one, other) {
        (Some(one), Some(other)) => [one.clone(), other.clone()],
        (Some(one), None) => [one.clone(), facing(one)],
        (None, Some(other)) => [facing(other), other.clone()],
        (None, None) => [Participant::Human, facing(&Participant::Human)],
    }
}

/// Lets every champion in the game read the tables in a folder.
fn give_tables(pairing: &mut Pairing, named: &mut Named, folder: &Path) -> anyhow::Result<()> {
    let (Pairing::ByOrder(sides) | Pairing::ByColor(sides)) = pairing;
    let mut specs: Vec<&mut String> = Vec::new();
    for side in sides {
        if let Participant::Player(spec) = side {
            specs.push(spec);
        }
    }
    if let Named::Opponent(spec) = named {
        specs.push(spec);
    }
    for spec in specs {
        let (name, settings) = spec.split_once(':').unwrap_or((spec, ""));
        if name == "champion" && !settings.contains("tables=") {
            let sign = if settings.is_empty() { ':' } else { ',' };
            *spec = format!(
                "{}{sign}tables={}",
                spec.trim_end_matches(':'),
                folder.display()
            );
            player(spec).map_err(|reason| UsageError(format!("--tables: {reason}")))?;
        }
    }
    Ok(())
}

fn play(setting: Setting, console: impl Console, rescue: Arc<Rescue>) -> anyhow::Result<Farewell> {
    let output = BufWriter::new(io::stdout().lock());
    let host = Host::new(setting, console, output).map_err(usage)?;
    let mut host = host.with_rescue(rescue);
    Ok(host.run()?)
}

/// Returns a random seed, short enough to be typed again.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000
}

/// Turns an error of the setting into a usage error, unless it is one of input or output.
fn usage(error: HostError) -> anyhow::Error {
    match error {
        HostError::Io(error) => error.into(),
        HostError::Deal(error) => UsageError(format!("--deal: {error}")).into(),
        HostError::Spec(error) => UsageError(error.to_string()).into(),
    }
}

fn player(text: &str) -> Result<String, String> {
    match players::by_spec(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn participant(text: &str) -> Result<Participant, String> {
    match text {
        "human" => Ok(Participant::Human),
        _ => player(text).map(Participant::Player),
    }
}

pub(super) fn rules(name: &str) -> Result<Rules, String> {
    Rules::preset(name).ok_or_else(|| {
        let names: Vec<&str> = Rules::PRESETS.iter().map(|(name, _)| *name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

fn game(text: &str) -> Result<Game, String> {
    Game::from_text(text, Rules::OLYMPIAD).map_err(|error| error.to_string())
}
