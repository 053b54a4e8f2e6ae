//! Table files: their bytes, writing, reading. Described byte by byte in `docs/table-format.md`.

pub mod codec;
pub mod error;
pub mod header;
pub mod reader;
pub mod writer;

pub use error::TableError;
pub use header::Header;
pub use reader::TableFile;
