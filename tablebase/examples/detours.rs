//! Where hurrying to the next capture takes a detour: the won position of a set in which even the best of the
//! actions with the least plies to the next capture ends the game latest, compared with the shortest win.
//!
//! ```console
//! $ cargo run --release -p anqi-tablebase --features os,unstable --example detours -- KGgp
//! ```

use anqi_rules::{Color, Position, Rules};
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::numbering::{DenseIndex, position_of, usual_order};
use anqi_tablebase::probe::Rated;
use anqi_tablebase::{Tables, Wdl, rated_actions};

/// A won position and the plies to the end of two ways to win it.
#[derive(Clone, Copy)]
struct Detour {
    position: Position,
    /// Plies to the next capture.
    capture: u16,
    /// Plies to the end by the shortest way.
    shortest: u16,
    /// Plies to the end by the best of the actions that are next to a capture, perfect play behind it.
    hurried: u16,
}

impl Detour {
    fn of(tables: &Tables, position: Position) -> Option<Detour> {
        let rated = rated_actions(tables, &position)?;
        let first = rated.first().filter(|first| first.wdl == Wdl::Win)?;
        let wins = || rated.iter().filter(|rated| rated.wdl == Wdl::Win);
        let end = |rated: &Rated| {
            let mut next = position;
            let _ = next.step_unchecked(rated.action);
            tables
                .plies_to_end(&next)
                .ok()
                .flatten()
                .map(|plies| plies + 1)
        };
        let hasty = wins().filter(|rated| rated.dtc == first.dtc);
        Some(Detour {
            position,
            capture: first.dtc?,
            shortest: wins().filter_map(end).min()?,
            hurried: hasty.filter_map(end).min()?,
        })
    }

    fn plies(&self) -> u16 {
        self.hurried - self.shortest
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for set in std::env::args().skip(1) {
        let set: Material = set.parse()?;
        let fit = Fit::of(&set);
        let tables = Tables::of_unit(fit.unit, Rules::UNLIMITED, true)?;
        let index = DenseIndex::new(fit.unit, usual_order(fit.unit));
        let positions = (0..index.len()).flat_map(|number| {
            Color::ALL.map(|turn| position_of(&set, &index.groups(number), turn))
        });
        let (mut won, mut with_detour) = (0u64, 0u64);
        let mut worst: Option<Detour> = None;
        let mut captures_at_once: Option<Detour> = None;
        for detour in positions.filter_map(|position| Detour::of(&tables, position)) {
            won += 1;
            with_detour += u64::from(detour.plies() > 0);
            let more =
                |than: &Option<Detour>| detour.plies() > than.as_ref().map_or(0, Detour::plies);
            if detour.capture == 1 && detour.shortest <= 3 && more(&captures_at_once) {
                captures_at_once = Some(detour);
            }
            if more(&worst) {
                worst = Some(detour);
            }
        }
        println!("{set}: {with_detour} of {won} won positions (mirrors folded)");
        for (what, found) in [
            ("longest", worst),
            ("capture at once, or end in 3", captures_at_once),
        ] {
            if let Some(Detour {
                position,
                capture,
                shortest,
                hurried,
            }) = found
            {
                println!(
                    "  {what}: {position}: capture in {capture} and end in {hurried}, end in {shortest}"
                );
            }
        }
    }
    Ok(())
}
