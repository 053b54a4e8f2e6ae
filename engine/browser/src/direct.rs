//! Work that a program asks for without a game: the answer is what the mind has found, as text.
//!
//! If the mind is taken away before its answer, the last progress is the answer.

use crate::outside::{Outside, Post};
use anqi_desk::{Found, Job, Kind, Owner, Work};
use anqi_search::{Choice, Report, Stop};
use serde::Serialize;
use std::sync::Arc;

/// The owner of such work.
struct Direct {
    outside: Arc<dyn Outside>,
    number: u32,
    work: Option<Work>,
    last: Option<Report>,
}

/// What is sent back.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer<'a> {
    Progress(&'a Report),
    Found(&'a Found),
    Failed(&'a str),
}

impl Direct {
    fn send(&self, answer: &Answer<'_>) {
        if let Ok(text) = serde_json::to_string(answer) {
            self.outside.post(Post::Answer(self.number, text));
        }
    }
}

impl Owner for Direct {
    fn begin(&mut self) -> Option<Work> {
        self.work.take()
    }

    fn progress(&mut self, report: &Report) {
        self.send(&Answer::Progress(report));
        if report.rank <= 1 {
            self.last = Some(report.clone());
        }
    }

    fn finish(self: Box<Self>, found: Result<Found, String>) {
        let found = found.or_else(|why| match &self.last {
            Some(last) => so_far(last).map(Found::Move).ok_or(why),
            None => Err(why),
        });
        match found {
            Ok(found) => self.send(&Answer::Found(&found)),
            Err(why) => self.send(&Answer::Failed(&why)),
        }
    }
}

/// Returns the choice of a search that told no more than this.
pub(crate) fn so_far(report: &Report) -> Option<Choice> {
    Some(Choice {
        score: Some(report.score),
        depth: report.depth,
        nodes: report.nodes,
        line: report.line.clone(),
        ..Choice::plain(report.line.first()?.action)
    })
}

/// Returns the job of a direct request.
pub(crate) fn job(outside: &Arc<dyn Outside>, number: u32, work: Work, stop: &Arc<Stop>) -> Job {
    let owner = Direct {
        outside: Arc::clone(outside),
        number,
        work: Some(work),
        last: None,
    };
    Job::new(Kind::Move, stop, owner)
}
