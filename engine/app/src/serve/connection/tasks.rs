//! The tasks of one connection on the pool, one of each kind at a time.

use crate::serve::analysis::Study;
use crate::serve::config::Services;
use crate::serve::hint;
use crate::serve::material::material;
use crate::serve::outbox::Outbox;
use crate::serve::owed::Owed;
use crate::serve::pool::{IdlePlayers, Kind};
use crate::serve::review::ReviewRun;
use crate::serve::room::Room;
use crate::serve::wire::{ClientMessage, Code, Refusal, ServerMessage, refuse};
use anqi_rules::Rules;
use anqi_search::Stop;
use anqi_tablebase::classes::Material;
use std::sync::Arc;

/// The running tasks. A raised flag means that there is none, or that it is ending.
#[derive(Debug)]
pub(super) struct Tasks {
    hint: Arc<Stop>,
    analysis: Arc<Stop>,
    review: Arc<Stop>,
    material: Arc<Stop>,
}

impl Default for Tasks {
    fn default() -> Tasks {
        let idle = || {
            let stop = Stop::new();
            stop.request();
            Arc::new(stop)
        };
        Tasks {
            hint: idle(),
            analysis: idle(),
            review: idle(),
            material: idle(),
        }
    }
}

impl Tasks {
    /// Stops all tasks.
    pub(super) fn stop(&self) {
        for task in [&self.hint, &self.analysis, &self.review, &self.material] {
            task.request();
        }
    }

    /// Starts or stops a task; returns the message if it concerns none.
    pub(super) fn answer(
        &mut self,
        services: &Arc<Services>,
        room: Option<&Arc<Room>>,
        outbox: &Outbox,
        re: Option<u64>,
        message: ClientMessage,
    ) -> Result<Option<ClientMessage>, Refusal> {
        match message {
            ClientMessage::Hint {} => {
                let Some(room) = room else {
                    return refuse(Code::NoSeat, "you are in no game");
                };
                self.hint.request();
                self.hint = hint::start(services, room, outbox, re)?;
            }
            ClientMessage::Analyse(analyse) => {
                self.analysis.request();
                self.analysis = Study::start(services, outbox, re, &analyse)?;
            }
            ClientMessage::Review(review) => {
                self.review.request();
                self.review = ReviewRun::start(services, outbox, re, review)?;
            }
            ClientMessage::Material { material, .. } => {
                self.look_up(services, outbox, re, &material)?;
            }
            ClientMessage::StopAnalysis {} => {
                end(&self.analysis, "no analysis is under way")?;
                outbox.send(re, &ServerMessage::Ok);
            }
            ClientMessage::StopReview {} => {
                end(&self.review, "no review is under way")?;
                outbox.send(re, &ServerMessage::Ok);
            }
            other => return Ok(Some(other)),
        }
        Ok(None)
    }

    /// Looks up a material set, unless another lookup is running.
    fn look_up(
        &mut self,
        services: &Arc<Services>,
        outbox: &Outbox,
        re: Option<u64>,
        text: &str,
    ) -> Result<(), Refusal> {
        let set: Material = text.parse().map_err(|error| Refusal {
            code: Code::Unreadable,
            message: format!("{error}"),
        })?;
        if !self.material.requested() {
            return refuse(Code::Busy, "another material is being looked up");
        }
        let stop = Arc::new(Stop::new());
        self.material = Arc::clone(&stop);
        let (flag, outbox) = (Arc::clone(&stop), outbox.clone());
        let owner = Arc::clone(services);
        let task = move |_: &IdlePlayers| {
            if flag.requested() {
                return;
            }
            let _owed = Owed::new(&outbox, re, &flag, "look-up of this material");
            #[cfg(test)]
            owner.meet(crate::serve::config::Fault::Task);
            let tables = owner.tables.open(Rules::OLYMPIAD);
            let tables = tables.as_ref().map(|shared| shared.tables());
            let folder = owner.config.tables.as_deref();
            let message = match material(&set, tables, folder) {
                Some(view) => ServerMessage::Material(view),
                None => ServerMessage::Error {
                    code: Code::Internal,
                    message: format!("{set} cannot be solved"),
                },
            };
            flag.request();
            outbox.send(re, &message);
        };
        services.pool.submit(Kind::Analysis, &stop, Box::new(task));
        Ok(())
    }
}

fn end(task: &Stop, otherwise: &str) -> Result<(), Refusal> {
    if task.requested() {
        return refuse(Code::NothingToDo, otherwise);
    }
    task.request();
    Ok(())
}
