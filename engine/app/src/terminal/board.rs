//! Drawing the board, with a panel beside it or, on narrow screens, below it.
//!
//! The last ply is marked without colours too: brackets around the piece that
//! moved or appeared, a dot where it came from.

use super::dealt::{DealtGame, Event};
use super::panel;
use super::style::{Ink, Style};
use super::words::Names;
use anqi_rules::{COLUMNS, Content, ROWS, Square};

/// Columns of blanks between the board and the panel.
const GAP: usize = 4;
/// Columns of the row labels and the blanks around them.
const MARGIN: usize = 4;

/// Which lines the board is drawn with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ruling {
    /// A line between any two rows.
    Full,
    /// The frame alone, so that a panel below fits on the same screen.
    Frame,
}

/// Returns the lines of board and panel for a screen of this many columns, at least 32.
pub fn draw(dealt: &DealtGame, names: &Names, style: Style, columns: usize) -> Vec<String> {
    let board = MARGIN + COLUMNS * (style.cell_width() + 1) + 1;
    let beside = columns.saturating_sub(board + GAP);
    if beside < panel::least_columns(style) {
        let mut lines = grid(dealt, style, Ruling::Frame);
        let panel = panel::lines(dealt, names, style, columns);
        lines.extend(panel.into_iter().filter(|line| !line.is_empty()));
        return lines;
    }
    let mut lines = grid(dealt, style, Ruling::Full);
    let panel = panel::lines(dealt, names, style, beside);
    // The first line of the grid is its upper edge: the panel starts beside row 8.
    for (line, beside) in lines.iter_mut().skip(1).zip(panel) {
        if !beside.is_empty() {
            *line += &" ".repeat(GAP);
            *line += &beside;
        }
    }
    lines
}

/// Returns the board alone, with its labels.
fn grid(dealt: &DealtGame, style: Style, ruling: Ruling) -> Vec<String> {
    let mut lines = vec![edge(["┌", "┬", "┐"], style)];
    for row in (0..ROWS).rev() {
        lines.push(row_line(dealt, row, style));
        if row > 0 && ruling == Ruling::Full {
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

/// Returns the contents of a square.
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

/// Centres a narrow text in a square.
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

#[cfg(test)]
mod tests {
    use super::super::deal::{Deal, KnownDeal};
    use super::super::style::Script;
    use super::super::width::width;
    use super::*;
    use anqi_rules::{Action, Game, Position, Rules};

    fn game(script: Script, columns: usize) -> Vec<String> {
        let start = Position::start();
        let deal = Deal::new(&start, &KnownDeal::default(), 5).unwrap();
        let mut dealt = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
        for square in ["b2", "c7", "a1"] {
            dealt.act(Action::flip(square.parse().unwrap())).unwrap();
        }
        let style = Style {
            script,
            ..Style::default()
        };
        let names = [
            "you".to_owned(),
            "champion:level=3,threads=12,hash=256".to_owned(),
        ];
        draw(&dealt, &names, style, columns)
    }

    #[test]
    fn every_line_fits_screens_from_32_columns() {
        for script in [Script::Letters, Script::Chinese] {
            for columns in 32..100 {
                for line in game(script, columns) {
                    assert!(width(&line) <= columns, "{columns}: {line}");
                }
            }
        }
    }

    #[test]
    fn the_panel_goes_below_the_board_where_it_has_no_room_beside() {
        for (script, narrow) in [(Script::Letters, 51), (Script::Chinese, 60)] {
            assert_eq!(game(script, narrow + 1).len(), 18);
            let below = game(script, narrow);
            assert!(below.len() <= 22, "{below:#?}");
            assert!(below.iter().any(|line| line.starts_with("red ")));
            assert!(below.iter().any(|line| line.contains("← to move")));
        }
    }
}
