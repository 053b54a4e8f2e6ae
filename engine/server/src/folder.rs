//! What the files of a folder of tables tell of a set of pieces, and its lessons.

use anqi_desk::material::{TableFolder, counted};
use anqi_desk::wire::{Longest, MaterialView, WinGoal};
use anqi_rules::Color;
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::file::{Header, Metric, TableFile, place};
use anqi_tablebase::numbering::position_of;
use std::path::{Path, PathBuf};

/// The longest file of lessons that is read.
const MOST_LESSON_BYTES: u64 = 4 << 20;

/// The most files of lessons that are listed.
const MOST_LESSON_SETS: usize = 100;

/// A folder of tables.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl TableFolder for Folder {
    fn material(&self, set: &Material) -> Option<MaterialView> {
        from_file(set, &self.0)
    }

    fn lessons(&self, set: &Material) -> Option<String> {
        let file = self.0.join("lessons").join(format!("{set}.json"));
        anqi_files::read_text_limited(&file, MOST_LESSON_BYTES).ok()
    }

    fn lesson_sets(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.0.join("lessons")) else {
            return Vec::new();
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut sets: Vec<String> = names
            .filter_map(|name| {
                let set = name.strip_suffix(".json")?;
                // Others could not be asked for.
                let read: Material = set.parse().ok()?;
                (read.to_string() == set).then(|| set.to_owned())
            })
            .collect();
        sets.sort_unstable();
        sets.truncate(MOST_LESSON_SETS);
        sets
    }
}

/// Reads the header of a set's table file: DTW if there is one, else DTC, else WDL.
fn from_file(set: &Material, folder: &Path) -> Option<MaterialView> {
    let fit = Fit::of(set);
    let open = |metric: &Metric| {
        let file = TableFile::open(&place(folder, fit.unit, *metric)).ok()?;
        file.expect(fit.unit, *metric).ok()?;
        Some(file.header)
    };
    let header: Header = Metric::ALL.iter().rev().find_map(open)?;
    let counts = header
        .counts
        .each_ref()
        .map(|side| [side.win, side.draw, side.loss]);
    let to = match header.metric {
        Metric::Wdl => None,
        Metric::Dtc => Some(WinGoal::Capture),
        Metric::Dtw => Some(WinGoal::End),
    };
    let found = header.longest;
    let longest = to.filter(|_| found.plies > 0 && found.number < header.index.len());
    let longest = longest.map(|to| Longest {
        position: position_of(
            set,
            &header.index.groups(found.number),
            Color::ALL[usize::from(found.turn != 0)],
        )
        .to_string(),
        plies: found.plies,
        to,
        line: Vec::new(),
    });
    Some(MaterialView {
        longest,
        ..counted(set, counts)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_desk::material::solved;
    use anqi_rules::Position;
    use anqi_tablebase::file::{Order, Packing, build_unit};
    use anqi_tablebase::solve::{Goal, UnitCache};

    #[test]
    fn lessons_are_read_from_their_own_folder_beside_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        let (here, set) = (Folder(folder.path().to_owned()), "Kgp".parse().unwrap());
        assert_eq!(here.lessons(&set), None);
        assert!(here.lesson_sets().is_empty());
        std::fs::create_dir(folder.path().join("lessons")).unwrap();
        std::fs::write(folder.path().join("lessons/Kgp.json"), "[]").unwrap();
        assert_eq!(here.lessons(&set).as_deref(), Some("[]"));
        assert_eq!(here.lessons(&"Kgg".parse().unwrap()), None);
        for other in ["pgK.json", "notes.json", "Kgg.txt"] {
            std::fs::write(folder.path().join("lessons").join(other), "[]").unwrap();
        }
        assert_eq!(here.lesson_sets(), ["Kgp"]);
    }

    #[test]
    fn a_file_tells_what_a_solution_tells() {
        let folder = tempfile::tempdir().unwrap();
        let cache = UnitCache::new(3, 1 << 30, Goal::ToEnd).unwrap();
        let order = Order {
            dir: folder.path().to_owned(),
            metrics: Metric::ALL.to_vec(),
            packing: Packing::default(),
            memory: 1 << 30,
        };
        let sets: Vec<Material> = ["Kgp", "kGP"].map(|set| set.parse().unwrap()).to_vec();
        assert!(from_file(&sets[0], folder.path()).is_none());
        let fit = Fit::of(&sets[0]);
        for child in fit.unit.children() {
            build_unit(child, &order, &cache).unwrap();
        }
        build_unit(fit.unit, &order, &cache).unwrap();
        for set in &sets {
            let read = from_file(set, folder.path()).unwrap();
            let counted = solved(set).unwrap();
            assert_eq!(read.red_to_move, counted.red_to_move, "{set}");
            assert_eq!(read.black_to_move, counted.black_to_move, "{set}");
            let [read, counted] = [read, counted].map(|view| view.longest.unwrap());
            assert_eq!(
                (read.plies, read.to),
                (counted.plies, WinGoal::End),
                "{set}"
            );
            let position: Position = read.position.parse().unwrap();
            assert_eq!(anqi_tablebase::material_of(&position), Some(*set));
        }
    }
}
