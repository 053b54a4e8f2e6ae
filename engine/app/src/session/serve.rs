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
//! Requests that wait at the end of the input are still answered. A job bounded
//! by depth or nodes then runs to its end, so that a script piped in gives the
//! same answers every time; one bounded by time, or by nothing, is stopped.

use super::dialect::{Dialect, Heard, Parsed};
use super::{Done, Job, Session, Step};
use anqi_protocol::command::MAX_LINE_BYTES;
use anqi_protocol::{Answer, Command, Info, Reply};
use anqi_search::Stop;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
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
    Line(Vec<u8>),
    EndOfInput,
    Info(Info),
    Done(Done),
}

/// A request that waits its turn.
struct Waiting {
    parsed: Parsed,
    /// A later `stop` ends it too.
    cut: bool,
    /// It is the last of its line.
    ends_line: bool,
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
}

/// A `quit` that came during a job.
struct Leaving {
    number: Option<u32>,
    deadline: Instant,
}

/// The running job.
struct Running {
    stop: Arc<Stop>,
    bounded: bool,
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
    serve_with_patience(session, input, output, QUIT_PATIENCE)
}

/// Does the same; `quit` waits so long for a player that ignores the stop.
pub(super) fn serve_with_patience(
    session: &mut Session,
    input: impl Read + Send + 'static,
    output: impl Write,
    patience: Duration,
) -> io::Result<()> {
    let (sender, events) = sync_channel(CHANNEL);
    let (begun, unfinished) = sync_channel(READ_AHEAD);
    let lines = sender.clone();
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read_lines(BufReader::new(input), &lines, &begun))?;
    Server {
        session,
        dialect: Dialect::Undecided,
        output,
        events,
        sender,
        unfinished,
        waiting: VecDeque::new(),
        running: None,
        ended: false,
        patience,
        leaving: None,
    }
    .run()
}

impl<W: Write> Server<'_, W> {
    fn run(mut self) -> io::Result<()> {
        loop {
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
                Event::Line(line) => self.listen(&line)?,
                Event::EndOfInput => self.end_input(),
                Event::Info(info) => self.write(&self.dialect.say_info(&info))?,
                Event::Done(done) => {
                    self.running = None;
                    let reply = self.session.finish(done);
                    self.reply(&reply)?;
                }
            }
        }
    }

    /// Reads a line and handles its requests.
    fn listen(&mut self, line: &[u8]) -> io::Result<()> {
        let heard = self.dialect.hear(line);
        if self.dialect.reports_info() && matches!(heard, Heard::Say(_)) {
            self.session.report_info();
        }
        let requests = match heard {
            Heard::Requests(requests) => requests,
            Heard::Say(text) => {
                self.write(&text)?;
                Vec::new()
            }
            Heard::SayReady(text) => {
                if self.running.is_none()
                    && let Err(error) = self.session.prepare()
                {
                    eprintln!("anqi: {error}");
                }
                self.write(text)?;
                Vec::new()
            }
        };
        if requests.is_empty() {
            self.finish_line();
        }
        let last = requests.len().saturating_sub(1);
        for (index, parsed) in requests.into_iter().enumerate() {
            self.hear(parsed, index == last);
        }
        Ok(())
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
        if let Some(reply) = self.dialect.veto(&waiting.parsed) {
            self.reply(&reply)?;
            return Ok(Flow::GoOn);
        }
        match self.session.handle(waiting.parsed) {
            Step::Silent => {}
            Step::Reply(reply) => self.reply(&reply)?,
            Step::Leave(reply) => {
                self.reply(&reply)?;
                return Ok(Flow::Leave);
            }
            Step::Work(job) => self.start(job, waiting.cut)?,
        }
        Ok(Flow::GoOn)
    }

    /// Queues a request; `stop` and `quit` take effect at once.
    fn hear(&mut self, parsed: Parsed, ends_line: bool) {
        let mut cut = false;
        if let (Some(running), Ok(Some(request))) = (&self.running, &parsed) {
            if matches!(request.command, Command::Quit | Command::Stop) {
                running.stop.request();
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
            parsed,
            cut,
            ends_line,
        });
    }

    fn end_input(&mut self) {
        self.ended = true;
        if let Some(running) = self.running.as_ref().filter(|running| !running.bounded) {
            running.stop.request();
        }
    }

    fn start(&mut self, job: Job, cut: bool) -> io::Result<()> {
        let running = Running {
            stop: job.stopper(),
            bounded: job.is_bounded(),
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
        self.output.flush()
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
        if begun.send(()).is_err() || sender.send(Event::Line(line)).is_err() {
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
