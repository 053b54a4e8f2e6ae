//! Table files: their bytes, writing, reading, building. Described byte by byte in
//! `docs/formats/tables.md`.

mod build;
mod codec;
mod error;
mod extract;
mod folder;
mod framed;
mod group_order;
mod header;
mod metric;
mod reader;
mod solution;
mod writer;

pub use build::{Built, Order, build_unit, goal_for};
pub use codec::{FRAME, LEVEL, Packing, is_frame_len, unpack};
pub use error::{BuildError, TableError};
pub use extract::FILE_VALUES;
pub use folder::{BuildScope, lock, place, table_name};
pub use framed::FramedFile;
pub use header::{Header, rules_hash};
pub use metric::Metric;
pub use reader::{Decoded, TableFile};
pub use solution::{compare, write_all};

/// Parts of the format that tables with face-down pieces share.
pub(crate) mod bytes {
    pub use super::codec::{compress_checked as compress_bytes, decompress, put, take};
    pub use super::framed::directory_len;
    pub use super::header::{
        CODEC_ZSTD, check_sum_and_rules, damaged, key_bytes, key_of, node_bytes,
    };
    pub use super::writer::write_with_trailer;
}
