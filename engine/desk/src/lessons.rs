//! Lessons of endings, as `tablebase lessons` writes them: those of a folder of tables, and those that
//! everybody has, inside the program (the feature `puzzles`) or given to it later.
//!
//! A folder's lessons of a set of pieces come before the others of the same set. Its files come from outside,
//! so what a lesson says is shown only if tables say the same ([`Lesson::told`]).

use crate::material::TableFolder;
use crate::tables::WdlName;
use crate::wire::{ExerciseGoal, LessonView, Refutation, ServerMessage};
use anqi_rules::{Action, Position};
use anqi_tablebase::Endgames;
use anqi_tablebase::classes::Material;
use anqi_tablebase::numbering::material_of;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The lessons inside the program, made as `engine/desk/lessons/README.md` says.
#[cfg(feature = "puzzles")]
const INSIDE: &[(&str, &str)] = &[
    ("CCk", include_str!("../lessons/CCk.json")),
    ("CPkc", include_str!("../lessons/CPkc.json")),
    ("GCgc", include_str!("../lessons/GCgc.json")),
    ("GCkc", include_str!("../lessons/GCkc.json")),
    ("GGk", include_str!("../lessons/GGk.json")),
    ("GGkp", include_str!("../lessons/GGkp.json")),
    ("GPkp", include_str!("../lessons/GPkp.json")),
    ("GRkr", include_str!("../lessons/GRkr.json")),
    ("KCgp", include_str!("../lessons/KCgp.json")),
    ("KPcp", include_str!("../lessons/KPcp.json")),
];

/// A program that has none inside.
#[cfg(not(feature = "puzzles"))]
const INSIDE: &[(&str, &str)] = &[];

/// The lessons of each set of pieces, by its letters.
type Shelf = BTreeMap<String, Vec<Lesson>>;

/// Lessons that were given.
static GIVEN: OnceLock<Shelf> = OnceLock::new();

/// A lesson; all but its position may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// The position string.
    pub position: String,
    /// What the side to move reaches.
    #[serde(default)]
    pub goal: Option<ExerciseGoal>,
    /// Best play.
    #[serde(default)]
    pub line: Vec<String>,
    /// The actions that fail.
    #[serde(default)]
    pub refutations: Vec<Refutation>,
    /// What to do and why.
    #[serde(default)]
    pub idea: String,
}

/// Gives the program a JSON object with the lessons of each set of pieces, for the rest of its life; the first
/// one counts.
///
/// # Errors
///
/// Returns an error if the text is something else.
pub fn provide(text: &str) -> serde_json::Result<()> {
    let shelf = serde_json::from_str(text)?;
    // A page loads one file.
    let _ = GIVEN.set(shelf);
    Ok(())
}

/// Returns the lessons that everybody has.
fn own() -> &'static Shelf {
    static READ: OnceLock<Shelf> = OnceLock::new();
    GIVEN.get().unwrap_or_else(|| {
        READ.get_or_init(|| {
            let read = |(set, text): &(&str, &str)| ((*set).to_owned(), listed(text));
            INSIDE.iter().map(read).collect()
        })
    })
}

/// Reads a file of lessons; none if it is damaged.
fn listed(text: &str) -> Vec<Lesson> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns the lessons that everybody has of a set.
pub fn own_of(set: &Material) -> Vec<Lesson> {
    let lessons = own().get(&set.to_string());
    lessons.cloned().unwrap_or_default()
}

/// Returns the lessons of a set in a file's text, none if the file is damaged.
pub fn in_file(text: &str, set: &Material) -> Vec<Lesson> {
    let lessons = listed(text).into_iter();
    let of_set = |lesson: &Lesson| lesson.start().and_then(|at| material_of(&at)) == Some(*set);
    lessons.filter(of_set).collect()
}

/// Returns the sets of pieces that have lessons: a folder's own first.
pub fn sets(folder: Option<&dyn TableFolder>) -> Vec<String> {
    let mut sets: Vec<String> = folder.map(TableFolder::lesson_sets).unwrap_or_default();
    let more = own().keys().filter(|set| !sets.contains(set));
    let more: Vec<String> = more.cloned().collect();
    sets.extend(more);
    sets
}

/// Returns all lessons of a folder, and those that everybody has of other sets.
pub fn all_of(folder: Option<&dyn TableFolder>) -> (Vec<Lesson>, Vec<Lesson>) {
    let (mut folders_own, mut others) = (Vec::new(), Vec::new());
    for set in sets(folder) {
        let Ok(set) = set.parse() else {
            continue;
        };
        let text = folder.and_then(|folder| folder.lessons(&set));
        let found = text.map(|text| in_file(&text, &set));
        match found.filter(|lessons| !lessons.is_empty()) {
            Some(lessons) => folders_own.extend(lessons),
            None => others.extend(own_of(&set)),
        }
    }
    (folders_own, others)
}

/// Returns [the sets](sets) as a message.
pub fn all(folder: Option<&dyn TableFolder>) -> ServerMessage {
    let sets = sets(folder);
    ServerMessage::Lessons { sets }
}

impl Lesson {
    /// Returns its position, `None` if that is none.
    pub fn start(&self) -> Option<Position> {
        self.position.parse().ok()
    }

    /// Returns what it tells of its position.
    pub fn view(&self) -> LessonView {
        LessonView {
            idea: self.idea.clone(),
            line: self.line.clone(),
            refutations: self.refutations.clone(),
        }
    }

    /// Returns what it tells of its position, as far as tables say the same: a refuted action is legal and
    /// gives the value away, and its line can be played.
    pub fn told(&self, tables: &dyn Endgames, position: &Position) -> Option<LessonView> {
        let value = tables.wdl(position)?;
        let is_goal = |goal| WdlName::from(value) == WdlName::from(goal);
        self.goal.is_none_or(is_goal).then_some(())?;
        let fails = |refuted: &&Refutation| -> Option<()> {
            let next = played(position, std::slice::from_ref(&refuted.action))?;
            let left = tables.wdl(&next)?.reversed();
            let is_told = refuted.value == WdlName::from(left);
            let shown = played(&next, &refuted.line);
            (is_told && left < value && shown.is_some()).then_some(())
        };
        played(position, &self.line)?;
        let refutations = self.refutations.iter();
        let refutations = refutations.filter(|refuted| fails(refuted).is_some());
        let told = LessonView {
            refutations: refutations.cloned().collect(),
            ..self.view()
        };
        Some(told).filter(|told| !told.idea.is_empty() || !told.refutations.is_empty())
    }
}

/// Returns the position after moves, `None` if they cannot be played.
pub(crate) fn played(start: &Position, line: &[String]) -> Option<Position> {
    let mut position = *start;
    for text in line {
        let action: Action = text.parse().ok()?;
        if action.is_flip() || !position.is_legal(action) {
            return None;
        }
        let _ = position.step_unchecked(action);
    }
    Some(position)
}

#[cfg(test)]
#[cfg(feature = "puzzles")]
pub(crate) mod tests {
    use super::*;
    use anqi_rules::{Color, Rules};
    use anqi_tablebase::Wdl;
    use anqi_tablebase::distil::{EmbeddedValues, Pocket};
    use std::path::Path;

    /// The exact values of all endings of up to five pieces.
    pub(crate) fn values() -> EmbeddedValues {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tablebase/pocket.dst");
        let pocket = Pocket::new(std::fs::read(file).unwrap()).unwrap();
        EmbeddedValues::of(Box::leak(Box::new(pocket)), Rules::UNLIMITED)
    }

    /// The value of a position for a side.
    fn value(values: &EmbeddedValues, position: &Position, side: Color) -> Wdl {
        let wdl = match position.loser() {
            Some((loser, _)) if Some(loser) == position.turn() => Wdl::Loss,
            Some(_) => Wdl::Win,
            None => values.wdl(position).unwrap(),
        };
        let is_mover = position.turn() == Some(side);
        if is_mover { wdl } else { wdl.reversed() }
    }

    /// Plays a line that keeps a value for a side, and returns where it ends.
    fn kept(
        values: &EmbeddedValues,
        start: &Position,
        line: &[String],
        side: Color,
        wdl: Wdl,
    ) -> Position {
        for end in 0..=line.len() {
            let position = played(start, &line[..end]).expect("a legal line");
            let found = value(values, &position, side);
            assert_eq!(found, wdl, "{start} {:?}", &line[..end]);
        }
        played(start, line).unwrap()
    }

    /// What is wrong with a lesson is a panic.
    fn check(values: &EmbeddedValues, lesson: &Lesson) {
        let start = lesson.start().unwrap();
        let side = start.turn().unwrap();
        let goal = match lesson.goal.unwrap() {
            ExerciseGoal::Win => Wdl::Win,
            ExerciseGoal::Draw => Wdl::Draw,
        };
        let end = kept(values, &start, &lesson.line, side, goal);
        assert_eq!(end.loser().is_some(), goal == Wdl::Win, "{lesson:?}");
        for action in start.actions() {
            let next = played(&start, &[action.to_string()]).unwrap();
            let left = value(values, &next, side);
            let mut refutations = lesson.refutations.iter();
            let refuted = refutations.find(|each| each.action == action.to_string());
            assert_eq!(refuted.is_some(), left < goal, "{lesson:?} {action}");
            if let Some(refuted) = refuted {
                assert_eq!(refuted.value, left.into(), "{lesson:?} {action}");
                assert!(!refuted.line.is_empty());
                kept(values, &next, &refuted.line, side, left);
            }
        }
        assert!(!lesson.refutations.is_empty() && !lesson.idea.is_empty());
        let told = lesson.told(values, &start).unwrap();
        assert_eq!(told.refutations, lesson.refutations, "all of it is told");
    }

    #[test]
    fn lessons_that_everybody_has_are_what_the_tables_say() {
        let values = values();
        let mut bytes = 0;
        for (set, text) in INSIDE {
            bytes += text.len();
            let material: Material = set.parse().unwrap();
            assert_eq!(material.to_string(), *set);
            let lessons = in_file(text, &material);
            assert_eq!(lessons, own_of(&material), "no lesson of other pieces");
            assert!(lessons.len() >= 5, "{set}");
            for lesson in &lessons {
                check(&values, lesson);
            }
        }
        assert!(bytes < 100_000, "{bytes}");
    }

    #[test]
    fn the_files_of_lessons_are_those_inside_the_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons");
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".json")).collect();
        names.sort();
        let inside = INSIDE.iter().map(|(set, _)| format!("{set}.json"));
        assert_eq!(names, inside.collect::<Vec<String>>());
    }

    #[test]
    fn what_a_lesson_says_is_told_only_if_tables_say_the_same() {
        let values = values();
        let lesson = &own_of(&"GCkc".parse().unwrap())[0];
        let start = lesson.start().unwrap();
        let spoilt = |spoil: &dyn Fn(&mut Lesson)| {
            let mut lesson = lesson.clone();
            spoil(&mut lesson);
            lesson.told(&values, &start)
        };
        let whole = lesson.refutations.len();
        let kept = |told: Option<LessonView>| told.map(|told| told.refutations.len());
        assert_eq!(kept(spoilt(&|_| {})), Some(whole));
        let best = lesson.line[0].clone();
        let wrong: [&dyn Fn(&mut Lesson); 4] = [
            &|lesson| lesson.refutations[0].action = best.clone(),
            &|lesson| lesson.refutations[0].action = "a1-d8".to_owned(),
            &|lesson| lesson.refutations[0].value = WdlName::Loss,
            &|lesson| lesson.refutations[0].line[0] = "a1-d8".to_owned(),
        ];
        for spoil in wrong {
            assert_eq!(kept(spoilt(spoil)), Some(whole - 1));
        }
        assert_eq!(spoilt(&|lesson| lesson.line[0] = "?".to_owned()), None);
        let drawn = spoilt(&|lesson| lesson.goal = Some(ExerciseGoal::Draw));
        assert_eq!(drawn, None);
        let empty = spoilt(&|lesson| {
            lesson.idea.clear();
            lesson.refutations.clear();
        });
        assert_eq!(empty, None);
    }

    /// A folder whose files are listed.
    #[derive(Debug)]
    struct Listed(&'static [&'static str]);

    impl TableFolder for Listed {
        fn material(&self, _: &Material) -> Option<crate::wire::MaterialView> {
            None
        }

        fn lesson_sets(&self) -> Vec<String> {
            self.0.iter().map(|&set| set.to_owned()).collect()
        }
    }

    #[test]
    fn a_folders_own_sets_come_first_and_each_set_comes_once() {
        let own = sets(None);
        assert_eq!(own.len(), INSIDE.len());
        let all = sets(Some(&Listed(&["KPnc", "GCkc"])));
        assert_eq!(all[..2], ["KPnc", "GCkc"]);
        assert_eq!(all.len(), INSIDE.len() + 1);
    }
}
