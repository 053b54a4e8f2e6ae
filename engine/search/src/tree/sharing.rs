//! Threads that share the work of one search.
//!
//! All search the same tree to the same depth. An action or an outcome that another thread is
//! searching just now is put off: what comes after it is searched first, and later its value is
//! mostly in the transposition table. Where nothing else is left, threads go into the same
//! subtree and part further down. What one finds at the root, the others take over.

use super::Search;
use super::node::Node;
use super::root::RootResult;
use super::strategy::Strategy;
use anqi_rules::{Action, Piece, Position};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// With less depth left, looking around gains nothing to see.
const LEAST_DEPTH: i32 = 2;
/// Many more than what threads search at once; two pieces of work in one place hide each other, which
/// costs time only.
const PLACES: usize = 4_096;

/// What the threads of one search do, and the best that they found.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The pieces of work that some thread is at, each in the place that its key says.
    under_way: Box<[AtomicU64]>,
    /// The deepest best action of the root, and its depth.
    best: Mutex<Option<(i32, RootResult)>>,
    /// What a test last found to be better, while its value is searched, and its depth.
    promising: Mutex<Option<(i32, RootResult)>>,
}

impl Shared {
    /// Nothing is under way or found.
    #[cfg_attr(
        not(feature = "os"),
        expect(dead_code, reason = "nobody starts threads")
    )]
    pub(crate) fn new() -> Shared {
        Shared {
            under_way: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
            best: Mutex::default(),
            promising: Mutex::default(),
        }
    }

    fn place(&self, work: u64) -> &AtomicU64 {
        &self.under_way[work as usize % PLACES]
    }

    fn is_under_way(&self, work: u64) -> bool {
        self.place(work).load(Ordering::Relaxed) == work
    }

    fn begin(&self, work: u64) {
        self.place(work).store(work, Ordering::Relaxed);
    }

    fn end(&self, work: u64) {
        let place = self.place(work);
        // Another piece of work may have taken the place.
        let _ = place.compare_exchange(work, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Keeps what was found at a depth, if nothing better is known.
    fn offer(&self, depth: i32, found: RootResult, is_better_than: impl Fn(RootResult) -> bool) {
        let mut best = locked(&self.best);
        let is_best = best.is_none_or(|(deepest, known)| {
            deepest < depth || deepest == depth && is_better_than(known)
        });
        if is_best {
            *best = Some((depth, found));
        }
    }

    /// The best that was found at this depth, unless a deeper one is known.
    fn best_at(&self, depth: i32) -> Option<RootResult> {
        at(depth, &self.best)
    }

    fn promise(&self, depth: i32, found: RootResult) {
        *locked(&self.promising) = Some((depth, found));
    }

    /// Forgets an action whose value is known now.
    fn fulfil(&self, action: Action) {
        let mut promising = locked(&self.promising);
        *promising = promising.filter(|(_, found)| found.action != action);
    }

    fn promised_at(&self, depth: i32) -> Option<RootResult> {
        at(depth, &self.promising)
    }
}

/// What was found, if it was at this depth.
fn at(depth: i32, found: &Mutex<Option<(i32, RootResult)>>) -> Option<RootResult> {
    let (of, found) = (*locked(found))?;
    (of == depth).then_some(found)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, S: Strategy> Search<'a, S> {
    /// Shares the work with the other threads of the search from now on.
    pub(crate) fn share(&mut self, shared: &'a Shared) {
        self.shared = Some(shared);
    }

    /// Returns the key of a piece of work: an action of a node, or one outcome of a flip at the node after it.
    /// `None` if it is not shared.
    #[inline]
    pub(super) fn work(
        &self,
        position: &Position,
        node: Node,
        (action, piece): (Action, Option<Piece>),
    ) -> Option<u64> {
        if self.shared.is_none() || node.depth < LEAST_DEPTH {
            return None;
        }
        let piece = piece.map_or(0, |piece| piece.index() as u64 + 1);
        let word = 1 + (u64::from(action.bits()) | piece << 16);
        Some(self.key(position, node) ^ word.wrapping_mul(0x9fb2_1c65_1e98_df25))
    }

    /// Whether another thread is at this piece of work.
    #[inline]
    pub(super) fn is_under_way(&self, work: Option<u64>) -> bool {
        let shared = self.shared.zip(work);
        shared.is_some_and(|(shared, work)| shared.is_under_way(work))
    }

    /// Does a piece of work that other threads put off meanwhile.
    #[inline]
    pub(super) fn doing<T>(&mut self, work: Option<u64>, then: impl FnOnce(&mut Self) -> T) -> T {
        let work = self.shared.zip(work);
        if let Some((shared, work)) = work {
            shared.begin(work);
        }
        // Called in one place only, so that its code is not there twice.
        let result = then(self);
        if let Some((shared, work)) = work {
            shared.end(work);
        }
        result
    }

    /// Offers the other threads a value of the root, which is no bound.
    pub(super) fn offer(&self, depth: i32, found: RootResult) {
        if let Some(shared) = self.shared {
            let is_better = |known| self.merit(found) > self.merit(known);
            shared.offer(depth, found, is_better);
        }
    }

    /// Keeps an action of the root that a test found to be better, in case its value is never known.
    pub(super) fn promise(&mut self, depth: i32, (action, value): (Action, i32)) {
        let found = RootResult { action, value };
        if self.budget.is_spent() {
            return;
        }
        self.promising = Some(found);
        if let Some(shared) = self.shared {
            shared.promise(depth, found);
        }
    }

    /// Forgets what was promised of an action whose value is known now.
    pub(super) fn fulfil(&mut self, action: Action) {
        self.promising = None;
        if let Some(shared) = self.shared {
            shared.fulfil(action);
        }
    }

    /// Returns the actions that tests of this and other threads found to be better at this depth; none for
    /// those who ask for exact values or for outcomes.
    pub(super) fn promised(&self, depth: i32) -> impl Iterator<Item = RootResult> {
        let is_asked = !self.settings.is_exact() && !self.distributions.is_on;
        let others = self.shared.and_then(|shared| shared.promised_at(depth));
        self.promising
            .into_iter()
            .chain(others)
            .filter(move |_| is_asked)
    }

    /// Returns the best that any thread found at the root at this depth. If outcomes are kept, values
    /// without them do not count.
    pub(super) fn found_by_any(&self, depth: i32) -> Option<RootResult> {
        let shared = self.shared.filter(|_| !self.distributions.is_on)?;
        shared.best_at(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MIDDLE, WIDE, game, knowledge, search};
    use super::super::{Exact, Playing, Settings};
    use super::*;
    use crate::budget::Budget;
    use crate::{Limits, Stop};
    use anqi_rules::Game;

    #[test]
    fn work_is_under_way_from_its_begin_to_its_end() {
        let shared = Shared::new();
        let work = [5, 6, 5 + PLACES as u64];
        let under_way = || work.map(|work| shared.is_under_way(work));
        shared.begin(work[0]);
        shared.begin(work[1]);
        assert_eq!(under_way(), [true, true, false]);
        shared.begin(work[2]);
        assert_eq!(under_way(), [false, true, true]);
        shared.end(work[0]);
        shared.end(work[1]);
        assert_eq!(under_way(), [false, false, true]);
    }

    /// Searches with one piece of work under way, and returns the result and the nodes.
    fn beside<T>(
        game: &Game,
        work: impl FnOnce(&Search<'_, Exact>) -> Option<u64>,
        then: impl FnOnce(&mut Search<'_, Exact>, &mut Position) -> T,
    ) -> (T, u64) {
        let (stop, shared) = (Stop::new(), Shared::new());
        let mut search: Search<'_, Exact> = search(Settings::EXACT, game, knowledge(None), &stop);
        search.share(&shared);
        if let Some(work) = work(&search) {
            shared.begin(work);
        }
        let result = then(&mut search, &mut game.position().clone());
        (result, search.budget().nodes())
    }

    #[test]
    fn what_is_put_off_comes_last_and_is_not_lost() {
        let game = game(MIDDLE);
        let (position, node) = (game.position(), Node::root(3, WIDE));
        let by_root = |search: &mut Search<'_, Exact>, position: &mut Position| {
            let mut actions = game.actions().to_vec();
            let best = search.root(position, &mut actions, 3, WIDE);
            (best, actions)
        };
        let by_node = |search: &mut Search<'_, Exact>, position: &mut Position| {
            // A bad move first, so that the order of the others matters.
            search.best_of(position, node, "c5-c6".parse().ok())
        };
        let (root, _) = beside(&game, |_| None, by_root);
        let (inner, nodes) = beside(&game, |_| None, by_node);
        let (mut last, mut slower) = (0, 0);
        for action in game.actions() {
            let work = |search: &Search<'_, Exact>| search.work(position, node, (action, None));
            let ((best, actions), _) = beside(&game, work, by_root);
            assert_eq!(best.map(|b| b.value), root.0.map(|b| b.value), "{action}");
            last += usize::from(actions.last() == Some(&action));
            let ((_, value), others) = beside(&game, work, by_node);
            assert_eq!(value, inner.1, "{action}");
            slower += usize::from(others > nodes);
        }
        // The first is never put off, and the best moves to the front.
        assert!(last >= game.actions().len() - 2, "{last}");
        assert!(slower > 0);
    }

    #[test]
    fn an_outcome_that_is_put_off_is_not_lost() {
        let game = game(MIDDLE);
        let square = game.position().face_down().into_iter().next().unwrap();
        let node = Node::root(3, WIDE);
        for window in [WIDE, (-1, 0), (400, 401)] {
            let node = node.within(window.0, window.1);
            let by_flip = |search: &mut Search<'_, Exact>, position: &mut Position| {
                search.flip_value(position, square, node)
            };
            let (expected, _) = beside(&game, |_| None, by_flip);
            for (piece, _) in game.position().hidden() {
                let work = |search: &Search<'_, Exact>| {
                    search.work(game.position(), node, (Action::flip(square), Some(piece)))
                };
                let (value, _) = beside(&game, work, by_flip);
                assert_eq!(value <= node.alpha, expected <= node.alpha, "{piece}");
                assert_eq!(value >= node.beta, expected >= node.beta, "{piece}");
            }
        }
    }

    #[test]
    fn what_one_thread_finds_at_the_root_the_others_take_over() {
        let (game, stop, shared) = (game(MIDDLE), Stop::new(), Shared::new());
        let new = || {
            let mut search: Search<'_, Exact> =
                search(Settings::EXACT, &game, knowledge(None), &stop);
            search.share(&shared);
            search
        };
        let among = |actions: &[Action], mut search: Search<'_, Exact>, depth, window| {
            let mut actions = actions.to_vec();
            let found = search.root(game.position(), &mut actions, depth, window);
            found.unwrap()
        };
        let all = game.actions();
        let searched = |search, depth| among(&all, search, depth, WIDE);
        let best = searched(new(), 3);
        assert_eq!(shared.best_at(3), Some(best));
        assert_eq!(shared.best_at(2), None);
        // A bound is not offered, nor anything less deep.
        among(&[best.action], new(), 4, (WIDE.0, best.value - 900));
        among(&[best.action], new(), 4, (best.value + 900, WIDE.1));
        searched(new(), 1);
        assert_eq!(shared.best_at(3), Some(best));

        let other = all.iter().find(|action| **action != best.action);
        let (action, value) = (*other.unwrap(), best.value);
        let [worse, better] = [value - 1, value + 300].map(|value| RootResult { action, value });
        new().offer(3, worse);
        assert_eq!(searched(new(), 3), best);
        new().offer(3, better);
        assert_eq!(searched(new(), 3), better);
        let few: Vec<Action> = all.iter().copied().filter(|a| *a != action).collect();
        assert_eq!(among(&few, new(), 3, WIDE), best);
        // Outcomes are known of what this thread searched itself.
        let mut showing = new();
        showing.keep_outcomes();
        assert_eq!(searched(showing, 3), best);
    }

    /// Searches the root with a bad move first, at most so many nodes.
    fn cut_short(game: &Game, shared: Option<&Shared>, nodes: u64) -> Option<RootResult> {
        let (stop, limits) = (
            Stop::new(),
            Limits {
                nodes: Some(nodes),
                ..Limits::NONE
            },
        );
        let budget = Budget::new(&limits, &stop);
        let mut search: Search<'_, Playing> =
            Search::new(Settings::FULL, game, knowledge(None), budget);
        if let Some(shared) = shared {
            search.share(shared);
        }
        let mut actions = game.actions().to_vec();
        let bad = actions
            .iter()
            .position(|action| *action == "c5-c6".parse().unwrap());
        actions[..=bad.unwrap()].rotate_right(1);
        search.root(game.position(), &mut actions, 5, WIDE)
    }

    #[test]
    fn an_action_that_a_test_found_to_be_better_is_the_answer_of_a_search_cut_short() {
        let game = game(MIDDLE);
        let best = cut_short(&game, None, u64::MAX).unwrap();
        let found = |nodes| cut_short(&game, None, nodes);
        let is_bound = |found: &RootResult| found.action == best.action && found.value < best.value;
        let bounds = (1..2_000).filter_map(found).filter(is_bound).count();
        assert!(bounds > 0);
    }

    #[test]
    fn what_another_thread_tests_counts_until_its_value_is_known() {
        let game = game(MIDDLE);
        let shared = Shared::new();
        let best = cut_short(&game, Some(&shared), u64::MAX).unwrap();
        assert_eq!(shared.promised_at(5), None);

        let shared = Shared::new();
        let others = game
            .actions()
            .into_iter()
            .find(|action| *action != best.action);
        let promising = RootResult {
            action: others.unwrap(),
            value: best.value + 300,
        };
        shared.promise(5, promising);
        let first = (1..)
            .find(|nodes| cut_short(&game, None, *nodes).is_some())
            .unwrap();
        // Nothing is known of the first action before this.
        assert_eq!(cut_short(&game, Some(&shared), first - 1), None);
        shared.promise(4, promising);
        assert_ne!(cut_short(&game, Some(&shared), first), Some(promising));
        shared.promise(5, promising);
        assert_eq!(cut_short(&game, Some(&shared), first), Some(promising));
        assert_eq!(cut_short(&game, Some(&shared), u64::MAX), Some(best));
        assert_eq!(shared.promised_at(5), None);
    }
}
