//! The command line, one file per subcommand.
//!
//! [`main`] reads the command line and runs the command, for the program `anqi` and for whatever else
//! brings the whole program. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 ended by Ctrl-C. A
//! reader that closes our output early (`anqi perft 5 | head -1`) is not a failure.
//!
//! A file holds the arguments of its subcommand and a `run` that hands them to
//! the library. Errors are `anyhow`; a `UsageError` among their causes means
//! that the command line, not the work, was wrong.

mod analyse;
mod bench;
mod convert;
mod error;
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
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

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
struct Cli {
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

/// Runs the command that these words ask for, the first of which names the program.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::from(run(words))
}

/// Does what [`main`] does, and returns the exit code as a number.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(said) => {
            // If this fails, no output is left to report it on.
            let _ = said.print();
            return said.exit_code() as u8;
        }
    };
    match cli.run() {
        Ok(()) => 0,
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            let _ = writeln!(io::stderr(), "anqi: {error:#}");
            error::exit_code(&error)
        }
    }
}

/// Returns whether the error is a closed pipe on our output.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

impl Cli {
    /// Runs the command.
    fn run(self) -> anyhow::Result<()> {
        match self.command {
            None if io::stdin().is_terminal() => play::Args::default_game().run(self.tables),
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
