//! The program at a pseudo-terminal of its own.

#![allow(clippy::unwrap_used)] // test helpers may unwrap
#![allow(dead_code, reason = "each test program uses some of it")]

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a busy machine may take for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program at a terminal of its own.
pub struct Terminal {
    pub master: File,
    pub child: Child,
    shown: Arc<Mutex<Vec<u8>>>,
    /// A temporary folder, removed with the terminal.
    folder: Option<tempfile::TempDir>,
}

pub fn size(columns: u16) -> Winsize {
    Winsize {
        ws_row: 40,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

impl Terminal {
    pub fn open(columns: u16, arguments: &[&str]) -> Terminal {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::open_in(folder.path(), columns, arguments);
        terminal.folder = Some(folder);
        terminal
    }

    /// Starts the program in a folder.
    pub fn open_in(folder: &Path, columns: u16, arguments: &[&str]) -> Terminal {
        Terminal::start(folder, size(columns), arguments)
    }

    /// Starts the program on a screen of this many columns and rows.
    pub fn open_low(columns: u16, rows: u16, arguments: &[&str]) -> Terminal {
        let folder = tempfile::tempdir().unwrap();
        let low = Winsize {
            ws_row: rows,
            ..size(columns)
        };
        let mut terminal = Terminal::start(folder.path(), low, arguments);
        terminal.folder = Some(folder);
        terminal
    }

    fn start(folder: &Path, size: Winsize, arguments: &[&str]) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, size).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let open = || {
            File::options()
                .read(true)
                .write(true)
                .open(name.to_str().unwrap())
                .unwrap()
        };
        // Ctrl-C sends a signal only from the controlling terminal.
        let child = Command::new("setsid")
            .arg("--ctty")
            .arg(env!("CARGO_BIN_EXE_anqi"))
            .args(arguments)
            .current_dir(folder)
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C")
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .spawn()
            .unwrap();
        let shown = Arc::new(Mutex::new(Vec::new()));
        let master = File::from(master);
        let (mut reader, seen) = (master.try_clone().unwrap(), Arc::clone(&shown));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                seen.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Terminal {
            master,
            child,
            shown,
            folder: None,
        }
    }

    pub fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }

    pub fn forget(&self) {
        self.shown.lock().unwrap().clear();
    }

    pub fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Presses keys and waits for new output with this text.
    #[track_caller]
    pub fn type_and_see(&mut self, keys: &str, text: &str) {
        self.forget();
        self.press(keys);
        self.see(text);
    }

    #[track_caller]
    pub fn see(&self, text: &str) {
        let begin = Instant::now();
        while !self.shown().contains(text) {
            let shown = self.shown();
            assert!(begin.elapsed() < PATIENCE, "no '{text}' in: {shown}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end and returns the exit code.
    #[track_caller]
    pub fn exit_code(&mut self) -> Option<i32> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            let shown = self.shown();
            assert!(begin.elapsed() < PATIENCE, "still running: {shown}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a signal to the program.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args([name, &id]).status();
        assert!(told.unwrap().success());
    }

    pub fn is_hushed(&self) -> bool {
        let modes = tcgetattr(&self.master).unwrap();
        !modes.local_modes.contains(LocalModes::ECHO)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has usually ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub const CTRL_C: &str = "\x03";
pub const CTRL_D: &str = "\x04";
