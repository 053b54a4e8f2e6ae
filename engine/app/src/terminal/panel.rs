//! The column beside the board: who plays, what is still hidden, what is gone.

use super::dealt::{DealtGame, End, Order};
use super::style::{Ink, Style};
use super::width::{fit, pad, width};
use super::words::Names;
use anqi_rules::{Color, Outcome, Piece, Role};

/// Columns for the longest name.
const NAME_COLUMNS: usize = 28;
/// Columns for the labels before the counts.
const LABEL_COLUMNS: usize = 11;

/// Returns the lines of the panel, from the top.
pub fn lines(dealt: &DealtGame, names: &Names, style: Style) -> Vec<String> {
    let mut lines = sides(dealt, names, style);
    lines.push(String::new());
    for color in Color::ALL {
        lines.extend(counts(dealt, color, style));
        lines.push(String::new());
    }
    lines.extend(counters(dealt, style));
    lines
}

/// Returns a line for each of the two who play, red first once colours are known.
fn sides(dealt: &DealtGame, names: &Names, style: Style) -> Vec<String> {
    let mut order = Order::ALL;
    if dealt.color(Order::First) == Some(Color::Black) {
        order.reverse();
    }
    order
        .into_iter()
        .map(|order| side(dealt, order, &names[order.index()], style))
        .collect()
}

fn side(dealt: &DealtGame, order: Order, name: &str, style: Style) -> String {
    let label = match (dealt.color(order), order) {
        (Some(color), _) => style.paint(Ink::Side(color), &color.to_string()),
        (None, Order::First) => "first".to_owned(),
        (None, Order::Second) => "second".to_owned(),
    };
    let name = fit(name, NAME_COLUMNS);
    let state = match dealt.end() {
        Some(end) => match winner(end, dealt) {
            Some(winner) if winner == order => "won",
            Some(_) => "lost",
            None => "drew",
        },
        None if dealt.turn() == order => "to move",
        None => "",
    };
    let line = format!("{}{name}", pad(&label, 8));
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

/// Returns the quiet counter and the last ply.
fn counters(dealt: &DealtGame, style: Style) -> Vec<String> {
    let position = dealt.game().position();
    let limit = match dealt.game().rules().quiet_limit {
        Some(limit) => format!(" of {limit}"),
        None => String::new(),
    };
    let quiet = format!("{}{limit}", position.quiet());
    let last = match dealt.last() {
        None => "none".to_owned(),
        Some(event) => match event.captured {
            Some(captured) => format!("{} takes {}", event.ply, style.glyph(captured)),
            None => style.ply(event.ply),
        },
    };
    let faint = |text: &str| style.paint(Ink::Faint, text);
    vec![
        format!(
            "{}{quiet} {}",
            pad("quiet", 8),
            faint("plies without capture or flip")
        ),
        format!("{}{}", pad("played", 8), position.ply()),
        format!("{}{last}", pad("last", 8)),
    ]
}
