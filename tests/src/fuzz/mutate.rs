//! Ways to spoil a line.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

/// Longer than any line that an engine has to read.
const HUGE: usize = 70_000;

/// Words that look like an argument and are none, or are one in the wrong place.
const WORDS: &[&str] = &[
    "a9",
    "e1",
    "a0",
    "A1",
    "b2-b3",
    "",
    "-1",
    "+1",
    "007",
    "99999999999999999999",
    "18446744073709551616",
    "4294967296",
    "1.5",
    "nan",
    "red",
    "black",
    "unknown",
    "blue",
    "X",
    "?",
    "K",
    "帥",
    "\u{feff}",
    "\u{202e}",
    "moves",
    "start",
    "true",
    "quit",
    "stop",
    "infinite",
    "%s%n",
    "'",
    "\"",
    "\\",
    "\0",
    "--help",
    "/etc/passwd",
    "..",
    "r",
    "b",
    "-",
    "????/????/????/????/????/????/????/????",
    "8/8/8/8/8/8/8/8",
];

/// Spoils a line in one to three ways. It stays one line: no newline is put in.
pub fn spoil(line: &mut Vec<u8>, other: &[u8], source: &mut Pcg64) {
    for _ in 0..source.random_range(1..=3) {
        match source.random_range(0..12) {
            0..=5 => spoil_words(line, other, source),
            6..=10 => spoil_bytes(line, source),
            _ => spoil_whole(line, other, source),
        }
    }
    line.retain(|&byte| byte != b'\n');
}

fn spoil_words(line: &mut Vec<u8>, other: &[u8], source: &mut Pcg64) {
    let mut words: Vec<Vec<u8>> = line
        .split(|&byte| byte == b' ')
        .map(<[u8]>::to_vec)
        .collect();
    let at = source.random_range(0..words.len());
    let stranger = if source.random_bool(0.7) {
        WORDS.choose(source).map(|word| word.as_bytes().to_vec())
    } else {
        other
            .split(|&byte| byte == b' ')
            .next_back()
            .map(<[u8]>::to_vec)
    };
    let stranger = stranger.unwrap_or_default();
    match source.random_range(0..6) {
        0 => drop(words.remove(at)),
        1 => words.insert(at, words[at].clone()),
        2 => words[at] = stranger,
        3 => words.insert(at, stranger),
        4 => words.push(stranger),
        _ => {
            let with = source.random_range(0..words.len());
            words.swap(at, with);
        }
    }
    *line = words.join(&b' ');
}

fn spoil_bytes(line: &mut Vec<u8>, source: &mut Pcg64) {
    let at = source.random_range(0..=line.len());
    match source.random_range(0..6) {
        0 => line.truncate(at),
        1 => line.insert(at, source.random_range(0..=255)),
        2 => line.insert(
            at,
            *b" \t\r\0#-0159"[..]
                .choose(source)
                .expect("there are bytes"),
        ),
        3 if at < line.len() => drop(line.remove(at)),
        4 if at < line.len() => line[at] = source.random_range(0..=255),
        _ if at < line.len() => line[at] ^= 0x20,
        _ => line.push(b' '),
    }
}

fn spoil_whole(line: &mut Vec<u8>, other: &[u8], source: &mut Pcg64) {
    match source.random_range(0..8) {
        0 if source.random_bool(0.1) => {
            let filler = *b" 9a?\xff"[..].choose(source).expect("there are bytes");
            line.resize(HUGE, filler);
        }
        1 => {
            line.push(b' ');
            line.extend_from_slice(other);
        }
        2 => {
            let length = source.random_range(0..60);
            *line = (0..length).map(|_| source.random_range(0..=255)).collect();
        }
        3 => line.clear(),
        4 => line.insert(0, b'#'),
        5 => line.extend_from_slice(b"\r"),
        6 => {
            let widen = |&byte: &u8| {
                if byte == b' ' {
                    b"\t  ".to_vec()
                } else {
                    vec![byte]
                }
            };
            *line = line.iter().flat_map(widen).collect();
        }
        _ => line.make_ascii_uppercase(),
    }
}
