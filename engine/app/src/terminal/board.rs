//! Drawing the board: eighteen lines, at most 80 columns, for people.
//!
//! The last ply is marked without colours too: brackets around the piece that
//! moved or appeared, a dot where it came from.

use super::dealt::{DealtGame, Event};
use super::panel;
use super::style::{Ink, Style};
use super::words::Names;
use anqi_rules::{COLUMNS, Content, ROWS, Square};

/// Blanks between the board and the panel.
const GAP: &str = "    ";

/// Returns the lines of board and panel.
pub fn draw(dealt: &DealtGame, names: &Names, style: Style) -> Vec<String> {
    let mut lines = grid(dealt, style);
    let panel = panel::lines(dealt, names, style);
    // The first line of the grid is its upper edge: the panel starts beside row 8.
    for (line, beside) in lines.iter_mut().skip(1).zip(panel) {
        if !beside.is_empty() {
            *line += GAP;
            *line += &beside;
        }
    }
    lines
}

/// Returns the board alone, with its labels.
fn grid(dealt: &DealtGame, style: Style) -> Vec<String> {
    let mut lines = vec![edge(["┌", "┬", "┐"], style)];
    for row in (0..ROWS).rev() {
        lines.push(row_line(dealt, row, style));
        if row > 0 {
            lines.push(edge(["├", "┼", "┤"], style));
        }
    }
    lines.push(edge(["└", "┴", "┘"], style));
    lines.push(column_labels(style));
    lines
}

fn edge([left, middle, right]: [&str; 3], style: Style) -> String {
    let bar = "─".repeat(style.cell_width());
    let bars = vec![bar; COLUMNS].join(middle);
    format!(
        "    {}",
        style.paint(Ink::Faint, &format!("{left}{bars}{right}"))
    )
}

fn row_line(dealt: &DealtGame, row: usize, style: Style) -> String {
    let bar = style.paint(Ink::Faint, "│");
    let mut line = format!("  {} {bar}", row + 1);
    for column in 0..COLUMNS {
        let square = Square::at(column, row).expect("the loops stay on the board");
        line += &cell(dealt, square, style);
        line += &bar;
    }
    line
}

/// Returns the inside of a square.
fn cell(dealt: &DealtGame, square: Square, style: Style) -> String {
    let last = dealt.last();
    let fresh = last.is_some_and(|event: Event| event.ply.action.to() == square);
    let left = last.is_some_and(|event: Event| event.ply.action.from() == square);
    match dealt.game().position().content(square) {
        Content::FaceUp(piece) if fresh => {
            let text = format!("[{}]", style.glyph(piece));
            style.paint(Ink::FreshPiece(piece.color()), &text)
        }
        Content::FaceUp(piece) => {
            let text = format!(" {} ", style.glyph(piece));
            style.paint(Ink::Piece(piece.color()), &text)
        }
        Content::FaceDown => style.paint(Ink::FaceDown, &format!(" {} ", style.back())),
        Content::Empty if left => style.paint(Ink::Trace, &centred("·", style)),
        Content::Empty => centred(" ", style),
    }
}

/// Returns a narrow text in the middle of a square.
fn centred(text: &str, style: Style) -> String {
    format!("{text:^width$}", width = style.cell_width())
}

fn column_labels(style: Style) -> String {
    let mut line = "    ".to_owned();
    for label in ["a", "b", "c", "d"] {
        line += " ";
        line += &centred(label, style);
    }
    line.trim_end().to_owned()
}
