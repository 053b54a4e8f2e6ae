//! Comma-separated text: one line of names, then a line for each row.
//!
//! Text is quoted where it holds a comma, a quote or a line break, as RFC 4180
//! says. A missing cell is empty, and empty text is a pair of quotes.

use std::io::{BufWriter, Write};

use super::schema::{Cell, Column};
use super::sink::{ExportError, Sink};

pub(super) struct CsvSink<W: Write> {
    out: BufWriter<W>,
}

impl<W: Write> CsvSink<W> {
    pub(super) fn new(columns: &[Column], out: W) -> Result<CsvSink<W>, ExportError> {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let mut out = BufWriter::new(out);
        writeln!(out, "{}", names.join(","))?;
        Ok(CsvSink { out })
    }
}

impl<W: Write> Sink for CsvSink<W> {
    fn row(&mut self, row: Vec<Cell>) -> Result<(), ExportError> {
        for (index, cell) in row.iter().enumerate() {
            if index > 0 {
                self.out.write_all(b",")?;
            }
            match cell {
                Cell::Missing => {}
                Cell::Integer(value) => write!(self.out, "{value}")?,
                Cell::Number(value) => write!(self.out, "{value}")?,
                Cell::Text(text) => self.out.write_all(quoted(text).as_bytes())?,
            }
        }
        self.out.write_all(b"\n")?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExportError> {
        self.out.flush()?;
        Ok(())
    }
}

/// Returns the text as a cell.
fn quoted(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.contains([',', '"', '\n', '\r']);
    if is_plain {
        text.to_owned()
    } else {
        format!("\"{}\"", text.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::schema::What;

    #[test]
    fn text_is_quoted_where_it_would_be_misread() {
        assert_eq!(quoted("champion"), "champion");
        assert_eq!(
            quoted("basic:eval=static,policy=compare"),
            "\"basic:eval=static,policy=compare\""
        );
        assert_eq!(quoted("cmd:\"x y\""), "\"cmd:\"\"x y\"\"\"");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted("two\nlines"), "\"two\nlines\"");
    }

    #[test]
    fn missing_cells_are_empty() {
        let mut bytes = Vec::new();
        let columns = &What::Matches.table().columns[..3];
        let mut sink = Box::new(CsvSink::new(columns, &mut bytes).expect("memory"));
        let row = vec![Cell::Missing, Cell::Number(0.5), Cell::Integer(-3)];
        sink.row(row).expect("memory");
        sink.finish().expect("memory");
        let text = String::from_utf8(bytes).expect("text");
        assert_eq!(text, "match,folder,program\n,0.5,-3\n");
    }
}
