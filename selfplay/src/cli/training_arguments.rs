//! What can be said on the command line about training.

use std::path::PathBuf;

use anqi_selfplay::training::fitting::{Positions, Settings};
use anqi_selfplay::training::generate::{Recipe, Variety};
use anqi_selfplay::training::regression;
use clap::Args;

use super::arguments::{NamedRules, parse_jobs, parse_rules};

/// Games to play.
#[derive(Args, Debug)]
pub struct DataArguments {
    /// How many games.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// How they are played.
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// Where to put the positions.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How many games are played at the same time [default: one a core].
    #[arg(short, long, value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// Writes what the file holds as JSON, to standard output instead of the table if no file is named.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

/// How training games are played.
#[derive(Args, Debug)]
#[command(next_help_heading = "Games")]
pub struct RecipeArguments {
    /// The built-in player, who plays itself.
    #[arg(long, value_name = "PLAYER", default_value = "champion")]
    pub player: String,
    /// Nodes for an action.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// olympiad, platform, paper or openspiel.
    #[arg(long, default_value = "olympiad", value_parser = parse_rules)]
    pub rules: NamedRules,
    /// The seed of all deals and random actions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many plies the opening has.
    #[arg(long, value_name = "PLIES", default_value_t = Variety::default().opening_plies)]
    pub opening_plies: u32,
    /// The chance of a random action in the opening.
    #[arg(long, value_name = "CHANCE", default_value_t = Variety::default().opening, value_parser = parse_chance)]
    pub opening_random: f64,
    /// The chance of a random action later.
    #[arg(long, value_name = "CHANCE", default_value_t = Variety::default().later, value_parser = parse_chance)]
    pub random: f64,
}

impl RecipeArguments {
    /// Returns the recipe of the games.
    pub fn recipe(&self) -> Recipe {
        Recipe {
            player: self.player.clone(),
            nodes: self.nodes,
            rules: self.rules.rules,
            rules_name: self.rules.name.clone(),
            variety: Variety {
                opening_plies: self.opening_plies,
                opening: self.opening_random,
                later: self.random,
            },
            seed: self.seed,
        }
    }
}

/// Weights to fit.
#[derive(Args, Debug)]
pub struct FitArguments {
    /// Files of positions; without any, games are played first.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "player", "nodes", "rules", "opening_plies", "opening_random", "random"])]
    pub data: Vec<PathBuf>,
    /// How many games are played, without files of positions [default: 4000].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// How they are played; the seed also decides which games are held out.
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// How weights are found.
    #[command(flatten)]
    pub learning: LearningArguments,
    /// Where to put the weights.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How many threads work [default: one a core].
    #[arg(short, long, value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// Writes the figures as JSON, to standard output instead of the table if no file is named.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

impl FitArguments {
    /// Returns what to train on, and how.
    pub fn settings(&self) -> Settings {
        let learning = &self.learning;
        Settings {
            positions: match learning.quiet {
                true => Positions::Quiet,
                false => Positions::All,
            },
            label_mix: learning.label_mix,
            held_out: learning.held_out,
            seed: self.recipe.seed,
            regression: regression::Settings {
                l2: learning.l2,
                steps: learning.epochs,
            },
        }
    }
}

/// How weights are found.
#[derive(Args, Debug)]
#[command(next_help_heading = "Learning")]
pub struct LearningArguments {
    /// The weights to begin with [default: those of this program].
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// The share of games that is held out.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_chance)]
    pub held_out: f64,
    /// The search's share of what is to be learnt; the rest is the result's.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, value_parser = parse_chance)]
    pub label_mix: f64,
    /// Trains on positions only whose best action is no capture.
    #[arg(long)]
    pub quiet: bool,
    /// How many positions with a feature its old weight counts for.
    ///
    /// Positions of one game are much alike, so that a few hundred are worth few games.
    #[arg(long, value_name = "POSITIONS", default_value_t = 500.0, value_parser = parse_pull)]
    pub l2: f64,
    /// The most passes over the positions that find a better direction.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub epochs: u32,
}

/// Files to count.
#[derive(Args, Debug)]
pub struct DataInfoArguments {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Writes a list with the counts of each file as JSON, to standard output instead of the table if no file is named.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

fn parse_chance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(chance) if (0.0..=1.0).contains(&chance) => Ok(chance),
        Ok(_) => Err("a chance is between 0 and 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn parse_pull(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(positions) if (0.0..=1e12).contains(&positions) => Ok(positions),
        Ok(_) => Err("a number of positions is not negative".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
