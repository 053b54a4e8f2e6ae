//! Files of positions are refused, or every position in them is read or refused by name.
#![no_main]

use anqi_lab::training::file::DataFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = DataFile::parse(bytes) else {
        return;
    };
    for index in 0..file.records().len() {
        let _ = file.example(index);
    }
});
