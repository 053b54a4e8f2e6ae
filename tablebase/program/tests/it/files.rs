//! Table files from outside: built, probed, damaged, built again in other ways.

use std::fs;
use std::path::{Path, PathBuf};

use anqi_rules::{Color, Position, Rules};
use anqi_tablebase::classes::{Fit, Unit, Units};
use anqi_tablebase::file::{Metric, Order, Packing, TableError, TableFile, build_unit, place};
use anqi_tablebase::numbering::{DenseIndex, position_of, usual_order};
use anqi_tablebase::probe::{Endgames, Tables, library, rated_actions, units_in, verify_unit};
use anqi_tablebase::solve::{Goal, Scheme, UnitCache, Wdl, need, solve_on_disk};
use rand::{RngExt, SeedableRng};

const METRICS: [Metric; 3] = [Metric::Wdl, Metric::Dtc, Metric::Dtw];

fn order(dir: &Path) -> Order {
    Order {
        dir: dir.to_owned(),
        metrics: METRICS.to_vec(),
        packing: Packing::default(),
        memory: 1 << 30,
    }
}

/// Builds all units of up to `pieces` pieces.
fn build(dir: &Path, pieces: usize) {
    let cache = UnitCache::new(pieces, 1 << 30, Goal::ToEnd).unwrap();
    for count in 2..=pieces {
        for unit in Units::of(count).list() {
            build_unit(unit, &order(dir), &cache).unwrap();
        }
    }
}

fn unit(text: &str) -> &'static Unit {
    Fit::of(&text.parse().unwrap()).unit
}

fn unlimited() -> Rules {
    Rules::UNLIMITED
}

/// Every position of a unit, or every `step`th.
fn positions(unit: &'static Unit, step: usize) -> impl Iterator<Item = Position> {
    let index = DenseIndex::new(unit, usual_order(unit));
    (0..index.len()).step_by(step).flat_map(move |number| {
        Color::ALL.map(|turn| position_of(&unit.key, &index.groups(number), turn))
    })
}

#[test]
fn files_say_what_memory_says() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let cache = UnitCache::new(4, 1 << 30, Goal::ToEnd).unwrap();
    for unit in ["KGgp", "GGmm", "CCkp", "Kppp", "KCgc"].map(unit) {
        build_unit(unit, &order(dir.path()), &cache).unwrap();
    }
    let memory = Tables::solved(4, unlimited()).unwrap();
    // Only units of two pieces in memory: everything else comes from the files.
    let files = Tables::open(dir.path(), 2, unlimited()).unwrap();
    // A cache that holds hardly anything must not matter.
    let scarce = Tables::open(dir.path(), 2, unlimited())
        .unwrap()
        .with_cache(1);
    let of_three = Units::of(3).list().iter().map(|unit| (unit, 7));
    let of_four = ["KGgp", "GGmm", "CCkp", "Kppp", "KCgc"].map(|text| (unit(text), 997));
    for (unit, step) in of_three.chain(of_four) {
        for position in positions(unit, step) {
            let expected = memory.known(&position);
            for tables in [&files, &scarce] {
                assert_eq!(tables.look_up(&position).unwrap(), expected, "{position}");
            }
        }
    }
    assert_eq!(files.damage().or(scarce.damage()), None);
}

#[test]
fn frames_of_any_length_hold_the_same() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let unit = unit("KGgp");
    let cache = UnitCache::new(4, 1 << 30, Goal::ToEnd).unwrap();
    let memory = Tables::solved(4, unlimited()).unwrap();
    let mut lengths = Vec::new();
    for frame in [512, 65_536] {
        let mut order = order(dir.path());
        order.packing.frame = frame;
        build_unit(unit, &order, &cache).unwrap();
        let files = Tables::open(dir.path(), 2, unlimited()).unwrap();
        for position in positions(unit, 997) {
            let (found, expected) = (files.look_up(&position), memory.known(&position));
            assert_eq!(found.unwrap(), expected, "{position}, {frame}");
        }
        for metric in [Metric::Wdl, Metric::Dtc] {
            let path = place(dir.path(), unit, metric);
            assert_eq!(TableFile::open(&path).unwrap().header.frame, frame);
            lengths.push(fs::metadata(&path).unwrap().len());
            // A build keeps sound files, whatever their frames.
            fs::remove_file(path).unwrap();
        }
    }
    assert!(
        lengths[0] > lengths[2] && lengths[1] > lengths[3],
        "{lengths:?}"
    );
}

#[test]
fn values_without_distances_rank_by_value_and_know_only_what_captures_show() {
    let dir = tempfile::tempdir().unwrap();
    let mut order = order(dir.path());
    order.metrics = vec![Metric::Wdl];
    let cache = UnitCache::new(3, 1 << 30, Goal::Values).unwrap();
    for unit in [2, 3].into_iter().flat_map(|n| Units::of(n).list()) {
        build_unit(unit, &order, &cache).unwrap();
    }
    let files = Tables::open(dir.path(), 2, unlimited()).unwrap();
    let memory = Tables::solved(3, unlimited()).unwrap();
    let (mut known, mut unknown) = (0, 0);
    for unit in Units::of(3).list() {
        for position in positions(unit, 97) {
            let right = memory.known(&position).unwrap();
            let found = files.known(&position).unwrap();
            assert_eq!(
                (found.wdl, files.wdl(&position)),
                (right.wdl, Some(right.wdl))
            );
            match found.dtc {
                Some(_) => assert_eq!(found.dtc, right.dtc, "{position}"),
                None => unknown += usize::from(right.wdl != Wdl::Draw),
            }
            known += usize::from(found.dtc.is_some());
            let rated = rated_actions(&files, &position).unwrap();
            let all = rated_actions(&memory, &position).unwrap();
            assert!(
                rated.is_sorted_by_key(|r| std::cmp::Reverse(r.wdl)),
                "{position}"
            );
            for one in &rated {
                let same = all.iter().find(|other| other.action == one.action).unwrap();
                assert_eq!(one.wdl, same.wdl);
                assert!(one.dtc.is_none() || one.dtc == same.dtc, "{position}");
            }
            // Actions of equal value and unknown distance stay in text order.
            for pair in rated.windows(2).filter(|p| p[0].wdl == p[1].wdl) {
                if pair.iter().all(|r| r.dtc.is_none()) {
                    assert!(pair[0].action < pair[1].action, "{position}");
                }
            }
        }
    }
    assert!(known > 100 && unknown > 1000, "{known} {unknown}");
    assert_eq!(files.damage(), None);
}

#[test]
fn plies_to_the_end_come_from_files_too() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let files = Tables::open(dir.path(), 2, unlimited()).unwrap();
    for unit in Units::of(3).list().iter().step_by(3) {
        let memory = Tables::of_unit(unit, unlimited(), true).unwrap();
        for position in positions(unit, 31) {
            let expected = memory.plies_to_end(&position).unwrap();
            assert_eq!(
                files.plies_to_end(&position).unwrap(),
                expected,
                "{position}"
            );
        }
    }
}

#[test]
fn damage_to_plies_to_the_end_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let path = place(dir.path(), unit("Kcp"), Metric::Dtw);
    fs::write(&path, b"no table").unwrap();
    let tables = Tables::open(dir.path(), 2, unlimited()).unwrap();
    let won = positions(unit("Kcp"), 31).find(|position| {
        tables
            .known(position)
            .is_some_and(|known| known.wdl == Wdl::Win)
    });
    assert_eq!(tables.damage(), None);
    assert!(tables.plies_to_end(&won.unwrap()).is_err());
    assert!(tables.take_damage().unwrap().contains("Kcp.dtw"));
    assert_eq!(tables.take_damage(), None);
}

/// Flips one bit of a file and restores it afterwards.
fn with_flipped_bit<R>(path: &Path, bytes: &[u8], bit: usize, look: impl FnOnce() -> R) -> R {
    use std::io::{Seek, SeekFrom, Write};
    let mut file = fs::File::options().write(true).open(path).unwrap();
    let mut put = |byte: u8| {
        file.seek(SeekFrom::Start(bit as u64 / 8)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    put(bytes[bit / 8] ^ 1 << (bit % 8));
    let result = look();
    put(bytes[bit / 8]);
    result
}

fn whole_check(path: &Path) -> Result<(), TableError> {
    TableFile::open(path)?.file.check_hash()
}

#[test]
fn every_flipped_bit_is_found_and_named() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    for metric in METRICS {
        let path = place(dir.path(), unit("Kgp"), metric);
        let bytes = fs::read(&path).unwrap();
        // These bits cover header and directory; the trailer follows, and a sample of the rest.
        let edge = 8 * 700.min(bytes.len());
        let mut random = rand_pcg::Pcg64::seed_from_u64(7);
        let end = 8 * (bytes.len() - 40)..8 * bytes.len();
        let some = (0..3000)
            .map(|_| random.random_range(0..8 * bytes.len()))
            .collect::<Vec<_>>();
        for bit in (0..edge).chain(end).chain(some) {
            let error = with_flipped_bit(&path, &bytes, bit, || whole_check(&path)).unwrap_err();
            assert!(error.to_string().contains("Kgp."), "{error}");
        }
    }
}

#[test]
fn each_part_of_a_file_is_guarded_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    for metric in METRICS {
        let path = place(dir.path(), unit("Kgp"), metric);
        let bytes = fs::read(&path).unwrap();
        let frames = TableFile::open(&path).unwrap().header.frames();
        let head = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let body = head + 8 * frames + 4;
        let end = bytes.len() - 40;
        // Header, directory and the length at the end: found when the file is opened.
        for bit in (0..8 * body).chain(8 * end..8 * (end + 8)) {
            let opened = with_flipped_bit(&path, &bytes, bit, || TableFile::open(&path));
            assert!(opened.is_err(), "{metric:?} bit {bit}");
        }
        // Frames: found when the frame is read.
        for bit in (8 * body..8 * end).step_by(61) {
            let read = with_flipped_bit(&path, &bytes, bit, || {
                let table = TableFile::open(&path).unwrap();
                (0..frames).find_map(|frame| table.frame(frame).err())
            });
            assert!(read.is_some(), "{metric:?} bit {bit}");
        }
        // The hash: found when it is checked.
        for bit in 8 * (end + 8)..8 * bytes.len() {
            let found = with_flipped_bit(&path, &bytes, bit, || {
                TableFile::open(&path).unwrap().file.check_hash()
            });
            assert!(found.is_err(), "{metric:?} bit {bit}");
        }
    }
}

#[test]
fn damaged_frames_never_answer_a_probe() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let path = place(dir.path(), unit("Kcp"), Metric::Wdl);
    let bytes = fs::read(&path).unwrap();
    let sample: Vec<Position> = positions(unit("Kcp"), 149).collect();
    let right: Vec<_> = {
        let tables = Tables::open(dir.path(), 2, unlimited()).unwrap();
        sample
            .iter()
            .map(|position| tables.look_up(position).unwrap())
            .collect()
    };
    let mut random = rand_pcg::Pcg64::seed_from_u64(8);
    let mut errors = 0;
    for _ in 0..200 {
        let bit = random.random_range(0..8 * bytes.len());
        with_flipped_bit(&path, &bytes, bit, || {
            let tables = Tables::open(dir.path(), 2, unlimited()).unwrap();
            for (position, right) in sample.iter().zip(&right) {
                match tables.look_up(position) {
                    Ok(found) => assert_eq!(found, *right, "{position}"),
                    Err(error) => {
                        assert!(error.to_string().contains("Kcp.wdl"), "{error}");
                        errors += 1;
                        assert_eq!(tables.known(position), None);
                        assert!(tables.damage().unwrap().contains("Kcp.wdl"));
                    }
                }
            }
            // The user is told of damage once.
            let told = (0..3).filter(|_| tables.take_damage().is_some()).count();
            assert_eq!(told, usize::from(tables.damage().is_some()));
        });
    }
    assert!(errors > 0);
}

/// The same position with the quiet counter at `quiet`.
fn after_quiet_plies(position: &Position, quiet: u32) -> Position {
    let text = position.to_string();
    let board = text.strip_suffix(" 0 0").unwrap();
    format!("{board} {quiet} {quiet}").parse().unwrap()
}

#[test]
fn values_under_a_limit_are_those_that_distances_show() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let check = || {
        let mut late = 0;
        for limit in [5, 12, 24, 180] {
            let rules = Rules {
                quiet_limit: std::num::NonZeroU32::new(limit),
                ..Rules::PAPER
            };
            let files = Tables::open(dir.path(), 2, rules).unwrap();
            let open = Tables::open(dir.path(), 2, unlimited()).unwrap();
            for unit in Units::of(3).list() {
                for position in positions(unit, 61) {
                    for quiet in [0, 3, limit] {
                        let position = after_quiet_plies(&position, quiet);
                        // `known` reads distances, `wdl` does not where none exceeds the limit.
                        let known = files.known(&position).map(|known| known.wdl);
                        let value = files.wdl(&position);
                        assert_eq!(value, known, "{position} {limit}");
                        late += usize::from(value != open.wdl(&position));
                    }
                }
            }
            assert_eq!(files.damage(), None);
        }
        late
    };
    assert!(check() > 1000, "the limit changes values");
    for unit in Units::of(3).list() {
        fs::remove_file(place(dir.path(), unit, Metric::Dtc)).unwrap();
    }
    check();
}

#[test]
fn damaged_distances_leave_values_alone_and_are_reported_every_time() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let path = place(dir.path(), unit("Kcp"), Metric::Dtc);
    let bytes = fs::read(&path).unwrap();
    let frames = TableFile::open(&path).unwrap().header.frames();
    let head = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let bits = 8 * (head + 8 * frames + 4)..8 * (bytes.len() - 40);
    let memory = Tables::solved(3, unlimited()).unwrap();
    let mut errors = 0;
    for bit in bits.step_by(1009) {
        with_flipped_bit(&path, &bytes, bit, || {
            let tables = Tables::open(dir.path(), 2, unlimited()).unwrap();
            let look_up = |position: &Position| {
                let found = tables.look_up(position);
                found.map_err(|error| error.to_string())
            };
            for position in positions(unit("Kcp"), 499) {
                assert_eq!(tables.wdl(&position), memory.wdl(&position), "{position}");
                let found = look_up(&position);
                assert_eq!(found, look_up(&position), "{position}");
                match found {
                    Ok(found) => assert_eq!(found, memory.known(&position), "{position}"),
                    Err(error) => {
                        assert!(error.contains("Kcp.dtc"), "{error}");
                        errors += 1;
                    }
                }
            }
        });
    }
    assert!(errors > 0);
}

#[test]
fn threads_that_share_a_folder_get_the_answers_of_one() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let files = Tables::open(dir.path(), 2, unlimited()).unwrap();
    let memory = Tables::solved(3, unlimited()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (files, memory) = (&files, &memory);
            scope.spawn(move || {
                for unit in Units::of(3).list() {
                    for position in positions(unit, 401 + 2 * thread) {
                        assert_eq!(files.known(&position), memory.known(&position));
                    }
                }
            });
        }
    });
    assert_eq!(files.damage(), None);
}

#[test]
fn truncated_empty_and_foreign_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 2);
    let path = place(dir.path(), unit("Kk"), Metric::Wdl);
    let bytes = fs::read(&path).unwrap();
    for len in 0..bytes.len() {
        fs::write(&path, &bytes[..len]).unwrap();
        let error = TableFile::open(&path).unwrap_err();
        assert!(error.to_string().contains("Kk.wdl"), "{error}");
    }
    let longer = [&bytes[..], b"more"].concat();
    fs::write(&path, longer).unwrap();
    assert!(matches!(
        TableFile::open(&path),
        Err(TableError::Length { .. })
    ));
    fs::write(&path, "a text that somebody put here").unwrap();
    assert!(matches!(
        TableFile::open(&path),
        Err(TableError::Foreign { .. })
    ));
    for version in [1, 3] {
        let mut other = bytes.clone();
        other[8] = version;
        fs::write(&path, other).unwrap();
        let error = TableFile::open(&path).unwrap_err();
        assert!(
            matches!(error, TableError::Version { found, .. } if found == u16::from(version)),
            "{error}"
        );
    }
    assert!(matches!(
        TableFile::open(Path::new("/no/such/file")),
        Err(TableError::Io { .. })
    ));
}

#[test]
fn random_bytes_are_refused_whatever_they_begin_with() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 2);
    let sound = fs::read(place(dir.path(), unit("Kk"), Metric::Dtc)).unwrap();
    let path = dir.path().join("Kk.wdl");
    let mut random = rand_pcg::Pcg64::seed_from_u64(9);
    for _ in 0..600 {
        // A sound beginning of a random length, then noise.
        let kept = random.random_range(0..sound.len());
        let noise = random.random_range(1..600);
        let mut bytes = sound[..kept].to_vec();
        bytes.extend((0..noise).map(|_| random.random_range(0..=255u8)));
        fs::write(&path, &bytes).unwrap();
        assert!(whole_check(&path).is_err(), "{kept} {noise}");
    }
}

#[test]
fn a_file_in_the_place_of_another_is_found() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    fs::copy(dir.path().join("Kgp.wdl"), dir.path().join("Kcp.wdl")).unwrap();
    let tables = Tables::open(dir.path(), 2, unlimited()).unwrap();
    let wrong = positions(unit("Kcp"), 149).filter_map(|position| tables.look_up(&position).err());
    assert!(wrong.count() > 0);
}

fn contents(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let dirs = [1, 3].map(|threads| {
        let dir = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            build(dir.path(), 3);
            let cache = UnitCache::new(4, 1 << 30, Goal::ToEnd).unwrap();
            build_unit(unit("CCkp"), &order(dir.path()), &cache).unwrap();
        });
        dir
    });
    assert_eq!(contents(dirs[0].path()), contents(dirs[1].path()));
}

#[test]
fn streaming_writes_the_same_bytes() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let units = ["KCgp", "GGmm", "Kppp"].map(unit);
    for (dir, scheme) in dirs.iter().zip([Scheme::InMemory, Scheme::Streaming]) {
        build(dir.path(), 3);
        let cache = UnitCache::new(4, 1 << 30, Goal::ToEnd).unwrap();
        for unit in units {
            let order = order(dir.path());
            let source = match scheme {
                Scheme::InMemory => None,
                Scheme::Streaming => Some(
                    solve_on_disk(
                        unit,
                        &cache.children(unit).unwrap(),
                        Goal::ToEnd,
                        dir.path(),
                    )
                    .unwrap(),
                ),
            };
            match &source {
                None => drop(build_unit(unit, &order, &cache).unwrap()),
                Some(source) => {
                    anqi_tablebase::file::write_all(
                        source,
                        &order.metrics,
                        dir.path(),
                        order.packing,
                    )
                    .unwrap();
                }
            }
        }
    }
    assert_eq!(contents(dirs[0].path()), contents(dirs[1].path()));
}

#[test]
fn the_cheapest_scheme_that_fits_is_chosen() {
    for goal in [Goal::Distances, Goal::ToEnd] {
        let need = need(unit("KCPgp"), goal);
        assert!(need.streaming < need.in_memory);
        assert_eq!(need.cheapest(need.in_memory), Some(Scheme::InMemory));
        assert_eq!(need.cheapest(need.in_memory - 1), Some(Scheme::Streaming));
        assert_eq!(need.cheapest(need.streaming - 1), None);
    }
}

#[test]
fn verification_passes_sound_tables_and_finds_planted_ones() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    let check = || {
        let cache = UnitCache::new(3, 1 << 30, Goal::ToEnd).unwrap();
        let files = library(dir.path()).unwrap();
        let units = units_in(dir.path()).unwrap();
        assert_eq!(units.len(), 25);
        units.iter().find_map(|(unit, paths)| {
            verify_unit(unit, paths, &cache, &files, 500, |_, _| {}).err()
        })
    };
    assert!(check().is_none());
    // A sound file in the place of another.
    let [one, other] = [0, 1].map(|i| place(dir.path(), &Units::of(2).list()[i], Metric::Wdl));
    fs::copy(other, &one).unwrap();
    let error = check().unwrap().to_string();
    assert!(error.contains(&one.display().to_string()), "{error}");
}

#[test]
fn missing_tables_are_unknown_not_wrong() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), 3);
    fs::remove_file(dir.path().join("Kcp.wdl")).unwrap();
    let tables = Tables::open(dir.path(), 2, unlimited()).unwrap();
    let position = positions(unit("Kcp"), 999_983).next().unwrap();
    assert_eq!(tables.look_up(&position).unwrap(), None);
    let error = TableFile::open(&dir.path().join("Kcp.wdl")).unwrap_err();
    assert!(matches!(error, TableError::Io { .. }));
}
