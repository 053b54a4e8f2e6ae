//! The best actions of a position in order, by any player, and the outcomes of flips.
//!
//! If the endgame tables know the position, they rate its actions; otherwise a
//! player searches, and values that the tables know one ply deeper replace its
//! estimates. A flip's value is the average of its outcomes as they are printed, and
//! the actions are in the order of their printed values. An interrupt ends the
//! search; the best so far is the answer.

use crate::valuation::{Distance, Valuation};
use anqi_rules::order::sort_few_by;
use anqi_rules::{Action, Game, Piece, Ply, Position};
use anqi_search::{
    Choice, Limits, LineStep, Player, Ranked, Report, Request, Score, Stop, TimeLimit,
};
use anqi_tablebase::distil;
use anqi_tablebase::facedown::{self, rated_by_expectation};
use anqi_tablebase::{Endgames, Tables, rated_actions};

/// Most plies of best play taken from the tables.
const TABLE_LINE_PLIES: usize = 12;

/// The result of a ranking.
pub struct Ranking {
    /// Where the values come from.
    pub origin: Origin,
    /// The best actions in order.
    pub actions: Vec<RatedAction>,
    /// Whether an interrupt ended the search before its limits.
    pub interrupted: bool,
}

/// Where values come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The endgame tables, or the exact expectation of few pieces.
    Tables,
    /// A search.
    Search {
        /// Plies searched on every line.
        depth: u32,
        /// Positions visited.
        nodes: u64,
    },
}

/// An action and its value.
pub struct RatedAction {
    /// The action.
    pub action: Action,
    /// Its value for the side to move.
    pub value: Valuation,
    /// The principal variation, from this action.
    pub line: Vec<LineStep>,
    /// The outcomes of the action, the best first; empty for moves.
    pub outcomes: Vec<RatedReveal>,
}

/// A piece that a flip may reveal.
pub struct RatedReveal {
    /// The piece.
    pub piece: Piece,
    /// How likely it is, 0 to 1.
    pub chance: f64,
    /// The value for the side that flips; `None` if an interrupt came first.
    pub value: Option<Valuation>,
}

/// Hears how far a ranking is.
pub trait Progress {
    /// An iteration of the search has ended.
    fn report(&self, _report: &Report) {}

    /// The outcome of a flip is searched, so many of all.
    fn looking_at(&self, _flip: Ply, _number: usize, _of: usize) {}
}

/// Hears nothing.
impl Progress for () {}

/// The inputs of a ranking.
pub struct Ranker<'a> {
    /// The game; its last position is the one to analyse.
    pub game: &'a Game,
    /// How long to think, and how many actions to rank.
    pub limits: Limits,
    /// Endgame tables, if there are any.
    pub tables: Option<&'a Tables>,
    /// Raised by an interrupt.
    pub stop: &'a Stop,
    /// Hears how far it is.
    pub progress: &'a dyn Progress,
}

impl Ranker<'_> {
    /// Ranks the actions, from the tables if they know the position.
    pub fn rank(&self, player: &mut dyn Player) -> Ranking {
        let known = self
            .rated_by_tables()
            .map(|actions| (Origin::Tables, actions));
        let (origin, actions) = known.unwrap_or_else(|| self.rated_by_search(player));
        Ranking {
            origin,
            actions,
            interrupted: self.stop.requested(),
        }
    }

    /// Rates the actions by the tables, `None` if they do not know them all.
    fn rated_by_tables(&self) -> Option<Vec<RatedAction>> {
        if !self.game.position().face_down().is_empty() {
            return self.rated_with_face_down();
        }
        let (tables, position) = (self.known_by(self.game.position())?, self.game.position());
        let mut rated = rated_actions(tables, position)?;
        rated.truncate(self.limits.multipv);
        let complete = |rated: anqi_tablebase::Rated| RatedAction {
            action: rated.action,
            value: Valuation::from_table(rated.wdl, rated.certain_end(), rated.dtc),
            line: table_line(tables, position, rated.action),
            outcomes: Vec::new(),
        };
        Some(rated.into_iter().map(complete).collect())
    }

    /// Rates the actions of a position with face-down pieces, `None` if it is not known exactly.
    fn rated_with_face_down(&self) -> Option<Vec<RatedAction>> {
        let (tables, position) = (self.tables?, self.game.position());
        tables.with_face_down(position)?;
        let mut rated = rated_by_expectation(tables.face_down(), position).ok()?;
        rated.truncate(self.limits.multipv);
        let face_down = position.face_down().len();
        let rated = rated.into_iter();
        Some(
            rated
                .map(|rated| exactly_rated(&rated, face_down))
                .collect(),
        )
    }

    /// Lets the player rank the actions, and searches the outcomes of flips.
    fn rated_by_search(&self, player: &mut dyn Player) -> (Origin, Vec<RatedAction>) {
        let choice = self.think(player, self.game, self.limits);
        let source = Origin::Search {
            depth: choice.depth,
            nodes: choice.nodes,
        };
        let depth = choice.depth;
        let ranked = ranked(choice).into_iter();
        let mut rated: Vec<RatedAction> = ranked.map(|r| self.rate(player, r, depth)).collect();
        // Tables and averages outweigh the order of the search; equals stay in that.
        sort_few_by(&mut rated, |a, b| {
            b.value.expected().total_cmp(&a.value.expected())
        });
        (source, rated)
    }

    /// Rates a ranked action: a move by the tables if they know the next position, a flip by the
    /// average of its outcomes, so that both are of one search.
    fn rate(&self, player: &mut dyn Player, ranked: Ranked, depth: u32) -> RatedAction {
        let searched = Valuation::from(ranked.score);
        let (outcomes, value) = if ranked.action.is_flip() {
            let outcomes = self.outcomes(player, &ranked, depth);
            let value = average(&outcomes);
            (outcomes, value)
        } else {
            (Vec::new(), self.table_value(Ply::from(ranked.action)))
        };
        RatedAction {
            value: preferred(value, searched),
            action: ranked.action,
            line: ranked.line,
            outcomes,
        }
    }

    /// The outcomes of a ranked flip, the best first: those of the search that ranked it, or, of a
    /// player that does not tell them, one search for each. After an interrupt none has a value.
    fn outcomes(&self, player: &mut dyn Player, ranked: &Ranked, depth: u32) -> Vec<RatedReveal> {
        let position = self.game.position();
        let kinds = position.hidden().kinds().max(1);
        let limits = below(self.limits, depth, kinds);
        let square = ranked.action.from();
        let mut outcomes: Vec<RatedReveal> = Vec::new();
        for (index, reveal) in position.reveals().enumerate() {
            let ply = Ply::flip(square, reveal.piece);
            let found = ranked.outcomes.iter().find(|o| o.piece == reveal.piece);
            let value = match found {
                Some(found) => {
                    let searched = Valuation::from(found.score);
                    Some(preferred(self.table_value(ply), searched))
                }
                None => {
                    let number = index + 1;
                    self.progress.looking_at(ply, number, kinds as usize);
                    self.value_after(player, ply, limits)
                }
            };
            outcomes.push(RatedReveal {
                piece: reveal.piece,
                chance: reveal.chance(),
                value: value.map(|value| proven_with_the_flip(value, ranked.score)),
            });
        }
        if outcomes.iter().any(|outcome| outcome.value.is_none()) {
            outcomes.iter_mut().for_each(|outcome| outcome.value = None);
        }
        sort_by_worth(&mut outcomes);
        outcomes
    }

    /// Returns the value of an outcome for the side that flips, `None` after an interrupt.
    fn value_after(&self, player: &mut dyn Player, ply: Ply, limits: Limits) -> Option<Valuation> {
        if let Some(exact) = self.table_value(ply) {
            return Some(exact);
        }
        let mut next = self.game.clone();
        next.play(ply)
            .expect("a generated flip that reveals a piece of the bag is legal");
        if let Some(over) = value_at_the_end(&next) {
            return Some(over.before());
        }
        if self.stop.requested() {
            return None;
        }
        let choice = self.think(player, &next, limits);
        let looked = choice.depth > 0 || choice.score != Some(Score::Estimate(0));
        choice
            .score
            .filter(|_| looked)
            .map(|score| Valuation::from(score).before())
    }

    /// The table value of a ply, for the side that plays it.
    fn table_value(&self, ply: Ply) -> Option<Valuation> {
        let mut next = *self.game.position();
        let pieces = next.occupied().len();
        let _ = next.play_unchecked(ply);
        if !next.face_down().is_empty() {
            let known = self.tables?.with_face_down(&next)?;
            let face_down = next.face_down().len();
            let value = Valuation::from_expectation(known.expected, known.plies, face_down);
            return Some(value.before());
        }
        let tables = self.known_by(&next);
        let known = tables.and_then(|tables| tables.known(&next));
        let known = known.or_else(|| distil::values(self.game.rules()).known(&next))?;
        let end = tables.and_then(|tables| tables.to_end(&next)?.certain());
        let value = Valuation::from_table(known.wdl, end, known.dtc).before();
        // A distance to the next capture may be that of this ply.
        let here = Some(Distance::ToCapture(1)).filter(|_| next.occupied().len() < pieces);
        Some(match (value, here) {
            (value, _) if end.is_some() => value,
            (Valuation::Win(_), Some(_)) => Valuation::Win(here),
            (Valuation::Loss(_), Some(_)) => Valuation::Loss(here),
            (value, _) => value,
        })
    }

    /// Returns the tables if they may know a position.
    fn known_by(&self, position: &Position) -> Option<&Tables> {
        let tables = self.tables?;
        let few = position.occupied().len() as u32 <= tables.pieces();
        (few && position.face_down().is_empty()).then_some(tables)
    }

    fn think(&self, player: &mut dyn Player, game: &Game, limits: Limits) -> Choice {
        let request = Request {
            game,
            among: None,
            limits,
            seed: 0,
            stop: self.stop,
        };
        // Lines of an outcome are not lines of the ranked position.
        let at_root = game.plies().len() == self.game.plies().len();
        player.choose(&request, &mut |report| {
            if at_root {
                self.progress.report(report);
            }
        })
    }
}

/// Converts an exactly rated action, with its outcomes, of a position with this many face-down
/// pieces.
fn exactly_rated(rated: &facedown::RatedAction, face_down: usize) -> RatedAction {
    let outcomes = rated.outcomes.iter().map(|outcome| RatedReveal {
        piece: outcome.piece,
        chance: outcome.chance.into(),
        value: Some(Valuation::from_expectation(
            outcome.expected,
            outcome.plies,
            face_down - 1,
        )),
    });
    let mut outcomes: Vec<RatedReveal> = outcomes.collect();
    sort_by_worth(&mut outcomes);
    let value = Valuation::from_expectation(rated.expected, rated.plies, face_down);
    RatedAction {
        action: rated.action,
        value: average(&outcomes)
            .filter(|v| *v == Valuation::Draw)
            .unwrap_or(value),
        line: vec![LineStep {
            action: rated.action,
            expectation: None,
        }],
        outcomes,
    }
}

/// Sorts the best outcomes first.
fn sort_by_worth(outcomes: &mut [RatedReveal]) {
    let worth =
        |outcome: &RatedReveal| outcome.value.map_or(f64::NEG_INFINITY, Valuation::expected);
    sort_few_by(outcomes, |a, b| worth(b).total_cmp(&worth(a)));
}

/// Returns the average of outcomes, `None` without their values. It is proven if every outcome is
/// won, drawn or lost, and takes as long as the longest of them.
fn average(outcomes: &[RatedReveal]) -> Option<Valuation> {
    let values: Option<Vec<Valuation>> = outcomes.iter().map(|outcome| outcome.value).collect();
    let values = values.filter(|values| !values.is_empty())?;
    let longest = |of: fn(Valuation) -> Option<Option<Distance>>| {
        let known: Option<Vec<Option<Distance>>> = values.iter().map(|value| of(*value)).collect();
        let known: Option<Vec<Distance>> = known?.into_iter().collect();
        Some(known.and_then(|known| known.into_iter().reduce(Distance::longer)))
    };
    let won = longest(|value| match value {
        Valuation::Win(plies) => Some(plies),
        _ => None,
    });
    let lost = longest(|value| match value {
        Valuation::Loss(plies) => Some(plies),
        _ => None,
    });
    let drawn = values.iter().all(|value| *value == Valuation::Draw);
    let shares = outcomes.iter().zip(&values);
    let estimate = || shares.map(|(o, value)| o.chance * value.expected()).sum();
    Some(match (won, lost) {
        (Some(plies), _) => Valuation::Win(plies),
        (_, Some(plies)) => Valuation::Loss(plies),
        _ if drawn => Valuation::Draw,
        _ => Valuation::Estimate(estimate()),
    })
}

/// Returns the exact value if there is one, unless the search has proven the same with a distance.
fn preferred(exact: Option<Valuation>, searched: Valuation) -> Valuation {
    match (exact, searched) {
        (Some(Valuation::Win(None)), Valuation::Win(_))
        | (Some(Valuation::Loss(None)), Valuation::Loss(_)) => searched,
        (exact, searched) => exact.unwrap_or(searched),
    }
}

/// Returns the value of an outcome of a flip with this score: of a flip that is proven to win or
/// lose every outcome is, whatever a shorter search of it found.
fn proven_with_the_flip(outcome: Valuation, flip: Score) -> Valuation {
    match (flip, outcome) {
        (Score::Win { .. }, Valuation::Estimate(_)) => Valuation::Win(None),
        (Score::Loss { .. }, Valuation::Estimate(_)) => Valuation::Loss(None),
        (_, outcome) => outcome,
    }
}

/// Returns the limits for one of several outcomes: the depth of the flip less the ply it takes,
/// or a share of the limits where the player tells no depth.
fn below(limits: Limits, depth: u32, kinds: u32) -> Limits {
    if depth > 0 {
        return Limits {
            depth: Some((depth - 1).max(1)),
            ..Limits::NONE
        };
    }
    Limits {
        depth: limits.depth.map(|depth| depth.saturating_sub(1).max(1)),
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(kinds)).max(1)),
        time: match limits.time {
            TimeLimit::PerMove(time) => TimeLimit::PerMove(time / kinds / 2),
            other => other,
        },
        ..Limits::NONE
    }
}

/// Returns the value for the side to move if the game is over.
fn value_at_the_end(game: &Game) -> Option<Valuation> {
    let position = game.position();
    if position.has_action() {
        return None;
    }
    Some(match game.rules().loser(position) {
        None => Valuation::Draw,
        Some((loser, _)) if Some(loser) == position.turn() => {
            Valuation::Loss(Some(Distance::ToEnd(0)))
        }
        Some(_) => Valuation::Win(Some(Distance::ToEnd(0))),
    })
}

/// Returns an action and the best play that follows, according to the tables.
fn table_line(tables: &Tables, start: &Position, first: Action) -> Vec<LineStep> {
    let mut position = *start;
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(action) = next {
        line.push(LineStep {
            action,
            expectation: None,
        });
        let _ = position.step_unchecked(action);
        let best = rated_actions(tables, &position).unwrap_or_default();
        let is_timed =
            |rated: &&anqi_tablebase::Rated| rated.dtc.is_some() || rated.certain_end().is_some();
        let decided = best.first().filter(is_timed);
        next = decided
            .map(|rated| rated.action)
            .filter(|_| line.len() < TABLE_LINE_PLIES);
    }
    line
}

/// Returns the ranked actions, or the chosen one if the player ranks none.
fn ranked(choice: Choice) -> Vec<Ranked> {
    if !choice.ranked.is_empty() {
        return choice.ranked;
    }
    vec![Ranked {
        action: choice.action,
        score: choice.score.unwrap_or(Score::Estimate(0)),
        line: choice.line,
        outcomes: Vec::new(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;
    use std::time::Duration;

    #[test]
    fn outcomes_are_searched_as_deep_as_their_flip_or_share_the_limits() {
        let limits = Limits {
            depth: Some(1),
            nodes: Some(5),
            time: TimeLimit::PerMove(Duration::from_millis(140)),
            multipv: 9,
            outcomes: true,
        };
        let each = below(limits, 0, 14);
        assert_eq!((each.depth, each.nodes), (Some(1), Some(1)));
        assert_eq!((each.multipv, each.outcomes), (1, false));
        assert_eq!(each.time, TimeLimit::PerMove(Duration::from_millis(5)));
        assert_eq!(below(Limits::NONE, 0, 3), Limits::NONE);
        let depths = [1, 2, 7].map(|depth| below(limits, depth, 14));
        assert_eq!(depths.map(|each| each.depth), [Some(1), Some(1), Some(6)]);
        assert!(
            depths
                .iter()
                .all(|each| each.nodes.is_none() && each.time == TimeLimit::None)
        );
    }

    /// A player that ranks two moves by estimates.
    struct Guess([&'static str; 2]);

    impl Player for Guess {
        fn spec(&self) -> String {
            "guess".to_owned()
        }

        fn choose(&mut self, _: &Request<'_>, _: &mut dyn FnMut(&Report)) -> Choice {
            let [first, second] = self.0.map(|text| text.parse().expect("an action"));
            let ranked = [(first, -9_000), (second, -9_500)].map(|(action, value)| Ranked {
                action,
                score: Score::Estimate(value),
                line: Vec::new(),
                outcomes: Vec::new(),
            });
            Choice {
                ranked: ranked.into(),
                ..Choice::plain(first)
            }
        }
    }

    #[test]
    fn what_tables_know_of_the_next_position_outweighs_the_order_of_the_search() {
        let position = "4/4/4/4/4/1pk1/1G2/1P2 r - 0 40"
            .parse()
            .expect("a position");
        let game = Game::new(position, Rules::OLYMPIAD);
        let tables = Tables::built_in(Rules::OLYMPIAD);
        let ranker = Ranker {
            game: &game,
            limits: Limits::NONE,
            tables: Some(&tables),
            stop: &Stop::new(),
            progress: &(),
        };
        let ranking = ranker.rank(&mut Guess(["b2-c2", "b2-b3"]));
        assert!(matches!(ranking.origin, Origin::Search { .. }));
        let found = ranking.actions.iter();
        let found: Vec<String> = found.map(|rated| rated.action.to_string()).collect();
        assert_eq!(found, ["b2-b3", "b2-c2"], "the capture leads to a table");
        assert!(ranking.actions[0].value.expected() > -0.9);
    }

    fn outcomes(values: &[Valuation]) -> Vec<RatedReveal> {
        let chance = 1.0 / values.len() as f64;
        let outcome = |&value: &Valuation| RatedReveal {
            piece: Piece::from_letter('K').unwrap(),
            chance,
            value: Some(value),
        };
        values.iter().map(outcome).collect()
    }

    #[test]
    fn an_average_is_proven_only_if_every_outcome_is_and_the_same() {
        let of = |values: &[Valuation]| average(&outcomes(values));
        let (win, loss) = (
            |plies| Valuation::Win(Some(Distance::ToCapture(plies))),
            |plies| Valuation::Loss(Some(Distance::ToCapture(plies))),
        );
        let ends = |plies| Valuation::Win(Some(Distance::ToEnd(plies)));
        assert_eq!(of(&[ends(3), ends(7)]), Some(ends(7)));
        assert_eq!(of(&[ends(3), win(2)]), Some(win(3)));
        assert_eq!(of(&[win(3), win(7)]), Some(win(7)));
        assert_eq!(
            of(&[win(3), Valuation::Win(None)]),
            Some(Valuation::Win(None))
        );
        assert_eq!(of(&[loss(4), loss(2)]), Some(loss(4)));
        assert_eq!(
            of(&[Valuation::Draw, Valuation::Draw]),
            Some(Valuation::Draw)
        );
        assert_eq!(
            of(&[win(3), Valuation::Draw]),
            Some(Valuation::Estimate(0.5))
        );
        assert_eq!(
            of(&[loss(2), Valuation::Estimate(0.5)]),
            Some(Valuation::Estimate(-0.25))
        );
        assert_eq!(of(&[]), None);
        let mut unknown = outcomes(&[win(3), win(5)]);
        unknown[1].value = None;
        assert_eq!(average(&unknown), None);
        // A lost flip has lost outcomes.
        let lost = Score::from_value(-10_990);
        assert_eq!(
            proven_with_the_flip(Valuation::Estimate(-0.9), lost),
            Valuation::Loss(None)
        );
        assert_eq!(proven_with_the_flip(loss(3), lost), loss(3));
    }

    #[test]
    fn a_line_from_the_tables_ends_with_the_game() {
        let tables = Tables::solved(2, Rules::OLYMPIAD).unwrap();
        let start: Position = "4/4/4/4/4/4/g3/K3 r - 0 0".parse().unwrap();
        let capture: Action = "a1-a2".parse().unwrap();
        let line = table_line(&tables, &start, capture);
        assert_eq!(line.len(), 1);
        let at_the_end = |text: &str, rules| {
            let game = Game::from_text(text, rules).unwrap();
            value_at_the_end(&game)
        };
        let open = "4/4/4/4/4/4/g3/K3 r - 0 0";
        assert_eq!(at_the_end(open, Rules::OLYMPIAD), None);
        let over = "4/4/4/4/4/4/P3/kP2 b - 0 0";
        let lost = Some(Valuation::Loss(Some(Distance::ToEnd(0))));
        assert_eq!(at_the_end(over, Rules::OLYMPIAD), lost);
        // A course looks at both sides, and at the limit before that.
        let other_to_move = "4/4/4/4/4/4/P3/cP2 r - 29 40";
        let won = Some(Valuation::Win(Some(Distance::ToEnd(0))));
        assert_eq!(at_the_end(other_to_move, Rules::COURSE), won);
        assert_eq!(at_the_end(other_to_move, Rules::OLYMPIAD), None);
        let at_the_limit = other_to_move.replace(" 29 ", " 30 ");
        assert_eq!(
            at_the_end(&at_the_limit, Rules::COURSE),
            Some(Valuation::Draw)
        );
    }
}
