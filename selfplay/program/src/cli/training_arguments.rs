//! The command line of training.

use std::path::PathBuf;

use anqi_lab::training::generate::{Randomization, Recipe};
use anqi_lab::training::regression::RegressionSettings;
use anqi_lab::training::sampling::{Favour, Sampling};
use anqi_lab::training::settings::{FitSettings, Positions};
use anqi_search::evaluation::{Curve, Weights};
use clap::Args;

use super::arguments::{NamedRules, parse_jobs, parse_rules};

/// Games to play.
#[derive(Args, Debug)]
pub struct DataArguments {
    /// Number of games.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// How they are played.
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// The file for the positions.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of games played at the same time [default: one per core].
    #[arg(short, long, value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// Writes the summary as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

/// How training games are played.
#[derive(Args, Debug)]
#[command(next_help_heading = "Games")]
pub struct RecipeArguments {
    /// The built-in player that plays against itself.
    #[arg(long, value_name = "PLAYER", default_value = "champion")]
    pub player: String,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// olympiad, platform, paper, openspiel, mistboard or course.
    #[arg(long, default_value = "olympiad", value_parser = parse_rules)]
    pub rules: NamedRules,
    /// The seed of all deals and random moves.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Length of the opening in plies.
    #[arg(long, value_name = "PLIES", default_value_t = Randomization::default().opening_plies)]
    pub opening_plies: u32,
    /// The chance of a random move in the opening.
    #[arg(long, value_name = "CHANCE", default_value_t = Randomization::default().opening, value_parser = parse_chance)]
    pub opening_random: f64,
    /// The chance of a random move after the opening.
    #[arg(long, value_name = "CHANCE", default_value_t = Randomization::default().later, value_parser = parse_chance)]
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
            variety: Randomization {
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
    /// Number of games to play if no files are given [default: 4000].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// How they are played; the seed also selects the games held out.
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// How weights are found.
    #[command(flatten)]
    pub learning: LearningArguments,
    /// The file for the weights.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of threads [default: one per core].
    #[arg(short, long, value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// Writes the figures as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

impl FitArguments {
    /// Returns the data and settings of the training, which starts from `old`.
    pub fn settings(&self, old: &Weights) -> FitSettings {
        let learning = &self.learning;
        FitSettings {
            positions: if learning.quiet {
                Positions::Quiet
            } else {
                Positions::All
            },
            label_mix: learning.label_mix,
            held_out: learning.held_out,
            curve: learning.curve.unwrap_or(old.curve),
            seed: self.recipe.seed,
            sampling: learning.sample.map(|share| Sampling {
                share,
                favour: learning.favour,
            }),
            regression: RegressionSettings {
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
    /// The weights to start from [default: the built-in ones].
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// The curve from sums to expected results, ratio or logistic [default: that of the weights
    /// to start from].
    ///
    /// The positions' search values should be of a player with the same curve.
    #[arg(long, value_parser = parse_curve)]
    pub curve: Option<Curve>,
    /// The share of games held out for validation.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_chance)]
    pub held_out: f64,
    /// The weight of the search value in the target; the game result has the rest.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, value_parser = parse_chance)]
    pub label_mix: f64,
    /// Trains only on positions whose best move is not a capture.
    #[arg(long)]
    pub quiet: bool,
    /// Draws about this share of the positions to train on; each counts for those it stands for.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub sample: Option<f64>,
    /// Draws some positions with better chances than others: rare (few have their pieces) or
    /// surprising (the old weights predict another result).
    #[arg(
        long,
        value_name = "none|rare|surprising",
        default_value = "none",
        requires = "sample"
    )]
    pub favour: Favour,
    /// Ridge penalty: the old weight of a feature counts as much as this many positions with it.
    ///
    /// Positions of one game are much alike, so a few hundred of them equal few games.
    #[arg(long, value_name = "POSITIONS", default_value_t = 500.0, value_parser = parse_pull)]
    pub l2: f64,
    /// Steps of the optimiser, at most.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub epochs: u32,
}

/// A network to train.
#[derive(Args, Debug)]
pub struct TrainArguments {
    /// Files of positions; without any, games are played first.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "generations", "player", "nodes", "opening_plies", "opening_random", "random"])]
    pub data: Vec<PathBuf>,
    /// Number of games to play for each generation if no files are given [default: 20000].
    ///
    /// Their positions are kept beside the network, in OUT.games-1 and so on.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// Generations: the network of each plays the games of the next.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub generations: u32,
    /// How the games are played; the seed also decides the order of positions and the games held out.
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// How the network learns.
    #[command(flatten)]
    pub learning: NetworkArguments,
    /// The file for the network.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The file that keeps the state of training after each epoch [default: OUT.checkpoint].
    ///
    /// The same command resumes from it; it is removed at the end.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Number of threads [default: one per core].
    #[arg(short, long, value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// Writes the figures as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

/// How a network learns.
#[derive(Args, Debug)]
#[command(next_help_heading = "Learning")]
pub struct NetworkArguments {
    /// Units of the first layer: a multiple of 16.
    #[arg(long, value_name = "UNITS", default_value_t = 64, value_parser = parse_width)]
    pub width: usize,
    /// Passes over all positions.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub epochs: u32,
    /// Positions in a batch.
    #[arg(long, value_name = "POSITIONS", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(16..=1_000_000))]
    pub batch: u32,
    /// The initial learning rate; it falls along half a cosine.
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = parse_rate)]
    pub rate: f64,
    /// The share of games held out for validation.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = parse_chance)]
    pub held_out: f64,
    /// The weight of the search value in the target; the game result has the rest.
    #[arg(long, value_name = "SHARE", default_value_t = 0.85, value_parser = parse_chance)]
    pub label_mix: f64,
    /// How far later searches of the same game correct a search value, as the λ of TD(λ): each
    /// ply on counts λ times as much as the one before; 0 for no correction.
    ///
    /// By how much flips change the value is luck, and left out.
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = parse_chance)]
    pub hindsight: f64,
    /// Trains only on positions whose best move is not a capture.
    #[arg(long)]
    pub quiet: bool,
    /// The weights of the hand-made terms that the network is added to [default: the built-in ones].
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// The curve from sums to expected results: logistic, or ratio, that of the first networks.
    ///
    /// The positions' search values should be of a player with the same curve.
    #[arg(long, default_value = "logistic", value_parser = parse_curve)]
    pub curve: Curve,
    /// Endgame tables that label the positions they have: solved up to this many pieces, or a
    /// folder of files; 0 for none.
    #[arg(long, value_name = "PIECES|FOLDER", default_value = "0")]
    pub tables: String,
}

/// Files to count.
#[derive(Args, Debug)]
pub struct DataInfoArguments {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Writes the summary of each file as JSON; without a file, to standard output instead of the table.
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

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        Ok(_) => Err("a share is above 0 and at most 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn parse_rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate <= 1.0 => Ok(rate),
        Ok(_) => Err("a learning rate is above 0 and at most 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn parse_width(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(units) if (16..=1024).contains(&units) && units.is_multiple_of(16) => Ok(units),
        Ok(_) => Err("a width is a multiple of 16 from 16 to 1024".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn parse_curve(text: &str) -> Result<Curve, String> {
    let names = Curve::NAMES.join(" or ");
    Curve::named(text).ok_or_else(|| format!("expected {names}"))
}

fn parse_pull(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(positions) if (0.0..=1e12).contains(&positions) => Ok(positions),
        Ok(_) => Err("a number of positions is not negative".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
