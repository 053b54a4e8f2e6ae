//! Table files of endings with face-down pieces: their bytes, writing, reading, building. Described
//! byte by byte in `docs/formats/face-down.md`.

mod build;
mod frames;
mod header;
mod names;
mod table;
mod writer;

pub use build::{BuildOrder, Built, build, lock, memory_needed};
pub use frames::FRAME;
pub(crate) use frames::values_and_plies;
pub(crate) use header::Counts;
pub(crate) use names::hidden_name;
pub use names::{name_of, path_of};
pub use table::HiddenTable;
