//! The board that the firmware runs on: an Arm or a RISC-V one, as the target says. What all of
//! them have stands here, and what is special about each in a file of its own.

#[cfg(target_arch = "arm")]
#[path = "mps2.rs"]
mod part;
#[cfg(target_arch = "riscv32")]
#[path = "virt.rs"]
mod part;

use core::fmt::{self, Write};
use core::panic::PanicInfo;
use core::ptr::{addr_of, read_volatile, write_volatile};
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
pub use part::*;

/// What the start code paints unused stack with.
const PAINT: u32 = 0x5aa5_5aa5;

extern "C" {
    static stack_low: u32;
    static stack_top: u32;
    static bss_begin: u8;
    static bss_end: u8;
    static flash_begin: u8;
    static flash_used: u8;
}

/// The bytes received and not yet read: written by an interrupt or by [`poll`].
static RECEIVED: [AtomicU8; 256] = [const { AtomicU8::new(0) }; 256];
/// How many were ever written, and read.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);
static READ: AtomicUsize = AtomicUsize::new(0);

/// Keeps a byte that has come in. What nobody reads in time is lost.
fn keep(byte: u8) {
    let written = WRITTEN.load(Ordering::Relaxed);
    if written.wrapping_sub(READ.load(Ordering::Acquire)) < RECEIVED.len() {
        RECEIVED[written % RECEIVED.len()].store(byte, Ordering::Relaxed);
        WRITTEN.store(written.wrapping_add(1), Ordering::Release);
    }
}

/// The board, started.
pub struct Board(());

impl Board {
    /// Starts the clock and the wire to the world.
    pub fn start() -> Board {
        start();
        Board(())
    }

    /// The next byte from the wire, waited for.
    pub fn read(&mut self) -> u8 {
        let read = READ.load(Ordering::Relaxed);
        while WRITTEN.load(Ordering::Acquire) == read {
            wait();
        }
        let byte = RECEIVED[read % RECEIVED.len()].load(Ordering::Relaxed);
        READ.store(read.wrapping_add(1), Ordering::Release);
        byte
    }

    /// Do the bytes that wait to be read begin with this word?
    pub fn line_begins_with(&self, word: &[u8]) -> bool {
        poll();
        let read = READ.load(Ordering::Relaxed);
        WRITTEN.load(Ordering::Acquire).wrapping_sub(read) >= word.len()
            && word.iter().enumerate().all(|(i, &byte)| {
                RECEIVED[(read + i) % RECEIVED.len()].load(Ordering::Relaxed) == byte
            })
    }

    /// Writes how much of the memories is in use, and how much of the stack ever was.
    pub fn report_memory(&mut self) {
        let (mut low, top) = (addr_of!(stack_low), addr_of!(stack_top));
        // SAFETY: all between the two is the stack's, and aligned.
        while low < top && unsafe { read_volatile(low) } == PAINT {
            low = low.wrapping_add(1);
        }
        let stack = top as usize - low as usize;
        let bss = addr_of!(bss_end) as usize - addr_of!(bss_begin) as usize;
        let flash = addr_of!(flash_used) as usize - addr_of!(flash_begin) as usize;
        let _ = writeln!(self, "memory: flash {flash} static {bss} stack {stack}");
    }
}

impl Write for Board {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(send);
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let _ = writeln!(Board(()), "{info}");
    exit(2)
}

/// Writes a register of the board.
fn set<T>(register: *mut T, value: T) {
    // SAFETY: only called with the registers that a part's file names: they are there on that
    // board, and any value is valid for them.
    unsafe { write_volatile(register, value) }
}

/// Reads a register of the board.
fn get<T>(register: *mut T) -> T {
    // SAFETY: as in `set`.
    unsafe { read_volatile(register) }
}
