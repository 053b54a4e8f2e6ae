//! Table files of endings with face-down pieces: their bytes, writing, reading, building. Described
//! byte by byte in `docs/formats/face-down.md`.

mod build;
mod frames;
mod header;
mod names;
mod table;
mod writer;

pub use build::{BuildOrder, Built, build, lock, memory_needed, smaller};
pub use frames::{FRAME, values_and_plies};
pub use header::{Counts, Header, SmallerTable};
pub use names::{hidden_name, name_of, path_of};
pub use table::HiddenTable;
