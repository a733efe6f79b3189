//! Files that options name: opened only when set, and read at any place by any thread.

use kirin::ReadAt;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::str;

/// The text of an option as a path.
pub fn path(text: &[u8]) -> io::Result<&Path> {
    str::from_utf8(text)
        .map(Path::new)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "its name is not UTF-8"))
}

/// Opens a file to be read. Pipes and devices are refused: reading them might wait for ever.
pub fn open(path: &Path) -> io::Result<DataFile> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    File::open(path).map(DataFile::new)
}

/// An open file.
#[derive(Debug)]
pub struct DataFile {
    #[cfg(any(unix, windows))]
    file: File,
    /// Where there is no reading without a position, one reads at a time.
    #[cfg(not(any(unix, windows)))]
    file: std::sync::Mutex<File>,
}

#[cfg(any(unix, windows))]
impl DataFile {
    fn new(file: File) -> DataFile {
        DataFile { file }
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_some(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_some(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)
    }
}

#[cfg(not(any(unix, windows)))]
impl DataFile {
    fn new(file: File) -> DataFile {
        DataFile {
            file: std::sync::Mutex::new(file),
        }
    }

    fn length(&self) -> io::Result<u64> {
        Ok(crate::engine::lock(&self.file).metadata()?.len())
    }

    fn read_some(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = crate::engine::lock(&self.file);
        file.seek(SeekFrom::Start(offset))?;
        file.read(buffer)
    }
}

impl ReadAt for DataFile {
    type Error = io::Error;

    fn size(&self) -> io::Result<u64> {
        self.length()
    }

    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match self.read_some(offset, buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    buffer = &mut buffer[count..];
                    offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
