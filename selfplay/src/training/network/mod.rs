//! Training the network of the evaluation.
//!
//! [`dataset`] turns files of positions into [`samples`], some games held out;
//! [`model`] works them out forward and backward, [`adam`] moves its numbers,
//! [`trainer`] goes through all samples epoch by epoch, and [`checkpoint`] keeps what it
//! has come to. [`quantize`] rounds the model to the integers that are played with, and
//! [`losses`] measures the result.

pub mod adam;
pub mod checkpoint;
pub mod dataset;
pub mod losses;
pub mod model;
pub mod quantize;
pub mod samples;
pub mod trainer;
