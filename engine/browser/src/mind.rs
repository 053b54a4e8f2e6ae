//! The thinking side of the module: one piece of work at a time.

use crate::outside::{Outside, Post};
use anqi_analysis::shared_tables;
use anqi_desk::material::TableFolder;
use anqi_desk::{TableSet, Thinker, Work};
use anqi_rules::Rules;
use anqi_search::endgames::TablesSource;
use anqi_search::{Report, Stop};
use std::sync::Arc;

/// The players that wait for their next turns: one of a game, the analyst, and one more.
const IDLE_PLAYERS: usize = 3;

/// A thinker that is asked and answers in text.
#[derive(Debug)]
pub struct Mind {
    thinker: Thinker,
    outside: Arc<dyn Outside>,
}

impl Mind {
    /// Returns a mind that has nothing to do.
    pub fn new(outside: Arc<dyn Outside>) -> Mind {
        let folder: Option<Box<dyn TableFolder>> = None;
        let thinker = Thinker::new(Arc::new(TableSet::none()), None, folder);
        Mind {
            thinker: thinker.keeping(IDLE_PLAYERS),
            outside,
        }
    }

    /// Solves the tables that players share, which takes a second or two.
    pub fn warm_up(&self) {
        // A player without tables still plays.
        let _ = shared_tables(Rules::default(), &TablesSource::of_folder(None));
    }

    /// Does some work, and posts its progress and its end; `is_stopped` is asked during a search.
    pub fn think(&self, text: &str, is_stopped: fn() -> bool) {
        let work: Work = match serde_json::from_str(text) {
            Ok(work) => work,
            Err(error) => {
                let why = format!("work that cannot be read: {error}");
                return self.outside.post(Post::Failed(why));
            }
        };
        let stop = Stop::watching(is_stopped);
        let mut progress = |report: &Report| {
            if let Ok(text) = serde_json::to_string(report) {
                self.outside.post(Post::Progress(text));
            }
        };
        let found = self.thinker.think(work, &stop, &mut progress);
        while let Some(warning) = self.thinker.take_warning() {
            self.outside.post(Post::Warning(warning));
        }
        let text = found.and_then(|found| {
            serde_json::to_string(&found).map_err(|error| format!("no answer in text: {error}"))
        });
        self.outside.post(match text {
            Ok(text) => Post::Found(text),
            Err(why) => Post::Failed(why),
        });
    }
}
