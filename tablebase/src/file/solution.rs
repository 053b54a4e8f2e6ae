//! Writing the files of a solved unit, and comparing a file with the solution.

use std::path::Path;

use anqi_rules::Color;

use super::codec::Packing;
use super::error::TableError;
use super::extract::{DONT_CARE, values};
use super::folder::place;
use super::group_order::best_order;
use super::header::{Counts, Header, Longest};
use super::metric::Metric;
use super::reader::{Decoded, TableFile};
use super::writer::{Draft, Frames};
use crate::numbering::DenseIndex;
use crate::solve::{SolvedPlanes, Totals, farthest, totals};

/// Writes the files of a solved unit.
///
/// # Errors
///
/// Fails if a smaller table is missing or a file cannot be written.
pub fn write_all(
    source: &dyn SolvedPlanes,
    metrics: &[Metric],
    dir: &Path,
    packing: Packing,
) -> Result<(), TableError> {
    let totals = totals(source).map_err(TableError::io(dir))?;
    metrics
        .iter()
        .try_for_each(|&metric| write(source, &totals, metric, dir, packing))
}

/// Writes one file of a solved unit.
fn write(
    source: &dyn SolvedPlanes,
    totals: &Totals,
    metric: Metric,
    dir: &Path,
    packing: Packing,
) -> Result<(), TableError> {
    let path = place(dir, source.layout().unit, metric);
    let width = width(source, metric);
    let Packing { frame, .. } = packing;
    let index = DenseIndex::new(
        source.layout().unit,
        best_order(source, metric, width, frame),
    );
    let mut frames = Frames::new(width, packing);
    for turn in Color::ALL {
        for orbit in 0..index.pivots() {
            frames
                .push(&values(source, &index, metric, turn, orbit).map_err(TableError::io(&path))?)
                .map_err(TableError::io(&path))?;
        }
    }
    let frames = frames.finish().map_err(TableError::io(&path))?;
    let header = header(source, totals, metric, index, width, frame, dir)?;
    let draft = Draft::write(&path, &header, &frames)?;
    // Each frame was decompressed and compared when it was made. The hash, computed from the
    // bytes in memory, proves that the file has the same bytes.
    let written = draft.open().and_then(|table| table.file.check_hash());
    written.map_err(|fault| fault.at(&path))?;
    draft.publish()
}

/// Bytes per value of a file; zero stands for two bits.
fn width(source: &dyn SolvedPlanes, metric: Metric) -> u8 {
    let longest = metric.distance().map(|kind| source.longest(kind));
    match longest {
        None => 0,
        Some(longest) => 1 + u8::from(longest.is_some_and(|plies| plies > 255)),
    }
}

fn header(
    source: &dyn SolvedPlanes,
    totals: &Totals,
    metric: Metric,
    index: DenseIndex,
    width: u8,
    frame: usize,
    dir: &Path,
) -> Result<Header, TableError> {
    let unit = source.layout().unit;
    let mut children = Vec::new();
    for child in unit.children() {
        let path = place(dir, child, Metric::Wdl);
        if !path.exists() {
            return Err(TableError::Missing {
                path,
                unit: child.to_string(),
            });
        }
        children.push((child.key, TableFile::open(&path)?.file.stored_hash()?));
    }
    let counts = totals.each_ref().map(|side| Counts {
        win: side.win,
        draw: side.draw,
        loss: side.loss,
        sum: match metric {
            Metric::Wdl => 0,
            Metric::Dtc => side.sum,
            Metric::Dtw => side.sum_to_end,
        },
    });
    let farthest = match metric.distance() {
        None => None,
        Some(kind) => farthest(source, kind).map_err(TableError::io(dir))?,
    };
    let longest = match farthest {
        None => Longest::default(),
        Some((plies, turn, address)) => {
            let groups = source.layout().groups_at(address).unwrap_or_default();
            let number = index.index(&groups);
            Longest {
                plies: plies.into(),
                turn: turn.index() as u8,
                number,
            }
        }
    };
    Ok(Header {
        metric,
        unit,
        index,
        width,
        frame,
        counts,
        longest,
        children,
    })
}

/// Compares every value of a file, don't-cares excepted, with the solution.
///
/// # Errors
///
/// Fails if a value differs or the file cannot be read.
pub fn compare(table: &TableFile, source: &dyn SolvedPlanes) -> Result<(), TableError> {
    let header = &table.header;
    let mut at = 0u64;
    let mut held = (usize::MAX, Decoded::Constant(0));
    for turn in Color::ALL {
        for orbit in 0..header.index.pivots() {
            let expected = values(source, &header.index, header.metric, turn, orbit);
            let expected = expected.map_err(TableError::io(table.file.path()))?;
            let mut rest = &expected[..];
            while !rest.is_empty() {
                let (frame, start) = header.place(at);
                let (here, later) = rest.split_at(rest.len().min(header.frame - start));
                if held.0 != frame {
                    held = (frame, table.frame(frame)?);
                }
                let found = &held.1;
                let wrong = here.iter().enumerate().find(|&(i, &expected)| {
                    expected != DONT_CARE && found.value(header.width, start + i) != expected
                });
                if let Some((i, expected)) = wrong {
                    let (number, found) = (at + i as u64, found.value(header.width, start + i));
                    return Err(TableError::Wrong {
                        path: table.file.path().to_owned(),
                        what: format!(
                            "value {number} is {found}, but {expected} follows from the rules"
                        ),
                    });
                }
                at += here.len() as u64;
                rest = later;
            }
        }
    }
    Ok(())
}
