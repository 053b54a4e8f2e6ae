//! All tests of the two rule books, in one program: it is built in a third of the time that separate ones would take.

mod chases;
mod course;
mod impossible;
mod openspiel;
mod papers;
mod properties;
mod repetition;
mod texts;
mod twins;
