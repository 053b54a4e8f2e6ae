//! `lab conflicts`: scores of materials, estimated by games and by the evaluation, and made consistent.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anqi_lab::materials::conflicts::{Estimate, Held, Nodes, Played};
use anqi_lab::materials::exact::worths;
use anqi_lab::materials::prediction::{Part, losses};
use anqi_lab::materials::resolve::Method;
use anqi_lab::materials::verification::{Compared, Distances};
use anqi_lab::training::file::DataFile;
use anqi_search::players;
use anqi_tablebase::counts::KeptCounts;
use anyhow::{Context, ensure};

/// Options of `lab conflicts`.
#[derive(clap::Args)]
pub struct Options {
    /// Files of `selfplay data`; only the materials of their games are scored. Without files all are,
    /// by the evaluation
    #[arg(value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Materials of up to this many pieces; without files eight at most
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(3..=32))]
    pieces: u8,
    /// Fix the scores of all materials of up to this many pieces at their exact values
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    exact: u8,
    /// Compare the scores of larger materials of up to this many pieces with their exact values
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    verified: u8,
    /// Score materials of up to `--verified` pieces by their exact values, but so many per cent by chance
    #[arg(long, value_name = "PERCENT", conflicts_with = "games")]
    errors: Option<f64>,
    /// Keep the counts of exact values in this file, and count only what it lacks
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Evaluate so many random positions of each material, twice: with either side to move
    #[arg(long, value_name = "N", default_value_t = 16)]
    placements: u32,
    /// Materials verified in a round
    #[arg(long, value_name = "N", default_value_t = 695)]
    sample: usize,
    /// Rounds of verification
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Compare so many materials beyond `--verified` with games of a player with itself
    #[arg(long, value_name = "N", default_value_t = 0)]
    play: usize,
    /// Play from so many random positions of each, twice: with either side to move
    #[arg(long, value_name = "N", default_value_t = 8)]
    play_positions: u32,
    /// Nodes a move of these games
    #[arg(long, value_name = "N", default_value_t = 1000)]
    play_nodes: u64,
    /// Who plays them
    #[arg(long, value_name = "PLAYER", default_value = "champion:hash=1")]
    player: String,
}

/// Prints what is in conflict before and after, error distances, and losses on games held out.
pub fn run(options: &Options) -> anyhow::Result<()> {
    ensure!(
        options.exact < options.pieces,
        "--exact {} leaves nothing to estimate with --pieces {}",
        options.exact,
        options.pieces
    );
    ensure!(
        options.errors.is_none() || options.verified >= options.pieces,
        "--errors needs exact values of all materials: --verified {0} with --pieces {0}",
        options.pieces
    );
    ensure!(
        !options.games.is_empty() || options.pieces <= 8,
        "--pieces {}: without files of games at most 8",
        options.pieces
    );
    players::by_spec(&options.player).context("--player")?;
    let counts = KeptCounts::open(options.record.as_deref()).context("--record")?;
    let exact = worths(options.exact.max(options.verified).into(), &counts)?;
    let files = options.games.iter().map(|file| read(file));
    let files: Vec<DataFile> = files.collect::<anyhow::Result<_>>()?;
    let pieces = usize::from(options.exact) + 1..=options.pieces.into();
    let nodes = if files.is_empty() {
        Nodes::all(&exact, pieces)
    } else {
        Nodes::of_games(&exact, pieces, &files, |_| true)?
    }
    .evaluated(options.placements);
    let nodes = match options.errors {
        Some(percent) => nodes.with_errors(percent / 100.0),
        None => nodes,
    };
    let estimates: &[Estimate] = match (files.is_empty(), options.errors) {
        (false, _) => &[Estimate::Games, Estimate::Evaluation],
        (true, None) => &[Estimate::Evaluation],
        (true, Some(_)) => &[Estimate::Errors],
    };
    let mut out = io::stdout().lock();
    origin(&nodes, &mut out)?;
    resolved(&nodes, estimates, &mut out)?;
    verified(options, &nodes, estimates, &mut out)?;
    if !files.is_empty() {
        let held = Held::new(&exact, &nodes, &files)?;
        predicted(&held, &mut out)?;
    }
    Ok(())
}

fn read(file: &Path) -> anyhow::Result<DataFile> {
    Ok(DataFile::read(file)?)
}

/// Prints what the estimates rest on.
fn origin(nodes: &Nodes, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(occurred) = nodes.occurrences() {
        let all = occurred.materials.max(1) as f64;
        writeln!(
            out,
            "{} materials occurred, each in {:.2} games on average, {:.1} % in a single game",
            occurred.materials,
            occurred.games as f64 / all,
            100.0 * occurred.once as f64 / all
        )?;
    }
    writeln!(
        out,
        "the evaluation's log odds are stretched by {:.2}, which fits the exact materials best\n",
        nodes.stretch()
    )?;
    Ok(())
}

/// Prints the inconsistent nodes before and after.
fn resolved(nodes: &Nodes, estimates: &[Estimate], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "scores by    algorithm   nodes  fixed   pairs  inconsistent   left  iterations  changed  diffused  nodes left at levels 0 to 9"
    )?;
    for &estimate in estimates {
        for method in [Method::Basic, Method::Refined] {
            let mut lattice = nodes.lattice(estimate);
            let before = lattice.inconsistent();
            let done = lattice.resolve(method);
            let levels = lattice.levels().map(|count| count.to_string());
            writeln!(
                out,
                "{:<12} {:<9} {:>7} {:>6} {:>7} {before:>13} {:>6} {:>11} {:>8} {:>9}  {}",
                estimate.name(),
                name(method),
                lattice.len(),
                lattice.fixed(),
                lattice.pairs(),
                lattice.inconsistent(),
                done.iterations,
                done.corrected,
                done.diffused,
                levels.join(" ")
            )?;
            out.flush()?;
        }
    }
    Ok(())
}

fn name(method: Method) -> &'static str {
    match method {
        Method::Basic => "basic",
        Method::Refined => "refined",
    }
}

/// Prints error distances of verified nodes.
fn verified(
    options: &Options,
    nodes: &Nodes,
    estimates: &[Estimate],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let titles = "scores by    resolved   nodes      right %        one off %        further %       inverted %";
    if options.verified > options.exact {
        writeln!(out, "\nverified by exact values\n{titles}")?;
        for &estimate in estimates {
            let compared = nodes.verified(estimate, options.sample, options.rounds);
            write_compared(estimate, &compared, out)?;
        }
    }
    if options.play > 0 {
        let played = Played {
            player: &options.player,
            nodes: options.play_nodes,
            positions: options.play_positions,
        };
        let (sample, error) = nodes.played(options.play, &played);
        writeln!(
            out,
            "\nverified by games of {}, {} nodes a move; standard error of a material {:.2} scores\n{titles}",
            options.player, options.play_nodes, error
        )?;
        for &estimate in estimates {
            write_compared(estimate, &nodes.compared(estimate, &sample), out)?;
        }
    }
    Ok(())
}

fn write_compared(
    estimate: Estimate,
    compared: &Compared,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for (resolved, one) in ["no", "basic", "refined"].iter().zip(compared) {
        write!(
            out,
            "{:<12} {resolved:<9} {:>6}",
            estimate.name(),
            one.nodes
        )?;
        let Distances {
            right,
            near,
            inverted,
            ..
        } = *one;
        for count in [right, near, one.far(), inverted] {
            let (percent, error) = one.percent(count);
            write!(out, "  {percent:>6.2} ± {error:<5.2}")?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(())
}

/// Prints how well scores predict results of games that they do not come from.
fn predicted(held: &Held, out: &mut impl Write) -> anyhow::Result<()> {
    const PREDICTORS: [(&str, &[Part]); 9] = [
        ("evaluation of the position", &[Part::Position]),
        ("nothing", &[]),
        ("evaluation of the material", &[Part::Material]),
        ("scores by games, raw", &[Part::Score(0)]),
        ("scores by games, basic", &[Part::Score(1)]),
        ("scores by games, refined", &[Part::Score(2)]),
        ("position and raw scores", &[Part::Position, Part::Score(0)]),
        (
            "position and basic scores",
            &[Part::Position, Part::Score(1)],
        ),
        (
            "position and refined scores",
            &[Part::Position, Part::Score(2)],
        ),
    ];
    writeln!(
        out,
        "\nresults of games held out: {} positions of {} games with a scored material, of {}; scores from half of the games, {} positions to fit\n\
         predictor                     loss in nats        less the first's",
        held.tested.len(),
        held.games(),
        held.candidates,
        held.fitted.len()
    )?;
    let parts = PREDICTORS.map(|(_, parts)| parts);
    for ((name, _), loss) in PREDICTORS
        .iter()
        .zip(losses(&held.fitted, &held.tested, &parts))
    {
        writeln!(
            out,
            "{name:<28} {:>7.4} ± {:.4}    {:>+8.4} ± {:.4}",
            loss.mean, loss.error, loss.difference, loss.difference_error
        )?;
    }
    Ok(())
}
