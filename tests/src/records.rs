//! The reader of the platform's game records.
//!
//! Only lines that start with `* ` belong to a record; the rest of the file is what the engine printed.

/// One record, as far as the replay needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The plies in their order.
    pub plies: Vec<String>,
    /// The colour of the first player, as the line `first` says.
    pub first: char,
    /// The points of the first and of the second player, if the game ended.
    pub points: Option<(f32, f32)>,
    /// The length of the repeated sequence that a draw by repetition names.
    pub cycle: Option<usize>,
}

/// Reads a record.
///
/// # Errors
///
/// Names what is missing or not understood.
pub fn read(text: &str) -> Result<Record, String> {
    let mut record = Record {
        plies: Vec::new(),
        first: '-',
        points: None,
        cycle: None,
    };
    for line in text.lines().filter_map(|line| line.strip_prefix("* ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["first", "0"] => record.first = 'r',
            ["first", "1"] => record.first = 'b',
            [round, plies @ ..] if is_round(round) => {
                record.plies.extend(plies.iter().map(ToString::to_string));
            }
            [reason, .., points] if is_reason(reason) => {
                record.points =
                    Some(read_points(points).ok_or_else(|| format!("no points: {line}"))?);
                record.cycle = reason
                    .rsplit_once(',')
                    .and_then(|(_, cycle)| cycle.parse().ok());
            }
            _ => {}
        }
    }
    if record.first == '-' {
        return Err("no line tells who is first".to_string());
    }
    Ok(record)
}

fn is_round(word: &str) -> bool {
    word.strip_suffix('.')
        .is_some_and(|number| number.parse::<u32>().is_ok())
}

fn is_reason(word: &str) -> bool {
    let name = word.split(',').next().unwrap_or_default();
    [
        "NoMove",
        "NoEatFlipDraw",
        "PositionRepetitionDraw",
        "TimeOut",
    ]
    .contains(&name)
}

fn read_points(word: &str) -> Option<(f32, f32)> {
    let (first, second) = word.split_once(',')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}
