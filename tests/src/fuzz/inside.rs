//! A wire to a session in this process.

use super::{Wire, lines};
use anqi_app::session::{ChosenRules, Parts, Session, Step, builtin_player};
use anqi_protocol::command;

/// A session that is driven line by line; it runs its jobs at once.
pub struct Inside {
    session: Session,
}

impl Inside {
    /// Begins a conversation.
    ///
    /// # Errors
    ///
    /// Fails if the player cannot be made.
    pub fn start() -> Result<Inside, String> {
        let parts = Parts {
            make_player: Box::new(builtin_player),
            open_tables: None,
            player: "random".to_string(),
            tables: None,
            rules: ChosenRules::default(),
        };
        let session = Session::new(parts).map_err(|error| error.to_string())?;
        Ok(Inside { session })
    }

    /// Returns the answer to a line, and whether it ends the conversation.
    fn answer(&mut self, line: &[u8]) -> (String, bool) {
        let mut told = String::new();
        let (reply, ends) = match self.session.handle(command::parse(line)) {
            Step::Silent => return (told, false),
            Step::Reply(reply) => (reply, false),
            Step::Leave(reply) => (reply, true),
            Step::Work(job) => {
                // The `stop` that follows would come too late: nobody listens while the session thinks.
                if lines::may_think(line) {
                    job.stopper().request();
                }
                let done = job.run(&mut |info| told.push_str(&info.to_string()));
                (self.session.finish(done), false)
            }
        };
        told.push_str(&reply.to_string());
        (told, ends)
    }
}

impl Wire for Inside {
    fn exchange(&mut self, lines: &[Vec<u8>], answers: usize) -> Result<Vec<String>, String> {
        let mut text = String::new();
        for line in lines {
            let (answer, ends) = self.answer(line);
            if ends {
                return Err("the conversation has ended".to_string());
            }
            if !answer.is_empty() && !answer.ends_with('\n') {
                return Err(format!("no newline ends {answer:?}"));
            }
            text.push_str(&answer);
        }
        let mut heard: Vec<String> = Vec::new();
        for line in text.lines() {
            match heard.last_mut() {
                Some(last) if line.starts_with(' ') => {
                    last.push('\n');
                    last.push_str(line);
                }
                _ if line.starts_with("info ") => {}
                _ => heard.push(line.to_string()),
            }
        }
        if heard.len() == answers {
            return Ok(heard);
        }
        Err(format!(
            "{answers} answers were expected, these came: {heard:?}"
        ))
    }

    fn restart(&mut self, line: &[u8]) -> Result<(), String> {
        let (farewell, ends) = self.answer(line);
        if !ends || !farewell.starts_with('=') {
            return Err(format!("the farewell is {farewell:?}"));
        }
        *self = Inside::start()?;
        Ok(())
    }
}
