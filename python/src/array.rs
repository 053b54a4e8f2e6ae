//! Memory that NumPy sees without a copy.
//!
//! A [`Buffer`] is zeroed once and never moves. An [`Array`] shows it, or a part of it, to NumPy by the
//! array interface, and keeps it alive as long as any view lives.

use crate::errors::wrong;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::cell::UnsafeCell;
use std::sync::Arc;

/// Zeroed memory that Python and this crate share.
pub struct Buffer {
    words: Box<[UnsafeCell<u64>]>,
    bytes: usize,
}

// SAFETY: every access is by raw pointer to plain bytes, any value of which is valid. Rust code writes
// only while it holds the owner exclusively; a Python thread that reads a view meanwhile sees old
// or new bytes, as with any NumPy array.
unsafe impl Sync for Buffer {}
// SAFETY: it owns plain memory.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Returns so many zeroed bytes.
    pub fn new(bytes: usize) -> PyResult<Arc<Buffer>> {
        let count = bytes.div_ceil(8).max(1);
        let mut words = Vec::new();
        words
            .try_reserve_exact(count)
            .map_err(|_| wrong(format!("not enough memory for an array of {bytes} bytes")))?;
        words.resize_with(count, || UnsafeCell::new(0));
        let words = words.into_boxed_slice();
        Ok(Arc::new(Buffer { words, bytes }))
    }

    /// Returns a buffer with a copy of these numbers, each of the width of `T`.
    pub fn of<T: Plain>(numbers: &[T]) -> PyResult<Arc<Buffer>> {
        let buffer = Buffer::new(size_of_val(numbers))?;
        let target = buffer.pointer().cast::<T>();
        // SAFETY: the buffer has at least that many bytes, is aligned to 8, and nobody else knows it yet.
        unsafe { std::ptr::copy_nonoverlapping(numbers.as_ptr(), target, numbers.len()) };
        Ok(buffer)
    }

    /// Returns the address of its first byte.
    pub fn pointer(&self) -> *mut u8 {
        self.words.as_ptr().cast_mut().cast()
    }

    /// Returns how many bytes it has.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A number that NumPy has a type for.
pub trait Plain: Copy {
    /// The type in NumPy's array interface, little-endian.
    const TYPE: &'static str;
}

impl Plain for u8 {
    const TYPE: &'static str = "|u1";
}
impl Plain for i8 {
    const TYPE: &'static str = "|i1";
}
impl Plain for i16 {
    const TYPE: &'static str = "<i2";
}
impl Plain for i32 {
    const TYPE: &'static str = "<i4";
}
impl Plain for i64 {
    const TYPE: &'static str = "<i8";
}
impl Plain for u32 {
    const TYPE: &'static str = "<u4";
}
impl Plain for f32 {
    const TYPE: &'static str = "<f4";
}
impl Plain for f64 {
    const TYPE: &'static str = "<f8";
}

/// Truth values: bytes that are 0 or 1.
pub const BOOL: &str = "|b1";

/// An array that `numpy.asarray` turns into a view.
#[pyclass(module = "anqi._anqi", frozen, skip_from_py_object)]
pub struct Array {
    buffer: Arc<Buffer>,
    kind: &'static str,
    shape: Vec<usize>,
}

impl Array {
    /// Returns an array over a whole buffer.
    pub fn new(buffer: Arc<Buffer>, kind: &'static str, shape: &[usize]) -> Array {
        let width: usize = kind[2..].parse().unwrap_or(1);
        debug_assert_eq!(buffer.bytes(), width * shape.iter().product::<usize>());
        Array {
            buffer,
            kind,
            shape: shape.to_vec(),
        }
    }

    /// Returns an array with a copy of these numbers.
    pub fn of<T: Plain>(numbers: &[T], shape: &[usize]) -> PyResult<Array> {
        Ok(Array::new(Buffer::of(numbers)?, T::TYPE, shape))
    }
}

/// Returns an array as one of NumPy's, which sees the same memory.
pub fn numpy<'py>(py: Python<'py>, array: Array) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("asarray", (array,))
}

#[pymethods]
impl Array {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("data", (self.buffer.pointer() as usize, false))?;
        Ok(interface)
    }
}
