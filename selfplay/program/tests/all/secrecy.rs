//! What outside programs are told depends on nothing that lies face down.
//!
//! Two games are played whose deals agree in the first pieces and in nothing
//! else, under different seeds. `tee` writes down every byte that the programs
//! receive; up to the first piece that differs they must be the same bytes.

use std::path::{Path, PathBuf};

use anqi_match::adjudication::Adjudication;
use anqi_match::clock::TimeTolerance;
use anqi_match::deal::{Deal, DealKind};
use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::limits::Limits;
use anqi_match::record::GameRecord;
use anqi_match::referee::{self, GameSetup};
use anqi_match::seed;
use anqi_match::side::{BySide, Side};
use anqi_rules::{Piece, Rules};

/// Two programs, and the log of what each is told.
struct Listeners {
    players: BySide<Participant>,
    logs: BySide<PathBuf>,
}

impl Listeners {
    /// Makes two outside programs out of one command, each behind a `tee` into the folder.
    fn new(prefix: &str, program: &str, folder: &Path) -> Listeners {
        let logs = BySide::from_fn(|side| folder.join(side.to_string()));
        let players = BySide::from_fn(|side| {
            let log = logs[side].display();
            let text = format!("{prefix}:sh -c \"tee {log} | {program}\"");
            Participant::new(&text, &Interrupt::new()).expect("the mock starts")
        });
        Listeners { players, logs }
    }

    /// Plays a game; returns its record and what each program was told.
    fn hear(&self, deal: &Deal, pair: u64) -> (GameRecord, BySide<String>) {
        let interrupt = Interrupt::new();
        let mut engines =
            BySide::from_fn(|side| self.players[side].engine(&interrupt).expect("an engine"));
        let setup = GameSetup {
            opening: None,
            deal,
            starter: Side::A,
            rules: Rules::OLYMPIAD,
            limits: BySide::from_fn(|_| Limits::DEFAULT),
            tolerance: TimeTolerance::default(),
            adjudication: Adjudication::default(),
            adjudicator: None,
            pair_seed: seed::pair_seed(1, pair),
        };
        let (a, b) = (&mut *engines.a, &mut *engines.b);
        let (record, _) = referee::play(&setup, BySide { a, b }).expect("a result");
        drop(engines);
        assert!(!record.verdict.reason.is_fault(), "{:?}", record.verdict);
        let told = BySide::from_fn(|side| {
            std::fs::read_to_string(&self.logs[side]).expect("tee writes a log")
        });
        (record, told)
    }
}

/// Returns two deals whose pieces agree in the first `shown` flips of the first one's game.
///
/// `order` lists which places of the deal the flips of the first game uncover.
fn two_deals(kind: DealKind, order: &[usize], shown: usize) -> [Deal; 2] {
    let first = Deal::new(kind, 1, 0);
    let mut pieces: Vec<Piece> = first.pieces().to_vec();
    // The pieces that stay down move up one place, which changes most of them.
    let hidden: Vec<usize> = (0..32).filter(|i| !order[..shown].contains(i)).collect();
    for (index, &place) in hidden.iter().enumerate() {
        pieces[place] = first.pieces()[hidden[(index + 1) % hidden.len()]];
    }
    let second = Deal::of_pieces(kind, pieces).expect("the same set");
    [first, second]
}

/// Returns the places of a deal that the flips of a game uncover, in order.
fn order(kind: DealKind, record: &GameRecord) -> Vec<usize> {
    let plies = record.parse_plies().expect("plies");
    let flips = plies.iter().filter(|ply| ply.reveal.is_some());
    let places = flips.enumerate().map(|(k, ply)| match kind {
        DealKind::Sequence => k,
        DealKind::Squares => ply.action.from().index(),
    });
    places.collect()
}

/// Plays the two deals and compares what is told before anything differs.
///
/// `known` returns how many pieces are known after a line, given how many were before.
fn compare(prefix: &str, program: &str, kind: DealKind, known: fn(&str, usize) -> usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let listeners = Listeners::new(prefix, program, folder.path());
    let (record, _) = listeners.hear(&Deal::new(kind, 1, 0), 0);
    let order = order(kind, &record);
    for shown in [0, 1, 5, 12] {
        let [first, second] = two_deals(kind, &order, shown);
        let (_, one) = listeners.hear(&first, 0);
        let (_, other) = listeners.hear(&second, 900 + shown as u64);
        for side in Side::ALL {
            let before = |told: &str| -> Vec<String> {
                let mut pieces = 0;
                let lines = told.lines().take_while(|line| {
                    pieces = known(line, pieces);
                    pieces <= shown
                });
                lines.map(str::to_owned).collect()
            };
            let (one, other) = (before(&one[side]), before(&other[side]));
            assert_eq!(one, other, "{side}, {kind}, {shown} pieces shown");
            assert!(one.len() > 2 + shown / 2, "{one:?}");
        }
    }
}

/// Counts the reports of flips.
fn flips(line: &str, before: usize) -> usize {
    before + usize::from(line.starts_with("11 flip"))
}

/// Counts the squares of a FEN that are no longer face down.
fn face_up(line: &str, before: usize) -> usize {
    match line.strip_prefix("position fen ") {
        Some(fen) => 32 - fen.matches('X').count(),
        None => before,
    }
}

#[test]
fn the_tournament_protocol_tells_nothing_of_what_lies_face_down() {
    for kind in [DealKind::Sequence, DealKind::Squares] {
        for deed in ["seeded", "polite"] {
            let program = format!("{} {deed}", crate::common::example_path("mock_engine"));
            compare("cmd", &program, kind, flips);
        }
    }
}

#[test]
fn the_uci_dialect_tells_nothing_of_what_lies_face_down() {
    for kind in [DealKind::Sequence, DealKind::Squares] {
        compare(
            "uci",
            &crate::common::example_path("mock_uci"),
            kind,
            face_up,
        );
    }
}

#[test]
fn a_program_that_asks_for_seeds_is_told_one_before_every_choice() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = format!("{} seeded", crate::common::example_path("mock_engine"));
    let listeners = Listeners::new("cmd", &program, folder.path());
    let (record, told) = listeners.hear(&Deal::new(DealKind::Sequence, 1, 0), 0);
    for side in Side::ALL {
        let seeds: Vec<&str> = told[side]
            .lines()
            .filter(|line| line.contains("set seed"))
            .collect();
        assert_eq!(seeds.len(), record.moves(side));
    }
}

#[test]
fn what_a_program_is_told_does_not_depend_on_the_seed_of_the_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = format!("{} seeded", crate::common::example_path("mock_engine"));
    let listeners = Listeners::new("cmd", &program, folder.path());
    let deal = Deal::new(DealKind::Sequence, 1, 0);
    // The seeds of built-in players' choices differ from pair to pair.
    let [first, second] = [0, 5].map(|pair| listeners.hear(&deal, pair).1);
    for side in Side::ALL {
        assert!(first[side].contains("set seed"));
        let [first, second] = [&first[side], &second[side]].map(|told| until_last_choice(told));
        assert_eq!(first, second, "{side}");
    }
}

/// Returns what was told up to the last choice. The game's end may close a program before its log has
/// what came after that.
fn until_last_choice(told: &str) -> &str {
    &told[..told.rfind("genmove").expect("a choice")]
}
