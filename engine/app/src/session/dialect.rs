//! Which dialect a conversation is in, and the translation.
//!
//! The first line that is neither empty nor a comment decides: `uci`, a line of
//! four ranks and two times, or else the tournament protocol. Lines of the
//! other two dialects become the same requests, and replies are written in
//! their words; the session knows nothing of this. A request keeps the number
//! of the tournament's command, so that the reply shows what it answers.
//!
//! Neither of the two has refusals: a program that is asked for an action and says nothing has
//! lost. So a line that may be refused comes with its board ([`Diagram`]), from which a legal
//! action is taken if nothing better can be done.

use super::uci_options::{self, MULTIPV, read_multipv};
use anqi_protocol::command::{GoLimits, parse};
use anqi_protocol::dialect::lines::{Asked, Follower};
use anqi_protocol::dialect::{Diagram, lines, uci};
use anqi_protocol::{
    Answer, BestMove, Command, CommandError, CommandName, Info, Refusal, Reply, Request,
};
use anqi_rules::{Color, Rules};
use std::time::Duration;

/// The byte order mark that some programs put before their text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Time for an action where a line has no time that can be read.
const UNTIMED: Duration = Duration::from_secs(1);
/// Of the last known time left, such an action takes at most one part in this many.
const LEAST_SHARES: u32 = 30;

/// A parsed line.
pub(super) type Parsed = Result<Option<Request>, Refusal>;

/// A request, or the refusal of a line, and its board if that is known without the session.
pub(super) struct Incoming {
    pub(super) parsed: Parsed,
    pub(super) diagram: Option<Box<Diagram>>,
}

/// What a line leads to.
pub(super) enum Received {
    /// Requests, in this order.
    Requests(Vec<Incoming>),
    /// A text to write at once, even during a search.
    Say(String),
    /// A text to write when the player is ready, or at once during a search.
    SayReady(&'static str),
    /// The move that was pondered on has been played.
    PonderHit,
}

/// When the answer of a search may be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hold {
    /// When it is found.
    Free,
    /// Not before `stop`.
    UntilStop,
    /// Not before `stop` or `ponderhit`.
    UntilHit,
}

/// The dialect of a conversation.
pub(super) struct Dialect {
    kind: Kind,
    /// The board of the last position, if that was refused.
    lost: Option<Box<Diagram>>,
}

enum Kind {
    /// Nothing has been said yet.
    Undecided,
    /// The tournament protocol.
    Tournament,
    /// UCI for banqi.
    Uci {
        /// How many best actions to report.
        multipv: u32,
    },
    /// One line a position.
    Lines(Box<Follower>),
}

impl Incoming {
    /// Returns whether it asks for an action.
    pub(super) fn asks(&self) -> bool {
        match &self.parsed {
            Ok(Some(request)) => matches!(request.command, Command::Genmove(_) | Command::Go(_)),
            Ok(None) => false,
            Err(refusal) => refusal.number == Some(CommandName::Go.number()),
        }
    }

    /// Returns whether it sets up a position.
    pub(super) fn sets_up(&self) -> bool {
        match &self.parsed {
            Ok(Some(request)) => matches!(request.command, Command::Position(..)),
            Ok(None) => false,
            Err(refusal) => refusal.number == Some(CommandName::Position.number()),
        }
    }
}

impl From<Parsed> for Incoming {
    fn from(parsed: Parsed) -> Incoming {
        let diagram = None;
        Incoming { parsed, diagram }
    }
}

impl Dialect {
    /// Returns the dialect of a conversation that has not begun.
    pub(super) fn undecided() -> Dialect {
        Dialect {
            kind: Kind::Undecided,
            lost: None,
        }
    }

    /// Lets a first line decide, less its byte order mark, and returns the rules that the
    /// dialect is played by if its server has rules of its own.
    pub(super) fn decide(&mut self, line: &mut &[u8]) -> Option<Rules> {
        if !matches!(self.kind, Kind::Undecided) {
            return None;
        }
        *line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        self.kind = decide(line);
        matches!(self.kind, Kind::Lines(_)).then_some(Rules::COURSE)
    }

    /// Reads a line, in a game by these rules.
    pub(super) fn receive(&mut self, line: &[u8], rules: Rules) -> Received {
        match &mut self.kind {
            Kind::Undecided | Kind::Tournament => Received::Requests(vec![parse(line).into()]),
            Kind::Uci { multipv } => read_uci(line, multipv),
            Kind::Lines(follower) => Received::Requests(read_lines(follower, line, rules)),
        }
    }

    /// Returns whether `info` lines are sent without `set info on`.
    pub(super) fn reports_info(&self) -> bool {
        matches!(self.kind, Kind::Uci { .. })
    }

    /// Returns when the answer to a request may be given.
    pub(super) fn hold(&self, parsed: &Parsed) -> Hold {
        let (Kind::Uci { .. }, Ok(Some(request))) = (&self.kind, parsed) else {
            return Hold::Free;
        };
        match &request.command {
            Command::Go(limits) if limits.infinite => Hold::UntilStop,
            Command::Go(limits) if limits.ponder => Hold::UntilHit,
            _ => Hold::Free,
        }
    }

    /// Notes whether a position was accepted; of a refused one the board is kept.
    pub(super) fn note_position(&mut self, is_refused: bool, diagram: Option<Box<Diagram>>) {
        self.lost = diagram.filter(|_| is_refused);
    }

    /// Returns the board of the last position, if that was refused.
    pub(super) fn lost(&self) -> Option<&Diagram> {
        self.lost.as_deref()
    }

    /// Returns the answer that takes an action from a board where a request is refused; `None`
    /// where a refusal is an answer, or the board has no action.
    pub(super) fn instead(&self, reply: &Reply, diagram: Option<&Diagram>) -> Option<Reply> {
        let action = diagram?.safest()?;
        let answer = match self.kind {
            Kind::Undecided | Kind::Tournament => return None,
            Kind::Uci { .. } => Answer::BestMove(BestMove::plain(action)),
            Kind::Lines(_) => Answer::Squares(action),
        };
        Some(Reply::done(reply.number, answer))
    }

    /// Returns a remark on a request, with its newline; where none can be written it goes to
    /// standard error.
    pub(super) fn remark(&self, reason: &str) -> String {
        match self.kind {
            Kind::Uci { .. } => uci::write_reply(&Reply::refused(None, reason)),
            _ => {
                eprintln!("anqi: {reason}");
                String::new()
            }
        }
    }

    /// Returns a reply in the dialect, with its newline, or an empty text.
    pub(super) fn say(&self, reply: &Reply) -> String {
        match &self.kind {
            Kind::Undecided | Kind::Tournament => reply.to_string(),
            Kind::Uci { .. } => uci::write_reply(reply),
            Kind::Lines(_) => match &reply.content {
                Ok(Answer::Squares(action) | Answer::BestMove(BestMove { action, .. })) => {
                    lines::write_action(*action) + "\n"
                }
                Ok(_) => String::new(),
                // The server reads nothing but actions.
                Err(reason) => self.remark(reason),
            },
        }
    }

    /// Returns an `info` line in the dialect.
    pub(super) fn say_info(&self, info: &Info) -> String {
        match self.kind {
            Kind::Uci { .. } => uci::write_info(info),
            _ => info.to_string(),
        }
    }
}

/// Chooses the dialect by a line, unless it is empty or a comment.
fn decide(line: &[u8]) -> Kind {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    match text.split_ascii_whitespace().next() {
        None => Kind::Undecided,
        Some(word) if word.starts_with('#') => Kind::Undecided,
        Some("uci") => Kind::Uci { multipv: 1 },
        _ if lines::recognises(text) => Kind::Lines(Box::default()),
        _ => Kind::Tournament,
    }
}

fn read_uci(line: &[u8], multipv: &mut u32) -> Received {
    let mut incoming = match uci::read(line) {
        Ok(uci::Message::Nothing) => Vec::new(),
        Ok(uci::Message::Introduce) => return Received::Say(introduction()),
        Ok(uci::Message::Ready) => return Received::SayReady("readyok\n"),
        Ok(uci::Message::PonderHit) => return Received::PonderHit,
        Ok(uci::Message::Request(request)) => read_uci_request(request, multipv),
        Ok(uci::Message::Doubtful(request, faults)) => {
            let refused = |error| {
                Incoming::from(Err(Refusal {
                    number: None,
                    error,
                }))
            };
            let refusals = faults.into_iter().map(refused);
            refusals.chain(read_uci_request(request, multipv)).collect()
        }
        Err(refusal) => vec![Incoming::from(Err(refusal))],
    };
    for one in incoming.iter_mut().filter(|one| one.sets_up()) {
        one.diagram = uci::sketch(line).map(Box::new);
    }
    Received::Requests(incoming)
}

/// Translates a request; the dialect keeps MultiPV itself and adds it to every search.
fn read_uci_request(mut request: Request, multipv: &mut u32) -> Vec<Incoming> {
    match &mut request.command {
        Command::Set(name, value) if name == MULTIPV => {
            return match read_multipv(value) {
                Ok(lines) => {
                    *multipv = lines;
                    Vec::new()
                }
                Err(error) => vec![
                    Err(Refusal {
                        number: None,
                        error,
                    })
                    .into(),
                ],
            };
        }
        Command::Go(limits) => limits.multipv = limits.multipv.or(Some(*multipv)),
        _ => {}
    }
    vec![Ok(Some(request)).into()]
}

fn introduction() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let options = uci_options::introduction();
    format!("id name anqi {version}\nid author the anqi authors\n{options}uciok\n")
}

/// Turns a line with a position into the requests of a tournament server.
fn read_lines(follower: &mut Follower, line: &[u8], rules: Rules) -> Vec<Incoming> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let request = |command| {
        Incoming::from(Ok(Some(Request {
            number: None,
            command,
        })))
    };
    if text.is_empty() {
        return Vec::new();
    }
    if text == "quit" {
        return vec![request(Command::Quit)];
    }
    let mut line = match lines::read(text) {
        Ok(line) => line,
        Err(reason) => {
            eprintln!("anqi: {reason}");
            return Vec::new();
        }
    };
    for doubt in &line.doubts {
        eprintln!("anqi: {doubt}");
    }
    let asked = follower.asked(&mut line);
    let position = follower.follow(&line, rules).map(|game| {
        let start = Box::new(*game.start());
        let turn = game.position().turn();
        (Command::Position(start, game.plies().to_vec()), turn)
    });
    let diagram = Some(Box::new(follower.diagram(&line)));
    let (position, turn) = match position {
        Ok(read) => read,
        Err(reason) if asked == Asked::No => {
            eprintln!("anqi: {reason}");
            return Vec::new();
        }
        Err(reason) => {
            let parsed = Err(Refusal {
                number: Some(CommandName::Go.number()),
                error: CommandError::Position(reason),
            });
            return vec![Incoming { parsed, diagram }];
        }
    };
    let turn = turn.or(line.diagram.turn()).unwrap_or(Color::Red);
    let mut incoming = vec![request(position)];
    incoming.extend(questions(asked, turn).into_iter().map(request));
    for one in &mut incoming {
        one.diagram.clone_from(&diagram);
    }
    incoming
}

/// The requests that ask for an action.
fn questions(asked: Asked, turn: Color) -> Vec<Command> {
    match asked {
        Asked::No => Vec::new(),
        Asked::ByClock([red, black]) => vec![
            Command::TimeLeft(Color::Red, red),
            Command::TimeLeft(Color::Black, black),
            Command::Genmove(Some(turn)),
        ],
        Asked::Unknown(left) => {
            let share = left.map_or(UNTIMED, |left| left / LEAST_SHARES);
            vec![Command::Go(GoLimits {
                movetime: Some(share.min(UNTIMED)),
                ..GoLimits::default()
            })]
        }
    }
}
