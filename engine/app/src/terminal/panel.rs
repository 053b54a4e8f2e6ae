//! The panel beside or below the board: players, face-down and captured pieces.

use super::dealt::{DealtGame, End, Order};
use super::style::{Ink, Style};
use super::width::{fit, pad, width};
use super::words::Names;
use anqi_rules::{Color, Convention, Outcome, Piece, Role};

/// Most columns of a name.
const MOST_NAME_COLUMNS: usize = 28;
/// Fewest columns of a name.
const LEAST_NAME_COLUMNS: usize = 8;
/// Columns of the labels before names and counters.
const SIDE_COLUMNS: usize = 8;
/// Columns of the longest state after a name, `  ← to move`.
const STATE_COLUMNS: usize = 11;
/// Columns of the labels before the counts.
const LABEL_COLUMNS: usize = 11;

/// Returns the fewest columns that a panel beside the board needs.
pub fn least_columns(style: Style) -> usize {
    let counts = LABEL_COLUMNS + Role::ALL.len() * (style.cell_width() - 1);
    counts.max(SIDE_COLUMNS + STATE_COLUMNS + LEAST_NAME_COLUMNS)
}

/// Returns the lines of the panel from the top, each of at most this many columns.
pub fn lines(dealt: &DealtGame, names: &Names, style: Style, columns: usize) -> Vec<String> {
    let mut lines = sides(dealt, names, style, columns);
    lines.push(String::new());
    for color in Color::ALL {
        lines.extend(counts(dealt, color, style));
        lines.push(String::new());
    }
    lines.extend(counters(dealt, style, columns));
    lines
}

/// Returns a line for each of the two players, red first once colours are known.
fn sides(dealt: &DealtGame, names: &Names, style: Style, columns: usize) -> Vec<String> {
    let room = columns.saturating_sub(SIDE_COLUMNS + STATE_COLUMNS);
    let name_columns = room.min(MOST_NAME_COLUMNS);
    let mut order = Order::ALL;
    if dealt.color(Order::First) == Some(Color::Black) {
        order.reverse();
    }
    order
        .into_iter()
        .map(|order| {
            let name = fit(&names[order.index()], name_columns);
            side(dealt, order, &name, style)
        })
        .collect()
}

fn side(dealt: &DealtGame, order: Order, name: &str, style: Style) -> String {
    let label = match (dealt.color(order), order) {
        (Some(color), _) => style.paint(Ink::Side(color), &color.to_string()),
        (None, Order::First) => "first".to_owned(),
        (None, Order::Second) => "second".to_owned(),
    };
    let state = match dealt.end() {
        Some(end) => match winner(end, dealt) {
            Some(winner) if winner == order => "won",
            Some(_) => "lost",
            None => "drew",
        },
        None if dealt.turn() == order => "to move",
        None => "",
    };
    let line = format!("{}{name}", pad(&label, SIDE_COLUMNS));
    match state {
        "" => line,
        _ => format!(
            "{line}  {}",
            style.paint(Ink::Strong, &format!("← {state}"))
        ),
    }
}

fn winner(end: End, dealt: &DealtGame) -> Option<Order> {
    let outcome = match end {
        End::Resigned(order) => return Some(order.opponent()),
        End::Rules(outcome) => outcome,
    };
    match outcome {
        Outcome::Win { winner, .. } if dealt.color(Order::First) == Some(winner) => {
            Some(Order::First)
        }
        Outcome::Win { .. } => Some(Order::Second),
        Outcome::Draw(_) => None,
    }
}

/// Returns a heading with the pieces of one colour, and how many are face down and captured.
fn counts(dealt: &DealtGame, color: Color, style: Style) -> [String; 3] {
    let position = dealt.game().position();
    let hidden = |piece| position.hidden().count(piece);
    let captured = |piece: Piece| piece.role().per_side() as u32 - position.living_of(piece);
    let mut heading = style.paint(Ink::Side(color), &pad(&color.to_string(), LABEL_COLUMNS));
    for role in Role::ALL {
        let glyph = style.glyph(Piece::new(color, role)).to_string();
        heading += " ";
        heading += &style.paint(Ink::Side(color), &glyph);
    }
    [
        heading,
        count_line("face down", color, hidden, style),
        count_line("captured", color, captured, style),
    ]
}

fn count_line(label: &str, color: Color, count: impl Fn(Piece) -> u32, style: Style) -> String {
    let mut line = pad(&format!("  {label}"), LABEL_COLUMNS);
    for role in Role::ALL {
        let piece = Piece::new(color, role);
        let number = match count(piece) {
            0 => "·".to_owned(),
            number => number.to_string(),
        };
        // Numbers stand under the right half of wide characters.
        let indent = width(&style.glyph(piece).to_string());
        line += &format!("{:indent$}", "");
        line += &match number.as_str() {
            "·" => style.paint(Ink::Faint, &number),
            _ => number,
        };
    }
    line
}

/// Returns the quiet counter, the number of plies and the last ply.
fn counters(dealt: &DealtGame, style: Style, columns: usize) -> Vec<String> {
    let position = dealt.game().position();
    let limit = match dealt.game().rules().quiet_limit {
        Some(limit) => format!(" of {limit}"),
        None => String::new(),
    };
    let mut quiet = format!(
        "{}{}{limit}",
        pad("quiet", SIDE_COLUMNS),
        position.quiet_counter()
    );
    let meaning = match dealt.game().rules().convention {
        Convention::Tournament => "plies without capture or flip",
        Convention::Course => "moves without capture",
    };
    if width(&quiet) + 1 + width(meaning) <= columns {
        quiet += " ";
        quiet += &style.paint(Ink::Faint, meaning);
    }
    let last = match dealt.last() {
        None => "none".to_owned(),
        Some(event) => match event.captured {
            Some(captured) => format!("{} takes {}", event.ply, style.glyph(captured)),
            None => style.ply(event.ply),
        },
    };
    vec![
        quiet,
        format!("{}{}", pad("played", SIDE_COLUMNS), position.ply()),
        format!("{}{last}", pad("last", SIDE_COLUMNS)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::deal::{Deal, KnownDeal};
    use super::*;
    use anqi_rules::{Game, Position, Rules};

    fn panel(columns: usize) -> Vec<String> {
        let start: Position = "4/4/4/4/4/1k2/4/P3 r - 7 90".parse().unwrap();
        let deal = Deal::new(&start, &KnownDeal::default(), 1).unwrap();
        let dealt = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
        let names = [
            "a-player-with-a-very-long-name".to_owned(),
            "you".to_owned(),
        ];
        lines(&dealt, &names, Style::default(), columns)
    }

    #[test]
    fn the_panel_counts_what_is_gone_and_what_is_hidden() {
        let panel = panel(60);
        assert_eq!(panel[0], "red     a-player-with-a-very-long-n…  ← to move");
        assert_eq!(panel[1], "black   you");
        assert_eq!(panel[3], "red         K G M R N C P");
        assert_eq!(panel[5], "  captured  1 2 2 2 2 2 4");
        assert_eq!(panel[9], "  captured  · 2 2 2 2 2 5");
        assert_eq!(panel[11], "quiet   7 of 180 plies without capture or flip");
    }

    #[test]
    fn names_and_explanations_give_way_on_narrow_screens() {
        let panel = panel(32);
        assert_eq!(panel[0], "red     a-player-wit…  ← to move");
        assert_eq!(panel[11], "quiet   7 of 180");
        assert!(panel.iter().all(|line| width(line) <= 32));
    }
}
