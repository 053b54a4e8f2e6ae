//! The table of commands: number, name, arguments.
//!
//! Servers send both the number and the name. The number is the command's
//! index, not a sequence number, and many engines read nothing else; so the two
//! must agree, and this table alone defines them.

use std::fmt;

/// The commands of the protocol, numbers 0 to 18, and our extensions from 50.
///
/// ```
/// use anqi_protocol::CommandName;
///
/// assert_eq!(CommandName::from_number(12), Some(CommandName::Genmove));
/// assert_eq!(CommandName::Genmove.to_string(), "genmove");
/// // Servers send two spellings of this one.
/// assert_eq!(CommandName::from_text("time_setting"), Some(CommandName::TimeSettings));
/// ```
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
    /// Ends the program, even during a search.
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
    /// Asks for a diagram of the board.
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

/// The arguments that a command takes.
#[derive(Clone, Copy)]
struct Arguments {
    text: &'static str,
    least: usize,
    most: usize,
}

/// No arguments.
const NONE: Arguments = between(0, 0, "");
/// Any number of arguments.
const ANY: usize = usize::MAX;

const fn exactly(count: usize, text: &'static str) -> Arguments {
    between(count, count, text)
}

const fn between(least: usize, most: usize, text: &'static str) -> Arguments {
    Arguments { text, least, most }
}

/// A row of the command table: command, number, name, arguments.
struct CommandEntry(CommandName, u32, &'static str, Arguments);

/// All commands, in the order of the enum.
const TABLE: [CommandEntry; 30] = {
    use CommandName::*;
    [
        CommandEntry(ProtocolVersion, 0, "protocol_version", NONE),
        CommandEntry(Name, 1, "name", NONE),
        CommandEntry(Version, 2, "version", NONE),
        CommandEntry(KnownCommand, 3, "known_command", exactly(1, "<name>")),
        CommandEntry(ListCommands, 4, "list_commands", NONE),
        CommandEntry(Quit, 5, "quit", NONE),
        CommandEntry(Boardsize, 6, "boardsize", exactly(2, "<columns> <rows>")),
        CommandEntry(ResetBoard, 7, "reset_board", NONE),
        CommandEntry(NumRepetition, 8, "num_repetition", exactly(1, "<times>")),
        CommandEntry(
            NumMovesToDraw,
            9,
            "num_moves_to_draw",
            exactly(1, "<plies>"),
        ),
        CommandEntry(Move, 10, "move", exactly(2, "<from> <to>")),
        CommandEntry(Flip, 11, "flip", exactly(2, "<square> <piece>")),
        CommandEntry(Genmove, 12, "genmove", exactly(1, "<red|black|unknown>")),
        CommandEntry(GameOver, 13, "game_over", between(0, ANY, "[text]")),
        CommandEntry(Ready, 14, "ready", NONE),
        CommandEntry(TimeSettings, 15, "time_settings", exactly(1, "<ms>")),
        CommandEntry(TimeLeft, 16, "time_left", exactly(2, "<red|black> <ms>")),
        CommandEntry(Showboard, 17, "showboard", NONE),
        CommandEntry(
            InitBoard,
            18,
            "init_board",
            exactly(46, "<32 squares> <14 counts>"),
        ),
        CommandEntry(
            Position,
            50,
            "position",
            between(1, ANY, "start | <position string> [moves <ply>...]"),
        ),
        CommandEntry(LegalActions, 51, "legal_actions", NONE),
        CommandEntry(Undo, 52, "undo", NONE),
        CommandEntry(GetPosition, 53, "get_position", NONE),
        CommandEntry(
            Go,
            54,
            "go",
            between(
                0,
                9,
                "[movetime <ms>] [nodes <n>] [depth <n>] [infinite] [multipv <n>]",
            ),
        ),
        CommandEntry(Stop, 55, "stop", NONE),
        CommandEntry(Set, 56, "set", between(2, ANY, "<option> <value>")),
        CommandEntry(Options, 57, "options", NONE),
        CommandEntry(Perft, 58, "perft", exactly(1, "<depth>")),
        CommandEntry(Result, 59, "result", NONE),
        CommandEntry(Probe, 60, "probe", NONE),
    ]
};

/// The second name that servers use for [`CommandName::TimeSettings`].
const TIME_SETTING: &str = "time_setting";

impl CommandName {
    /// Returns the command with this number.
    pub fn from_number(number: u32) -> Option<CommandName> {
        let row = TABLE.iter().find(|row| row.1 == number)?;
        Some(row.0)
    }

    /// Returns the command with this name.
    pub fn from_text(text: &str) -> Option<CommandName> {
        let text = if text == TIME_SETTING {
            "time_settings"
        } else {
            text
        };
        let row = TABLE.iter().find(|row| row.2 == text)?;
        Some(row.0)
    }

    /// Returns the number.
    pub fn number(self) -> u32 {
        self.row().1
    }

    /// Returns the name.
    pub fn text(self) -> &'static str {
        self.row().2
    }

    /// Returns a description of the arguments, empty if there are none.
    pub fn arguments(self) -> &'static str {
        self.row().3.text
    }

    /// Returns whether the command takes this many arguments.
    pub fn takes(self, arguments: usize) -> bool {
        let Arguments { least, most, .. } = self.row().3;
        (least..=most).contains(&arguments)
    }

    /// Iterates over all names a request may use, in the order of their numbers.
    pub fn texts() -> impl Iterator<Item = &'static str> {
        CommandName::all().flat_map(|name| {
            let second = (name == CommandName::TimeSettings).then_some(TIME_SETTING);
            std::iter::once(name.text()).chain(second)
        })
    }

    /// Iterates over all commands in the order of their numbers.
    pub fn all() -> impl Iterator<Item = CommandName> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static CommandEntry {
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
        for (index, &CommandEntry(name, number, text, _)) in TABLE.iter().enumerate() {
            assert_eq!(name as usize, index, "{text}");
            assert_eq!(CommandName::from_number(number), Some(name));
            assert_eq!(CommandName::from_text(text), Some(name));
        }
        assert!(TABLE.is_sorted_by_key(|row| row.1));
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
