//! QR codes for the terminal: two modules in each character, one above the other.

use super::style::{Ink, Style};
use qrcode::{Color, EcLevel, QrCode};

/// The light border, in modules.
const BORDER: usize = 2;

/// Draws the QR code of a text, light where the text colour is; `None` if the text is too long.
pub fn drawn(text: &str, style: Style) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let (width, colors) = (code.width(), code.to_colors());
    let total = width + 2 * BORDER;
    let is_light = |row: usize, column: usize| {
        let inside = BORDER..BORDER + width;
        !inside.contains(&row)
            || !inside.contains(&column)
            || colors[(row - BORDER) * width + column - BORDER] == Color::Light
    };
    let line = |row: usize| -> String {
        let cell = |column| match (is_light(row, column), is_light(row + 1, column)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        let cells: String = (0..total).map(cell).collect();
        format!("{}\n", style.paint(Ink::Code, &cells))
    };
    Some((0..total).step_by(2).map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_reads_the_code() {
        for text in [
            "http://192.168.1.5:8080/?token=0123456789abcdef0123456789abcdef",
            "https://anqi.example.org/?token=ffffffffffffffffffffffffffffffff",
        ] {
            let drawn = drawn(text, Style::default()).expect("short enough");
            let rows: Vec<Vec<char>> = drawn.lines().map(|line| line.chars().collect()).collect();
            let light = |row: usize, column: usize| match rows[row / 2][column] {
                '█' => true,
                '▀' => row.is_multiple_of(2),
                '▄' => !row.is_multiple_of(2),
                _ => false,
            };
            // Four pixels a module, on a dark terminal.
            let (wide, high) = (rows[0].len(), 2 * rows.len());
            let pixel = |x: usize, y: usize| {
                let (column, row) = (x / 4, y / 4);
                let inside = (2..wide + 2).contains(&column) && (2..high + 2).contains(&row);
                u8::from(inside && light(row - 2, column - 2)) * 255
            };
            let (width, height) = ((wide + 4) * 4, (high + 4) * 4);
            let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, pixel);
            let grids = image.detect_grids();
            assert_eq!(grids.len(), 1);
            assert_eq!(grids[0].decode().expect("a code").1, text);
            assert!(wide <= 45 && rows.len() <= 23, "{wide} × {}", rows.len());
        }
    }

    #[test]
    fn a_text_that_is_too_long_has_no_code() {
        assert_eq!(drawn(&"x".repeat(3_000), Style::default()), None);
    }
}
