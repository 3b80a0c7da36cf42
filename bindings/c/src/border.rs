//! The border to C: pointers, status codes, the last error.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use farsight::glam::{IVec2, ivec2};
use farsight_bindings::{Failure, Reason};

/// The status of a call. farsight_last_error() returns the message.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FarsightStatus {
    /// Everything is written.
    Ok = 0,
    /// A required pointer is null.
    NullPointer = 1,
    /// A handle was closed, was never opened, or is of another kind.
    NoHandle = 2,
    /// A number, a name or a text is invalid.
    Invalid = 3,
    /// A cell is off the map.
    OffMap = 4,
    /// The result does not fit into memory.
    Memory = 5,
    /// A buffer is too small; the error gives the required size.
    SmallBuffer = 6,
    /// A fault in farsight. The handles of the call can only be closed.
    Panic = 7,
}

/// A cell.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarsightCell {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl From<FarsightCell> for IVec2 {
    fn from(cell: FarsightCell) -> Self {
        ivec2(cell.x, cell.y)
    }
}

impl From<IVec2> for FarsightCell {
    fn from(cell: IVec2) -> Self {
        Self { x: cell.x, y: cell.y }
    }
}

/// The error of a call.
pub(crate) struct CallError {
    status: FarsightStatus,
    message: String,
}

impl CallError {
    pub(crate) fn new(status: FarsightStatus, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

impl From<Failure> for CallError {
    fn from(failure: Failure) -> Self {
        let status = match failure.reason {
            Reason::Invalid | Reason::Write => FarsightStatus::Invalid,
            Reason::Outside => FarsightStatus::OffMap,
            Reason::Memory => FarsightStatus::Memory,
        };
        Self::new(status, failure.message)
    }
}

/// Converts errors of farsight to the status of their reason.
pub(crate) fn failed(error: impl Into<Failure>) -> CallError {
    error.into().into()
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

fn set_last_error(message: String) {
    let bytes: Vec<u8> = message.into_bytes().into_iter().filter(|byte| *byte != 0).collect();
    LAST_ERROR.set(CString::new(bytes).unwrap_or_default());
}

/// Runs a call, keeps its error, and turns a panic into a status.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), CallError>) -> FarsightStatus {
    let words = |panic: Box<dyn Any + Send>| match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(panic) => panic.downcast_ref::<&str>().copied().unwrap_or("a panic").to_owned(),
    };
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => {
            set_last_error(String::new());
            FarsightStatus::Ok
        }
        Ok(Err(CallError { status, message })) => {
            set_last_error(message);
            status
        }
        Err(panic) => {
            set_last_error(format!("a fault in farsight: {}", words(panic)));
            FarsightStatus::Panic
        }
    }
}

/// Returns the version, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn farsight_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the error message of the last call of this thread, or an empty text. The text is valid until the next call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn farsight_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|message| message.as_ptr())
}

fn null_pointer(name: &str) -> CallError {
    CallError::new(FarsightStatus::NullPointer, format!("{name}: a null pointer is not accepted"))
}

/// Checks a pointer to a number of values.
fn check<T>(pointer: *const T, count: usize, name: &str) -> Result<(), CallError> {
    let invalid = |words: &str| Err(CallError::new(FarsightStatus::Invalid, format!("{name}: {words}")));
    match () {
        () if pointer.is_null() => Err(null_pointer(name)),
        () if !pointer.is_aligned() => invalid("the pointer is not aligned"),
        () if count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) => {
            invalid("there are more values than memory has")
        }
        () => Ok(()),
    }
}

/// Reads values.
///
/// # Safety
/// The pointer is null or leads to `count` values that nobody writes.
pub(crate) unsafe fn values_at<'a, T: Copy>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T], CallError> {
    check(pointer, count, name)?;
    // SAFETY: the pointer is aligned and not null, and the caller vouches for the values.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Returns the first `needed` of `count` values of a buffer, all 0.
///
/// # Safety
/// The pointer is null or leads to `count` values that nobody else reads or writes. They may be unset; all bits 0 is a value.
pub(crate) unsafe fn buffer_at<'a, T: Copy>(
    pointer: *mut T,
    count: usize,
    needed: usize,
    name: &str,
) -> Result<&'a mut [T], CallError> {
    check(pointer, count, name)?;
    if count < needed {
        let message = format!("{name}: {count} values are too few: expected {needed}");
        return Err(CallError::new(FarsightStatus::SmallBuffer, message));
    }
    // SAFETY: as in `values_at`; after this, all values are set.
    unsafe {
        pointer.write_bytes(0, needed);
        Ok(std::slice::from_raw_parts_mut(pointer, needed))
    }
}

/// Writes one value.
///
/// # Safety
/// The pointer is null or leads to a value that nobody else reads or writes.
pub(crate) unsafe fn write_to<T: Copy>(pointer: *mut T, value: T, name: &str) -> Result<(), CallError> {
    check(pointer, 1, name)?;
    // SAFETY: the pointer is aligned and not null, and the caller vouches for the value.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Reads a text, or returns `None` for a null pointer.
///
/// # Safety
/// The pointer is null or leads to bytes that end with a zero.
pub(crate) unsafe fn text_at<'a>(pointer: *const c_char, name: &str) -> Result<Option<&'a str>, CallError> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller vouches for the zero.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some).map_err(|_| CallError::new(FarsightStatus::Invalid, format!("{name}: the text is not UTF-8")))
}

/// Reads a required text.
///
/// # Safety
/// As [`text_at`].
pub(crate) unsafe fn required_text_at<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, CallError> {
    // SAFETY: that of the caller.
    unsafe { text_at(pointer, name) }?.ok_or_else(|| null_pointer(name))
}
