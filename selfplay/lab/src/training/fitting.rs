//! Fitting weights to files of positions: the data, and the result.
//!
//! The positions are split by game ([`crate::training::split`]) and read anew in each step
//! ([`crate::training::sides`]), unless some of them are drawn; the weights found
//! on one side are rounded as their file stores them and then evaluated on both,
//! beside the old weights, a constant prediction and perfect predictions.

use std::convert::Infallible;
use std::ops::{ControlFlow, Range};

use anqi_rules::SQUARES;
use anqi_search::evaluation::{Curve, FEATURES, Weights, WeightsError};

use super::curve;
use super::features::FeatureMatrix;
use super::file::DataHeader;
use super::regression::{self, Scale, Step, loss_of};
use super::rows::{Rows, survey};
use super::sampling::material;
use super::settings::FitSettings;
use super::sides::{SideCount, SplitSide, StreamedRows};
use super::sources::{PositionsOf, SourceError};
use super::split::require_different;
use anqi_match::seed;

/// The divisor of a weight times a feature: weights are in 1/256, and the
/// features of a position come in 1/32 of the full and of the open board.
const UNIT: f64 = 256.0 * SQUARES as f64;

/// Why there are no new weights.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The files cannot be trained on.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// There is nothing to learn from.
    #[error("no position is left to train on (of {positions} in {games} games)")]
    NoPositions {
        /// How many there were.
        positions: u64,
        /// In how many games.
        games: u64,
    },
    /// The fitted weights cannot be stored.
    #[error(
        "the weights that were found cannot be kept: {0}; more positions or a larger --l2 help"
    )]
    Weights(WeightsError),
    /// The fit was interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl From<Infallible> for FitError {
    fn from(never: Infallible) -> FitError {
        match never {}
    }
}

/// The result of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct FitResult {
    /// The initial weights.
    pub old: Weights,
    /// The fitted weights, rounded.
    pub new: Weights,
    /// How many steps it took.
    pub steps: u32,
    /// What was trained on.
    pub training: DataPart,
    /// What was held out.
    pub held_out: DataPart,
    /// How many positions the training positions were drawn from, if they were.
    pub drawn_from: Option<u64>,
    /// How many positions were left out.
    pub left_out: u64,
    /// The effect of one unit of each weight on a sum, relative to half: the root mean square
    /// over the training positions.
    pub effects: Vec<f64>,
}

/// The positions on one side of the split, and the losses on them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DataPart {
    /// How many positions.
    pub positions: u64,
    /// From how many games.
    pub games: u64,
    /// Mean losses, if there are positions.
    pub losses: Option<Losses>,
}

/// Mean losses over the same positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Of a constant prediction: the mean target of the training positions.
    pub constant: f64,
    /// Of the old weights.
    pub old: f64,
    /// Of the new weights, rounded.
    pub new: f64,
    /// Of predictions equal to the targets: the least possible.
    pub floor: f64,
}

/// Fits weights to positions, starting from `old`; `seen` may stop it after any step.
///
/// # Errors
///
/// Returns an error if the positions or the fitted weights cannot be used, or `seen` stops it.
pub fn fit(
    sources: &[PositionsOf<'_>],
    old: &Weights,
    settings: &FitSettings,
    seen: impl FnMut(Step) -> ControlFlow<()>,
) -> Result<FitResult, FitError> {
    require_different(
        sources
            .iter()
            .map(|source| (source.name, source.data.header())),
    )?;
    let [training, held_out] = [SplitSide::Training, SplitSide::HeldOut].map(|side| StreamedRows {
        sources,
        settings,
        side,
    });
    let count = training.count()?;
    let found = match settings.sampling {
        None => learn(&training, count, old, settings, seen)?,
        Some(sampling) => {
            let half = scale(old, settings.curve).half;
            let scaled: Vec<f64> = floats(old).iter().map(|w| w / half).collect();
            let model = (&scaled[..], old.curve);
            let seed = seed::sampling_seed(settings.seed);
            let materials = || training.numbers(|example| material(&example.position));
            let positions = count.positions as usize;
            let drawn = sampling.draw(&training, positions, materials, model, seed)?;
            let drawn_count = SideCount {
                positions: drawn.len() as u64,
                games: drawn.games().len() as u64,
                ..count
            };
            learn(&drawn, drawn_count, old, settings, seen)?
        }
    };
    let Some(found) = found else {
        let sum = |of: fn(&DataHeader) -> u64| sources.iter().map(|s| of(s.data.header())).sum();
        return Err(FitError::NoPositions {
            positions: sum(|header| header.records),
            games: sum(|header| header.games),
        });
    };
    let models = [old, &found.new];
    Ok(FitResult {
        old: old.clone(),
        held_out: part(&held_out, held_out.count()?, models, found.constant)?,
        new: found.new,
        steps: found.steps,
        training: found.training,
        drawn_from: settings.sampling.map(|_| count.positions),
        left_out: count.left_out,
        effects: found.effects,
    })
}

/// What follows from the positions trained on.
struct Learnt {
    new: Weights,
    steps: u32,
    training: DataPart,
    effects: Vec<f64>,
    /// The mean target.
    constant: f64,
}

/// Fits weights to rows; `None` if there are none.
fn learn<R: Rows>(
    rows: &R,
    count: SideCount,
    old: &Weights,
    settings: &FitSettings,
    mut seen: impl FnMut(Step) -> ControlFlow<()>,
) -> Result<Option<Learnt>, FitError>
where
    FitError: From<R::Error>,
{
    if count.positions == 0 {
        return Ok(None);
    }
    let survey = survey(rows, FEATURES)?;
    let scale = scale(old, settings.curve);
    let mut interrupted = false;
    let watched = |step| {
        let flow = seen(step);
        interrupted |= flow.is_break();
        flow
    };
    let first = floats(old);
    let found = regression::fit(rows, &survey, &first, scale, settings.regression, watched)?;
    if interrupted {
        return Err(FitError::Interrupted);
    }
    let new = rounded(&found.weights, old.half, settings.curve)?;
    // One undecided position more keeps the chance off 0 and 1, so that no loss is infinite.
    let constant = (survey.targets + 0.5) / (survey.total + 1.0);
    let sizes = regression::sizes(&survey);
    Ok(Some(Learnt {
        training: part(rows, count, [old, &new], constant)?,
        new,
        steps: found.steps,
        effects: sizes.iter().map(|size| size / scale.half).collect(),
        constant,
    }))
}

/// From the sum of these weights to a chance, by a curve.
fn scale(weights: &Weights, curve: Curve) -> Scale {
    Scale {
        half: f64::from(weights.half) * UNIT,
        curve,
    }
}

fn floats(weights: &Weights) -> Vec<f64> {
    weights
        .weights
        .iter()
        .map(|&weight| weight.into())
        .collect()
}

/// Rounds weights to what the file of weights can hold.
fn rounded(weights: &[f64], half: i32, curve: Curve) -> Result<Weights, FitError> {
    // A cast saturates; a weight that is too large is refused below.
    let new = Weights {
        weights: std::array::from_fn(|index| weights[index].round() as i32),
        half,
        curve,
    };
    match Weights::parse(&new.to_string()) {
        Ok(_) => Ok(new),
        Err(error) => Err(FitError::Weights(error)),
    }
}

/// Sums over rows from which the losses follow.
#[derive(Default)]
struct LossSums {
    total: f64,
    constant: f64,
    floor: f64,
    models: [f64; 2],
}

/// Returns the losses of both models, of a constant and of the targets on some rows.
fn part<R: Rows>(
    rows: &R,
    count: SideCount,
    models: [&Weights; 2],
    constant: f64,
) -> Result<DataPart, R::Error> {
    let models = models.map(|weights| {
        let Scale { half, curve } = scale(weights, weights.curve);
        let scaled: Vec<f64> = floats(weights).iter().map(|w| w / half).collect();
        (scaled, curve)
    });
    let mut sums = LossSums::default();
    let work = |rows: &FeatureMatrix, range: Range<usize>| {
        let losses = [&models[0], &models[1]]
            .map(|(scaled, curve)| loss_of(rows, range.clone(), scaled, *curve));
        let targets = range.map(|index| (rows.row(index).weight, rows.row(index).target));
        (losses, targets.collect::<Vec<(f64, f64)>>())
    };
    rows.in_chunks(work, |(losses, targets)| {
        sums.models = [0, 1].map(|model| sums.models[model] + losses[model]);
        for (weight, target) in targets {
            sums.total += weight;
            sums.constant += weight * curve::constant_loss(constant, target);
            sums.floor += weight * curve::entropy(target);
        }
    })?;
    Ok(DataPart {
        positions: count.positions,
        games: count.games,
        losses: (count.positions > 0).then(|| Losses {
            constant: sums.constant / sums.total,
            old: sums.models[0] / sums.total,
            new: sums.models[1] / sums.total,
            floor: sums.floor / sums.total,
        }),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Cursor;

    use super::*;
    use crate::training::example::{BestAction, Example, GameResult};
    use crate::training::file::DataFile;
    use crate::training::generate::{self, GenerateError, Randomization, Recipe};
    use crate::training::regression::RegressionSettings;
    use crate::training::settings::Positions;
    use crate::training::split::target;
    use crate::training::writer::DataWriter;
    use anqi_match::interrupt::Interrupt;
    use anqi_rules::Rules;
    use anqi_search::evaluation::features;
    use anqi_search::score::ESTIMATE_BOUND;

    const SETTINGS: FitSettings = FitSettings {
        positions: Positions::All,
        label_mix: 1.0,
        held_out: 0.2,
        curve: Curve::Ratio,
        seed: 1,
        sampling: None,
        regression: RegressionSettings {
            l2: 0.01,
            steps: 40,
        },
    };

    /// Plays games with few nodes and relabels their positions.
    fn data(seed: u64, games: u32, label: impl Fn(&mut Example)) -> DataFile {
        let recipe = Recipe {
            player: "champion:hash=1,tables=0".to_owned(),
            nodes: 30,
            rules: Rules::OLYMPIAD,
            rules_name: "olympiad".to_owned(),
            variety: Randomization::default(),
            seed,
        };
        let out = Cursor::new(Vec::new());
        let mut writer = DataWriter::new(out, recipe.to_string(), seed).expect("memory");
        generate::run(&recipe, games, 2, &Interrupt::new(), |examples| {
            let mut examples = examples.to_vec();
            examples.iter_mut().for_each(&label);
            writer.game(&examples).expect("memory");
            Ok::<(), GenerateError>(())
        })
        .expect("games");
        DataFile::parse(writer.finish().expect("memory").get_ref()).expect("a file")
    }

    fn fitted(data: &DataFile, old: &Weights, settings: &FitSettings) -> FitResult {
        let name = "data";
        let sources = [PositionsOf { name, data }];
        fit(&sources, old, settings, |_| ControlFlow::Continue(())).expect("weights")
    }

    /// Weights far from the default.
    fn odd_weights() -> Weights {
        Weights {
            weights: std::array::from_fn(|index| [30, -12, 0, 55, 7][index % 5]),
            half: 900,
            curve: Curve::Ratio,
        }
    }

    #[test]
    fn the_model_is_the_evaluation() {
        let data = data(2, 6, |_| ());
        // The logistic table is steep where a step of the ratio is two of its own.
        let models = [(Curve::Ratio, 1.0), (Curve::Logistic, 2.5)]
            .map(|(curve, error)| (Weights::default().with_curve(curve), error));
        let mut compared = 0;
        let indices = 0..data.records().len();
        for (index, (weights, error)) in indices.flat_map(|i| models.iter().map(move |m| (i, m))) {
            let position = data.example(index).expect("a position").position;
            let mut rows = FeatureMatrix::default();
            rows.push(&features(&position), 0.0, (0, 0));
            let half = f64::from(weights.half) * UNIT;
            let x = rows.row(0).sum(&floats(weights)) / half;
            let chance = curve::chance(weights.curve, x);
            let value = (2.0 * chance - 1.0) * f64::from(ESTIMATE_BOUND);
            assert!(
                (value - f64::from(weights.value(&position))).abs() <= *error,
                "{position}"
            );
            compared += 1;
        }
        assert!(compared > 200, "{compared} positions");
    }

    #[test]
    fn the_weights_behind_the_labels_are_found() {
        let known = odd_weights();
        let data = data(3, 120, |example| {
            example.value = known.value(&example.position) as i16;
        });
        let nothing = Weights {
            weights: [0; FEATURES],
            half: known.half,
            curve: Curve::Ratio,
        };
        let found = fitted(&data, &nothing, &SETTINGS);
        for part in [found.training, found.held_out] {
            let losses = part.losses.expect("positions");
            let learnt = (losses.old - losses.new) / (losses.old - losses.floor);
            assert!(learnt > 0.995, "{losses:?}");
            assert!(losses.new >= losses.floor - 1e-9, "{losses:?}");
        }
        // The weights of frequent features are recovered.
        let turn =
            (0..FEATURES).find(|&i| anqi_search::evaluation::feature_name(i) == "step-moving.open");
        let turn = turn.expect("a feature of that name");
        let error = found.new.weights[turn].abs_diff(known.weights[turn]);
        assert!(error <= 5, "{:?}", found.new.weights[turn]);
    }

    #[test]
    fn no_game_is_on_both_sides_and_both_have_their_share() {
        let files = [4, 5].map(|seed| data(seed, 60, |_| ()));
        let sources =
            [("a", &files[0]), ("b", &files[1])].map(|(name, data)| PositionsOf { name, data });
        let games = |settings: &FitSettings, side| {
            let rows = StreamedRows {
                sources: &sources,
                settings,
                side,
            };
            let mut games = BTreeSet::new();
            let whole = |rows: &FeatureMatrix, range| rows.rows_in(range).games();
            rows.in_chunks(whole, |some| games.extend(some))
                .expect("rows");
            assert_eq!(rows.count().expect("rows").games, games.len() as u64);
            games
        };
        let [training, held_out] =
            [SplitSide::Training, SplitSide::HeldOut].map(|side| games(&SETTINGS, side));
        assert!(training.is_disjoint(&held_out));
        assert_eq!(training.len() + held_out.len(), 120);
        assert!((10..40).contains(&held_out.len()), "{}", held_out.len());
        let other = FitSettings {
            seed: 2,
            ..SETTINGS
        };
        assert_ne!(games(&other, SplitSide::HeldOut), held_out);
        let again = PositionsOf {
            name: "again",
            ..sources[0]
        };
        let all = [sources[0], sources[1], again];
        let error = fit(&all, &odd_weights(), &SETTINGS, |_| {
            ControlFlow::Continue(())
        });
        assert_eq!(
            error.expect_err("the same games").to_string(),
            "a and again hold the same games; name one of them"
        );
    }

    #[test]
    fn poor_data_give_finite_weights_or_an_error() {
        let draws = |example: &mut Example| {
            example.result = GameResult::Draw;
            example.value = 0;
        };
        let wins = |example: &mut Example| {
            example.result = GameResult::Win;
            example.value = 10_000;
        };
        let old = Weights::default();
        for data in [data(6, 1, draws), data(7, 2, wins), data(8, 12, draws)] {
            for label_mix in [0.0, 0.7, 1.0] {
                let settings = FitSettings {
                    label_mix,
                    ..SETTINGS
                };
                let sources = [PositionsOf {
                    name: "data",
                    data: &data,
                }];
                match fit(&sources, &old, &settings, |_| ControlFlow::Continue(())) {
                    Ok(found) => {
                        let losses = found.training.losses.expect("positions");
                        let all = [losses.constant, losses.old, losses.new, losses.floor];
                        assert!(all.iter().all(|loss| loss.is_finite()), "{losses:?}");
                        assert!(losses.new <= losses.old, "{losses:?}");
                    }
                    Err(error) => assert!(matches!(error, FitError::NoPositions { .. }), "{error}"),
                }
            }
        }
    }

    #[test]
    fn captures_are_left_out_when_only_quiet_positions_train() {
        let data = data(9, 40, |_| ());
        let quiet = FitSettings {
            positions: Positions::Quiet,
            ..SETTINGS
        };
        let [all, quiet] =
            [SETTINGS, quiet].map(|settings| fitted(&data, &odd_weights(), &settings));
        let captures = (0..data.records().len())
            .filter(|&index| data.example(index).expect("whole").best == BestAction::Capture)
            .count() as u64;
        assert!(captures > 0);
        assert_eq!((all.left_out, quiet.left_out), (0, captures));
        let positions = |fitted: &FitResult| fitted.training.positions + fitted.held_out.positions;
        assert_eq!(positions(&all), positions(&quiet) + captures);
    }

    #[test]
    fn targets_lie_between_search_and_result() {
        let data = data(10, 1, |_| ());
        let mut example = data.example(0).expect("a position");
        example.result = GameResult::Loss;
        example.value = 4_500;
        assert_eq!(
            [0.0, 0.5, 1.0].map(|mix| target(example.searched(), example.result, mix)),
            [0.0, 0.375, 0.75]
        );
        example.value = 10_000;
        assert_eq!(target(example.searched(), example.result, 1.0), 1.0);
    }
}
