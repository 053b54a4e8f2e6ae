//! Drawing the board, with a panel beside it or, on narrow screens, below it.
//!
//! The board always stands whole. On a low screen it has no lines between its rows, and
//! the panel below is cut to what is left of the screen.
//!
//! The last ply is marked without colours too: brackets around the piece that
//! moved or appeared, a dot where it came from.

use super::panel;
use super::style::{Ink, Style};
use super::width::pad;
use super::words::Names;
use anqi_play::{DealtGame, Event};
use anqi_rules::{COLUMNS, Content, ROWS, Square};

/// Columns of blanks between the board and the panel, the usual and the fewest.
const GAPS: [usize; 2] = [4, 2];
/// Columns of the row labels and the blanks around them.
const MARGIN: usize = 4;

/// Which lines the board is drawn with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ruling {
    /// A line between any two rows.
    Full,
    /// The frame alone, so that more fits on the same screen.
    Frame,
}

/// The part of a screen that board and panel may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Its columns, at least 32.
    pub columns: usize,
    /// Its rows; `None` where they do not matter.
    pub rows: Option<usize>,
}

impl Room {
    /// Returns how many more lines fit below these.
    fn left(self, lines: &[String]) -> usize {
        self.rows
            .map_or(usize::MAX, |rows| rows.saturating_sub(lines.len()))
    }
}

/// Returns the lines of board and panel.
pub fn draw(dealt: &DealtGame, names: &Names, style: Style, room: Room) -> Vec<String> {
    let board = board_columns(style);
    let least = board + panel::least_columns(style);
    match GAPS.into_iter().find(|gap| room.columns >= least + gap) {
        Some(gap) => {
            let panel = panel::lines(dealt, names, style, room.columns - board - gap);
            beside(dealt, panel, gap, style, room)
        }
        None => below(dealt, names, style, room),
    }
}

/// Returns the columns of the board with its labels.
fn board_columns(style: Style) -> usize {
    MARGIN + COLUMNS * (style.cell_width() + 1) + 1
}

/// Returns the board with the panel beside it.
fn beside(
    dealt: &DealtGame,
    mut panel: Vec<String>,
    gap: usize,
    style: Style,
    room: Room,
) -> Vec<String> {
    let board = board_columns(style);
    let full = grid(dealt, style, Ruling::Full);
    // Below its upper edge the ruled board has a line for each of the panel; the other one
    // has just as many lines as the panel has without its empty ones.
    let (mut lines, first) = if room.rows.is_none_or(|rows| full.len() <= rows) {
        (full, 1)
    } else {
        panel.retain(|line| !line.is_empty());
        (grid(dealt, style, Ruling::Frame), 0)
    };
    for (line, beside) in lines.iter_mut().skip(first).zip(panel) {
        if !beside.is_empty() {
            *line = pad(line, board);
            *line += &" ".repeat(gap);
            *line += &beside;
        }
    }
    lines
}

/// Returns the board with as much of the panel below as there is room for.
fn below(dealt: &DealtGame, names: &Names, style: Style, room: Room) -> Vec<String> {
    let mut lines = grid(dealt, style, Ruling::Frame);
    let mut panel = panel::lines(dealt, names, style, room.columns);
    panel.retain(|line| !line.is_empty());
    let left = room.left(&lines);
    if panel.len() > left {
        panel = panel::short(dealt, names, style, room.columns);
        panel.truncate(left);
    }
    lines.extend(panel);
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
    use super::super::style::Script;
    use super::super::width::width;
    use super::*;
    use anqi_play::{Deal, KnownDeal};
    use anqi_rules::{Action, Game, Position, Rules};

    /// Draws a game for a screen of these columns, however high.
    fn game(script: Script, columns: usize) -> Vec<String> {
        game_in(
            script,
            Room {
                columns,
                rows: None,
            },
        )
    }

    fn game_in(script: Script, room: Room) -> Vec<String> {
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
        draw(&dealt, &names, style, room)
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
        for (script, narrow) in [(Script::Letters, 49), (Script::Chinese, 58)] {
            assert_eq!(game(script, narrow + 1).len(), 18);
            let below = game(script, narrow);
            assert!(below.len() <= 22, "{below:#?}");
            assert!(below.iter().any(|line| line.starts_with("red ")));
            assert!(below.iter().any(|line| line.contains("← to move")));
        }
    }

    #[test]
    fn the_board_stays_whole_on_low_screens() {
        for script in [Script::Letters, Script::Chinese] {
            for columns in 32..100 {
                for rows in 11..24 {
                    let room = Room {
                        columns,
                        rows: Some(rows),
                    };
                    let lines = game_in(script, room);
                    assert!(lines.len() <= rows, "{columns}×{rows}: {lines:#?}");
                    let ranks = (1..=8)
                        .filter(|rank| lines.iter().any(|l| l.starts_with(&format!("  {rank} │"))));
                    assert_eq!(ranks.count(), 8, "{columns}×{rows}");
                    assert!(lines.iter().all(|line| width(line) <= columns));
                }
            }
        }
    }

    #[test]
    fn a_low_screen_keeps_the_panel_as_far_as_it_goes() {
        let lines = |columns, rows| {
            let rows = Some(rows);
            game_in(Script::Letters, Room { columns, rows })
        };
        // Beside the board nothing is lost; below, the players go last.
        let [beside, below, least] = [lines(50, 15), lines(40, 15), lines(40, 13)];
        assert!(beside[10].contains("last    a1("), "{beside:#?}");
        assert!(below[13].starts_with("red     lost nothing"), "{below:#?}");
        assert!(least[12].starts_with("black "), "{least:#?}");
    }
}
