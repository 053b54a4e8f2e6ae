//! Training the network of the evaluation.
//!
//! [`dataset`] turns files of positions into [`samples`], some games held out;
//! [`model`] does the forward and backward pass, [`adam`] updates its numbers,
//! [`trainer`] runs the epochs, and [`checkpoint`] saves their state. [`quantize`] rounds
//! the model to the integers used in play, [`losses`] measures the result, and [`origin`]
//! names the games in its file.

pub mod adam;
pub mod checkpoint;
pub mod dataset;
pub mod losses;
pub mod model;
pub mod origin;
pub mod quantize;
pub mod samples;
pub mod trainer;
