//! The retrograde driver: the rounds for the wins of one side.
//!
//! The positions that one side (the *winner*) wins depend only on each other:
//! those with the winner to move on those with the loser to move, and back. So
//! a unit is solved as two independent chains. The state of a chain is
//!
//! - `open`: the winner is to move and is not known to win;
//! - `lost`: the loser is to move and is known to lose;
//! - `hopeful`: the loser is to move, is not known to lose, and cannot save
//!   itself by a capture.
//!
//! Impossible placements are clear in all three, so no move needs a check. Both
//! rules take the same form, a union over quiet moves:
//!
//! - a position leaves `open` when a quiet move leads into `lost`;
//! - a position moves from `hopeful` to `lost` when no quiet move leads into `open`.
//!
//! Captures enter once, at the start. The distance to the next capture counts
//! rounds: round `d` may only see the results of round `d - 1`. The losing rule
//! reads `open` and the winning rule reads `lost`, so one extra plane
//! (`pending`), which holds back the round's new losses, keeps rounds apart.
//! Without distances rounds may overlap, and about half as many suffice.
//!
//! Only this file arranges rounds: [`Storage`] keeps the planes, and [`Passes`]
//! works on them.

use std::ops::Range;

use anqi_rules::Color;

use super::children::Children;
use super::distance::{Bits, DistanceOverflow, DistanceSlices, MOST};
use super::passes::{AfterCaptures, Passes};
use super::planes::{Storage, windows};
use crate::numbering::{Block, Layout};

/// How many rounds to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounds {
    /// Positions that would need more rounds are left undecided.
    pub(super) last: u32,
    /// The distance of round 0; only tests that want long distances begin elsewhere.
    pub(super) offset: u32,
}

impl Rounds {
    /// As many as it takes.
    pub(super) const ALL: Rounds = Rounds {
        last: u32::MAX,
        offset: 0,
    };
}

/// Where distances are written, for one side to move.
pub(super) struct DistancePlanes<S: Storage> {
    pub(super) low: S::Plane<Bits>,
    /// The upper bytes, once some distance needs them.
    pub(super) high: Option<S::Plane<Bits>>,
}

/// Makes planes for the distances of both sides to move.
pub(super) fn distance_planes<S: Storage>(
    storage: &S,
    blocks: usize,
) -> Result<[DistancePlanes<S>; 2], S::Error> {
    let blank = || -> Result<DistancePlanes<S>, S::Error> {
        Ok(DistancePlanes {
            low: storage.blank(blocks)?,
            high: None,
        })
    };
    Ok([blank()?, blank()?])
}

/// Positions that are not open are won; so are impossible placements.
pub(super) fn won(mut open: Vec<Block>) -> Vec<Block> {
    for block in &mut open {
        *block = Block(block.0.map(|word| !word));
    }
    open
}

/// The planes of one chain at work.
struct ChainPlanes<S: Storage> {
    open: S::Plane<Block>,
    /// The winner is to move and wins by a capture at once.
    wins: S::Plane<Block>,
    hopeful: S::Plane<Block>,
    /// Losses held back; before the first round, the positions in which the loser has a capture.
    pending: S::Plane<Block>,
    lost: S::Plane<Block>,
}

/// A finished chain.
pub(super) struct Chain<S: Storage> {
    /// The winner is to move and does not win.
    pub(super) open: S::Plane<Block>,
    /// The winner is to move and wins by a capture at once.
    pub(super) wins: S::Plane<Block>,
    /// The loser is to move and loses.
    pub(super) lost: S::Plane<Block>,
    /// The greatest distance, if distances were wanted.
    pub(super) longest: u32,
}

/// Solves the chain of `winner`; distances are written if there are planes for them.
///
/// # Errors
///
/// Fails if a distance does not fit, or planes cannot be kept.
pub(super) fn chain<S: Storage>(
    storage: &S,
    layout: &Layout,
    winner: Color,
    children: &Children,
    distances: Option<&mut [DistancePlanes<S>; 2]>,
    rounds: Rounds,
) -> Result<Chain<S>, S::Error> {
    let blank = || storage.blank(layout.blocks);
    let (of_winner, of_loser) = match (distances, winner) {
        (Some([red, black]), Color::Red) => (Some(red), Some(black)),
        (Some([red, black]), Color::Black) => (Some(black), Some(red)),
        (None, _) => (None, None),
    };
    let mut run = Run {
        storage,
        layout,
        passes: Passes::new(layout, winner),
        planes: ChainPlanes {
            open: blank()?,
            wins: blank()?,
            hopeful: blank()?,
            pending: blank()?,
            lost: blank()?,
        },
        of_winner,
        of_loser,
        offset: rounds.offset,
    };
    run.captures(winner, children)?;
    let longest = run.rounds(rounds.last)?;
    let ChainPlanes {
        open, wins, lost, ..
    } = run.planes;
    Ok(Chain {
        open,
        wins,
        lost,
        longest,
    })
}

struct Run<'a, S: Storage> {
    storage: &'a S,
    layout: &'a Layout,
    passes: Passes<'a>,
    planes: ChainPlanes<S>,
    of_winner: Option<&'a mut DistancePlanes<S>>,
    of_loser: Option<&'a mut DistancePlanes<S>>,
    offset: u32,
}

/// A window of one side's distances.
struct DistancePart<'a, S: Storage + 'a> {
    plies: u32,
    low: S::Part<'a, Bits>,
    high: Option<S::Part<'a, Bits>>,
}

impl<'a, S: Storage> DistancePart<'a, S> {
    /// Opens a window if distances are wanted.
    fn of(
        planes: Option<&'a mut DistancePlanes<S>>,
        plies: u32,
        window: &Range<usize>,
    ) -> Result<Option<DistancePart<'a, S>>, S::Error> {
        let Some(planes) = planes else {
            return Ok(None);
        };
        let high = match &mut planes.high {
            None => None,
            Some(high) => Some(S::part(high, window.clone())?),
        };
        Ok(Some(DistancePart {
            plies,
            low: S::part(&mut planes.low, window.clone())?,
            high,
        }))
    }

    fn slices(&mut self) -> DistanceSlices<'_> {
        DistanceSlices {
            plies: self.plies,
            low: &mut self.low,
            high: self.high.as_deref_mut(),
        }
    }

    fn keep(self) -> Result<(), S::Error> {
        S::keep(self.low)?;
        self.high.map_or(Ok(()), S::keep)
    }
}

impl<S: Storage> Run<'_, S> {
    /// Runs rounds until nothing changes, and returns the greatest distance.
    fn rounds(&mut self, last: u32) -> Result<u32, S::Error> {
        let counts = self.of_winner.is_some();
        self.widen(1)?;
        self.first_losses()?;
        let mut found = self.first_wins()?;
        self.commit()?;
        let (mut longest, mut round) = (0, 1);
        while found || self.passes.is_unsettled() {
            longest = self.offset + round;
            if round >= last {
                break;
            }
            round += 1;
            self.widen(round)?;
            let lost_found = self.losses(round)?;
            if !counts {
                self.commit()?;
            }
            let win_found = self.wins(round)?;
            if counts {
                self.commit()?;
            }
            found = lost_found || win_found;
            if found && counts && self.offset + round > MOST {
                return Err(DistanceOverflow.into());
            }
        }
        Ok(longest)
    }

    /// Makes room for the distances of a round.
    fn widen(&mut self, round: u32) -> Result<(), S::Error> {
        let plies = self.offset + round;
        for planes in [&mut self.of_winner, &mut self.of_loser]
            .into_iter()
            .flatten()
        {
            if plies > u8::MAX.into() && planes.high.is_none() {
                planes.high = Some(self.storage.blank(self.layout.blocks)?);
            }
        }
        Ok(())
    }

    fn windows(&self) -> impl Iterator<Item = Range<usize>> + use<S> {
        let blocks = self.layout.blocks;
        windows(blocks, self.storage.window(blocks))
    }

    fn captures(&mut self, winner: Color, children: &Children) -> Result<(), S::Error> {
        let views = self.passes.views(winner, children);
        for window in self.windows() {
            let planes = &mut self.planes;
            let mut open = S::part(&mut planes.open, window.clone())?;
            let mut wins = S::part(&mut planes.wins, window.clone())?;
            let mut hopeful = S::part(&mut planes.hopeful, window.clone())?;
            let mut armed = S::part(&mut planes.pending, window.clone())?;
            let start = AfterCaptures {
                open: &mut open,
                wins: &mut wins,
                hopeful: &mut hopeful,
                armed: &mut armed,
            };
            self.passes.captures(winner, &views, window.start, start);
            for part in [open, wins, hopeful, armed] {
                S::keep(part)?;
            }
        }
        Ok(())
    }

    fn first_losses(&mut self) -> Result<(), S::Error> {
        let plies = self.offset + 1;
        let windows = self.windows();
        let planes = &mut self.planes;
        let open = S::whole(&planes.open, self.layout.blocks)?;
        for window in windows {
            let mut hopeful = S::part(&mut planes.hopeful, window.clone())?;
            let mut lost = S::part(&mut planes.lost, window.clone())?;
            let mut pending = S::part(&mut planes.pending, window.clone())?;
            let mut distances = DistancePart::of(self.of_loser.as_deref_mut(), plies, &window)?;
            let slices = distances.as_mut().map(DistancePart::slices);
            self.passes.first_losses(
                window.start,
                &open,
                &mut hopeful,
                &mut lost,
                &mut pending,
                slices,
            );
            for part in [hopeful, lost, pending] {
                S::keep(part)?;
            }
            distances.map_or(Ok(()), DistancePart::keep)?;
        }
        Ok(())
    }

    fn first_wins(&mut self) -> Result<bool, S::Error> {
        let plies = self.offset + 1;
        let windows = self.windows();
        let planes = &mut self.planes;
        let lost = S::whole(&planes.lost, self.layout.blocks)?;
        let mut found = false;
        for window in windows {
            let mut open = S::part(&mut planes.open, window.clone())?;
            let wins = S::part(&mut planes.wins, window.clone())?;
            let mut distances = DistancePart::of(self.of_winner.as_deref_mut(), plies, &window)?;
            let slices = distances.as_mut().map(DistancePart::slices);
            if self
                .passes
                .first_wins(window.start, &mut open, &wins, &lost, slices)
            {
                S::keep(open)?;
                distances.map_or(Ok(()), DistancePart::keep)?;
                found = true;
            }
        }
        Ok(found)
    }

    fn wins(&mut self, round: u32) -> Result<bool, S::Error> {
        let plies = self.offset + round;
        let windows = self.windows();
        let planes = &mut self.planes;
        let lost = S::whole(&planes.lost, self.layout.blocks)?;
        let mut found = false;
        for window in windows {
            if !self.passes.open_is_dirty(window.clone()) {
                continue;
            }
            let mut open = S::part(&mut planes.open, window.clone())?;
            let mut distances = DistancePart::of(self.of_winner.as_deref_mut(), plies, &window)?;
            let slices = distances.as_mut().map(DistancePart::slices);
            if self.passes.wins(window.start, &mut open, &lost, slices) {
                S::keep(open)?;
                distances.map_or(Ok(()), DistancePart::keep)?;
                found = true;
            }
        }
        Ok(found)
    }

    fn losses(&mut self, round: u32) -> Result<bool, S::Error> {
        let plies = self.offset + round;
        let windows = self.windows();
        let planes = &mut self.planes;
        let open = S::whole(&planes.open, self.layout.blocks)?;
        let mut found = false;
        for window in windows {
            if !self.passes.hopeful_is_dirty(window.clone()) {
                continue;
            }
            let mut hopeful = S::part(&mut planes.hopeful, window.clone())?;
            let mut pending = S::part(&mut planes.pending, window.clone())?;
            let mut distances = DistancePart::of(self.of_loser.as_deref_mut(), plies, &window)?;
            let slices = distances.as_mut().map(DistancePart::slices);
            if self
                .passes
                .losses(window.start, &open, &mut hopeful, &mut pending, slices)
            {
                S::keep(hopeful)?;
                S::keep(pending)?;
                distances.map_or(Ok(()), DistancePart::keep)?;
                found = true;
            }
        }
        Ok(found)
    }

    fn commit(&mut self) -> Result<(), S::Error> {
        for window in self.windows() {
            if !self.passes.has_fresh(window.clone()) {
                continue;
            }
            let planes = &mut self.planes;
            let mut lost = S::part(&mut planes.lost, window.clone())?;
            let pending = S::part(&mut planes.pending, window.clone())?;
            self.passes.commit(window.start, &pending, &mut lost);
            S::keep(lost)?;
        }
        Ok(())
    }
}
