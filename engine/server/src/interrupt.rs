//! Ending on Ctrl-C and on a request to terminate.

use std::sync::Mutex;
use tokio::sync::oneshot;

/// Returns a future that completes at the first such signal; a second one exits at once.
///
/// # Errors
///
/// Returns an error if the system does not let it listen, or something listens already.
pub fn interrupted() -> Result<impl Future<Output = ()> + Send + 'static, ctrlc::Error> {
    let (interrupt, interrupted) = oneshot::channel();
    let interrupt = Mutex::new(Some(interrupt));
    ctrlc::set_handler(move || {
        let taken = interrupt.lock().ok().and_then(|mut sender| sender.take());
        match taken {
            // The send fails if the server is already ending.
            Some(sender) => {
                let _ = sender.send(());
            }
            None => std::process::exit(130),
        }
    })?;
    // The handler owns the sender for good: only a signal completes the channel.
    Ok(async {
        let _ = interrupted.await;
    })
}
