//! Parquet: rows are buffered, and written column by column, one row group at a time.

use std::io::Write;
use std::mem;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::{Type, TypePtr};

use super::schema::{Cell, Column, ColumnKind};
use super::sink::{ExportError, Sink};

/// Rows of a group: at about a kilobyte for a game, a group takes some 16 MB.
const GROUP_ROWS: usize = 1 << 14;

pub(super) struct ParquetSink<W: Write + Send> {
    columns: &'static [Column],
    rows: Vec<Vec<Cell>>,
    out: SerializedFileWriter<W>,
}

impl<W: Write + Send> ParquetSink<W> {
    pub(super) fn new(
        table: &str,
        columns: &'static [Column],
        out: W,
    ) -> Result<ParquetSink<W>, ExportError> {
        let made_by = concat!("selfplay ", env!("CARGO_PKG_VERSION"));
        let about = KeyValue::new("anqi.table".to_owned(), table.to_owned());
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(made_by.to_owned())
            .set_key_value_metadata(Some(vec![about]))
            .build();
        Ok(ParquetSink {
            columns,
            rows: Vec::new(),
            out: SerializedFileWriter::new(out, schema(table, columns)?, Arc::new(properties))?,
        })
    }

    fn write_group(&mut self) -> Result<(), ExportError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = mem::take(&mut self.rows);
        let mut group = self.out.next_row_group()?;
        for (index, column) in self.columns.iter().enumerate() {
            let writer = group.next_column()?;
            let writer = writer.ok_or_else(|| misfit(column))?;
            write_column(column, rows.iter().map(|row| &row[index]), writer)?;
        }
        group.close()?;
        Ok(())
    }
}

impl<W: Write + Send> Sink for ParquetSink<W> {
    fn row(&mut self, row: Vec<Cell>) -> Result<(), ExportError> {
        self.rows.push(row);
        if self.rows.len() < GROUP_ROWS {
            Ok(())
        } else {
            self.write_group()
        }
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExportError> {
        self.write_group()?;
        self.out.close()?;
        Ok(())
    }
}

fn schema(table: &str, columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            ColumnKind::Integer => (Physical::INT64, None),
            ColumnKind::Number => (Physical::DOUBLE, None),
            ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical);
        field.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let group = Type::group_type_builder(table).with_fields(fields);
    group.build().map(Arc::new)
}

fn write_column<'a>(
    column: &Column,
    cells: impl Iterator<Item = &'a Cell>,
    writer: SerializedColumnWriter<'_>,
) -> Result<(), ExportError> {
    match column.kind {
        ColumnKind::Integer => typed::<Int64Type>(cells, writer, |cell| match cell {
            Cell::Integer(value) => Some(*value),
            _ => None,
        }),
        ColumnKind::Number => typed::<DoubleType>(cells, writer, |cell| match cell {
            Cell::Number(value) => Some(*value),
            _ => None,
        }),
        ColumnKind::Text => typed::<ByteArrayType>(cells, writer, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.as_str())),
            _ => None,
        }),
    }
}

/// Writes cells of one kind; definition levels mark the missing ones.
fn typed<'a, T: DataType>(
    cells: impl Iterator<Item = &'a Cell>,
    mut writer: SerializedColumnWriter<'_>,
    read: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ExportError> {
    let mut values = Vec::new();
    let mut levels = Vec::new();
    for cell in cells {
        let value = read(cell);
        debug_assert!(value.is_some() || *cell == Cell::Missing, "{cell:?}");
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    let typed = writer.typed::<T>();
    typed.write_batch(&values, Some(&levels), None)?;
    writer.close()?;
    Ok(())
}

fn misfit(column: &Column) -> ParquetError {
    ParquetError::General(format!("there is no column '{}' to write", column.name))
}
