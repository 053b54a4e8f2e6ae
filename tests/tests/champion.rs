//! The champion's claims, on a small scale: it wins won endings, and pruning saves nodes without changing a value.

use anqi_app::bench;
use anqi_lab::ablation;
use anqi_lab::endings::{
    Attacker, Attempt, Ending, RULES, RandomEndings, SlipKind, best_defence, play_all, play_out,
};
use anqi_lab::savings::{EXACT, PLAIN, compare, mean_saving, middle_games};
use anqi_rules::{Color, Game, Setup};
use anqi_search::Limits;
use anqi_search::players::{DEFAULT, by_spec};
use anqi_search::spec::SpecError;
use anqi_tablebase::{Endgames, Tables, Wdl, rated_actions};

fn endings(tables: &Tables, count: usize) -> Vec<Ending> {
    RandomEndings::new(tables, 3..=4, 5)
        .take(count)
        .collect::<Result<_, _>>()
        .expect("all endings of four pieces are known")
}

fn tables() -> Tables {
    Tables::solved(4, RULES).expect("distances of four pieces are small")
}

#[test]
fn the_champion_wins_won_endings() {
    let tables = tables();
    let endings = endings(&tables, 40);
    let attacker = Attacker {
        spec: "champion".to_owned(),
        limits: Limits {
            nodes: Some(20_000),
            ..Limits::NONE
        },
        seed: 1,
    };
    let played = play_all(&endings, &attacker, &tables, 2).unwrap();
    assert_eq!(played.len(), endings.len());
    for played in &played {
        assert!(played.is_won(), "{}: {:?}", played.line(), played.slip);
    }
    assert!(
        endings.iter().any(|ending| ending.distance > 12),
        "all easy"
    );
}

/// An attacker that takes the worst of the winning actions, or the worst of all.
fn careless(tables: &Tables, game: &Game, keeps_winning: bool) -> Attempt {
    let rated = rated_actions(tables, game.position()).expect("few pieces are left");
    let kept = rated
        .iter()
        .rev()
        .find(|rated| !keeps_winning || rated.wdl == Wdl::Win);
    Attempt {
        action: kept.unwrap_or(&rated[0]).action,
        score: None,
        depth: 0,
    }
}

#[test]
fn careless_attackers_are_found_out() {
    let tables = tables();
    let mut kinds = Vec::new();
    for (index, ending) in endings(&tables, 60).iter().enumerate() {
        let keeps_winning = index % 2 == 0;
        let played = play_out(&ending.position, RULES, &tables, |game| {
            careless(&tables, game, keeps_winning)
        })
        .unwrap();
        assert_eq!(played.is_won(), played.slip.is_none(), "{}", played.line());
        let Some(slip) = &played.slip else { continue };
        assert_eq!(tables.known(&slip.position).unwrap().wdl, Wdl::Win);
        assert!(slip.kind != SlipKind::GivenAway || !keeps_winning);
        kinds.push(slip.kind);
    }
    for kind in [SlipKind::GivenAway, SlipKind::Repeated] {
        assert!(kinds.contains(&kind), "{kind:?} never happened");
    }
}

#[test]
fn a_win_that_comes_too_late_is_called_so() {
    let tables = tables();
    let far = |ending: &&Ending| ending.distance > 5;
    let all = endings(&tables, 60);
    let late: Vec<&Ending> = all.iter().filter(far).collect();
    assert!(late.len() > 10);
    for ending in late {
        // Three plies are left where more are needed.
        let tired = Setup {
            quiet: 177,
            ply: 177,
            ..Setup::from(&ending.position)
        };
        let tired = tired.position().unwrap();
        assert_eq!(tables.known(&tired).unwrap().wdl, Wdl::Draw);
        let best = rated_actions(&tables, &ending.position).unwrap()[0].action;
        let played = play_out(&tired, RULES, &tables, |game| Attempt {
            action: match game.plies() {
                [] => best,
                _ => game.position().actions()[0],
            },
            score: None,
            depth: 0,
        })
        .unwrap();
        let slip = played.slip.as_ref().expect("it cannot be won any more");
        assert_eq!((slip.kind, slip.ply), (SlipKind::TooSlow, 1));
        assert!(!played.is_won());
    }
}

#[test]
fn the_defence_takes_a_draw_where_there_is_one() {
    let tables = tables();
    let mut drawn = 0;
    for ending in endings(&tables, 60) {
        let mut game = Game::new(ending.position, RULES);
        let blunder = careless(&tables, &game, false);
        game.play(blunder.action.into()).unwrap();
        if game.outcome().is_some() {
            continue;
        }
        let known = tables.known(game.position()).unwrap();
        let action = best_defence(&tables, &game).unwrap();
        game.play(action.into()).unwrap();
        let after = tables.known(game.position()).unwrap();
        assert_eq!(after.wdl, known.wdl.reversed(), "{}", game.position());
        drawn += usize::from(known.wdl == Wdl::Draw);
    }
    assert!(drawn > 5, "{drawn} draws only");
}

#[test]
fn endings_are_as_asked_and_the_same_again() {
    let tables = tables();
    let [first, second] = [endings(&tables, 50), endings(&tables, 50)];
    for (one, other) in first.iter().zip(&second) {
        assert_eq!(one.position, other.position);
        assert_eq!(one.position.occupied().len(), one.pieces);
        assert!(one.position.face_down().is_empty());
        assert!(
            Color::ALL
                .iter()
                .all(|&c| !one.position.color(c).is_empty())
        );
        assert_eq!(tables.known(&one.position).unwrap().wdl, Wdl::Win);
    }
}

#[test]
fn pruning_saves_nodes_and_changes_no_value() {
    let mut plain = by_spec(PLAIN).unwrap();
    let mut others = vec![by_spec(EXACT).unwrap()];
    let budget = Limits {
        nodes: Some(300_000),
        ..Limits::NONE
    };
    let positions = middle_games(8, 3).unwrap();
    let compared: Vec<_> = positions
        .iter()
        .map(|position| compare(plain.as_mut(), &mut others, position, budget).unwrap())
        .collect();
    for one in &compared {
        assert!((20..=60).contains(&one.position.ply()));
        assert_eq!(one.others[0].depth, one.plain.depth, "{}", one.position);
        assert_eq!(one.others[0].score, one.plain.score, "{}", one.position);
    }
    let saving = mean_saving(&compared, 0);
    println!("one node in {saving:.1}");
    assert!(saving > 20.0, "{saving}");
}

#[test]
fn the_ablation_searches_what_the_bench_searches() {
    let mut champion = by_spec(DEFAULT).unwrap();
    let bench = bench::run(champion.as_mut(), 1, |_| Ok::<(), SpecError>(())).unwrap();
    let mut rows = Vec::new();
    ablation::run::<SpecError>(1, 2, |row| {
        rows.push(row.nodes.total);
        Ok(())
    })
    .unwrap();
    assert_eq!(rows[0], bench.nodes);
}
