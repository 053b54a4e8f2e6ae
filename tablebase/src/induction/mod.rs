//! Position induction: the few positions of an ending whose answers a search needs.
//!
//! After "Knowledge Abstraction in Chinese Chess Endgame Databases" (Chen, Liu, Hsu, Hsu). A search
//! with a *goal*, that one side wins, answers most positions of an ending by itself: the goal is
//! evaluated in quiescent positions only, a capture into a smaller ending is an intermediate goal,
//! and an answer is a success, a failure, or unknown. The positions whose answers must be stored so
//! that p % of an ending x are answered right at depth d are its *critical positions*, CRP(x, p, d).
//!
//! - [`Ending`]: the positions of one material set as numbers, with values, captures and quiet moves;
//! - [`Critical`]: CRP by the authors' algorithm, and how often each critical position is used;
//! - [`GoalSearch`]: the search with a goal, NegaScout over the moves of the rules crate. It gives the
//!   answers that [`Critical`] counts on, position by position, and checks them;
//! - [`Lesson`]: what a critical position teaches: a line, why the alternatives fail, and an idea.

mod critical;
mod ending;
mod idea;
mod lesson;
mod levels;
mod line;
mod search;
#[cfg(test)]
mod tests;

pub use critical::Critical;
pub use ending::{Ending, Number};
pub use lesson::{Lesson, Lessons, Refutation};
pub use search::GoalSearch;
