//! `lab ways`: games from the longest wins, resumed where they stopped; and against a defender of another rule book.

use std::collections::HashMap;
use std::fs;

use anqi_naive::Naive;
use anqi_rules::{Game, Outcome, Ply, Position, Rules};
use anqi_search::players::by_spec;
use anqi_search::{Limits, Request, Stop};
use anqi_tablebase::Tables;
use anqi_tablebase::classes::Units;
use anqi_tablebase::file::{Metric, Order, Packing, build_unit};
use anqi_tablebase::solve::{Goal, UnitCache};

use crate::common::{printed, refused};

/// Builds all files of up to three pieces.
fn build_tables(dir: &str) {
    let order = Order {
        dir: dir.to_owned().into(),
        metrics: Metric::ALL.to_vec(),
        packing: Packing::default(),
        memory: 1 << 30,
    };
    fs::create_dir(dir).unwrap();
    let cache = UnitCache::new(3, 1 << 30, Goal::ToEnd).unwrap();
    for unit in (2..=3).flat_map(|pieces| Units::of(pieces).list()) {
        build_unit(unit, &order, &cache).unwrap();
    }
}

#[test]
fn plies_to_the_end_win_by_the_shortest_way_and_a_stopped_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (tables, out) = (path("tables"), path("out"));
    build_tables(&tables);
    let ways = |more: &[&str]| {
        let usual = "ways --pieces 3 --units 2 --nodes 100 --player champion:hash=1 --tables";
        let usual: Vec<&str> = usual
            .split(' ')
            .chain([tables.as_str(), "--out", &out])
            .collect();
        printed(&[&usual, more].concat())
    };
    let table = ways(&[]);
    let games = path("out/games.jsonl");
    let whole = fs::read_to_string(&games).unwrap();
    assert_eq!(whole.lines().count(), 2 * 3 * 3, "{whole}");
    for line in whole.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        if game["way"] == "dtw" && game["rules"] == "none" {
            assert_eq!(game["end"], "won", "{line}");
            assert_eq!(game["played"], game["needed"], "{line}");
        }
        assert!(game["played"].as_u64() >= game["needed"].as_u64() || game["end"] != "won");
    }
    // A killed run leaves half a line.
    let half = whole.len() / 2;
    fs::write(&games, &whole[..half]).unwrap();
    assert_eq!(ways(&[]), table);
    assert_eq!(fs::read_to_string(&games).unwrap(), whole);
    let picture = path("ways.svg");
    assert_eq!(ways(&["--report", "--picture", &picture]), table);
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("plies needed"), "{svg}");
    let other = ["ways", "--nodes", "9", "--tables", &tables, "--out", &out];
    refused(&other, &["another contest", "differs"]);
}

/// Plies to the end of every position that can arise from some pieces, by the moves of the slow rule book: even for
/// the side that loses, odd for the side that wins, nothing for a draw.
struct OwnTable {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
    /// What each action leads to.
    actions: Vec<Vec<(String, usize)>>,
    plies: Vec<Option<u32>>,
}

impl OwnTable {
    /// Explores from the placements of three pieces, red to move, and solves.
    fn new(pieces: [char; 3]) -> OwnTable {
        let mut own = OwnTable {
            numbers: HashMap::new(),
            texts: Vec::new(),
            actions: Vec::new(),
            plies: Vec::new(),
        };
        for squares in (0..32 * 32 * 32).map(|n| [n / 1024, n / 32 % 32, n % 32]) {
            let [a, b, c] = squares;
            if a != b && b != c && a != c {
                let mut board = ['.'; 32];
                for (square, piece) in squares.into_iter().zip(pieces) {
                    board[square] = piece;
                }
                own.number(&board, 'r');
                own.number(&board, 'b');
            }
        }
        let mut next = 0;
        while next < own.texts.len() {
            own.explore(next);
            next += 1;
        }
        own.solve();
        own
    }

    /// The number of a position, a new one if it is new; squares run along the ranks from a8.
    fn number(&mut self, board: &[char; 32], turn: char) -> usize {
        let rows = board.chunks(4).map(|row| {
            let text: String = row.iter().collect();
            let runs = [("....", "4"), ("...", "3"), ("..", "2"), (".", "1")];
            runs.into_iter()
                .fold(text, |text, (dots, digit)| text.replace(dots, digit))
        });
        let text = format!("{} {turn} - 0 0", rows.collect::<Vec<_>>().join("/"));
        let new = self.texts.len();
        *self.numbers.entry(text.clone()).or_insert_with(|| {
            self.texts.push(text);
            new
        })
    }

    /// Finds what the actions of a position lead to.
    fn explore(&mut self, number: usize) {
        let naive = Naive::parse(&self.texts[number]).unwrap();
        let square = |text: &str| {
            let (file, rank) = (text.as_bytes()[0] - b'a', text.as_bytes()[1] - b'1');
            usize::from(file + 4 * (7 - rank))
        };
        let names = (0..32u8).map(|at| format!("{}{}", char::from(b'a' + at % 4), 8 - at / 4));
        let board: Vec<char> = names.map(|name| naive.at(&name)).collect();
        let board: [char; 32] = board.try_into().unwrap();
        let turn = if naive.turn() == 'r' { 'b' } else { 'r' };
        let actions = naive.legal().into_iter().map(|action| {
            let (from, to) = action.split_once('-').unwrap();
            let mut after = board;
            after[square(to)] = std::mem::replace(&mut after[square(from)], '.');
            let number = self.number(&after, turn);
            (action, number)
        });
        let actions = actions.collect();
        self.actions.push(actions);
    }

    /// Counts rounds: one finds those that lose, the next those that win.
    fn solve(&mut self) {
        self.plies = vec![None; self.texts.len()];
        let mut idle = 0;
        for round in 0.. {
            let found: Vec<usize> = (0..self.texts.len())
                .filter(|&number| {
                    let mut after = self.actions[number]
                        .iter()
                        .map(|(_, next)| self.plies[*next]);
                    let wins = |plies: u32| plies % 2 == 1;
                    self.plies[number].is_none()
                        && if wins(round) {
                            after.any(|plies| plies == Some(round - 1))
                        } else {
                            after.all(|plies| plies.is_some_and(wins))
                        }
                })
                .collect();
            idle = if found.is_empty() { idle + 1 } else { 0 };
            if idle == 2 {
                return;
            }
            for number in found {
                self.plies[number] = Some(round);
            }
        }
    }
}

#[test]
fn a_defender_with_the_slow_rule_book_and_a_table_of_its_own_holds_out_as_long_as_ours_say() {
    let own = OwnTable::new(['K', 'k', 'g']);
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("tables").display().to_string();
    build_tables(&folder);
    let tables = Tables::open(folder.as_ref(), 2, Rules::UNLIMITED).unwrap();
    let three = |text: &str| {
        text.chars()
            .filter(|letter| "Kkg".contains(*letter))
            .count()
            == 3
    };
    let mut longest: Option<usize> = None;
    for (number, text) in own.texts.iter().enumerate().filter(|(_, text)| three(text)) {
        let position: Position = text.parse().unwrap();
        let ours = tables.plies_to_end(&position).unwrap();
        assert_eq!(ours.map(u32::from), own.plies[number], "{text}");
        let wins = own.plies[number].is_some_and(|plies| plies % 2 == 1);
        if wins && longest.is_none_or(|longest| own.plies[longest] < own.plies[number]) {
            longest = Some(number);
        }
    }
    let start = longest.unwrap();
    let needed = own.plies[start].unwrap();
    assert_eq!(needed, 23, "the longest win of Kkg");
    for (player, shortest) in [
        (format!("champion:hash=1,tables={folder}"), true),
        ("champion:hash=1".to_owned(), false),
    ] {
        let mut winner = by_spec(&player).unwrap();
        winner.prepare(Rules::UNLIMITED).unwrap();
        let mut game = Game::new(own.texts[start].parse().unwrap(), Rules::UNLIMITED);
        let (mut here, mut played) = (start, 0);
        while game.outcome().is_none() {
            let action = if played % 2 == 0 {
                let stop = Stop::new();
                let request = Request {
                    game: &game,
                    among: None,
                    limits: Limits {
                        nodes: Some(500),
                        ..Limits::default()
                    },
                    seed: 1,
                    stop: &stop,
                };
                winner.choose(&request, &mut |_| {}).action.to_string()
            } else {
                let slowest = own.actions[here]
                    .iter()
                    .max_by_key(|(_, next)| own.plies[*next]);
                slowest.unwrap().0.clone()
            };
            let known = own.actions[here].iter().find(|(known, _)| *known == action);
            here = known.expect("both rule books allow it").1;
            game.play(Ply::from(action.parse::<anqi_rules::Action>().unwrap()))
                .unwrap();
            played += 1;
            assert!(played < 100, "{player} makes no progress");
        }
        assert_eq!(own.plies[here], Some(0), "the loser is at its end");
        assert!(matches!(game.outcome(), Some(Outcome::Win { .. })) && played % 2 == 1);
        assert!(
            if shortest {
                played == needed
            } else {
                played >= needed
            },
            "{player}: {played}"
        );
    }
}
