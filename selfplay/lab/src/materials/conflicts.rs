//! The materials of games, or all of a number of pieces, with their exact or estimated scores.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use anqi_rules::Color;
use anqi_rules::random::{below, shuffle, split_mix};
use anqi_search::evaluation::{Evaluation, Evaluator};
use anqi_search::score::ESTIMATE_BOUND;
use anqi_tablebase::classes::Material;
use rayon::prelude::*;

use super::estimates::{self, Records, Sum};
use super::exact::MaterialWorth;
use super::lattice::{Lattice, NodeScore, TOP_SCORE, oriented, score_of};
use super::prediction::{MOST, Row, SCORES};
use super::resolve::Method;
use super::verification::{self, Compared};
use crate::training::example::Example;
use crate::training::file::{DataFault, DataFile};

/// Where estimates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimate {
    /// The results of games.
    Games,
    /// The static evaluation of random positions.
    Evaluation,
    /// Exact worths, some of them replaced by random ones.
    Errors,
}

impl Estimate {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Estimate::Games => "games",
            Estimate::Evaluation => "evaluation",
            Estimate::Errors => "errors",
        }
    }
}

/// An oriented material and what is known of its worth.
#[derive(Clone, Copy, Debug)]
struct Node {
    set: Material,
    exact: Option<f64>,
    /// Whether the exact worth is only for comparison.
    is_estimated: bool,
    /// By the results of games, or with errors.
    games: f64,
    evaluation: f64,
}

/// All nodes of a lattice.
#[derive(Clone, Debug)]
pub struct Nodes {
    nodes: Vec<Node>,
    /// How many pieces the estimated ones have.
    pieces: RangeInclusive<usize>,
    /// The factor of the evaluation's log odds.
    stretch: f64,
    /// How often materials occurred in games, if they come from games.
    occurrences: Option<Occurrences>,
}

/// How often the estimated materials occurred.
#[derive(Clone, Copy, Debug)]
pub struct Occurrences {
    /// How many materials occurred.
    pub materials: usize,
    /// Those that occurred in one game only.
    pub once: usize,
    /// Games of each material, added up.
    pub games: u64,
}

/// Games that verify scores.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// Who plays with itself.
    pub player: &'a str,
    /// Nodes a move.
    pub nodes: u64,
    /// Random positions, each with either side to move.
    pub positions: u32,
}

impl Nodes {
    /// Takes all materials of these numbers of pieces, and the exact ones of fewer.
    pub fn all(exact: &[MaterialWorth], pieces: RangeInclusive<usize>) -> Nodes {
        let sets = pieces.clone().flat_map(Material::all);
        let sets = sets.map(|set| oriented(&set).0);
        Nodes::new(exact, pieces, sets.map(|set| (set, 0.0)).collect())
    }

    /// Takes the materials of these numbers of pieces that occur in some games of files, and the exact ones of fewer.
    ///
    /// # Errors
    ///
    /// Fails if a record of a file is invalid.
    pub fn of_games(
        exact: &[MaterialWorth],
        pieces: RangeInclusive<usize>,
        files: &[DataFile],
        counts: impl Fn(u32) -> bool,
    ) -> Result<Nodes, DataFault> {
        let mut records = Records::default();
        for_each(files, |file, example| {
            if counts(example.game) {
                records.add((file, example.game), example);
            }
        })?;
        let sums = records.sums();
        let sums: Vec<(Material, Sum)> = sums
            .filter(|(set, _)| pieces.contains(&set.len()))
            .collect();
        let worths = sums.iter().map(|(set, sum)| (*set, sum.worth()));
        let mut nodes = Nodes::new(exact, pieces, worths.collect());
        nodes.occurrences = Some(Occurrences {
            materials: sums.len(),
            once: sums.iter().filter(|(_, sum)| sum.games == 1).count(),
            games: sums.iter().map(|(_, sum)| u64::from(sum.games)).sum(),
        });
        Ok(nodes)
    }

    fn new(
        exact: &[MaterialWorth],
        pieces: RangeInclusive<usize>,
        estimated: BTreeMap<Material, f64>,
    ) -> Nodes {
        let known: HashMap<Material, f64> = exact.iter().map(|row| (row.set, row.worth)).collect();
        let is_even = |set: &Material| set.swapped() == *set;
        let small = exact.iter().map(|row| row.set);
        let small = small.filter(|set| set.len() < *pieces.start() && !oriented(set).1);
        let node = |(set, games, is_estimated)| Node {
            set,
            exact: known.get(&set).copied(),
            is_estimated,
            games,
            evaluation: 0.0,
        };
        let small = small.map(|set| node((set, 0.0, false)));
        let large = estimated
            .into_iter()
            .map(|(set, worth)| node((set, worth, !is_even(&set))));
        Nodes {
            nodes: small.chain(large).collect(),
            pieces,
            stretch: 1.0,
            occurrences: None,
        }
    }

    /// Scores materials of known worth by it, but for a share of random scores.
    #[must_use]
    pub fn with_errors(mut self, share: f64) -> Nodes {
        let mut state = 3;
        let mut draw = |limit: u64| below(limit, || split_mix(&mut state)) as f64;
        for node in &mut self.nodes {
            let random = 2.0 * draw(u64::from(TOP_SCORE) + 1) / f64::from(TOP_SCORE) - 1.0;
            let is_wrong = draw(1 << 32) < share * (1_u64 << 32) as f64;
            node.games = node.exact.filter(|_| !is_wrong).unwrap_or(random);
        }
        self
    }

    /// Adds the static evaluation of each material: its mean over so many random positions, its log
    /// odds stretched by the factor that fits exact worths best.
    ///
    /// The evaluation was trained on positions of games, where less is decided than in endings.
    #[must_use]
    pub fn evaluated(mut self, placements: u32) -> Nodes {
        self.nodes
            .par_iter_mut()
            .for_each_init(champions, |evaluator, node| {
                node.evaluation = estimates::evaluated(&node.set, placements, evaluator);
            });
        let exact = self.nodes.iter().filter(|node| !node.is_estimated);
        let exact = exact.filter_map(|node| Some((node.evaluation, node.exact?)));
        self.stretch = best_stretch(&exact.collect::<Vec<_>>());
        for node in &mut self.nodes {
            node.evaluation = stretched(node.evaluation, self.stretch);
        }
        self
    }

    /// Returns how often materials occurred in games, if they come from games.
    pub fn occurrences(&self) -> Option<Occurrences> {
        self.occurrences
    }

    /// Returns the factor by which the evaluation's log odds were stretched.
    pub fn stretch(&self) -> f64 {
        self.stretch
    }

    /// Returns the lattice of estimated scores.
    pub fn lattice(&self, estimate: Estimate) -> Lattice {
        let scored = self.nodes.iter().map(|node| {
            let exact = node.exact.filter(|_| !node.is_estimated);
            let worth = exact.unwrap_or(match estimate {
                Estimate::Games | Estimate::Errors => node.games,
                Estimate::Evaluation => node.evaluation,
            });
            let score = NodeScore {
                score: score_of(worth),
                is_fixed: exact.is_some(),
            };
            (node.set, score)
        });
        Lattice::new(&scored.collect::<Vec<_>>())
    }

    /// Compares estimated and resolved scores with exact ones, in rounds of this many nodes.
    pub fn verified(&self, estimate: Estimate, sample: usize, rounds: usize) -> Compared {
        let nodes = self.nodes.iter().enumerate();
        let verified = nodes.filter(|(_, node)| node.is_estimated);
        let verified = verified.filter_map(|(place, node)| Some((place, score_of(node.exact?))));
        let verified: Vec<(usize, u8)> = verified.collect();
        verification::in_rounds(&self.lattice(estimate), &verified, sample, rounds)
    }

    /// Plays random nodes without exact worths out; returns them with the scores of their results, and the
    /// root of the mean square of the standard errors, in scores.
    pub fn played(&self, count: usize, played: &Played<'_>) -> (Vec<(usize, u8)>, f64) {
        let nodes = 0..self.nodes.len();
        let unknown = |place: &usize| {
            let node = &self.nodes[*place];
            node.is_estimated && node.exact.is_none()
        };
        let mut places: Vec<usize> = nodes.filter(unknown).collect();
        let mut state = 2;
        shuffle(&mut places, || split_mix(&mut state));
        places.truncate(count);
        let play = |&place: &usize| {
            let set = &self.nodes[place].set;
            estimates::played(set, played.positions, played.player, played.nodes)
        };
        let worths: Vec<(f64, f64)> = places.par_iter().map(play).collect();
        let squares: f64 = worths.iter().map(|(_, error)| error * error).sum();
        let error = (squares / worths.len().max(1) as f64).sqrt() * f64::from(TOP_SCORE) / 2.0;
        let scores = worths.iter().map(|(worth, _)| score_of(*worth));
        (places.into_iter().zip(scores).collect(), error)
    }

    /// Compares estimated and resolved scores with those of a sample.
    pub fn compared(&self, estimate: Estimate, sample: &[(usize, u8)]) -> Compared {
        let mut compared = Compared::default();
        verification::add(&mut compared, &self.lattice(estimate), sample);
        compared
    }

    /// Returns where a material is.
    fn places(&self) -> HashMap<Material, usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(place, node)| (node.set, place)).collect()
    }
}

/// Returns the champion's static evaluation.
fn champions() -> Evaluator {
    Evaluator::new(Evaluation::learned())
}

/// Returns an evaluation with its log odds multiplied.
fn stretched(evaluation: f64, factor: f64) -> f64 {
    (factor * evaluation.clamp(-MOST, MOST).atanh()).tanh()
}

/// Returns the factor, in steps of a twentieth, with the least mean square error of pairs of evaluation and worth.
fn best_stretch(pairs: &[(f64, f64)]) -> f64 {
    let error = |factor: f64| -> f64 {
        let errors = pairs
            .iter()
            .map(|&(evaluation, worth)| (stretched(evaluation, factor) - worth).powi(2));
        errors.sum()
    };
    let factors = (1..=200).map(|step| f64::from(step) / 20.0);
    let errors = factors.map(|factor| (factor, error(factor)));
    let best = errors.min_by(|(_, a), (_, b)| a.total_cmp(b));
    best.map_or(1.0, |(factor, _)| factor)
}

/// Positions of games that scores do not come from.
#[derive(Clone, Debug)]
pub struct Held {
    /// Those to fit predictors to.
    pub fitted: Vec<Row>,
    /// Those to test them on, sorted by game.
    pub tested: Vec<Row>,
    /// How many there would be to test if all their materials had been scored.
    pub candidates: usize,
}

/// A game in four is held out to test predictors, another to fit them.
const PARTS: u32 = 4;

impl Held {
    /// Scores materials by half of the games, and takes the quiet positions of the others with these materials.
    ///
    /// # Errors
    ///
    /// Fails if a record of a file is invalid.
    pub fn new(
        exact: &[MaterialWorth],
        all: &Nodes,
        files: &[DataFile],
    ) -> Result<Held, DataFault> {
        let nodes = Nodes::of_games(exact, all.pieces.clone(), files, |game| {
            game % PARTS < PARTS / 2
        })?;
        let [raw, mut basic, mut refined] = [(); SCORES].map(|()| nodes.lattice(Estimate::Games));
        basic.resolve(Method::Basic);
        refined.resolve(Method::Refined);
        let lattices = [raw, basic, refined];
        let (places, evaluations) = (nodes.places(), all.places());
        let mut evaluator = champions();
        let mut held = Held {
            fitted: Vec::new(),
            tested: Vec::new(),
            candidates: 0,
        };
        for_each(files, |file, example| {
            let part = example.game % PARTS;
            let (set, is_swapped) = oriented(&estimates::material_of(&example.position));
            let is_large = all.pieces.contains(&set.len());
            if part < PARTS / 2 || !is_large || !estimates::is_quiet(example) {
                return;
            }
            held.candidates += usize::from(part == PARTS - 1);
            let Some(&place) = places.get(&set) else {
                return;
            };
            let score = |lattice: &Lattice| {
                let score = lattice.score(place);
                if is_swapped { TOP_SCORE - score } else { score }
            };
            let sign = if is_swapped { -1.0 } else { 1.0 };
            let row = Row {
                game: (file, example.game),
                target: (1.0 + f64::from(estimates::red_result(example))) / 2.0,
                position: red_value(example, &mut evaluator),
                material: sign * all.nodes[evaluations[&set]].evaluation,
                scores: lattices.each_ref().map(score),
            };
            if part == PARTS - 1 {
                held.tested.push(row);
            } else {
                held.fitted.push(row);
            }
        })?;
        Ok(held)
    }

    /// Returns how many games are tested on.
    pub fn games(&self) -> usize {
        self.tested.chunk_by(|a, b| a.game == b.game).count()
    }
}

/// Returns the static evaluation of a position for red, between −1 and 1.
fn red_value(example: &Example, evaluator: &mut Evaluator) -> f64 {
    let value = f64::from(evaluator.value(&example.position)) / f64::from(ESTIMATE_BOUND);
    if example.position.turn() == Some(Color::Black) {
        -value
    } else {
        value
    }
}

/// Visits the positions of files, file by file.
fn for_each(files: &[DataFile], mut visit: impl FnMut(usize, &Example)) -> Result<(), DataFault> {
    for (number, file) in files.iter().enumerate() {
        for index in 0..file.records().len() {
            visit(number, &file.example(index)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::materials::exact::worths;
    use anqi_tablebase::counts::KeptCounts;

    #[test]
    fn errors_are_as_frequent_as_asked_and_resolved() {
        let exact = worths(3, &KeptCounts::open(None).unwrap()).unwrap();
        let nodes = Nodes::all(&exact[..49], 3..=3);
        // Without the worths of three pieces all of their scores are drawn.
        assert!(
            nodes
                .with_errors(0.0)
                .lattice(Estimate::Errors)
                .inconsistent()
                > 100
        );
        let nodes = Nodes::all(&exact, 3..=3);
        assert_eq!(nodes.nodes.len(), (49 + 7 + 378) / 2);
        let exact = nodes.clone().with_errors(0.0).lattice(Estimate::Errors);
        assert_eq!(exact.inconsistent(), 0);
        let wrong = nodes.with_errors(0.2);
        let lattice = wrong.lattice(Estimate::Errors);
        let off = (0..exact.len()).filter(|&node| exact.score(node) != lattice.score(node));
        // A fifth of 189, less the tenth drawn right: 34, with a standard error of 5.
        assert!((20..50).contains(&off.count()));
        let [drawn, _, refined] = wrong.verified(Estimate::Errors, 1000, 1);
        assert!(
            drawn.inverted > 0 && refined.inverted == 0,
            "{drawn:?} {refined:?}"
        );
    }

    #[test]
    fn evaluations_are_stretched_to_exact_worths() {
        let pairs: Vec<(f64, f64)> = [-0.4, 0.1, 0.3, 0.7]
            .map(|evaluation| (evaluation, stretched(evaluation, 2.5)))
            .to_vec();
        assert!((best_stretch(&pairs) - 2.5).abs() < 1e-12);
        assert!((stretched(0.3, 1.0) - 0.3).abs() < 1e-12);
        assert!(stretched(1.0, 3.0).is_finite());
    }
}
