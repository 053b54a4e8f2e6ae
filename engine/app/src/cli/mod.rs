//! The command line, one file per subcommand.
//!
//! A file holds the arguments of its subcommand and a `run` that hands them to
//! the library. Errors are `anyhow`; a [`UsageError`] among their causes means
//! that the command line, not the work, was wrong.

mod analyse;
mod bench;
mod convert;
mod generate;
mod input;
mod options;
mod perft;
mod play;
mod players;
mod probe;
mod protocol;
mod puzzles;
mod review;
mod serve;
mod tables;

use clap::{CommandFactory, Parser, Subcommand};
use std::io::IsTerminal;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  anqi                              play against level 3 of 10
  anqi play --second --chinese      let the other side begin, 漢字 on the pieces
  anqi play --red greedy --black random --seed 7
  anqi play --level novice          an opponent for the first games; levels go from 1 to 10
  anqi analyse start                the best moves and flips, and what flips may reveal
  anqi perft 4                      count the leaves of the game tree four plies deep
  anqi play --help                  everything about playing
";

/// Chinese dark chess (banqi) in the terminal, and an engine for it.
///
/// Without a command anqi plays a game at the terminal. When its input is a pipe, it
/// speaks the tournament protocol or UCI instead, so a server or a graphical board can
/// start it without arguments.
#[derive(Parser, Debug)]
#[command(name = "anqi", version, after_help = EXAMPLES, max_term_width = 90)]
pub struct Cli {
    /// Folder of endgame tables made by `tablebase build`; up to four pieces need no files
    #[arg(long, global = true, value_name = "DIR")]
    tables: Option<PathBuf>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Play(Box<play::Args>),
    Protocol(protocol::Args),
    Serve(serve::Args),
    Review(review::Args),
    Convert(convert::Args),
    Puzzles(puzzles::Args),
    Players(players::Args),
    Options(options::Args),
    Analyse(analyse::Args),
    Probe(probe::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Completions(generate::CompletionsArgs),
    Man(generate::ManArgs),
}

/// A wrong command line that clap cannot detect.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(String);

impl Cli {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            None if std::io::stdin().is_terminal() => play::Args::default_game().run(self.tables),
            None => protocol::Args::default_player().run(self.tables),
            Some(Command::Play(args)) => args.run(self.tables),
            Some(Command::Protocol(args)) => args.run(self.tables),
            Some(Command::Serve(args)) => args.run(self.tables),
            Some(Command::Review(args)) => args.run(self.tables.as_deref()),
            Some(Command::Puzzles(args)) => args.run(self.tables.as_deref()),
            Some(Command::Analyse(args)) => args.run(self.tables.as_deref()),
            Some(Command::Probe(args)) => args.run(self.tables.as_deref()),
            Some(Command::Convert(args)) => args.run(),
            Some(Command::Players(args)) => args.run(),
            Some(Command::Options(args)) => args.run(),
            Some(Command::Perft(args)) => args.run(),
            Some(Command::Bench(args)) => args.run(),
            Some(Command::Completions(args)) => args.run(Cli::command()),
            Some(Command::Man(args)) => args.run(Cli::command()),
        }
    }
}

/// Work that Ctrl-C ended; the result so far has been printed.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; this is what was known by then")]
pub struct Interrupted;

impl Interrupted {
    /// What shells report for a program ended by Ctrl-C.
    const EXIT_CODE: u8 = 130;
}

/// Returns the exit code for an error.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Interrupted>() {
        return Interrupted::EXIT_CODE;
    }
    match error.chain().any(<dyn std::error::Error>::is::<UsageError>) {
        true => 2,
        false => 1,
    }
}
