//! Messages for errors of the operating system.

use std::io;

/// Describes an I/O error without the error numbers of the operating system.
pub fn describe_io_error(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::IsADirectory => "it is a folder, not a file",
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder",
        io::ErrorKind::FileTooLarge => "the file would be larger than allowed",
        io::ErrorKind::QuotaExceeded => "the quota is used up",
        io::ErrorKind::OutOfMemory => "there is not enough memory",
        io::ErrorKind::StorageFull => "there is no space left",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::UnexpectedEof => "the file is cut short",
        _ => return error.to_string(),
    };
    text.to_owned()
}
