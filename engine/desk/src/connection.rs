//! The requests of one connection, message by message.

use crate::answers;
use crate::hub::Hub;
use crate::lessons;
use crate::outbox::Outbox;
use crate::practice::Drill;
use crate::puzzles;
use crate::room::Room;
use crate::tasks::{Asker, start_analysis, start_drill, start_hint, start_look_up, start_review};
use crate::wire::{
    self, Analyse, ClientMessage, Code, Cost, Create, Line, Refusal, Review, ServerMessage, refuse,
};
use anqi_search::Stop;
use anqi_tablebase::classes::Material;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Who is at the other end: pays for messages.
pub trait Caller: fmt::Debug + Send {
    /// Pays the price of a message.
    ///
    /// # Errors
    ///
    /// Returns an error if the caller may not ask for that, or has asked for too much.
    fn pay(&mut self, cost: Cost) -> Result<(), Refusal>;
}

/// Someone who may ask for anything.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

impl Caller for Anyone {
    fn pay(&mut self, _: Cost) -> Result<(), Refusal> {
        Ok(())
    }
}

/// What a message is answered at once, `None` if a room or a task answers it.
type Answer = Result<Option<ServerMessage>, Refusal>;

/// One connection's state at the desk.
#[derive(Debug)]
pub struct Connection {
    hub: Arc<Hub>,
    caller: Box<dyn Caller>,
    outbox: Outbox,
    room: Option<Arc<Room>>,
    tasks: Tasks,
}

/// The running tasks, one of each kind at a time. A raised flag means that there is none, or that it is
/// ending.
#[derive(Debug)]
struct Tasks {
    hint: Arc<Stop>,
    analysis: Arc<Stop>,
    review: Arc<Stop>,
    material: Arc<Stop>,
    practice: Arc<Stop>,
}

impl Default for Tasks {
    fn default() -> Tasks {
        let none = || {
            let stop = Stop::new();
            stop.request();
            Arc::new(stop)
        };
        Tasks {
            hint: none(),
            analysis: none(),
            review: none(),
            material: none(),
            practice: none(),
        }
    }
}

impl Connection {
    /// Returns a connection that is in no game.
    pub fn new(hub: Arc<Hub>, caller: impl Caller + 'static, outbox: Outbox) -> Connection {
        Connection {
            hub,
            caller: Box::new(caller),
            outbox,
            room: None,
            tasks: Tasks::default(),
        }
    }

    /// Answers a text message.
    pub fn text(&mut self, text: &str) {
        let most = self.hub.services.config.message_bytes;
        if text.len() > most {
            let message = format!("{} bytes (expected at most {most})", text.len());
            self.refuse(None, Refusal::new(Code::TooLarge, message));
            return;
        }
        match wire::read(text) {
            Err((id, refusal)) => self.refuse(id, refusal),
            Ok((id, message)) => match self.answer_or_fail(id, message) {
                Ok(Some(answer)) => self.outbox.send(id, &answer),
                Ok(None) => {}
                Err(refusal) => self.refuse(id, refusal),
            },
        }
        let services = &self.hub.services;
        while let Some(damage) = services.tables.take_damage() {
            services.host.warn(&damage);
        }
    }

    /// Refuses a binary message.
    pub fn binary(&mut self) {
        let message = "a binary message (expected text)";
        self.refuse(None, Refusal::new(Code::Malformed, message));
    }

    fn refuse(&self, re: Option<u64>, refusal: Refusal) {
        self.outbox.send(re, &refusal.into());
    }

    /// Answers a message; a panic costs no more than its answer.
    fn answer_or_fail(&mut self, re: Option<u64>, message: ClientMessage) -> Answer {
        let answer = AssertUnwindSafe(|| self.answer(re, message));
        catch_unwind(answer).unwrap_or_else(|_| {
            refuse(
                Code::Internal,
                "the answer failed by a fault of the program",
            )
        })
    }

    fn room(&self) -> Result<&Arc<Room>, Refusal> {
        match &self.room {
            Some(room) => Ok(room),
            None => refuse(Code::NoSeat, "you are in no game"),
        }
    }

    /// Answers a message, or lets its room or a task answer later.
    fn answer(&mut self, re: Option<u64>, message: ClientMessage) -> Answer {
        use ClientMessage as M;
        self.caller.pay(message.cost())?;
        let outbox = &self.outbox.clone();
        let services = &self.hub.services.clone();
        match message {
            M::Create(request) => later(self.create(re, &request)),
            M::Enter { token } => later(self.enter(re, &token)),
            M::Leave {} => now(self.leave()),
            M::Play { action, ply } => later(self.room()?.play(outbox, re, &action, ply)),
            M::Undo {} => later(self.room()?.undo(outbox, re)),
            M::Hint {} => later(self.hint(re)),
            M::Resign {} => later(self.room()?.resign(outbox, re)),
            M::OfferDraw {} => later(self.room()?.offer_draw(outbox, re)),
            M::Answer { accept } => later(self.room()?.answer(outbox, re, accept)),
            M::Rematch {} => later(self.rematch(re)),
            M::Pause { paused } => later(self.room()?.pause(outbox, re, paused)),
            M::ShowThinking { show } => now(self.show_thinking(show)),
            M::CheckDeal(request) => now(answers::check_deal(request)),
            M::View { line } => now(answers::view(services, &line)),
            M::Walk { line } => now(answers::walk(services, &line)),
            M::Explain { line, action } => now(answers::explain(&line, &action)),
            M::CheckPosition { position, rules } => {
                now(Ok(answers::check_position(services, &position, rules)))
            }
            M::Import { text, rules, game } => now(answers::import(&text, rules, game)),
            M::Export(request) => now(answers::export(services, self.room.as_deref(), *request)),
            M::Analyse(request) => later(self.analyse(re, &request)),
            M::StopAnalysis {} => now(end(&self.tasks.analysis, "analysis")),
            M::Review(request) => later(self.review(re, request)),
            M::StopReview {} => now(end(&self.tasks.review, "review")),
            M::Probe { position, rules } => now(answers::probe(services, &position, rules)),
            M::Material { material } => later(self.look_up(re, &material)),
            M::Practise { material, seed } => later(self.practise(re, &material, seed)),
            M::Defend { line } => later(self.defend(re, &line)),
            M::Puzzles {} => now(puzzles::all(services.folder.as_deref())),
            M::Lessons {} => now(Ok(lessons::all(services.folder.as_deref()))),
            M::Ping {} => now(Ok(ServerMessage::Pong)),
        }
    }

    fn create(&mut self, re: Option<u64>, request: &Create) -> Result<(), Refusal> {
        let room = self.hub.create(&self.outbox, re, request)?;
        self.move_to(Some(room));
        Ok(())
    }

    fn rematch(&mut self, re: Option<u64>) -> Result<(), Refusal> {
        let room = self.hub.rematch(self.room()?, &self.outbox, re)?;
        self.move_to(Some(room));
        Ok(())
    }

    fn show_thinking(&self, show: bool) -> Result<ServerMessage, Refusal> {
        self.room()?.show_thinking(&self.outbox, show)?;
        Ok(ServerMessage::Ok)
    }

    fn analyse(&mut self, re: Option<u64>, request: &Analyse) -> Result<(), Refusal> {
        self.tasks.analysis.request();
        self.tasks.analysis = start_analysis(&self.asker(re), request)?;
        Ok(())
    }

    fn review(&mut self, re: Option<u64>, request: Review) -> Result<(), Refusal> {
        self.tasks.review.request();
        self.tasks.review = start_review(&self.asker(re), request)?;
        Ok(())
    }

    fn enter(&mut self, re: Option<u64>, token: &str) -> Result<(), Refusal> {
        let room = self.hub.find(token)?;
        room.enter(&self.outbox, re, token)?;
        self.move_to(Some(room));
        Ok(())
    }

    fn leave(&mut self) -> Result<ServerMessage, Refusal> {
        self.room()?;
        self.move_to(None);
        Ok(ServerMessage::Ok)
    }

    fn asker(&self, re: Option<u64>) -> Asker {
        Asker {
            services: self.hub.services.clone(),
            outbox: self.outbox.clone(),
            re,
        }
    }

    fn hint(&mut self, re: Option<u64>) -> Result<(), Refusal> {
        let room = Arc::clone(self.room()?);
        if !room.allows_hint(&self.outbox, re)? {
            return Ok(());
        }
        let game = room.game();
        if room.is_over() {
            return refuse(Code::WrongPhase, "the game is over");
        }
        self.tasks.hint.request();
        self.tasks.hint = start_hint(&self.asker(re), room.id.clone(), game);
        Ok(())
    }

    /// Looks up a set of pieces, unless another look-up is running.
    fn look_up(&mut self, re: Option<u64>, text: &str) -> Result<(), Refusal> {
        let set: Material = text.parse().map_err(Refusal::unreadable)?;
        if !self.tasks.material.requested() {
            return refuse(Code::Busy, "another material is being looked up");
        }
        self.tasks.material = start_look_up(&self.asker(re), set);
        Ok(())
    }

    /// Chooses positions of a set of pieces to practise.
    fn practise(&mut self, re: Option<u64>, text: &str, seed: Option<u64>) -> Result<(), Refusal> {
        let set: Material = text.parse().map_err(Refusal::unreadable)?;
        self.drill(re, Drill::choose(set, seed.unwrap_or(1))?)
    }

    fn defend(&mut self, re: Option<u64>, line: &Line) -> Result<(), Refusal> {
        self.drill(re, Drill::judge(line)?)
    }

    /// Works on an exercise, unless another one is being worked on.
    fn drill(&mut self, re: Option<u64>, drill: Drill) -> Result<(), Refusal> {
        if !self.tasks.practice.requested() {
            return refuse(Code::Busy, "another exercise is being worked on");
        }
        self.tasks.practice = start_drill(&self.asker(re), drill);
        Ok(())
    }

    fn move_to(&mut self, room: Option<Arc<Room>>) {
        let same = |old: &Arc<Room>| room.as_ref().is_some_and(|new| Arc::ptr_eq(old, new));
        if let Some(old) = self.room.take().filter(|old| !same(old)) {
            old.leave(self.outbox.connection);
        }
        self.room = room;
    }
}

fn now(answer: Result<ServerMessage, Refusal>) -> Answer {
    answer.map(Some)
}

fn later(begun: Result<(), Refusal>) -> Answer {
    begun.map(|()| None)
}

fn end(task: &Stop, what: &str) -> Result<ServerMessage, Refusal> {
    if task.requested() {
        return refuse(Code::NothingToDo, format!("no {what} is under way"));
    }
    task.request();
    Ok(ServerMessage::Ok)
}

impl Drop for Connection {
    /// Stops everything that runs for this connection.
    fn drop(&mut self) {
        let tasks = &self.tasks;
        let longer = [&tasks.material, &tasks.practice];
        for task in [&tasks.hint, &tasks.analysis, &tasks.review]
            .into_iter()
            .chain(longer)
        {
            task.request();
        }
        self.move_to(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::Config;
    use crate::testing::{Bench, outbox};
    use serde_json::{Value, json};
    use std::sync::mpsc::Receiver;
    use std::time::Duration;

    fn connection() -> (Arc<Bench>, Connection, Receiver<String>) {
        let (bench, services) = Bench::new(Config::default());
        let (outbox, heard) = outbox(1);
        let hub = Arc::new(Hub::new(services));
        (bench, Connection::new(hub, Anyone, outbox), heard)
    }

    /// Sends a message and returns everything that has been heard since.
    fn ask(connection: &mut Connection, heard: &Receiver<String>, message: &Value) -> Vec<Value> {
        connection.text(&message.to_string());
        all(heard)
    }

    fn all(heard: &Receiver<String>) -> Vec<Value> {
        let texts = heard.try_iter();
        texts
            .map(|text| serde_json::from_str(&text).unwrap())
            .collect()
    }

    #[test]
    fn a_task_that_panics_gives_its_client_an_error() {
        let (bench, mut connection, heard) = connection();
        let line = json!({"start": "start", "plies": ["b2(G)", "b3(k)", "a1(p)"]});
        for (name, message) in [
            (
                "analysis",
                json!({"id": 7, "type": "analyse", "line": line}),
            ),
            ("review", json!({"id": 7, "type": "review", "line": line})),
            (
                "material",
                json!({"id": 7, "type": "material", "material": "Kk"}),
            ),
        ] {
            assert!(ask(&mut connection, &heard, &message).is_empty(), "{name}");
            bench.fail();
            let answers = all(&heard);
            assert_eq!(answers[0]["re"], 7, "{name}");
            assert_eq!(answers[0]["code"], "internal", "{name}");
            let words = answers[0]["message"].as_str().unwrap();
            assert!(words.contains(name), "{words}");
        }
        let stop = json!({"type": "stop_analysis"});
        let answers = ask(&mut connection, &heard, &stop);
        assert_eq!(answers[0]["code"], "nothing_to_do");
    }

    #[test]
    fn a_game_against_an_engine_needs_no_socket_and_no_thread() {
        let (bench, mut connection, heard) = connection();
        let seats = json!([{"kind": "me"}, {"kind": "player", "spec": "greedy"}]);
        let create = json!({"id": 1, "type": "create", "seats": seats});
        let answers = ask(&mut connection, &heard, &create);
        assert_eq!(answers[0]["type"], "created");
        assert_eq!(answers[1]["board"]["squares"], "?".repeat(32));
        let play = json!({"id": 2, "type": "play", "action": "b2-b2"});
        let answers = ask(&mut connection, &heard, &play);
        assert_eq!(answers[0]["re"], 2);
        assert_eq!(answers[0]["thinking"], true);
        assert_eq!(bench.work(), 1);
        assert!(all(&heard).is_empty(), "the pace");
        bench.pass(Duration::from_millis(350));
        let state = &all(&heard)[0];
        assert_eq!(state["plies"].as_array().unwrap().len(), 2);
        assert_eq!(state["to_move"], 0);
    }

    #[test]
    fn an_analysis_goes_on_round_by_round_until_it_is_stopped() {
        let (bench, mut connection, heard) = connection();
        let line = json!({"start": "start", "plies": ["b2(G)", "b3(k)"]});
        let analyse = json!({"id": 1, "type": "analyse", "line": line, "nodes": 40_000});
        ask(&mut connection, &heard, &analyse);
        let mut rounds = 0;
        while bench.work() > 0 {
            rounds += 1;
            let answer = &all(&heard)[0];
            assert_eq!(answer["type"], "analysis");
            assert_eq!(answer["lines"].as_array().unwrap().len(), 3);
        }
        assert!(rounds >= 2, "{rounds}");
        let review = json!({"id": 2, "type": "review", "line": line, "nodes": 300});
        ask(&mut connection, &heard, &review);
        while bench.work() > 0 {}
        let answers = all(&heard);
        assert_eq!(answers[0]["type"], "review_progress");
        assert_eq!(answers.last().unwrap()["type"], "review");
    }
}
