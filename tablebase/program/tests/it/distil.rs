//! Distilled files, probed as other programs do, against units solved in memory and against the moves
//! of the rules crate.

use std::sync::OnceLock;

use anqi_rules::{Color, Position, Rules};
use anqi_tablebase::classes::{Material, Units};
use anqi_tablebase::distil::format::{HEADER, crc};
use anqi_tablebase::distil::{Pocket, PocketError, check_unit, distil};
use anqi_tablebase::numbering::{DenseIndex, Layout, position_of, usual_order};
use anqi_tablebase::solve::{Goal, Store, Wdl};
use anqi_tablebase::{Endgames, Tables};

/// The file of up to three pieces.
fn three() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| distil(3, &|_, _, _| ()).unwrap().bytes)
}

/// The file that is kept in the repository.
fn kept() -> Pocket {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../pocket.dst");
    Pocket::new(std::fs::read(place).unwrap()).unwrap()
}

/// What one ply of the rules crate's moves makes of a position.
fn by_moves(pocket: &Pocket, position: &Position) -> Wdl {
    let value = |action| {
        let mut next = *position;
        let _ = next.step_unchecked(action);
        pocket.wdl(&next).unwrap().reversed()
    };
    let best = position.actions().into_iter().map(value).max();
    best.unwrap_or(Wdl::Loss)
}

/// Compares positions of a set, one placement in `step`, with the tables and with their own moves.
fn compare(pocket: &Pocket, tables: &dyn Endgames, set: &Material, step: u64) -> (u64, u64) {
    let unit = anqi_tablebase::classes::Fit::of(set).unit;
    let index = DenseIndex::new(unit, usual_order(unit));
    let (mut count, mut nodes) = (0, 0);
    for number in (0..index.len()).step_by(step as usize) {
        let groups = index.groups(number);
        for turn in Color::ALL {
            let position = position_of(set, &groups, turn);
            let answer = pocket.answer(&position).unwrap();
            assert_eq!(Some(answer.wdl), tables.wdl(&position), "{position}");
            if count % 7 == 0 {
                assert_eq!(answer.wdl, by_moves(pocket, &position), "{position}");
            }
            count += 1;
            nodes += u64::from(answer.nodes);
        }
    }
    (count, nodes)
}

fn unlimited() -> Rules {
    Rules::UNLIMITED
}

#[test]
fn every_value_of_up_to_three_pieces_is_right() {
    let pocket = Pocket::new(three()).unwrap();
    let tables = Tables::solved(3, unlimited()).unwrap();
    let mut positions = 0;
    for unit in (2..=3).flat_map(|pieces| Units::of(pieces).list()) {
        positions += compare(&pocket, &tables, &unit.key, 1).0;
    }
    assert!(positions > 200_000, "{positions}");
    // The other sets of each unit differ in their names only.
    for set in (2..=3).flat_map(Material::all) {
        compare(&pocket, &tables, &set, 997);
    }
}

#[test]
fn the_kept_file_is_right_on_samples_of_every_unit() {
    let pocket = kept();
    assert_eq!(pocket.pieces(), 5);
    let tables = Tables::solved(4, unlimited()).unwrap();
    for unit in Units::of(4).list() {
        compare(&pocket, &tables, &unit.key, 1_499);
    }
    for unit in Units::of(5).list().iter().step_by(58) {
        let tables = Tables::of_unit(unit, unlimited(), false).unwrap();
        let (count, nodes) = compare(&pocket, &tables, &unit.key, 9_973);
        assert!(count > 20 && nodes < 400 * count, "{unit} {count} {nodes}");
    }
}

/// `cargo test --release -p anqi-tables --test it distil -- --ignored`
#[test]
#[ignore = "a minute or two in a release build: 43 million probes"]
fn the_kept_file_is_right_on_every_position_of_four_pieces() {
    let pocket = kept();
    let tables = Tables::solved(4, unlimited()).unwrap();
    for unit in Units::of(4).list() {
        compare(&pocket, &tables, &unit.key, 1);
    }
}

#[test]
fn files_are_the_same_every_time() {
    assert_eq!(distil(3, &|_, _, _| ()).unwrap().bytes, three());
}

/// Puts the right checksum behind changed bytes.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sum = crc(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn verification_finds_one_wrong_value() {
    let store = Store::solve(3, Goal::Values).unwrap();
    let check = |pocket: &Pocket| -> Result<u64, String> {
        let mut stored = 0;
        for solved in store.iter() {
            let children = store.children(solved.layout.unit);
            stored += check_unit(pocket, solved, &children, 1_000)?.stored;
        }
        Ok(stored)
    };
    assert!(check(&Pocket::new(three()).unwrap()).unwrap() > 50_000);
    let mut bytes = three().to_vec();
    // Inside the last region that has bytes; the last byte of a region may be padding.
    let at = bytes.len() - 8;
    bytes[at] ^= 0x55;
    let error = check(&Pocket::new(sealed(bytes)).unwrap()).unwrap_err();
    assert!(error.contains("is wrong"), "{error}");
}

#[test]
fn damaged_and_foreign_files_are_refused_by_name() {
    let good = three();
    let refused = |bytes: &[u8]| Pocket::new(bytes.to_vec()).unwrap_err();
    assert_eq!(refused(b""), PocketError::Magic);
    assert_eq!(refused(b"anqi-tbl and more"), PocketError::Magic);
    for version in [1, 3] {
        let mut other = good.to_vec();
        other[8] = version;
        assert_eq!(refused(&other), PocketError::Version(version.into()));
    }
    let mut other = good.to_vec();
    other[20] ^= 1;
    assert_eq!(refused(&other), PocketError::Rules);
    let cut = refused(&good[..good.len() - 1]);
    assert!(matches!(cut, PocketError::Length { .. }), "{cut}");
    for at in (HEADER..good.len()).step_by(211) {
        let mut other = good.to_vec();
        other[at] ^= 16;
        let error = refused(&other);
        assert!(
            matches!(error, PocketError::Checksum { .. }),
            "{at} {error}"
        );
    }
}

/// Bytes that somebody has made on purpose, checksum and all, may give wrong values but nothing worse.
#[test]
fn hostile_bytes_do_no_harm() {
    let good = three();
    let layout = Layout::new(&Units::of(3).list()[7]);
    let groups = (0..layout.addresses())
        .step_by(77)
        .filter_map(|at| layout.groups_at(at));
    let positions: Vec<Position> = groups
        .flat_map(|groups| Color::ALL.map(|turn| position_of(&layout.unit.key, &groups, turn)))
        .collect();
    let mut state = 3u64;
    let mut opened = 0;
    for round in 0..2_000 {
        let mut bytes = good.to_vec();
        for _ in 0..1 + round % 3 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            // The header's numbers and the directory more often than their share.
            let range = match round % 4 {
                0 => 10..12,
                1 => 28..HEADER,
                _ => HEADER..bytes.len(),
            };
            let at = range.start + (state >> 33) as usize % range.len();
            bytes[at] = (state >> 20) as u8;
        }
        if let Ok(pocket) = Pocket::new(sealed(bytes)) {
            opened += 1;
            if opened % 16 == 0 {
                for position in &positions {
                    pocket.answer(position);
                }
            }
        }
    }
    assert!(opened > 200, "{opened}");
}

#[test]
fn the_commands_make_verify_and_probe_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.dst");
    let run = |arguments: &[&str]| {
        let output = crate::common::tablebase(arguments);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let file = file.to_str().unwrap();
    let (code, out, err) = run(&["distil", "--pieces", "3", "--out", file, "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["bytes"], three().len());
    assert!(summary["nodes"]["average"].as_f64().unwrap() < 200.0);
    let shares = summary["explained_by"].as_object().unwrap().values();
    let sum: u64 = shares.map(|share| share.as_u64().unwrap()).sum();
    assert_eq!(summary["positions"], sum);
    let (code, out, err) = run(&["verify", "--distilled", file, "--every", "10"]);
    assert!(code == Some(0) && out.contains("are right"), "{out}{err}");
    let position = "4/4/4/4/4/4/1k2/K1g1 r - 0 0";
    let (code, out, _) = run(&["probe", position, "--distilled", file]);
    assert!(code == Some(0) && out.starts_with("loss"), "{out}");
    let four = "3k/4/4/4/4/4/G3/C1c1 b - 0 0";
    let (code, _, err) = run(&["probe", four, "--distilled", file]);
    assert!(code == Some(1) && err.contains("up to 3 pieces"), "{err}");
    std::fs::write(file, &three()[..1_000]).unwrap();
    let (code, _, err) = run(&["probe", position, "--distilled", file]);
    assert!(code == Some(1) && err.contains("1000 bytes"), "{err}");
}
