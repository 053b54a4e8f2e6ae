//! How a network's file names the games it was trained on.

use crate::training::file::{DataFile, DataHeader};

/// Files of as many games by the same recipe.
struct Alike<'a> {
    header: &'a DataHeader,
    seeds: Vec<u64>,
    checksums: Vec<u32>,
}

/// Names the games that a network was trained on: files that differ in their seeds alone together, with one checksum of theirs.
pub fn origin_of_games<'a>(files: impl IntoIterator<Item = &'a DataFile>) -> String {
    named(
        files
            .into_iter()
            .map(|file| (file.header(), file.checksum())),
    )
}

/// Names files by their headers and checksums.
fn named<'a>(files: impl Iterator<Item = (&'a DataHeader, u32)>) -> String {
    let mut groups: Vec<Alike<'a>> = Vec::new();
    for (header, checksum) in files {
        let is_alike = |group: &&mut Alike<'_>| {
            (group.header.games, &group.header.recipe) == (header.games, &header.recipe)
        };
        if let Some(group) = groups.iter_mut().find(is_alike) {
            group.seeds.push(header.seed);
            group.checksums.push(checksum);
        } else {
            groups.push(Alike {
                header,
                seeds: vec![header.seed],
                checksums: vec![checksum],
            });
        }
    }
    groups.iter().map(Alike::origin).collect()
}

impl Alike<'_> {
    fn origin(&self) -> String {
        let DataHeader { games, recipe, .. } = self.header;
        match self.checksums[..] {
            [checksum] => {
                format!(
                    "; {games} games of {recipe}, seed {} ({checksum:08x})",
                    self.seeds[0]
                )
            }
            ref checksums => {
                let bytes: Vec<u8> = checksums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
                format!(
                    "; {} files of {games} games of {recipe}, seeds {} ({:08x})",
                    checksums.len(),
                    progressions(&self.seeds),
                    crc32fast::hash(&bytes)
                )
            }
        }
    }
}

/// Writes seeds, three or more at equal distances as the first, the last and the distance.
fn progressions(seeds: &[u64]) -> String {
    let mut parts = Vec::new();
    let mut rest = seeds;
    while let [first, others @ ..] = rest {
        let step = others.first().map_or(0, |next| next.saturating_sub(*first));
        let is_next = |pair: &&[u64]| pair[0].checked_add(step) == Some(pair[1]);
        let run = 1 + rest.windows(2).take_while(is_next).count();
        if step == 0 || run < 3 {
            parts.push(first.to_string());
            rest = others;
        } else {
            let by = if step == 1 {
                String::new()
            } else {
                format!(" by {step}")
            };
            parts.push(format!("{first} to {}{by}", rest[run - 1]));
            rest = &rest[run..];
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_at_equal_distances_are_written_as_a_range() {
        for (seeds, text) in [
            (&[5][..], "5"),
            (&[5, 6], "5, 6"),
            (&[5, 6, 7], "5 to 7"),
            (&[610000, 610002, 610004, 610006], "610000 to 610006 by 2"),
            (
                &[1, 9, 10, 11, 12, 20, 40, 60],
                "1, 9 to 12, 20 to 60 by 20",
            ),
            (&[7, 5, 3], "7, 5, 3"),
            (&[3, 3, 3], "3, 3, 3"),
            (
                &[u64::MAX - 1, u64::MAX, 0],
                "18446744073709551614, 18446744073709551615, 0",
            ),
        ] {
            assert_eq!(progressions(seeds), text);
        }
    }

    #[test]
    fn files_that_differ_in_their_seeds_alone_are_named_together() {
        let of = |recipe: &str, games, seed| DataHeader {
            recipe: recipe.to_owned(),
            seed,
            games,
            records: 9,
        };
        let headers = [
            of("calm", 400, 10),
            of("wild", 400, 11),
            of("calm", 400, 12),
            of("calm", 90, 13),
            of("calm", 400, 14),
        ];
        let text = named(headers.iter().zip([1, 2, 3, 4, 5]));
        let of_three = crc32fast::hash(&[1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0]);
        assert_eq!(
            text,
            format!(
                "; 3 files of 400 games of calm, seeds 10 to 14 by 2 ({of_three:08x})\
                 ; 400 games of wild, seed 11 (00000002); 90 games of calm, seed 13 (00000004)"
            )
        );
    }
}
