//! The few questions to the operating system about its terminal.

#[cfg(unix)]
pub use unix::{Modes, columns, hush, modes, restore, rows};

#[cfg(not(unix))]
pub use elsewhere::{Modes, columns, hush, modes, restore, rows};

#[cfg(unix)]
mod unix {
    use rustix::termios::{
        LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr,
    };
    use std::io;

    /// How a terminal treats keys.
    pub type Modes = Termios;

    /// Returns the columns of the terminal at standard output.
    pub fn columns() -> Option<usize> {
        let size = tcgetwinsize(io::stdout()).ok()?;
        (size.ws_col > 0).then_some(size.ws_col.into())
    }

    /// Returns the rows of the terminal at standard output.
    pub fn rows() -> Option<usize> {
        let size = tcgetwinsize(io::stdout()).ok()?;
        (size.ws_row > 0).then_some(size.ws_row.into())
    }

    /// Returns the modes of the terminal at standard input.
    pub fn modes() -> Option<Modes> {
        tcgetattr(io::stdin()).ok()
    }

    /// Restores the modes that [`modes`] returned.
    pub fn restore(modes: &Modes) {
        // A terminal that is gone needs no modes.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, modes);
    }

    /// Stops the echo of keys, which stay in the input; Ctrl-C and the like still signal.
    pub fn hush() {
        let Some(mut modes) = modes() else {
            return;
        };
        let shown = LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON;
        modes.local_modes.remove(shown);
        // Ctrl-C must not throw away what was typed ahead.
        modes.local_modes.insert(LocalModes::NOFLSH);
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        restore(&modes);
    }
}

#[cfg(not(unix))]
mod elsewhere {
    /// Unknown here.
    pub fn rows() -> Option<usize> {
        None
    }

    /// Nothing to remember.
    #[derive(Debug)]
    pub struct Modes;

    /// Unknown here.
    pub fn columns() -> Option<usize> {
        None
    }

    /// Unknown here.
    pub fn modes() -> Option<Modes> {
        None
    }

    /// Nothing to put back.
    pub fn restore(_: &Modes) {}

    /// Keys stay as they are.
    pub fn hush() {}
}
