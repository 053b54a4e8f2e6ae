//! What the first flip is worth: to move first at all, by square and by piece.
//!
//! A game begins with a flip, and the piece that appears decides the colours: the side
//! that flips owns it. By the mirrors of the board there are eight different squares
//! ([`Orbit`](plan::Orbit)), by the exchange of colours seven different pieces, so the first ply has 56
//! outcomes. One player plays itself from each of them, in single games and not in pairs, because the
//! two games of a pair would be one and the same.
//!
//! How the parts fit: the [`plan`] says with which flip each game begins, [`games`] plays them,
//! the [`journal`] keeps them in a folder, and [`values`] turns scores into estimates whose
//! luck ([`anqi_match::luck`]) is taken out; [`report`] and [`pictures`] present these.

pub mod games;
pub mod journal;
pub mod pictures;
pub mod plan;
pub mod report;
pub mod values;
