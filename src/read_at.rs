//! Bytes that can be read at any place: how books and tables reach the library, which opens no
//! file itself.

use core::fmt;

/// Bytes that can be read at any place: a file, memory, or flash behind a bus. Reading is no
/// change, so several may read at once; whatever needs one must lock or borrow inside.
pub trait ReadAt {
    /// Why reading fails.
    type Error: fmt::Debug + fmt::Display;

    /// How many bytes there are.
    ///
    /// # Errors
    ///
    /// If that can't be told.
    fn size(&self) -> Result<u64, Self::Error>;

    /// Fills the buffer with the bytes from `offset` on.
    ///
    /// # Errors
    ///
    /// If they can't all be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Self::Error>;
}

/// The bytes end before those that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds;

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it ends too early")
    }
}

impl core::error::Error for OutOfBounds {}

/// Bytes in memory.
impl ReadAt for &[u8] {
    type Error = OutOfBounds;

    fn size(&self) -> Result<u64, OutOfBounds> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), OutOfBounds> {
        let begin = usize::try_from(offset).map_err(|_| OutOfBounds)?;
        let end = begin.checked_add(buffer.len()).ok_or(OutOfBounds)?;
        buffer.copy_from_slice(self.get(begin..end).ok_or(OutOfBounds)?);
        Ok(())
    }
}
