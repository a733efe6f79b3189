//! The unit of tables that threads share without locks: 64 bits that are read and written whole.
//! On targets without 64-bit atomics it serves one thread.

#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

/// One word of a table, shared between threads.
#[cfg(target_has_atomic = "64")]
#[derive(Default)]
pub(crate) struct Word(AtomicU64);

#[cfg(target_has_atomic = "64")]
impl Word {
    #[inline]
    pub(crate) fn load(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn store(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    pub(crate) const fn zero() -> Word {
        Word(AtomicU64::new(0))
    }
}

/// One word of a table, for one thread.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Default)]
pub(crate) struct Word(core::cell::Cell<u64>);

#[cfg(not(target_has_atomic = "64"))]
impl Word {
    #[inline]
    pub(crate) fn load(&self) -> u64 {
        self.0.get()
    }

    #[inline]
    pub(crate) fn store(&self, value: u64) {
        self.0.set(value);
    }

    pub(crate) const fn zero() -> Word {
        Word(core::cell::Cell::new(0))
    }
}
