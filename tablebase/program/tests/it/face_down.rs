//! Table files with face-down pieces from outside: built, probed, damaged, built again.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anqi_rules::{Color, Content, Position, Rules, SQUARES, Setup, Square};
use anqi_tablebase::classes::{Fit, Material, Units};
use anqi_tablebase::facedown::{
    Endings, HiddenIndex, PhaseKey, Refused, example, rated_by_expectation,
};
use anqi_tablebase::facedown_file::{BuildOrder, FRAME, HiddenTable, build, path_of};
use anqi_tablebase::numbering::{number_of, set_of};
use anqi_tablebase::probe::{FaceUpUnits, HiddenLibrary, hidden_tables_in, verify_hidden};
use anqi_tablebase::{Endgames, Tables};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

use crate::common::tablebase;

const CACHE_BYTES: usize = 64 << 20;

fn build_all(dir: &Path, pieces: usize) {
    let order = BuildOrder::new(dir, pieces, 1 << 30).unwrap();
    for unit in (2..=pieces).flat_map(|count| Units::of(count).list()) {
        for hidden in 1..unit.pieces() {
            build(unit, hidden, &order).unwrap();
        }
    }
}

/// Compares every value of the tables of this many pieces with the solution on the spot; returns the
/// number of values compared.
fn agree_everywhere(dir: &Path, pieces: usize) -> u64 {
    let mut positions = 0;
    for unit in Units::of(pieces).list() {
        let endings = Endings::new(pieces as u32, CACHE_BYTES);
        for hidden in 1..pieces {
            let table = HiddenTable::open(&path_of(dir, unit, hidden)).unwrap();
            let here = agree(&table, &endings, 1);
            assert_eq!(here, table.header.index.positions());
            positions += here;
        }
    }
    positions
}

/// Compares one phase in `every` with the solution on the spot; returns the number of positions.
fn agree(table: &HiddenTable, endings: &Endings, every: usize) -> u64 {
    let (stored, plies) = table.read().unwrap();
    let index: &HiddenIndex = &table.header.index;
    let groups = Fit::of(&index.unit.key).groups;
    let mut seen = vec![false; stored.values.len()];
    for (division, part) in index.divisions.iter().enumerate() {
        for orbit in (0..index.orbits()).filter(|orbit| part.phase(*orbit) % every == 0) {
            let (face_up, bag) = example(index.unit, &part.up);
            let face_down = set_of(index.squares(orbit));
            let key = PhaseKey {
                face_up,
                bag,
                face_down,
            };
            let phase = endings.phase(key).unwrap();
            for (placement, turn) in phase.placements() {
                let mut squares = [0; 8];
                for (piece, square) in placement.iter() {
                    squares[usize::from(groups[piece.index()])] |= 1 << number_of(square);
                }
                let number = part.number(&squares, 0, index.squares(orbit));
                let at = (part.first(orbit, turn) + number) as usize;
                let here = (stored.values[at], u16::from(plies[at]));
                let there = (phase.units(&placement, turn), phase.plies(&placement, turn));
                assert_eq!(here, there, "{key:?} {placement:?} {division}");
                seen[at] = true;
            }
            assert_eq!(u32::from(table.waits[part.phase(orbit)]), phase.longest());
        }
    }
    seen.iter().filter(|&&seen| seen).count() as u64
}

/// A random position, at least one piece face down and one face up.
fn random_position(random: &mut Pcg64, pieces: usize) -> Position {
    let sets = Material::all(pieces);
    let set = sets[random.random_range(0..sets.len())];
    let kinds = set.kinds();
    let mut standing: Vec<_> = kinds
        .flat_map(|(piece, n)| std::iter::repeat_n(piece, n))
        .collect();
    standing.shuffle(random);
    let mut squares: Vec<Square> = Square::all().collect();
    squares.shuffle(random);
    let hidden = random.random_range(1..pieces);
    let mut setup = Setup {
        board: [Content::Empty; SQUARES],
        turn: Some(Color::ALL[random.random_range(0..2)]),
        ..Setup::default()
    };
    for (place, (piece, square)) in standing.into_iter().zip(squares).enumerate() {
        if place < hidden {
            setup.board[square.index()] = Content::FaceDown;
            setup.hidden[piece.index()] += 1;
        } else {
            setup.board[square.index()] = Content::FaceUp(piece);
        }
    }
    setup.position().unwrap()
}

/// Compares random positions of all sets, whatever their colours and mirrors.
fn agree_on_samples(dir: &Path, pieces: usize, count: usize) {
    let files = HiddenLibrary::behind(dir, Endings::new(0, 0)).unwrap();
    let spot = Endings::new(pieces as u32, CACHE_BYTES);
    let mut random = Pcg64::seed_from_u64(pieces as u64);
    for _ in 0..count {
        let position = random_position(&mut random, pieces);
        assert_eq!(files.known(&position), spot.known(&position), "{position}");
    }
}

#[test]
fn files_of_three_pieces_are_the_solution_on_the_spot() {
    let dir = tempfile::tempdir().unwrap();
    build_all(dir.path(), 3);
    let positions = [2, 3].map(|pieces| agree_everywhere(dir.path(), pieces));
    assert_eq!(positions, [3_968, 714_240 + 424_320]);
    agree_on_samples(dir.path(), 3, 5_000);
    let face_up = FaceUpUnits::new(3).unwrap();
    let mut derived = 0;
    for (unit, hidden, path) in hidden_tables_in(dir.path()).unwrap() {
        derived += verify_hidden((unit, hidden), &path, &face_up, 1)
            .unwrap()
            .derived;
    }
    assert_eq!(derived, positions[0] + positions[1]);
}

#[test]
fn probes_read_files_and_name_a_damaged_one() {
    let dir = tempfile::tempdir().unwrap();
    build_all(dir.path(), 2);
    let position: Position = "K?2/4/4/4/4/4/4/4 b g 0 40".parse().unwrap();
    let right = Endings::new(2, CACHE_BYTES).known(&position).unwrap();
    let open = || Tables::open(dir.path(), 2, Rules::OLYMPIAD).unwrap();
    assert_eq!(open().with_face_down(&position), Some(right));
    assert_eq!(open().expected(&position), Some(right.expected.into()));
    let path = path_of(dir.path(), Fit::of(&"Kg".parse().unwrap()).unit, 1);
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let good = fs::read(&path).unwrap();
    let mut bad = good.clone();
    for at in [
        3,
        9,
        20,
        60,
        100,
        good.len() / 2,
        good.len() - 50,
        good.len() - 36,
    ] {
        bad[at] ^= 1;
        fs::write(&path, &bad).unwrap();
        let error = HiddenTable::open(&path).and_then(|table| table.file.check_hash());
        assert!(error.unwrap_err().to_string().contains(&name), "{at}");
        bad[at] ^= 1;
    }
    for length in [0, 7, 90, good.len() / 2, good.len() - 1] {
        fs::write(&path, &good[..length]).unwrap();
        let error = HiddenTable::open(&path).unwrap_err().to_string();
        assert!(error.contains(&name), "{error}");
    }
    let tables = open();
    assert_eq!(tables.with_face_down(&position), None);
    assert!(tables.take_damage().unwrap().contains(&name));
    let refused = tables.face_down().known(&position).unwrap_err();
    assert!(
        matches!(&refused, Refused::Damaged(what) if what.contains(&name)),
        "{refused}"
    );
    let text = position.to_string();
    let output = tablebase(&["probe", &text, "--dir", dir.path().to_str().unwrap()]);
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains(&name));
}

fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .map(|path| {
            (
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                fs::read(&path).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_build_that_was_killed_ends_with_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let run = || {
        let path = dir.path().to_str().unwrap();
        let output = tablebase(&[
            "build",
            "--face-down",
            "--quiet",
            "--pieces",
            "3",
            "--dir",
            path,
        ]);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(run(), "");
    let whole = files(dir.path());
    assert_eq!(whole.len(), 1 + 5 + 20 * 2);
    // What a kill leaves: some tables, and a part of the next one.
    for (name, _) in &whole[20..] {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join(".CCc.fd2.Ab3xYz.part"), "half a table").unwrap();
    assert_eq!(run(), "");
    assert!(files(dir.path()) == whole);
    // Damage is named and repaired.
    let (name, bytes) = &whole[3];
    fs::write(dir.path().join(name), &bytes[..bytes.len() - 9]).unwrap();
    let told = run();
    assert!(
        told.contains(name) && told.contains("written again"),
        "{told}"
    );
    assert!(files(dir.path()) == whole);
}

/// Starts a build of all of up to three pieces.
fn start_build(dir: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tablebase"))
        .args(["build", "--face-down", "--quiet", "--pieces", "3", "--dir"])
        .arg(dir)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_build_killed_at_any_moment_goes_on_and_ends_with_the_same_bytes() {
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let start = Instant::now();
    assert!(start_build(whole.path()).wait().unwrap().success());
    let whole = (files(whole.path()), start.elapsed());
    // A table that was being written when the kill came is a hidden file, which the next build removes.
    let tables = || {
        let found = files(killed.path());
        found
            .iter()
            .filter(|(name, _)| !name.starts_with('.'))
            .count()
    };
    let mut random = Pcg64::seed_from_u64(9);
    let mut stops = Vec::new();
    for _ in 0..8 {
        let mut child = start_build(killed.path());
        std::thread::sleep(whole.1.mul_f64(random.random_range(0.0..0.5)));
        child.kill().unwrap();
        child.wait().unwrap();
        stops.push(tables());
    }
    // A kill loses no table, and most of them hit a build that had some left to do.
    assert!(stops.is_sorted(), "{stops:?}");
    let output = start_build(killed.path()).wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(files(killed.path()) == whole.0, "after {stops:?}");
}

#[test]
fn files_of_four_pieces_are_the_solution_on_the_spot() {
    let dir = tempfile::tempdir().unwrap();
    build_all(dir.path(), 3);
    let order = BuildOrder::new(dir.path(), 4, 1 << 30).unwrap();
    let endings = Endings::new(4, CACHE_BYTES);
    // All different with both kinds of capture; twins; four against one another's cannons.
    for (set, every) in [("KCgp", 7), ("CCgp", 11), ("KPPc", 13)] {
        let unit = Fit::of(&set.parse().unwrap()).unit;
        for hidden in 1..4 {
            build(unit, hidden, &order).unwrap();
            let table = HiddenTable::open(&path_of(dir.path(), unit, hidden)).unwrap();
            let every = every * usize::pow(9, hidden as u32 - 1);
            assert!(agree(&table, &endings, every) > 0);
        }
    }
}

/// Changes one value in the first frame of a table and makes all checksums right again.
fn plant(path: &Path, at: usize) {
    let bytes = fs::read(path).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (head, frames, waits) = (number(12), number(64), number(76));
    let start = head + 8 * frames + 4 + waits;
    let length = number(head);
    let mut raw = zstd::bulk::decompress(&bytes[start..start + length], 1 << 16).unwrap();
    raw[at] = raw[at].wrapping_add(1);
    let packed = zstd::bulk::compress(&raw, 6).unwrap();
    let mut new = bytes[..head].to_vec();
    let mut directory = bytes[head..head + 8 * frames].to_vec();
    directory[..4].copy_from_slice(&(packed.len() as u32).to_le_bytes());
    directory[4..8].copy_from_slice(&crc32fast::hash(&packed).to_le_bytes());
    new.extend_from_slice(&directory);
    new.extend_from_slice(&crc32fast::hash(&directory).to_le_bytes());
    new.extend_from_slice(&bytes[head + 8 * frames + 4..start]);
    new.extend_from_slice(&packed);
    new.extend_from_slice(&bytes[start + length..bytes.len() - 40]);
    new.extend_from_slice(&(new.len() as u64 + 40).to_le_bytes());
    let hash = blake3::hash(&new);
    new.extend_from_slice(hash.as_bytes());
    fs::write(path, new).unwrap();
}

#[test]
fn a_wrong_value_or_wait_with_right_checksums_is_found() {
    let dir = tempfile::tempdir().unwrap();
    build_all(dir.path(), 3);
    let face_up = FaceUpUnits::new(3).unwrap();
    let unit = Fit::of(&"Kgp".parse().unwrap()).unit;
    let path = path_of(dir.path(), unit, 1);
    let good = fs::read(&path).unwrap();
    let positions = (HiddenIndex::new(unit, 1).positions() as usize).min(FRAME);
    for at in [0, positions / 2, positions + 3, 2 * positions - 1] {
        plant(&path, at);
        HiddenTable::open(&path).unwrap().file.check_hash().unwrap();
        let error = verify_hidden((unit, 1), &path, &face_up, 1).unwrap_err();
        assert!(error.to_string().contains("one ply of play"), "{error}");
        fs::write(&path, &good).unwrap();
    }
    // A table made from another one is not trusted either.
    plant(&path, 0);
    let above = path_of(dir.path(), unit, 2);
    let error = verify_hidden((unit, 2), &above, &face_up, 1).unwrap_err();
    assert!(error.to_string().contains("made from another"), "{error}");
    let output = tablebase(&["verify", dir.path().to_str().unwrap()]);
    assert!(!output.status.success());
}

#[test]
fn files_rate_the_actions_as_the_solution_on_the_spot_does() {
    let dir = tempfile::tempdir().unwrap();
    build_all(dir.path(), 3);
    let files = HiddenLibrary::behind(dir.path(), Endings::new(3, CACHE_BYTES)).unwrap();
    let spot = Endings::new(3, CACHE_BYTES);
    let mut random = Pcg64::seed_from_u64(7);
    for _ in 0..200 {
        let position = random_position(&mut random, 3);
        assert_eq!(
            rated_by_expectation(&files, &position),
            rated_by_expectation(&spot, &position),
            "{position}"
        );
    }
}
