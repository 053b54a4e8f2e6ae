//! Playing out one won ending, and finding where the win was lost.

use anqi_rules::{Action, Game, Outcome, Ply, Position, Rules, Setup};
use anqi_search::Score;
use anqi_tablebase::{Endgames, Tables, Wdl};

use super::EndingsError;
use super::defence::best_defence;

/// The attacker's action and its value.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// The action.
    pub action: Action,
    /// The attacker's value of it.
    pub score: Option<Score>,
    /// The depth of its search.
    pub depth: u32,
}

/// How a win was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlipKind {
    /// The action leaves a position that is not won.
    GivenAway,
    /// The position stays won, but too late for the quiet limit.
    TooSlow,
    /// The position stayed won until it was repeated for the third time.
    Repeated,
}

impl SlipKind {
    /// Returns the kind in words.
    pub fn text(self) -> &'static str {
        match self {
            SlipKind::GivenAway => "gave the win away",
            SlipKind::TooSlow => "too slow for the quiet limit",
            SlipKind::Repeated => "repeated a won position",
        }
    }
}

/// The action that lost a win.
#[derive(Clone, Debug)]
pub struct Slip {
    /// How the win was lost.
    pub kind: SlipKind,
    /// The ply, from 1.
    pub ply: usize,
    /// The position before it.
    pub position: Position,
    /// The action and its value.
    pub attempt: Attempt,
    /// Plies to the next capture from there.
    pub distance: Option<u16>,
}

/// A finished ending.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// How it ended.
    pub outcome: Outcome,
    /// Where the win was lost, if it was.
    pub slip: Option<Slip>,
}

impl Played {
    /// Returns whether the side that began won.
    pub fn is_won(&self) -> bool {
        self.outcome.winner() == self.game.start().turn()
    }

    /// Returns the position at the start and all plies, as the protocol writes them.
    pub fn line(&self) -> String {
        let plies: Vec<String> = self.game.plies().iter().map(Ply::to_string).collect();
        format!("{} moves {}", self.game.start(), plies.join(" "))
    }
}

/// Plays an ending out: `attack` for the side to move, the tables for the other.
///
/// # Errors
///
/// Fails if a table is missing.
///
/// # Panics
///
/// Panics if the attacker's action is not legal.
pub fn play_out(
    start: &Position,
    rules: Rules,
    tables: &Tables,
    mut attack: impl FnMut(&Game) -> Attempt,
) -> Result<Played, EndingsError> {
    let mut game = Game::new(*start, rules);
    let mut slip = None;
    let mut last: Option<Slip> = None;
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        let position = *game.position();
        let unknown = |position: &Position| EndingsError::unknown(position, tables);
        if position.turn() != start.turn() {
            let action = best_defence(tables, &game).ok_or_else(|| unknown(&position))?;
            play(&mut game, action);
            continue;
        }
        let attempt = attack(&game);
        play(&mut game, attempt.action);
        let step = Slip {
            kind: SlipKind::Repeated,
            ply: game.plies().len(),
            position,
            attempt,
            distance: tables.known(&position).and_then(|known| known.dtc),
        };
        if slip.is_none() {
            slip = lost_win(tables, game.position())
                .ok_or_else(|| unknown(game.position()))?
                .map(|kind| Slip {
                    kind,
                    ..step.clone()
                });
        }
        last = Some(step);
    };
    let repeated = matches!(outcome, Outcome::Draw(_))
        .then_some(last)
        .flatten();
    Ok(Played {
        game,
        outcome,
        slip: slip.or(repeated),
    })
}

fn play(game: &mut Game, action: Action) {
    game.play(Ply::from(action))
        .expect("attacker and defender play legal actions");
}

/// Returns how the win is lost unless the side to move has lost; the outer `None` is a missing table.
fn lost_win(tables: &Tables, position: &Position) -> Option<Option<SlipKind>> {
    if tables.known(position)?.wdl == Wdl::Loss {
        return Some(None);
    }
    let fresh = Setup {
        quiet: 0,
        ..Setup::from(position)
    };
    let fresh = fresh
        .position()
        .expect("a position with a younger counter is a position");
    Some(Some(match tables.known(&fresh)?.wdl {
        Wdl::Loss => SlipKind::TooSlow,
        _ => SlipKind::GivenAway,
    }))
}
