//! The module's exports and imports: the one file that knows memory addresses.
//!
//! A text comes in through a buffer: the surroundings reserve it, write into it and call an export. A text goes
//! out by `post`, which copies it before it returns. Nothing else crosses, so no other code is unsafe.

use crate::outside::{Outside, Post, Urgency};
use crate::{Mind, Referee, Settings};
use anqi_search::clock::use_host_time;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

// SAFETY: the surroundings define these functions so; those with addresses are called by the wrappers below
// alone, with addresses of slices that live through the call.
#[link(wasm_import_module = "anqi")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
    /// Milliseconds since 1970.
    safe fn unix() -> f64;
    /// Whether the work at hand is to end.
    safe fn stopped() -> i32;
    /// Fills memory with random bytes; not 0 on failure.
    fn random(at: *mut u8, length: usize) -> i32;
    /// Takes a text of a kind, with a number and a second one.
    fn post(kind: u32, number: u32, more: u32, at: *const u8, length: usize);
}

fn time() -> Duration {
    Duration::from_secs_f64(now().max(0.0) / 1_000.0)
}

fn is_stopped() -> bool {
    stopped() != 0
}

/// The JavaScript around the module.
#[derive(Clone, Copy, Debug)]
struct Script;

impl Outside for Script {
    fn now(&self) -> Duration {
        time()
    }

    fn unix_seconds(&self) -> u64 {
        (unix().max(0.0) / 1_000.0) as u64
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        // SAFETY: the address and the length are those of a slice that nothing else uses meanwhile.
        match unsafe { random(bytes.as_mut_ptr(), bytes.len()) } {
            0 => Ok(()),
            _ => Err("this browser gives none".to_owned()),
        }
    }

    fn post(&self, what: Post) {
        let (kind, number, more, text) = match what {
            Post::Say(connection, text) => (0, connection, 0, text),
            Post::Work(number, text) => (1, number, 0, text),
            Post::Stop(number, urgency) => {
                (2, number, u32::from(urgency == Urgency::Now), String::new())
            }
            Post::Found(text) => (3, 0, 0, text),
            Post::Failed(why) => (4, 0, 0, why),
            Post::Progress(text) => (5, 0, 0, text),
            Post::Answer(number, text) => (6, number, 0, text),
            Post::Uci(line) => (7, 0, 0, line),
            Post::Warning(text) => (8, 0, 0, text),
            Post::Keep(text) => (9, 0, 0, text),
        };
        // SAFETY: the address and the length are those of the text, which lives through the call.
        unsafe { post(kind, number, more, text.as_ptr(), text.len()) }
    }
}

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static REFEREE: Mutex<Option<Referee>> = Mutex::new(None);
static MIND: Mutex<Option<Mind>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic ends the module, so none is seen here.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes what was written into the buffer.
fn input() -> Vec<u8> {
    std::mem::take(&mut *lock(&INPUT))
}

fn text() -> String {
    String::from_utf8(input())
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn referee(act: impl FnOnce(&mut Referee)) {
    if let Some(referee) = &mut *lock(&REFEREE) {
        act(referee);
    }
}

fn prepare() -> Arc<dyn Outside> {
    use_host_time(time);
    std::panic::set_hook(Box::new(|panic| {
        Script.post(Post::Warning(panic.to_string()))
    }));
    Arc::new(Script)
}

/// Returns the address of a buffer of this length, for the next export that takes a text.
// SAFETY: no other function of the module has this name, and so for all below.
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    let mut input = lock(&INPUT);
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Makes this worker the referee, with settings as JSON.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn begin_referee() {
    let outside = prepare();
    let settings: Settings = serde_json::from_str(&text()).unwrap_or_default();
    *lock(&REFEREE) = Some(Referee::new(outside, settings));
}

/// Makes this worker the mind.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn begin_mind() {
    *lock(&MIND) = Some(Mind::new(prepare()));
}

/// Answers what a page asks once, under the number 0.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn about() {
    referee(|referee| Script.post(Post::Answer(0, referee.about())));
}

/// Takes a file of distilled endings.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn provide() {
    referee(|referee| referee.provide(input()));
}

/// Takes the list of puzzles.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn provide_puzzles() {
    referee(|referee| referee.provide_puzzles(text()));
}

/// Takes the lessons of endings.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn provide_lessons() {
    referee(|referee| referee.provide_lessons(&text()));
}

/// Brings back a game that was kept.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn restore() {
    referee(|referee| referee.restore(&text()));
}

/// Opens a connection.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn connect(connection: u32) {
    referee(|referee| referee.connect(connection));
}

/// Answers a message of a connection.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn hear(connection: u32) {
    referee(|referee| referee.hear(connection, &text()));
}

/// Closes a connection.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn disconnect(connection: u32) {
    referee(|referee| referee.disconnect(connection));
}

/// Lets the mind do some work.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn ask(number: u32) {
    referee(|referee| referee.ask(number, &text()));
}

/// Ends such work early.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn halt(number: u32) {
    referee(|referee| referee.halt(number));
}

/// Takes a line of UCI.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn uci() {
    referee(|referee| referee.uci(&text()));
}

/// Takes in what the mind has found.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn found() {
    referee(|referee| referee.found(&text()));
}

/// Takes in how far the mind is.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn progress() {
    referee(|referee| referee.progress(&text()));
}

/// Hears that the mind has failed, and why.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn failed() {
    referee(|referee| referee.failed(&text()));
}

/// Rings the alarms that are due; returns the milliseconds until the next one, below 0 if there is none.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn ring() -> f64 {
    let mut next = None;
    referee(|referee| next = referee.ring());
    next.map_or(-1.0, |time| time.as_secs_f64() * 1_000.0)
}

/// Does the work in the buffer.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn think() {
    if let Some(mind) = &*lock(&MIND) {
        mind.think(&text(), is_stopped);
    }
}

/// Solves the tables that players share.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn warm_up() {
    if let Some(mind) = &*lock(&MIND) {
        mind.warm_up();
    }
}
