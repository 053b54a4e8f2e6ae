//! Arguments that commands share, and those of a match.

use std::path::PathBuf;

use anqi_match::adjudication::{Adjudication, DrawRule, ResignRule};
use anqi_match::clock::TimeTolerance;
use anqi_match::deal::DealKind;
use anqi_match::limits::{Limits, TimeControl};
use anqi_match::luck::AppraiserSpec;
use anqi_match::pairing::Shard;
use anqi_match::runner::EngineLifetime;
use anqi_match::side::BySide;
use anqi_match::statistics::adjusted::Coefficient;
use anqi_match::statistics::sprt::{Scores, Sprt};
use anqi_match::table_adjudicator::{TableAdjudicator, TableChoice};
use anqi_rules::Rules;
use clap::Args;
use std::time::Duration;

/// A match between two players.
#[derive(Args, Debug)]
pub struct PlayArguments {
    /// Player A.
    #[arg(long, value_name = "PLAYER", required = true)]
    a: Option<String>,
    /// Player B.
    #[arg(long, value_name = "PLAYER", required = true)]
    b: Option<String>,
    /// The limits of both sides, unless a side has its own.
    #[command(flatten)]
    pub limits: CommonLimits,
    /// The limits of A.
    #[command(flatten)]
    pub limits_a: LimitsOfA,
    /// The limits of B.
    #[command(flatten)]
    pub limits_b: LimitsOfB,
    /// How the match is played.
    #[command(flatten)]
    pub conditions: Conditions,
    /// Plays only every n-th pair, starting with the i-th.
    #[arg(long, value_name = "I/N", conflicts_with = "sprt")]
    pub shard: Option<Shard>,
    /// Stops as soon as a sequential probability ratio test is decided.
    ///
    /// Settings: elo0, elo1, alpha (0.05), beta (0.05), model (normalized or logistic); the word
    /// `adjusted` tests the results with the luck taken out.
    #[arg(long, value_name = "elo0=…,elo1=…", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Options about luck.
    #[command(flatten)]
    pub luck: LuckArguments,
    /// Output at the end.
    #[command(flatten)]
    pub output: OutputArguments,
}

macro_rules! limit_arguments {
    ($name:ident, $heading:literal, $doc:literal, $nodes:literal, $depth:literal, $movetime:literal, $tc:literal) => {
        #[doc = $doc]
        #[derive(Args, Debug)]
        #[command(next_help_heading = $heading)]
        pub struct $name {
            /// Nodes a move, at most.
            #[arg(id = $nodes, long = $nodes, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
            nodes: Option<u64>,
            /// Depth in plies, at most.
            #[arg(id = $depth, long = $depth, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
            depth: Option<u32>,
            /// Milliseconds a move.
            #[arg(id = $movetime, long = $movetime, value_name = "MS", conflicts_with = $tc, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
            movetime: Option<u64>,
            /// Seconds for the game, plus seconds added after each move.
            #[arg(id = $tc, long = $tc, value_name = "TOTAL+INCREMENT")]
            tc: Option<TimeControl>,
        }

        impl $name {
            fn limits(&self) -> Limits {
                let per_move = self.movetime.map(|move_ms| TimeControl::PerMove { move_ms });
                Limits {
                    nodes: self.nodes,
                    depth: self.depth,
                    time: self.tc.or(per_move),
                }
            }
        }
    };
}

limit_arguments!(
    CommonLimits,
    "Limits [default: a fixed number of nodes]",
    "The limits of both sides.",
    "nodes",
    "depth",
    "movetime",
    "tc"
);
limit_arguments!(
    LimitsOfA,
    "Limits of A, instead of those of both",
    "The limits of side A; any of these replaces all common limits.",
    "a-nodes",
    "a-depth",
    "a-movetime",
    "a-tc"
);
limit_arguments!(
    LimitsOfB,
    "Limits of B, instead of those of both",
    "The limits of side B; any of these replaces all common limits.",
    "b-nodes",
    "b-depth",
    "b-movetime",
    "b-tc"
);

impl CommonLimits {
    /// Returns these limits, or the default where none is given.
    pub fn or_default(&self) -> Limits {
        self.or(Limits::DEFAULT)
    }

    /// Returns these limits, or others where none is given.
    pub fn or(&self, otherwise: Limits) -> Limits {
        or_else(self.limits(), otherwise)
    }
}

impl PlayArguments {
    /// Returns the text of each player.
    pub fn players(&self) -> BySide<&str> {
        // Optional only because subcommands do not need them.
        BySide {
            a: self.a.as_deref().expect("required on the command line"),
            b: self.b.as_deref().expect("required on the command line"),
        }
    }

    /// Returns the limits of each side.
    pub fn limits(&self) -> BySide<Limits> {
        let common = self.limits.or_default();
        BySide {
            a: or_else(self.limits_a.limits(), common),
            b: or_else(self.limits_b.limits(), common),
        }
    }
}

fn or_else(limits: Limits, otherwise: Limits) -> Limits {
    if limits.is_empty() { otherwise } else { limits }
}

/// How games are played, independent of the players.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Conditions")]
pub struct Conditions {
    /// Number of games; even, because a pair is two games.
    #[arg(long, default_value_t = 200, value_parser = parse_games)]
    pub games: u64,
    /// The seed of all deals and of all random choices of players [default: 1; random where an outside program plays].
    #[arg(long)]
    pub seed: Option<u64>,
    /// Number of pairs played at the same time [default: one per core].
    #[arg(long, value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// olympiad, platform, paper, openspiel, mistboard or course.
    #[arg(long, default_value = "olympiad", value_parser = parse_rules)]
    pub rules: NamedRules,
    /// Begins games at the positions in a file, one a line; each player starts once from each.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// sequence: the k-th flip of a game reveals the k-th piece; squares: each square hides one.
    #[arg(long, default_value_t = DealKind::Sequence)]
    pub deal: DealKind,
    /// Saves finished pairs in a folder, and plays only the pairs that are missing there.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How many milliseconds late an answer may be.
    #[arg(long, value_name = "MS", default_value_t = 250)]
    pub time_margin: u64,
    /// Seconds of silence after which a program without a clock counts as stalled.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub stall_after: u64,
    /// Ends a game when both sides report the same winner with at least this value in this many consecutive
    /// moves.
    #[arg(long, value_name = "VALUE:MOVES")]
    pub resign: Option<ResignRule>,
    /// Ends a game as a draw when both sides report values this close to zero in this many consecutive moves, after this many
    /// plies.
    #[arg(long, value_name = "VALUE:MOVES:PLIES")]
    pub draw: Option<DrawRule>,
    /// Ends games by endgame tables: those in a folder, or those of up to 2 to 4 pieces, solved in
    /// memory.
    #[arg(long, value_name = "DIR|PIECES")]
    pub adjudicate_tables: Option<TableChoice>,
    /// Restarts outside programs for every game.
    #[arg(long)]
    pub restart: bool,
}

impl Conditions {
    /// Returns when decided games end early, by tables too if there are any.
    pub fn adjudication(&self, adjudicator: Option<&TableAdjudicator>) -> Adjudication {
        Adjudication {
            resign: self.resign,
            draw: self.draw,
            tables: adjudicator.map(TableAdjudicator::rule),
        }
    }

    /// Returns how strictly the referee keeps time.
    pub fn tolerance(&self) -> TimeTolerance {
        TimeTolerance {
            margin: Duration::from_millis(self.time_margin),
            without_clock: Duration::from_secs(self.stall_after),
            ..TimeTolerance::default()
        }
    }

    /// Returns how long an engine is kept.
    pub fn lifetime(&self) -> EngineLifetime {
        if self.restart {
            EngineLifetime::OneGame
        } else {
            EngineLifetime::UntilFault
        }
    }

    /// Returns how many threads play.
    pub fn jobs(&self) -> usize {
        jobs_or_cores(self.jobs)
    }
}

/// Returns the number of threads: the given one, else one per core.
pub fn jobs_or_cores(jobs: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    jobs.unwrap_or_else(cores)
}

/// Rules and their name.
#[derive(Clone, Debug)]
pub struct NamedRules {
    /// The name.
    pub name: String,
    /// The rules.
    pub rules: Rules,
}

pub(super) fn parse_rules(name: &str) -> Result<NamedRules, String> {
    let known = Rules::PRESETS.map(|(name, _)| name).join(", ");
    Rules::preset(name)
        .map(|rules| NamedRules {
            name: name.to_owned(),
            rules,
        })
        .ok_or_else(|| format!("there are {known}"))
}

pub(super) fn parse_games(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(0) => Err("a match has at least two games".to_owned()),
        Ok(games) if games % 2 == 1 => Err(format!(
            "a pair is two games: {} or {}?",
            games - 1,
            games + 1
        )),
        Ok(games) => Ok(games),
        Err(error) => Err(error.to_string()),
    }
}

pub(super) fn parse_jobs(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    match text.parse::<usize>() {
        Ok(jobs @ 1..=MOST) => Ok(jobs),
        Ok(_) => Err(format!("between 1 and {MOST}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Options about luck.
#[derive(Args, Debug)]
#[command(next_help_heading = "Luck")]
pub struct LuckArguments {
    /// Also reports the results with the luck of flips taken out.
    #[arg(long)]
    pub adjust: bool,
    /// Measures luck by the champion's evaluation, or by its search of this many nodes or plies, flips left out with moves [default: moves=2].
    #[arg(long, value_name = "evaluation|NODES|depth=N|moves=N")]
    pub appraiser: Option<AppraiserSpec>,
    /// Fixes the coefficient of luck, otherwise estimated from the other pairs.
    #[arg(long, value_name = "FACTOR", value_parser = parse_coefficient)]
    pub luck_coefficient: Option<f64>,
}

impl LuckArguments {
    /// Returns the appraiser, if an option or the test needs luck.
    pub fn appraiser(&self, sprt: Option<&Sprt>) -> Option<AppraiserSpec> {
        let tested = sprt.is_some_and(|sprt| sprt.scores == Scores::Adjusted);
        let wanted = self.adjust || tested || self.luck_coefficient.is_some();
        self.appraiser.or(wanted.then(AppraiserSpec::default))
    }

    /// Returns where the coefficient of luck comes from.
    pub fn coefficient(&self) -> Coefficient {
        self.luck_coefficient
            .map_or(Coefficient::Estimated, Coefficient::Fixed)
    }
}

fn parse_coefficient(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if (0.0..=10.0).contains(&factor) => Ok(factor),
        Ok(_) => Err("a factor between 0 and 10".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The output of a match.
#[derive(Args, Debug)]
#[command(next_help_heading = "Results")]
pub struct OutputArguments {
    /// Writes the figures as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Adds times, date and command to text and JSON; they differ from run to run.
    #[arg(long)]
    pub times: bool,
    /// Writes a page with plots and all games, move by move.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Writes records as the tournament platform does: one file, or one for each game in a folder.
    #[arg(long, value_name = "FILE|DIR/")]
    pub record: Option<PathBuf>,
}

/// Folders to merge.
#[derive(Args, Debug)]
pub struct MergeArguments {
    /// Folders of finished pairs.
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The folder for all pairs.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Folders to report on.
#[derive(Args, Debug)]
pub struct AnalyzeArguments {
    /// Folders of finished pairs of one match.
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// Counts pairs only until this test is decided.
    #[arg(long, value_name = "elo0=…,elo1=…", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Options about luck.
    #[command(flatten)]
    pub luck: LuckArguments,
    /// Output.
    #[command(flatten)]
    pub output: OutputArguments,
}
