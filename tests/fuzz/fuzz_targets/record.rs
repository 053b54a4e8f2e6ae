//! Records are refused, or written and read again the same; replaying them refuses or plays, but never panics.
#![no_main]

use anqi_protocol::record::Record;
use anqi_rules::Rules;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(record) = Record::read(bytes) else {
        return;
    };
    let again = Record::read(record.to_string().as_bytes());
    assert_eq!(again.as_ref(), Ok(&record));
    let _ = record.game(Rules::PLATFORM);
});
