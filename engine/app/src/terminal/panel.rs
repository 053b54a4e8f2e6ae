//! The panel beside or below the board: players, face-down and captured pieces.

use super::language::say;
use super::style::{Ink, Style};
use super::width::{fit, pad, width};
use super::words::{Names, shown_name};
use anqi_play::{DealtGame, Seat};
use anqi_rules::{Color, Convention, Piece, Role};

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

/// Returns the lines that matter most first, for a screen without room for the others.
pub fn short(dealt: &DealtGame, names: &Names, style: Style, columns: usize) -> Vec<String> {
    let mut lines = sides(dealt, names, style, columns);
    lines.extend(Color::ALL.map(|color| lost(dealt, color, style, columns)));
    lines.push(last(dealt, style));
    lines
}

/// Returns the captured pieces of a colour: `red     lost G2 P`.
fn lost(dealt: &DealtGame, color: Color, style: Style, columns: usize) -> String {
    let mut pieces = Vec::new();
    for role in Role::ALL {
        let piece = Piece::new(color, role);
        match captured(dealt, piece) {
            0 => {}
            1 => pieces.push(style.glyph(piece).to_string()),
            count => pieces.push(format!("{}{count}", style.glyph(piece))),
        }
    }
    let pieces = if pieces.is_empty() {
        say!(style.language, "panel.nothing")
    } else {
        pieces.join(" ")
    };
    let label = style.paint(Ink::Side(color), &style.side(color));
    let room = columns.saturating_sub(SIDE_COLUMNS);
    let lost = say!(style.language, "panel.losses", pieces = pieces);
    format!("{}{}", pad(&label, SIDE_COLUMNS), fit(&lost, room))
}

/// Returns how many pieces of a kind are captured.
fn captured(dealt: &DealtGame, piece: Piece) -> u32 {
    piece.role().per_side() as u32 - dealt.game().position().living_of(piece)
}

/// Returns a line for each of the two players, red first once colours are known.
fn sides(dealt: &DealtGame, names: &Names, style: Style, columns: usize) -> Vec<String> {
    let room = columns.saturating_sub(SIDE_COLUMNS + STATE_COLUMNS);
    let name_columns = room.min(MOST_NAME_COLUMNS);
    let mut seats = Seat::ALL;
    if dealt.color(Seat::First) == Some(Color::Black) {
        seats.reverse();
    }
    seats
        .into_iter()
        .map(|seat| {
            let name = fit(
                &shown_name(&names[seat.index()], style.language),
                name_columns,
            );
            side(dealt, seat, &name, style)
        })
        .collect()
}

fn side(dealt: &DealtGame, seat: Seat, name: &str, style: Style) -> String {
    let label = match (dealt.color(seat), seat) {
        (Some(color), _) => style.paint(Ink::Side(color), &style.side(color)),
        (None, Seat::First) => say!(style.language, "panel.first"),
        (None, Seat::Second) => say!(style.language, "panel.second"),
    };
    let state = match dealt.verdict() {
        Some(verdict) => match verdict.winner {
            Some(winner) if winner == seat => Some("panel.won"),
            Some(_) => Some("panel.lost"),
            None => Some("panel.drew"),
        },
        None if dealt.turn() == seat => Some("panel.to-move"),
        None => None,
    };
    let line = format!("{}{name}", pad(&label, SIDE_COLUMNS));
    match state {
        None => line,
        Some(key) => {
            let state = format!("← {}", say!(style.language, key));
            format!("{line}  {}", style.paint(Ink::Strong, &state))
        }
    }
}

/// Returns a heading with the pieces of one colour, and how many are face down and captured.
fn counts(dealt: &DealtGame, color: Color, style: Style) -> [String; 3] {
    let position = dealt.game().position();
    let hidden = |piece| position.hidden().count(piece);
    let captured = |piece: Piece| captured(dealt, piece);
    let mut heading = style.paint(Ink::Side(color), &pad(&style.side(color), LABEL_COLUMNS));
    for role in Role::ALL {
        let glyph = style.glyph(Piece::new(color, role)).to_string();
        heading += " ";
        heading += &style.paint(Ink::Side(color), &glyph);
    }
    [
        heading,
        count_line(
            &say!(style.language, "panel.face-down"),
            color,
            hidden,
            style,
        ),
        count_line(
            &say!(style.language, "panel.captured"),
            color,
            captured,
            style,
        ),
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
        Some(limit) => say!(style.language, "panel.limit", limit = limit),
        None => String::new(),
    };
    let label = |key: &str| pad(&say!(style.language, key), SIDE_COLUMNS);
    let mut quiet = format!(
        "{}{}{limit}",
        label("panel.quiet"),
        position.quiet_counter()
    );
    let meaning = match dealt.game().rules().convention {
        Convention::Tournament => say!(style.language, "panel.quiet.tournament"),
        Convention::Course => say!(style.language, "panel.quiet.course"),
    };
    if width(&quiet) + 1 + width(&meaning) <= columns {
        quiet += " ";
        quiet += &style.paint(Ink::Faint, &meaning);
    }
    vec![
        quiet,
        format!("{}{}", label("panel.played"), position.ply()),
        last(dealt, style),
    ]
}

/// Returns the line of the last ply.
fn last(dealt: &DealtGame, style: Style) -> String {
    let ply = match dealt.last() {
        None => say!(style.language, "panel.none"),
        Some(event) => match event.captured {
            Some(captured) => {
                let piece = style.glyph(captured);
                say!(
                    style.language,
                    "panel.takes",
                    ply = event.ply,
                    piece = piece
                )
            }
            None => style.ply(event.ply),
        },
    };
    let label = say!(style.language, "panel.last");
    format!("{}{ply}", pad(&label, SIDE_COLUMNS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_play::{Deal, KnownDeal};
    use anqi_rules::{Game, Position, Rules};

    const NAMES: [&str; 2] = ["a-player-with-a-very-long-name", "you"];

    fn few_pieces() -> DealtGame {
        let start: Position = "4/4/4/4/4/1k2/4/P3 r - 7 90".parse().unwrap();
        let deal = Deal::new(&start, &KnownDeal::default(), 1).unwrap();
        DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None)
    }

    fn panel(columns: usize) -> Vec<String> {
        let names = NAMES.map(str::to_owned);
        lines(&few_pieces(), &names, Style::default(), columns)
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

    #[test]
    fn the_short_panel_lists_what_is_lost_and_fits() {
        for columns in [32, 50] {
            let panel = short(
                &few_pieces(),
                &NAMES.map(str::to_owned),
                Style::default(),
                columns,
            );
            assert_eq!(panel.len(), 5);
            assert!(panel[2].starts_with("red     lost K G2 M2 R2"), "{panel:?}");
            assert!(
                panel[3].starts_with("black   lost g2 m2 r2 n2"),
                "{panel:?}"
            );
            assert!(panel.iter().all(|line| width(line) <= columns), "{panel:?}");
        }
    }
}
