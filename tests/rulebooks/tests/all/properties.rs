//! Invariants of every position.
//!
//! Each property is checked along random games of all kinds.

use anqi_rulebooks::wander::{Wanderer, random_game, random_position};
use anqi_rules::*;
use rand::RngExt;
use std::collections::HashMap;

const POSITIONS: u64 = 1500;

/// Calls a check with positions from random games of all kinds.
fn in_random_positions(mut check: impl FnMut(&Position)) {
    for seed in 0..POSITIONS {
        check(&random_position(seed));
    }
}

#[test]
fn undo_restores_everything() {
    for seed in 0..300 {
        let mut wanderer = Wanderer::new(seed);
        let mut game = Game::new(Position::start(), Rules::PLATFORM);
        let mut past = Vec::new();
        while past.len() < 200 {
            let Some(ply) = wanderer.ply(&game) else {
                break;
            };
            past.push((
                *game.position(),
                game.outcome(),
                game.quiet_keys().to_vec(),
                ply,
            ));
            game.play(ply).unwrap();
        }
        while let Some((position, outcome, keys, ply)) = past.pop() {
            assert_eq!(game.undo(), Some(ply));
            // Equality of positions compares the board by squares and by pieces, bag, turn, counters and key.
            assert_eq!(*game.position(), position);
            assert_eq!(game.outcome(), outcome);
            assert_eq!(game.quiet_keys(), keys);
        }
        assert_eq!(game.undo(), None);
    }
}

#[test]
fn every_ply_can_be_taken_back_at_once() {
    in_random_positions(|position| {
        let mut copy = *position;
        for action in position.actions() {
            for ply in outcomes_of(position, action) {
                let undo = copy.play(ply).unwrap();
                assert_eq!(undo.action(), action);
                assert_eq!(undo.captured(), position.piece_at(action.to()));
                assert_ne!(copy, *position);
                copy.undo(undo);
                assert_eq!(copy, *position);
            }
        }
    });
}

/// Every ply that an action can become.
fn outcomes_of(position: &Position, action: Action) -> Vec<Ply> {
    if !action.is_flip() {
        return vec![Ply::from(action)];
    }
    position
        .reveals()
        .map(|reveal| Ply::flip(action.from(), reveal.piece))
        .collect()
}

#[test]
fn keys_equal_recomputed_keys() {
    let mut texts: HashMap<u64, String> = HashMap::new();
    for seed in 0..400 {
        let game = random_game(seed, 200);
        let mut position = *game.start();
        for &ply in game.plies() {
            let _ = position.play(ply).unwrap();
            assert_eq!(position.key(), position.computed_key(), "{position}");
            let text = position.to_string();
            let parsed: Position = text.parse().unwrap();
            assert_eq!(parsed.key(), position.key(), "{position}");
            let passed = position.passed();
            assert_eq!(passed.key(), passed.computed_key(), "{passed}");
            assert_ne!(passed.key(), position.key());
            // Board, turn and bag make the key, the counters do not.
            let counted: Vec<&str> = text.split(' ').collect();
            let identity = counted[..3].join(" ");
            let known = texts
                .entry(position.key())
                .or_insert_with(|| identity.clone());
            assert_eq!(*known, identity, "one key for two positions");
        }
    }
    assert!(
        texts.len() > 30_000,
        "only {} different positions",
        texts.len()
    );
}

#[test]
fn keys_foretold_are_those_of_the_positions_that_follow() {
    in_random_positions(|position| {
        assert_eq!(position.key_after_pass(), position.passed().key());
        for action in position.actions() {
            for ply in outcomes_of(position, action) {
                let mut after = *position;
                let _ = after.play(ply).unwrap();
                let foretold = match ply.reveal {
                    Some(piece) => position.key_after_flip(action.from(), piece),
                    None => position.key_after_step(action),
                };
                assert_eq!(foretold, after.key(), "{position} {ply}");
            }
        }
    });
}

#[test]
fn symmetric_positions_have_symmetric_actions() {
    in_random_positions(|position| {
        for symmetry in Symmetry::ALL {
            let image = symmetry.position(position);
            let mut actions: Vec<Action> = position
                .actions()
                .iter()
                .map(|&a| symmetry.action(a))
                .collect();
            actions.sort();
            assert_eq!(
                image.actions().to_vec(),
                actions,
                "{position} under {symmetry:?}"
            );
            assert_eq!(symmetry.position(&image), *position);
            assert_eq!(image.loser(), position.loser());
            assert_eq!(image.count_actions(), position.count_actions());
            for action in position.actions() {
                let ply = outcomes_of(position, action)[0];
                let (mut after, mut image_after) = (*position, image);
                let _ = after.play(ply).unwrap();
                let _ = image_after.play(symmetry.ply(ply)).unwrap();
                assert_eq!(symmetry.position(&after), image_after);
            }
        }
    });
}

#[test]
fn a_setup_accepts_what_a_position_prints() {
    in_random_positions(|position| {
        let setup = Setup::from(position);
        assert_eq!(setup.faults(), []);
        assert_eq!(setup.position().as_ref(), Ok(position));
        assert_eq!(position.to_string().parse().as_ref(), Ok(position));
    });
}

#[test]
fn generated_accepted_and_legal_are_one() {
    in_random_positions(|position| {
        let actions = position.actions();
        assert!(actions.is_sorted());
        let texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
        assert!(
            texts.is_sorted(),
            "the order of actions is the order of their names"
        );
        for action in Action::all() {
            let generated = actions.contains(&action);
            assert_eq!(
                position.is_legal(action),
                generated,
                "{action} at {position}"
            );
            assert_eq!(
                position.check_action(action).is_ok(),
                generated,
                "{action} at {position}"
            );
            for reveal in Piece::all().map(Some).chain([None]) {
                let sensible = match reveal {
                    Some(piece) => action.is_flip() && position.hidden().count(piece) > 0,
                    None => !action.is_flip(),
                };
                let mut copy = *position;
                let played = copy.play(Ply { action, reveal });
                assert_eq!(
                    played.is_ok(),
                    generated && sensible,
                    "{action} {reveal:?} at {position}"
                );
                assert!(
                    played.is_ok() || copy == *position,
                    "a refused ply changes nothing"
                );
            }
        }
    });
}

#[test]
fn shortcuts_equal_the_list_of_actions() {
    in_random_positions(|position| {
        let actions = position.actions();
        let flips = actions.iter().filter(|action| action.is_flip()).count() as u32;
        assert_eq!(
            position.count_actions(),
            (flips, actions.len() as u32 - flips),
            "{position}"
        );
        assert_eq!(position.has_action(), !actions.is_empty(), "{position}");
        let mut visited = Vec::new();
        position.for_each_action(|action| visited.push(action));
        assert_eq!(visited, actions.to_vec());
        let divided = perft_divide(position, 2);
        assert_eq!(divided.len(), actions.len());
        assert_eq!(
            divided.iter().map(|(_, leaves)| leaves).sum::<u64>(),
            perft(position, 2)
        );
    });
}

#[test]
fn the_living_are_those_on_the_board_and_those_in_the_bag() {
    in_random_positions(|position| {
        let bag = position.hidden().to_string();
        let living: Vec<Piece> = Square::all()
            .filter_map(|square| position.piece_at(square))
            .chain(bag.chars().filter_map(|sign| sign.to_string().parse().ok()))
            .collect();
        for piece in Piece::all() {
            let counted = living.iter().filter(|&&one| one == piece).count();
            assert_eq!(position.living_of(piece) as usize, counted, "{position}");
        }
        for color in Color::ALL {
            let counted = living.iter().filter(|one| one.color() == color).count();
            assert_eq!(position.living(color) as usize, counted, "{position}");
        }
    });
}

#[test]
fn reveals_are_the_bag() {
    in_random_positions(|position| {
        let total = position.hidden().total();
        assert_eq!(total, position.face_down().len() as u32);
        let weights: u32 = position.reveals().map(|reveal| reveal.weight).sum();
        assert_eq!(weights, total);
        for reveal in position.reveals() {
            assert_eq!(
                (reveal.weight, reveal.total),
                (position.hidden().count(reveal.piece), total)
            );
            assert!(reveal.weight > 0);
        }
        assert_eq!(position.reveals().count() as u32, position.hidden().kinds());
    });
}

const TURNS: [Option<Color>; 3] = [None, Some(Color::Red), Some(Color::Black)];

/// A setup of a random position with up to two things changed: most are impossible, and by one or two faults only.
fn changed_setup(seed: u64) -> Setup {
    let mut setup = Setup::from(&random_position(seed));
    let mut source = Wanderer::new(seed).source;
    for _ in 0..source.random_range(0..3) {
        let square = source.random_range(0..SQUARES);
        let piece = Piece::from_index(source.random_range(0..PIECES)).expect("an index of a piece");
        match source.random_range(0..8) {
            0 => setup.board[square] = Content::Empty,
            1 => setup.board[square] = Content::FaceDown,
            2 => setup.board[square] = Content::FaceUp(piece),
            3 => setup.hidden[piece.index()] = source.random_range(0..6),
            4 => setup.board.swap(square, piece.index()),
            5 => setup.turn = TURNS[source.random_range(0..3)],
            6 => setup.quiet = source.random_range(0..40),
            _ => setup.ply = source.random_range(0..40),
        }
    }
    setup
}

/// Whether a setup is possible, judged independently from the rules.
fn possible(setup: &Setup) -> bool {
    let most = [1, 2, 2, 2, 2, 2, 5];
    let face_up = |piece: Piece| {
        setup
            .board
            .iter()
            .filter(|c| **c == Content::FaceUp(piece))
            .count() as u32
    };
    let enough = Piece::all()
        .all(|piece| face_up(piece) + setup.hidden[piece.index()] <= most[piece.index() % 7]);
    let face_down = setup
        .board
        .iter()
        .filter(|c| **c == Content::FaceDown)
        .count() as u32;
    let known: u32 = Piece::all().map(face_up).sum();
    let turn = match setup.turn {
        None => face_down == 32 && setup.ply == 0,
        Some(_) => known > 0,
    };
    enough && turn && setup.hidden.iter().sum::<u32>() == face_down && setup.quiet <= setup.ply
}

#[test]
fn a_setup_is_a_position_or_has_faults() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..6000 {
        let setup = changed_setup(seed);
        match setup.position() {
            Ok(position) => {
                assert!(possible(&setup), "{setup:?}");
                assert_eq!(Setup::from(&position), setup);
                assert_eq!(position.to_string().parse(), Ok(position));
                accepted += 1;
            }
            Err(error) => {
                assert!(!possible(&setup), "{error}: {setup:?}");
                assert!(!error.faults().is_empty());
                refused += 1;
            }
        }
    }
    assert!(
        accepted > 1500 && refused > 1500,
        "{accepted} accepted, {refused} refused"
    );
}
