//! Headers of tables are refused, or written the same. The checksum is corrected first, or no input would get past it;
//! the corpus begins with headers of real tables, because the hash of the rules cannot be guessed.
#![no_main]

use std::path::Path;

use anqi_tablebase::file::Header;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("fuzzed");
    let _ = Header::length(path, bytes);
    let _ = Header::read(path, bytes);
    if bytes.len() < 4 {
        return;
    }
    let mut header = bytes.to_vec();
    let body = header.len() - 4;
    let checksum = crc32fast::hash(&header[..body]);
    header[body..].copy_from_slice(&checksum.to_le_bytes());
    if let Ok(read) = Header::read(path, &header) {
        let written = read.to_bytes();
        let again = Header::read(path, &written).expect("a written header is read");
        assert_eq!(again.to_bytes(), written);
    }
});
