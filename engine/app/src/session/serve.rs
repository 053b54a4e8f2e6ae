//! The driver that listens while a job runs.
//!
//! Three threads: a reader takes lines, a worker runs the job, and the caller of
//! [`serve()`] owns the session, takes events from the other two, and is the
//! only one that writes. Answers come in the order of the requests; a request
//! that arrives during a job waits its turn, with two exceptions:
//!
//! - `stop` ends the running job and every job requested before the `stop`;
//! - `quit` does the same; the conversation ends when the requests before it
//!   are answered. Only a player that ignores the stop is left behind, after
//!   ten seconds.
//!
//! The reader runs ahead of the session by a bounded number of lines; a peer
//! that sends more blocks on its pipe.
//!
//! In UCI the answer to `go infinite` or `go ponder` is held back until `stop`, even if the search
//! has ended. `ponderhit` ends a search on the opponent's time and begins it again with a clock:
//! what it found is in the player's memory.
//!
//! Requests that wait at the end of the input are still answered. A job bounded
//! by depth or nodes then runs to its end, so that a script piped in gives the
//! same answers every time; one bounded by time, or by nothing, is stopped.

use super::dialect::{Dialect, Hold, Incoming, Received};
use super::queue::{Ended, Running, Waiting};
use super::{Done, Job, Log, Session, Step};
use anqi_protocol::command::MAX_LINE_BYTES;
use anqi_protocol::dialect::Diagram;
use anqi_protocol::{Answer, Command, Info, Reply, Request};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Capacity of the channel of events.
const CHANNEL: usize = 256;
/// Lines that are read ahead during a job; further lines wait in the pipe.
const READ_AHEAD: usize = 1024;
/// How long `quit` waits for the answers to earlier requests.
///
/// Players stop at once, but on a busy machine "at once" may take seconds; an
/// answer must not depend on that.
const QUIT_PATIENCE: Duration = Duration::from_secs(10);
/// Searches recurse deeply: the default stack of a thread might overflow.
const WORKER_STACK_BYTES: usize = 32 << 20;

enum Event {
    /// A line, and when it arrived.
    Line(Vec<u8>, Instant),
    EndOfInput,
    Info(Info),
    Done(Done),
}

/// The conversation, on the thread that owns the session.
struct Server<'a, W> {
    session: &'a mut Session,
    dialect: Dialect,
    output: W,
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    /// One entry for each line that was read and is not yet handled.
    unfinished: Receiver<()>,
    waiting: VecDeque<Waiting>,
    running: Option<Running>,
    ended: bool,
    patience: Duration,
    leaving: Option<Leaving>,
    log: Log,
}

/// A `quit` that came during a job.
struct Leaving {
    number: Option<u32>,
    deadline: Instant,
}

/// Answers requests from `input` until `quit` or the end of the input.
///
/// If `quit` comes before the end of the input, the reader thread stays blocked
/// until the process ends.
///
/// # Errors
///
/// Fails if `output` cannot be written or no thread can be started.
pub fn serve(
    session: &mut Session,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    serve_logged(session, input, output, Log::none())
}

/// Does the same, and logs every line.
///
/// # Errors
///
/// Fails if `output` cannot be written or no thread can be started.
pub fn serve_logged(
    session: &mut Session,
    input: impl Read + Send + 'static,
    output: impl Write,
    log: Log,
) -> io::Result<()> {
    serve_with_patience(session, input, output, QUIT_PATIENCE, log)
}

/// Does the same; `quit` waits so long for a player that ignores the stop.
pub(super) fn serve_with_patience(
    session: &mut Session,
    input: impl Read + Send + 'static,
    output: impl Write,
    patience: Duration,
    log: Log,
) -> io::Result<()> {
    let (sender, events) = sync_channel(CHANNEL);
    let (begun, unfinished) = sync_channel(READ_AHEAD);
    let lines = sender.clone();
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read_lines(BufReader::new(input), &lines, &begun))?;
    Server {
        session,
        dialect: Dialect::undecided(),
        output,
        events,
        sender,
        unfinished,
        waiting: VecDeque::new(),
        running: None,
        ended: false,
        patience,
        leaving: None,
        log,
    }
    .run()
}

impl<W: Write> Server<'_, W> {
    fn run(mut self) -> io::Result<()> {
        loop {
            self.release()?;
            if self.running.is_none() {
                match self.waiting.pop_front() {
                    Some(next) => {
                        if self.answer(next)? == Flow::Leave {
                            return Ok(());
                        }
                        continue;
                    }
                    None if self.ended => return Ok(()),
                    None => {}
                }
            }
            let Some(event) = self.next_event() else {
                return self.leave_unanswered();
            };
            match event {
                Event::Line(line, arrival) => self.listen(&line, arrival)?,
                Event::EndOfInput => self.end_input(),
                Event::Info(info) => self.write(&self.dialect.say_info(&info))?,
                Event::Done(done) => {
                    if let Some(running) = &mut self.running {
                        running.result = Some(Ended::Done(done));
                    }
                }
            }
        }
    }

    /// Gives the answer of a job that has ended, unless it is held back.
    fn release(&mut self) -> io::Result<()> {
        let is_due = |running: &mut Running| running.result.is_some() && running.hold == Hold::Free;
        let Some(running) = self.running.take_if(is_due) else {
            return Ok(());
        };
        let done = match running.result {
            Some(Ended::Done(done)) => done,
            Some(Ended::Reply(reply)) => return self.reply(&reply),
            None => return Ok(()),
        };
        let Some(hit) = running.hit else {
            let reply = self.session.finish(done);
            return self.reply(&reply);
        };
        match self.session.resume(done) {
            Ok(job) => self.start(job, false, Hold::Free, Some(hit)),
            Err(reply) => self.reply(&reply),
        }
    }

    /// Reads a line and handles its requests.
    fn listen(&mut self, mut line: &[u8], arrival: Instant) -> io::Result<()> {
        self.log.received(line);
        if let Some(rules) = self.dialect.decide(&mut line) {
            self.session.play_by(rules);
        }
        let received = self.dialect.receive(line, self.session.options.rules);
        if self.dialect.reports_info() && matches!(received, Received::Say(_)) {
            self.session.report_info();
        }
        let requests = match received {
            Received::Requests(requests) => requests,
            Received::Say(text) => {
                self.write(&text)?;
                Vec::new()
            }
            Received::SayReady(text) => {
                if self.running.is_none()
                    && let Err(error) = self.session.prepare()
                {
                    eprintln!("anqi: {error}");
                }
                self.write(text)?;
                Vec::new()
            }
            Received::PonderHit => {
                self.ponder_hit(arrival);
                Vec::new()
            }
        };
        if requests.is_empty() {
            self.finish_line();
        }
        let is_next = self.running.is_none() && self.waiting.is_empty();
        let arrival = is_next.then_some(arrival);
        let last = requests.len().saturating_sub(1);
        for (index, incoming) in requests.into_iter().enumerate() {
            self.receive(incoming, arrival, index == last);
        }
        Ok(())
    }

    /// Starts the clock of a search on the opponent's time, whether it runs or still waits.
    fn ponder_hit(&mut self, arrival: Instant) {
        match &mut self.running {
            Some(running) if running.hold == Hold::UntilHit => {
                running.hold = Hold::Free;
                // A search that has ended by itself is the answer.
                if running.result.is_none() {
                    running.stop.request();
                    running.hit = Some(arrival);
                }
            }
            _ => {
                let limits = self.waiting.iter_mut().find_map(Waiting::pondering);
                if let Some(limits) = limits {
                    limits.ponder = false;
                }
            }
        }
    }

    /// Lets the reader read another line.
    fn finish_line(&mut self) {
        // The reader adds an entry before it sends a line.
        let _ = self.unfinished.try_recv();
    }

    /// Waits for the next event; `None` once the deadline of a `quit` has passed.
    fn next_event(&self) -> Option<Event> {
        match &self.leaving {
            // This thread holds a sender, so the channel never closes.
            None => self.events.recv().ok(),
            Some(leaving) => {
                let left = leaving.deadline.saturating_duration_since(Instant::now());
                self.events.recv_timeout(left).ok()
            }
        }
    }

    fn leave_unanswered(&mut self) -> io::Result<()> {
        let number = self.leaving.as_ref().and_then(|leaving| leaving.number);
        self.reply(&Reply::done(number, Answer::Empty))
    }

    /// Answers a request whose turn has come.
    fn answer(&mut self, waiting: Waiting) -> io::Result<Flow> {
        if waiting.ends_line {
            self.finish_line();
        }
        let Waiting {
            incoming,
            arrival,
            cut,
            ..
        } = waiting;
        let (asks, sets_up) = (incoming.asks(), incoming.sets_up());
        let is_last = cut || self.ended || self.leaving.is_some();
        let hold = if is_last {
            Hold::Free
        } else {
            self.dialect.hold(&incoming.parsed)
        };
        if asks && self.dialect.lost().is_some() && !self.regain()? {
            let reply = self.act(&incoming);
            self.running = Some(Running::ended(reply, hold));
            return Ok(Flow::GoOn);
        }
        let Incoming { parsed, diagram } = incoming;
        match self.session.handle(parsed) {
            Step::Silent => {}
            Step::Reply(reply) if asks => {
                let reply = self.settle(reply, diagram.as_deref())?;
                self.running = Some(Running::ended(reply, hold));
            }
            Step::Reply(reply) => {
                self.reply(&reply)?;
                if sets_up {
                    self.dialect.note_position(reply.is_refusal(), diagram);
                }
            }
            Step::Leave(reply) => {
                self.reply(&reply)?;
                return Ok(Flow::Leave);
            }
            Step::Work(job) => self.start(job, cut, hold, arrival)?,
        }
        Ok(Flow::GoOn)
    }

    /// Sets up the board of a refused position, if it is possible, and returns whether it is.
    fn regain(&mut self) -> io::Result<bool> {
        let remark = self.dialect.remark("no position: the last one was refused");
        self.write(&remark)?;
        let Some(position) = self.dialect.lost().and_then(|lost| lost.position().ok()) else {
            return Ok(false);
        };
        let command = Command::Position(Box::new(position), Vec::new());
        let number = None;
        let step = self.session.handle(Ok(Some(Request { number, command })));
        let is_set_up = matches!(step, Step::Reply(reply) if !reply.is_refusal());
        if is_set_up {
            self.dialect.note_position(false, None);
        }
        Ok(is_set_up)
    }

    /// Answers a request for an action without a position.
    fn act(&self, incoming: &Incoming) -> Reply {
        let number = match &incoming.parsed {
            Ok(request) => request.as_ref().and_then(|request| request.number),
            Err(refusal) => refusal.number,
        };
        let refused = Reply::refused(number, "no legal action can be read from the board");
        let instead = self.dialect.instead(&refused, self.dialect.lost());
        instead.unwrap_or(refused)
    }

    /// Turns a refusal into an action where silence would lose.
    fn settle(&mut self, reply: Reply, diagram: Option<&Diagram>) -> io::Result<Reply> {
        let Err(reason) = &reply.content else {
            return Ok(reply);
        };
        let own = self.session.diagram();
        let Some(action) = self.dialect.instead(&reply, diagram.or(own.as_ref())) else {
            return Ok(reply);
        };
        let remark = self.dialect.remark(reason);
        self.write(&remark)?;
        Ok(action)
    }

    /// Queues a request; `stop` and `quit` take effect at once.
    fn receive(&mut self, incoming: Incoming, arrival: Option<Instant>, ends_line: bool) {
        let mut cut = false;
        if let (Some(running), Ok(Some(request))) = (&mut self.running, &incoming.parsed) {
            if matches!(request.command, Command::Quit | Command::Stop) {
                running.end();
                self.waiting
                    .iter_mut()
                    .for_each(|waiting| waiting.cut = true);
            }
            if request.command == Command::Quit && self.leaving.is_none() {
                cut = true;
                self.leaving = Some(Leaving {
                    number: request.number,
                    deadline: Instant::now() + self.patience,
                });
            }
        }
        self.waiting.push_back(Waiting {
            incoming,
            arrival,
            cut,
            ends_line,
        });
    }

    fn end_input(&mut self) {
        self.ended = true;
        if let Some(running) = &mut self.running {
            running.hold = Hold::Free;
            if !running.bounded {
                running.end();
            }
        }
    }

    /// Starts a job; its time limits count from the arrival of its request, or from now.
    fn start(
        &mut self,
        mut job: Job,
        cut: bool,
        hold: Hold,
        arrival: Option<Instant>,
    ) -> io::Result<()> {
        job.set_arrival(arrival.unwrap_or_else(Instant::now));
        let running = Running {
            stop: job.stopper(),
            bounded: job.is_bounded(),
            hold,
            result: None,
            hit: None,
        };
        if cut || (self.ended && !running.bounded) {
            running.stop.request();
        }
        let sender = self.sender.clone();
        thread::Builder::new()
            .name("worker".to_owned())
            .stack_size(WORKER_STACK_BYTES)
            .spawn(move || work(job, &sender))?;
        self.running = Some(running);
        Ok(())
    }

    fn reply(&mut self, reply: &Reply) -> io::Result<()> {
        let text = self.dialect.say(reply);
        self.write(&text)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()?;
        self.log.said(text);
        Ok(())
    }
}

/// Whether the session continues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    Leave,
}

/// Runs a job and sends its progress and its result; after `quit` nobody receives them.
fn work(job: Job, sender: &SyncSender<Event>) {
    let done = job.run(&mut |info| {
        let _ = sender.send(Event::Info(info));
    });
    let _ = sender.send(Event::Done(done));
}

fn read_lines(mut input: impl BufRead, sender: &SyncSender<Event>, begun: &SyncSender<()>) {
    while let Ok(Some(line)) = read_line(&mut input) {
        if begun.send(()).is_err() || sender.send(Event::Line(line, Instant::now())).is_err() {
            return;
        }
    }
    // After `quit` nobody needs to know.
    let _ = sender.send(Event::EndOfInput);
}

/// Reads a line; of one that is too long, keeps one byte more than the limit.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let limit = MAX_LINE_BYTES as u64 + 1;
    input.by_ref().take(limit).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let mut rest = Vec::new();
    let mut finished = line.ends_with(b"\n") || (line.len() as u64) < limit;
    while !finished {
        rest.clear();
        let read = input.by_ref().take(limit).read_until(b'\n', &mut rest)?;
        finished = read == 0 || rest.ends_with(b"\n");
    }
    Ok(Some(line))
}
