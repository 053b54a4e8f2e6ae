//! `lab replay DIR`: replays a folder of archived platform games with both rule books and reports where they disagree.
//!
//! Exits with 0 if everything agrees, 1 if something differs, 2 if the folder cannot be read.

use anqi_lab::archive::replay::{Agreement, replay, result_fits};
use anqi_lab::archive::{self, ArchivedReason, Kept};
use anqi_naive::{Naive, Outcome, Repetition, preset};
use anqi_rulebooks::book::{Book, FastBook, NaiveBook};
use anyhow::{Context, ensure};
use clap::Args;
use std::collections::HashSet;
use std::path::PathBuf;

/// Options of `lab replay`.
#[derive(Args, Debug)]
pub struct Options {
    /// A folder with kept games: *.txt records and *.command dialogues
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Replays, prints, and returns whether everything agrees.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let folder = options.folder.display();
    let games = archive::read(&options.folder).with_context(|| folder.to_string())?;
    ensure!(!games.is_empty(), "{folder}: no kept games in it");
    let mut differences = 0;
    for (title, start) in BOOKS {
        println!("{title}");
        differences += replay_all(&games, start);
    }
    differences += compare_files(&games);
    facts(&games);
    println!("{differences} differences");
    Ok(differences == 0)
}

type Start = fn() -> Box<dyn Book>;

/// The rule books that replay everything.
const BOOKS: [(&str, Start); 2] = [
    ("naive rule book", || Box::new(NaiveBook::start("platform"))),
    ("fast rule book", || Box::new(FastBook::start("platform"))),
];

/// Replays all files with one book, prints the table of findings and returns the number of differences.
fn replay_all(games: &[Kept], start: Start) -> usize {
    println!(
        "  {:24} {:>9} {:>7} {:>9} {:>7}",
        "", "dialogues", "agree", "records", "agree"
    );
    let mut differences = 0;
    for reason in ArchivedReason::ALL {
        let mut counts = [0; 4];
        for kept in games.iter().filter(|kept| kept.reason == reason) {
            let files = [kept.dialogue_plies(), kept.record_plies()];
            for (at, plies) in files.into_iter().enumerate() {
                let Some(plies) = plies else { continue };
                counts[at * 2] += 1;
                match replay(&mut *start(), &plies, reason) {
                    Agreement::Agrees => counts[at * 2 + 1] += 1,
                    other => {
                        differences += 1;
                        println!("  {} ({} plies): {other:?}", kept.name, plies.len());
                    }
                }
            }
        }
        let name = format!("{reason:?}");
        let [dialogues, agree, records, agree_too] = counts;
        println!("  {name:24} {dialogues:9} {agree:7} {records:9} {agree_too:7}");
    }
    differences
}

/// Compares the two files of each game, and the record's verdict with ours.
fn compare_files(games: &[Kept]) -> usize {
    let (mut both, mut same, mut records, mut fits, mut alike) = (0, 0, 0, 0, 0);
    let (mut answers, mut not_repeated) = (0, 0);
    for kept in games {
        if kept.record.is_some() && kept.dialogue.is_some() {
            both += 1;
            same += usize::from(kept.record_plies() == kept.dialogue_plies());
        }
        if let Some(dialogue) = &kept.dialogue {
            answers += dialogue.answers;
            not_repeated += dialogue.answers_not_repeated;
        }
        let Some(record) = &kept.record else { continue };
        records += 1;
        alike += usize::from(kept.record_is_written_alike);
        if result_fits(record) {
            fits += 1;
        } else {
            println!("  {}: our verdict is not {:?}", kept.name, record.verdict);
        }
    }
    println!("files");
    println!("  {both} games have both files, {same} of them with the same plies");
    println!("  {fits} of {records} records: colours, winner, points and length of repetition fit");
    println!("  {alike} of {records} records are written again byte for byte");
    println!("  {answers} answers to genmove, {not_repeated} of them not repeated by the server");
    (both - same) + (records - fits) + not_repeated
}

fn played(plies: &[String]) -> Naive {
    let mut game = Naive::start();
    for ply in plies {
        if game.play(ply).is_err() {
            break;
        }
    }
    game
}

/// Prints statistics of the games that bear on the rules.
fn facts(games: &[Kept]) {
    let mut lengths = Vec::new();
    let mut distinct = HashSet::new();
    let (mut no_action, mut wiped, mut wiped_with_flips) = (0, 0, 0);
    let (mut ties, mut double_draws, mut recurs) = (0, 0, 0);
    for kept in games {
        let Some(plies) = kept.record_plies().or_else(|| kept.dialogue_plies()) else {
            continue;
        };
        lengths.push(plies.len());
        let game = played(&plies);
        match game.outcome(&preset("platform")) {
            Outcome::NoAction(_) => no_action += 1,
            Outcome::WipedOut(_) => {
                wiped += 1;
                wiped_with_flips += usize::from(!game.actions().is_empty());
            }
            _ => {}
        }
        let at_limit = game.quiet() >= preset("platform").quiet_limit;
        ties += usize::from(at_limit && game.actions().is_empty());
        double_draws += usize::from(at_limit && game.repeats(Repetition::Sequence(3)));
        recurs += usize::from(recurs_and_goes_on(&plies));
        distinct.insert(plies);
    }
    let total: usize = lengths.iter().sum();
    let longest = lengths.iter().max().copied().unwrap_or_default();
    let distinct = distinct.len();
    println!(
        "facts ({} games, {distinct} of them different)",
        lengths.len()
    );
    println!(
        "  {:.1} plies a game, the longest {longest}",
        total as f64 / lengths.len() as f64
    );
    println!("  {no_action} ended because pieces could not act, {wiped} because none was left");
    println!("  {wiped_with_flips} of these {wiped} with enemy pieces still face down");
    println!(
        "  {ties} ended at the limit with a side that could not act, {double_draws} at the limit and repeating"
    );
    println!("  {recurs} went on after a position had stood for the third time");
}

/// Returns whether some position occurred for the third time before the last ply.
fn recurs_and_goes_on(plies: &[String]) -> bool {
    let mut game = Naive::start();
    plies.iter().any(|ply| {
        let recurred = game.repeats(Repetition::Position(3));
        recurred || game.play(ply).is_err()
    })
}
