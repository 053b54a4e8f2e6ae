//! Which dialect a conversation is in, and the translation.
//!
//! The first line that is neither empty nor a comment decides: `uci`, a line of
//! four ranks and two times, or else the tournament protocol. Lines of the
//! other two dialects become the same requests, and replies are written in
//! their words; the session knows nothing of this. A request keeps the number
//! of the tournament's command, so that the reply shows what it answers.

use super::uci_options::{self, MULTIPV, read_multipv};
use anqi_protocol::command::parse;
use anqi_protocol::dialect::{lines, uci};
use anqi_protocol::{Answer, Command, CommandName, Info, Refusal, Reply, Request};
use anqi_rules::Color;

/// The byte order mark that some programs put before their text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A parsed line.
pub(super) type Parsed = Result<Option<Request>, Refusal>;

/// The response to a line.
pub(super) enum Heard {
    /// Requests, in this order.
    Requests(Vec<Parsed>),
    /// A text to write at once, even during a search.
    Say(String),
    /// A text to write when the player is ready, or at once during a search.
    SayReady(&'static str),
}

/// The dialect of a conversation.
pub(super) enum Dialect {
    /// Nothing has been said yet.
    Undecided,
    /// The tournament protocol.
    Tournament,
    /// UCI for banqi.
    Uci {
        /// The last `position` was refused, so there is nothing to think about.
        lost: bool,
        /// How many best actions to report.
        multipv: u32,
    },
    /// One line a position.
    Lines(Box<lines::Follower>),
}

impl Dialect {
    /// Reads a line; the first one decides the dialect.
    pub(super) fn hear(&mut self, mut line: &[u8]) -> Heard {
        if matches!(self, Dialect::Undecided) {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
            *self = decide(line);
        }
        match self {
            Dialect::Undecided | Dialect::Tournament => Heard::Requests(vec![parse(line)]),
            Dialect::Uci { multipv, .. } => hear_uci(line, multipv),
            Dialect::Lines(follower) => Heard::Requests(hear_lines(follower, line)),
        }
    }

    /// Returns whether `info` lines are sent without `set info on`.
    pub(super) fn reports_info(&self) -> bool {
        matches!(self, Dialect::Uci { .. })
    }

    /// Refuses a request that the dialect rules out.
    pub(super) fn veto(&self, parsed: &Parsed) -> Option<Reply> {
        let request = parsed.as_ref().ok()?.as_ref()?;
        match (self, &request.command) {
            (Dialect::Uci { lost: true, .. }, Command::Go(_)) => Some(Reply::refused(
                request.number,
                "no position: the last one was refused",
            )),
            _ => None,
        }
    }

    /// Returns a reply in the dialect, with its newline, or an empty text.
    pub(super) fn say(&mut self, reply: &Reply) -> String {
        match self {
            Dialect::Undecided | Dialect::Tournament => reply.to_string(),
            Dialect::Uci { lost, .. } => {
                if reply.number == Some(CommandName::Position.number()) {
                    *lost = reply.is_refusal();
                }
                uci::write_reply(reply)
            }
            Dialect::Lines(_) => match &reply.content {
                Ok(Answer::Squares(action)) => lines::write_action(*action) + "\n",
                Ok(_) => String::new(),
                Err(reason) => {
                    // The server reads nothing but actions.
                    eprintln!("anqi: {reason}");
                    String::new()
                }
            },
        }
    }

    /// Returns an `info` line in the dialect.
    pub(super) fn say_info(&self, info: &Info) -> String {
        match self {
            Dialect::Uci { .. } => uci::write_info(info),
            _ => info.to_string(),
        }
    }
}

/// Chooses the dialect by a line, unless it is empty or a comment.
fn decide(line: &[u8]) -> Dialect {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    match text.split_ascii_whitespace().next() {
        None => Dialect::Undecided,
        Some(word) if word.starts_with('#') => Dialect::Undecided,
        Some("uci") => Dialect::Uci {
            lost: false,
            multipv: 1,
        },
        _ if lines::recognises(text) => Dialect::Lines(Box::default()),
        _ => Dialect::Tournament,
    }
}

fn hear_uci(line: &[u8], multipv: &mut u32) -> Heard {
    match uci::read(line) {
        Ok(uci::Line::Nothing) => Heard::Requests(Vec::new()),
        Ok(uci::Line::Introduce) => Heard::Say(introduction()),
        Ok(uci::Line::Ready) => Heard::SayReady("readyok\n"),
        Ok(uci::Line::Request(request)) => hear_uci_request(request, multipv),
        Err(refusal) => Heard::Requests(vec![Err(refusal)]),
    }
}

/// Translates a request; the dialect keeps MultiPV itself and adds it to every search.
fn hear_uci_request(mut request: Request, multipv: &mut u32) -> Heard {
    match &mut request.command {
        Command::Set(name, value) if name == MULTIPV => {
            return Heard::Requests(match read_multipv(value) {
                Ok(lines) => {
                    *multipv = lines;
                    Vec::new()
                }
                Err(error) => {
                    let number = None;
                    vec![Err(Refusal { number, error })]
                }
            });
        }
        Command::Go(limits) => limits.multipv = limits.multipv.or(Some(*multipv)),
        _ => {}
    }
    Heard::Requests(vec![Ok(Some(request))])
}

fn introduction() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let options = uci_options::introduction();
    format!("id name anqi {version}\nid author the anqi authors\n{options}uciok\n")
}

/// Turns a line with a position into the requests of a tournament server.
fn hear_lines(follower: &mut lines::Follower, line: &[u8]) -> Vec<Parsed> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let request = |command| {
        Ok(Some(Request {
            number: None,
            command,
        }))
    };
    if text.is_empty() {
        return Vec::new();
    }
    if text == "quit" {
        return vec![request(Command::Quit)];
    }
    let read = lines::read(text).and_then(|line| {
        let game = follower.follow(&line)?;
        let position = Command::Position(Box::new(*game.start()), game.plies().to_vec());
        Ok((line, position))
    });
    let (line, position) = match read {
        Ok(read) => read,
        Err(reason) => {
            eprintln!("anqi: {reason}");
            return Vec::new();
        }
    };
    let mut requests = vec![request(position)];
    if let Some([red, black]) = line.left {
        requests.push(request(Command::TimeLeft(Color::Red, red)));
        requests.push(request(Command::TimeLeft(Color::Black, black)));
        requests.push(request(Command::Genmove(Some(line.turn))));
    }
    requests
}
