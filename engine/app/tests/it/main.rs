//! Whole-program tests of `anqi`, in one binary: each binary links everything anew. What measures time
//! stands alone, in `move_times` and `promptness`.

mod analyse;
mod cli;
mod common;
mod convert;
mod course_server;
mod ends;
mod languages;
mod memory;
mod review_report;
mod serve_program;
mod terminal;
mod terminal_pty;
