//! How long a player may think in an experiment.

use std::time::Duration;

use anqi_search::player::{Limits, TimeLimit};
use clap::Args;

/// How long a player may think: `MILLIS` milliseconds unless the command line says otherwise.
#[derive(Args, Debug, Clone, Copy)]
pub struct Budget<const MILLIS: u64> {
    // No `default_value_t`: clap keeps one text of a default for all values of MILLIS.
    /// Milliseconds for each search [default: 1000 in savings, 100 in endings, 50 in ways]
    #[arg(long, value_name = "MS", conflicts_with = "nodes")]
    movetime: Option<u64>,

    /// Nodes for each search instead: the same command then gives the same figures
    #[arg(long)]
    pub nodes: Option<u64>,
}

impl<const MILLIS: u64> Budget<MILLIS> {
    /// Returns the milliseconds for each search, or none if nodes limit it.
    pub fn move_ms(&self) -> Option<u64> {
        let millis = self.movetime.unwrap_or(MILLIS);
        self.nodes.is_none().then_some(millis)
    }

    /// Returns the limits of one search.
    pub fn limits(&self) -> Limits {
        let per_move = |ms| TimeLimit::PerMove(Duration::from_millis(ms));
        Limits {
            nodes: self.nodes,
            time: self.move_ms().map_or(TimeLimit::None, per_move),
            ..Limits::NONE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        budget: Budget<250>,
    }

    #[derive(Parser)]
    struct Other {
        #[command(flatten)]
        budget: Budget<1000>,
    }

    fn limits(line: &str) -> Limits {
        let words = line.split_whitespace();
        Program::try_parse_from(words).unwrap().budget.limits()
    }

    #[test]
    fn nodes_take_the_place_of_the_time() {
        let quarter = TimeLimit::PerMove(Duration::from_millis(250));
        assert_eq!(limits("measure").time, quarter);
        assert_eq!(limits("measure").nodes, None);
        assert_eq!(limits("measure --nodes 7").time, TimeLimit::None);
        assert_eq!(limits("measure --nodes 7").nodes, Some(7));
        assert!(Program::try_parse_from(["m", "--nodes", "7", "--movetime", "1"]).is_err());
    }

    #[test]
    fn every_command_has_its_own_time() {
        let other = Other::try_parse_from(["other"]).unwrap().budget;
        assert_eq!(
            limits("measure").time,
            TimeLimit::PerMove(Duration::from_millis(250))
        );
        assert_eq!(other.move_ms(), Some(1000));
    }
}
