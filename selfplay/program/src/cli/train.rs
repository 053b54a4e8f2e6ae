//! `selfplay train`: trains the network of the champion's learned evaluation.

use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anqi_lab::training::file::DataFile;
use anqi_lab::training::generate::Recipe;
use anqi_lab::training::network::checkpoint;
use anqi_lab::training::network::dataset::{Dataset, Labelling};
use anqi_lab::training::network::losses::{NetworkLosses, loss, losses};
use anqi_lab::training::network::origin::origin_of_games;
use anqi_lab::training::network::quantize::quantize;
use anqi_lab::training::network::trainer::{self, TrainSettings, TrainingProgress};
use anqi_lab::training::settings::Positions;
use anqi_lab::training::sources::NamedData;
use anqi_lab::training::writer::NewDataFile;
use anqi_match::interrupt::Interrupt;
use anqi_match::live::{LiveLine, Status, clock_face, time_left};
use anqi_match::report::text::{count, fixed};
use anqi_search::endgames::{SharedTables, TablesSource};
use anqi_search::evaluation::{Network, Weights};
use anqi_search::resources::tables_for;
use anyhow::{Context, bail};
use serde::Serialize;

use super::output::{JsonOutput, OpenFile};
use super::training_arguments::TrainArguments;
use super::{arguments, data, fit, signals};

/// Games of a generation if neither files nor a number is given.
const DEFAULT_GAMES: u32 = 20_000;
/// Units per filter: one for each mirroring of the board.
const MIRRORS: usize = 4;

/// Trains and writes the network.
pub fn run(arguments: &TrainArguments) -> anyhow::Result<ExitCode> {
    let json = JsonOutput::open(arguments.json.as_deref())?;
    let weights = match &arguments.learning.weights {
        None => Weights::default(),
        Some(path) => fit::read_weights(path)?,
    };
    let weights = weights.with_curve(arguments.learning.curve);
    let training = Training {
        arguments,
        weights,
        tables: tables(arguments)?,
        jobs: arguments::jobs_or_cores(arguments.jobs),
        interrupt: Interrupt::new(),
    };
    signals::install(&training.interrupt)?;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(training.jobs)
        .build()?;
    let mut rows = Vec::new();
    for generation in 1..=arguments.generations {
        let Some(files) = training.files(generation)? else {
            return Ok(given_up());
        };
        let Some(row) = threads.install(|| training.generation(generation, &files))? else {
            return Ok(given_up());
        };
        rows.push(row);
    }
    json.publish(&table(&rows, &arguments.out), || {
        let document = serde_json::to_string_pretty(&rows);
        document.expect("losses hold nothing that JSON cannot say") + "\n"
    })?;
    Ok(ExitCode::SUCCESS)
}

fn tables(arguments: &TrainArguments) -> anyhow::Result<Option<Arc<SharedTables>>> {
    let text = &arguments.learning.tables;
    let source = TablesSource::read(text).with_context(|| {
        format!(
            "--tables {text}: is neither a number of pieces from 0 to 4 nor a folder that can be read"
        )
    })?;
    let opened = tables_for(arguments.recipe.rules.rules, &source);
    opened.map_err(|reason| anyhow::anyhow!("--tables {text}: {reason}"))
}

fn given_up() -> ExitCode {
    eprintln!("interrupted; the same command goes on from the last epoch");
    ExitCode::from(signals::INTERRUPTED)
}

/// The state that all generations share.
struct Training<'a> {
    arguments: &'a TrainArguments,
    weights: Weights,
    tables: Option<Arc<SharedTables>>,
    jobs: usize,
    interrupt: Interrupt,
}

impl Training<'_> {
    /// Returns the positions of a generation with their names; `None` if that was interrupted.
    fn files(&self, generation: u32) -> anyhow::Result<Option<Vec<(String, DataFile)>>> {
        let mut files = Vec::new();
        for path in &self.arguments.data {
            files.push((path.display().to_string(), DataFile::read(path)?));
        }
        if files.is_empty() {
            let Some(path) = self.played(generation)? else {
                return Ok(None);
            };
            files.push((path.display().to_string(), DataFile::read(&path)?));
        }
        Ok(Some(files))
    }

    /// Plays the games of a generation unless they have been played.
    fn played(&self, generation: u32) -> anyhow::Result<Option<PathBuf>> {
        let path = self.beside(&format!("games-{generation}"));
        let recipe = self.recipe(generation);
        let games = self.arguments.games.unwrap_or(DEFAULT_GAMES);
        if path.exists() {
            let found = DataFile::read(&path)?.header().clone();
            let is_same = found.recipe == recipe.to_string()
                && found.seed == recipe.seed
                && found.games == u64::from(games);
            if !is_same {
                bail!(
                    "{}: holds other games ({} of: {}, seed {}); remove it or name another --out",
                    path.display(),
                    found.games,
                    found.recipe,
                    found.seed
                );
            }
            return Ok(Some(path));
        }
        let mut file = NewDataFile::create(&path, recipe.to_string(), recipe.seed)?;
        let played = data::play(&recipe, games, self.jobs, &self.interrupt, |examples| {
            Ok(file.game(examples)?)
        })?;
        if played.games < games {
            return Ok(None);
        }
        played.require_positions(&recipe)?;
        file.finish()?;
        Ok(Some(path))
    }

    /// How a generation's games are played: from the second on, with the previous network.
    fn recipe(&self, generation: u32) -> Recipe {
        let mut recipe = self.arguments.recipe.recipe();
        if generation > 1 {
            let separator = if recipe.player.contains(':') {
                ','
            } else {
                ':'
            };
            let network = self.network_path(generation - 1);
            recipe.player += &format!(
                "{separator}evaluation=network,network={}",
                network.display()
            );
            recipe.seed = recipe.seed.wrapping_add(u64::from(generation - 1));
        }
        recipe
    }

    /// The path of a generation's network; that of the last is `--out`.
    fn network_path(&self, generation: u32) -> PathBuf {
        if generation == self.arguments.generations {
            self.arguments.out.clone()
        } else {
            self.beside(&format!("generation-{generation}"))
        }
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.arguments.out.clone().into_os_string();
        name.push(format!(".{ending}"));
        name.into()
    }

    /// Trains the network of one generation; `None` if that was interrupted.
    fn generation(
        &self,
        generation: u32,
        files: &[(String, DataFile)],
    ) -> anyhow::Result<Option<GenerationResult>> {
        let place = self.network_path(generation);
        let out = OpenFile::create("--out", &place)?;
        let sources: Vec<NamedData<'_>> = files
            .iter()
            .map(|(name, data)| NamedData { name, data })
            .collect();
        let learning = &self.arguments.learning;
        let rules = &self.arguments.recipe.rules;
        let dataset = Dataset::new(
            &sources,
            &Labelling {
                positions: if learning.quiet {
                    Positions::Quiet
                } else {
                    Positions::All
                },
                label_mix: learning.label_mix,
                hindsight: learning.hindsight,
                held_out: learning.held_out,
                seed: self.arguments.recipe.seed,
                weights: &self.weights,
                rules: (&rules.name, rules.rules),
                tables: self.tables.as_deref(),
            },
        )?;
        let origin = self.origin(&sources);
        let Some(progress) = self.train(&dataset, &origin)? else {
            return Ok(None);
        };
        let network = quantize(&progress.model, &self.weights, origin)
            .context("the network that was found; a lower --rate helps")?;
        let row = GenerationResult::new(generation, &progress, &network, &dataset);
        out.publish(&network.to_bytes())?;
        match fs::remove_file(self.checkpoint()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| self.checkpoint().display().to_string())
            }
            _ => Ok(Some(row)),
        }
    }

    /// Runs the remaining epochs; `None` if interrupted.
    fn train(&self, dataset: &Dataset, origin: &str) -> anyhow::Result<Option<TrainingProgress>> {
        let settings = self.settings();
        let path = self.checkpoint();
        let found = checkpoint::read(&path, origin);
        let found = found.with_context(|| path.display().to_string())?;
        let mut progress = found.unwrap_or_else(|| TrainingProgress::start(&settings));
        while progress.epochs < settings.epochs {
            let line = LiveLine::start(EpochStatus {
                epoch: progress.epochs + 1,
                epochs: settings.epochs,
                batches: (0, 0),
            });
            let trained =
                trainer::epoch(&mut progress, &dataset.training, &settings, |done, all| {
                    line.update(|status| status.batches = (done, all));
                    if self.interrupt.finish_pairs() {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
            drop(line);
            let Some(of_training) = trained else {
                return Ok(None);
            };
            checkpoint::write(&path, origin, &progress)
                .with_context(|| path.display().to_string())?;
            eprintln!(
                "epoch {} of {}: loss {of_training:.5} while training, {:.5} held out",
                progress.epochs,
                settings.epochs,
                loss(&progress.model, &dataset.held_out, settings.curve)
            );
        }
        Ok(Some(progress))
    }

    fn settings(&self) -> TrainSettings {
        let learning = &self.arguments.learning;
        TrainSettings {
            filters: learning.width / MIRRORS,
            epochs: learning.epochs,
            batch: learning.batch as usize,
            curve: self.weights.curve,
            rate: learning.rate,
            seed: self.arguments.recipe.seed,
        }
    }

    fn checkpoint(&self) -> PathBuf {
        let named = self.arguments.checkpoint.clone();
        named.unwrap_or_else(|| self.beside("checkpoint"))
    }

    /// Describes the data and settings that determine the network.
    fn origin(&self, sources: &[NamedData<'_>]) -> String {
        let learning = &self.arguments.learning;
        let mut text = format!(
            "selfplay train --curve {} --width {} --epochs {} --batch {} --rate {} --label-mix {} --held-out {} --tables {} --seed {}",
            learning.curve.name(),
            learning.width,
            learning.epochs,
            learning.batch,
            learning.rate,
            learning.label_mix,
            learning.held_out,
            learning.tables,
            self.arguments.recipe.seed,
        );
        if learning.hindsight > 0.0 {
            // Writing to a string cannot fail.
            let _ = write!(text, " --hindsight {}", learning.hindsight);
        }
        if learning.quiet {
            text += " --quiet";
        }
        let weights = crc32fast::hash(self.weights.to_string().as_bytes());
        // Writing to a string cannot fail.
        let _ = write!(text, "; weights {weights:08x}");
        text + &origin_of_games(sources.iter().map(|source| source.data))
    }
}

/// The progress of an epoch.
struct EpochStatus {
    epoch: u32,
    epochs: u32,
    batches: (u64, u64),
}

impl Status for EpochStatus {
    fn parts(&self, elapsed: Duration) -> Vec<String> {
        let (done, all) = self.batches;
        let left = time_left(elapsed, done, all.saturating_sub(done));
        vec![
            format!("epoch {} of {}", self.epoch, self.epochs),
            format!("batch {done} of {all}"),
            match left {
                Some(left) => format!("left {}", clock_face(left)),
                None => format!("{} so far", clock_face(elapsed)),
            },
        ]
    }
}

/// The result of a generation.
#[derive(Serialize)]
struct GenerationResult {
    generation: u32,
    training_positions: usize,
    held_out_positions: usize,
    tabled_positions: u64,
    left_out_positions: u64,
    loss_linear: f64,
    loss_model: f64,
    loss_network: f64,
    loss_floor: f64,
    bytes: usize,
}

impl GenerationResult {
    fn new(
        generation: u32,
        progress: &TrainingProgress,
        network: &Network,
        dataset: &Dataset,
    ) -> GenerationResult {
        let NetworkLosses {
            linear,
            model,
            network: quantized,
            floor,
        } = losses(&progress.model, network, &dataset.held_out);
        GenerationResult {
            generation,
            training_positions: dataset.training.len(),
            held_out_positions: dataset.held_out.len(),
            tabled_positions: dataset.tabled,
            left_out_positions: dataset.left_out,
            loss_linear: linear,
            loss_model: model,
            loss_network: quantized,
            loss_floor: floor,
            bytes: network.to_bytes().len(),
        }
    }
}

/// Writes the figures as text.
fn table(rows: &[GenerationResult], out: &Path) -> String {
    let mut text = String::new();
    let mut line = |label: &str, of: &dyn Fn(&GenerationResult) -> String| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{label:38}");
        for row in rows {
            let _ = write!(text, "{:>12}", of(row));
        }
        text.push('\n');
    };
    line("generation", &|row| row.generation.to_string());
    line("positions trained on", &|row| {
        count(row.training_positions as u64)
    });
    line("positions held out", &|row| {
        count(row.held_out_positions as u64)
    });
    line("positions labelled by tables", &|row| {
        count(row.tabled_positions)
    });
    line("positions left out", &|row| count(row.left_out_positions));
    line("held-out loss of the hand-made terms", &|row| {
        fixed(row.loss_linear, 5)
    });
    line("held-out loss of the trained model", &|row| {
        fixed(row.loss_model, 5)
    });
    line("held-out loss of the network", &|row| {
        fixed(row.loss_network, 5)
    });
    line("least possible loss", &|row| fixed(row.loss_floor, 5));
    line("bytes", &|row| count(row.bytes as u64));
    text + &format!("\nthe network is in {}\n", out.display())
}
