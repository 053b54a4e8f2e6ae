//! Outside programs, sound and faulty. These tests wait for clocks, so that nothing that computes runs beside them.

#![cfg(unix)]

mod check;
#[path = "../all/common.rs"]
mod common;
mod outside_programs;
