//! The list of checks: names, sentences, and what each dialect demands.

use super::checks::{answers, clocks, endings, garbage, opening, searches, steadiness};
use super::dialect::Dialect;
use super::exam::Exam;
use super::finding::Checked;

/// What a dialect says about a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Engines must pass it: servers rely on it.
    Must,
    /// Engines should pass it: a good one does.
    Should,
    /// It makes no sense here, for this reason.
    Not(&'static str),
}

/// One check.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// What it looks at, in one sentence.
    pub sentence: &'static str,
    /// The demands, in the order of [`Dialect::ALL`].
    demands: [Demand; 3],
    /// The check itself.
    pub run: fn(&Exam) -> Checked<String>,
}

impl Check {
    /// Returns what a dialect demands.
    pub fn demand(&self, dialect: Dialect) -> Demand {
        self.demands[match dialect {
            Dialect::Tournament => 0,
            Dialect::Uci => 1,
            Dialect::Line => 2,
        }]
    }
}

/// Returns the check with this name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.name == name)
}

macro_rules! check {
    ($name:literal, $run:path, [$t:expr, $u:expr, $l:expr], $sentence:literal) => {
        Check {
            name: $name,
            sentence: $sentence,
            demands: [$t, $u, $l],
            run: $run,
        }
    };
}

/// All checks, in the order in which they run.
pub const CHECKS: &[Check] = {
    use Demand::{Must, Not, Should};
    const NO_GREETING: Demand = Not("the one-line dialect begins with the first board");
    const NO_COMMANDS: Demand = Not("only the tournament protocol has this command");
    const NO_STOP: Demand = Not("the one-line dialect cannot end a search");
    const NO_QUIT: Demand = Not("the one-line dialect has no quit");
    const NO_PONDER: Demand = Not("only UCI for banqi has pondering");
    const NO_READY: Demand = Not("only UCI for banqi asks for readiness during a search");
    const INFO: Demand = Not("UCI for banqi allows lines of any kind");
    const POSITIONS: Demand = Not("every question tells the whole position");
    const ASKED: Demand = Not("only the one-line dialect shows boards without asking");
    const NO_MOVE_TIME: Demand = Not("the one-line dialect has no time for a move");
    const ONE_GAME: Demand = Not("its server starts a process for each game");
    const NO_NODES: Demand = Not("the one-line dialect has no limit but the clock");
    &[
        check!(
            "handshake",
            opening::handshake,
            [Must, Must, NO_GREETING],
            "The engine introduces itself and says that it is ready."
        ),
        check!(
            "known-commands",
            opening::known_commands,
            [Should, NO_COMMANDS, NO_COMMANDS],
            "known_command and list_commands name the commands of a game."
        ),
        check!(
            "settings",
            opening::settings,
            [Must, NO_COMMANDS, NO_COMMANDS],
            "The commands that servers send before a game are accepted."
        ),
        check!(
            "init-board",
            opening::init_board,
            [Should, NO_COMMANDS, NO_COMMANDS],
            "Boards set up by init_board are played."
        ),
        check!(
            "clean-output",
            opening::clean_output,
            [Must, INFO, Must],
            "Standard output has nothing but answers."
        ),
        check!(
            "unasked",
            opening::unasked,
            [ASKED, ASKED, Must],
            "A board that is only shown is not answered."
        ),
        check!(
            "first-flip",
            answers::first_flip,
            [Must, Must, Must],
            "The first ply of each side is legal: 3 positions."
        ),
        check!(
            "middle-game",
            answers::middle_game,
            [Must, Must, Must],
            "Answers are legal while pieces are face down: 37 positions."
        ),
        check!(
            "cannon-jumps",
            answers::cannon_jumps,
            [Must, Must, Must],
            "Answers are legal where a cannon can jump: 20 positions."
        ),
        check!(
            "few-pieces",
            answers::few_pieces,
            [Must, Must, Must],
            "Answers are legal with at most six pieces: 20 positions."
        ),
        check!(
            "only-action",
            answers::only_action,
            [Must, Must, Must],
            "The only legal action is found, be it a step, a capture, a jump or a flip: 12 positions."
        ),
        check!(
            "flips",
            answers::flips,
            [Must, Must, Must],
            "Every revealed piece is remembered: 8 positions after the last flip."
        ),
        check!(
            "echo",
            answers::echo,
            [Must, POSITIONS, POSITIONS],
            "genmove plays nothing: only move and flip change the position."
        ),
        check!(
            "move-time",
            clocks::move_time,
            [Should, Must, NO_MOVE_TIME],
            "A time for each move is kept."
        ),
        check!(
            "game-clock",
            clocks::game_clock,
            [Must, Should, Must],
            "A whole game is played within 4 seconds."
        ),
        check!(
            "little-time",
            clocks::little_time,
            [Must, Should, Must],
            "An answer comes at once with 300, 30, 0 and -5 ms left."
        ),
        check!(
            "decimal-times",
            clocks::decimal_times,
            [Should, Should, Must],
            "Times with a fraction or an exponent are understood."
        ),
        check!(
            "infinite",
            searches::infinite,
            [Should, Must, NO_STOP],
            "An infinite search is not answered before stop."
        ),
        check!(
            "stop",
            searches::stopped,
            [Should, Must, NO_STOP],
            "stop ends a search at once, with a legal action."
        ),
        check!(
            "ponder",
            searches::ponder,
            [NO_PONDER, Should, NO_PONDER],
            "Pondering is not answered before ponderhit, which starts the clock, or stop."
        ),
        check!(
            "ready-while-thinking",
            searches::ready_while_thinking,
            [NO_READY, Must, NO_READY],
            "isready is answered during a search."
        ),
        check!(
            "new-game",
            steadiness::new_game,
            [Must, Must, ONE_GAME],
            "Several games are played in one process."
        ),
        check!(
            "quit",
            endings::quit,
            [Must, Must, NO_QUIT],
            "quit ends the program within 2 seconds, with exit code 0."
        ),
        check!(
            "quit-while-thinking",
            endings::quit_while_thinking,
            [Must, Must, NO_QUIT],
            "quit ends a search too."
        ),
        check!(
            "end-of-input",
            endings::end_of_input,
            [Must, Must, Must],
            "The end of the input ends the program within 2 seconds, with exit code 0."
        ),
        check!(
            "unknown-words",
            garbage::unknown_words,
            [Should, Must, Should],
            "Unknown words are refused or ignored, and the game goes on."
        ),
        check!(
            "bad-arguments",
            garbage::bad_arguments,
            [Should, Should, Should],
            "Impossible squares, pieces and boards change nothing."
        ),
        check!(
            "long-lines",
            garbage::long_lines,
            [Should, Should, Should],
            "Lines of 200,000 bytes change nothing."
        ),
        check!(
            "raw-bytes",
            garbage::raw_bytes,
            [Should, Should, Should],
            "Bytes that are not UTF-8 change nothing."
        ),
        check!(
            "memory",
            steadiness::memory,
            [Should, Should, Must],
            "The engine takes no more than 1 GiB of memory; of addresses, in the one-line dialect."
        ),
        check!(
            "determinism",
            steadiness::determinism,
            [Should, Should, NO_NODES],
            "The same search in two processes gives the same action."
        ),
    ]
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_one_word_each_and_differ() {
        let names: BTreeSet<&str> = CHECKS.iter().map(|check| check.name).collect();
        assert_eq!(names.len(), CHECKS.len());
        for check in CHECKS {
            let plain = |sign: char| sign.is_ascii_lowercase() || sign == '-';
            assert!(check.name.chars().all(plain), "{}", check.name);
            assert!(check.sentence.ends_with('.'), "{}", check.sentence);
        }
    }

    #[test]
    fn the_specification_names_every_check() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocol.md");
        let text = std::fs::read_to_string(path).expect("the specification");
        for check in CHECKS {
            let name = format!("`{}`", check.name);
            assert!(
                text.contains(&name),
                "docs/protocol.md does not name {name}"
            );
        }
    }
}
