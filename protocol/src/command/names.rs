//! The table of commands: number, name, arguments.
//!
//! Servers send both the number and the name. The number is the command's
//! index, not a sequence number, and many engines look at nothing else; so the
//! two must agree, and this table is the only place that says how.

use std::fmt;

/// The commands of the protocol, numbers 0 to 18, and our extensions from 50.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CommandName {
    /// Asks for the protocol's version.
    ProtocolVersion,
    /// Asks for the engine's name.
    Name,
    /// Asks for the engine's version.
    Version,
    /// Asks whether a command name is understood.
    KnownCommand,
    /// Asks for all command names.
    ListCommands,
    /// Ends the program, also while it thinks.
    Quit,
    /// Sets the board's size; there is only one.
    Boardsize,
    /// Starts a new game.
    ResetBoard,
    /// Sets the repetition limit.
    NumRepetition,
    /// Sets the limit of plies without a capture or a flip.
    NumMovesToDraw,
    /// Reports a move or capture that was played.
    Move,
    /// Reports a flip and what it revealed.
    Flip,
    /// Asks for an action without playing it.
    Genmove,
    /// Reports that the game is over.
    GameOver,
    /// Asks whether the engine is ready.
    Ready,
    /// Sets the total thinking time of each side.
    TimeSettings,
    /// Reports the time a side has left.
    TimeLeft,
    /// Asks for a drawing of the board.
    Showboard,
    /// Sets up a board.
    InitBoard,
    /// Sets a position string and plies.
    Position,
    /// Asks for the legal actions.
    LegalActions,
    /// Takes the last ply back.
    Undo,
    /// Asks for the position string.
    GetPosition,
    /// Asks for an action under given limits.
    Go,
    /// Ends a running search with its best action.
    Stop,
    /// Sets an option.
    Set,
    /// Asks for all options and their values.
    Options,
    /// Counts the leaves of the game tree.
    Perft,
    /// Asks for the result of the game.
    Result,
    /// Asks for the table value of the position.
    Probe,
}

/// A row of the command table.
struct Row {
    name: CommandName,
    number: u32,
    text: &'static str,
    arguments: &'static str,
    least: usize,
    most: usize,
}

/// As many arguments as a line holds.
const ANY: usize = usize::MAX;

const fn row(
    name: CommandName,
    number: u32,
    text: &'static str,
    arguments: &'static str,
    least: usize,
    most: usize,
) -> Row {
    Row {
        name,
        number,
        text,
        arguments,
        least,
        most,
    }
}

/// All commands, in the order of the enum.
const TABLE: [Row; 30] = [
    row(
        CommandName::ProtocolVersion,
        0,
        "protocol_version",
        "",
        0,
        0,
    ),
    row(CommandName::Name, 1, "name", "", 0, 0),
    row(CommandName::Version, 2, "version", "", 0, 0),
    row(
        CommandName::KnownCommand,
        3,
        "known_command",
        "<name>",
        1,
        1,
    ),
    row(CommandName::ListCommands, 4, "list_commands", "", 0, 0),
    row(CommandName::Quit, 5, "quit", "", 0, 0),
    row(
        CommandName::Boardsize,
        6,
        "boardsize",
        "<columns> <rows>",
        2,
        2,
    ),
    row(CommandName::ResetBoard, 7, "reset_board", "", 0, 0),
    row(
        CommandName::NumRepetition,
        8,
        "num_repetition",
        "<times>",
        1,
        1,
    ),
    row(
        CommandName::NumMovesToDraw,
        9,
        "num_moves_to_draw",
        "<plies>",
        1,
        1,
    ),
    row(CommandName::Move, 10, "move", "<from> <to>", 2, 2),
    row(CommandName::Flip, 11, "flip", "<square> <piece>", 2, 2),
    row(
        CommandName::Genmove,
        12,
        "genmove",
        "<red|black|unknown>",
        1,
        1,
    ),
    row(CommandName::GameOver, 13, "game_over", "[text]", 0, ANY),
    row(CommandName::Ready, 14, "ready", "", 0, 0),
    row(CommandName::TimeSettings, 15, "time_settings", "<ms>", 1, 1),
    row(
        CommandName::TimeLeft,
        16,
        "time_left",
        "<red|black> <ms>",
        2,
        2,
    ),
    row(CommandName::Showboard, 17, "showboard", "", 0, 0),
    row(
        CommandName::InitBoard,
        18,
        "init_board",
        "<32 squares> <14 counts>",
        46,
        46,
    ),
    row(
        CommandName::Position,
        50,
        "position",
        "start | <position string> [moves <ply>...]",
        1,
        ANY,
    ),
    row(CommandName::LegalActions, 51, "legal_actions", "", 0, 0),
    row(CommandName::Undo, 52, "undo", "", 0, 0),
    row(CommandName::GetPosition, 53, "get_position", "", 0, 0),
    row(
        CommandName::Go,
        54,
        "go",
        "[movetime <ms>] [nodes <n>] [depth <n>] [infinite] [multipv <n>]",
        0,
        9,
    ),
    row(CommandName::Stop, 55, "stop", "", 0, 0),
    row(CommandName::Set, 56, "set", "<option> <value>", 2, ANY),
    row(CommandName::Options, 57, "options", "", 0, 0),
    row(CommandName::Perft, 58, "perft", "<depth>", 1, 1),
    row(CommandName::Result, 59, "result", "", 0, 0),
    row(CommandName::Probe, 60, "probe", "", 0, 0),
];

/// The second name under which servers send [`CommandName::TimeSettings`].
const TIME_SETTING: &str = "time_setting";

impl CommandName {
    /// Returns the command with this number.
    pub fn from_number(number: u32) -> Option<CommandName> {
        TABLE.iter().find(|r| r.number == number).map(|r| r.name)
    }

    /// Returns the command with this name.
    pub fn from_text(text: &str) -> Option<CommandName> {
        let text = if text == TIME_SETTING {
            "time_settings"
        } else {
            text
        };
        TABLE.iter().find(|r| r.text == text).map(|r| r.name)
    }

    /// Returns the number.
    pub fn number(self) -> u32 {
        self.row().number
    }

    /// Returns the name as it is sent.
    pub fn text(self) -> &'static str {
        self.row().text
    }

    /// Returns a description of the arguments, empty if there are none.
    pub fn arguments(self) -> &'static str {
        self.row().arguments
    }

    /// Returns whether this many arguments are right.
    pub fn takes(self, arguments: usize) -> bool {
        (self.row().least..=self.row().most).contains(&arguments)
    }

    /// Iterates over all names a request may use, in the order of their numbers.
    pub fn texts() -> impl Iterator<Item = &'static str> {
        TABLE.iter().flat_map(|row| {
            let second = (row.name == CommandName::TimeSettings).then_some(TIME_SETTING);
            std::iter::once(row.text).chain(second)
        })
    }

    /// Iterates over all commands in the order of their numbers.
    pub fn all() -> impl Iterator<Item = CommandName> {
        TABLE.iter().map(|row| row.name)
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

impl fmt::Display for CommandName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_of_the_numbers() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.name as usize, index, "{}", row.text);
            assert_eq!(CommandName::from_number(row.number), Some(row.name));
            assert_eq!(CommandName::from_text(row.text), Some(row.name));
        }
        assert!(TABLE.is_sorted_by_key(|row| row.number));
        let numbers: Vec<u32> = CommandName::all().map(CommandName::number).collect();
        assert_eq!(numbers, (0..=18).chain(50..=60).collect::<Vec<u32>>());
    }

    #[test]
    fn time_settings_has_two_names_and_others_one() {
        assert_eq!(
            CommandName::from_text("time_setting"),
            Some(CommandName::TimeSettings)
        );
        assert_eq!(CommandName::texts().count(), TABLE.len() + 1);
        assert_eq!(CommandName::from_text("Quit"), None);
    }
}
