//! Reviews a whole game on several threads.

use anqi_analysis::{Analyst, Effort, Report, Review, review_ply};
use anqi_rules::Game;
use anqi_search::Stop;
use anqi_search::spec::SpecError;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Reviews a game; `progress` gets the number of plies done.
///
/// # Errors
///
/// Returns an error if the folder of tables cannot be used.
pub fn review(
    game: &Game,
    nodes: u64,
    threads: usize,
    tables: Option<&Path>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Review, SpecError> {
    let review = Review::new(game.clone(), nodes);
    let mut analysts = Vec::new();
    for _ in 0..threads.clamp(1, review.total().max(1)) {
        analysts.push(Analyst::new(tables, game.rules())?);
    }
    let shared = Mutex::new(review);
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let stop = Stop::new();
    std::thread::scope(|scope| {
        for mut analyst in analysts {
            let (lock, stop) = (&lock, &stop);
            scope.spawn(move || {
                let effort = Effort {
                    nodes,
                    time: None,
                    stop,
                };
                loop {
                    let Some(index) = lock().take() else {
                        return;
                    };
                    let ply = review_ply(&mut analyst, game, index, effort);
                    if let Some(warning) = analyst.take_warning() {
                        eprintln!("anqi: {warning}");
                    }
                    let mut review = lock();
                    review.add(index, ply);
                    progress(review.done());
                }
            });
        }
    });
    Ok(shared.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Reviews a game and sums it up.
///
/// # Errors
///
/// Returns an error if the folder of tables cannot be used.
pub fn report(
    game: &Game,
    players: Option<[String; 2]>,
    nodes: u64,
    threads: usize,
    tables: Option<&Path>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Report, SpecError> {
    Ok(review(game, nodes, threads, tables, progress)?.report(players))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn one_thread_and_two_say_the_same() {
        let text = "start moves b2(G) b3(k) c7(p) b3-b2 c6(P)";
        let game = Game::from_text(text, Rules::OLYMPIAD);
        let Ok(game) = game else {
            panic!("{game:?}");
        };
        let one = report(&game, None, 300, 1, None, &|_| {}).unwrap();
        let two = report(&game, None, 300, 2, None, &|_| {}).unwrap();
        assert_eq!(one, two);
        assert_eq!(one.plies.len(), 5);
    }
}
