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
pub use codec::Packing;
pub use error::{BuildError, TableError};
pub(crate) use extract::FILE_VALUES;
pub use folder::{place, table_name};
pub(crate) use framed::FramedFile;
pub use header::Header;
pub(crate) use header::rules_hash;
pub use metric::Metric;
pub use reader::TableFile;

unstable!(pub use codec::{FRAME, LEVEL, is_frame_len, unpack});
unstable!(pub use folder::{BuildScope, lock});
unstable!(pub use reader::{Decoded});
unstable!(pub use solution::{compare, write_all});

/// Parts of the format that tables with face-down pieces share.
pub(crate) mod bytes {
    pub(crate) use super::codec::{compress_checked as compress_bytes, decompress, put, take};
    pub(crate) use super::framed::directory_len;
    pub(crate) use super::header::{
        CODEC_ZSTD, check_sum_and_rules, damaged, key_bytes, key_of, node_bytes,
    };
    pub(crate) use super::writer::write_with_trailer;
}
