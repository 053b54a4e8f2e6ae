//! What becomes of an unsaved game when nobody can be asked.
//!
//! A signal, or a terminal that is gone, ends the program without a question.
//! The host notes the game before every turn; whoever ends the program saves
//! what was noted last, to a file of a new name in the current folder.

use super::files::{self, Existing, FileError};
use super::language::{Language, say};
use super::text::plies;
use super::words::Names;
use anqi_play::DealtGame;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Names that are tried before it is given up.
const MOST_NAMES: u32 = 1_000;

/// The unsaved game, for whoever ends the program.
#[derive(Debug, Default)]
pub struct Rescue(Mutex<Option<Unsaved>>);

/// An unsaved game, the names for its record, and the language to speak of it.
type Unsaved = (DealtGame, Names, Language);

impl Rescue {
    /// Notes the unsaved game, or that there is none.
    pub(super) fn note(&self, unsaved: Option<Unsaved>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = unsaved;
    }

    /// Saves the game that was noted last, and says where; nothing if there is none.
    pub fn save(&self, folder: &Path) -> Option<String> {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (dealt, names, language) = noted.take()?;
        let count = plies(language, dealt.game().plies().len());
        Some(match save_as_new(folder, &dealt, &names) {
            Ok(path) => {
                say!(language, "rescued", plies = count, path = path.display())
            }
            Err(error) => {
                let error = error.sentence(language);
                say!(language, "rescue.failed", plies = count, error = error)
            }
        })
    }
}

/// Saves a game to a file that is not there yet.
fn save_as_new(folder: &Path, dealt: &DealtGame, names: &Names) -> Result<PathBuf, FileError> {
    let mut number = 1;
    loop {
        let path = folder.join(match number {
            1 => "anqi-unsaved.txt".to_owned(),
            _ => format!("anqi-unsaved-{number}.txt"),
        });
        match files::save(&path, dealt, names, Existing::Keep) {
            Ok(_) => return Ok(path),
            Err(FileError::Exists(_)) if number < MOST_NAMES => number += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_play::{Deal, KnownDeal};
    use anqi_rules::{Game, Position, Rules};

    fn one_flip() -> Unsaved {
        let start = Position::start();
        let deal = Deal::new(&start, &KnownDeal::default(), 5).unwrap();
        let mut dealt = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
        dealt.act("b2".parse().unwrap()).unwrap();
        let names = ["you", "greedy"].map(str::to_owned);
        (dealt, names, Language::English)
    }

    #[test]
    fn a_game_is_saved_once_and_never_over_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let rescue = Rescue::default();
        assert_eq!(rescue.save(folder.path()), None);
        for name in ["anqi-unsaved.txt", "anqi-unsaved-2.txt"] {
            rescue.note(Some(one_flip()));
            let sentence = rescue.save(folder.path()).unwrap();
            assert!(sentence.starts_with("Saved 1 ply to "), "{sentence}");
            assert!(sentence.contains(name), "{sentence}");
            let loaded = files::load(&folder.path().join(name), Rules::OLYMPIAD).unwrap();
            assert_eq!(loaded.game.plies(), one_flip().0.game().plies());
            assert_eq!(loaded.players[1], "greedy");
            assert_eq!(rescue.save(folder.path()), None);
        }
        rescue.note(Some(one_flip()));
        rescue.note(None);
        assert_eq!(rescue.save(folder.path()), None);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let rescue = Rescue::default();
        rescue.note(Some(one_flip()));
        let sentence = rescue.save(Path::new("/nowhere")).unwrap();
        assert!(sentence.contains("could not be saved"), "{sentence}");
        assert!(sentence.contains("/nowhere/anqi-unsaved.txt"), "{sentence}");
    }
}
