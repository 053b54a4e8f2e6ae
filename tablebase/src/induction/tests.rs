use anqi_rules::{Game, Position, Rules};

use super::levels::Levels;
use super::*;
use crate::classes::{Fit, Material};
use crate::solve::Wdl;
use crate::{Endgames, Tables};

fn ending(text: &str) -> Ending {
    Ending::new(&text.parse::<Material>().unwrap()).unwrap()
}

#[test]
fn levels_say_what_the_search_with_a_goal_answers() {
    let tables = Tables::built_in(Rules::UNLIMITED);
    for (text, depth) in [("Kgp", 2), ("GGk", 3)] {
        let ending = ending(text);
        let mut levels = Levels::new(&ending, depth);
        let mut answered = 0;
        // Some answers are stored at once, so that proofs rest on them.
        let open = |levels: &Levels, n: &Number| !levels.is_answered(*n);
        for number in ending.numbers().step_by(37).collect::<Vec<_>>() {
            if open(&levels, &number) {
                answered += levels.store(number);
            }
        }
        assert!(answered > 100, "{text}: {answered}");
        let stored = |position: &Position| {
            let number = ending.find(position)?;
            levels.is_stored(number).then(|| ending.value(number))
        };
        let search = GoalSearch::new(&tables, &stored);
        let (mut known, mut unknown) = (0, 0);
        for number in ending.numbers().step_by(29) {
            let position = ending.position(number);
            let answer = search.answer(&position, depth);
            let expected = levels.is_answered(number).then(|| ending.value(number));
            assert_eq!(answer, expected, "{position}");
            known += u32::from(answer.is_some());
            unknown += u32::from(answer.is_none());
        }
        assert!(known > 15 && unknown > 20, "{text}: {known} {unknown}");
    }
}

#[test]
fn the_critical_positions_make_every_answer_right_and_fewer_a_share() {
    let ending = ending("Kgp");
    let critical = Critical::of(&ending, 2);
    let all = critical.size(1.0);
    assert_eq!(critical.right(all), critical.positions);
    let mut levels = Levels::new(&ending, 2);
    for share in [0.9, 0.97] {
        let size = critical.size(share);
        assert!(size < all, "{share}: {size} of {all}");
        let mut levels = Levels::new(&ending, 2);
        critical.first(size).for_each(|number| {
            levels.store(number);
        });
        let right = ending.numbers().filter(|n| levels.is_answered(*n)).count() as u64;
        assert_eq!(right, critical.right(size));
        assert!(right as f64 >= share * critical.positions as f64);
        assert!(critical.right(size - 1) < right);
    }
    for number in critical.first(all) {
        assert!(!levels.is_answered(number), "a needless position");
        levels.store(number);
    }
    assert!(ending.numbers().all(|number| levels.is_answered(number)));
    // A deeper search needs fewer.
    assert!(Critical::of(&ending, 4).size(1.0) < all);
    let most_used = critical.most_used();
    assert_eq!(most_used.len(), all);
    assert!(most_used.is_sorted_by_key(|(_, uses)| std::cmp::Reverse(*uses)));
    assert!(most_used[0].1 > 4 * most_used[all / 2].1);
}

#[test]
fn positions_with_a_pair_as_pivot_have_one_number_each() {
    for text in ["KKk", "GGk", "GGmm"] {
        let Ok(set) = text.parse::<Material>() else {
            continue;
        };
        let ending = Ending::new(&set).unwrap();
        for number in ending.numbers().step_by(53) {
            let position = ending.position(number);
            assert_eq!(ending.find(&position), Some(number), "{position}");
            for symmetry in anqi_rules::Symmetry::ALL {
                assert_eq!(ending.find(&symmetry.position(&position)), Some(number));
            }
            for after in ending.after(number) {
                assert!(!ending.is_copy(after));
                assert!(ending.before(after).contains(&number), "{position}");
            }
        }
    }
}

#[test]
fn the_end_is_worth_more_than_a_won_capture_and_that_more_than_a_stored_answer() {
    let tables = Tables::built_in(Rules::UNLIMITED);
    let score = |text: &str, is_wanted: &dyn Fn(&Ending, Number) -> bool, depth: u8| {
        let ending = ending(text);
        let lost = |position: &Position| {
            let value = ending.value(ending.find(position)?);
            (value == Wdl::Loss).then_some(value)
        };
        let number = ending.numbers().find(|&n| is_wanted(&ending, n)).unwrap();
        let position = ending.position(number);
        let side = position.turn().unwrap();
        let search = GoalSearch::new(&tables, &lost);
        // The other side's goal is prevented by the same line.
        assert_eq!(
            search.score(&position, side, depth),
            search.score(&position, !side, depth)
        );
        search.score(&position, side, depth)
    };
    let captures = |ending: &Ending, n: Number| ending.capture(n) == Wdl::Win;
    assert_eq!(score("Kg", &captures, 0), 2_999);
    assert_eq!(score("Kgg", &captures, 0), 1_999);
    let walks = |ending: &Ending, n: Number| ending.value(n) == Wdl::Win && !captures(ending, n);
    assert_eq!(score("Kgg", &walks, 0), 0);
    assert_eq!(score("Kgg", &walks, 1), 999);
}

#[test]
fn lessons_are_right_by_the_rules_and_the_tables() {
    let set: Material = "Kgp".parse().unwrap();
    let ending = Ending::new(&set).unwrap();
    let tables = Tables::of_unit(Fit::of(&set).unit, Rules::UNLIMITED, true).unwrap();
    let critical = Critical::of(&ending, 2);
    let lessons = Lessons::new(&ending, &tables).of(&critical, 6, 4);
    assert!(lessons.iter().any(|lesson| lesson.goal == Wdl::Win));
    assert!(lessons.iter().any(|lesson| lesson.goal == Wdl::Draw));
    for lesson in &lessons {
        let start = lesson.position;
        assert_eq!(tables.wdl(&start), Some(lesson.goal), "{start}");
        let mut game = Game::new(start, Rules::UNLIMITED);
        for &action in &lesson.line {
            game.play(action.into()).unwrap();
            let known = tables.wdl(game.position()).unwrap();
            let own = game.position().turn() == start.turn();
            let kept = if own { known } else { known.reversed() };
            assert_eq!(kept, lesson.goal, "{start} {action}");
        }
        if lesson.goal == Wdl::Win {
            let winner = game.outcome().unwrap().winner();
            assert_eq!(winner, start.turn());
            let plies = tables.plies_to_end(&start).unwrap().unwrap();
            assert_eq!(usize::from(plies), lesson.line.len());
        }
        // Every action keeps the goal or is refuted.
        let mut failing = 0;
        for action in start.actions() {
            let value = tables
                .wdl(&crate::probe::after(&start, action))
                .unwrap()
                .reversed();
            let refuted = lesson.refutations.iter().find(|each| each.action == action);
            assert_eq!(
                refuted.map(|each| each.value),
                (value != lesson.goal).then_some(value)
            );
            failing += usize::from(refuted.is_some());
            let mut game = Game::new(start, Rules::UNLIMITED);
            game.play(action.into()).unwrap();
            for &reply in refuted.iter().flat_map(|each| &each.line) {
                game.play(reply.into()).unwrap();
            }
        }
        assert!(failing > 0 && failing == lesson.refutations.len());
        assert!(
            lesson.idea.ends_with('.') && lesson.idea.len() > 60,
            "{}",
            lesson.idea
        );
    }
}
