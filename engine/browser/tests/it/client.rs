//! A page, a referee and a mind in one thread, with a clock of their own.

use anqi_browser::{Mind, Outside, Post, Referee, Settings};
use anqi_play::KnownDeal;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Surroundings that keep what is posted.
#[derive(Debug, Default)]
pub struct Kept {
    posts: Mutex<Vec<Post>>,
    millis: AtomicU64,
    seed: AtomicU8,
}

impl Kept {
    fn take(&self) -> Vec<Post> {
        std::mem::take(&mut *self.posts.lock().expect("nobody panics with it"))
    }
}

impl Outside for Kept {
    fn now(&self) -> Duration {
        Duration::from_millis(self.millis.load(Ordering::Relaxed))
    }

    fn unix_seconds(&self) -> u64 {
        1_700_000_000
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        for byte in bytes {
            *byte = self.seed.fetch_add(1, Ordering::Relaxed).wrapping_mul(167);
        }
        Ok(())
    }

    fn post(&self, post: Post) {
        self.posts.lock().expect("nobody panics with it").push(post);
    }
}

/// A page with its two workers.
#[derive(Debug)]
pub struct Page {
    pub referee: Referee,
    mind: Mind,
    outside: Arc<Kept>,
    /// Everything that has left the referee, in order, and not been taken.
    pub left: Vec<Post>,
    /// Work that the mind has not done yet, with its number.
    pub work: Vec<(u32, String)>,
    /// The last game that was kept.
    pub kept: Option<String>,
    last: u64,
}

impl Page {
    pub fn new(layout: Option<&str>) -> Page {
        let outside = Arc::new(Kept::default());
        let layout: Option<KnownDeal> = layout.map(|deal| deal.parse().expect("a deal"));
        let mut referee = Referee::dealing(outside.clone(), Settings::default(), layout);
        referee.connect(1);
        Page {
            referee,
            mind: Mind::new(outside.clone()),
            outside,
            left: Vec::new(),
            work: Vec::new(),
            kept: None,
            last: 0,
        }
    }

    /// Takes in what the referee has posted.
    pub fn listen(&mut self) {
        for post in self.outside.take() {
            if let Post::Work(number, text) = &post {
                self.work.push((*number, text.clone()));
            }
            match post {
                // For the referee's storage alone, which is not the page's.
                Post::Keep(text) => self.kept = Some(text),
                post => self.left.push(post),
            }
        }
    }

    /// Lets the mind do what it has been given, and time pass, until nothing is left to do.
    pub fn settle(&mut self) {
        self.listen();
        loop {
            let next = self.referee.ring();
            self.listen();
            if self.work.is_empty() {
                // A clock may run for minutes; a move that waits for its moment does not.
                match next.filter(|time| *time <= Duration::from_secs(1)) {
                    None => return,
                    Some(time) => self.pass(time),
                }
                continue;
            }
            self.think();
        }
    }

    /// Lets the mind do the oldest piece of work.
    pub fn think(&mut self) {
        let (_, text) = self.work.remove(0);
        self.mind.think(&text, || false);
        for post in self.outside.take() {
            match post {
                Post::Progress(text) => self.referee.progress(&text),
                Post::Found(text) => self.referee.found(&text),
                Post::Failed(why) => self.referee.failed(&why),
                other => panic!("{other:?}"),
            }
        }
        self.listen();
    }

    pub fn pass(&self, time: Duration) {
        let millis = time.as_millis() as u64 + 1;
        self.outside.millis.fetch_add(millis, Ordering::Relaxed);
    }

    /// Sends a message and returns its number.
    pub fn send(&mut self, mut message: Value) -> u64 {
        self.last += 1;
        message["id"] = json!(self.last);
        self.referee.hear(1, &message.to_string());
        self.listen();
        self.last
    }

    /// Sends a message, lets all be done, and returns the last answer to it.
    pub fn ask(&mut self, message: Value) -> Value {
        let id = self.send(message);
        self.settle();
        let heard = self.heard();
        let answer = heard.iter().rfind(|answer| answer["re"] == id);
        answer.unwrap_or_else(|| panic!("no answer")).clone()
    }

    /// Returns everything that the page has heard.
    pub fn heard(&self) -> Vec<Value> {
        let said = self.left.iter().filter_map(|post| match post {
            Post::Say(1, text) => Some(serde_json::from_str(text).expect("a message of the desk")),
            _ => None,
        });
        said.collect()
    }

    /// Returns the last state of the game.
    pub fn state(&self) -> Value {
        let heard = self.heard();
        let state = heard.iter().rfind(|message| message["type"] == "state");
        state.expect("a state").clone()
    }

    /// Returns the texts of everything that has left the referee.
    pub fn texts(&self) -> Vec<String> {
        self.left.iter().map(|post| format!("{post:?}")).collect()
    }
}

/// All actions that a state offers.
pub fn actions(state: &Value) -> Vec<String> {
    let board = &state["board"];
    let flips = board["flips"]
        .as_array()
        .expect("a message of the desk")
        .iter();
    let flips =
        flips.map(|square| format!("{0}-{0}", square.as_str().expect("a message of the desk")));
    let targets = board["targets"]
        .as_object()
        .expect("a message of the desk")
        .iter();
    let moves = targets.flat_map(|(from, to)| {
        let to = to.as_array().expect("a message of the desk").iter();
        to.map(move |to| format!("{from}-{}", to.as_str().expect("a message of the desk")))
    });
    flips.chain(moves).collect()
}
