//! The referee: connections, games and what is asked directly.

use crate::direct;
use crate::host::BrowserHost;
use crate::outside::{Outside, Post};
use crate::uci::Uci;
use anqi_desk::wire::{About, LimitsView};
use anqi_desk::{Anyone, Config, Connection, Hub, Outbox, Services, TableSet, Work};
use anqi_desk::{lessons, puzzles};
use anqi_play::KnownDeal;
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_search::{Report, Stop};
use anqi_tablebase::distil;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The games that are kept at once: those of one person.
const GAMES: usize = 64;
/// The longest decision or analysis, in milliseconds.
const ENGINE_MS: u64 = 60_000;
/// The most lines of an analysis.
const LINES: usize = 6;

/// What the surroundings choose.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The largest transposition table of a player, in mebibytes.
    pub hash: u32,
    /// The longest round of an analysis, in milliseconds: short where a round cannot be interrupted.
    pub round_ms: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        let config = Config::default();
        Settings {
            hash: config.hash,
            round_ms: config.round.as_millis() as u64,
        }
    }
}

/// The referee of all games of a page.
#[derive(Debug)]
pub struct Referee {
    outside: Arc<dyn Outside>,
    host: Arc<BrowserHost>,
    hub: Arc<Hub>,
    connections: HashMap<u32, Connection>,
    /// The flags of direct requests.
    direct: HashMap<u32, Arc<Stop>>,
    uci: Option<Uci>,
}

impl Referee {
    /// Returns a referee without games.
    pub fn new(outside: Arc<dyn Outside>, settings: Settings) -> Referee {
        Referee::dealing(outside, settings, None)
    }

    /// Returns a referee whose games all have this deal, for tests.
    pub fn dealing(
        outside: Arc<dyn Outside>,
        settings: Settings,
        layout: Option<KnownDeal>,
    ) -> Referee {
        let host = Arc::new(BrowserHost::new(Arc::clone(&outside)));
        let config = Config {
            games: GAMES,
            engine_ms: ENGINE_MS,
            lines: LINES,
            threads: 1,
            hash: settings.hash,
            round: Duration::from_millis(settings.round_ms.max(1)),
            layout,
            ..Config::default()
        };
        let services = Services {
            host: host.clone(),
            config: Arc::new(config),
            tables: Arc::new(TableSet::on_the_spot()),
            folder: None,
        };
        Referee {
            outside,
            host,
            hub: Arc::new(Hub::new(services)),
            connections: HashMap::new(),
            direct: HashMap::new(),
            uci: None,
        }
    }

    /// Returns what a page asks once, as JSON.
    pub fn about(&self) -> String {
        let config = &self.hub.services.config;
        let limits = LimitsView {
            message_bytes: config.message_bytes,
            games: config.games,
            engine_ms: config.engine_ms,
            lines: config.lines,
        };
        About::new(limits, MOST_SOLVED_PIECES, None).json()
    }

    /// Takes a file of distilled endings.
    pub fn provide(&self, bytes: Vec<u8>) {
        if let Err(error) = distil::provide(bytes) {
            self.outside.post(Post::Warning(error.to_string()));
        }
    }

    /// Takes the list of puzzles.
    pub fn provide_puzzles(&self, list: String) {
        puzzles::provide(list);
    }

    /// Takes the lessons of endings: a JSON object with a list for each set of pieces.
    pub fn provide_lessons(&self, text: &str) {
        if let Err(error) = lessons::provide(text) {
            let warning = format!("the lessons are damaged: {error}");
            self.outside.post(Post::Warning(warning));
        }
    }

    /// Brings back a game that was kept.
    pub fn restore(&self, text: &str) {
        if let Err(refusal) = self.hub.restore(text) {
            let warning = format!("a kept game cannot be read: {refusal}");
            self.outside.post(Post::Warning(warning));
        }
    }

    /// Opens a connection.
    pub fn connect(&mut self, number: u32) {
        let outside = Arc::clone(&self.outside);
        let sink = move |text| outside.post(Post::Say(number, text));
        let outbox = Outbox::new(number.into(), Arc::new(sink));
        let connection = Connection::new(Arc::clone(&self.hub), Anyone, outbox);
        self.connections.insert(number, connection);
    }

    /// Answers a message of a connection.
    pub fn hear(&mut self, number: u32, text: &str) {
        if let Some(connection) = self.connections.get_mut(&number) {
            connection.text(text);
        }
        self.host.pump();
    }

    /// Closes a connection.
    pub fn disconnect(&mut self, number: u32) {
        self.connections.remove(&number);
        self.host.pump();
    }

    /// Lets the mind do some work; what it finds is posted with this number.
    pub fn ask(&mut self, number: u32, text: &str) {
        let work: Work = match serde_json::from_str(text) {
            Ok(work) => work,
            Err(error) => {
                let failed = serde_json::json!({ "failed": error.to_string() });
                return self.outside.post(Post::Answer(number, failed.to_string()));
            }
        };
        let stop = Arc::new(Stop::new());
        // Flags of work that has ended are of no use any more.
        self.direct.retain(|_, stop| Arc::strong_count(stop) > 1);
        self.direct.insert(number, Arc::clone(&stop));
        let job = direct::job(&self.outside, number, work, &stop);
        self.submit(job);
    }

    /// Ends direct work early.
    pub fn halt(&mut self, number: u32) {
        if let Some(stop) = self.direct.remove(&number) {
            stop.request();
        }
        self.host.pump();
    }

    /// Takes a line of UCI.
    pub fn uci(&mut self, line: &str) {
        let outside = &self.outside;
        let uci = self.uci.get_or_insert_with(|| Uci::new(outside));
        if let Some(job) = uci.hear(line) {
            self.submit(job);
        }
        self.host.pump();
    }

    fn submit(&self, job: anqi_desk::Job) {
        anqi_desk::Host::submit(&*self.host, job);
        self.host.pump();
    }

    /// Takes in how far the mind is.
    pub fn progress(&mut self, text: &str) {
        if let Ok(report) = serde_json::from_str::<Report>(text) {
            self.host.progress(&report);
        }
    }

    /// Takes in what the mind has found.
    pub fn found(&mut self, text: &str) {
        self.host.ended(Ok(text));
        self.host.pump();
    }

    /// Hears that the mind has failed, or was taken away, and there is a new one.
    pub fn failed(&mut self, why: &str) {
        self.host.ended(Err(why.to_owned()));
        self.host.pump();
    }

    /// Rings the alarms that are due, and returns the time until the next one.
    pub fn ring(&mut self) -> Option<Duration> {
        let next = self.host.ring();
        self.host.pump();
        next
    }
}
