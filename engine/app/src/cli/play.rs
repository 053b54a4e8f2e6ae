//! `anqi play`: the game at the terminal.

use super::UsageError;
use anqi_app::level::Level;
use anqi_app::terminal::{
    Audience, Host, HostError, Known, Loaded, Order, Paint, Pairing, Participant, Script, Setting,
    Style, Typing, files,
};
use anqi_rules::{Game, Position, Rules};
use anqi_search::{Limits, TimeLimit, players};
use anyhow::Context;
use clap::{Parser, ValueEnum};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Thinking time where no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

const EXAMPLES: &str = "\
Examples:
  anqi play                                    you begin, against the built-in player
  anqi play --second                           the built-in player begins
  anqi play --black --opponent greedy          you are black; red begins
  anqi play --level beginner                   an opponent for the first games
  anqi play --first human --second human       two people at one keyboard
  anqi play --red greedy --black random        watch two players, to the end
  anqi play --chinese --seed 42                漢字 on the pieces, always the same deal
  anqi play --load game.txt                    go on with a saved game
  anqi play --position 'K3/4/4/4/4/4/4/3g r - 0 0'

In the game, type b2 to flip the piece on b2, b2 b3 to go from b2 to b3, or help.
";

/// Play in the terminal, against a player or a person, or watch two players.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player to play against; `anqi players` lists them
    #[arg(long, value_name = "PLAYER", default_value = players::DEFAULT, value_parser = player)]
    opponent: String,

    /// How strong the opponent is, from 1 (sees almost nothing) to 10 (as strong as it can),
    /// or by name: beginner, novice, learner, casual, regular, skilled, strong, expert, master, champion
    #[arg(long, value_name = "LEVEL", conflicts_with = "opponent")]
    level: Option<Level>,

    /// Who begins: `human` (also if nothing follows) or a player
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant, conflicts_with_all = ["red", "black"])]
    first: Option<Participant>,

    /// Who does not begin: `human` (also if nothing follows) or a player
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant, conflicts_with_all = ["red", "black"])]
    second: Option<Participant>,

    /// Who is red: `human` (also if nothing follows) or a player; red begins, and its first flip shows red
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant)]
    red: Option<Participant>,

    /// Who is black: `human` (also if nothing follows) or a player
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "human",
          value_parser = participant)]
    black: Option<Participant>,

    /// When a game is drawn: olympiad, platform, paper or openspiel
    #[arg(long, value_name = "PRESET", default_value = "olympiad", value_parser = rules)]
    rules: Rules,

    /// Deal the pieces by this number: the same number, the same deal
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Lay these pieces: rows 8 to 1 separated by `/`, four letters each, `?` for any piece
    #[arg(long, value_name = "ROWS", conflicts_with = "load")]
    deal: Option<Known>,

    /// Let players think this many milliseconds a move [default: 1000 if nothing else limits them]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,

    /// Let players look at this many positions a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Let players look this many plies ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,

    /// Show pieces as letters, upper case for red (the default)
    #[arg(long)]
    letters: bool,

    /// Show pieces as 漢字
    #[arg(long, conflicts_with = "letters")]
    chinese: bool,

    /// Use colours; `auto` means at a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    color: When,

    /// Go on with the game in this record
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
    pub fn run(mut self, tables: Option<PathBuf>) -> anyhow::Result<()> {
        if let Some(folder) = tables {
            self.give_tables(&folder)?;
        }
        let setting = self.setting()?;
        restore_on_interrupt(setting.style)?;
        let (input, output) = (io::stdin().lock(), BufWriter::new(io::stdout().lock()));
        let mut host = Host::new(setting, input, output).map_err(usage)?;
        Ok(host.run()?)
    }

    /// Lets every champion at the board read the tables in a folder.
    fn give_tables(&mut self, folder: &Path) -> anyhow::Result<()> {
        self.opponent = self.opponent();
        self.level = None;
        let mut players = vec![&mut self.opponent];
        let given = [
            &mut self.first,
            &mut self.second,
            &mut self.red,
            &mut self.black,
        ];
        players.extend(
            given
                .into_iter()
                .flatten()
                .filter_map(|participant| match participant {
                    Participant::Player(spec) => Some(spec),
                    Participant::Human => None,
                }),
        );
        for spec in players {
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

    fn setting(&self) -> anyhow::Result<Setting> {
        let loaded = match &self.load {
            Some(path) => Some(files::load(path, self.rules).context("--load")?),
            None => None,
        };
        let pairing = self.pairing(loaded.as_ref());
        let game = loaded.map_or_else(|| self.game(), |loaded| loaded.game);
        let colors_open = game.position().turn().is_none();
        if self.deal.is_some() && colors_open && matches!(pairing, Pairing::ByColor(_)) {
            let reason = "--deal says what the first flip shows, so it cannot show what --red or \
                          --black wants: say who begins with --first or --second instead";
            return Err(UsageError(reason.to_owned()).into());
        }
        Ok(Setting {
            game,
            pairing,
            known: self.deal.unwrap_or_default(),
            seed: self.seed.unwrap_or_else(fresh_seed),
            limits: self.limits(),
            style: self.style(),
        })
    }

    fn game(&self) -> Game {
        let start = || Game::new(Position::start(), self.rules);
        let mut game = self.position.clone().unwrap_or_else(start);
        game.set_rules(self.rules);
        game
    }

    fn pairing(&self, loaded: Option<&Loaded>) -> Pairing {
        if self.red.is_some() || self.black.is_some() {
            return Pairing::ByColor(self.pair(&self.red, &self.black));
        }
        let (mut first, mut second) = (self.first.clone(), self.second.clone());
        if let (Some(loaded), None, None) = (loaded, &first, &second) {
            // Whoever is known as a person in the record plays that side again.
            let person = |order| loaded.is_person(order).then_some(Participant::Human);
            (first, second) = (person(Order::First), person(Order::Second));
        }
        Pairing::ByOrder(self.pair(&first, &second))
    }

    /// Returns two participants; whoever is not named is a person facing a player, or the opponent of a person.
    fn pair(&self, one: &Option<Participant>, other: &Option<Participant>) -> [Participant; 2] {
        let facing = |participant: &Participant| match participant {
            Participant::Human => Participant::Player(self.opponent()),
            Participant::Player(_) => Participant::Human,
        };
        match (one, other) {
            (Some(one), Some(other)) => [one.clone(), other.clone()],
            (Some(one), None) => [one.clone(), facing(one)],
            (None, Some(other)) => [facing(other), other.clone()],
            (None, None) => [Participant::Human, facing(&Participant::Human)],
        }
    }

    fn opponent(&self) -> String {
        match self.level {
            Some(level) => format!("champion:level={level}"),
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
            multipv: 1,
        };
        match limits.is_unlimited() {
            true => Limits {
                time: TimeLimit::PerMove(DEFAULT_TIME),
                ..limits
            },
            false => limits,
        }
    }

    fn style(&self) -> Style {
        let terminal = io::stdout().is_terminal();
        let painted = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && environment_allows_color(),
        };
        Style {
            script: match self.chinese {
                true => Script::Chinese,
                false => Script::Letters,
            },
            paint: match painted {
                true => Paint::Colors,
                false => Paint::Plain,
            },
            audience: match terminal {
                true => Audience::Watching,
                false => Audience::Later,
            },
            typing: match terminal && io::stdin().is_terminal() {
                true => Typing::Seen,
                false => Typing::Repeated,
            },
        }
    }
}

/// Returns whether NO_COLOR and TERM speak for colours.
fn environment_allows_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && !dumb
}

/// Returns a number that nobody can foresee, short enough to be typed again.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000
}

/// Ends an interrupted game on a line of its own, with the colours reset.
///
/// The terminal is never in a special mode, so this is all there is to restore.
fn restore_on_interrupt(style: Style) -> anyhow::Result<()> {
    if style.audience == Audience::Later {
        return Ok(());
    }
    ctrlc::set_handler(move || {
        let reset = match style.paint {
            Paint::Colors => "\x1b[0m",
            Paint::Plain => "",
        };
        // Standard output is locked by the game; standard error shows on the same terminal.
        let _ = writeln!(io::stderr(), "{reset}");
        std::process::exit(130);
    })
    .context("cannot watch for interrupts")
}

/// Returns a host's refusal of its setting as a wrong command line.
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
