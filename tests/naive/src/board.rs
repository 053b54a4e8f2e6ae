//! Squares by name, colours by letter, and which piece captures which.

/// Returns the colour of a face-up piece.
pub fn color(piece: char) -> char {
    if piece.is_ascii_uppercase() { 'r' } else { 'b' }
}

/// Returns the other colour.
pub fn opponent(turn: char) -> char {
    if turn == 'r' { 'b' } else { 'r' }
}

/// Returns whether a square shows a piece of that colour.
pub fn shows(square: char, turn: char) -> bool {
    square.is_ascii_alphabetic() && color(square) == turn
}

/// Returns whether a piece captures another one step away, colours aside.
///
/// The table is spelt out on purpose: one row for each role, as the rules print it.
pub fn steps_onto(attacker: char, victim: char) -> bool {
    let victims = match attacker.to_ascii_uppercase() {
        'K' => "KGMRNC",
        'G' => "GMRNCP",
        'M' => "MRNCP",
        'R' => "RNCP",
        'N' => "NCP",
        'C' => "",
        'P' => "KP",
        other => panic!("{other} is no piece"),
    };
    victims.contains(victim.to_ascii_uppercase())
}

/// Returns the name of the square in that column and row, both counted from zero.
pub fn name(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// Returns column and row, both counted from zero, of a named square.
pub fn place(text: &str) -> Option<(usize, usize)> {
    let &[column @ b'a'..=b'd', row @ b'1'..=b'8'] = text.as_bytes() else {
        return None;
    };
    Some((usize::from(column - b'a'), usize::from(row - b'1')))
}

/// Returns the next square in a direction, or none at the edge.
pub fn neighbour(column: usize, row: usize, step: (isize, isize)) -> Option<(usize, usize)> {
    let column = column.checked_add_signed(step.0)?;
    let row = row.checked_add_signed(step.1)?;
    (column < 4 && row < 8).then_some((column, row))
}

/// The four directions: left, right, down, up.
pub const STEPS: [(isize, isize); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
